"""Fountain screenplay export; typed text is escaped or forced, so that no reader takes it for markup.

Speech becomes dialogue, and so does text that begins in quotation marks; all other narration becomes
action. Scenes are numbered headings. Mechanics, notes, rulings and variations are `[[notes]]`, which are
not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from projections import safe
from projections.document import Mechanic, Paragraph, Passage, Scene, Transcript, Variation
from projections.exports import page_elements
from projections.exports.page_elements import Furniture, MechanicsPlace
from projections.prose.telling import Tag, reflowed
from projections.safe import widened

_EMPHASIS: Final = re.compile(r"[\\*_]")
_BRACKETS: Final = re.compile(r"\[(?=\[)|(?<=\[)\[|\](?=\])|(?<=\])\]")
_NOTE_ENDS: Final = re.compile(r"^\[|\]$")
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
    """Transcript as Fountain in UTF-8; mechanics are always notes under the paragraph."""
    return ("\n".join(_document(transcript)).rstrip("\n") + "\n").encode()


def _document(transcript: Transcript) -> Iterator[str]:
    furniture = Furniture(transcript.phrases)
    yield from _title_page(transcript, furniture)
    if transcript.head.previously:
        before = _on_a_line(furniture.say("page.previously"))
        yield from (f"= {before}: {_on_a_line(' '.join(_split(transcript.head.previously)))}", "")
    if transcript.head.summary:
        yield from (f"= {_on_a_line(' '.join(_split(transcript.head.summary)))}", "")
    if transcript.cast:
        about = (f"{one.name}: {furniture.member(one)}".removesuffix(": ") for one in transcript.cast)
        yield from _section(1, furniture.say("page.cast"), about)
    number = 0
    for scene in transcript.scenes:
        number += scene.title is not None
        yield from _scene(scene, number, furniture)
    for part in furniture.afterwards(transcript.end):
        yield from _section(1, part.title, part.lines)
    for title, entries in furniture.index(transcript):
        yield from _section(
            1, title, (f"{one.name}: {page_elements.where(transcript, one)}" for one in entries)
        )


def _title_page(transcript: Transcript, furniture: Furniture) -> Iterator[str]:
    """Yields the title page, which always has a title.

    Without one, readers would parse the story as a title page.
    """
    head = transcript.head
    played = "; ".join(f"{furniture.in_turn(one)} ({', '.join(one.characters)})" for one in head.players)
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
    """Yields a section heading, which is not printed, with notes beneath it."""
    yield from (f"{'#' * depth} {_on_a_line(title)}", "")
    notes = [_note(one) for one in lines]
    if notes:
        yield from (*notes, "")


def _scene(scene: Scene, number: int, furniture: Furniture) -> Iterator[str]:
    if scene.chapter:
        yield from _section(1, furniture.chapter(scene.chapter))
    if scene.title is not None:
        title = _IN_HEADING.sub(widened, _on_a_line(scene.title))
        lead = (
            ""
            if _STARTS_A_HEADING.match(title)
            else f"{_IN_HEADING.sub(widened, _on_a_line(furniture.scene(number)))}: "
        )
        yield from (f".{lead}{title} #{number}#", "")
    for passage in scene.passages:
        yield from _passage(passage, furniture)


def _passage(passage: Passage, furniture: Furniture) -> Iterator[str]:
    heading = passage.conflict
    if heading is not None:
        yield from _section(2, furniture.conflict(heading))
        yield from (f"= {_on_a_line(furniture.against(heading))}", "")
        yield from _notes(heading.mechanics, furniture)
    for one in page_elements.in_order(passage):
        if isinstance(one, Variation):
            title, *lines = furniture.retold(one)
            yield from _section(3, title, [" ".join(_split(line)) for line in lines])
        else:
            yield from _paragraph(one, furniture)
            yield from _notes(one.mechanics, furniture)


def _paragraph(paragraph: Paragraph, furniture: Furniture) -> Iterator[str]:
    if not _split(paragraph.text):
        return
    if paragraph.kind in _BESIDE:
        lead = page_elements.label(paragraph)
        text = " ".join(_split(paragraph.text))
        yield from (_note(f"{lead}: {text}" if lead else text), "")
    elif _has_cue(paragraph) and (parts := _play(paragraph)):
        yield from _speech(paragraph, parts, furniture)
    else:
        yield from _action(paragraph, furniture)


class _Line(NamedTuple):
    """A line of dialogue: spoken text, manner (parenthetical) and following action."""

    spoken: str
    manner: str
    then: str


def _play(paragraph: Paragraph) -> _Line | None:
    """Dialogue line for speech, or for text beginning with speech; None for any other text.

    A continuation of the same sentence becomes the parenthetical if it is short and contains no speech;
    else the text cannot be split. The comma before it becomes a full stop, inside the marks or after them.
    """
    spoken, then = page_elements.as_spoken(paragraph)
    if not spoken:
        return None
    goes_on = then[:1].islower() or (then and (then[0] in _COMMAS or spoken.rstrip()[-1:] in _COMMAS))
    if not goes_on:
        return _Line(spoken, "", then)
    then = then.lstrip(f"{_COMMAS} ")
    if len(then) > _LONGEST_MANNER or re.search('["\u201c\u201d\u00ab\u00bb\n]', then):
        return None
    return _Line(_ended(spoken), then.rstrip(".!?, "), "")


def _ended(spoken: str) -> str:
    """Speech as a complete sentence: a trailing comma becomes a full stop."""
    told = spoken.rstrip().rstrip(_COMMAS)
    return f"{told}." if told[-1:].isalnum() else told


def _has_cue(paragraph: Paragraph) -> bool:
    """True if the speaker's name can be a cue, for which Fountain requires a letter."""
    return any(map(str.isalpha, safe.line(paragraph.speaker or "")))


