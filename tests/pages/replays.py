"""Replays written by hand: one with everything that may lie on a table, and one as long as is asked for."""

from __future__ import annotations

from typing import Any

Value = dict[str, Any]

PEOPLE = {
    "who:1": {"name": "Irena", "role": "character"},
    "who:2": {"name": "Oskar", "role": "character"},
    "who:3": {"name": "Pole", "role": "character", "out": True},
    "who:4": {"name": "Hedda", "role": "player"},
}

TABLE: Value = {
    "at": {"session": 1, "title": "The Causeway", "date": "2026-04-11", "scene": 1, "place": "Half tide"},
    **PEOPLE,
    "conflict:1": {
        "title": "The toll",
        "system": "Whiskey",
        "sides": [[1, 2], [3]],
        "stakes": "the strongbox",
        "count": "phase 1",
        "stands": "phase 1: Irena checks",
    },
    "row:w:-:1:hp": {"who": 1, "what": "hp", "picture": "health", "value": 10, "most": 14},
    "row:w:-:3:hp": {"who": 3, "what": "hp", "picture": "health", "value": 0, "most": 9, "out": True},
    "row:w:-:1:cool": {"who": 1, "what": "cool", "picture": "stress", "value": 2, "most": 4, "boxes": [2, 4]},
    "row:w:-:2:boxes": {"who": 2, "what": "boxes", "picture": "boxes", "value": 1, "most": 3},
    "row:w:-:2:hurt": {
        "who": 2,
        "what": "hurt",
        "picture": "fallout",
        "value": 3,
        "most": 6,
        "rows": 3,
        "words": ["Not to be left alone", None, None],
    },
    "row:w:-:2:mild": {"who": 2, "what": "mild", "picture": "slot", "value": 2, "words": ["A boot lost"]},
    "row:w:-:2:severe": {"who": 2, "what": "severe", "picture": "slot", "value": 6},
    "row:w:-:2:torches": {"who": 2, "what": "torches", "picture": "counter", "value": 3},
    "row:w:-:2:fate": {"who": 2, "what": "fate", "picture": "points", "value": 2, "most": 5},
    "row:w:-:2:combat": {"who": 2, "what": "combat", "value": 18},
    "row:w:1:-:tide": {"conflict": 1, "what": "tide", "picture": "clock", "value": 3, "most": 6},
    "row:w:-:The cart:wheels": {
        "who": "The cart",
        "what": "wheels",
        "picture": "boxes",
        "value": 1,
        "most": 4,
    },
    "hand:w:deck:1": {"who": 1, "cards": ["KS", "10H", None, "joker"]},
    "hand:w:deck:4": {"who": 4, "cards": ["blades:home", "T14:r", "Excuse", "a card of a guest"]},
    "down:1:3": {"conflict": 1, "who": 3, "cards": [None, None]},
    "deck:w:own": {"name": "players", "size": 54, "left": 40, "gone": 3, "top": "2C"},
    "fell": {
        "who": 2,
        "dice": [
            {"sides": 6, "face": 5, "kept": True},
            {"sides": 10, "face": 10, "kept": False},
            {"sides": 0, "face": -1},
        ],
        "total": 5,
        "against": 4,
    },
    "pool:1:1": {"who": 1, "dice": [1, 4, 6, 8], "kept": [4], "approach": "opposed physical"},
    "raise:1": {"by": 1, "to": [3], "dice": [6, 4], "total": 10},
    "balance:1": {
        "scale": ["balanced", "unbalanced", "victory"],
        "level": 1,
        "favours": 3,
        "sides": [[1, 2], [3]],
    },
    "melee:1": {
        "phase": 1,
        "aims": [
            {"who": 1, "act": "engage", "target": 3, "outcome": "mutual", "by": [3]},
            {"who": 2, "act": "guard", "target": 1, "outcome": None, "by": []},
            {"who": 3, "act": "stand", "target": None, "outcome": None, "by": []},
        ],
        "pairs": [{"one": 1, "other": 3, "checker": 1, "winner": None}],
    },
    "map:1": {
        "spots": [{"name": "Gate", "x": 0, "y": 0}, {"name": "Giants", "x": 1, "y": 0}],
        "lines": [{"one": 0, "other": 1, "there": ["3"], "back": ["1"], "harm": "marked 2 of 4"}],
    },
    "place:1:1": {"spot": 0},
    "place:1:3": {"spot": 1, "out": True},
    "aspect:w:7": {"on": 3, "wording": "Wet to the knee", "free": 2, "holder": 1, "boxes": 2, "marked": [1]},
    "aspect:w:8": {"on": "The cart", "wording": "One wheel squeaks", "lasting": True},
    "pending:0": {"asked": "Who pays the toll?", "answers": ["Irena", "nobody"]},
    "lantern:1": {"burns": ["low", "blue"], "oil": 3},
}
"""Everything that the page knows how to draw, and something it does not."""

TOLD = (
    "The sea is on both sides of it.",
    "I go in under the pole.",
    "It is registered post.",
    "Nobody pays.",
)


