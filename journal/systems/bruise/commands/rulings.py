"""Ties that need a ruling, and the numbers a ruling can set."""

from __future__ import annotations

from journal.names import normalise
from journal.refused import Refused
from journal.shared.rulings import apply_settings, check_not_negative, new_number
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.conflicts import LARGEST_RATING
from journal.systems.bruise.commands.narration import tilt_wheel
from journal.systems.bruise.commands.showdown import TWO, Showdown
from journal.systems.bruise.options import NAME, OPTIONS
from journal.systems.bruise.rules import Potential, Wheel
from journal.systems.bruise.state import Sheet, conflict_state, sheet_of, sides_of
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, Question


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns the question who wins a tie; pairs are asked one at a time."""
    tied = _tied(conflict)
    if not tied:
        return ()
    *most, last = map(table.name, tied)
    asked = f"{', '.join(most)} and {last} are tied: who takes the hand?"
    return (Question("tie", asked, tied, conflict.id),)


def _tied(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the tied people in question: one pair of two sides, or the best of several sides."""
    state = conflict_state(conflict)
    ties = state.ties if len(sides_of(conflict, state)) > TWO else state.ties[:1]
    return tuple(dict.fromkeys(who for tie in ties for who in tie))


def break_tie(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the hands won by the person that the ruling names."""
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
    """Applies a ruling on Legacy, Karma, the Wheel, a trait, or a joker's rank or suit."""
    return apply_settings(situation, ruling, _set, NAME)


def _joker(setting: e.Setting) -> list[Event]:
    """Sets the option for a joker's rank, or for the suit it lends."""
    what = normalise(setting.what)
    option = next(known for known in OPTIONS if known.key == what.replace(" ", "_"))
    value = str(setting.value).casefold()
    if setting.op != "=" or not option.takes(value):
        raise Refused(f"A ruling sets {what.replace(' ', '-')} to one of {', '.join(option.values)}.")
    return [e.OptionSet(system=NAME, key=option.key, value=value)]


def _set(situation: Situation, setting: e.Setting) -> list[Event]:
    if setting.person is None and normalise(setting.what) in ("joker", "joker suit"):
        return _joker(setting)
    if setting.person is None or not isinstance(setting.value, int):
        raise Refused("Say whose number, and which: ruling Zel.legacy+=1: why.")
    who = setting.person
    sheet = sheet_of(situation.table, who)
    what = normalise(setting.what)
    if what in ("destiny", "fate"):
        potential = Potential(what)
        value = new_number(setting, sheet.wheel.rating(potential))
        destiny = value if potential is Potential.DESTINY else rules.STATIONS - value
        return [tilt_wheel(who, sheet, Wheel(destiny, rules.STATIONS - destiny))]
    if what == "legacy":
        return [
            b.NumberSet(who=who, what="legacy", value=check_not_negative(new_number(setting, sheet.legacy)))
        ]
    if what in ("karma destiny", "karma fate"):
        return [_karma(who, sheet, Potential(what.removeprefix("karma ")), setting)]
    if what in sheet.traits:
        key = f"meme.{what}" if what in sheet.memes else what
        rating = check_not_negative(new_number(setting, sheet.traits[what]))
        if rating > LARGEST_RATING:
            raise Refused(f"{what} is rated 0 to {LARGEST_RATING}, not {rating}.")
        return [e.SheetChanged(person=who, system=NAME, values={key: rating})]
    raise Refused(f"A ruling sets legacy, destiny, fate, karma-destiny, karma-fate or a trait, not {what}.")


def _karma(who: int, sheet: Sheet, potential: Potential, setting: e.Setting) -> Event:
    """Sets Karma; raises Refused above the rating of its end of the Wheel."""
    points = check_not_negative(new_number(setting, sheet.karma[potential]))
    most = rules.karma_max(sheet.wheel, potential)
    if points > most:
        raise Refused(f"Karma of {potential} goes up to its rating, {most}, and not to {points}.")
    return b.NumberSet(
        who=who,
        what="karma destiny" if potential is Potential.DESTINY else "karma fate",
        value=points,
    )
