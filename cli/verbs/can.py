"""The `can` verb: lists the lines a player may type now, each with its result; recommends none."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any, NamedTuple

import typer
from msgspec.structs import replace

from retold.cli import app as o
from retold.cli.campaigns.opening import opened, place_meant
from retold.cli.output.printing import columns, text_width, wrapped, write_fitted, write_json
from retold.journal.capabilities import Choice, Moves, Outlook, OwnRoll, Way
from retold.journal.language.naming import find_person
from retold.journal.language.proposed import actions_at, rolls_at
from retold.journal.language.rendering import render
from retold.journal.language.writing import quote_name, write_names
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.projections.reading import LineView, people_of
from retold.projections.views.naming import conflict_title

LINE_WIDTH = 40
"""So long a line is still said whole; of a longer one, how it begins."""


FEW = 3
"""So many answers to a question are each said whole."""


class ProposedLine(NamedTuple):
    """A possible action, the line to type for it, and that line's beginning (verb and person)."""

    choice: Choice
    line: str
    begins: str


class LineGroup(NamedTuple):
    """Lines shown together: their common beginning, their result (`comes_to`), the lines."""

    begins: str
    comes_to: str
    lines: tuple[ProposedLine, ...]


def proposed_lines(table: Table, choices: Iterable[Choice]) -> Iterator[ProposedLine]:
    """Yields the line to type for each possible action."""
    for choice in choices:
        line = render(choice.command, table)
        yield ProposedLine(choice, line, _beginning(table, choice, line))


def group_by_meaning(lines: Iterable[ProposedLine]) -> list[LineGroup]:
    """Returns groups of neighbouring lines with the same beginning and the same result."""
    groups = groupby(lines, lambda line: (line.begins, line.choice.comes_to))
    return [LineGroup(*found, tuple(group)) for found, group in groups]


def group_by_beginning(lines: Iterable[ProposedLine]) -> Iterator[LineGroup]:
    """Yields groups of neighbouring lines with the same beginning; only a group of one shows a result."""
    for begins, group in groupby(lines, lambda line: line.begins):
        every = tuple(group)
        yield LineGroup(begins, "" if every[1:] else every[0].choice.comes_to, every)


def group_label(group: LineGroup) -> str:
    """Returns a group's label: a single short line as it is, else the beginning, such as `attack Zel …`."""
    first = group.lines[0]
    if not group.lines[1:] and len(first.line) < LINE_WIDTH:
        return first.line
    where = _elsewhere(first)
    if group.begins.endswith("="):
        return f"{group.begins}…{where}: why"
    return f"{group.begins} …{where}"


def line_ending(said: ProposedLine) -> str:
    """Returns the part of a line after its beginning, without the `--in` flag and a final `: …`."""
    left = said.line.removeprefix(said.begins).removesuffix(": …")
    return left.replace(_elsewhere(said), "").strip()


def _elsewhere(said: ProposedLine) -> str:
    """Returns the ` --in N` flag that a line contains if it is for another conflict; else empty."""
    flag = f" --in {getattr(said.choice.command, 'conflict', None)}"
    return flag if flag in said.line else ""


def _beginning(table: Table, choice: Choice, line: str) -> str:
    """Returns a line's beginning: verb and person (`draw Zel`), or verb and question of a ruling.

    The verb alone if the line does not begin so.
    """
    command = choice.command
    if isinstance(command, c.Rule) and command.question is not None:
        return f"{command.verb} {command.question}="
    begins = f"{command.verb} {_whose(table, choice)}"
    after = line.removeprefix(begins)
    return begins if after[:1] in ("", " ", ":") else command.verb


def _whose(table: Table, choice: Choice) -> str:
    """Returns the names of the people who act by this line, quoted as a typed line needs them."""
    named: int | tuple[int, ...] | None = getattr(choice.command, "who", None)
    several: tuple[int, ...] = getattr(choice.command, "together", ())
    if isinstance(named, tuple):
        several, named = several or named, None
    if several:
        return write_names(map(table.name, several))
    return quote_name(table.name(choice.who if named is None else named))


def lines_due(table: Table, seen: Outlook) -> Iterator[str]:
    """Yields lines to type that the game waits for, most urgent first; long groups by their label."""
    for moves in seen.moves:
        yield from _forms(table, moves)
    for group in group_by_beginning(proposed_lines(table, seen.choices)):
        few = len(group.lines) <= FEW and isinstance(group.lines[0].choice.command, c.Rule)
        yield from [each.line for each in group.lines] if few else [group_label(group)]


