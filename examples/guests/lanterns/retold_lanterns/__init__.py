"""Lanterns, as a guest of Retold: two dice, a stat, and a light that may go out."""

from retold.game import Fact, System
from retold_lanterns.commands import COMMANDS, DECIDE, SHEET, read_sheet
from retold_lanterns.events import EVENTS, EVOLVE, NAME, Shelf, shelf

SYSTEM = System(
    name=NAME,
    title="Lanterns",
    about="two dice and a stat, and a light that may go out",
    commands=COMMANDS,
    events=EVENTS,
    decide=DECIDE,
    anytime=DECIDE,
    evolve=EVOLVE,
    shelf=Shelf,
    read_sheet=read_sheet,
    sheet=SHEET,
    turn=lambda _table, _conflict: "who dares?",
    facts={"harm": Fact(True, lambda table, _, who: (str(shelf(table).harm.get(who or 0, 0)),), "harm")},
)
