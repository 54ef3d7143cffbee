"""What a ruling, an option, a sheet or another conflict changes while a blow may still be resisted."""

from __future__ import annotations

import pytest

from retold.games.guenask import events as g
from retold.games.guenask.commands import pending, turn
from retold.games.guenask.commands.verbs import Resist
from retold.games.guenask.rules import Stat
from retold.games.guenask.state import conflict_state, game_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.guenask.at_the_table import (
    ASK,
    BEA,
    FIGHT,
    TALK,
    TEXT,
    THOSS,
    YOU,
    approach,
    begun,
    condition,
    cost,
    fallout,
    gave,
    give,
    marks,
    opening,
    option,
    outlook,
    raise_,
    raised,
    resist,
    ruling,
    see,
    sets,
    sheet,
    state,
    won,
)
from tests.scenario import Story

THREE = cost(3, body=True, hard=True)


def fight(*, mine: str = "2 2 3 4 5 5", boxes: str | None = "3", **options: str) -> Story:
    """The captain has raised 2 with two ones, and You must see it, body and hard in play."""
    return begun(first=THOSS, boxes=boxes, **options).given(
        approach(YOU, FIGHT, mine), approach(THOSS, FIGHT, "1 1 6 6 6 6"), raise_("1+1")
    )


def resisted(
    die: int, track: g.TrackName | None = None, points: int | None = None, *also: g.Unmarked
) -> g.FalloutResisted:
    return g.FalloutResisted(
        conflict=1, who=YOU, die=die, amount=3, track=track, points=points, also=also or None
    )


# --- a ruling between the blow and the die that cancels it ------------------------------------------------


def test_A3_what_a_ruling_took_off_the_track_is_not_taken_off_again() -> None:
    story = fight().given(see("2+2+3", "social"), sets(YOU, "social", 1))

    story = story.when(resist(5)).then(resisted(5, "social", 1))
    assert marks(story, YOU, "social") == 0


def test_A3_if_a_ruling_left_nothing_there_is_nothing_to_resist() -> None:
    story = fight().given(see("2+2+3", "social"), sets(YOU, "social", 0))

    story.when(resist(5)).then_refused(
        "There is no fallout to resist: it is done right after a blow, before the next raise."
    )


def test_A3_a_record_that_went_below_nothing_is_read_as_nothing() -> None:
    story = fight().given(see("2+2+3", "social"), sets(YOU, "social", 0), resisted(5, "social", 3))

    assert marks(story, YOU, "social") == 0


def test_A3_a_blow_of_one_conflict_outlives_what_another_marks() -> None:
    story = fight().given(see("2+2+3", "social"), opening((YOU,), (BEA,), first=BEA))
    story = story.given(
        approach(YOU, ASK, "1 1 1 1 1 1"),
        approach(BEA, ASK, "1 1 1 1"),
        raise_("1+1"),
        see("1+1+1", "social"),
    )
    assert marks(story, YOU, "social") == 4

    story = story.given(Resist(conflict=1, who=YOU, die=5))
    assert marks(story, YOU, "social") == 1


def test_with_every_track_filled_by_rulings_the_blow_that_waits_is_lost() -> None:
    tracks: tuple[g.TrackName, ...] = ("physical", "mental", "social")
    story = fight().given(see("2+2+3"), *(sets(YOU, track, 9) for track in tracks))

    last = story.when(sets(YOU, "societal", 9)).events

    assert last[2:] == (
        g.FalloutTaken(conflict=1, who=YOU, track="physical", cost=THREE, points=0, lost=3, total=9, boxes=9),
    )


def test_boxes_asked_for_anew_hold_the_blow_up_and_lose_nothing() -> None:
    story = fight().given(see("2+2+3"), option("boxes_per_row", "ask"))

    story.when(fallout(YOU, "social")).then_refused(
        "How many boxes has a row of fallout at this table? Rule on it first: ruling boxes=3: why."
    )
    assert marks(story.given(ruling("boxes", "2"), fallout(YOU, "social")), YOU, "social") == 3


def test_a_blow_waits_for_a_track_even_where_an_option_has_filled_them_all() -> None:
    tracks: tuple[g.TrackName, ...] = ("physical", "mental", "social", "societal")
    story = fight().given(*(sets(YOU, track, 5) for track in tracks), see("2+2+3"))
    story = story.given(option("boxes_per_row", "1"))

    (asked, *_) = pending(story.table, story.table.conflicts[1])
    assert (asked.name, asked.answers) == ("fallout", tracks)
    taken = story.when(fallout(YOU, "mental")).events[0]
    assert isinstance(taken, g.FalloutTaken)
    assert (taken.points, taken.lost, taken.total, taken.boxes) == (0, 3, 3, 3)


