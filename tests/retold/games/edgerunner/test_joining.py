"""Who joins a conflict that is open, and who leaves it: `docs/rules/edgerunner.md` §5, §8."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Words
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    JON,
    LOCK,
    REX,
    TEXT,
    apply_,
    attack,
    begun,
    claimed,
    defend,
    exchange,
    go_on,
    kept,
    move,
    next_,
    out,
    placed,
    reverted,
    sheet,
    simple,
    state,
    told,
    waits,
)
from tests.retold.games.edgerunner.open_rolls import accept, concede, open_act
from tests.scenario import Story


def join(*who: int | Words, side: int | None = None) -> c.Join:
    return c.Join(who=who, side=side, text=TEXT)


def leave(*who: int) -> c.Leave:
    return c.Leave(who=who, text=TEXT)


def joined(*people: int, side: int | None = None) -> e.Joined:
    return e.Joined(conflict=1, people=people, side=side, text=TEXT)


def left(side: int, *people: int) -> e.Left:
    return e.Left(conflict=1, people=people, side=side, text=TEXT)


def ended(winner: int | None, how: str = "left") -> e.ConflictEnded:
    return e.ConflictEnded(conflict=1, how=how, winner=winner)


# --- joining ----------------------------------------------------------------------------------------------


def test_A60_a_person_who_joins_acts_in_the_exchange_they_come_into() -> None:
    story = begun().when(join(REX, side=HARGAN)).then(joined(REX, side=HARGAN))

    story = story.given(*waits(GATTO, JADE, HARGAN))
    story.when(exchange()).then_refused("Rex has yet to act in this exchange; to wait is: simple Rex.")
    story.when(simple(REX)).story.when(exchange()).then(g.ExchangeBegan(conflict=1, exchange=2))


def test_A60_or_in_the_next_where_the_table_plays_so() -> None:
    story = begun(options={"joins": "next_exchange"}).given(join(REX, side=HARGAN))

    story.when(simple(REX)).then_refused("Rex has acted in this exchange; to go on: next Gatto.")
    story = story.given(*waits(GATTO, JADE, HARGAN), exchange())
    assert state(story.given(simple(REX))).acted == {REX}


def test_A60_a_person_who_joins_before_the_first_exchange_acts_in_it_whatever_the_table_plays() -> None:
    story = begun(options={"joins": "next_exchange"}, exchange=False).given(join(REX, side=HARGAN))

    assert state(story.given(exchange(), simple(REX))).acted == {REX}


def test_A60_a_person_who_joins_is_nowhere_until_they_are_placed() -> None:
    story = begun().given(join(REX))

    story.when(move(REX, "Aisle", faces="0000")).then_refused("Rex has no zone yet: place Rex ZONE.")
    assert story.given(placed("Dock", REX)).when(move(REX, "Aisle", faces="0000")).events


def test_A60_a_third_side_keeps_the_conflict_open() -> None:
    story = begun((GATTO,), (HARGAN,)).given(join(REX), out(HARGAN, "cool", 9, by=GATTO))

    story = story.when(c.Narrate(who=GATTO, text=TEXT)).then(*told(HARGAN, GATTO))
    assert story.table.conflicts[1].sides == ((GATTO,), (HARGAN,), (REX,))


def test_A60_the_dead_and_the_referee_cannot_join() -> None:
    begun().given(g.CharacterKilled(who=REX)).when(join(REX)).then_refused("Rex is dead.")
    begun().when(join(GM)).then_refused("The game master is in every conflict: join says who else comes in.")


def test_A60_a_problem_joins_as_long_as_the_exchanges_are() -> None:
    task = sheet(LOCK, kind="problem", threshold=None, takes=7)
    story = begun(sheets=(task,), exchange=False).given(exchange("a few moments"), join(LOCK, side=HARGAN))

    assert kept(story).own_threshold(LOCK, "stress") == 6


# --- leaving ----------------------------------------------------------------------------------------------


def test_A60_to_leave_takes_ones_turn() -> None:
    story = begun().given(simple(JADE))

    story.when(leave(JADE)).then_refused("Jade has acted in this exchange, and to leave takes a turn.")
    story.given(next_(HARGAN)).when(leave(GATTO)).then_refused("It is Hargan's turn.")
    story.given(next_(GATTO)).when(leave(GATTO)).then(left(GATTO, GATTO))


def test_A60_any_fighter_may_leave_before_the_first_exchange() -> None:
    begun(exchange=False).when(leave(JADE)).then(left(GATTO, JADE))


def test_A60_the_last_of_a_side_ends_it() -> None:
    begun((GATTO,), (HARGAN,)).when(leave(GATTO)).then(left(GATTO, GATTO), ended(HARGAN))


def test_A60_a_side_with_only_fallen_members_is_beaten() -> None:
    story = begun().given(out(JADE, "cool", 9), *told(JADE, HARGAN))

    story.when(leave(GATTO)).then(left(GATTO, GATTO), ended(HARGAN, "taken-out"))


def test_A60_what_becomes_of_the_fallen_is_told_before_it_ends() -> None:
    story = begun().given(out(JADE, "cool", 9))
    story = Story((*story.events, left(GATTO, GATTO)))

    story.when(c.Narrate(who=HARGAN, text=TEXT)).then(*told(JADE, HARGAN), ended(HARGAN, "taken-out"))


def test_A60_a_lock_left_behind_holds_no_side() -> None:
    begun((GATTO,), (HARGAN, LOCK)).when(leave(HARGAN)).then(left(HARGAN, HARGAN), ended(GATTO))


def test_A60_a_problem_may_be_taken_away() -> None:
    begun((GATTO,), (HARGAN, LOCK)).given(simple(HARGAN)).when(leave(LOCK)).then(left(HARGAN, LOCK))


def test_A60_a_party_to_an_open_act_cannot_leave() -> None:
    sentence = "Hargan's attack on Gatto stands at 5 shifts: invoke, boost, resist, or apply."
    for who in (GATTO, HARGAN, JADE):
        open_act().when(leave(who)).then_refused(sentence)


def test_A60_a_fallen_fighter_cannot_leave() -> None:
    story = begun().given(out(GATTO, "cool", 9), *told(GATTO, HARGAN))

    story.when(leave(GATTO)).then_refused("Gatto is taken out, and goes nowhere.")


def test_A60_defences_by_and_of_who_leaves_end() -> None:
    story = begun().given(
        g.ThresholdReplaced(conflict=1, who=JADE, on=GATTO, track="cool", threshold=5, own=3),
        g.ThresholdReplaced(conflict=1, who=GATTO, on=JADE, track="cool", threshold=4, own=2),
    )

    story.when(leave(GATTO)).then(
        left(GATTO, GATTO), reverted(GATTO, JADE, "cool", 2), reverted(JADE, GATTO, "cool", 3)
    )


def test_A60_nothing_of_who_has_left_waits_for_them() -> None:
    story = begun((GATTO, JADE), (HARGAN,)).given(
        attack(GATTO, JADE, "cool", "firearms", "----"),
        apply_(),
        *waits(JADE, HARGAN),
        exchange(),
        leave(JADE),
    )

    assert JADE not in state(story).places
    story.when(go_on(GATTO)).then_refused("Gatto's attack on Jade cannot go on: its target is gone.")
    story.given(*waits(GATTO, HARGAN)).when(exchange()).then(g.ExchangeBegan(conflict=1, exchange=3))


def test_A60_a_person_who_has_left_may_come_back() -> None:
    story = begun().given(leave(JADE), join(JADE, side=HARGAN))

    assert story.table.conflicts[1].sides == ((GATTO,), (HARGAN, JADE))
    assert state(story.given(simple(JADE))).acted == {JADE}


def test_A60_an_accepted_offer_takes_effect_when_the_last_leaves() -> None:
    story = begun((GATTO,), (HARGAN,), (REX,)).given(concede(GATTO), accept(HARGAN))

    story.when(leave(REX)).then(left(REX, REX), ended(None, "conceded"))


@pytest.mark.parametrize("who", [JON, LOCK])
def test_A60_only_who_is_in_it_leaves(who: int) -> None:
    with pytest.raises(Exception, match="is on no side of this conflict"):
        _ = begun().when(leave(who)).events


def test_A60_a_tracks_defender_may_continue_after_another_joins() -> None:
    story = begun().given(defend(JADE, "cool", "athletics", "0000"), apply_(), *waits(GATTO, HARGAN))

    story = story.given(exchange(), join(REX, side=HARGAN))
    assert [type(one) for one in story.when(go_on(JADE)).events] == [
        g.TurnClaimed,
        g.ActionContinued,
        g.ShiftsSet,
    ]


def test_A60_two_leave_together() -> None:
    begun().given(claimed(GATTO)).when(leave(GATTO, JADE)).then(left(GATTO, GATTO, JADE), ended(HARGAN))
