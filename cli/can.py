"""`can`: what the dice on the table allow now; it chooses nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any

import typer

from cli import options as o
from cli.dispatch import DONE
from cli.language.binding import person
from cli.moments import find_place
from cli.opening import line_meant, opened
from cli.telling import say_json
from journal.capabilities import HasPool, Moves, Way
from journal.refused import Refused
from journal.table import OpenConflict, Table
from projections import safe
from projections.views.asked import titled

MOST_SHOWN = 6
"""So many of one kind are shown; with --json all of them."""

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
        str | None, typer.Argument(metavar="[NAME]", help="Whose dice; else those of whoever may act now.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    json: o.Json = False,
) -> int:
    """Say which raises and sees the dice allow now, and what each would be; it chooses nothing.

    Example: retold can Hana
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        place = find_place(found, line_meant(found, settings, options), at or "@")
        table = found.table_at(place.line, place.position)
    moves = _moves(table, name)
    if options.json:
        found_moves = [_json(table, one) for one in moves]
        say_json({"retold": "can", "version": 1, "at": place.position, "moves": found_moves})
        return DONE
    for line in (line for one in moves for line in lines(table, one)):
        sys.stdout.write(f"{safe.line(line)}\n")
    return DONE


def _moves(table: Table, name: str | None) -> Sequence[Moves]:
    """What may be done now, by the one named or by everybody whose turn it is; Refused if nothing may."""
    pools = [one for one in table.conflicts.values() if isinstance(one.state, HasPool)]
    if not pools:
        raise Refused("No dice are on the table: can speaks of a conflict with pools.")
    moves = [one for conflict in pools for one in _of(conflict)]
    whose = None if name is None else person(table, name)
    chosen = [one for one in moves if whose in (None, one.person)]
    if not chosen:
        turns = " or ".join(dict.fromkeys(table.name(one.person) for one in moves))
        asked = "anybody" if whose is None else table.name(whose)
        stands = f"it is for {turns} to act" if turns else "nobody raises or sees yet"
        raise Refused(f"There is nothing to raise or see for {asked} now: {stands}.")
    return chosen


def _of(conflict: OpenConflict) -> Iterable[Moves]:
    return conflict.state.moves() if isinstance(conflict.state, HasPool) else ()


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
