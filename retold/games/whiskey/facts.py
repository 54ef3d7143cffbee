"""Facts about a Whiskey fight that the command `expect` may check, such as `hp` or `clashes`."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import WINNER, Fact, OpenConflict, Table
from retold.games.whiskey.options import chosen
from retold.games.whiskey.rules import DeckMode
from retold.games.whiskey.state import (
    SEALED,
    Phase,
    WhiskeyConflict,
    cards_of,
    faction,
    game_state,
    half_in_play,
    sheet_of,
)

Found = tuple[str, ...]


def _phase(conflict: OpenConflict | None) -> Phase:
    return conflict.state.shown if conflict and isinstance(conflict.state, WhiskeyConflict) else Phase()


def _names(table: Table, people: tuple[int, ...]) -> Found:
    return tuple(map(table.name, people))


def _stat(key: str, about: str) -> Fact:
    def read(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
        number = sheet_of(table, who or 0).numbers.get(key)
        return () if number is None else (str(number),)

    return Fact(True, read, about)


def _intent(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    phase = _phase(conflict)
    if who in phase.sealed:
        return (SEALED,)
    intent = phase.intents.get(who or 0)
    if intent is None:
        return ()
    return (intent.act.value, *(() if intent.target is None else (table.name(intent.target),)))


def _stopped(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    fate = _phase(conflict).fates.get(who or 0)
    return _names(table, fate.by) if fate is not None and not fate.succeeded else ()


def _clash(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    mine = (clash for clash in _phase(conflict).clashes if who in clash.pair)
    return _names(table, tuple(clash.against(who or 0) for clash in mine))


def _check(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    made = game_state(table).last_check
    return () if made is None else (str(made.total), "passed" if made.passed else "failed")


def _deck(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    cards = cards_of(table, faction(table, who or 0))
    if chosen(table, "deck") == DeckMode.D26:
        return ()
    return (str(len(cards.left(half_in_play(table, cards)))),)


FACTS: Mapping[str, Fact] = {
    "hp": _stat("hp", "a person's hit points"),
    **{key: _stat(key, f"a person's {key}") for key in ("combat", "base", "die")},
    "faction": Fact(
        True,
        lambda table, _conflict, who: (faction(table, who or 0),),
        "the faction whose deck a person draws from",
    ),
    "down": Fact(
        False,
        lambda table, _conflict, _who: _names(table, tuple(sorted(game_state(table).down))),
        "who is out of the fight",
        of_people=True,
    ),
    "winner": WINNER,
    "phase": Fact(
        False,
        lambda _table, conflict, _who: (str(_phase(conflict).number),),
        "the number of the phase that is spoken of",
    ),
    "intent": Fact(True, _intent, "a person's intent and its target"),
    "stopped": Fact(
        True,
        _stopped,
        "who stopped a person; without a name, whether anyone did",
        whether=True,
        of_people=True,
    ),
    "clashes": Fact(
        False,
        lambda _table, conflict, _who: (str(len(_phase(conflict).clashes)),),
        "how many clashes there are",
    ),
    "clash": Fact(
        True,
        _clash,
        "who a person clashes with; without a name, whether they clash",
        whether=True,
        of_people=True,
    ),
    "check": Fact(False, _check, "what the last check came to: its total, and passed or failed"),
    "deck": Fact(True, _deck, "how many cards are left to a person: in the half in play, or the deck"),
    "half": Fact(
        True,
        lambda table, _conflict, who: (cards_of(table, faction(table, who or 0)).half.value,),
        "the half in play of a person's deck",
    ),
}
"""Facts that `expect` may check, by name."""
