"""The tables that one viewer may know: folded from the events they see, where some are hidden from them."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from journal import line as line_
from journal.copying import copied
from journal.line import Live
from journal.store.codec import Recorded, Unknown, decode
from journal.store.kinds import game_missing
from journal.store.rows import Row
from journal.table import EVOLVE, Table, nothing
from journal.vocabulary.base import Event
from journal.vocabulary.events import Unheard
from projections.reading.sight import Sight
from projections.reading.viewers import FOR_THE_GAME_MASTER


class KnownTables(Struct, frozen=True):
    """The tables of a line at its positions, as one viewer may know them.

    Up to the first event that is hidden from the viewer they are the tables of everybody who reads the line.
    """

    sight: Sight

    def at(self, position: int) -> Table:
        """The table at a position; nobody may change it."""
        past, first = self.sight.past, self.first_hidden
        if first is None or position < first:
            return past.table_at(position)
        kept = self.kept
        if position not in kept:
            known = max((one for one in kept if one < position), default=None)
            after = first - 1 if known is None else known
            table = copied(past.table_at(after) if known is None else kept[known])
            for recorded in past.standing(after, position):
                self.evolve(table, recorded)
            kept[position] = table
        return kept[position]

    @property
    def kept(self) -> dict[int, Table]:
        """Those that were asked for, by position."""
        tables: dict[int, Table] = {}
        return self.sight.past.once(("tables", self.sight.viewer), lambda: tables)

    def keep(self, position: int, table: Table) -> None:
        """Keeps a table that somebody has brought there moment by moment, and will change no more."""
        if self.is_everybodys(position):
            self.sight.past.keep(position, table)
        else:
            self.kept.setdefault(position, table)

    def keep_only(self, position: int, table: Table) -> None:
        """Keeps such a table, and none of those before: who goes through a long line needs them no more."""
        if self.is_everybodys(position):
            self.sight.past.keep_only(position, table)
        else:
            self.kept.clear()
            self.kept[position] = table

    def is_everybodys(self, position: int) -> bool:
        """True where nothing up to a position is hidden from the viewer that changes a table."""
        return self.first_hidden is None or position < self.first_hidden

    @property
    def first_hidden(self) -> int | None:
        """The first position of an event that changes a table and that the viewer does not see whole."""
        if self.sight.viewer.gm:
            return None
        return self.sight.past.once(("first hidden", self.sight.viewer), self._find_first_hidden)

    def _find_first_hidden(self) -> int | None:
        sight = self.sight
        rows = map(sight.past.row, sight.past.maybe_hidden)
        return next((row.position for row in rows if row is not None and self._hides(row)), None)

    def _hides(self, row: Row) -> bool:
        sight = self.sight
        if (
            not sight.may_miss(row)
            or not _changes_tables(row.kind)
            or not sight.past.stands.counts(row.position)
        ):
            return False
        recorded = decode(row)
        return not sight.sees(recorded) or sight.told(recorded).event is not recorded.event

    def evolve(self, table: Table, recorded: Recorded) -> None:
        """Changes a table by what the viewer may know of an event that counts."""
        event = recorded.event
        if isinstance(event, Unknown):
            game = game_missing(event.kind)
            if game is not None:
                line_.evolve(table, Live(recorded.position, Unheard(game=game)))
            return
        is_of_the_record = isinstance(event, FOR_THE_GAME_MASTER)
        if not is_of_the_record and not self.sight.sees(recorded):
            return
        event = self.sight.told(recorded).event
        if isinstance(event, Event):
            live = Live(recorded.position, event, recorded.envelope.luck, recorded.envelope.visible_to)
            evolve_as_known(table, live)


def evolve_as_known(table: Table, live: Live) -> None:
    """Changes a table by an event, as far as somebody can follow it from whom others are hidden."""
    try:
        line_.evolve(table, live)
    except (LookupError, AttributeError, TypeError, ValueError, AssertionError):
        # Rules suppose that all before is known: what follows from something hidden changes nothing.
        table.position = live.position


@cache
def _changes_tables(kind: str) -> bool:
    """False for the stored kinds of words that change no table."""
    known = next((one for one in EVOLVE if one.kind == kind), None)
    return known is None or not known.only_words or EVOLVE[known] is not nothing
