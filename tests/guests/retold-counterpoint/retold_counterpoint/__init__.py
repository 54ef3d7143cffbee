"""Counterpoint: singers choose in secret whom they sing against, and verse by verse the better song wins."""

from journal.system import Count, Fact, System
from retold_counterpoint.commands import COMMANDS, DECIDE, answer, pending, seals
from retold_counterpoint.events import EVENTS, EVOLVE, NAME, Shelf, play, shelf

SYSTEM = System(
    name=NAME,
    title="Counterpoint",
    about="a contest of songs, chosen in secret",
    commands=COMMANDS,
    events=EVENTS,
    decide=DECIDE,
    evolve=EVOLVE,
    shelf=Shelf,
    turn=lambda _table, conflict: f"verse {play(conflict).verse}",
    count=lambda conflict: Count("verse", play(conflict).verse),
    pending=pending,
    answer=answer,
    seals=seals,
    facts={"applause": Fact(True, lambda table, _, who: (str(shelf(table).applause.get(who or 0, 0)),), "")},
)
