"""Luck: totals of dice and cards compared with exact odds, by player, deck, source and session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.counting import counted
from retold.journal.decks.chance import Provenance
from retold.journal.decks.odds import Odds, approximate_tail, is_narrow, rounded_sum, weighted_odds
from retold.journal.games import BUILT_IN
from retold.journal.grouping import grouped
from retold.journal.possessives import possessive
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.projections.reading import Moment
from retold.projections.statistics.counted import counted_of
from retold.projections.statistics.results import Results, Shape, Sort, Tally
from retold.projections.statistics.statistic import Statistic
from retold.projections.views.sheet import Bar, Chart, Row, Sheet

ENOUGH: Final = 30
"""Minimum number of results for a verdict, unless the deviation is very unlikely."""
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
    """A row of the luck table: results of one player, deck, source or session, compared with their odds.

    `chance` is the two-sided probability of a mean at least as far from the expected one: if `exact`,
    to four digits and from 1e-30 on; else by normal approximation. `share` is True where means are shares.
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
    """Results of one die or card type in a game: judged as a whole, by player, deck, source and session."""

    system: str
    what: str
    about: str
    share: bool
    rows: tuple[Judged, ...]
    faces: tuple[Face, ...]


class Face(NamedTuple):
    """Observed and expected number of times that one die face or card came up."""

    label: str
    seen: int
    expected: float


class Luck(Statistic, frozen=True):
    """Statistics of luck, by die or card type; `uncounted` is the number of cards without known odds."""

    groups: tuple[Group, ...]
    uncounted: int

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns a table for each die or card type; the last has notes on how to read them."""
        sheets = [_sheet(group) for group in self.groups]
        if self.uncounted and not sheets:
            sheets = [Sheet("Luck", _LUCK_COLUMNS, ())]
        if sheets:
            sheets[-1] = replace(sheets[-1], notes=(*sheets[-1].notes, *_cautions(self)))
        return tuple(sheets)

    def charts(self) -> tuple[Chart, ...]:
        """Returns charts of how often each value came up.

        A group is left out if it has too few results, or more than `MOST_BARS` values.
        """
        return tuple(
            _chart(group)
            for group in self.groups
            if group.rows[0].said != TOO_FEW and len(group.faces) <= MOST_BARS
        )


def judge_luck(gathered: Results, table: Table, session: int | None = None) -> Luck:
    """Returns results of one session (of the whole branch if None) compared with odds.

    `table` supplies names.
    """
    uncounted = sum(many for number, many in gathered.uncounted.items() if session in (None, number))
    sorts = grouped(((sort.system, sort.what), (sort, tally)) for sort, tally in gathered.told(session))
    order = sorted(sorts.items(), key=lambda sort: (_place(sort[0][0]), sort[0][1]))
    return Luck(
        tuple(_group(system, what, _Drawn(gathered, tuple(found)), table) for (system, what), found in order),
        uncounted,
    )


class _Drawn(NamedTuple):
    """Results grouped by their keys, and the collection that knows the dice and decks they came from."""

    gathered: Results
    sorts: Sequence[tuple[Sort, Tally]]

    def parts(self, key: Callable[[Sort], Hashable]) -> Mapping[Any, _Drawn]:
        """Returns the results split by `key`, in order of first appearance."""
        parts = grouped((key(sort), (sort, tally)) for sort, tally in self.sorts)
        return {alike: self._replace(sorts=tuple(found)) for alike, found in parts.items()}

    @property
    def tallies(self) -> Sequence[Tally]:
        """Tallies (counts and sums) of these results."""
        return [tally for _, tally in self.sorts]

    def from_(self) -> Mapping[tuple[Shape, int], int]:
        """Returns numbers of pools (dice, decks), by their shape and how many results each pool gave."""
        return self.gathered.drawn_from(self.tallies)


def _place(system: str | None) -> tuple[int, str]:
    """Returns a sort key for games: dice outside games first, then built-in games, then guests' games."""
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
    """Yields rows of the luck table: all results, then by player, deck, source and session.

    Decks, sources and sessions are left out if there is only one; decks also if they match the players.
    """
    yield judged("all", "everybody", results)
    people = results.parts(lambda sort: sort.whose if sort.whose is None else table.whose(sort.whose))
    decks = results.parts(lambda sort: sort.deck)
    yield from _judged(
        "player", people, lambda who: "nobody in particular" if who is None else table.shown(who)
    )
    if len(decks) > 1 and not _same(people.values(), decks.values()):
        yield from _judged("deck", decks, lambda deck: _deck(deck, table))
    for of_, parts, called in (
        ("source", results.parts(lambda sort: sort.source), SOURCES.__getitem__),
        (
            "session",
            results.parts(lambda sort: sort.session),
            lambda number: "before the first session" if number is None else f"session {number}",
        ),
    ):
        if len(parts) > 1:
            yield from _judged(of_, parts, called)


