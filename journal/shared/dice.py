"""Decisions about dice rolls with modifiers and goals, available in every game."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from retold.journal.decks import dice
from retold.journal.decks.chance import TooFew
from retold.journal.decks.expressions import LARGEST_NUMBER, parse_throw
from retold.journal.decks.throws import Against, Throw, Thrown, throw
from retold.journal.refused import Refused
from retold.journal.system import Situation
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event

NOTHING: Final = Against()


def understood(command: Command) -> str:
    """Returns a sentence on dice that other programs read otherwise; empty for other commands."""
    typed = command.dice if isinstance(command, c.Roll) else None
    reading = "" if typed is None else parse_throw(typed).reading()
    return f"{typed}: {reading}." if reading else ""


class ThrowResult(Struct, frozen=True):
    """Result of a throw: its events, the faces that count, and the event with the total among these events.

    If successes are counted, `faces` holds the face of every die.
    """

    events: tuple[Event, ...]
    faces: tuple[int, ...]
    reached: e.TotalReached


def roll(situation: Situation, command: c.Roll) -> list[Event]:
    """Returns the events of a dice roll, dealt, or given by the faces or total typed after `=`."""
    if command.dice is None:
        raise Refused("Say which dice: roll NAME 2d6. Skills are rolled where the game has them.")
    rolled = with_sheet_numbers(situation, command.who, parse_throw(command.dice, command.twice))
    against = Against(command.target, command.against == "under", command.opponent)
    alone = command.unsummed or sum(group.count for group in rolled.dice) == 1
    if alone and rolled.plain and against == NOTHING and not situation.luck.total_called:
        return [_lying(situation, command.who, rolled, command.text)]
    try:
        return list(throw_result(situation, command.who, rolled, against, command.text).events)
    except TooFew as few:
        given = command.results or ()
        if len(given) != 1 or not given[0].isdecimal() or not rolled.attains(int(given[0])):
            raise
        raise TooFew(f"{few.sentence} Their sum alone is written = total {given[0]}.") from None


_DROPPING: Final = {
    "l": ("To drop the lowest die, write 4d6dl1.",),
    "h": ("To drop the highest die, write 4d6dh1.",),
}
"""Way on for names that other tools write behind dice: `4d6-L`."""


def with_sheet_numbers(situation: Situation, who: int | None, parsed: Throw) -> Throw:
    """Returns the throw with names replaced by the person's sheet numbers: `d20+dex` → d20+3.

    Raises Refused for a name that no sheet of the person has.
    """
    games = [situation.systems[name] for name in situation.table.shelves]

    def number(name: str) -> int:
        if who is None:
            raise Refused(f"Say whose {name} is added: roll NAME {parsed}.")
        known = (game.number(situation.table, who, name) for game in games)
        found = next((value for value in known if value is not None), None)
        if found is None:
            raise Refused(
                f"{situation.name(who)} has no {name}: put it on the sheet, or add a number.",
                *_DROPPING.get(name, ()),
            )
        return found

    return parsed.with_numbers(number)


def throw_result(
    situation: Situation, who: int | None, parsed: Throw, against: Against, text: c.Text
) -> ThrowResult:
    """Throws the dice, or takes the total typed after `=`, and returns events, counting faces and total.

    `against` is the goal: a number, or an opponent. Against an opponent who already threw against `who`, that
    total is the goal; otherwise the result is undecided until the opponent throws against `who`.
    """
    against = _answered(situation, who, against)
    _check(situation, who, against)
    if situation.luck.total_called:
        reached = _reached(situation, who, parsed, against, _total(situation, parsed))
        reached = reached.but({"saw": False, "text": text})
        return ThrowResult((reached,), (), reached)
    thrown = throw(parsed, situation.luck)
    lying = e.DiceRolled(
        conflict=situation.where, who=who, dice=dice.dice_text(thrown.dice), faces=thrown.faces, text=text
    )
    reached = _reached(situation, who, parsed, against, thrown.total, kept=_kept(thrown))
    counted = range(1, len(thrown.faces) + 1) if parsed.counts else thrown.kept
    return ThrowResult((lying, reached), tuple(thrown.faces[place - 1] for place in counted), reached)


def _lying(situation: Situation, who: int | None, parsed: Throw, text: c.Text) -> e.DiceRolled:
    """Throws bare dice and returns the event with their faces, without a total."""
    sizes = tuple(group.size for group in parsed.dice for _ in range(group.count))
    faces = situation.luck.faces(sizes)
    return e.DiceRolled(conflict=situation.where, who=who, dice=dice.dice_text(sizes), faces=faces, text=text)


def _total(situation: Situation, parsed: Throw) -> int:
    """Returns the total typed after `=`; raises Refused if the dice cannot reach it."""
    total = situation.luck.total()
    if not parsed.attains(total):
        raise Refused(f"{parsed} does not come to {total}: it comes to {parsed.ends()}.")
    return total


def _kept(thrown: Thrown) -> tuple[int, ...] | None:
    """Returns the numbers (from 1) of the dice that count; None if every die counts."""
    return None if len(thrown.kept) == len(thrown.dice) else thrown.kept


def _reached(
    situation: Situation,
    who: int | None,
    parsed: Throw,
    against: Against,
    total: int,
    *,
    kept: tuple[int, ...] | None = None,
) -> e.TotalReached:
    return e.TotalReached(
        conflict=situation.where,
        who=who,
        throw=str(parsed),
        kept=kept,
        total=total,
        goal=against.target,
        under=against.under,
        opponent=against.opponent,
        margin=against.margin(total),
        instead=_waiting(situation, against.opponent, who),
    )


def _answered(situation: Situation, who: int | None, against: Against) -> Against:
    """Returns the goal with the opponent's unanswered total as the number to reach, if there is one.

    Otherwise `against` is returned unchanged.
    """
    total = _waiting(situation, who, against.opponent)
    return against if total is None else Against(total, opponent=against.opponent)


def _waiting(situation: Situation, awaited: int | None, thrower: int | None) -> int | None:
    """Returns the unanswered total of a throw by `thrower` against `awaited`; None without a throw."""
    return None if awaited is None or thrower is None else situation.table.contests.get((awaited, thrower))


def _check(situation: Situation, who: int | None, against: Against) -> None:
    if against.opponent is not None and who is None:
        raise Refused(f"Say who throws against {situation.name(against.opponent)}: roll NAME DICE vs NAME.")
    if against.opponent is not None and against.opponent == who:
        raise Refused(
            f"{situation.name(against.opponent)} cannot throw against themselves:"
            " name another person or a number."
        )
    if against.target is not None and abs(against.target) > LARGEST_NUMBER:
        raise Refused(f"{against.target} is out of reach: {LARGEST_NUMBER} is the most.")
