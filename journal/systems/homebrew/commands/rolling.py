"""Moves of the game: dice, what a stat does to them, and the result that the game names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

from msgspec.structs import replace

from journal.decks.chance import MoreWanted, TooFew
from journal.decks.dice import MOST_DICE
from journal.decks.expressions import parse
from journal.decks.throws import Added, Against, Dice, Throw
from journal.names import CLOSE, matching, nearest, quoted
from journal.refused import Refused
from journal.shared import dice
from journal.shared.dice import numbered, result
from journal.system import Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.conditions import Swayed, is_known, spent, sway, turned
from journal.systems.homebrew.commands.hitting import damaged, hit_of
from journal.systems.homebrew.commands.keeping import changed
from journal.systems.homebrew.commands.verbs import Roll
from journal.systems.homebrew.options import NAME
from journal.systems.homebrew.rules import (
    Band,
    Came,
    Move,
    band_of,
    needs_no_throw,
    pairs_of,
    stats_of,
    two_dice,
)
from journal.systems.homebrew.state import shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, sheet_subject


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
    made, these, against, aim, swayed = planned(situation, command.who, command)
    hit = hit_of(situation, command, made.name, made.move, aim.target)
    why = two_dice(swayed.whose, swayed.twice)
    try:
        came = result(situation, command.who, these, against, command.text)
    except TooFew as few:
        raise (TooFew(f"{few.sentence} {why}") if why else few) from None
    shown = " ".join(situation.luck.results_used)
    reached = came.reached
    pairs = pairs_of(these, _thrown(came), came.faces)
    band = band_of(made.move, Came(reached.total, came.faces, reached.margin, reached.goal, pairs))
    return [
        *came.events,
        h.MoveMade(
            conflict=reached.conflict,
            who=command.who,
            move=made.name,
            stat=made.stat,
            number=made.number,
            result=None if band is None else band.name,
            target=aim.target,
            against=aim.stat,
            conditions=swayed.names or None,
        ),
        *_marks(situation, command.who, made.name, band),
        *spent(situation, command.who, made.name, swayed),
        *_with_why(damaged(situation, hit, band, shown), why),
    ]


def _with_why(events: Iterator[Event], why: str) -> Iterator[Event]:
    """The events; a refusal says before itself why there were two dice."""
    try:
        yield from events
    except TooFew:
        raise
    except MoreWanted as wanted:
        first, line = wanted.args
        raise (MoreWanted(f"{why} {first}", line) if why else wanted) from None
    except Refused as refusal:
        raise (Refused(f"{why} {refusal.sentence}") if why else refusal) from None


def _thrown(came: dice.Result) -> tuple[int, ...]:
    """Every face there was; none where nobody saw them."""
    return next((one.faces for one in came.events if isinstance(one, e.DiceRolled)), ())


class Aim(NamedTuple):
    """Whom a move is against where they need not throw, and the stat of theirs that it has to reach."""

    target: int | None = None
    stat: str | None = None


class Planned(NamedTuple):
    """A move as it is about to be thrown."""

    made: Made
    these: Throw
    against: Against
    aim: Aim
    swayed: Swayed


def planned(situation: Situation, who: int, command: Roll) -> Planned:
    """What a line would throw, and against what; Refused where there is no such move, or no such dice."""
    made = _made(situation, who, command.move or "", command.stat)
    swayed = sway(situation, who, command, made.name, made.move)
    against, aim = _aimed(situation, who, made, command, swayed)
    return Planned(made, _dice(situation, who, made, command, swayed), against, aim, swayed)


def _marks(situation: Situation, who: int, move: str, band: Band | None) -> Iterator[Event]:
    """What a result does to the tracks and conditions of whoever made the move, as far as they go."""
    for track, by in ({} if band is None else band.marks).items():
        if track in shelf(situation.table).game.conditions:
            yield from turned(situation, who, track, on=bool(by), move=move)
            continue
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


def _dice(situation: Situation, who: int, made: Made, command: Roll, swayed: Swayed) -> Throw:
    """The dice of a move, with what the stat, the line and conditions add to them."""
    move, bonus = made.move, command.bonus or 0
    these = numbered(situation, who, parse(move.dice, swayed.twice))
    number = made.number or 0
    if move.use == "dice":
        count = number + bonus + swayed.number
        if count < 1 and move.zero is not None:
            return numbered(situation, who, parse(move.zero))
        return _as_many(situation, who, made, these, count)
    if move.use == "under":
        return these
    added = (Added.of(number, made.stat or ""), Added.of(bonus), *starmap(Added.of, swayed.added))
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


def _aimed(situation: Situation, who: int, made: Made, command: Roll, swayed: Swayed) -> tuple[Against, Aim]:
    """What a move is thrown against: what the line says, a stat of somebody's, or under the stat."""
    if made.move.use == "under" and command.against is not None:
        raise Refused(f"{made.name} is thrown under {made.stat}: change it by a bonus, such as -20.")
    if made.move.use == "under":
        return Against((made.number or 0) + (command.bonus or 0) + swayed.number, under=True), Aim()
    said, target, move = command.against == "under", command.opponent, made.move
    _check_number(situation, made, command)
    if target is None or target == who or not needs_no_throw(move):
        return Against(command.target, said, target), Aim()
    if move.against is None:
        return Against(), Aim(target)
    number = _to_reach(situation, target, move.against) if command.target is None else command.target
    return Against(number, said), Aim(target, move.against)


def _check_number(situation: Situation, made: Made, command: Roll) -> None:
    """Refused for a number behind a name, where the move is against no stat of theirs."""
    if command.target is not None and command.opponent is not None and made.move.against is None:
        raise Refused(
            f"{made.name} is against no number of {situation.name(command.opponent)}:"
            f" after vs comes the name alone, or {command.target} alone."
        )


def _to_reach(situation: Situation, target: int, stat: str) -> int:
    """The number of somebody's that a roll has to reach, where the line does not say it.

    It is refused in the same words where no sheet says it and where one does that not all who see the roll
    may know: neither the number nor that there is one becomes known by a roll.
    """
    number = shelf(situation.table).sheets.get(target, {}).get(stat)
    if isinstance(number, int) and is_known(situation, sheet_subject(NAME, target)):
        return number
    name, said = situation.name(target), situation.quoted(target)
    raise Refused(
        f"No sheet that everybody here may know says the {stat} of {name}."
        f" Give the number after the name: vs {said} NUMBER."
        f" Or, where no sheet says it: cast {said} {quoted(stat)}=NUMBER."
        f" A sheet that only some know is opened by reveal {said} --sheet."
    )
