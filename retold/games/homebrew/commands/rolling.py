"""Decisions about moves, the named rolls of a homebrew game: dice, stats, damage and results.

A band is one possible result of a move, such as `a hit` for 10 or more.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import starmap
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.games.homebrew import events as h
from retold.games.homebrew.commands.conditions import (
    ConditionEffects,
    condition_changes,
    condition_effects,
    ended_by_roll,
    is_known,
    may_change,
)
from retold.games.homebrew.commands.tracks import temporary_first, track_changes
from retold.games.homebrew.commands.verbs import Initiative, Roll
from retold.games.homebrew.events import kept_subjects
from retold.games.homebrew.options import NAME
from retold.games.homebrew.rules import (
    Band,
    DiceOutcome,
    Game,
    Kind,
    Move,
    band_of,
    needs_no_throw,
    pairs_of,
    stats_of,
    two_dice,
)
from retold.games.homebrew.state import play, shelf
from retold.journal.decks.chance import MoreWanted, TooFew
from retold.journal.decks.dice import MOST_DICE
from retold.journal.decks.expressions import LARGEST_NUMBER, parse_throw
from retold.journal.decks.throws import Added, Against, Dice, Throw
from retold.journal.names import CLOSE, matching, nearest, normalise, quoted
from retold.journal.possessives import possessive
from retold.journal.refused import NotKnown, NotSaid, Refused
from retold.journal.shared import dice
from retold.journal.shared.dice import NOTHING, ThrowResult, throw_result, with_sheet_numbers
from retold.journal.system import HIGHEST_MODIFIER, SKILLS, Situation, modifier_of
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, sheet_subject
from retold.journal.vocabulary.commands import Cast

LOWEST_SCORE: Final = 1
DAMAGE: Final = "damage"
"""Sheet key of a person's damage."""


class Hit(NamedTuple):
    """Damage that a move will do if its result says so: attacker, move, target, the target's track, amount.

    `damage` is dice or a number; None if neither line, sheet nor move gives any.
    """

    who: int
    move: str
    target: int
    track: str
    damage: Throw | int | None


def planned_hit(situation: Situation, command: Roll, name: str, move: Move, target: int | None) -> Hit | None:
    """Returns the damage planned for `target`, before any dice are thrown.

    None if the move does no damage, without a target, and if neither the target has the track nor anything
    says how much damage there is. Raises Refused for damage on the line without a target, or in a move that
    does none, and for damage to a target that lacks the track.
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
    damage = _damage(situation, who, command, move)
    if shelf(situation.table).kept(target, move.hurts) is None:
        if damage is None and not any(isinstance(band.damage, int) for band in move.bands):
            return None
        line = f"track {situation.quoted(target)} {quoted(move.hurts)} 9/12"
        raise Refused(f"{possessive(situation.name(target))} {move.hurts} has no value yet: {line}.")
    return Hit(who, name, target, move.hurts, damage)


def _damage(situation: Situation, who: int, command: Roll, move: Move) -> Throw | int | None:
    """Returns damage dice or number: from the line, else the attacker's sheet, else the move; or None."""
    known = shelf(situation.table).stat(who, DAMAGE)
    sheet = shelf(situation.table).sheets.get(who, {}).get(DAMAGE) if known is None else known
    added = command.damage if sheet and str(command.damage).startswith("+") else ""
    given = f"{sheet}{added}" if added else command.damage or sheet or move.damage
    dice = given if given is None or isinstance(given, int) else checked_damage(given)
    if dice is None or isinstance(dice, int):
        return dice
    parsed = with_sheet_numbers(situation, who, dice)
    first, *others = parsed.terms
    return Throw((replace(first, label="damage"), *others)) if isinstance(first, Dice) else parsed


def checked_damage(typed: str) -> Throw | int:
    """Returns typed damage as dice or a number.

    Raises Refused for other text, and for more than half the allowed dice, as a result may double them.
    """
    if typed.isdecimal() and int(typed) > LARGEST_NUMBER:
        raise Refused(f"{typed} is too much damage: {LARGEST_NUMBER} is the most.")
    if typed.isdecimal():
        return int(typed)
    parsed = parse_throw(typed)
    if parsed.calculates:
        raise Refused(f"Damage is added, and {typed} multiplies, divides or has brackets: damage 2d6+3.")
    if 2 * sum(dice.count for dice in parsed.dice) > MOST_DICE:
        raise Refused(f"Damage has {MOST_DICE // 2} dice at the most, for a result may double them.")
    return parsed


