"""Repeated `cast` and `conflict` lines: a note, or a question to the user, about what is there already."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from journal.language.naming import conflict_addressed
from journal.language.writing import quote_name, write_assign, write_line
from journal.names import normalise
from journal.refused import Refused
from journal.store.amendments import read_amendments
from journal.store.codec import decode
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from projections.views.naming import conflict_title
from retold.write_context import WriteContext


def cast_again_note(context: WriteContext, command: c.Cast) -> list[str]:
    """Returns a sentence if a `cast` line that names a game changes an existing sheet; else an empty list.

    The sentence proposes a line for a second person.
    """
    who, table = _person_cast_again(context, command), context.table
    if who is None:
        return []
    return [
        (
            f"{table.name(who)} has a sheet already, which this changes. "
            f"{_second_person_hint(table, who, command)}"
        )
    ]


def confirm_same_person(context: WriteContext, command: c.Cast, *, consulted: bool) -> None:
    """Asks whether a person already in the conflict is meant by a `cast` line; returns if the answer is yes.

    Raises Refused, with a line for either case, for another answer or if `consulted` is false. Does nothing
    for other lines.
    """
    table, here = context.table, conflict_addressed(context.table, command.conflict)
    if here is None or here.system != command.system or command.who not in here.people:
        return
    who = _person_cast_again(context, command)
    if who is None:
        return
    name, values = table.name(who), " ".join(_cast_assigns(command))
    there = f"{name} is in this conflict and has a sheet."
    asked = f"{there} Is this the same {name}, whose sheet reads so from now on? [y/n]"
    if consulted and (context.consult(asked) or "").strip().casefold()[:1] == "y":
        return
    raise Refused(
        f"{there} If the same {name} is meant, leave out {command.system}: cast {quote_name(name)} {values}."
        f" {_second_person_hint(table, who, command)}"
    )


def same_fight(table: Table, command: c.OpenConflict) -> str | None:
    """Returns a sentence if the fight that a `conflict` line opens is open already; else None.

    It is the same if it has the same title, or the same people where one of the two has no title.
    """
    people = {frozenset(side) for side in command.sides}
    for conflict in table.conflicts.values():
        titles = [conflict.title, command.title]
        named = [normalise(str(title)) for title in titles if title is not None]
        is_same = named[0] == named[1] if named[1:] else people == set(map(frozenset, conflict.sides))
        if is_same:
            called = conflict_title(conflict, table)
            return f"That fight is open already: conflict {conflict.id} “{called}”."
    return None


def _person_cast_again(context: WriteContext, command: c.Cast) -> int | None:
    """Returns the id of the person whose existing sheet a `cast` line would change; None for other lines."""
    who, game = command.who, command.system
    if not isinstance(who, int) or game is None or not command.values:
        return None
    return who if _has_sheet(context, who, game) else None


def _has_sheet(context: WriteContext, who: int, game: str) -> bool:
    record, stands = context.campaign.record, read_amendments(context.campaign.record, context.line)
    sheets = (
        decode(row).event
        for row in record.rows(context.line, 0, None, (e.SheetChanged.kind,))
        if stands.counts(row.position)
    )
    numbers = context.table.numbers(who)
    return any(
        isinstance(sheet, e.SheetChanged) and sheet.system == game and sheet.person in numbers
        for sheet in sheets
    )


def _second_person_hint(table: Table, who: int, command: c.Cast) -> str:
    name = table.name(who)
    other = next(other for number in count(2) if table.called(other := f"{name} {number}") is None)
    line = write_line("cast", [quote_name(other), str(command.system), *_cast_assigns(command)])
    return f"For a second one: {line}."


def _cast_assigns(command: c.Cast) -> Iterator[str]:
    for key, value in command.values.items():
        yield write_assign(key, "=", "none" if value is None else str(value))
