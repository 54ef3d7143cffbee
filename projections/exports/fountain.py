"""Fountain screenplay export; typed text is escaped or forced, so that no reader takes it for markup.

Speech becomes dialogue, and so does text that begins in quotation marks; all other narration becomes
action. Scenes are numbered headings. Mechanics, notes, rulings and variations are `[[notes]]`, which are
not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from retold.journal.marks import Signs
from retold.projections.exports import blocks as b
from retold.projections.exports import page_elements
from retold.projections.exports.page_elements import Furniture, MechanicsPlace, paragraph_lines
from retold.projections.exports.spool import BlockWriter
from retold.projections.prose.sentences import begins_with_name
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Mechanic, Paragraph, Transcript
from retold.projections.story.typography import unenclosed
from retold.projections.texts import emphasis, safe
from retold.projections.texts.safe import widened

_OBEYED: Final = re.compile(r"[\\*_]|\[(?:(?=\[)|(?<=\[\[))|\](?:(?=\])|(?<=\]\]))")
"""Emphasis (`*` is in boneyard marks too), and double brackets.

Each alternative begins with its sign, so that the search skips every other letter at once.
"""
_MARKS: Final = Signs("*", "*", "**", "**")
_NOTE_ENDS: Final = re.compile(r"\[(?<!.\[)|\](?!.)")
_IN_HEADING: Final = re.compile("#")
_IN_CUE: Final = re.compile(r"[()^]")
_OBEYED_IN_SPEECH: Final = re.compile(r"^(?:[!#=~>@]|\.(?!\.)|\((?=.*\)$))")

_HEADING: Final = re.compile(r"(?i)(?:int|ext|est|i/e)\b")
_ACTION: Final = re.compile(r"[^\W_]|[\u201c\u201d\u2018\u2019\"'\u00ab\u00bb\u2014\u2026]")
_CUE: Final = re.compile(r"[A-Z][A-Z0-9 .'-]*")
_TRANSITION: Final = re.compile(r".*TO:$|FADE (?:IN:|OUT\.)$")
"""Speech that some readers take for a transition when it follows a name in capitals."""
_STARTS_A_HEADING: Final = re.compile(r"[A-Za-z0-9]")

_BESIDE: Final = frozenset({Tag.NOTE, Tag.RULING, Tag.ASIDE, Tag.RIBBON})
"""Kinds told about the story, not in it."""

_COMMAS: Final = ",\uff0c"

_LONGEST_MANNER: Final = 60
"""Characters that fit in brackets above a speech."""

_SPEECH_GOES_ON: Final = "  "
"""Two blanks alone on a line: an empty line that does not end the speech."""


def render(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """Returns the transcript as Fountain in UTF-8; dice and cards are always notes under the paragraph."""
    return _FountainWriter(MechanicsPlace.INLINE, transcript.phrases).text(transcript).encode()


class _FountainWriter(BlockWriter):
    """Writer of one Fountain screenplay, which counts its scenes to number their headings."""

    scenes = 0

    def properties(self, transcript: Transcript) -> Iterable[str]:
        return _title_page(transcript, self.blocks.furniture)

    def block(self, block: b.Block) -> Iterable[str]:  # noqa: C901, PLR0911 -- one case for each block
        match block:
            case b.Told():
                return _paragraph(block, self.blocks.furniture)
            case b.Picture():
                return _note(block.in_words), ""
            case b.Beneath(mechanics):
                return *map(self.note, mechanics), ""
            case b.Heading("session", text):
                return _section(1, text)
            case b.Heading("scene", text):
                return self.heading(text)
            case b.Conflict(_, text, against):
                return *_section(2, text), f"= {_on_a_line(against)}", ""
            case b.Foretold(sort, label, text):
                lead = "" if sort == "summary" else f"{_on_a_line(label)}: "
                return f"= {lead}{_on_a_line(' '.join(paragraph_lines(text)))}", ""
            case b.Epigraph(quote):
                who = f" — {_on_a_line(quote.who)}" if quote.who else ""
                return f"= {_on_a_line(' '.join(paragraph_lines(quote.text)))}{who}", ""
            case b.Branch():
                title, *lines = self.blocks.retold(block)
                return _section(3, title, [" ".join(paragraph_lines(line)) for line in lines])
            case b.Part(_, title, lines):
                return _section(1, title, lines)
            case b.Heading() | b.Line() | b.Apart() | b.Map() | b.Break():
                return ()

    def heading(self, text: str) -> tuple[str, str]:
        """Returns a numbered scene heading and an empty line.

        A title that begins with a sign gets the scene's number in words before it.
        """
        self.scenes += 1
        title = _IN_HEADING.sub(widened, _on_a_line(text))
        if not _STARTS_A_HEADING.match(title):
            number = _on_a_line(self.blocks.furniture.say("page.scene", number=self.scenes))
            title = f"{_IN_HEADING.sub(widened, number)}: {title}"
        return f".{title} #{self.scenes}#", ""

    def note(self, mechanic: Mechanic) -> str:
        """Returns one mechanic (a roll, a draw) as a Fountain note, with its source of luck in brackets."""
        luck = f" ({self.blocks.furniture.luck(mechanic)})" if mechanic.luck else ""
        return _note(f"{mechanic.text}{luck}")


def _title_page(transcript: Transcript, furniture: Furniture) -> Iterator[str]:
    """Yields the lines of the title page, which always has a title.

    Without a title, readers would parse the story as a title page.
    """
    head = transcript.head
    played = "; ".join(furniture.players_of(transcript))
    yield f"Title: {_on_a_line(transcript.title) or _on_a_line(furniture.say('page.campaign'))}"
    pairs = {
        "Credit": furniture.say("page.players") if played else "",
        "Author": played,
        "Source": furniture.byline(transcript),
        "Notes": transcript.phrases.say("page.absent", who=head.absent) if head.absent else "",
    }
    yield from (f"{key}: {_on_a_line(value)}" for key, value in pairs.items() if value.strip())
    yield ""


def _section(depth: int, title: str, lines: Iterator[str] | Sequence[str] = ()) -> Iterator[str]:
    """Yields a section heading of the given depth, with `lines` as notes beneath it; neither is printed."""
    yield from (f"{'#' * depth} {_on_a_line(title)}", "")
    notes = [_note(one) for one in lines]
    if notes:
        yield from (*notes, "")


def _paragraph(block: b.Told, furniture: Furniture) -> Sequence[str]:
    paragraph = block.source
    if not paragraph.text.strip():
        return ()
    if paragraph.kind in _BESIDE:
        label, text = block.label, " ".join(paragraph_lines(paragraph.text))
        return _note(f"{label}{block.colon} {text}" if label else text), ""
    if _has_cue(paragraph) and (parts := _play(paragraph)) and (said := emphasis.paragraphs(parts.spoken)):
        return _speech(paragraph, said, parts, furniture)
    return _action(block, furniture)


class _Line(NamedTuple):
    """A piece of dialogue: spoken text, parenthetical above it (`manner`), and the action that follows."""

    spoken: str
    manner: str
    then: str


def _play(paragraph: Paragraph) -> _Line | None:
    """Splits speech, or text that begins with speech, into dialogue parts; None for any other text.

    A continuation of the same sentence becomes the parenthetical if it is short and contains no speech;
    else the text cannot be split. The comma before it becomes a full stop, inside the marks or after them.
    """
    spoken, then = page_elements.as_spoken(paragraph)
    if not spoken:
        return None
    goes_on = then[:1].islower() or (then and (then[0] in _COMMAS or spoken.rstrip()[-1:] in _COMMAS))
    spoken = unenclosed(spoken, paragraph.quotes)
    if not goes_on:
        return _Line(spoken, "", then)
    then = then.lstrip(f"{_COMMAS} ")
    if len(then) > _LONGEST_MANNER or re.search('["\u201c\u201d\u00ab\u00bb\n]', then):
        return None
    return _Line(_ended(spoken), then.rstrip(".!?, "), "")


def _ended(spoken: str) -> str:
    """Returns speech as a complete sentence: without a trailing comma, with a full stop after a bare word."""
    told = spoken.rstrip().rstrip(_COMMAS)
    return f"{told}." if told[-1:].isalnum() else told


def _has_cue(paragraph: Paragraph) -> bool:
    """True if the speaker's name has a letter, which Fountain requires of a name above dialogue (a cue)."""
    return any(map(str.isalpha, safe.line(paragraph.speaker or "")))


