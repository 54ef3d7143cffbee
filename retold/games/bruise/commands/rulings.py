"""Ties that need a ruling by the table, and the numbers that a ruling can set."""

from __future__ import annotations

from typing import Final, Literal

from retold.game import (
    Event,
    OpenConflict,
    Question,
    Refused,
    RulingKey,
    Situation,
    Table,
    normalise,
    set_by_table,
)
from retold.game import RulingChange as Change
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise import rules
from retold.games.bruise.commands.conflicts import LARGEST_RATING
from retold.games.bruise.commands.narration import tilt_wheel
from retold.games.bruise.commands.showdown import TWO, Showdown
from retold.games.bruise.options import NAME, OPTIONS
from retold.games.bruise.rules import Potential, Wheel
from retold.games.bruise.state import Sheet, conflict_state, sheet_of, sides_of

KarmaKind = Literal["karma destiny", "karma fate"]


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns the question who wins the current tie; empty if there is none.

    Between two sides, several tied pairs are asked about one after the other.
    """
    tied = _tied(conflict)
    if not tied:
        return ()
    *most, last = map(table.name, tied)
    asked = f"{', '.join(most)} and {last} are tied: who takes the hand?"
    return (Question("tie", asked, tied, conflict.id),)


def _tied(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people that a ruling must decide between; empty without a tie.

    Between two sides, the first tied pair; among three or more sides, all people tied for the best hand.
    """
    state = conflict_state(conflict)
    ties = state.ties if len(sides_of(conflict, state)) > TWO else state.ties[:1]
    return tuple(dict.fromkeys(who for tie in ties for who in tie))


def break_tie(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the HandWon events for the person that a ruling names as the winner of a tie."""
    state = conflict_state(situation.here)
    tied = _tied(situation.here)
    winner = next(who for who in tied if who == ruling.answer)
    qualities = {who: shown.quality for who, shown in state.shown.items()}
    stated = {who: shown.quantity for who, shown in state.shown.items()}
    sides = sides_of(situation.here, state)
    table = Showdown(situation, sides, qualities, stated, state.hands)
    if len(sides) > TWO:
        return [*table.taken_by(winner)]
    return [table.won(winner, loser) for loser in tied if loser != winner]


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events of a ruling that sets a number.

    Numbers are Legacy, Karma, the Wheel's ratings, traits, and a joker's rank.
    """
    return set_by_table(situation, ruling, RULING_KEYS, NAME, _unknown)


def _unknown(_situation: Situation, setting: e.Setting) -> str:
    if setting.person is None or not isinstance(setting.value, int):
        return "A ruling sets joker, or somebody's number: ruling Zel.legacy+=1: why."
    what = normalise(setting.what)
    return f"A ruling sets legacy, destiny, fate, karma-destiny, karma-fate or a trait, not {what}."


def _set_joker(change: Change) -> list[Event]:
    """Returns the event that changes the table option `joker` (rank), as the ruling says."""
    option = next(known for known in OPTIONS if known.key == "joker")
    value = str(change.setting.value)
    if change.setting.op != "=" or not option.takes(value):
        raise Refused(f"A ruling sets joker to one of {', '.join(option.values)}.")
    return [e.OptionSet(system=NAME, key=option.key, value=value)]


def _sheet(change: Change) -> Sheet:
    return sheet_of(change.situation.table, change.person)


def _rating_key(potential: Potential) -> RulingKey:
    def set_rating(change: Change) -> list[Event]:
        destiny = change.number if potential is Potential.DESTINY else rules.STATIONS - change.number
        return [tilt_wheel(change.person, _sheet(change), Wheel(destiny, rules.STATIONS - destiny))]

    return RulingKey(potential.value, set_rating, lambda change: _sheet(change).wheel.rating(potential), None)


def _karma_key(potential: Potential) -> RulingKey:
    def set_karma(change: Change) -> list[Event]:
        most = rules.karma_max(_sheet(change).wheel, potential)
        if change.number > most:
            raise Refused(f"Karma of {potential} goes up to its rating, {most}, and not to {change.number}.")
        what: KarmaKind = "karma destiny" if potential is Potential.DESTINY else "karma fate"
        return [b.NumberSet(who=change.person, what=what, value=change.number)]

    return RulingKey(f"karma {potential}", set_karma, lambda change: _sheet(change).karma[potential])


def _set_legacy(change: Change) -> list[Event]:
    return [b.NumberSet(who=change.person, what="legacy", value=change.number)]


def _set_trait(change: Change) -> list[Event]:
    key = f"meme.{change.name}" if change.name in _sheet(change).memes else change.name
    return [e.SheetChanged(person=change.person, system=NAME, values={key: change.number})]


RULING_KEYS: Final = (
    RulingKey("joker", _set_joker, of_table=True),
    *map(_rating_key, Potential),
    RulingKey("legacy", _set_legacy, lambda change: _sheet(change).legacy),
    *map(_karma_key, Potential),
    RulingKey(
        "TRAIT",
        _set_trait,
        lambda change: _sheet(change).traits.get(change.name),
        most=LARGEST_RATING,
        refusal="{name} is rated {least} to {most}, not {value}.",
    ),
)
"""Numbers that a ruling can set."""
