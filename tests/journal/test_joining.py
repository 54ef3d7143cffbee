"""Coming into a conflict that is open, and leaving it: what is the same in every game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from retold.journal.decks.chance import Luck, StackedDealer
from retold.journal.refused import Refused
from retold.journal.shared import conflicts
from retold.journal.system import Situation
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from tests.proposed import holds
from tests.scenario import Story, cast, given

ZEL, GUARDS, ANA, BO = 1, 2, 3, 4
CAST = cast("Zel", "Guards", "Ana", "Bo")
WORDS = Words("Over the rail.")

OPEN_DOORS = replace(
    SYSTEMS["bruise"],
    close=lambda _situation, _how: [],
    join=lambda _situation, joined: [joined],
    leave=lambda situation, left: [left, *conflicts.end_without_sides(situation, left)],
)
"""A game that lets everybody in and out, so that only what the table itself says is seen."""


def between(*sides: tuple[int, ...]) -> Story:
    return given(*CAST, c.OpenConflict(system="bruise", sides=sides or ((ZEL, ANA), (GUARDS,))))


def decided(story: Story, command: c.Join | c.Leave) -> list[Event]:
    table = story.table
    there = Situation(table, Luck(StackedDealer(())), {"bruise": OPEN_DOORS}, table.in_play())
    return conflicts.join(there, command) if isinstance(command, c.Join) else conflicts.leave(there, command)


def refused(story: Story, command: c.Join | c.Leave) -> str:
    with pytest.raises(Refused) as refusal:
        decided(story, command)
    return holds(refusal.value.sentence, story.table)


def sides(story: Story, *events: Event) -> e.Sides:
    return story.given(*events).table.conflicts[1].sides


# --- joining ----------------------------------------------------------------------------------------------


def test_a_newcomer_joins_the_side_of_the_character_named() -> None:
    story = between()

    (joined,) = decided(story, c.Join(who=(BO,), side=ANA, text=WORDS))

    assert joined == e.Joined(conflict=1, people=(BO,), side=ZEL, text=WORDS)
    assert sides(story, joined) == ((ZEL, ANA, BO), (GUARDS,))


def test_joining_without_a_side_makes_a_new_side() -> None:
    story = between((ZEL,), (GUARDS,))

    (joined,) = decided(story, c.Join(who=(BO, ANA)))

    assert joined == e.Joined(conflict=1, people=(BO, ANA))
    assert sides(story, joined) == ((ZEL,), (GUARDS,), (BO, ANA))


def test_A60_an_unknown_character_joins_with_a_sentence() -> None:
    command = c.Join(who=(Words("Wolves"), Words("wolves")), side=GUARDS, text=WORDS)

    assert decided(between(), command) == [
        e.CastIntroduced(person=5, name=Words("Wolves"), role="side"),
        e.Joined(conflict=1, people=(5,), side=GUARDS, text=WORDS),
    ]


def test_joining_twice_or_on_a_missing_side_is_refused() -> None:
    assert refused(between(), c.Join(who=(ANA,), side=GUARDS)) == "Ana is in this conflict already."
    assert refused(between((ZEL,), (GUARDS,)), c.Join(who=(BO,), side=ANA)) == (
        "Ana is on no side of this conflict. Its sides are: Zel, Guards."
    )
    given(*CAST).when(c.Join(who=(BO,))).then_refused("No conflict is open, so there is nothing to join.")


# --- leaving ----------------------------------------------------------------------------------------------


def test_a_side_whose_first_leaves_is_known_by_the_next() -> None:
    story = between()

    (left,) = decided(story, c.Leave(who=(ZEL,), text=WORDS))

    assert left == e.Left(conflict=1, people=(ZEL,), side=ZEL, text=WORDS)
    assert sides(story, left) == ((ANA,), (GUARDS,))


def test_a_side_that_all_have_left_is_gone_and_the_last_one_wins() -> None:
    story = between((ZEL,), (GUARDS,), (ANA, BO))

    (first,) = decided(story, c.Leave(who=(BO, ANA)))
    assert first == e.Left(conflict=1, people=(BO, ANA), side=ANA)

    assert decided(story.given(first), c.Leave(who=(ZEL,))) == [
        e.Left(conflict=1, people=(ZEL,), side=ZEL),
        e.ConflictEnded(conflict=1, how="left", winner=GUARDS),
    ]


def test_people_of_two_sides_leave_in_two_lines() -> None:
    assert refused(between(), c.Leave(who=(ANA, GUARDS))) == (
        "Ana, Guards are on different sides: say for each side who leaves it."
    )
    assert refused(between(), c.Leave(who=(BO,))) == (
        "Bo is on no side of this conflict. Its sides are: Zel, Guards."
    )
    given(*CAST).when(c.Leave(who=(BO,))).then_refused("No conflict is open, so there is nothing to leave.")


# --- an offer to lose, and who leaves meanwhile -----------------------------------------------------------


def offered(*the_sides: tuple[int, ...], by: int) -> Story:
    return between(*the_sides).given(e.ConcessionOffered(conflict=1, who=by, text=WORDS))


def test_an_offer_goes_with_the_side_that_made_it() -> None:
    story = offered((ZEL,), (GUARDS,), (ANA,), by=ANA)

    (left,) = decided(story, c.Leave(who=(ANA,)))

    assert story.given(left).table.conflicts[1].concession is None


def test_an_offer_holds_while_a_member_of_its_side_stays() -> None:
    story = offered((ZEL, ANA), (GUARDS,), (BO,), by=ZEL)

    (left,) = decided(story, c.Leave(who=(ZEL,)))

    offer = story.given(left).table.conflicts[1].concession
    assert offer is not None
    assert offer.whose == ANA


def test_what_a_side_accepted_stays_accepted_when_its_first_leaves() -> None:
    story = offered((ZEL, ANA), (GUARDS,), (BO,), by=GUARDS).given(
        e.ConcessionAccepted(conflict=1, who=ZEL, whose=GUARDS)
    )

    (left,) = decided(story, c.Leave(who=(ZEL,)))

    offer = story.given(left).table.conflicts[1].concession
    assert offer is not None
    assert offer.accepted == {ANA}


def test_when_the_only_ones_who_had_not_accepted_leave_it_ends_as_conceded() -> None:
    story = offered((ZEL, ANA), (GUARDS,), (BO,), by=GUARDS).given(
        e.ConcessionAccepted(conflict=1, who=ZEL, whose=GUARDS)
    )

    assert decided(story, c.Leave(who=(BO,))) == [
        e.Left(conflict=1, people=(BO,), side=BO),
        e.ConflictEnded(conflict=1, how="conceded"),
    ]
