"""What chance decided on a line: every die and card that nobody chose, with what else might have come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from math import comb, log2
from typing import NamedTuple, Protocol

from journal.decks import dice
from journal.decks import odds as odds_
from journal.decks.chance import Provenance
from journal.decks.odds import NOTHING, Odds
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from projections.reading import Moment
from projections.statistics.counted import Cards, counted_of


class Pool(Protocol):
    """What results came from."""

    def odds(self, n: int) -> Odds:
        """The odds of the sum of n results."""
        ...

    def mean_and_variance(self, n: int) -> tuple[Fraction, Fraction]:
        """Those of the same sum, without working its odds out."""
        ...

    def size(self, n: int) -> tuple[int, float]:
        """How far apart the totals of the same sum can be, and the binary logarithm of its ways."""
        ...

    @property
    def shares(self) -> Mapping[str, Fraction]:
        """The chance of each label, the label of the lowest value first."""
        ...


@dataclass(frozen=True)
class Dice:
    """Dice that are counted together: one die, or fudge dice that make one roll."""

    sizes: tuple[int, ...]

    @cached_property
    def one(self) -> Odds:
        """The odds of one result."""
        return sum((odds_.of_values(map(dice.value, dice.faces(size))) for size in self.sizes), NOTHING)

    def odds(self, n: int) -> Odds:
        """Each on its own."""
        return odds_.times(self.one, n)

    def mean_and_variance(self, n: int) -> tuple[Fraction, Fraction]:
        """Those of n such."""
        return n * self.one.mean, n * self.one.variance

    def size(self, n: int) -> tuple[int, float]:
        """Those of n such."""
        return n * (len(self.one.ways) - 1), n * log2(self.one.total)

    @cached_property
    def shares(self) -> Mapping[str, Fraction]:
        """The chance of each value."""
        return {str(value): self.one.chance(value) for value, _ in self.one.each()}


@dataclass(frozen=True)
class Lay:
    """A deck as it lay when its cards were last put together; `number` tells one such lay from the next."""

    number: int
    values: tuple[int, ...]
    labels: tuple[str, ...]

    def odds(self, n: int) -> Odds:
        """Of n cards, none of which goes back."""
        return odds_.drawn(tuple(sorted(self.values)), n)

    def mean_and_variance(self, n: int) -> tuple[Fraction, Fraction]:
        """Those of n cards, none of which goes back."""
        return odds_.mean_and_variance_drawn(self.values, n)

    def size(self, n: int) -> tuple[int, float]:
        """Those of n cards."""
        return n * (max(self.values) - min(self.values)), log2(comb(len(self.values), n))

    @cached_property
    def shares(self) -> Mapping[str, Fraction]:
        """The share of the deck that each label has."""
        by_value = sorted(zip(self.values, self.labels, strict=True))
        counts = Counter(label for _, label in by_value)
        return {label: Fraction(many, len(self.values)) for label, many in counts.items()}


class Result(NamedTuple):
    """One result: its value and label, whose luck it was, how it came to be known, and from what."""

    system: str | None
    what: str
    value: int
    label: str
    whose: int | None
    source: Provenance
    session: int | None
    deck: str
    pool: Pool


@dataclass(slots=True)
class _Deck:
    """A deck that is being drawn from: its lay, and the cards that are left of it."""

    lay: Lay
    left: Counter[str]


@dataclass(slots=True)
class Results:
    """Gathers results, moment by moment."""

    every: list[Result] = field(default_factory=list)
    uncounted: Counter[int | None] = field(default_factory=Counter)
    """By session, the cards of hands that nobody wrote down in full."""
    _decks: dict[str, _Deck] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)
    _act: str = ""
    _system: str | None = None
    _loose: int = 0
    """How many of the last results belong to no conflict, and to an act that names no game yet."""

    def hear(self, moment: Moment, session: int | None) -> None:
        """What chance decided at this moment, if anything."""
        event = moment.event
        self._follow(moment)
        if isinstance(event, e.DiceRolled):
            self._rolled(moment, event, session)
        elif isinstance(event, e.CardsDrawn):
            self._drawn(moment, event, session)

    def _follow(self, moment: Moment) -> None:
        """Dice outside a conflict are a game's where anything else in their act is."""
        if moment.envelope.act != self._act:
            self._act, self._system, self._loose = moment.envelope.act, None, 0
        game = moment.event.kind.partition(".")[0]
        if game in SYSTEMS:
            self._system = game
            for place in range(len(self.every) - self._loose, len(self.every)):
                self.every[place] = self.every[place]._replace(system=game)
            self._loose = 0

    def _rolled(self, moment: Moment, event: e.DiceRolled, session: int | None) -> None:
        conflict = moment.table.conflicts.get(event.conflict or 0)
        system = self._system if conflict is None else conflict.system
        whose = None if event.who is None else player_of(moment.table, event.who)
        found = [
            Result(system, what, value, str(value), whose, source, session, what, pool)
            for what, pool, value, source in _counted_together(event, _sources(moment, len(event.faces)))
        ]
        self.every += found
        self._loose += len(found) if system is None else 0

    def _drawn(self, moment: Moment, event: e.CardsDrawn, session: int | None) -> None:
        system = event.deck.partition(":")[0]
        cards = counted_of(system).cards
        if cards is None:
            return
        drawn = [cards.name(card) for card in event.cards]
        lay = cards.lay(moment.table, event)
        if not lay or Counter(drawn) - Counter(lay):
            self._decks.pop(event.deck, None)
            self.uncounted[session] += len(drawn) if lay is None else 0
            return
        deck = self._deck(event.deck, cards, moment.table, lay)
        deck.left -= Counter(drawn)
        whose = player_of(moment.table, event.who)
        for card, source in zip(drawn, _sources(moment, len(drawn)), strict=True):
            value, label = cards.value(moment.table, card), cards.label(card)
            self.every.append(
                Result(system, cards.what, value, label, whose, source, session, event.deck, deck.lay)
            )

    def _deck(self, name: str, cards: Cards, table: Table, lay: Sequence[str]) -> _Deck:
        """The deck as it lay before, where all that is gone from it has been drawn; else a new lay of it."""
        found = self._decks.get(name)
        if found is None or found.left != Counter(lay):
            values = tuple(cards.value(table, card) for card in lay)
            fresh = Lay(next(self._numbers), values, tuple(map(cards.label, lay)))
            found = self._decks[name] = _Deck(fresh, Counter(lay))
        return found


def _counted_together(
    event: e.DiceRolled, sources: Sequence[Provenance]
) -> Iterator[tuple[str, Pool, int, Provenance]]:
    """Each die by itself; fudge dice as the one roll they make."""
    sizes = dice.parse(event.dice)
    if sizes and set(sizes) == {dice.FUDGE}:
        yield dice.text(sizes), _dice(sizes), sum(event.faces), sources[0]
        return
    for size, face, source in zip(sizes, event.faces, sources, strict=True):
        yield dice.name(size), _dice((size,)), face, source


@cache
def _dice(sizes: tuple[int, ...]) -> Dice:
    return Dice(sizes)


def _sources(moment: Moment, n: int) -> tuple[Provenance, ...]:
    return moment.envelope.luck or (Provenance.IMPORTED,) * n


def player_of(table: Table, person: int) -> int:
    """Who plays somebody, as far as the record knows; else they themselves."""
    known = table.people.get(person)
    return person if known is None or known.player is None else known.player
