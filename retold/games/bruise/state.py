"""Game state of Bruise: sheets and decks of the campaign; hands and results of a conflict's current turn.

Card piles use place keys: `conflict:person` for cards in a hand, `conflict:thrown` for discarded cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from retold.game import (
    GM,
    Deck,
    Event,
    Handler,
    OpenConflict,
    Picture,
    Pile,
    Row,
    StateAccess,
    Table,
    Words,
    french,
)
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise.options import NAME, chosen
from retold.games.bruise.rules import Potential, Wheel

_THROWN: Final = "thrown"


def deck_of(table: Table, person: int) -> int:
    """Returns the owner of the deck that `person` draws from: their player's id, or 0 for the Tale Weaver."""
    player = table.people[person].player
    return GM if player is None else player


def deck_name(owner: int) -> str:
    """Returns the recorded name of the deck with this owner: `bruise:3` for owner 3."""
    return f"{NAME}:{owner}"


def owner_of(deck: str) -> int:
    """Returns the owner's id in a deck's recorded name: 3 for `bruise:3`.

    Records made before 22 November 2026 name one deck per character.
    """
    return int(deck.removeprefix(f"{NAME}:"))


def hand_of(conflict: int, who: int) -> str:
    """Returns the place key of cards in a person's hand: `7:3` for person 3 in conflict 7."""
    return f"{conflict}:{who}"


def heap_of(conflict: int) -> str:
    """Returns the place key of cards discarded in a conflict's current turn: `7:thrown` for conflict 7."""
    return f"{conflict}:{_THROWN}"


def conflict_at(place: str) -> int:
    """Returns the conflict id in a place key: 7 for `7:3`."""
    return int(place.partition(":")[0])


def person_at(place: str) -> int | None:
    """Returns the person's id in a hand's place key, 3 for `7:3`; None for discarded cards (`7:thrown`)."""
    who = place.rpartition(":")[2]
    return None if who == _THROWN else int(who)


def new_pile(table: Table) -> Pile:
    """Returns a new, complete deck, with as many jokers as the table option says."""
    return Pile(french.deck(chosen.number(table, "jokers")))


def pile_of(table: Table, piles: dict[int, Pile], owner: int) -> Pile:
    """Returns `owner`'s deck from `piles`; a new one if it is missing or complete.

    A new deck has as many jokers as the table option says now.
    """
    pile = piles.get(owner)
    return pile if pile is not None and pile.out else new_pile(table)


def take_card(pile: Pile, card: str, place: str) -> None:
    """Moves a card in `pile` from the deck to the place key `place`; unnamed cards (`_`) are ignored.

    In records made before 22 November 2026 the card may lie outside the deck: the end of a turn took back
    cards that its people held in other conflicts, and a deck kept the jokers it had begun with.
    """
    if card == french.UNSEEN:
        return
    if card in _EVERYWHERE and card not in pile.out:  # the common case
        pile.out[card] = (place,)
        return
    if card not in pile.cards:
        pile.cards = (*pile.cards, card)
    elif not pile.has(card):
        pile.out[card] = pile.out[card][1:]
    pile.take(card, place)


_EVERYWHERE: Final = frozenset(french.DECK)
"""Cards that every deck contains exactly once."""


def discard(pile: Pile, card: str, conflict: int, who: int) -> None:
    """Moves a card from a person's hand to the conflict's discarded cards, if it is in that hand."""
    place = hand_of(conflict, who)
    if place in pile.out.get(card, ()):
        pile.discard(card, place, heap_of(conflict))


def put_back(pile: Pile, place: str) -> None:
    """Moves the cards at the place key `place` back into the deck."""
    pile.gather(keep=tuple(_places(pile) - {place}))


def gather_cards(pile: Pile, conflicts: Collection[int]) -> None:
    """Moves cards back into the deck, except cards held or discarded in the conflicts with these ids."""
    if not conflicts:
        pile.gather()
        return
    pile.gather(keep=tuple(place for place in _places(pile) if conflict_at(place) in conflicts))


