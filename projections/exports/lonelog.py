"""Log export in the notations Lonelog (1.6, solo play) and Partylog (1.0, group play).

Both are Markdown with notation in code blocks: `@` for actions, `d:` for dice and cards, `->` for results,
`=>` for narration, and in Partylog `!` for the game master's additions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from retold.projections.exports import blocks as b
from retold.projections.exports import page_elements
from retold.projections.exports.markdown import front_matter
from retold.projections.exports.page_elements import MechanicsPlace, paragraph_lines
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Mechanic, Member, Paragraph, Scene, Transcript
from retold.projections.texts import safe
from retold.projections.texts.markdown_escaping import on_a_line
from retold.projections.texts.safe import widened

_NOTATION: Final = re.compile(
    r"[\[\]]|>(?<=[-=]>)|@(?=\()|\((?=[A-Za-z ]+:)|:(?<=(?<!\w)d:)|\((?<=(?<!\w)d\()"
)
"""Tags, arrows, actors, notes and rolls anywhere on a line.

Each alternative begins with its sign, so that the search skips every other letter at once.
"""
_IN_NAME: Final = re.compile(r"[()+>|:\[\]]")
_IN_TAG: Final = re.compile(r"[|:\[\]]")
_IN_NOTE: Final = re.compile(r"[()]")


class _Dialect(Struct, frozen=True):
    """Differences between Lonelog and Partylog: format of speech, and keywords of their notes."""

    party: bool
    speech: str
    ruling: str
    later: str
    open: str


_LONELOG: Final = _Dialect(party=False, speech="{} ({})", ruling="house rule", later="note", open="reminder")
_PARTYLOG: Final = _Dialect(party=True, speech="{}({})", ruling="rule", later="post", open="hook")


def lonelog(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """Returns the transcript as Lonelog in UTF-8; dice and cards always stand under their paragraph."""
    return _Writer(transcript, _LONELOG).render()


def partylog(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """Returns the transcript as Partylog, with actors' names, and `!` before the game master's additions."""
    return _Writer(transcript, _PARTYLOG).render()


class _Writer:
    """Writer of one log; `due` is true while an action still waits for the narration of its result."""

    def __init__(self, transcript: Transcript, dialect: _Dialect) -> None:
        self.transcript = transcript
        self.dialect = dialect
        self.blocks = b.Blocks(MechanicsPlace.INLINE, transcript.phrases)
        self.furniture = self.blocks.furniture
        self.played = {member.name for member in transcript.cast if member.player is not None}
        self.due = False

    def render(self) -> bytes:
        return ("\n".join(self.document()).rstrip("\n") + "\n").encode()

    def document(self) -> Iterator[str]:
        transcript = self.transcript
        yield from self.properties()
        if transcript.head.campaign:
            yield from (f"# {on_a_line(transcript.head.campaign)}", "")
        if transcript.head.session is not None:
            yield from (f"## {on_a_line(transcript.title)}", "")
        yield from self.about()
        yield from _fenced([self.tag(member) for member in transcript.cast])
        number = 0
        for scene in transcript.scenes:
            number += scene.title is not None
            yield from self.scene(scene, number)
        yield from self.afterwards()

    def properties(self) -> Iterator[str]:
        """Yields the YAML front matter: title, ruleset, game masters, players, characters, date."""
        head = self.transcript.head
        pairs = {
            "title": head.campaign,
            "ruleset": ", ".join(head.systems),
            "gm": ", ".join(page_elements.leaders(self.transcript)),
            "players" if self.dialect.party else "player": ", ".join(
                self.furniture.players_of(self.transcript)
            ),
            "pcs": ", ".join(member.name for member in self.transcript.cast if member.name in self.played),
            "start_date": head.date,
        }
        yield from front_matter(pairs)

    def about(self) -> Iterator[str]:
        """Yields the text under the session heading: date, absent players, summary and recap."""
        head = self.transcript.head
        facts = [
            f"Date: {head.date}" if head.date else "",
            f"Absent: {', '.join(head.absent)}" if head.absent else "",
        ]
        if any(facts):
            yield from (f"*{on_a_line(' | '.join(filter(None, facts)))}*", "")
        pages = self.transcript.pages
        around = (
            ("blurb", pages.blurb),
            ("content", pages.content),
            ("epigraph", pages.epigraph),
            ("pull", None if pages.pull is None else pages.pull.text),
        )
        for name, text in around:
            if text:
                yield from (f"**{name.capitalize()}:** {on_a_line(' '.join(paragraph_lines(text)))}", "")
        if head.summary:
            yield from (f"**Summary:** {on_a_line(' '.join(paragraph_lines(head.summary)))}", "")
        if head.previously:
            yield from (f"**Recap:** {on_a_line(' '.join(paragraph_lines(head.previously)))}", "")

    def tag(self, member: Member) -> str:
        """Returns a cast member as a tag: `[PC:Zel|A smuggler]` if played, `[N:…]` otherwise."""
        played = member.name in self.played
        fields = [self.named(member.name)]
        if member.phrase:
            fields.append(_IN_TAG.sub(widened, _line(member.phrase)))
        if played and self.dialect.party:
            fields.append(f"Player:{self.named(self.furniture.in_turn(member))}")
        return f"[{'PC' if played else 'N'}:{'|'.join(fields)}]"

    def named(self, name: str | None) -> str:
        """Returns a name with notation characters replaced; the word for "somebody" if there is no name."""
        known = _line(name or "") or _line(self.furniture.say("page.somebody"))
        return _IN_NAME.sub(widened, known)

    def scene(self, scene: Scene, number: int) -> Iterator[str]:
        self.due = False
        if scene.chapter:
            yield from (f"## {on_a_line(self.furniture.chapter(scene.chapter))}", "")
            if scene.chapter.previously:
                yield from (f"**Recap:** {on_a_line(scene.chapter.previously)}", "")
        if scene.title is not None:
            yield from (f"### S{number} *{on_a_line(scene.title)}*", "")
        yield from _fenced([line for block in self.blocks.scene(scene) for line in self.block(block)])

    def block(self, block: b.Block) -> Iterable[str]:
        match block:
            case b.Told():
                return self.paragraph(block)
            case b.Beneath(mechanics):
                return self.mechanics(mechanics)
            case b.Conflict(_, text, against):
                return "", _note("note", f"{text}. {against}")
            case b.Picture():
                return (_note("note", block.in_words),)
            case b.Branch():
                return (_note("note", line) for line in self.blocks.retold(block))
            case _:
                return ()

    def mechanics(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """Yields a text line for each mechanic: `d:` up to the last roll or draw, `->` after it."""
        drawn = max(
            (number for number, mechanic in enumerate(mechanics) if mechanic.luck), default=len(mechanics)
        )
        for number, mechanic in enumerate(mechanics):
            self.due = True
            called = f" ({_typed(self.furniture.luck(mechanic))})" if mechanic.luck else ""
            yield f"{'d:' if number <= drawn else '->'} {_typed(mechanic.text)}{called}"

    def paragraph(self, block: b.Told) -> Iterator[str]:
        paragraph = block.source
        if paragraph.later:
            yield _note(self.dialect.later, "told later")
        match paragraph.kind:
            case Tag.NOTE | Tag.RULING | Tag.ASIDE | Tag.RIBBON:
                yield self.aside(paragraph)
            case Tag.SPEECH:
                yield from self.speech(paragraph)
            case Tag.DECLARATION if paragraph.speaker:
                yield from self.act(paragraph)
            case Tag.NARRATION if paragraph.speaker and any(
                mechanic.luck for mechanic in paragraph.mechanics
            ):
                yield from self.act(paragraph)
            case Tag.GENERATED:
                yield from (f"-> {line}" for line in _typed_lines(paragraph.text))
            case _:
                yield from self.told(block)

    def aside(self, paragraph: Paragraph) -> str:
        kind = self.dialect.ruling if paragraph.kind is Tag.RULING else "note"
        about = [self.about_whom(paragraph)]
        lead = " ".join(filter(None, (*about, *(f"({aside})" for aside in self.furniture.asides(paragraph)))))
        return _note(kind, f"{lead}: {paragraph.text}" if lead else paragraph.text)

    def about_whom(self, paragraph: Paragraph) -> str:
        """Returns the words for a note's subject or an aside's speaker; empty for a note about no one."""
        phrases, who = self.transcript.phrases, paragraph.speaker
        if paragraph.kind is Tag.ASIDE:
            return phrases.say("label.aside", who=who)
        return phrases.say("page.about", who=who) if who else ""

    def speech(self, paragraph: Paragraph) -> Iterator[str]:
        kind = "PC" if paragraph.speaker in self.played else "N"
        who = self.dialect.speech.format(kind, self.named(paragraph.speaker))
        aside = "".join(f"[{_typed(aside)}] " for aside in self.furniture.asides(paragraph))
        return (f'{who}: {aside}"{line}"' for line in _typed_lines(paragraph.text))

    def act(self, paragraph: Paragraph) -> Iterator[str]:
        self.due = True
        usual = ("", self.transcript.phrases.say("table.declares"))
        manner = [paragraph.manner] if paragraph.manner not in usual else []
        lead = "".join(f"{_typed(remark)}: " for remark in (*manner, *self.furniture.asides(paragraph)))
        actor = self.actor(paragraph.speaker)
        yield ""
        yield from (f"{actor} {lead}{line}" for line in _typed_lines(paragraph.text))

    def actor(self, name: str | None) -> str:
        """Returns the mark of an acting person: `@(Zel)`.

        Lonelog, unlike Partylog, marks the person as `@` if no other is played.
        """
        if not self.dialect.party and self.played == {name}:
            return "@"
        return f"@({self.named(name)})"

    def told(self, block: b.Told) -> Iterator[str]:
        """Yields narration: `=>` for a result of actions, in Partylog `!` for a game master's new fact."""
        new = self.dialect.party and not self.due and block.source.speaker is None
        self.due = False
        lead = f"{_typed(block.label)}: " if block.label else ""
        if new:
            yield ""
        yield from (f"{'!' if new else '=>'} {lead}{line}" for line in _typed_lines(block.source.text))

    def afterwards(self) -> Iterator[str]:
        kinds = {"open": self.dialect.open, "untold": "reminder"}
        parts = [*self.blocks.below(self.transcript)]
        closing = [part for part in parts if part.sort != "index"]
        lines = [_note(kinds.get(part.sort, "note"), line) for part in closing for line in part.lines]
        session = self.transcript.head.session
        if lines:
            heading = f"## {on_a_line(self.furniture.say('page.afterwards'))}"
            yield from (heading if session is None else f"### End of Session {session}", "")
            yield from _fenced(lines)
        for part in parts[len(closing) :]:
            yield from (f"## {on_a_line(part.title)}", "")
            yield from (*(f"- {on_a_line(line)}" for line in part.lines), "")


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    """Yields lines of notation inside a Markdown code block; nothing if there are no lines."""
    if lines:
        yield from ("```", *lines[not lines[0] :], "```", "")


def _note(kind: str, text: str) -> str:
    line = _NOTATION.sub(widened, " ".join(paragraph_lines(text)))
    return f"({kind}: {line if _closes(line) else _IN_NOTE.sub(widened, line)})"


def _closes(line: str) -> bool:
    """True if the text line's round brackets are balanced."""
    depth = 0
    for bracket in _IN_NOTE.findall(line):
        depth += 1 if bracket == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def _typed_lines(text: str) -> Iterator[str]:
    """Yields the paragraphs of a typed text, each as one line with notation characters replaced."""
    return (_NOTATION.sub(widened, line) for line in paragraph_lines(text))


def _line(text: str) -> str:
    return safe.line(text).strip()


def _typed(text: str) -> str:
    """Returns typed text joined to one line, with notation characters replaced."""
    return _NOTATION.sub(widened, _line(text))
