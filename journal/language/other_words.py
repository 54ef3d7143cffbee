"""Words of other tables and tools, and what stands for them here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SKILL_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("convince", "persuade"), "persuasion"),
    **dict.fromkeys(("bluff", "deceive", "lie"), "deception"),
    **dict.fromkeys(("hide", "sneak"), "stealth"),
    **dict.fromkeys(("climb", "grapple", "jump", "shove", "swim"), "athletics"),
    **dict.fromkeys(("listen", "perceive", "search", "spot"), "perception"),
    **dict.fromkeys(("lockpick", "lockpicking", "lockpicks"), "thieves tools"),
    "handle animal": "animal handling",
    "intimidate": "intimidation",
    "investigate": "investigation",
    "perform": "performance",
}
"""Other words for a skill, as a roller may name it."""
ABILITIES: Final[Mapping[str, str]] = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
"""Abilities in full, with their names on sheets."""
OPPOSED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "insight"),
    **dict.fromkeys(("sleight", "sleight of hand", "stealth"), "perception"),
}
"""Skills that are answered with another one."""
SKILL_OF: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sneaks", "hides"), "stealth"),
    **dict.fromkeys(("climbs", "grapples", "jumps", "pushes", "shoves", "swims"), "athletics"),
    **dict.fromkeys(("checks", "listens", "looks", "searches", "spots"), "perception"),
    **dict.fromkeys(("disarms", "picks"), "sleight"),
    **dict.fromkeys(("examine", "examines", "investigate", "investigates"), "investigation"),
    **dict.fromkeys(("lies", "bluffs", "cons", "deceives", "tricks"), "deception"),
    **dict.fromkeys(("threatens", "intimidates"), "intimidation"),
    **dict.fromkeys(("convinces", "persuades"), "persuasion"),
}
"""What people do, with the skill that it takes."""
COINS_IN_SHORT: Final[Mapping[str, str]] = {
    "cp": "copper",
    "ep": "electrum",
    "gp": "gold",
    "pp": "platinum",
    "sp": "silver",
}
"""Coins as they are in short."""
COUNTS_IN_SHORT: Final[Mapping[str, str]] = {"exp": "xp", "lvl": "level"}
"""What is counted, as it is in short."""
STATES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("asleep", "ko", "sleeping"), "unconscious"),
    **dict.fromkeys(("afraid", "scared"), "frightened"),
    "blind": "blinded",
    "deaf": "deafened",
    "grabbed": "grappled",
    "paralysed": "paralyzed",
}
"""Other words for a condition."""
ALIASES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("fight", "combat", "battle", "encounter", "duel", "skirmish", "brawl"), "conflict"),
    **dict.fromkeys(("argue", "debate", "quarrel"), "conflict"),
    **dict.fromkeys(("ooc", "offtopic", "banter"), "aside"),
    **dict.fromkeys(("desc", "narration", "narrator", "narrative"), "narrate"),
    **dict.fromkeys(("npc", "pc", "actor", "monster", "creature", "enemy", "foe"), "cast"),
    **dict.fromkeys(("quest", "plot", "subplot", "arc", "mystery"), "thread"),
    **dict.fromkeys(("item", "object", "artefact", "artifact", "treasure"), "thing"),
    **dict.fromkeys(("location", "loc", "room"), "place"),
    **dict.fromkeys(("memo", "remark", "gmnote"), "note"),
    **dict.fromkeys(("throw", "toss", "dice", "rolls"), "roll"),
    **dict.fromkeys(("progress", "countdown"), "clock"),
    **dict.fromkeys(("bookmark", "checkpoint"), "mark"),
    **dict.fromkeys(("sitzung", "seance"), "session"),
    **dict.fromkeys(("szene", "scena", "escena"), "scene"),
    **dict.fromkeys(("kampf", "bataille"), "conflict"),
    **dict.fromkeys(("wurf", "wurfle", "jet", "lance"), "roll"),
    **dict.fromkeys(("notiz", "nota"), "note"),
    **dict.fromkeys(("ort", "lieu"), "place"),
    "inits": "initiative",
    "rast": "rest",
    "condition": "status",
    "block": "see",
    "conceded": "concede",
    "zones": "map",
    "reverse": "see",
    "speak": "say",
    "tactic": "declare",
    "talk": "say",
    "checkout": "switch",
    "deal": "draw",
    "enter": "join",
    "flee": "leave",
    "counter": "track",
    "resource": "track",
}
"""Words of other tables for verbs of this one."""
READ_AS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sheet", "character", "char", "inventory", "inv", "bio"), "who"),
    **dict.fromkeys(("party", "characters", "chars", "players", "npcs", "pcs", "team"), "show cast"),
    **dict.fromkeys(("transcript", "events"), "log"),
    **dict.fromkeys(("commands", "verbs", "manual", "?"), "help"),
    **dict.fromkeys(("where", "look", "l", "summary", "state"), "show"),
    **dict.fromkeys(("options", "actions", "moves"), "can"),
    **dict.fromkeys(("find", "grep"), "search"),
}
"""Words of other tables for verbs that read."""
LEAVING: Final = frozenset({"quit", "exit", "q", "save", "bye"})
"""Words for leaving or saving, which nothing here needs."""
