"""Steps: what happened on a line as its viewer may know it, each with what it changed on the board."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from msgspec import Struct

from journal.copying import copied
from journal.hiding import may_be_hidden
from journal.line import Live, game_changed
from journal.table import Table
from journal.visibility import TABLE
from journal.vocabulary import events as e
from projections import safe
from projections.plain.lives import notation
from projections.prose import ends_turn
from projections.reading import FOR_THE_GAME_MASTER, Moment, Reading, Viewer, timing
from projections.replay.board import Board, Layout, turned
from projections.replay.fallen import Fell, fallen_at
from projections.replay.value import Flag, Step

_BEGINS: Final = {
    e.SceneSet: Flag.SCENE,
    e.SessionOpened: Flag.SESSION,
    e.ConflictOpened: Flag.OPENS,
    e.ConflictEnded: Flag.ENDS,
}


class Following(Struct):
    """The table and the board of a line, brought along step by step: what is new costs no more than itself.

    `opened` is when the clock of its steps began.
    """

    position: int
    board: Board
    opened: datetime | None
    _whose: tuple[int, Viewer]
    _table: Table
    _layout: Layout
    _heard: int
    """The position of the last event that the board stands for."""
    _fell: Fell = Fell()
    _evening: e.SessionOpened | None = None
    _act: str | None = None

    @classmethod
    def beginning(cls, reading: Reading, position: int, opened: datetime | None = None) -> Following:
        """A board that stands at a position of what is read."""
        table = copied(reading.table_at(position))
        evenings, session = reading.evenings, table.session
        fell = fallen_at(reading, position)
        opening = evenings.opening(session) if session is not None and session in evenings.opened else None
        whose, layout = (reading.line, reading.viewer), Layout()
        board = layout.board(table, opening, fell.thing)
        return cls(position, board, opened, whose, table, layout, position, fell, opening)

    def holds(self, reading: Reading) -> bool:
        """True while it is the same line for the same eyes, and nothing since has changed what came before.

        Else one begins again.
        """
        is_same = self._whose == (reading.line, reading.viewer)
        return is_same and reading.position >= self.position and reading.holds(self.position)

    def steps(self, reading: Reading, upto: int | None = None) -> Iterator[tuple[int, Step]]:
        """Each step from there to a position, the last that is read if None, and where on the line it is."""
        for moment in reading.moments(self.position, upto, table=self._table):
            if not isinstance(moment.event, FOR_THE_GAME_MASTER):
                yield moment.position, self._step(moment, reading)
        self.position = reading.position if upto is None else upto

    def _step(self, moment: Moment, reading: Reading) -> Step:
        event, before = moment.event, self.board
        self._fell = self._fell.after(event, moment.envelope.act)
        if isinstance(event, e.SessionOpened):
            self._evening = event
        is_next = moment.position == self._heard + 1  # what is not seen between may change anything
        if not (event.only_words and may_be_hidden(moment.table, event)):  # words change nothing there
            changed = game_changed(moment.table, event) if is_next else None
            self.board = self._layout.board(moment.table, self._evening, self._fell.thing, changed)
            self._heard = moment.position
        elif is_next:
            self._heard = moment.position
        flags = _BEGINS.get(type(event), Flag(0))
        flags |= Flag.TURN if ends_turn(type(event)) else Flag(0)
        flags |= Flag.HIDDEN if moment.envelope.visible_to != TABLE else Flag(0)
        flags |= Flag.ACT if moment.envelope.act != self._act else Flag(0)
        self._act = moment.envelope.act
        live = Live(moment.position, event, moment.envelope.luck)
        return Step(
            reading.ids.at(moment.position),
            timing.seconds_from(self.opened, moment.envelope),
            event.kind,
            next(notation(moment.table, (live,), place=reading.ids.place)),
            flags,
            turned(before, self.board),
            visible_to=_safe(reading.visible_to(moment.envelope)),
        )


def _safe(whom: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """Who may see something, in names that nothing obeys."""
    return whom if isinstance(whom, str) else tuple(safe.line(one) for one in whom)
