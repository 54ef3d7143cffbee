"""From a line that has been read to a command: names become people, words become what the game knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args

from pydantic import ValidationError

from cli.language.forms import Reading
from cli.language.lexing import Assign, Lexed
from cli.language.verbs import command_said, form_of
from journal.decks import notation
from journal.decks.chance import Provenance
from journal.names import Unknown, clean, find, fold, nearest
from journal.refused import Refused
from journal.store.campaign import Manner
from journal.store.codec import TABLE
from journal.system import Situation, System
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Bind, Command, Question
from journal.vocabulary.events import Setting
from journal.words import Words

GM_WORDS = ("gm", "game master")
ALMOST = 88
"""How like a known name (of 100) a newcomer's may be before it is asked whether it was meant."""
SHORTEST_LIKE = 4
"""Names shorter than this look alike too often to be asked about."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a line may refer to: the table it is said at, and how a moment is found."""

    table: Table
    moment: Callable[[str], int]
    today: str | None = None
    """The day, for a session that does not name its own; None in a script, which may tell of any day."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A command, and how it is to be recorded."""

    command: Command
    manner: Manner
    check: bool = False
    """True if nothing is to be recorded (--check)."""
    flags: Mapping[str, str | None] = field(default_factory=dict)
    """The flags as typed, for the verbs about the line itself."""


def bind(lexed: Lexed, scope: Scope) -> Bound:
    """The command a line says at this table; Refused with a sentence for what cannot be meant."""
    command = command_said(lexed.verb.text)
    reading = form_of(command).match(lexed, {"system": lambda word: _system(word) is not None})
    binder = _Binder(command, lexed, reading, scope)
    try:
        made = command(**binder.fields())
    except ValidationError as error:
        raise Refused(_unfit(command, error)) from None
    flags = {name: None if token is None else token.text for name, token in lexed.flags.items()}
    return Bound(made, _manner(lexed, made, scope), "check" in flags, flags)


