"""Fallout: where it goes, what cancels it, what fills, what that takes away, and how it ends."""

from __future__ import annotations

import pytest

from retold.games.guenask import events as g
from retold.games.guenask.commands import pending
from retold.games.guenask.rules import Answer, Stat
from retold.games.guenask.state import conflict_state, game_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Question, Words
from tests.retold.games.guenask.at_the_table import (
    ASK,
    BEA,
    CY,
    FIGHT,
    STAKES,
    TEXT,
    THOSS,
    YOU,
    approach,
    begun,
    bring,
    condition,
    cost,
    fallout,
    filled,
    gave,
    give,
    marks,
    opening,
    pool,
    raise_,
    resist,
    ruling,
    see,
    seen,
    sheet,
    state,
    won,
)
from tests.scenario import Story

THREE = cost(3, body=True, hard=True)
SIXES = "6 6 6 6 6 6"


def fight(*, mine: str = "2 2 3 4 5 5", boxes: str | None = "3", **options: str) -> Story:
    """The captain has raised 2 with two ones, and You must see it, body and hard in play."""
    return begun(first=THOSS, boxes=boxes, **options).given(
        approach(YOU, FIGHT, mine), approach(THOSS, FIGHT, "1 1 6 6 6 6"), raise_("1+1")
    )


def hurt(points: int, track: g.TrackName = "physical", **options: str) -> Story:
    """As in a fight, with so much on a track already."""
    return fight(**options).given(g.NumberSet(who=YOU, what=track, value=points))


def asked(story: Story, conflict: int = 1) -> tuple[Question, ...]:
    return pending(story.table, story.table.conflicts[conflict])


def questions(story: Story) -> list[tuple[str, tuple[int | str, ...], bool]]:
    return [(one.name, one.answers, one.blocks) for one in asked(story)]


def took(
    points: int,
    total: int,
    track: g.TrackName = "physical",
    *,
    lost: int | None = None,
    left: int | None = None,
    bare: bool | None = None,
    text: Words | None = None,
) -> g.FalloutTaken:
    return g.FalloutTaken(
        conflict=1,
        who=YOU,
        track=track,
        cost=THREE,
        points=points,
        lost=lost,
        left=left,
        total=total,
        boxes=9,
        bare=bare,
        text=text,
    )


BLOW = seen(YOU, THOSS, 2, Answer.BLOW, 2, 2, 3, cost=THREE)


# --- where it goes ----------------------------------------------------------------------------------------


def test_a_blow_waits_for_its_track_and_its_reason() -> None:
    story = fight().when(see("2+2+3")).then(BLOW)
    assert questions(story) == [("fallout", ("physical", "mental", "social", "societal"), True)]

    story.when(fallout(YOU, "phys")).then(took(3, 3, bare=True), filled(YOU, "physical", 1, Stat.BODY))


def test_a_track_may_be_named_with_the_see() -> None:
    fight().when(see("2+2+3", "ment")).then(BLOW, took(3, 3, "mental"), filled(YOU, "mental", 1, Stat.MIND))


def test_a_ruling_may_choose_the_track() -> None:
    fight().given(see("2+2+3")).when(ruling("fallout", "social")).then(
        e.RulingMade(conflict=1, question="fallout", answer="social", text=TEXT),
        took(3, 3, "social"),
        filled(YOU, "social", 1, Stat.SOFT),
    )


def test_a_track_that_could_be_two_is_refused() -> None:
    fight().given(see("2+2+3")).when(fallout(YOU, "soc")).then_refused("soc may be social or societal.")


def test_a_track_must_be_named() -> None:
    fight().given(see("2+2+3")).when(fallout(YOU)).then_refused(
        "Say which track, and why: fallout You TRACK: why (physical|mental|social|societal)."
    )


def test_a_blow_goes_into_one_track_only() -> None:
    fight().given(see("2+2+3", "physical")).when(fallout(YOU, "mental")).then_refused(
        "You has taken that blow on the physical track, and a blow is not split over tracks."
    )


def test_fallout_comes_with_a_blow() -> None:
    fight().when(fallout(YOU, "mental")).then_refused(
        "You has no fallout to take: it comes with a blow, a see of three dice or more."
    )


def test_a_full_track_takes_no_more() -> None:
    story = hurt(9)

    story.when(see("2+2+3", "physical")).then_refused(
        "You's physical track is full: take the blow in another way (mental, social, societal)."
    )
    story.given(see("2+2+3")).when(fallout(YOU, "physical")).then_refused(
        "You's physical track is full: take the blow in another way (mental, social, societal)."
    )


