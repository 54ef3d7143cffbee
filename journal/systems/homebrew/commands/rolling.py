"""Moves of the game: dice, what a stat does to them, and the result that the game names."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import starmap
from typing import Final, NamedTuple

from msgspec.structs import replace

from journal.decks.chance import MoreWanted, TooFew
from journal.decks.dice import MOST_DICE
from journal.decks.throws import LARGEST_NUMBER, Added, Against, Dice, Throw, parse_throw
from journal.names import CLOSE, matching, nearest, normalise, quoted
from journal.refused import Refused
from journal.shared import dice
from journal.shared.dice import NOTHING, ThrowResult, throw_result, with_sheet_numbers
from journal.system import Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.conditions import (
    ConditionEffects,
    condition_changes,
    condition_effects,
    ended_by_roll,
    is_known,
    may_change,
)
from journal.systems.homebrew.commands.tracks import track_changes
from journal.systems.homebrew.commands.verbs import Roll
from journal.systems.homebrew.events import kept_subjects
from journal.systems.homebrew.options import NAME
from journal.systems.homebrew.rules import (
    Band,
    DiceOutcome,
    Kind,
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

DAMAGE: Final = "damage"
"""What a sheet says the damage under that somebody does."""


class Hit(NamedTuple):
    """What a move would do to somebody: who does it, to whom, to which track, and its damage.

    `damage` are dice or a number; None where nobody has said any.
    """

    who: int
    move: str
    target: int
    track: str
    damage: Throw | int | None


def planned_hit(situation: Situation, command: Roll, name: str, move: Move, target: int | None) -> Hit | None:
    """What a line would do to whoever it is against; None where the move hurts nobody there.

    Refused for damage that goes nowhere, before any dice are thrown.
    """
    who = command.who or 0
    if command.damage is not None and move.hurts is None:
        title = shelf(situation.table).game.title
        raise Refused(f"{name} does no damage in {title}: change the track in a line of its own.")
    if command.damage is not None and target is None:
        number = "" if command.target is None else f", and then the number: vs NAME {command.target}"
        raise Refused(f"Say who takes the damage: after vs comes their name{number}.")
    if move.hurts is None or target is None:
        return None
    if shelf(situation.table).kept(target, move.hurts) is None:
        line = f"track {situation.quoted(target)} {quoted(move.hurts)} 9/12"
        raise Refused(f"Nobody has said how much {move.hurts} {situation.name(target)} has: {line}.")
    return Hit(who, name, target, move.hurts, _damage(situation, who, command, move))


def _damage(situation: Situation, who: int, command: Roll, move: Move) -> Throw | int | None:
    """The damage that the line says, else the sheet, else the move."""
    known = shelf(situation.table).stat(who, DAMAGE)
    sheet = shelf(situation.table).sheets.get(who, {}).get(DAMAGE) if known is None else known
    said = command.damage or sheet or move.damage
    dice = said if said is None or isinstance(said, int) else checked_damage(said)
    if dice is None or isinstance(dice, int):
        return dice
    these = with_sheet_numbers(situation, who, dice)
    first, *others = these.terms
    return Throw((replace(first, label="damage"), *others)) if isinstance(first, Dice) else these


def checked_damage(said: str) -> Throw | int:
    """A damage as it is written, in dice or as a number.

    Refused for what is neither, and for so many dice that twice as many are too many.
    """
    if said.isdecimal() and int(said) > LARGEST_NUMBER:
        raise Refused(f"{said} is too much damage: {LARGEST_NUMBER} is the most.")
    if said.isdecimal():
        return int(said)
    these = parse_throw(said)
    if 2 * sum(one.count for one in these.dice) > MOST_DICE:
        raise Refused(f"Damage has {MOST_DICE // 2} dice at the most, for a result may double them.")
    return these


def damage_events(situation: Situation, hit: Hit | None, band: Band | None, shown: str) -> Iterator[Event]:
    """The dice of the damage, if the result does any, and what it takes off the track.

    `shown` is what stood after = for the dice before, for the line that a refusal proposes.
    """
    if hit is None:
        return
    does = None if band is None else band.damage
    if band is None or does is None or (hit.damage is None and not isinstance(does, int)):
        _check_none_left(situation, band, shown)
        return
    yield from _taken(situation, hit, (yield from _amount(situation, hit, band, does, shown)))


def _amount(
    situation: Situation, hit: Hit, band: Band, does: str | int, shown: str
) -> Generator[Event, None, int]:
    """The dice of a damage where it has any; returns how much it is."""
    if isinstance(does, int):
        return does
    if hit.damage is None or isinstance(hit.damage, int):
        return (hit.damage or 0) // (2 if does == "half" else 1)  # only dice are doubled
    these = _doubled(hit.damage) if does == "double" else hit.damage
    _check_enough(situation, these, band, shown)
    came = _damage_thrown(situation, hit.who, these, band.name)
    yield from came.events
    return max(0, came.reached.total) // (2 if does == "half" else 1)


def _damage_thrown(situation: Situation, who: int, these: Throw, result_: str) -> ThrowResult:
    """What the damage comes to; Refused with the result that brings it, which may be news to the table."""
    try:
        return throw_result(situation, who, these, NOTHING, None)
    except Refused as refusal:
        if not situation.luck.called:
            raise
        told = f"The result is {result_}, so {these} of {situation.name(who)} comes next: {refusal.sentence}"
        raise Refused(told) from None


def _doubled(these: Throw) -> Throw:
    """Twice the dice; what is added is added once."""
    return Throw(
        tuple(replace(one, count=2 * one.count) if isinstance(one, Dice) else one for one in these.terms)
    )


def _check_enough(situation: Situation, these: Throw, band: Band, shown: str) -> None:
    """Refused where the line has results, and too few for the damage."""
    luck = situation.luck
    wanted, given = sum(one.count for one in these.dice), luck.results_left
    if not luck.called or luck.total_called or len(given) >= wanted:
        return
    said = str(these).replace("[damage]", "")
    its = "its die was" if wanted == 1 else f"its {wanted} dice were"
    few = f"{len(given)} of its {wanted} dice {'was' if len(given) == 1 else 'were'}"
    many = f"{few} given" if given else f"{its} not given"
    line = " ".join((shown, *given, *("DIE" for _ in range(wanted - len(given)))))
    why = f"{_called(band)}: its damage is {said}, and {many}."
    raise MoreWanted(why, f"The results in order: = {line}.")


def _called(band: Band) -> str:
    return f"The result is {band.name}" if band.natural is None else f"A {band.natural} is {band.name}"


def _check_none_left(situation: Situation, band: Band | None, shown: str) -> None:
    """Refused where the line has results for damage that is not done."""
    left = situation.luck.results_left
    if left and not situation.luck.others_follow:
        name = "The result is none yet" if band is None else _called(band)
        raise Refused(f"{name}, which does no damage: leave out {' '.join(left)} and say = {shown}.")


def _taken(situation: Situation, hit: Hit, amount: int) -> Iterator[Event]:
    """The track after the damage: what fills is filled, anything else goes down.

    In secret nothing is taken off a track that everybody knows.
    """
    here = shelf(situation.table)
    kept = here.kept(hit.target, hit.track)
    track = here.game.tracks[hit.track]
    if kept is None or not may_change(situation, *kept_subjects(hit.target, hit.track)):
        return
    now = kept.now - amount if track.kind is Kind.NUMBER else kept.now + amount
    change = track_changes(situation, hit.target, hit.track, now, most=kept.most, move=hit.move)
    if change.now != change.was:
        yield change.but({"by": hit.who})


class MoveByStat(NamedTuple):
    """A move of somebody's: its name, its dice, and the stat that counts with its number."""

    name: str
    move: Move
    stat: str | None
    number: int | None


