"""The numbers of Edgerunner: rolls, time, sheets, stress, maps (docs/rules/edgerunner.md)."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain, combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.games.edgerunner import rules
from retold.games.edgerunner.measures import in_shifts, ladder
from retold.games.edgerunner.options import OPTIONS
from retold.games.edgerunner.rules import (
    Act,
    Characteristic,
    FreeMove,
    Kind,
    Marking,
    MookDeploy,
    RangePenalty,
    Role,
    Severity,
)

TAKEN_OUT = None
BLOCKED = None
NO_WAY = None

# --- rolls: §2, §3, §5 ---


def test_ED_01_a_skill_of_two_and_a_plus_of_one_is_good() -> None:
    total = 2 + sum([1, 1, -1, 0])

    assert total == 3
    assert ladder(total) == "Good"


def test_ED_02_an_invoke_makes_it_superb() -> None:
    assert ladder(3 + rules.INVOKE) == "Superb"


def test_ED_03_what_is_as_good_as_its_opposition_has_no_shifts() -> None:
    assert 1 + sum([1, 1, 1, -1]) - 3 == 0


def test_the_ladder_has_a_word_for_every_result() -> None:
    assert [ladder(total) for total in range(-4, 9)] == [
        "Catastrophic",
        "Abysmal",
        "Terrible",
        "Poor",
        "Mediocre",
        "Average",
        "Decent",
        "Good",
        "Great",
        "Superb",
        "Fantastic",
        "Epic",
        "Legendary",
    ]


def test_beyond_the_ladder_is_its_end() -> None:
    assert [ladder(total) for total in (-40, -5, 9, 40)] == [
        "Catastrophic",
        "Catastrophic",
        "Legendary",
        "Legendary",
    ]


def test_a_roll_is_of_four_dice() -> None:
    assert rules.DICE == 4


def test_ED_11_support_counts_for_a_declaration_and_opposition_against_it() -> None:
    bonus = 2 - 1  # supporters less opponents

    assert bonus == 1
    assert bonus + 1 == 2


def test_ED_13_an_assessment_with_a_shift_gains_one_free_invoke() -> None:
    assert rules.free_invokes(1 + sum([1, 1, 1, -1]) - 2) == 1


def test_ED_14_two_aspects_add_four() -> None:
    assert 2 * rules.INVOKE == 4


@pytest.mark.parametrize(
    ("shifts", "free"),
    [(-1, BLOCKED), (0, 0), (1, 1), (2, 1), (3, 2), (5, 2), (6, 3), (9, 3), (10, 4), (40, 4)],
)
def test_ED_21_a_new_aspect_has_free_invokes_by_its_shifts(shifts: int, free: int | None) -> None:
    assert rules.free_invokes(shifts) == free


@pytest.mark.parametrize(("resisted", "free"), [(1, 1), (2, 0), (3, BLOCKED)])
def test_ED_31_to_block_an_aspect_takes_one_more_than_its_shifts(resisted: int, free: int | None) -> None:
    assert rules.free_invokes(2 - resisted) == free


@pytest.mark.parametrize(
    ("result", "spins"),
    [(-2, 0), (-3, 1), (-5, 1), (-6, 2), (-7, 2), (-9, 3), (-1, 0), (0, 0), (1, 0), (3, 0)],
)
def test_ED_33_each_full_three_below_nothing_is_a_spin(result: int, spins: int) -> None:
    assert rules.spins(result) == spins


def test_ED_27_the_highest_bid_takes_the_turn() -> None:
    assert rules.highest_bid({1: 2, 2: 1}) == (1,)
    assert rules.highest_bid({1: 1, 2: 2}) == (2,)


def test_equal_bids_tie() -> None:
    assert rules.highest_bid({3: 2, 1: 1, 2: 2}) == (3, 2)
    assert rules.highest_bid({}) == ()


# --- time: §2 ---


def test_the_time_track_goes_from_an_instant_to_a_lifetime() -> None:
    assert ", ".join(rules.TIME) == (
        "instant, a few moments, half a minute, a minute, a few minutes, 15 minutes, half an hour, an hour, "
        "a few hours, an afternoon, a day, a few days, a week, a few weeks, a month, a quarter, half a year, "
        "a year, a few years, a decade, a lifetime"
    )


@pytest.mark.parametrize(("step", "name"), list(enumerate(rules.TIME)))
def test_every_step_is_found_by_its_name(step: int, name: str) -> None:
    assert rules.time_step(name) == step
    assert rules.time_step(name.upper().replace(" ", "-")) == step


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("a few mo", "a few moments"),
        ("half an", "half an hour"),
        ("a minute", "a minute"),
        ("a week", "a week"),
        ("15", "15 minutes"),
        ("15 min", "15 minutes"),
        ("a dec", "a decade"),
    ],
)
def test_a_step_may_be_shortened_while_it_is_the_only_one(words: str, name: str) -> None:
    assert rules.time_step(words) == rules.TIME.index(name)


@pytest.mark.parametrize("words", ["", "a", "a few", "a m", "half a", "1", "150", "a fortnight", "a weekend"])
def test_other_words_are_no_step(words: str) -> None:
    assert rules.time_step(words) is None


@pytest.mark.parametrize(
    ("vector", "before", "shifts", "after"),
    [
        ("ED-04", "a few weeks", 2, "a few days"),
        ("ED-15", "a day", 2, "a few hours"),
        ("ED-15", "a few hours", rules.WORTH[Severity.MODERATE], "half an hour"),
        ("longer", "an hour", -1, "a few hours"),
        ("as told", "a year", 0, "a year"),
        ("no sooner", "a few moments", 2, "instant"),
        ("no later", "a decade", -2, "a lifetime"),
    ],
)
def test_ED_04_ED_15_a_shift_is_a_step_of_time(vector: str, before: str, shifts: int, after: str) -> None:
    assert rules.time_after(rules.TIME.index(before), shifts) == rules.TIME.index(after), vector


def test_ED_25_a_problem_takes_the_steps_it_is_longer_than_an_exchange() -> None:
    assert rules.problem_threshold(rules.TIME.index("a few moments"), rules.TIME.index("an hour")) == 6


@pytest.mark.parametrize(("exchange", "task", "threshold"), [(1, 2, 1), (3, 3, 0), (7, 1, 0)])
def test_what_fits_an_exchange_is_no_problem(exchange: int, task: int, threshold: int) -> None:
    assert rules.problem_threshold(exchange, task) == threshold


# --- sheets: §1 ---


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (Act, "move attack defend maneuver recover deploy simple"),
        (Kind, "character extra goon mook alternate faction device problem"),
        (Role, "solo nomad media rockerboy corporate enforcer netrunner fixer techie"),
        (Severity, "mild moderate severe"),
        (Characteristic, "disposition focus influence"),
    ],
)
def test_the_words_of_sheets_and_records_are_these(words: type[StrEnum], expected: str) -> None:
    assert " ".join(words) == expected


@pytest.mark.parametrize(
    ("kind", "own", "shared"),
    [
        (Kind.CHARACTER, ("cool", "humanity", "reputation"), ()),
        (Kind.EXTRA, ("cool", "humanity"), ()),
        (Kind.GOON, ("stress",), ()),
        (Kind.MOOK, ("stress",), ()),
        (Kind.ALTERNATE, ("reputation",), ("cool", "humanity")),
        (Kind.FACTION, ("leverage", "prestige"), ()),
        (Kind.DEVICE, (), ()),
        (Kind.PROBLEM, ("stress",), ()),
    ],
)
def test_every_kind_has_its_tracks(kind: Kind, own: tuple[str, ...], shared: tuple[str, ...]) -> None:
    assert rules.tracks(kind) == own
    assert rules.shared_tracks(kind) == shared


@pytest.mark.parametrize(
    ("kind", "mild", "moderate", "severe"),
    [
        (Kind.CHARACTER, 1, 2, 4),
        (Kind.EXTRA, 1, 2, 4),
        (Kind.GOON, 0, 3, 0),
        (Kind.MOOK, 0, 0, 0),
        (Kind.ALTERNATE, 1, 2, 0),
        (Kind.FACTION, 1, 2, 4),
        (Kind.DEVICE, 0, 0, 0),
        (Kind.PROBLEM, 0, 0, 0),
    ],
)
def test_every_kind_has_its_consequences(kind: Kind, mild: int, moderate: int, severe: int) -> None:
    worth = {Severity.MILD: mild, Severity.MODERATE: moderate, Severity.SEVERE: severe}

    assert {severity: rules.worth(kind, severity) for severity in Severity} == worth
    assert rules.slots(kind) == {severity: shifts for severity, shifts in worth.items() if shifts}


@pytest.mark.parametrize(
    ("kind", "threshold"),
    [
        (Kind.CHARACTER, 2 + 1),
        (Kind.EXTRA, 3 + 1),
        (Kind.GOON, 4 + 1),
        (Kind.MOOK, 1),
        (Kind.ALTERNATE, 2 + 1),
        (Kind.FACTION, 3 + 1),
        (Kind.DEVICE, 1),
        (Kind.PROBLEM, 1),
    ],
)
def test_a_threshold_is_the_base_of_its_kind_and_what_is_added(kind: Kind, threshold: int) -> None:
    assert rules.own_threshold(kind, base=2, skill=1) == threshold


def test_ED_05_remaining_shifts_are_boxes_of_the_thing_built() -> None:
    integrity = rules.own_threshold(Kind.DEVICE, base=2, skill=4 - 1)

    assert integrity == 3
    assert rules.mark(3, (), integrity, Marking.DIASPORA) == (1, 2, 3)
    assert rules.mark(4, (), integrity, Marking.DIASPORA) is TAKEN_OUT


def test_ED_19_armour_of_two_makes_a_crew_of_three_take_five() -> None:
    crew = rules.own_threshold(Kind.DEVICE, base=2, skill=3)

    assert rules.mark(5, (), crew, Marking.SINGLE_BOX) is TAKEN_OUT
    assert rules.mark(5, (), crew + 2, Marking.SINGLE_BOX) == (5,)


@pytest.mark.parametrize(
    ("target", "characteristic"),
    [
        (Kind.FACTION, Characteristic.INFLUENCE),
        (Kind.PROBLEM, Characteristic.DISPOSITION),
        (None, Characteristic.DISPOSITION),
        *((kind, Characteristic.FOCUS) for kind in Kind if kind not in (Kind.FACTION, Kind.PROBLEM)),
    ],
)
def test_a_faction_adds_what_its_target_calls_for(target: Kind | None, characteristic: str) -> None:
    assert rules.faction_bonus(target) == characteristic


@pytest.mark.parametrize(
    ("kind", "level_or_cost", "cost"),
    [
        (Kind.CHARACTER, 0, 8),
        (Kind.EXTRA, 0, 6),
        (Kind.GOON, 0, 4),
        (Kind.MOOK, 5, 8),
        (Kind.MOOK, 4, 6),
        (Kind.MOOK, 3, 4),
        (Kind.DEVICE, 3, 6),
    ],
)
def test_ED_26_the_cost_of_deployment_depends_on_the_asset(kind: Kind, level_or_cost: int, cost: int) -> None:
    assert rules.deploy_cost(kind, level_or_cost, MookDeploy.LESS_ONE_DOUBLED) == cost


@pytest.mark.parametrize(("level", "cost"), [(5, 9), (4, 7), (3, 5)])
def test_mooks_may_cost_one_more(level: int, cost: int) -> None:
    assert rules.deploy_cost(Kind.MOOK, level, MookDeploy.DOUBLED_LESS_ONE) == cost
    assert rules.deploy_cost(Kind.DEVICE, level, MookDeploy.DOUBLED_LESS_ONE) == 2 * level


def test_only_deployable_assets_have_a_cost() -> None:
    for kind in Kind:
        if kind in rules.DEPLOYABLE:
            assert rules.deploy_cost(kind, 5, MookDeploy.LESS_ONE_DOUBLED) > 0
        else:
            with pytest.raises(KeyError):
                rules.deploy_cost(kind, 5, MookDeploy.LESS_ONE_DOUBLED)
    assert set(Kind) - rules.DEPLOYABLE == {Kind.ALTERNATE, Kind.FACTION, Kind.PROBLEM}


@pytest.mark.parametrize(
    ("levels", "one"),
    [
        ((5,), 5),
        ((4, 4), 5),
        ((3, 3), 4),
        ((3, 3, 4), 5),
        ((1, 1), 2),
        ((0,), 0),
        ((3, 3, 3), 4),
        ((5, 3), 5),
    ],
)
def test_ED_28_two_units_of_a_level_equal_one_of_the_next(levels: tuple[int, ...], one: int) -> None:
    assert rules.mook_equals(levels) == one


@given(st.lists(st.integers(0, 8), max_size=6), st.integers(1, 9))
def test_mooks_are_worth_the_same_when_one_lot_splits(others: list[int], level: int) -> None:
    assert rules.mook_equals([*others, level]) == rules.mook_equals([*others, level - 1, level - 1])


def test_ED_16_two_constraints_leave_an_upgrade_of_two_without_stress() -> None:
    assert rules.strain(0, 2 - 2, own=True) == 0


def test_ED_17_an_upgrade_of_two_on_a_roll_of_one_is_three_stress() -> None:
    assert ladder(3 + 2 + 1) == "Fantastic"
    stress = rules.strain(1, 2, own=True)
    assert stress == 3

    left = stress - rules.worth(Kind.CHARACTER, Severity.MODERATE)
    assert rules.mark(left, (), 1, Marking.DIASPORA) == (1,)
    assert rules.mark(stress, (), 1, Marking.DIASPORA) is TAKEN_OUT


def test_ED_18_the_better_the_opponent_rolls_the_less_an_upgrade_strains() -> None:
    assert rules.strain(4, 4 - 1, own=False) == 0
    assert rules.strain(-4, 4 - 1, own=False) == 7


def test_an_upgrade_never_heals() -> None:
    assert rules.strain(-4, 2, own=True) == 0
    assert rules.strain(3, 2, own=False) == 0


# --- stress: §7 ---

TRACKS = st.frozensets(st.integers(1, 12), max_size=12)
AMOUNTS = st.integers(1, 14)
THRESHOLDS = st.integers(0, 12)


@pytest.mark.parametrize(
    ("amount", "marked", "threshold", "boxes"),
    [
        (1, (), 3, (1,)),
        (3, (), 3, (1, 2, 3)),
        (4, (), 3, TAKEN_OUT),
        (3, (1,), 5, (2, 3)),
        (2, (2,), 5, (1, 3)),
        (2, (1, 2, 3), 5, (4,)),
        (1, (1, 2, 3), 3, TAKEN_OUT),
        (1, (1, 2, 5), 4, (3,)),
        (1, (1, 2, 5), 2, TAKEN_OUT),
        (4, (4, 5), 5, TAKEN_OUT),
        (4, (4, 5), 6, (1, 2, 3, 6)),
        (1, (), 0, TAKEN_OUT),
    ],
)
def test_stress_marks_its_box_and_the_open_ones_below(
    amount: int, marked: tuple[int, ...], threshold: int, boxes: tuple[int, ...] | None
) -> None:
    assert rules.mark(amount, marked, threshold, Marking.DIASPORA) == boxes


@pytest.mark.parametrize(
    ("amount", "marked", "threshold", "boxes"),
    [
        (3, (), 3, (3,)),
        (4, (), 3, TAKEN_OUT),
        (2, (2,), 3, (3,)),
        (2, (2, 3), 4, (4,)),
        (2, (2, 3), 3, TAKEN_OUT),
        (1, (2, 3), 3, (1,)),
    ],
)
def test_single_boxes_are_marked_alone(
    amount: int, marked: tuple[int, ...], threshold: int, boxes: tuple[int, ...] | None
) -> None:
    assert rules.mark(amount, marked, threshold, Marking.SINGLE_BOX) == boxes


@pytest.mark.parametrize(
    ("amount", "marked", "threshold", "boxes"),
    [
        (2, (), 3, (1, 2)),
        (1, (1, 2), 3, (3,)),
        (2, (1, 2), 3, TAKEN_OUT),
        (2, (1, 2), 4, (3, 4)),
        (3, (1, 2, 5), 5, (3, 4)),
        (1, (1, 2, 5), 3, (3,)),
        (2, (2,), 3, (1,)),
    ],
)
def test_a_running_total_adds_boxes(
    amount: int, marked: tuple[int, ...], threshold: int, boxes: tuple[int, ...] | None
) -> None:
    assert rules.mark(amount, marked, threshold, Marking.RUNNING_TOTAL) == boxes


@pytest.mark.parametrize("marking", Marking)
@pytest.mark.parametrize("marked", [(), (1, 2), (3, 5), tuple(range(1, 8))])
def test_ED_08_eight_are_more_than_a_track_of_seven_can_take(
    marking: Marking, marked: tuple[int, ...]
) -> None:
    assert rules.mark(8, marked, 7, marking) is TAKEN_OUT


@given(AMOUNTS, TRACKS, THRESHOLDS, st.sampled_from(Marking))
def test_stress_marks_open_boxes_within_the_threshold(
    amount: int, marked: frozenset[int], threshold: int, marking: Marking
) -> None:
    boxes = rules.mark(amount, marked, threshold, marking)

    if boxes is not None:
        assert boxes
        assert list(boxes) == sorted(set(boxes))
        assert not marked.intersection(boxes)
        assert boxes[-1] <= threshold
        assert boxes[0] >= 1


@given(AMOUNTS, TRACKS, THRESHOLDS, st.sampled_from([Marking.DIASPORA, Marking.SINGLE_BOX]))
def test_a_person_who_has_no_open_box_from_the_number_up_is_taken_out(
    amount: int, marked: frozenset[int], threshold: int, marking: Marking
) -> None:
    can_be = [box for box in range(amount, threshold + 1) if box not in marked]

    boxes = rules.mark(amount, marked, threshold, marking)

    assert (boxes and boxes[-1]) == (can_be[0] if can_be else TAKEN_OUT)


@given(AMOUNTS, TRACKS, THRESHOLDS)
def test_a_taken_box_and_all_below_it_are_marked(amount: int, marked: frozenset[int], threshold: int) -> None:
    alone = rules.mark(amount, marked, threshold, Marking.SINGLE_BOX)
    with_those_below = rules.mark(amount, marked, threshold, Marking.DIASPORA)

    assert (alone is TAKEN_OUT) == (with_those_below is TAKEN_OUT)
    if alone is not None and with_those_below is not None:
        assert len(alone) == 1
        assert marked.union(with_those_below) >= set(range(1, alone[0] + 1))


@given(st.lists(AMOUNTS, min_size=1, max_size=5), st.integers(0, 30))
def test_a_running_total_sums_the_stress_taken(amounts: list[int], threshold: int) -> None:
    marked: set[int] = set()

    for amount in amounts:
        boxes = rules.mark(amount, marked, threshold, Marking.RUNNING_TOTAL)
        if boxes is None:
            assert len(marked) + amount > threshold
            break
        marked.update(boxes)
    else:
        assert sum(amounts) <= threshold
        assert marked == set(range(1, sum(amounts) + 1))


@given(AMOUNTS, TRACKS, THRESHOLDS, st.sampled_from(Marking))
def test_a_higher_threshold_changes_nothing_unless_taken_out(
    amount: int, marked: frozenset[int], threshold: int, marking: Marking
) -> None:
    boxes = rules.mark(amount, marked, threshold, marking)

    if boxes is not None:
        assert rules.mark(amount, marked, threshold + 1, marking) == boxes


@pytest.mark.parametrize(
    ("shifts", "floor", "threshold"),
    [(5, False, 5), (2, False, 2), (-1, False, 0), (5, True, 5), (2, True, 3), (-1, True, 3)],
)
def test_a_defence_replaces_the_threshold(shifts: int, floor: bool, threshold: int) -> None:
    assert rules.defended(3, shifts, floor=floor) == threshold


def test_ED_22_four_shifts_clear_boxes_of_four() -> None:
    found = rules.recoveries([1, 2, 3, 4, 5], 4)

    assert found == ((1,), (1, 2), (1, 3), (2,), (3,), (4,))
    assert rules.recovery_cost((2, 3)) == 5


def test_only_marked_boxes_are_cleared() -> None:
    assert rules.recoveries((5, 2), 6) == ((2,), (5,))
    assert rules.recoveries((5, 2), 7) == ((2,), (2, 5), (5,))
    assert rules.recoveries((1,), 0) == ()
    assert rules.recoveries((1,), -2) == ()
    assert rules.recoveries((), 9) == ()


@given(st.frozensets(st.integers(1, 8)), st.integers(-2, 40))
def test_every_choice_the_shifts_can_pay_is_found(marked: frozenset[int], shifts: int) -> None:
    every = chain.from_iterable(combinations(sorted(marked), size) for size in range(1, len(marked) + 1))

    assert rules.recoveries(marked, shifts) == tuple(
        sorted(boxes for boxes in every if rules.recovery_cost(boxes) <= shifts)
    )


def test_choices_on_a_huge_track_are_capped() -> None:
    found = rules.recoveries(range(1, 100_000), 1_000_000)

    assert len(found) == rules.MOST_RECOVERIES == 2**8 - 1
    assert all(rules.recovery_cost(boxes) <= 1_000_000 for boxes in found)


# --- the map: §4 ---

HALL = {
    ("hall", "cell"): {"open": 1, "door": 1 + 2, "break": 4, "wall": 7},
    ("cell", "hall"): {"open": 1, "door": 1 + 2, "break": 4, "wall": 7},
    ("ridge", "valley"): {"": 1},
    ("valley", "ridge"): {"": 3},
    ("valley", "hall"): {"": 2},
}
"""The borders of ED-24: a door in a wall, a slope, and a low wall that nobody climbs back over."""

THREE_IN_A_ROW = {
    ("one", "two"): {"": 3},
    ("two", "one"): {"": 3},
    ("two", "three"): {"": 3},
    ("three", "two"): {"": 3},
}


@pytest.mark.parametrize(("shifts", "borders"), [(2, 0), (3, 1), (5, 1), (6, 2), (9, 2), (0, 0), (-3, 0)])
def test_ED_06_six_carry_over_two_borders_of_three_and_two_over_none(shifts: int, borders: int) -> None:
    assert 3 + sum([1, 0, -1, -1]) == 2
    assert rules.walked(shifts, [3, 3]) == borders


def test_ED_06_a_free_move_crosses_no_border_of_three() -> None:
    assert not rules.free_step(3, 0, FreeMove.ONE)
    assert rules.distance(THREE_IN_A_ROW, "one", "three") == 2


def test_ED_07_four_carry_over_four_borders_of_one() -> None:
    assert rules.walked(4, [1, 1, 1, 1, 1]) == 4


@pytest.mark.parametrize(("way", "least"), [("open", 1), ("door", 3), ("break", 4), ("wall", 7)], ids=str)
def test_ED_24_a_border_needs_the_value_of_the_way_taken(way: str, least: int) -> None:
    value = HALL["hall", "cell"][way]

    assert rules.walked(least - 1, [value]) == 0
    assert rules.walked(least, [value]) == 1


def test_ED_24_a_border_counts_as_one_at_any_cost() -> None:
    assert rules.distance(HALL, "ridge", "valley") == rules.distance(HALL, "valley", "ridge") == 1
    assert rules.distance(HALL, "ridge", "cell") == 3


def test_a_border_that_can_be_passed_one_way_counts_both_ways() -> None:
    assert rules.distance(HALL, "hall", "valley") == 1
    assert rules.distance({("a", "b"): {}, ("b", "a"): {"": 1}}, "a", "b") == 1


def test_an_impassable_border_does_not_count() -> None:
    assert rules.distance({("a", "b"): {}, ("b", "a"): {}}, "a", "b") is NO_WAY


def test_distance_is_zero_at_home_and_infinite_without_a_path() -> None:
    assert rules.distance({}, "a", "a") == 0
    assert rules.distance(HALL, "hall", "the moon") is NO_WAY
    assert rules.distance(HALL, "the moon", "hall") is NO_WAY


def test_the_shortest_way_counts() -> None:
    ring = {(one, other): {"": 1} for one, other in pairwise("abcdea")}

    assert [rules.distance(ring, "a", zone) for zone in "abcde"] == [0, 1, 2, 2, 1]


ZONES = st.sampled_from("abcdef")
MAPS = st.dictionaries(st.tuples(ZONES, ZONES), st.dictionaries(st.just(""), st.integers(0, 5)), max_size=10)


@given(MAPS, ZONES, ZONES)
def test_distance_is_symmetric(borders: rules.Borders, start: str, end: str) -> None:
    assert rules.distance(borders, start, end) == rules.distance(borders, end, start)


@given(MAPS, ZONES, ZONES, ZONES)
def test_a_detour_is_never_shorter(borders: rules.Borders, start: str, between: str, end: str) -> None:
    first, second = rules.distance(borders, start, between), rules.distance(borders, between, end)

    if first is not None and second is not None:
        straight = rules.distance(borders, start, end)
        assert straight is not None
        assert straight <= first + second


@given(st.integers(-4, 30), st.lists(st.integers(0, 9), max_size=8))
def test_a_walk_never_exceeds_its_shifts(shifts: int, costs: list[int]) -> None:
    borders = rules.walked(shifts, costs)

    assert borders == 0 or sum(costs[:borders]) <= shifts
    assert borders == len(costs) or sum(costs[: borders + 1]) > shifts


def test_ED_20_a_maneuver_at_three_borders_loses_three_shifts() -> None:
    lost = rules.range_penalty(3, Act.MANEUVER, RangePenalty.ALL)

    assert lost == 3
    assert rules.free_invokes(3 - lost) == 0
    assert rules.free_invokes(2 - lost) is BLOCKED


@pytest.mark.parametrize(
    ("rule", "harder"),
    [
        (RangePenalty.ALL, {Act.MOVE, Act.ATTACK, Act.DEFEND, Act.MANEUVER, Act.RECOVER}),
        (RangePenalty.DEFENSE_ONLY, {Act.DEFEND}),
        (RangePenalty.OFF, set()),
    ],
)
def test_an_option_chooses_the_acts_with_a_range_penalty(rule: RangePenalty, harder: set[Act]) -> None:
    assert {act: rules.range_penalty(2, act, rule) for act in Act} == {
        act: 2 if act in harder else 0 for act in Act
    }


@pytest.mark.parametrize(
    ("value", "eroded", "crosses"), [(0, 0, True), (1, 0, True), (2, 0, False), (2, 1, True), (3, 1, False)]
)
def test_a_free_move_wears_a_border_down_to_one(value: int, eroded: int, crosses: bool) -> None:
    assert rules.free_step(value, eroded, FreeMove.ONE) is crosses


def test_a_free_move_may_be_off_or_over_anything() -> None:
    assert not rules.free_step(1, 0, FreeMove.OFF)
    assert rules.free_step(9, 0, FreeMove.ANY)


# --- options: §10 ---


def test_every_option_holds_something_it_takes() -> None:
    assert [option.key for option in OPTIONS if not option.takes(option.default)] == []


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("free_move", FreeMove),
        ("range_penalty", RangePenalty),
        ("stress_marking", Marking),
        ("mook_deploy", MookDeploy),
    ],
)
def test_the_rules_know_every_value_of_these_options(key: str, values: type[StrEnum]) -> None:
    (option,) = (option for option in OPTIONS if option.key == key)

    assert list(option.values) == list(values)
    assert option.default == option.values[0]


# --- the most a track can take: §7 ---


@pytest.mark.parametrize(
    ("marked", "threshold", "marking", "most"),
    [
        ((), 4, Marking.DIASPORA, 4),
        ((3, 4), 4, Marking.DIASPORA, 2),
        ((1, 2, 3), 4, Marking.SINGLE_BOX, 4),
        ((1, 2, 4), 4, Marking.SINGLE_BOX, 3),
        ((1,), 4, Marking.RUNNING_TOTAL, 3),
        ((1, 2, 3, 4), 4, Marking.DIASPORA, 0),
        ((), 0, Marking.DIASPORA, 0),
        ((5,), 1, Marking.RUNNING_TOTAL, 1),
    ],
)
def test_A38_the_most_stress_a_track_can_still_mark(
    marked: tuple[int, ...], threshold: int, marking: Marking, most: int
) -> None:
    assert rules.most_taken(marked, threshold, marking) == most


@given(st.sets(st.integers(1, 12)), st.integers(0, 12), st.sampled_from(list(Marking)))
def test_A38_one_more_than_the_most_finds_no_box(marked: set[int], threshold: int, marking: Marking) -> None:
    most = rules.most_taken(marked, threshold, marking)

    assert rules.mark(most + 1, marked, threshold, marking) is TAKEN_OUT
    assert most == 0 or rules.mark(most, marked, threshold, marking) is not TAKEN_OUT


@pytest.mark.parametrize(
    ("count", "said"), [(-2, "-2 shifts"), (-1, "-1 shift"), (0, "0 shifts"), (1, "1 shift")]
)
def test_one_shift_is_singular_on_either_side_of_0(count: int, said: str) -> None:
    assert in_shifts(count) == said