_REMARK: Final = re.compile(r"\((?P<words>[^()\n]{1,60})\)[ \t]+(?=\S)")
"""A remark in brackets in front of speech."""


def _speech(paragraph: Paragraph, said: Sequence[str], line: _Line, furniture: Furniture) -> list[str]:
    """Returns dialogue: the speaker's name, remarks in brackets, the paragraphs `said`, then action.

    A remark in brackets that begins the words is a parenthetical: it has a line of its own.
    """
    remark = _REMARK.match(said[0])
    if remark is not None:
        said = (said[0][remark.end() :], *said[1:])
    name = _IN_CUE.sub(widened, _on_a_line(paragraph.speaker or ""))
    plain = _CUE.fullmatch(name) and not _HEADING.match(name) and not _TRANSITION.match(said[0])
    asides = [*furniture.asides(paragraph), *([line.manner] if line.manner else ())]
    asides += [emphasis.words(remark["words"])] if remark is not None else []
    lines = [name if plain else f"@{name}", *(f"({_on_a_line(aside)})" for aside in asides)]
    for number, one in enumerate(said):
        if number:
            lines.append(_SPEECH_GOES_ON)
        lines += (
            _OBEYED_IN_SPEECH.sub(widened, _marked(line)) for line in emphasis.lines(one) if line.strip()
        )
    return [*lines, "", *_acted(line.then)]


