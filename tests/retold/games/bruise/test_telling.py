"""Who tells: the winner what came out, the Tale Weaver any scene, and words that are added later."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.bruise.commands import Quality
from retold.games.bruise.state import conflict_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM
from tests.retold.games.bruise.at_the_stair import GUARDS, JON, NED, OMAR, WHY, ZEL, against, hand, stair
from tests.scenario import Story

SCENE = e.Narrated(who=GM, text=WHY, conflict=1)


def opened(tied: str | None = None, **options: str) -> Story:
    return stair(**options).given(against(ZEL, NED, tied=tied))


@pytest.mark.parametrize(
    "story",
    [
        opened(),
        opened().given(hand(ZEL, "KS")),
        opened(tied="fate").given(hand(ZEL, "KS"), hand(NED, "9S")),
        opened().given(hand(ZEL, "KS"), hand(NED, "9S")),
        opened().given(hand(ZEL, "KS"), hand(NED, "KH")),
    ],
    ids=["before the draw", "in the draw", "before the showing", "of a player's hand", "while a tie waits"],
)
def test_A36_the_tale_weaver_describes_the_scene_at_any_time(story: Story) -> None:
    described = story.when(c.Narrate(who=GM, text=WHY)).then(SCENE)

    assert not any(one.told for one in conflict_state(described.table.conflicts[1]).results)


def test_A36_a_hand_the_tale_weaver_won_is_told_by_them() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, "2S"), hand(GUARDS, "9S"))

    told = story.when(c.Narrate(who=GM, text=WHY)).then(SCENE)
    assert conflict_state(told.table.conflicts[1]).results[0].told


def test_the_winners_player_may_be_named_for_them() -> None:
    story = opened().given(hand(ZEL, "KS"), hand(NED, "9S"))

    story.when(c.Narrate(who=JON, text=WHY)).then(e.Narrated(who=ZEL, text=WHY, conflict=1))
    story.when(c.Narrate(who=OMAR, text=WHY)).then_refused("It is Zel who won, and the winner narrates.")


def test_A36_the_loser_does_not_tell_it_as_added_later_either() -> None:
    story = opened().given(hand(ZEL, "KS"), hand(NED, "9S"))
    at = len(story.events)

    story.when(c.Narrate(who=NED, at=at, text=WHY)).then_refused(
        "It is Zel who won, and the winner narrates."
    )
    for who in (ZEL, GM, GUARDS):
        story.when(c.Narrate(who=who, at=at, text=WHY)).then(e.Narrated(who=who, text=WHY, about=at))


def test_A36_words_about_an_earlier_turn_are_anybodys() -> None:
    story = opened().given(hand(ZEL, "KS"), hand(NED, "9S"), c.Narrate(who=ZEL, text=WHY))
    at = len(story.events)
    later = story.given(c.Declare(who=NED, text=WHY))

    later.when(c.Narrate(who=NED, at=at, text=WHY)).then(e.Narrated(who=NED, text=WHY, about=at))
    later.when(c.Narrate(who=NED, at=at + 1, text=WHY)).then_refused(
        "Nothing has come out yet, so there is nothing to narrate: draw and show first."
    )


def test_a_telling_shows_only_what_can_be_known() -> None:
    story = opened().given(hand(ZEL, "KS"), hand(NED, "_"))

    story.when(c.Narrate(who=ZEL, text=WHY)).then_refused(
        "Nothing has come out yet, so there is nothing to narrate: draw and show first."
        " The Tale Weaver sets the scene: narrate gm: TEXT."
    )
    assert isinstance(story.when(Quality(who=NED, rank="9")).events[-1], b.HandWon)
