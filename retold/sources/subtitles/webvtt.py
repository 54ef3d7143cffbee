"""WebVTT: cues with voices, in blocks between blank lines."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.subtitles.cues import Cue, refused_as, units, unread
from retold.sources.subtitles.timed import TAG, count, is_timed, lines_of, times_of
from retold.sources.unit import Place, Reason, Sort, Unit

__all__ = ["count", "look", "read"]

_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]{0,60})?[ \t]+(?P<name>[^<>\n]{1,200})>")
_MARKUP: Final = re.compile(rf"{TAG}|<\d[\d:.]{{3,20}}>")
"""Tags, and the times of single words."""


def look(head: Head) -> Likeness:
    """Likeness to WebVTT: its first word."""
    return Likeness.SURELY if re.match(r"\ufeff?WEBVTT(?:\s|\Z)", head.text) else Likeness.NO


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a file, one for each voice of a cue. Raises Refused if it does not begin with `WEBVTT`."""
    lines = lines_of(stream)
    if not lines[0].lstrip("\ufeff").startswith("WEBVTT"):
        raise refused_as(stream.name, "WebVTT", "it does not begin with the word WEBVTT")
    yield from units(stream, _cues(lines), tally)


def _cues(lines: Sequence[str]) -> Iterator[Cue | Unit]:
    for start, end in _blocks(lines):
        timed = next((place for place in range(start, min(start + 2, end)) if is_timed(lines[place])), None)
        if timed is None:
            yield from _other(lines, start, end, is_first=start == 0)
            continue
        places = [place for place in range(timed, end) if is_timed(lines[place])]
        for place, following in zip(places, [*places[1:], end], strict=True):
            yield from _voices(lines, place, following)


def _other(lines: Sequence[str], start: int, end: int, *, is_first: bool) -> Iterator[Unit]:
    """Unit of a header, note or style, which is left out; other blocks, and blocks with cues, are unread."""
    place = Place(start + 1, end)
    raw = "\n".join(lines[start:end])
    counted = sum(map(is_timed, lines[start:end]))
    if counted or not (is_first or re.match(r"(?:NOTE|STYLE|REGION)(?:\s|\Z)", lines[start])):
        yield unread(place, raw, counted)
    else:
        yield Unit(place, f"frame.{start}", Sort.NOTICE, raw, pieces=0, left_out=Reason.FRAME)


def _voices(lines: Sequence[str], timed: int, end: int) -> Iterator[Cue | Unit]:
    """Cues of one WebVTT block, one for each voice."""
    times = times_of(lines[timed])
    place = Place(timed + 1, end)
    payload = "\n".join(lines[timed + 1 : end])
    if times is None:
        yield unread(place, "\n".join(lines[timed:end]))
        return
    voices = list(_VOICE.finditer(payload))
    bounds = [*(voice.start() for voice in voices), len(payload)]
    before = _plain(payload[: bounds[0]])
    pieces = 1
    if before or not voices:
        above = _IDENTIFIED.fullmatch(lines[timed - 1]) if timed and not voices else None
        yield Cue(place, *times, before, above["name"] if above else "", pieces)
        pieces = 0
    for voice, start, stop in zip(voices, bounds, bounds[1:], strict=False):
        name = html.unescape(voice["name"]).strip()
        yield Cue(place, *times, _plain(payload[start:stop]), name, pieces)
        pieces = 0


_IDENTIFIED: Final = re.compile(r"\d{1,9} \"(?P<name>[^\"\n]{1,80})\"(?: \(\d{1,12}\))?\s*")
"""Number of a cue in transcripts of meetings, with its speaker."""


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First place and end of each run of filled lines."""
    start: int | None = None
    for place, line in enumerate([*lines, ""]):
        if line.strip() and start is None:
            start = place
        elif not line.strip() and start is not None:
            yield start, place
            start = None


def _plain(payload: str) -> str:
    return html.unescape(_MARKUP.sub("", payload)).strip()
