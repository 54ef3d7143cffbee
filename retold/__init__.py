"""Public API: record, read and export a campaign from a program.

    import retold

    with retold.new("salt-road.retold") as campaign:
        campaign.say("cast Zel bruise clubs=4 melee=2")
        print(campaign.tell())

The names in `__all__` are stable; docs/library.md shows them in use. Other modules may change.
"""

from __future__ import annotations

import os

if not os.path.isdir(os.path.join(__path__[0], "journal")):
    __path__.append(os.path.dirname(__path__[0]))  # on Windows, where Git writes no links

TYPE_CHECKING = False  # as type checkers accept; importing typing takes a fifth of `retold --version`
if TYPE_CHECKING:
    from retold.campaign import (
        Campaign,
        Told,
        new,
        open,  # noqa: A004 -- `retold.open` opens a campaign
        ready_games,
        restore,
    )
    from retold.journal.packages import guest_errors
    from retold.journal.refused import Refused
    from retold.journal.store.contract.address import Address
    from retold.journal.store.contract.errors import Closed, StoreError
    from retold.outcome import Outcome
    from retold.projections.reading import Arrival
    from retold.projections.replay.board import turned
    from retold.projections.replay.steps import Following
    from retold.projections.story.live import LiveEvent
    from retold.projections.story.recap import Recap
    from retold.reading import Count, Happened, Proposal, Reading, Roll

__all__ = [
    "Address",
    "Arrival",
    "Campaign",
    "Closed",
    "Count",
    "Following",
    "Happened",
    "LiveEvent",
    "Outcome",
    "Proposal",
    "Reading",
    "Recap",
    "Refused",
    "Roll",
    "StoreError",
    "Told",
    "guest_errors",
    "new",
    "open",
    "ready_games",
    "restore",
    "turned",
]

_HOMES = {
    "Address": "retold.journal.store.contract.address",
    "Arrival": "retold.projections.reading",
    "Campaign": "retold.campaign",
    "Closed": "retold.journal.store.contract.errors",
    "Count": "retold.reading",
    "Following": "retold.projections.replay.steps",
    "Happened": "retold.reading",
    "LiveEvent": "retold.projections.story.live",
    "Outcome": "retold.outcome",
    "Proposal": "retold.reading",
    "Reading": "retold.reading",
    "Recap": "retold.projections.story.recap",
    "Refused": "retold.journal.refused",
    "Roll": "retold.reading",
    "StoreError": "retold.journal.store.contract.errors",
    "Told": "retold.campaign",
    "guest_errors": "retold.journal.packages",
    "new": "retold.campaign",
    "open": "retold.campaign",
    "ready_games": "retold.campaign",
    "restore": "retold.campaign",
    "turned": "retold.projections.replay.board",
}


def __dir__() -> list[str]:
    """Returns the promised names, those that are not imported yet included."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> object:
    """Imports a public name on first access: the command line imports this package and needs few of them."""
    if name not in _HOMES:
        raise AttributeError(f"retold has no {name}; it has {', '.join(__all__)}.")
    from importlib import import_module  # noqa: PLC0415 -- `retold --version` does without it

    return getattr(import_module(_HOMES[name]), name)