def small() -> Value:
    """Eight steps with everything on the table, and two other lines: one leaves the first, one that."""
    first = _line("mainline", None, 0, [0, 1, 2, 3, 4, 5, 6, 7], "e")
    first["marks"] = [[5, "the last word"]]
    first["steps"]["flags"] = [9, 5, 17, 1, 2, 1, 64, 33]
    first["steps"]["delta"][3] = [
        0,
        {"spot": 1},
        1,
        {"who": 1, "what": "hp", "picture": "health", "value": 3, "most": 14},
    ]
    second = _line("the chase", 0, 5, [5, 6, 7], "f")
    second["why"] = "What if she had run?"
    second["steps"]["delta"][0] = [
        2,
        None,
        1,
        {"who": 1, "what": "hp", "picture": "health", "value": 9, "most": 14},
    ]
    second["board"] = {**TABLE, "place:1:1": {"spot": 1}}
    third = _line("the fight", 1, 7, [7, 8], "g")
    return {
        "replay": 2,
        "title": "Session 1: The Causeway",
        "campaign": "The Low Road",
        "lang": "en",
        "viewer": "gm",
        "director": True,
        "voice": "report",
        "source": "0",
        "opened": None,
        "keys": ["place:1:1", "row:w:-:1:hp", "fell"],
        "kinds": ["table.narrated"],
        "lines": [first, second, third],
    }


def _line(name: str, parent: int | None, at: int, told: list[int], prefix: str) -> Value:
    """A line whose steps are told by blocks of their own, under headings if it is the first."""
    heads: list[Value] = [
        {"sort": "chapter", "id": "s", "text": "Session 1: The Causeway"},
        {"sort": "scene", "id": "s1", "text": "Half tide"},
        {
            "sort": "conflict",
            "id": "c1",
            "text": "The toll",
            "against": "Whiskey: Irena against Pole",
            "system": "Whiskey",
        },
    ]
    heads = heads if parent is None else []
    words = [_block(f"{TOLD[n % len(TOLD)]} ({n})") for n in told]
    return {
        "name": name,
        "parent": parent,
        "at": at,
        "why": None,
        "steps": {
            "id": [f"{prefix}{n}" for n in told],
            "t": [n * 60.0 for n in told],
            "kind": [0 for _ in told],
            "told": [f"Irena narrates: “{TOLD[n % len(TOLD)]}”" for n in told],
            "block": [place + len(heads) for place in range(len(told))],
            "flags": [1 for _ in told],
            "delta": [[] for _ in told],
        },
        "marks": [],
        "board": TABLE,
        "blocks": [*heads, *words],
    }


def _block(text: str) -> Value:
    kind = "speech" if "post" in text else "narration"
    return {
        "sort": "told",
        "text": text,
        "kind": kind,
        "label": "Irena",
        **({"quotes": ["“", "”"]} if kind == "speech" else {}),
        "mechanics": [{"text": "Irena rolls 1d6: 4", "luck": "called"}],
    }


def long(count: int) -> Value:
    """A record of so many steps: a scene every fifty, a conflict in each."""
    board = {**PEOPLE, "at": {"session": 1, "place": "Scene 0"}}
    for who in (1, 2, 3):
        board[f"row:w:-:{who}:hp"] = {"who": who, "what": "hp", "picture": "health", "value": 20, "most": 20}
        board[f"hand:w:deck:{who}"] = {"who": who, "cards": ["KS", "10H", "2C"]}
    keys = [*board, "conflict:1", "fell"]
    value = small()
    line = _line("mainline", None, 0, list(range(count)), "e")
    line["blocks"], line["board"] = [], dict(board)
    for n in range(count):
        changed = _changed(n)
        board = {key: one for key, one in {**board, **changed}.items() if one is not None}
        line["steps"]["delta"][n] = [part for key, one in changed.items() for part in (keys.index(key), one)]
        line["steps"]["flags"][n] = 1 | 4 * (n % 50 == 0) | 2 * (n % 10 == 9)
        if n % 50 == 0:
            line["blocks"].append({"sort": "scene", "id": f"s{n}", "text": f"Scene {n // 50}"})
        if n % 2 == 0:
            text = " ".join(TOLD[(n + part) % len(TOLD)] for part in range(1 + n % 7))
            line["blocks"].append(_block(f"{text} ({n})"))
        line["steps"]["block"][n] = len(line["blocks"]) - 1
    value.update(lines=[line], keys=keys)
    return value


def _changed(n: int) -> Value:
    """What a step of the long one changes on the table."""
    who = 1 + n % 3
    if n % 50 == 0:
        return {"at": {"session": 1, "place": f"Scene {n // 50}"}, "conflict:1": None}
    if n % 50 == 1:
        return {
            "conflict:1": {
                "title": f"Fight {n // 50}",
                "system": "Whiskey",
                "sides": [[1, 2], [3]],
                "stands": "round 1",
            }
        }
    if n % 3 == 0:
        return {f"hand:w:deck:{who}": {"who": who, "cards": [f"{2 + n % 9}H", "KS", None]}}
    return {
        f"row:w:-:{who}:hp": {"who": who, "what": "hp", "picture": "health", "value": n % 21, "most": 20},
        "fell": {"who": who, "dice": [{"sides": 6, "face": 1 + n % 6}]},
    }
