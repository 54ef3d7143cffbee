from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.games.spacetime.rules import (
    DECLINED,
    Ahead,
    Balance,
    BeatsTable,
    Chance,
    Ended,
    Flow,
    Level,
    MultiParty,
    Pair,
    Result,
    Rule,
    beats,
    cards_due,
    effect,
    excuse_drawer,
    flow,
    laid,
    meet,
    narration_order,
    odds,
)
from retold.journal.decks import spacetime
from retold.journal.decks.spacetime import Card
from retold.journal.refused import Refused

A, B, C, D = 1, 2, 3, 4
BALANCED = Balance()
UNBALANCED = Balance(Level.UNBALANCED, A)
OVERWHELMING = Balance(Level.OVERWHELMING, A)
VICTORY = Balance(Level.VICTORY, A)

ROCK, PAPER, BLADES, SERPENT, UNKNOWN = (f"{suit}:home" for suit in spacetime.Suit)


def deal(**cards: str) -> dict[int, list[str]]:
    """Hands by party: deal(A="rock:home T4", B="T5")."""
    parties = {"A": A, "B": B, "C": C, "D": D}
    return {parties[party]: hand.split() for party, hand in cards.items()}


def outcome(balance: Balance, **cards: str) -> tuple[Rule, Balance]:
    come = flow(balance, deal(**cards))
    assert come.before == balance
    return come.rule, come.after


def test_ST_01_the_highest_triumph_of_four_takes_the_advantage() -> None:
    come = flow(BALANCED, deal(A="T14", B="T4", C="serpent:soldier", D="T16"))

    assert come == Flow(
        Rule.WIN,
        BALANCED,
        Balance(Level.UNBALANCED, D),
        (
            Pair(D, "T16", A, "T14", Result.WIN),
            Pair(D, "T16", B, "T4", Result.WIN),
            Pair(D, "T16", C, "serpent:soldier", Result.WIN),
        ),
    )


@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        ("blades:dragon", "paper:servant"),
        ("blades:dragon", "serpent:soldier"),
        ("T14", "blades:dragon"),
        *(("T14", f"T{number}") for number in (4, 8, 7, 10, 6)),
        ("T16", "T14"),
    ],
)
def test_ST_02_comparisons(winner: str, loser: str) -> None:
    assert beats(winner, loser)
    assert not beats(loser, winner)


def test_ST_03_suits_and_a_triumph() -> None:
    builder, challenge = "paper:builder:r", ("unknown:lover:r", "paper:soldier:r", "unknown:ruler")

    assert [beats(builder, card) for card in challenge] == [True, False, True]
    assert [beats(card, builder) for card in challenge] == [False, False, False]
    assert [beats("T5:r", card) for card in challenge] == [True, True, True]
    assert not beats("unknown:seeker", "unknown:lover")
    assert not beats("unknown:lover", "unknown:seeker")


@pytest.mark.parametrize(
    ("balance", "cards", "after"),
    [
        (BALANCED, {"A": "T21", "B": "Excuse"}, BALANCED),
        (UNBALANCED, {"A": f"{ROCK} T21", "B": "Excuse:r"}, BALANCED),
        (UNBALANCED, {"A": "T21 Excuse", "B": ROCK}, BALANCED),
        (OVERWHELMING, {"A": f"{ROCK} T21", "B": f"Excuse {PAPER}"}, UNBALANCED),
    ],
)
def test_ST_04_the_excuse_eases_the_balance_whatever_else_was_drawn(
    balance: Balance, cards: dict[str, str], after: Balance
) -> None:
    come = flow(balance, deal(**cards))

    assert come == Flow(Rule.EXCUSE, balance, after, ())


def test_ST_04_the_excuse_drawer_is_known_for_the_replacement() -> None:
    assert excuse_drawer(deal(A="T21 T3", B="Excuse:r")) == B
    assert excuse_drawer(deal(A="T21", B=ROCK)) is None


