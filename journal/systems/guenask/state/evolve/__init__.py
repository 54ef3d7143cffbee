"""What each event changes for Guenašk."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.guenask import events as g
from journal.systems.guenask.state.evolve import conflicts, fallout, sheets
from journal.table import Handler, nothing
from journal.vocabulary.base import Event

EVOLVE: Mapping[type[Event], Handler] = {
    **sheets.HANDLERS,
    **conflicts.HANDLERS,
    **fallout.HANDLERS,
    g.RowFilled: nothing,
}
"""What the events of this game, and the shared ones it hears, change; a test proves it complete."""