def test_what_finds_no_box_is_lost() -> None:
    story = (
        hurt(8)
        .when(see("2+2+3", "physical"))
        .then(BLOW, took(1, 9, lost=2), filled(YOU, "physical", 3, Stat.BODY))
    )

    assert marks(story, YOU, "physical") == 9


def test_or_it_goes_into_another_track_where_the_table_plays_so() -> None:
    story = (
        hurt(8, overflow="other_track")
        .when(see("2+2+3", "physical"))
        .then(BLOW, took(1, 9, left=2), filled(YOU, "physical", 3, Stat.BODY))
    )
    assert questions(story)[0] == ("fallout", ("mental", "social", "societal"), True)
    story.when(fallout(YOU, "physical")).then_refused(
        "You's physical track is full: take the blow in another way (mental, social, societal)."
    )

    story.when(fallout(YOU, "mental")).then(took(2, 2, "mental", bare=True))


def test_with_every_track_full_there_is_nowhere_left() -> None:
    story = fight().given(
        *(g.NumberSet(who=YOU, what=track, value=9) for track in ("physical", "mental", "social", "societal"))
    )

    story.when(see("2+2+3")).then(BLOW, took(0, 9, lost=3))


def test_full_tracks_force_only_npcs_out() -> None:
    story = hurt(8).given(see("2+2+3", "physical"), raise_("5+5"))

    assert not state(story).people[YOU].out


# --- boxes ------------------------------------------------------------------------------------------------


def test_how_many_boxes_a_row_has_is_asked_at_the_first_conflict() -> None:
    story = fight(boxes=None)
    assert questions(story) == [("boxes", ("3", "1", "2", "4", "5", "6", "7", "8", "9"), False)]

    story.when(see("2+2+3", "physical")).then_refused(
        "How many boxes has a row of fallout at this table? Rule on it first: ruling boxes=3: why."
    )
    story = story.when(ruling("boxes", "4")).then(
        e.RulingMade(conflict=1, question="boxes", answer="4", text=TEXT),
        e.OptionSet(system="guenask", key="boxes_per_row", value="4"),
    )
    assert questions(story) == []
    taken = story.given(see("2+2+3", "physical")).events[-1]
    assert isinstance(taken, g.FalloutTaken)
    assert (taken.total, taken.boxes) == (3, 12)


def test_the_answer_is_remembered() -> None:
    story = fight(boxes=None).given(ruling("boxes", "2"), give(YOU), opening())

    assert game_state(story.table).boxes == 2
    assert asked(story, 2) == ()


# --- resisting --------------------------------------------------------------------------------------------


def test_one_die_above_the_amount_cancels_it_all() -> None:
    story = (
        fight()
        .given(see("2+2+3"))
        .when(resist(4))
        .then(g.FalloutResisted(conflict=1, who=YOU, die=4, amount=3))
    )

    assert pool(story, YOU) == [5, 5]
    assert questions(story) == []


def test_it_may_be_cancelled_after_its_track_was_named() -> None:
    story = (
        fight()
        .given(see("2+2+3", "physical"))
        .when(resist(5))
        .then(g.FalloutResisted(conflict=1, who=YOU, die=5, amount=3, track="physical", points=3))
    )

    assert (marks(story, YOU, "physical"), questions(story)) == (0, [])


def test_a_die_that_is_not_above_the_amount_is_refused() -> None:
    fight(mine="2 2 3 3 5 5").given(see("2+2+3")).when(resist(3)).then_refused(
        "Resisting 3 fallout takes one die of 4 or more, not a 3."
    )


def test_resisting_ends_with_the_next_raise() -> None:
    fight().given(see("2+2+3", "physical"), raise_("5+4")).when(resist(5, YOU)).then_refused(
        "There is no fallout to resist: it is done right after a blow, before the next raise."
    )


def test_a_named_condition_is_final() -> None:
    fight().given(see("2+2+3", "physical"), condition(YOU)).when(resist(5, YOU)).then_refused(
        "There is no fallout to resist: it is done right after a blow, before the next raise."
    )