def test_ST_05_one_winning_pair_steps_up() -> None:
    assert outcome(UNBALANCED, A=f"{ROCK} {PAPER}", B=BLADES) == (Rule.UP, OVERWHELMING)


def test_ST_05_all_pairs_lost_steps_down() -> None:
    assert outcome(UNBALANCED, A="rock:home rock:ruler", B=PAPER) == (Rule.DOWN, BALANCED)


def test_ST_05_a_tie_spoils_the_step_down() -> None:
    assert outcome(UNBALANCED, A=f"{ROCK} {PAPER}", B="paper:ruler") == (Rule.SAME, UNBALANCED)


def test_overwhelming_goes_on_to_victory_or_back() -> None:
    assert outcome(OVERWHELMING, A=f"{ROCK} {PAPER}", B=f"{BLADES} T21") == (Rule.UP, VICTORY)
    assert outcome(OVERWHELMING, A=f"{ROCK} {BLADES}", B="T20 T21") == (Rule.DOWN, UNBALANCED)
    assert outcome(OVERWHELMING, A=f"{ROCK} {BLADES}", B=f"T20 {ROCK}") == (Rule.SAME, OVERWHELMING)


# --- ST-08: every draw from a fresh deck of 67, counted by classes of cards that compare alike ---

CLASSES = (
    {"Excuse": 1}
    | {f"T{number}": 1 for number in range(1, 22)}
    | {f"{suit}:home": 9 for suit in spacetime.Suit}
)


def ways(hands: tuple[tuple[str, ...], ...]) -> int:
    """In how many ways 67 different cards can make these hands, the order within a hand left aside."""
    left = dict(CLASSES)
    number = 1
    for hand in hands:
        for card, times in Counter(hand).items():
            number *= comb(max(left[card], 0), times)
            left[card] -= times
    return number


def chances(balance: Balance, sizes: tuple[int, int]) -> dict[tuple[Rule, int | None], Fraction]:
    seen: Counter[tuple[Rule, int | None]] = Counter()
    for hands in product(*(tuple(combinations_with_replacement(CLASSES, size)) for size in sizes)):
        number = ways(hands)
        if number:
            come = flow(balance, dict(zip((A, B), hands, strict=True)))
            seen[come.rule, come.after.advantaged] += number
    total = comb(67, sizes[0]) * comb(67 - sizes[0], sizes[1])
    assert seen.total() == total
    return {key: Fraction(number, total) for key, number in seen.items()}


def test_ST_08_balanced() -> None:
    assert chances(BALANCED, (1, 1)) == {
        (Rule.EXCUSE, None): Fraction(2, 67),
        (Rule.WIN, A): Fraction(655, 1474),
        (Rule.WIN, B): Fraction(655, 1474),
        (Rule.STALEMATE, None): Fraction(60, 737),
    }


def test_ST_08_unbalanced() -> None:
    assert chances(UNBALANCED, (2, 1)) == {
        (Rule.EXCUSE, None): Fraction(3, 67),
        (Rule.UP, A): Fraction(18217, 28743),
        (Rule.DOWN, None): Fraction(7691, 28743),
        (Rule.SAME, A): Fraction(516, 9581),
    }


def test_ST_08_overwhelming() -> None:
    assert chances(OVERWHELMING, (2, 2)) == {
        (Rule.EXCUSE, A): Fraction(4, 67),
        (Rule.UP, A): Fraction(7548, 9581),
        (Rule.DOWN, A): Fraction(3837, 38324),
        (Rule.SAME, A): Fraction(2007, 38324),
    }


FRESH = spacetime.deck()


@pytest.mark.parametrize(
    ("balance", "shares"),
    [
        (BALANCED, "2/67 655/1474 655/1474 60/737"),
        (UNBALANCED, "3/67 18217/28743 7691/28743 516/9581"),
        (OVERWHELMING, "4/67 7548/9581 3837/38324 2007/38324"),
    ],
)
def test_ST_08_is_what_odds_say(balance: Balance, shares: str) -> None:
    said = odds(Ahead(balance, (A, B), (), FRESH))

    assert " ".join(str(one.share) for one in said) == shares