def _forms(table: Table, moves: Moves) -> Iterator[str]:
    command = moves.ways[0].command if moves.ways else None
    if command is not None:
        yield f"{command.verb} {quote_name(table.name(moves.person))} …"


def verbs_due(seen: Sequence[Outlook]) -> Iterator[str]:
    """Yields the verbs that the game waits for, most urgent first, none twice."""
    commands = (
        way.command.verb
        for outlook in seen
        for moves in outlook.moves
        for way in moves.ways[:1]
        if way.command
    )
    said = (choice.command.verb for outlook in seen for choice in (*outlook.choices, *outlook.beside))
    yield from dict.fromkeys((*commands, *said))


MOST_SHOWN = 6
"""So many of the ways to put dice forward are shown; with --json all of them."""

MOST_ROWS = 16
"""Where several people have more than so many rows between them, what they come to is left out."""

ONE_BY_ONE = "can NAME says what each line of one person would come to."
NOTHING = "Nothing is open: no conflict, no roll, no offer that waits for an answer."


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A person; otherwise everyone who may act now.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    json: o.Json = False,
) -> None:
    """List the lines that may be typed now, each with its result in numbers; it recommends none.

    Examples: retold can Hana · retold can
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        place = place_meant(found, settings, options, at, viewer)
        reading = LineView(found, *place).called(viewer)
        table = reading.table
    gm = reading.viewer.gm
    whose = None if name is None else find_person(table, name)
    people = None if whose is None else frozenset({whose})
    if not gm:
        own = people_of(reading.viewer, table)
        people = own if people is None else own & people
    outlooks = [_for(seen, people) for seen in actions_at(table)]
    rolls = [] if whose is None or whose not in (people or ()) else list(rolls_at(table, whose))
    if options.json:
        said: dict[str, Any] = {
            "moves": [_moves_json(table, moves) for seen in outlooks for moves in seen.moves]
        }
        said["rolls"] = [_roll_json(table, roll) for roll in rolls]
        said["outlooks"] = [_outlook_json(table, outlook) for outlook in outlooks]
        write_json({"retold": "can", "version": 1, "at": place.position if gm else None, **said})
        return
    write_fitted(lines_of_can(table, outlooks, whose, rolls), sys.stdout)


def lines_of_can(
    table: Table, outlooks: Sequence[Outlook], whose: int | None, rolls: Sequence[OwnRoll] = ()
) -> Iterator[str]:
    """Yields the text that `can` prints: possible actions in each outlook, with their lines and results.

    `whose` is the one person it is limited to, if any; `rolls` are those they may make at any time. An
    outlook is the possible actions in one conflict, or outside conflicts.
    """
    if not outlooks:
        yield NOTHING
    elif whose is not None and not any(
        outlook.choices or outlook.moves or outlook.beside for outlook in outlooks
    ):
        yield f"Nothing is for {table.name(whose)} to do now: {outlooks[0].stands[0]}"
    else:
        for outlook in outlooks:
            yield from _told(table, outlook)
    if rolls:
        yield f"{table.name(rolls[0].who)} may roll at any time:"
        yield from _grouped(group_by_beginning(proposed_lines(table, (Choice(*roll[:3]) for roll in rolls))))


def _for(outlook: Outlook, people: Collection[int] | None) -> Outlook:
    """Returns the outlook with only the possible actions of `people`; None means all.

    An outlook is the possible actions in one conflict, or outside conflicts.
    """
    if people is None:
        return outlook
    return replace(
        outlook,
        choices=tuple(choice for choice in outlook.choices if choice.who in people),
        beside=tuple(choice for choice in outlook.beside if choice.who in people),
        moves=tuple(moves for moves in outlook.moves if moves.person in people),
    )


def _told(table: Table, outlook: Outlook) -> Iterator[str]:
    where = (
        "" if outlook.conflict is None else f" ({conflict_title(table.conflicts[outlook.conflict], table)})"
    )
    stands = (
        [*(moves.stands for moves in outlook.moves), *outlook.stands[1:]] if outlook.moves else outlook.stands
    )
    yield f"{stands[0]}{where}"
    yield from stands[1:]
    for moves in outlook.moves:
        yield from _ways(moves)
    due = tuple(proposed_lines(table, outlook.choices))
    yield from rows(due, stands)
    yield from rows(tuple(proposed_lines(table, outlook.beside)), stands)
    if _short(due):
        yield ONE_BY_ONE


# --- what may be said -------------------------------------------------------------------------------------


def rows(lines: Sequence[ProposedLine], stands: Sequence[str] = ()) -> Iterator[str]:
    """Yields text for possible lines: their label, their result beside it, their endings below.

    Lines with the same result share a row. A result that is in one of the sentences of `stands` is left out.
    """
    yield from _grouped(group_by_beginning(lines) if _short(lines) else group_by_meaning(lines), stands)


def _grouped(lines: Iterable[LineGroup], stands: Sequence[str] = ()) -> Iterator[str]:
    """Yields text for each group of lines: its label, its result beside it, its lines' endings below."""
    found = list(lines)
    heads = [group_label(group) for group in found]
    width, most = max(map(len, heads), default=0) + 2, text_width(sys.stdout)
    for begins, group in zip(heads, found, strict=True):
        known = any(group.comes_to in said for said in stands)
        yield from columns([(begins, "" if known else group.comes_to)], width, most)
        if begins != group.lines[0].line:
            ways = " · ".join(map(line_ending, group.lines))
            yield from (f"    {line}" for line in wrapped(ways, most=most - 4))


