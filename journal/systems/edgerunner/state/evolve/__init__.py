"""What each event changes for Edgerunner."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner.state.evolve import aspects, harm, place, rolls, rulings, sheets, turns
from journal.table import Handler
from journal.vocabulary.base import Event

EVOLVE: Mapping[type[Event], Handler] = {
    **sheets.HANDLERS,
    **place.HANDLERS,
    **turns.HANDLERS,
    **rolls.HANDLERS,
    **aspects.HANDLERS,
    **harm.HANDLERS,
    **rulings.HANDLERS,
}
"""What the events of this game, and the shared ones it hears, change; a test proves it complete."""
