"""Parses `key=value` words of a typed line: sheet numbers, set-up of a conflict, options, rulings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, count
from typing import Annotated, Any, Final, get_args, get_origin

from retold.journal.grammar import FORMS, NONE, check_case, check_pronouns
from retold.journal.language.naming import (
    answerable_questions,
    check_not_reserved,
    conflict_addressed,
    find_answer,
    find_or_name_person,
    find_person,
    parse_name,
    parse_title,
)
from retold.journal.language.tokens import Assign, Segment, Token
from retold.journal.names import clean, normalise
from retold.journal.options import split_person
from retold.journal.refused import Refused
from retold.journal.system import System, system_meant
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, NOBODY, Bind, Command, Value, Words, types_of
from retold.journal.vocabulary.commands import extended
from retold.journal.vocabulary.events import Setting

Given = dict[str, Any]

NOBODY_WORDS = (NOBODY, "none")


def _cast_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    values: dict[str, Value | None] = {}
    people: dict[str, int | Words] = {}
    forms: dict[str, Words] = {}
    taken: Given = {}
    system = _system_meant(table, given)
    person_keys = system.person_keys if system else ()
    for key, op, value in _one_by_one(assigns, system):
        _only_equals(key.text, op)
        name = normalise(key.text)
        _check_key(system, key.text, value.text)
        if name in ("name", "alias"):
            check_not_reserved(value.text)
            taken[name] = parse_name(value.text)
        elif name == "opens":
            taken[name] = Words(clean(value.text))
        elif name == "pronouns":
            taken[name] = Words(check_pronouns(value.text or NONE))
        elif name.startswith(FORMS):
            forms[check_case(name.removeprefix(FORMS))] = parse_name(value.text or NONE)
        elif name == "by":
            if "+" in value.text and not value.quoted and given.get("who") != GM:
                first = value.text.partition("+")[0]
                raise Refused(
                    f"A character has one player: by={first}. "
                    "Several are for the game master: cast gm by=A+B. Quote a name that has + in it."
                )
            taken["by"] = find_or_name_person(table, value.text, quoted=value.quoted, sides=False)
        elif name in person_keys:
            people[name] = find_or_name_person(table, value.text, quoted=value.quoted, sides=True)
        else:
            values[key.text] = number_or_text(value.text) if value.text != "none" else None
    return taken | {"values": values, "people": people, "forms": forms}


def _one_by_one(assigns: Sequence[Assign], system: System | None) -> Iterator[Assign]:
    """Yields assigns, one for each of the words in a list: `aspects="By the book, Never late"`.

    Each is called by its last word. Only keys of the game's sheet that take words have such lists.
    """
    rows = () if system is None else system.sheet
    listed = {row.key.partition(".")[0] for row in rows if row.form == "WORDS" and "." in row.key}
    taken = {normalise(assign.key.text) for assign in assigns}
    for assign in assigns:
        prefix = normalise(assign.key.text).removesuffix("s")
        if prefix not in listed or assign.value.text.isdecimal():
            yield assign
            continue
        for words in filter(None, map(str.strip, re.split("[,;]", assign.value.text))):
            last = re.sub(r"\W", "", normalise(words.split()[-1])) or prefix
            names = chain([f"{prefix}.{last}"], (f"{prefix}.{last}{number}" for number in count(2)))
            key = next(name for name in names if name not in taken)
            taken.add(key)
            yield Assign(_bare(key, assign.key), assign.op, _bare(words, assign.value))


def _bare(text: str, like: Token) -> Token:
    return Token((Segment(text, False),), like.column)


_NUMBER: Final = r"\s*([+-]?\d{1,4000}(?:_\d{1,20}){0,20})(?:\.0{1,20})?\s*"


def number_or_text(typed: str) -> int | str:
    """Parses a value: an int for whole numbers such as `+2`, `1_000` or `3.0`, else the text unchanged."""
    found = re.fullmatch(_NUMBER, typed)
    return typed if found is None else int(found[1])


def _check_key(system: System | None, key: str, value: str) -> None:
    """Raises Refused for a key of a sheet that the game lists as a mistyped form of another (`mistaken`).

    Unknown keys would otherwise be recorded as skills of that name.
    """
    meant = system.mistaken.get(normalise(key)) if system else None
    if meant is not None:
        raise Refused(
            f"Did you mean {meant}={value}? There is no key {key}, so it would be a skill of that name"
            f" (skill.{key}={value}). All keys: retold systems {system.name if system else ''} --sheet."
        )


def _option_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    values: dict[str, str] = {}
    sets: list[Setting] = []
    for key, op, value in assigns:
        _only_equals(key.text, op)
        whose = split_person(key.text)
        if whose is None:
            values[key.text] = value.text
        else:
            who = find_person(table, whose[1])
            sets.append(Setting.of({"person": who, "what": whose[0], "op": "=", "value": value.text}))
    return {"values": values, "sets": tuple(sets)}


def _conflict_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    setup: dict[str, Value] = {}
    people: dict[str, int | Words] = {}
    taken: Given = {"setup": setup, "people": people}
    system = _system_meant(table, given)
    forms = system.setup_keys if system else {}
    for key, op, value in assigns:
        _only_equals(key.text, op)
        name = normalise(key.text)
        word, colon, who = value.text.partition(":")
        form = forms.get(name, "")
        if name == "length":
            taken["length"] = parse_title(value.text)
        elif form == "NAME":
            people[name] = find_or_name_person(table, value.text, quoted=value.quoted, sides=True)
        elif colon and ":NAME" in form:
            setup[name] = normalise(word)
            people[name] = find_or_name_person(table, who, quoted=value.quoted, sides=True)
        else:
            setup[name] = number_or_text(value.text)
    return taken


def _system_meant(table: Table, given: Given) -> System | None:
    """Returns the game whose keys a line's `key=value` words use; None for a line that concerns no game."""
    return system_meant(table, SYSTEMS, conflict_addressed(table, given.get("conflict")), given.get("system"))


