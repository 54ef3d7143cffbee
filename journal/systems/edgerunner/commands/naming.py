"""What can be named in play beside people, and whose sheets there are."""

from __future__ import annotations

from journal.systems.edgerunner.commands.meaning import called_apart
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.state import play, shelf
from journal.table import OpenConflict, Table


def things(table: Table, conflict: OpenConflict | None) -> dict[str, tuple[str, ...]]:
    """The zones and borders of the map, and every aspect of what is here; with a border, its two zones."""
    named: dict[str, tuple[str, ...]] = {}
    own = shelf(table)
    if conflict is not None and conflict.system == NAME:
        state = play(conflict)
        named |= dict.fromkeys(state.zones, ())
        named |= {border.name: (border.one, border.other) for border in state.borders.values()}
    here = [aspect for aspect in own.aspects.values() if own.stays(aspect, named)]
    words = [aspect.wording for aspect in here]
    return named | dict.fromkeys((*words, *(called_apart(table, aspect) for aspect in here)), ())


def knows(table: Table, person: int) -> bool:
    """True if somebody has a sheet here."""
    return person in shelf(table).sheets
