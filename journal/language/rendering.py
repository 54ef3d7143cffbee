"""Writes a recorded command as a typed line in today's syntax, for the log and `dump --script`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from retold.journal.decks.chance import Provenance
from retold.journal.grammar import FORMS, NONE
from retold.journal.language.binding import default_audience, is_hideable
from retold.journal.language.command_values import (
    bind_of_type,
    names_somebody,
    sets_somebody,
    write_recording_time,
)
from retold.journal.language.form_parts import Choice, Many, Maybe, Part, Series, Slot, Word, slots_of
from retold.journal.language.forms import Form
from retold.journal.language.lexing import FLAGS
from retold.journal.language.naming import THINGS, conflict_addressed, find_or_name_person
from retold.journal.language.shorthand import shorthands
from retold.journal.language.tokens import JOINED, MOMENTS, SIGNED
from retold.journal.language.verbs import commands_said, form_of, game_of
from retold.journal.language.writing import (
    is_sentence,
    quote_name,
    write_assign,
    write_key,
    write_line,
    write_names,
    write_phrase,
    write_value,
    write_word,
)
from retold.journal.names import normalise
from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.events.codec import UnknownEvent
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.replaying import audience_of_act, stored_command
from retold.journal.table import OpenConflict, Table, placeholder_matter_name, placeholder_name
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Bind, Command, Words
from retold.journal.vocabulary.commands import extended
from retold.journal.vocabulary.events import AliasGiven, LineShown, Renamed, Setting
from retold.journal.vocabulary.sealing import DeclareSealed, Meant, unseal


def line_of(act: Act, table: Table) -> str:
    """Returns the typed line of an act; names of its event kinds if the act has no command.

    `table` resolves ids to names. The text of a sealed declaration and the bytes of a picture are left out;
    `render` writes them.
    """
    command = stored_command(act, table)
    if command is None:
        return ", ".join(
            stored.event.kind if isinstance(stored.event, UnknownEvent) else type(stored.event).__name__
            for stored in act.events
        )
    if isinstance(command, DeclareSealed) and command.sealed is not None:
        command = command.but({"sealed": Words("")})
    if isinstance(command, c.PictureCommand):
        command = command.but({"file": Words("…")})
    return render(command, table, act)


def render(command: Command, table: Table, act: Act | None = None) -> str:
    """Returns a command as a typed line; `act` adds its audience, author and provenance as flags.

    `table` resolves ids to names. The text of a sealed (secret) declaration is written out. Raises Refused
    for a command that no line can hold.
    """
    sealed = getattr(command, "sealed", None) is not None
    command = _unsealed(command if act is None else _with_placeholders(command, act))
    writer = _Line.of(command, table, form_of(type(command)))
    flags = writer.flags()
    if sealed:
        flags["sealed"] = None
    if act is not None:
        flags |= _manner(act, table, command)
    results = getattr(command, "results", None)
    if not results:
        flags.pop("provenance", None)
    text = getattr(command, "text", None)
    return write_line(
        _word_for(type(command), table, conflict_addressed(table, command.conflict)),
        [*writer.head(), *writer.assigns()],
        results=results,
        text=None if text is None else str(text),
        flags=flags,
    )


def _word_for(command: type[Command], table: Table, conflict: OpenConflict | None) -> str:
    """Returns the command's verb, as `GAME.VERB` (`lanterns.mend`) if the verb alone is ambiguous here."""
    is_plain = normalise(command.verb) not in shorthands(table, conflict)
    if command in c.SHARED or (is_plain and commands_said(command.verb, table, conflict) == (command,)):
        return command.verb
    game = game_of(command)
    if game is None or (conflict is None and extended(command) is not None and command not in game.anytime):
        return command.verb
    return f"{game.name}.{command.verb}"


def _unsealed(command: Command) -> Command:
    """Returns a sealed declaration with its act, target and text readable; other commands unchanged.

    A redacted text reads `[redacted]`.
    """
    if not isinstance(command, DeclareSealed) or command.sealed is None:
        return command
    meant = unseal(command.sealed) or Meant("other", text=command.sealed)
    return command.but({"act": meant.act or None, "target": meant.target, "text": meant.text, "sealed": None})


