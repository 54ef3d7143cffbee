"""The rules of Edgerunner as numbers only: rolls, time, sheets, stress, maps (docs/rules/edgerunner.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, count, islice
from math import isqrt
from typing import Final

from journal.names import normalise


class Act(StrEnum):
    """Kinds of action a character can take on their turn: §6."""

    MOVE = "move"
    ATTACK = "attack"
    DEFEND = "defend"
    MANEUVER = "maneuver"
    RECOVER = "recover"
    DEPLOY = "deploy"
    SIMPLE = "simple"


class Kind(StrEnum):
    """The kind of character or thing that a sheet describes: §1."""

    CHARACTER = "character"
    EXTRA = "extra"
    GOON = "goon"
    MOOK = "mook"
    ALTERNATE = "alternate"
    FACTION = "faction"
    DEVICE = "device"
    PROBLEM = "problem"


class Role(StrEnum):
    """A character's role; each role grants its own exception to the rules: §1."""

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
"""Number of fudge dice in a roll."""

INVOKE: Final = 2
"""Shifts that an invoke adds or subtracts."""

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
    """Returns the sum of the fudge dice `dice`, whose faces are -1, 0 and 1."""
    return sum(dice)


def ladder(total: int) -> str:
    """Returns the ladder's word for a result; results off the ladder are Catastrophic or Legendary."""
    return LADDER[min(len(LADDER) - 1, max(0, total + _MEDIOCRE))]


def declaration(support: int, oppose: int) -> int:
    """Returns the bonus on a declaration's dice: players in support minus players who oppose."""
    return support - oppose


