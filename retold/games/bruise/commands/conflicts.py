"""Opening, closing, joining and leaving a Bruise conflict, and parsing of sheet keys."""

from __future__ import annotations

from typing import Final

from retold.game import Event, Refused, SheetKey, Situation, conflicts, french, sheet_reader, situation_after
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise.commands.hands import karma_still_possible
from retold.games.bruise.commands.showdown import show_all, unknown_qualities
from retold.games.bruise.options import NAME
from retold.games.bruise.rules import Potential
from retold.games.bruise.state import conflict_state, sides_of

LARGEST_RATING = 52

ENDINGS = ("victory", "stalemate")
"""Endings a conflict accepts besides the plain one."""


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns the opening event unchanged; raises Refused if its key `tied` is not destiny or fate."""
    tied = opened.setup.get("tied")
    if tied is not None and str(tied) not in tuple(Potential):
        raise Refused(f"A conflict is tied to destiny or to fate, not to {tied}.")
    return [opened]


def close(situation: Situation, how: str) -> list[Event]:
    """Returns the event that ends the last turn, so that all cards go back; empty if no turn had begun.

    `how` is the ending typed, such as `victory`; raises Refused for an unknown ending.
    """
    if how not in (*ENDINGS, "ended", "conceded", conflicts.LEFT):
        raise Refused(f"A Bruise conflict ends, or as victory or stalemate; {how} is not known.")
    state = conflict_state(situation.here)
    begun = state.hands or state.compared
    return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)] if begun else []


_RATED: Final = "{key} is rated {least} to {most}, not {value}."

SHEET: Final = (
    *(
        SheetKey(suit.value, "an attribute", f"{suit.value}=3", 0, LARGEST_RATING, refusal=_RATED)
        for suit in french.Suit
    ),
    SheetKey("NAME", "a skill or a meme: any other key", "melee=2", 0, LARGEST_RATING, refusal=_RATED),
)
"""Keys of a sheet: `docs/rules/bruise.md` §1."""

_read_rating = sheet_reader(SHEET)


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """Parses a sheet entry such as `clubs=3` or `meme.honour=2`; returns its key and its rating, 0 to 52.

    Raises Refused for a name that is not a trait, such as `karma`, and for other ratings.
    """
    _check_trait(key)
    return _read_rating(key.removeprefix("attribute."), value)


NO_TRAITS = frozenset({"destiny", "fate", "karma", "karma destiny", "karma fate", "legacy"})
"""Names of numbers that are no traits; a trait cannot have one of them."""


def _check_trait(key: str) -> None:
    name = key.removeprefix("meme.").removeprefix("attribute.")
    if (potential := name) in ("destiny", "fate"):
        raise Refused(
            f"All begin at 5 and 5 on the Wheel: tilt NAME {potential} 2, or ruling NAME.{potential}=7: why."
        )
    if name in NO_TRAITS:
        raise Refused(
            f"{name} is not a trait; it is set by a ruling: ruling NAME.{name.replace(' ', '-')}=2: why."
        )


def join(_situation: Situation, joined: e.Joined) -> list[Event]:
    """Returns the joining event unchanged.

    Its handler decides if the people draw in this turn or the next.
    """
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the events when people leave a conflict: their leaving, then an ending or a showdown.

    If fewer than two sides remain, the conflict or turn ends; if only the people who left had yet to draw
    or show, the remaining hands are shown and compared.
    """
    ending = conflicts.end_without_sides(situation, left)
    return [left, *(ending or _showdown_after_leaving(situation_after(situation, [left], NAME)))]


def _showdown_after_leaving(situation: Situation) -> list[Event]:
    """Returns the events that show and compare all hands if no one has yet to draw, show or spend Karma.

    With one side left, returns the end of the turn; empty if no turn has begun, it is over, or a person is
    still waited for.
    """
    state = conflict_state(situation.here)
    begun = state.hands or state.shown or state.late
    if not begun or state.over:
        return []
    if len(sides_of(situation.here, state)) < conflicts.FEWEST_SIDES:
        return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)]
    if unknown_qualities(situation.here, state, state.hands) or karma_still_possible(
        situation, state, state.hands
    ):
        return []
    return show_all(situation, state, state.hands, {})