def damage_events(
    situation: Situation, hit: Hit | None, band: Band | None, shown: str, *, alone: bool
) -> Iterator[Event]:
    """Throws the damage dice if the result (`band`) does damage; yields their events and the track's change.

    `shown` is the results typed for the move's own dice, to be repeated in a line that a refusal proposes;
    `alone` says that these are all results used so far, so that those left are of no other person. If the
    result does no damage, damage dice that were thrown with it are recorded without a total, and other
    results left over raise Refused.
    """
    if hit is None:
        return
    does = None if band is None else band.damage
    if band is None or does is None or (hit.damage is None and not isinstance(does, int)):
        if band is not None and alone:
            yield from _thrown_together(situation, hit)
        _check_none_left(situation, hit, band, shown)
        return
    yield from _taken(situation, hit, (yield from _amount(situation, hit, band, does, shown)))


def _amount(
    situation: Situation, hit: Hit, band: Band, does: str | int, shown: str
) -> Generator[Event, None, int]:
    """Yields the events of the damage dice, if any, and returns the amount of damage.

    `does` is a fixed number, or `full`, `double` or `half` of the planned damage.
    """
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
    """Throws the damage dice; a refusal begins with the result `brought_by` that calls for them."""
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
    """Returns the throw with twice the dice and the same added numbers: `1d6+2` → `2d6+2`."""
    return Throw(
        tuple(
            replace(term, count=2 * term.count) if isinstance(term, Dice) else term for term in parsed.terms
        )
    )


def _check_enough(situation: Situation, parsed: Throw, band: Band, shown: str) -> None:
    """Raises MoreWanted if fewer results are typed than the damage dice need."""
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


def _thrown_together(situation: Situation, hit: Hit) -> Iterator[Event]:
    """Yields the throw of damage dice that lay on the table beside a miss; it has no total."""
    left = situation.luck.results_left
    if isinstance(hit.damage, Throw) and left and len(left) == sum(dice.count for dice in hit.damage.dice):
        result = throw_result(situation, hit.who, hit.damage, NOTHING, None)
        yield from (event for event in result.events if isinstance(event, e.DiceRolled))


def _called(band: Band) -> str:
    return f"The result is {band.name}" if band.natural is None else f"A {band.natural} is {band.name}"


def _check_none_left(situation: Situation, hit: Hit, band: Band | None, shown: str) -> None:
    """Raises Refused if results are typed for damage, and the result of the move does none."""
    left = situation.luck.results_left
    if left and not situation.luck.others_follow:
        name = "The result is none yet" if band is None else _called(band)
        if band is not None and band.damage is not None and all(map(str.isdecimal, left)):
            harmed = f"{quoted(hit.track)} {situation.quoted(hit.target)} -{sum(map(int, left))}"
            raise Refused(
                f"{name}, and {situation.name(hit.who)} has no damage on the sheet: = {shown}; then {harmed}."
            )
        raise Refused(f"{name}, which does no damage: leave out {' '.join(left)} and say = {shown}.")


def _taken(situation: Situation, hit: Hit, amount: int) -> Iterator[Event]:
    """Yields the change of the target's track by damage: a number falls, boxes fill up.

    Yields nothing if the command is hidden and the track public.
    """
    here = shelf(situation.table)
    kept = here.kept(hit.target, hit.track)
    track = here.game.tracks[hit.track]
    if kept is None or not may_change(situation, *kept_subjects(hit.target, hit.track)):
        return
    now = kept.now - amount if track.kind is Kind.NUMBER else kept.now + amount
    whole = track_changes(situation, hit.target, hit.track, now, most=kept.most)
    changes = temporary_first(situation, hit.target, hit.track, amount) or [whole]
    yield from (
        change.but({"move": hit.move, "by": hit.who}) for change in changes if change.now != change.was
    )


class MoveByStat(NamedTuple):
    """A move to be made, with the stat it uses and the person's number in that stat."""

    name: str
    move: Move
    stat: str | None
    number: int | None


