"""Luck: what chance gave, by player, deck, source and session, held against the exact odds of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, Final, NamedTuple

from journal.decks.chance import Provenance
from journal.decks.odds import LARGEST, NOTHING, nearly_as_far_off, times
from journal.games import OURS
from journal.systems import SYSTEMS
from journal.table import Table
from projections.plain.ink import owning
from projections.statistics.chart import Bar, Chart
from projections.statistics.counted import counted_of
from projections.statistics.results import Pool, Result, Results
from projections.views.sheet import Row, Sheet, plain

ENOUGH: Final = 30
"""Of fewer results nothing is said, unless they are very far off."""
TOO_FEW: Final = "too few to say anything"
SELDOM, VERY_SELDOM = 0.05, 0.01
MOST_BARS: Final = 30

SOURCES: Final = {
    Provenance.DEALT: "dealt here",
    Provenance.CALLED: "called from the table",
    Provenance.LATER: "written down later",
    Provenance.IMPORTED: "imported",
}


class Judged(NamedTuple):
    """Some results against their odds: how many, their mean, the mean expected, and how far off that is.

    `chance` is that of a mean at least as far from the expected one, to either side; it is worked out exactly
    where `exact`, else by the normal approximation. `share` is True where the means are shares.
    """

    of: str
    name: str
    n: int
    mean: float
    expected: float
    chance: float
    exact: bool
    said: str


class Group(NamedTuple):
    """One sort of result in one system, judged as a whole and by each part of it."""

    system: str
    what: str
    about: str
    share: bool
    rows: tuple[Judged, ...]
    faces: tuple[Face, ...]


class Face(NamedTuple):
    """How often one value or card came up, and how often it was to be expected."""

    label: str
    seen: int
    expected: float


@dataclass(frozen=True, slots=True)
class Luck:
    """All groups; `uncounted` cards could not be held against anything."""

    groups: tuple[Group, ...]
    uncounted: int

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        groups: list[dict[str, Any]] = plain(self.groups)
        return {"groups": groups, "uncounted": self.uncounted}

    def sheets(self) -> tuple[Sheet, ...]:
        """A table for each group, and what may be made of them all."""
        sheets = [_sheet(group) for group in self.groups]
        if self.uncounted and not sheets:
            sheets = [Sheet("Luck", _COLUMNS, ())]
        if sheets:
            sheets[-1] = replace(sheets[-1], notes=(*sheets[-1].notes, *_cautions(self)))
        return tuple(sheets)

    def charts(self) -> tuple[Chart, ...]:
        """How often each value came up, where there are enough results and not too many values to be seen."""
        return tuple(_chart(group) for group in self.groups if _is_drawn(group))


def of(gathered: Results, table: Table, session: int | None = None) -> Luck:
    """The results of one session or of all, judged; `table` knows what people are called."""
    results = [one for one in gathered.every if session in (None, one.session)]
    uncounted = sum(many for number, many in gathered.uncounted.items() if session in (None, number))
    sorts = dict.fromkeys((one.system, one.what) for one in results)
    order = sorted(sorts, key=lambda sort: (_place(sort[0]), sort[1]))
    return Luck(
        tuple(
            _group(system, what, [one for one in results if (one.system, one.what) == (system, what)], table)
            for system, what in order
        ),
        uncounted,
    )


def _place(system: str | None) -> tuple[int, str]:
    """Where a system stands among others: the table before ours, and ours before guests."""
    place = -1 if system is None else OURS.index(system) if system in OURS else len(OURS)
    return place, system or ""


def _group(system: str | None, what: str, results: Sequence[Result], table: Table) -> Group:
    cards = counted_of(system).cards
    is_card = cards is not None and cards.what == what
    return Group(
        SYSTEMS[system].called(table) if system else "At the table",
        what,
        cards.about if cards and is_card else _about_dice(what),
        bool(cards and is_card and cards.share),
        tuple(_rows(results, table)),
        tuple(_faces(results)),
    )


def _about_dice(what: str) -> str:
    if what[:1].isdigit():
        return f"Each roll of {what} by its total, against as many with fair dice."
    return f"Each {what} by what it shows, against as many fair ones."


# --- the parts of a group ---------------------------------------------------------------------------------


def _rows(results: Sequence[Result], table: Table) -> Iterator[Judged]:
    """All of them, then whatever splits them: whose they are, which deck, which source, which session."""
    yield judged("all", "everybody", results)
    people = _parts(results, lambda one: one.whose if one.whose is None else table.whose(one.whose))
    decks = _parts(results, lambda one: one.deck)
    yield from _judged(
        "player", people, lambda who: "nobody in particular" if who is None else table.shown(who)
    )
    if len(decks) > 1 and not _same(people.values(), decks.values()):
        yield from _judged("deck", decks, lambda deck: _deck(deck, table))
    for of_, parts, called in (
        ("source", _parts(results, lambda one: one.source), SOURCES.__getitem__),
        ("session", _parts(results, lambda one: one.session), _session),
    ):
        if len(parts) > 1:
            yield from _judged(of_, parts, called)


def _deck(deck: str, table: Table) -> str:
    """A deck by whose it is; one that is nobody's by its own name."""
    name = deck.partition(":")[2] or deck
    if not name.isdecimal():
        return f"deck {name}"
    return f"{owning(table.shown(int(name)))} deck"


def _session(number: int | None) -> str:
    return "before the first session" if number is None else f"session {number}"


Parts = dict[Any, list[Result]]


