"""The round a command speaks to, and the end of the one before."""

from __future__ import annotations

from msgspec import Struct

from journal.decks.pile import DISCARD, Pile
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.state import DECK, Round, clear, make_whole, new_pile, play, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


class Now(Struct, frozen=True):
    """The round a command speaks to: the one in play, or, once its flow is known, the next."""

    before: list[Event]
    round: Round
    pile: Pile

    @classmethod
    def of(cls, situation: Situation) -> Now:
        """The round in play, or a fresh one after the end of that."""
        state = play(situation.here)
        found = shelf(situation.table).pile
        pile = found.copy() if found else new_pile(situation.table)
        if state.round.flow is None:
            return cls([], state.round, pile)
        before: list[Event] = [round_ended(situation)]
        clear(pile, situation.here.id, chosen(situation.table, "blank_cards"))
        if chosen(situation.table, "reshuffle") == "every_round":
            before.append(shuffled(situation.here.id, "every round"))
            make_whole(pile, chosen(situation.table, "blank_cards"))
        return cls(before, Round(state.round.number + 1), pile)

    def dealt_from(self, situation: Situation) -> Now:
        """This round as its cards come, the first of them from a whole deck where every round has one."""
        first = not (self.round.hands or _met(situation))
        stale = self.pile.held(DISCARD)
        if not (first and stale and chosen(situation.table, "reshuffle") == "every_round"):
            return self
        make_whole(self.pile, chosen(situation.table, "blank_cards"))
        return Now([*self.before, shuffled(situation.here.id, "every round")], self.round, self.pile)

    def stated(self, tactic: e.Declared, party: int) -> Now:
        """This round with one more tactic in it, that of a party."""
        round_ = self.round
        tactics = round_.tactics | {party}
        copied = Round(round_.number, tactics, dict(round_.hands), round_.excused, round_.replacement)
        return Now([*self.before, tactic], copied, self.pile)


def _met(situation: Situation) -> bool:
    """Whether cards lie on the table against a challenge."""
    challenge = play(situation.here).challenge
    return challenge is not None and bool(challenge.laid or challenge.drawn)


def round_ended(situation: Situation) -> s.RoundEnded:
    """The end of the round in play."""
    here = situation.here
    return s.RoundEnded(conflict=here.id, round=play(here).round.number)


def shuffled(conflict: int | None, why: str) -> e.DeckShuffled:
    """The deck is made whole, and why."""
    return e.DeckShuffled(conflict=conflict, deck=DECK, why=why)