def roll(situation: Situation, command: Roll) -> list[Event]:
    """Returns the events of a move: dice, total, the move's result, and its effects such as damage.

    Without a move on the line, the events of a plain dice roll. Rule: docs/rules/homebrew.md §3.
    """
    if command.who is None or command.move is None:
        return dice.roll(situation, command)
    made, parsed, against, aim, swayed = planned_roll(situation, command.who, command)
    hit = planned_hit(situation, command, made.name, made.move, aim.target)
    why = two_dice(swayed.whose, swayed.twice)
    try:
        result = throw_result(situation, command.who, parsed, against, command.text)
    except TooFew as few:
        raise (TooFew(f"{few.sentence} {why}") if why else few) from None
    used = situation.luck.results_used
    shown, alone = " ".join(used), len(used) == len(_thrown(result)) and not situation.luck.others_follow
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
        *_with_why(damage_events(situation, hit, band, shown, alone=alone), why),
    ]


def _with_why(events: Iterator[Event], why: str) -> Iterator[Event]:
    """Yields the events; if that raises Refused, raises it again with `why` before its sentence.

    TooFew is raised unchanged, as `why` explains adv or dis, and is in its sentence already.
    """
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
    """Returns the faces of every die thrown, dropped ones too; empty if only a total was typed."""
    return next((event.faces for event in result.events if isinstance(event, e.DiceRolled)), ())


class Aim(NamedTuple):
    """Opponent of a move who throws no dice (`target`), and the stat of theirs to be reached."""

    target: int | None = None
    stat: str | None = None


class Planned(NamedTuple):
    """A move ready to be thrown: move and stat, dice, goal, opponent, and effects of conditions."""

    made: MoveByStat
    these: Throw
    against: Against
    aim: Aim
    swayed: ConditionEffects


def planned_roll(situation: Situation, who: int, command: Roll) -> Planned:
    """Returns the move that a `roll` line asks for, ready to be thrown.

    Raises Refused for an unknown move or stat, and for dice or a goal that the move does not allow.
    """
    made = _made(situation, who, command.move or "", command.stat)
    swayed = condition_effects(situation, who, command, made.name, made.move)
    against, aim = _aimed(situation, who, made, command, swayed)
    return Planned(made, _dice(situation, who, made, command, swayed), against, aim, swayed)


def _marks(situation: Situation, who: int, move: str, band: Band | None) -> Iterator[Event]:
    """Yields the events by which a move's result changes the roller's own tracks and conditions."""
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
    """Returns the move with the typed name, else the first move that uses a stat of that name.

    Raises Refused if there is neither.
    """
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
    names = () if counts is None else (counts, SKILLS.get(counts, counts))  # of a skill that the sheet lacks
    numbers = (shelf(situation.table).stat(who, one) for one in names)
    return MoveByStat(name, game.moves[name], counts, next((one for one in numbers if one is not None), None))


def _stat(situation: Situation, who: int, move: Move, name: str, typed: str | None) -> str | None:
    """Returns the name of the stat or skill the move uses, as typed in short; None if it uses none.

    Raises Refused if it may use several, the sheet leaves a choice and none is named, and for a stat it does
    not use.
    """
    game = shelf(situation.table).game
    may = stats_of(game, move)
    if typed is None and len(may) < 2:
        return next(iter(may), None)
    skills = (
        () if move.hurts or typed in game.stats else (skill for skill, stat in SKILLS.items() if stat in may)
    )
    found = (
        stat_of_sheet(situation, who, move) if typed is None else _meant(may, typed) or _meant(skills, typed)
    )
    if found is None:
        line = f"roll {situation.quoted(who)} {quoted(name)}{' STAT' if may[1:] else ''}"
        if typed is not None and normalise(typed) in normalise(name).split():
            raise Refused(f"A move of several words needs quotes: {line}")
        if typed is not None and (aim := situation.table.called(typed)) is not None:
            line = line.replace("STAT", _highest(situation, who, may)) + f" vs {situation.quoted(aim)}"
        if typed is None and any(shelf(situation.table).stat(who, stat) for stat in may):
            raise NotSaid(f"Say which stat: {', '.join(may)}.", "stat", _highest(situation, who, may))
        wrong = "Say which stat" if typed is None else f"{name} is not rolled with {typed}"
        raise Refused(f"{wrong}: {', '.join(may) or 'it has none'} ({line}).")
    return found


