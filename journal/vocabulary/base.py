"""Base classes of events, commands, their parts and questions, with type checks of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from enum import Enum
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    dataclass_transform,
)

from msgspec import NODEFAULT, Meta, Struct, StructMeta, convert, field
from msgspec import ValidationError as _NotOfItsType
from msgspec.structs import FieldInfo, asdict, force_setattr, replace
from msgspec.structs import fields as _fields_described

REFERENCE: Final = "~"
"""Key of a reference to words in a stored body: `{"~": 0}` is the first text."""

REDACTED: Final = "[redacted]"
"""Placeholder for redacted words."""


def _redacted_text(_reference: Any) -> None:  # noqa: ANN401 -- an index, or that of an event of the act before it
    """Returns None as the text for any reference; used while redacted texts are decoded."""


TEXTS: ContextVar[Callable[[Any], str | None]] = ContextVar("TEXTS", default=_redacted_text)
"""Function that resolves references to words, set while a stored body is decoded."""

if TYPE_CHECKING:
    _Text: TypeAlias = str | None
else:
    # In a stored body the text is a reference to words.
    _Text = int | tuple[int, ...]


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Free text as typed, names included; `text` is None once it has been redacted.

    A stored event's body holds a reference to the text and commits to it by a hash (`docs/record.md`, Words),
    so the text can be erased later without breaking the hash chain.
    """

    text: _Text = field(name=REFERENCE)

    def __post_init__(self) -> None:
        """Replaces a reference, as read from a stored event, by its text."""
        reference: object = self.text
        if type(reference) is int or type(reference) is tuple:
            force_setattr(self, "text", TEXTS.get()(reference))

    def __str__(self) -> str:
        return REDACTED if self.text is None else self.text

    def __repr__(self) -> str:
        return f"Words({self.text!r})"


YET_TO_FIND = Words("…")
"""Placeholder for words the user has yet to type."""


# Annotations are evaluated eagerly: postponed ones would be evaluated again for every subclass.


T = TypeVar("T")
F = TypeVar("F", bound="Frozen")
M = TypeVar("M", bound="_Shape")

LIMIT = 2**53
"""Whole numbers in the record lie within ±2**53, so that every JSON reader sees the same number."""

Whole = Annotated[int, Meta(ge=-LIMIT, le=LIMIT)]
Id = Annotated[int, Meta(ge=0, le=LIMIT)]

GM: int = 0
"""Id of the game master, whatever the game calls them; always in the cast."""

NOBODY: str = "nobody"
"""Word for no person, as the value of a ruling."""


class Bind(Enum):
    """Meaning of a typed name, as the annotation of the command field that takes it.

    Example: a field of type `Person` has `Bind.PERSON`, so a typed `Zel` becomes the person's id.
    """

    PERSON = "a person in the cast"
    NEWCOMER = "a person in the cast, or a name not heard before"
    SYSTEM = "a system"
    ANSWER = "an answer to the pending question"
    MOMENT = "a moment of this line"
    DATA = "a word of the game's own, such as a suit or a trait"
    THING = "a person in the cast, or something else in play: a zone, a border, an aspect"
    ZONE = "a zone or a border of the map, or the name of a new one"
    KNOWN_THING = "a person in the cast, something else in play, or in quotes a thing not heard before"
    TIME = "a time in a recording"
    CLOCK = "a clock, or the name of a new one"
    MATTER = "a thread, a place or a thing that is kept a note of, or a name not heard before"


Person = Annotated[int, Meta(ge=0, le=LIMIT), Bind.PERSON]
Newcomer = Annotated[int | Words, Bind.NEWCOMER]
Answer = Annotated[int | str, Bind.ANSWER]
Moment = Annotated[int, Meta(ge=1, le=LIMIT), Bind.MOMENT]
Heard = Annotated[int, Meta(ge=0, le=LIMIT), Bind.TIME]
"""Milliseconds into a recording of the evening."""
SystemName = Annotated[str, Bind.SYSTEM]
Thing = Annotated[int | str, Bind.THING]
"""Person by id, or thing by name; an unknown name stays as typed."""
KnownThing = Annotated[int | str, Bind.KNOWN_THING]
"""As `Thing`, but an unknown name must be quoted to mean a new thing."""
ZoneName = Annotated[str, Bind.ZONE]
ClockName = Annotated[Words, Bind.CLOCK]
Matter = Annotated[int | Words, Bind.MATTER]
"""Thread, place or thing by the position that opened it, or the name of a new one."""
Value = int | str


