from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.games.bruise.rules import (
    Ace,
    Potential,
    Tie,
    Trait,
    Verdict,
    Wheel,
    colours,
    compare,
    draw_size,
    karma_kept,
    karma_max,
    named_in_full,
    quality,
    quantity,
    quantity_range,
    readable,
    settle,
)
from retold.journal.decks import french
from retold.journal.decks.french import Suit
from retold.journal.refused import Refused

J, Q, K, ACE = 11, 12, 13, 14
hands = st.lists(st.sampled_from(french.DECK), max_size=12, unique=True)
aces = st.sampled_from(Ace)


def test_BR_01_a_jack_against_a_nine() -> None:
    hand = ["JH", "JD", "10S", "7C", "4C", "3D"]

    assert draw_size(4, 2) == len(hand)
    assert quality(hand) == J
    assert compare(quality(hand), 9) is Verdict.WON
    assert quantity(hand, 9) == 3
    assert colours(hand) == (Suit.HEARTS, Suit.DIAMONDS)


def test_BR_02_a_king_just_beats_a_queen() -> None:
    # Only the king of spades is told; the rest lie below the queen, or the Quantity would not be one.
    hand = ["KS", "JD", "9H", "8C", "5S", "4H", "2D"]

    assert draw_size(4, 3) == len(hand)
    assert compare(quality(hand), Q) is Verdict.WON
    assert quantity(hand, Q) == 1
    assert colours(hand) == (Suit.SPADES,)


def test_BR_03_one_hand_is_compared_with_several() -> None:
    # Teresa has a queen and a Quantity of two, so her second card is a jack.
    teresa, another, third = ["QH", "JC", "8D", "3S"], ["10H", "9S", "2C"], ["9D", "4D"]

    assert [compare(quality(hand), J) for hand in (teresa, another, third)] == [
        Verdict.WON,
        Verdict.LOST,
        Verdict.LOST,
    ]
    assert quantity(teresa, J) == 2
    assert colours(teresa) == (Suit.HEARTS,)


def test_BR_06_one_deed_tilts_five_and_five_to_six_and_four() -> None:
    tilted = Wheel().tilted(Potential.DESTINY)

    assert Wheel() == Wheel(5, 5)
    assert tilted == Wheel(destiny=6, fate=4)


@given(st.lists(st.tuples(st.sampled_from(Potential), st.integers(-1, 4))))
def test_BR_06_the_wheel_always_makes_ten(deeds: list[tuple[Potential, int]]) -> None:
    wheel = Wheel()
    for towards, by in deeds:
        room = wheel.rating(towards.other)
        try:
            tilted = wheel.tilted(towards, by)
        except Refused:
            assert by < 1 or by > room
        else:
            assert tilted.rating(towards) == wheel.rating(towards) + by
            wheel = tilted
        assert wheel.destiny + wheel.fate == 10
        assert 0 <= wheel.destiny <= 10


def test_a_wheel_that_does_not_make_ten_is_refused() -> None:
    for destiny, fate in ((5, 6), (11, -1)):
        with pytest.raises(Refused, match="make 10 together"):
            Wheel(destiny, fate)


def test_a_wheel_tilts_to_its_end_and_no_further() -> None:
    end = Wheel().tilted(Potential.FATE, 5)

    assert end == Wheel(destiny=0, fate=10)
    with pytest.raises(Refused, match="destiny is at 0"):
        end.tilted(Potential.FATE)


def test_a_meme_replaces_one_of_the_two_traits() -> None:
    assert draw_size(4, 2, meme=3, replaces=Trait.SKILL) == 4 + 3
    assert draw_size(4, 2, meme=3, replaces=Trait.ATTRIBUTE) == 3 + 2


def test_a_meme_has_to_replace_something_and_only_a_meme_does() -> None:
    with pytest.raises(Refused, match="say which"):
        draw_size(4, 2, meme=3)
    with pytest.raises(Refused, match="say which"):
        draw_size(4, 2, replaces=Trait.SKILL)


def test_a_draw_never_exceeds_the_deck() -> None:
    assert draw_size(40, 12) == 52
    assert draw_size(40, 13) == 52
    assert draw_size(40, 20, deck_size=54) == 54


