"""Decisions about turn order in a homebrew conflict: initiative, turns, joining and leaving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from journal.capabilities import Blank, Choice, InOrder, Outlook, OwnRoll, Suggestion
from journal.decks.throws import parse_throw
from journal.names import possessive, quoted
from journal.refused import Refused, none_if_refused
from journal.shared.conflicts import end_without_sides
from journal.shared.dice import NOTHING, throw_result, with_sheet_numbers
from journal.system import Count, Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.rolling import Planned, planned_roll
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
from journal.systems.homebrew.options import game_names
from journal.systems.homebrew.rules import Game, Move, band_odds, needs_no_throw, stats_of
from journal.systems.homebrew.state import play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def join(_situation: Situation, joined: e.Joined) -> list[Event]:
    """Adds people; without initiative they go last."""
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Removes people, at no cost."""
    return [left, *end_without_sides(situation, left)]


def close(_situation: Situation, how: str) -> list[Event]:
    """Accepts any short word for the conflict's end; Refused above 40 characters."""
    if len(how) > 40:
        raise Refused(
            "How it ended is one word; what came of it stands after a colon: end conflict victory: text."
        )
    return []


def initiative(situation: Situation, command: Initiative) -> list[Event]:
    """Sets initiative numbers, rolled with the game's dice or given on the line."""
    here = situation.here
    if command.who is not None and command.number is not None:
        return [h.InitiativeRolled(conflict=here.id, who=_in(situation, command.who), number=command.number)]
    dice = shelf(situation.table).game.initiative
    if dice is None:
        raise Refused(
            f"{shelf(situation.table).game.title} rolls no dice for it: initiative NAME 17, or turn NAME."
        )
    return list(_rolled(situation, dice, command))


def _rolled(situation: Situation, dice: str, command: Initiative) -> Iterator[Event]:
    here, known = situation.here, play(situation.here).numbers
    people = (
        [person for person in here.people if person not in known and situation.table.secret(person) is None]
        if command.who is None
        else [_in(situation, command.who)]
    )
    if not people:
        raise Refused("Everybody has rolled for who goes first; to roll again: initiative NAME.")
    for person in people:
        result = throw_result(
            situation, person, with_sheet_numbers(situation, person, parse_throw(dice)), NOTHING, None
        )
        yield from result.events
        yield h.InitiativeRolled(conflict=here.id, who=person, number=result.reached.total)


def take_turn(situation: Situation, command: Turn) -> list[Event]:
    """Begins the turn of the next person, or of the person named."""
    here = play(situation.here)
    who = (
        next_in_order(situation.table, situation.here) if command.who is None else _in(situation, command.who)
    )
    if who is None:
        raise Refused(
            "Everybody here is out (end conflict); it may be anybody's turn all the same (turn NAME)."
        )
    if command.who is not None and command.again is None:
        _check_turn(situation, who)
    secret = situation.table.secret(who) is not None
    waiting = not here.acted.issuperset(_able(situation.table, situation.here))
    number = here.round_of(who, secret=secret, waiting=waiting)
    return [h.TurnBegan(conflict=situation.here.id, who=who, round=number, text=command.text)]


def _check_turn(situation: Situation, who: int) -> None:
    """Raises Refused for a second turn in a row if others can act, as it would begin another round."""
    here = play(situation.here)
    others = [
        person
        for person in _able(situation.table, situation.here)
        if person != who and situation.table.secret(person) is None
    ]
    if here.turn != who or not others:
        return
    following = next((person for person in others if person not in here.acted), others[0])
    name, other = situation.name(who), situation.name(following)
    raise Refused(
        f"It is {name}'s turn already, in round {here.round}. {other} is next: turn."
        f" Another turn for {name}, in round {here.round_of(who)}: turn {situation.quoted(who)} again."
    )


def next_in_order(table: Table, conflict: OpenConflict) -> int | None:
    """Person acting next; None once every contestant is out.

    The first in order without a turn this round goes next; if there is none, the first of the next round.
    """
    able = _able(table, conflict)
    return next((person for person in able if person not in play(conflict).acted), next(iter(able), None))


def _able(table: Table, conflict: OpenConflict) -> list[int]:
    """People not out, in turn order."""
    return [person for person in play(conflict).order(conflict.people) if not shelf(table).is_out(person)]


def turn(table: Table, conflict: OpenConflict) -> str:
    """Round and current turn, as text for a toolbar."""
    here = play(conflict)
    if here.turn is None:
        return "nobody has gone yet"
    return f"round {here.round} · {possessive(table.name(here.turn))} turn"


def order(table: Table, conflict: OpenConflict) -> tuple[InOrder, ...]:
    """Turn order of the conflict; empty before the first number or turn."""
    here, following = play(conflict), next_in_order(table, conflict)
    if not here.numbers and here.turn is None:
        return ()
    return tuple(
        InOrder(
            who,
            here.numbers.get(who),
            now=who == here.turn,
            next=who == following,
            acted=who in here.acted,
            out=shelf(table).is_out(who),
        )
        for who in here.order(conflict.people)
    )


def count(conflict: OpenConflict) -> Count | None:
    """Current round; None before the first."""
    return Count("round", play(conflict).round) if play(conflict).round else None


def _in(situation: Situation, who: int) -> int:
    """Returns `who`; Refused if they are not in this conflict."""
    if who not in situation.here.people:
        name = situation.name(who)
        raise Refused(f"{name} is not in this conflict: join {quoted(name)}.")
    return who


MOST_MOVES: Final = 8
"""Maximum number of moves offered; a line may make any."""
MOST_ROLLS: Final = 120
"""Maximum number of rolls offered outside turns; a game may have 60 moves with 60 stats."""


