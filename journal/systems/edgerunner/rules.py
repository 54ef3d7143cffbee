"""The rules of Edgerunner as numbers only: rolls, time, sheets, stress, maps (docs/rules/edgerunner.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, count, islice
from math import isqrt
from typing import Final

from journal.names import normalise


class Act(StrEnum):
    """What somebody can do with their turn: §6."""

    MOVE = "move"
    ATTACK = "attack"
    DEFEND = "defend"
    MANEUVER = "maneuver"
    RECOVER = "recover"
    DEPLOY = "deploy"
    SIMPLE = "simple"


class Kind(StrEnum):
    """What sort of thing has a sheet: §1."""

    CHARACTER = "character"
    EXTRA = "extra"
    GOON = "goon"
    MOOK = "mook"
    ALTERNATE = "alternate"
    FACTION = "faction"
    DEVICE = "device"
    PROBLEM = "problem"


class Role(StrEnum):
    """What a character is, which gives each an exception of their own: §1."""

    SOLO = "solo"
    NOMAD = "nomad"
    MEDIA = "media"
    ROCKERBOY = "rockerboy"
    CORPORATE = "corporate"
    ENFORCER = "enforcer"
    NETRUNNER = "netrunner"
    FIXER = "fixer"
    TECHIE = "techie"


DICE: Final = 4
"""How many fudge dice a roll has."""

INVOKE: Final = 2
"""What an invoke adds to a roll, or takes away from one."""

LADDER: Final = (
    "Catastrophic",
    "Abysmal",
    "Terrible",
    "Poor",
    "Mediocre",
    "Average",
    "Decent",
    "Good",
    "Great",
    "Superb",
    "Fantastic",
    "Epic",
    "Legendary",
)
_MEDIOCRE: Final = LADDER.index("Mediocre")
MOST_FREE: Final = 4
SPIN_STEP: Final = 3


def rolled(dice: Sequence[int]) -> int:
    """What the faces of a roll, each -1, 0 or 1, come to."""
    return sum(dice)


def ladder(total: int) -> str:
    """The word for a result; beyond either end it is that end's: Catastrophic, Legendary."""
    return LADDER[min(len(LADDER) - 1, max(0, total + _MEDIOCRE))]


def declaration(support: int, oppose: int) -> int:
    """What is added to the dice of a declaration with so many for it and so many against."""
    return support - oppose