def roll(situation: Situation, command: Roll) -> list[Event]:
    """A move of the game is made: docs/rules/homebrew.md §3."""
    if command.who is None or command.move is None:
        return dice.roll(situation, command)
    made, these, against, aim, swayed = planned_roll(situation, command.who, command)
    hit = planned_hit(situation, command, made.name, made.move, aim.target)
    why = two_dice(swayed.whose, swayed.twice)
    try:
        came = throw_result(situation, command.who, these, against, command.text)
    except TooFew as few:
        raise (TooFew(f"{few.sentence} {why}") if why else few) from None
    shown = " ".join(situation.luck.results_used)
    reached = came.reached
    pairs = pairs_of(these, _thrown(came), came.faces)
    band = band_of(made.move, DiceOutcome(reached.total, came.faces, reached.margin, reached.goal, pairs))
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
        *ended_by_roll(situation, command.who, made.name, swayed),
        *_with_why(damage_events(situation, hit, band, shown), why),
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


def _thrown(came: dice.ThrowResult) -> tuple[int, ...]:
    """Every face there was; none where nobody saw them."""
    return next((one.faces for one in came.events if isinstance(one, e.DiceRolled)), ())


class Aim(NamedTuple):
    """Whom a move is against where they need not throw, and the stat of theirs that it has to reach."""

    target: int | None = None
    stat: str | None = None