def _with_placeholders(command: Command, act: Act) -> Command:
    """Returns the command with a distinct placeholder for each redacted name: `redacted-7` for a mark."""
    if isinstance(command, c.Mark) and command.name == Words(None):
        return command.but({"name": Words(f"redacted-{act.first}")})
    if isinstance(command, c.KeepNote):
        opened = command.what if isinstance(command.what, int) else act.first
        lost = [key for key in ("name", "what") if getattr(command, key) == Words(None)]
        return command.but(dict.fromkeys(lost, Words(placeholder_matter_name(opened))))
    if not isinstance(command, c.Cast):
        return command
    person = next(
        (stored.event.person for stored in act.events if isinstance(stored.event, Renamed | AliasGiven)), 0
    )
    names = {"name": placeholder_name(person), "alias": f"{placeholder_name(person)}, also"}
    gone = {key: Words(name) for key, name in names.items() if getattr(command, key) == Words(None)}
    if command.pronouns == Words(None):
        gone["pronouns"] = Words(NONE)
    forms = {case: Words(NONE) if form.text is None else form for case, form in command.forms.items()}
    return command.but({**gone, "forms": forms})


def _manner(act: Act, table: Table, command: Command) -> dict[str, str | None]:
    """Returns the flags for audience, author and provenance of an act; a default audience has no flag."""
    envelope, visible_to = act.events[0].envelope, audience_of_act(act)
    flags: dict[str, str | None] = {}
    if isinstance(command, c.Branch):
        shown = next((stored.event for stored in act.events if isinstance(stored.event, LineShown)), None)
        visible_to = "gm" if shown is None else TABLE if shown.to is None else shown.to
    if is_hideable(command) and visible_to != default_audience(command):
        flags |= _audience_flags(visible_to, table)
    if envelope.by is not None:
        flags["by"] = quote_name(table.name(envelope.by))
    if envelope.when is not None:
        flags["when"] = envelope.when
    lucks = [luck for stored in act.events for luck in stored.envelope.luck]
    if lucks and lucks[0] is not Provenance.CALLED:
        flags["provenance"] = lucks[0].value
    return flags


def _audience_flags(see: str | tuple[int, ...], table: Table) -> dict[str, str | None]:
    if isinstance(see, tuple):
        return {"to": ",".join(quote_name(table.name(who)) for who in see)}
    return {"gm": None} if see == "gm" else {"to": TABLE}


_CREATING: Final = frozenset({*THINGS, Bind.NEWCOMER, Bind.MATTER})
_WRITERS: Final[Mapping[str, Callable[[str], str]]] = {
    "PHRASE": write_phrase,
    "DICE": str,
    SIGNED: lambda number: f"{int(number):+}",
}
"""Writers by token class, default `write_word`. Dice are written as they are, whatever signs they have."""


_WORDED: Final[Mapping[type[Command], tuple[str, ...]]] = {
    c.Cast: ("name", "alias", "opens", "pronouns"),
    c.KeepNote: ("name",),
    c.PictureCommand: ("alt", "credit"),
}
"""Fields that a line has as `key="words"`."""


