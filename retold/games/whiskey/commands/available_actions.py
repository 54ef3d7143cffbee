"""Actions that people in a Whiskey fight can take now, and completions for commands being typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from retold.game import (
    GM,
    YET_TO_FIND,
    Blank,
    Count,
    Event,
    Meant,
    OpenConflict,
    Situation,
    Suggestion,
    Table,
    Trial,
    Tried,
    UntriedOutlook,
    answer_commands,
    seal,
)
from retold.game import Offer as Choice
from retold.game import commands as c
from retold.game import events as e
from retold.games.whiskey import rules
from retold.games.whiskey.commands.checks import values_to_come
from retold.games.whiskey.commands.clashes import seals_intents, undeclared
from retold.games.whiskey.commands.conflicts import ENDINGS
from retold.games.whiskey.commands.fighters import may_check
from retold.games.whiskey.commands.rulings import pending
from retold.games.whiskey.commands.verbs import Check, Clash, Declare
from retold.games.whiskey.options import NAME, chosen
from retold.games.whiskey.rules import Act
from retold.games.whiskey.state import (
    NUMBERS,
    OpenClash,
    Phase,
    able_fighters,
    conflict_state,
    faction,
    game_state,
    is_pc,
    sheet_of,
)


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns the status line of the fight: the phase number and the next step, such as "to declare: Bob"."""
    return f"{count(conflict)} · {_step(table, conflict, conflict_state(conflict).phase)}"


def count(conflict: OpenConflict) -> Count:
    """Returns the number of the current phase, as a `Count` with the word "phase"."""
    return Count("phase", conflict_state(conflict).phase.number)


def _step(table: Table, conflict: OpenConflict, phase: Phase) -> str:
    asked = next((question.asked for question in pending(table, conflict) if question.blocks), None)
    if asked is not None:
        return asked
    if phase.open:
        return f"to check: {', '.join(_pair(table, clash) for clash in phase.open)}"
    waiting = undeclared(table, conflict)
    if waiting:
        return f"to declare: {', '.join(map(table.name, waiting))}"
    if phase.sealed:
        return "reveal"
    return "clash" if able_fighters(table, conflict) else "end conflict"


