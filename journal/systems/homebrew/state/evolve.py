"""What each event changes, on the shelf and in a conflict."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.homebrew import events as h
from journal.systems.homebrew.options import NAME
from journal.systems.homebrew.state.found import own, play
from journal.systems.homebrew.state.sheets import Clock, Kept
from journal.systems.homebrew.state.turns import Play
from journal.table import Handler, Table, nothing
from journal.visibility import is_secret_number
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _game_chosen(table: Table, event: h.GameChosen) -> None:
    own(table).definition = event.definition


def _move_made(table: Table, event: h.MoveMade) -> None:
    results = own(table).results
    results.pop(event.who, None)
    if event.result is not None:
        results[event.who] = event.result


def _track_changed(table: Table, event: h.TrackChanged) -> None:
    """A most that is the game's own is kept nowhere, so that it goes on following its stat."""
    shelf = own(table)
    known = shelf.game.tracks.get(event.track)
    of_game = None if known is None else shelf.most(event.who, known)
    most = None if event.most == of_game else event.most
    shelf.tracks.setdefault(event.who, {})[event.track] = Kept(event.now, most)


def _condition_changed(table: Table, event: h.ConditionChanged) -> None:
    """Nobody without a condition stands among those who have any; one that is over is kept from nobody."""
    conditions = own(table).conditions
    left = [one for one in conditions.pop(event.who, []) if one != event.condition]
    if event.on or left:
        conditions[event.who] = [*left, *([event.condition] if event.on else [])]
    if not event.on:  # what is over is no secret any more: the next time is told as that line says
        table.secrets.pop(event.subjects()[0], None)


def _clock_started(table: Table, event: h.ClockStarted) -> None:
    shelf = own(table)
    if is_secret_number(event.clock):
        shelf.secret_clocks.append(event.clock)
    else:
        shelf.clocks_ever = event.clock
    shelf.clocks[event.clock] = Clock(event.name, event.now, event.segments)


def _clock_ticked(table: Table, event: h.ClockTicked) -> None:
    own(table).clocks[event.clock].now = event.now


def _clock_stopped(table: Table, event: h.ClockStopped) -> None:
    del own(table).clocks[event.clock]


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    own(table)
    table.conflicts[event.conflict].state = Play()


def _initiative_rolled(table: Table, event: h.InitiativeRolled) -> None:
    play(table.conflicts[event.conflict]).numbers[event.who] = event.number


def _turn_began(table: Table, event: h.TurnBegan) -> None:
    here = play(table.conflicts[event.conflict])
    here.begin(event.who, event.round, secret=table.secret(event.who) is not None)


def _left(table: Table, event: e.Left) -> None:
    here = play(table.conflicts[event.conflict])
    for person in event.people:
        here.numbers.pop(person, None)
        here.acted.discard(person)
        here.known_acted.discard(person)
        here.turn = None if here.turn == person else here.turn


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = own(table).sheets.setdefault(event.person, {})
    for key, value in event.values.items():
        if value is None:
            sheet.pop(key, None)
        else:
            sheet[key] = value


EVOLVE: Mapping[type[Event], Handler] = {
    h.GameChosen: _game_chosen,
    h.MoveMade: _move_made,
    h.TrackChanged: _track_changed,
    h.ConditionChanged: _condition_changed,
    h.Rested: nothing,
    h.ClockStarted: _clock_started,
    h.ClockTicked: _clock_ticked,
    h.ClockStopped: _clock_stopped,
    h.InitiativeRolled: _initiative_rolled,
    h.TurnBegan: _turn_began,
    e.ConflictOpened: _conflict_opened,
    e.Left: _left,
    e.SheetChanged: _sheet_changed,
}
