"""What may fill a blank of a half-typed line: dice to put forward, things to bring in, tracks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from journal.capabilities import Blank, Suggestion
from journal.systems.guenask.commands.opening import ENDINGS
from journal.systems.guenask.state import FIELDS, PREFIXES, play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """What the sheets and the pools know of such a slot."""
    if blank.command is c.Cast and blank.slot == "keys":
        yield from map(Suggestion, (*FIELDS, *PREFIXES))
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS[1:])
    elif blank.slot in _KNOWN:
        yield from _KNOWN[blank.slot](table, conflict, blank)


def _things(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """What stands on somebody's sheet and has not been brought in yet."""
    who = blank.somebody("who")
    own = shelf(table).sheets.get(who or 0)
    one = None if conflict is None or who is None else play(conflict).people.get(who)
    used = set() if one is None else one.things
    for thing in () if own is None else own.things():
        if (thing.source, thing.name) not in used:
            yield Suggestion(thing.name, thing.dice)


def _forward(_table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """The dice that would do, as `can` lists them: the highest raises, the cheapest answers first."""
    who = blank.somebody("who")
    for moves in () if conflict is None else play(conflict).moves():
        if who in (None, moves.person):
            ways = reversed(moves.ways) if moves.task == "raise" else moves.ways
            yield from (Suggestion("+".join(map(str, way.dice)), f"{way.total}, {way.what}") for way in ways)


def _tracks(table: Table, _conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    who = blank.somebody("who")
    for track in () if who is None else shelf(table).tracks(who):
        yield Suggestion(track, f"{shelf(table).marks(who or 0, track)} marked")


_KNOWN: Mapping[str, Callable[[Table, OpenConflict | None, Blank], Iterator[Suggestion]]] = {
    "things": _things,
    "forward": _forward,
    "track": _tracks,
}
"""What fills a slot of that name."""
