"""Showing what was recorded for some eyes only: what `reveal MOMENT` appends, and when it is refused."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from journal.refused import Refused
from journal.store.acts import Done, Manner
from journal.store.campaign import Writer
from journal.store.codec import Envelope
from journal.store.standing import Reveals, reveals
from journal.visibility import TABLE
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event
from journal.words import Words


def plan_reveal(writer: Writer, at: int, to: Sequence[int] | None = None) -> tuple[e.Revealed, ...]:
    """One event for each that is hidden in the act at `at`; Refused where all is open to them already."""
    writer.catch_up()
    hidden = [one for one in writer.act_at(at).events if one.envelope.visible_to != TABLE]
    if not hidden:
        raise Refused(f"Nothing is hidden at {at}: everybody may see it.")
    known = reveals(writer.campaign.record, writer.line)
    shut = [one.position for one in hidden if not _open_to(one.envelope, known, one.position, to)]
    if not shut:
        raise Refused(f"What was hidden at {at} has been revealed already.")
    return tuple(e.Revealed(about=about, to=None if to is None else tuple(to)) for about in shut)


def _open_to(envelope: Envelope, known: Reveals, position: int, to: Sequence[int] | None) -> bool:
    """True if all of them, or (None) everybody, may see the event already."""
    shown = known.get(position, frozenset())
    if shown is None or to is None:
        return shown is None
    meant = envelope.visible_to if isinstance(envelope.visible_to, tuple) else ()
    return shown.union(meant, (GM,)).issuperset(to)


def reveal(
    writer: Writer,
    at: int,
    to: Sequence[int] | None = None,
    text: Words | None = None,
    manner: Manner | None = None,
) -> Done:
    """What is hidden at `at` is open from now on, to everybody or to these people; no undo takes it back.

    A text is what the game master says of it, to the same eyes.
    """
    events: list[Event] = [*plan_reveal(writer, at, to)]
    if text is not None and text.text != "":
        here = writer.table.in_play() if to is None else None  # in a conflict it would count for all
        events.append(e.Narrated(who=GM, text=text, conflict=None if here is None else here.id))
    see = TABLE if to is None else tuple(to)
    return writer.manage_all(events, c.Reveal(at=at, text=text), replace(manner or Manner(), visible_to=see))
