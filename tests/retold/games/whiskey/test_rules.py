"""The numbers of Whiskey: values, checks, damage, who stops whom, what lands (docs/rules/whiskey.md)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from retold.games.whiskey import rules
from retold.games.whiskey.rules import Act, Aims, Fate, Fought, Half, Hit, Intent, Met, Ring, Why
from retold.games.whiskey.state import Cards
from retold.journal.decks import french

# --- the deck: §2 ---


@pytest.mark.parametrize(("card", "value"), [("AH", 1), ("KD", 13), ("AS", -12), ("KC", 0), ("7S", -6)])
def test_WH_06_red_cards_count_their_rank_and_black_ones_thirteen_less(card: str, value: int) -> None:
    assert rules.value(card) == value


def test_WH_06_a_deck_has_every_value_twice_and_a_half_once() -> None:
    every = list(range(-12, 14))

    assert Counter(map(rules.value, french.DECK)) == Counter(every * 2)
    for half in Half:
        assert sorted(map(rules.value, Cards().left(half))) == every
        assert sum(map(rules.value, Cards().left(half))) == 13


def test_the_halves_are_each_others_other() -> None:
    assert {*Cards().left(Half.HEARTS_SPADES), *Cards().left(Half.HEARTS_SPADES.other)} == set(french.DECK)
    assert Half.HEARTS_SPADES.other.other is Half.HEARTS_SPADES


# --- a check: §3 and §4 ---


def test_WH_01_ten_and_a_six_pass_against_ten_and_deal_seven() -> None:
    assert rules.passes(10, 6, 10)
    assert rules.damage(4, 1, 3) == 7


def test_WH_09_an_equal_total_fails() -> None:
    assert not rules.passes(10, 0, 10)


def chance(x: int, y: int) -> Fraction:
    """How many of the cards of a fresh half pass."""
    cards = Cards().left(Half.HEARTS_SPADES)
    return Fraction(sum(rules.passes(x, rules.value(card), y) for card in cards), len(cards))


@pytest.mark.parametrize("more", range(-20, 21))
def test_WH_07_each_point_of_difference_is_one_card_of_twenty_six(more: int) -> None:
    expected = Fraction(min(26, max(0, 13 + more)), 26)

    assert chance(10 + more, 10) == expected
    # Whoever checks: the other side passes as often as this one fails.
    assert chance(10, 10 + more) == 1 - expected


def test_WH_07_equals_are_even_and_thirteen_more_is_certain() -> None:
    assert chance(10, 10) == Fraction(1, 2)
    assert chance(13, 10) == Fraction(16, 26)
    assert chance(23, 10) == 1
    assert chance(10, 23) == 0


def test_damage_is_never_less_than_nothing() -> None:
    assert rules.damage(-4, 1, 3) == 0


# --- intents: §6 ---

A, B, C, D, E, F = range(1, 7)


def fates(aimed: Aims, *chosen: int) -> dict[int, Fate]:
    """What becomes of all; one of the chosen gets through each ring."""
    broken: dict[Ring, int] = {}
    while isinstance(found := rules.resolve(aimed, broken), Ring):
        (broken[found],) = (one for one in chosen if one in found.members)
    return found


def met(aimed: Aims, *chosen: int) -> set[frozenset[int]]:
    return {frozenset((one.one, one.other)) for one in rules.clashes(aimed, fates(aimed, *chosen))}


def duel(*people: tuple[int, int]) -> set[frozenset[int]]:
    return set(map(frozenset, people))


def test_an_untargeted_fighter_is_not_stopped() -> None:
    assert fates({A: B, B: None}) == {A: Fate(Why.UNOPPOSED), B: Fate(Why.STOPPED, (A,))}


def test_two_who_want_each_other_simply_clash() -> None:
    assert fates({A: B, B: A}) == {A: Fate(Why.MUTUAL, (B,)), B: Fate(Why.MUTUAL, (A,))}
    assert rules.clashes({A: B, B: A}, fates({A: B, B: A})) == (Met(A, B, (A, B)),)


def test_a_stopped_fighter_stops_no_other() -> None:
    aimed = {A: B, B: C, C: None}

    assert fates(aimed) == {A: Fate(Why.UNOPPOSED), B: Fate(Why.STOPPED, (A,)), C: Fate(Why.FREED, (B,))}
    assert met(aimed) == duel((A, B))


def test_a_third_does_not_part_two_who_want_each_other() -> None:
    aimed = {A: B, B: A, C: A}

    assert met(aimed) == duel((A, B), (A, C))
    assert fates(aimed)[A] == Fate(Why.MUTUAL, (B,))


def test_thirds_on_both_sides_part_two_who_want_each_other() -> None:
    aimed = {A: B, B: A, C: A, D: B}

    assert met(aimed) == duel((A, C), (B, D))
    assert fates(aimed)[A] == Fate(Why.STOPPED, (C,))


def test_a_fighter_who_declared_stand_is_never_stopped() -> None:
    found = rules.resolve({A: B, B: None}, standing=(B,))

    assert isinstance(found, dict)
    assert found[B] == Fate(Why.STOOD, (A,))


def test_WH_03_unattacked_guards_keep_all_attackers_from_the_shaman() -> None:
    runa, tobin, guard, other, shaman = range(1, 6)
    intents = {
        runa: Intent(Act.ENGAGE, shaman),
        tobin: Intent(Act.ENGAGE, shaman),
        guard: Intent(Act.GUARD, shaman),
        other: Intent(Act.GUARD, shaman),
        shaman: Intent(Act.OTHER),
    }
    sides = {runa: runa, tobin: runa, guard: guard, other: guard, shaman: guard}
    aimed = rules.aims(intents, sides, {guard: runa, other: tobin})

    assert list(rules.unassigned(intents, sides, {})) == [(guard, (runa, tobin)), (other, (runa, tobin))]
    assert met(aimed) == duel((guard, runa), (other, tobin))
    found = fates(aimed)
    assert [found[who].why for who in (runa, tobin)] == [Why.STOPPED, Why.STOPPED]
    assert found[shaman] == Fate(Why.FREED, (runa, tobin))


def test_a_guard_aims_at_the_only_attacker_or_nothing() -> None:
    sides = {A: A, B: B, C: B}
    coming = {A: Intent(Act.ENGAGE, B), B: Intent(Act.STAND), C: Intent(Act.GUARD, B)}
    nobody = {A: Intent(Act.STAND), B: Intent(Act.STAND), C: Intent(Act.GUARD, B)}

    assert rules.aims(coming, sides, {}) == {A: B, B: None, C: A}
    assert rules.aims(nobody, sides, {}) == {A: None, B: None, C: None}


def test_the_ground_is_guarded_against_who_advances_on_another_side() -> None:
    sides = {A: A, B: B, C: B}
    intents = {A: Intent(Act.ADVANCE), B: Intent(Act.GUARD), C: Intent(Act.ADVANCE)}

    assert rules.aims(intents, sides, {}) == {A: None, B: A, C: None}
    assert fates({A: None, B: A, C: None})[A] == Fate(Why.STOPPED, (B,))


def test_a_guards_target_is_asked_for_only_with_several_attackers() -> None:
    sides = {A: A, B: A, C: C, D: C}
    ground = {A: Intent(Act.ADVANCE), B: Intent(Act.ADVANCE), C: Intent(Act.GUARD), D: Intent(Act.ADVANCE)}
    one = {A: Intent(Act.ENGAGE, D), B: Intent(Act.STAND), C: Intent(Act.GUARD, D), D: Intent(Act.STAND)}

    assert list(rules.unassigned(ground, sides, {})) == [(C, (A, B))]
    assert list(rules.unassigned(ground, sides, {C: A})) == []
    assert list(rules.unassigned(one, sides, {})) == []


def test_engaging_a_departed_fighter_aims_at_no_target() -> None:
    assert rules.aims({A: Intent(Act.ENGAGE, F)}, {A: A}, {}) == {A: None}


RING: Aims = {A: B, B: C, C: D, D: A}
"""Runa wants Pike, Pike Tobin, Tobin Hook, Hook Runa: A and C on one side, B and D on the other."""


def test_WH_04_a_ring_waits_for_a_fighter_to_get_through() -> None:
    assert rules.resolve(RING) == Ring((A, B, C, D))


@pytest.mark.parametrize("chosen", [A, C])
def test_WH_04_who_gets_through_takes_the_next_but_one_along(chosen: int) -> None:
    assert met(RING, chosen) == duel((A, B), (C, D))


@pytest.mark.parametrize("chosen", [B, D])
def test_WH_04_or_it_is_the_other_two(chosen: int) -> None:
    assert met(RING, chosen) == duel((B, C), (D, A))


def test_a_ring_of_three_leaves_two_clashes() -> None:
    aimed: Aims = {A: B, B: C, C: A}

    assert met(aimed, A) == duel((A, B), (C, A))
    assert fates(aimed, A)[A] == Fate(Why.CHOSEN)


def test_a_ring_broken_from_outside_is_no_ring() -> None:
    aimed = {**RING, E: A}

    assert met(aimed) == duel((E, A), (B, C), (D, A))
    assert fates(aimed)[D] == Fate(Why.FREED, (C,))


def test_no_four_in_a_row() -> None:
    assert rules.chain_of_four([(A, B), (B, C)]) is None
    assert rules.chain_of_four([(A, B), (B, C), (C, A)]) is None
    assert rules.chain_of_four([(A, B), (C, D)]) is None
    assert rules.chain_of_four([(A, B), (A, C), (A, D), (A, E)]) is None
    assert rules.chain_of_four([(A, B), (B, C), (C, D)]) in ((A, B, C, D), (D, C, B, A))


def test_a_triangle_has_a_third_corner() -> None:
    assert rules.triangle([(A, B), (B, C)], A, C) == B
    assert rules.triangle([(A, B)], A, C) is None
    assert rules.triangle([(B, C), (D, B)], A, C) is None


# --- results: §7 ---


def test_only_the_loser_is_hit() -> None:
    assert rules.settle([Fought(A, B, 6)], {A: 1, B: 1}, 0) == (Hit(A, B, 6, landed=True),)


def test_a_duel_winner_with_no_hit_points_still_hits() -> None:
    # The winner has nothing left already, by a ruling; the blow is still his.
    assert rules.settle([Fought(A, B, 6)], {A: 0, B: 9}, 0) == (Hit(A, B, 6, landed=True),)


def test_each_crowd_is_reckoned_for_itself() -> None:
    fought = [Fought(B, A, 3), Fought(A, C, 9), Fought(D, E, 1), Fought(D, F, 1)]

    assert [hit.landed for hit in rules.settle(fought, dict.fromkeys((A, C, D, E, F, B), 3), 0)] == [
        True,
        False,
        True,
        True,
    ]


def test_one_against_many_hits_back_while_still_up() -> None:
    fought = [Fought(A, B, 5), Fought(C, A, 3)]

    assert rules.settle(fought, {A: 9, B: 9, C: 9}, 0) == (Hit(A, B, 5, True), Hit(C, A, 3, True))


def test_one_who_is_put_out_by_many_lands_nothing() -> None:
    fought = [Fought(B, A, 3), Fought(C, A, 2), Fought(A, D, 9)]

    assert rules.settle(fought, {A: 5, B: 9, C: 9, D: 9}, 0) == (
        Hit(B, A, 3, True),
        Hit(C, A, 2, True),
        Hit(A, D, 9, False),
    )


def test_the_threshold_is_the_tables() -> None:
    fought = [Fought(B, A, 3), Fought(A, C, 9)]

    assert rules.settle(fought, {A: 5, B: 9, C: 9}, 0)[1].landed
    assert not rules.settle(fought, {A: 5, B: 9, C: 9}, 2)[1].landed


def test_in_a_triangle_everything_lands() -> None:
    fought = [Fought(A, B, 9), Fought(B, C, 9), Fought(C, A, 9)]

    assert all(hit.landed for hit in rules.settle(fought, {A: 1, B: 1, C: 1}, 0))


def test_J1_a_person_who_had_fallen_before_is_not_put_out_by_those_upon_him() -> None:
    fought = [Fought(A, B, 2), Fought(A, C, 1)]

    assert all(hit.landed for hit in rules.settle(fought, {A: 0, B: 9, C: 9}, 0))
    assert rules.settle([*fought, Fought(D, A, 1)], {A: 1, B: 9, C: 9, D: 9}, 0)[0].landed is False
