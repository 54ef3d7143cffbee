"""Actions open to people in a Whiskey fight, and completions for commands being typed."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import Blank, Choice, Outlook, Suggestion
from journal.shared.rulings import answer_commands
from journal.system import Count, Situation
from journal.systems.whiskey import rules
from journal.systems.whiskey.commands.checks import values_to_come
from journal.systems.whiskey.commands.clashes import seals_intents, undeclared
from journal.systems.whiskey.commands.conflicts import ENDINGS
from journal.systems.whiskey.commands.fighters import may_check
from journal.systems.whiskey.commands.rulings import pending
from journal.systems.whiskey.commands.verbs import Check, Clash, Declare
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.rules import Act
from journal.systems.whiskey.state import (
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
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, YET_TO_FIND


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns the status line of the fight: the phase number and the next step, such as "to declare: Bob"."""
    return f"{count(conflict)} · {_step(table, conflict, conflict_state(conflict).phase)}"


def count(conflict: OpenConflict) -> Count:
    """Returns the number of the current phase, as a `Count` with the word "phase"."""
    return Count("phase", conflict_state(conflict).phase.number)


def _step(table: Table, conflict: OpenConflict, phase: Phase) -> str:
    questions = pending(table, conflict)
    if questions:
        return questions[0].asked
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


def outlook(situation: Situation) -> Outlook | None:
    """Returns the actions open now, with the status line; None outside a conflict."""
    if situation.conflict is None:
        return None
    status = turn(situation.table, situation.here)
    sentence = status if status.endswith("?") else f"{status}."
    return Outlook(situation.here.id, (sentence,), tuple(_choices(situation)))


def _choices(situation: Situation) -> Iterator[Choice]:
    for asked in pending(situation.table, situation.here):
        yield from answer_commands(asked)
    phase = conflict_state(situation.here).phase
    if phase.open:
        yield from _checks(situation)
    elif undeclared(situation.table, situation.here):
        for who in undeclared(situation.table, situation.here):
            yield from _intents(situation, who)
        yield from _joint_intents(situation)
    elif phase.sealed:
        yield Choice(GM, c.Reveal(), "all is opened at once")
    else:
        yield Choice(GM, Clash(), "who is on whom")
    if not phase.begun:
        yield Choice(GM, c.End(what="conflict"), "the fight is over")


def _checks(situation: Situation) -> Iterator[Choice]:
    for clash in conflict_state(situation.here).phase.open:
        for who in may_check(situation.table, clash):
            other = clash.against(who)
            yield Choice(who, Check(who=who, whom=other), _odds(situation.table, who, other))


def _odds(table: Table, who: int, other: int) -> str:
    """Returns the odds of a check in words, with the damage dealt if it passes and taken if it fails."""
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


def _intents(situation: Situation, who: int) -> Iterator[Choice]:
    """Yields a `declare` choice for each intent open to a person; sealed if the table declares face down."""
    here = situation.here
    able = [person for person in able_fighters(situation.table, here) if person != who]
    wishes: list[dict[str, object]] = [
        {"act": Act.ENGAGE, "target": person} for person in able if here.side_of(person) != here.side_of(who)
    ]
    wishes += [
        {"act": Act.GUARD, "target": person} for person in able if here.side_of(person) == here.side_of(who)
    ]
    wishes += [{"act": act} for act in (Act.GUARD, Act.ADVANCE, Act.STAND)]
    wishes.append({"act": Act.OTHER, "text": YET_TO_FIND})
    for wish in wishes:
        yield _choice(situation, who, {"who": who, **wish}, "for this phase")


def _choice(situation: Situation, who: int, wish: dict[str, object], effect: str) -> Choice:
    """Returns a `declare` choice with the fields `wish`; sealed if the table declares face down."""
    if not seals_intents(situation.table):
        return Choice(who, Declare.of(wish), effect)
    return Choice(who, Declare.of({**wish, "sealed": True}), "face down")


def _joint_intents(situation: Situation) -> Iterator[Choice]:
    """Yields `declare` choices for two or more NPCs of one side at once, who have not declared yet."""
    table, here = situation.table, situation.here
    waiting = [person for person in undeclared(table, here) if not is_pc(table, person)]
    for side in here.sides:
        several = tuple(person for person in waiting if person in side)
        if several[1:]:
            against = [
                person
                for person in able_fighters(table, here)
                if here.side_of(person) != here.side_of(several[0])
            ]
            wishes: list[dict[str, object]] = [{"act": Act.ENGAGE, "target": person} for person in against]
            wishes += [{"act": act} for act in (Act.GUARD, Act.ADVANCE, Act.STAND)]
            for wish in wishes:
                yield _choice(situation, GM, {"together": several, **wish}, "for all of them")


PERSON_SLOTS = {"stat": "who", "theirs": "whom"}
"""Slots that hold a stat, mapped to the slot that holds its person."""


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields completions for the blank part of a typed command: stats, intents, endings, or sheet keys."""
    del conflict
    if blank.slot in PERSON_SLOTS:
        yield from _stats(table, blank.somebody(PERSON_SLOTS[blank.slot]))
    elif blank.command is Declare and blank.slot == "act":
        yield from map(Suggestion, Act)
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS[1:-1])
    elif blank.command is c.Cast and blank.slot == "keys":
        named = {stat for sheet in game_state(table).sheets.values() for stat in sheet.stats}
        yield from map(Suggestion, (*NUMBERS, *sorted(named)))


def _stats(table: Table, who: int | None) -> Iterator[Suggestion]:
    sheet = game_state(table).sheets.get(who or 0)
    if sheet is not None:
        numbers = ((stat, sheet.stat(stat)) for stat in (*NUMBERS, *sheet.stats))
        yield from (Suggestion(stat, str(number)) for stat, number in numbers if number is not None)
