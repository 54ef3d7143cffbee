"""Borders and aspects are defended like tracks, and a map loses what it has: §4 and §6 of the rules."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    TEXT,
    applied,
    apply_,
    attack,
    begun,
    defend,
    deploy,
    exchange,
    kept,
    mapped,
    move,
    path,
    place,
    placed,
    simple,
    state,
    waits,
)
from tests.retold.games.edgerunner.open_rolls import open_act, put
from tests.scenario import Story

DARK = put(4, "Dock", "Dark", by=GATTO, free=1).but({"shifts": 1})


def threshold(who: int, on: str, value: int, own: int, about: int | None = None) -> g.ThresholdReplaced:
    return g.ThresholdReplaced(conflict=1, who=who, on=on, about=about, track="", threshold=value, own=own)


def opened(story: Story, who: int, on: str, own: int, about: int | None = None) -> g.ThresholdReverted:
    return g.ThresholdReverted(conflict=1, who=who, on=on, about=about, track="", threshold=own)


# --- defended ---------------------------------------------------------------------------------------------


def test_a_border_is_defended() -> None:
    story = begun().given(mapped(1, 1, threshold=2)).given(defend(JADE, "Dock-Aisle", "athletics", "++00"))

    story = story.when(apply_()).then(applied(JADE, "defend", 4), threshold(JADE, "Dock-Aisle", 4, 2))
    struck = story.given(attack(HARGAN, "Dock-Aisle", faces="+++0")).when(apply_()).events[1]
    assert struck == g.StressMarked(
        conflict=1, on="Dock-Aisle", amount=3, boxes=(1, 2, 3), threshold=4, why="attack"
    )


def test_a_defended_border_needs_no_stated_threshold() -> None:
    story = begun().given(defend(JADE, "Dock-Aisle", "athletics", "++00"), apply_())

    assert story.given(attack(HARGAN, "Dock-Aisle", faces="+++0")).when(apply_()).events


def test_an_aspect_is_defended_until_the_defender_does_something_else() -> None:
    story = begun().given(DARK, defend(JADE, "dark", "athletics", "+000"))

    story = story.when(apply_()).then(applied(JADE, "defend", 3), threshold(JADE, "Dark", 3, 1, about=4))
    story = story.given(*waits(GATTO, HARGAN), exchange())
    assert story.when(simple(JADE)).events[2] == opened(story, JADE, "Dark", 1, about=4)
    hit = story.given(attack(HARGAN, "Dark", faces="+++0")).when(apply_()).events[1]
    assert isinstance(hit, g.StressMarked)
    assert hit.boxes == (1, 2, 3)


def test_what_cannot_be_attacked_cannot_be_defended() -> None:
    begun().when(defend(JADE, "never lets", "athletics", "0000")).then_refused(
        "“Never lets go” is on Hargan's sheet: only a passing aspect can be attacked."
    )
    begun().when(defend(JADE, "Dock", "athletics", "0000")).then_refused(
        "Dock is a zone: tracks, borders and aspects are defended."
    )
    begun().when(defend(JADE, "crew", "athletics", "0000")).then_refused(
        "Jade has no track crew: cool, humanity, reputation."
    )


# --- wiped ------------------------------------------------------------------------------------------------


def wipe(name: str) -> v.MapZones:
    return v.MapZones(zones=(name,), gone=True, text=TEXT)


def wiped(zones: tuple[str, ...], *borders: str) -> g.ZonesUnmapped:
    return g.ZonesUnmapped(conflict=1, zones=zones, borders=borders, text=TEXT)


def test_a_border_is_there_no_longer_and_its_defence_neither() -> None:
    story = begun().given(threshold(JADE, "Dock-Aisle", 4, 0))

    story = story.when(wipe("Aisle-Dock")).then(opened(story, JADE, "Dock-Aisle", 0), wiped((), "Dock-Aisle"))
    assert state(story).range(GATTO, HARGAN) == 0
    story.when(move(GATTO, "Aisle", faces="0000")).then_refused("No border lies between Dock and Aisle.")


def test_a_zone_goes_with_all_its_borders() -> None:
    story = begun().when(wipe("aisle")).then(wiped(("Aisle",), "Dock-Aisle", "Aisle-Office"))

    assert state(story).zones == ["Dock", "Office"]
    assert state(story).named == ("Dock", "Office")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (wipe("Dock"), "In Dock stand Gatto, Jade, Hargan: place Gatto ZONE comes first."),
        (
            v.MapZones(zones=("Dock", "Aisle"), gone=True),
            "One zone or border goes at a time, by its name: map Dock-Aisle --gone.",
        ),
    ],
)
def test_an_occupied_zone_cannot_be_removed(command: v.MapZones, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


def test_a_move_leads_no_further_than_the_map_does_by_then() -> None:
    story = open_act(GATTO, "move", 5, path=path("Aisle", "Office"))

    assert place(story.given(wipe("Aisle-Office"), apply_()), GATTO) == "Aisle"
    redrawn = v.MapZones(zones=("Dock", "Aisle"), passes=("door:1,wall:4",))
    assert place(story.given(redrawn, apply_()), GATTO) == "Dock"


def test_nothing_comes_of_an_act_at_what_is_wiped_off_the_map() -> None:
    story = begun().given(mapped(1, 1, threshold=2), attack(HARGAN, "Dock-Aisle", faces="+++0"))
    story = story.given(wipe("Dock-Aisle"))

    story.when(apply_()).then(applied(HARGAN, "attack", 3))
    seen = begun().given(wipe("Office")).given(placed("Aisle", JADE))
    assert kept(seen).mapped >= {"Office"}


def test_deploying_to_a_removed_zone_has_no_effect() -> None:
    story = begun((GATTO,), (HARGAN, CORP)).given(deploy(CORP, DRONES, "Office", "logistics", "0000"))

    story.given(wipe("Office")).when(apply_()).then(applied(CORP, "deploy", 5))
