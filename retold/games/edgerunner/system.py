"""The game as a `System`, put together of its rooms."""

from __future__ import annotations

from retold.game import System
from retold.games.edgerunner import commands, events, state
from retold.games.edgerunner.facts import FACTS
from retold.games.edgerunner.options import NAME, OPTIONS

SYSTEM = System(
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
    counts=("points", "fate points"),
    ruled={"stress": "{what}-stress"},
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
