"""Karma: whose hand is locked and whose is not, and what a conflict is tied to."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.bruise.commands import Award, Quality, SpendKarma, TieTo, Tilt
from retold.games.bruise.commands.conflicts import read_sheet
from retold.games.bruise.state import game_state
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command
from tests.retold.games.bruise.at_the_stair import (
    GUARDS,
    JON,
    NED,
    OMAR,
    RATS,
    WHY,
    ZEL,
    against,
    hand,
    showed,
    stair,
    won,
)
from tests.scenario import Story, cast, given


def both_hold(tied: str | None = "fate", **options: str) -> Story:
    return stair(**options).given(against(ZEL, NED, tied=tied), hand(ZEL, "2S", "JH"), hand(NED, "3S", "QH"))


def spent(
    who: int, card: str, drew: str, potential: b.Potential = "fate", left: int = 4
) -> tuple[b.KarmaSpent, e.CardsDrawn]:
    """What it comes to when a player's character throws one card away."""
    return (
        b.KarmaSpent(conflict=1, who=who, potential=potential, discarded=(card,), left=left),
        e.CardsDrawn(
            conflict=1,
            who=who,
            deck=f"bruise:{ {ZEL: JON, NED: OMAR}.get(who, 0) }",
            cards=(drew,),
            purpose="karma",
        ),
    )


# --- A32: a Quality locks the hand it is read off, and no other -------------------------------------------


def test_A32_one_who_shows_leaves_the_other_their_karma() -> None:
    shown = both_hold().when(Quality(who=ZEL)).then(showed(ZEL, 11))

    after = shown.when(SpendKarma(who=NED, potential="fate", cards=("3S",), results=("KS",))).then(
        *spent(NED, "3S", "KS")
    )
    after.when(Quality(who=NED)).then(showed(NED, 13), won(NED, ZEL, 13, 11, 2, "spades"))
    shown.when(SpendKarma(who=ZEL, potential="fate", cards=("2S",))).then_refused(
        "Zel has shown: Karma is spent before Quality is declared."
    )


def test_A32_quality_alone_is_everybodys() -> None:
    both_hold().when(Quality()).then(showed(ZEL, 11), showed(NED, 12), won(NED, ZEL, 12, 11, 1, "hearts"))


def test_A32_the_last_player_with_karma_shows_all_hands() -> None:
    story = both_hold().given(SpendKarma(who=NED, potential="fate", cards=("3S",), results=("4S",)))

    story.when(Quality(who=ZEL)).then(showed(ZEL, 11), showed(NED, 12), won(NED, ZEL, 12, 11, 1, "hearts"))


@pytest.mark.parametrize("foe", [GUARDS, RATS])
def test_A32_the_tale_weavers_karma_is_there_when_the_players_is_gone(foe: int) -> None:
    story = stair().given(
        b.NumberSet(who=ZEL, what="karma fate", value=0), against(ZEL, foe, tied="fate"), hand(ZEL, "2S")
    )

    drew = story.when(hand(foe, "3S"))
    assert [type(event) for event in drew.events] == [e.CardsDrawn]
    drew.story.when(SpendKarma(who=foe, potential="fate", cards=("3S",), results=("4S",))).then(
        *spent(foe, "3S", "4S")
    )


# --- what it is tied to -----------------------------------------------------------------------------------


def test_a_conflict_is_tied_to_ones_destiny_and_anothers_fate() -> None:
    story = stair().given(against(ZEL, NED))
    one = story.when(TieTo(who=(ZEL,), potential="destiny", text=WHY)).then(
        b.ConflictTied(conflict=1, people=(ZEL,), potential="destiny", text=WHY)
    )
    both = one.given(TieTo(who=(NED,), potential="fate"), hand(ZEL, "2S", "JH"), hand(NED, "3S", "QH"))

    both.when(SpendKarma(who=ZEL, potential="destiny", cards=("2S",), results=("KS",))).then(
        *spent(ZEL, "2S", "KS", "destiny")
    )
    both.when(SpendKarma(who=NED, potential="fate", cards=("3S",), results=("KS",))).then(
        *spent(NED, "3S", "KS")
    )
    both.when(SpendKarma(who=NED, potential="destiny", cards=("3S",))).then_refused(
        "This conflict is tied to fate for Ned: Karma of destiny does not reach it."
    )