def _deck(deck: str, table: Table) -> str:
    """Returns a deck's name: its owner's (`Ana's deck`), or its own without an owner."""
    name = deck.partition(":")[2] or deck
    return f"deck {name}" if not name.isdecimal() else f"{possessive(table.shown(int(name)))} deck"


def _same(some: Iterable[_Drawn], others: Iterable[_Drawn]) -> bool:
    """True if two ways to split results (such as by player and by deck) give equal parts."""
    return [[sort for sort, _ in part.sorts] for part in some] == [
        [sort for sort, _ in part.sorts] for part in others
    ]


def _judged(of_: str, parts: Mapping[Any, _Drawn], called: Callable[[Any], str]) -> Iterator[Judged]:
    for key, results in parts.items():
        yield judged(of_, called(key), results)


# --- judging ----------------------------------------------------------------------------------------------


def judged(of_: str, name: str, results: _Drawn) -> Judged:
    """Returns results (at least one) compared with the odds of the dice or decks they came from."""
    n, total = sum(tally.n for tally in results.tallies), sum(tally.total for tally in results.tallies)
    pools = results.from_()
    mean, variance = Fraction(0), Fraction(0)
    for (shape, many), alike in pools.items():
        mean_of, variance_of = shape.mean_and_variance(many)
        mean, variance = mean + alike * mean_of, variance + alike * variance_of
    is_exact = is_narrow(sum(alike * shape.width(many) for (shape, many), alike in pools.items()), variance)
    chance = (
        float(_odds(pools).as_far_off(total, mean)) if is_exact else approximate_tail(total, mean, variance)
    )
    judgement = verdict(n, chance, total - mean)
    return Judged(
        of_,
        name,
        n,
        round(total / n, 4),
        round(float(mean / n), 4),
        float(f"{chance:.4g}"),
        is_exact,
        judgement,
    )


def _odds(pools: Mapping[tuple[Shape, int], int]) -> Odds:
    odds: Counter[Odds] = Counter()
    for (shape, many), alike in pools.items():
        odds[shape.odds(many)] += alike
    return rounded_sum(frozenset(odds.items()))


def verdict(n: int, chance: float, off: Fraction) -> str:
    """Returns a verdict such as `far higher than mostly: 1 run in 250` on `n` results.

    Their total deviates by `off` from the expected one; `chance` is the probability of such a deviation.
    """
    if n < ENOUGH and chance >= VERY_SELDOM:
        return TOO_FEW
    if chance >= SELDOM:
        return "as chance has it"
    side = "higher" if off > 0 else "lower"
    far = "far " if chance < VERY_SELDOM else ""
    return f"{far}{side} than mostly: {one_in(chance)}"


def one_in(chance: float) -> str:
    """Returns a small chance as text: 0.004 → `1 run in 250`."""
    many = round(1 / chance) if chance > 1e-9 else None  # noqa: PLR2004 -- a larger number is not informative
    return "1 run in more than a thousand million" if many is None else f"1 run in {many:,}"


# --- showing ----------------------------------------------------------------------------------------------


