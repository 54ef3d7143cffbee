"""What may be typed now, grouped and short: the lines that `can`, the toolbar and Tab propose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from journal.capabilities import Choice, Moves, Outlook
from journal.language.rendering import render
from journal.language.writing import quote_name, write_names
from journal.table import Table
from journal.vocabulary import commands as c

LINE_WIDTH = 40
"""So long a line is still said whole; of a longer one, how it begins."""


FEW = 3
"""So many answers to a question are each said whole."""


class Said(NamedTuple):
    """A choice as a line of the table, and how that begins: with the verb and whom it is for."""

    choice: Choice
    line: str
    begins: str


class Alike(NamedTuple):
    """Lines that begin alike and come to the same: how they begin, what they come to, and each of them."""

    begins: str
    comes_to: str
    lines: tuple[Said, ...]


def written(table: Table, choices: Iterable[Choice]) -> Iterator[Said]:
    """Each choice as it is typed."""
    for choice in choices:
        line = render(choice.command, table)
        yield Said(choice, line, _beginning(table, choice, line))


def alike(lines: Iterable[Said]) -> list[Alike]:
    """The lines, those that follow each other and differ only in their end taken together."""
    groups = groupby(lines, lambda one: (one.begins, one.choice.comes_to))
    return [Alike(*found, tuple(group)) for found, group in groups]


def by_beginning(lines: Iterable[Said]) -> Iterator[Alike]:
    """The lines, those that follow each other and begin alike taken together, whatever they come to."""
    for begins, group in groupby(lines, lambda one: one.begins):
        every = tuple(group)
        yield Alike(begins, "" if every[1:] else every[0].choice.comes_to, every)


def head(one: Alike) -> str:
    """The whole line where there is one, and room for it; else how all of them begin, and an ellipsis."""
    first = one.lines[0]
    if not one.lines[1:] and len(first.line) < LINE_WIDTH:
        return first.line
    where = _elsewhere(first)
    if one.begins.endswith("="):
        return f"{one.begins}…{where}: why"
    return f"{one.begins} …{where}"


def rest(said: Said) -> str:
    """The line without how it begins, without where, and without the words that are yet to be found."""
    left = said.line.removeprefix(said.begins).removesuffix(": …")
    return left.replace(_elsewhere(said), "").strip()


def _elsewhere(said: Said) -> str:
    """The flag by which a line speaks to another conflict than the one in play; nothing where it does not."""
    flag = f" --in {getattr(said.choice.command, 'conflict', None)}"
    return flag if flag in said.line else ""


def _beginning(table: Table, choice: Choice, line: str) -> str:
    """The verb and whom it is for, or what question it answers, as far as the line says so."""
    command = choice.command
    if isinstance(command, c.Rule) and command.question is not None:
        return f"{command.verb} {command.question}="
    begins = f"{command.verb} {_whose(table, choice)}"
    after = line.removeprefix(begins)
    return begins if after[:1] in ("", " ", ":") else command.verb


def _whose(table: Table, choice: Choice) -> str:
    """Whom a line is for, as it says so."""
    named: int | tuple[int, ...] | None = getattr(choice.command, "who", None)
    several: tuple[int, ...] = getattr(choice.command, "together", ())
    if isinstance(named, tuple):
        several, named = several or named, None
    if several:
        return write_names(map(table.name, several))
    return quote_name(table.name(choice.who if named is None else named))


def due(table: Table, seen: Outlook) -> Iterator[str]:
    """The lines that are waited for, the first ones first: whole, or how they begin."""
    for moves in seen.moves:
        yield from _forms(table, moves)
    for one in by_beginning(written(table, seen.choices)):
        few = len(one.lines) <= FEW and isinstance(one.lines[0].choice.command, c.Rule)
        yield from [each.line for each in one.lines] if few else [head(one)]


def _forms(table: Table, moves: Moves) -> Iterator[str]:
    command = moves.ways[0].command if moves.ways else None
    if command is not None:
        yield f"{command.verb} {quote_name(table.name(moves.person))} …"


def verbs(seen: Sequence[Outlook]) -> Iterator[str]:
    """The verbs that are waited for, each once, the first ones first."""
    commands = (
        way.command.verb for one in seen for moves in one.moves for way in moves.ways[:1] if way.command
    )
    said = (choice.command.verb for one in seen for choice in (*one.choices, *one.beside))
    yield from dict.fromkeys((*commands, *said))
