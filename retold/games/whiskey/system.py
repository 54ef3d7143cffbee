"""The game as a `System`, put together of its rooms."""

from __future__ import annotations

from retold.game import System
from retold.games.whiskey import commands, events, state
from retold.games.whiskey.facts import FACTS
from retold.games.whiskey.options import NAME, OPTIONS

SYSTEM = System(
    name=NAME,
    title="Whiskey",
    about="fights in phases; everyone acts at once, and of two who clash only one lands a blow",
    commands=commands.COMMANDS,
    events=events.EVENTS,
    options=OPTIONS,
    decide=commands.DECIDE,
    anytime=commands.ANYTIME,
    evolve=state.EVOLVE,
    shelf=state.WhiskeyState,
    read_sheet=commands.read_sheet,
    sheet=commands.SHEET,
    number=lambda table, person, name: state.sheet_of(table, person).numbers.get(name),
    open=commands.open_conflict,
    close=commands.close,
    join=lambda _situation, joined: [joined],
    leave=commands.leave,
    setup_keys=commands.SETUP_KEYS,
    session=commands.begin_session,
    chosen=commands.check_incapacitation_again,
    pending=commands.pending,
    questions=frozenset({"engage", "loop", "triangle"}),
    answer=commands.answer,
    set_number=commands.set_number,
    counts=("hp",),
    ruled_people=frozenset({"engage"}),
    seals=commands.seals_intents,
    turn=commands.turn,
    count=commands.count,
    outlook=commands.outlook,
    suggest=commands.suggest,
    reminds=commands.reminders,
    facts=FACTS,
)
