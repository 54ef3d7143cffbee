"""Dice that no game asked for: a roll is a roll at any table, and what it is thrown against is worked out."""

from __future__ import annotations

from typing import Final, NamedTuple

from journal.decks import dice
from journal.decks.throws import LARGEST_NUMBER, Against, Throw, Thrown, parse_throw, throw
from journal.refused import Refused
from journal.system import Situation
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

NOTHING: Final = Against()


class ThrowResult(NamedTuple):
    """What a throw came to: the events that say so, the faces that matter, and the last of those events.

    Those are the faces that count, and where successes are counted all of them.
    """

    events: tuple[Event, ...]
    faces: tuple[int, ...]
    reached: e.TotalReached


def roll(situation: Situation, command: c.Roll) -> list[Event]:
    """Dice are rolled, or what they showed is checked against the dice there are."""
    if command.dice is None:
        raise Refused("Say which dice: roll NAME 2d6. Skills are rolled where the game has them.")
    these = with_sheet_numbers(situation, command.who, parse_throw(command.dice, command.twice))
    against = Against(command.target, command.against == "under", command.opponent)
    if these.plain and against == NOTHING and not situation.luck.total_called:
        return [_lying(situation, command.who, these, command.text)]
    return list(throw_result(situation, command.who, these, against, command.text).events)


def with_sheet_numbers(situation: Situation, who: int | None, these: Throw) -> Throw:
    """A throw with the numbers of somebody's sheet for what it adds by name; Refused where there is none."""
    games = [situation.systems[name] for name in situation.table.shelves]

    def number(name: str) -> int:
        if who is None:
            raise Refused(f"Say whose {name} is added: roll NAME {these}.")
        known = (game.number(situation.table, who, name) for game in games)
        found = next((one for one in known if one is not None), None)
        if found is None:
            raise Refused(f"{situation.name(who)} has no {name}: put it on the sheet, or add a number.")
        return found

    return these.with_numbers(number)


def throw_result(
    situation: Situation, who: int | None, these: Throw, against: Against, text: c.Text
) -> ThrowResult:
    """What a throw comes to, with the dice on the table, or by its total alone where the line says that.

    Against somebody who threw against `who` before, the margin is worked out; against somebody else it is
    left open until they throw against `who`.
    """
    against = _answered(situation, who, against)
    _check(situation, who, against)
    if situation.luck.total_called:
        reached = _reached(situation, who, these, against, _total(situation, these))
        reached = reached.but({"saw": False, "text": text})
        return ThrowResult((reached,), (), reached)
    came = throw(these, situation.luck)
    lying = e.DiceRolled(
        conflict=situation.where, who=who, dice=dice.dice_text(came.dice), faces=came.faces, text=text
    )
    reached = _reached(situation, who, these, against, came.total, kept=_kept(came))
    counted = range(1, len(came.faces) + 1) if these.counts else came.kept
    return ThrowResult((lying, reached), tuple(came.faces[place - 1] for place in counted), reached)


def _lying(situation: Situation, who: int | None, these: Throw, text: c.Text) -> e.DiceRolled:
    """Dice that only lie there."""
    sizes = tuple(one.size for one in these.dice for _ in range(one.count))
    faces = situation.luck.faces(sizes)
    return e.DiceRolled(conflict=situation.where, who=who, dice=dice.dice_text(sizes), faces=faces, text=text)


def _total(situation: Situation, these: Throw) -> int:
    """The total that was called out; Refused where no dice come to it."""
    total = situation.luck.total()
    if not these.attains(total):
        most = these.most()
        ends = f"{these.least()} or more" if most is None else f"{these.least()} to {most}"
        raise Refused(f"{these} does not come to {total}: it comes to {ends}.")
    return total


def _kept(came: Thrown) -> tuple[int, ...] | None:
    """Which dice count, where not all do."""
    return None if len(came.kept) == len(came.dice) else came.kept


def _reached(
    situation: Situation,
    who: int | None,
    these: Throw,
    against: Against,
    total: int,
    *,
    kept: tuple[int, ...] | None = None,
) -> e.TotalReached:
    return e.TotalReached(
        conflict=situation.where,
        who=who,
        throw=str(these),
        kept=kept,
        total=total,
        goal=against.target,
        under=against.under,
        opponent=against.opponent,
        margin=against.margin(total),
        instead=_waiting(situation, against.opponent, who),
    )


def _answered(situation: Situation, who: int | None, against: Against) -> Against:
    """Against what somebody threw who waits for this, where it is thrown against them; else as it was."""
    total = _waiting(situation, who, against.opponent)
    return against if total is None else Against(total, opponent=against.opponent)


def _waiting(situation: Situation, awaited: int | None, thrower: int | None) -> int | None:
    """The total of `thrower` that `awaited` has yet to answer; None where there is none."""
    return None if awaited is None or thrower is None else situation.table.contests.get((awaited, thrower))


def _check(situation: Situation, who: int | None, against: Against) -> None:
    if against.opponent is not None and who is None:
        raise Refused(f"Say who throws against {situation.name(against.opponent)}: roll NAME DICE vs NAME.")
    if against.opponent is not None and against.opponent == who:
        raise Refused(
            f"{situation.name(against.opponent)} throws against somebody else, or against a number."
        )
    if against.target is not None and abs(against.target) > LARGEST_NUMBER:
        raise Refused(f"{against.target} is out of reach: {LARGEST_NUMBER} is the most.")
