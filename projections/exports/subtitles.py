"""Subtitle export in SRT and WebVTT, for a recording of the session.

A paragraph appears at the time it was recorded and stays for its reading time. If the next paragraph comes
sooner, it is shown for less time, but no less than the fastest reading takes; then the next paragraph
waits, so that cues (the pieces of text shown at a time) never overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.refused import Refused
from retold.projections.exports import page_elements
from retold.projections.exports.page_elements import Furniture, MechanicsPlace
from retold.projections.prose.sentences import begins_with_name
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Paragraph, Scene, Transcript
from retold.projections.story.typography import unenclosed
from retold.projections.texts import emphasis, safe
from retold.projections.texts.safe import widened
from retold.projections.texts.wrapping import cut, width, wrap

SPOKEN: Final = frozenset({Tag.NARRATION, Tag.DECLARATION, Tag.SPEECH, Tag.EDIT, Tag.NOTATION})
"""Kinds of paragraphs spoken aloud."""

COLUMNS: Final = 42
LINES: Final = 2
LONGEST_NAME: Final = 16
"""Longest name repeated before each cue, in columns."""
_GOES_ON: Final = "…"
"""Ellipsis after the name in a continued cue."""
AT_EASE: Final = 15
"""Comfortable reading speed in columns per second."""
IN_HASTE: Final = 25
"""Fastest reading speed in columns per second."""
SHORTEST: Final = 1000
"""Shortest duration of a cue in milliseconds."""

_MARKUP: Final = re.compile(r"[<>{}\\]|&(?=#?\w+;)")
"""Markup that some players obey in SubRip, which has no escapes."""
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Cue(NamedTuple):
    """Subtitle: text lines shown together from `start` to `end`, in milliseconds of the recording."""

    id: str
    start: int
    end: int
    voice: str
    lines: Sequence[str]


class Clap(NamedTuple):
    """Sync mark: one moment as seconds after `Transcript.opened`, and as seconds into the recording."""

    recorded: float
    heard: float


def srt(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """Returns the transcript as SubRip in UTF-8; markup characters are written in full width."""
    blocks = []
    for number, cue in enumerate(cues(transcript, is_named=True), 1):
        times = f"{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}"
        blocks.append(f"{number}\n{times}\n{_MARKUP.sub(widened, _joined(cue))}\n")
    return "\n".join(blocks).encode()


def webvtt(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """Returns the transcript as WebVTT in UTF-8; cues carry paragraph ids and speakers."""
    blocks = ["WEBVTT\n"]
    for cue in cues(transcript):
        voice = f"<v {cue.voice.translate(_ENTITIES)}>" if cue.voice else ""
        times = f"{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}"
        blocks.append(f"{cue.id}\n{times}\n{voice}{_joined(cue).translate(_ENTITIES)}\n")
    return "\n".join(blocks).encode()


def against(transcript: Transcript, claps: Sequence[Clap]) -> Transcript:
    """Returns the transcript with its times counted in the recording; None for paragraphs before it began.

    One sync mark (clap) shifts the times, a second one also corrects drift; contradictory marks raise
    Refused. Later additions keep their given time.
    """
    rate = _rate(claps)
    origin = min(claps)

    def moved(paragraph: Paragraph) -> Paragraph:
        if paragraph.seconds is None or paragraph.later:
            return paragraph
        heard = round((paragraph.seconds - origin.recorded) * rate + origin.heard, 3)
        return replace(paragraph, seconds=heard if heard >= 0 else None)

    def moved_in(scene: Scene) -> Scene:
        passages = (
            replace(passage, paragraphs=tuple(map(moved, passage.paragraphs))) for passage in scene.passages
        )
        return replace(scene, passages=tuple(passages))

    return replace(transcript, scenes=tuple(map(moved_in, transcript.scenes)))


def _rate(claps: Sequence[Clap]) -> float:
    """Returns the seconds of recording per second of play; 1.0 for a single sync mark.

    Raises Refused if two sync marks contradict each other.
    """
    if len(claps) == 1:
        return 1.0
    first, second = sorted(claps)
    if first.recorded == second.recorded or second.heard <= first.heard:
        raise Refused("Two claps have to be two moments, and the later one later in the recording too.")
    return (second.heard - first.heard) / (second.recorded - first.recorded)


def spoken(transcript: Transcript) -> Iterator[Paragraph]:
    """Yields the paragraphs spoken aloud, with or without a recorded time."""
    for paragraph in transcript.paragraphs():
        if paragraph.kind in SPOKEN and paragraph.text.strip():
            yield paragraph


def cues(transcript: Transcript, *, is_named: bool = False) -> Iterator[Cue]:
    """Yields the subtitles in order; paragraphs without a time are skipped.

    With `is_named`, the speaker precedes the text, for formats without a speaker field.
    """
    timed = list(_timed(transcript))
    furniture = Furniture(transcript.phrases)
    free = 0
    for (begins, paragraph), following in zip_longest(timed, timed[1:]):
        start = max(begins, free)
        who = _speaker(paragraph, furniture)
        words = emphasis.words(paragraph.text)
        names_itself = paragraph.kind is not Tag.SPEECH and begins_with_name(words, who)
        parts = _parts(paragraph, who if is_named and not names_itself else "", furniture)
        stays = _stays(parts, None if following is None else following[0] - start)
        for number, (lines, length) in enumerate(zip(parts, stays, strict=True), 1):
            id_ = paragraph.id if number == 1 else f"{paragraph.id}-{number}"
            free = start + length
            yield Cue(id_, start, free, who, lines)
            start = free


def _timed(transcript: Transcript) -> Iterator[tuple[int, Paragraph]]:
    """Yields (start in milliseconds, paragraph) in recorded order.

    Later additions are inserted by their own time.
    """
    timed = [
        (round(paragraph.seconds * 1000), paragraph)
        for paragraph in spoken(transcript)
        if paragraph.seconds is not None
    ]
    later = sorted((start for start in timed if start[1].later), key=lambda one: one[0])
    for begins, paragraph in (one for one in timed if not one[1].later):
        while later and later[0][0] < begins:
            yield later.pop(0)
        yield begins, paragraph
    yield from later


def _speaker(paragraph: Paragraph, furniture: Furniture) -> str:
    """Returns the speaker's name; empty for a speaker named only "the game master", and if unknown."""
    who = safe.line(paragraph.speaker or "").strip()
    return "" if who.casefold() == furniture.say("names.gm").casefold() else who


