"""WebVTT and SRT: cues of lines below a line with two times."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.subtitles.cues import Cue, refused_as, time_of, units, unread
from retold.sources.unit import Place, Reason, Sort, Unit

_TIMES: Final = re.compile(
    r"\s{0,40}(?P<start>[\d:.,]{4,20})\s{0,40}-->\s{0,40}(?P<end>[\d:.,]{4,20})(?:\s.*)?"
)
_ARROW: Final = re.compile(r"\d\s{0,40}-->\s{0,40}\d")
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]{0,60})?[ \t]+(?P<name>[^<>\n]{1,200})>")
_TAG: Final = r"</?[A-Za-z][^<>\n]{0,200}>"
_MARKUP: Final = re.compile(rf"{_TAG}|<\d[\d:.]{{3,20}}>")
"""Markup in WebVTT: tags, and the times of single words."""
_SRT_MARKUP: Final = re.compile(rf"{_TAG}|\{{\\[^{{}}\n]{{1,40}}\}}")
"""Markup that players know in SRT: tags, and positions in braces."""


def look_webvtt(head: Head) -> Likeness:
    """Likeness to WebVTT: its first word."""
    return Likeness.SURELY if re.match(r"\ufeff?WEBVTT(?:\s|\Z)", head.text) else Likeness.NO


def look_srt(head: Head) -> Likeness:
    """Likeness to SRT: a number, and below it two times with an arrow between."""
    text = head.text.lstrip("\ufeff \r\n\t")
    if re.match(r"\d{1,9}[ \t]{0,8}\r?\n[ \t]{0,8}\d{1,4}:\d\d:\d\d[,.]\d{1,3}[ \t]{0,8}-->", text):
        return Likeness.SURELY
    if re.match(r"\d{1,4}:\d\d:\d\d[,.]\d{1,3}[ \t]{0,8}-->", text):
        return Likeness.PERHAPS
    return Likeness.NO


def count(stream: Stream) -> int:
    """Number of lines in which an arrow stands between two numbers."""
    total = 0
    for line in io.StringIO(stream.text, newline=None):
        before, arrow, after = line.partition("-->")
        if arrow:
            total += before.rstrip()[-1:].isdecimal() and after.lstrip()[:1].isdecimal()
    return total


def read_webvtt(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a file, one for each voice of a cue. Raises Refused if it does not begin with `WEBVTT`."""
    lines = _lines(stream)
    if not lines[0].lstrip("\ufeff").startswith("WEBVTT"):
        raise refused_as(stream.name, "WebVTT", "it does not begin with the word WEBVTT")
    yield from units(stream, _webvtt(lines), tally)


def read_srt(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a file, one for each voice of a cue. Raises Refused if it has no cue."""
    lines = _lines(stream)
    if not any(map(_is_timed, lines)):
        raise refused_as(stream.name, "SRT", "no line has two times with an arrow between them")
    yield from units(stream, _srt(lines), tally)


def _lines(stream: Stream) -> list[str]:
    return stream.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _is_timed(line: str) -> bool:
    """True if an arrow stands between two numbers at its first place in the line."""
    place = line.find("-->")
    return place > 0 and _ARROW.search(line, max(0, place - 42), place + 45) is not None


def _webvtt(lines: Sequence[str]) -> Iterator[Cue | Unit]:
    for start, end in _blocks(lines):
        timed = next((place for place in range(start, min(start + 2, end)) if _is_timed(lines[place])), None)
        if timed is None:
            yield from _other(lines, start, end, is_first=start == 0)
            continue
        places = [place for place in range(timed, end) if _is_timed(lines[place])]
        for place, following in zip(places, [*places[1:], end], strict=True):
            yield from _voices(lines, place, following)


def _other(lines: Sequence[str], start: int, end: int, *, is_first: bool) -> Iterator[Unit]:
    """Header, note or style; anything else is unread, and cues in it too."""
    place = Place(start + 1, end)
    raw = "\n".join(lines[start:end])
    counted = sum(map(_is_timed, lines[start:end]))
    if counted or not (is_first or re.match(r"(?:NOTE|STYLE|REGION)(?:\s|\Z)", lines[start])):
        yield unread(place, raw, counted)
    else:
        yield Unit(place, f"frame.{start}", Sort.NOTICE, raw, pieces=0, left_out=Reason.FRAME)


def _voices(lines: Sequence[str], timed: int, end: int) -> Iterator[Cue | Unit]:
    """Cues of one block of WebVTT, one for each voice in it."""
    times = _times(lines[timed])
    place = Place(timed + 1, end)
    payload = "\n".join(lines[timed + 1 : end])
    if times is None:
        yield unread(place, "\n".join(lines[timed:end]))
        return
    voices = list(_VOICE.finditer(payload))
    bounds = [*(one.start() for one in voices), len(payload)]
    before = _plain(payload[: bounds[0]])
    pieces = 1
    if before or not voices:
        yield Cue(place, *times, before, pieces=pieces)
        pieces = 0
    for voice, start, stop in zip(voices, bounds, bounds[1:], strict=False):
        name = html.unescape(voice["name"]).strip()
        yield Cue(place, *times, _plain(payload[start:stop]), name, pieces)
        pieces = 0


def _srt(lines: Sequence[str]) -> Iterator[Cue | Unit]:
    places = [place for place, line in enumerate(lines) if _is_timed(line)]
    begins = [_begin(lines, place, before) for before, place in zip([-1, *places], places, strict=False)]
    if any(line.strip() for line in lines[: begins[0]]):
        yield unread(Place(1, begins[0]), "\n".join(lines[: begins[0]]), 0)
    for place, following in zip(places, [*begins[1:], len(lines)], strict=True):
        times = _times(lines[place])
        body = [*lines[place + 1 : following]]
        while body and not body[-1].strip():
            body.pop()
        where = Place(place + 1, place + 1 + len(body))
        if times is None:
            yield unread(where, "\n".join([lines[place], *body]))
        else:
            words = "\n".join(line for line in body if line.strip())
            yield Cue(where, *times, html.unescape(_SRT_MARKUP.sub("", words)))


def _begin(lines: Sequence[str], timed: int, before: int) -> int:
    """Place at which the cue of a line with times begins: at its number, if it has one."""
    above = timed - 1
    return above if above > before and lines[above].strip().isdecimal() else timed


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First place and end of each run of filled lines."""
    start: int | None = None
    for place, line in enumerate([*lines, ""]):
        if line.strip() and start is None:
            start = place
        elif not line.strip() and start is not None:
            yield start, place
            start = None


def _times(line: str) -> tuple[timedelta, timedelta] | None:
    found = _TIMES.fullmatch(line)
    start, end = (time_of(found["start"]), time_of(found["end"])) if found else (None, None)
    return None if start is None or end is None else (start, max(start, end))


def _plain(payload: str) -> str:
    return html.unescape(_MARKUP.sub("", payload)).strip()
