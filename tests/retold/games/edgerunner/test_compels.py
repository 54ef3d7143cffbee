"""Compels: a fate point for the trouble an aspect brings, before the dice; taken, or bought off."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import Act
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.projections.views import conflicts
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    FEET_WORDS,
    GATTO,
    GM,
    GUN_WORDS,
    HARGAN,
    JADE,
    JON,
    PEOPLE,
    REX,
    SANDRA,
    SHEETS,
    TEXT,
    WILLIAM,
    applied,
    begun,
    claimed,
    declared,
    exchange_began,
    kept,
    opened,
    reverted,
    rolled,
    sheet,
    shifts,
    state,
)
from tests.retold.games.edgerunner.open_rolls import (
    accept,
    compel,
    concede,
    offered,
    open_act,
    paid,
    points,
    purse,
    put,
    refuse,
)
from tests.scenario import Story, cast, given

OUTSIDE = given(*PEOPLE, *SHEETS)


def waits(story: Story) -> list[tuple[str, str, int | None]]:
    """What the view of what is pending shows: name, question, conflict."""
    return [(one.name, one.asked, one.conflict) for one in conflicts.pending_of(story.table).waiting]


LAW = "Hands where the law can see them"


def announced(who: int = GATTO, story: Story | None = None) -> Story:
    """Somebody has said that they shoot, and nothing is rolled yet."""
    target = HARGAN if who != HARGAN else GATTO
    return (story or begun()).given(
        claimed(who), declared(who, "attack", "firearms", 2, target=target, track="cool")
    )


def forfeited(who: int = GATTO) -> g.ActionForfeited:
    return g.ActionForfeited(conflict=1, who=who, why="compel")


def taken(who: int = GATTO, conflict: int | None = 1) -> e.CompelAccepted:
    return e.CompelAccepted(conflict=conflict, who=who)


def bought_off(who: int = GATTO, conflict: int | None = 1) -> e.CompelRefused:
    return e.CompelRefused(conflict=conflict, who=who)


# --- before an act ----------------------------------------------------------------------------------------


def test_the_referee_compels_an_act_that_is_announced() -> None:
    announced().when(compel(GATTO, "fired once")).then(offered(GATTO, GUN_WORDS))


def test_a_compel_that_is_accepted_pays_and_the_turn_is_over() -> None:
    """ED-10."""
    story = announced().given(offered(GATTO, GUN_WORDS))

    story = story.when(accept(GATTO)).then(taken(), paid(GM, JON, "accepted"), forfeited())

    assert points(story, JON) == 5 + 1
    assert state(story).act is None
    assert state(story).acted == {GATTO}


def test_a_compel_that_is_refused_costs_and_the_act_goes_on() -> None:
    """ED-10."""
    story = announced().given(offered(GATTO, GUN_WORDS))

    story = story.when(refuse(GATTO)).then(bought_off(), paid(JON, GM, "refused"))

    assert points(story, JON) == 5 - 1
    act = state(story).act
    assert act is not None
    assert act.who == GATTO
    assert not state(story).offers


def test_a_person_who_answers_may_be_left_out_where_only_one_is_compelled() -> None:
    story = announced().given(offered(GATTO, GUN_WORDS))

    story.when(accept()).then(taken(), paid(GM, JON, "accepted"), forfeited())
    story.when(refuse()).then(bought_off(), paid(JON, GM, "refused"))


def test_what_is_said_to_a_compel_is_kept() -> None:
    story = announced().given(offered(GATTO, GUN_WORDS))

    story.when(accept(GATTO).but({"text": TEXT})).then(
        e.CompelAccepted(conflict=1, who=GATTO, text=TEXT), paid(GM, JON, "accepted"), forfeited()
    )
    story.when(refuse(GATTO).but({"text": TEXT})).then(
        e.CompelRefused(conflict=1, who=GATTO, text=TEXT), paid(JON, GM, "refused")
    )


def test_any_character_may_compel_and_the_player_pays_or_earns() -> None:
    story = announced().when(compel(GATTO, "fired once", by=HARGAN)).then(offered(GATTO, GUN_WORDS, HARGAN))

    story.when(accept()).then(taken(), paid(WILLIAM, JON, "accepted"), forfeited())
    story.when(refuse()).then(bought_off(), paid(JON, WILLIAM, "refused"))


def test_a_player_may_compel_as_themselves() -> None:
    story = announced().when(compel(GATTO, "fired once", by=SANDRA)).then(offered(GATTO, GUN_WORDS, SANDRA))

    story.when(accept()).then(taken(), paid(SANDRA, JON, "accepted"), forfeited())


def test_any_aspect_in_play_may_be_the_trouble() -> None:
    story = announced().given(put(4, "Dock", "Ankle-deep in oil"))

    story.when(compel(GATTO, "oil")).then(offered(GATTO, "Ankle-deep in oil"))


def test_among_equal_aspects_a_compel_means_one_on_its_target() -> None:
    story = announced().given(
        put(4, HARGAN, LAW), put(5, GATTO, LAW, by=HARGAN), sheet(HARGAN, role="enforcer")
    )

    story = story.when(compel(GATTO, "the law")).then(offered(GATTO, LAW))

    assert state(story).offers[0].aspect == 5


def test_a_person_who_has_no_player_draws_on_the_referee_and_no_point_passes() -> None:
    story = announced(REX, begun((GATTO,), (HARGAN, REX))).given(
        put(4, REX, "Trigger-happy"), offered(REX, "Trigger-happy")
    )

    story.when(accept(REX)).then(taken(REX), forfeited(REX))
    story.when(refuse(REX)).then(bought_off(REX))


# --- several ----------------------------------------------------------------------------------------------


def test_several_compels_are_answered_in_order_until_one_is_taken() -> None:
    story = announced().given(
        put(4, GATTO, "Afraid of rats"),
        offered(GATTO, GUN_WORDS),
        offered(GATTO, "Afraid of rats", SANDRA),
        offered(GATTO, GUN_WORDS, HARGAN),
    )

    story = story.when(refuse(GATTO)).then(bought_off(), paid(JON, GM, "refused"))
    story = story.when(accept(GATTO)).then(taken(), paid(SANDRA, JON, "accepted"), forfeited())

    assert not state(story).offers
    assert points(story, JON) == 5


def test_a_compel_that_an_interruption_holds_up_is_answered_after_it() -> None:
    story = announced(story=begun((GATTO, JADE), (HARGAN, REX))).given(
        offered(GATTO, GUN_WORDS),
        declared(REX, "attack", "firearms", 4, target=GATTO, track="cool", interrupt=True),
    )

    story.when(accept(GATTO)).then_refused("Nothing is offered, so there is nothing to accept.")
    story = story.given(rolled(REX, "0000"), shifts(REX, 4, level=4), applied(REX, "attack", 4))
    story.when(accept(GATTO)).then(taken(), paid(GM, JON, "accepted"), forfeited())


def test_letting_an_interruption_go_leaves_the_compels_of_the_act_below() -> None:
    story = announced(story=begun((GATTO, JADE), (HARGAN, REX))).given(
        offered(GATTO, GUN_WORDS),
        declared(REX, "attack", "firearms", 4, target=GATTO, track="cool", interrupt=True),
        put(4, REX, "Trigger-happy"),
        offered(REX, "Trigger-happy"),
    )

    story = story.when(accept(REX)).then(taken(REX), forfeited(REX))

    assert [offer.who for offer in state(story).offers] == [GATTO]


def test_an_interrupted_roll_resumes_with_its_current_range() -> None:
    story = open_act(HARGAN, total=5, story=begun((GATTO, JADE, REX), (HARGAN,))).given(
        declared(REX, "move", "athletics", 4, path=(g.Step(zone="Aisle"),), interrupt=True),
        put(4, REX, "Trigger-happy"),
        offered(REX, "Trigger-happy"),
    )

    story.when(accept(REX)).then(taken(REX), forfeited(REX), shifts(HARGAN, 5, dice=2, level=3))


# --- what it costs to refuse ------------------------------------------------------------------------------


def wanted(*more: e.SheetChanged) -> Story:
    """Hargan, an enforcer, has told Gatto to stop, and Gatto shoots."""
    return announced().given(*more, sheet(HARGAN, role="enforcer"), put(4, GATTO, LAW, by=HARGAN))


def test_an_enforcers_word_takes_a_second_point_which_is_theirs() -> None:
    story = wanted().given(offered(GATTO, LAW))

    story = story.when(refuse(GATTO)).then(
        bought_off(), paid(JON, GM, "refused"), paid(JON, WILLIAM, "refused")
    )

    assert points(story, JON) == 5 - 2
    assert points(story, WILLIAM) == 5 + 1


def test_an_enforcer_who_compels_gets_both() -> None:
    wanted().given(offered(GATTO, LAW, HARGAN)).when(refuse(GATTO)).then(
        bought_off(), paid(JON, WILLIAM, "refused", 2)
    )


def test_to_accept_an_enforcers_word_pays_no_more_than_any() -> None:
    wanted().given(offered(GATTO, LAW)).when(accept(GATTO)).then(
        taken(), paid(GM, JON, "accepted"), forfeited()
    )


def test_only_what_a_maneuver_of_the_enforcers_has_put_there_costs_more() -> None:
    said = announced().given(sheet(HARGAN, role="enforcer"), put(4, GATTO, LAW, by=HARGAN, how="said"))
    solo = announced().given(sheet(HARGAN, role="solo"), put(4, GATTO, LAW, by=HARGAN))

    for story in (said, solo):
        story.given(offered(GATTO, LAW)).when(refuse(GATTO)).then(bought_off(), paid(JON, GM, "refused"))


def test_one_point_does_not_buy_off_an_enforcers_word() -> None:
    wanted().given(purse(JON, 1), offered(GATTO, LAW)).when(refuse(GATTO)).then_refused(
        "An enforcer's word takes 2 fate points to refuse, and Jon has 1: accept Gatto."
    )


def test_the_last_point_buys_off_a_compel() -> None:
    story = announced().given(purse(JON, 1), offered(GATTO, GUN_WORDS))

    story = story.when(refuse(GATTO)).then(bought_off(), paid(JON, GM, "refused"))

    assert points(story, JON) == 0


def test_the_last_point_is_enough_to_compel_with() -> None:
    story = announced().given(purse(WILLIAM, 1)).given(compel(GATTO, "fired once", by=HARGAN))

    story = story.when(accept(GATTO)).then(taken(), paid(WILLIAM, JON, "accepted"), forfeited())

    assert points(story, WILLIAM) == 0


def test_what_is_gone_since_it_was_compelled_costs_one() -> None:
    story = OUTSIDE.given(
        sheet(HARGAN, role="enforcer"),
        put(4, JADE, LAW, by=HARGAN, conflict=None),
        offered(JADE, LAW, conflict=None),
        g.AspectRemoved(aspect=4, on=JADE, wording=LAW, why="said"),
    )

    story.when(refuse()).then(bought_off(JADE, None), paid(SANDRA, GM, "refused", conflict=None))


def test_a_person_who_has_no_fate_point_must_accept() -> None:
    story = announced().given(purse(JON, 0), offered(GATTO, GUN_WORDS))

    story.when(refuse(GATTO)).then_refused("Jon has no fate point left, and must accept: accept Gatto.")
    story.when(accept(GATTO)).then(taken(), paid(GM, JON, "accepted"), forfeited())


def test_an_offer_whose_point_is_gone_cannot_be_taken_and_costs_nothing_to_refuse() -> None:
    story = announced().given(offered(GATTO, GUN_WORDS, HARGAN), purse(WILLIAM, 0), purse(JON, 0))

    story.when(accept(GATTO)).then_refused(
        "William has no fate point left to give for it; to refuse it costs nothing."
    )
    story.when(refuse(GATTO)).then(bought_off())


# --- a defence that is kept up ----------------------------------------------------------------------------


def test_a_compel_that_is_accepted_ends_a_defence_that_was_to_be_kept_up() -> None:
    story = begun().given(
        claimed(GATTO),
        declared(GATTO, "defend", "firearms", 2, track="cool"),
        rolled(GATTO, "+++0"),
        shifts(GATTO, 5, dice=3, level=2),
        applied(GATTO, "defend", 5),
        g.ThresholdReplaced(conflict=1, who=GATTO, on=GATTO, track="cool", threshold=5, own=3),
        exchange_began(2),
        claimed(GATTO),
        g.ActionContinued(conflict=1, who=GATTO, act=Act.DEFEND, skill="firearms", times=1),
        offered(GATTO, GUN_WORDS),
    )

    story = story.when(accept(GATTO)).then(
        taken(), paid(GM, JON, "accepted"), forfeited(), reverted(GATTO, GATTO, "cool", 3)
    )

    assert kept(story).threshold(GATTO, "cool") == 3


# --- outside conflicts ------------------------------------------------------------------------------------


def test_outside_a_conflict_one_may_be_compelled_at_any_time() -> None:
    """ED-12, the half of it that is a compel: light on her feet, she wears old comfortable shoes."""
    story = OUTSIDE.when(compel(JADE, "feet")).then(offered(JADE, FEET_WORDS, conflict=None))

    yes = story.when(accept()).then(taken(JADE, None), paid(GM, SANDRA, "accepted", conflict=None))
    no = story.when(refuse()).then(bought_off(JADE, None), paid(SANDRA, GM, "refused", conflict=None))

    assert (points(yes, SANDRA), points(no, SANDRA)) == (5 + 1, 5 - 1)
    assert not kept(yes).offers
    assert not kept(no).offers


def test_outside_a_conflict_too_one_story_is_enough() -> None:
    story = OUTSIDE.given(
        offered(JADE, FEET_WORDS, conflict=None),
        offered(GATTO, GUN_WORDS, conflict=None),
        offered(JADE, FEET_WORDS, GATTO, None),
    )

    story = story.when(accept(JADE)).then(taken(JADE, None), paid(GM, SANDRA, "accepted", conflict=None))

    assert [offer.who for offer in kept(story).offers] == [GATTO]


def test_outside_a_conflict_several_may_be_compelled_and_must_be_named() -> None:
    story = OUTSIDE.given(offered(JADE, FEET_WORDS, conflict=None), offered(GATTO, GUN_WORDS, conflict=None))

    story.when(accept()).then_refused("Say who accepts: compels are on the table for Jade, Gatto.")
    story.when(refuse()).then_refused("Say who refuses: compels are on the table for Jade, Gatto.")
    story.when(refuse(HARGAN)).then_refused("The compel on the table is for Jade, Gatto to answer.")


def test_outside_a_conflict_an_answer_needs_an_offer() -> None:
    OUTSIDE.when(accept(JADE)).then_refused("No conflict is open, so there is nothing to accept.")
    OUTSIDE.when(refuse()).then_refused("No conflict is open, so there is nothing to refuse.")


def test_if_it_was_never_played_there_are_no_compels() -> None:
    given(*cast("Zel")).when(compel(1, "anything")).then_refused(
        "A compel belongs to a conflict, and none is open."
    )


def test_what_was_offered_outside_waits_until_the_conflict_is_over() -> None:
    story = OUTSIDE.given(offered(JADE, FEET_WORDS, conflict=None), opened())

    story.when(accept(JADE)).then_refused("Nothing is offered, so there is nothing to accept.")
    story.given(e.ConflictEnded(conflict=1, how="ended")).when(accept(JADE)).then(
        taken(JADE, None), paid(GM, SANDRA, "accepted", conflict=None)
    )


# --- what is refused --------------------------------------------------------------------------------------


def test_a_compel_waits_for_an_act_to_be_announced() -> None:
    sentence = (
        "Gatto has announced no act that a compel could stop, and words alone announce none:"
        " declare Gatto ACT comes first, such as declare Gatto simple: WHAT THEY DO."
    )

    begun().when(compel(GATTO, "fired once")).then_refused(sentence)
    announced(HARGAN).when(compel(GATTO, "fired once")).then_refused(sentence)


def test_a_compel_comes_too_late_for_dice_that_are_thrown() -> None:
    open_act(GATTO, target=HARGAN, track="cool").when(compel(GATTO, "fired once")).then_refused(
        "The dice are on the table: a compel comes before them, when Gatto announces an act."
    )


def test_a_compel_needs_an_aspect_that_is_in_play() -> None:
    announced().when(compel(GATTO, "Afraid of rats")).then_refused("There is no “Afraid of rats” here.")


def test_a_ghost_is_not_compelled() -> None:
    story = announced().given(sheet(CORP, ghost__oath="An oath long kept"))

    story.when(compel(GATTO, "oath")).then_refused(
        "“An oath long kept” is a ghost's, and a ghost's aspects are not compelled."
    )


@pytest.mark.parametrize("by", [GATTO, JON])
def test_compelling_oneself_is_refused(by: int) -> None:
    announced().when(compel(GATTO, "fired once", by=by)).then_refused(
        "A person cannot compel themselves: leave out --by to make it the referee's offer."
    )


def test_one_compel_is_not_offered_twice() -> None:
    story = announced().given(offered(GATTO, GUN_WORDS))

    story.when(compel(GATTO, "fired once")).then_refused(
        "That is on the table already: Gatto accepts or refuses it."
    )
    story.when(compel(GATTO, "fired once", by=JADE)).then(offered(GATTO, GUN_WORDS, JADE))


def test_a_compel_is_a_fate_point_one_has_and_has_not_promised_yet() -> None:
    story = announced().given(put(4, GATTO, "Afraid of rats"))

    story.given(purse(SANDRA, 0)).when(compel(GATTO, "rats", by=JADE)).then_refused(
        "Sandra has no fate point left to offer."
    )
    story.given(purse(SANDRA, 1), offered(GATTO, GUN_WORDS, JADE)).when(
        compel(GATTO, "rats", by=SANDRA)
    ).then_refused("Sandra has no fate point left to offer.")


def test_only_the_compelled_character_answers() -> None:
    story = announced().given(offered(GATTO, GUN_WORDS))

    story.when(accept(JADE)).then_refused("The compel on the table is for Gatto to answer.")
    story.when(refuse(HARGAN)).then_refused("The compel on the table is for Gatto to answer.")


def test_with_a_concession_on_the_table_too_it_must_be_said_who_answers() -> None:
    story = (
        announced(HARGAN)
        .given(put(4, HARGAN, "A soft heart"), offered(HARGAN, "A soft heart"))
        .given(concede(GATTO))
    )

    story.when(accept()).then_refused(
        "Say who accepts: compels are on the table for Hargan, and a concession besides."
    )
    story.when(accept(HARGAN)).then(taken(HARGAN), paid(GM, WILLIAM, "accepted"), forfeited(HARGAN))


def test_with_nothing_on_the_table_there_is_nothing_to_answer() -> None:
    announced().when(accept(GATTO)).then_refused("Nothing is offered, so there is nothing to accept.")
    announced().when(refuse()).then_refused("Nothing is offered, so there is nothing to refuse.")


def test_no_rule_reads_the_story() -> None:
    story = announced().given(
        e.CompelOffered(conflict=1, who=GATTO, aspect=GUN_WORDS, by=GM, text=Words(None))
    )

    story.when(accept(GATTO)).then(taken(), paid(GM, JON, "accepted"), forfeited())


# --- what waits outside conflicts -------------------------------------------------------------------------


def test_compels_outside_conflicts_wait_until_they_are_answered() -> None:
    gun = f"The game master compels Gatto by “{GUN_WORDS}”: accept Gatto, or refuse Gatto."
    feet = f"The game master compels Jade by “{FEET_WORDS}”: accept Jade, or refuse Jade."
    story = OUTSIDE.given(compel(GATTO, "gun"), compel(JADE, "feet"))

    assert waits(story) == [("compel", gun, None), ("compel", feet, None)]
    assert len({row.key for row in conflicts.pending_of(story.table).sheet().rows}) == 2
    assert waits(story.given(accept(GATTO))) == [("compel", feet, None)]


def test_a_compel_in_a_conflict_waits_there_alone() -> None:
    (waiting,) = waits(announced().given(compel(GATTO, "gun")))

    assert waiting[2] == 1


def test_strain_waits_until_it_is_taken_in_a_conflict_or_outside() -> None:
    story = OUTSIDE.given(
        g.SkillRolled(who=GATTO, skill="athletics", level=3, upgrade="legs"),
        g.UpgradeStrained(who=GATTO, upgrade="legs", track="cool", amount=2),
    )
    asked = "Gatto has 2 cool stress for legs to take: resist Gatto cool 2."

    assert waits(story) == [("strain", asked, None)]
    assert waits(story.given(opened())) == [("strain", asked, 1)]
    assert waits(story.given(v.Resist(who=GATTO, tracks=("cool",), amounts=(2,)))) == []