FEW = (
    "Excuse",
    "T3",
    "T7",
    "rock:home",
    "rock:lover",
    "paper:home",
    "blades:home",
    "serpent:home",
    "unknown:home",
)


def counted(ahead: Ahead) -> dict[tuple[Rule, Balance], Fraction]:
    """Every draw in every order, put to the rule itself."""
    seen: Counter[tuple[Rule, Balance]] = Counter()
    due = [cards_due(ahead.balance, party) for party in ahead.drawing]
    for drawn in permutations(ahead.deck, sum(due)):
        cards = iter(drawn)
        hands = {
            party: tuple(islice(cards, number)) for party, number in zip(ahead.drawing, due, strict=True)
        }
        come = flow(
            ahead.balance,
            {party: {**ahead.hands, **hands}[party] for party in ahead.parties},
            multi_party=ahead.multi_party,
            beats_table=ahead.beats_table,
        )
        seen[come.rule, come.after] += 1
    return {key: Fraction(number, seen.total()) for key, number in seen.items()}


def said(ahead: Ahead) -> dict[tuple[Rule, Balance], Fraction]:
    chances = odds(ahead)
    assert sum(one.share for one in chances) == 1
    return {(one.rule, one.after): one.share for one in chances}


@pytest.mark.parametrize("table", BeatsTable)
@pytest.mark.parametrize("multi_party", MultiParty)
@pytest.mark.parametrize(
    ("balance", "lying", "deck"),
    [
        (BALANCED, (), FEW),
        (BALANCED, (), FEW[1:]),
        (BALANCED, ((B, ("T5",)),), FEW),
        (BALANCED, ((A, ("rock:ruler",)), (C, ("blades:ruler",))), FEW),
        (UNBALANCED, (), FEW[:6]),
        (UNBALANCED, (), FEW[1:7]),
        (UNBALANCED, ((A, ("rock:ruler", "T5")),), FEW),
        (UNBALANCED, ((B, ("paper:ruler",)),), FEW[:7]),
        (
            UNBALANCED,
            ((A, ("rock:ruler", "rock:dragon")), (B, ("paper:ruler",)), (C, ("blades:ruler",))),
            FEW,
        ),
        (OVERWHELMING, ((A, ("rock:ruler", "T5")),), FEW[1:]),
        (OVERWHELMING, ((A, ("rock:ruler", "T5")), (B, ("paper:ruler", "T9"))), FEW),
        (OVERWHELMING, ((B, ("paper:ruler", "T9")), (C, ("T1", "T2"))), FEW),
    ],
)
def test_odds_are_every_draw_counted(
    balance: Balance,
    lying: tuple[tuple[int, tuple[str, ...]], ...],
    deck: tuple[str, ...],
    multi_party: MultiParty,
    table: BeatsTable,
) -> None:
    for parties in ((A, B, C), (A, B, C, D)):
        ahead = Ahead(balance, parties, lying, deck, multi_party, table)
        if sum(cards_due(balance, party) for party in ahead.drawing) <= 5:
            assert said(ahead) == counted(ahead)


def test_with_the_excuse_on_the_table_nothing_else_can_come() -> None:
    lying = ((A, ("Excuse", "T9")),)

    assert odds(Ahead(OVERWHELMING, (A, B), lying, FEW[1:])) == (
        Chance(Rule.EXCUSE, UNBALANCED, Fraction(1)),
    )
    assert odds(Ahead(BALANCED, (A, B), ((A, ("T9",)),), ("Excuse",))) == (
        Chance(Rule.EXCUSE, BALANCED, Fraction(1)),
    )


def test_there_are_no_odds_of_a_deck_that_runs_out_or_after_a_victory() -> None:
    assert odds(Ahead(BALANCED, (A, B), (), ("T1",))) == ()
    assert odds(Ahead(VICTORY, (A, B), (), FRESH)) == ()