def test_a_rating_below_nothing_is_refused() -> None:
    with pytest.raises(Refused, match="less than 0"):
        draw_size(-1, 4)
    with pytest.raises(Refused, match="less than 0"):
        draw_size(4, 4, meme=-1, replaces=Trait.SKILL)


def test_an_empty_hand_has_no_quality() -> None:
    assert draw_size(0, 0) == 0
    assert quality([]) == 0
    assert colours([]) == ()


def test_aces_are_high_unless_the_table_plays_them_low() -> None:
    hand = ["AS", "KH"]

    assert (quality(hand), colours(hand)) == (ACE, (Suit.SPADES,))
    assert (quality(hand, ace=Ace.LOW), colours(hand, ace=Ace.LOW)) == (K, (Suit.HEARTS,))
    assert (quantity(hand, 2), quantity(hand, 2, ace=Ace.LOW)) == (2, 1)


def test_a_joker_is_worth_nothing_and_colours_nothing() -> None:
    assert quality(["joker"]) == 0
    assert colours(["joker"]) == ()
    assert quality(["joker", "2C"]) == 2
    assert quantity(["joker", "5C"], 2) == 1


def test_unnamed_cards_rank_below_the_highest() -> None:
    hand = ["KS", "_", "_", "_", "_", "_", "_"]

    assert quality(hand) == K
    assert colours(hand) == (Suit.SPADES,)
    assert quantity_range(hand, Q) == (1, 7)
    with pytest.raises(Refused, match="the Quantity is 1 to 7"):
        quantity(hand, Q)


def test_cards_below_the_highest_cannot_reach_an_equal_quality() -> None:
    assert quantity(["KS", "_"], K) == 1


def test_an_unnamed_hand_has_no_quality() -> None:
    with pytest.raises(Refused, match="say its Quality"):
        quality(["_", "_"])


@pytest.mark.parametrize(
    ("tie", "verdict"),
    [
        (Tie.ASK, Verdict.TIED),
        (Tie.REDRAW, Verdict.REDRAW),
        (Tie.ACTOR, Verdict.WON),
        (Tie.OPPOSITION, Verdict.LOST),
        (Tie.NEXT_CARD, Verdict.WON),
    ],
)
def test_a_tie_is_settled_as_the_table_has_it(tie: Tie, verdict: Verdict) -> None:
    own, opposing = ["KS", "9D", "8H"], ["KH", "9C", "2H"]

    assert compare(quality(own), quality(opposing)) is Verdict.TIED
    assert settle(tie, own, opposing) is verdict


@pytest.mark.parametrize(
    ("own", "opposing", "verdict"),
    [
        (["KS", "9D"], ["KH", "10C"], Verdict.LOST),
        (["KS", "2D"], ["KH"], Verdict.WON),
        (["KS"], ["KH", "2D"], Verdict.LOST),
        (["KS", "9D"], ["KH", "9C"], Verdict.TIED),
        (["KS", "joker"], ["KH"], Verdict.TIED),
    ],
)
def test_the_next_card_decides_or_the_one_after(
    own: list[str], opposing: list[str], verdict: Verdict
) -> None:
    assert settle(Tie.NEXT_CARD, own, opposing) is verdict


def test_the_next_card_has_to_be_named() -> None:
    with pytest.raises(Refused, match="Not every card is named"):
        settle(Tie.NEXT_CARD, ["KS", "_"], ["KH", "9C"])


@given(hands, hands, aces)
def test_a_winner_has_a_quantity_of_at_least_one(own: list[str], opposing: list[str], ace: Ace) -> None:
    ours, theirs = quality(own, ace=ace), quality(opposing, ace=ace)
    if compare(ours, theirs) is Verdict.WON:
        assert 1 <= quantity(own, theirs, ace=ace) <= len(own)
        assert colours(own, ace=ace)


@given(hands, hands, aces)
def test_what_one_side_wins_the_other_loses(own: list[str], opposing: list[str], ace: Ace) -> None:
    swapped = {Verdict.WON: Verdict.LOST, Verdict.LOST: Verdict.WON, Verdict.TIED: Verdict.TIED}
    ours, theirs = quality(own, ace=ace), quality(opposing, ace=ace)

    assert compare(theirs, ours) is swapped[compare(ours, theirs)]
    next_card = settle(Tie.NEXT_CARD, own, opposing, ace=ace)
    assert settle(Tie.NEXT_CARD, opposing, own, ace=ace) is swapped[next_card]


