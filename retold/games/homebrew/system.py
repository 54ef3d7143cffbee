"""The game as a `System`, put together of its rooms."""

from __future__ import annotations

from retold.games.homebrew import commands, events, state
from retold.games.homebrew.facts import FACTS
from retold.games.homebrew.options import NAME, help_page_of, ready_games
from retold.games.homebrew.rules import Game
from retold.journal.system import Credit, System


def _credit(game: Game) -> Credit:
    return Credit(game.title, game.author or "", game.licence or "")


SYSTEM = System(
    name=NAME,
    title="Games in a file",
    about="any other game: dice, tracks and clocks, and the moves that its file has",
    ready=ready_games,
    commands=commands.COMMANDS,
    events=events.EVENTS,
    decide=commands.DECIDE,
    anytime=commands.ANYTIME,
    evolve=state.EVOLVE,
    shelf=state.GameState,
    read_sheet=commands.read_sheet,
    sheet=commands.SHEET,
    fits=commands.fits,
    number=lambda table, person, name: state.shelf(table).stat(person, name),
    knows=lambda table, person: state.shelf(table).knows(person),
    open=lambda _situation, opened: [opened],
    join=commands.join,
    leave=commands.leave,
    close=commands.close,
    turn=commands.turn,
    count=commands.count,
    order=commands.order,
    set_number=commands.set_number,
    page=help_page_of,
    titled=lambda table: state.shelf(table).game.title,
    named=lambda table: "" if (chosen := state.shelf(table)).definition is None else chosen.game.name,
    credited=lambda table: _credit(state.shelf(table).game),
    things=lambda table, _conflict: dict.fromkeys(state.shelf(table).game.rests, ()),
    shorthands=commands.shorthands,
    moves=lambda table: state.shelf(table).game.moves,
    harmed=commands.harmed,
    reminds=commands.reminders,
    doubts=commands.doubts,
    keeps=commands.Keep,
    plainly=state.without_conditions,
    outlook=commands.outlook,
    rolls=commands.rolls,
    suggest=commands.suggest,
    plays=lambda table: state.shelf(table).definition is not None,
    unnamed=True,
    hides_numbers=commands.hides_numbers,
    without_numbers=commands.without_numbers,
    facts=FACTS,
)
