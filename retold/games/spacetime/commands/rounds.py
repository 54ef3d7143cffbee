"""Rounds of Space·Time: the round a command applies to, reading a Balance, and dealing cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from retold.game import DISCARD, Event, Pile, Refused, Situation, Table, find, normalise, triumphs
from retold.game import commands as c
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime.options import chosen
from retold.games.spacetime.rules import Balance, Level
from retold.games.spacetime.state import (
    DECK,
    Round,
    conflict_state,
    copied_pile,
    discard_cards,
    make_whole,
    place_of_cards,
)


class CurrentRound(Struct, frozen=True):
    """Round of cards that a command changes: the open round, or a new one after a decided round.

    `before` holds events to record first, such as the end of the old round; `pile` is a copy of the deck.
    """

    before: list[Event]
    round: Round
    pile: Pile

    @classmethod
    def of(cls, situation: Situation) -> CurrentRound:
        """Returns the open round; if it has its result already, the next round.

        The end of the old round is then in `before`, with a reshuffle if option `reshuffle` says so.
        """
        state = conflict_state(situation.here)
        pile = copied_pile(situation.table)
        if state.round.flow is None:
            return cls([], state.round, pile)
        before: list[Event] = [end_round(situation)]
        discard_cards(situation.table, pile, situation.here.id)
        if chosen(situation.table, "reshuffle") == "every_round":
            before.append(shuffle_deck(situation.here.id, "every round"))
            make_whole(situation.table, pile)
        return cls(before, Round(state.round.number + 1), pile)

    def dealt_from(self, situation: Situation) -> CurrentRound:
        """Returns this round with its deck reshuffled, if option `reshuffle` is `every_round`.

        Otherwise unchanged; so too if cards of the round are drawn already, or none is discarded.
        """
        challenge = conflict_state(situation.here).challenge
        first = not (self.round.hands or (challenge is not None and challenge.begun))
        stale = self.pile.held(DISCARD)
        if not (first and stale and chosen(situation.table, "reshuffle") == "every_round"):
            return self
        make_whole(situation.table, self.pile)
        return CurrentRound(
            [*self.before, shuffle_deck(situation.here.id, "every round")], self.round, self.pile
        )

    def stated(self, tactic: e.Declared, party: int) -> CurrentRound:
        """Returns a copy of this round with `tactic` recorded as the tactic of `party`."""
        round_ = self.round
        tactics = round_.tactics | {party}
        copied = Round(round_.number, tactics, dict(round_.hands), round_.excused, round_.replacement)
        return CurrentRound([*self.before, tactic], copied, self.pile)


def end_round(situation: Situation) -> s.RoundEnded:
    """Returns the event that ends the open round and discards its cards."""
    here = situation.here
    return s.RoundEnded(conflict=here.id, round=conflict_state(here).round.number)


def shuffle_deck(conflict: int | None, why: str) -> e.DeckShuffled:
    """Returns the event that shuffles the deck; `why` is its reason in words, such as "asked"."""
    return e.DeckShuffled(conflict=conflict, deck=DECK, why=why)


BALANCES: Final = "balanced|unbalanced:NAME|overwhelming:NAME"


def read_balance(situation: Situation, typed: str, sides: e.Sides) -> Balance:
    """Returns the Balance typed as text, such as `unbalanced:Reeve`; ids of people work too.

    Raises Refused for unknown levels and people, and for a favoured party that is missing or not allowed.
    """
    word, _, name = typed.partition(":")
    level = normalise(word)
    if level not in tuple(Level):
        raise Refused(f"A Balance is {BALANCES}, not {typed}.")
    if (level == Level.BALANCED) != (name == ""):
        sentence = "balanced favours nobody" if name else f"say whom it favours: {level}:NAME"
        raise Refused(f"A Balance is {BALANCES}; {sentence}.")
    if not name:
        return Balance()
    favoured = side_meant(situation, name, sides)
    return Balance(Level(level), next(side[0] for side in sides if favoured in side))


def side_meant(situation: Situation, typed: str, sides: e.Sides) -> int:
    """Returns the person of the sides with name or id `typed`; Refused without such a person."""
    people = [person for side in sides for person in side]
    if not typed.isdecimal():
        known = situation.table.names()
        return find(typed, {person: known[person] for person in people})
    if int(typed) not in people:
        raise Refused(f"{situation.name(int(typed))} is on no side of this conflict.")
    return int(typed)


def set_balance(conflict: int, standing: Balance) -> s.BalanceSet:
    """Returns the event that sets the Balance of conflict `conflict` to `standing`."""
    return s.BalanceSet(conflict=conflict, level=standing.level, advantaged=standing.advantaged)


def balance_in_words(table: Table, standing: Balance) -> str:
    """Returns the Balance as text: "balanced", or "unbalanced for Reeve"."""
    favoured = "" if standing.advantaged is None else f" for {table.name(standing.advantaged)}"
    return f"{standing.level}{favoured}"


UPRIGHT: Final = "upright"
REVERSED: Final = "reversed"

Purpose = Literal["flow", "narration", "obstacle", "challenge"]


class Dealing(Struct, frozen=True):
    """Dealing of cards within one command: collects `events`, and changes the deck `pile` in place."""

    situation: Situation
    pile: Pile
    events: list[Event]
    lying: tuple[str, ...] = ()
    """Orientation of each card, named before it is drawn; empty if not named."""

    def cards(self, who: int, n: int, purpose: Purpose, *, excuse: bool = True) -> tuple[str, ...]:
        """Draws `n` cards for `who`, appends the events, and returns the cards; reshuffles an empty deck.

        `excuse=False` keeps the Excuse from being drawn.
        """
        drawn: list[str] = []
        while len(drawn) < n:
            some = self._from_deck(n - len(drawn), excuse=excuse)
            for card in some:
                self.pile.take(card, place_of_cards(self.situation.here.id, who))
            self.events.append(
                e.CardsDrawn(conflict=self.situation.here.id, who=who, deck=DECK, cards=some, purpose=purpose)
            )
            drawn += some
        return tuple(drawn)

    def discard_excuse(self, who: int) -> None:
        """Discards the Excuse that `who` has drawn, and appends its event."""
        conflict = self.situation.here.id
        self.pile.discard(triumphs.EXCUSE, place_of_cards(conflict, who))
        self.events.append(s.ExcuseDiscarded(conflict=conflict, who=who))

    def replace_excuse(self, who: int) -> None:
        """Draws another card for `who` in place of the Excuse (a card for narration only)."""
        self.cards(who, 1, "narration", excuse=False)

    def _from_deck(self, n: int, *, excuse: bool) -> tuple[str, ...]:
        left = self._left(excuse=excuse)
        if not left:
            make_whole(self.situation.table, self.pile)
            self.events.append(shuffle_deck(self.situation.here.id, "the deck ran out"))
            left = self._left(excuse=excuse)
        if not left:
            raise Refused("Every card lies on the table: end a round or a conflict first.")
        ways, many = self._ways(left), min(n, len(left))
        if self.lying:
            turned = self.lying[len(self.situation.luck.taken) % len(self.lying)] == REVERSED
            ways, many = tuple(str(triumphs.Card.of(card).turned(reversed=turned)) for card in left), 1
        try:
            return self.situation.luck.draw(DECK, ways, many, identity=triumphs.upright)
        except Refused as refusal:
            raise self._told_by_name(refusal) from None

    def _left(self, *, excuse: bool) -> tuple[str, ...]:
        return tuple(card for card in self.pile.left() if excuse or card != triumphs.EXCUSE)

    def _ways(self, left: Sequence[str]) -> tuple[str, ...]:
        """Returns the cards upright, and reversed too where option `orientation` lets a card fall so."""
        match chosen(self.situation.table, "orientation"):
            case "random":
                return triumphs.both_ways(left)
            case "chosen" if self.situation.luck.called:
                return triumphs.both_ways(left)
            case _:
                return tuple(left)

    def _told_by_name(self, refusal: Refused) -> Refused:
        """Returns a clearer refusal for a named card that cannot be drawn: where it lies, or why not."""
        card = getattr(refusal, "result", None)
        if not isinstance(card, str) or not self.situation.luck.called:
            return refusal
        upright = triumphs.upright(card)
        where = self.pile.out.get(upright, ("",))[-1]
        if where:
            lies = "among the discards" if where == DISCARD else f"before {self._name_at(where)}"
            return Refused(f"{upright} is out already: it lies {lies}.")
        given = {triumphs.upright(taken.result) for taken in self.situation.luck.taken}
        if upright in given and upright != triumphs.EXCUSE:
            return Refused(f"{upright} was given twice: a card lies in one place.")
        return self._not_so(card, upright)

    def _name_at(self, where: str) -> str:
        return self.situation.name(int(where.rpartition(":")[2]))

    def _not_so(self, card: str, upright: str) -> Refused:
        """Returns a refusal for a named card that is neither drawn nor discarded, such as a blank."""
        if upright == triumphs.EXCUSE:
            return Refused("The Excuse does not stand in for the Excuse: draw again.")
        if upright in self.pile.cards and upright != card:
            return Refused(f"At this table cards are always upright (orientation=ignored): write {upright}.")
        if upright in triumphs.deck("suits"):
            return Refused(f"{upright} is a blank, and this deck has none (option blank_cards=suits).")
        return Refused(
            f"{card} is not a card of this deck: write T14, Excuse or unknown:ruler, and :r if reversed."
        )


def orientations_named(situation: Situation, command: c.Draw, due: int) -> tuple[str, ...]:
    """Returns the words "upright" or "reversed" typed with a draw, one per card to draw, or one for all.

    Empty if none is typed. Raises Refused for other words or another number, and unless the table chooses
    orientations.
    """
    orientations = tuple(normalise(trait) for trait in command.traits)
    if not orientations:
        return ()
    if not set(orientations) <= {UPRIGHT, REVERSED}:
        raise Refused("Cards are drawn by number here: draw NAME, or draw alone for all.")
    if chosen(situation.table, "orientation") != "chosen":
        raise Refused("How a card lies is not chosen at this table (option orientation=chosen allows it).")
    if situation.luck.called:
        raise Refused("A card that is named says itself how it lies: T14, or T14:r reversed.")
    if len(orientations) not in (1, due):
        each = "+".join(((UPRIGHT, REVERSED) * due)[:due])
        raise Refused(f"Say once how all lie, or of each card that is due ({due}), such as: {each}.")
    return orientations


def check_single_card(command: c.Draw) -> None:
    """Raises Refused for a `draw` command that asks for several cards."""
    if command.count not in (None, 1):
        raise Refused("Here one card is drawn at a time: draw NAME.")


def cards_in_words(number: int) -> str:
    """Returns a number of cards with a verb: "1 card was", "2 cards were"."""
    return "1 card was" if number == 1 else f"{number} cards were"
