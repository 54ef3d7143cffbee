from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks import french
from retold.journal.refused import Refused


def test_a_deck_is_thirteen_ranks_in_four_suits() -> None:
    suits = [french.suit(card) for card in french.DECK]

    assert len(set(french.DECK)) == 13 * 4
    assert {suit: suits.count(suit) for suit in french.Suit} == dict.fromkeys(french.Suit, 13)
    assert {"AS", "2S", "10S", "JS", "QS", "KS", "10H", "7C", "3D"} <= set(french.DECK)


def test_jokers_come_on_top_of_the_fifty_two() -> None:
    assert french.deck(2) == (*french.DECK, "joker", "joker")


@pytest.mark.parametrize(
    ("card", "rank"), [("2D", 2), ("9C", 9), ("10S", 10), ("JH", 11), ("QH", 12), ("KS", 13)]
)
def test_ranks_count_up_to_the_king(card: str, rank: int) -> None:
    assert french.rank(card) == rank


def test_an_ace_is_above_the_king_or_below_the_two() -> None:
    assert french.rank("AH") == 14
    assert french.rank("AH", ace_high=False) == 1
    assert french.rank("KH", ace_high=False) == 13


def test_a_joker_has_no_rank_worth_anything_and_no_suit() -> None:
    assert french.rank("joker") == 0
    assert french.suit("joker") is None


def test_an_unseen_card_has_no_rank_until_named() -> None:
    assert french.suit("_") is None
    with pytest.raises(Refused, match="no rank"):
        french.rank("_")


@pytest.mark.parametrize("text", ["JX", "jh", "", "T14"])
def test_only_canonical_cards_have_rank_and_suit(text: str) -> None:
    with pytest.raises(Refused, match="not a playing card"):
        french.rank(text)
    with pytest.raises(Refused, match="not a playing card"):
        french.suit(text)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("JH", "JH"),
        ("J♥", "JH"),
        ("J♥\ufe0f", "JH"),
        ("10s", "10S"),
        ("TS", "10S"),
        ("jack of hearts", "JH"),
        ("Ace  of  Spade", "AS"),
        ("10 of diamonds", "10D"),
        ("ten of c", "10C"),
        ("Joker", "joker"),
        ("_", "_"),
    ],
)
def test_a_card_may_be_written_in_many_ways(text: str, card: str) -> None:
    assert french.read_card(text) == card


@pytest.mark.parametrize(
    ("text", "sentence"), [("11S", "There is no 11 of spades."), ("1♥", "There is no 1 of hearts.")]
)
def test_a_card_that_does_not_exist_is_refused_by_name(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        french.read_card(text)

    assert refused.value.sentence == sentence
    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["hello", "cards", "J H", "", "T14"])
def test_what_has_no_shape_of_a_card_is_refused(text: str) -> None:
    assert french.recognise(text) is None
    with pytest.raises(Refused, match="is not a playing card"):
        french.read_card(text)


@given(st.sampled_from([*french.deck(1), french.UNSEEN]))
def test_canonical_cards_read_as_themselves(card: str) -> None:
    assert french.read_card(card) == card
    assert french.read_card(f" {card.lower()} ") == card


@given(st.text(max_size=12))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    card = None
    with suppress(Refused):
        card = french.read_card(text)

    assert card in {None, *french.DECK, "joker", "_"}
