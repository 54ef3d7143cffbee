"""Decisions about moves: dice, stats, damage and results."""

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
"""Sheet key of a person's damage."""


class Hit(NamedTuple):
    """Planned damage of a move: attacker, move, target, track, and the damage.

    `damage` are dice or a number; None if nobody has given any.
    """

    who: int
    move: str
    target: int
    track: str
    damage: Throw | int | None


def planned_hit(situation: Situation, command: Roll, name: str, move: Move, target: int | None) -> Hit | None:
    """Returns the planned damage of a line; None if the move hurts nobody.

    Raises Refused, before any dice are thrown, for damage without a target or track.
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
    """Damage given on the line, else on the attacker's sheet, else in the move."""
    known = shelf(situation.table).stat(who, DAMAGE)
    sheet = shelf(situation.table).sheets.get(who, {}).get(DAMAGE) if known is None else known
    given = command.damage or sheet or move.damage
    dice = given if given is None or isinstance(given, int) else checked_damage(given)
    if dice is None or isinstance(dice, int):
        return dice
    parsed = with_sheet_numbers(situation, who, dice)
    first, *others = parsed.terms
    return Throw((replace(first, label="damage"), *others)) if isinstance(first, Dice) else parsed


def checked_damage(typed: str) -> Throw | int:
    """Parses damage, as dice or a number.

    Raises Refused for anything else, and for too many dice to be doubled.
    """
    if typed.isdecimal() and int(typed) > LARGEST_NUMBER:
        raise Refused(f"{typed} is too much damage: {LARGEST_NUMBER} is the most.")
    if typed.isdecimal():
        return int(typed)
    parsed = parse_throw(typed)
    if 2 * sum(dice.count for dice in parsed.dice) > MOST_DICE:
        raise Refused(f"Damage has {MOST_DICE // 2} dice at the most, for a result may double them.")
    return parsed


def damage_events(situation: Situation, hit: Hit | None, band: Band | None, shown: str) -> Iterator[Event]:
    """Throws the damage if the result does any, and yields its events and the track's change.

    `shown` is the text after = for the earlier dice, for the line that a refusal proposes.
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
    """Yields the events of damage dice, and returns the amount."""
    if isinstance(does, int):
        return does
    if hit.damage is None or isinstance(hit.damage, int):
        return (hit.damage or 0) // (2 if does == "half" else 1)  # only dice are doubled
    parsed = _doubled(hit.damage) if does == "double" else hit.damage
    _check_enough(situation, parsed, band, shown)
    result = _damage_thrown(situation, hit.who, parsed, band.name)
    yield from result.events
    return max(0, result.reached.total) // (2 if does == "half" else 1)


def _damage_thrown(situation: Situation, who: int, parsed: Throw, brought_by: str) -> ThrowResult:
    """Throws damage dice; a refusal names the result that calls for them."""
    try:
        return throw_result(situation, who, parsed, NOTHING, None)
    except Refused as refusal:
        if not situation.luck.called:
            raise
        sentence = (
            f"The result is {brought_by}, so {parsed} of {situation.name(who)} comes next: {refusal.sentence}"
        )
        raise Refused(sentence) from None


def _doubled(parsed: Throw) -> Throw:
    """Doubles the dice, but not the numbers added."""
    return Throw(
        tuple(
            replace(term, count=2 * term.count) if isinstance(term, Dice) else term for term in parsed.terms
        )
    )


def _check_enough(situation: Situation, parsed: Throw, band: Band, shown: str) -> None:
    """Raises MoreWanted if the called results are too few for the damage dice."""
    luck = situation.luck
    wanted, given = sum(dice.count for dice in parsed.dice), luck.results_left
    if not luck.called or luck.total_called or len(given) >= wanted:
        return
    damage = str(parsed).replace("[damage]", "")
    its = "its die was" if wanted == 1 else f"its {wanted} dice were"
    few = f"{len(given)} of its {wanted} dice {'was' if len(given) == 1 else 'were'}"
    many = f"{few} given" if given else f"{its} not given"
    line = " ".join((shown, *given, *("DIE" for _ in range(wanted - len(given)))))
    why = f"{_called(band)}: its damage is {damage}, and {many}."
    raise MoreWanted(why, f"The results in order: = {line}.")


def _called(band: Band) -> str:
    return f"The result is {band.name}" if band.natural is None else f"A {band.natural} is {band.name}"


def _check_none_left(situation: Situation, band: Band | None, shown: str) -> None:
    """Raises Refused for called results left over when the result does no damage."""
    left = situation.luck.results_left
    if left and not situation.luck.others_follow:
        name = "The result is none yet" if band is None else _called(band)
        raise Refused(f"{name}, which does no damage: leave out {' '.join(left)} and say = {shown}.")


def _taken(situation: Situation, hit: Hit, amount: int) -> Iterator[Event]:
    """Yields the track's change by damage: boxes fill up, numbers go down.

    A hidden act leaves public tracks unchanged.
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
    """A person's move, with the stat that counts and its number."""

    name: str
    move: Move
    stat: str | None
    number: int | None