def _parts(paragraph: Paragraph, who: str, furniture: Furniture) -> list[list[str]]:
    """Splits a paragraph into cues of at most `LINES` text lines, led by speaker and remarks.

    The speaker's name is repeated in each cue, since cues without a name are the game master's.
    """
    asides = [f"({aside})" for aside in furniture.asides(paragraph)]
    lead = f"{' '.join([who, *asides])}:" if who else " ".join(asides)
    is_speech = paragraph.kind is Tag.SPEECH
    said = (
        unenclosed(paragraph.text, paragraph.quotes) if is_speech else page_elements.marked_speech(paragraph)
    )
    said = emphasis.words(said)
    lines = _lines(f"{lead} {said}".strip(), COLUMNS)
    if not who or len(lines) <= LINES:
        return _shown_at_a_time(lines)
    name = f"{cut(_on_a_line(who), LONGEST_NAME)}:"
    room = COLUMNS - width(f"{name} {_GOES_ON}")
    (first, *others), *further = _shown_at_a_time(_lines(" ".join([*asides, said]), room))
    return [
        [f"{name} {first}", *others],
        *([f"{name} {_GOES_ON}{first_line}", *rest] for first_line, *rest in further),
    ]


_LINE_END: Final = re.compile(r"(?<!\n)\n(?!\n)")


def _lines(text: str, widest: int) -> list[str]:
    """Wraps each line of a text, so that verse keeps its lines; other paragraphs are joined."""
    typed = filter(str.strip, text.split("\n") if _LINE_END.search(text) else (text,))
    return [shown for line in typed for shown in _even(_on_a_line(line), widest)]


def _shown_at_a_time(lines: Sequence[str]) -> list[list[str]]:
    return [list(lines[i : i + LINES]) for i in range(0, len(lines), LINES)]


def _on_a_line(text: str) -> str:
    return safe.line(" ".join(text.split()))


def _even(text: str, widest: int) -> list[str]:
    """Wraps text into lines of similar length, at most `widest` columns.

    So the last cue of a paragraph is not a single word.
    """
    lines = wrap(text, widest).split("\n")
    if len(lines) == 1:
        return lines
    allowed = -(-len(lines) // LINES) * LINES
    least = max(width(text) // allowed, *map(width, text.split(" ")))
    tries = (wrap(text, columns).split("\n") for columns in range(least, widest))
    return next((attempt for attempt in tries if len(attempt) <= allowed), lines)


def _stays(parts: Sequence[Sequence[str]], room: int | None) -> list[int]:
    """Returns the duration of each part in milliseconds, within `room` in total; None means no limit.

    Below the fastest reading time a part is not shortened, even if `room` is exceeded.
    """
    ease, haste = (
        [max(SHORTEST, sum(map(width, part)) * 1000 // speed) for part in parts]
        for speed in (AT_EASE, IN_HASTE)
    )
    wanted, needed = sum(ease), sum(haste)
    if room is None or room >= wanted:
        return ease
    if room <= needed:
        return haste
    return [
        least + (most - least) * (room - needed) // (wanted - needed)
        for least, most in zip(haste, ease, strict=True)
    ]


def _joined(cue: Cue) -> str:
    return "\n".join(cue.lines)


def _clock(milliseconds: int, point: str) -> str:
    """Returns a subtitle's time, such as `01:12:09,250`; `point` is the sign before the milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"