def free_invokes(shifts: int) -> int | None:
    """The free invokes a new aspect comes with, at most four, or None if it is blocked: §3."""
    if shifts < 0:
        return None
    # The k-th costs k shifts, so k of them k(k + 1) / 2.
    return min(MOST_FREE, (isqrt(8 * shifts + 1) - 1) // 2)


def spins(result: int) -> int:
    """The spin a move's result gives the other side: one for each full three below nothing."""
    return max(0, -result // SPIN_STEP)


def highest_bid(bids: Mapping[int, int]) -> tuple[int, ...]:
    """Who bid the most for a turn, in the order of bidding: one, several who tie, or nobody if none bid."""
    return tuple(who for who, bid in bids.items() if bid == max(bids.values()))


# --- time: §2 ---------------------------------------------------------------------------------------------

TIME: Final = (
    "instant",
    "a few moments",
    "half a minute",
    "a minute",
    "a few minutes",
    "15 minutes",
    "half an hour",
    "an hour",
    "a few hours",
    "an afternoon",
    "a day",
    "a few days",
    "a week",
    "a few weeks",
    "a month",
    "a quarter",
    "half a year",
    "a year",
    "a few years",
    "a decade",
    "a lifetime",
)
"""The time track, from step 0 on."""


def time_step(words: str) -> int | None:
    """The step of the time track that is called so, or the only one that begins so; None if there is none."""
    wanted, steps = normalise(words), [normalise(name) for name in TIME]
    if wanted in steps:
        return steps.index(wanted)
    begun = [step for step, name in enumerate(steps) if _begins(wanted, name)]
    return begun[0] if len(begun) == 1 else None


def _begins(begun: str, name: str) -> bool:
    """As everywhere, a number is never cut: 1 is not the beginning of 15."""
    return name.startswith(begun) and not (begun[-1:] + name[len(begun) :][:1]).isdecimal()


def time_after(step: int, shifts: int) -> int:
    """The step things take with so many shifts spent to be sooner; below 0 they take longer."""
    return min(len(TIME) - 1, max(0, step - shifts))


def problem_threshold(exchange: int, task: int) -> int:
    """The threshold of a problem that would take `task`, in a conflict whose exchanges take `exchange`.

    Both are steps of the time track. Never below 0; 0 means that it fits into an exchange and is no problem.
    """
    return max(0, task - exchange)


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


class Marking(StrEnum):
    """Which boxes stress marks; a table option."""

    DIASPORA = "diaspora"
    SINGLE_BOX = "single_box"
    RUNNING_TOTAL = "running_total"


def mark(amount: int, marked: Collection[int], threshold: int, marking: Marking) -> tuple[int, ...] | None:
    """The boxes that `amount` of stress, at least 1, marks now, lowest first; None if that takes one out: §7.

    The box it needs is the next open one from `amount` up; under `running_total`, the one `amount` further
    than the boxes marked without a gap from 1 on. None is needed above `threshold`, or one is out. With it
    go the open boxes below it, except under `single_box`.
    """
    needed = amount + _run(marked) if marking is Marking.RUNNING_TOTAL else _next_open(amount, marked)
    if needed > threshold:
        return None
    lowest = needed if marking is Marking.SINGLE_BOX else 1
    return tuple(box for box in range(lowest, needed + 1) if box not in marked)


def most_taken(marked: Collection[int], threshold: int, marking: Marking) -> int:
    """The most stress a track can still mark; what is beyond it finds no box: §7."""
    return next(
        (most for most in range(threshold, 0, -1) if mark(most, marked, threshold, marking) is not None), 0
    )


def _run(marked: Collection[int]) -> int:
    return _next_open(1, marked) - 1


def _next_open(box: int, marked: Collection[int]) -> int:
    return next(open_box for open_box in count(box) if open_box not in marked)


def defended(own: int, shifts: int, *, floor: bool) -> int:
    """The threshold a defence sets, at least 0; with `floor` never below the track's own."""
    return max(own if floor else 0, shifts)


MOST_RECOVERIES: Final = 255
"""How many ways to recover are worked out: every one of a track of eight boxes."""


def recovery_cost(boxes: Collection[int]) -> int:
    """The shifts it takes to clear these boxes."""
    return sum(boxes)


def recoveries(marked: Collection[int], shifts: int) -> tuple[tuple[int, ...], ...]:
    """Every choice of marked boxes that the shifts can clear, lowest boxes first, at most MOST_RECOVERIES."""
    return tuple(islice(_choices(sorted(marked), shifts), MOST_RECOVERIES))


def _choices(boxes: Sequence[int], shifts: int) -> Iterator[tuple[int, ...]]:
    for place, box in enumerate(boxes):
        if box > shifts:
            return
        yield (box,)
        for more in _choices(boxes[place + 1 :], shifts - box):
            yield (box, *more)


Borders = Mapping[tuple[str, str], Mapping[str, int]]
"""The ways from one zone to another, each with its pass value; a way that needs no name is called ''."""


class FreeMove(StrEnum):
    """How far one may go without a roll, once a turn; a table option."""

    ONE = "one_zone_pass1"
    OFF = "off"
    ANY = "one_zone_any"


class RangePenalty(StrEnum):
    """What distance makes harder; a table option."""

    ALL = "all"
    DEFENSE_ONLY = "defense_only"
    OFF = "off"


_HARDER_AFAR: Final[Mapping[str, Collection[Act]]] = {
    RangePenalty.ALL: (Act.MOVE, Act.ATTACK, Act.DEFEND, Act.MANEUVER, Act.RECOVER),
    RangePenalty.DEFENSE_ONLY: (Act.DEFEND,),
}


def distance(borders: Borders, start: str, end: str) -> int | None:
    """The fewest borders between two zones, whatever they take to pass; None if no way leads there.

    A border counts both ways if it can be passed one way.
    """
    linked = {between for between, ways in borders.items() if ways}
    linked |= {(other, one) for one, other in linked}
    reached, crossed = {start}, 0
    while end not in reached:
        further = reached | {other for one, other in linked if one in reached}
        if further == reached:
            return None
        reached, crossed = further, crossed + 1
    return crossed


def range_penalty(borders: int, act: Act, rule: RangePenalty) -> int:
    """The shifts an act loses at a target so many borders away."""
    harder = _HARDER_AFAR.get(rule, ())
    return borders if act in harder else 0


def walked(shifts: int, costs: Sequence[int]) -> int:
    """How many borders in a row, of these pass values, so many shifts carry one over."""
    return sum(spent <= shifts for spent in accumulate(costs))


def free_step(value: int, eroded: int, rule: FreeMove) -> bool:
    """Whether a free move crosses a border of this pass value, of which earlier ones took `eroded` away.

    Where it does not, and there is such a thing as a free move, it takes 1 more away.
    """
    return rule is FreeMove.ANY or (rule is FreeMove.ONE and value - eroded <= 1)