class _Line(Struct, frozen=True):
    """Writer that turns one command into the words of a typed line."""

    command: Command
    table: Table
    form: Form
    slots: Mapping[str, str]
    """Slots of the form, each with its token class."""

    @classmethod
    def of(cls, command: Command, table: Table, form: Form) -> _Line:
        """Creates a writer that turns a command into a typed line of this form."""
        return cls(command, table, form, slots_of(form.part))

    def head(self) -> list[str]:
        """Returns the words between the verb and the `key=value` words.

        Raises Refused if the form cannot hold them.
        """
        emitted = _emit(self.form.part, {name: deque(self._slot(name)) for name in self.slots})
        if emitted is None:
            raise Refused(f"This {self.command.verb} cannot be written as a line.")
        return emitted

    def _slot(self, name: str) -> Iterator[str]:
        value = getattr(self.command, name, None)
        further = getattr(self.command, self.command.further.get(name, ""), ())
        if further:
            value = (value, *further)
        if name == "answer" and getattr(self.command, "question", None):
            return
        if value is None or value == () or (name == "system" and self._omits_system()):
            return
        kind = self.slots[name]
        if isinstance(value, tuple):
            yield from self._several(name, kind, value)
        else:
            yield self._one(name, kind, value)

    def _omits_system(self) -> bool:
        """True if a `cast` line must omit the game's name, with which it would introduce a second person."""
        command, here = self.command, conflict_addressed(self.table, self.command.conflict)
        return (
            isinstance(command, c.Cast)
            and here is not None
            and here.system == command.system
            and command.who in here.people
        )

    def _several(self, name: str, kind: str, value: tuple[Any, ...]) -> Iterator[str]:
        if value and isinstance(value[0], tuple):
            for group in value:
                yield "+".join(self._one(name, "NAME", person) for person in group)
        elif kind in JOINED:
            one = "MOMENT" if kind == MOMENTS else "NAME"
            yield "+".join(self._one(name, one, item) for item in value)
        else:
            for item in value:
                yield self._one(name, kind, item)

    def _one(self, name: str, kind: str, value: object) -> str:
        bound = bind_of_type(type(self.command), name)
        if isinstance(value, int) and (written := self._called(bound, value)) is not None:
            return write_phrase(written) if kind == "PHRASE" else quote_name(written, self.form.words)
        if bound is Bind.TIME and isinstance(value, int):
            return write_recording_time(value)
        if bound in _CREATING:
            return self._made(bound, str(value))
        if isinstance(value, Words):
            return self._words(kind, str(value))
        if kind in ("NAME", "PLACE"):
            parts = str(value).split(":") if kind == "PLACE" else [str(value)]
            return ":".join(quote_name(part, self.form.words) for part in parts)
        return _WRITERS.get(kind, write_word)(str(value))

    def _called(self, bound: Bind | None, number: int) -> str | None:
        """Returns the name of the person, thread, place or thing with this id.

        None if the field holds a plain number.
        """
        match bound:
            case Bind.PERSON | Bind.NEWCOMER | Bind.ANSWER | Bind.THING | Bind.KNOWN_THING:
                return self.table.name(number)
            case Bind.MATTER:
                return self.table.matter(number)
            case _:
                return None

    def _words(self, kind: str, text: str) -> str:
        if kind == "PHRASE":
            told = self.command.text if isinstance(self.command, c.SetScene) else None
            is_read_whole = told is not None and not is_sentence(str(told))
            return _always_quoted(text) if is_read_whole else write_phrase(text)
        return quote_name(text, self.form.words) if kind == "NAME" else _always_quoted(text)

    def _made(self, bound: Bind | None, name: str) -> str:
        """Returns a name that the line may newly create, in quotes unless it parses to the same name bare."""
        newcomer = partial(find_or_name_person, sides=not isinstance(self.command, c.Cast))
        made: Callable[..., int | str | Words] = THINGS.get(bound) or newcomer
        is_kept = isinstance(self.command, c.KeepNote)
        bare = None if is_kept else none_if_refused(partial(made, self.table, name, quoted=False))
        return quote_name(name, self.form.words) if bare in (name, Words(name)) else _always_quoted(name)

    def assigns(self) -> Iterator[str]:
        """Yields the `key=value` words of the line."""
        command = self.command
        yield from self._worded()
        yield from self._set_up(getattr(command, "setup", None) or {})
        for key, value in (getattr(command, "values", None) or {}).items():
            yield write_assign(key, "=", "none" if value is None else str(value))
        if isinstance(command, c.OpenConflict) and command.length is not None:
            yield write_assign("length", "=", str(command.length))
        if isinstance(command, c.Rule):
            yield from self._ruling(command)
        for setting in command.sets if isinstance(command, c.SetOption) else ():
            whose = f"table.{setting.what}.{self.table.name(setting.person or 0)}"
            yield write_assign(whose, "=", str(setting.value))

    def _worded(self) -> Iterator[str]:
        command = self.command
        if isinstance(command, c.Cast | c.WriteReflection) and command.by is not None:
            yield f"by={self._one('by', 'NAME', command.by)}"
        for key in next((keys for kind, keys in _WORDED.items() if isinstance(command, kind)), ()):
            if words := getattr(command, key):
                yield f"{key}={_always_quoted(str(words))}"
        if isinstance(command, c.Cast):
            for case, form in command.forms.items():
                yield f"{write_key(f'{FORMS}{case}')}={_always_quoted(str(form))}"

    def _set_up(self, setup: Mapping[str, object]) -> Iterator[str]:
        people = getattr(self.command, "people", None) or {}
        for key, value in setup.items():
            if key not in people:
                yield write_assign(key, "=", str(value))
        for key, who in people.items():
            word = f"{setup[key]}:" if key in setup else ""
            yield f"{write_key(key)}={word}{self._one('people', 'NAME', who)}"

    def _ruling(self, command: c.Rule) -> Iterator[str]:
        if command.question is not None and command.answer is not None:
            answer = command.answer
            written = write_value(answer) if isinstance(answer, str) else self._one("answer", "NAME", answer)
            yield f"{write_key(command.question)}={written}"
        for setting in command.sets:
            whose = "" if setting.person is None else f"{self.table.name(setting.person)}."
            yield write_assign(f"{whose}{setting.what}", setting.op, self._ruling_value(setting))

    def _ruling_value(self, setting: Setting) -> str:
        here = conflict_addressed(self.table, self.command.conflict)
        if isinstance(setting.value, int) and sets_somebody(here, setting.what):
            return self.table.name(setting.value)
        word, _, who = str(setting.value).partition(":")
        if who.isdecimal() and names_somebody(here, setting.what):
            return f"{word}:{self.table.name(int(who))}"
        return str(setting.value)

    def flags(self) -> dict[str, str | None]:
        """Maps the name of each flag that the command needs to its value; flags without value map to None."""
        command = self.command
        flags: dict[str, str | None] = {}
        for name, flag in FLAGS.items():
            if name not in self.form.flags or (value := getattr(command, flag.field, None)) is None:
                continue
            if not flag.takes_value:
                flags |= {flag.name: None} if value is True else {}
            elif isinstance(value, tuple):
                flags |= (
                    {flag.name: write_names(map(self.table.name, value)).replace("+", ",")} if value else {}
                )
            else:
                flags[flag.name] = self._one(flag.field, "ANY", value)
        at = getattr(command, "at", None)
        if at is not None and "at" not in self.slots:
            flags["at"] = str(at)
        if command.conflict is not None:
            flags["in"] = str(command.conflict)
        return flags


