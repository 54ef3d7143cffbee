"""Transcripts of Whisper and its relatives as JSON with segments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from retold.sources.json_objects import around_objects, object_in, string_in
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.subtitles.cues import Cue, milliseconds_of, refused_as, seconds_of, time_of, units, unread
from retold.sources.unit import Place, Unit

LISTS: Final = ("segments", "transcription", "chunks")
"""Names of the list of cues, in the programs that write it."""
_FIELDS: Final = frozenset(
    {
        *("id", "seek", "start", "end", "text", "tokens", "temperature", "avg_logprob", "compression_ratio"),
        *("no_speech_prob", "words", "speaker", "timestamps", "offsets", "timestamp", "chars"),
    }
)


def look(head: Head) -> Likeness:
    """Likeness to a transcript: an object that begins with its text, or has a list of segments."""
    text = head.text.lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        return Likeness.NO
    if any(f'"{name}"' in text for name in LISTS) and '"text"' in text:
        timed = re.search(r'"(?:start|timestamps?|offsets)"\s{0,40}:', text)
        return Likeness.SURELY if timed else Likeness.PERHAPS
    return Likeness.SURELY if re.match(r'\{\s{0,40}"text"\s{0,40}:\s{0,40}"', text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of objects that open directly inside the list of cues."""
    lists = [("[", f'"{name}"') for name in LISTS]
    return sum(len(around) > 1 and around[1] in lists for around in around_objects(stream.text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a transcript. Raises Refused if it is damaged or has no list of segments."""
    try:
        document = json.loads(stream.text)
    except (ValueError, RecursionError):
        raise refused_as(stream.name, "whole JSON", "write the transcript again") from None
    whole = document if isinstance(document, dict) else {}
    segments = next((whole[name] for name in LISTS if isinstance(whole.get(name), list)), None)
    if segments is None:
        raise refused_as(stream.name, "transcript", "it has no list of segments")
    yield from units(stream, _segments(segments, tally), tally)


def _segments(segments: list[Any], tally: Tally) -> Iterator[Cue | Unit]:
    for ordinal, segment in enumerate(segments, start=1):
        place = Place(ordinal, ordinal)
        if not isinstance(segment, dict):
            yield unread(place, json.dumps(segment, ensure_ascii=False), 0)
            continue
        tally.count_fields("segment", segment, _FIELDS)
        start, end = _bounds(segment)
        text = segment.get("text")
        if start is None or not isinstance(text, str):
            yield unread(place, json.dumps(segment, ensure_ascii=False))
        else:
            speaker = string_in(segment, "speaker").strip()
            yield Cue(place, start, max(start, end or start), text.strip(), speaker)


def _bounds(segment: Mapping[str, Any]) -> tuple[timedelta | None, timedelta | None]:
    """Start and end of a segment, from any program's fields; None where missing."""
    pair = segment.get("timestamp")
    if isinstance(pair, list) and len(pair) == 2:
        return seconds_of(pair[0]), seconds_of(pair[1])
    offsets, stamps = object_in(segment, "offsets"), object_in(segment, "timestamps")
    if offsets:
        start, end = offsets.get("from"), offsets.get("to")
        return milliseconds_of(start), milliseconds_of(end)
    if stamps:
        return time_of(str(stamps.get("from"))), time_of(str(stamps.get("to")))
    return seconds_of(segment.get("start")), seconds_of(segment.get("end"))