def test_impossible_results_have_no_odds() -> None:
    assert odds(Ahead(BALANCED, (A, B), ((A, ("T21",)),), FEW[1:])) == (
        Chance(Rule.WIN, Balance(Level.UNBALANCED, A), Fraction(1)),
    )


# --- several parties ---


def test_a_circle_of_three_is_a_stalemate() -> None:
    come = flow(BALANCED, deal(A=ROCK, B=BLADES, C=PAPER))

    assert (come.rule, come.after) == (Rule.STALEMATE, BALANCED)
    assert [(pair.party, pair.other, pair.result) for pair in come.why] == [
        (A, B, Result.WIN),
        (A, C, Result.LOSS),
        (B, C, Result.WIN),
    ]


def test_the_highest_two_of_a_suit_are_a_stalemate() -> None:
    assert outcome(BALANCED, A="rock:ruler", B="rock:servant", C=BLADES) == (Rule.STALEMATE, BALANCED)


def test_every_opponent_may_fall_to_another_card() -> None:
    come = flow(UNBALANCED, deal(A=f"{ROCK} {PAPER}", B=BLADES, C=UNKNOWN))

    assert (come.rule, come.after) == (Rule.UP, OVERWHELMING)
    assert come.why == (Pair(A, ROCK, B, BLADES, Result.WIN), Pair(A, PAPER, C, UNKNOWN, Result.WIN))


@pytest.mark.parametrize(
    ("cards", "by_all", "by_majority"),
    [
        ({"A": f"{ROCK} {ROCK}", "B": BLADES, "C": SERPENT, "D": PAPER}, Rule.SAME, Rule.UP),
        ({"A": f"{ROCK} {ROCK}", "B": PAPER, "C": UNKNOWN, "D": BLADES}, Rule.SAME, Rule.DOWN),
        ({"A": f"{ROCK} {ROCK}", "B": PAPER, "C": BLADES}, Rule.SAME, Rule.SAME),
        ({"A": f"{ROCK} {ROCK}", "B": BLADES, "C": SERPENT}, Rule.UP, Rule.UP),
    ],
)
def test_a_majority_may_do_if_the_table_says_so(
    cards: dict[str, str], by_all: Rule, by_majority: Rule
) -> None:
    assert flow(UNBALANCED, deal(**cards)).rule is by_all
    assert flow(UNBALANCED, deal(**cards), multi_party=MultiParty.MAJORITY).rule is by_majority


def test_winners_narrate_first_then_losers_then_the_rest() -> None:
    won = flow(BALANCED, deal(A=ROCK, B=PAPER, C="rock:ruler"))
    up = flow(
        Balance(Level.UNBALANCED, C),
        deal(A=PAPER, B=BLADES, C=f"{ROCK} {ROCK}", D=SERPENT),
        multi_party=MultiParty.MAJORITY,
    )
    down = flow(UNBALANCED, deal(A=f"{ROCK} {ROCK}", B=PAPER, C=UNKNOWN))
    stalemate = flow(BALANCED, deal(A=ROCK, B="rock:ruler"))
    excuse = flow(BALANCED, deal(A=ROCK, B="Excuse"))

    assert narration_order(won, (A, B, C)) == (B, A, C)
    assert narration_order(up, (A, B, C, D)) == (C, B, D, A)
    assert narration_order(down, (A, B, C)) == (B, C, A)
    assert narration_order(stalemate, (A, B)) == (A, B)
    assert narration_order(excuse, (A, B)) == (A, B)


# --- the balance, what is due, what is refused ---


def test_cards_due_by_balance() -> None:
    due = {
        balance.level: (cards_due(balance, A), cards_due(balance, B))
        for balance in (BALANCED, UNBALANCED, OVERWHELMING)
    }

    assert due == {Level.BALANCED: (1, 1), Level.UNBALANCED: (2, 1), Level.OVERWHELMING: (2, 2)}


