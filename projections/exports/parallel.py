"""Parallel export: several processes tell and write parts of a long branch, joined in one document."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.store.contract.progress import Progress
from retold.journal.vocabulary import events as e
from retold.projections.exports import FORMATS, export, spooled
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.pickling import Images, packed, unpacked
from retold.projections.exports.spool import Spool
from retold.projections.prose import Voice
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import LineView, Moment
from retold.projections.reading.kept_sessions import KeptTelling
from retold.projections.reading.line_view import RemoteView, remote_view
from retold.projections.reading.sessions import Stretch
from retold.projections.story import transcript
from retold.projections.story.attendance import CastIndex
from retold.projections.story.transcript.build import Listeners, StretchResult, scope_of, story_of
from retold.projections.story.variations import TellingOptions

if TYPE_CHECKING:
    from retold.journal.store.process_pool import ProcessPool
    from retold.projections.story.document import Transcript


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class LinePart(NamedTuple):
    """Part of a branch: its events at positions after+1..upto."""

    after: int
    upto: int


class ToldPart(Struct):
    """Result of telling one part of a branch on its own, without the part before it."""

    part: LinePart
    heard: StretchResult
    names: Mapping[int, str]
    """Names at the beginning of the part."""
    strange: bool
    """True if the part mentions a conflict that ended before it."""

    def continues(self, before: ToldPart) -> bool:
        """True if telling the part on its own gave the same text as telling it straight after `before`."""
        if before.heard.carries or self.strange or self.names != before.heard.attendance.names:
            return False
        if not any(scene.chapter for scene in before.heard.scenes):
            return False
        return any(scene.chapter for scene in self.heard.scenes[:1])


def parts_of(reading: LineView, upto: int, length: int) -> list[LinePart]:
    """Splits positions 1..upto into parts of at least `length` events; all but the first begin a session.

    Returns a single part if no split is possible, or if two people were merged on this branch.
    """
    past = reading.past
    if next(past.standing(kinds=(e.Merged.kind,)), None) is not None:
        return [LinePart(0, upto)]
    ends = [0, *_ends(reading, length), upto]
    return [LinePart(after, end) for after, end in pairwise(ends)]


def _ends(reading: LineView, length: int) -> Iterator[int]:
    """Yields the last position of each part except the last.

    A branch may be split before a session that opens with its own act, while no conflict is open.
    """
    past, opened, last, chapters = reading.past, set[int](), 0, 0
    kinds = (e.SessionOpened.kind, e.ConflictOpened.kind, e.ConflictEnded.kind)
    for recorded in past.standing(kinds=kinds):
        event = recorded.event
        if isinstance(event, e.ConflictOpened):
            opened.add(event.conflict)
        elif isinstance(event, e.ConflictEnded):
            opened.discard(event.conflict)
        elif isinstance(event, e.SessionOpened):
            end = recorded.position - 1
            if chapters and not opened and recorded.envelope.i == 1 and end - last >= length:
                yield end
                last = end
            chapters += 1


def tell_part(
    reading: LineView, upto: int, part: LinePart, manner: TellingOptions, hearing: Listeners
) -> ToldPart:
    """Tells one part of positions 1..upto, beginning from the table state before it."""
    said = reading.revealed.placed(reading.late_additions_since(0))
    about = {at: words for at, words in said.words.items() if part.after < at <= part.upto}
    names = {number: person.called for number, person in reading.table_at(part.after).people.items()}
    known = _Conflicts(hearing.also)
    scope = scope_of(reading, Stretch(0, upto), manner, replace(said, words=about))
    here = Stretch(part.after, part.upto)
    heard = story_of(reading, scope, hearing._replace(also=known.hear), part=here)
    return ToldPart(part, heard, names, known.strange)


class _Conflicts(Struct):
    """Detector of events in a conflict whose opening lies before the part."""

    also: Callable[[Moment], None] | None
    seen: set[int] = field(default_factory=set)
    strange: bool = False

    def hear(self, moment: Moment) -> None:
        """Records the event's conflict if it is open; sets `strange` if it is neither open nor known."""
        if self.also is not None:
            self.also(moment)
        number: int | None = getattr(moment.event, "conflict", None)
        if number is not None and number not in self.seen:
            if number in moment.table.conflicts:
                self.seen.add(number)
            else:
                self.strange = True