def _unfit(command: type[Command], error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or command.verb
    if first["type"] == "missing":
        wanted = "the results after =" if where == "results" else where
        return f"{command.verb} wants {wanted}. Write it like: {command.example}"
    if first["type"] in ("less_than_equal", "greater_than_equal"):
        return f"{command.verb} takes no such number: {first['input']}. Write it like: {command.example}"
    return f"{command.verb}: {where} is not right ({first['msg']}). Write it like: {command.example}"


def _manner(lexed: Lexed, command: Command, scope: Scope) -> Manner:
    see: str | tuple[int, ...] = TABLE
    if "gm" in lexed.flags:
        see = "gm"
    if (to := _value(lexed, "to")) is not None:
        see = tuple(person(scope.table, name) for name in _names(lexed, "to"))
        if not to:
            raise Refused("--to wants the names of those who may see it.")
    if see != TABLE and not _may_hide(command):
        raise Refused(f"{command.verb} changes what all can see, so it cannot be for some eyes only.")
    by = _value(lexed, "by")
    named = _value(lexed, "provenance")
    try:
        provenance = Provenance(named) if named else Provenance.CALLED
    except ValueError:
        known = ", ".join(Provenance)
        raise Refused(f"--provenance is one of {known}, not {named}.") from None
    return Manner(by=None if by is None else person(scope.table, by), see=see, provenance=provenance)


FIELD_OF_FLAG: Mapping[str, str] = {"for": "comrade"}
"""The flags whose field has another name."""

HIDEABLE = frozenset({c.Narrate, c.Say, c.Note, c.Declare, c.Mark, c.Reveal})
"""The verbs that may be for some eyes only: what they bring about changes nothing that all can see."""


def _may_hide(command: Command) -> bool:
    """False for what all can see: every other verb, an act that is declared, all that is sealed."""
    match command:
        case c.Declare():
            return command.act is None and command.sealed is None
        case c.Reveal():
            return command.at is not None
        case _:
            return type(command) in HIDEABLE


def _value(lexed: Lexed, flag: str) -> str | None:
    token = lexed.flags.get(flag)
    return None if token is None else token.text


def _names(lexed: Lexed, flag: str) -> Sequence[str]:
    token = lexed.flags.get(flag)
    return () if token is None else [part.text for part in token.split("+,")]


# --- names ------------------------------------------------------------------------------------------------


def person(table: Table, typed: str) -> int:
    """The person meant: a whole name anywhere, else a shortened one, in the open conflict before the cast."""
    if fold(typed) in GM_WORDS:
        return GM
    known = table.called(typed)
    if known is not None:
        return known
    names = table.names()
    conflict = table.in_play()
    if conflict is not None:
        try:
            return find(typed, {who: names[who] for who in conflict.people})
        except Unknown:
            pass
    return find(typed, names)


def thing(table: Table, typed: str) -> int | str:
    """The one meant, somebody or something in play by its whole name; else the word as typed.

    People come before things where both answer to a whole name, and are shortened together with them.
    """
    if fold(typed) in GM_WORDS:
        return GM
    known = table.called(typed)
    if known is not None:
        return known
    here = table.in_play()
    things = [name for system in SYSTEMS.values() for name in system.things(table, here)]
    exact = [name for name in things if fold(name) == fold(typed)]
    if exact:
        return exact[0]
    names = table.names()
    for people in (here.people if here else (), names):
        named: dict[int | str, Sequence[str]] = {who: names[who] for who in people}
        named |= {name: (name,) for name in things}
        try:
            return find(typed, named)
        except Unknown:
            continue
    return typed


def newcomer(table: Table, typed: str, *, quoted: bool, sides: bool) -> int | Words:
    """Somebody known, or the name of somebody new; never a guess between the two.

    On a side a known name may be shortened as anywhere; in `cast` it is written whole.
    """
    known = table.called(typed)
    if known is not None or fold(typed) in GM_WORDS:
        return GM if known is None else known
    if quoted:
        return _name(typed)
    try:
        meant = find(typed, table.names())
    except Unknown:
        _check_not_mistyped(table, typed)
        return _name(typed)
    if sides:
        return meant
    name = table.name(meant)
    raise Refused(
        f"“{typed}” may be meant for {name}: write the whole name to change their sheet,"
        f' or quote it to cast somebody new ("{typed}").'
    )


def _name(typed: str) -> Words:
    """A name of somebody, which is more than blanks and dashes."""
    if not fold(typed):
        raise Refused(f"“{typed}” is no name: it needs a letter or a digit.")
    return Words(clean(typed))


def _title(typed: str) -> Words:
    """A title, which is more than blanks."""
    if not typed.strip():
        raise Refused("A title without a word is none.")
    return Words(clean(typed))


def _check_not_mistyped(table: Table, typed: str) -> None:
    from rapidfuzz import fuzz

    folded = fold(typed)
    if len(folded) < SHORTEST_LIKE:
        return
    for names in table.names().values():
        for name in names:
            known = fold(name)
            if _differ_only_in_number(folded, known):
                continue
            if fuzz.ratio(folded, known) >= ALMOST:
                raise Refused(
                    f'Did you mean {name}? If “{typed}” is somebody new, quote the name: "{typed}".'
                )


def _differ_only_in_number(one: str, other: str) -> bool:
    return one != other and one.rstrip("0123456789") == other.rstrip("0123456789")


def _system(typed: str) -> System | None:
    """The system of that name or title; a dot or a blank in it makes no difference."""
    meant = _run_together(typed)
    return next(
        (system for system in SYSTEMS.values() if meant in (system.name, _run_together(system.title))), None
    )


def _run_together(name: str) -> str:
    return fold(name).replace(" ", "").replace("·", "")


# --- fields -----------------------------------------------------------------------------------------------


class _Binder:
    """Fills a command's fields from one reading of a line."""

    def __init__(self, command: type[Command], lexed: Lexed, reading: Reading, scope: Scope) -> None:
        self._command = command
        self._lexed = lexed
        self._reading = reading
        self._scope = scope
        self._table = scope.table

    def fields(self) -> dict[str, Any]:
        """The fields the line gives; those it leaves out are not there."""
        given = {name: self._slot(name) for name in self._reading.slots}
        given |= self._common()
        if self._reading.assigns:
            given |= _data_of(self._command)(self._reading.assigns, self._scope, given)
        if "act" in given and self._seals(given):
            given["sealed"] = True
        return given

    def _seals(self, given: Mapping[str, Any]) -> bool:
        """True where an act is sealed without a word of it, as this table has chosen."""
        here = spoken_to(self._table, given.get("conflict"))
        return here is not None and SYSTEMS[here.system].seals(self._table)

    def _common(self) -> dict[str, Any]:
        fields = self._command.model_fields
        given: dict[str, Any] = {}
        if self._lexed.text is not None and "text" in fields:
            given["text"] = Words(clean(self._lexed.text))
        if self._lexed.results is not None:
            given["results"] = notation.results(self._lexed.results)
        if (conflict := _value(self._lexed, "in")) is not None:
            given["conflict"] = self._conflict(conflict)
        given |= self._flags(fields)
        if self._command is c.OpenSession and "date" not in given and self._scope.today:
            given["date"] = self._scope.today
        return given

    def _flags(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for flag in self._lexed.flags:
            if flag == "at":
                if "at" not in fields or "at" in self._reading.slots:
                    raise Refused(f"{self._command.verb} takes no --at: it is about now.")
                given["at"] = self._scope.moment(_value(self._lexed, "at") or "")
            elif flag == "absent":
                given["absent"] = tuple(person(self._table, name) for name in _names(self._lexed, "absent"))
            elif (name := FIELD_OF_FLAG.get(flag, flag)) in fields:
                given[name] = self._flag(flag, name)
        return given

    def _flag(self, flag: str, name: str) -> Any:  # noqa: ANN401 -- as many types as fields have
        token = self._lexed.flags[flag]
        return True if token is None else self._one(name, token.text, quoted=token.quoted)

    def _conflict(self, typed: str) -> int:
        named = {
            conflict.id: (conflict.title.text,)
            for conflict in self._table.conflicts.values()
            if conflict.title is not None and conflict.title.text is not None
        }
        if typed.isdecimal() and int(typed) in self._table.conflicts:
            return int(typed)
        return find(typed, named)

    def _slot(self, name: str) -> Any:  # noqa: ANN401 -- as many types as fields have
        kind = bind_of_type(self._command, name)
        groups = self._reading.slots[name]
        if _nested(self._command, name):
            return tuple(
                tuple(self._one(name, token.text, quoted=token.quoted) for token in group) for group in groups
            )
        if _many(self._command, name):
            return tuple(
                self._one(name, token.text, quoted=token.quoted) for group in groups for token in group
            )
        if kind is Bind.ANSWER:
            return self._answer(self._reading.phrase(name) or "")
        if len(groups[0]) > 1:
            return self._one(name, self._reading.phrase(name) or "", quoted=False)
        return self._one(name, groups[0][0].text, quoted=groups[0][0].quoted)

    def _one(self, name: str, typed: str, *, quoted: bool) -> Any:  # noqa: ANN401 -- as many types as fields
        match bind_of_type(self._command, name):
            case Bind.PERSON | Bind.THING as bind:
                return (person if bind is Bind.PERSON else thing)(self._table, typed)
            case Bind.NEWCOMER:
                sides = self._command is not c.Cast
                return newcomer(self._table, typed, quoted=quoted, sides=sides)
            case Bind.SYSTEM:
                system = _system(typed)
                if system is None:
                    raise Unknown(typed, nearest(typed, SYSTEMS))
                return system.name
            case Bind.MOMENT:
                return self._scope.moment(typed)
            case Bind.DATA:
                return typed
            case _:
                return _title(typed) if _holds(self._command, name, Words) else _number_or_word(typed)

    def _answer(self, typed: str) -> int | str:
        return answer_meant(self._table, questions(self._table), typed)


def spoken_to(table: Table, conflict: int | None) -> OpenConflict | None:
    """The conflict a line speaks to: the one it names, else the one last addressed."""
    return table.in_play() if conflict is None else table.conflicts.get(conflict)


def questions(table: Table) -> tuple[Question, ...]:
    """Everything pending at this table."""
    from journal.decks.chance import Luck, SystemDealer

    return Situation(table, Luck(SystemDealer()), SYSTEMS).questions()


def answer_meant(table: Table, pending: Sequence[Question], typed: str) -> int | str:
    """The answer meant among those allowed; words as they are where a question takes any."""
    allowed = [answer for question in pending for answer in question.answers]
    if not allowed:
        return typed
    free = any(not question.answers for question in pending)
    names = table.names()
    known: dict[int | str, tuple[str, ...]] = {
        answer: names[answer] if isinstance(answer, int) else (answer,) for answer in allowed
    }
    try:
        return find(typed, known)
    except Unknown:
        if free:
            return typed
        raise


def _number_or_word(typed: str) -> int | str:
    return int(typed) if typed.removeprefix("+").removeprefix("-").isdecimal() else typed


@cache
def _holds(command: type[Command], name: str, wanted: type) -> bool:
    """True if that field's type is `wanted`, or may be."""
    annotation = command.model_fields[name].annotation
    return annotation is wanted or wanted in get_args(annotation)


@cache
def bind_of_type(command: type[Command], name: str) -> Bind | None:
    """What a name in that field stands for; None for a number or a title."""
    info = command.model_fields.get(name)
    if info is None:
        raise KeyError(f"{command.__name__} has no field {name}")
    marks = [mark for mark in info.metadata if isinstance(mark, Bind)]
    return marks[0] if marks else next(_marks(info.annotation), None)


def _marks(annotation: Any) -> Iterator[Bind]:  # noqa: ANN401 -- typing's own forms have no type
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Bind):
            yield mark
    for part in get_args(annotation):
        yield from _marks(part)


@cache
def _many(command: type[Command], name: str) -> bool:
    return _tuple_depth(command.model_fields[name].annotation) >= 1


@cache
def _nested(command: type[Command], name: str) -> bool:
    return _tuple_depth(command.model_fields[name].annotation) > 1


def _tuple_depth(annotation: Any) -> int:  # noqa: ANN401 -- typing's own forms have no type
    origin = getattr(annotation, "__origin__", None)
    deepest = max((_tuple_depth(part) for part in get_args(annotation)), default=0)
    return deepest + 1 if origin is tuple else deepest


# --- the game's data --------------------------------------------------------------------------------------

Given = dict[str, Any]


def _cast_data(assigns: Sequence[Assign], scope: Scope, given: Given) -> Given:
    values: dict[str, str | None] = {}
    people: dict[str, int | Words] = {}
    taken: Given = {}
    person_keys = {key for system in SYSTEMS.values() for key in system.person_keys}
    for key, op, value in assigns:
        _only_equals(key.text, op)
        name = fold(key.text)
        if name in ("name", "alias"):
            taken[name] = _name(value.text)
        elif name == "by":
            taken["by"] = newcomer(scope.table, value.text, quoted=value.quoted, sides=True)
        elif name in person_keys:
            people[name] = newcomer(scope.table, value.text, quoted=value.quoted, sides=True)
        else:
            values[key.text] = value.text if value.text != "none" else None
    del given
    return taken | {"values": values, "people": people}


def _option_data(assigns: Sequence[Assign], scope: Scope, given: Given) -> Given:
    del scope, given
    for key, op, _ in assigns:
        _only_equals(key.text, op)
    return {"values": {key.text: value.text for key, _, value in assigns}}


def _conflict_data(assigns: Sequence[Assign], scope: Scope, given: Given) -> Given:
    setup: dict[str, str] = {}
    people: dict[str, int | Words] = {}
    taken: Given = {"setup": setup, "people": people}
    del given
    for key, op, value in assigns:
        _only_equals(key.text, op)
        name = fold(key.text)
        word, colon, who = value.text.partition(":")
        form = PLACES.get(name, "")
        if name == "length":
            taken["length"] = _title(value.text)
        elif form == "NAME":
            people[name] = newcomer(scope.table, value.text, quoted=value.quoted, sides=True)
        elif colon and ":NAME" in form:
            setup[name] = fold(word)
            people[name] = newcomer(scope.table, who, quoted=value.quoted, sides=True)
        else:
            setup[name] = value.text
    return taken


PLACES: Mapping[str, str] = {
    key: form for system in SYSTEMS.values() for key, form in system.setup_keys.items()
}
"""The keys of every system's conflicts, with their forms: NAME is somebody, as is what follows `:NAME`."""


def _setup_data(assigns: Sequence[Assign], scope: Scope, given: Given) -> Given:
    del scope, given
    for key, op, _ in assigns:
        _only_equals(key.text, op)
    return {"setup": {fold(key.text): value.text for key, _, value in assigns}}


def _ruling_data(assigns: Sequence[Assign], scope: Scope, given: Given) -> Given:
    sets: list[Setting] = []
    taken: Given = {}
    pending = questions(scope.table)
    here = spoken_to(scope.table, given.get("conflict"))
    for key, op, value in assigns:
        who, _, what = key.text.rpartition(".")
        asked = [question for question in pending if fold(question.name) == fold(key.text)]
        if op == "=" and asked and not who:
            taken["question"] = asked[0].name
            taken["answer"] = answer_meant(scope.table, asked, value.text)
            continue
        target = person(scope.table, who) if who else None
        what = fold(what) if sets_somebody(here, what) else what
        typed = _ruled(scope.table, here, what, value.text)
        sets.append(Setting.model_validate({"person": target, "what": what, "op": op, "value": typed}))
    return taken | {"sets": tuple(sets)}


def _ruled(table: Table, here: OpenConflict | None, what: str, typed: str) -> int | str:
    """A ruling's value: a number, or a word; somebody named in it by id (`7`, `overwhelming:7`)."""
    if sets_somebody(here, what):
        return person(table, typed)
    word, colon, who = typed.partition(":")
    if colon and names_somebody(what):
        return f"{fold(word)}:{person(table, who)}"
    return int(typed) if typed.lstrip("-").isdecimal() else typed


def sets_somebody(here: OpenConflict | None, what: str) -> bool:
    """True where a ruling that sets `what` in this conflict says somebody, who is kept by id."""
    return here is not None and fold(what) in SYSTEMS[here.system].ruled_people


def names_somebody(key: str) -> bool:
    """True for a key whose value may name somebody after a colon."""
    return ":NAME" in PLACES.get(fold(key), "")


def _only_equals(key: str, op: str) -> None:
    if op != "=":
        raise Refused(f"{key}{op} belongs to a ruling; here it is {key}=VALUE.")


Reader = Callable[[Sequence[Assign], Scope, Given], Given]

DATA: Mapping[type[Command], Reader] = {
    c.Cast: _cast_data,
    c.SetOption: _option_data,
    c.Rule: _ruling_data,
}
"""How each verb that takes key=value in its own way reads it."""


def _data_of(command: type[Command]) -> Reader:
    """How a verb reads its data: as a conflict's set-up with people in it, unless it has a way of its own."""
    return DATA.get(command) or (_conflict_data if "people" in command.model_fields else _setup_data)
