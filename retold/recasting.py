"""Repeated `cast` and `conflict` lines: a note, or a question to the user, about what is there already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count

from retold.journal.language.lexing import Lexed
from retold.journal.language.naming import conflict_addressed
from retold.journal.language.tokens import JOINERS
from retold.journal.language.writing import quote_name, write_assign, write_line
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.store.events.acts import RecordedAct
from retold.journal.store.events.amendments import read_amendments
from retold.journal.store.events.codec import decode
from retold.journal.system import System, system_meant
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Words
from retold.projections.views.naming import conflict_title
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
    name = table.name(who)
    values = " ".join(_cast_assigns(command))
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


def confirm_newcomers(context: WriteContext, command: c.OpenConflict | c.Join, lexed: Lexed) -> None:
    """Asks whether people not yet introduced may enter a conflict; a quoted name is not asked about.

    Does nothing without a user to ask. Raises Refused, with the line that gives them a sheet, for any answer
    but yes.
    """
    named = command.who if isinstance(command, c.Join) else tuple(chain.from_iterable(command.sides))
    quoted = {part.text for token in lexed.tokens for part in token.split(JOINERS) if part.quoted}
    new = [who.text for who in named if isinstance(who, Words) and who.text and who.text not in quoted]
    if not new or not _has_sheets(context, command):
        return
    names = " and ".join(new)
    lines = _sheet_line(context, command, new)
    asked = f"{names} {'are' if new[1:] else 'is'} new here, without a sheet. Let them in so? [y/N]"
    answer = context.consult(asked)
    if answer is not None and answer.strip().casefold()[:1] != "y":
        raise Refused(f"Nothing was recorded. With a sheet first: {lines}. Without one: quote the name.")


def newcomers_note(context: WriteContext, command: Command, done: RecordedAct) -> list[str]:
    """Returns a sentence with the line that gives a sheet to people introduced by a conflict."""
    new = [str(event.name) for event in done.events if isinstance(event, e.CastIntroduced)]
    if not new or not isinstance(command, c.OpenConflict | c.Join) or not _has_sheets(context, command):
        return []
    return [f"{' and '.join(new)}: new, no sheet yet. To give one: {_sheet_line(context, command, new)}."]


def _game(context: WriteContext, command: c.OpenConflict | c.Join) -> System | None:
    """Returns the game of a conflict that is opened or joined; None if it is not known yet."""
    named = command.system if isinstance(command, c.OpenConflict) else None
    here = None if named else conflict_addressed(context.table, command.conflict)
    return system_meant(context.table, SYSTEMS, here, named)


def _has_sheets(context: WriteContext, command: c.OpenConflict | c.Join) -> bool:
    """True unless the game of a conflict is known to have no sheets, as Space·Time."""
    game = _game(context, command)
    return game is None or bool(game.sheet)


def _sheet_line(context: WriteContext, command: c.OpenConflict | c.Join, new: Sequence[str]) -> str:
    """Returns the `cast` line for new people, with an example of a sheet of their game."""
    named = command.system if isinstance(command, c.OpenConflict) else None
    game = _game(context, command)
    example = game.sheet[0].example if game is not None and game.sheet else "KEY=VALUE"
    return write_line(c.Cast.verb, ["+".join(map(quote_name, new)), *([named] if named else []), example])


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
    others = (f"{name} {number}" for number in count(2))
    other = next(name for name in others if table.called(name) is None)
    line = write_line("cast", [quote_name(other), str(command.system), *_cast_assigns(command)])
    return f"For a second one: {line}."


def _cast_assigns(command: c.Cast) -> Iterator[str]:
    for key, value in command.values.items():
        yield write_assign(key, "=", "none" if value is None else str(value))