MANY: Final = 50_000
"""Events from which several processes are faster than one."""

LENGTH: Final = 4_000
"""Least number of events in a part."""

MISFITS: Final = 2
"""Number of misfits after which one process tells the whole line."""


class WrittenPart(NamedTuple):
    """A told part: its scenes written as bytes, the offsets where they end, and its index entries."""

    told: ToldPart
    scenes: bytes
    ends: Sequence[int]
    met: CastIndex


class ParallelTelling(Struct):
    """Callable that tells a long branch in several processes and writes it into a spool."""

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
        """Tells positions 1..upto, with scenes in the spool; returns None, with an empty spool, if declined.

        Declines short branches, notes numbered across scenes, and everything if a worker process dies.
        Errors in a record are left to the single process, which reports them.
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
        from retold.journal.store.process_pool import PoolUnavailable  # noqa: PLC0415 -- what few need takes long to import

        task, heard = PartsTask(upto, manner, self.format, self.spool.place), None
        kept = KeptTelling.of(reading, task._replace(upto=0))
        with suppress(PoolUnavailable), _open_pool(where, task, reading) as hands:
            written = each_part(hands, parts, kept, manner.voice.phrases, Images(reading))
            heard = self._joined(fitting(hands, written), upto, told, met)
        if heard is None:
            self.spool.begin_again()
        return heard

    def _joined(
        self, parts: Iterator[WrittenPart | None], upto: int, told: Progress | None, met: CastIndex | None
    ) -> StretchResult | None:
        every, heard = CastIndex(), None
        for written in parts:
            if written is None:
                return None
            self.spool.take(written.scenes, written.ends)
            every.go_on(written.met)
            if heard is None:
                heard = written.told.heard
            else:
                heard.go_on(written.told.heard)
            if told is not None:
                told(written.told.part.upto, upto)
        if met is not None:
            met.go_on(every)
        return heard


def each_part(
    hands: ProcessPool, parts: Sequence[LinePart], kept: KeptTelling | None, phrases: Phrases, images: Images
) -> Iterator[WrittenPart | None]:
    """Yields the parts, each told on its own: kept ones, unless what they tell or depend on changed."""
    known = {part: None if kept is None else kept.load(part.upto) for part in parts}
    made = hands.map(write_part, ((part,) for part, data in known.items() if data is None))
    for part, data in known.items():
        if data is not None:
            found = unpacked(data, WrittenPart, phrases, images)
            yield hands.run(write_part, part) if found is None or found.told.part != part else found
            continue
        written = next(made)
        if kept is not None and written is not None:
            kept.keep(part.upto, packed(written))
        yield written


def fitting(hands: ProcessPool, parts: Iterable[WrittenPart | None]) -> Iterator[WrittenPart | None]:
    """Yields the written parts in order; the last item is None if the parts cannot be joined.

    A part is yielded once the next one is known to continue it. A part that does not continue the one before
    is told again together with it as one part, at most `MISFITS` times.
    """
    last: WrittenPart | None = None
    is_first, left = True, MISFITS
    for written in parts:
        if last is None or written is None:
            last = written
        elif written.told.continues(last.told):
            yield last
            last, is_first = written, False
        elif left:
            left -= 1
            last = hands.run(write_part, LinePart(last.told.part.after, written.told.part.upto))
        else:
            last = None
        if last is None or (last.told.strange and not is_first):
            break
    yield None if last is None or (last.told.strange and not is_first) else last


# --- in each process --------------------------------------------------------------------------------------

_WORKER: list[tuple[Any, LineView]] = []
"""Task of this process, and the branch it reads."""


@contextmanager
def _open_pool(
    where: RemoteView, task: PartsTask | SessionTask[object], reading: LineView
) -> Iterator[ProcessPool]:
    """Context manager: gives a pool whose processes, this one included, have `task` and the branch `reading`.

    Raises PoolUnavailable if no process can be started, or if one dies.
    """
    from retold.journal.store.process_pool import open_pool  # noqa: PLC0415 -- what few need takes long to import

    _WORKER[:] = [(task, reading)]
    try:
        with open_pool(begin_worker, where, task, helped=True) as hands:
            yield hands
    finally:
        _WORKER.clear()


def begin_worker(where: RemoteView, task: PartsTask | SessionTask[object]) -> None:
    """Opens the record in a worker process, once for all tasks of this process."""
    _WORKER[:] = [(task, where.opened())]


class PartsTask(NamedTuple):
    """Task of telling parts of a branch: its last position, telling options, output format."""

    upto: int
    manner: TellingOptions
    format: str
    place: MechanicsPlace


def write_part(part: LinePart) -> WrittenPart | None:
    """Tells one part and writes it in the task's format; returns None on any error."""
    try:
        return _written_part(part)
    except Exception:  # noqa: BLE001 -- the sequential run raises the same error
        return None


