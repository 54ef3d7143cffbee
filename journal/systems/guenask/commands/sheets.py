"""Sheet keys of a character: stats, traits, belongings, relationships, and free-text entries."""

from __future__ import annotations

from typing import Final

from journal.decks import dice
from journal.refused import Refused
from journal.system import SheetKey
from journal.systems.guenask.rules import LEAST_STAT, Stat
from journal.systems.guenask.state import FAMILY, FIELDS, PREFIXES, RELATIONSHIP, TRAIT

MOST_STAGES = 5


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """Returns a sheet's key and value in normal form: `docs/rules/guenask.md` §1. Refused if invalid."""
    if key in FIELDS:
        return key, _field(key, value)
    prefix = next((known for known in PREFIXES if key.startswith(known)), "")
    name = key.removeprefix(prefix)
    if not name:
        raise Refused(f"{key} has no name: write it like {prefix}lantern=1d6.")
    if prefix == RELATIONSHIP:
        return key, FAMILY if value.casefold() == FAMILY else read_dice(value)
    if prefix in ("", TRAIT):
        return name if name not in FIELDS else key, trait_dice(name, value)
    return key, read_dice(value)


def _field(key: str, value: str) -> int | str:
    if key in tuple(Stat):
        return _stat(key, value)
    if key == "stages":
        return _stages(value)
    return read_dice(value) if key == "unassigned" else value


def _stat(key: str, value: str) -> int:
    typed = value.casefold().removesuffix("d6")
    if not typed.isdecimal() or not LEAST_STAT <= int(typed) <= dice.MOST_DICE:
        raise Refused(f"{key.capitalize()} is {LEAST_STAT} to {dice.MOST_DICE} dice: {key}=3, not {value}.")
    return int(typed)


def _stages(value: str) -> int:
    if not value.isdecimal() or not 1 <= int(value) <= MOST_STAGES:
        raise Refused(f"An NPC has 1 to {MOST_STAGES} stages, not {value}.")
    return int(value)


def read_dice(value: str) -> str:
    """Returns a dice expression in normal form, such as 2d6+1d8; Refused if invalid or with fudge dice."""
    sizes = dice.parse_sizes(value)
    if dice.FUDGE in sizes:
        raise Refused("Fudge dice have no place in a pool: write 1d6 or 2d8.")
    return dice.dice_text(sizes)


def trait_dice(name: str, value: str) -> str:
    """Returns the dice expression of a trait in normal form; Refused if the dice differ in size."""
    read = read_dice(value)
    if "+" in read:
        raise Refused(f"The dice of a trait are of one size: {name}=2d6, not {value} (an obj. may mix them).")
    return read


SHEET: Final = (
    *(SheetKey(stat.value, "dice of d6", f"{stat.value}=3", LEAST_STAT, dice.MOST_DICE) for stat in Stat),
    SheetKey(
        "NAME", "a trait; any key that is none of these", '"quick tongue"=2d6', form="DICE, of one size"
    ),
    SheetKey("trait.NAME", "a trait called as another key is", "trait.mind=1d8", form="DICE, of one size"),
    SheetKey("obj.NAME", "a belonging", "obj.lantern=1d6", form="DICE"),
    SheetKey("danger.NAME", "a belonging that is dangerous", "danger.knife=1d4", form="DICE"),
    SheetKey(
        "rel.NAME",
        "a relationship, to family without dice of its own",
        "rel.sister=family",
        form="DICE, family",
    ),
    SheetKey("unassigned", "dice for relationships made up in play", "unassigned=2d6+1d8", form="DICE"),
    SheetKey("stages", "of an NPC, and what makes one", "stages=3", 1, MOST_STAGES),
    SheetKey("background", "an entry in free words", 'background="Grew up on the ice"', form="WORDS"),
    SheetKey("accomplishment", "an entry in free words", 'accomplishment="Read the old wall"', form="WORDS"),
)
"""All keys of a sheet: `docs/rules/guenask.md` §1."""