def outlook(situation: Situation) -> Outlook | None:
    """Choices in the current conflict; outside conflicts, only throws still to be answered."""
    if situation.conflict is None:
        sentences = tuple(awaited(situation))
        return Outlook(None, sentences, ()) if sentences else None
    here = situation.here
    stands = (
        f"{turn(situation.table, here)[:1].upper()}{turn(situation.table, here)[1:]}.",
        *awaited(situation),
    )
    return Outlook(here.id, stands, tuple(_next(situation)), beside=tuple(_moves(situation)))


def awaited(situation: Situation) -> Iterator[str]:
    """Yields one sentence per throw that awaits an answer."""
    for (who, thrower), total in situation.table.contests.items():
        yield f"{situation.name(who)} has yet to throw against the {total} of {situation.name(thrower)}."


def _next(situation: Situation) -> Iterator[Choice]:
    game = shelf(situation.table).game
    state = play(situation.here)
    if game.initiative is not None and len(state.numbers) < len(situation.here.people) and state.round == 0:
        yield Choice(GM, Initiative(), f"{game.initiative}, for who goes first")
    who = next_in_order(situation.table, situation.here)
    if who is not None:
        yield Choice(who, Turn(who=who), f"their turn, in round {state.round_of(who)}")
    yield Choice(GM, c.End(what="conflict"), "the conflict is over")


def _moves(situation: Situation) -> Iterator[Choice]:
    """Yields choices for the person in turn, with their best stats."""
    who = play(situation.here).turn
    if who is None:
        return
    plans = (
        (roll, none_if_refused(partial(planned_roll, situation, who, roll)))
        for roll in _rolls(situation, who)
    )
    offers = (Choice(who, roll, _comes_to(plan)) for roll, plan in plans if plan is not None)
    yield from islice(offers, MOST_MOVES)


def rolls(situation: Situation, who: int) -> Iterator[OwnRoll]:
    """Yields every move of the game with each possible stat and its dice."""
    game = shelf(situation.table).game
    commands = (
        (name, move, Roll(who=who, move=name, stat=stat))
        for name, move in game.moves.items()
        for stat in _stats(game, move)
    )
    for name, move, command in islice(commands, MOST_ROLLS):
        plan = none_if_refused(partial(planned_roll, situation, who, command))
        if plan is not None:
            yield OwnRoll(
                who,
                command,
                _comes_to(plan),
                move=name,
                about=move.about or "",
                stat=plan.made.stat,
                number=plan.made.number,
                against=move.use != "under",
                bonus=True,
                twice=none_if_refused(partial(planned_roll, situation, who, command.but({"twice": "adv"})))
                is not None,
            )


def _stats(game: Game, move: Move) -> Sequence[str | None]:
    """Stats a line may name; `(None,)` if there is no choice."""
    may = stats_of(game, move)
    return may if len(may) > 1 else (None,)


def _rolls(situation: Situation, who: int) -> Iterator[Roll]:
    """Yields each move with its best stat, against each foe if foes throw nothing."""
    here = situation.here
    foes = [person for person in here.people if here.side_of(person) != here.side_of(who)]
    able = [person for person in foes if not shelf(situation.table).is_out(person)]
    for name, move in shelf(situation.table).game.moves.items():
        for stat in _best(situation, who, move):
            yield from (
                Roll(who=who, move=name, stat=stat, against="vs", opponent=foe)
                for foe in (able if needs_no_throw(move) else ())
            )
            yield Roll(who=who, move=name, stat=stat)


def _best(situation: Situation, who: int, move: Move) -> list[str | None]:
    """The person's best stat for a move, if it leaves a choice."""
    may = _stats(shelf(situation.table).game, move)
    return [max(may, key=lambda stat: 0 if stat is None else shelf(situation.table).stat(who, stat) or 0)]


def _comes_to(plan: Planned) -> str:
    """Dice of a move, its upper limit, and the percentage of each result."""
    under = f" under {plan.against.target}" if plan.against.under else ""
    found = band_odds(plan.made.move, plan.these, plan.against)
    likely = [f"{name} {float(chance):.0%}" for name, chance in found.items() if chance]
    return f"{plan.these}{under}{': ' if likely else ''}{', '.join(likely)}"


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields suggestions for a blank: games, moves, stats, tracks, clocks."""
    del conflict
    game = shelf(table).game
    if blank.command is ChooseGame and blank.slot == "game":
        yield from map(Suggestion, game_names())
    elif blank.command is Roll and blank.slot == "move":
        yield from (Suggestion(name, move.about or move.dice) for name, move in game.moves.items())
    elif blank.command is Roll and blank.slot == "stat":
        yield from (Suggestion(name, stat.about or "") for name, stat in game.stats.items())
    elif blank.command is Keep and blank.slot == "track":
        yield from (Suggestion(name, track.about or "") for name, track in game.tracks.items())
    elif blank.command is SetCondition and blank.slot == "condition":
        yield from (Suggestion(name, condition.about or "") for name, condition in game.conditions.items())
    elif blank.command is TakeRest:
        yield from (Suggestion(name, rest.about or "") for name, rest in game.rests.items())
    elif blank.command is Clock and blank.slot == "name":
        yield from (
            Suggestion(str(clock.name), f"{clock.now}/{clock.segments}")
            for clock in shelf(table).clocks.values()
        )
    elif blank.command is c.Cast and blank.slot == "keys":
        yield from (Suggestion(name, stat.about or "") for name, stat in game.stats.items())
