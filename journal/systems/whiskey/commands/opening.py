"""A conflict opens and closes, an evening begins, and what may stand on a sheet."""

from __future__ import annotations

import re
from typing import Final

from journal.names import fold
from journal.refused import Refused
from journal.shared.joining import LEFT
from journal.system import SheetKey, Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey.commands.fighters import pairs_named
from journal.systems.whiskey.commands.joining import broken_off
from journal.systems.whiskey.options import NAME, chosen
from journal.systems.whiskey.rules import Half
from journal.systems.whiskey.state import NUMBERS, is_pc, play, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")
_TAKEN: Final = ("engage",)
"""What a ruling says of somebody without meaning a stat."""

BREAKING_OFF: Final = ("retreat", "surrender", "stalemate", "conceded")
"""The endings that need not wait for checks that are due."""

ENDINGS: Final = ("ended", "victory", *BREAKING_OFF)


SETUP_KEYS: Final = dict.fromkeys(NUMBERS, "NUMBER")
"""What the conflict's own line may say of whoever in it has no sheet: a storm, a crowd, a lock."""


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Hostilities begin, with decks made whole where the table does that for every battle."""
    numbers = dict(read_sheet(key, str(value)) for key, value in opened.setup.items())
    opened = opened.but({"setup": numbers})
    return [opened, *_given_numbers(situation, opened), *_reset(situation, "battle", opened.conflict)]


def _given_numbers(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """The numbers on the conflict's line are those of everybody in it who has no sheet and no player."""
    if not opened.setup:
        return []
    if "combat" not in opened.setup:
        raise Refused("A side without a sheet needs its combat at least: combat=12.")
    known = shelf(situation.table).sheets
    bare = [who for side in opened.sides for who in side if who not in known]
    bare = [who for who in bare if not is_pc(situation.table, who)]
    if not bare:
        raise Refused("Numbers on this line are for a side without a sheet, and here everybody has one.")
    return [e.SheetChanged(person=who, system=NAME, values=dict(opened.setup)) for who in bare]


def begin_session(situation: Situation) -> list[Event]:
    """An evening begins, with decks made whole where the table does that for every session."""
    return _reset(situation, "session", None)


def _reset(situation: Situation, when: str, conflict: int | None) -> list[Event]:
    if chosen(situation.table, "reset_deck") != when:
        return []
    return [
        w.DeckReshuffled(
            conflict=conflict,
            faction=faction,
            half=Half.HEARTS_SPADES,
            why="battle" if when == "battle" else "session",
        )
        for faction, cards in shelf(situation.table).cards.items()
        if cards.discarded()
    ]


def close(situation: Situation, how: str) -> list[Event]:
    """Hostilities end; a check that is due is made first, unless the ending breaks the fight off.

    Then what has been checked already counts, as at the end of any phase.
    """
    if how not in (*ENDINGS, LEFT):
        raise Refused(f"Hostilities end as {', '.join(ENDINGS[:-1])}; {how} is not known.")
    due = play(situation.here).phase.open
    if due and how not in (*BREAKING_OFF, LEFT):
        raise Refused(
            f"These still need their check: {pairs_named(situation, due)}. "
            "A fight that breaks off before it: end conflict retreat, or surrender, or stalemate."
        )
    return list(broken_off(situation.table, situation.here)) if due else []


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A number, a faction, or an ability in a word: `docs/rules/whiskey.md` §1."""
    if key == "faction":
        return key, _faction(value)
    if key in _TAKEN:
        raise Refused(f"No stat can be called {key}: a ruling says with it whom a guard stops.")
    if _WHOLE.fullmatch(value):
        number = int(value)
        if key == "hp" and number < 1:
            raise Refused("Somebody begins with 1 hit point or more: hp=12.")
        return key, number
    if key in NUMBERS:
        raise Refused(f"{key} is a whole number, not {value}: {key}=4.")
    return key, value


def _faction(value: str) -> str:
    word = fold(value)
    if not any(letter.isalpha() for letter in word) or ":" in word:
        raise Refused(f"A faction has a name, such as players, friends or enemies, not {value}.")
    return word


_A_NUMBER: Final = "a whole number"

SHEET: Final = (
    SheetKey("combat", "the score that checks in a fight are made with", "combat=10", form=_A_NUMBER),
    SheetKey("base", "damage, before the die", "base=4", form=_A_NUMBER),
    SheetKey("die", "damage for each point of the d6", "die=1", form=_A_NUMBER),
    SheetKey("hp", "hit points, now and at their full", "hp=12", least=1),
    SheetKey(
        "faction", "whose deck it draws from: players, friends, enemies", "faction=friends", form="NAME"
    ),
    SheetKey(
        "NAME", "a stat to check with, or an ability: any other key", "stealth=3", form="a number or words"
    ),
)
"""Every key of a sheet: `docs/rules/whiskey.md` §1."""
