"""Checks of a guest, a game in a separate package: what it tells fits its events, and hides what it must."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Final, NamedTuple

from retold.journal import games as guests
from retold.journal.capabilities import HasRows, Row
from retold.journal.games import BUILT_IN
from retold.journal.hiding import owner_of_sheet
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary.base import Event, fields_of
from retold.projections import games
from retold.projections.plain import Sentence
from retold.projections.prose.phrases import new_sandbox, of_guest
from retold.projections.prose.phrases.unfit import Unfit
from retold.projections.prose.telling import Game
from retold.projections.reading.sight import evolve_as_visible
from retold.projections.statistics.counted import Counted
from retold.projections.views.rows import Kept, out_of

_GAP: Final = "[^.]+"
"""Pattern of a part of a key that is known only when it is said."""

_SAYING: Final = frozenset({"ours", "say"})
"""Methods of `Telling` that take the key of a phrase, and its values by name."""


def mistakes(game: str, evening: Callable[[], Iterable[LiveEvent]] = tuple) -> tuple[str, ...]:
    """Returns sentences about mistakes in a guest's package, for its author; empty if there are none.

    `evening` plays the game and returns the events. A game that cannot be loaded has one sentence, which says
    why. Raises Refused if `game` is not a guest.
    """
    if game in BUILT_IN or game not in guests.guests():
        raise Refused(f"There is no guest {game} here: install its package first.")
    if trouble := SYSTEMS.trouble(game):
        return (trouble,)
    system, distribution = SYSTEMS[game], guests.guests()[game].distribution
    found = dict.fromkeys(
        (*_mistakes(system), *_in_evening(game, evening))
    )  # without duplicates from nested lambdas
    return tuple(f"In {distribution}, {mistake}." for mistake in found)


def _mistakes(system: System) -> Iterator[str]:
    for name, check in (("notation", _in_notation), ("voice", _in_voice), ("statistics", _in_statistics)):
        try:
            room = games.load_room(system.name, name)
            if room is not None:
                yield from check(system, room)
        except Exception as error:  # noqa: BLE001 -- every error of a guest is reported to its author
            yield f"{name}.py cannot be loaded ({type(error).__name__}: {error})"


def _in_evening(game: str, evening: Callable[[], Iterable[LiveEvent]]) -> Iterator[str]:
    try:
        yield from false_numbers(game, evening())
    except Exception as error:  # noqa: BLE001 -- every error of a guest is reported to its author
        why = error.sentence.rstrip(".") if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        yield f"its evening cannot be played ({why})"


# --- notations --------------------------------------------------------------------------------------------


def _in_notation(system: System, room: ModuleType) -> Iterator[str]:
    events = {event.kind: event for event in system.events}
    for kind, written in room.NOTATIONS.items():
        event = events.get(kind)
        if event is None:
            yield f"notation.py has {kind}, which is not a kind of this game"
        elif isinstance(written, str):
            yield from _in_sentence(kind, written, frozenset(event.__struct_fields__))
        elif callable(written):
            yield from _in_function(kind, written, event)
        else:
            yield f"the notation of {kind} is neither a sentence nor a function"


def _in_sentence(kind: str, written: str, fields: frozenset[str]) -> Iterator[str]:
    try:
        sentence = Sentence(written)
    except ValueError as error:
        yield f"the notation of {kind} is shown by its fields: {error}"
        return
    for field in sorted(sentence.fields - fields):
        yield (
            f"the notation of {kind} names {{{field}}}, which is not a field of it (there is"
            f" {', '.join(sorted(fields))}): it is shown by its fields"
        )


def _in_function(kind: str, written: Callable[..., str], event: type[Event]) -> Iterator[str]:
    fields = fields_of(event)
    for name in sorted(_attributes_read(written) - fields.keys()):
        where = (
            "which its class has and the stored event has not" if hasattr(event, name) else "no field of it"
        )
        yield (
            f"the notation of {kind} reads {name}, {where}: a function of notation.py is given the stored"
            f" fields (there is {', '.join(sorted(fields))})"
        )


def _attributes_read(function: Callable[..., str]) -> frozenset[str]:
    """Returns names of attributes that a function reads of its first parameter.

    Functions of the same module that it passes the parameter on to are followed. Empty if the source cannot
    be attributed to the function, as with a `partial` or two lambdas on one line.
    """
    found: set[str] = set()
    left = [(inspect.unwrap(function), 0)]
    seen: set[tuple[object, int]] = set()
    while left:
        reader, place = left.pop()
        written = _source_of(reader)
        if written is None or (reader, place) in seen:
            continue
        seen.add((reader, place))
        parameters = [parameter.arg for parameter in (*written.args.posonlyargs, *written.args.args)]
        if place >= len(parameters):
            continue
        event = parameters[place]
        for node in ast.walk(written):
            if isinstance(node, ast.Attribute) and _is_called(node.value, event):
                found.add(node.attr)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = reader.__globals__.get(node.func.id)
                if inspect.isfunction(called) and called.__module__ == reader.__module__:
                    left += [(called, at) for at, given in enumerate(node.args) if _is_called(given, event)]
    return frozenset(found)


def _is_called(expression: ast.expr, name: str) -> bool:
    return isinstance(expression, ast.Name) and expression.id == name


def _source_of(function: object) -> ast.FunctionDef | ast.Lambda | None:
    """Returns the syntax tree of a function; None if it has no source, or shares its line with another."""
    module = inspect.getmodule(function)
    if module is None or not inspect.isfunction(function):
        return None
    code = function.__code__
    found = [
        node
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.FunctionDef | ast.Lambda) and _first_line(node) == code.co_firstlineno
    ]
    return found[0] if len(found) == 1 else None


def _first_line(function: ast.FunctionDef | ast.Lambda) -> int:
    decorators = function.decorator_list if isinstance(function, ast.FunctionDef) else ()
    return min([function.lineno, *(decorator.lineno for decorator in decorators)])


# --- phrases ----------------------------------------------------------------------------------------------


class _Saying(NamedTuple):
    """Call in a voice's source that says a phrase: patterns of its possible keys, and names of its values."""

    keys: tuple[str, ...]
    values: frozenset[str]
    anything: bool
    """True if its values cannot be read off the source (`**values`)."""


