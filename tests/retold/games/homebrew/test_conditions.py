"""Conditions and rests: docs/rules/homebrew.md §6 and §7."""

from __future__ import annotations

import pytest

from retold.games.homebrew import events as h
from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.state import shelf
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from tests.retold.games.homebrew.at_the_bridge import dice, made, total, track
from tests.retold.games.homebrew.at_the_mill import OSK, RAT, THIA, hit, mill, turned
from tests.scenario import cast, given

WHY = Words("The soup.")


def condition(*who: int, name: str, to: str | None = None, **more: object) -> v.SetCondition:
    return v.SetCondition.of({"who": who, "condition": name, "to": to, **more})


def rest(*said: int | str, **more: object) -> v.TakeRest:
    return v.TakeRest.of({"who": said[:1], "rest": said[1:], **more})


def rested(who: int, kind: str, **more: object) -> h.Rested:
    return h.Rested.of({"people": (who,), "rest": kind, **more})


# --- on and off -------------------------------------------------------------------------------------------


def test_HB_50_wish_9_a_condition_is_put_on_several_people_and_taken_off() -> None:
    story = (
        mill()
        .when(condition(THIA, RAT, name="poison", text=WHY))
        .then(turned(THIA, "poisoned", text=WHY), turned(RAT, "poisoned"))
    )

    assert shelf(story.table).conditions == {THIA: ["poisoned"], RAT: ["poisoned"]}
    after = story.when(condition(RAT, name="poisoned", to="off")).then(turned(RAT, "poisoned", on=False))
    assert shelf(after.table).conditions == {THIA: ["poisoned"]}


def test_HB_50_wish_9_a_condition_that_is_so_already_is_refused() -> None:
    mill().given(turned(THIA, "held")).when(condition(THIA, name="held")).then_refused(
        "Thia is held already."
    )
    mill().when(condition(THIA, name="held", to="off")).then_refused("Thia is not held.")


def test_HB_50_wish_9_a_shared_condition_skips_characters_already_in_it() -> None:
    story = mill().given(turned(THIA, "held"))

    story.when(condition(THIA, RAT, name="held", text=WHY)).then(turned(RAT, "held", text=WHY))
    story.when(condition(RAT, OSK, name="held", to="off")).then_refused("Rat is not held. Osk is not held.")


def test_HB_50_wish_9_a_name_that_the_game_does_not_have_is_asked() -> None:
    mill().when(condition(THIA, name="posoned")).then_refused(
        "There is no condition posoned in Mills. Did you mean poisoned? There is: poisoned, hidden, held,"
        " tired, on fire, blessed. For one of your own: track Thia posoned 1/1."
    )
    mill().when(condition(THIA, name="h")).then_refused("h may be hidden or held.")


def test_HB_50_wish_9_without_conditions_in_a_file_any_name_is_one() -> None:
    given(*cast("Thia")).when(condition(THIA, name="Sea-sick")).then(turned(THIA, "sea sick"))


def test_HB_50_wish_9_a_track_that_is_there_or_not_is_put_on_like_a_condition() -> None:
    mill().when(condition(THIA, name="blessed")).then(track(THIA, "blessed", 0, 1, 1))


def test_HB_50_wish_9_a_line_of_track_turns_a_condition_too() -> None:
    keep = v.Keep(who=THIA, track="on fire", value="on")
    story = mill().when(keep).then(turned(THIA, "on fire"))

    story.when(keep.but({"value": "off"})).then(turned(THIA, "on fire", on=False))
    story.when(keep.but({"value": "3"})).then_refused("on fire is a condition: it is on or off, not 3.")


def test_HB_50_wish_9_conditions_are_rows_while_they_are_on() -> None:
    def rows(*events: Event) -> list[str]:
        return [row.what for row in shelf(mill().given(*events).table).rows() if row.who == RAT]

    assert rows(turned(RAT, "held")) == ["held"]
    assert rows(turned(RAT, "held"), turned(RAT, "held", on=False)) == []


# --- what they do to rolls --------------------------------------------------------------------------------