# --- how much ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "before", "after"),
    [("conflict", [2, 2], [3, 3]), ("own", [2, 1], [2, 2]), ("opponent", [1, 2], [2, 2])],
)
def test_dangerous_objects_count_by_the_scope_option(scope: str, before: list[int], after: list[int]) -> None:
    story = begun(first=YOU, danger_scope=scope).given(
        approach(YOU, ASK, "1 1 1 1 1 1 1 1", "knife"), approach(THOSS, ASK, "1 1 1 1 1 1 1")
    )
    assert [state(story).cost(who).amount for who in (YOU, THOSS)] == before

    story = story.given(raise_("1+1"), bring(THOSS, "1", dangerous=True, axe="1d4"))

    assert [state(story).cost(who).amount for who in (YOU, THOSS)] == after


def test_losing_costs_nothing_unless_the_table_plays_so() -> None:
    fight().when(see(None)).then(g.StakesLost(conflict=1, who=YOU, how="unseen"), *won(THOSS))

    story = (
        fight(loss_fallout="blow")
        .when(see(None))
        .then(
            g.StakesLost(conflict=1, who=YOU, how="unseen", cost=THREE), g.StakesWon(conflict=1, winner=THOSS)
        )
    )
    story.when(fallout(YOU, "social")).then(
        took(3, 3, "social", bare=True),
        filled(YOU, "social", 1, Stat.SOFT),
        e.ConflictEnded(conflict=1, how="won", winner=THOSS),
    )
    story.when(resist(5)).then(
        g.FalloutResisted(conflict=1, who=YOU, die=5, amount=3),
        e.ConflictEnded(conflict=1, how="won", winner=THOSS),
    )


def test_a_person_who_owes_fallout_gives_only_after_it() -> None:
    fight().given(see("2+2+3")).when(give(YOU)).then_refused(
        "You has taken a blow: its fallout comes first, then they may give."
    )


# --- conditions -------------------------------------------------------------------------------------------


def test_a_full_row_asks_for_its_meaning_and_stops_nothing() -> None:
    story = fight().given(see("2+2+3", "physical"))
    assert questions(story) == [("condition", ("physical",), False)]

    story.when(condition(YOU)).then(g.ConditionNamed(conflict=1, who=YOU, track="physical", row=1, text=TEXT))
    assert questions(story.given(condition(YOU))) == []
    story.when(ruling("condition", "physical")).then(
        e.RulingMade(conflict=1, question="condition", answer="physical", text=TEXT),
        g.ConditionNamed(conflict=1, who=YOU, track="physical", row=1, text=TEXT),
    )


def test_a_condition_may_be_named_when_the_conflict_is_over() -> None:
    story = fight().given(see("2+2+3", "physical"), give(YOU))

    story.when(condition(YOU)).then(g.ConditionNamed(who=YOU, track="physical", row=1, text=TEXT))


def test_a_condition_wants_a_full_row() -> None:
    fight().when(condition(YOU)).then_refused("No row of You's is full and without a condition.")


def test_with_two_tracks_waiting_it_is_said_which() -> None:
    story = fight().given(
        g.NumberSet(who=YOU, what="mental", value=3), g.NumberSet(who=YOU, what="social", value=3)
    )

    story.when(condition(YOU)).then_refused("Say on which track (mental or social): condition You TRACK: …")
    story.when(condition(YOU, "soc")).then_refused("soc may be social or societal.")


# --- fewer dice -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "dice", "lost"), [(2, 3, None), (3, 2, 1), (6, 1, 2), (9, 0, 3)])
def test_full_rows_take_dice_from_their_stat_in_later_rolls(points: int, dice: int, lost: int | None) -> None:
    story = begun().given(g.NumberSet(who=YOU, what="physical", value=points))
    event = story.given(approach(YOU, FIGHT, " ".join("1" * (dice + 3)))).events[-3 if dice else -2]

    assert isinstance(event, g.ApproachChosen)
    assert event.stats[0] == g.StatBrought(stat=Stat.BODY, dice=dice, lost=lost)


def test_dice_on_the_table_stay_there() -> None:
    story = fight().given(see("2+2+3", "physical"))

    assert pool(story, YOU) == [4, 5, 5]


def test_a_track_takes_from_the_stat_the_table_binds_it_to() -> None:
    story = begun(social_stat="body").given(
        g.NumberSet(who=YOU, what="physical", value=3), g.NumberSet(who=YOU, what="social", value=3)
    )
    chose = story.given(approach(YOU, FIGHT, "1 1 1 1")).events[-3]

    assert isinstance(chose, g.ApproachChosen)
    assert chose.stats[0] == g.StatBrought(stat=Stat.BODY, dice=1, lost=2)


