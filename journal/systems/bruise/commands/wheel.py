"""The Wheel of Potential, and how a deed tilts it."""

from __future__ import annotations

from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.verbs import Tilt
from journal.systems.bruise.rules import Potential, Wheel
from journal.systems.bruise.state import Sheet, sheet_of
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def tilt(situation: Situation, command: Tilt) -> list[Event]:
    """A deed moves somebody's Wheel; Karma never stands above its rating."""
    sheet = sheet_of(situation.table, command.who)
    wheel = sheet.wheel.tilted(Potential(command.potential), command.by)
    return [
        wheel_tilted(command.who, sheet, wheel),
        *([e.Noted(text=command.text, person=command.who)] if command.text is not None else []),
    ]


def wheel_tilted(who: int, sheet: Sheet, wheel: Wheel) -> b.WheelTilted:
    """The Wheel as it stands from now on, and what it leaves of the Karma."""
    kept = {one: rules.karma_kept(sheet.karma[one], wheel, one) for one in Potential}
    return b.WheelTilted(
        who=who,
        destiny=wheel.destiny,
        fate=wheel.fate,
        karma_destiny=kept[Potential.DESTINY],
        karma_fate=kept[Potential.FATE],
    )
