"""Counterpoint: singers choose in secret whom they sing against, and verse by verse the better song wins."""

from retold.game import Count, Fact, System
from retold_counterpoint.commands import COMMANDS, DECIDE, EVOLVE_CHOICES, answer, outlook, pending
from retold_counterpoint.events import EVENTS, EVOLVE, NAME, Shelf, play, shelf

SYSTEM = System(
    name=NAME,
    title="Counterpoint",
    about="a contest of songs, chosen in secret",
    commands=COMMANDS,
    events=EVENTS,
    decide=DECIDE,
    evolve={**EVOLVE, **EVOLVE_CHOICES},
    shelf=Shelf,
    turn=lambda _table, conflict: f"verse {play(conflict).verse}",
    count=lambda conflict: Count("verse", play(conflict).verse),
    pending=pending,
    answer=answer,
    outlook=outlook,
    facts={"applause": Fact(True, lambda table, _, who: (str(shelf(table).applause.get(who or 0, 0)),), "")},
)
