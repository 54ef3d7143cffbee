"""A long line told and written by several processes, some evenings at a time, and put together in one."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.copying import copied
from journal.store.progress import Progress
from journal.vocabulary import events as e
from projections import transcript
from projections.exports import FORMATS, export, spooled
from projections.exports.page_elements import MechanicsPlace
from projections.exports.spool import Spool
from projections.prose import Voice
from projections.prose.awaiting import Awaited
from projections.reading import LineView, Moment
from projections.reading.line_view import RemoteView, remote_view
from projections.reading.sessions import Stretch
from projections.transcript.attendance import CastIndex
from projections.transcript.build import Listeners, chronicler_of
from projections.transcript.builders import FinishedScenes, StretchResult
from projections.transcript.variations import TellingOptions

if TYPE_CHECKING:
    from journal.store.process_pool import ProcessPool


class LinePart(NamedTuple):
    """Positions after+1..upto."""

    after: int
    upto: int


class ToldPart(Struct):
    """A part as it was told by itself."""

    part: LinePart
    heard: StretchResult
    names: Mapping[int, str]
    """What everybody was called where it begins."""
    strange: bool
    """True where it speaks of a conflict that was over by then."""
    carries: bool
    """True where what follows may go on in it, or change it."""

    def goes_on_from(self, before: ToldPart) -> bool:
        """True where it is the same, told by itself, as it is when the part before was told first."""
        if before.carries or self.strange or self.names != before.heard.attendance.names:
            return False
        if not any(scene.chapter for scene in before.heard.scenes):
            return False
        return any(scene.chapter for scene in self.heard.scenes[:1])


def parts_of(reading: LineView, upto: int, length: int) -> list[LinePart]:
    """Parts of positions 1..upto, each of so many events or more; one alone where it cannot be divided."""
    past = reading.past
    if next(past.standing(kinds=(e.Merged.kind,)), None) is not None:
        return [LinePart(0, upto)]
    ends = [0, *_ends(reading, length), upto]
    return [LinePart(after, end) for after, end in pairwise(ends)]


def _ends(reading: LineView, length: int) -> Iterator[int]:
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


def tell_part(
    reading: LineView, upto: int, part: LinePart, manner: TellingOptions, hearing: Listeners
) -> ToldPart:
    """A part of positions 1..upto by itself."""
    there = reading.table_at(part.after)
    said = reading.revealed.placed(reading.late_additions_since(0))
    about = {at: words for at, words in said.words.items() if part.after < at <= part.upto}
    outcomes = Awaited(replace(said, words=about))
    chronicler = chronicler_of(reading, Stretch(0, upto), manner, outcomes, there)
    chronicler.finished = FinishedScenes(manner.voice, hearing.keep)
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
    return ToldPart(part, chronicler.heard(), names, known.strange, carries)


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


MANY: Final = 50_000
"""Fewer events are told sooner than other processes are there."""

LENGTH: Final = 4_000
"""Events of a part, or more."""

MISFITS: Final = 2
"""So often parts that do not fit are told once more as one; after that, all of it is better told in one."""


class WrittenPart(NamedTuple):
    """A part with its scenes as they are written."""

    told: ToldPart
    scenes: bytes
    ends: Sequence[int]
    met: CastIndex


class ParallelTelling(Struct):
    """Has a long line told by several processes, into a spool; a short one by nobody."""

    format: str
    spool: Spool

    def __call__(
        self,
        reading: LineView,
        upto: int,
        manner: TellingOptions,
        told: Progress | None,
        met: CastIndex | None = None,
    ) -> StretchResult | None:
        """What is heard of positions 1..upto, its scenes in the spool; None, and nothing there, if it is not.

        So it is where notes are numbered from scene to scene, and where a process was ended: what is wrong
        with a record is said by whoever tells it alone.
        """
        where = remote_view(reading)
        if (
            where is None
            or upto < MANY
            or self.spool.place in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX)
        ):
            return None
        parts = parts_of(reading, upto, LENGTH)
        if len(parts) == 1:
            return None
        from journal.store.process_pool import PoolUnavailable, open_pool  # noqa: PLC0415 -- what few need takes long to import

        asked = PartsTask(where, upto, manner, self.format, self.spool.place)
        _PARTS_WORKER[:] = [_PartsWorker(asked, reading)]
        try:
            with open_pool(begin_parts, asked, helped=True) as hands:
                heard = self._joined(fitting(hands, parts), upto, told, met)
        except PoolUnavailable:
            heard = None
        finally:
            _PARTS_WORKER.clear()
        if heard is None:
            self.spool.begin_again()
        return heard

    def _joined(
        self, parts: Iterator[WrittenPart | None], upto: int, told: Progress | None, met: CastIndex | None
    ) -> StretchResult | None:
        every, heard = CastIndex(), None
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


def fitting(hands: ProcessPool, parts: Sequence[LinePart]) -> Iterator[WrittenPart | None]:
    """The parts as they are written, each fitting the one before; None, and no more, where they do not.

    What does not fit is told once more, together with what it does not fit.
    """
    last: WrittenPart | None = None
    is_first, left = True, MISFITS
    for one in hands.each(write_part, ((part,) for part in parts)):
        if last is None or one is None:
            last = one
        elif one.told.goes_on_from(last.told):
            yield last
            last, is_first = one, False
        elif left:
            left -= 1
            last = hands.one(write_part, LinePart(last.told.part.after, one.told.part.upto))
        else:
            last = None
        if last is None or (last.told.strange and not is_first):
            break
    yield None if last is None or (last.told.strange and not is_first) else last


# --- in each process --------------------------------------------------------------------------------------


class PartsTask(NamedTuple):
    """What is told, how, and as what it is written."""

    where: RemoteView
    upto: int
    manner: TellingOptions
    format: str
    place: MechanicsPlace


class _PartsWorker(NamedTuple):
    asked: PartsTask
    reading: LineView


_PARTS_WORKER: list[_PartsWorker] = []


def begin_parts(asked: PartsTask) -> None:
    """Opens the record once for all the parts that are told here."""
    _PARTS_WORKER[:] = [_PartsWorker(asked, asked.where.opened())]


def write_part(part: LinePart) -> WrittenPart | None:
    """A part, told and written; None where anything is wrong with it."""
    try:
        return _written_part(part)
    except Exception:  # noqa: BLE001 -- whoever tells it alone comes upon the same, and says so
        return None


def _written_part(part: LinePart) -> WrittenPart:
    ((asked, reading),) = _PARTS_WORKER
    scenes, met = io.BytesIO(), CastIndex()
    spool = spooled(asked.format, asked.manner.voice.phrases, asked.place, scenes)
    told = tell_part(reading, asked.upto, part, asked.manner, Listeners(also=met.hear, keep=spool.keep))
    return WrittenPart(told, scenes.getvalue(), spool.ends, met)


class SessionDocument(NamedTuple):
    """How each session is told, and as what it is written."""

    format: str
    voice: Voice
    mechanics: str
    variations: bool = False
    ribbon: bool = False

    def of(self, reading: LineView, session: int) -> bytes:
        """A session's document; Refused as `export` and a session's transcript are."""
        told = transcript.of_session(
            reading, session, voice=self.voice, variations=self.variations, ribbon=self.ribbon
        )
        if FORMATS[self.format].is_replay:
            from projections.exports.replay_builder import replay_of  # noqa: PLC0415 -- few formats need it

            told = replace(
                told, replay=replay_of(reading, reading.evenings.stretch(session), told, self.voice)
            )
        return export(self.format, told, self.mechanics)


def each_document(
    reading: LineView, sessions: Sequence[int], document: SessionDocument
) -> Iterator[bytes | None]:
    """The document of each of these sessions; None for one that is to be made by the caller.

    Those are all of a short line, the rest where a process was ended, and what is refused, to be so again.
    """
    where = remote_view(reading)
    made = 0
    if where is not None and reading.position >= MANY:
        for one in _by_many(where, reading, sessions, document):
            yield one
            made += 1
    yield from [None] * (len(sessions) - made)


def _by_many(
    where: RemoteView, reading: LineView, sessions: Sequence[int], document: SessionDocument
) -> Iterator[bytes | None]:
    """The documents one after the other, as long as there are other processes."""
    from journal.store.process_pool import PoolUnavailable, open_pool  # noqa: PLC0415 -- what few need takes long to import

    _SESSIONS_WORKER[:] = [_SessionsWorker(document, reading)]
    try:
        with open_pool(begin_sessions, where, document, helped=True) as hands:
            yield from hands.each(make_session, ((session,) for session in sessions))
    except PoolUnavailable:
        return
    finally:
        _SESSIONS_WORKER.clear()


# --- in each process --------------------------------------------------------------------------------------


class _SessionsWorker(NamedTuple):
    document: SessionDocument
    reading: LineView


_SESSIONS_WORKER: list[_SessionsWorker] = []


def begin_sessions(where: RemoteView, document: SessionDocument) -> None:
    """Opens the record once for all the sessions that are told here."""
    _SESSIONS_WORKER[:] = [_SessionsWorker(document, where.opened())]


def make_session(session: int) -> bytes | None:
    """A session's document; None where anything is wrong with it."""
    ((document, reading),) = _SESSIONS_WORKER
    try:
        return document.of(reading, session)
    except Exception:  # noqa: BLE001 -- whoever makes it alone comes upon the same, and says so
        return None
