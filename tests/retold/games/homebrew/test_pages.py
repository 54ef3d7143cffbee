"""The page of help that a game in a file has, made from what the file says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retold.games.homebrew.options import (
    built_in_game,
    example_lines,
    game_as_json,
    game_names,
    help_page,
    read_game,
)
from retold.games.homebrew.rules import Game
from retold.journal.language.writing import write_value
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.scribe import Scribe

EVERYTHING = """
name = "tides"
title = "Tides"
about = "water, and what it wants"
initiative = "d6+fins"
[stats]
fins = { least = 1, most = 4, start = 1 }
nerve = { start = 5, about = "cold | blood" }
luck = { least = 3, most = 3, start = 3 }
[tracks]
"air left" = { most = "fins", out = "empty", about = "breath" }
cold = { kind = "boxes", most = 4, out = "full" }
wet = { kind = "condition" }
[moves.dive]
dice = "3d6kh2"
stat = "nerve"
about = "down"
bands = [
    { name = "clean", margin = 2, natural = 6 },
    { name = "twin", margin = 0, doubles = true },
    { name = "near", margin = -1, marks = { cold = 1, "air left" = -2 } },
    { name = "low", least = 1, most = 3 },
    { name = "lost" },
]
[moves.hide]
dice = "d100"
stat = ["fins", "luck"]
use = "under"
bands = [{ name = "well", share = "1/5" }]
[moves.wait]
dice = "d6"
"""

SAID = """\
# Tides

Water, and what it wants.

## A sheet

| stat | range | starts at |  |
| --- | --- | --- | --- |
| fins | 1 to 4 | 1 |  |
| nerve | any | 5 | cold / blood |
| luck | 3 | 3 |  |

## Tracks

| track | is | at most | out |  |
| --- | --- | --- | --- | --- |
| air left | a number | fins | when empty | breath |
| cold | boxes | 4 | when full |  |
| wet | there or not |  |  |  |

## dive

Down. `3d6kh2`; nerve is added to the dice.

- clean: passed by 2 or more, a die shows 6
- twin: passed, doubles
- near: missed by 1 or less (cold +1, air left -2)
- low: 1 or more, 3 or less
- lost: anything else

## hide

`d100`; fins or luck is what the dice stay under.

- well: within 1/5 of the stat

## wait

`d6`.

## Who goes first

`initiative` rolls `d6+fins` for everyone; the highest goes first. Then `turn`.

## An evening

```text
cast Thia fins=4 nerve=5 luck=3
cast Orc fins=4 nerve=5 luck=3
session
scene The bridge: Fog.
roll Thia dive vs 2
roll Thia hide fins
roll Thia wait
conflict "On the bridge" Thia vs Orc
initiative
turn
track Thia "air left" -1: So it goes.
track Thia cold +1: So it goes.
track Thia wet on
clock "The guard wakes" 6
clock "The guard wakes" +1: A cough below.
end conflict
end session: They are across.
```

Dice, clocks and all that every such game has: `help homebrew`.
"""


def test_a_page_says_all_that_the_file_does() -> None:
    assert help_page(read_game(EVERYTHING.encode(), "tides.toml")) == SAID


def test_a_game_of_nothing_has_a_page_too() -> None:
    said = help_page(Game(name="bare", title="Bare", about="nothing"))

    assert "## A sheet" not in said
    assert "## Tracks" not in said
    assert "The table says: `turn NAME`, or a number each: `initiative NAME 17`." in said
    assert "\ncast Thia\ncast Orc\n" in said
    assert "\nroll Thia 2d6+1 vs 8\n" in said
    assert "\ninitiative Thia 17\n" in said


@pytest.mark.parametrize("name", [*game_names(), "tides", "divers"])
def test_every_line_of_the_evening_on_a_page_is_taken(name: str, tmp_path: Path) -> None:
    paper = (Path(__file__).parents[4] / "docs" / "a-game-in-a-file.md").read_text("utf-8")
    divers = "\n".join(re.findall(r"```toml\n(.*?)```", paper, re.DOTALL))
    own = {"tides": EVERYTHING, "divers": divers}
    game = read_game(own[name].encode(), f"{name}.toml") if name in own else built_in_game(name)

    with CampaignStore.create(tmp_path / "page.retold") as campaign:
        scribe = Scribe(campaign, 1)
        scribe.say(f"game {write_value(game_as_json(game))}")
        assert all(scribe.say(line).events for line in example_lines(game))


def test_a_page_is_found_by_name_or_by_what_the_record_keeps() -> None:
    homebrew = SYSTEMS["homebrew"]

    assert homebrew.page("D20") == help_page(built_in_game("d20"))
    assert homebrew.page(game_as_json(built_in_game("pool"))) == help_page(built_in_game("pool"))
    assert homebrew.page("nothing such") is None
    assert SYSTEMS["bruise"].page("d20") is None
