"""Foundry's text log: heads of time and name, rolls as sums, and no sign of what was hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.conventions import sorted_words
from retold.sources.dice import Throw, foundry
from retold.sources.encodings import keepable
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, head_of
from retold.sources.times import Order, reading
from retold.sources.unit import Place, Reason, Sort, Unit

SEPARATOR: Final = "-" * 27
_HEAD: Final = re.compile(r"\[(?P<time>\d{1,2}/\d{1,2}/\d{4}, [^\]\n]{5,20})\] ?(?P<name>.*)")
_END: Final = re.compile(rf"(?:\A|\n)-{{10,{len(SEPARATOR)}}}\Z")
_START: Final = re.compile(
    rf"(?:\A|\n{SEPARATOR}\n)\[(?P<time>\d{{1,2}}/\d{{1,2}}/\d{{4}}, [^\]\n]{{5,20}})\]"
)


def look(head: Head) -> Likeness:
    """Likeness to a log: a head at its beginning, and the separator."""
    text = with_line_feeds(head.text).lstrip("\ufeff\n")
    found = _HEAD.match(text)
    if found is None or reading(found["time"], Order.MONTH_FIRST) is None:
        return Likeness.NO
    return Likeness.SURELY if f"\n{SEPARATOR}\n[" in text else Likeness.PERHAPS


def count(stream: Stream) -> int:
    """Number of heads at the beginning or behind a separator."""
    times = (found["time"] for found in _START.finditer(with_line_feeds(stream.text).lstrip("\n")))
    return sum(reading(time, Order.MONTH_FIRST) is not None for time in times)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log; a separator without a head behind it belongs to the message.

    Times are local, in the zone of the computer that wrote the log, and always month first. Raises Refused if
    the file does not begin with a head.
    """
    if look(head_of(stream)) is Likeness.NO:
        raise Refused(f"{stream.name} does not begin with a time in brackets, so it is no log of Foundry.")
    text = keepable(with_line_feeds(stream.text), tally)
    blank = len(text) - len(text.lstrip("\n"))
    lines = text.split("\n")
    starts = [place for place in range(blank, len(lines)) if _is_head(lines, place, blank)]
    ordinals = Ordinals()
    for start, end in pairwise([*starts, len(lines) + 1]):
        yield _unit(lines[start : end - 1], start + 1, ordinals)


def _is_head(lines: list[str], place: int, first: int) -> bool:
    if place != first and lines[place - 1] != SEPARATOR:
        return False
    head = _HEAD.fullmatch(lines[place])
    return head is not None and reading(head["time"], Order.MONTH_FIRST) is not None


def _unit(lines: list[str], first: int, ordinals: Ordinals) -> Unit:
    head = _HEAD.fullmatch(lines[0])
    time, name = (head["time"], head["name"].strip()) if head else ("", "")
    body = [line.strip() for line in lines[1:]]
    told = _without_end(body)
    former = "" if "".join(told) == "".join(body) else Ordinals().key(time, name, *body)
    throws: list[Throw] = []
    words: list[str] = []
    for line in told:
        throw = foundry.throw_in(line)
        if throw is None:
            words.append(line)
        else:
            throws.append(throw)
    totals = {str(throw.total) for throw in throws}
    said = "\n".join(line for line in words if not (throws and line in totals)).strip()
    unit = Unit(
        Place(first, first + len(lines) - 1),
        ordinals.key(time, name, *(told if former else body)),
        Sort.ROLL if throws else Sort.SAID,
        said,
        reading(time, Order.MONTH_FIRST),
        speaker=name or "?",
        throws=tuple(throws),
        former=former,
    )
    if throws:
        return unit
    sort, plain = sorted_words(said)
    return Unit(
        unit.place,
        unit.key,
        Sort.CARD if "\n" in said else sort,
        said if "\n" in said else plain,
        unit.when,
        speaker=unit.speaker,
        left_out=None if said else Reason.EMPTY,
        former=former,
    )


def _without_end(body: list[str]) -> list[str]:
    """Lines of a message without the separator, or its beginning, with which a pasted text ends."""
    text = "\n".join(body).rstrip("\n")
    found = _END.search(text)
    return text[: found.start()].rstrip("\n").split("\n") if found else body
