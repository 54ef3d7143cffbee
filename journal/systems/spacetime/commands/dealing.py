"""Cards leave the one deck, which is shuffled when it runs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from journal.decks import spacetime
from journal.decks.pile import DISCARD, Pile
from journal.decks.spacetime import EXCUSE, Card
from journal.names import fold
from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands.rounds import shuffled
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.state import DECK, make_whole, place
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

UPRIGHT: Final = "upright"
REVERSED: Final = "reversed"

Purpose = Literal["flow", "narration", "obstacle", "challenge"]


class Dealing(Struct, frozen=True):
    """Cards leaving the deck within one act, and the shuffles that takes."""

    situation: Situation
    pile: Pile
    events: list[Event]
    lying: tuple[str, ...] = ()
    """Which way each card comes to lie, as its drawer said before looking; none if nobody did."""

    def cards(self, who: int, n: int, purpose: Purpose, *, excuse: bool = True) -> tuple[str, ...]:
        """The next `n` cards for `who`; where the deck runs out it is made whole, and the drawing goes on."""
        drawn: list[str] = []
        while len(drawn) < n:
            some = self._from_deck(n - len(drawn), excuse=excuse)
            for card in some:
                self.pile.take(card, place(self.situation.here.id, who))
            self.events.append(
                e.CardsDrawn(conflict=self.situation.here.id, who=who, deck=DECK, cards=some, purpose=purpose)
            )
            drawn += some
        return tuple(drawn)

    def discard_excuse(self, who: int) -> None:
        """The Excuse goes to the discards."""
        conflict = self.situation.here.id
        self.pile.discard(EXCUSE, place(conflict, who))
        self.events.append(s.ExcuseDiscarded(conflict=conflict, who=who))

    def replace_excuse(self, who: int) -> None:
        """Another card for the Excuse, for the telling only, and never the Excuse again."""
        self.cards(who, 1, "narration", excuse=False)

    def _from_deck(self, n: int, *, excuse: bool) -> tuple[str, ...]:
        left = self._left(excuse=excuse)
        if not left:
            make_whole(self.pile, chosen(self.situation.table, "blank_cards"))
            self.events.append(shuffled(self.situation.here.id, "the deck ran out"))
            left = self._left(excuse=excuse)
        if not left:
            raise Refused("Every card lies on the table: end a round or a conflict first.")
        ways, many = self._ways(left), min(n, len(left))
        if self.lying:
            turned = self.lying[len(self.situation.luck.taken) % len(self.lying)] == REVERSED
            ways, many = tuple(str(Card.of(card).turned(reversed=turned)) for card in left), 1
        try:
            return self.situation.luck.draw(DECK, ways, many, identity=spacetime.upright)
        except Refused as refusal:
            raise self._told_by_name(refusal) from None

    def _left(self, *, excuse: bool) -> tuple[str, ...]:
        return tuple(card for card in self.pile.left() if excuse or card != EXCUSE)

    def _ways(self, left: Sequence[str]) -> tuple[str, ...]:
        """Which ways the cards may come to lie, by the table's option."""
        match chosen(self.situation.table, "orientation"):
            case "random":
                return spacetime.both_ways(left)
            case "chosen" if self.situation.luck.called:
                return spacetime.both_ways(left)
            case _:
                return tuple(left)

    def _told_by_name(self, refusal: Refused) -> Refused:
        """The refusal in people's names where the card is out already."""
        card = getattr(refusal, "result", None)
        if not isinstance(card, str) or not self.situation.luck.called:
            return refusal
        upright = spacetime.upright(card)
        where = self.pile.out.get(upright, ("",))[-1]
        if where:
            lies = "among the discards" if where == DISCARD else f"before {self._name_at(where)}"
            return Refused(f"{upright} is out already: it lies {lies}.")
        given = {spacetime.upright(taken.result) for taken in self.situation.luck.taken}
        if upright in given and upright != EXCUSE:
            return Refused(f"{upright} was given twice: a card lies in one place.")
        return self._not_so(card, upright)

    def _name_at(self, where: str) -> str:
        return self.situation.name(int(where.rpartition(":")[2]))

    def _not_so(self, card: str, upright: str) -> Refused:
        """Why a card that is not out cannot be drawn."""
        if upright == EXCUSE:
            return Refused("The Excuse does not stand in for the Excuse: draw again.")
        if upright in self.pile.cards and upright != card:
            return Refused(f"At this table cards are always upright (orientation=ignored): write {upright}.")
        if upright in spacetime.deck("suits"):
            return Refused(f"{upright} is a blank, and this deck has none (option blank_cards=suits).")
        return Refused(
            f"{card} is no card of this deck: write T14, Excuse or unknown:ruler, and :r if reversed."
        )


def said_to_lie(situation: Situation, command: c.Draw, due: int) -> tuple[str, ...]:
    """Which way the cards that are due lie, by their drawer's word: of each, or once of all."""
    said = tuple(fold(trait) for trait in command.traits)
    if not said:
        return ()
    if not set(said) <= {UPRIGHT, REVERSED}:
        raise Refused("Here one draws by number: draw NAME, or draw for everybody.")
    if chosen(situation.table, "orientation") != "chosen":
        raise Refused("How a card lies is not its drawer's to say here (option orientation=chosen).")
    if situation.luck.called:
        raise Refused("A card that is named says itself how it lies: T14, or T14:r reversed.")
    if len(said) not in (1, due):
        each = "+".join(((UPRIGHT, REVERSED) * due)[:due])
        raise Refused(f"Say once how all lie, or of each card that is due ({due}), such as: {each}.")
    return said


def one_at_a_time(command: c.Draw) -> None:
    """Refuses a draw of several cards, where each is looked at before the next."""
    if command.count not in (None, 1):
        raise Refused("Here one card is drawn at a time: draw NAME.")


def cards_were(number: int) -> str:
    """`1 card was`, or `2 cards were`."""
    return "1 card was" if number == 1 else f"{number} cards were"
