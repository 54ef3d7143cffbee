from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks import spacetime
from retold.journal.decks.spacetime import Card, Figure, Suit, beats
from retold.journal.refused import Refused

ONE_OF_EACH_SUIT = tuple(Card(suit, Figure.RULER) for suit in Suit)
cards = st.sampled_from(spacetime.both_ways(spacetime.deck("suits"))).map(Card.of)


def test_the_deck_is_the_excuse_twenty_one_triumphs_and_five_suits_of_nine() -> None:
    deck = [Card.of(text) for text in spacetime.DECK]

    assert len(set(deck)) == 67 == 1 + 21 + 5 * 9
    assert [card.triumph for card in deck if card.triumph] == list(range(1, 22))
    assert sum(card.is_excuse for card in deck) == 1
    assert not any(card.reversed for card in deck)


def test_the_blank_suit_cards_are_a_mover_and_a_child_for_each_suit() -> None:
    blanks = set(spacetime.deck("suits")) - set(spacetime.DECK)

    assert blanks == {f"{suit}:{figure}" for suit in Suit for figure in ("mover", "child")}


def test_ST_07_ten_wins_ten_losses_five_ties() -> None:
    pairs = list(product(ONE_OF_EACH_SUIT, repeat=2))
    wins = [(a, b) for a, b in pairs if beats(a, b)]
    losses = [(a, b) for a, b in pairs if beats(b, a)]
    ties = [(a, b) for a, b in pairs if not beats(a, b) and not beats(b, a)]

    assert (len(wins), len(losses), len(ties)) == (10, 10, 5)
    assert sorted((str(b), str(a)) for a, b in losses) == sorted((str(a), str(b)) for a, b in wins)
    assert all(a.suit is b.suit for a, b in ties)


@pytest.mark.parametrize(
    ("winner", "losers"),
    [
        ("rock", {"blades", "serpent"}),
        ("paper", {"rock", "unknown"}),
        ("blades", {"paper", "serpent"}),
        ("serpent", {"paper", "unknown"}),
        ("unknown", {"rock", "blades"}),
    ],
)
def test_each_suit_beats_two_others(winner: str, losers: set[str]) -> None:
    card = Card.of(f"{winner}:home")

    assert {other.suit for other in ONE_OF_EACH_SUIT if beats(card, other)} == losers


def test_suits_go_round_in_circles() -> None:
    rock, blades, paper = (Card.of(f"{suit}:lover") for suit in ("rock", "blades", "paper"))

    assert beats(rock, blades)
    assert beats(blades, paper)
    assert beats(paper, rock)


@given(cards, cards)
def test_two_cards_never_beat_each_other(a: Card, b: Card) -> None:
    assert not (beats(a, b) and beats(b, a))


@given(cards, cards)
def test_lying_reversed_changes_no_comparison(a: Card, b: Card) -> None:
    assert beats(a, b) == beats(a.turned(reversed=not a.reversed), b)


@given(cards)
def test_the_excuse_neither_beats_nor_loses(other: Card) -> None:
    excuse = Card.of("Excuse")

    assert not beats(excuse, other)
    assert not beats(other, excuse)


@given(st.integers(1, 21), st.integers(1, 21))
def test_the_higher_triumph_wins_and_any_beats_a_suit(one: int, other: int) -> None:
    assert beats(Card(triumph=one), Card(triumph=other)) == (one > other)
    assert all(beats(Card(triumph=one), card) for card in ONE_OF_EACH_SUIT)


@given(cards)
def test_a_card_reads_as_what_it_is_written_as(card: Card) -> None:
    assert Card.of(str(card)) == card
    assert spacetime.read_card(str(card)) == str(card)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("excuse", "Excuse"),
        ("Excuse:r", "Excuse:r"),
        ("t14", "T14"),
        ("T14r", "T14:r"),
        ("T14 reversed", "T14:r"),
        ("Triumph XIV", "T14"),
        ("triumph iv r", "T4:r"),
        ("Triumph XXI", "T21"),
        ("Triumph 9", "T9"),
        ("u:ruler", "unknown:ruler"),
        ("unknown:ruler:r", "unknown:ruler:r"),
        ("s:so", "serpent:soldier"),
        ("Soldier of Serpent reversed", "serpent:soldier:r"),
        ("scissors:home", "blades:home"),
        ("Home of Scissors", "blades:home"),
        ("b:m", "blades:mover"),
    ],
)
def test_a_card_may_be_written_in_many_ways(text: str, card: str) -> None:
    assert spacetime.read_card(text) == card


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("T22", "There is no Triumph 22: they go from I to XXI."),
        ("Triumph XXII", "There is no Triumph XXII: they go from I to XXI."),
        ("T0", "There is no Triumph 0: they go from I to XXI."),
        ("Triumph IIII", "There is no Triumph IIII: they go from I to XXI."),
        ("s:se", "In “s:se” the figure may be seeker or servant."),
        ("sc:home", "“sc:home” has no suit of these: rock, paper, blades, serpent, unknown."),
    ],
)
def test_a_card_that_does_not_exist_is_refused_by_name(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        spacetime.read_card(text)

    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["JH", "hello", "T14 upside down", "", "Triumph"])
def test_what_has_no_shape_of_a_card_is_refused(text: str) -> None:
    assert spacetime.recognise(text) is None
    with pytest.raises(Refused, match="is not a Space·Time card"):
        spacetime.read_card(text)


@pytest.mark.parametrize("text", ["t14", "T22", "T14:r:r", "rock", ""])
def test_only_canonical_text_makes_a_card(text: str) -> None:
    with pytest.raises(Refused, match="not a Space·Time card"):
        Card.of(text)


def test_a_card_is_a_suit_card_or_a_triumph_never_both_or_half() -> None:
    with pytest.raises(ValueError, match="a figure of a suit"):
        Card(suit=Suit.ROCK)
    with pytest.raises(ValueError, match="a figure of a suit"):
        Card(Suit.ROCK, Figure.HOME, 3)
    with pytest.raises(ValueError, match="from 1 to 21"):
        Card(triumph=22)


def test_both_ways_has_every_card_upright_and_reversed() -> None:
    assert spacetime.both_ways(["T14", "Excuse"]) == ("T14", "T14:r", "Excuse", "Excuse:r")
    assert {spacetime.upright(card) for card in ("T14", "T14:r")} == {"T14"}
