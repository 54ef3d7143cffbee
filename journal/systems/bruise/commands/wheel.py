"""The Wheel of Potential, and how a deed tilts it."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.verbs import Tilt
from journal.systems.bruise.options import NAME
from journal.systems.bruise.rules import Potential, Wheel
from journal.systems.bruise.state import Sheet, sheet_of
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def tilt(situation: Situation, command: Tilt) -> list[Event]:
    """A deed moves somebody's Wheel; Karma never stands above its rating."""
    check_played(situation, command.who, "the Wheel of Potential")
    sheet = sheet_of(situation.table, command.who)
    wheel = sheet.wheel.tilted(Potential(command.potential), command.by)
    return [
        wheel_tilted(command.who, sheet, wheel),
        *([e.Noted(text=command.text, person=command.who)] if command.text is not None else []),
    ]


def check_played(situation: Situation, who: int, what: str) -> None:
    """Refuses `what` at a table where Bruise was never played."""
    if NAME not in situation.table.shelves:
        raise Refused(
            f"Bruise is not played here, and {what} belongs to it."
            f" Give somebody a sheet first: cast {situation.quoted(who)} bruise clubs=2."
        )


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