def _short(lines: Sequence[ProposedLine]) -> bool:
    """True if lines of several people would make more than 16 rows; their results are then left out."""
    return len({line.choice.who for line in lines}) > 1 and len(group_by_meaning(lines)) > MOST_ROWS


def _outlook_json(table: Table, outlook: Outlook) -> dict[str, Any]:
    conflict = outlook.conflict
    return {
        "conflict": conflict,
        "title": None if conflict is None else conflict_title(table.conflicts[conflict], table),
        "stands": list(outlook.stands),
        "choices": [_choice_json(table, choice) for choice in outlook.choices],
        "beside": [_choice_json(table, choice) for choice in outlook.beside],
    }


def _choice_json(table: Table, choice: Choice) -> dict[str, Any]:
    return {
        "who": {"id": choice.who, "name": table.name(choice.who)},
        "line": render(choice.command, table),
        "comes_to": choice.comes_to,
        "shifts": choice.shifts,
    }


def _roll_json(table: Table, roll: OwnRoll) -> dict[str, Any]:
    return {
        "who": {"id": roll.who, "name": table.name(roll.who)},
        "line": render(roll.command, table),
        "move": roll.move,
        "about": roll.about,
        "stat": roll.stat,
        "number": roll.number,
        "comes_to": roll.comes_to,
        "bonus": roll.bonus,
        "twice": roll.twice,
        "against": roll.against,
        "hurts": roll.hurts,
    }


# --- dice that are put forward ----------------------------------------------------------------------------


def _ways(moves: Moves) -> Iterator[str]:
    """Yields text for the dice that a person may put forward, one paragraph for each purpose."""
    for _, group in groupby(moves.ways, lambda way: way.what):
        ways = list(group)
        price = f", {ways[0].price}" if ways[0].price else ""
        yield f"  {ways[0].said}{price}:"
        yield f"    {_several(ways)}"
    if not moves.ways:
        yield "  No dice reach that." if moves.against is not None else "  No dice are left for that."


def _several(ways: Sequence[Way]) -> str:
    """Returns the first six ways to put dice forward, with totals, and how many more there are.

    Example: `6+5 = 11 · 6+4 = 10 · and 3 more`.
    """
    said = [
        f"{'+'.join(map(str, way.dice))} = {way.total}" if len(way.dice) > 1 else str(way.total)
        for way in ways
    ]
    more = len(said) - MOST_SHOWN
    return " · ".join(said[:MOST_SHOWN]) + (f" · and {more} more" if more > 0 else "")


def _moves_json(table: Table, moves: Moves) -> dict[str, Any]:
    return {
        "conflict": moves.conflict,
        "title": conflict_title(table.conflicts[moves.conflict], table),
        "who": {"id": moves.person, "name": table.name(moves.person)},
        "task": moves.task,
        "against": moves.against,
        "kept": list(moves.kept),
        "ways": [_way_json(table, way) for way in moves.ways],
    }


def _way_json(table: Table, way: Way) -> dict[str, Any]:
    told = {"what": way.what, "dice": list(way.dice), "total": way.total, "fallout": way.fallout}
    return {**told, "line": None if way.command is None else render(way.command, table)}