def _parts(results: Iterable[Result], key: Callable[[Result], Hashable]) -> Parts:
    parts: Parts = {}
    for one in results:
        parts.setdefault(key(one), []).append(one)
    return parts


def _same(some: Iterable[list[Result]], others: Iterable[list[Result]]) -> bool:
    """True if both split the results alike, so that one of them says nothing new."""
    return list(some) == list(others)


def _judged(of_: str, parts: Parts, called: Callable[[Any], str]) -> Iterator[Judged]:
    for key, results in parts.items():
        yield judged(of_, called(key), results)


# --- judging ----------------------------------------------------------------------------------------------


def judged(of_: str, name: str, results: Sequence[Result]) -> Judged:
    """These results held against the odds of what they came from; there is at least one."""
    n, total = len(results), sum(one.value for one in results)
    pools = Counter(one.pool for one in results)
    each = [pool.mean_and_variance(many) for pool, many in pools.items()]
    mean = sum((one for one, _ in each), Fraction(0))
    exact = _exact(total, pools)
    variance = sum((one for _, one in each), Fraction(0))
    chance = nearly_as_far_off(total, mean, variance) if exact is None else float(exact)
    said = say(n, chance, total - mean)
    return Judged(
        of_,
        name,
        n,
        round(total / n, 4),
        round(float(mean / n), 4),
        float(f"{chance:.4g}"),
        exact is not None,
        said,
    )


def _exact(total: int, pools: Counter[Pool]) -> Fraction | None:
    """The exact chance of a total as far off; None where working it out would take too long."""
    sizes = [pool.size(many) for pool, many in pools.items()]
    if (sum(apart for apart, _ in sizes) + 1) * sum(bits for _, bits in sizes) > LARGEST:
        return None
    alike = Counter(pool.odds(many) for pool, many in pools.items())
    return reduce(add, (times(one, many) for one, many in alike.items()), NOTHING).as_far_off(total)


def say(n: int, chance: float, off: Fraction) -> str:
    """What may honestly be said of n results that are `off` their expected total with that chance."""
    if n < ENOUGH and chance >= VERY_SELDOM:
        return TOO_FEW
    if chance >= SELDOM:
        return "as chance has it"
    side = "higher" if off > 0 else "lower"
    far = "far " if chance < VERY_SELDOM else ""
    return f"{far}{side} than mostly: {one_in(chance)}"


def one_in(chance: float) -> str:
    """A small chance as one run in so many."""
    many = round(1 / chance) if chance > 1e-9 else None  # noqa: PLR2004 -- beyond it nobody reads the number
    return "1 run in more than a thousand million" if many is None else f"1 run in {many:,}"


# --- showing ----------------------------------------------------------------------------------------------


def _faces(results: Sequence[Result]) -> Iterator[Face]:
    """Every label that might have come up, the lowest first."""
    pools = Counter(one.pool for one in results)
    expected: dict[str, Fraction] = {}
    for pool, many in pools.items():
        for label, share in pool.shares.items():
            expected[label] = expected.get(label, Fraction(0)) + many * share
    seen = Counter(one.label for one in results)
    for label, hoped in expected.items():
        yield Face(label, seen[label], round(float(hoped), 2))


def _sheet(group: Group) -> Sheet:
    rows = tuple(
        Row(
            (one.of, one.name),
            (
                one.name,
                str(one.n),
                _mean(one.mean, share=group.share),
                _mean(one.expected, share=group.share),
                ("" if one.exact else "≈ ") + chance_told(one.chance),
                one.said,
            ),
        )
        for one in group.rows
    )
    return Sheet(f"{group.system}: {group.what}", _COLUMNS, rows, (group.about,))


_COLUMNS: Final = ("Whose", "How many", "Mean", "Expected", "As far off", "Which is")


def _mean(mean: float, *, share: bool) -> str:
    return f"{mean:.0%}" if share else f"{mean:.2f}"


def chance_told(chance: float) -> str:
    """A chance as people read it, small ones with a decimal."""
    return "under 0.1%" if chance < 0.001 else f"{chance:.1%}" if chance < 0.1 else f"{chance:.0%}"  # noqa: PLR2004 -- figures that are read


def _is_drawn(group: Group) -> bool:
    """True if a picture says anything: bars of a few results look like luck, whatever stands above them."""
    return group.rows[0].said != TOO_FEW and len(group.faces) <= MOST_BARS


def _chart(group: Group) -> Chart:
    bars = tuple(
        Bar(
            face.label,
            face.seen,
            f"{face.seen}, expected {face.expected:.1f} ({face.seen - face.expected:+.1f})",
            face.expected,
        )
        for face in group.faces
    )
    return Chart(f"{group.system}: {group.what}, how often each came up", "times", bars)


def _cautions(luck: Luck) -> Iterator[str]:
    """What may be made of all this, and what not."""
    rows = [one for group in luck.groups for one in group.rows]
    if rows:
        yield (
            "As far off: the chance that fair dice and well shuffled cards come out at least as far from what"
            " is expected, to either side."
            + ("" if all(one.exact for one in rows) else " It is exact, save after ≈ (normal approximation).")
        )
        yield "High is not always lucky; whether a game wanted it high is not counted."
    if len(rows) > 1:
        yield (
            f"{len(rows)} rows are held against chance here: about 1 in 20 of such rows looks odd with"
            " nothing wrong."
        )
    if luck.uncounted:
        cards = "1 card is" if luck.uncounted == 1 else f"{luck.uncounted} cards are"
        yield f"{cards} not counted: nobody wrote down the whole hand."
