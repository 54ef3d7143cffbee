"""What waits for the table, and what its rulings come to."""

from __future__ import annotations

from journal.names import fold
from journal.refused import Refused
from journal.shared.rulings import from_zero, one_by_one, reckoned
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.showdown import Showdown
from journal.systems.bruise.commands.wheel import wheel_tilted
from journal.systems.bruise.rules import Potential, Wheel
from journal.systems.bruise.state import EVOLVE, NAME, play, sheet_of
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, Question


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """A tie waits for the table; of several, the next is asked once this one is settled."""
    return tuple(
        Question(
            "tie",
            f"{table.name(one)} and {table.name(other)} are tied: who takes the hand?",
            (one, other),
            conflict.id,
        )
        for one, other in play(conflict).ties[:1]
    )


def break_tie(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """The table said who takes a tied hand."""
    state = play(situation.here)
    one, other = state.ties[0]
    winner, loser = (one, other) if ruling.answer == one else (other, one)
    qualities = {who: shown.quality for who, shown in state.shown.items()}
    stated = {who: shown.quantity for who, shown in state.shown.items()}
    return [Showdown(situation, qualities, stated, state.hands).won(winner, loser)]


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """A ruling on Legacy, Karma, the Wheel or a trait."""
    return one_by_one(situation, ruling, _set, EVOLVE)


def _set(situation: Situation, setting: e.Setting) -> list[Event]:
    if setting.person is None or not isinstance(setting.value, int):
        raise Refused("Say whose number, and which: ruling Zel.legacy+=1: why.")
    who = setting.person
    sheet = sheet_of(situation.table, who)
    what = fold(setting.what)
    if what in ("destiny", "fate"):
        potential = Potential(what)
        value = reckoned(setting, sheet.wheel.rating(potential))
        destiny = value if potential is Potential.DESTINY else rules.STATIONS - value
        return [wheel_tilted(who, sheet, Wheel(destiny, rules.STATIONS - destiny))]
    if what == "legacy":
        return [b.NumberSet(who=who, what="legacy", value=from_zero(reckoned(setting, sheet.legacy)))]
    if what == "karma destiny":
        points = from_zero(reckoned(setting, sheet.karma[Potential.DESTINY]))
        return [b.NumberSet(who=who, what="karma destiny", value=points)]
    if what == "karma fate":
        points = from_zero(reckoned(setting, sheet.karma[Potential.FATE]))
        return [b.NumberSet(who=who, what="karma fate", value=points)]
    if what in sheet.traits:
        key = f"meme.{what}" if what in sheet.memes else what
        rating = from_zero(reckoned(setting, sheet.traits[what]))
        return [e.SheetChanged(person=who, system=NAME, values={key: rating})]
    raise Refused(f"A ruling sets legacy, destiny, fate, karma-destiny, karma-fate or a trait, not {what}.")