def _written_part(part: LinePart) -> WrittenPart:
    asked: PartsTask
    ((asked, reading),) = _WORKER
    scenes, met = io.BytesIO(), CastIndex()
    spool = spooled(asked.format, asked.manner.voice.phrases, asked.place, scenes)
    told = tell_part(reading, asked.upto, part, asked.manner, Listeners(also=met.hear, keep=spool.keep))
    return WrittenPart(told, scenes.getvalue(), spool.ends, met)


class SessionTelling(NamedTuple):
    """Manner in which each session of a branch is told; `is_replay` adds its steps.

    `players` False leaves out the names of players and game masters around the story.
    """

    voice: Voice
    variations: bool = False
    ribbon: bool = False
    is_replay: bool = False
    players: bool = True

    def of(self, reading: LineView, session: int) -> Transcript:
        """Returns a session's transcript; Refused for an unknown session."""
        told = transcript.of_session(
            reading, session, voice=self.voice, variations=self.variations, ribbon=self.ribbon
        )
        if self.is_replay:
            from retold.projections.exports.replay_builder import replay_of  # noqa: PLC0415 -- few formats need it

            stretch = reading.sessions.stretch(session)
            told = replace(told, replay=replay_of(reading, stretch, told, self.voice))
        return told if self.players else told.without_players()


class SessionDocument(NamedTuple):
    """Settings for documents of one session each: format, voice, place for dice, cards and numbers."""

    format: str
    voice: Voice
    mechanics: str
    variations: bool = False
    ribbon: bool = False
    players: bool = True
    """False if the names of players and game masters are left out around the story."""
    paper: str | None = None
    """Size of the pages; None for the format's default."""

    def of(self, reading: LineView, session: int) -> bytes:
        """Returns a session's document as bytes.

        Raises Refused for an unknown session, an unknown format, and a format whose extra is not installed.
        """
        is_replay = FORMATS[self.format].is_replay
        telling = SessionTelling(self.voice, self.variations, self.ribbon, is_replay, self.players)
        return export(self.format, telling.of(reading, session), self.mechanics, self.paper)


class SessionTask(Protocol[T_co]):
    """What is made of each session; it can be pickled."""

    def of(self, reading: LineView, session: int) -> T_co:
        """Returns what is made of a session; Refused for an unknown one."""


RUN: Final = 8
"""Sessions that a process makes one after another, so that each is told with the recap of the last."""


def each_session(reading: LineView, sessions: Sequence[int], task: SessionTask[T]) -> Iterator[T | None]:
    """Yields what `task` makes of each session, in order; None where the caller has to make it itself.

    None is yielded for short branches, after a worker process died, and for refused sessions, so that the
    caller raises the error.
    """
    where = remote_view(reading)
    made = 0
    if where is not None and reading.position >= MANY and len(sessions) > RUN:
        from retold.journal.store.process_pool import PoolUnavailable  # noqa: PLC0415 -- what few need takes long to import

        runs = ((sessions[at : at + RUN],) for at in range(0, len(sessions), RUN))
        with suppress(PoolUnavailable), _open_pool(where, task, reading) as hands:
            for results in hands.map(make_sessions, runs):
                for result in results:
                    yield result
                    made += 1
    yield from [None] * (len(sessions) - made)


def make_sessions(sessions: Sequence[int]) -> list[Any]:
    """Returns what this process's task makes of each session; None on any error."""
    task: SessionTask[object]
    ((task, reading),) = _WORKER

    def made(session: int) -> object:
        try:
            return task.of(reading, session)
        except Exception:  # noqa: BLE001 -- the sequential run raises the same error
            return None

    return [made(session) for session in sessions]
