"""What has a sheet can take, adds, and costs to deploy: §1, §6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from journal.systems.edgerunner.rules.roles import Kind


class Severity(StrEnum):
    """How bad a consequence is."""

    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


WORTH: Final[Mapping[Severity, int]] = {Severity.MILD: 1, Severity.MODERATE: 2, Severity.SEVERE: 4}
"""The shifts a consequence is worth where nothing else is said."""

COOL: Final = "cool"
HUMANITY: Final = "humanity"
REPUTATION: Final = "reputation"
LEVERAGE: Final = "leverage"
PRESTIGE: Final = "prestige"
STRESS: Final = "stress"
"""The one track of whoever has just one."""

_TRACKS: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.CHARACTER: (COOL, HUMANITY, REPUTATION),
    Kind.EXTRA: (COOL, HUMANITY),
    Kind.GOON: (STRESS,),
    Kind.MOOK: (STRESS,),
    Kind.ALTERNATE: (REPUTATION,),
    Kind.FACTION: (LEVERAGE, PRESTIGE),
    Kind.DEVICE: (),
    Kind.PROBLEM: (STRESS,),
}
_SLOTS: Final[Mapping[Kind, Mapping[Severity, int]]] = {
    Kind.CHARACTER: WORTH,
    Kind.EXTRA: WORTH,
    Kind.GOON: {Severity.MODERATE: 3},
    Kind.MOOK: {},
    Kind.ALTERNATE: {severity: WORTH[severity] for severity in (Severity.MILD, Severity.MODERATE)},
    Kind.FACTION: WORTH,
    Kind.DEVICE: {},
    Kind.PROBLEM: {},
}
_BASES: Final[Mapping[Kind, int]] = {
    Kind.EXTRA: 3,
    Kind.GOON: 4,
    Kind.MOOK: 0,
    Kind.FACTION: 3,
    Kind.DEVICE: 0,
    Kind.PROBLEM: 0,
}


def tracks(kind: Kind) -> tuple[str, ...]:
    """The stress tracks such a thing has of its own; none where the table has to name them."""
    return _TRACKS[kind]


def shared_tracks(kind: Kind) -> tuple[str, ...]:
    """The stress tracks such a thing uses that are somebody else's: an alternate's, of its primary."""
    return (COOL, HUMANITY) if kind is Kind.ALTERNATE else ()


def slots(kind: Kind) -> Mapping[Severity, int]:
    """The slots for consequences such a thing has, with what each is worth in shifts."""
    return _SLOTS[kind]


def worth(kind: Kind, severity: Severity) -> int:
    """The shifts such a consequence is worth to such a thing; 0 where it has no slot for it."""
    return slots(kind).get(severity, 0)


def own_threshold(kind: Kind, base: int, skill: int) -> int:
    """The threshold of a track of such a thing, while nobody defends it.

    `base` is the table's, for characters and alternates. `skill` is what is added: the skill of the track's
    name, the points an extra was given, a mook's threat level, or all that the table set.
    """
    return _BASES.get(kind, base) + skill


class Characteristic(StrEnum):
    """What a faction adds to its rolls, by what they are against."""

    DISPOSITION = "disposition"
    FOCUS = "focus"
    INFLUENCE = "influence"


def faction_bonus(kind_of_target: Kind | None) -> Characteristic:
    """The characteristic a faction adds against such a target; None and problems are issues: §1."""
    match kind_of_target:
        case Kind.FACTION:
            return Characteristic.INFLUENCE
        case Kind.PROBLEM | None:
            return Characteristic.DISPOSITION
        case _:
            return Characteristic.FOCUS


class MookDeploy(StrEnum):
    """What it takes to deploy mooks, by their threat level; a table option."""

    LESS_ONE_DOUBLED = "less_one_doubled"
    DOUBLED_LESS_ONE = "doubled_less_one"


_DEPLOYED_FOR: Final[Mapping[Kind, int]] = {Kind.CHARACTER: 8, Kind.EXTRA: 6, Kind.GOON: 4}
DEPLOYABLE: Final = frozenset({*_DEPLOYED_FOR, Kind.MOOK, Kind.DEVICE})
"""What a faction can deploy."""


def deploy_cost(kind: Kind, level_or_cost: int, mook_deploy: MookDeploy) -> int:
    """The shifts it takes to deploy such a thing: §6.

    `level_or_cost` is the threat level of mooks or what a device costs; for others it is not looked at.
    KeyError for what is not DEPLOYABLE.
    """
    if kind is Kind.DEVICE:
        return 2 * level_or_cost
    if kind is not Kind.MOOK:
        return _DEPLOYED_FOR[kind]
    return 2 * level_or_cost - (2 if mook_deploy is MookDeploy.LESS_ONE_DOUBLED else 1)


def continued(shifts: int, times: int) -> int:
    """The shifts of a deployment begun with so many, and continued so many times since."""
    return shifts + times


def mook_equals(levels: Sequence[int]) -> int:
    """The threat level these mooks, at least one, come to together; too little for the next is lost."""
    return sum(1 << level for level in levels).bit_length() - 1


def strain(raw: int, value: int, *, own: bool) -> int:
    """The humanity stress of an upgrade of this value, by the bare dice of its owner's or another's roll."""
    return max(0, value + raw if own else value - raw)
