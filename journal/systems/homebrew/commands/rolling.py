"""Moves of the game: dice, what a stat does to them, and the result that the game names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from journal.decks.dice import MOST_DICE
from journal.decks.expressions import parse
from journal.decks.throws import Added, Against, Dice, Throw
from journal.names import CLOSE, matching, nearest, quoted
from journal.refused import Refused
from journal.shared import dice
from journal.shared.dice import numbered, result
from journal.system import Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.keeping import changed
from journal.systems.homebrew.commands.verbs import Roll
from journal.systems.homebrew.rules import Band, Came, Move, band_of, stats_of
from journal.systems.homebrew.state import shelf
from journal.vocabulary.base import Event


class Made(NamedTuple):
    """A move of somebody's: its name, its dice, and the stat that counts with its number."""

    name: str
    move: Move
    stat: str | None
    number: int | None


def roll(situation: Situation, command: Roll) -> list[Event]:
    """A move of the game is made: docs/rules/homebrew.md §3."""
    if command.who is None or command.move is None:
        return dice.roll(situation, command)
    made, these, against = planned(situation, command.who, command)
    came = result(situation, command.who, these, against, command.text)
    reached = came.reached
    band = band_of(made.move, Came(reached.total, came.faces, reached.margin, reached.goal))
    return [
        *came.events,
        h.MoveMade(
            conflict=reached.conflict,
            who=command.who,
            move=made.name,
            stat=made.stat,
            number=made.number,
            result=None if band is None else band.name,
        ),
        *_marks(situation, command.who, made.name, band),
    ]


class Planned(NamedTuple):
    """A move as it is about to be thrown."""

    made: Made
    these: Throw
    against: Against


def planned(situation: Situation, who: int, command: Roll) -> Planned:
    """What a line would throw, and against what; Refused where there is no such move, or no such dice."""
    made = _made(situation, who, command.move or "", command.stat)
    return Planned(made, _dice(situation, who, made, command), _against(situation, made, command))


def _marks(situation: Situation, who: int, move: str, band: Band | None) -> Iterator[Event]:
    """What a result does to the tracks of whoever made the move, as far as they go."""
    for track, by in ({} if band is None else band.marks).items():
        kept = shelf(situation.table).kept(who, track)
        now, most = (0, None) if kept is None else (kept.now, kept.most)
        change = changed(situation, who, track, now + by, most=most, move=move)
        if change.now != change.was:
            yield change


def _made(situation: Situation, who: int, typed: str, stat: str | None) -> Made:
    """The move that is meant, by its name or by a stat that it may have."""
    game = shelf(situation.table).game
    name = _meant(game.moves, typed)
    if name is None:
        by_stat = _meant(game.stats, typed)
        name = next((one for one, move in game.moves.items() if by_stat in stats_of(game, move)), None)
        stat = by_stat if stat is None else stat
    if name is None:
        close = nearest(typed, (*game.moves, *game.stats), at_least=CLOSE)
        meant = f"Did you mean {' or '.join(close)}? " if close else ""
        moves = ", ".join(game.moves) or "none: roll dice, such as 2d6+1"
        raise Refused(f"{game.title} has no move {typed}. {meant}Its moves: {moves}.")
    counts = _stat(situation, who, game.moves[name], name, stat)
    number = None if counts is None else shelf(situation.table).stat(who, counts)
    return Made(name, game.moves[name], counts, number)


def _stat(situation: Situation, who: int, move: Move, name: str, typed: str | None) -> str | None:
    """The stat that counts; Refused where the line names none of those it may be."""
    may = stats_of(shelf(situation.table).game, move)
    if typed is None and len(may) < 2:
        return next(iter(may), None)
    found = None if typed is None else _meant(may, typed)
    if found is None:
        line = f"roll {situation.quoted(who)} {quoted(name)} STAT"
        wrong = "Say which stat" if typed is None else f"{name} does not go with {typed}"
        raise Refused(f"{wrong}: {', '.join(may) or 'it has none'} ({line}).")
    return found


def _meant(known: Iterable[str], typed: str) -> str | None:
    """The one of these that was typed, whole or shortened; else None."""
    found = matching(typed, {name: (name,) for name in known})
    return found[0] if len(found) == 1 else None


def _dice(situation: Situation, who: int, made: Made, command: Roll) -> Throw:
    """The dice of a move, with what the stat and the line add to them."""
    move, bonus = made.move, command.bonus or 0
    these = numbered(situation, who, parse(move.dice, command.twice))
    number = made.number or 0
    if move.use == "dice":
        return _as_many(situation, who, made, these, number + bonus)
    if move.use == "under":
        return these
    added = (Added.of(number, made.stat or ""), Added.of(bonus))
    return Throw((*these.terms, *(one for one in added if one.what)))


def _as_many(situation: Situation, who: int, made: Made, these: Throw, count: int) -> Throw:
    """The first dice of a throw, as many as a stat says."""
    if not 1 <= count <= MOST_DICE:
        raise Refused(
            f"{situation.name(who)} has {count} dice of {made.stat} to roll: it takes 1 to {MOST_DICE}."
        )
    first, *others = these.terms
    assert isinstance(first, Dice)  # noqa: S101 -- a move's dice come first
    return Throw((replace(first, count=count), *others))


def _against(situation: Situation, made: Made, command: Roll) -> Against:
    """What a move is thrown against: what the line says, or under the stat."""
    if made.move.use != "under":
        return Against(command.target, command.against == "under", command.opponent)
    if command.against is not None:
        raise Refused(f"{made.name} is thrown under {made.stat}: change it by a bonus, such as -20.")
    return Against((made.number or 0) + (command.bonus or 0), under=True)
