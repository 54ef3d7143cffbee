"""What an event, a command and a question are."""

# Without postponed annotations: pydantic reads those of a base once more for every class made from it, and
# evaluating them from text is a quarter of what making a class costs.

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, NamedTuple, Self, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field

from journal.words import Words

T = TypeVar("T")

LIMIT = 2**53
"""Whole numbers in the record lie within ±2**53, so that every JSON reader sees the same number."""

Whole = Annotated[int, Field(ge=-LIMIT, le=LIMIT, strict=True)]
Id = Annotated[int, Field(ge=0, le=LIMIT, strict=True)]

GM: int = 0
"""The person who sits in the game master's chair, whatever the game calls it; always known."""

NOBODY: str = "nobody"
"""What a ruling says where it would name somebody and means that there is none."""


class Bind(Enum):
    """What a name in a line of the language stands for; the language binds a field by it."""

    PERSON = "somebody in the cast"
    NEWCOMER = "somebody in the cast, or a name not heard before"
    SYSTEM = "a system"
    ANSWER = "an answer to the pending question"
    MOMENT = "a moment of this line"
    DATA = "a word of the game's own, such as a suit or a trait"
    THING = "somebody in the cast, or something else in play: a zone, a border, an aspect"
    TIME = "a time in a recording"
    MATTER = "a thread, a place or a thing that is kept a note of, or a name not heard before"


Person = Annotated[int, Field(ge=0, le=LIMIT, strict=True), Bind.PERSON]
Newcomer = Annotated[int | Words, Bind.NEWCOMER]
Answer = Annotated[int | str, Bind.ANSWER]
Moment = Annotated[int, Field(ge=1, le=LIMIT, strict=True), Bind.MOMENT]
Heard = Annotated[int, Field(ge=0, le=LIMIT, strict=True), Bind.TIME]
"""Milliseconds into a recording of the evening."""
SystemName = Annotated[str, Bind.SYSTEM]
Thing = Annotated[int | str, Bind.THING]
"""Somebody by id, or something by its name; a name that nothing here has stays as it was typed."""
Matter = Annotated[int | Words, Bind.MATTER]
"""A thread, a place or a thing by the position at which it was opened, or the name of a new one."""
Value = Annotated[int | str, Field(union_mode="left_to_right")]


class Frozen(BaseModel):
    """Named fields, each of its type, that never change: what events, commands and their parts are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def of(cls, fields: Mapping[str, object]) -> Self:
        """One with these fields, each of them checked; ValueError where one is not of its type."""
        return cls.model_validate(fields)

    def but(self, changes: Mapping[str, object]) -> Self:
        """The same with other values in some fields, which are not checked here."""
        return self.model_copy(update=changes)


NEEDED: Final = object()
"""Stands for the default of a field that has none."""


@cache
def fields_of(kind: type[Frozen]) -> Mapping[str, object]:
    """The fields of a class in the order in which they are described, each with its default or `NEEDED`."""
    return {
        key: NEEDED if about.is_required() else about.get_default(call_default_factory=True)
        for key, about in kind.model_fields.items()
    }


@cache
def types_of(kind: type[Frozen]) -> Mapping[str, Any]:
    """What each field of a class may hold, as it is annotated."""
    hints = get_type_hints(kind, include_extras=True)
    return {key: hints[key] for key in fields_of(kind)}


def values_of(one: Frozen) -> dict[str, Any]:
    """What each field holds."""
    return dict(one.__dict__)


class Part(Frozen):
    """What a field of an event or of a command is made of, where that is more than one value."""


class Event(Frozen):
    """Something that happened; its `kind` is a promise and never changes again."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    luck: ClassVar[str | None] = None
    """The field that holds what chance decided, if any; each of its values has a provenance."""
    hideable: ClassVar[bool] = False
    """True where an event may be for some eyes only: it changes nothing that all can see."""
    public: ClassVar[frozenset[str]] = frozenset()
    """Of a sealed event, the fields that may be shown: its public face. Empty where nothing is held back."""
    final: ClassVar[str | None] = None
    """Why no undo takes it back or passes it, as a sentence; None where one may."""

    @classmethod
    def face(cls) -> frozenset[str]:
        """The fields that may be shown."""
        return _face(cls)


@cache
def _face(kind: type[Event]) -> frozenset[str]:
    return kind.public or frozenset(fields_of(kind))


class InConflict(Event):
    """What happens in one conflict."""

    conflict: Id


class PersonInConflict(InConflict):
    """What somebody does, or what happens to them, in one conflict."""

    who: Id


class Anywhere(Event):
    """What happens in a conflict or, with None, outside any."""

    conflict: Id | None = None


class PersonAnywhere(Anywhere):
    """What somebody does, or what happens to them, in a conflict or outside any."""

    who: Id


def kinds(module: Mapping[str, object]) -> tuple[type[Event], ...]:
    """The events that a module describes, in the order of the file; of a module, its `vars()`."""
    return tuple(one for one in _of(module, Event) if hasattr(one, "kind"))


class Command(Frozen):
    """A wish, named with the verb the table uses; its docstring is the verb's help."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    verb: ClassVar[str]
    short: ClassVar[tuple[str, ...]] = ()
    form: ClassVar[str]
    example: ClassVar[str]
    version: ClassVar[int] = 1
    mistakes: ClassVar[Mapping[str, str]] = {}
    """Forms that it has not, but somebody may well type, each with the sentence that says why not."""
    manages: ClassVar[bool] = False
    """True for a verb that is about the line itself (undo, branch, …): no system decides it."""
    purpose: ClassVar[bool] = False
    """True where its text says what cards or dice are for, and is no story by itself."""

    conflict: Id | None = None
    """The conflict it speaks to; None means the one last addressed on this line."""

    def with_file(self, _read: Callable[[str], bytes]) -> "Command":
        """The command with what stands in a file that it names, so that the record needs the file no more."""
        return self


def verbs(module: Mapping[str, object]) -> tuple[type[Command], ...]:
    """The commands that a module describes, in the order of the file; what several are built on is none."""
    return tuple(one for one in _of(module, Command) if hasattr(one, "verb"))


def _of(module: Mapping[str, object], sort: type[T]) -> Iterator[type[T]]:
    """The classes of that sort that a module defines itself."""
    for one in module.values():
        if isinstance(one, type) and issubclass(one, sort) and one.__module__ == module["__name__"]:
            yield one


class Question(NamedTuple):
    """Something the table must rule before play goes on."""

    name: str
    asked: str
    answers: tuple[int | str, ...]
    """People by id, or words; empty where any words will do."""
    conflict: int | None
    blocks: bool = True
    """False for a question that may stay open while play goes on."""
    line: str = ""
    """The line that answers it, as a form, where that is no ruling."""