def test_a_person_who_becomes_an_npc_in_mid_blow_marks_their_stages() -> None:
    story = fight().given(see("2+2+3"), sheet(YOU, stages=2))

    assert marks(story.given(fallout(YOU)), YOU, "stages") == 3


# --- a blow that goes over the last box -------------------------------------------------------------------


def over(*, named: bool = True) -> Story:
    """A blow of 3 of which 1 finds a box on the physical track and 2, if `named`, on the mental one."""
    story = fight(overflow="other_track").given(sets(YOU, "physical", 8), see("2+2+3", "physical"))
    return story.given(fallout(YOU, "mental")) if named else story


def test_A8_a_blow_on_two_tracks_is_resisted_whole() -> None:
    story = over().when(resist(5)).then(resisted(5, "physical", 1, g.Unmarked(track="mental", points=2)))

    assert (marks(story, YOU, "physical"), marks(story, YOU, "mental")) == (8, 0)


def test_A8_a_blow_may_be_resisted_while_its_rest_is_still_to_come() -> None:
    story = over(named=False).when(resist(5)).then(resisted(5, "physical", 1))

    assert (marks(story, YOU, "physical"), state(story).owed) == (8, {})


def test_A8_a_named_condition_is_final_while_the_rest_is_pending() -> None:
    story = over(named=False).given(*[condition(YOU, "physical")] * 3)
    assert [marks(story, YOU, track) for track in ("physical", "mental")] == [9, 0]

    story.when(resist(5)).then_refused(
        "The condition from that blow on You has been named, so its fallout stays."
    )
    story.given(fallout(YOU, "mental")).when(resist(5)).then_refused(
        "There is no fallout to resist: it is done right after a blow, before the next raise."
    )


def test_a_condition_of_an_older_row_leaves_the_blow_as_it_is() -> None:
    story = fight().given(sets(YOU, "social", 3), see("2+2+3", "physical"), condition(YOU, "social"))

    story.when(resist(5)).then(resisted(5, "physical", 3))


# --- rows with fewer boxes --------------------------------------------------------------------------------


def test_A19_what_lies_beyond_the_last_box_counts_no_more_and_comes_back_with_it() -> None:
    story = fight().given(sets(YOU, "social", 8), option("boxes_per_row", "2"))
    assert marks(story, YOU, "social") == 6
    assert [row.value for row in game_state(story.table).rows() if row.who == YOU] == [6]

    assert marks(story.given(option("boxes_per_row", "3")), YOU, "social") == 8


def test_A19_an_npc_with_fewer_stages_is_full_and_gives() -> None:
    story = begun(first=YOU).given(
        approach(YOU, FIGHT, "1 1 6 6 6 6"), approach(THOSS, FIGHT, "2 2 2 1 1 1"), sets(THOSS, "stages", 4)
    )
    story = story.given(sheet(THOSS, stages=1))

    assert marks(story, THOSS, "stages") == 3
    assert turn(story.table, story.table.conflicts[1]) == "Captain Thoss to give, for the track is full"
    story.when(raise_("1+1")).then_refused(
        'Captain Thoss\'s track is full, and an NPC gives then: give "Captain Thoss".'
    )


def test_A19_rows_with_fewer_boxes_kill_no_character() -> None:
    story = fight().given(sets(YOU, "social", 7), sets(YOU, "mental", 7), option("boxes_per_row", "2"))

    assert state(story).fates == {}


def test_rows_with_more_boxes_revoke_an_unruled_death() -> None:
    story = fight().given(sets(YOU, "social", 9), sets(YOU, "mental", 9), give(THOSS))
    assert turn(story.table, story.table.conflicts[1]) == "You has won the stakes"

    story = story.given(option("boxes_per_row", "4"))
    story.when(raise_("5+5")).then_refused("You has won the stakes, and all is settled: end conflict.")
    story.when(c.End()).then(e.ConflictEnded(conflict=1, how="won", winner=YOU))