class InvalidShape(ValueError):  # noqa: N818 -- named for the mistake itself
    """Error: a value does not fit the type of a field of an event or command."""

    def __init__(self, field: str, why: str, value: object = None, *, missing: bool = False) -> None:
        """Stores the first invalid `field`, the reason, and the rejected value.

        `missing` if there was none.
        """
        super().__init__(f"{field}: {why}")
        self.field = field
        self.why = why
        self.value = value
        self.missing = missing

    @property
    def too_large(self) -> bool:
        """True if the rejected value holds a whole number outside ±2**53."""
        return any(abs(number) > LIMIT for number in numbers_in(self.value))


def numbers_in(value: object) -> Iterator[int]:
    """Yields each whole number in a value, event or part, nested ones included.

    The number in a deck's name, which is its owner's id, counts too.
    """
    if isinstance(value, int):
        yield value
    elif isinstance(value, Frozen):
        value = values_of(value)
        owner = str(value.get("deck")).rpartition(":")[2]
        if owner.isascii() and owner.isdecimal():
            yield int(owner)
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        for item in value:
            yield from numbers_in(item)


class _Shape(StructMeta):
    """Metaclass of events, commands and parts: fields are keyword-only, unknown fields are rejected."""

    def __new__(  # noqa: PYI019 -- a metaclass may not say Self
        cls: type[M], name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, frozen: bool = True
    ) -> M:
        return super().__new__(
            cls, name, bases, namespace, kw_only=True, frozen=frozen, forbid_unknown_fields=True
        )


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, metaclass=_Shape, frozen=True):
    """Immutable record with typed fields: base of events, commands and the parts of both.

    The constructor trusts its arguments, as that of any Python class; `of` checks each field. Nothing is
    stored unchecked.
    """

    @classmethod
    def of(cls, fields: Mapping[str, object]) -> Self:
        """Creates an instance from field values by name, each checked.

        Raises InvalidShape for an ill-typed value.
        """
        try:
            return convert(fields, cls)
        except _NotOfItsType as error:
            raise _first_misfit(cls, fields, str(error)) from None

    def but(self, changes: Mapping[str, object]) -> Self:
        """Returns a copy with the fields in `changes` replaced, unchecked."""
        return replace(self, **changes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Makes pickle restore the record by `_unpickle`, a function that snapshots are allowed to load."""
        return _unpickle, (type(self), asdict(self))


def _unpickle(kind: type[F], fields: dict[str, Any]) -> F:
    return kind(**fields)


def _first_misfit(kind: type[Frozen], fields: Mapping[str, object], why: str) -> InvalidShape:
    """Returns the error for the first field, in order of declaration, whose value is missing or ill-typed."""
    types = types_of(kind)
    for key, default in fields_of(kind).items():
        if key not in fields:
            if default is NEEDED:
                return InvalidShape(key, "it is missing", missing=True)
            continue
        try:
            convert(fields[key], types[key])
        except _NotOfItsType as error:
            return InvalidShape(key, str(error), fields[key])
    return InvalidShape(next((key for key in fields if key not in types), kind.__name__), why)


NEEDED: Final = object()
"""Stand-in for the default of a required field."""


@cache
def _fields(kind: type[Frozen]) -> tuple[FieldInfo, ...]:
    return _fields_described(kind)


@cache
def fields_of(kind: type[Frozen]) -> Mapping[str, object]:
    """Maps each field name of the class to its default, or to `NEEDED`, in order of declaration."""
    return {info.name: NEEDED if info.required else _default(info) for info in _fields(kind)}


def _default(info: FieldInfo) -> object:
    return info.default if info.default_factory is NODEFAULT else info.default_factory()


@cache
def types_of(kind: type[Frozen]) -> Mapping[str, Any]:
    """Maps each field name of the class to its annotated type."""
    return {info.name: info.type for info in _fields(kind)}


def values_of(frozen: Frozen) -> dict[str, Any]:
    """Maps each field name of an event, command or part to its value."""
    return asdict(frozen)


def validated(frozen: F) -> F:
    """Returns a copy whose fields were all checked; raises InvalidShape for an ill-typed value."""
    return type(frozen).of(asdict(frozen))


class Part(Frozen):
    """Record used as a field's value in events or commands, such as `Setting` in a ruling."""


class Event(Frozen):
    """Recorded fact, in the past tense; `kind` is its stored name, which never changes."""

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    luck: ClassVar[str | None] = None
    """Field with random results, if any; each of its values has a provenance."""
    file_field: ClassVar[str | None] = None
    """Field with bytes as text, such as a picture's: not to be read or searched."""
    only_words: ClassVar[bool] = False
    """True for speech and notes: they change no shared state, so any of them may be hidden."""
    hideable: ClassVar[bool] = False
    """True for an event that may be hidden although it changes the table: a person, a clock, a roll."""
    leaves_out: ClassVar[frozenset[str]] = frozenset()
    """Fields from which people unknown to a viewer are removed.

    An event with an unknown person in any other field is hidden from that viewer.
    """
    closing: ClassVar[bool] = False
    """True if the event ends a turn or a conflict, so that a line typed twice by mistake is asked about."""
    later: ClassVar[frozenset[str]] = frozenset()
    """Fields absent from older records; None in a record is no difference to its replay."""
    about_people: ClassVar[str | None] = None
    """Field of `leaves_out` with the event's main people: viewers who know none of them do not see it."""
    sheet_of: ClassVar[str | None] = None
    """Field with the person whose sheet numbers the event holds; it is as secret as that sheet."""
    public: ClassVar[frozenset[str]] = frozenset()
    """Fields of a sealed event that may be shown. Empty for an event without sealed fields."""
    final: ClassVar[str | None] = None
    """Sentence why undo cannot reach or pass the event; None if it can."""

    @classmethod
    def face(cls) -> frozenset[str]:
        """Returns the names of public fields: all, except in a sealed event."""
        return _face(cls)

    def shown(self) -> Self:
        """Returns the event with its sealed fields emptied; other events unchanged."""
        face = self.face()
        sealed = {key: Words(None) for key, value in values_of(self).items() if key not in face and value}
        return self.but(sealed) if sealed else self

    @property
    def continues(self) -> bool:
        """True if the event replaces an earlier value of the same subject, which its field `was` holds."""
        return getattr(self, "was", None) is not None

    def subjects(self) -> tuple[str, ...]:
        """Returns keys of the secrets, such as `person 7`, that decide who may see the event, its own first.

        By default that of the sheet whose numbers the event holds; empty if it holds none.
        """
        who = None if self.sheet_of is None else getattr(self, self.sheet_of)
        return (sheet_subject(self.kind.partition(".")[0], who),) if isinstance(who, int) else ()


def sheet_subject(system: str, person: int) -> str:
    """Returns the key of a person's sheet among the secrets: `sheet bruise 7`."""
    return f"sheet {system} {person}"


def person_subject(person: int) -> str:
    """Returns the key of a person among the secrets: `person 7`."""
    return f"person {person}"


@cache
def _face(kind: type[Event]) -> frozenset[str]:
    return kind.public or frozenset(kind.__struct_fields__)


class InConflict(Event):
    """Base class of events in one conflict."""

    conflict: Id


class PersonInConflict(InConflict):
    """Base class of events about one person (`who`) in one conflict."""

    who: Id


class Anywhere(Event):
    """Base class of events in a conflict or, with `conflict` None, outside conflicts."""

    conflict: Id | None = None


class PersonAnywhere(Anywhere):
    """Base class of events about one person (`who`), in a conflict or outside conflicts."""

    who: Id


def stored_name(kind: type[Event], version: int) -> str:
    """Returns the stored name of a version of an event class: `table.said`, and from 2 on `table.said@2`."""
    return kind.kind if version == 1 else f"{kind.kind}@{version}"


def kinds(module: Mapping[str, object]) -> tuple[type[Event], ...]:
    """Returns the event classes with a `kind` that a module defines, in file order.

    `module` is its `vars()`.
    """
    return tuple(event for event in _defined_in(module, Event) if hasattr(event, "kind"))


class Command(Frozen):
    """Base of commands: requests that users type, named after their verb.

    A command class's docstring is the help of its verb.
    """

    verb: ClassVar[str]
    short: ClassVar[tuple[str, ...]] = ()
    form: ClassVar[str]
    example: ClassVar[str]
    more_examples: ClassVar[tuple[str, ...]] = ()
    """Examples that help shows below `example`."""
    version: ClassVar[int] = 1
    mistakes: ClassVar[Mapping[str, str]] = {}
    """Forms of common mistakes, each with the sentence that explains it.

    `{slot}` in a sentence is replaced by the words that fill that slot.
    """
    manages: ClassVar[bool] = False
    """True for a verb about the line itself (undo, branch, …), which no system decides."""
    acting: ClassVar[bool] = False
    """True for a verb by which a character acts: said openly, it shows a secret character to all."""
    hideable: ClassVar[bool] = False
    """True for a verb that takes `--gm` and `--to`."""
    asks: ClassVar[bool] = False
    """True for a verb that asks how much there is if its value is left out: `track Thia hp`."""
    purpose: ClassVar[bool] = False
    """True if its text explains cards or dice and is not part of the story."""

    conflict: Id | None = None
    """Conflict addressed; None means the one last addressed on this line."""

    further: ClassVar[Mapping[str, str]] = {}
    """Repeatable slots, each with the field for further values after the first."""

    @classmethod
    def from_version(cls, _version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Returns the fields of a command recorded under an older version, converted to today's fields."""
        return fields

    def sayings(self) -> Iterator[Self]:
        """Yields the commands that an old, ambiguous record may have meant, the plainest first.

        The base class yields none.
        """
        yield from ()

    def with_file(self, _read: Callable[[str], bytes]) -> Command:
        """Returns the command with the contents of files that it names, read by `_read`.

        Unchanged by default.
        """
        return self

    def as_recorded(self, _events: Sequence[Event]) -> Command:
        """Returns the command with names resolved as its recorded events show, to decide it again.

        Unchanged by default.
        """
        return self


class OfSeveral(Command):
    """Base of commands for several people joined with `+` (`roll Zel+Dov 2d6`), decided person by person.

    The field `also` holds the people named after the first.
    """

    several: ClassVar[str] = "who"
    """Field of the first person named."""
    further: ClassVar[Mapping[str, str]] = {"who": "also"}
    totals_alone: ClassVar[bool] = False
    """True if each person has at most one total, so that a single `total` covers several."""

    def named(self) -> tuple[int | Words | None, ...]:
        """Returns the people named on the line in order: ids, or `Words` for newcomers."""
        first, also = getattr(self, self.several), getattr(self, "also")  # noqa: B009 -- only some classes
        return (first, *also)

    def each(self) -> tuple[Self, ...]:
        """Returns one command per person named, in order; only the first keeps the text."""
        alone = self.but({"also": ()})
        return (alone, *(alone.but({self.several: who, "text": None}) for who in self.named()[1:]))


class OfPeople(OfSeveral):
    """Base of commands for several people of the cast joined with `+`."""

    also: tuple[Person, ...] = ()


def verbs(module: Mapping[str, object]) -> tuple[type[Command], ...]:
    """Returns the command classes with a `verb` that a module defines, in file order.

    `module` is its `vars()`.
    """
    return tuple(command for command in _defined_in(module, Command) if hasattr(command, "verb"))


def _defined_in(module: Mapping[str, object], sort: type[T]) -> Iterator[type[T]]:
    """Yields subclasses of `sort` that the module defines itself rather than imports."""
    for member in module.values():
        if isinstance(member, type) and issubclass(member, sort) and member.__module__ == module["__name__"]:
            yield member


class Question(NamedTuple):
    """Question of the rules for the table, answered by a ruling or another verb.

    Play waits for the answer if `blocks`. `name` is its key on a line, `asked` its sentence, `conflict` the
    conflict that it concerns.
    """

    name: str
    asked: str
    answers: tuple[int | str, ...]
    """Allowed answers: people by id, or words; empty if any words will do."""
    conflict: int | None
    blocks: bool = True
    """False for a question that may stay open while play goes on."""
    line: str = ""
    """Form of the line that answers it, if another verb than `ruling` does."""
