"""The views: what can be asked of a line at any moment, one explicit list of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from journal.refused import Refused
from journal.table import Table
from projections.reading import Reading
from projections.views import (
    balance,
    cast,
    clashes,
    conflicts,
    decks,
    fallout,
    health,
    matters,
    pending,
    points,
    pool,
    sessions,
    stress,
    tracks,
    untold,
)
from projections.views import map as map_
from projections.views.sheet import Change, Seen, changes


class View(Struct, frozen=True):
    """One question that can be asked of a line at a moment."""

    name: str
    about: str
    see: Callable[[Reading], Seen]
    of_table: Callable[[Table], Seen] | None = None
    """The same asked of a table alone, where the moments before it do not matter."""
    beyond: Callable[[Reading, int], Seen] | None = None
    """The same without what came to be up to a position: for two lines that share all of that."""


def _of_all(
    name: str, about: str, see: Callable[[Reading], Seen], beyond: Callable[[Reading, int], Seen]
) -> View:
    return View(name, about, see, beyond=beyond)


def _of_table(name: str, about: str, of_table: Callable[[Table], Seen]) -> View:
    return View(name, about, lambda reading: of_table(reading.table), of_table)


VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        _of_table("cast", "who is known, who plays them, their phrase and their sheets", cast.of),
        _of_table("points", "who holds how many points of what", points.of),
        _of_table("decks", "what is left, in hand and discarded", decks.of),
        View("balance", "where each conflict stands, and how it came there", balance.of, balance.of_table),
        _of_table("pool", "the dice on the table, before whom they lie, and which are kept", pool.of),
        _of_table("fallout", "whose tracks are marked, how far, and what full rows mean", fallout.of),
        _of_table("map", "the zones, what lies between them, who is where and how far apart", map_.of),
        _of_table("stress", "whose stress is marked, their consequences, and the aspects in play", stress.of),
        _of_table("clashes", "who means to do what, who is stopped by whom, and who is on whom", clashes.of),
        _of_table("health", "what everybody can still take, and who is out of the fight", health.of),
        _of_table("tracks", "what else a game counts: clocks, boxes, counters, whose they are", tracks.of),
        _of_table("conflicts", "what is open, and where each conflict is in its procedure", conflicts.of),
        _of_table("pending", "what the table must still rule, and the answers there are", pending.of),
        View(
            "sessions",
            "the evenings, their conflicts and how long they took",
            sessions.of,
            beyond=sessions.beyond,
        ),
        View(
            "threads",
            "the threads, what is known of each, and which are open",
            matters.threads,
            beyond=partial(matters.beyond, matters.Threads),
        ),
        View(
            "places",
            "the places that are kept a note of",
            matters.places,
            beyond=partial(matters.beyond, matters.Places),
        ),
        View(
            "things",
            "the things that are kept a note of",
            matters.things,
            beyond=partial(matters.beyond, matters.Things),
        ),
        View("untold", "what came out and nobody narrated", untold.of),
    )
}
"""Every view by its name."""


def ask(name: str, reading: Reading) -> Seen:
    """What the view sees of a line where it is read up to; Refused if there is no such view."""
    view = VIEWS.get(name)
    if view is None:
        raise Refused(f"There is no view {name}. There are: {', '.join(VIEWS)}.")
    return view.see(reading)


def table_changes(before: Table, after: Table) -> tuple[Change, ...]:
    """What differs between two tables, view by view."""
    return tuple(
        change
        for view in VIEWS.values()
        if view.of_table is not None
        for change in changes(view.of_table(before), view.of_table(after))
    )
