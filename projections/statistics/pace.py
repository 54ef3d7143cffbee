"""Pace: durations of conflicts and rounds by recording time; and changes of counters in each session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any, NamedTuple

from msgspec import Struct, field

from retold.journal.capabilities import Picture
from retold.journal.capabilities import Row as Counted
from retold.journal.counting import counted
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.reading import Moment
from retold.projections.reading.timing import EventTime, event_time
from retold.projections.statistics.counted import Rounds, counted_of
from retold.projections.statistics.statistic import Statistic
from retold.projections.views.naming import Who, conflict_title, who
from retold.projections.views.rows import out_of, rows
from retold.projections.views.sessions import clock
from retold.projections.views.sheet import NOBODY, Bar, Chart, Row, Sheet

MINUTE = 60


class Took(NamedTuple):
    """Duration of a conflict and of its rounds, in seconds; `over` is False while the conflict is open.

    For a conflict with unknown times, such as an imported one, `seconds` is None and `rounds` is empty.
    `title` and `game` are the names at its opening.
    """

    conflict: int
    title: str
    system: str
    session: int | None
    seconds: int | None
    round: str
    rounds: tuple[int, ...]
    over: bool
    game: str

    def row(self) -> Row:
        """Returns this conflict as a table row."""
        took = NOBODY if self.seconds is None else clock(self.seconds)
        cells = (
            self.title,
            self.game,
            NOBODY if self.session is None else str(self.session),
            took if self.over else f"{took} so far",
            counted(len(self.rounds), self.round) if self.rounds else NOBODY,
            clock(round(median(self.rounds))) if self.rounds else NOBODY,
            clock(max(self.rounds)) if self.rounds else NOBODY,
        )
        return Row((str(self.conflict),), cells)


class Pace(Statistic, frozen=True):
    """Statistics of time: durations of conflicts, oldest first; `imported` counts events without times."""

    conflicts: tuple[Took, ...]
    imported: int
    played: bool = False
    """True if some times are those of play."""

    def to_json(self) -> dict[str, Any]:
        """Returns the result's fields as JSON values; `played` only if it is True."""
        return {name: value for name, value in super().to_json().items() if name != "played" or value}

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns one table of conflicts; empty without conflicts."""
        if not self.conflicts:
            return ()
        notes = ["Times are those of recording: what was typed in afterwards took as long as the typing."]
        if self.played:
            notes = ["Times are those of play if given (--when), otherwise of recording."]
        if self.imported:
            events = counted(self.imported, "event was", "events were")
            notes.append(f"{events} imported, and when they happened is not known.")
        columns = ("Conflict", "System", "Session", "Took", "Rounds", "Middle one", "Longest")
        return (Sheet.listing("Time", columns, self.conflicts, *notes),)

    def charts(self) -> tuple[Chart, ...]:
        """Returns one chart of conflict durations in minutes; empty without any."""
        bars = tuple(
            Bar(conflict.title, conflict.seconds / MINUTE, clock(conflict.seconds))
            for conflict in self.conflicts
            if conflict.seconds is not None
        )
        chart = Chart("Time: how long each conflict took", "minutes", bars)
        return (chart,) if any(bar.value for bar in bars) else ()


class _Timed(Struct):
    """Conflict being timed; `began` and `round_began` count seconds of play, by the clock of its opening."""

    title: str
    system: str
    game: str
    session: int | None
    is_played: bool
    """True if that is the clock of play (`--when`), not that of recording."""
    began: float
    round_began: float | None
    busy: bool = False
    """True if the current round has begun, so that the conflict's end ends it too."""
    took: list[int] = field(default_factory=list)
    ended: float | None = None
    unknown: bool = False
    """True if its opening, its end or an imported event of it has no known time, or its end another clock."""

    @property
    def rounds(self) -> Rounds | None:
        """Rules that tell where a round of the conflict's game begins; None in a game without rounds."""
        return counted_of(self.system).rounds

    def hear(self, event: Event, now: float) -> None:
        """Updates rounds by one event of the conflict, later than its opening.

        `now` is in seconds of play.
        """
        rounds = self.rounds
        if rounds is None:
            return
        if type(event) in rounds.marks:
            self._end_round(now)
            self.round_began, self.busy = now, rounds.begins
        elif not rounds.begun_by or type(event) in rounds.begun_by:
            self.busy = True

    def end(self, now: float) -> None:
        """Ends the conflict at `now` seconds of play, and its current round if it has begun."""
        if self.busy:
            self._end_round(now)
        self.ended = now

    def _end_round(self, now: float) -> None:
        if self.round_began is not None:
            self.took.append(round(now - self.round_began))


