"""Views: named questions about the table state or the record, such as `cast` or `decks`; see `VIEWS`."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from msgspec import Struct

from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.projections.reading import LineView
from retold.projections.views.sheet import Change, Seen, changes


class View(Struct, frozen=True):
    """A named question, such as `cast`: description (`about`), and functions that answer it."""

    name: str
    about: str
    see: Callable[[LineView], Seen]
    of_table: Callable[[Table], Seen] | None = None
    """Answers from a table alone; None if earlier events matter."""
    beyond: Callable[[LineView, int], Seen] | None = None
    """Answers without results from up to a position, to compare lines that share it; None if unsupported."""


def _later(module: str, name: str = "of") -> Callable[..., Any]:
    """Returns a function that imports a view's module when called, and calls its function `name`.

    A command uses few views, so that most modules are never imported.
    """

    def found(*asked: object) -> Any:  # noqa: ANN401 -- each view has its own type
        return getattr(import_module(module if "." in module else f"{__name__}.{module}"), name)(*asked)

    return found


def _of_table(name: str, about: str, module: str = "", called: str = "of") -> View:
    """Returns a view answered from the table state alone, by the function `called` of a module."""
    of_table = _later(module or name, called)
    return View(name, about, lambda reading: of_table(reading.table), of_table)


def _of_matters(name: str, about: str) -> View:
    """Returns a view of the campaign's threads, places or things, as `name` says."""
    of_matters = partial(_later("matters"), name)
    return View(name, about, of_matters, beyond=of_matters)


VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        _of_table("cast", "who is known, who plays them, their phrase and their sheets"),
        _of_table("points", "who holds how many points of what", "tracks", "points_of"),
        _of_table("decks", "what is left, in hand and discarded"),
        View(
            "balance",
            "where each conflict stands, and how it came there",
            _later("balance"),
            _later("balance", "of_table"),
        ),
        _of_table(
            "pool", "the dice on the table, before whom they lie, and which are kept", "decks", "pools_of"
        ),
        _of_table(
            "fallout", "whose tracks are marked, how far, and what full rows mean", "tracks", "fallout_of"
        ),
        _of_table("map", "the zones, what lies between them, who is where and how far apart"),
        _of_table("stress", "whose stress is marked, their consequences, and the aspects in play"),
        _of_table("clashes", "who means to do what, who is stopped by whom, and who is on whom"),
        _of_table(
            "health", "what everybody can still take, and who is out of the fight", "tracks", "health_of"
        ),
        View(
            "tracks",
            "what else a game counts: clocks, boxes, counters, whose they are",
            _later("tracks", "every"),
            _later("tracks"),
        ),
        _of_table("conflicts", "what is open, and where each conflict is in its procedure"),
        _of_table(
            "pending", "what the table must still rule, and the answers there are", "conflicts", "pending_of"
        ),
        View(
            "sessions",
            "the evenings, their conflicts and how long they took",
            _later("sessions"),
            beyond=_later("sessions", "beyond"),
        ),
        _of_matters("threads", "the threads, what is known of each, and which are open"),
        _of_matters("places", "the places that are kept a note of"),
        _of_matters("things", "the things that are kept a note of"),
        View("names", "how each name is written, and who plays whom", _later("names")),
        View("secrets", "what not everybody knows, for whom it is, and how to reveal it", _later("secrets")),
        View(
            "beats",
            "what weighs in the last session's story, and why",
            _later("retold.projections.story.beats", "beats_of"),
        ),
        View(
            "doubts",
            "what an editor should look at in the last session's story",
            _later("retold.projections.story.doubts", "doubts_of"),
        ),
        View(
            "untold",
            "what came out and nobody narrated",
            _later("retold.projections.prose.awaiting", "untold_of"),
        ),
    )
}
"""Views by name."""


def ask(name: str, reading: LineView) -> Seen:
    """Returns the answer of the view `name` at the position of `reading`; Refused for an unknown name."""
    view = VIEWS.get(name)
    if view is None:
        raise Refused(f"There is no view {name}. There are: {', '.join(VIEWS)}.")
    return view.see(reading)


def table_changes(before: Table, after: Table, views: Container[str] = VIEWS) -> tuple[Change, ...]:
    """Returns differences between two table states, view by view, limited to the named `views`.

    Views that need earlier events as well are left out.
    """
    return tuple(
        change
        for view in VIEWS.values()
        if view.of_table is not None and view.name in views
        for change in changes(view.of_table(before), view.of_table(after))
    )