def free_invokes(shifts: int) -> int | None:
    """Returns the free invokes, 0 to 4, of a new aspect; None if negative `shifts` block it: §3."""
    if shifts < 0:
        return None
    # The k-th costs k shifts, so k of them k(k + 1) / 2.
    return min(MOST_FREE, (isqrt(8 * shifts + 1) - 1) // 2)


def spins(result: int) -> int:
    """Returns the spin that a move gives the other side: one for each full 3 shifts below 0."""
    return max(0, -result // SPIN_STEP)


def highest_bid(bids: Mapping[int, int]) -> tuple[int, ...]:
    """Returns the highest bidders for a turn, in bidding order; several if they tie, none without bids."""
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
    """Returns the index in `TIME` of a name or of a unique prefix; None for unknown words."""
    wanted, steps = normalise(words), [normalise(name) for name in TIME]
    if wanted in steps:
        return steps.index(wanted)
    begun = [step for step, name in enumerate(steps) if _begins(wanted, name)]
    return begun[0] if len(begun) == 1 else None


def _begins(begun: str, name: str) -> bool:
    """True if `begun` is a prefix of `name` that splits no number: 1 is no prefix of 15."""
    return name.startswith(begun) and not (begun[-1:] + name[len(begun) :][:1]).isdecimal()


def time_after(step: int, shifts: int) -> int:
    """Returns the time step of a task after `shifts` are spent to finish sooner; negative shifts delay it."""
    return min(len(TIME) - 1, max(0, step - shifts))


def problem_threshold(exchange: int, task: int) -> int:
    """The threshold of a problem that would take `task`, in a conflict whose exchanges take `exchange`.

    Both are steps of the time track. Never below 0; 0 means that it fits into an exchange and is no problem.
    """
    return max(0, task - exchange)


class Severity(StrEnum):
    """Severity of a consequence."""

    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


WORTH: Final[Mapping[Severity, int]] = {Severity.MILD: 1, Severity.MODERATE: 2, Severity.SEVERE: 4}
"""Shifts a consequence absorbs, unless its sheet's kind says otherwise."""

COOL: Final = "cool"
HUMANITY: Final = "humanity"
REPUTATION: Final = "reputation"
LEVERAGE: Final = "leverage"
PRESTIGE: Final = "prestige"
STRESS: Final = "stress"
"""Default name of a single track."""

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
    """Returns the stress tracks that sheets of this kind have by default."""
    return _TRACKS[kind]


def shared_tracks(kind: Kind) -> tuple[str, ...]:
    """Returns the stress tracks borrowed from another sheet: an alternate uses those of its primary."""
    return (COOL, HUMANITY) if kind is Kind.ALTERNATE else ()


def slots(kind: Kind) -> Mapping[Severity, int]:
    """Returns the consequence slots of this kind of sheet, with the shifts that each absorbs."""
    return _SLOTS[kind]


def worth(kind: Kind, severity: Severity) -> int:
    """Returns the shifts that a consequence absorbs for this kind of sheet; 0 without such a slot."""
    return slots(kind).get(severity, 0)


def own_threshold(kind: Kind, base: int, skill: int) -> int:
    """Returns the threshold of an undefended stress track.

    `base` is the table's option, for characters and alternates. `skill` is added: the skill named like the
    track, an extra's points, a mook's threat level, or the whole threshold that the table set.
    """
    return _BASES.get(kind, base) + skill


class Characteristic(StrEnum):
    """A faction's bonus to its rolls; the kind of target decides which one counts."""

    DISPOSITION = "disposition"
    FOCUS = "focus"
    INFLUENCE = "influence"


def faction_bonus(kind_of_target: Kind | None) -> Characteristic:
    """Returns the characteristic a faction adds against a target; None and problems are issues: §1."""
    match kind_of_target:
        case Kind.FACTION:
            return Characteristic.INFLUENCE
        case Kind.PROBLEM | None:
            return Characteristic.DISPOSITION
        case _:
            return Characteristic.FOCUS


class MookDeploy(StrEnum):
    """Formula for the shifts to deploy mooks, from their threat level; a table option."""

    LESS_ONE_DOUBLED = "less_one_doubled"
    DOUBLED_LESS_ONE = "doubled_less_one"


_DEPLOYED_FOR: Final[Mapping[Kind, int]] = {Kind.CHARACTER: 8, Kind.EXTRA: 6, Kind.GOON: 4}
DEPLOYABLE: Final = frozenset({*_DEPLOYED_FOR, Kind.MOOK, Kind.DEVICE})
"""Kinds that a faction can deploy."""


def deploy_cost(kind: Kind, level_or_cost: int, mook_deploy: MookDeploy) -> int:
    """Returns the shifts needed to deploy a sheet of this kind: §6.

    `level_or_cost` is the mooks' threat level or the device's cost, and is ignored for other kinds.
    Raises KeyError for a kind that is not in DEPLOYABLE.
    """
    if kind is Kind.DEVICE:
        return 2 * level_or_cost
    if kind is not Kind.MOOK:
        return _DEPLOYED_FOR[kind]
    return 2 * level_or_cost - (2 if mook_deploy is MookDeploy.LESS_ONE_DOUBLED else 1)


def continued(shifts: int, times: int) -> int:
    """Returns the shifts of a deployment after it was continued `times` times."""
    return shifts + times


def mook_equals(levels: Sequence[int]) -> int:
    """Returns the threat level of several mooks merged (at least one); a remainder is lost."""
    return sum(1 << level for level in levels).bit_length() - 1


def strain(raw: int, value: int, *, own: bool) -> int:
    """Returns the stress an upgrade costs, from its value and the bare dice of its owner or an opponent."""
    return max(0, value + raw if own else value - raw)


class Marking(StrEnum):
    """Rule for the boxes that stress marks; a table option."""

    DIASPORA = "diaspora"
    SINGLE_BOX = "single_box"
    RUNNING_TOTAL = "running_total"


def mark(amount: int, marked: Collection[int], threshold: int, marking: Marking) -> tuple[int, ...] | None:
    """Returns the boxes that `amount` of stress (1 or more) marks, lowest first; None if it takes out: §7.

    The box it needs is the next open one from `amount` up; under `running_total`, the one `amount` further
    than the boxes marked without a gap from 1 on. A box above `threshold` takes the character out. Open boxes
    below the needed one are marked too, except under `single_box`.
    """
    needed = amount + _run(marked) if marking is Marking.RUNNING_TOTAL else _next_open(amount, marked)
    if needed > threshold:
        return None
    lowest = needed if marking is Marking.SINGLE_BOX else 1
    return tuple(box for box in range(lowest, needed + 1) if box not in marked)


def most_taken(marked: Collection[int], threshold: int, marking: Marking) -> int:
    """Returns the largest amount of stress that a track can still mark: §7."""
    return next(
        (most for most in range(threshold, 0, -1) if mark(most, marked, threshold, marking) is not None), 0
    )


def _run(marked: Collection[int]) -> int:
    return _next_open(1, marked) - 1


def _next_open(box: int, marked: Collection[int]) -> int:
    return next(open_box for open_box in count(box) if open_box not in marked)


def defended(own: int, shifts: int, *, floor: bool) -> int:
    """Returns the threshold that a defence sets, 0 or more; with `floor`, at least the track's `own`."""
    return max(own if floor else 0, shifts)


MOST_RECOVERIES: Final = 255
"""Most recoveries computed: all subsets of eight boxes."""


def recovery_cost(boxes: Collection[int]) -> int:
    """Returns the shifts needed to clear these boxes."""
    return sum(boxes)


def recoveries(marked: Collection[int], shifts: int) -> tuple[tuple[int, ...], ...]:
    """Returns each set of marked boxes that `shifts` can clear, lowest boxes first, up to MOST_RECOVERIES."""
    return tuple(islice(_choices(sorted(marked), shifts), MOST_RECOVERIES))


def _choices(boxes: Sequence[int], shifts: int) -> Iterator[tuple[int, ...]]:
    for place, box in enumerate(boxes):
        if box > shifts:
            return
        yield (box,)
        for more in _choices(boxes[place + 1 :], shifts - box):
            yield (box, *more)


Borders = Mapping[tuple[str, str], Mapping[str, int]]
"""Pass values of the ways between two zones; a border's only way is named ''."""


class FreeMove(StrEnum):
    """Rule for the free move, once a turn and without a roll; a table option."""

    ONE = "one_zone_pass1"
    OFF = "off"
    ANY = "one_zone_any"


class RangePenalty(StrEnum):
    """Acts that lose shifts over distance; a table option."""

    ALL = "all"
    DEFENSE_ONLY = "defense_only"
    OFF = "off"


_HARDER_AFAR: Final[Mapping[str, Collection[Act]]] = {
    RangePenalty.ALL: (Act.MOVE, Act.ATTACK, Act.DEFEND, Act.MANEUVER, Act.RECOVER),
    RangePenalty.DEFENSE_ONLY: (Act.DEFEND,),
}


def distance(borders: Borders, start: str, end: str) -> int | None:
    """Returns the fewest borders between two zones, ignoring pass values; None if no path connects them.

    A border that can be crossed in one direction counts in both.
    """
    linked = {between for between, ways in borders.items() if ways}
    linked |= {(other, zone) for zone, other in linked}
    reached, crossed = {start}, 0
    while end not in reached:
        further = reached | {other for zone, other in linked if zone in reached}
        if further == reached:
            return None
        reached, crossed = further, crossed + 1
    return crossed


def range_penalty(borders: int, act: Act, rule: RangePenalty) -> int:
    """Returns the shifts an act loses against a target this many borders away."""
    harder = _HARDER_AFAR.get(rule, ())
    return borders if act in harder else 0


def walked(shifts: int, costs: Sequence[int]) -> int:
    """Returns the number of borders crossed with `shifts`, given the pass values along the path."""
    return sum(spent <= shifts for spent in accumulate(costs))


def free_step(value: int, eroded: int, rule: FreeMove) -> bool:
    """True if a free move crosses a border of pass value `value`, reduced by earlier free moves (`eroded`).

    Otherwise the move erodes the border by 1, unless free moves are off.
    """
    return rule is FreeMove.ANY or (rule is FreeMove.ONE and value - eroded <= 1)