def test_a_ruling_that_takes_a_death_back_ends_what_was_won() -> None:
    story = fight().given(sets(YOU, "social", 9), sets(YOU, "mental", 9), give(THOSS))

    events = story.when(sets(YOU, "mental", 8)).events
    assert events[2:] == (e.ConflictEnded(conflict=1, how="won", winner=YOU),)


def test_a_death_elsewhere_is_not_asked_about_again() -> None:
    story = fight().given(opening((YOU,), (BEA,)), sets(YOU, "social", 9), sets(YOU, "mental", 9))
    assert [conflict_state(one).fates for one in story.table.conflicts.values()] == [{YOU: None}, {YOU: None}]

    story = story.given(c.Rule(conflict=1, question="death", answer="dies", text=TEXT))
    story = story.given(e.RulingMade(conflict=1, text=TEXT), give(THOSS))
    assert [conflict_state(one).fates for one in story.table.conflicts.values()] == [{}]


# --- what follows of a ruling -----------------------------------------------------------------------------


def test_a_ruling_that_fills_an_npcs_track_makes_them_give() -> None:
    story = begun(first=YOU).given(approach(YOU, FIGHT, "1 1 6 6 6 6"), approach(THOSS, FIGHT, "1 1 6 6 6 6"))

    assert story.when(sets(THOSS, "stages", 15)).events[2:] == (gave(THOSS, forced=True), *won(YOU))


def test_dice_laid_by_a_ruling_settle_who_begins() -> None:
    story = begun(first=None).given(
        approach(YOU, TALK, "6 6 1 1 1 1"), approach(THOSS, TALK, "6 6 1 1 1 1 1"), sets(YOU, "pool", "6,5")
    )

    assert state(story).order == (THOSS, YOU)
    assert story.events[-1] == g.TurnOrderSet(conflict=1, order=(THOSS, YOU), best=(12, 11))


def test_numbers_on_one_line_are_set_one_after_another() -> None:
    add = e.Setting(person=YOU, what="social", op="+=", value=2)

    assert marks(fight().given(c.Rule(sets=(add, add), text=TEXT)), YOU, "social") == 4


@pytest.mark.parametrize(
    ("what", "value", "sentence"),
    [
        ("mind", 101, "101 dice cannot be rolled: a stat has up to 100."),
        ("follow-up", 1001, "No die shows 1001: it is 1 to 1000, or 0 for none."),
        ("social", -1, "That would leave less than nothing."),
        ("pool", "4,0", "Say which dice lie before You: ruling You.pool=1,1,4: why."),
        ("pool", "1001", "Say which dice lie before You: ruling You.pool=1,1,4: why."),
        ("pool", "1 " * 101, "Say which dice lie before You: ruling You.pool=1,1,4: why."),
    ],
)
def test_a_ruling_leaves_every_number_in_its_range(what: str, value: int | str, sentence: str) -> None:
    fight().when(sets(YOU, what, value)).then_refused(sentence)


def test_no_track_holds_more_than_any_table_has_boxes_for() -> None:
    fight(boxes=None).when(sets(YOU, "social", 28)).then_refused("You's social track has 27 boxes, not 28.")


# --- who begins -------------------------------------------------------------------------------------------


def talked(**options: str) -> Story:
    """Nobody is named who begins it, and the captain's dice are better."""
    return begun(first=None, **options).given(
        approach(YOU, TALK, "1 2 2 3 4 4"), approach(THOSS, TALK, "1 1 1 3 4 6 6")
    )


def test_an_opening_raise_names_the_initiator() -> None:
    talked().when(raise_("4+4", who=YOU)).then(
        g.InitiatorNamed(conflict=1, who=YOU),
        g.TurnOrderSet(conflict=1, order=(YOU, THOSS), best=(8, 12)),
        raised(YOU, 4, 4, to=(THOSS,)),
    )


def test_an_opening_raise_names_the_initiator_on_tied_dice() -> None:
    tied = begun(first=None).given(approach(YOU, TALK, "6 6 1 1 1 1"), approach(THOSS, TALK, "6 6 1 1 1 1 1"))

    tied.when(raise_("6+1", who=THOSS)).then(
        g.InitiatorNamed(conflict=1, who=THOSS),
        g.TurnOrderSet(conflict=1, order=(THOSS, YOU), best=(12, 12)),
        raised(THOSS, 6, 1, to=(YOU,)),
    )


