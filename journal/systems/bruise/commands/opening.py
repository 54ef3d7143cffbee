"""A conflict opens and closes, and what may stand on a sheet."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise.rules import Potential
from journal.systems.bruise.state import play
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

LARGEST_RATING = 52

ENDINGS = ("victory", "stalemate")
"""How the table may end a conflict, beside simply ending it."""


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """A Bruise conflict may be tied to Destiny or to Fate."""
    tied = opened.setup.get("tied")
    if tied is not None and str(tied) not in tuple(Potential):
        raise Refused(f"A conflict is tied to destiny or to fate, not to {tied}.")
    return [opened]


def close(situation: Situation, how: str) -> list[Event]:
    """A conflict ends with its cards back in their decks."""
    if how not in (*ENDINGS, "ended", "conceded"):
        raise Refused(f"A Bruise conflict ends, or as victory or stalemate; {how} is not known.")
    state = play(situation.here)
    return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)] if state.hands or state.shown else []


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A trait and its rating, 0 to 52: `docs/rules/bruise.md` §1."""
    if not value.isdecimal() or int(value) > LARGEST_RATING:
        raise Refused(f"{key} is rated 0 to {LARGEST_RATING}, not {value}.")
    return key.replace("attribute.", ""), int(value)
