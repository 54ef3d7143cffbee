"""All of a line told part by part, each by itself, and the parts put together as if one had told them all.

A part begins with a session, while no conflict is open. Whoever tells one supposes that nothing told before
goes on in it; each says what it supposed and what it leaves behind, so that whoever joins them sees whether
that was so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.copying import copied
from journal.vocabulary import events as e
from projections.prose.awaiting import Awaited
from projections.reading import Moment, Reading
from projections.reading.evenings import Stretch
from projections.transcript.finishing import Finished
from projections.transcript.heard import Heard
from projections.transcript.making import Hearing, chronicler_of
from projections.transcript.variations import Manner


class Part(NamedTuple):
    """Positions after+1..upto."""

    after: int
    upto: int


class Told(Struct):
    """A part as it was told by itself."""

    part: Part
    heard: Heard
    names: Mapping[int, str]
    """What everybody was called where it begins."""
    strange: bool
    """True where it speaks of a conflict that was over by then."""
    carries: bool
    """True where what follows may go on in it, or change it."""

    def goes_on_from(self, before: Told) -> bool:
        """True where it is the same, told by itself, as it is when the part before was told first."""
        if before.carries or self.strange or self.names != before.heard.attendance.names:
            return False
        if not any(scene.chapter for scene in before.heard.scenes):
            return False
        return any(scene.chapter for scene in self.heard.scenes[:1])


def parts_of(reading: Reading, upto: int, length: int) -> list[Part]:
    """Parts of positions 1..upto, each of so many events or more; one alone where it cannot be divided."""
    past = reading.past
    if next(past.standing(kinds=(e.Merged.kind,)), None) is not None:
        return [Part(0, upto)]
    ends = [0, *_ends(reading, length), upto]
    return [Part(after, end) for after, end in pairwise(ends)]


def _ends(reading: Reading, length: int) -> Iterator[int]:
    """Where a part may end: before a session that opens with an act of its own, while no conflict is open."""
    past, opened, last, chapters = reading.past, set[int](), 0, 0
    kinds = (e.SessionOpened.kind, e.ConflictOpened.kind, e.ConflictEnded.kind)
    for one in past.standing(kinds=kinds):
        event = one.event
        if isinstance(event, e.ConflictOpened):
            opened.add(event.conflict)
        elif isinstance(event, e.ConflictEnded):
            opened.discard(event.conflict)
        elif isinstance(event, e.SessionOpened):
            end = one.position - 1
            if chapters and not opened and one.envelope.i == 1 and end - last >= length:
                yield end
                last = end
            chapters += 1


def tell_part(reading: Reading, upto: int, part: Part, manner: Manner, hearing: Hearing) -> Told:
    """A part of positions 1..upto by itself."""
    there = reading.table_at(part.after)
    said = reading.revealed.placed(reading.afterwards_beyond(0))
    about = {at: words for at, words in said.words.items() if part.after < at <= part.upto}
    outcomes = Awaited(replace(said, words=about))
    chronicler = chronicler_of(reading, Stretch(0, upto), manner, outcomes, there)
    chronicler.finished = Finished(manner.voice, hearing.keep)
    names, known = dict(chronicler.attendance.names), _Conflicts()
    table = copied(there)
    for moment in reading.moments(part.after, part.upto, table=table):
        known.hear(moment)
        chronicler.hear(moment)
        if hearing.also is not None:
            hearing.also(moment)
    reading.tables.keep_only(part.upto, table)
    carries = chronicler.carries(table)
    chronicler.finish(table)
    return Told(part, chronicler.heard(), names, known.strange, carries)


class _Conflicts(Struct):
    """Hears moments in order, and keeps whether one is of a conflict that nobody has seen open."""

    seen: set[int] = field(default_factory=set)
    strange: bool = False

    def hear(self, moment: Moment) -> None:
        """Notes the conflicts that are open, and the one this is of."""
        number: int | None = getattr(moment.event, "conflict", None)
        if number is not None and number not in self.seen:
            if number in moment.table.conflicts:
                self.seen.add(number)
            else:
                self.strange = True
