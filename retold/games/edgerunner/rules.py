"""Rules of Edgerunner as pure functions of numbers (`docs/rules/edgerunner.md`, whose sections § names).

Shifts are a roll's total, dice plus skill. Stress marks boxes on a character's tracks; more than a track
can take takes its bearer out. Consequences are lasting aspects taken to absorb shifts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, count, islice
from math import isqrt
from typing import Final

from retold.game import normalise
from retold.games.edgerunner.measures import TIME


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
    """A character's role, such as solo or nomad; each makes its own exception to the rules: §1."""

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

MOST_FREE: Final = 4
SPIN_STEP: Final = 3


def free_invokes(shifts: int) -> int | None:
    """Returns the number of free invokes, 0 to 4, of an aspect made with `shifts`; None if below 0: §3."""
    if shifts < 0:
        return None
    # The k-th invoke costs k shifts, so k invokes cost k(k + 1) / 2.
    return min(MOST_FREE, (isqrt(8 * shifts + 1) - 1) // 2)


def spins(result: int) -> int:
    """Returns the spin (bonus points for opponents) from a move's total: 1 per full 3 below 0, else 0."""
    return max(0, -result // SPIN_STEP)


def highest_bid(bids: Mapping[int, int]) -> tuple[int, ...]:
    """Returns the people who bid the most shifts for a turn, in bidding order; empty without bids."""
    return tuple(who for who, bid in bids.items() if bid == max(bids.values()))


# --- time: §2 ---------------------------------------------------------------------------------------------


def time_step(words: str) -> int | None:
    """Returns a duration's index in `TIME`: `an hour` gives 7; an unambiguous prefix is enough.

    None for unknown words and ambiguous prefixes.
    """
    wanted, steps = normalise(words), [normalise(name) for name in TIME]
    if wanted in steps:
        return steps.index(wanted)
    begun = [step for step, name in enumerate(steps) if _begins(wanted, name)]
    return begun[0] if len(begun) == 1 else None


def _begins(begun: str, name: str) -> bool:
    """True if `begun` is a prefix of `name` that splits no number: 1 is not a prefix of 15."""
    return name.startswith(begun) and not (begun[-1:] + name[len(begun) :][:1]).isdecimal()


def time_after(step: int, shifts: int) -> int:
    """Returns a task's time step once `shifts` are spent on time: one step sooner per shift, at least 0.

    Negative shifts make it later, up to the last step.
    """
    return min(len(TIME) - 1, max(0, step - shifts))


def problem_threshold(exchange: int, task: int) -> int:
    """Returns the threshold of a problem: the steps on the time track from `exchange` to `task`, 0 or more.

    `exchange` is the length of a conflict's exchanges, `task` the time the problem would take, both as
    steps. 0 means that the task fits into an exchange and is no problem.
    """
    return max(0, task - exchange)


class Severity(StrEnum):
    """Severity of a consequence (an aspect taken to absorb shifts): mild, moderate or severe."""

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
    """Returns the names of the stress tracks that a sheet of this kind has by default."""
    return _TRACKS[kind]


def shared_tracks(kind: Kind) -> tuple[str, ...]:
    """Returns the tracks that a sheet of this kind borrows: cool and humanity of an alternate's primary.

    Empty for all other kinds.
    """
    return (COOL, HUMANITY) if kind is Kind.ALTERNATE else ()


def slots(kind: Kind) -> Mapping[Severity, int]:
    """Returns the consequence slots of this kind of sheet: severity → shifts that the consequence absorbs."""
    return _SLOTS[kind]


def worth(kind: Kind, severity: Severity) -> int:
    """Returns the shifts that a consequence of this severity absorbs; 0 if this kind has no such slot."""
    return slots(kind).get(severity, 0)


def own_threshold(kind: Kind, base: int, skill: int) -> int:
    """Returns the threshold (highest box) of an undefended stress track: a base plus `skill`.

    The base is fixed by kind, or is the table's option `base` for characters and alternates. `skill` is
    the skill named like the track, an extra's points, a mook's threat level, or a number that the table
    set.
    """
    return _BASES.get(kind, base) + skill


class Characteristic(StrEnum):
    """A faction's bonuses to its rolls; the target's kind decides which of the three is added."""

    DISPOSITION = "disposition"
    FOCUS = "focus"
    INFLUENCE = "influence"


def faction_bonus(kind_of_target: Kind | None) -> Characteristic:
    """Returns the bonus a faction adds: influence against factions, disposition against problems, else focus.

    None, a target without a sheet, counts as a problem: §1.
    """
    match kind_of_target:
        case Kind.FACTION:
            return Characteristic.INFLUENCE
        case Kind.PROBLEM | None:
            return Characteristic.DISPOSITION
        case _:
            return Characteristic.FOCUS


class MookDeploy(StrEnum):
    """Formula for the shifts that deploying mooks takes, from their threat level; a table option.

    One less and then doubled, or doubled and then one less.
    """

    LESS_ONE_DOUBLED = "less_one_doubled"
    DOUBLED_LESS_ONE = "doubled_less_one"


_DEPLOYED_FOR: Final[Mapping[Kind, int]] = {Kind.CHARACTER: 8, Kind.EXTRA: 6, Kind.GOON: 4}
DEPLOYABLE: Final = frozenset({*_DEPLOYED_FOR, Kind.MOOK, Kind.DEVICE})
"""Kinds that a faction can deploy."""


def deploy_cost(kind: Kind, level_or_cost: int, mook_deploy: MookDeploy) -> int:
    """Returns the shifts a faction needs to bring a sheet of this kind onto the map: §6.

    `level_or_cost` is the mooks' threat level or the device's cost, and is ignored for other kinds.
    Raises KeyError for a kind that is not in DEPLOYABLE.
    """
    if kind is Kind.DEVICE:
        return 2 * level_or_cost
    if kind is not Kind.MOOK:
        return _DEPLOYED_FOR[kind]
    return 2 * level_or_cost - (2 if mook_deploy is MookDeploy.LESS_ONE_DOUBLED else 1)


def mook_equals(levels: Sequence[int]) -> int:
    """Returns the threat level of mooks merged into one group: two of one level make one of the next.

    `levels` has at least one entry; mooks that do not come out even are lost.
    """
    return sum(1 << level for level in levels).bit_length() - 1


def strain(raw: int, value: int, *, own: bool) -> int:
    """Returns the stress, 0 or more, that an upgrade of stress value `value` costs its owner on a roll.

    `raw` is the sum of the bare dice: `value + raw` if the owner rolled (`own`), `value - raw` if an
    opponent did.
    """
    return max(0, value + raw if own else value - raw)


class Marking(StrEnum):
    """Rule for the boxes that stress marks on a track; a table option."""

    DIASPORA = "diaspora"
    SINGLE_BOX = "single_box"
    RUNNING_TOTAL = "running_total"


def mark(amount: int, marked: Collection[int], threshold: int, marking: Marking) -> tuple[int, ...] | None:
    """Returns the boxes that `amount` of stress (1 or more) marks, lowest first; None without room: §7.

    The box it needs is the next open one from `amount` up; under `running_total`, the one `amount`
    further than the boxes marked without a gap from 1 on. If that box is above `threshold`, there is no
    room, and the bearer is taken out. Open boxes below the needed one are marked too, except under
    `single_box`.
    """
    needed = (
        amount + _next_open(1, marked) - 1 if marking is Marking.RUNNING_TOTAL else _next_open(amount, marked)
    )
    if needed > threshold:
        return None
    lowest = needed if marking is Marking.SINGLE_BOX else 1
    return tuple(box for box in range(lowest, needed + 1) if box not in marked)


def most_taken(marked: Collection[int], threshold: int, marking: Marking) -> int:
    """Returns the most stress that a track can mark without its bearer being taken out, 0 or more: §7."""
    return next(
        (most for most in range(threshold, 0, -1) if mark(most, marked, threshold, marking) is not None), 0
    )


def _next_open(box: int, marked: Collection[int]) -> int:
    return next(open_box for open_box in count(box) if open_box not in marked)


def defended(own: int, shifts: int, *, floor: bool) -> int:
    """Returns a track's threshold while it is defended with `shifts`, 0 or more.

    With `floor`, it is never below the undefended threshold `own`.
    """
    return max(own if floor else 0, shifts)


MOST_RECOVERIES: Final = 255
"""Most recoveries computed: all subsets of eight boxes."""


def recovery_cost(boxes: Collection[int]) -> int:
    """Returns the shifts needed to clear stress boxes: the sum of their numbers."""
    return sum(boxes)


def recoveries(marked: Collection[int], shifts: int) -> tuple[tuple[int, ...], ...]:
    """Returns the sets of marked boxes that `shifts` can clear, as ascending tuples.

    At most MOST_RECOVERIES of them.
    """
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
    """Rule for the free move, one step on the map per turn without a roll; a table option."""

    ONE = "one_zone_pass1"
    OFF = "off"
    ANY = "one_zone_any"


class RangePenalty(StrEnum):
    """Rule for the acts that lose shifts per border between actor and target; a table option."""

    ALL = "all"
    DEFENSE_ONLY = "defense_only"
    OFF = "off"


_HARDER_AFAR: Final[Mapping[str, Collection[Act]]] = {
    RangePenalty.ALL: (Act.MOVE, Act.ATTACK, Act.DEFEND, Act.MANEUVER, Act.RECOVER),
    RangePenalty.DEFENSE_ONLY: (Act.DEFEND,),
}


def distance(borders: Borders, start: str, end: str) -> int | None:
    """Returns the fewest borders to cross between two zones; None if no path connects them.

    Pass values do not matter, and a border that can be crossed in one direction counts in both.
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
    """Returns the shifts that an act loses over distance: one per border, or 0 if `rule` exempts the act."""
    return borders if act in _HARDER_AFAR.get(rule, ()) else 0


def walked(shifts: int, costs: Sequence[int]) -> int:
    """Returns how many borders `shifts` pay for, in order, given each border's pass value in `costs`."""
    return sum(spent <= shifts for spent in accumulate(costs))


def free_step(value: int, eroded: int, rule: FreeMove) -> bool:
    """True if a free move crosses a border: its pass value less `eroded` is at most 1, or `rule` is ANY.

    `eroded` counts this person's earlier free moves against the border, each of which lowers it by 1; a
    move that does not cross counts as another. Under OFF, never True.
    """
    return rule is FreeMove.ANY or (rule is FreeMove.ONE and value - eroded <= 1)
