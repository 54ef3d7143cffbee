"""How the report tells a table's own game."""

from __future__ import annotations

from typing import Final

from journal.systems.homebrew import events as h
from journal.systems.homebrew.state import shelf
from journal.vocabulary.base import GM
from projections.prose.telling import (
    Due,
    Game,
    Sentence,
    Sentences,
    Tag,
    Telling,
    numbers,
    words,
)


def _move_made(event: h.MoveMade, telling: Telling) -> Sentences:
    """What the game's file says of the result, else the result by its name."""
    who = telling.who(event.who)
    if event.result is None:
        return (telling.numbers(),)
    said = _said(event, telling)
    if said is not None:
        return (telling.numbers(), Sentence(Tag.GENERATED, said.replace("{who}", who)))
    told = telling.ours("homebrew.result", who=who, move=event.move, result=event.result)
    return (telling.numbers(), *told)


def _said(event: h.MoveMade, telling: Telling) -> str | None:
    move = shelf(telling.moment.table).game.moves.get(event.move)
    bands = () if move is None else move.bands
    return next((band.says for band in bands if band.name == event.result), None)


def _track_changed(event: h.TrackChanged, telling: Telling) -> Sentences:
    said = words(Tag.NARRATION, event.text, None)
    if not said and _went_out(event, telling):
        said = telling.ours("homebrew.out", who=telling.who(event.who))
    return (*said, telling.numbers())


def _went_out(event: h.TrackChanged, telling: Telling) -> bool:
    return event.was != event.now and shelf(telling.moment.table).is_out_by(event.who, event.track)


def _clock_started(event: h.ClockStarted, telling: Telling) -> Sentences:
    return (*words(Tag.NARRATION, event.text, None), telling.numbers())


def _clock_ticked(event: h.ClockTicked, telling: Telling) -> Sentences:
    said = words(Tag.NARRATION, event.text, None)
    if not said and event.now == event.segments:
        said = telling.ours("homebrew.clock-full", name=str(event.name))
    return (*said, telling.numbers())


def _clock_stopped(event: h.ClockStopped, telling: Telling) -> Sentences:
    return (*words(Tag.NARRATION, event.text, None), telling.numbers())


def _game_chosen(event: h.GameChosen, telling: Telling) -> Sentences:
    return (*words(Tag.NOTE, event.text, None), telling.numbers())


def _turn_began(event: h.TurnBegan, telling: Telling) -> Sentences:
    return (*words(Tag.DECLARATION, event.text, event.who), telling.numbers())


def _due(event: h.MoveMade, _telling: Telling) -> Due:
    """Whoever made the move tells it, or the game master, or the words with what it did."""
    return Due((event.who, GM), owed=False)


GAME: Final = Game(
    tellers={
        h.GameChosen: _game_chosen,
        h.MoveMade: _move_made,
        h.TrackChanged: _track_changed,
        h.ClockStarted: _clock_started,
        h.ClockTicked: _clock_ticked,
        h.ClockStopped: _clock_stopped,
        h.InitiativeRolled: numbers,
        h.TurnBegan: _turn_began,
    },
    due={h.MoveMade: _due},
    turn_ends=frozenset({h.TurnBegan}),
    orders=frozenset({h.InitiativeRolled, h.TurnBegan}),
    narrated=frozenset({h.TrackChanged, h.ClockTicked}),
)
"""A result is told in the words of the game's file, where nobody has told it."""