class Planned(NamedTuple):
    """A move as it is about to be thrown."""

    made: MoveByStat
    these: Throw
    against: Against
    aim: Aim
    swayed: ConditionEffects


def planned_roll(situation: Situation, who: int, command: Roll) -> Planned:
    """What a line would throw, and against what; Refused where there is no such move, or no such dice."""
    made = _made(situation, who, command.move or "", command.stat)
    swayed = condition_effects(situation, who, command, made.name, made.move)
    against, aim = _aimed(situation, who, made, command, swayed)
    return Planned(made, _dice(situation, who, made, command, swayed), against, aim, swayed)


def _marks(situation: Situation, who: int, move: str, band: Band | None) -> Iterator[Event]:
    """What a result does to the tracks and conditions of whoever made the move, as far as they go."""
    for track, by in ({} if band is None else band.marks).items():
        if track in shelf(situation.table).game.conditions:
            yield from condition_changes(situation, who, track, on=bool(by), move=move)
            continue
        kept = shelf(situation.table).kept(who, track)
        now, most = (0, None) if kept is None else (kept.now, kept.most)
        change = track_changes(situation, who, track, now + by, most=most, move=move)
        if change.now != change.was:
            yield change


def _made(situation: Situation, who: int, typed: str, stat: str | None) -> MoveByStat:
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
    return MoveByStat(name, game.moves[name], counts, number)


def _stat(situation: Situation, who: int, move: Move, name: str, typed: str | None) -> str | None:
    """The stat that counts; Refused where the line names none of those it may be."""
    may = stats_of(shelf(situation.table).game, move)
    if typed is None and len(may) < 2:
        return next(iter(may), None)
    found = None if typed is None else _meant(may, typed)
    if found is None:
        line = f"roll {situation.quoted(who)} {quoted(name)}{' STAT' if may[1:] else ''}"
        if typed is not None and normalise(typed) in normalise(name).split():
            raise Refused(f"A move of several words needs quotes: {line}")
        wrong = "Say which stat" if typed is None else f"{name} is not rolled with {typed}"
        raise Refused(f"{wrong}: {', '.join(may) or 'it has none'} ({line}).")
    return found


def _meant(known: Iterable[str], typed: str) -> str | None:
    """The one of these that was typed, whole or shortened; else None."""
    found = matching(typed, {name: (name,) for name in known})
    return found[0] if len(found) == 1 else None


def _dice(situation: Situation, who: int, made: MoveByStat, command: Roll, swayed: ConditionEffects) -> Throw:
    """The dice of a move, with what the stat, the line and conditions add to them."""
    move, bonus = made.move, command.bonus or 0
    these = with_sheet_numbers(situation, who, parse_throw(move.dice, swayed.twice))
    number = made.number or 0
    if move.use == "dice":
        count = number + bonus + swayed.number
        if count < 1 and move.zero is not None:
            return with_sheet_numbers(situation, who, parse_throw(move.zero))
        return _as_many(situation, who, made, these, count)
    if move.use == "under":
        return these
    added = (Added.of(number, made.stat or ""), Added.of(bonus), *starmap(Added.of, swayed.added))
    return Throw((*these.terms, *(one for one in added if one.what)))


def _as_many(situation: Situation, who: int, made: MoveByStat, these: Throw, count: int) -> Throw:
    """The first dice of a throw, as many as a stat says."""
    if not 1 <= count <= MOST_DICE:
        raise Refused(
            f"{situation.name(who)} has {count} dice of {made.stat} to roll: it takes 1 to {MOST_DICE}."
        )
    first, *others = these.terms
    assert isinstance(first, Dice)  # noqa: S101 -- a move's dice come first
    return Throw((replace(first, count=count), *others))


def _aimed(
    situation: Situation, who: int, made: MoveByStat, command: Roll, swayed: ConditionEffects
) -> tuple[Against, Aim]:
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


def _check_number(situation: Situation, made: MoveByStat, command: Roll) -> None:
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
