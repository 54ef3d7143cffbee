"""The game as a `System`, put together of its rooms."""

from __future__ import annotations

from retold.game import System
from retold.games.spacetime import commands, events, state
from retold.games.spacetime.facts import FACTS
from retold.games.spacetime.options import NAME, OPTIONS

SYSTEM = System(
    name=NAME,
    title="Space·Time",
    about="one shared deck tips the balance of a conflict; every side tells its own part",
    author="David Teller",
    licence="CC BY-SA 4.0",
    commands=commands.COMMANDS,
    events=events.EVENTS,
    options=OPTIONS,
    decide=commands.DECIDE,
    anytime=commands.ANYTIME,
    evolve=state.EVOLVE,
    shelf=state.SpacetimeState,
    read_sheet=commands.read_sheet,
    person_keys=frozenset({"obstacle"}),
    setup_keys={
        "balance": commands.BALANCES,
        "obstacle": "NAME",
        "mode": "|".join(state.Mode),
        "rank": "0..9",
        "reach": "1..5",
        "risk": "1..5",
    },
    open=commands.open_conflict,
    close=commands.close,
    join=commands.join,
    leave=commands.leave,
    session=commands.begin_session,
    pending=commands.pending,
    questions=frozenset({"complications", "excuse", "narration", "wipe-out"}),
    waiting=commands.waiting,
    answer=commands.answer,
    set_number=commands.set_number,
    counts=("tokens",),
    turn=commands.turn,
    count=commands.count,
    reminds=commands.reminders,
    outlook=commands.outlook,
    suggest=commands.suggest,
    pack=lambda table: tuple(state.new_pile(table).cards),
    facts=FACTS,
)
