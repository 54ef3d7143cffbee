"""What may be said now: whose turn it is, who has yet to roll, and the moves they may make."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from journal.capabilities import Blank, Choice, Outlook, Suggestion
from journal.refused import tried
from journal.system import Situation
from journal.systems.homebrew.commands.fighting import next_up, turn
from journal.systems.homebrew.commands.rolling import Planned, planned
from journal.systems.homebrew.commands.verbs import (
    ChooseGame,
    Clock,
    Initiative,
    Keep,
    Roll,
    SetCondition,
    TakeRest,
    Turn,
)
from journal.systems.homebrew.options import known
from journal.systems.homebrew.rules import Move, chances, needs_no_throw, stats_of
from journal.systems.homebrew.state import play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM

MOST_MOVES: Final = 8
"""How many moves are offered; a line may make any."""


def outlook(situation: Situation) -> Outlook | None:
    """What may be said now in a conflict; outside one, only a throw that somebody has to answer."""
    if situation.conflict is None:
        told = tuple(awaited(situation))
        return Outlook(None, told, ()) if told else None
    here = situation.here
    stands = (
        f"{turn(situation.table, here)[:1].upper()}{turn(situation.table, here)[1:]}.",
        *awaited(situation),
    )
    return Outlook(here.id, stands, tuple(_next(situation)), beside=tuple(_moves(situation)))


def awaited(situation: Situation) -> Iterator[str]:
    """Who is to throw against somebody, as a sentence."""
    for (who, thrower), total in situation.table.contests.items():
        yield f"{situation.name(who)} has yet to throw against the {total} of {situation.name(thrower)}."


def _next(situation: Situation) -> Iterator[Choice]:
    game = shelf(situation.table).game
    state = play(situation.here)
    if game.initiative is not None and len(state.numbers) < len(situation.here.people) and state.round == 0:
        yield Choice(GM, Initiative(), f"{game.initiative}, for who goes first")
    who = next_up(situation.table, situation.here)
    if who is not None:
        yield Choice(who, Turn(who=who), f"their turn, in round {state.round_of(who)}")
    yield Choice(GM, c.End(what="conflict"), "the conflict is over")


def _moves(situation: Situation) -> Iterator[Choice]:
    """The moves of whoever's turn it is, with the stats they are best at first."""
    who = play(situation.here).turn
    if who is None:
        return
    plans = ((roll, tried(partial(planned, situation, who, roll))) for roll in _rolls(situation, who))
    offers = (Choice(who, roll, _comes_to(plan)) for roll, plan in plans if plan is not None)
    yield from islice(offers, MOST_MOVES)


def _rolls(situation: Situation, who: int) -> Iterator[Roll]:
    """Each move with the stat they are best at, against each foe of theirs where those throw nothing."""
    here = situation.here
    foes = [one for one in here.people if here.side_of(one) != here.side_of(who)]
    able = [one for one in foes if not shelf(situation.table).is_out(one)]
    for name, move in shelf(situation.table).game.moves.items():
        for stat in _best(situation, who, move):
            yield from (
                Roll(who=who, move=name, stat=stat, against="vs", opponent=one)
                for one in (able if needs_no_throw(move) else ())
            )
            yield Roll(who=who, move=name, stat=stat)


def _best(situation: Situation, who: int, move: Move) -> list[str | None]:
    """The stat to name in a line, where the move leaves a choice."""
    may = stats_of(shelf(situation.table).game, move)
    if len(may) < 2:
        return [None]
    return [max(may, key=lambda stat: shelf(situation.table).stat(who, stat) or 0)]


def _comes_to(plan: Planned) -> str:
    """The dice of a move, what they stay under, and how likely each result is, to a hundredth."""
    under = f" under {plan.against.target}" if plan.against.under else ""
    found = chances(plan.made.move, plan.these, plan.against)
    likely = [f"{name} {float(chance):.0%}" for name, chance in found.items() if chance]
    return f"{plan.these}{under}{': ' if likely else ''}{', '.join(likely)}"


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """What fills a blank: games, moves and stats, tracks and clocks."""
    del conflict
    game = shelf(table).game
    if blank.command is ChooseGame and blank.slot == "game":
        yield from map(Suggestion, known())
    elif blank.command is Roll and blank.slot == "move":
        yield from (Suggestion(name, move.about or move.dice) for name, move in game.moves.items())
    elif blank.command is Roll and blank.slot == "stat":
        yield from (Suggestion(name, stat.about or "") for name, stat in game.stats.items())
    elif blank.command is Keep and blank.slot == "track":
        yield from (Suggestion(name, track.about or "") for name, track in game.tracks.items())
    elif blank.command is SetCondition and blank.slot == "condition":
        yield from (Suggestion(name, one.about or "") for name, one in game.conditions.items())
    elif blank.command is TakeRest:
        yield from (Suggestion(name, one.about or "") for name, one in game.rests.items())
    elif blank.command is Clock and blank.slot == "name":
        yield from (
            Suggestion(str(one.name), f"{one.now}/{one.segments}") for one in shelf(table).clocks.values()
        )
    elif blank.command is c.Cast and blank.slot == "keys":
        yield from (Suggestion(name, stat.about or "") for name, stat in game.stats.items())
