"""Concessions: a side that stands offers a story, and once all others that stand accept it is true."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    GM,
    HARGAN,
    JADE,
    JON,
    LOCK,
    PEOPLE,
    REX,
    SANDRA,
    SHEETS,
    TEXT,
    WILLIAM,
    apply_,
    attack,
    begun,
    claimed,
    declared,
    out,
    reverted,
    state,
    told,
)
from tests.retold.games.edgerunner.open_rolls import (
    accept,
    concede,
    invoke,
    open_act,
    paid,
    points,
    refuse,
)
from tests.scenario import Story, given

MORE = Words("And they leave their guns.")
THREE_SIDES = ((GATTO,), (HARGAN,), (REX,))


def offered(who: int, text: Words = TEXT) -> e.ConcessionOffered:
    return e.ConcessionOffered(conflict=1, who=who, text=text)


def agreed(who: int, whose: int) -> e.ConcessionAccepted:
    return e.ConcessionAccepted(conflict=1, who=who, whose=whose)


def rejected(who: int, whose: int) -> e.ConcessionRefused:
    return e.ConcessionRefused(conflict=1, who=who, whose=whose)


def over(winner: int | None) -> e.ConflictEnded:
    return e.ConflictEnded(conflict=1, how="conceded", winner=winner)


def with_gatto_out(*tale: Event, story: Story | None = None) -> Story:
    """Hargan has taken Gatto out, who is first on his side."""
    return (story or begun()).given(out(GATTO, "cool", 8), *tale)


# --- offered and accepted ---------------------------------------------------------------------------------


def test_the_ally_concedes_and_it_is_over_once_the_opponent_accepts() -> None:
    """ED-09: Jade scuttles Gatto out of there, William finds that good enough; Gatto stays taken out."""
    story = with_gatto_out(*told(GATTO, HARGAN)).when(concede(JADE)).then(offered(JADE))
    assert state(story).out == {GATTO}

    story = story.when(accept(HARGAN)).then(agreed(HARGAN, JADE), over(HARGAN))

    assert not story.table.conflicts
    assert points(story, SANDRA) == 5


def test_the_example_of_the_text_from_the_shot_to_the_concession() -> None:
    """Firearms 3, dice of 3 and Gatto's own gun make 8, which his cool of 3 cannot take: ED-08, ED-09."""
    story = begun().given(
        attack(HARGAN, GATTO, "cool", "firearms", "+++0"),
        invoke(HARGAN, "fired once"),
        apply_(text=Words("The gun will not fire, and two bullets find his arm.")),
    )
    assert state(story).out == {GATTO}
    assert (points(story, WILLIAM), points(story, JON)) == (4, 6)

    story = story.given(concede(JADE)).when(accept(HARGAN)).then(agreed(HARGAN, JADE), over(HARGAN))

    assert not story.table.conflicts


def test_accept_needs_no_name_with_one_opposing_side() -> None:
    begun().given(concede(JADE)).when(accept()).then(agreed(HARGAN, JADE), over(HARGAN))


def test_any_member_speaks_for_a_side() -> None:
    story = begun().when(concede(HARGAN)).then(offered(HARGAN))

    story.when(accept(JADE)).then(agreed(JADE, HARGAN), over(GATTO))


def test_what_is_said_to_it_is_kept() -> None:
    begun().given(concede(JADE)).when(accept(HARGAN).but({"text": TEXT})).then(
        e.ConcessionAccepted(conflict=1, who=HARGAN, whose=JADE, text=TEXT), over(HARGAN)
    )


def test_every_other_side_must_accept_and_none_wins_alone() -> None:
    story = begun(*THREE_SIDES).given(concede(GATTO))

    story = story.when(accept(REX)).then(agreed(REX, GATTO))
    story.when(accept(REX)).then_refused("It is for Hargan to accept.")
    story.when(accept()).then(agreed(HARGAN, GATTO), over(None))


