"""Who comes in and who leaves, in every part of a turn: what is due of them, and what their going frees."""

from __future__ import annotations

from retold.games.bruise import events as b
from retold.games.bruise.commands import Quality, SpendKarma
from retold.games.bruise.state import conflict_state, game_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.bruise.at_the_stair import (
    GUARDS,
    JON,
    NED,
    OMAR,
    RATS,
    ZEL,
    against,
    hand,
    showed,
    stair,
    tie,
    won,
)


def came(who: int, side: int | None = None) -> e.Joined:
    return e.Joined(conflict=1, people=(who,), side=side)


def went(who: int, side: int | None = None) -> e.Left:
    return e.Left(conflict=1, people=(who,), side=who if side is None else side)


def test_A60_a_person_who_joins_before_a_quality_is_locked_draws_in_this_turn() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, "KS"))

    joined = story.when(c.Join(who=(NED,), side=ZEL)).then(came(NED, ZEL))
    joined.when(hand(GUARDS, "QS")).then(
        e.CardsDrawn(conflict=1, who=GUARDS, deck="bruise:0", cards=("QS",), purpose="hand")
    )
    joined.given(hand(GUARDS, "QS")).when(hand(NED, "AS")).then(
        e.CardsDrawn(conflict=1, who=NED, deck=f"bruise:{OMAR}", cards=("AS",), purpose="hand"),
        showed(ZEL, 13),
        showed(NED, 14),
        showed(GUARDS, 12),
        won(ZEL, GUARDS, 13, 12, 1, "spades"),
        won(NED, GUARDS, 14, 12, 1, "spades"),
    )


def test_A60_a_person_who_joins_once_a_quality_is_locked_draws_from_the_next_turn_on() -> None:
    story = stair().given(against(ZEL, GUARDS), Quality(who=GUARDS, rank="9"), c.Join(who=(NED,), side=ZEL))

    story.when(hand(NED, "AS")).then_refused(
        "Ned came in after a Quality was shown, and draws from the next turn on."
    )
    for other in (Quality(who=NED, rank="9"), c.Declare(who=NED, text=Words("Wait for me."))):
        story.when(other).then_refused(
            "Ned came in after a Quality was shown, and plays from the next turn on."
        )
    out = story.when(hand(ZEL, "KS"))
    assert out.events[-1] == won(ZEL, GUARDS, 13, 9, 1, "spades")
    next_turn = out.story.given(hand(NED, "AS"))
    assert conflict_state(next_turn.table.conflicts[1]).turn == 2


def test_A60_a_side_of_its_own_makes_the_best_of_all_take_the_hand() -> None:
    story = stair().given(against(ZEL, GUARDS), c.Join(who=(Words("Storm"),)))
    storm = story.events[-1]
    assert isinstance(storm, e.Joined)
    (new,) = storm.people

    shown = story.given(Quality(who=new, rank="9"), hand(ZEL, "KS"))
    assert shown.when(hand(GUARDS, "QS")).events[-2:] == (
        won(ZEL, GUARDS, 13, 12, 1, "spades"),
        won(ZEL, new, 13, 9, 1, "spades"),
    )


def test_A60_a_person_who_leaves_puts_their_hand_back_and_is_waited_for_no_longer() -> None:
    story = stair().given(against((ZEL, NED), GUARDS), hand(ZEL, "KS"), hand(GUARDS, "QS"))

    story.when(c.Leave(who=(NED,))).then(
        went(NED, ZEL), showed(ZEL, 13), showed(GUARDS, 12), won(ZEL, GUARDS, 13, 12, 1, "spades")
    )
    lead = story.when(c.Leave(who=(ZEL,))).then(went(ZEL))
    kept = game_state(lead.table)
    kept.check()
    assert dict(next(deck.hands for deck in kept.decks() if deck.owner == JON)) == {}
    lead.when(hand(NED, "KS")).then(
        e.CardsDrawn(conflict=1, who=NED, deck=f"bruise:{OMAR}", cards=("KS",), purpose="hand"),
        showed(NED, 13),
        showed(GUARDS, 12),
        won(NED, GUARDS, 13, 12, 1, "spades"),
    )


def test_A60_a_side_that_leaves_ends_a_conflict_of_two_and_nothing_is_won() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, "KS"))

    story.when(c.Leave(who=(GUARDS,))).then(
        went(GUARDS),
        b.TurnEnded(conflict=1, turn=1),
        e.ConflictEnded(conflict=1, how="left", winner=ZEL),
    )


def test_A60_of_three_sides_the_other_two_go_on() -> None:
    story = stair().given(against(ZEL, NED, GUARDS), hand(ZEL, "KS"), hand(GUARDS, "QS"))

    story.when(c.Leave(who=(NED,))).then(
        went(NED), showed(ZEL, 13), showed(GUARDS, 12), won(ZEL, GUARDS, 13, 12, 1, "spades")
    )


def test_A60_one_hand_alone_wins_nothing_and_the_next_turn_begins_with_who_came_late() -> None:
    story = stair().given(
        against(ZEL, GUARDS), Quality(who=GUARDS, rank="9"), c.Join(who=(NED,)), c.Leave(who=(GUARDS,))
    )

    assert story.events[-2:] == (went(GUARDS), b.TurnEnded(conflict=1, turn=1))
    both = story.given(hand(ZEL, "KS"))
    assert both.when(hand(NED, "QS")).events[-1] == won(ZEL, NED, 13, 12, 1, "spades")


def test_A60_karma_that_may_still_be_spent_is_waited_for() -> None:
    story = stair().given(against((ZEL, NED), GUARDS, tied="fate"), hand(ZEL, "KS"), hand(GUARDS, "QS"))

    left = story.when(c.Leave(who=(NED,))).then(went(NED, ZEL))
    left.given(SpendKarma(who=ZEL, potential="fate", cards=("KS",), results=("2S",)))


def test_A60_a_redraw_is_over_once_the_opponent_has_left() -> None:
    story = stair(tie="redraw").given(
        against((ZEL, NED), GUARDS), hand(ZEL, "KS"), hand(NED, "9S"), hand(GUARDS, "9H")
    )
    assert story.events[-1] == tie(NED, GUARDS, 9, redraw=True)

    gone = story.given(c.Leave(who=(NED,)))
    assert conflict_state(gone.table.conflicts[1]).over
    gone.when(c.Narrate(who=ZEL, text=Words("Ha."))).then(e.Narrated(who=ZEL, text=Words("Ha."), conflict=1))


def test_A60_a_person_who_leaves_still_tells_what_they_won() -> None:
    story = stair().given(
        against((ZEL, NED), RATS), hand(ZEL, "KS"), hand(NED, "2S"), Quality(who=RATS, rank="9")
    )

    story.given(c.Leave(who=(ZEL,))).when(c.Narrate(who=ZEL, text=Words("Gone."))).then(
        e.Narrated(who=ZEL, text=Words("Gone."), conflict=1)
    )
