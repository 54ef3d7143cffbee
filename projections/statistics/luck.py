"""Luck: what chance gave, by player, deck, source and session, held against the exact odds of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.decks.chance import Provenance
from journal.decks.odds import LARGEST, Odds, approximate_tail, sum_of_copies, weighted_odds
from journal.games import BUILT_IN
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from projections.plain.ink import owning
from projections.reading import Moment
from projections.statistics.counted import counted_of
from projections.statistics.results import Results, Shape, Sort, Tally
from projections.views.sheet import Bar, Chart, Row, Sheet, plain

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
            sheets = [Sheet("Luck", _LUCK_COLUMNS, ())]
        if sheets:
            sheets[-1] = replace(sheets[-1], notes=(*sheets[-1].notes, *_cautions(self)))
        return tuple(sheets)

    def charts(self) -> tuple[Chart, ...]:
        """How often each value came up, where there are enough results and not too many values to be seen."""
        return tuple(_chart(group) for group in self.groups if _is_drawn(group))


def judge_luck(gathered: Results, table: Table, session: int | None = None) -> Luck:
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
    place = -1 if system is None else BUILT_IN.index(system) if system in BUILT_IN else len(BUILT_IN)
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
    chance = approximate_tail(total, mean, variance) if exact is None else float(exact)
    said = verdict(n, chance, total - mean)
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
    return reduce(add, (sum_of_copies(one, many) for one, many in alike_odds.items())).as_far_off(total)


def verdict(n: int, chance: float, off: Fraction) -> str:
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
    return Sheet(f"{group.system}: {group.what}", _LUCK_COLUMNS, rows, (group.about,))


_LUCK_COLUMNS: Final = ("Whose", "How many", "Mean", "Expected", "Chance", "Verdict")


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
            "Chance: of fair dice and well shuffled cards to come out at least this far from the expected"
            " mean, above or below."
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


_MOVE_COLUMNS: Final = ("Result", "Came", "Expected", "Chance", "Verdict")
_HOW: Final = (
    "Expected is what the dice of these very throws promise, by their stats and what they were against."
)


class Came(NamedTuple):
    """One result of a move: how often it came, how often it was to be expected, and how far off that is.

    `chance` is that of coming at least as far from what is expected, to either side.
    """

    result: str
    came: int
    expected: float
    chance: float
    said: str


class Made(NamedTuple):
    """One move of a game: how often it was made, and each of its results."""

    game: str
    move: str
    n: int
    results: tuple[Came, ...]


@dataclass(frozen=True, slots=True)
class MoveResults:
    """Every move, in the order they were first made; `uncounted` throws promise nothing that can be said."""

    moves: tuple[Made, ...]
    uncounted: int

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {"moves": plain(self.moves), "uncounted": self.uncounted}

    def sheets(self) -> tuple[Sheet, ...]:
        """A table for each move."""
        without = f" {self.uncounted} more could not be held against any odds." if self.uncounted else ""
        return tuple(
            Sheet(f"{one.game}: {one.move} ({one.n})", _MOVE_COLUMNS, tuple(map(_row, one.results)), notes)
            for place, one in enumerate(self.moves, 1)
            for notes in [(f"{_HOW}{without}",) if place == len(self.moves) else ()]
        )

    def charts(self) -> tuple[Chart, ...]:
        """How often each result came, of moves that were made often enough to see anything."""
        return tuple(
            Chart(
                f"{one.game}: {one.move}, how often each result came", "times", tuple(map(_bar, one.results))
            )
            for one in self.moves
            if one.n >= ENOUGH
        )


def _row(one: Came) -> Row:
    cells = (one.result, str(one.came), f"{one.expected:.2f}", chance_told(one.chance), one.said)
    return Row((one.result,), cells)


def _bar(one: Came) -> Bar:
    off = f"{one.came}, expected {one.expected:.1f} ({one.came - one.expected:+.1f})"
    return Bar(one.result, one.came, off, one.expected)


class _Thrown(NamedTuple):
    """A move as it was made: what it came to, and the number of the odds it had."""

    system: str
    move: str
    result: str
    odds: int
    session: int | None


class Moves(Struct):
    """Gathers moves, moment by moment; what they come to stands after what the dice came to."""

    thrown: dict[_Thrown, int] = field(default_factory=dict)
    """How often each was made so."""
    odds: list[dict[str, tuple[int, int]]] = field(default_factory=list)
    """How likely each result was: so many ways of so many."""
    uncounted: dict[int | None, int] = field(default_factory=dict)
    reached: e.TotalReached | None = None

    def hear(self, moment: Moment, session: int | None) -> None:
        """What this moment says of a move, if anything; one without a result is none yet."""
        event = moment.event
        if isinstance(event, e.TotalReached):
            self.reached = replace(event, text=None)
        system = event.kind.partition(".")[0]
        counted = None if system == "table" else counted_of(system).moves
        if counted is None or type(event) not in counted.made or self.reached is None:
            return
        move, result = counted.result(event)
        chances = {} if result is None else counted.chances(moment.table, event, self.reached)
        if result is not None and chances.get(result):
            thrown = _Thrown(system, move, result, self._odds(chances), session)
            self.thrown[thrown] = self.thrown.get(thrown, 0) + 1
        elif result is not None:
            self.uncounted[session] = self.uncounted.get(session, 0) + 1

    def _odds(self, chances: Mapping[str, Fraction]) -> int:
        """The number of these odds, whose results stand in the same order."""
        odds = {result: chance.as_integer_ratio() for result, chance in chances.items()}
        known = (number for number, one in enumerate(self.odds) if list(one.items()) == list(odds.items()))
        number = next(known, len(self.odds))
        if number == len(self.odds):
            self.odds.append(odds)
        return number

    def made(self, table: Table, session: int | None = None) -> MoveResults:
        """All moves of one session or of all, under what games are called at that table."""
        moves: dict[tuple[str, str], list[tuple[_Thrown, int]]] = {}
        for one, many in self.thrown.items():
            if session in (None, one.session):
                moves.setdefault((one.system, one.move), []).append((one, many))
        uncounted = sum(many for number, many in self.uncounted.items() if session in (None, number))
        odds = [{result: Fraction(*chance) for result, chance in one.items()} for one in self.odds]
        return MoveResults(
            tuple(
                _made(SYSTEMS[system].called(table), move, thrown, odds)
                for (system, move), thrown in moves.items()
            ),
            uncounted,
        )


_Odds = Sequence[Mapping[str, Fraction]]


def _made(game: str, move: str, thrown: Sequence[tuple[_Thrown, int]], odds: _Odds) -> Made:
    results = dict.fromkeys(result for one, _ in thrown for result in odds[one.odds])
    n = sum(many for _, many in thrown)
    return Made(game, move, n, tuple(_came(result, thrown, odds) for result in results))


def _came(result: str, thrown: Sequence[tuple[_Thrown, int]], odds: _Odds) -> Came:
    """How often a result came, against as many throws each with its own odds of it."""
    came = sum(many for one, many in thrown if one.result == result)
    likely: Counter[Fraction] = Counter()
    for one, many in thrown:
        likely[odds[one.odds].get(result, Fraction(0))] += many
    expected = sum((chance * many for chance, many in likely.items()), Fraction(0))
    chance = _as_far_off(came, expected, likely)
    said = (
        verdict(likely.total(), chance, came - expected).replace("higher", "more").replace("lower", "fewer")
    )
    return Came(result, came, round(float(expected), 4), float(f"{chance:.4g}"), said)


def _as_far_off(came: int, expected: Fraction, likely: Counter[Fraction]) -> float:
    """The chance of coming as far off, exactly, or nearly where that would take too long."""
    bits = sum(many * chance.denominator.bit_length() for chance, many in likely.items())
    if bits * (likely.total() + 1) > LARGEST:
        variance = sum((many * chance * (1 - chance) for chance, many in likely.items()), Fraction(0))
        return approximate_tail(came, expected, variance)
    each = (
        sum_of_copies(weighted_odds({0: chance.denominator - chance.numerator, 1: chance.numerator}), many)
        for chance, many in likely.items()
    )
    return float(reduce(add, each).as_far_off(came))