def _faces(results: _Drawn) -> Iterator[Face]:
    """Yields how often each face or card came up, and how often expected, lowest value first."""
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
            (judgement.of, judgement.name),
            (
                judgement.name,
                str(judgement.n),
                _mean(judgement.mean, share=group.share),
                _mean(judgement.expected, share=group.share),
                ("" if judgement.exact else "≈ ") + chance_told(judgement.chance),
                judgement.said,
            ),
        )
        for judgement in group.rows
    )
    return Sheet(f"{group.system}: {group.what}", _LUCK_COLUMNS, rows, (group.about,))


_LUCK_COLUMNS: Final = ("Whose", "How many", "Mean", "Expected", "Chance", "Verdict")


def _mean(mean: float, *, share: bool) -> str:
    return f"{mean:.0%}" if share else f"{mean:.2f}"


def chance_told(chance: float) -> str:
    """Returns a chance as a percentage: `12%`, `4.2%`, `under 0.1%`."""
    return "under 0.1%" if chance < 0.001 else f"{chance:.1%}" if chance < 0.1 else f"{chance:.0%}"  # noqa: PLR2004 -- significant digits


def _chart(group: Group) -> Chart:
    bars = tuple(_frequency(*face) for face in group.faces)
    return Chart(f"{group.system}: {group.what}, how often each came up", "times", bars)


def _frequency(label: str, seen: int, expected: float) -> Bar:
    """Returns a bar for how often `label` came up, with a mark for the expected number."""
    return Bar(label, seen, f"{seen}, expected {expected:.1f} ({seen - expected:+.1f})", expected)


def _cautions(luck: Luck) -> Iterator[str]:
    """Yields notes on how to read the luck tables."""
    rows = [judgement for group in luck.groups for judgement in group.rows]
    if rows:
        yield (
            "Chance: how likely fair dice and well shuffled cards are to come out at least this far from the"
            " expected mean, above or below it."
            + (
                ""
                if all(judgement.exact for judgement in rows)
                else " It is exact, save after ≈ (normal approximation, off by less than one percentage"
                " point)."
            )
        )
        yield "High is not always lucky; whether a game wanted it high is not counted."
    if len(rows) > 1:
        yield (
            f"{len(rows)} rows are held against chance here: about 1 in 20 of such rows looks odd with"
            " nothing wrong."
        )
    if luck.uncounted:
        cards = counted(luck.uncounted, "card is", "cards are")
        yield f"{cards} not counted: nobody wrote down the whole hand."


_MOVE_COLUMNS: Final = ("Result", "Came", "Expected", "Chance", "Verdict")
_HOW: Final = (
    "Expected is what the dice of these very throws promise, by their stats and what they were against."
)


class Came(NamedTuple):
    """A result of a move: how often it came, how often expected, and the chance of that deviation.

    `chance` is the two-sided probability of a frequency at least as far from the expected one.
    """

    result: str
    came: int
    expected: float
    chance: float
    said: str

    def row(self) -> Row:
        """Returns this result as a table row."""
        chance = chance_told(self.chance)
        return Row.keyed((self.result,), str(self.came), f"{self.expected:.2f}", chance, self.said)


class Made(NamedTuple):
    """A move of a game: number of throws (`n`), and how often each result came."""

    game: str
    move: str
    n: int
    results: tuple[Came, ...]


