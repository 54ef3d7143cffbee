"""Sheet keys of a character: stats, traits, belongings, relationships, and free-text entries."""

from __future__ import annotations

from typing import Final

from retold.game import Refused, SheetKey, dice, sheet_reader
from retold.games.guenask.rules import LEAST_STAT, Stat
from retold.games.guenask.state import FAMILY

MOST_STAGES = 5


def _stat(key: str, value: str) -> int:
    typed = value.casefold().removesuffix("d6")
    if not typed.isdecimal() or not LEAST_STAT <= int(typed) <= dice.MOST_DICE:
        raise Refused(f"{key.capitalize()} is {LEAST_STAT} to {dice.MOST_DICE} dice: {key}=3, not {value}.")
    return int(typed)


def read_dice(value: str) -> str:
    """Returns typed dice in normal form, such as "2d6+1d8"; Refused if unreadable, or for fudge dice."""
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


def _dice(_name: str, value: str) -> str:
    return read_dice(value)


def relationship_dice(_name: str, value: str) -> str:
    """Returns the dice expression of a relationship in normal form, or the word `family`."""
    return FAMILY if value.casefold() == FAMILY else read_dice(value)


def _words(_name: str, value: str) -> str:
    return value


_ONE_SIZE: Final = "DICE, of one size"

SHEET: Final = (
    *(
        SheetKey(stat.value, "dice of d6", f"{stat.value}=3", LEAST_STAT, dice.MOST_DICE, read=_stat)
        for stat in Stat
    ),
    SheetKey(
        "NAME",
        "a trait; any key that is none of these",
        '"quick tongue"=2d6',
        form=_ONE_SIZE,
        read=trait_dice,
    ),
    SheetKey(
        "trait.NAME",
        "a trait called as another key is",
        "trait.mind=1d8",
        form=_ONE_SIZE,
        read=trait_dice,
        same_as=("NAME",),
    ),
    SheetKey("obj.NAME", "a belonging", "obj.lantern=1d6", form="DICE", read=_dice),
    SheetKey("danger.NAME", "a belonging that is dangerous", "danger.knife=1d4", form="DICE", read=_dice),
    SheetKey(
        "rel.NAME",
        "a relationship, to family without dice of its own",
        "rel.sister=family",
        form="DICE, family",
        read=relationship_dice,
    ),
    SheetKey(
        "unassigned", "dice for relationships made up in play", "unassigned=2d6+1d8", form="DICE", read=_dice
    ),
    SheetKey(
        "stages",
        "of an NPC, and what makes one",
        "stages=3",
        1,
        MOST_STAGES,
        refusal="An NPC has {least} to {most} stages, not {value}.",
    ),
    SheetKey(
        "background", "an entry in free words", 'background="Grew up on the ice"', form="WORDS", read=_words
    ),
    SheetKey(
        "accomplishment",
        "an entry in free words",
        'accomplishment="Read the old wall"',
        form="WORDS",
        read=_words,
    ),
)
"""All keys of a sheet: `docs/rules/guenask.md` §1."""

read_sheet = sheet_reader(SHEET)
