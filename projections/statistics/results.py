"""Random results on a branch: dice faces and cards, each with the dice or the deck from which it came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from retold.journal.decks import dice
from retold.journal.decks import odds as odds_
from retold.journal.decks.chance import Provenance
from retold.journal.decks.odds import NOTHING, Odds
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.projections.reading import Moment
from retold.projections.statistics.counted import Cards, counted_of


class Dice(Struct, frozen=True, dict=True, tag=True):
    """Dice whose faces make one result: a single die, or the fudge dice of one roll."""

    sizes: tuple[int, ...]

    @cached_property
    def one(self) -> Odds:
        """Odds of one result: the sum of these dice."""
        return sum((odds_.equal_odds(map(dice.face_value, dice.faces(size))) for size in self.sizes), NOTHING)

    def odds(self, n: int) -> Odds:
        """Returns the rounded odds of the sum of `n` independent results."""
        return odds_.sum_of_copies(self.one, n, is_rounded=True)

    def mean_and_variance(self, n: int) -> tuple[Fraction, Fraction]:
        """Returns mean and variance of the sum of `n` results, without computing its odds."""
        return n * self.one.mean, n * self.one.variance

    def width(self, n: int) -> int:
        """Returns the range of the sum of `n` results."""
        return n * (len(self.one.ways) - 1)

    @cached_property
    def shares(self) -> Mapping[str, Fraction]:
        """Probability of each result as text (`6`), lowest value first."""
        return {str(value): self.one.chance(value) for value, _ in self.one.each()}


class Lay(Struct, frozen=True, dict=True, tag=True):
    """A deck's cards after its last shuffle (values and labels, lowest first), drawn without replacement."""

    values: tuple[int, ...]
    labels: tuple[str, ...]

    def odds(self, n: int) -> Odds:
        """Returns the odds of the sum of `n` cards drawn without replacement."""
        return odds_.sum_drawn(self.values, n)

    def mean_and_variance(self, n: int) -> tuple[Fraction, Fraction]:
        """Returns mean and variance of the sum of `n` cards, without computing its odds."""
        return odds_.mean_and_variance_of_draw(self.values, n)

    def width(self, n: int) -> int:
        """Returns the range of the sum of `n` cards."""
        return n * (max(self.values) - min(self.values))

    @cached_property
    def shares(self) -> Mapping[str, Fraction]:
        """Probability of each card label, lowest value first."""
        return {label: Fraction(many, len(self.values)) for label, many in Counter(self.labels).items()}


Shape = Dice | Lay
"""Source of random results."""


class Sort(NamedTuple):
    """Key under which results are counted together: game, die or card type, player, source, session, deck."""

    system: str | None
    what: str
    whose: int | None
    source: Provenance
    session: int | None
    deck: str


class Tally(Struct):
    """Counts of results with one key: number, sum, times each label came, times each pool was drawn from."""

    n: int = 0
    total: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    pools: dict[int, int] = field(default_factory=dict)

    def take(self, result: _Result) -> None:
        """Adds one result to number, sum, label frequencies and pools; changes this tally."""
        self.n += 1
        self.total += result.value
        self.labels[result.label] = self.labels.get(result.label, 0) + 1
        self.pools[result.pool] = self.pools.get(result.pool, 0) + 1


class _Result(NamedTuple):
    """A die face or card: key, value, label, and index of the pool (dice or deck) it came from."""

    sort: Sort
    value: int
    label: str
    pool: int


class _Deck(Struct):
    """A deck in use: its pool's index, and the cards left in it."""

    pool: int
    left: dict[str, int]


