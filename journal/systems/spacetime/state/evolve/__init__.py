"""What each event changes for Space·Time."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.spacetime import events as s
from journal.systems.spacetime.state.evolve import conflicts, outside, rounds
from journal.table import Handler, nothing
from journal.vocabulary.base import Event

EVOLVE: Mapping[type[Event], Handler] = {
    **conflicts.HANDLERS,
    **rounds.HANDLERS,
    **outside.HANDLERS,
    s.ConflictStopped: nothing,
    s.CostRaised: nothing,
    s.DrawRefused: nothing,
}
"""What the events of this game, and the shared ones it hears, change; a test proves it complete."""
