"""What Bruise knows now: sheets and decks that outlive a conflict, hands and results within one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from journal.capabilities import Deck, Purse
from journal.decks import french
from journal.decks.pile import DISCARD, Pile
from journal.shelves import kept, put_up, state_of
from journal.systems.bruise import events as b
from journal.systems.bruise.rules import Potential, Wheel
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

NAME = "bruise"
ATTRIBUTES = ("clubs", "spades", "hearts", "diamonds")


@dataclass(slots=True)
class Sheet:
    """One character: traits by key, which of them are memes, the Wheel, Karma and Legacy."""

    traits: dict[str, int] = field(default_factory=dict)
    memes: set[str] = field(default_factory=set)
    doula: int | None = None
    wheel: Wheel = field(default_factory=Wheel)
    karma: dict[Potential, int] = field(default_factory=lambda: dict.fromkeys(Potential, 5))
    legacy: int = 0


@dataclass(slots=True)
class Shelf:
    """What outlives a conflict: everybody's sheet and every deck, by whose it is."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    piles: dict[int, Pile] = field(default_factory=dict)

    def sheet(self, person: int) -> Sheet:
        """The sheet of `person`, a new one if they have none."""
        return self.sheets.setdefault(person, Sheet())

    def points(self) -> Iterable[Purse]:
        """Karma against the Wheel's ratings, and Legacy."""
        for person, sheet in self.sheets.items():
            for potential in Potential:
                yield Purse(person, potential.value, sheet.karma[potential], sheet.wheel.rating(potential))
            yield Purse(person, "legacy", sheet.legacy)

    def decks(self) -> Iterable[Deck]:
        """Every deck drawn from."""
        for owner, pile in self.piles.items():
            holders = sorted({who for holders in pile.out.values() for who in holders} - {DISCARD}, key=int)
            hands = tuple((int(who), pile.held(who)) for who in holders)
            yield Deck(
                "Tale Weaver" if owner == GM else "own",
                owner,
                len(pile.cards),
                len(pile.left()),
                hands,
                pile.held(DISCARD),
                pile.cards,
            )

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        for pile in self.piles.values():
            pile.check()


@dataclass(slots=True)
class Hand:
    """What somebody drew this turn."""

    cards: list[str]
    due: int


@dataclass(slots=True)
class Shown:
    """A Quality that is locked, and a Quantity where the cards were not written down."""

    quality: int
    quantity: int | None


@dataclass(slots=True)
class Result:
    """One hand won."""

    winner: int
    loser: int
    quality: int
    against: int
    quantity: int | None
    colours: tuple[str, ...]
    colour: str | None
    told: bool = False