def _pair(table: Table, clash: OpenClash) -> str:
    checker = clash.one if clash.checker is None else clash.checker
    return f"{table.name(checker)} against {table.name(clash.against(checker))}"


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields `declare` lines for undeclared fighters who told their intent as an act.

    Such words begin with a small letter and do not end as a sentence does: `Hook-1: puts himself out`.
    """
    conflict = table.in_play()
    waiting = () if conflict is None or conflict.system != NAME else undeclared(table, conflict)
    for event in events:
        if isinstance(event, e.Said) and event.who in waiting:
            words = str(event.text)
            if words[:1].islower() and words[-1:].isalnum():
                line = f"declare {table.quoted(event.who)} other: {words}"
                yield f"{table.name(event.who)} has still to declare; if that is it: undo, then {line}"


def outlook(situation: Situation) -> UntriedOutlook | None:
    """Returns the actions to try now, with the status line; None outside a conflict."""
    if situation.conflict is None:
        return None
    status = turn(situation.table, situation.here)
    sentence = status if status.endswith("?") else f"{status}."
    return UntriedOutlook((sentence,), tuple(_trials(situation)))


def _trials(situation: Situation) -> Iterator[Trial | Choice]:
    for asked in pending(situation.table, situation.here):
        if asked.blocks:
            yield from answer_commands(asked)
    phase = conflict_state(situation.here).phase
    waiting = undeclared(situation.table, situation.here)
    if phase.open:
        checks = ((clash, who) for clash in phase.open for who in may_check(situation.table, clash))
        pairs = [{"who": who, "whom": clash.against(who)} for clash, who in checks]
        yield Trial(Check, {"pair": pairs}, _odds)
    elif waiting:
        yield from (_intents(situation, who) for who in waiting)
        yield from _joint_intents(situation, waiting)
    elif phase.sealed:
        yield Trial(c.Reveal, {}, "all is opened at once")
    else:
        yield Trial(Clash, {}, "who is on whom")
    if not phase.begun:
        yield Trial(c.End, {"what": ("conflict",)}, "the fight is over")


def _odds(tried: Tried) -> str:
    """Returns the odds of a check in words, with the damage dealt if it passes and taken if it fails."""
    table, who, other = tried.situation.table, tried.command.who, tried.command.whom
    x, y = sheet_of(table, who).combat or 0, sheet_of(table, other).combat or 0
    values = values_to_come(table, faction(table, who))
    good = sum(rules.passes(x, value, y) for value in values)
    unit = "faces" if chosen(table, "deck") == rules.DeckMode.D26 else "cards left"
    return (
        f"{good} of {len(values)} {unit} pass: deals {_damage(table, who)}, or takes {_damage(table, other)}"
    )


def _damage(table: Table, who: int) -> str:
    """Returns the range of damage a person deals, such as "5 to 10"."""
    sheet = sheet_of(table, who)
    least, most = sorted(rules.damage(sheet.base or 0, sheet.die or 0, d) for d in (1, rules.D6))
    return str(least) if least == most else f"{least} to {most}"


def _intents(situation: Situation, who: int) -> Trial:
    """Returns the intents that a person can declare now."""
    allies, foes = _allies_and_foes(situation, who)
    guarded = [Meant(Act.GUARD, ally) for ally in allies if ally != who]
    intents = (*_engaged(foes), *guarded, *UNAIMED, Meant(Act.OTHER, text=YET_TO_FIND))
    return _declarations(situation.table, {"who": (who,)}, intents, "for this phase", who)


def _joint_intents(situation: Situation, waiting: Sequence[int]) -> Iterator[Trial]:
    """Yields the intents that two or more NPCs of one side, among those `waiting`, can declare together."""
    for side in situation.here.sides:
        several = tuple(who for who in waiting if who in side and not is_pc(situation.table, who))
        if several[1:]:
            intents = (*_engaged(_allies_and_foes(situation, several[0])[1]), *UNAIMED)
            people = {"together": (several,)}
            yield _declarations(situation.table, people, intents, "for all of them", GM)


UNAIMED: Final = tuple(Meant(act) for act in (Act.GUARD, Act.ADVANCE, Act.STAND))
"""Intents without a target."""


def _engaged(foes: Iterable[int]) -> list[Meant]:
    return [Meant(Act.ENGAGE, foe) for foe in foes]


def _allies_and_foes(situation: Situation, who: int) -> tuple[list[int], list[int]]:
    """Returns the able fighters on a person's side, themselves included, and those on other sides."""
    here, able = situation.here, able_fighters(situation.table, situation.here)
    allies = [person for person in able if here.side_of(person) == here.side_of(who)]
    return allies, [person for person in able if person not in allies]


def _declarations(
    table: Table, people: Mapping[str, Iterable[Any]], intents: Iterable[Meant], effect: str, by: int
) -> Trial:
    """Returns `declare` commands of the intents; sealed if the table declares face down."""
    if not seals_intents(table):
        return Trial(Declare, {**people, "intent": [meant._asdict() for meant in intents]}, effect, by=by)
    return Trial(Declare, {**people, "sealed": [seal(meant) for meant in intents]}, "face down", by=by)


PERSON_SLOTS: Final = {"stat": "who", "theirs": "whom"}
"""Slots that hold a stat, mapped to the slot that holds its person."""


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields completions for the blank part of a typed command: stats, endings, or sheet keys."""
    if blank.slot in PERSON_SLOTS:
        who = blank.somebody(PERSON_SLOTS[blank.slot])
        numbers = sheet_of(table, who or 0).numbers
        yield from (Suggestion(stat, str(number)) for stat, number in numbers.items())
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS[1:-1])
    elif blank.command is c.Cast and blank.slot == "keys":
        named = {stat for sheet in game_state(table).sheets.values() for stat in sheet.stats}
        yield from map(Suggestion, (*NUMBERS, *sorted(named)))