# --- NPCs -------------------------------------------------------------------------------------------------


def npc(stages: int, *, theirs: str = "2 2 2 1 1 1", **options: str) -> Story:
    """You have raised 2 against the captain, who has so many stages."""
    return (
        begun(first=YOU, **options)
        .given(sheet(THOSS, stages=stages))
        .given(approach(YOU, FIGHT, "1 1 6 6 6 6"), approach(THOSS, FIGHT, theirs), raise_("1+1"))
    )


def test_an_npc_takes_it_on_the_one_track_and_gives_when_that_is_full() -> None:
    npc(1).when(see("2+1+1")).then(
        seen(THOSS, YOU, 2, Answer.BLOW, 2, 1, 1, cost=THREE),
        g.FalloutTaken(conflict=1, who=THOSS, track="stages", cost=THREE, points=3, total=3, boxes=3),
        filled(THOSS, "stages", 1),
        gave(THOSS, forced=True),
        *won(YOU),
    )


def test_an_npc_that_could_still_resist_does_so_or_gives() -> None:
    story = npc(1, theirs="5 2 2 1 1 1").given(see("2+1+1"))

    assert [move.ways for move in conflict_state(story.table.conflicts[1]).moves()] == [()]
    assert [len(move.ways) for move in conflict_state(story.given(resist(5)).table.conflicts[1]).moves()] == [
        1
    ]
    story.when(raise_("2+1")).then_refused(
        'Captain Thoss\'s track is full, and an NPC gives then: give "Captain Thoss", '
        "or resist with a 4 or more."
    )
    assert marks(story.given(resist(5), raise_("2+1")), THOSS, "stages") == 0
    story.when(give()).then(gave(THOSS, forced=True), *won(YOU))


@pytest.mark.parametrize(
    ("option", "points", "boxes", "full"), [("row", 3, 15, 1), ("point", 3, 5, 3), ("blow", 1, 5, 1)]
)
def test_a_stage_fills_as_the_table_has_chosen(option: str, points: int, boxes: int, full: int) -> None:
    story = npc(5, npc_stage=option).given(see("2+1+1"))
    taken = next(event for event in story.events if isinstance(event, g.FalloutTaken))

    assert (taken.points, taken.boxes) == (points, boxes)
    assert game_state(story.table).rows_full(THOSS, "stages") == full


def test_an_npc_has_no_other_track() -> None:
    npc(3).when(see("2+1+1", "social")).then_refused(
        "Captain Thoss has one track, for whatever befalls them: leave out social."
    )


def test_an_npc_whose_track_is_full_takes_no_part() -> None:
    story = begun().given(g.NumberSet(who=THOSS, what="stages", value=15))

    story.when(approach(THOSS, FIGHT, None)).then_refused(
        "Captain Thoss's track is full, so Captain Thoss takes no part; outside a conflict: "
        'clear "Captain Thoss" stages: why.'
    )


# --- death ------------------------------------------------------------------------------------------------


def doomed() -> Story:
    """You have taken the blow that fills the second track."""
    story = hurt(8).given(g.NumberSet(who=YOU, what="mental", value=9))
    return story.given(see("2+2+3", "physical"), raise_("5+5"), see("6+6", who=THOSS))


def test_two_full_tracks_are_death_when_the_conflict_is_over_and_the_table_says_so() -> None:
    story = doomed()
    assert questions(story)[0] == ("death", ("dies", "lives"), False)
    story = story.when(give(THOSS)).then(gave(THOSS), g.StakesWon(conflict=1, winner=YOU))
    assert questions(story)[0] == ("death", ("dies", "lives"), True)

    story.when(ruling("death", "dies")).then(
        e.RulingMade(conflict=1, question="death", answer="dies", text=TEXT),
        g.FateDecided(conflict=1, who=YOU, dies=True),
        g.CharacterDied(conflict=1, who=YOU),
        e.ConflictEnded(conflict=1, how="won", winner=YOU),
    )
    story.when(ruling("death", "lives")).then(
        e.RulingMade(conflict=1, question="death", answer="lives", text=TEXT),
        g.FateDecided(conflict=1, who=YOU, dies=False),
        e.ConflictEnded(conflict=1, how="won", winner=YOU),
    )