@dataclass(slots=True)
class Play:
    """One conflict, turn by turn."""

    turn: int = 1
    tied_to: Potential | None = None
    declared: set[int] = field(default_factory=set)
    hands: dict[int, Hand] = field(default_factory=dict)
    shown: dict[int, Shown] = field(default_factory=dict)
    spent: dict[int, int] = field(default_factory=dict)
    due: dict[int, int] = field(default_factory=dict)
    ties: list[tuple[int, int]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """True once this turn has come out; the next declaration or draw begins another."""
        return bool(self.results) and not self.ties and not self.due


def shelf(table: Table) -> Shelf:
    """What Bruise keeps on this table, to be read; an empty shelf where it was never played."""
    return kept(table, NAME, Shelf)


def _own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    return put_up(table, NAME, Shelf)


def sheet_of(table: Table, person: int) -> Sheet:
    """The sheet of `person`, to be read; an empty one if they have none."""
    return shelf(table).sheets.get(person) or Sheet()


def play(conflict: OpenConflict) -> Play:
    """The state of a Bruise conflict."""
    return state_of(conflict, Play)


def deck_of(table: Table, person: int) -> int:
    """Whose deck `person` draws from: their player's; the Tale Weaver's for a side without a sheet."""
    somebody = table.people[person]
    if somebody.player is not None:
        return somebody.player
    return GM if somebody.role == "side" else person


def new_pile(table: Table) -> Pile:
    """A full deck, with as many jokers as the table plays with."""
    return Pile(french.deck(int(table.option(NAME, "jokers", "0"))))


def gather(pile: Pile, conflict: OpenConflict) -> None:
    """Every card goes back into the deck, save those held in another conflict."""
    people = {str(person) for person in conflict.people}
    holders = {who for holding in pile.out.values() for who in holding}
    pile.gather(keep=tuple(holders - people - {DISCARD}))


def rank_name(quality: int) -> str:
    """How a table calls a Quality: A, K, Q, J or the number; 0 for no card that counts."""
    return {14: "A", 13: "K", 12: "Q", 11: "J", 1: "A"}.get(quality, str(quality))


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = _own(table).sheet(event.person)
    for key, value in event.values.items():
        _set_trait(sheet, key, value)


def _set_trait(sheet: Sheet, key: str, value: int | str | None) -> None:
    if key == "doula":
        sheet.doula = value if isinstance(value, int) else None
        return
    trait = key.removeprefix("meme.")
    sheet.traits.pop(trait, None)
    sheet.memes.discard(trait)
    if isinstance(value, int):
        sheet.traits[trait] = value
        if trait != key:
            sheet.memes.add(trait)


def _opened(table: Table, event: e.ConflictOpened) -> None:
    tied = event.setup.get("tied")
    table.conflicts[event.conflict].state = Play(tied_to=Potential(str(tied)) if tied else None)
    _own(table)


def _declared(table: Table, event: e.Declared) -> None:
    play(table.conflicts[event.conflict or 0]).declared.add(event.who)


def _cards_drawn(table: Table, event: e.CardsDrawn) -> None:
    state = play(table.conflicts[event.conflict or 0])
    owner = deck_of(table, event.who)
    pile = _own(table).piles.setdefault(owner, new_pile(table))
    for card in event.cards:
        if card != french.UNSEEN:
            pile.take(card, str(event.who))
    if event.purpose == "karma":
        state.hands[event.who].cards.extend(event.cards)
    else:
        state.hands[event.who] = Hand(list(event.cards), len(event.cards))
    state.due.pop(event.who, None)


def _karma_spent(table: Table, event: b.KarmaSpent) -> None:
    state = play(table.conflicts[event.conflict])
    state.spent[event.who] = state.spent.get(event.who, 0) + 1
    pile = shelf(table).piles[deck_of(table, event.who)]
    for card in event.discarded:
        state.hands[event.who].cards.remove(card)
        if card != french.UNSEEN:
            pile.discard(card, str(event.who))
    _own(table).sheet(event.who).karma[Potential(event.potential)] = event.left


def _quality_declared(table: Table, event: b.QualityDeclared) -> None:
    state = play(table.conflicts[event.conflict])
    state.shown[event.who] = Shown(event.quality, event.quantity)
    state.due.pop(event.who, None)


def _hands_tied(table: Table, event: b.HandsTied) -> None:
    state = play(table.conflicts[event.conflict])
    if not event.redraw:
        state.ties.append((event.one, event.other))
        return
    for person in (event.one, event.other):
        hand = state.hands.pop(person, None)
        state.shown.pop(person, None)
        state.due[person] = hand.due if hand else state.due.get(person, 0)
        pile = shelf(table).piles.get(deck_of(table, person))
        for card in hand.cards if hand and pile else ():
            if card != french.UNSEEN and pile:
                pile.discard(card, str(person))


def _hand_won(table: Table, event: b.HandWon) -> None:
    state = play(table.conflicts[event.conflict])
    pair = {event.winner, event.loser}
    state.ties = [tie for tie in state.ties if set(tie) != pair]
    state.results.append(
        Result(
            event.winner,
            event.loser,
            event.quality,
            event.against,
            event.quantity,
            event.colours,
            event.colours[0] if len(event.colours) == 1 else None,
        )
    )


def _color_chosen(table: Table, event: b.ColorChosen) -> None:
    for result in play(table.conflicts[event.conflict]).results:
        if result.winner == event.who:
            result.colour = event.colour


def _narrated(table: Table, event: e.Narrated) -> None:
    conflict = table.conflicts[event.conflict or 0]
    for result in play(conflict).results:
        if event.who in narrators(table, result.winner):
            result.told = True


def narrators(table: Table, winner: int) -> tuple[int, ...]:
    """Who may tell what `winner` won: they themselves, or the Tale Weaver for one who has no player."""
    return (winner,) if table.people[winner].player is not None else (winner, GM)


def _turn_ended(table: Table, event: b.TurnEnded) -> None:
    conflict = table.conflicts[event.conflict]
    conflict.state = Play(turn=event.turn + 1, tied_to=play(conflict).tied_to)
    for pile in shelf(table).piles.values():
        gather(pile, conflict)


def _legacy_awarded(table: Table, event: b.LegacyAwarded) -> None:
    _own(table).sheet(event.who).legacy = event.total


def _wheel_tilted(table: Table, event: b.WheelTilted) -> None:
    sheet = _own(table).sheet(event.who)
    sheet.wheel = Wheel(event.destiny, event.fate)
    sheet.karma = {Potential.DESTINY: event.karma_destiny, Potential.FATE: event.karma_fate}


def _karma_refilled(table: Table, event: b.KarmaRefilled) -> None:
    for person in event.people:
        sheet = _own(table).sheet(person)
        sheet.karma = {potential: sheet.wheel.rating(potential) for potential in Potential}


def _number_set(table: Table, event: b.NumberSet) -> None:
    sheet = _own(table).sheet(event.who)
    if event.what == "legacy":
        sheet.legacy = event.value
    else:
        sheet.karma[Potential(event.what.removeprefix("karma "))] = event.value


def _nothing(table: Table, event: Event) -> None:
    """What it says stands in the events that follow it."""


EVOLVE: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.ConflictOpened: _opened,
    e.Declared: _declared,
    e.CardsDrawn: _cards_drawn,
    e.Narrated: _narrated,
    b.TraitsAssigned: _nothing,
    b.KarmaSpent: _karma_spent,
    b.QualityDeclared: _quality_declared,
    b.HandsTied: _hands_tied,
    b.HandWon: _hand_won,
    b.ColorChosen: _color_chosen,
    b.TurnEnded: _turn_ended,
    b.LegacyAwarded: _legacy_awarded,
    b.WheelTilted: _wheel_tilted,
    b.KarmaRefilled: _karma_refilled,
    b.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
