"""A long line told and written by several processes, some evenings at a time, and put together in one."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from journal.store.progress import Progress
from projections.exports import spooled
from projections.exports.layout import Place
from projections.exports.spool import Spool
from projections.reading import Reading
from projections.reading.elsewhere import Elsewhere, elsewhere
from projections.transcript.heard import Heard
from projections.transcript.making import Hearing
from projections.transcript.meeting import Met
from projections.transcript.parts import Part, Told, parts_of, tell_part
from projections.transcript.variations import Manner

if TYPE_CHECKING:
    from journal.store.crew import Crew

MANY: Final = 50_000
"""Fewer events are told sooner than other processes are there."""

LENGTH: Final = 4_000
"""Events of a part, or more."""

MISFITS: Final = 2
"""So often parts that do not fit are told once more as one; after that, all of it is better told in one."""


class Written(NamedTuple):
    """A part with its scenes as they are written."""

    told: Told
    scenes: bytes
    ends: Sequence[int]
    met: Met


class Several(Struct):
    """Has a long line told by several processes, into a spool; a short one by nobody."""

    format: str
    spool: Spool

    def __call__(
        self, reading: Reading, upto: int, manner: Manner, told: Progress | None, met: Met | None = None
    ) -> Heard | None:
        """What is heard of positions 1..upto, its scenes in the spool; None, and nothing there, if it is not.

        So it is where notes are numbered from scene to scene, and where a process was ended: what is wrong
        with a record is said by whoever tells it alone.
        """
        where = elsewhere(reading)
        if where is None or upto < MANY or self.spool.place in (Place.FOOTNOTES, Place.APPENDIX):
            return None
        parts = parts_of(reading, upto, LENGTH)
        if len(parts) == 1:
            return None
        from journal.store.crew import NoCrew, crew  # noqa: PLC0415 -- what few need takes long to import

        asked = Asked(where, upto, manner, self.format, self.spool.place)
        _HERE[:] = [_Here(asked, reading)]
        try:
            with crew(begin, asked, helped=True) as hands:
                heard = self._joined(fitting(hands, parts), upto, told, met)
        except NoCrew:
            heard = None
        finally:
            _HERE.clear()
        if heard is None:
            self.spool.begin_again()
        return heard

    def _joined(
        self, parts: Iterator[Written | None], upto: int, told: Progress | None, met: Met | None
    ) -> Heard | None:
        every, heard = Met(), None
        for one in parts:
            if one is None:
                return None
            self.spool.take(one.scenes, one.ends)
            every.go_on(one.met)
            if heard is None:
                heard = one.told.heard
            else:
                heard.go_on(one.told.heard)
            if told is not None:
                told(one.told.part.upto, upto)
        if met is not None:
            met.go_on(every)
        return heard


def fitting(hands: Crew, parts: Sequence[Part]) -> Iterator[Written | None]:
    """The parts as they are written, each fitting the one before; None, and no more, where they do not.

    What does not fit is told once more, together with what it does not fit.
    """
    last: Written | None = None
    is_first, left = True, MISFITS
    for one in hands.each(write, ((part,) for part in parts)):
        if last is None or one is None:
            last = one
        elif one.told.goes_on_from(last.told):
            yield last
            last, is_first = one, False
        elif left:
            left -= 1
            last = hands.one(write, Part(last.told.part.after, one.told.part.upto))
        else:
            last = None
        if last is None or (last.told.strange and not is_first):
            break
    yield None if last is None or (last.told.strange and not is_first) else last


# --- in each process --------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """What is told, how, and as what it is written."""

    where: Elsewhere
    upto: int
    manner: Manner
    format: str
    place: Place


class _Here(NamedTuple):
    asked: Asked
    reading: Reading


_HERE: list[_Here] = []


def begin(asked: Asked) -> None:
    """Opens the record once for all the parts that are told here."""
    _HERE[:] = [_Here(asked, asked.where.opened())]


def write(part: Part) -> Written | None:
    """A part, told and written; None where anything is wrong with it."""
    try:
        return _written(part)
    except Exception:  # noqa: BLE001 -- whoever tells it alone comes upon the same, and says so
        return None


def _written(part: Part) -> Written:
    ((asked, reading),) = _HERE
    scenes, met = io.BytesIO(), Met()
    spool = spooled(asked.format, asked.manner.voice.phrases, asked.place, scenes)
    told = tell_part(reading, asked.upto, part, asked.manner, Hearing(also=met.hear, keep=spool.keep))
    return Written(told, scenes.getvalue(), spool.ends, met)
