"""Luck: what chance gave, by player, deck, source and session, held against the exact odds of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from journal.decks.chance import Provenance
from journal.decks.odds import LARGEST, Odds, nearly_as_far_off, times
from journal.games import OURS
from journal.systems import SYSTEMS
from journal.table import Table
from projections.plain.ink import owning
from projections.statistics.chart import Bar, Chart
from projections.statistics.counted import counted_of
from projections.statistics.results import Results, Shape, Sort, Tally
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
    results = gathered.told(session)
    uncounted = sum(many for number, many in gathered.uncounted.items() if session in (None, number))
    sorts: dict[tuple[str | None, str], list[tuple[Sort, Tally]]] = {}
    for sort, tally in results:
        sorts.setdefault((sort.system, sort.what), []).append((sort, tally))
    order = sorted(sorts.items(), key=lambda sort: (_place(sort[0][0]), sort[0][1]))
    return Luck(
        tuple(_group(system, what, _Drawn(gathered, tuple(found)), table) for (system, what), found in order),
        uncounted,
    )


class _Drawn(NamedTuple):
    """Some results, sort by sort, and what they came from."""

    gathered: Results
    sorts: Sequence[tuple[Sort, Tally]]

    def parts(self, key: Callable[[Sort], Hashable]) -> Mapping[Any, _Drawn]:
        """They by what is alike in them, in the order in which that came first."""
        parts: dict[Any, list[tuple[Sort, Tally]]] = {}
        for one in self.sorts:
            parts.setdefault(key(one[0]), []).append(one)
        return {alike: self._replace(sorts=tuple(found)) for alike, found in parts.items()}

    @property
    def tallies(self) -> Sequence[Tally]:
        """How many of each sort there are."""
        return [tally for _, tally in self.sorts]

    def from_(self) -> Mapping[tuple[Shape, int], int]:
        """How many pools of a shape so many came from."""
        return self.gathered.drawn_from(self.tallies)


def _place(system: str | None) -> tuple[int, str]:
    """Where a system stands among others: the table before ours, and ours before guests."""
    place = -1 if system is None else OURS.index(system) if system in OURS else len(OURS)
    return place, system or ""


def _group(system: str | None, what: str, results: _Drawn, table: Table) -> Group:
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


def _rows(results: _Drawn, table: Table) -> Iterator[Judged]:
    """All of them, then whatever splits them: whose they are, which deck, which source, which session."""
    yield judged("all", "everybody", results)
    people = results.parts(lambda one: one.whose if one.whose is None else table.whose(one.whose))
    decks = results.parts(lambda one: one.deck)
    yield from _judged(
        "player", people, lambda who: "nobody in particular" if who is None else table.shown(who)
    )
    if len(decks) > 1 and not _same(people.values(), decks.values()):
        yield from _judged("deck", decks, lambda deck: _deck(deck, table))
    for of_, parts, called in (
        ("source", results.parts(lambda one: one.source), SOURCES.__getitem__),
        ("session", results.parts(lambda one: one.session), _session),
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


def _same(some: Iterable[_Drawn], others: Iterable[_Drawn]) -> bool:
    """True if both split the results alike, so that one of them says nothing new."""
    return [[sort for sort, _ in one.sorts] for one in some] == [
        [sort for sort, _ in one.sorts] for one in others
    ]


def _judged(of_: str, parts: Mapping[Any, _Drawn], called: Callable[[Any], str]) -> Iterator[Judged]:
    for key, results in parts.items():
        yield judged(of_, called(key), results)


# --- judging ----------------------------------------------------------------------------------------------


def judged(of_: str, name: str, results: _Drawn) -> Judged:
    """These results held against the odds of what they came from; there is at least one."""
    n, total = sum(one.n for one in results.tallies), sum(one.total for one in results.tallies)
    pools = results.from_()
    mean, variance = Fraction(0), Fraction(0)
    for (shape, many), alike in pools.items():
        mean_of, variance_of = shape.mean_and_variance(many)
        mean, variance = mean + alike * mean_of, variance + alike * variance_of
    exact = _exact(total, pools)
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


def _exact(total: int, pools: Mapping[tuple[Shape, int], int]) -> Fraction | None:
    """The exact chance of a total as far off; None where working it out would take too long."""
    apart, bits = 0, 0.0
    for (shape, many), alike in pools.items():
        apart_of, bits_of = shape.size(many)
        apart, bits = apart + alike * apart_of, bits + alike * bits_of
    if (apart + 1) * bits > LARGEST:
        return None
    alike_odds: Counter[Odds] = Counter()
    for (shape, many), alike in pools.items():
        alike_odds[shape.odds(many)] += alike
    return reduce(add, (times(one, many) for one, many in alike_odds.items())).as_far_off(total)


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


def _faces(results: _Drawn) -> Iterator[Face]:
    """Every label that might have come up, the lowest first."""
    expected: dict[str, Fraction] = {}
    for (shape, many), alike in results.from_().items():
        for label, share in shape.shares.items():
            expected[label] = expected.get(label, Fraction(0)) + alike * many * share
    seen: Counter[str] = Counter()
    for tally in results.tallies:
        seen.update(tally.labels)
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
