"""A game is chosen, tracks and clocks are kept, and a fight goes round: docs/rules/homebrew.md."""

from __future__ import annotations

import pytest

from retold.games.homebrew import events as h
from retold.games.homebrew.commands import order
from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.options import built_in_game, game_as_json
from retold.games.homebrew.rules import Stat
from retold.games.homebrew.state import shelf
from retold.journal.capabilities import InOrder
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Words
from tests.retold.games.homebrew.at_the_bridge import (
    CHOSEN,
    GAME,
    ORCS,
    OSK,
    THIA,
    WHY,
    bridge,
    dice,
    fight,
    total,
    track,
)
from tests.scenario import cast, given


def keep(who: int, name: str, value: str) -> v.Keep:
    return v.Keep(who=who, track=name, value=value, text=WHY)


def clock(value: str) -> v.Clock:
    return v.Clock(name=Words("Dusk"), value=value)


# --- a game, or none --------------------------------------------------------------------------------------


def test_HB_01_a_game_is_chosen_with_all_its_file_says() -> None:
    chosen = h.GameChosen(name="moves", definition=game_as_json(built_in_game("moves")), text=WHY)

    given().when(v.ChooseGame(game="moves", text=WHY)).then(chosen)
    given().when(v.ChooseGame(game=game_as_json(GAME))).then(CHOSEN)
    given(CHOSEN).when(v.ChooseGame(game=game_as_json(GAME))).then_refused(
        "Bridges is played here already, and its file says the same."
    )


def test_HB_01_what_is_no_game_is_refused() -> None:
    given().when(v.ChooseGame(game='{"name":"x"}')).then_refused(
        "This is not a game: title is missing: it is 1 to 200 letters in quotes."
    )


def test_HB_02_a_game_takes_over_what_is_kept() -> None:
    """Four of six, and then of whatever the game's most is; what the game does not know stays."""
    story = bridge(game=False).given(keep(THIA, "hp", "4"), keep(THIA, "hope", "2/3"), CHOSEN)

    story.when(keep(THIA, "hp", "-1")).then(track(THIA, "hp", 4, 3, 12, text=WHY))
    story.when(keep(THIA, "hope", "-1")).then(track(THIA, "hope", 2, 1, 3, text=WHY))


@pytest.mark.parametrize("name", ["narrate", "asp", "x", "who", "as", "table"])
def test_HB_03_a_track_is_not_called_like_a_verb(name: str) -> None:
    game = GAME.but({"tracks": {**GAME.tracks, name: GAME.tracks["coin"]}})

    given().when(v.ChooseGame(game=game_as_json(game))).then_refused(
        f"The game bridges has a track called {name}, which is a verb: call it otherwise."
    )


def test_a_sheet_has_the_stats_of_the_game_in_their_range_and_any_words() -> None:
    story = given(*cast("Thia"), CHOSEN)

    story.when(c.Cast(who=THIA, values={"str": "+2", "bond": "Osk"})).then(
        e.SheetChanged(person=THIA, system="homebrew", values={"bond": "Osk", "str": 2})
    )
    story.when(c.Cast(who=THIA, values={"strr": 2})).then_refused(
        "Bridges has no stat strr. Did you mean str=? It has: str, dex, dots, body."
    )
    story.when(c.Cast(who=THIA, values={"str": 6})).then_refused("str is -3 to 5, not 6.")
    story.when(c.Cast(who=THIA, values={"level": 2})).then_refused(
        "Bridges has no stat level. It has: str, dex, dots, body. To count it beside the sheet: level NAME 2."
    )


def test_G10_a_line_of_the_cast_sets_what_is_counted_beside_the_sheet() -> None:
    story = given(CHOSEN)

    story.when(c.Cast(who=Words("Thia"), values={"str": "2", "HP": "9/12"})).then(
        *cast("Thia"),
        e.SheetChanged(person=THIA, system="homebrew", values={"str": 2}),
        h.TrackChanged(who=THIA, track="hp", was=12, now=9, most=12),
    )
    story.when(c.Cast(who=Words("Thia"), values={"hp": "12"})).then(
        *cast("Thia"), h.TrackChanged(who=THIA, track="hp", was=12, now=12, most=12)
    )
    story.when(c.Cast(who=Words("Thia"), values={"hp": "much"})).then_refused(
        "hp is written 9/12, 9, +1 or -5, or on and off; not much."
    )
    story.when(c.Cast(who=GM, values={"hp": "12"})).then_refused("The game master has no sheet.")