@given(hands, st.integers(0, 14))
def test_naming_cards_only_narrows_the_quantity(hand: list[str], against: int) -> None:
    least, most = quantity_range(hand, against)
    hidden = sorted(hand, key=french.rank, reverse=True)[:1] + ["_"] * (len(hand) - 1 if hand else 0)

    wider = quantity_range(hidden, against)

    assert least == most
    if sum(french.rank(card) == quality(hand) for card in hand) == 1:
        assert wider[0] <= least <= wider[1]


def test_karma_goes_up_to_the_rating_and_is_cut_when_that_sinks() -> None:
    wheel = Wheel(destiny=6, fate=4)

    assert [karma_max(wheel, potential) for potential in Potential] == [6, 4]
    assert karma_kept(5, wheel, Potential.FATE) == 4
    assert karma_kept(5, wheel, Potential.DESTINY) == 5


def test_the_next_card_counts_an_ace_as_the_table_does() -> None:
    own, opposing = ("KS", "AH"), ("KH", "2C")

    assert settle(Tie.NEXT_CARD, own, opposing, ace=Ace.LOW) is Verdict.LOST
    assert settle(Tie.NEXT_CARD, ("AS", "3H"), ("AH", "2C"), ace=Ace.HIGH) is Verdict.WON


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Wheel().tilted(Potential.FATE, 0), "The Wheel tilts by 1 or more."),
        (lambda: draw_size(2, -1), "A rating cannot be less than 0."),
        (
            lambda: draw_size(2, 2, meme=3),
            "A meme replaces the attribute or the skill: say which.",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(wrong: Callable[[], object], sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        wrong()

    assert refused.value.sentence == sentence


# --- jokers, and cards nobody named -----------------------------------------------------------------------


def test_A36_a_joker_counts_nothing_until_it_is_given_a_rank() -> None:
    hand = ["joker", "5H", "3S"]

    assert (quality(hand), quality(hand, joker=15)) == (5, 15)
    assert (quantity(hand, 1), quantity(hand, 1, joker=4), quantity(hand, 4, joker=4)) == (2, 3, 2)
    assert (quantity(hand, 0), quantity_range(["joker", "_"], 0)) == (3, (2, 2))
    assert quantity_range(["joker", "5H"], 1, ace=Ace.LOW) == (1, 1)


def test_A36_a_joker_has_no_suit() -> None:
    hand = ["joker", "5H"]

    assert colours(hand) == (Suit.HEARTS,)
    assert colours(hand, joker=15) == ()
    assert colours(hand, joker=5) == (Suit.HEARTS,)
    assert colours(["joker"]) == ()


def test_A36_a_joker_counts_its_rank_down_the_hands() -> None:
    own, opposing = ["KS", "joker"], ["KH", "3H"]

    assert settle(Tie.NEXT_CARD, own, opposing) is Verdict.LOST
    assert settle(Tie.NEXT_CARD, own, opposing, joker=4) is Verdict.WON
    assert settle(Tie.NEXT_CARD, opposing, own, joker=4) is Verdict.LOST


@pytest.mark.parametrize(("ace", "verdict"), [(Ace.HIGH, Verdict.WON), (Ace.LOW, Verdict.LOST)])
def test_the_next_card_may_be_an_ace(ace: Ace, verdict: Verdict) -> None:
    assert settle(Tie.NEXT_CARD, ["KS", "AS"], ["KH", "3H"], ace=ace) is verdict


def test_A22_a_hand_is_readable_once_a_card_of_it_is_named() -> None:
    named = {(): True, ("_",): False, ("_", "5H"): True, ("5H",): True}

    assert {hand: readable(hand) for hand in named} == named
    assert [named_in_full(hand) for hand in named] == [True, False, False, True]
    with pytest.raises(Refused) as unread:
        quality(["_", "_"])
    assert unread.value.sentence == "No card of this hand is named: say its Quality."
    with pytest.raises(Refused) as untold:
        settle(Tie.NEXT_CARD, ["KS", "_"], ["KH", "3H"])
    assert untold.value.sentence == "Not every card is named: say who wins the tie."