def _setup_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    for key, op, _ in assigns:
        _only_equals(key.text, op)
    return {"setup": {normalise(key.text): number_or_text(value.text) for key, _, value in assigns}}


def _ruling_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    sets: list[Setting] = []
    taken: Given = {}
    pending = answerable_questions(table)
    here = conflict_addressed(table, given.get("conflict"))
    for key, op, value in assigns:
        who, _, what = key.text.rpartition(".")
        asked = [question for question in pending if normalise(question.name) == normalise(key.text)]
        if op == "=" and asked and not who:
            taken["question"] = asked[0].name
            taken["answer"] = find_answer(table, asked, value.text)
            continue
        target = find_person(table, who) if who else None
        what = normalise(what) if sets_somebody(here, what) else what
        typed = _ruling_value(table, here, what, value.text)
        sets.append(Setting.of({"person": target, "what": what, "op": op, "value": typed}))
    return taken | {"sets": tuple(sets)}


def _ruling_value(table: Table, here: OpenConflict | None, what: str, typed: str) -> int | str:
    """Returns a ruling's typed value as stored: an int or a word, with a person's id in place of the name.

    Examples: `7` for a key that takes a person ("nobody" for `none`), `overwhelming:7` for a word with a
    person.
    """
    if sets_somebody(here, what):
        nobody = normalise(typed) in NOBODY_WORDS and table.called(typed) is None
        return NOBODY if nobody else find_person(table, typed)
    word, colon, who = typed.partition(":")
    if colon and names_somebody(here, what):
        return f"{normalise(word)}:{find_person(table, who)}"
    return number_or_text(typed)


def sets_somebody(here: OpenConflict | None, what: str) -> bool:
    """True if a ruling on key `what` in conflict `here` takes a person as its value, stored by id."""
    return here is not None and normalise(what) in SYSTEMS[here.system].ruled_people


def names_somebody(here: OpenConflict | None, key: str) -> bool:
    """True if a set-up value for `key` may end in a colon and a person, such as `overwhelming:Zel`."""
    return here is not None and ":NAME" in SYSTEMS[here.system].setup_keys.get(normalise(key), "")


def _reflection_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    for key, op, _ in assigns:
        if normalise(key.text) != "by":
            raise Refused("Only who reflects is said with =, as in by=NAME; the rest after a colon.")
        _only_equals(key.text, op)
    return {"by": find_person(table, assigns[-1].value.text)}


