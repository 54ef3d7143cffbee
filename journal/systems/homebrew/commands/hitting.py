"""Damage: a result of a move takes something off a track of whoever it was thrown against."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from journal.decks.chance import MoreWanted
from journal.decks.dice import MOST_DICE
from journal.decks.expressions import LARGEST_NUMBER, parse
from journal.decks.throws import Dice, Throw
from journal.names import quoted
from journal.refused import Refused
from journal.shared.dice import NOTHING, Result, numbered, result
from journal.system import Situation
from journal.systems.homebrew.commands.conditions import may_change
from journal.systems.homebrew.commands.keeping import changed
from journal.systems.homebrew.commands.verbs import Roll
from journal.systems.homebrew.events import kept_subjects
from journal.systems.homebrew.rules import Band, Kind, Move
from journal.systems.homebrew.state import shelf
from journal.vocabulary.base import Event

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


def hit_of(situation: Situation, command: Roll, name: str, move: Move, target: int | None) -> Hit | None:
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
    these = numbered(situation, who, dice)
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
    these = parse(said)
    if 2 * sum(one.count for one in these.dice) > MOST_DICE:
        raise Refused(f"Damage has {MOST_DICE // 2} dice at the most, for a result may double them.")
    return these


def damaged(situation: Situation, hit: Hit | None, band: Band | None, shown: str) -> Iterator[Event]:
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
    came = _thrown(situation, hit.who, these, band.name)
    yield from came.events
    return max(0, came.reached.total) // (2 if does == "half" else 1)


def _thrown(situation: Situation, who: int, these: Throw, result_: str) -> Result:
    """What the damage comes to; Refused with the result that brings it, which may be news to the table."""
    try:
        return result(situation, who, these, NOTHING, None)
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
    change = changed(situation, hit.target, hit.track, now, most=kept.most, move=hit.move)
    if change.now != change.was:
        yield change.but({"by": hit.who})