class MoveResults(Statistic, frozen=True):
    """Statistics of moves, in order of first use; `uncounted` is the number of throws without known odds."""

    moves: tuple[Made, ...]
    uncounted: int

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns a table of results for each move."""
        without = f" {self.uncounted} more could not be held against any odds." if self.uncounted else ""
        sheets = [
            Sheet.listing(f"{move.game}: {move.move} ({move.n})", _MOVE_COLUMNS, move.results)
            for move in self.moves
        ]
        return (*sheets[:-1], *(replace(last, notes=(f"{_HOW}{without}",)) for last in sheets[-1:]))

    def charts(self) -> tuple[Chart, ...]:
        """Returns charts of how often each result came, for moves with at least `ENOUGH` throws."""
        return tuple(
            Chart(
                f"{move.game}: {move.move}, how often each result came",
                "times",
                tuple(_frequency(result.result, result.came, result.expected) for result in move.results),
            )
            for move in self.moves
            if move.n >= ENOUGH
        )


class _Thrown(NamedTuple):
    """Key of counted throws: game, move, result, odds (an index into `Moves.odds`) and session."""

    system: str
    move: str
    result: str
    odds: int
    session: int | None


class Moves(Struct):
    """Counts results of moves, event by event; a move's event follows the total of its dice."""

    thrown: dict[_Thrown, int] = field(default_factory=dict)
    """Number of throws, by move, result and odds."""
    odds: list[dict[str, tuple[int, int]]] = field(default_factory=list)
    """Probability of each result, as numerator and denominator."""
    uncounted: dict[int | None, int] = field(default_factory=dict)
    reached: e.TotalReached | None = None

    def hear(self, moment: Moment, session: int | None) -> None:
        """Counts the event if it is a move with a result; remembers the dice total before it."""
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
        """Returns the index of these odds in `odds`; appends them if new."""
        odds = {result: chance.as_integer_ratio() for result, chance in chances.items()}
        known = (
            number
            for number, known_odds in enumerate(self.odds)
            if list(known_odds.items()) == list(odds.items())
        )
        number = next(known, len(self.odds))
        if number == len(self.odds):
            self.odds.append(odds)
        return number

    def made(self, table: Table, session: int | None = None) -> MoveResults:
        """Returns statistics of moves in one session (in all if None); `table` supplies names of games."""
        moves = grouped(
            ((throw.system, throw.move), (throw, many))
            for throw, many in self.thrown.items()
            if session in (None, throw.session)
        )
        uncounted = sum(many for number, many in self.uncounted.items() if session in (None, number))
        odds = [{result: Fraction(*chance) for result, chance in chances.items()} for chances in self.odds]
        return MoveResults(
            tuple(
                _made(SYSTEMS[system].called(table), move, thrown, odds)
                for (system, move), thrown in moves.items()
            ),
            uncounted,
        )


_Odds = Sequence[Mapping[str, Fraction]]


def _made(game: str, move: str, thrown: Sequence[tuple[_Thrown, int]], odds: _Odds) -> Made:
    results = dict.fromkeys(result for throw, _ in thrown for result in odds[throw.odds])
    n = sum(many for _, many in thrown)
    return Made(game, move, n, tuple(_came(result, thrown, odds) for result in results))


def _came(result: str, thrown: Sequence[tuple[_Thrown, int]], odds: _Odds) -> Came:
    """Returns how often `result` came, compared with the odds of each throw."""
    came = sum(many for throw, many in thrown if throw.result == result)
    likely: Counter[Fraction] = Counter()
    for throw, many in thrown:
        likely[odds[throw.odds].get(result, Fraction(0))] += many
    expected = sum((chance * many for chance, many in likely.items()), Fraction(0))
    chance = _as_far_off(came, expected, likely)
    judgement = (
        verdict(likely.total(), chance, came - expected).replace("higher", "more").replace("lower", "fewer")
    )
    return Came(result, came, round(float(expected), 4), float(f"{chance:.4g}"), judgement)


def _as_far_off(came: int, expected: Fraction, likely: Counter[Fraction]) -> float:
    """Returns the two-sided chance of a deviation so large; approximate if an exact one takes too long."""
    variance = sum((many * chance * (1 - chance) for chance, many in likely.items()), Fraction(0))
    if not is_narrow(likely.total(), variance):
        return approximate_tail(came, expected, variance)
    odds = frozenset(
        (weighted_odds({0: chance.denominator - chance.numerator, 1: chance.numerator}), many)
        for chance, many in likely.items()
    )
    return float(rounded_sum(odds).as_far_off(came, expected))
