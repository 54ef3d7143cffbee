"""What was said and told as subtitles for a recording of the evening: SRT and WebVTT.

A paragraph begins when it was recorded and stays as long as reading takes. Where the next comes sooner it is
read faster, and what is still too much makes the next one wait, so that no two overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from msgspec.structs import replace

from journal.refused import Refused
from projections import safe
from projections.document import Paragraph, Scene, Transcript
from projections.exports import page_elements
from projections.exports.page_elements import Furniture, MechanicsPlace
from projections.prose.telling import Tag, reflowed
from projections.safe import widened
from projections.wrapping import cut, width, wrap

SPOKEN: Final = frozenset({Tag.NARRATION, Tag.DECLARATION, Tag.SPEECH, Tag.EDIT, Tag.NOTATION})
"""The kinds that somebody says aloud in the story."""

COLUMNS: Final = 42
LINES: Final = 2
LONGEST_NAME: Final = 16
"""Columns of a name that stands before each of several cues."""
_GOES_ON: Final = "…"
"""Behind the name, where a cue goes on with what the one before it began."""
AT_EASE: Final = 15
"""Columns a second that are read without haste."""
IN_HASTE: Final = 25
"""Columns a second that can still be followed."""
SHORTEST: Final = 1000
"""Milliseconds that any cue stays."""

_MARKUP: Final = re.compile(r"[<>{}\\]|&(?=#?\w+;)")
"""What one player or another obeys in SubRip, which has no escape for any of it."""
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Cue(NamedTuple):
    """Lines that stand from `start` to `end`, in milliseconds of the recording."""

    id: str
    start: int
    end: int
    voice: str
    lines: Sequence[str]


class Clap(NamedTuple):
    """A sync mark: seconds after `Transcript.opened`, and seconds into the recording."""

    recorded: float
    heard: float


def srt(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """The transcript as SubRip, in UTF-8; what players obey is written in full width."""
    blocks = []
    for number, cue in enumerate(cues(transcript, is_named=True), 1):
        times = f"{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}"
        blocks.append(f"{number}\n{times}\n{_MARKUP.sub(widened, _joined(cue))}\n")
    return "\n".join(blocks).encode()


def webvtt(transcript: Transcript, _: MechanicsPlace) -> bytes:
    """The transcript as WebVTT; cues bear the ids of their paragraphs, and who speaks as their voice."""
    blocks = ["WEBVTT\n"]
    for cue in cues(transcript):
        voice = f"<v {cue.voice.translate(_ENTITIES)}>" if cue.voice else ""
        times = f"{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}"
        blocks.append(f"{cue.id}\n{times}\n{voice}{_joined(cue).translate(_ENTITIES)}\n")
    return "\n".join(blocks).encode()


def against(transcript: Transcript, claps: Sequence[Clap]) -> Transcript:
    """The transcript with its seconds counted in a recording; None for what came before that began.

    One clap shifts them, two (Refused if they contradict each other) also even out a clock that drifts. What
    was told later stays where somebody heard it in the recording.
    """
    rate = _rate(claps)
    origin = min(claps)

    def moved(paragraph: Paragraph) -> Paragraph:
        if paragraph.seconds is None or paragraph.later:
            return paragraph
        heard = round((paragraph.seconds - origin.recorded) * rate + origin.heard, 3)
        return replace(paragraph, seconds=heard if heard >= 0 else None)

    def moved_in(scene: Scene) -> Scene:
        passages = (replace(one, paragraphs=tuple(map(moved, one.paragraphs))) for one in scene.passages)
        return replace(scene, passages=tuple(passages))

    return replace(transcript, scenes=tuple(map(moved_in, transcript.scenes)))


def _rate(claps: Sequence[Clap]) -> float:
    """Seconds of the recording in a second of the table's clock."""
    if len(claps) == 1:
        return 1.0
    first, second = sorted(claps)
    if first.recorded == second.recorded or second.heard <= first.heard:
        raise Refused("Two claps have to be two moments, and the later one later in the recording too.")
    return (second.heard - first.heard) / (second.recorded - first.recorded)


def spoken(transcript: Transcript) -> Iterator[Paragraph]:
    """The paragraphs that somebody said aloud, with a time or without."""
    for scene in transcript.scenes:
        for passage in scene.passages:
            yield from (one for one in passage.paragraphs if one.kind in SPOKEN and one.text.strip())


