"""W6: what a player may roll from the phone, whoever's turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from tests.cli.service.phone import Json, Phone, Serving, serving

SCRIPT = """
game d20
cast gm by=Mary
cast Osk by=Jon str=2 dex=3 health=12
cast "Old Bo" by=Kit wis=2 health=9
session The Yard
"""
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Serving]:
    file = tmp_path / "yard.retold"
    with retold.new(file) as campaign:
        campaign.play(SCRIPT)
    with serving(file, home=tmp_path / "home") as found:
        yield found


def rolls(phone: Phone) -> list[Json]:
    found: list[Json] = phone.ask("can").body["rolls"]
    return found


def test_W6_outside_a_turn_a_player_is_offered_every_move_with_every_stat(service: Serving) -> None:
    jon = service.phone("Jon")
    offered = rolls(jon)

    assert [(one["who"], one["move"], one["stat"]) for one in offered] == [
        ("Osk", move, stat) for move in ("check", "attack") for stat in ABILITIES
    ]
    assert offered[1] == {
        "who": "Osk",
        "line": "roll Osk check dex",
        "move": "check",
        "about": "an ability, a skill or a save, against a number or somebody",
        "stat": "dex",
        "number": 3,
        "comes_to": "1d20+3[dex]",
        "bonus": True,
        "twice": True,
        "against": True,
        "hurts": False,
    }


@pytest.mark.parametrize(
    "turn", ["", "conflict Yard Osk vs Bo\nturn Bo\n", "conflict Yard Osk vs Bo\nturn Osk\n"]
)
def test_W6_whatever_is_offered_is_taken_whosever_turn_it_is(service: Serving, turn: str) -> None:
    service.campaign.play(f"option table.proposals=taken\n{turn}")
    jon = service.phone("Jon")
    offered = rolls(jon)

    assert len(offered) == 12
    for number, one in enumerate(offered):
        line = f"{one['line']} +1 adv vs 15" if number % 2 else one["line"]
        taken = jon.ask("proposals", {"id": f"roll-{number:05}", "line": line})
        assert (taken.status, taken.body.get("state")) == (200, "taken"), (line, taken.body)


def test_W6_only_players_are_offered_rolls_and_only_their_own(service: Serving) -> None:
    offered = {
        viewer: {one["who"] for one in rolls(service.phone(viewer))}
        for viewer in ("gm", "table", "Jon", "Kit")
    }

    assert offered == {"gm": set(), "table": set(), "Jon": {"Osk"}, "Kit": {"Old Bo"}}


def test_W6_hidden_events_change_no_offer(service: Serving) -> None:
    jon = service.phone("Jon")
    before = jon.ask("can").raw
    service.campaign.play(
        'cast Ghoul --gm dex=5 health=30\nclock "The ghoul wakes" 6 --gm\nhp Ghoul -3 --gm\n'
    )

    assert jon.ask("can").raw == before


SKILLS = """
cast gm by=Mary
cast Vera edgerunner by=Jon athletics=3 stealth=1
session Rain
"""


def test_W6_a_skill_is_rolled_outside_conflicts_too(tmp_path: Path) -> None:
    file = tmp_path / "rain.retold"
    with retold.new(file) as campaign:
        campaign.play(SKILLS)
    with serving(file, home=tmp_path / "home") as service:
        jon = service.phone("Jon")
        assert [(one["line"], one["number"], one["bonus"]) for one in rolls(jon)] == [
            ("roll Vera athletics", 3, False),
            ("roll Vera stealth", 1, False),
        ]
        handed = jon.ask("proposals", {"id": "roll-0001", "line": "roll Vera athletics vs 3"})
        assert (handed.status, handed.body["state"]) == (200, "waiting")
