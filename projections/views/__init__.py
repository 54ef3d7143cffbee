"""Views: named questions about the table state or the record, such as `cast` or `decks`; see `VIEWS`."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from retold.journal.table import Table
    from retold.projections.reading import LineView
    from retold.projections.views.sheet import Change, Seen


class View(NamedTuple):
    """A named question, such as `cast`, and where its answer lies: `module:name`, imported when it is asked.

    A module without a dot is one of this package.
    """

    name: str
    about: str
    """What it answers, in a few words."""
    answer: str
    """Class of the answer, a `Seen`."""
    by_line: str = ""
    """Function that answers from a `LineView`; empty if the table alone is asked."""
    by_table: str = ""
    """Function that answers from a table alone; empty if earlier events matter."""
    by_rest: str = ""
    """Function that answers without results up to a position, to compare branches that share it."""
    is_told_its_name: bool = False
    """True if the functions take the view's name first."""

    @property
    def answer_type(self) -> type[Seen]:
        """Class of the answer."""
        found: type[Seen] = _found(self.answer)
        return found

    def see(self, reading: LineView) -> Seen:
        """Returns the answer at the position of `reading`."""
        asked = self._function(self.by_line)
        seen: Seen = self._function(self.by_table)(reading.table) if asked is None else asked(reading)
        return seen

    @property
    def of_table(self) -> Callable[[Table], Seen] | None:
        """Function that answers from a table alone; None if earlier events matter."""
        found: Callable[[Table], Seen] | None = self._function(self.by_table)
        return found

    @property
    def beyond(self) -> Callable[[LineView, int], Seen] | None:
        """Function that answers without results up to a position; None if the view cannot."""
        found: Callable[[LineView, int], Seen] | None = self._function(self.by_rest)
        return found

    def _function(self, said: str) -> Any:  # noqa: ANN401 -- each has its own type, and none is None
        found = _found(said) if said else None
        return partial(found, self.name) if found and self.is_told_its_name else found


def _found(said: str) -> Any:  # noqa: ANN401 -- a class, or a function of a type that the caller knows
    module, _, name = said.partition(":")
    return getattr(import_module(module if "." in module else f"{__name__}.{module}"), name)


_STORY = "retold.projections.story"

VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View(
            "cast",
            "who is known, who plays them, their phrase and their sheets",
            "cast:Cast",
            by_table="cast:of",
        ),
        View("points", "who holds how many points of what", "tracks:Points", by_table="tracks:points_of"),
        View("decks", "what is left, in hand and discarded", "decks:Decks", by_table="decks:of"),
        View(
            "balance",
            "the state of each conflict, and how it got there",
            *("balance:Balances", "balance:of", "balance:of_table"),
        ),
        View(
            "pool",
            "the dice on the table, their owners, and which are kept",
            "decks:Pools",
            by_table="decks:pools_of",
        ),
        View(
            "fallout",
            "whose tracks are marked, how far, and what full rows mean",
            "tracks:Fallout",
            by_table="tracks:fallout_of",
        ),
        View(
            "map",
            "the zones, what lies between them, who is where and how far apart",
            "map:Maps",
            by_table="map:of",
        ),
        View(
            "stress",
            "whose stress is marked, their consequences, and the aspects in play",
            "stress:Stress",
            by_table="stress:of",
        ),
        View(
            "clashes",
            "intents, who was stopped, and the pairs that clash",
            "clashes:Clashes",
            by_table="clashes:of",
        ),
        View(
            "health",
            "the hit points left, and who is out of the fight",
            "tracks:Health",
            by_table="tracks:health_of",
        ),
        View(
            "tracks",
            "what else a game counts: clocks, boxes, counters, whose they are",
            *("tracks:Tracks", "tracks:every", "tracks:of"),
        ),
        View(
            "conflicts",
            "what is open, and where each conflict is in its procedure",
            "conflicts:Conflicts",
            by_table="conflicts:of",
        ),
        View(
            "pending",
            "what the table must still rule, and the answers there are",
            "conflicts:Pending",
            by_table="conflicts:pending_of",
        ),
        View(
            "sessions",
            "the evenings, their conflicts and how long they took",
            *("sessions:Sessions", "sessions:of"),
            by_rest="sessions:beyond",
        ),
        *(
            View(name, about, f"matters:{answer}", "matters:of", by_rest="matters:of", is_told_its_name=True)
            for name, answer, about in (
                ("threads", "Threads", "the threads, what is known of each, and which are open"),
                ("places", "Places", "the places that are kept a note of"),
                ("things", "Things", "the things that are kept a note of"),
            )
        ),
        View(
            "names",
            "how each name is written, and the players of the characters",
            *("names:NamesSeen", "names:of"),
            by_rest="names:of",
        ),
        View(
            "secrets",
            "secrets, who knows them, and how to reveal them",
            *("secrets:Secrets", "secrets:of"),
        ),
        View(
            "beats",
            "what weighs in the last session's story, and why",
            *(f"{_STORY}.beats:Beats", f"{_STORY}.beats:beats_of"),
        ),
        View(
            "doubts",
            "what an editor should look at in the last session's story",
            *(f"{_STORY}.doubts:Doubts", f"{_STORY}.doubts:doubts_of"),
        ),
        View(
            "untold",
            "results that nobody narrated",
            *("retold.projections.prose.awaiting:Untold", "retold.projections.prose.awaiting:untold_of"),
        ),
    )
}
"""Views by name: what `show`, help, completion and the service's description know of each."""


def ask(name: str, reading: LineView) -> Seen:
    """Returns the answer of the view `name` at the position of `reading`; Refused for an unknown name."""
    view = VIEWS.get(name)
    if view is None:
        from retold.journal.refused import Refused  # noqa: PLC0415 -- Tab asks for the names alone

        raise Refused(f"There is no view {name}. There are: {', '.join(VIEWS)}.")
    return view.see(reading)


def table_changes(before: Table, after: Table, views: Container[str] = VIEWS) -> tuple[Change, ...]:
    """Returns differences between two table states, view by view, limited to the named `views`.

    Views that need earlier events as well are left out.
    """
    from retold.projections.views.sheet import changes  # noqa: PLC0415 -- as above

    of_table = [view.of_table for view in VIEWS.values() if view.name in views]
    return tuple(change for of in of_table if of for change in changes(of(before), of(after)))