def _speech(paragraph: Paragraph, line: _Line, furniture: Furniture) -> Iterator[str]:
    name = _IN_CUE.sub(widened, _on_a_line(paragraph.speaker or ""))
    said = _split(line.spoken)
    if not said:
        yield from _action(paragraph, furniture)
        return
    plain = _CUE.fullmatch(name) and not _HEADING.match(name) and not _TRANSITION.match(said[0])
    yield name if plain else f"@{name}"
    for aside in (*furniture.asides(paragraph), *([line.manner] if line.manner else ())):
        yield f"({_on_a_line(aside)})"
    for number, one in enumerate(said):
        if number:
            yield _SPEECH_GOES_ON
        yield _OBEYED_IN_SPEECH.sub(widened, _escaped(one))
    yield ""
    yield from _acted(line.then)


def _action(paragraph: Paragraph, furniture: Furniture) -> Iterator[str]:
    """Yields a paragraph as action after the actor's name; the verb “declares” is left out."""
    lead = page_elements.label(paragraph)
    if paragraph.speaker and paragraph.manner == furniture.say("table.declares") and lead:
        lead = " ".join((paragraph.speaker, *(f"({one})" for one in furniture.asides(paragraph))))
    yield from _acted(page_elements.marked_speech(paragraph), lead)


def _acted(text: str, lead: str = "") -> Iterator[str]:
    """Yields text as action: separate paragraphs, or consecutive lines under the actor `lead`."""
    told = [*map(_escaped, _split(f"{lead}: {text}" if lead else text))]
    for number, one in enumerate(told):
        yield one if _reads_as_action(one) else f"!{one}"
        if not lead or number == len(told) - 1:
            yield ""


def _split(text: str) -> list[str]:
    """Paragraphs of a text, each joined to one line; empty ones are dropped."""
    lines = (safe.line(one).strip() for one in reflowed(text).split("\n\n"))
    return [one for one in lines if one]


def _reads_as_action(line: str) -> bool:
    """True if every reader takes the line for action, so that no `!` is needed.

    A line beginning with a sign is ambiguous; one without lowercase letters (outside brackets, where a cue
    has its extension) could be a cue or a transition.
    """
    spoken = re.sub(r"\(.*\)", "", line)
    return bool(_ACTION.match(line)) and not _HEADING.match(line) and any(map(str.islower, spoken))


def _notes(mechanics: Sequence[Mechanic], furniture: Furniture) -> Iterator[str]:
    if mechanics:
        called = (f"{one.text} ({furniture.luck(one)})" if one.luck else one.text for one in mechanics)
        yield from (*map(_note, called), "")


def _note(text: str) -> str:
    return f"[[{_NOTE_ENDS.sub(widened, _on_a_line(text))}]]"


def _on_a_line(text: str) -> str:
    """Typed text on one line, escaped."""
    return _escaped(safe.line(text).strip())


def _escaped(line: str) -> str:
    """Line with emphasis, notes and boneyard marks (`/*`, by its star) escaped."""
    return _EMPHASIS.sub(r"\\\g<0>", _BRACKETS.sub(widened, line))
