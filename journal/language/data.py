"""The game's data on a line, key by key: sheets, set-ups, options and the numbers of a ruling."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from journal.language.naming import (
    answer_meant,
    newcomer,
    person,
    questions,
    somebody_named,
    spoken_to,
    title,
)
from journal.language.tokens import Assign
from journal.names import fold
from journal.refused import Refused
from journal.system import System, system_meant
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import NOBODY, Command, Value, fields_of
from journal.vocabulary.commands import extended
from journal.vocabulary.events import Setting
from journal.words import Words

Given = dict[str, Any]

NOBODY_WORDS = (NOBODY, "none")


def _cast_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    values: dict[str, Value | None] = {}
    people: dict[str, int | Words] = {}
    taken: Given = {}
    system = _system_meant(table, given)
    person_keys = system.person_keys if system else ()
    for key, op, value in assigns:
        _only_equals(key.text, op)
        name = fold(key.text)
        _not_mistaken(system, key.text, value.text)
        if name in ("name", "alias"):
            taken[name] = somebody_named(value.text)
        elif name == "by":
            taken["by"] = newcomer(table, value.text, quoted=value.quoted, sides=False)
        elif name in person_keys:
            people[name] = newcomer(table, value.text, quoted=value.quoted, sides=True)
        else:
            values[key.text] = number_or_text(value.text) if value.text != "none" else None
    return taken | {"values": values, "people": people}


_NUMBER: Final = r"\s*([+-]?\d{1,4000}(?:_\d{1,20}){0,20})(?:\.0{1,20})?\s*"


def number_or_text(typed: str) -> int | str:
    """What a key is given: a whole number, also as `+2`, `1_000` or `3.0`, or else the text."""
    found = re.fullmatch(_NUMBER, typed)
    return typed if found is None else int(found[1])


def _not_mistaken(system: System | None, key: str, value: str) -> None:
    """Asks back where another key is likely meant: this one would be a skill, and nobody would see it."""
    meant = system.mistaken.get(fold(key)) if system else None
    if meant is not None:
        raise Refused(
            f"Did you mean {meant}={value}? There is no key {key}, so it would be a skill of that name"
            f" (skill.{key}={value}). All keys: retold systems {system.name if system else ''} --sheet."
        )


def _option_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    del table, given
    for key, op, _ in assigns:
        _only_equals(key.text, op)
    return {"values": {key.text: value.text for key, _, value in assigns}}


def _conflict_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    setup: dict[str, Value] = {}
    people: dict[str, int | Words] = {}
    taken: Given = {"setup": setup, "people": people}
    system = _system_meant(table, given)
    forms = system.setup_keys if system else {}
    for key, op, value in assigns:
        _only_equals(key.text, op)
        name = fold(key.text)
        word, colon, who = value.text.partition(":")
        form = forms.get(name, "")
        if name == "length":
            taken["length"] = title(value.text)
        elif form == "NAME":
            people[name] = newcomer(table, value.text, quoted=value.quoted, sides=True)
        elif colon and ":NAME" in form:
            setup[name] = fold(word)
            people[name] = newcomer(table, who, quoted=value.quoted, sides=True)
        else:
            setup[name] = number_or_text(value.text)
    return taken


def _system_meant(table: Table, given: Given) -> System | None:
    """The system whose keys a line has."""
    return system_meant(table, SYSTEMS, spoken_to(table, given.get("conflict")), given.get("system"))


def _setup_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    del table, given
    for key, op, _ in assigns:
        _only_equals(key.text, op)
    return {"setup": {fold(key.text): number_or_text(value.text) for key, _, value in assigns}}


def _ruling_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    sets: list[Setting] = []
    taken: Given = {}
    pending = questions(table)
    here = spoken_to(table, given.get("conflict"))
    for key, op, value in assigns:
        who, _, what = key.text.rpartition(".")
        asked = [question for question in pending if fold(question.name) == fold(key.text)]
        if op == "=" and asked and not who:
            taken["question"] = asked[0].name
            taken["answer"] = answer_meant(table, asked, value.text)
            continue
        target = person(table, who) if who else None
        what = fold(what) if sets_somebody(here, what) else what
        typed = _ruled(table, here, what, value.text)
        sets.append(Setting.of({"person": target, "what": what, "op": op, "value": typed}))
    return taken | {"sets": tuple(sets)}


def _ruled(table: Table, here: OpenConflict | None, what: str, typed: str) -> int | str:
    """A ruling's value: a number, or a word; somebody named in it by id (`7`, `overwhelming:7`)."""
    if sets_somebody(here, what):
        nobody = fold(typed) in NOBODY_WORDS and table.called(typed) is None
        return NOBODY if nobody else person(table, typed)
    word, colon, who = typed.partition(":")
    if colon and names_somebody(here, what):
        return f"{fold(word)}:{person(table, who)}"
    return number_or_text(typed)


def sets_somebody(here: OpenConflict | None, what: str) -> bool:
    """True where a ruling that sets `what` in this conflict says somebody, who is kept by id."""
    return here is not None and fold(what) in SYSTEMS[here.system].ruled_people


def names_somebody(here: OpenConflict | None, key: str) -> bool:
    """True for a key of this conflict's set-up whose value may name somebody after a colon."""
    return here is not None and ":NAME" in SYSTEMS[here.system].setup_keys.get(fold(key), "")


def _kept_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    del table, given
    for key, op, _ in assigns:
        if fold(key.text) != "name":
            raise Refused(f'Only its name is said with =, as in name="{key.text}"; the rest after a colon.')
        _only_equals(key.text, op)
    return {"name": somebody_named(assigns[0].value.text)}


def _only_equals(key: str, op: str) -> None:
    if op != "=":
        raise Refused(f"{key}{op} belongs to a ruling; here it is {key}=VALUE.")


Reader = Callable[[Sequence[Assign], Table, Given], Given]

DATA: Mapping[type[Command], Reader] = {
    c.Cast: _cast_data,
    c.SetOption: _option_data,
    c.Rule: _ruling_data,
    c.KeepThread: _kept_data,
    c.KeepPlace: _kept_data,
    c.KeepThing: _kept_data,
}
"""How each verb that takes key=value in its own way reads it."""


def reader_of(command: type[Command]) -> Reader:
    """How a verb reads its data: as a conflict's set-up with people in it, unless it has a way of its own."""
    return DATA.get(extended(command) or command) or (
        _conflict_data if "people" in fields_of(command) else _setup_data
    )