def roll(situation: Situation, command: Roll) -> list[Event]:
    """Makes a move of the game: docs/rules/homebrew.md §3."""
    if command.who is None or command.move is None:
        return dice.roll(situation, command)
    made, parsed, against, aim, swayed = planned_roll(situation, command.who, command)
    hit = planned_hit(situation, command, made.name, made.move, aim.target)
    why = two_dice(swayed.whose, swayed.twice)
    try:
        result = throw_result(situation, command.who, parsed, against, command.text)
    except TooFew as few:
        raise (TooFew(f"{few.sentence} {why}") if why else few) from None
    shown = " ".join(situation.luck.results_used)
    reached = result.reached
    pairs = pairs_of(parsed, _thrown(result), result.faces)
    band = band_of(made.move, DiceOutcome(reached.total, result.faces, reached.margin, reached.goal, pairs))
    return [
        *result.events,
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
    """Passes events through, putting `why` before a refusal's sentence."""
    try:
        yield from events
    except TooFew:
        raise
    except MoreWanted as wanted:
        first, line = wanted.args
        raise (MoreWanted(f"{why} {first}", line) if why else wanted) from None
    except Refused as refusal:
        raise (Refused(f"{why} {refusal.sentence}") if why else refusal) from None


def _thrown(result: dice.ThrowResult) -> tuple[int, ...]:
    """Faces of every die thrown; empty if only a total was called."""
    return next((event.faces for event in result.events if isinstance(event, e.DiceRolled)), ())


class Aim(NamedTuple):
    """Opponent of a move who throws nothing, and their stat to reach."""

    target: int | None = None
    stat: str | None = None


class Planned(NamedTuple):
    """A move ready to be thrown: its dice, goal, opponent and condition effects."""

    made: MoveByStat
    these: Throw
    against: Against
    aim: Aim
    swayed: ConditionEffects


def planned_roll(situation: Situation, who: int, command: Roll) -> Planned:
    """Works out dice and goal of a line; Refused for unknown moves and impossible dice."""
    made = _made(situation, who, command.move or "", command.stat)
    swayed = condition_effects(situation, who, command, made.name, made.move)
    against, aim = _aimed(situation, who, made, command, swayed)
    return Planned(made, _dice(situation, who, made, command, swayed), against, aim, swayed)


def _marks(situation: Situation, who: int, move: str, band: Band | None) -> Iterator[Event]:
    """Yields a result's effects on the roller's own tracks and conditions."""
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
    """Finds a move by its name, or by a stat it uses."""
    game = shelf(situation.table).game
    name = _meant(game.moves, typed)
    if name is None:
        by_stat = _meant(game.stats, typed)
        name = next((known for known, move in game.moves.items() if by_stat in stats_of(game, move)), None)
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
    """Stat that counts, by its typed name; Refused if the move has several and none is named."""
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
    """Returns the only name matching `typed`, else None."""
    found = matching(typed, {name: (name,) for name in known})
    return found[0] if len(found) == 1 else None


def _dice(situation: Situation, who: int, made: MoveByStat, command: Roll, swayed: ConditionEffects) -> Throw:
    """Dice of a move, with the stat's number, the bonus and condition effects added."""
    move, bonus = made.move, command.bonus or 0
    parsed = with_sheet_numbers(situation, who, parse_throw(move.dice, swayed.twice))
    number = made.number or 0
    if move.use == "dice":
        count = number + bonus + swayed.number
        if count < 1 and move.zero is not None:
            return with_sheet_numbers(situation, who, parse_throw(move.zero))
        return _as_many(situation, who, made, parsed, count)
    if move.use == "under":
        return parsed
    added = (Added.of(number, made.stat or ""), Added.of(bonus), *starmap(Added.of, swayed.added))
    return Throw((*parsed.terms, *(term for term in added if term.what)))


def _as_many(situation: Situation, who: int, made: MoveByStat, parsed: Throw, count: int) -> Throw:
    """Replaces the number of the first dice by `count`; Refused below 1 and above 100."""
    if not 1 <= count <= MOST_DICE:
        raise Refused(
            f"{situation.name(who)} has {count} dice of {made.stat} to roll: it takes 1 to {MOST_DICE}."
        )
    first, *others = parsed.terms
    assert isinstance(first, Dice)  # noqa: S101 -- a move's dice come first
    return Throw((replace(first, count=count), *others))


def _aimed(
    situation: Situation, who: int, made: MoveByStat, command: Roll, swayed: ConditionEffects
) -> tuple[Against, Aim]:
    """Goal and opponent of a move: given on the line, an opponent's stat, or the own stat to stay under."""
    if made.move.use == "under" and command.against is not None:
        raise Refused(f"{made.name} is thrown under {made.stat}: change it by a bonus, such as -20.")
    if made.move.use == "under":
        return Against((made.number or 0) + (command.bonus or 0) + swayed.number, under=True), Aim()
    under, target, move = command.against == "under", command.opponent, made.move
    _check_number(situation, made, command)
    if target is None or target == who or not needs_no_throw(move):
        return Against(command.target, under, target), Aim()
    if move.against is None:
        return Against(), Aim(target)
    number = _to_reach(situation, target, move.against) if command.target is None else command.target
    return Against(number, under), Aim(target, move.against)


def _check_number(situation: Situation, made: MoveByStat, command: Roll) -> None:
    """Raises Refused for a number after an opponent's name if the move reaches no stat."""
    if command.target is not None and command.opponent is not None and made.move.against is None:
        raise Refused(
            f"{made.name} is against no number of {situation.name(command.opponent)}:"
            f" after vs comes the name alone, or {command.target} alone."
        )


def _to_reach(situation: Situation, target: int, stat: str) -> int:
    """Opponent's number to reach, from their sheet.

    The refusal is the same for a missing number and for a secret one: a roll reveals neither the number nor
    that there is one.
    """
    number = shelf(situation.table).sheets.get(target, {}).get(stat)
    if isinstance(number, int) and is_known(situation, sheet_subject(NAME, target)):
        return number
    name, typed = situation.name(target), situation.quoted(target)
    raise Refused(
        f"No sheet that everybody here may know says the {stat} of {name}."
        f" Give the number after the name: vs {typed} NUMBER."
        f" Or, where no sheet says it: cast {typed} {quoted(stat)}=NUMBER."
        f" A sheet that only some know is opened by reveal {typed} --sheet."
    )