def test_HB_51_wish_9_a_condition_throws_two_dice_or_adds_a_number_and_the_record_says_which_counted() -> (
    None
):
    story = mill(damage=None).given(turned(THIA, "poisoned"), turned(THIA, "tired"))

    story.when(hit("15 17")).then(
        dice(THIA, "2d20", 15, 17),
        total(THIA, "2d20kl1+3[str]-2[tired]", 16, kept=(1,), goal=12, margin=4),
        made(
            *(THIA, "hit", "str", 3, "a hit"),
            target=OSK,
            against="parry",
            conditions=("poisoned", "tired"),
        ),
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "line", "thrown"),
    [
        (("poisoned",), (), None, "2d20kl1"),
        (("poisoned",), (), "adv", "1d20"),
        (("poisoned",), ("held",), None, "1d20"),
        ((), ("held",), "adv", "2d20kh1"),
        ((), ("poisoned",), None, "1d20"),
        (("hidden", "poisoned"), ("held",), "dis", "1d20"),
    ],
)
def test_HB_51_wish_9_one_of_each_comes_to_neither_and_several_of_one_to_one(
    mine: tuple[str, ...], theirs: tuple[str, ...], line: str | None, thrown: str
) -> None:
    story = mill().given(*(turned(THIA, one) for one in mine), *(turned(OSK, one) for one in theirs))

    reached = story.when(hit(None, twice=line), dealt="2 " * (1 + (thrown[0] == "2"))).events[1]

    assert isinstance(reached, e.TotalReached)
    assert reached.throw == f"{thrown}+3[str]"


def test_HB_51_wish_9_a_condition_counts_in_the_moves_it_names_and_may_end_with_the_first() -> None:
    story = mill(damage=None).given(turned(THIA, "hidden"))
    look = v.Roll(who=THIA, move="look", results=("4", "4"))

    story.when(look).then(
        dice(THIA, "2d6", 4, 4), total(THIA, "2d6+3[str]", 11), made(THIA, "look", "str", 3, None)
    )
    story.when(hit("9 4")).then(
        dice(THIA, "2d20", 9, 4),
        total(THIA, "2d20kh1+3[str]", 12, kept=(1,), goal=12, margin=0),
        made(THIA, "hit", "str", 3, "a hit", target=OSK, against="parry", conditions=("hidden",)),
        turned(THIA, "hidden", on=False, move="hit"),
    )


# --- rests ------------------------------------------------------------------------------------------------


def test_HB_60_wish_8_a_rest_sets_tracks_back_by_dice_and_by_a_number() -> None:
    """1d6 shows 2, and a strength of 3: five hit points; and a box less of stress."""
    story = mill().given(track(THIA, "hp", 9, 1, 9), track(THIA, "stress", 0, 2, 4))

    story.when(rest("short", THIA, results=("2",), text=WHY)).then(
        rested(THIA, "short", text=WHY),
        dice(THIA, "1d6", 2),
        total(THIA, "1d6+3[str]", 5),
        track(THIA, "hp", 1, 6, 9, rest="short"),
        track(THIA, "stress", 2, 1, 4, rest="short"),
    )


def test_HB_60_wish_8_of_several_each_throws_and_each_goes_back() -> None:
    story = mill().given(track(THIA, "hp", 9, 1, 9), track(OSK, "hp", 6, 1, 6))
    both = v.TakeRest(who=(OSK, THIA), rest=("short",), results=("3", "2"))

    story.when(both).then(
        rested(OSK, "short").but({"people": (OSK, THIA)}),
        *(dice(OSK, "1d6", 3), total(OSK, "1d6+0[str]", 3), track(OSK, "hp", 1, 4, 6, rest="short")),
        *(dice(THIA, "1d6", 2), total(THIA, "1d6+3[str]", 5), track(THIA, "hp", 1, 6, 9, rest="short")),
    )


def test_HB_60_wish_8_a_full_track_takes_no_recovery_roll() -> None:
    mill().when(rest("short", THIA)).then(rested(THIA, "short"))


def test_HB_60_wish_8_a_rest_sets_tracks_full_empty_or_to_where_they_start_and_ends_conditions() -> None:
    hurt = (track(OSK, "hp", 6, 1, 6), track(OSK, "stress", 0, 2, 4), track(OSK, "coin", 2, 9, None))
    conditions = (turned(OSK, "held"), turned(OSK, "poisoned"), track(OSK, "blessed", 0, 1, 1))
    story = mill().given(*hurt, *conditions)

    after = story.when(rest(OSK, "lo")).then(
        rested(OSK, "long"),
        track(OSK, "hp", 1, 6, 6, rest="long"),
        track(OSK, "stress", 2, 0, 4, rest="long"),
        track(OSK, "coin", 9, 2, None, rest="long"),
        track(OSK, "blessed", 1, 0, 1, rest="long"),
        turned(OSK, "poisoned", on=False, rest="long"),
    )

    after.when(rest(OSK, "long")).then(rested(OSK, "long"))
    after.when(rest(OSK, "spa")).then(rested(OSK, "spa"), turned(OSK, "held", on=False, rest="spa"))


