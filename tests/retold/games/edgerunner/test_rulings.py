"""The numbers a ruling sets: fate points, the open roll, stress, thresholds, who is out and who is dead."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.state import SkillRoll
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Value
from tests.retold.games.edgerunner.at_rest import TABLE
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    GATTO,
    HARGAN,
    JADE,
    JON,
    LOCK,
    REX,
    SANDRA,
    TEXT,
    begun,
    ended,
    kept,
    marked,
    out,
    reverted,
    sheet,
    shifts,
    told,
)
from tests.retold.games.edgerunner.open_rolls import open_act, outside_roll
from tests.scenario import Story


def sets(*said: tuple[int | None, str, str, Value]) -> c.Rule:
    """`ruling Gatto.points+=1: why`, any number of times."""
    settings = [
        e.Setting.of({"person": who, "what": what, "op": op, "value": value}) for who, what, op, value in said
    ]
    return c.Rule(sets=tuple(settings), text=TEXT)


def made(command: c.Rule, conflict: int | None = 1) -> e.RulingMade:
    return e.RulingMade(conflict=conflict, sets=command.sets, text=TEXT)


def number(on: int | str, what: str, value: int, **fields: object) -> g.NumberSet:
    return g.NumberSet.of({"conflict": 1, "on": on, "what": what, "value": value, **fields})


# --- fate points and shifts -------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [GATTO, JON])
def test_fate_points_are_a_players_by_their_own_name_or_their_characters(who: int) -> None:
    said = sets((who, "points", "-=", 2))

    story = begun().when(said).then(made(said), number(JON, "points", 3))
    assert kept(story).held(JON) == 3


def test_several_numbers_follow_one_another() -> None:
    said = sets((GATTO, "points", "+=", 1), (JON, "points", "+=", 1), (JADE, "points", "=", 0))

    begun().when(said).then(
        made(said), number(JON, "points", 6), number(JON, "points", 7), number(SANDRA, "points", 0)
    )


def test_a_ruling_moves_the_open_roll() -> None:
    said = sets((HARGAN, "shifts", "+=", 1))

    story = (
        open_act(total=5, level=3)
        .when(said)
        .then(
            made(said),
            number(HARGAN, "shifts", 6),
            shifts(HARGAN, 6, dice=2, level=3, ruled=1),
        )
    )
    again = sets((HARGAN, "shifts", "=", -2))
    story.when(again).then(
        made(again),
        number(HARGAN, "shifts", -2),
        shifts(HARGAN, -2, dice=2, level=3, ruled=-7),
    )


def test_a_ruling_moves_a_roll_outside_conflicts() -> None:
    said = sets((GATTO, "shifts", "+=", 2))

    story = (
        outside_roll(GATTO, 3, level=3)
        .when(said)
        .then(
            made(said, None),
            number(GATTO, "shifts", 5, conflict=None),
            shifts(GATTO, 5, None, level=3, ruled=2),
        )
    )
    roll = kept(story).roll
    assert isinstance(roll, SkillRoll)
    assert roll.left == 5


# --- tracks and borders -----------------------------------------------------------------------------------


def test_a_ruling_says_what_a_track_can_take() -> None:
    """ED-19: a crew of threshold 3 has armour of 2 against what is fired at it: 5."""
    said = sets((LOCK, "crew-threshold", "+=", 2))
    tank = begun(sheets=(sheet(LOCK, kind="device", threshold=None, crew=3),))

    story = tank.when(said).then(made(said), number(LOCK, "threshold", 5, track="crew"))
    assert kept(story).threshold(LOCK, "crew") == 5


def test_a_single_track_needs_no_name() -> None:
    said = sets((LOCK, "threshold", "=", 6), (LOCK, "stress", "+=", 2))

    begun().when(said).then(
        made(said),
        number(LOCK, "threshold", 6, track="stress"),
        marked(LOCK, "stress", 2, 1, 2, threshold=6, why="ruling"),
    )


def test_a_shared_track_is_that_of_the_netrunner() -> None:
    story = begun(sheets=(sheet(REX, kind="alternate", of=JADE),))
    said = sets((REX, "cool-threshold", "=", 5))

    story = story.when(said).then(made(said), number(JADE, "threshold", 5, track="cool"))
    assert kept(story).threshold(REX, "cool") == 5


def test_stress_without_a_dealer_is_marked_like_any_other() -> None:
    said = sets((GATTO, "cool-stress", "+=", 2))

    begun().when(said).then(made(said), marked(GATTO, "cool", 2, 1, 2, threshold=3, why="ruling"))


def test_overflowing_stress_by_ruling_takes_out_without_a_tale() -> None:
    said = sets((HARGAN, "cool-stress", "+=", 5))

    begun().when(said).then(made(said), out(HARGAN, "cool", 5, by=None, beyond=1), ended(GATTO))


def test_a_ruling_clears_a_track() -> None:
    said = sets((GATTO, "cool-stress", "=", 0))
    hurt = begun().given(marked(GATTO, "cool", 2, 1, 2, threshold=3))

    hurt.when(said).then(made(said), g.StressCleared(who=GATTO, tracks=("cool",)))
    begun().when(said).then_refused("Gatto has no box marked on cool.")


@pytest.mark.parametrize("name", ["Dock-Aisle", "aisle-dock"])
def test_a_ruling_says_what_a_border_can_take(name: str) -> None:
    said = sets((None, name, "=", 4))
    more = sets((None, name, "+=", 2))

    story = begun().when(said).then(made(said), number("Dock-Aisle", "threshold", 4))
    story.when(more).then(made(more), number("Dock-Aisle", "threshold", 6))


# --- out and dead -----------------------------------------------------------------------------------------


def test_a_ruling_takes_a_fighter_out_and_ends_their_effects() -> None:
    said = sets((HARGAN, "out", "=", 1))
    defence = g.ThresholdReplaced(conflict=1, who=HARGAN, on=HARGAN, track="cool", threshold=6, own=4)

    begun().given(defence).when(said).then(
        made(said),
        g.TakenOut(conflict=1, on=HARGAN, by=None, over=0),
        reverted(HARGAN, HARGAN, "cool", 4),
        ended(GATTO),
    )


def test_a_person_who_kills_on_purpose_has_their_humanity_filled() -> None:
    """The tale is still open, so it is the tale of whoever tells it."""
    said = sets((GATTO, "dead", "=", 1))
    story = begun().given(marked(HARGAN, "humanity", 1, 1, threshold=2), out(GATTO, "cool", 9))

    story = story.when(said).then(
        made(said),
        g.CharacterKilled(conflict=1, who=GATTO, by=HARGAN),
        marked(HARGAN, "humanity", 2, 2, threshold=2, why="killing"),
    )
    assert (kept(story).dead, kept(story).marked(HARGAN, "humanity")) == ({GATTO}, {1, 2})


@pytest.mark.parametrize("then", ["told", "over"])
def test_the_victor_remains_the_killer_after_the_tale(then: str) -> None:
    story = begun((GATTO, JADE), (HARGAN,)).given(out(GATTO, "cool", 9), *told(GATTO, HARGAN))
    if then == "over":
        story = story.given(c.End(what="conflict"))

    story = story.given(sets((GATTO, "dead", "=", 1)))
    assert (kept(story).dead, kept(story).marked(HARGAN, "humanity")) == ({GATTO}, {1, 2})


def test_a_new_fight_or_session_clears_the_killer() -> None:
    story = begun().given(out(GATTO, "cool", 9), *told(GATTO, HARGAN), c.End(what="conflict"))

    again = story.given(c.OpenConflict(system="edgerunner", sides=((GATTO,), (REX,))))
    later = story.given(g.Refreshed(points=5, stress=True))
    for one in (again, later):
        assert kept(one.given(sets((GATTO, "dead", "=", 1)))).marked(HARGAN, "humanity") == set()


def test_a_killer_may_be_named_or_denied() -> None:
    story = begun().given(out(GATTO, "cool", 9))
    denied = sets((GATTO, "dead", "=", 1), (HARGAN, "killer", "=", 0))
    other = sets((GATTO, "dead", "=", 1), (JADE, "killer", "=", 1))

    story.when(denied).then(made(denied), g.CharacterKilled(conflict=1, who=GATTO))
    story.when(other).then(
        made(other),
        g.CharacterKilled(conflict=1, who=GATTO, by=JADE),
        marked(JADE, "humanity", 2, 1, 2, threshold=2, why="killing"),
    )


def test_a_character_may_die_without_a_killer() -> None:
    said = sets((GATTO, "dead", "=", 1))

    begun().when(said).then(made(said), g.CharacterKilled(conflict=1, who=GATTO))
    TABLE.when(said).then(made(said, None), g.CharacterKilled(who=GATTO))


def test_a_killer_without_humanity_loses_none() -> None:
    said = sets((GATTO, "dead", "=", 1), (CORP, "killer", "=", 1))
    begun().when(said).then(made(said), g.CharacterKilled(conflict=1, who=GATTO, by=CORP))

    lost = begun().given(marked(HARGAN, "humanity", 2, 1, 2, threshold=2))
    again = sets((GATTO, "dead", "=", 1), (HARGAN, "killer", "=", 1))
    lost.when(again).then(made(again), g.CharacterKilled(conflict=1, who=GATTO, by=HARGAN))


# --- refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "said", "sentence"),
    [
        (
            begun(),
            sets((REX, "points", "+=", 1)),
            "Rex draws on the referee's fate points, and these are not counted.",
        ),
        (begun(), sets((GATTO, "points", "-=", 6)), "That would leave less than nothing."),
        (
            begun(),
            sets((GATTO, "points", "=", 1000)),
            "1000 is too much: 999 is the most a ruling sets here.",
        ),
        (begun(), sets((GATTO, "points", "=", "many")), "points is a number, not many."),
        (begun(), sets((GATTO, "shifts", "=", 1)), "Gatto has no roll open whose shifts could be set."),
        (open_act(), sets((GATTO, "shifts", "=", 1)), "Gatto has no roll open whose shifts could be set."),
        (
            open_act(),
            sets((HARGAN, "shifts", "=", 100)),
            "A roll is between -99 and 99 shifts, not at 100.",
        ),
        (
            begun(),
            sets((GATTO, "cool", "=", 3)),
            (
                "A ruling sets points, shifts, out, dead, or a track's stress or threshold"
                " (Gatto.cool-stress+=2, Gatto.cool-threshold=4), not cool."
            ),
        ),
        (
            begun(),
            sets((GATTO, "mood-stress", "+=", 1)),
            "Gatto has no track mood: cool, humanity, reputation.",
        ),
        (
            begun(),
            sets((GATTO, "stress", "+=", 1)),
            "Say on which of Gatto's tracks: cool, humanity, reputation.",
        ),
        (
            begun(),
            sets((GATTO, "cool-stress", "-=", 1)),
            "Stress is taken, or all of it is gone: Gatto.cool-stress+=2, Gatto.cool-stress=0.",
        ),
        (
            begun(),
            sets((GATTO, "cool-stress", "+=", 0)),
            "Stress is taken, or all of it is gone: Gatto.cool-stress+=2, Gatto.cool-stress=0.",
        ),
        (
            begun(),
            sets((GATTO, "cool-threshold", "+=", 97)),
            "100 is too much: 99 is the most a ruling sets here.",
        ),
        (
            begun(),
            sets((None, "threshold", "=", 4)),
            (
                "A ruling sets a person's number (ruling Gatto.points+=1: why) or what a border can take"
                " (ruling Dock-Aisle=4: why), not threshold."
            ),
        ),
        (begun(), sets((GATTO, "dead", "=", 0)), "That is said once, and undo takes it back: Gatto.dead=1."),
        (
            begun().given(g.CharacterKilled(conflict=1, who=GATTO)),
            sets((GATTO, "dead", "=", 1)),
            "Gatto is dead already.",
        ),
        (
            begun(),
            sets((GATTO, "dead", "=", 1), (JADE, "killer", "=", 1), (HARGAN, "killer", "=", 1)),
            "One kills, and Jade, Hargan are several.",
        ),
        (
            begun(),
            sets((HARGAN, "killer", "=", 1)),
            "A killer needs a victim on the same line: ruling Gatto.dead=1 Hargan.killer=1: why.",
        ),
        (
            begun().given(out(GATTO, "cool", 9)),
            sets((GATTO, "out", "=", 1)),
            "Gatto is taken out already.",
        ),
    ],
)
def test_a_ruling_is_refused(story: Story, said: c.Rule, sentence: str) -> None:
    story.when(said).then_refused(sentence)


def test_a_ruling_may_take_a_character_out_without_a_conflict() -> None:
    events = TABLE.when(sets((GATTO, "out", "=", 1))).events

    assert events[-1] == g.TakenOut(on=GATTO, by=None, over=0)