def stat_of_sheet(situation: Situation, who: int, move: Move) -> str | None:
    """Returns the stat that a move uses by a person's sheet, where the game leaves a choice; else None.

    It is the one that their damage adds, if the move does damage, else the only one on their sheet, or
    the only one above 0.
    """
    here = shelf(situation.table)
    sheet = here.sheets.get(who, {})
    may = stats_of(here.game, move)
    damage = sheet.get(DAMAGE)
    added = parse_throw(damage).names if move.hurts is not None and isinstance(damage, str) else ()
    of_sheet = [stat for stat in may if stat in sheet]
    helpful = [stat for stat in of_sheet if (here.stat(who, stat) or 0) > 0]
    ways = ([stat for stat in may if stat in added], of_sheet, helpful)
    return next((found[0] for found in ways if len(found) == 1), None)


def doubts(table: Table, command: Command) -> Iterator[str]:
    """Yields a question before somebody out makes a move that does harm, or rolls initiative once more."""
    conflict = table.in_play()
    if isinstance(command, Initiative) and command.number is None and conflict is not None:
        numbers = play(conflict).numbers
        having = (f"{table.name(who)} {numbers[who]}" for who in command.named() if who in numbers)
        if known := ", ".join(having):
            yield f"There is a number already: {known}. Roll again?"
    here = shelf(table)
    if isinstance(command, Cast):
        yield from _scores(here.game, command)
    move = here.game.moves.get(command.move or "") if isinstance(command, Roll) else None
    if isinstance(command, Roll) and move is not None and move.hurts is not None and command.who is not None:
        for who in filter(here.is_out, (command.who, *command.also)):
            yield f"{table.name(who)} is out. Roll it all the same?"


def _scores(game: Game, command: Cast) -> Iterator[str]:
    """Yields a question about a sheet with numbers that may be ability scores, not modifiers."""
    typed = {key: str(value) for key, value in command.values.items() if key in game.stats}
    scores = {
        key: int(value)
        for key, value in typed.items()
        if value.isdecimal() and game.stats[key].least == modifier_of(LOWEST_SCORE)
    }
    if any(score > HIGHEST_MODIFIER for score in scores.values()):
        modifiers = " ".join(f"{key}={modifier_of(score)}" for key, score in scores.items())
        yield f"Ability scores are on the sheet as modifiers, here {modifiers}. Take the numbers as typed?"


def _highest(situation: Situation, who: int, stats: Sequence[str]) -> str:
    """Returns the stat with a person's highest number."""
    return max(stats, key=lambda stat: shelf(situation.table).stat(who, stat) or 0)


def _meant(known: Iterable[str], typed: str) -> str | None:
    """Returns the single name in `known` matching `typed`; None if no name or several match."""
    found = matching(typed, {name: (name,) for name in known})
    return found[0] if len(found) == 1 else None


def _dice(situation: Situation, who: int, made: MoveByStat, command: Roll, swayed: ConditionEffects) -> Throw:
    """Returns the dice of a move, with the stat's number, the bonus and numbers of conditions added.

    With `use = "dice"` in the move, the sum of stat, bonus and conditions is the number of dice instead; with
    `use = "under"`, nothing is added.
    """
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
    """Returns the throw with `count` dice in its first term; raises Refused below 1 and above 100."""
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
    """Returns the goal of a move, and its opponent if that opponent throws no dice.

    The goal is the number on the line, the opponent's stat, or the roller's own stat to stay under.
    """
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
    """Raises Refused for `vs NAME NUMBER` if the move is against no stat of the opponent."""
    if command.target is not None and command.opponent is not None and made.move.against is None:
        raise Refused(
            f"{made.name} is against no number of {situation.name(command.opponent)}:"
            f" after vs comes the name alone, or {command.target} alone."
        )


def _to_reach(situation: Situation, target: int, stat: str) -> int:
    """Returns the number of the opponent's stat, from their sheet or from an open throw against it.

    Raises Refused with the same sentence for a missing number and for a secret one: a roll reveals neither
    the number nor that there is one. For a secret one it is NotKnown.
    """
    here, sheet = shelf(situation.table), sheet_subject(NAME, target)
    told = here.told.get(target, {}).get(stat)
    number = here.sheets.get(target, {}).get(stat, told)
    if isinstance(number, int) and (number == told or is_known(situation, sheet)):
        return number
    typed = situation.quoted(target)
    sentence = (
        f"The table does not know {possessive(situation.name(target))} {stat}: vs {typed} NUMBER gives it,"
        f" cast {typed} {quoted(stat)}=NUMBER keeps it, reveal {typed} --sheet shows a hidden one."
    )
    if isinstance(number, int):
        raise NotKnown(sentence, target, stat, number, "target")
    raise Refused(sentence)