def test_an_out_of_turn_raise_names_no_initiator_once_decided() -> None:
    sentence = "It is for Captain Thoss to raise now: You acts on a raise or see of their own."
    named = begun(first=THOSS).given(
        approach(YOU, TALK, "1 2 2 3 4 4"), approach(THOSS, TALK, "1 1 1 3 4 6 6")
    )
    tied = begun(first=None).given(
        approach(YOU, TALK, "6 6 1 1 1 1"), approach(THOSS, TALK, "6 6 1 1 1 1 1"), ruling("first", THOSS)
    )

    named.when(raise_("4+4", who=YOU)).then_refused(sentence)
    tied.when(raise_("6+6", who=YOU)).then_refused(sentence)
    talked().given(raise_("1+1"), see("2+1")).given(raise_("4+4"), see("6+6")).when(
        raise_("4+3", who=YOU)
    ).then_refused(sentence)


def first(who: int) -> c.Rule:
    return c.Rule(sets=(e.Setting(person=None, what="first", op="=", value=who),), text=TEXT)


def test_a_ruling_names_the_initiator_after_the_order_is_set() -> None:
    events = talked().when(first(YOU)).events

    assert events[1:] == (
        g.InitiatorNamed(conflict=1, who=YOU),
        g.TurnOrderSet(conflict=1, order=(YOU, THOSS), best=(8, 12)),
    )


def test_a_ruling_says_who_begins_before_all_have_dice() -> None:
    story = begun(first=THOSS).given(approach(YOU, TALK, "1 2 2 3 4 4"), first(YOU))
    assert story.events[-1] == g.InitiatorNamed(conflict=1, who=YOU)

    story = story.given(approach(THOSS, TALK, "1 1 1 3 4 6 6"))
    assert state(story).order == (YOU, THOSS)


def test_the_initiator_cannot_change_after_the_first_raise() -> None:
    talked().given(raise_("1+1")).when(first(YOU)).then_refused(
        "Captain Thoss has raised already, so it is too late to say who began; undo takes a raise back."
    )
    talked().when(first(BEA)).then_refused("Bea is not in this conflict: You, Captain Thoss.")


# --- an NPC whose track is full ---------------------------------------------------------------------------


def test_A7_the_give_that_is_awaited_is_named_and_nothing_else() -> None:
    story = begun((YOU,), (THOSS,), (BEA,), first=YOU).given(
        sheet(THOSS, stages=1),
        approach(YOU, FIGHT, "1 1 6 6 6 6"),
        approach(THOSS, FIGHT, "2 1 1 4 5 6"),
        approach(BEA, FIGHT, "6 6 6 6"),
        raise_("1+1", THOSS),
        see("2+1+1"),
    )
    assert state(story).raisers() == (BEA,)

    seen = outlook(story)

    assert seen.stands[0] == "Captain Thoss to give, for the track is full."
    assert seen.moves == ()
    assert [one.command for one in seen.choices] == [
        give(THOSS).but({"text": Words("…")}),
        *(resist(die, THOSS) for die in (4, 5, 6)),
    ]


# --- the table ends it ------------------------------------------------------------------------------------


def test_A20_a_victory_wins_the_stakes() -> None:
    story = (
        fight()
        .when(c.End(what="conflict", how="victory", winner=YOU))
        .then(g.StakesWon(conflict=1, winner=YOU), e.ConflictEnded(conflict=1, how="victory", winner=YOU))
    )

    assert game_state(story.table).won == YOU


def test_a_stalemate_wins_nothing() -> None:
    fight().when(c.End(what="conflict", how="stalemate")).then(e.ConflictEnded(conflict=1, how="stalemate"))


def test_a_scene_ends_beside_a_conflict() -> None:
    story = fight().given(c.OpenSession(), e.SceneSet(scene=1, title=Words("The hold")))

    assert story.when(c.End(what="scene")).events == (e.SceneEnded(scene=1),)


def test_what_the_last_open_track_cannot_hold_is_lost_at_once() -> None:
    full: tuple[g.TrackName, ...] = ("mental", "social", "societal")
    story = fight(overflow="other_track").given(
        sets(YOU, "physical", 8), *(sets(YOU, one, 9) for one in full)
    )

    assert story.when(see("2+2+3", "physical")).events[1:] == (
        g.FalloutTaken(conflict=1, who=YOU, track="physical", cost=THREE, points=1, lost=2, total=9, boxes=9),
        g.RowFilled(conflict=1, who=YOU, track="physical", row=3, stat=Stat.BODY),
    )
