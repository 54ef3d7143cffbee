"""A transcript as a log in the notations Lonelog (1.6, for one player) and Partylog (1.0, for a group).

Both are Markdown whose notation stands in code blocks: `@` what somebody does, `d:` what dice and cards
said, `->` what that came to, `=>` what was told of it, and in Partylog `!` what the game master brings in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from projections import safe
from projections.document import Mechanic, Member, Paragraph, Passage, Scene, Transcript, Variation
from projections.exports import page_elements
from projections.exports.markdown import front_matter
from projections.exports.page_elements import Furniture, MechanicsPlace
from projections.markdown_escaping import on_a_line
from projections.prose.telling import Tag, reflowed
from projections.safe import widened

_NOTATION: Final = re.compile(r"[\[\]]|(?<=[-=])>|@(?=\()|\((?=[A-Za-z ]+:)")
"""What would be a tag, an arrow, an actor or a note wherever on a line it stands."""
_IN_NAME: Final = re.compile(r"[()+>|:\[\]]")
_IN_TAG: Final = re.compile(r"[|:\[\]]")
_IN_NOTE: Final = re.compile(r"[()]")


class _Dialect(Struct, frozen=True):
    """What the two notations write differently."""

    party: bool
    speech: str
    ruling: str
    later: str
    open: str


_LONELOG: Final = _Dialect(party=False, speech="{} ({})", ruling="house rule", later="note", open="reminder")
_PARTYLOG: Final = _Dialect(party=True, speech="{}({})", ruling="rule", later="post", open="hook")


def lonelog(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """The transcript in UTF-8; mechanics stand where they fell, wherever they were wanted."""
    return _Writer(transcript, _LONELOG).render()


def partylog(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """As `lonelog`, with every act under its actor's name and the game master's own under `!`."""
    return _Writer(transcript, _PARTYLOG).render()


class _Writer:
    """Writes one log. `due` is True while something was done of which nothing has been told yet."""

    def __init__(self, transcript: Transcript, dialect: _Dialect) -> None:
        self.transcript = transcript
        self.dialect = dialect
        self.furniture = Furniture(transcript.phrases)
        self.played = {one.name for one in transcript.cast if one.player is not None}
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
        yield from _fenced([self.tag(one) for one in transcript.cast])
        number = 0
        for scene in transcript.scenes:
            number += scene.title is not None
            yield from self.scene(scene, number)
        yield from self.afterwards()

    def properties(self) -> Iterator[str]:
        """What programs read of it."""
        head = self.transcript.head
        players = ", ".join(
            f"{self.furniture.in_turn(one)} ({', '.join(one.characters)})" for one in head.players
        )
        pairs = {
            "title": head.campaign,
            "ruleset": ", ".join(head.systems),
            "gm": ", ".join(page_elements.leaders(self.transcript)),
            "players" if self.dialect.party else "player": players,
            "pcs": ", ".join(one.name for one in self.transcript.cast if one.name in self.played),
            "start_date": head.date,
        }
        yield from front_matter(pairs)

    def about(self) -> Iterator[str]:
        """The lines under a session's heading."""
        head = self.transcript.head
        facts = [
            f"Date: {head.date}" if head.date else "",
            f"Absent: {', '.join(head.absent)}" if head.absent else "",
        ]
        if any(facts):
            yield from (f"*{on_a_line(' | '.join(filter(None, facts)))}*", "")
        if head.summary:
            yield from (f"**Summary:** {on_a_line(' '.join(_split(head.summary)))}", "")
        if head.previously:
            yield from (f"**Recap:** {on_a_line(' '.join(_split(head.previously)))}", "")

    def tag(self, member: Member) -> str:
        """Somebody of the cast as a tag."""
        played = member.name in self.played
        fields = [self.named(member.name)]
        if member.phrase:
            fields.append(_IN_TAG.sub(widened, _line(member.phrase)))
        if played and self.dialect.party:
            fields.append(f"Player:{self.named(self.furniture.in_turn(member))}")
        return f"[{'PC' if played else 'N'}:{'|'.join(fields)}]"

    def named(self, name: str | None) -> str:
        """What somebody is called where a name stands between signs."""
        known = _line(name or "") or _line(self.furniture.say("page.somebody"))
        return _IN_NAME.sub(widened, known)

    def scene(self, scene: Scene, number: int) -> Iterator[str]:
        if scene.chapter:
            yield from (f"## {on_a_line(self.furniture.chapter(scene.chapter))}", "")
        if scene.title is not None:
            yield from (f"### S{number} *{on_a_line(scene.title)}*", "")
        self.due = False
        yield from _fenced([line for passage in scene.passages for line in self.passage(passage)])

    def passage(self, passage: Passage) -> Iterator[str]:
        heading = passage.conflict
        if heading is not None:
            yield ""
            yield _note("note", f"{self.furniture.conflict(heading)}. {self.furniture.against(heading)}")
            yield from self.mechanics(heading.mechanics)
        for one in page_elements.in_order(passage):
            if isinstance(one, Variation):
                yield from (_note("note", line) for line in self.furniture.retold(one))
            else:
                yield from self.paragraph(one)
                yield from self.mechanics(one.mechanics)

    def mechanics(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """After `d:`, all up to the last that dice or cards said; after `->`, what that came to."""
        drawn = max((number for number, one in enumerate(mechanics) if one.luck), default=len(mechanics))
        for number, one in enumerate(mechanics):
            self.due = True
            called = f" ({_typed(self.furniture.luck(one))})" if one.luck else ""
            yield f"{'d:' if number <= drawn else '->'} {_typed(one.text)}{called}"

    def paragraph(self, paragraph: Paragraph) -> Iterator[str]:
        if paragraph.later:
            yield _note(self.dialect.later, "told later")
        match paragraph.kind:
            case Tag.NOTE | Tag.RULING | Tag.ASIDE | Tag.RIBBON:
                yield from self.aside(paragraph)
            case Tag.SPEECH:
                yield from self.speech(paragraph)
            case Tag.DECLARATION if paragraph.speaker:
                yield from self.act(paragraph)
            case Tag.NARRATION if paragraph.speaker and any(one.luck for one in paragraph.mechanics):
                yield from self.act(paragraph)
            case Tag.GENERATED:
                yield from (f"-> {_typed(one)}" for one in _split(paragraph.text))
            case _:
                yield from self.told(paragraph)

    def aside(self, paragraph: Paragraph) -> Iterator[str]:
        kind = self.dialect.ruling if paragraph.kind is Tag.RULING else "note"
        about = [self.about_whom(paragraph)]
        lead = " ".join(filter(None, (*about, *(f"({one})" for one in self.furniture.asides(paragraph)))))
        yield _note(kind, f"{lead}: {paragraph.text}" if lead else paragraph.text)

    def about_whom(self, paragraph: Paragraph) -> str:
        """Whom a note is about, or who said it at the table; empty for nobody."""
        phrases, who = self.transcript.phrases, paragraph.speaker
        if paragraph.kind is Tag.ASIDE:
            return phrases.say("label.aside", who=who)
        return phrases.say("page.about", who=who) if who else ""

    def speech(self, paragraph: Paragraph) -> Iterator[str]:
        kind = "PC" if paragraph.speaker in self.played else "N"
        who = self.dialect.speech.format(kind, self.named(paragraph.speaker))
        aside = "".join(f"[{_typed(one)}] " for one in self.furniture.asides(paragraph))
        yield from (f'{who}: {aside}"{_typed(one)}"' for one in _split(paragraph.text))

    def act(self, paragraph: Paragraph) -> Iterator[str]:
        self.due = True
        usual = ("", self.transcript.phrases.say("table.declares"))
        manner = [paragraph.manner] if paragraph.manner not in usual else []
        lead = "".join(f"{_typed(one)}: " for one in (*manner, *self.furniture.asides(paragraph)))
        actor = self.actor(paragraph.speaker)
        yield ""
        yield from (f"{actor} {lead}{_typed(one)}" for one in _split(paragraph.text))

    def actor(self, name: str | None) -> str:
        """Who acts; in Lonelog the one character that is played needs no name."""
        if not self.dialect.party and self.played == {name}:
            return "@"
        return f"@({self.named(name)})"

    def told(self, paragraph: Paragraph) -> Iterator[str]:
        """A narration: what came of what was done, or in Partylog something new of the game master's."""
        new = self.dialect.party and not self.due and paragraph.speaker is None
        self.due = False
        label = page_elements.label(paragraph)
        lead = f"{_typed(label)}: " if label else ""
        if new:
            yield ""
        yield from (f"{'!' if new else '=>'} {lead}{_typed(one)}" for one in _split(paragraph.text))

    def afterwards(self) -> Iterator[str]:
        kinds = {"open": self.dialect.open, "untold": "reminder"}
        lines = [
            _note(kinds.get(part.kind, "note"), one)
            for part in self.furniture.afterwards(self.transcript.end)
            for one in part.lines
        ]
        session = self.transcript.head.session
        if lines:
            heading = f"## {on_a_line(self.furniture.say('page.afterwards'))}"
            yield from (heading if session is None else f"### End of Session {session}", "")
            yield from _fenced(lines)
        for title, entries in self.furniture.index(self.transcript):
            yield from (f"## {on_a_line(title)}", "")
            found = (f"{one.name}: {page_elements.where(self.transcript, one)}" for one in entries)
            yield from (f"- {on_a_line(one)}" for one in found)
            yield ""


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    """Notation in a code block; nothing where there is none."""
    if lines:
        yield from ("```", *lines[not lines[0] :], "```", "")


def _note(kind: str, text: str) -> str:
    line = _typed(" ".join(_split(text)))
    return f"({kind}: {line if _closes(line) else _IN_NOTE.sub(widened, line)})"


def _closes(line: str) -> bool:
    """True if no bracket in a line closes one that is not opened in it."""
    depth = 0
    for bracket in _IN_NOTE.findall(line):
        depth += 1 if bracket == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def _split(text: str) -> list[str]:
    """The paragraphs of a text, each on a line; none that is empty."""
    return [one for one in map(_line, reflowed(text).split("\n\n")) if one]


def _line(text: str) -> str:
    return safe.line(text).strip()


def _typed(text: str) -> str:
    """Typed text on one line, with no notation in it."""
    return _NOTATION.sub(widened, _line(text))