def _always_quoted(text: str) -> str:
    quoted = quote_name(f"{text} ")
    return f'{quoted[:-2]}"'


def _emit(  # noqa: PLR0911 -- one case for each part of a form
    part: Part, values: Mapping[str, deque[str]]
) -> list[str] | None:
    """Returns the words that write one part of a form, taken from `values`.

    None if a required value is missing. `values` maps each slot to the words left to write for it; words used
    are removed.
    """
    match part:
        case Word(text, slot):
            if not slot:
                return [text]
            return [values[slot].popleft()] if values[slot] and values[slot][0] == text else None
        case Slot(_, name):
            return [values[name].popleft()] if values[name] else None
        case Series(parts):
            each = [_emit(inner_part, values) for inner_part in parts]
            return None if None in each else [word for words in each for word in words or ()]
        case Maybe(inner):
            return (_emit(inner, values) if _has_value(inner, values) else None) or []
        case Many(inner):
            words: list[str] = []
            while _has_value(inner, values):
                if not (more := _emit(inner, values)):
                    return None
                words += more
            return words
        case Choice(parts):
            return _emit_choice(parts, values)


def _emit_choice(parts: Sequence[Part], values: Mapping[str, deque[str]]) -> list[str] | None:
    """Returns the words of the first alternative that uses up every value, else of the first one that fits.

    Removes the words used from `values`. None if no alternative fits.
    """
    tried: list[tuple[list[str], dict[str, deque[str]]]] = []
    for part in sorted(parts, key=lambda alternative: not _has_value(alternative, values)):
        left = {name: deque(held) for name, held in values.items()}
        if (words := _emit(part, left)) is not None:
            tried.append((words, left))
    if not tried:
        return None
    words, left = next((attempt for attempt in tried if not any(attempt[1].values())), tried[0])
    for name, held in left.items():
        values[name].clear()
        values[name].extend(held)
    return words


def _has_value(part: Part, values: Mapping[str, deque[str]]) -> bool:
    return any(values[name] for name in slots_of(part))