def _matter_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    for key, op, _ in assigns:
        if normalise(key.text) != "name":
            raise Refused(f'Only its name is said with =, as in name="{key.text}"; the rest after a colon.')
        _only_equals(key.text, op)
    return {"name": parse_name(assigns[0].value.text)}


def _picture_data(assigns: Sequence[Assign], table: Table, given: Given) -> Given:
    for key, op, value in assigns:
        if normalise(key.text) not in ("alt", "credit"):
            raise Refused(f"A picture has alt= (what it shows) and credit= (who made it), no {key.text}=.")
        _only_equals(key.text, op)
        if not value.text.strip():
            raise Refused(f"{key.text}= is empty: alt= says what the picture shows, credit= who made it.")
    return {normalise(key.text): parse_title(value.text) for key, _, value in assigns}


def _only_equals(key: str, op: str) -> None:
    if op != "=":
        raise Refused(f"{key}{op} belongs to a ruling; here it is {key}=VALUE.")


DataReader = Callable[[Sequence[Assign], Table, Given], Given]

DATA_READERS: Mapping[type[Command], DataReader] = {
    c.Cast: _cast_data,
    c.SetOption: _option_data,
    c.Rule: _ruling_data,
    c.WriteReflection: _reflection_data,
    c.KeepThread: _matter_data,
    c.KeepPlace: _matter_data,
    c.KeepThing: _matter_data,
    **dict.fromkeys((c.ShowImage, c.GiveHandout, c.SetPortrait, c.SetCover), _picture_data),
}
"""Parsers of `key=value` data by command; others use `_conflict_data` or `_setup_data`."""


def data_reader_of(command: type[Command]) -> DataReader:
    """Returns the function that parses `key=value` words for a command class.

    Commands not in `DATA_READERS` get the parser for conflict set-ups if they have a field `people`, else a
    plain one that fills `setup`.
    """
    return DATA_READERS.get(extended(command) or command) or (
        _conflict_data if "people" in command.__struct_fields__ else _setup_data
    )


@cache
def field_accepts(command: type[Command], name: str, wanted: type) -> bool:
    """True if the type of field `name` is `wanted`, or a union that contains it."""
    annotation = types_of(command)[name]
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation is wanted or wanted in get_args(annotation)


@cache
def bind_of_type(command: type[Command], name: str) -> Bind | None:
    """Returns the `Bind` member (person, moment, zone …) of a field; None for plain numbers and titles.

    Raises KeyError for a field that the command class lacks.
    """
    types = types_of(command)
    if name not in types:
        raise KeyError(f"{command.__name__} has no field {name}")
    return next(_marks(types[name]), None)


def _marks(annotation: Any) -> Iterator[Bind]:  # noqa: ANN401 -- typing's own forms have no type
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Bind):
            yield mark
    for part in get_args(annotation):
        yield from _marks(part)


@cache
def takes_several(command: type[Command], name: str) -> bool:
    """True if the field holds a tuple: of values, or of groups of values."""
    return _tuple_depth(types_of(command)[name]) >= 1


@cache
def takes_groups(command: type[Command], name: str) -> bool:
    """True if the field holds a tuple of tuples, such as the sides of a conflict."""
    return _tuple_depth(types_of(command)[name]) > 1


def _tuple_depth(annotation: Any) -> int:  # noqa: ANN401 -- typing's own forms have no type
    origin = getattr(annotation, "__origin__", None)
    deepest = max((_tuple_depth(part) for part in get_args(annotation)), default=0)
    return deepest + 1 if origin is tuple else deepest


_RECORDING_TIME: Final = r"(?a)(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)(?:\.(\d{1,3}))?"


def read_recording_time(typed: str) -> int:
    """Parses a recording time such as `2:31:05` into milliseconds; raises Refused for any other text."""
    found = re.fullmatch(_RECORDING_TIME, typed)
    if found is None:
        raise Refused(f"{typed} is no time in a recording: write 0:12 or 2:31:05.")
    seconds = int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])
    return seconds * 1000 + int((found[4] or "").ljust(3, "0"))


def write_recording_time(milliseconds: int) -> str:
    """Formats milliseconds as `H:MM:SS`, with `.mmm` unless whole; `read_recording_time` parses it."""
    seconds, rest = divmod(milliseconds, 1000)
    whole = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{rest:03}" if rest else whole
