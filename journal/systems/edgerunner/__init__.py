"""Edgerunner: conflicts on a map of zones, in rounds called exchanges, with fudge dice and fate points.

In an exchange each character makes one act; its total, the shifts, becomes movement, stress, or aspects.
"""

from __future__ import annotations

from journal.system import System
from journal.systems.edgerunner import commands, events, state
from journal.systems.edgerunner.facts import FACTS
from journal.systems.edgerunner.options import NAME, OPTIONS

EDGERUNNER = System(
    name=NAME,
    title="Edgerunner",
    about="zones and exchanges, fate dice, stress, aspects, and fate points that change hands",
    author="Mert Torun",
    licence="Diaspora SRD: OGL 1.0a",
    commands=commands.COMMANDS,
    events=events.EVENTS,
    options=OPTIONS,
    decide=commands.DECIDE,
    anytime=commands.ANYTIME,
    evolve=state.EVOLVE,
    shelf=state.EdgerunnerState,
    read_sheet=commands.read_sheet,
    sheet=commands.SHEET,
    number=lambda table, person, name: state.game_state(table).sheet(person).skills.get(name),
    mistaken=commands.MISTAKEN,
    person_keys=frozenset({"of"}),
    setup_keys=commands.SETUP,
    open=commands.open_conflict,
    close=commands.close,
    join=commands.join,
    leave=commands.leave,
    session=commands.begin_session,
    pending=commands.pending,
    questions=frozenset({"bid", "border", "compel", "spin", "strain", "tale", "threshold"}),
    waiting=commands.waiting,
    answer=commands.answer,
    set_number=commands.set_number,
    counts=("points",),
    things=commands.things_in_conflict,
    knows=commands.has_sheet,
    turn=commands.turn,
    count=commands.count,
    reminds=commands.reminders,
    doubts=commands.doubts,
    outlook=commands.outlook,
    rolls=commands.skill_rolls,
    suggest=commands.suggest,
    facts=FACTS,
)
"""Edgerunner's entry in the list of systems."""
