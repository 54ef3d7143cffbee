"""How things will stand once what is about to happen has happened, for a decision of several steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from journal import table as shared
from journal.copying import copied
from journal.system import Situation
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

if TYPE_CHECKING:
    from journal.moulds import Moulds

_FELT: Final[Mapping[type[Event], Handler]] = {
    kind: shared.EVOLVE[kind] for kind in (e.Joined, e.Left, e.OptionSet)
}
"""What of the shared words changes sides or options, before the game hears of it."""


def after(situation: Situation, events: Iterable[Event], game: str) -> Situation:
    """The situation as that game will find it once these have happened, a value of its own.

    What other games keep is as it was, and shared with the table now.
    """
    table = apart(situation.table, game, situation.moulds)
    happen(table, events, situation.systems[game].evolve)
    conflict = None if situation.conflict is None else table.conflicts[situation.conflict.id]
    return replace(situation, table=table, conflict=conflict, moulds=None)


def further(situation: Situation, events: Iterable[Event], game: str) -> Situation:
    """A situation that is a value of its own already, brought on by these."""
    happen(situation.table, events, situation.systems[game].evolve)
    return situation


def apart(table: Table, game: str, moulds: Moulds | None = None) -> Table:
    """A table of its own for that game to change: its shelf, its conflicts and what is chosen.

    `moulds` are those of this very table.
    """
    ours = {one.id: one for one in table.conflicts.values() if one.system == game}
    own = {game: table.shelves[game]} if game in table.shelves else {}
    changing = ours, own, table.options
    conflicts, shelves, options = copied(changing) if moulds is None else moulds.copy(game, changing)
    return replace(
        table,
        conflicts={**table.conflicts, **conflicts},
        shelves={**table.shelves, **shelves},
        options=options,
    )


def happen(table: Table, events: Iterable[Event], evolve: Mapping[type[Event], Handler]) -> None:
    """Changes a table that was set apart as these events do in the game that evolves it so."""
    for event in events:
        for handlers in (_FELT, evolve):
            if type(event) in handlers:
                handlers[type(event)](table, event)