def cues(transcript: Transcript, *, is_named: bool = False) -> Iterator[Cue]:
    """What stands on the screen and when, in order; what has no time is left out.

    With `is_named`, who speaks stands before what they say, for a format that has no other place for it.
    """
    timed = list(_timed(transcript))
    furniture = Furniture(transcript.phrases)
    free = 0
    for (begins, paragraph), following in zip_longest(timed, timed[1:]):
        start = max(begins, free)
        who = _speaker(paragraph, furniture)
        parts = _parts(paragraph, who if is_named else "", furniture)
        stays = _stays(parts, None if following is None else following[0] - start)
        for number, (lines, length) in enumerate(zip(parts, stays, strict=True), 1):
            id_ = paragraph.id if number == 1 else f"{paragraph.id}-{number}"
            free = start + length
            yield Cue(id_, start, free, who, lines)
            start = free


def _timed(transcript: Transcript) -> Iterator[tuple[int, Paragraph]]:
    """What has a time, in milliseconds: as it was recorded, with what was told later where it was heard."""
    timed = [(round(one.seconds * 1000), one) for one in spoken(transcript) if one.seconds is not None]
    later = sorted((one for one in timed if one[1].later), key=lambda one: one[0])
    for begins, paragraph in (one for one in timed if not one[1].later):
        while later and later[0][0] < begins:
            yield later.pop(0)
        yield begins, paragraph
    yield from later


def _speaker(paragraph: Paragraph, furniture: Furniture) -> str:
    """Who speaks; empty for a game master without a name, who tells all that nobody else does."""
    who = safe.line(paragraph.speaker or "").strip()
    return "" if who.casefold() == furniture.say("names.gm").casefold() else who


def _parts(paragraph: Paragraph, who: str, furniture: Furniture) -> list[list[str]]:
    """What is shown of a paragraph at a time: a few short lines, behind who says it to whom.

    Where it takes several cues, whoever speaks is named in each: one without a name is the game master's.
    """
    asides = [f"({one})" for one in furniture.asides(paragraph)]
    lead = f"{' '.join([who, *asides])}:" if who else " ".join(asides)
    said = (
        reflowed(paragraph.text) if paragraph.kind is Tag.SPEECH else page_elements.marked_speech(paragraph)
    )
    lines = _even(_on_a_line(f"{lead} {said}"), COLUMNS)
    if not who or len(lines) <= LINES:
        return _shown_at_a_time(lines)
    name = f"{cut(_on_a_line(who), LONGEST_NAME)}:"
    room = COLUMNS - width(f"{name} {_GOES_ON}")
    (first, *others), *further = _shown_at_a_time(_even(_on_a_line(" ".join([*asides, said])), room))
    return [[f"{name} {first}", *others], *([f"{name} {_GOES_ON}{one}", *rest] for one, *rest in further)]


def _shown_at_a_time(lines: Sequence[str]) -> list[list[str]]:
    return [list(lines[i : i + LINES]) for i in range(0, len(lines), LINES)]


def _on_a_line(text: str) -> str:
    return safe.line(" ".join(text.split()))


def _even(text: str, widest: int) -> list[str]:
    """The text in lines of like length, so that its last cue is not a single word."""
    lines = wrap(text, widest).split("\n")
    if len(lines) == 1:
        return lines
    allowed = -(-len(lines) // LINES) * LINES
    least = max(width(text) // allowed, *map(width, text.split(" ")))
    tries = (wrap(text, columns).split("\n") for columns in range(least, widest))
    return next((one for one in tries if len(one) <= allowed), lines)


def _stays(parts: Sequence[Sequence[str]], room: int | None) -> list[int]:
    """How long each part stays in milliseconds, with `room` for all of them; None is room enough."""
    ease, haste = ([_reading(part, speed) for part in parts] for speed in (AT_EASE, IN_HASTE))
    wanted, needed = sum(ease), sum(haste)
    if room is None or room >= wanted:
        return ease
    if room <= needed:
        return haste
    return [
        least + (most - least) * (room - needed) // (wanted - needed)
        for least, most in zip(haste, ease, strict=True)
    ]


def _reading(lines: Sequence[str], speed: int) -> int:
    return max(SHORTEST, sum(map(width, lines)) * 1000 // speed)


def _joined(cue: Cue) -> str:
    return "\n".join(cue.lines)


def _clock(milliseconds: int, point: str) -> str:
    """A time as subtitles have it: `01:12:09,250`."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"
