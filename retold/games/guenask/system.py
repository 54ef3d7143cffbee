"""The game as a `System`, put together of its rooms."""

from __future__ import annotations

from retold.game import System
from retold.games.guenask import commands, events, state
from retold.games.guenask.facts import FACTS
from retold.games.guenask.options import NAME, OPTIONS
from retold.games.guenask.rules import Track

SYSTEM = System(
    name=NAME,
    title="The Emissaries of Guenašk",
    about="dice rolled once, put forward to raise and to see; fallout that stays",
    author="Getty Ritter",
    commands=commands.COMMANDS,
    events=events.EVENTS,
    options=OPTIONS,
    decide=commands.DECIDE,
    anytime=commands.ANYTIME,
    evolve=state.EVOLVE,
    shelf=state.GuenaskState,
    read_sheet=commands.read_sheet,
    sheet=commands.SHEET,
    setup_keys=commands.SETUP_KEYS,
    counts=(*Track, "stages", "fallout"),
    ruled_people=frozenset({"first"}),
    open=commands.open_conflict,
    close=commands.close,
    join=commands.join,
    leave=commands.leave,
    pending=commands.pending,
    questions=frozenset({"boxes", "condition", "death", "fallout", "first"}),
    answer=commands.answer,
    set_number=commands.set_number,
    knows=lambda table, person: state.game_state(table).bears(person),
    turn=commands.turn,
    outlook=commands.outlook,
    suggest=commands.suggest,
    reminds=commands.reminders,
    facts=FACTS,
)