def _places(pile: Pile) -> set[str]:
    return {place for places in pile.out.values() for place in places}


ATTRIBUTES = ("clubs", "spades", "hearts", "diamonds")


class Sheet(Struct):
    """A character's sheet: ratings by trait, names of memes (rated beliefs), the Wheel, Karma and Legacy."""

    traits: dict[str, int] = field(default_factory=dict)
    memes: set[str] = field(default_factory=set)
    doula: int | None = None
    wheel: Wheel = field(default_factory=Wheel)
    karma: dict[Potential, int] = field(default_factory=lambda: dict.fromkeys(Potential, 5))
    legacy: int = 0
    on_the_wheel: bool = False
    """False for a player with only Legacy on record."""


class BruiseState(Struct):
    """Bruise's state for the whole campaign: sheets by person, and decks by owner (a player or 0)."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    piles: dict[int, Pile] = field(default_factory=dict)

    def sheet(self, person: int) -> Sheet:
        """Returns the sheet of `person` for changes; adds an empty one if they have none."""
        if person not in self.sheets:
            self.sheets[person] = Sheet()
        return self.sheets[person]

    def rows(self) -> Iterable[Row]:
        """Yields rows to display: Destiny and Fate points of each person, with their maximum, and Legacy."""
        for person, sheet in self.sheets.items():
            for potential in Potential if sheet.on_the_wheel else ():
                karma, rating = sheet.karma[potential], sheet.wheel.rating(potential)
                yield Row(person, potential.value, karma, rating, Picture.POINTS)
            yield Row(person, "legacy", sheet.legacy, picture=Picture.POINTS)

    def decks(self) -> Iterable[Deck]:
        """Yields each deck used so far, with its owner, cards left, hands and discarded cards."""
        for owner, pile in self.piles.items():
            yield Deck(
                "Tale Weaver" if owner == GM else "own",
                owner,
                len(pile.cards),
                pile.remaining,
                _hands(pile),
                _thrown(pile),
                pile.cards,
            )

    def check(self) -> None:
        """Raises ValueError if a deck has lost or doubled a card, counting cards in it and cards drawn."""
        for pile in self.piles.values():
            pile.check()


def _hands(pile: Pile) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Returns pairs of a person's id and their cards from this deck, in all conflicts, by ascending id."""
    held: dict[str, tuple[str, ...]] = {}
    for card, place in pile.lying():
        held[place] = (*held.get(place, ()), card)
    hands: dict[int, tuple[str, ...]] = {}
    for place in sorted(held):
        who = person_at(place)
        if who is not None:
            hands[who] = (*hands.get(who, ()), *held[place])
    return tuple(sorted(hands.items()))


def _thrown(pile: Pile) -> tuple[str, ...]:
    """Returns the discarded cards of this deck, in all conflicts."""
    return tuple(card for card, place in pile.lying() if person_at(place) is None)


class Hand(Struct):
    """A hand drawn this turn: its cards, the number drawn (`due`), and the id of the deck's owner.

    In a redraw, `due` cards are drawn again.
    """

    cards: list[str]
    due: int
    owner: int = GM


class ShownHand(Struct):
    """A hand that was shown: its Quality, and its Quantity if the holder stated one."""

    quality: int
    quantity: int | None


class Result(Struct):
    """One hand that beat another: both people, their Qualities, the winner's Quantity, and its colour.

    `colours` are the suits to choose from; `told` is True once the outcome has been narrated.
    """

    winner: int
    loser: int
    quality: int
    against: int
    quantity: int | None
    colours: tuple[str, ...]
    colour: str | None
    told: bool = False
    at: int = 0
    """Position of the event."""


