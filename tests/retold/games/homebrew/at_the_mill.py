"""A mill, and a game with targets, damage, conditions and rests: Thia, Osk, and Rat, who has no sheet."""

from __future__ import annotations

from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.options import game_as_json, read_game
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Value
from tests.scenario import Story, cast, given

THIA, OSK, RAT = 1, 2, 3

GAME: Final = read_game(
    b"""
name = "mills"
title = "Mills"
about = "what the tests need, and no more"

[stats]
str = { least = -3, most = 5 }
parry = { least = 0, most = 30, start = 10 }
body = { least = 0, most = 20 }

[tracks]
hp = { most = "body", out = "empty" }
stress = { kind = "boxes", most = 4, out = "full" }
coin = { kind = "counter", start = 2 }
blessed = { kind = "condition" }

[conditions]
poisoned = { rolls = "dis" }
hidden = { rolls = "adv", moves = ["hit"], once = true }
held = { against = "adv" }
tired = { rolls = -2 }
"on fire" = { about = "hot" }

[moves.hit]
dice = "d20"
stat = "str"
against = "parry"
hurts = "hp"
bands = [
    { name = "a great hit", natural = 20, damage = "double" },
    { name = "a hit", margin = 0, damage = "full" },
    { name = "a graze", margin = -2, damage = "half" },
    { name = "a miss", marks = { tired = 1 } },
]

[moves.scare]
dice = "2d6"
hurts = "stress"
damage = "1d2"
bands = [
    { name = "deep", least = 10, damage = 3 },
    { name = "a start", least = 7, damage = "full" },
    { name = "nothing" },
]

[moves.look]
dice = "2d6"
stat = "str"

[rests.short]
tracks = { hp = "1d6+str", stress = -1 }

[rests.long]
tracks = { hp = "full", stress = "empty", coin = "start", blessed = "empty" }
ends = ["poisoned", "tired"]

[rests.spa]
ends = "all"
""",
    "mills.toml",
)

CHOSEN: Final = h.GameChosen(name="mills", definition=game_as_json(GAME))


def mill(*, damage: str | None = "1d8+str") -> Story:
    """Thia is strong and says her damage; Osk has a parry of 12 and six hit points."""
    sheet: dict[str, Value | None] = {"str": 3, "body": 9}
    sheet |= {} if damage is None else {"damage": damage}
    return given(
        *cast("Thia", "Osk", "Rat"),
        CHOSEN,
        e.SheetChanged(person=THIA, system="homebrew", values=sheet),
        e.SheetChanged(person=OSK, system="homebrew", values={"parry": 12, "body": 6}),
    )


def hit(results: str | None, *, at: int | None = OSK, **more: object) -> v.Roll:
    """Thia hits somebody, with these results or with what is dealt."""
    told = None if results is None else tuple(results.split())
    against = {} if at is None else {"against": "vs", "opponent": at}
    return v.Roll.of({"who": THIA, "move": "hit", "results": told, **against, **more})


def turned(who: int, condition: str, *, on: bool = True, **more: object) -> h.ConditionChanged:
    return h.ConditionChanged.of({"who": who, "condition": condition, "on": on, **more})
