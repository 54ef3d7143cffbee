"""What may fill a blank of a half-typed line: the traits of whoever draws."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import Blank, Suggestion
from journal.decks import french
from journal.systems.bruise.commands.opening import ENDINGS
from journal.systems.bruise.commands.verbs import ChooseColour, Quality
from journal.systems.bruise.state import shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Somebody's traits with their ratings, suits and ranks, endings; for a sheet, every trait on one."""
    del conflict
    sheets = shelf(table).sheets
    if blank.slot == "traits":
        own = sheets.get(blank.somebody("who") or 0)
        yield from (Suggestion(trait, str(rating)) for trait, rating in (own.traits.items() if own else ()))
    elif blank.command is ChooseColour and blank.slot == "suit":
        yield from map(Suggestion, french.Suit)
    elif blank.command is Quality and blank.slot == "rank":
        yield from map(Suggestion, reversed(french.RANKS))
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS)
    elif blank.command is c.Cast and blank.slot == "keys":
        yield from map(Suggestion, sorted({trait for sheet in sheets.values() for trait in sheet.traits}))
