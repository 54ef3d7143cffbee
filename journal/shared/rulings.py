"""Decisions about rulings and options: answers to rule questions, numbers set by the table, house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from retold.journal.capabilities import Choice
from retold.journal.names import normalise
from retold.journal.options import OF_THE_TABLE, Option
from retold.journal.refused import Refused
from retold.journal.system import Situation, System, question_with_answers, situation_after, system_meant
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, YET_TO_FIND, Event, Question


def set_option(situation: Situation, command: c.SetOption) -> list[Event]:
    """Returns one event for each option set, then the further events of the games concerned."""
    if not (command.values or command.sets):
        raise Refused("Say which option, such as: option bruise.ace=low. They are listed by: systems.")
    chosen = [_chosen(situation, key, value, command.text) for key, value in command.values.items()]
    chosen += [_of_person(setting, command.text) for setting in command.sets]
    followed = (
        situation.systems[option.system].chosen(situation, option) for option in chosen if option.system
    )
    return [*chosen, *chain.from_iterable(followed)]


def _chosen(situation: Situation, typed: str, value: str, text: c.Text) -> e.OptionSet:
    named, _, key = typed.rpartition(".")
    own = OF_THE_TABLE.get(key.casefold()) if named.casefold() in ("", "table") else None
    if own is not None:
        return _set(None, "A table", own, value, text)
    system, option = _option(situation, named, key.replace("-", "_").casefold())
    return _set(system.name, system.title, option, value, text)


def _of_person(setting: e.Setting, text: c.Text) -> e.OptionSet:
    option = OF_THE_TABLE[setting.what]
    return _set(None, "A table", option, str(setting.value), text).but({"who": setting.person})


def _set(system: str | None, title: str, option: Option, value: str, text: c.Text) -> e.OptionSet:
    if not option.takes(option.read(value)):
        raise Refused(f"{title} knows {option.key}={option.known}, not {value}.")
    return e.OptionSet(system=system, key=option.key, value=option.read(value), text=text)


def _option(situation: Situation, named: str, key: str) -> tuple[System, Option]:
    systems = _systems_meant(situation, named)
    found = [(system, option) for system in systems for option in system.options if option.key == key]
    if len(found) == 1:
        return found[0]
    if found:
        known = " or ".join(f"{system.name}.{key}" for system, _ in found)
        raise Refused(f"Say whose option that is: {known}.")
    played = situation.table.games()
    here = systems if named or situation.conflict else [system for system in systems if system.name in played]
    keys = [f"table.{option}" for option in OF_THE_TABLE] * (not named)
    keys += [f"{system.name}.{option.key}" for system in here for option in system.options]
    others = "" if here else " Those of a game: systems NAME."
    raise Refused(f"There is no option {key}. Known here: {', '.join(keys) or 'none'}.{others}")


def _systems_meant(situation: Situation, named: str) -> list[System]:
    if named:
        system = situation.systems.get(named.casefold())
        if system is None:
            raise Refused(f"There is no system {named}: {', '.join(situation.systems)}.")
        return [system]
    if situation.conflict is not None:
        return [situation.systems[situation.conflict.system]]
    return list(situation.systems.values())


def rule(situation: Situation, command: c.Rule) -> list[Event]:
    """Returns the events of a ruling: an answer to a pending question, numbers set, or a house rule."""
    question = _answered(situation, command)
    if command.answer is None and not (command.sets or command.text):
        raise Refused("Say what holds from now on: ruling: TEXT.")
    if command.answer is not None and question is None:
        law = f"ruling: {command.text or command.answer}"
        raise Refused(f"Nothing is pending, so there is nothing to answer; a law of the table is: {law}")
    ruling = e.RulingMade(
        conflict=question.conflict if question else situation.where,
        question=question.name if question else None,
        answer=command.answer,
        sets=command.sets,
        text=command.text,
    )
    events: list[Event] = [ruling]
    if question is not None and question.conflict is not None:
        conflict = situation.table.conflicts[question.conflict]
        there = Situation(situation.table, situation.luck, situation.systems, conflict)
        events += situation.systems[conflict.system].answer(there, ruling)
    if command.sets:
        events += _numbers(situation, ruling)
    return events


def _answered(situation: Situation, command: c.Rule) -> Question | None:
    if command.answer is None:
        return None
    named = [question for question in situation.questions() if command.question in (None, question.name)]
    listed = [question for question in named if command.answer in question.answers]
    open_ones = listed or [question for question in named if not question.answers]
    if len(open_ones) > 1 and situation.conflict is not None:
        here = situation.conflict.id
        open_ones = [question for question in open_ones if question.conflict == here] or open_ones
    if len(open_ones) > 1:
        names = ", ".join(f"{question.name}=…" for question in open_ones)
        raise Refused(f"More than one question could be meant: name it ({names}).")
    if not open_ones and situation.questions():
        raise Refused(
            " ".join(question_with_answers(situation.table, question) for question in situation.questions())
        )
    return open_ones[0] if open_ones else None


def answer_commands(question: Question) -> Iterator[Choice]:
    """Yields a `ruling` command for each listed answer of a question, its text yet to be written."""
    for answer in question.answers:
        command = c.Rule(question=question.name, answer=answer, text=YET_TO_FIND)
        yield Choice(GM, command, question.asked)


def apply_settings(
    situation: Situation,
    ruling: e.RulingMade,
    set_one: Callable[[Situation, e.Setting], list[Event]],
    game: str,
) -> list[Event]:
    """Returns the events of each number that a ruling sets, as `set_one` gives them.

    Each call of `set_one` sees the situation after the numbers before, within `game`.
    """
    events: list[Event] = []
    for setting in ruling.sets:
        changes = set_one(situation, setting)
        situation = situation_after(situation, changes, game)
        events += changes
    return events


class Change(NamedTuple):
    """One number that a ruling changes: the situation before, the person, the new value, and the ruling."""

    situation: Situation
    person: int
    """0 for a number of the table."""
    name: str
    """The words that stand for the capitals of the table's key, such as `cool` for `TRACK stress`."""
    setting: e.Setting
    ruling: e.RulingMade
    number: int = 0
    """The new value, checked against the range; 0 for a key that reads the setting by itself."""