def _action(block: b.Told, furniture: Furniture) -> list[str]:
    """Returns a paragraph as action after its label; the verb “declares” is left out of the label."""
    paragraph, lead = block.source, block.label
    if paragraph.speaker and paragraph.manner == furniture.say("table.declares") and lead:
        lead = " ".join((paragraph.speaker, *(f"({one})" for one in furniture.asides(paragraph))))
    if begins_with_name(emphasis.words(block.text), paragraph.speaker or "") and not any(
        furniture.asides(paragraph)
    ):
        lead = ""
    return _acted(block.text, f"{lead}{block.colon} " if lead else "")


def _acted(text: str, lead: str = "") -> list[str]:
    """Returns text as action: separate paragraphs, or consecutive lines of text after `lead` (`Zel: `)."""
    told: list[str] = []
    for paragraph in emphasis.paragraphs(f"{lead}{text}"):
        lines = [_marked(line.strip()) for line in emphasis.lines(paragraph) if line.strip()]
        told += (line if _reads_as_action(line) else f"!{line}" for line in lines)
        told += [""] if lines and not lead else []
    return [*told, ""] if lead else told


def _reads_as_action(line: str) -> bool:
    """True if every Fountain reader takes the text line for action, so that no `!` is needed.

    A line beginning with a sign is ambiguous; one without lowercase letters (outside brackets, where a cue
    has its extension) could be a cue or a transition.
    """
    spoken = re.sub(r"\(.*\)", "", line)
    return bool(_ACTION.match(line)) and not _HEADING.match(line) and any(map(str.islower, spoken))


def _note(text: str) -> str:
    return f"[[{_NOTE_ENDS.sub(widened, _on_a_line(text))}]]"


def _on_a_line(text: str) -> str:
    """Returns typed text joined to one line, with Fountain markup escaped."""
    return _escaped(safe.line(text).strip())


def _escaped(line: str) -> str:
    """Returns a text line with emphasis, notes and boneyard marks (`/*`, by its star) escaped."""
    return _OBEYED.sub(_escape, line)


def _marked(line: str) -> str:
    """Returns a text line escaped, with Fountain's marks for its signs of emphasis."""
    return emphasis.shown(_escaped(line), _MARKS)


def _escape(found: re.Match[str]) -> str:
    return widened(found) if found.group() in "[]" else f"\\{found.group()}"
