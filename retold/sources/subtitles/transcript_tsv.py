"""Transcripts of Whisper in columns: TSV with times in milliseconds."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.subtitles.cues import Cue, milliseconds_of, refused_as, units, unread
from retold.sources.unit import Place, Reason, Sort, Unit

_NUMBER: Final = re.compile(r"\d{1,11}", re.ASCII)


def look(head: Head) -> Likeness:
    """Likeness to a transcript in columns: its header."""
    return Likeness.SURELY if re.match(r"\ufeff?start\tend\ttext\r?(?:\n|\Z)", head.text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of filled lines."""
    return sum(not line.isspace() for line in io.StringIO(stream.text, newline=None))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a transcript in columns. Raises Refused if the header is not `start end text`."""
    lines = with_line_feeds(stream.text).split("\n")
    if lines[0].lstrip("\ufeff").split("\t") != ["start", "end", "text"]:
        raise refused_as(stream.name, "transcript in columns", "its first line is not `start end text`")
    yield from units(stream, _rows(lines), tally)


def _rows(lines: list[str]) -> Iterator[Cue | Unit]:
    yield Unit(Place(1, 1), "frame.0", Sort.NOTICE, lines[0], left_out=Reason.FRAME)
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        start, _, rest = line.partition("\t")
        end, _, text = rest.partition("\t")
        place = Place(number, number)
        times = [milliseconds_of(int(text)) if _NUMBER.fullmatch(text) else None for text in (start, end)]
        if times[0] is None or times[1] is None:
            yield unread(place, line)
        else:
            yield Cue(place, times[0], max(times[0], times[1]), text.strip())
