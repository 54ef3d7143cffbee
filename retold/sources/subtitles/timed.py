"""Lines of times, `00:01 --> 00:03`, which begin cues in WebVTT and SRT."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.sources.opening import Stream
from retold.sources.subtitles.cues import time_of

_TIMES: Final = re.compile(
    r"\s{0,40}(?P<start>[\d:.,]{4,20})\s{0,40}-->\s{0,40}(?P<end>[\d:.,]{4,20})(?:\s.*)?"
)
_ARROW: Final = re.compile(r"(?:(?!-->).){0,42}(?<=\d)\s{0,40}-->\s{0,40}\d")
CAPTIONED: Final = re.compile(r"^(\d{1,2}:\d\d:\d\d\.\d{3}),(\d{1,2}:\d\d:\d\d\.\d{3})$", re.MULTILINE)
"""Line of times in the captions of YouTube and Google, which has a comma in place of an arrow."""
TAG: Final = r"</?[A-Za-z][^<>\n]{0,200}>"
"""Pattern of a tag, such as `<i>`."""


def count(stream: Stream) -> int:
    """Number of lines with an arrow between two numbers."""
    total = len(CAPTIONED.findall(with_line_feeds(stream.text)))
    for line in io.StringIO(stream.text, newline=None):
        before, arrow, after = line.partition("-->")
        if arrow:
            total += before.rstrip()[-1:].isdecimal() and after.lstrip()[:1].isdecimal()
    return total


def lines_of(stream: Stream) -> list[str]:
    """Lines of a file, without their ends."""
    return CAPTIONED.sub(r"\1 --> \2", with_line_feeds(stream.text)).split("\n")


def is_timed(line: str) -> bool:
    """True if the first arrow of the line is between two numbers."""
    return _ARROW.match(line[max(0, line.find("-->") - 42) :]) is not None


def times_of(line: str) -> tuple[timedelta, timedelta] | None:
    """Start and end from a line of times; None if a time is malformed or the end comes first."""
    found = _TIMES.fullmatch(line)
    start, end = (time_of(found["start"]), time_of(found["end"])) if found else (None, None)
    return None if start is None or end is None else (start, max(start, end))
