"""Whoever takes somebody out tells what becomes of them: `docs/rules/edgerunner.md` §8."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.system import SYSTEM as EDGERUNNER
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
    SANDRA,
    TEXT,
    WILLIAM,
    begun,
    ended,
    out,
    state,
    told,
)

DOWN = begun().given(out(GATTO, "cool", 9))
"""Hargan has taken Gatto out, and Jade still stands."""


def narrate(who: int | None, at: int | None = None) -> c.Narrate:
    return c.Narrate(who=who, at=at, text=TEXT)


@pytest.mark.parametrize("who", [HARGAN, WILLIAM, GM])
def test_a_tale_is_for_who_did_it_their_player_or_the_referee(who: int) -> None:
    story = DOWN.when(narrate(who)).then(*told(GATTO, who))

    assert state(story).tales == []


def test_a_sentence_of_the_person_taken_out_is_their_tale() -> None:
    words = Words("Gatto's phone slides under the shelf.")

    DOWN.when(c.Narrate(text=words)).then(
        e.Narrated(conflict=1, who=GM, text=words), g.TaleTold(conflict=1, on=GATTO, by=GM)
    )


def test_another_sentence_leaves_the_tale_due() -> None:
    story = DOWN.when(narrate(None)).then(e.Narrated(conflict=1, who=GM, text=TEXT))

    assert [tale.on for tale in state(story).tales] == [GATTO]


def test_a_sentence_that_told_a_tale_before_does_so_again() -> None:
    recorded = narrate(None).as_recorded(told(GATTO, GM))

    assert recorded == narrate(GM)


def test_of_two_tales_the_sentence_tells_that_of_the_person_it_names() -> None:
    two = begun((GATTO, JADE), (HARGAN,), (REX,)).given(out(GATTO, "cool", 9), out(JADE, "cool", 9))

    story = two.when(c.Narrate(who=HARGAN, text=Words("Jade is under the shelf.")))

    assert [tale.on for tale in state(story.story).tales] == [GATTO]


def test_the_victors_ally_may_tell_the_tale() -> None:
    story = begun((GATTO,), (HARGAN, REX)).given(out(GATTO, "cool", 9))

    story.when(narrate(REX)).then(*told(GATTO, REX), ended(HARGAN))


def test_the_victors_ally_tells_a_tale_in_play_by_its_name_alone() -> None:
    story = begun((GATTO, JADE), (HARGAN, REX)).given(out(GATTO, "cool", 9))

    rain = story.when(narrate(REX)).then(e.Narrated(conflict=1, who=REX, text=TEXT))
    named = rain.when(c.Narrate(who=REX, text=Words("Gatto is under the shelf.")))

    assert state(named.story).tales == []


def test_words_spoken_by_the_teller_are_answered_with_the_line_that_tells() -> None:
    said = DOWN.when(c.Say(who=HARGAN, text=Words("The foam goes pink.")))

    assert [*EDGERUNNER.reminds(said.story.table, said.events)] == [
        "That is said; if it tells what becomes of Gatto: undo, and narrate Hargan: The foam goes pink."
    ]


@pytest.mark.parametrize("who", [GATTO, JON])
def test_a_fighter_cannot_narrate_their_own_fate(who: int) -> None:
    DOWN.when(narrate(who)).then_refused(
        "It is for Hargan to tell what becomes of Gatto (narrate Hargan: how it ends)."
    )


@pytest.mark.parametrize("who", [JADE, SANDRA, LOCK])
def test_others_tell_what_they_like_while_a_tale_is_owed(who: int) -> None:
    story = DOWN.when(narrate(who)).then(e.Narrated(conflict=1, who=who, text=TEXT))

    assert [tale.on for tale in state(story).tales] == [GATTO]


@pytest.mark.parametrize("who", [GATTO, JON, JADE, SANDRA, LOCK])
def test_a_blocking_tale_is_refused_from_other_narrators(who: int) -> None:
    DOWN.given(out(JADE, "cool", 9), *told(JADE, HARGAN)).when(narrate(who)).then_refused(
        "It is for Hargan to tell what becomes of Gatto (narrate Hargan: how it ends)."
    )


def test_once_the_tale_is_told_any_character_may_narrate() -> None:
    DOWN.given(narrate(HARGAN)).when(narrate(GATTO)).then(e.Narrated(conflict=1, who=GATTO, text=TEXT))


def test_what_is_past_may_be_told_meanwhile() -> None:
    DOWN.when(narrate(GATTO, at=3)).then(e.Narrated(who=GATTO, text=TEXT, about=3))


def test_R17_a_fate_that_waits_beside_the_one_told_is_asked_for() -> None:
    two = begun((GATTO, JADE), (HARGAN,), (REX,)).given(out(GATTO, "cool", 9), out(JADE, "cool", 9))
    once = two.when(narrate(HARGAN))
    twice = once.story.when(narrate(HARGAN))

    assert [*EDGERUNNER.reminds(once.story.table, once.events)] == [
        "That told what becomes of Gatto; Jade's fate is told for itself: narrate Hargan: …"
    ]
    assert [*EDGERUNNER.reminds(twice.story.table, twice.events)] == []


def test_each_tale_is_told_for_itself() -> None:
    story = begun().given(out(GATTO, "cool", 9), out(HARGAN, "cool", 9, by=JADE))

    story = story.when(narrate(JADE)).then(*told(HARGAN, JADE))
    story.when(narrate(HARGAN)).then(*told(GATTO, HARGAN), ended(GATTO))
