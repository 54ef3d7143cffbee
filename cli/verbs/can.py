"""`can`: what may be done now, with the lines to type and what they would come to; it chooses nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any

import typer

from cli import options as o
from cli.invocation import DONE
from cli.opening import opened, place_meant
from cli.screen.columns import columns, fitted, room, wrapped
from cli.screen.proposing import Alike, Said, alike, by_beginning, head, rest, written
from cli.telling import say_json
from journal.capabilities import Choice, Moves, Outlook, OwnRoll, Way
from journal.language.naming import person
from journal.language.proposed import rolls_at, seen_at
from journal.language.rendering import render
from journal.table import Table
from projections import safe
from projections.views.naming import titled

MOST_SHOWN = 6
"""So many of the ways to put dice forward are shown; with --json all of them."""

MOST_ROWS = 16
"""Where several people have more than so many rows between them, what they come to is left out."""

ONE_BY_ONE = "can NAME says what each line of one person would come to."
NOTHING = "Nothing is open: no conflict, no roll, no offer that waits for an answer."


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Who; else everybody who may act now.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    json: o.Json = False,
) -> int:
    """Say what may be done now, and what it would come to, in numbers; it chooses nothing.

    Example: retold can Hana
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        place = place_meant(found, settings, options, at)
        table = found.table_at(place.line, place.position)
    whose = None if name is None else person(table, name)
    outlooks = [_for(one, whose) for one in seen_at(table)]
    if options.json:
        said: dict[str, Any] = {"moves": [_moves_json(table, one) for seen in outlooks for one in seen.moves]}
        said["rolls"] = [] if whose is None else [_roll_json(table, one) for one in rolls_at(table, whose)]
        said["outlooks"] = [_outlook_json(table, one) for one in outlooks]
        say_json({"retold": "can", "version": 1, "at": place.position, **said})
        return DONE
    shown = (safe.line(line) for line in lines(table, outlooks, whose))
    sys.stdout.writelines(f"{line}\n" for line in fitted(shown, sys.stdout))
    return DONE


def lines(table: Table, outlooks: Sequence[Outlook], whose: int | None) -> Iterator[str]:
    """The lines that the person named, or anybody, may say now; a sentence if there are none.

    Of the one named also what they may roll, whoever's turn it is.
    """
    if not outlooks:
        yield NOTHING
    elif whose is not None and not any(one.choices or one.moves or one.beside for one in outlooks):
        yield f"Nothing is for {table.name(whose)} to do now: {outlooks[0].stands[0]}"
    else:
        for outlook in outlooks:
            yield from _told(table, outlook)
    own = () if whose is None else rolls_at(table, whose)
    if own:
        yield f"{table.name(own[0].who)} may roll at any time:"
        yield from _grouped(by_beginning(written(table, (Choice(*one[:3]) for one in own))))


def _for(outlook: Outlook, whose: int | None) -> Outlook:
    """What of it is for one person to do."""
    if whose is None:
        return outlook
    return outlook._replace(
        choices=tuple(one for one in outlook.choices if one.who == whose),
        beside=tuple(one for one in outlook.beside if one.who == whose),
        moves=tuple(one for one in outlook.moves if one.person == whose),
    )


def _told(table: Table, outlook: Outlook) -> Iterator[str]:
    where = "" if outlook.conflict is None else f" ({titled(table.conflicts[outlook.conflict], table)})"
    stands = (
        [*(one.stands for one in outlook.moves), *outlook.stands[1:]] if outlook.moves else outlook.stands
    )
    yield f"{stands[0]}{where}"
    yield from stands[1:]
    for moves in outlook.moves:
        yield from _ways(moves)
    due = tuple(written(table, outlook.choices))
    yield from rows(due, stands)
    yield from rows(tuple(written(table, outlook.beside)), stands)
    if _short(due):
        yield ONE_BY_ONE


# --- what may be said -------------------------------------------------------------------------------------


