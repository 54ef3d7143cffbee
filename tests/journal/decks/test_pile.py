import copy
import pickle
from contextlib import suppress

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from retold.journal.decks import french, spacetime
from retold.journal.decks.pile import DISCARD, CardOut, Pile
from retold.journal.refused import Refused

CARDS = ("AS", "2S", "3S", "joker", "joker")
HOLDERS = ("hand:1", "hand:2")


def test_a_card_taken_is_no_longer_left() -> None:
    pile = Pile(CARDS)

    pile.take("2S", "hand:1")

    assert pile.left() == ("AS", "3S", "joker", "joker")
    assert pile.held("hand:1") == ("2S",)


def test_what_is_out_lies_in_the_order_of_the_deck_and_the_rest_is_counted() -> None:
    pile = Pile(CARDS)
    for card, holder in (("joker", "hand:1"), ("3S", "hand:2"), ("joker", "hand:2"), ("AS", "hand:1")):
        pile.take(card, holder)

    assert [*pile.lying()] == [("AS", "hand:1"), ("3S", "hand:2"), ("joker", "hand:1"), ("joker", "hand:2")]
    assert pile.remaining == 1


def test_a_card_that_is_out_is_refused_with_its_holder() -> None:
    pile = Pile(french.DECK)
    pile.take("JH", "hand:3")

    with pytest.raises(CardOut) as refused:
        pile.take("JH", "hand:4")

    assert (refused.value.card, refused.value.holder) == ("JH", "hand:3")
    assert isinstance(refused.value, Refused)


def test_a_deck_has_a_card_as_long_as_one_of_them_is_left() -> None:
    pile = Pile(("joker", "KS", "joker"))
    pile.take("joker", "Zel")
    assert (pile.has("joker"), pile.has("KS"), pile.has("QS")) == (True, True, False)
    pile.take("joker", "Zel")
    assert pile.has("joker") is False
    pile.discard("joker", "Zel")
    assert pile.has("joker") is False


def test_a_card_the_deck_has_not_is_refused() -> None:
    with pytest.raises(Refused, match="There is no joker in this deck"):
        Pile(french.DECK).take("joker", "hand:1")


def test_a_deck_has_as_many_jokers_as_it_has() -> None:
    pile = Pile(french.deck(2))
    pile.take("joker", "hand:1")
    pile.take("joker", "hand:2")

    with pytest.raises(CardOut):
        pile.take("joker", "hand:1")


def test_a_reversed_card_is_the_same_card() -> None:
    pile = Pile(spacetime.DECK, identity=spacetime.upright)
    pile.take("T14:r", "hand:1")

    assert "T14" not in pile.left()
    with pytest.raises(CardOut):
        pile.take("T14", "hand:2")


def test_a_discard_stays_out_until_all_return() -> None:
    pile = Pile(CARDS)
    pile.take("AS", "hand:1")
    pile.discard("AS", "hand:1")

    assert "AS" not in pile.left()
    assert pile.held(DISCARD) == ("AS",)

    pile.gather()

    assert pile.left() == CARDS


def test_only_who_holds_a_card_can_discard_it() -> None:
    pile = Pile(CARDS)
    pile.take("AS", "hand:1")

    with pytest.raises(Refused, match="not there to be discarded"):
        pile.discard("AS", "hand:2")


def test_cards_on_the_table_may_stay_when_the_rest_return() -> None:
    pile = Pile(CARDS)
    pile.take("AS", "hand:1")
    pile.take("2S", "hand:2")
    pile.discard("2S", "hand:2")

    pile.gather(keep=("hand:1",))

    assert pile.left() == CARDS[1:]


def test_a_lost_or_doubled_card_is_noticed() -> None:
    with pytest.raises(ValueError, match="AS"):
        Pile(CARDS, {"AS": ("hand:1", "hand:2")}).check()
    with pytest.raises(ValueError, match="KC"):
        Pile(CARDS, {"KC": ("hand:1",)}).check()


def test_a_copy_goes_its_own_way() -> None:
    pile = Pile(spacetime.DECK, identity=spacetime.upright)
    pile.take("T1", "hand:1")
    twins = [pile.copy(), copy.deepcopy(pile), pickle.loads(pickle.dumps(pile))]

    pile.take("T2", "hand:1")

    assert [twin.held("hand:1") for twin in twins] == [("T1",)] * 3
    assert all(twin != pile for twin in twins)


def test_a_refusal_survives_pickling() -> None:
    refused = pickle.loads(pickle.dumps(CardOut("JH", "hand:3")))

    assert (refused.card, refused.holder, str(refused)) == ("JH", "hand:3", "JH is out already (hand:3).")


class PileMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.pile = Pile(CARDS)

    @rule(card=st.sampled_from(CARDS), holder=st.sampled_from(HOLDERS))
    def take(self, card: str, holder: str) -> None:
        before = self.pile.left()
        try:
            self.pile.take(card, holder)
        except CardOut:
            assert card not in before
        else:
            assert len(self.pile.left()) == len(before) - 1

    @rule(card=st.sampled_from(CARDS), holder=st.sampled_from(HOLDERS))
    def discard(self, card: str, holder: str) -> None:
        with suppress(Refused):
            self.pile.discard(card, holder)

    @rule(keep=st.sets(st.sampled_from(HOLDERS)))
    def gather(self, keep: set[str]) -> None:
        self.pile.gather(keep=tuple(keep))

    @invariant()
    def every_card_is_in_exactly_one_place(self) -> None:
        self.pile.check()
        out = [card for holder in (*HOLDERS, DISCARD) for card in self.pile.held(holder)]
        assert sorted((*self.pile.left(), *out)) == sorted(CARDS)
        assert self.pile.remaining == len(self.pile.left())


TestPile = PileMachine.TestCase