def test_a_conflict_is_tied_after_it_opened_for_all_and_untied() -> None:
    story = stair().given(against(ZEL, NED), TieTo(who=(ZEL,), potential="fate"))

    everybody = story.when(TieTo(potential="destiny")).then(b.ConflictTied(conflict=1, potential="destiny"))
    everybody.when(TieTo(potential="destiny")).then_refused("It is tied to destiny already for Zel, Ned.")
    untied = everybody.given(TieTo(who=(NED,), potential="neither"))
    untied.given(hand(NED, "3S")).when(SpendKarma(who=NED, potential="destiny", cards=("3S",))).then_refused(
        "This conflict is tied to neither end of the Wheel for Ned: Karma of destiny does not reach it."
    )
    story.when(TieTo(who=(GUARDS,), potential="fate")).then_refused("Guards is on no side of this conflict.")


def test_what_it_is_tied_to_stays_from_turn_to_turn() -> None:
    story = stair().given(
        against(ZEL, NED), TieTo(who=(ZEL,), potential="fate"), hand(ZEL, "2S"), Quality(who=NED, rank="9")
    )

    next_turn = story.given(Quality(), hand(ZEL, "4S"))
    next_turn.when(SpendKarma(who=ZEL, potential="fate", cards=("4S",), results=("5S",))).then(
        *spent(ZEL, "4S", "5S")
    )


# --- numbers stay where they may be -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "value", "sentence"),
    [
        ("karma-fate", 6, "Karma of fate goes up to its rating, 5, and not to 6."),
        ("melee", 53, "melee is rated 0 to 52, not 53."),
        ("karma-destiny", -1, "That would leave less than nothing."),
    ],
)
def test_a_ruling_sets_no_number_that_cannot_be(what: str, value: int, sentence: str) -> None:
    sets = (e.Setting(person=ZEL, what=what, op="=", value=value),)

    stair().given(against(ZEL, NED)).when(c.Rule(sets=sets, text=WHY)).then_refused(sentence)


@pytest.mark.parametrize("key", ["destiny", "meme.fate"])
def test_A36_the_wheel_is_not_cast(key: str) -> None:
    with pytest.raises(Refused, match="All begin at 5 and 5 on the Wheel: tilt NAME"):
        read_sheet(key, "7")


@pytest.mark.parametrize("key", ["legacy", "karma fate", "karma"])
def test_A36_no_trait_is_called_like_what_a_ruling_sets(key: str) -> None:
    with pytest.raises(Refused, match="is not a trait; it is set by a ruling"):
        read_sheet(key, "2")


# --- B14: where Bruise is not played ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "what"),
    [(Award(who=1), "a Legacy point"), (Tilt(who=1, potential="fate"), "the Wheel of Potential")],
)
def test_B14_points_of_bruise_are_refused_where_it_is_not_played(command: Command, what: str) -> None:
    story = given(*cast("Thia Ro"), e.SheetChanged(person=1, system="whiskey", values={"hp": 3}))

    story.when(command).then_refused(
        f"Bruise is not played here, and {what} belongs to it."
        ' Give a person a sheet first: cast "Thia Ro" bruise clubs=2.'
    )


def test_B14_a_player_who_told_well_has_legacy_and_no_karma() -> None:
    story = stair().given(against(ZEL, NED), Award(who=JON))

    assert [one.what for one in game_state(story.table).rows() if one.who == JON] == ["legacy"]
    tilted = story.given(Tilt(who=JON, potential="fate"))
    assert len([one for one in game_state(tilted.table).rows() if one.who == JON]) == 3