class Clockings(Struct):
    """Times conflicts and their rounds, event by event, in seconds of play.

    The clock stops when a session closes, until the next one opens; before the first session it runs. It also
    stops for imported events without a time, until the next event with one. There are two clocks, of play and
    of recording: an event moves the one by which its time is, and a conflict is timed by that of its opening.
    """

    imported: dict[int | None, int] = field(default_factory=dict)
    now: dict[bool, float] = field(default_factory=lambda: {True: 0.0, False: 0.0})
    """Seconds passed by the clock of play (True) and by that of recording (False)."""
    last: dict[bool, EventTime] = field(default_factory=dict)
    """Latest time of play (True) and of recording (False); empty while the clock is stopped."""
    played: set[int | None] = field(default_factory=set)
    """Sessions with times of play."""
    between: bool = False
    """True between two sessions."""
    conflicts: dict[int, _Timed] = field(default_factory=dict)

    def hear(self, moment: Moment, session: int | None) -> None:
        """Advances the clock to the event's recording time, and updates its conflict."""
        event = moment.event
        self._tick(moment, session)
        if isinstance(event, e.ConflictOpened):
            self._open(moment, event, session)
        conflict = self.conflicts.get(getattr(event, "conflict", None) or 0)
        if conflict is None:
            return
        counts = isinstance(event, e.ConflictOpened | e.ConflictEnded) or moment.envelope.source is not None
        time, now = event_time(moment.envelope), self.now[conflict.is_played]
        conflict.unknown = conflict.unknown or (counts and time is None)
        if isinstance(event, e.ConflictEnded):
            conflict.unknown = conflict.unknown or (time is not None and time.is_played != conflict.is_played)
            conflict.end(now)
        elif not isinstance(event, e.ConflictOpened):
            conflict.hear(event, now)

    def _tick(self, moment: Moment, session: int | None) -> None:
        if moment.envelope.when is not None:
            self.played.add(session)
        if isinstance(moment.event, e.SessionOpened):
            self.between, self.last = False, {}
        now = event_time(moment.envelope)
        if now is None and moment.envelope.source is not None:
            self.imported[session] = self.imported.get(session, 0) + 1
            self.last = {}
        elif now is not None and not self.between:
            self._advance(now)
        self.between = self.between or isinstance(moment.event, e.SessionClosed)
        if self.between:
            self.last = {}

    def _advance(self, now: EventTime) -> None:
        last = self.last.get(now.is_played)
        passed = 0.0 if last is None else last.seconds_to(now) or 0.0
        self.now[now.is_played] += max(0.0, passed)
        if passed >= 0 or not now.is_played:  # words told afterwards may have an earlier time of play
            self.last[now.is_played] = now

    def _open(self, moment: Moment, event: e.ConflictOpened, session: int | None) -> None:
        rounds, table = counted_of(event.system).rounds, moment.table
        time = event_time(moment.envelope)
        is_played = time is not None and time.is_played
        now = self.now[is_played]
        self.conflicts[event.conflict] = _Timed(
            conflict_title(table.conflicts[event.conflict], table),
            event.system,
            SYSTEMS[event.system].called(table),
            session,
            is_played,
            now,
            None if rounds is None or rounds.begins else now,
        )

    def pace(self, session: int | None = None) -> Pace:
        """Returns durations of conflicts opened in one session (in all if None)."""
        meant = [item for item in self.conflicts.items() if session in (None, item[1].session)]
        imported = sum(many for number, many in self.imported.items() if session in (None, number))
        played = bool(self.played if session is None else session in self.played)
        return Pace(tuple(self._took(*item) for item in meant), imported, played)

    def _took(self, conflict: int, timed: _Timed) -> Took:
        over, rounds = timed.ended is not None, timed.rounds
        seconds = round((self.now[timed.is_played] if timed.ended is None else timed.ended) - timed.began)
        return Took(
            conflict,
            timed.title,
            timed.system,
            timed.session,
            None if timed.unknown else seconds,
            "round" if rounds is None else rounds.name,
            () if timed.unknown else tuple(timed.took),
            over,
            timed.game,
        )