class RulingKey(NamedTuple):
    """A number that rulings may set: its key as typed, current value, range, and events of a new value."""

    key: str
    """Normalised words after `NAME.`; a part in capitals matches any words: `TRACK stress`, `NAME`."""
    set: Callable[[Change], Sequence[Event]]
    """Events of the new number, or raises Refused."""
    now: Callable[[Change], int | None] | None = None
    """Current value, None where there is no such number; without this, `set` reads `change.setting`."""
    least: int | None = 0
    most: int | None = None
    refusal: str = "{value} is too much: {most} is the most a ruling sets here."
    """Sentence for a number beyond the range; it may use {value}, {name}, {key}, {least}, {most}."""
    of_table: bool = False
    """True for a number without an owner, such as `balance`."""

    def names(self, typed: str) -> str | None:
        """Returns the part of `typed` in place of the key's capitals.

        `cool stress` with the key `TRACK stress` → `cool`. Empty for a key without capitals, or with nothing
        in their place; None if `typed` is another key.
        """
        blank = next((word for word in self.key.split() if word.isupper()), None)
        if blank is None:
            return "" if typed == self.key else None
        begin, _, end = self.key.partition(blank)
        if typed == (begin + end).strip():
            return ""
        fits = typed.startswith(begin) and typed.endswith(end) and len(typed) > len(begin) + len(end)
        return typed[len(begin) : len(typed) - len(end)].strip() if fits else None


def set_by_table(
    situation: Situation,
    ruling: e.RulingMade,
    keys: Sequence[RulingKey],
    game: str,
    unknown: Callable[[Situation, e.Setting], str],
) -> list[Event]:
    """Returns the events of each number a ruling sets, by the first of `keys` that fits.

    Raises Refused with the sentence from `unknown` if no key fits.
    """

    def set_one(now: Situation, setting: e.Setting) -> list[Event]:
        for key in keys:
            name = key.names(normalise(setting.what)) if key.of_table is (setting.person is None) else None
            if name is None:
                continue
            change = Change(now, setting.person or GM, name, setting, ruling)
            if key.now is None:
                return list(key.set(change))
            old = key.now(change)
            if old is not None:
                return list(key.set(change._replace(number=_in_range(key, change, old))))
        raise Refused(unknown(now, setting))

    return apply_settings(situation, ruling, set_one, game)


def _in_range(key: RulingKey, change: Change, old: int) -> int:
    value = new_number(change.setting, old)
    if key.least == 0:
        check_not_negative(value)
    if (key.least is not None and value < key.least) or (key.most is not None and value > key.most):
        named = {"key": key.key, "name": change.name, "least": key.least, "most": key.most}
        raise Refused(key.refusal.format(value=value, **named))
    return value


def new_number(setting: e.Setting, old: int) -> int:
    """Returns the number after a ruling's `=`, `+=` or `-=`; raises Refused if its value is a word."""
    if not isinstance(setting.value, int):
        raise Refused(f"{setting.what} is a number, not {setting.value}.")
    match setting.op:
        case "=":
            return setting.value
        case "+=":
            return old + setting.value
        case "-=":
            return old - setting.value


def check_not_negative(value: int) -> int:
    """Returns `value` unchanged; raises Refused if it is below 0."""
    if value < 0:
        raise Refused("That would leave less than nothing.")
    return value


def _numbers(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    meant = system_meant(situation.table, situation.systems, situation.conflict, None)
    if meant is None:
        raise Refused(
            "Say this inside the conflict it is about, so that it is clear whose numbers are meant."
        )
    return meant.set_number(situation, ruling)