def rows(lines: Sequence[Said], stands: Sequence[str] = ()) -> Iterator[str]:
    """Each line that may be said, beside what it would come to; what comes to the same, together.

    What `stands` above them says already, as the question that each of them answers, is not said again.
    """
    yield from _grouped(by_beginning(lines) if _short(lines) else alike(lines), stands)


def _grouped(lines: Iterable[Alike], stands: Sequence[str] = ()) -> Iterator[str]:
    """Each group of lines, by how they begin."""
    found = list(lines)
    heads = [head(one) for one in found]
    width, most = max(map(len, heads), default=0) + 2, room(sys.stdout)
    for begins, one in zip(heads, found, strict=True):
        known = any(one.comes_to in said for said in stands)
        yield from columns([(begins, "" if known else one.comes_to)], width, most)
        if begins != one.lines[0].line:
            ways = " · ".join(map(rest, one.lines))
            yield from (f"    {line}" for line in wrapped(ways, most=most - 4))


def _short(lines: Sequence[Said]) -> bool:
    """True where several people have so much to choose from that every line would hide the others."""
    return len({one.choice.who for one in lines}) > 1 and len(alike(lines)) > MOST_ROWS


def _outlook_json(table: Table, outlook: Outlook) -> dict[str, Any]:
    conflict = outlook.conflict
    return {
        "conflict": conflict,
        "title": None if conflict is None else titled(table.conflicts[conflict], table),
        "stands": list(outlook.stands),
        "choices": [_choice_json(table, one) for one in outlook.choices],
        "beside": [_choice_json(table, one) for one in outlook.beside],
    }


def _choice_json(table: Table, one: Choice) -> dict[str, Any]:
    return {
        "who": {"id": one.who, "name": table.name(one.who)},
        "line": render(one.command, table),
        "comes_to": one.comes_to,
        "shifts": one.shifts,
    }


def _roll_json(table: Table, one: OwnRoll) -> dict[str, Any]:
    return {
        "who": {"id": one.who, "name": table.name(one.who)},
        "line": render(one.command, table),
        "move": one.move,
        "about": one.about,
        "stat": one.stat,
        "number": one.number,
        "comes_to": one.comes_to,
        "bonus": one.bonus,
        "twice": one.twice,
        "against": one.against,
    }


# --- dice that are put forward ----------------------------------------------------------------------------


def _ways(moves: Moves) -> Iterator[str]:
    """What somebody can put forward, grouped and short."""
    for _, group in groupby(moves.ways, lambda way: way.what):
        ways = list(group)
        price = f", {ways[0].price}" if ways[0].price else ""
        yield f"  {ways[0].said}{price}:"
        yield f"    {_several(ways)}"
    if not moves.ways:
        yield "  No dice reach that." if moves.against is not None else "  No dice are left for that."


def _several(ways: Sequence[Way]) -> str:
    """The first of the ways, each with its total."""
    said = [f"{_sum(way.dice)} = {way.total}" if len(way.dice) > 1 else str(way.total) for way in ways]
    more = len(said) - MOST_SHOWN
    return " · ".join(said[:MOST_SHOWN]) + (f" · and {more} more" if more > 0 else "")


def _sum(dice: Iterable[int]) -> str:
    return "+".join(map(str, dice))


def _moves_json(table: Table, moves: Moves) -> dict[str, Any]:
    return {
        "conflict": moves.conflict,
        "title": titled(table.conflicts[moves.conflict], table),
        "who": {"id": moves.person, "name": table.name(moves.person)},
        "task": moves.task,
        "against": moves.against,
        "kept": list(moves.kept),
        "ways": [_way_json(table, way) for way in moves.ways],
    }


def _way_json(table: Table, way: Way) -> dict[str, Any]:
    told = {"what": way.what, "dice": list(way.dice), "total": way.total, "fallout": way.fallout}
    return {**told, "line": None if way.command is None else render(way.command, table)}
