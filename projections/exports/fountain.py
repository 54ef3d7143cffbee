"""A transcript as a screenplay in Fountain; everything typed is escaped or forced, so that it stays text.

Speech is dialogue, all else that is told is action; scenes are numbered headings; mechanics, notes, rulings
and variations are `[[notes]]`, which no script is printed with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from projections import safe
from projections.exports import layout
from projections.exports.layout import Place
from projections.exports.twins import widened
from projections.pages import Mechanic, Paragraph, Passage, Scene, Transcript, Variation
from projections.prose.telling import Tag, reflowed

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
"""Spoken first under a name in capitals, it is taken by some readers for no speech at all."""
_STARTS_A_HEADING: Final = re.compile(r"[A-Za-z0-9]")

_BESIDE: Final = frozenset({Tag.NOTE, Tag.RULING, Tag.RIBBON})
"""What is said of the story and not in it."""

_SPEECH_GOES_ON: Final = "  "
"""Two blanks alone on a line: an empty line that does not end what is spoken."""


def render(transcript: Transcript, _: Place) -> bytes:
    """The transcript in UTF-8; mechanics are notes under the paragraph, wherever they were wanted."""
    return ("\n".join(_document(transcript)).rstrip("\n") + "\n").encode()


def _document(transcript: Transcript) -> Iterator[str]:
    yield from _title_page(transcript)
    if transcript.head.previously:
        yield from (f"= Previously: {_on_a_line(' '.join(_split(transcript.head.previously)))}", "")
    if transcript.head.summary:
        yield from (f"= {_on_a_line(' '.join(_split(transcript.head.summary)))}", "")
    if transcript.cast:
        about = (f"{one.name}: {layout.member(one)}".removesuffix(": ") for one in transcript.cast)
        yield from _section(1, "Cast", about)
    number = 0
    for scene in transcript.scenes:
        number += scene.title is not None
        yield from _scene(scene, number)
    for title, lines in layout.afterwards(transcript.end):
        yield from _section(1, title, lines)
    for title, entries in layout.index(transcript):
        yield from _section(1, title, (f"{one.name}: {layout.sessions(one)}" for one in entries))


def _title_page(transcript: Transcript) -> Iterator[str]:
    """Keys and values; the first is always there, for without one the story would be taken for it."""
    head = transcript.head
    played = "; ".join(f"{one.player} ({', '.join(one.characters)})" for one in head.players)
    yield f"Title: {_on_a_line(transcript.title) or 'A campaign'}"
    pairs = {
        "Credit": "played by" if played else "",
        "Author": played,
        "Source": layout.byline(transcript),
        "Notes": f"absent: {', '.join(head.absent)}" if head.absent else "",
    }
    yield from (f"{key}: {_on_a_line(value)}" for key, value in pairs.items() if value.strip())
    yield ""


def _section(depth: int, title: str, lines: Iterator[str] | Sequence[str] = ()) -> Iterator[str]:
    """A section, which gives the script an outline and is not printed, with notes beneath it."""
    yield from (f"{'#' * depth} {_on_a_line(title)}", "")
    notes = [_note(one) for one in lines]
    if notes:
        yield from (*notes, "")


def _scene(scene: Scene, number: int) -> Iterator[str]:
    if scene.chapter:
        yield from _section(1, layout.chapter(scene.chapter))
    if scene.title is not None:
        title = _IN_HEADING.sub(widened, _on_a_line(scene.title))
        lead = "" if _STARTS_A_HEADING.match(title) else f"Scene {number}: "
        yield from (f".{lead}{title} #{number}#", "")
    for passage in scene.passages:
        yield from _passage(passage)


def _passage(passage: Passage) -> Iterator[str]:
    heading = passage.conflict
    if heading is not None:
        yield from _section(2, layout.conflict(heading))
        yield from (f"= {_on_a_line(layout.against(heading))}", "")
        yield from _notes(heading.mechanics)
    for one in layout.in_order(passage):
        if isinstance(one, Variation):
            title, *lines = layout.retold(one)
            yield from _section(3, title, [" ".join(_split(line)) for line in lines])
        else:
            yield from _paragraph(one)
            yield from _notes(one.mechanics)


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    if not _split(paragraph.text):
        return
    if paragraph.kind in _BESIDE:
        lead = layout.label(paragraph)
        text = " ".join(_split(paragraph.text))
        yield from (_note(f"{lead}: {text}" if lead else text), "")
    elif paragraph.kind is Tag.SPEECH and _has_cue(paragraph):
        yield from _speech(paragraph)
    else:
        yield from _action(paragraph)


def _has_cue(paragraph: Paragraph) -> bool:
    """True if its speaker can head a speech: Fountain knows a name by its letters."""
    return any(map(str.isalpha, safe.line(paragraph.speaker or "")))


def _speech(paragraph: Paragraph) -> Iterator[str]:
    name = _IN_CUE.sub(widened, _on_a_line(paragraph.speaker or ""))
    said = _split(paragraph.text)
    plain = _CUE.fullmatch(name) and not _HEADING.match(name) and not _TRANSITION.match(said[0])
    yield name if plain else f"@{name}"
    for aside in (paragraph.eyes, "overruled" if paragraph.struck else None):
        if aside:
            yield f"({_on_a_line(aside)})"
    for number, one in enumerate(said):
        if number:
            yield _SPEECH_GOES_ON
        yield _OBEYED_IN_SPEECH.sub(widened, _escaped(one))
    yield ""


def _action(paragraph: Paragraph) -> Iterator[str]:
    label = layout.label(paragraph)
    lead = f"{label}: " if label else ""
    for one in map(_escaped, _split(f"{lead}{layout.said(paragraph)}")):
        yield from (one if _reads_as_action(one) else f"!{one}", "")


def _split(text: str) -> list[str]:
    """The paragraphs of a text, each on a line; none that is empty."""
    lines = (safe.line(one).strip() for one in reflowed(text).split("\n\n"))
    return [one for one in lines if one]


def _reads_as_action(line: str) -> bool:
    """True if a line that stands alone is action to every reader, without being forced.

    What begins with a sign may be anything; a line without small letters (outside brackets, where a cue has
    its extension) may be a cue or a transition.
    """
    spoken = re.sub(r"\(.*\)", "", line)
    return bool(_ACTION.match(line)) and not _HEADING.match(line) and any(map(str.islower, spoken))


def _notes(mechanics: Sequence[Mechanic]) -> Iterator[str]:
    if mechanics:
        called = (f"{one.text} ({one.luck})" if one.luck else one.text for one in mechanics)
        yield from (*map(_note, called), "")


def _note(text: str) -> str:
    return f"[[{_NOTE_ENDS.sub(widened, _on_a_line(text))}]]"


def _on_a_line(text: str) -> str:
    """Typed text on one line, escaped."""
    return _escaped(safe.line(text).strip())


def _escaped(line: str) -> str:
    """A line with nothing in it that is emphasis, a note or cut out (`/*`, whose star is escaped)."""
    return _EMPHASIS.sub(r"\\\g<0>", _BRACKETS.sub(widened, line))
