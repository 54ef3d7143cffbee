"""Public API: record, read and export a campaign from a program.

    import retold

    with retold.new("salt-road.retold") as campaign:
        campaign.say("cast Zel bruise clubs=4 melee=2")
        print(campaign.tell())

The names in `__all__` are stable; docs/library.md shows them in use. Other modules may change.
"""

from __future__ import annotations

from retold.startup import StrangersError, import_own_packages

TYPE_CHECKING = False  # as type checkers accept; importing typing takes a fifth of `retold --version`
if TYPE_CHECKING:
    from journal.refused import Refused
    from journal.store.address import Address
    from journal.store.errors import Closed, StoreError
    from projections.reading import Arrival
    from projections.recap import Recap
    from projections.replay.board import turned
    from projections.replay.steps import Following
    from retold.campaign import Campaign, Told, new, open  # noqa: A004 -- `retold.open` opens a campaign
    from retold.outcome import Outcome
    from retold.reading import Happened, Proposal, Reading, Roll

__all__ = [
    "Address",
    "Arrival",
    "Campaign",
    "Closed",
    "Following",
    "Happened",
    "Outcome",
    "Proposal",
    "Reading",
    "Recap",
    "Refused",
    "Roll",
    "StoreError",
    "StrangersError",
    "Told",
    "new",
    "open",
    "turned",
]

_HOMES = {
    "Address": "journal.store.address",
    "Arrival": "projections.reading",
    "Campaign": "retold.campaign",
    "Closed": "journal.store.errors",
    "Following": "projections.replay.steps",
    "Happened": "retold.reading",
    "Outcome": "retold.outcome",
    "Proposal": "retold.reading",
    "Reading": "retold.reading",
    "Recap": "projections.recap",
    "Refused": "journal.refused",
    "Roll": "retold.reading",
    "StoreError": "journal.store.errors",
    "Told": "retold.campaign",
    "new": "retold.campaign",
    "open": "retold.campaign",
    "turned": "projections.replay.board",
}


def __dir__() -> list[str]:
    """Returns the promised names, those that are not imported yet included."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> object:
    """Imports a public name on first access: the command line imports this package and needs few of them."""
    if name not in _HOMES:
        raise AttributeError(f"retold has no {name}; it has {', '.join(__all__)}.")
    import_own_packages()
    from importlib import import_module  # noqa: PLC0415 -- `retold --version` does without it

    return getattr(import_module(_HOMES[name]), name)