# --- tracks and clocks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("hp", "-5", (12, 7, 12)),
        ("hp", "-15", (12, 0, 12)),
        ("hp", "3", (12, 3, 12)),
        ("hp", "9/20", (12, 9, 20)),
        ("harm", "full", (0, 3, 3)),
        ("harm", "+2", (0, 2, 3)),
        ("coin", "+40", (0, 40, None)),
        ("cursed", "on", (0, 1, 1)),
        ("CURS", "on", (0, 1, 1)),
    ],
)
def test_HB_30_a_track_is_set_or_changed_by_an_amount(
    name: str, value: str, expected: tuple[int, int, int | None]
) -> None:
    """A body of 12 is the most of hp; harm has three boxes; coin has no end."""
    called = "cursed" if name == "CURS" else name

    bridge().when(keep(THIA, name, value)).then(track(THIA, called, *expected, text=WHY))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("hp", "+1", "Thia has hp 12/12: it goes no further."),
        ("harm", "-1", "Thia has harm 0/3: it goes no further."),
        ("hp", "13", "hp is 0 to 12, not 13. 13/13 sets the most as well."),
        ("hp", "-5/3", "hp is 0 to 3, not -5."),
        ("coin", "full", "coin is written 9/12, 9, +1 or -5, or on and off; not full."),
        ("hp", "a lot", "hp is written 9/12, 9, +1 or -5, or on and off; not a lot."),
        (
            "hq",
            "3",
            (
                "There is no track hq in Bridges: there is hp, harm, coin, cursed."
                " For another, say its most: track Thia hq 5/6."
            ),
        ),
    ],
)
def test_HB_30_what_a_track_cannot_be_is_refused(name: str, value: str, sentence: str) -> None:
    bridge().when(keep(THIA, name, value)).then_refused(sentence)


def test_HB_30_Q37_dice_without_a_thrower_change_a_track() -> None:
    """From 4 of 12, by 5 and 3; then less both dice."""
    story = bridge().given(keep(THIA, "hp", "4"))

    healed = story.when(keep(THIA, "hp", "+1d8+3").but({"results": ("5",)}))

    healed.then(
        e.DiceRolled(dice="1d8", faces=(5,)),
        e.TotalReached(throw="1d8+3", total=8),
        track(THIA, "hp", 4, 12, 12, text=WHY),
    )
    story.when(keep(THIA, "hp", "-2d6").but({"results": ("2", "1")})).then(
        e.DiceRolled(dice="2d6", faces=(2, 1)),
        e.TotalReached(throw="2d6", total=3),
        track(THIA, "hp", 4, 1, 12, text=WHY),
    )


@pytest.mark.parametrize(
    ("value", "results", "sentence"),
    [
        ("+1d8+3", ("9",), "A d8 has no 9."),
        ("+1d8", ("5", "4"), "1 result too many: 4."),
        ("+1d8+dex", ("5",), "Say whose dex is added: roll NAME 1d8+dex."),
        ("-5", ("5",), "1 result too many: 5."),
    ],
)
def test_HB_30_Q37_dice_that_do_not_fit_change_no_track(
    value: str, results: tuple[str, ...], sentence: str
) -> None:
    story = bridge().given(keep(THIA, "hp", "4"))

    story.when(keep(THIA, "hp", value).but({"results": results})).then_refused(sentence)


def test_HB_30_beside_a_game_anything_is_kept_whose_most_is_said() -> None:
    story = (
        bridge().when(keep(THIA, "Torch light", "5/6")).then(track(THIA, "torch light", None, 5, 6, text=WHY))
    )

    story.when(keep(THIA, "torch", "-1")).then(track(THIA, "torch light", 5, 4, 6, text=WHY))


