"""What players have handed in, as the console shows it: told when it comes, then one by one."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field
from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from cli.console.keys import is_marked, mark_all
from cli.inbox import Inbox, Proposal
from projections import safe
from projections.wrapping import cut
from projections.wrapping import width as columns_of

TAKE, REFUSE, NEXT = "f4", "f5", "f6"
WHY = "Why not?> "
HOW_REFUSED = "  (Enter refuses, Ctrl-C lets it wait)"
FEWEST_COLUMNS = 24
"""A line has so many columns beside the keys, or the keys are not shown."""


class HandedIn(Struct):
    """What waits in a campaign's inbox, and the one that the keys are about."""

    inbox: Inbox
    waiting: tuple[Proposal, ...] = ()
    refusing: Proposal | None = None
    """The one whose refusal is being given a reason, in the prompt."""
    _chosen: str | None = None
    _stamp: frozenset[tuple[str, int]] | None = None
    _told: set[str] = field(default_factory=set)
    _typed: tuple[Document, bool] = (Document(), False)
    """What stood in the prompt before the reason was asked for, and whether it was marked."""

    @property
    def chosen(self) -> Proposal | None:
        """The one that the keys are about: the one gone to, or else the oldest."""
        found = [one for one in self.waiting if one.id == self._chosen]
        return next(iter((*found, *self.waiting)), None)

    def look(self) -> bool:
        """Looks again where anything has changed, whoever changed it; True if so."""
        stamp = self.inbox.stamp()
        if stamp == self._stamp:
            return False
        self._stamp, self.waiting = stamp, tuple(self.inbox.waiting())
        return True

    def news(self) -> list[str]:
        """What waits and has not been told here yet, each whole, safe to show."""
        new = [one for one in self.waiting if one.id not in self._told]
        self._told.update(one.id for one in new)
        return [told_of(one) for one in new]

    def go_on(self) -> None:
        """Goes to the next that waits; after the last comes the first."""
        ids = [one.id for one in self.waiting]
        if self.chosen is not None:
            self._chosen = ids[(ids.index(self.chosen.id) + 1) % len(ids)]

    def row(self, width: int) -> str:
        """Whose it is, what it says, and the keys, in at most so many columns; empty where nothing waits."""
        one = self.refusing or self.chosen
        if one is None:
            return ""
        several = f", F6 next of {len(self.waiting)}" if len(self.waiting) > 1 else ""
        keys = HOW_REFUSED if self.refusing else f"  (F4 take, F5 refuse{several})"
        room = width - columns_of(keys)
        return cut(told_of(one), room) + keys if room >= FEWEST_COLUMNS else cut(told_of(one), width)

    # --- a reason -----------------------------------------------------------------------------------------

    def ask_why(self, buffer: Buffer) -> None:
        """Asks for a reason in the prompt; what is half typed there comes back after it."""
        self._typed = buffer.document, is_marked(buffer)
        self.refusing = self.chosen
        buffer.document = Document()

    def leave(self, buffer: Buffer) -> None:
        """Asks no more."""
        self.refusing = None
        buffer.document, marked = self._typed
        if marked:
            mark_all(buffer)


def told_of(one: Proposal) -> str:
    """Who hands what in, in one line; what would be sealed is shut."""
    return safe.line(f"{one.who} hands in: {one.shown}")


def handed_in_keys(
    handed: HandedIn, take: Callable[[Proposal], None], refuse: Callable[[Proposal, str], None]
) -> KeyBindings:
    """One key takes what is shown, one refuses it, one goes to the next; `refuse` is told why, or nothing."""
    keys = KeyBindings()
    asked = has_focus(DEFAULT_BUFFER) & Condition(lambda: handed.refusing is not None)
    there = Condition(lambda: handed.refusing is None and handed.chosen is not None and not get_app().is_done)

    @keys.add(TAKE, filter=there)
    def _take(_: KeyPressEvent) -> None:
        if handed.chosen is not None:
            take(handed.chosen)

    @keys.add(REFUSE, filter=there)
    def _ask_why(event: KeyPressEvent) -> None:
        event.app.layout.focus(DEFAULT_BUFFER)
        handed.ask_why(event.current_buffer)

    @keys.add(NEXT, filter=there)
    def _go_on(_: KeyPressEvent) -> None:
        handed.go_on()

    @keys.add("enter", filter=asked)
    def _refuse(event: KeyPressEvent) -> None:
        one, why = handed.refusing, " ".join(event.current_buffer.text.split())
        handed.leave(event.current_buffer)
        if one is not None:
            refuse(one, why)

    @keys.add("c-c", filter=asked, eager=True)
    @keys.add("c-d", filter=asked, eager=True)
    @keys.add("<sigint>", filter=asked, eager=True)
    def _leave(event: KeyPressEvent) -> None:
        handed.leave(event.current_buffer)

    return keys