def test_an_ambiguous_acceptor_must_be_named() -> None:
    begun(*THREE_SIDES).given(concede(GATTO)).when(accept()).then_refused("Say who accepts: Hargan or Rex.")


def test_a_side_that_is_taken_out_is_not_asked() -> None:
    story = begun(*THREE_SIDES).given(out(REX, "cool", 1), *told(REX, HARGAN))

    story.given(concede(GATTO)).when(accept()).then(agreed(HARGAN, GATTO), over(HARGAN))


def test_nor_is_one_that_is_taken_out_when_all_others_have_accepted() -> None:
    story = begun(*THREE_SIDES).given(concede(GATTO), accept(HARGAN), out(REX, "cool", 1), *told(REX, HARGAN))

    story.when(accept(HARGAN)).then(agreed(HARGAN, GATTO), over(HARGAN))


def test_a_concession_ends_every_defence() -> None:
    kept_up = g.ThresholdReplaced(conflict=1, who=HARGAN, on=HARGAN, track="cool", threshold=6, own=4)

    begun().given(kept_up, concede(JADE)).when(accept()).then(
        agreed(HARGAN, JADE), reverted(HARGAN, HARGAN, "cool", 4), over(HARGAN)
    )


# --- amended and refused ----------------------------------------------------------------------------------


def test_a_side_may_amend_its_offer_and_all_are_asked_anew() -> None:
    story = begun(*THREE_SIDES).given(concede(GATTO), accept(REX))

    story = story.when(concede(GATTO, MORE)).then(offered(GATTO, MORE))

    story.when(accept(HARGAN)).then(agreed(HARGAN, GATTO))


def test_any_member_of_the_side_may_amend_the_offer() -> None:
    begun().given(concede(JADE)).when(concede(GATTO, MORE)).then(offered(GATTO, MORE))


def test_a_refused_concession_is_off_the_table() -> None:
    story = begun().given(concede(JADE)).when(refuse(HARGAN)).then(rejected(HARGAN, JADE))

    story.when(accept(HARGAN)).then_refused("Nothing is offered, so there is nothing to accept.")
    story.when(concede(HARGAN)).then(offered(HARGAN))


def test_refuse_needs_no_name_with_one_opposing_side() -> None:
    begun().given(concede(JADE)).when(refuse()).then(rejected(HARGAN, JADE))


def test_another_side_waits_until_the_offer_is_answered() -> None:
    begun().given(concede(JADE)).when(concede(HARGAN)).then_refused(
        "Jade has a concession on the table: accept or refuse it."
    )


def test_the_offer_of_a_side_that_is_taken_out_since_is_void() -> None:
    story = begun(*THREE_SIDES).given(concede(REX), out(REX, "cool", 1), *told(REX, HARGAN))

    story.when(accept(HARGAN)).then_refused("Nothing is offered, so there is nothing to accept.")
    story.when(concede(HARGAN)).then(offered(HARGAN))


# --- a reward, where the table gives one ------------------------------------------------------------------


def test_there_is_a_fate_point_in_it_where_the_table_plays_so() -> None:
    story = begun(options={"concession_reward": "yes"}).given(concede(JADE))

    story = story.when(accept()).then(agreed(HARGAN, JADE), paid(GM, SANDRA, "concession"), over(HARGAN))

    assert [points(story, player) for player in (SANDRA, JON, WILLIAM)] == [6, 5, 5]


def test_the_reward_comes_once_all_have_accepted() -> None:
    story = begun(*THREE_SIDES, options={"concession_reward": "yes"}).given(concede(GATTO))

    story = story.when(accept(REX)).then(agreed(REX, GATTO))
    story.when(accept(HARGAN)).then(agreed(HARGAN, GATTO), paid(GM, JON, "concession"), over(None))


# --- what is refused --------------------------------------------------------------------------------------