def test_HB_30_without_a_game_a_new_track_needs_an_amount() -> None:
    story = bridge(game=False)

    story.when(keep(THIA, "Torch light", "5/6")).then(track(THIA, "torch light", None, 5, 6, text=WHY))
    story.when(keep(THIA, "light", "-1")).then_refused("light has no value yet: track Thia light 9/12.")


def test_HB_31_an_unstated_maximum_is_the_first_number_given() -> None:
    """Four Orcs, say, without a sheet: what they have is all they can have, and they are not out before."""
    game = GAME.but({"stats": {**GAME.stats, "body": Stat(least=0, most=20)}})
    chosen = h.GameChosen(name="bridges", definition=game_as_json(game))
    story = given(*cast("Thia", "Osk", "Orcs"), chosen, keep(ORCS, "coin", "1"))

    assert not shelf(story.table).is_out(ORCS)
    story.when(keep(ORCS, "hp", "-1")).then_refused("hp has no value yet: track Orcs hp 9/12.")
    story.when(keep(ORCS, "hp", "4")).then(track(ORCS, "hp", None, 4, 4, text=WHY))


def test_HB_31_a_most_that_is_a_stat_follows_it() -> None:
    """Thia at 12 of 12, then with a body of 15 at 12 of 15."""
    story = bridge().given(keep(THIA, "hp", "-2"), c.Cast(who=THIA, values={"body": "15"}))

    story.when(keep(THIA, "hp", "+10")).then(track(THIA, "hp", 10, 15, 15, text=WHY))


def test_a_ruling_sets_a_stat_or_a_track() -> None:
    def ruled(what: str, value: int) -> c.Rule:
        return c.Rule(sets=(e.Setting(person=THIA, what=what, op="=", value=value),), text=WHY)

    story = bridge()
    made = e.RulingMade(sets=(e.Setting(person=THIA, what="hp", op="=", value=40),), text=WHY)
    story.when(ruled("hp", 40)).then(made, track(THIA, "hp", 12, 40, None))
    changed = e.SheetChanged(person=THIA, system="homebrew", values={"str": 9})
    assert story.when(ruled("str", 9)).events[1:] == (changed,)
    with pytest.raises(Refused, match="A ruling sets a person's stat or track, not fur"):
        _ = story.when(ruled("fur", 1)).events


def test_HB_33_a_clock_starts_fills_and_is_put_away() -> None:
    name = Words("Dusk")
    story = given().when(clock("4")).then(h.ClockStarted(clock=1, name=name, segments=4))
    story = story.when(clock("+3")).then(h.ClockTicked(clock=1, name=name, was=0, now=3, segments=4))
    story.when(clock("+3")).then(h.ClockTicked(clock=1, name=name, was=3, now=4, segments=4))
    story.when(clock("1")).then(h.ClockTicked(clock=1, name=name, was=3, now=1, segments=4))
    story.when(clock("3")).then_refused("Dusk is at 3 of 4 already.")
    story.when(clock("lots")).then_refused("A clock is changed by +1 or -1, set to 4, or done; not lots.")
    story = story.when(clock("done")).then(h.ClockStopped(clock=1, name=name, now=3))
    story.when(clock("2/6")).then(h.ClockStarted(clock=2, name=name, segments=6, now=2))


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("+1", "There is no clock Dusk. To start it: clock Dusk 6."),
        ("1", "A clock has 2 to 100 segments, and none or some of them full; not 1."),
        ("1000000", "A clock has 2 to 100 segments, and none or some of them full; not 1000000."),
        ("7/6", "A clock has 2 to 100 segments, and none or some of them full; not 7/6."),
    ],
)
def test_HB_33_a_clock_that_cannot_start_is_refused(value: str, sentence: str) -> None:
    given().when(clock(value)).then_refused(sentence)


# --- conflicts --------------------------------------------------------------------------------------------


def went(who: int, round_: int) -> h.TurnBegan:
    return h.TurnBegan(conflict=1, who=who, round=round_)


