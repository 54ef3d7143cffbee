"""What is done between fights: maps drawn beforehand, consequences made milder, mooks that become one lot."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import Severity
from retold.games.edgerunner.state import conflict_state
from retold.journal.vocabulary import commands as c
from tests.retold.games.edgerunner.at_rest import TABLE
from tests.retold.games.edgerunner.at_the_warehouse import (
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    LOCK,
    REX,
    TEXT,
    begun,
    kept,
    marked,
    placed,
    sheet,
    state,
)
from tests.retold.games.edgerunner.open_rolls import open_act, outside_roll
from tests.scenario import Story

# --- a map drawn beforehand -------------------------------------------------------------------------------

DRAW = v.MapZones(zones=("Dock", "Aisle"), passes=("3",), setup={"threshold": 2, "dock": "0,0"})
DRAWN = g.ZonesMapped(
    zones=("Dock", "Aisle"),
    borders=(g.BorderDrawn(one="Dock", other="Aisle", passes={"": 3}),),
    pins={"Dock": (0, 0)},
    threshold=2,
)
OPEN = c.OpenConflict(system="edgerunner", sides=((GATTO,), (HARGAN,)))


def test_a_map_is_drawn_before_the_conflict_that_is_played_on_it() -> None:
    story = TABLE.when(DRAW).then(DRAWN).given(v.MapZones(zones=("Aisle", "Office"), passes=("1",)))

    story = story.given(OPEN)
    assert state(story).named == ("Dock", "Aisle", "Office", "Dock-Aisle", "Aisle-Office")
    assert state(story).pins == {"Dock": (0, 0)}
    assert state(story.given(placed("Dock", GATTO), placed("Office", HARGAN))).range(GATTO, HARGAN) == 2


def test_the_conflict_after_that_has_none() -> None:
    story = TABLE.given(DRAW, OPEN, c.End(what="conflict"), OPEN)

    assert conflict_state(story.table.conflicts[2]).zones == []


def test_a_map_is_mended_where_it_is_played_on() -> None:
    TABLE.given(DRAW).when(v.MapZones(zones=("Dock-Aisle",), gone=True)).then_refused(
        "A map drawn beforehand is mended by undo, or wiped once its conflict is open."
    )


# --- consequences -----------------------------------------------------------------------------------------

SLING = "An arm in a sling"
HURT = g.ConsequenceTaken(
    who=GATTO, severity=Severity.SEVERE, worth=4, aspect=4, wording="Shot in the arm", why="resist"
)


DEAF = g.ConsequenceTaken(
    who=GATTO, severity=Severity.MODERATE, worth=2, aspect=5, wording="Deaf", why="resist"
)


UNPROVEN = (
    'It takes a contest against 4, what it is worth: roll NAME SKILL vs 4 takes="a few weeks" comes first.'
)


def alter(who: int = GATTO, **slots: str) -> v.Alter:
    return v.Alter.of({"who": who, "text": TEXT, **slots})


def healed(total: int, against: int | None = 4) -> Story:
    """Jade has rolled so much against what Gatto's wound is worth."""
    return outside_roll(JADE, total, level=2, against=against).given(HURT)


def test_a_consequence_is_made_milder_by_a_roll_against_its_worth() -> None:
    story = (
        healed(0)
        .when(alter(severe=SLING))
        .then(
            g.ConsequenceAltered(
                who=GATTO,
                aspect=4,
                severity=Severity.MODERATE,
                wording=SLING,
                was="Shot in the arm",
                by=JADE,
                text=TEXT,
            )
        )
    )

    assert [one.wording for one in kept(story).consequences_of(GATTO, Severity.MODERATE)] == [SLING]
    assert kept(story).room_for(GATTO, Severity.SEVERE)
    story.when(alter(moderate="Stiff")).then_refused(
        'It takes a contest against 2, what it is worth: roll NAME SKILL vs 2 takes="a few days" comes first.'
    )


@pytest.mark.parametrize(
    ("story", "command", "sentence"),
    [
        (healed(-1), alter(severe=SLING), "Jade's roll is at -1: it takes 0 or more."),
        (
            healed(3, None),
            alter(severe=SLING),
            UNPROVEN,
        ),
        (healed(3), alter(moderate=SLING), "Gatto bears no moderate consequence."),
        (healed(3), alter(mild=SLING), "Gatto bears no mild consequence."),
        (
            healed(3).given(HURT.but({"severity": Severity.MODERATE, "aspect": 5, "wording": "Deaf"})),
            alter(severe=SLING),
            "Gatto has no moderate slot left for it: Deaf.",
        ),
        (
            open_act().given(HURT),
            alter(severe=SLING),
            "No consequence is altered inside a conflict: it takes more time than Gatto has.",
        ),
    ],
)
def test_a_consequence_stays_as_it_is(story: Story, command: v.Alter, sentence: str) -> None:
    story.when(command).then_refused(sentence)


# --- mooks ------------------------------------------------------------------------------------------------

MOB = sheet(REX, kind="mook", role=None, tl=3, brawl=2)


def merge(*who: int) -> v.Merge:
    return v.Merge(who=who, text=TEXT)


def test_two_lots_of_a_level_are_one_of_the_next() -> None:
    story = begun((GATTO,), (DRONES, REX), sheets=(MOB,)).given(
        marked(REX, "stress", 1, 1, threshold=3), marked(DRONES, "stress", 2, 2, threshold=3)
    )

    story = story.when(merge(DRONES, REX)).then(
        g.MooksMerged(conflict=1, who=DRONES, others=(REX,), level=4, text=TEXT)
    )
    assert story.table.conflicts[1].sides == ((GATTO,), (DRONES,))
    assert kept(story).threshold(DRONES, "stress") == 4
    assert kept(story).marked(DRONES, "stress") == {1, 2}
    assert REX not in state(story).places


def test_groups_merge_outside_a_conflict_too() -> None:
    story = (
        TABLE.given(MOB)
        .when(merge(REX, DRONES))
        .then(g.MooksMerged(who=REX, others=(DRONES,), level=4, text=TEXT))
    )

    assert kept(story).own_threshold(REX, "stress") == 4


@pytest.mark.parametrize(
    ("story", "command", "sentence"),
    [
        (TABLE, merge(DRONES), "A group alone merges with nothing: merge Drones+NAME."),
        (
            TABLE,
            merge(DRONES, LOCK),
            "Mooks merge, and Lock is none with a threat level: cast Lock kind=mook tl=3.",
        ),
        (
            begun((GATTO, REX), (DRONES,), sheets=(MOB,)),
            merge(DRONES, REX),
            "Drones, Rex stand apart: lots of one side in one zone merge.",
        ),
        (
            open_act(GATTO, story=begun((GATTO,), (DRONES, REX), sheets=(MOB,)), target=REX, track="stress"),
            merge(DRONES, REX),
            "Gatto's attack on Rex stands at 5 shifts: invoke, boost, resist, or apply.",
        ),
    ],
)
def test_lots_that_are_not_together_do_not_merge(story: Story, command: v.Merge, sentence: str) -> None:
    story.when(command).then_refused(sentence)
