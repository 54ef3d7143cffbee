"""The game as a `System`, put together of its rooms."""

from __future__ import annotations

from retold.game import System
from retold.games.bruise import commands, events, state
from retold.games.bruise.facts import FACTS
from retold.games.bruise.options import NAME, OPTIONS

SYSTEM = System(
    name=NAME,
    title="Bruise",
    about="hands of playing cards against each other; the winner tells what came of it",
    commands=commands.COMMANDS,
    events=events.EVENTS,
    options=OPTIONS,
    decide=commands.DECIDE,
    anytime=commands.ANYTIME,
    evolve=state.EVOLVE,
    shelf=state.BruiseState,
    read_sheet=commands.read_sheet,
    sheet=commands.SHEET,
    person_keys=frozenset({"doula"}),
    setup_keys={"tied": "destiny|fate"},
    open=commands.open_conflict,
    close=commands.close,
    join=commands.join,
    leave=commands.leave,
    session=commands.begin_session,
    pending=commands.pending,
    questions=frozenset({"tie"}),
    answer=commands.break_tie,
    set_number=commands.set_number,
    counts=("legacy", "karma destiny", "karma fate"),
    ruled={"destiny": "karma-destiny", "fate": "karma-fate"},
    turn=commands.turn,
    count=commands.count,
    outlook=commands.outlook,
    suggest=commands.suggest,
    reminds=commands.reminders,
    pack=lambda table: tuple(state.new_pile(table).cards),
    facts=FACTS,
)
