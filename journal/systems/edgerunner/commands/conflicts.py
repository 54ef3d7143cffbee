"""A conflict opens, somebody comes into it or leaves it, and an evening begins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from journal.names import owning, quoted
from journal.refused import Refused
from journal.shared.joining import without_them
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.ahead import closing, conclude, defences_of, defences_on
from journal.systems.edgerunner.commands.sheets import read_sheet
from journal.systems.edgerunner.commands.standing import MAP, METAPHOR, PLACES, actors, here
from journal.systems.edgerunner.commands.turns import where_it_stands
from journal.systems.edgerunner.options import CALLER, NAME, chosen
from journal.systems.edgerunner.rules import Kind
from journal.systems.edgerunner.state import shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event, Value

AGREED: Final = ("ended", "agreed")
CONCEDED: Final = "conceded"

SHEETLESS: Final = {"threshold": Kind.PROBLEM, "takes": Kind.PROBLEM, "tl": Kind.MOOK}
"""What a line may say of somebody or something without a sheet, and of what kind they are then."""

SETUP: Final[Mapping[str, str]] = {
    "threshold": "4",
    "takes": '"an hour"',
    "tl": "3",
    MAP: METAPHOR,
    CALLER: "NAME",
}
"""The keys `conflict` takes here, each with its form."""


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """The conflict opens; the dead take no side in it."""
    check_living(situation, (who for side in opened.sides for who in side))
    if opened.setup.get(MAP, PLACES) not in (PLACES, METAPHOR):
        raise Refused(f"A map is of {PLACES} or a {METAPHOR}: {MAP}={METAPHOR}, not {opened.setup[MAP]}.")
    caller = opened.setup.get(CALLER)
    if isinstance(caller, int) and situation.table.people[caller].role == "side":
        name = situation.quoted(caller)
        raise Refused(f"The caller sits at the table: {CALLER}= names a player, or gm, and not {name}.")
    return [*_sheets(situation, opened), opened]


def _sheets(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """What the line says of those who have no sheet, and are what the first side has before it."""
    said = [key for key in SHEETLESS if key in opened.setup]
    if not said:
        return []
    known = shelf(situation.table).sheets
    others = [who for side in opened.sides[1:] for who in side if who not in known and who != GM]
    if len(said) > 1 or not others:
        why = "goes with no other" if len(said) > 1 else "is of a side that has no sheet, and all have one"
        raise Refused(f"{said[0]}= {why}: cast NAME edgerunner kind=problem threshold=4.")
    key, value = read_sheet(said[0], str(opened.setup[said[0]]))
    values: dict[str, Value | None] = {"kind": SHEETLESS[key].value, key: value}
    return [e.SheetChanged(person=who, system=NAME, values=values) for who in others]


def check_living(situation: Situation, people: Iterable[int]) -> None:
    """Refuses the dead."""
    for who in people:
        if who in shelf(situation.table).dead:
            raise Refused(f"{situation.name(who)} is dead.")


def close(situation: Situation, how: str) -> list[Event]:
    """All agree that it is over, and every defence with it; an act on the table comes first."""
    conceded = how == CONCEDED and situation.here.concession is not None
    if how not in AGREED and not conceded:
        raise Refused(
            "A conflict ends when a side is taken out, by a concession (concede NAME: story), or as all"
            f" agree: end conflict agreed, and not {how}."
        )
    _all_told(situation)
    act = here(situation).act
    if act is None:
        return closing(situation)
    if conceded:
        return [*_let_go(situation), *closing(situation)]
    raise Refused(where_it_stands(situation, act))


def _all_told(situation: Situation) -> None:
    """A conflict does not end over somebody's head: what becomes of them is told first."""
    for tale in here(situation).tales:
        out, teller = situation.name(tale.on), situation.name(tale.by)
        raise Refused(f"What becomes of {out} is still to be told: narrate {quoted(teller)}: … comes first.")


def _let_go(situation: Situation) -> list[Event]:
    """The story that all have taken is true: whatever somebody was about comes to nothing."""
    acts = reversed(here(situation).acts)
    return [g.ActionForfeited(conflict=situation.here.id, who=act.who, why="conceded") for act in acts]


def begin_session(situation: Situation) -> list[Event]:
    """Everybody's fate points are as they were at first; stress is gone, unless a conflict goes on."""
    fighting = any(conflict.system == NAME for conflict in situation.table.conflicts.values())
    return [g.Refreshed(points=chosen.number(situation.table, "fp_start"), stress=not fighting)]


# --- coming and going -------------------------------------------------------------------------------------


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """People come in, nowhere on the map yet; the dead do not, nor does the referee."""
    if GM in joined.people:
        raise Refused("The game master is in every conflict: join says who else comes in.")
    check_living(situation, joined.people)
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """People go, and what they kept up is over; so is the conflict, once one side is left."""
    for who in left.people:
        _check_free(situation, who)
        _check_turn(situation, who, left.people)
    ended: list[Event] = []
    for who in left.people:
        over = (*defences_of(situation, who), *defences_on(situation, who))
        ended += [one for one in over if one not in ended]
    events = conclude(situation, [left, *ended])
    if any(isinstance(event, e.ConflictEnded) for event in events):
        return events
    return [*events, *without_them(situation, left)]


def _check_free(situation: Situation, who: int) -> None:
    """Refuses to let go whoever is out, and whoever an act on the table is by or aimed at."""
    state, name = here(situation), situation.name(who)
    if chosen(situation.table, "leaving") == "no":
        raise Refused(
            f"Nobody leaves a conflict here but by a concession: concede {quoted(name)}: the story."
        )
    if who in state.out:
        raise Refused(f"{name} is taken out, and goes nowhere.")
    for act in reversed(state.acts):
        if who in (act.who, *act.targets, act.asset):
            raise Refused(where_it_stands(situation, act))


def _check_turn(situation: Situation, who: int, leaving: Collection[int]) -> None:
    """To leave takes a turn where the table plays so; things have none, nor has anybody before it begins."""
    state, name = here(situation), situation.name(who)
    if chosen(situation.table, "leaving") == "free" or not state.exchange or who not in actors(situation):
        return
    if who in state.acted:
        raise Refused(f"{name} has acted in this exchange, and to leave takes a turn (option leaving).")
    if state.act is not None:
        raise Refused(where_it_stands(situation, state.act))
    if state.turn is not None and state.turn not in leaving:
        raise Refused(f"It is {owning(situation.name(state.turn))} turn.")