class BruiseConflict(Struct):
    """State of one conflict in its current turn: declarations, hands, shown Qualities, ties and results."""

    turn: int = 1
    began: int = 0
    """Position of the event that began this turn."""
    length: Words | None = None
    """Length of this turn in the story; None if not said."""
    tied_to: Potential | None = None
    tied: dict[int, Potential | None] = field(default_factory=dict)
    """End of the Wheel by person, for people with an end of their own."""
    declared: set[int] = field(default_factory=set)
    hands: dict[int, Hand] = field(default_factory=dict)
    shown: dict[int, ShownHand] = field(default_factory=dict)
    spent: dict[int, int] = field(default_factory=dict)
    due: dict[int, int | None] = field(default_factory=dict)
    """People who redraw after a tie, with their number of cards; None for unrecorded hands."""
    ties: list[tuple[int, int]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    won_before: tuple[int, ...] = ()
    """Winners of the last turn in which a hand was won."""
    untold_before: dict[int, int] = field(default_factory=dict)
    """Winners of the last turn who have not narrated, with the position of their first win."""
    called_on: dict[int, list[str]] = field(default_factory=dict)
    """Memes and Karma used this turn, by person; their narration should include these."""
    late: set[int] = field(default_factory=set)
    """People who joined after a Quality was shown; they draw from the next turn on."""

    @property
    def over(self) -> bool:
        """True once hands were won and no tie or redraw is left.

        The next declaration or draw then begins a new turn.
        """
        return bool(self.results) and not self.ties and not self.due

    @property
    def compared(self) -> bool:
        """True once a hand was shown or compared in this turn."""
        return bool(self.shown or self.results or self.due)

    def winners(self) -> Iterator[int]:
        """Yields the winner of each hand of the last turn in which one was won."""
        return iter([result.winner for result in self.results] or self.won_before)

    def face_down(self) -> Iterator[tuple[int, int]]:
        """Yields (person's id, number of cards) for each person who holds unnamed cards (`_`)."""
        for who, hand in self.hands.items():
            if count := hand.cards.count(french.UNSEEN):
                yield who, count

    def end_of_wheel(self, who: int) -> Potential | None:
        """Returns Destiny or Fate, the kind of Karma that `who` can spend in this conflict, or None."""
        return self.tied.get(who, self.tied_to)

    def next_turn(self, began: int = 0) -> BruiseConflict:
        """Returns a new state for the next turn: no hands or results, the same ties to Destiny and Fate."""
        untold = {result.winner: result.at for result in reversed(self.results) if not result.told}
        return BruiseConflict(
            turn=self.turn + 1,
            began=began,
            tied_to=self.tied_to,
            tied=dict(self.tied),
            won_before=tuple(self.winners()),
            untold_before=untold,
        )


PLACE = StateAccess(NAME, BruiseState, BruiseConflict)
game_state, mutable_game_state, conflict_state, conflict_state_in = (
    PLACE.shelf,
    PLACE.own,
    PLACE.play,
    PLACE.play_in,
)


def sheet_of(table: Table, person: int) -> Sheet:
    """Returns the sheet of `person`, for reading only; a new empty sheet if they have none."""
    return game_state(table).sheets.get(person) or Sheet()


def sides_of(conflict: OpenConflict, state: BruiseConflict) -> e.Sides:
    """Returns the conflict's sides without people who joined too late for this turn.

    Sides left empty are dropped.
    """
    sides = (tuple(who for who in side if who not in state.late) for side in conflict.sides)
    return tuple(side for side in sides if side)


def narrators(table: Table, winner: int) -> tuple[int, ...]:
    """Returns the people who may narrate a win: the winner, and if no player plays them, the Tale Weaver."""
    return (winner,) if table.people[winner].player is not None else (winner, GM)


def rank_name(quality: int) -> str:
    """Returns a rank as written on cards: 14 and 1 → `A`, 12 → `Q`, 15 → `joker`, 9 → `9`, 0 → `0`."""
    return {15: "joker", 14: "A", 13: "K", 12: "Q", 11: "J", 1: "A"}.get(quality, str(quality))


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = mutable_game_state(table).sheet(event.person)
    sheet.on_the_wheel = True
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
    tied_to = Potential(str(tied)) if tied else None
    table.conflicts[event.conflict].state = BruiseConflict(began=table.position, tied_to=tied_to)
    for pile in mutable_game_state(table).piles.values():
        gather_cards(pile, table.conflicts)


def _declared(table: Table, event: e.Declared) -> None:
    conflict_state_in(table, event.conflict).declared.add(event.who)


def _joined(table: Table, event: e.Joined) -> None:
    state = conflict_state_in(table, event.conflict)
    if state.compared:
        state.late.update(event.people)


def _left(table: Table, event: e.Left) -> None:
    """Removes people who left, and their cards, from the turn's state; results of hands they won stay."""
    state = conflict_state_in(table, event.conflict)
    for who in event.people:
        for pile in game_state(table).piles.values():
            put_back(pile, hand_of(event.conflict, who))
        for kept in (state.hands, state.called_on, state.shown, state.spent, state.due, state.tied):
            kept.pop(who, None)
        state.declared.discard(who)
        state.late.discard(who)
    state.ties = [tie for tie in state.ties if not {*tie} & {*event.people}]
    conflict = table.conflicts[event.conflict]
    if state.results and len({conflict.side_of(who) for who in state.due}) == 1:
        state.due.clear()  # no opponent is left to draw against


def _traits_assigned(table: Table, event: b.TraitsAssigned) -> None:
    called = [] if event.meme is None else [f"the meme {event.meme}"]
    conflict_state_in(table, event.conflict).called_on[event.who] = called


def _cards_drawn(table: Table, event: e.CardsDrawn) -> None:
    state = conflict_state_in(table, event.conflict)
    owner = owner_of(event.deck)
    piles = mutable_game_state(table).piles
    pile = piles[owner] = pile_of(table, piles, owner)
    place = hand_of(event.conflict or 0, event.who)
    for card in event.cards:
        take_card(pile, card, place)
    if event.purpose == "karma":
        state.hands[event.who].cards.extend(event.cards)
    else:
        state.hands[event.who] = Hand(list(event.cards), len(event.cards), owner)
    state.due.pop(event.who, None)


def _karma_spent(table: Table, event: b.KarmaSpent) -> None:
    state = conflict_state_in(table, event.conflict)
    state.spent[event.who] = state.spent.get(event.who, 0) + 1
    state.called_on.setdefault(event.who, []).append(f"a point of {event.potential.capitalize()}")
    hand = state.hands[event.who]
    for card in event.discarded:
        hand.cards.remove(card)
        discard(game_state(table).piles[hand.owner], card, event.conflict, event.who)
    sheet = mutable_game_state(table).sheet(event.who)
    sheet.on_the_wheel = True
    sheet.karma[Potential(event.potential)] = event.left


def _quality_declared(table: Table, event: b.QualityDeclared) -> None:
    state = conflict_state_in(table, event.conflict)
    state.shown[event.who] = ShownHand(event.quality, event.quantity)
    state.due.pop(event.who, None)


def _hands_tied(table: Table, event: b.HandsTied) -> None:
    state = conflict_state_in(table, event.conflict)
    if not event.redraw:
        state.ties.append((event.one, event.other))
        return
    for person in (event.one, event.other):
        hand = state.hands.pop(person, None)
        state.shown.pop(person, None)
        state.spent.pop(person, None)
        state.due[person] = hand.due if hand else state.due.get(person)
        if hand:
            _throw_all(table, event.conflict, person, hand)


def _throw_all(table: Table, conflict: int, who: int, hand: Hand) -> None:
    for card in hand.cards:
        discard(game_state(table).piles[hand.owner], card, conflict, who)


def _hand_won(table: Table, event: b.HandWon) -> None:
    state = conflict_state_in(table, event.conflict)
    beaten = {result.loser for result in state.results if result.winner == event.winner} | {event.loser}
    state.ties = [tie for tie in state.ties if not {*tie} <= {event.winner, *beaten}]
    state.results.append(
        Result(
            event.winner,
            event.loser,
            event.quality,
            event.against,
            event.quantity,
            event.colours,
            event.colours[0] if len(event.colours) == 1 else None,
            at=table.position,
        )
    )


def _quantity_said(table: Table, event: b.QuantitySaid) -> None:
    for result in conflict_state_in(table, event.conflict).results:
        if (result.winner, result.loser) == (event.winner, event.loser):
            result.quantity = event.quantity


def _color_chosen(table: Table, event: b.ColorChosen) -> None:
    for result in conflict_state_in(table, event.conflict).results:
        if result.winner == event.who:
            result.colour = event.colour


def _narrated(table: Table, event: e.Narrated) -> None:
    conflict = table.conflicts[event.conflict or 0]
    for result in conflict_state(conflict).results:
        if event.who in narrators(table, result.winner):
            result.told = True


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    """Marks this turn's results of a vetoed narrator as not yet narrated.

    Does nothing for an edit, for a narration of an earlier turn, or for one outside this conflict.
    """
    conflict, last = table.conflicts[event.conflict or 0], table.narrations.get(event.whose)
    state = conflict_state(conflict)
    if event.how == "edit" or event.narration < state.began or last is None or last.conflict != conflict.id:
        return
    for result in state.results:
        if event.whose in narrators(table, result.winner):
            result.told = False


def _conflict_tied(table: Table, event: b.ConflictTied) -> None:
    state = conflict_state_in(table, event.conflict)
    potential = Potential(event.potential) if event.potential else None
    if event.people:
        state.tied |= dict.fromkeys(event.people, potential)
    else:
        state.tied_to, state.tied = potential, {}


def _turn_measured(table: Table, event: b.TurnMeasured) -> None:
    conflict_state_in(table, event.conflict).length = event.length


def _turn_ended(table: Table, event: b.TurnEnded) -> None:
    conflict = table.conflicts[event.conflict]
    conflict.state = conflict_state(conflict).next_turn(table.position)
    elsewhere = table.conflicts.keys() - {event.conflict}
    for pile in game_state(table).piles.values():
        gather_cards(pile, elsewhere)


def _legacy_awarded(table: Table, event: b.LegacyAwarded) -> None:
    mutable_game_state(table).sheet(event.who).legacy = event.total


def _wheel_tilted(table: Table, event: b.WheelTilted) -> None:
    sheet = mutable_game_state(table).sheet(event.who)
    sheet.on_the_wheel = True
    sheet.wheel = Wheel(event.destiny, event.fate)
    sheet.karma = {Potential.DESTINY: event.karma_destiny, Potential.FATE: event.karma_fate}


def _karma_refilled(table: Table, event: b.KarmaRefilled) -> None:
    for person in event.people:
        sheet = mutable_game_state(table).sheet(person)
        sheet.karma = {potential: sheet.wheel.rating(potential) for potential in Potential}


def _number_set(table: Table, event: b.NumberSet) -> None:
    sheet = mutable_game_state(table).sheet(event.who)
    if event.what == "legacy":
        sheet.legacy = event.value
    else:
        sheet.on_the_wheel = True
        sheet.karma[Potential(event.what.removeprefix("karma "))] = event.value


EVOLVE: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.ConflictOpened: _opened,
    e.Joined: _joined,
    e.Left: _left,
    e.Declared: _declared,
    e.CardsDrawn: _cards_drawn,
    e.Narrated: _narrated,
    e.NarrationOverruled: _narration_overruled,
    b.TraitsAssigned: _traits_assigned,
    b.KarmaSpent: _karma_spent,
    b.QualityDeclared: _quality_declared,
    b.HandsTied: _hands_tied,
    b.HandWon: _hand_won,
    b.QuantitySaid: _quantity_said,
    b.ColorChosen: _color_chosen,
    b.ConflictTied: _conflict_tied,
    b.TurnMeasured: _turn_measured,
    b.TurnEnded: _turn_ended,
    b.LegacyAwarded: _legacy_awarded,
    b.WheelTilted: _wheel_tilted,
    b.KarmaRefilled: _karma_refilled,
    b.NumberSet: _number_set,
}
"""Handlers by event class; a test checks that none is missing."""