class _Counted(NamedTuple):
    """Key of a counter that outlives conflicts: game, owner, name and drawing."""

    system: str
    who: int | str | None
    what: str
    picture: Picture


class Went(NamedTuple):
    """A counter's value at the beginning and end of a session; `who` is a person, a thing's name, or null.

    `game` is the game's current name.
    """

    system: str
    who: Who | str | None
    what: str
    most: int | None
    session: int
    began: int
    ended: int
    game: str

    @property
    def whose(self) -> str:
        """Owner's name for a table cell; the game's name for a counter without owner."""
        return self.who.name if isinstance(self.who, Who) else self.who or self.game

    def row(self) -> Row:
        """Returns this counter's change as a table row."""
        key = (self.whose, self.what, str(self.session))
        return Row.keyed(key, str(self.began), out_of(self.ended, self.most))


class Goings(Statistic, frozen=True):
    """Statistics of counters: those that changed during a session, session by session."""

    counts: tuple[Went, ...]

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns one table of changes; empty without any."""
        columns = ("Who", "What", "Session", "Began", "Ended")
        return (Sheet.listing("Counts", columns, self.counts),) if self.counts else ()


class _Changed(NamedTuple):
    """Counter with its values when a session began and ended."""

    counted: _Counted
    most: int | None
    session: int
    began: int
    ended: int


class Counts(Struct):
    """Compares each counter's values (points, clocks) at the beginning and end of every session."""

    over: list[_Changed] = field(default_factory=list)
    open: tuple[int, dict[_Counted, int]] | None = None
    """Number of the open session, and counters at its beginning."""

    def hear(self, moment: Moment, session: int | None) -> None:
        """Stores every counter when a session opens, and changes since then when it closes."""
        if isinstance(moment.event, e.SessionOpened) and session is not None:
            self.open = session, {key: row.value for key, row in _counted(moment.table).items()}
        elif isinstance(moment.event, e.SessionClosed) and self.open is not None:
            self.over += _between(*self.open, moment.table)
            self.open = None

    def went(self, table: Table, session: int | None = None) -> Goings:
        """Returns counters that changed in one session (in any if None).

        An open session is compared with `table`, which also supplies names.
        """
        open_ = () if self.open is None else _between(*self.open, table)
        found = (change for change in (*self.over, *open_) if session in (None, change.session))
        return Goings(tuple(_went(change, table) for change in found))


def _counted(table: Table) -> Mapping[_Counted, Counted]:
    return {
        _Counted(kept.system, kept.row.who, kept.row.what, kept.row.picture): kept.row
        for kept in rows(table)
        if kept.conflict is None and kept.row.picture is not Picture.SLOT
    }


def _between(session: int, began: Mapping[_Counted, int], table: Table) -> Iterator[_Changed]:
    for key, now in _counted(table).items():
        was = began.get(key)
        if was is not None and was != now.value:
            yield _Changed(key, now.most, session, was, now.value)


def _went(change: _Changed, table: Table) -> Went:
    system, whose, what, _ = change.counted
    called = who(table, whose) if isinstance(whose, int) else whose
    game = SYSTEMS[system].called(table)
    return Went(system, called, what, change.most, change.session, change.began, change.ended, game)
