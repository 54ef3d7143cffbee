"""Moves: how often each result of a move came, beside how often its dice promise it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.decks.odds import LARGEST, nearly_as_far_off, times, weighed
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from projections.reading import Moment
from projections.statistics.chart import Bar, Chart
from projections.statistics.counted import counted_of
from projections.statistics.luck import ENOUGH, chance_told, say
from projections.views.sheet import Row, Sheet, plain

_COLUMNS: Final = ("Result", "Came", "Expected", "As far off", "Which is")
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
class Results:
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
            Sheet(f"{one.game}: {one.move} ({one.n})", _COLUMNS, tuple(map(_row, one.results)), notes)
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

    def made(self, table: Table, session: int | None = None) -> Results:
        """All moves of one session or of all, under what games are called at that table."""
        moves: dict[tuple[str, str], list[tuple[_Thrown, int]]] = {}
        for one, many in self.thrown.items():
            if session in (None, one.session):
                moves.setdefault((one.system, one.move), []).append((one, many))
        uncounted = sum(many for number, many in self.uncounted.items() if session in (None, number))
        odds = [{result: Fraction(*chance) for result, chance in one.items()} for one in self.odds]
        return Results(
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
    said = say(likely.total(), chance, came - expected).replace("higher", "more").replace("lower", "fewer")
    return Came(result, came, round(float(expected), 4), float(f"{chance:.4g}"), said)


def _as_far_off(came: int, expected: Fraction, likely: Counter[Fraction]) -> float:
    """The chance of coming as far off, exactly, or nearly where that would take too long."""
    bits = sum(many * chance.denominator.bit_length() for chance, many in likely.items())
    if bits * (likely.total() + 1) > LARGEST:
        variance = sum((many * chance * (1 - chance) for chance, many in likely.items()), Fraction(0))
        return nearly_as_far_off(came, expected, variance)
    each = (
        times(weighed({0: chance.denominator - chance.numerator, 1: chance.numerator}), many)
        for chance, many in likely.items()
    )
    return float(reduce(add, each).as_far_off(came))
