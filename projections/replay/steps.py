"""Steps of a replay: events visible to the viewer, each with its changes to the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from msgspec import Struct

from retold.journal.copying import copied
from retold.journal.decks import dice
from retold.journal.hiding import may_be_hidden
from retold.journal.line import LiveEvent, game_changed
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.plain.lives import notation
from retold.projections.prose import ends_turn
from retold.projections.reading import FOR_THE_GAME_MASTER, LineView, Moment, Viewer, timing
from retold.projections.reading.pictures import KINDS
from retold.projections.replay.board import Board, Layout, Thing, turned, turned_up
from retold.projections.replay.faces import Faces, faces_of
from retold.projections.replay.value import ReplayStep, StepFlag
from retold.projections.texts import safe

SWEPT = (e.SessionOpened, e.SessionClosed, e.SceneSet, e.SceneEnded)
"""Kinds that clear the table."""

OF_CARDS: Final = ("cards",)
OF_DICE: Final = ("dice", "total", "against", "under", "whose", "margin")
"""Fields of rolled dice; OF_CARDS are those of drawn cards."""

FALLING = (e.CardsDrawn, e.DiceRolled, e.TotalReached)
"""Kinds that give random results and their totals."""


class RecentResult(NamedTuple):
    """Cards or dice of the last draw or roll, lying on the table, with the act that laid them."""

    thing: Thing | None = None
    act: str | None = None

    def after(self, event: Event, act: str) -> RecentResult:
        """Returns the cards and dice that lie on the table after `event`, recorded by `act`.

        Cards and dice of one person and act lie together; any other result replaces them. A new scene or
        session clears the table.
        """
        beside = self.thing if self.thing is not None and self.act == act else {}
        if isinstance(event, SWEPT):
            return RecentResult()
        if isinstance(event, e.CardsDrawn):
            told = {"who": event.who, "cards": turned_up(event.cards)}
            return RecentResult(told | _kept(beside, event.who, OF_DICE), act)
        if isinstance(event, e.DiceRolled):
            told = {**_whose(event.who), **_kept(beside, event.who, OF_CARDS), "dice": _dice(event)}
            return RecentResult(told, act)
        if isinstance(event, e.TotalReached):
            return RecentResult({**_come_to(self.thing, event), **_kept(beside, event.who, OF_CARDS)}, act)
        return self


def fallen_at(reading: LineView, position: int) -> RecentResult:
    """Returns the cards and dice lying on the table after the event at `position`."""
    begins = max((at for at in reading.sessions.opened.values() if at <= position), default=0)
    fell = RecentResult()
    kinds = tuple(kind.kind for kind in (*FALLING, *SWEPT))
    for recorded in reading.recorded(begins, position, kinds):
        if isinstance(recorded.event, Event):
            fell = fell.after(recorded.event, recorded.envelope.act)
    return fell


def _kept(beside: Thing, who: int | None, fields: tuple[str, ...]) -> dict[str, Any]:
    """Returns the named fields of the object `beside`, if the same person laid it; else an empty dict."""
    return {key: beside[key] for key in fields if key in beside and beside.get("who") == who}


def _whose(who: int | None) -> dict[str, Any]:
    return {} if who is None else {"who": who}


def _dice(event: e.DiceRolled) -> tuple[Thing, ...]:
    """Returns each die with its number of sides and its face; a fudge die has 0 sides."""
    sizes = dice.parse_sizes(event.dice)
    return tuple({"sides": size, "face": face} for size, face in zip(sizes, event.faces, strict=False))


def _come_to(before: Thing | None, event: e.TotalReached) -> Thing:
    """Returns the rolled dice with their total, each flagged as kept or not; unseen dice are left out."""
    thrown = () if before is None or not event.saw else before.get("dice", ())
    counting = range(1, len(thrown) + 1) if event.kept is None else event.kept
    told = {
        "against": event.goal,
        "under": event.under or None,
        "whose": event.opponent,
        "margin": event.margin,
    }
    return {
        **_whose(event.who),
        "dice": tuple({**die, "kept": nth in counting} for nth, die in enumerate(thrown, 1)),
        "total": event.total,
        **{key: value for key, value in told.items() if value is not None},
    }


_BEGINS: Final = {
    e.SceneSet: StepFlag.SCENE,
    e.SessionOpened: StepFlag.SESSION,
    e.ConflictOpened: StepFlag.OPENS,
    e.ConflictEnded: StepFlag.ENDS,
}


class Following(Struct):
    """Table state and board of a branch, advanced event by event; a step costs only its own event.

    `opened` is the time from which the seconds of steps are counted.
    """

    position: int
    board: Board
    opened: timing.EventTime | None
    _whose: tuple[int, Viewer]
    _table: Table
    _layout: Layout
    _heard: int
    """Position of the last event shown on the board."""
    _fell: RecentResult = RecentResult()
    _evening: e.SessionOpened | None = None
    _act: str | None = None
    _has_faces_of_each_moment: bool = True

    @classmethod
    def beginning(
        cls,
        reading: LineView,
        position: int,
        opened: timing.EventTime | None = None,
        faces: Faces | None = None,
    ) -> Following:
        """Returns a `Following` with the table state and board after the event at `position`.

        All its boards have the portraits and colours in `faces`; without them those of each moment.
        """
        table = copied(reading.table_at(position))
        evenings, session = reading.sessions, table.session
        fell = fallen_at(reading, position)
        opening = evenings.opening(session) if session is not None and session in evenings.opened else None
        layout = Layout(faces_of(reading, position) if faces is None else faces)
        board, whose = layout.board(table, opening, fell.thing), (reading.line, reading.viewer)
        return cls(
            position,
            board,
            opened,
            whose,
            table,
            layout,
            position,
            fell,
            opening,
            _has_faces_of_each_moment=faces is None,
        )

    def holds(self, reading: LineView) -> bool:
        """True if `reading` has the same branch and viewer, and the events followed so far are unchanged.

        Otherwise the caller must begin a new `Following`.
        """
        is_same = self._whose == (reading.line, reading.viewer)
        return is_same and reading.position >= self.position and reading.holds(self.position)

    def steps(self, reading: LineView, upto: int | None = None) -> Iterator[tuple[int, ReplayStep]]:
        """Yields (position, step) for each following event up to `upto` or the end, and moves past it.

        Events for the game master's own use are left out.
        """
        for moment in reading.moments(self.position, upto, table=self._table):
            if not isinstance(moment.event, FOR_THE_GAME_MASTER):
                yield moment.position, self._step(moment, reading)
        self.position = reading.position if upto is None else upto

    def _step(self, moment: Moment, reading: LineView) -> ReplayStep:
        event, before = moment.event, self.board
        self._fell = self._fell.after(event, moment.envelope.act)
        if isinstance(event, e.SessionOpened):
            self._evening = event
        is_next = moment.position == self._heard + 1  # hidden events between may change anything
        has_face = self._has_faces_of_each_moment and event.kind in KINDS
        if has_face:
            self._layout.faces = faces_of(reading, moment.position)
        is_words = event.only_words and may_be_hidden(moment.table, event)  # words change no state
        if has_face or not is_words:
            changed = game_changed(moment.table, event) if is_next else None
            self.board = self._layout.board(moment.table, self._evening, self._fell.thing, changed)
            self._heard = moment.position
        elif is_next:
            self._heard = moment.position
        flags = _BEGINS.get(type(event), StepFlag(0))
        flags |= StepFlag.TURN if ends_turn(type(event)) else StepFlag(0)
        flags |= StepFlag.HIDDEN if moment.envelope.visible_to != TABLE else StepFlag(0)
        flags |= StepFlag.ACT if moment.envelope.act != self._act else StepFlag(0)
        self._act = moment.envelope.act
        live = LiveEvent(moment.position, event, moment.envelope.luck)
        whom = reading.visible_to(moment.envelope)
        return ReplayStep(
            reading.ids.at(moment.position),
            timing.seconds_from(self.opened, moment.envelope),
            event.kind,
            next(notation(moment.table, (live,), place=reading.ids.place)),
            flags,
            turned(before, self.board),
            visible_to=whom if isinstance(whom, str) else tuple(map(safe.line, whom)),
        )
