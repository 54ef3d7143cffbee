"""The pane above the toolbar, on a key: what may be done now, or the sheet of whoever acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple

from cli.screen.columns import hung
from cli.screen.stepping import cropped
from cli.verbs.can import lines as what_may_be_done
from journal.language.naming import person
from journal.language.proposed import seen_at
from journal.names import Unknown
from journal.store.campaign import Writer
from journal.table import Table
from journal.vocabulary.base import GM
from projections import safe
from projections.views import order
from projections.wrapping import width as columns_of

NOBODY = "Nobody is waited for. as NAME says whose lines, and whose sheet, these are."


LOOKED_BACK: Final = 12
"""How many acts are looked through for whoever did something last."""


class Pane(Enum):
    """What the pane shows; its value is the key that opens and shuts it."""

    SHEET = "f2"
    CAN = "f3"


def content(
    pane: Pane, table: Table, speaker: str | None, *, page: int = 0, acted: int | None = None
) -> list[str]:
    """The lines of a pane as the table stands, safe to show; `acted` is whoever did something last."""
    found = _sheets(table, _page(pages(table, speaker, acted), page)) if pane is Pane.SHEET else _can(table)
    return [safe.line(line) for line in found]


def laid_out(lines: Iterable[str], width: int, most: int) -> str:
    """The lines broken at words, each as wide as the pane, in at most so many rows."""
    broken = [row for line in lines for row in (hung(line, width) if columns_of(line) > width else [line])]
    rows = cropped(broken, most, width)
    return "".join(f"{row}{' ' * (width - columns_of(row))}\n" for row in rows)


def _can(table: Table) -> Iterator[str]:
    return what_may_be_done(table, seen_at(table), None)


class Page(NamedTuple):
    """The people whose sheets the pane shows together, and a heading such as `Ana has the turn`."""

    people: tuple[int, ...]
    turn: str = ""


def pages(table: Table, speaker: str | None, acted: int | None = None) -> list[Page]:
    """The pages of the pane in the order in which F2 shows them.

    Whose the lines are; else who has the turn, and then who is next; else everybody who is waited for; else
    whoever did something last.
    """
    if speaker is not None:
        try:
            return [Page((person(table, speaker),))]
        except Unknown:  # an undo took them back
            return []
    here = table.in_play()
    places = () if here is None else order.of(table, here)
    if any(one.now for one in places):
        now = [Page((one.who,), "has the turn") for one in places if one.now]
        return [*now, *(Page((one.who,), "is next") for one in places if one.next and not one.now)]
    waited = tuple(dict.fromkeys(who for who in _waited_for(table) if who != GM))
    people = waited or (() if acted in (None, GM) else (acted,))
    return [Page(people)] if people else []


def _page(found: Sequence[Page], page: int) -> Page:
    return found[page] if page < len(found) else Page(())


def _waited_for(table: Table) -> Iterator[int]:
    for seen in seen_at(table):
        yield from (one.person for one in seen.moves)
        yield from (one.who for one in seen.choices)


def last_actor(writer: Writer) -> int | None:
    """The last person to act, within the last few acts; None if there is none."""
    events = (one.event for act in islice(writer.last_acts(), LOOKED_BACK) for one in act.events)
    found = (getattr(event, "who", None) for event in events)
    return next((who for who in found if isinstance(who, int) and who in writer.table.people), None)


def _sheets(table: Table, page: Page) -> Iterator[str]:
    if not page.people:
        yield NOBODY
    for who in page.people:
        yield from _sheet(table, who, page.turn)


def _sheet(table: Table, who: int, turn: str) -> Iterator[str]:
    """Who it is, how they stand now, and what is on their sheets."""
    from projections.dossiers import standing
    from projections.views import cast

    one = cast.person(table, table.people[who])
    called = f"{table.name(who)} {turn}".rstrip()
    yield " · ".join(filter(None, (called, "" if one.player is None else one.player.name, one.phrase)))
    yield from (f"  {what}: {now}" for what, now in standing(table, who))
    yield from (f"  {sheet}" for sheet in cast.told_sheets(one).values())