def test_death_may_be_settled_before_the_end_and_comes_with_it() -> None:
    story = doomed().given(ruling("death", "dies"))
    assert game_state(story.table).dead == set()

    story.when(give(THOSS)).then(
        gave(THOSS),
        g.StakesWon(conflict=1, winner=YOU),
        g.CharacterDied(conflict=1, who=YOU),
        e.ConflictEnded(conflict=1, how="won", winner=YOU),
    )


def test_the_table_ending_it_settles_death_first() -> None:
    story = doomed()

    story.when(c.End(what="conflict")).then_refused(
        "You has two full tracks: does You die of it? Rule on that first (ruling death=dies: how)."
    )
    story.given(ruling("death", "dies")).when(c.End(what="conflict")).then(
        g.CharacterDied(conflict=1, who=YOU), e.ConflictEnded(conflict=1, how="ended")
    )


def test_a_resisted_blow_dooms_no_character() -> None:
    story = hurt(8).given(g.NumberSet(who=YOU, what="mental", value=9), see("2+2+3", "physical"), resist(5))

    assert state(story).fates == {}


def test_a_person_who_lived_is_not_asked_about_again() -> None:
    story = doomed().given(give(THOSS), ruling("death", "lives"), opening(first=YOU))

    assert [one.name for one in asked(story, 2)] == ["condition"]


def test_the_dead_take_no_part() -> None:
    story = doomed().given(give(THOSS), ruling("death", "dies"), opening())

    story.when(approach(YOU, ASK, None)).then_refused(
        "You is dead (ruling You.dead=0: why, if that is no longer so)."
    )
    back = c.Rule(sets=(e.Setting(person=YOU, what="dead", op="=", value=0),), text=TEXT)
    assert game_state(story.given(back).table).dead == set()


# --- getting rid of it ------------------------------------------------------------------------------------


def test_fallout_is_cleared_outside_a_conflict_for_a_reason() -> None:
    story = fight().given(see("2+2+3", "social"), condition(YOU))
    story.when(c.Clear(who=YOU, track="social", n=1, text=TEXT)).then_refused(
        "You is in a conflict, and fallout is cleared outside of one; "
        "a ruling sets it here: ruling You.social-=1: why."
    )
    story = story.given(give(YOU))

    story.when(c.Clear(who=YOU, track="social", n=1)).then_refused(
        "Say how You got rid of it: clear You social 3: why."
    )
    story.when(c.Clear(who=YOU, track="social", n=4, text=TEXT)).then_refused(
        "You has 3 on the social track: clear 1 to 3 of them."
    )
    story.when(c.Clear(who=YOU, track="physical", text=TEXT)).then_refused(
        "You has nothing on the physical track."
    )
    story.when(c.Clear(who=YOU, track="social", text=TEXT)).then(
        g.FalloutCleared(who=YOU, track="social", points=3, total=0, text=TEXT)
    )
    left = story.given(c.Clear(who=YOU, track="social", n=1, text=TEXT))
    assert game_state(left.table).burdens[YOU].conditions["social"] == {}


def test_another_conflict_does_not_prevent_clearing_fallout() -> None:
    story = fight().given(see("2+2+3", "social"), give(YOU), opening((BEA,), (CY,)))

    story.when(c.Clear(who=YOU, track="social", n=2, text=TEXT)).then(
        g.FalloutCleared(who=YOU, track="social", points=2, total=1, text=TEXT)
    )


def test_a_ruling_sets_fallout_in_a_conflict() -> None:
    story = fight().given(c.Rule(sets=(e.Setting(person=YOU, what="social", op="+=", value=4),), text=TEXT))
    assert marks(story, YOU, "social") == 4

    story.when(
        c.Rule(sets=(e.Setting(person=YOU, what="social", op="=", value=10),), text=TEXT)
    ).then_refused("You's social track has 9 boxes, not 10.")
    npc_set = c.Rule(sets=(e.Setting(person=THOSS, what="fallout", op="=", value=2),), text=TEXT)
    assert marks(fight().given(npc_set), THOSS, "stages") == 2


def test_fallout_outlives_conflicts_and_evenings() -> None:
    story = fight().given(
        see("2+2+3", "social"),
        give(YOU),
        c.OpenSession(),
        c.End(what="session"),
        c.OpenSession(),
        c.OpenConflict(system="guenask", sides=((YOU,), (THOSS,)), text=STAKES),
    )

    assert marks(story, YOU, "social") == 3
