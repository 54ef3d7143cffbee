"""`can`: what may be done now, with the numbers it would come to; it chooses nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any, NamedTuple

import typer

from cli import options as o
from cli.columns import columns, wrapped
from cli.dispatch import DONE
from cli.language.binding import person
from cli.moments import find_place
from cli.opening import line_meant, opened
from cli.rendering import render
from cli.telling import say_json
from journal.capabilities import Choice, HasPool, Moves, Outlook, Way
from journal.decks.chance import Luck, StackedDealer
from journal.refused import Refused
from journal.system import Situation
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections import safe
from projections.views.asked import titled

MOST_SHOWN = 6
"""So many raises or sees of one kind are shown; with --json all of them."""

LINE_WIDTH = 40
"""The widest column for what may be said, beside what it would come to."""

SAYS = {
    "raise": "Raises",
    "reverse": "Reverse the blow (one die, kept for the next raise)",
    "block": "Block (two dice)",
    "blow": "Take the blow (three dice or more)",
}
INSTEAD = {
    "raise": "Also: escalate, bring something in, give, or raise none.",
    "see": "Also: escalate, bring something in, give, or see none.",
}


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
        place = find_place(found, line_meant(found, settings, options), at or "@")
        table = found.table_at(place.line, place.position)
    whose = None if name is None else person(table, name)
    moves, outlooks = _chosen(table, whose)
    if options.json:
        said = {"moves": [_json(table, one) for one in moves]}
        said["outlooks"] = [_outlook_json(table, one) for one in outlooks]
        say_json({"retold": "can", "version": 1, "at": place.position, **said})
        return DONE
    for line in (*(line for one in moves for line in lines(table, one)), *_told(table, outlooks)):
        sys.stdout.write(f"{safe.line(line)}\n")
    return DONE


def _chosen(table: Table, whose: int | None) -> tuple[Sequence[Moves], Sequence[Outlook]]:
    """What may be done now, by the one named or by everybody; Refused if nothing may."""
    moves = [one for conflict in table.conflicts.values() for one in _of(conflict)]
    outlooks = list(_outlooks(table))
    pools = any(isinstance(one.state, HasPool) for one in table.conflicts.values())
    if not pools and not outlooks:
        raise Refused("Nothing waits to be done: can speaks of dice, turns and rolls that are open.")
    chosen = [one for one in moves if whose in (None, one.person)]
    seen = [_for(one, whose) for one in outlooks]
    if not chosen and not any(one.choices or whose is None for one in seen):
        raise Refused(_nothing(table, whose, moves, outlooks))
    return chosen, [one for one in seen if one.choices or whose is None]


def _nothing(table: Table, whose: int | None, moves: Sequence[Moves], outlooks: Sequence[Outlook]) -> str:
    """Why nothing is for somebody, or for anybody, to do now."""
    asked = "anybody" if whose is None else table.name(whose)
    if outlooks and whose is not None:
        return f"Nothing is for {asked} to do now: {outlooks[0].stands[0]}"
    turns = " or ".join(dict.fromkeys(table.name(one.person) for one in moves))
    stands = f"it is for {turns} to act" if turns else "nobody raises or sees yet"
    return f"There is nothing to raise or see for {asked} now: {stands}."


def _of(conflict: OpenConflict) -> Iterable[Moves]:
    return conflict.state.moves() if isinstance(conflict.state, HasPool) else ()


# --- what may be said -------------------------------------------------------------------------------------


def _outlooks(table: Table) -> Iterator[Outlook]:
    """What may be said in each open conflict, and outside them at whatever was played at this table."""
    luck = Luck(StackedDealer(()))
    spoken = [(conflict.system, conflict) for conflict in table.conflicts.values()]
    for name, conflict in (*spoken, *((name, None) for name in table.shelves)):
        seen = SYSTEMS[name].outlook(Situation(table, luck, SYSTEMS, conflict))
        if seen is not None:
            yield seen


def _for(outlook: Outlook, whose: int | None) -> Outlook:
    """What of it is for one person to say."""
    return outlook._replace(choices=tuple(one for one in outlook.choices if whose in (None, one.who)))


def _told(table: Table, outlooks: Iterable[Outlook]) -> Iterator[str]:
    for outlook in outlooks:
        yield from (f"{sentence}{_where(table, outlook)}" for sentence in outlook.stands[:1])
        yield from outlook.stands[1:]
        yield from _rows(table, outlook.choices)


def _where(table: Table, outlook: Outlook) -> str:
    return "" if outlook.conflict is None else f" ({titled(table.conflicts[outlook.conflict], table)})"


def _rows(table: Table, choices: Iterable[Choice]) -> Iterator[str]:
    """Each line that may be said, beside what it would come to; what comes to the same, together."""
    alike = [(kind, list(group)) for kind, group in groupby(choices, lambda one: _kind(table, one))]
    heads = [_head(table, kind, group) for kind, group in alike]
    width = max(map(len, heads), default=0) + 2
    for head, (kind, group) in zip(heads, alike, strict=True):
        yield from columns([(head, kind.comes_to)], width)
        if head == kind.begins:
            ways = " · ".join(_rest(table, one) for one in group)
            yield from (f"    {line}" for line in wrapped(ways))


def _head(table: Table, kind: _Kind, group: Sequence[Choice]) -> str:
    """The whole line where there is one, and room for it; else how all of them begin."""
    line = render(group[0].command, table)
    return line if not group[1:] and len(line) < LINE_WIDTH else kind.begins


class _Kind(NamedTuple):
    """What choices that are told together have in common."""

    begins: str
    comes_to: str


def _kind(table: Table, choice: Choice) -> _Kind:
    return _Kind(f"{_beginning(table, choice)} …", choice.comes_to)


def _beginning(table: Table, choice: Choice) -> str:
    """The verb and whom it is for, which is who says it unless the command names somebody."""
    named: int | None = getattr(choice.command, "who", None)
    return f"{choice.command.verb} {table.name(choice.who if named is None else named)}"


def _rest(table: Table, choice: Choice) -> str:
    """The line without how it begins, and without the words that are yet to be found."""
    return render(choice.command, table).removeprefix(f"{_beginning(table, choice)} ").removesuffix(": …")


def _outlook_json(table: Table, outlook: Outlook) -> dict[str, Any]:
    conflict = outlook.conflict
    return {
        "conflict": conflict,
        "title": None if conflict is None else titled(table.conflicts[conflict], table),
        "stands": list(outlook.stands),
        "choices": [
            {
                "who": {"id": one.who, "name": table.name(one.who)},
                "line": render(one.command, table),
                "comes_to": one.comes_to,
                "shifts": one.shifts,
            }
            for one in outlook.choices
        ],
    }


# --- dice that are put forward ----------------------------------------------------------------------------


def lines(table: Table, moves: Moves) -> Iterator[str]:
    """What somebody can do, grouped and short."""
    who = table.name(moves.person)
    to = "raise" if moves.against is None else f"see {moves.against}"
    kept = f", with the {_shown(moves.kept)} kept" if moves.kept else ""
    yield f"{who} to {to}{kept} ({titled(table.conflicts[moves.conflict], table)})"
    for what, ways in _grouped(moves.ways):
        yield f"  {SAYS.get(what, what)}{_price(ways)}:"
        yield f"    {_several(ways)}"
    if not moves.ways:
        yield f"  No dice that {'make a raise' if moves.against is None else 'reach it'}."
    yield f"  {INSTEAD.get(moves.task, '')}"


def _grouped(ways: Iterable[Way]) -> Iterator[tuple[str, list[Way]]]:
    for what, group in groupby(ways, lambda way: way.what):
        yield what, list(group)


def _price(ways: Sequence[Way]) -> str:
    fallout = ways[0].fallout
    return "" if fallout is None else f", {fallout} fallout, resisted by a die of {fallout + 1} or more"


def _several(ways: Sequence[Way]) -> str:
    """The ways by total: the highest raises, the cheapest answers first."""
    ordered = list(reversed(ways)) if ways[0].what == "raise" else list(ways)
    said = [f"{_sum(way.dice)} = {way.total}" if len(way.dice) > 1 else str(way.total) for way in ordered]
    more = len(said) - MOST_SHOWN
    return " · ".join(said[:MOST_SHOWN]) + (f" · and {more} more" if more > 0 else "")


def _sum(dice: Iterable[int]) -> str:
    return "+".join(map(str, dice))


def _shown(dice: Iterable[int]) -> str:
    return " ".join(map(str, dice))


def _json(table: Table, moves: Moves) -> dict[str, Any]:
    return {
        "conflict": moves.conflict,
        "title": titled(table.conflicts[moves.conflict], table),
        "who": {"id": moves.person, "name": table.name(moves.person)},
        "task": moves.task,
        "against": moves.against,
        "kept": list(moves.kept),
        "ways": [
            {"what": way.what, "dice": list(way.dice), "total": way.total, "fallout": way.fallout}
            for way in moves.ways
        ],
    }