def test_a_victory_ends_drawing() -> None:
    with pytest.raises(Refused, match="is won"):
        cards_due(VICTORY, B)
    with pytest.raises(Refused, match="is won"):
        flow(VICTORY, deal(A="T1 T2", B="T3 T4"))


@pytest.mark.parametrize(
    ("balance", "cards", "sentence"),
    [
        (BALANCED, {"A": "T1"}, "A conflict takes two parties or more."),
        (BALANCED, {"A": "T1 T2", "B": "T3"}, "1 card is due and 2 drawn."),
        (UNBALANCED, {"A": "T1", "B": "T3"}, "2 cards are due and 1 drawn."),
        (UNBALANCED, {"B": "T1", "C": "T3"}, "The advantaged party has not drawn."),
    ],
)
def test_a_round_drawn_wrongly_is_refused(balance: Balance, cards: dict[str, str], sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        flow(balance, deal(**cards))

    assert str(refused.value) == sentence


def test_a_balance_favours_a_side_only_when_unbalanced() -> None:
    with pytest.raises(ValueError, match="favours nobody"):
        Balance(Level.BALANCED, A)
    with pytest.raises(ValueError, match="favours nobody"):
        Balance(Level.UNBALANCED)


def test_a_balance_moves_one_step_and_never_past_either_end() -> None:
    up = [BALANCED.towards(A)]
    for _ in range(3):
        up.append(up[-1].towards(A))

    assert up == [UNBALANCED, OVERWHELMING, VICTORY, VICTORY]
    assert [balance.eased() for balance in (VICTORY, OVERWHELMING, UNBALANCED, BALANCED)] == [
        OVERWHELMING,
        UNBALANCED,
        BALANCED,
        BALANCED,
    ]
    with pytest.raises(ValueError, match="only through balanced"):
        UNBALANCED.towards(B)


decks = st.permutations(spacetime.both_ways(spacetime.DECK))


@given(
    decks,
    st.sampled_from([BALANCED, UNBALANCED, OVERWHELMING]),
    st.integers(2, 4),
    st.sampled_from(MultiParty),
)
def test_a_round_moves_the_balance_by_one_step_at_most(
    deck: list[str], balance: Balance, parties: int, multi_party: MultiParty
) -> None:
    cards = iter(deck)
    hands = {
        party: [next(cards) for _ in range(cards_due(balance, party))] for party in range(1, parties + 1)
    }

    come = flow(balance, hands, multi_party=multi_party)

    steps = {level: number for number, level in enumerate(Level)}
    moved = steps[come.after.level] - steps[come.before.level]
    expected = {
        Rule.WIN: {1},
        Rule.UP: {1},
        Rule.DOWN: {-1},
        Rule.STALEMATE: {0},
        Rule.SAME: {0},
        Rule.EXCUSE: {0, -1},
    }
    assert moved in expected[come.rule]
    assert all(beats(pair.card, pair.against) == (pair.result is Result.WIN) for pair in come.why)
    assert set(narration_order(come, hands)) == set(hands)


@given(st.sampled_from(spacetime.DECK), st.sampled_from(spacetime.DECK))
def test_the_numeric_table_counts_triumphs_and_nothing_else(card: str, other: str) -> None:
    ours, theirs = Card.of(card).triumph or 0, Card.of(other).triumph or 0
    excused = "Excuse" in {card, other}

    assert beats(card, other, BeatsTable.NUMERIC) == (ours > theirs and not excused)


def test_the_numeric_table_makes_any_two_suits_a_stalemate() -> None:
    assert flow(BALANCED, deal(A=ROCK, B=BLADES), beats_table=BeatsTable.NUMERIC).rule is Rule.STALEMATE
    assert flow(BALANCED, deal(A=ROCK, B=BLADES)).rule is Rule.WIN


# --- challenges ---

FURNACE = ("unknown:lover:r", "paper:soldier:r", "unknown:ruler")


def test_ST_10_the_furnace() -> None:
    draws = ["unknown:dragon:r", "paper:builder:r", "T5:r", "T17", "T1", "rock:builder"]
    stood = [meet(4, laid(FURNACE, 3), draws[:number]) for number in range(len(draws) + 1)]

    assert [meeting.cost for meeting in stood] == [-2, -1, 0, 1, 1, 1, 1]
    assert [meeting.success for meeting in stood] == [False, False, False, True, True, True, True]
    assert stood[-1].effect == 2
    assert stood[-1].ended is None


def test_a_challenge_lays_its_rank_but_nothing_from_the_excuse_on() -> None:
    assert laid(["T1", "T2", "T3", "T4"], 3) == ("T1", "T2", "T3")
    assert laid(["T1", "Excuse:r", "T3"], 3) == ("T1",)
    assert laid(["T1", "Excuse"], 3) == ("T1",)
    assert laid([], 0) == ()
    with pytest.raises(Refused, match="rank is 3 and 2 drawn"):
        laid(["T1", "T2"], 3)
    with pytest.raises(Refused, match="rank of 0 to 9"):
        laid([], 10)


def test_the_fifth_cost_wipes_out_and_nothing_more_is_drawn() -> None:
    draws = [f"T{number}:r" for number in range(1, 7)]

    assert meet(1, [], draws[:5]).ended is None
    assert meet(1, [], draws[:6]) == meet(1, [], draws)
    assert (meet(1, [], draws).cost, meet(1, [], draws).ended) == (5, Ended.WIPE_OUT)
    with pytest.raises(Refused, match="No more may be drawn"):
        meet(1, [], [*draws, "T7"])


def test_the_excuse_ends_the_drawing_and_counts_for_nothing() -> None:
    met = meet(2, ["rock:home"], ["paper:home", "Excuse:r"])

    assert (met.cost, met.success, met.ended) == (-2, True, Ended.EXCUSE)
    with pytest.raises(Refused, match="No more may be drawn"):
        meet(2, ["rock:home"], ["paper:home", "Excuse:r", "T1"])


def test_a_cost_of_five_before_the_first_card_leaves_one_card() -> None:
    challenge = [f"T{number}:r" for number in range(1, 8)]

    assert meet(1, challenge, []).ended is None
    assert (meet(1, challenge, ["T20"]).cost, meet(1, challenge, ["T20"]).ended) == (5, Ended.WIPE_OUT)
    with pytest.raises(Refused, match="No more may be drawn"):
        meet(1, challenge, ["T20", "T21"])


def test_declining_fails_at_no_cost_and_yields_a_sleeve_card() -> None:
    assert (DECLINED.cost, DECLINED.success, DECLINED.sleeve) == (0, False, 1)


def test_an_attribute_is_one_to_five() -> None:
    for attribute in (0, 6):
        with pytest.raises(Refused, match="An attribute is 1 to 5"):
            meet(attribute, [], [])


@pytest.mark.parametrize(
    ("cards", "size"),
    [
        ("T1 T2 Excuse", 0),
        ("rock:home paper:ruler", 1),
        ("rock:home paper:home:r blades:ruler unknown:ruler serpent:ruler", 3),
        ("rock:home paper:home blades:home unknown:home serpent:home", 5),
        ("", 0),
    ],
)
def test_the_effect_is_the_largest_group_of_equal_figures(cards: str, size: int) -> None:
    assert effect(cards.split()) == size


def test_the_effect_counts_the_figures_of_both_sides() -> None:
    assert meet(2, ["rock:home", "serpent:home:r"], ["paper:home"]).effect == 3


def test_the_numeric_table_decides_losses_too() -> None:
    stands = Balance(Level.UNBALANCED, 1)

    flow_ = flow(stands, {1: ("rock:home", "paper:home"), 2: ("T1",)}, beats_table=BeatsTable.NUMERIC)

    assert flow_.rule is Rule.DOWN