def test_a_person_who_is_taken_out_neither_offers_nor_answers() -> None:
    story = with_gatto_out(*told(GATTO, HARGAN))

    story.when(concede(GATTO)).then_refused("Gatto is taken out: Jade may speak for that side.")
    story.given(concede(HARGAN)).when(accept(GATTO)).then_refused(
        "Gatto is taken out: Jade may speak for that side."
    )
    story.given(concede(HARGAN)).when(refuse(GATTO)).then_refused(
        "Gatto is taken out: Jade may speak for that side."
    )


def test_a_side_wholly_taken_out_has_nothing_to_offer() -> None:
    story = begun(*THREE_SIDES).given(out(REX, "cool", 1), *told(REX, HARGAN))

    story.when(concede(REX)).then_refused("Rex is taken out.")


def test_a_person_who_is_on_no_side_has_no_say() -> None:
    begun().when(concede(REX)).then_refused("Rex is on no side of this conflict.")
    begun().given(concede(JADE)).when(accept(REX)).then_refused("Rex is on no side of this conflict.")


def test_a_side_cannot_accept_its_own_offer() -> None:
    story = begun().given(concede(JADE))

    story.when(accept(GATTO)).then_refused("It is for Hargan to accept.")
    story.when(refuse(JADE)).then_refused("It is for Hargan to refuse.")


def test_it_must_be_said_who_concedes_and_what() -> None:
    begun().when(concede(None)).then_refused("Say who concedes: Gatto or Hargan.")
    begun().when(concede(JADE, None)).then_refused("Say what Jade offers: concede Jade: the story.")


def test_accepting_needs_an_offer() -> None:
    begun().when(accept()).then_refused("Nothing is offered, so there is nothing to accept.")
    begun().when(refuse(HARGAN)).then_refused("Nothing is offered, so there is nothing to refuse.")


def test_outside_a_conflict_there_is_nothing_to_concede() -> None:
    given(*PEOPLE, *SHEETS).when(concede(JADE)).then_refused(
        "No conflict is open, so there is nothing to concede."
    )


def test_a_fallen_fighters_fate_is_told_before_accepting_a_concession() -> None:
    story = with_gatto_out().given(concede(JADE))

    story.when(accept()).then_refused(
        "What becomes of Gatto is still to be told: narrate Hargan: … comes first."
    )
    story.given(*told(GATTO, HARGAN)).when(accept()).then(agreed(HARGAN, JADE), over(HARGAN))


@pytest.mark.parametrize("rolled", [True, False])
def test_A43_a_story_all_have_taken_is_true_whatever_act_is_on_the_table(rolled: bool) -> None:
    act = declared(HARGAN, "attack", "firearms", 3, target=JADE, track="cool")
    story = open_act(target=JADE, track="cool") if rolled else begun().given(claimed(HARGAN), act)

    story.given(concede(JADE)).when(accept()).then(
        agreed(HARGAN, JADE),
        g.ActionForfeited(conflict=1, who=HARGAN, why="conceded"),
        over(HARGAN),
    )


def test_A43_an_interrupted_act_is_let_go_with_the_one_on_top_of_it() -> None:
    story = begun((GATTO,), (HARGAN, REX)).given(
        claimed(GATTO),
        declared(GATTO, "attack", target=HARGAN, track="cool"),
        declared(REX, "attack", target=GATTO, track="cool", interrupt=True),
        concede(GATTO),
    )

    story.when(accept()).then(
        agreed(HARGAN, GATTO),
        g.ActionForfeited(conflict=1, who=REX, why="conceded"),
        g.ActionForfeited(conflict=1, who=GATTO, why="conceded"),
        over(HARGAN),
    )


def test_A37_a_problem_alone_on_a_side_accepts_a_concession() -> None:
    story = begun((GATTO,), (LOCK,)).given(concede(GATTO))

    story.when(accept()).then(agreed(LOCK, GATTO), over(LOCK))


def test_no_rule_reads_the_story_that_is_offered() -> None:
    begun().given(offered(JADE, Words(None))).when(accept()).then(agreed(HARGAN, JADE), over(HARGAN))
