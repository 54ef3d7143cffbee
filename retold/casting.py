"""A `cast` of somebody who has a sheet already: the same person, or a second one of that name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from journal.language.naming import spoken_to
from journal.language.writing import quote_name, write_assign, write_line
from journal.refused import Refused
from journal.store.codec import decode
from journal.store.standing import standing
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e

if TYPE_CHECKING:
    from retold.scribe import Scribe


def said_of(scribe: Scribe, command: c.Cast) -> list[str]:
    """A sentence where a line introduces somebody to a game that has their sheet already."""
    who, table = _cast_again(scribe, command), scribe.table
    if who is None:
        return []
    return [f"{table.name(who)} has a sheet already, which this changes. {_second(table, who, command)}"]


def check_the_same(scribe: Scribe, command: c.Cast, *, consulted: bool) -> None:
    """Asks whether somebody in the fight is meant; Refused where nobody says so, with both ways to say it."""
    table, here = scribe.table, spoken_to(scribe.table, command.conflict)
    if here is None or here.system != command.system or command.who not in here.people:
        return
    who = _cast_again(scribe, command)
    if who is None:
        return
    name, values = table.name(who), " ".join(_values(command))
    there = f"{name} is in this conflict and has a sheet."
    asked = f"{there} Is this the same {name}, whose sheet reads so from now on? [y/n]"
    if consulted and (scribe.consult(asked) or "").strip().casefold()[:1] == "y":
        return
    raise Refused(
        f"{there} If the same {name} is meant, leave out {command.system}: cast {quote_name(name)} {values}."
        f" {_second(table, who, command)}"
    )


def _cast_again(scribe: Scribe, command: c.Cast) -> int | None:
    """Whom a line introduces to a game that has their sheet already; None for any other line."""
    who, game = command.who, command.system
    if not isinstance(who, int) or game is None or not command.values:
        return None
    return who if _has_sheet(scribe, who, game) else None


def _has_sheet(scribe: Scribe, who: int, game: str) -> bool:
    record, stands = scribe.campaign.record, standing(scribe.campaign.record, scribe.line)
    sheets = (
        decode(row).event
        for row in record.rows(scribe.line, 0, None, (e.SheetChanged.kind,))
        if stands.counts(row.position)
    )
    numbers = scribe.table.numbers(who)
    return any(
        isinstance(sheet, e.SheetChanged) and sheet.system == game and sheet.person in numbers
        for sheet in sheets
    )


def _second(table: Table, who: int, command: c.Cast) -> str:
    name = table.name(who)
    other = next(other for number in count(2) if table.called(other := f"{name} {number}") is None)
    line = write_line("cast", [quote_name(other), str(command.system), *_values(command)])
    return f"For a second one: {line}."


def _values(command: c.Cast) -> Iterator[str]:
    for key, value in command.values.items():
        yield write_assign(key, "=", "none" if value is None else str(value))
