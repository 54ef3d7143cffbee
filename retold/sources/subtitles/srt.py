"""Reader of SRT: numbered cues, perhaps with a speaker in front of the words."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.subtitles.cues import Cue, refused_as, units, unread
from retold.sources.subtitles.timed import CAPTIONED, TAG, count, is_timed, lines_of, times_of
from retold.sources.unit import Place, Unit

__all__ = ["count", "look", "read"]

_TIMED: Final = re.compile(r"^\d{1,4}:\d{1,2}:\d{1,2}[,.]\d{1,3}[ \t]{0,8}-->", re.MULTILINE)
_MARKUP: Final = re.compile(rf"{TAG}|\{{\\[^{{}}\n]{{1,40}}\}}")
"""Markup that players know: tags, and positions in braces."""


def look(head: Head) -> Likeness:
    """Likeness to SRT: a number, and below it two times with an arrow between."""
    text = head.text.lstrip("\ufeff \r\n\t")
    if re.match(r"\d{1,9}[ \t]{0,8}\r?\n[ \t]{0,8}\d{1,4}:\d\d:\d\d[,.]\d{1,3}[ \t]{0,8}-->", text):
        return Likeness.SURELY
    if re.match(r"\d{1,4}:\d{1,2}:\d{1,2}[,.]\d{1,3}[ \t]{0,8}-->", text):
        return Likeness.SURELY if len(_TIMED.findall(text)) > 1 else Likeness.PERHAPS
    return Likeness.SURELY if CAPTIONED.match(text.replace("\r", "")) else Likeness.NO


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a file, one for each voice of a cue. Raises Refused if it has no cue."""
    lines = lines_of(stream)
    if not any(map(is_timed, lines)):
        raise refused_as(stream.name, "SRT", "no line has two times with an arrow between them")
    yield from units(stream, _cues(lines), tally)


def _cues(lines: Sequence[str]) -> Iterator[Cue | Unit]:
    places = [place for place, line in enumerate(lines) if is_timed(line)]
    begins = [_begin(lines, place, before) for before, place in zip([-1, *places], places, strict=False)]
    if any(line.strip() for line in lines[: begins[0]]):
        yield unread(Place(1, begins[0]), "\n".join(lines[: begins[0]]), 0)
    for place, following in zip(places, [*begins[1:], len(lines)], strict=True):
        times = times_of(lines[place])
        body = [*lines[place + 1 : following]]
        while body and not body[-1].strip():
            body.pop()
        where = Place(place + 1, place + 1 + len(body))
        if times is None:
            yield unread(where, "\n".join([lines[place], *body]))
        else:
            words = "\n".join(line for line in body if line.strip())
            yield Cue(where, *times, html.unescape(_MARKUP.sub("", words)))


def _begin(lines: Sequence[str], timed: int, before: int) -> int:
    """Index of the first line of a cue: the line of its number, or its line of times."""
    above = timed - 1
    return above if above > before and lines[above].strip().isdecimal() else timed
