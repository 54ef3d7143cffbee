"""A bridge, and who meets on it: Thia and Osk, with sheets, and Orcs, whom nobody has described."""

from __future__ import annotations

from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.options import game_as_json, read_game
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.scenario import Story, cast, given

THIA, OSK, ORCS = 1, 2, 3
WHY: Final = Words("So it is.")

GAME: Final = read_game(
    b"""
name = "bridges"
title = "Bridges"
about = "what the tests need, and no more"
initiative = "d20+dex"

[stats]
str = { least = -3, most = 5, start = 1 }
dex = { least = -3, most = 5 }
dots = { least = 0, most = 9 }
body = { least = 1, most = 20, start = 12 }

[tracks]
hp = { most = "body", out = "empty" }
harm = { kind = "boxes", most = 3, out = "full" }
coin = { kind = "counter" }
cursed = { kind = "condition" }

[moves.strike]
dice = "d20"
stat = ["str", "dex"]
bands = [
    { name = "a great hit", natural = 20, marks = { coin = 2 } },
    { name = "a hit", margin = 0 },
    { name = "a miss", marks = { harm = 1 } },
]

[moves.sneak]
dice = "d100"
stat = "body"
use = "under"
bands = [{ name = "unseen", margin = 0 }, { name = "seen" }]

[moves."hold on"]
dice = "1d10!>=7"
stat = "dots"
use = "dice"
bands = [{ name = "held", least = 1 }, { name = "slipped", natural = 1 }, { name = "still there" }]
""",
    "bridges.toml",
)

CHOSEN: Final = h.GameChosen(name="bridges", definition=game_as_json(GAME))


def bridge(*, game: bool = True) -> Story:
    """The cast, and the game they play if they play one; Thia has strength 3 and two dots."""
    return given(
        *cast("Thia", "Osk", "Orcs"),
        *([CHOSEN] if game else []),
        e.SheetChanged(person=THIA, system="homebrew", values={"str": 3, "dots": 2}),
        e.SheetChanged(person=OSK, system="homebrew", values={"dex": -1}),
    )


def fight() -> Story:
    """All three on the bridge, Thia and Osk against Orcs."""
    return bridge().given(c.OpenConflict(sides=((THIA, OSK), (ORCS,))))


def roll(who: int, move: str, stat: str | None = None, **more: object) -> v.Roll:
    """They make that move."""
    return v.Roll.of({"who": who, "move": move, "stat": stat, **more})


def dice(who: int, sizes: str, *faces: int, conflict: int | None = None) -> e.DiceRolled:
    return e.DiceRolled(conflict=conflict, who=who, dice=sizes, faces=faces)


def total(who: int, throw: str, total: int, **more: object) -> e.TotalReached:
    return e.TotalReached.of({"who": who, "throw": throw, "total": total, **more})


def made(who: int, move: str, stat: str, number: int, result: str | None, **more: object) -> h.MoveMade:
    return h.MoveMade.of({"who": who, "move": move, "stat": stat, "number": number, "result": result, **more})


def track(who: int, name: str, was: int | None, now: int, most: int | None, **more: object) -> h.TrackChanged:
    return h.TrackChanged.of({"who": who, "track": name, "was": was, "now": now, "most": most, **more})