def _in_voice(system: System, room: ModuleType) -> Iterator[str]:
    if not isinstance(room.GAME, Game):
        yield "voice.py shows no GAME of the type Game"
        return
    for kind in room.GAME.tellers:
        if kind not in system.events and kind.kind.partition(".")[0] != "table":
            yield f"voice.py tells {kind.kind}, which is not a kind of this game"
    phrases = of_guest(system.name)
    wanted = {key: found for key, text in phrases.items() if isinstance(found := _values(text), frozenset)}
    for key, text in phrases.items():
        if isinstance(unfit := _values(text), str):
            yield f"the phrase {key} cannot be said: {unfit}"
    sayings = tuple(_sayings(ast.parse(inspect.getsource(room)), system.name))
    exact = {key for key in phrases if any(re.escape(key) in saying.keys for saying in sayings)}
    for saying in sayings:
        yield from _in_saying(saying, phrases, wanted, exact)


def _values(text: str) -> frozenset[str] | str:
    """Returns the names of the gaps in a phrase; or, if the text is not a valid phrase, the reason."""
    try:
        return new_sandbox().values(text)
    except Unfit as unfit:
        return str(unfit)


def _in_saying(
    saying: _Saying, phrases: Mapping[str, str], wanted: Mapping[str, frozenset[str]], exact: Collection[str]
) -> Iterator[str]:
    """Yields sentences about mistakes in one call: an unknown phrase key, or missing values.

    A key with a gap covers no phrase that another call uses by its whole key.
    """
    for pattern in saying.keys:
        gap = _GAP in pattern
        found = [key for key in phrases if re.fullmatch(pattern, key) and not (gap and key in exact)]
        if not found:
            written = re.sub(r"\\(.)", r"\1", pattern.replace(_GAP, "…"))
            yield f"voice.py says {written}, which is not a phrase of phrases.toml"
        for key in found:
            missing = sorted(wanted.get(key, frozenset()) - saying.values)
            if missing and not saying.anything:
                given = ", ".join(sorted(saying.values)) or "nothing"
                yield f"the phrase {key} wants {', '.join(missing)}, and voice.py gives it {given}"