def test_HB_40_initiative_rolls_the_missing_and_the_highest_goes_first() -> None:
    """Thia 5 + 0, Orcs 5 + 0; Osk said 18. At one number those of the first side go first."""
    story = fight().given(v.Initiative(who=OSK, number=18))
    story = story.when(v.Initiative(results=("5", "5"))).then(
        dice(THIA, "1d20", 5, conflict=1),
        total(THIA, "1d20+0[dex]", 5, conflict=1),
        h.InitiativeRolled(conflict=1, who=THIA, number=5),
        dice(ORCS, "1d20", 5, conflict=1),
        total(ORCS, "1d20+0[dex]", 5, conflict=1),
        h.InitiativeRolled(conflict=1, who=ORCS, number=5),
    )
    for who, round_ in ((OSK, 1), (THIA, 1), (ORCS, 1), (OSK, 2)):
        story = story.when(v.Turn()).then(went(who, round_))
    story.when(v.Initiative()).then_refused(
        "All have rolled: Osk 18, Thia 5, Orcs 5. To roll again: initiative NAME."
    )


def test_HB_41_the_table_says_whose_turn_it_is_and_who_is_out_has_none() -> None:
    story = fight().when(v.Turn(who=ORCS)).then(went(ORCS, 1))
    story = story.given(keep(THIA, "harm", "3"))
    story.when(v.Turn()).then(went(OSK, 1))
    story.when(v.Turn(who=ORCS, again="again")).then(went(ORCS, 2))
    everybody = story.given(keep(OSK, "harm", "3"), keep(ORCS, "hp", "0"))
    everybody.when(v.Turn()).then_refused(
        "All people here are out: end conflict, or give one a turn all the same (turn NAME)."
    )


def test_HB_42_people_come_and_go() -> None:
    story = given(*cast("Thia", "Osk", "Orcs"), CHOSEN).given(
        c.OpenConflict(sides=((THIA,), (ORCS,))), v.Turn(), c.Join(who=(OSK,), side=THIA)
    )
    story.when(v.Turn()).then(went(OSK, 1))
    story = story.given(c.Leave(who=(OSK,)))
    story.when(v.Turn()).then(went(ORCS, 1))
    story.when(v.Turn(who=OSK)).then_refused("Osk is not in this conflict: join Osk.")


def test_N10_numbers_on_a_conflict_are_answered_with_the_line_for_a_sheet() -> None:
    monks = (Words("Monk-1"), Words("Monk-2"))
    command = c.OpenConflict(sides=((THIA,), monks), setup={"body": 7, "dex": 1, "gear": "two knives"})

    bridge().when(command).then_refused(
        "A conflict takes no numbers in Bridges; they stand on a sheet:"
        ' cast Monk-1+Monk-2 body=7 dex=1 gear="two knives".'
    )


def test_N14_a_second_turn_in_a_row_needs_again() -> None:
    """It would begin the second round without Osk and Thia."""
    story = fight().given(v.Initiative(who=OSK, number=18), v.Turn(who=ORCS))

    story.when(v.Turn(who=ORCS)).then_refused(
        "It is Orcs' turn already, in round 1. Osk is next: turn."
        " Another turn for Orcs, in round 2: turn Orcs again."
    )
    story.when(v.Turn(who=ORCS, again="again")).then(went(ORCS, 2))


def test_N14_the_only_active_fighter_takes_every_turn() -> None:
    story = fight().given(v.Turn(who=ORCS), keep(THIA, "harm", "3"), keep(OSK, "harm", "3"))

    story.when(v.Turn(who=ORCS)).then(went(ORCS, 2))
    story.when(v.Turn()).then(went(ORCS, 2))


def test_N14_the_order_says_who_has_the_turn_who_is_next_and_who_is_out() -> None:
    story = fight()
    assert order(story.table, story.table.conflicts[1]) == ()

    story = story.given(
        v.Initiative(who=ORCS, also=(THIA,), number=18, numbers=(7,)), v.Turn(), keep(THIA, "harm", "3")
    )

    assert order(story.table, story.table.conflicts[1]) == (
        InOrder(ORCS, 18, now=True, next=False, acted=True, out=False),
        InOrder(THIA, 7, now=False, next=False, acted=False, out=True),
        InOrder(OSK, None, now=False, next=True, acted=False, out=False),
    )