def test_HB_60_wish_8_an_unnamed_rest_covers_all_played_characters() -> None:
    """The game master's chair has somebody in it too, and who a game master plays is theirs."""
    seats = ((0, 4), (OSK, 4), (RAT, 0))
    seated = (
        e.CastIntroduced(person=4, name=Words("Jo")),
        *(e.PlayerSeated(person=person, player=player) for person, player in seats),
    )
    mill().given(*seated).when(rest("spa", text=WHY)).then(rested(OSK, "spa", text=WHY))
    mill().when(rest("spa")).then_refused(
        "No character here has a player, so say who rests: rest NAME+NAME."
        " To name a player: cast NAME by=PLAYER."
    )


def test_HB_60_wish_8_a_rest_that_is_none_or_is_not_named_is_asked() -> None:
    story = mill()

    story.when(v.TakeRest()).then_refused("Say which: rest NAME short; or rest NAME long; or rest NAME spa.")
    story.when(rest("lung")).then_refused(
        "There is no rest “lung”, and no person of that name. Did you mean long? Rests: short, long, spa."
    )
    story.when(rest("long", "spa")).then_refused(
        "Say one of these: long, spa. Names are joined with +, without blanks."
    )
    given(*cast("Thia")).when(v.TakeRest()).then_refused(
        "There are no rests here: change the tracks themselves, or add a rest to the game's"
        " file, as docs/a-game-in-a-file.md shows."
    )


def test_HB_60_Q37_more_dice_than_one_rest_throws_are_answered_with_a_rest_for_each() -> None:
    hurt = mill().given(v.Keep(who=THIA, track="hp", value="1"))

    hurt.when(rest(THIA, "short", results=("2", "3"))).then_refused(
        "They throw in this order: Thia (1d6+3[str]). 1 result is wanted, and 2 were given."
        " A rest for each: rest Thia short = 2; then rest Thia short = 3."
    )


def test_HB_60_wish_8_in_a_fight_all_of_it_is_of_the_fight() -> None:
    story = mill().given(c.OpenConflict(sides=((THIA,), (OSK,)), system="homebrew"), turned(OSK, "held"))

    story.when(rest("spa", OSK)).then(
        rested(OSK, "spa", conflict=1), turned(OSK, "held", on=False, rest="spa", conflict=1)
    )


def test_2_a_refusal_for_dice_names_the_condition_that_made_one_d20_two() -> None:
    poisoned = mill().given(turned(THIA, "poisoned"))

    poisoned.when(hit("18")).then_refused(
        "2 dice are rolled here and 1 was given. Thia is poisoned: two d20, the lower counts."
    )
    poisoned.when(hit("16 12")).then_refused(
        "Thia is poisoned: two d20, the lower counts. The result is a hit: its damage is 1d8+3[str],"
        " and its die was not given. The results in order: = 16 12 DIE."
    )
    mill().given(turned(OSK, "held")).when(hit("18")).then_refused(
        "2 dice are rolled here and 1 was given. Osk is held: two d20, the higher counts."
    )


def test_L16_results_for_a_rest_that_throws_no_dice_are_refused_in_one_sentence() -> None:
    alone = v.TakeRest(who=(THIA,), rest=("short",), results=("2",))

    mill().when(alone).then_refused(
        "This rest throws no dice (Thia (hp 9/9)): leave out = and the text after it."
    )


def test_4_a_refused_rest_lists_who_throws_and_who_does_not() -> None:
    hurt = mill().given(track(OSK, "hp", 6, 2, 6))
    both = v.TakeRest(who=(THIA, OSK), rest=("short",))

    hurt.when(both.but({"results": ("5", "6")})).then_refused(
        "They throw in this order: Osk (1d6+0[str]). No one rolls for Thia (hp 9/9)."
        " 1 result is wanted, and 2 were given."
    )
    hurt.given(track(THIA, "hp", 9, 1, 9)).when(both.but({"results": ("5",)})).then_refused(
        "They throw in this order: Thia (1d6+3[str]), Osk (1d6+0[str])."
        " 2 results are wanted, and 1 was given."
    )