class Results(Struct):
    """Collects dice faces and cards, event by event."""

    tallies: dict[Sort, Tally] = field(default_factory=dict)
    uncounted: dict[int | None, int] = field(default_factory=dict)
    """Number of cards from incompletely recorded hands, by session."""
    shapes: list[Shape] = field(default_factory=list)
    pools: list[int] = field(default_factory=list)
    """Index into `shapes` of each pool: one pool for dice of a size, one for each shuffle of a deck."""
    dice: dict[str, int] = field(default_factory=dict)
    decks: dict[str, _Deck] = field(default_factory=dict)
    act: str = ""
    system: str | None = None
    waiting: list[_Result] = field(default_factory=list)
    """Results of the current act; those outside conflicts may yet be assigned to a game."""

    def told(self, session: int | None = None) -> Sequence[tuple[Sort, Tally]]:
        """Returns the tallies of dice and cards of one session, or of every session if `session` is None.

        Each comes as a pair: its key (game, die or card, player, source, session, deck), and the tally.
        """
        self._settle()
        return [(sort, tally) for sort, tally in self.tallies.items() if session in (None, sort.session)]

    def drawn_from(self, tallies: Iterable[Tally]) -> Mapping[tuple[Shape, int], int]:
        """Returns numbers of pools (dice, decks), by their shape and how many results each pool gave."""
        pools: Counter[int] = Counter()
        for tally in tallies:
            pools.update(tally.pools)
        alike = Counter((self.pools[pool], pools[pool]) for pool in sorted(pools))
        return {(self.shapes[shape], many): times for (shape, many), times in alike.items()}

    def hear(self, moment: Moment, session: int | None) -> None:
        """Collects the event's dice faces or cards, if any."""
        event = moment.event
        self._follow(moment)
        if isinstance(event, e.DiceRolled):
            self._rolled(moment, event, session)
        elif isinstance(event, e.CardsDrawn):
            self._drawn(moment, event, session)

    def _follow(self, moment: Moment) -> None:
        """Assigns dice thrown outside a conflict to the game of another event of the same act (command)."""
        if moment.envelope.act != self.act:
            self._settle()
            self.act, self.system = moment.envelope.act, None
        game = moment.event.kind.partition(".")[0]
        if game in SYSTEMS:
            self.system = game
            self.waiting = [
                result if result.sort.system else result._replace(sort=result.sort._replace(system=game))
                for result in self.waiting
            ]

    def _settle(self) -> None:
        for result in self.waiting:
            self.tallies.setdefault(result.sort, Tally()).take(result)
        self.waiting.clear()

    def _rolled(self, moment: Moment, event: e.DiceRolled, session: int | None) -> None:
        conflict = moment.table.conflicts.get(event.conflict or 0)
        system = self.system if conflict is None else conflict.system
        whose = None if event.who is None else player_of(moment.table, event.who)
        for what, sizes, value, source in _counted_together(event, _sources(moment, len(event.faces))):
            if what not in self.dice:
                self.dice[what] = self._pool(Dice(sizes))
            sort = Sort(system, what, whose, source, session, what)
            self.waiting.append(_Result(sort, value, str(value), self.dice[what]))

    def _drawn(self, moment: Moment, event: e.CardsDrawn, session: int | None) -> None:
        system = event.deck.partition(":")[0]
        cards = counted_of(system).cards
        if cards is None:
            return
        drawn = [cards.name(card) for card in event.cards]
        lay = cards.lay(moment.table, event)
        if not lay or Counter(drawn) - Counter(lay):
            self.decks.pop(event.deck, None)
            if lay is None:
                self.uncounted[session] = self.uncounted.get(session, 0) + len(drawn)
            return
        deck = self._deck(event.deck, cards, moment.table, lay)
        deck.left = dict(Counter(deck.left) - Counter(drawn))
        whose = player_of(moment.table, event.who)
        for card, source in zip(drawn, _sources(moment, len(drawn)), strict=True):
            value, label = cards.value(moment.table, card), cards.label(card)
            sort = Sort(system, cards.what, whose, source, session, event.deck)
            self.waiting.append(_Result(sort, value, label, deck.pool))

    def _deck(self, name: str, cards: Cards, table: Table, lay: Sequence[str]) -> _Deck:
        """Returns deck `name` if the cards left in it are those of `lay`; else a new deck of these cards."""
        found = self.decks.get(name)
        left = dict(Counter(lay))
        if found is None or found.left != left:
            values, labels = zip(
                *sorted((cards.value(table, card), cards.label(card)) for card in lay), strict=True
            )
            found = self.decks[name] = _Deck(self._pool(Lay(values, labels)), left)
        return found

    def _pool(self, shape: Shape) -> int:
        """Adds a pool (dice or a shuffled deck) of this shape, and returns its index."""
        if shape not in self.shapes:
            self.shapes.append(shape)
        self.pools.append(self.shapes.index(shape))
        return len(self.pools) - 1


def _counted_together(
    event: e.DiceRolled, sources: Sequence[Provenance]
) -> Iterator[tuple[str, tuple[int, ...], int, Provenance]]:
    """Yields name, sizes, value and source of each die in a roll; fudge dice count together as one result."""
    sizes = dice.parse_sizes(event.dice)
    if sizes and set(sizes) == {dice.FUDGE}:
        yield dice.dice_text(sizes), sizes, sum(event.faces), sources[0]
        return
    for size, face, source in zip(sizes, event.faces, sources, strict=True):
        yield dice.die_name(size), (size,), face, source


def _sources(moment: Moment, n: int) -> tuple[Provenance, ...]:
    return moment.envelope.luck or (Provenance.IMPORTED,) * n


def player_of(table: Table, person: int) -> int:
    """Returns the number of the player of `person`; `person` itself if no player is known."""
    known = table.people.get(person)
    return person if known is None or known.player is None else known.player