def _sayings(tree: ast.Module, game: str) -> Iterator[_Saying]:
    """Yields the calls of `ours` and `say` in a voice's source, with phrase keys written in the source."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            for call in ast.walk(function):
                if (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Attribute)
                    and call.func.attr in _SAYING
                    and call.args
                ):
                    key = call.args[0]
                    keys = tuple(
                        _patterns(_assigned(function, key) if isinstance(key, ast.Name) else [key], game)
                    )
                    names = [keyword.arg for keyword in call.keywords]
                    yield _Saying(keys, frozenset(name for name in names if name is not None), None in names)


def _assigned(function: ast.AST, name: ast.Name) -> list[ast.expr]:
    """Returns the expressions that a function assigns to the variable `name`."""
    return [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name.id for target in node.targets)
    ]


def _patterns(expressions: list[ast.expr], game: str) -> Iterator[str]:
    """Yields a regular expression for each phrase key of `game` that the expressions may evaluate to."""
    for expression in expressions:
        if isinstance(expression, ast.IfExp):
            yield from _patterns([expression.body, expression.orelse], game)
        elif isinstance(expression, ast.JoinedStr):
            pattern = "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else _GAP
                for part in expression.values
            )
            if pattern.startswith(re.escape(f"{game}.")):
                yield pattern
        elif isinstance(expression, ast.Constant) and str(expression.value).startswith(f"{game}."):
            yield re.escape(str(expression.value))


# --- statistics -------------------------------------------------------------------------------------------


def _in_statistics(_system: System, room: ModuleType) -> Iterator[str]:
    if not isinstance(room.COUNTED, Counted):
        yield "statistics.py shows no COUNTED of the type Counted"


# --- hidden sheets ----------------------------------------------------------------------------------------


def false_numbers(game: str, evening: Iterable[LiveEvent]) -> Iterator[str]:
    """Yields a sentence for each sort of row that is false for a table from which every sheet is hidden.

    `evening` is all events of a branch that the game was played on. The table's state is folded without the
    events that are as secret as a sheet (`subjects`); a row of it is
    false if the whole state has it otherwise.
    """
    whole, known = Table(), Table()
    said: set[str] = set()
    for live in evening:
        evolve_as_visible(whole, live)
        if any(owner_of_sheet(subject) is not None for subject in live.event.subjects()):
            known.position = live.position
        else:
            evolve_as_visible(known, live)
        for what, sentence in _false_rows(game, whole, known):
            if what not in said:
                said.add(what)
                yield sentence


def _false_rows(game: str, whole: Table, known: Table) -> Iterator[tuple[str, str]]:
    """Yields (the row's word, a sentence) for each row that is otherwise in the state `whole`."""
    if game not in known.shelves:
        return
    try:
        seen = _rows_of(game, known)
    except Exception as error:  # noqa: BLE001 -- every error of a guest is reported to its author
        yield "rows", f"rows fails where a sheet is hidden ({type(error).__name__}: {error})"
        return
    try:
        complete = _rows_of(game, whole)
    except Exception:  # noqa: BLE001 -- the views of the evening name it
        return
    true = {(_conflict(kept), kept.row.who, kept.row.what): kept.row for kept in complete}
    for kept in seen:
        row, owned = kept.row, true.get((_conflict(kept), kept.row.who, kept.row.what))
        if row != owned:
            yield row.what, _mismatch(whole, row, owned)


def _rows_of(game: str, table: Table) -> list[Kept]:
    """Returns the game's rows; an exception of the game is raised as it is, unlike in `rows`."""
    states: list[tuple[OpenConflict | None, object]] = [(None, table.shelves.get(game))]
    states += [(each, each.state) for each in table.conflicts.values() if each.system == game]
    return [
        Kept(game, conflict, row)
        for conflict, state in states
        if isinstance(state, HasRows)
        for row in state.rows()
    ]


def _conflict(kept: Kept) -> int | None:
    return None if kept.conflict is None else kept.conflict.id


def _mismatch(whole: Table, row: Row, owned: Row | None) -> str:
    whose = f" of {whole.name(row.who)}" if isinstance(row.who, int) else ""
    is_so = "has no such row" if owned is None else f"has {out_of(owned.value, owned.most)}"
    return (
        f"where a sheet is hidden, the table is told {row.what} {out_of(row.value, row.most)}{whose}, and the"
        f" game master {is_so}: give the row only if the state has that sheet, or name the sheet's owner in"
        " the event (sheet_of)"
    )
