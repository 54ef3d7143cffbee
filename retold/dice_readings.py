"""Asks about results of real dice that a rule reads as other dice than the table may have meant."""

from __future__ import annotations

from collections.abc import Sequence

from retold.journal.decks.chance import SystemDealer
from retold.journal.line import systems_in_play
from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.events.acts import Manner
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event
from retold.projections import games
from retold.write_context import WriteContext


def confirm_reading(context: WriteContext, command: Command, manner: Manner) -> None:
    """Asks whether typed results are meant as the rules read them, if they could be other dice as well.

    Example: two results of a prone person are two d20, and could be a hit and its damage. Returns for a yes,
    and without a second reading. Raises Refused, with the lines to type instead, for a no.
    """
    for system in systems_in_play(context.table):
        room = games.room(system.name, "answer")
        if system.plainly is None or room is None:
            continue
        plain_table = system.plainly(context.table)
        ruled = _decided(context, command, manner, context.table)
        plain = _decided(context, command, manner, plain_table)
        if ruled is None or plain is None or _dice(ruled) == _dice(plain):
            continue
        read, meant = room.readings(context.table, ruled), room.readings(plain_table, plain)
        asked = (
            "As the rules read it:",
            *read,
            "Without that rule:",
            *meant,
            "Record it as the rules read it?",
        )
        if not context.ask("\n".join(asked)):
            ends = " and ".join(dict.fromkeys(room.ending(context.table, ruled)))
            raise Refused(f"Nothing was recorded. Type every die that the rule reads, or first: {ends}.")


def _decided(context: WriteContext, command: Command, manner: Manner, table: Table) -> Sequence[Event] | None:
    """Returns the events of a command at a table; None if the rules refuse it there."""
    return none_if_refused(lambda: context.writer.would(command, manner, SystemDealer(), table))


def _dice(events: Sequence[Event]) -> list[tuple[int | None, str, tuple[int, ...]]]:
    return [(event.who, event.dice, event.faces) for event in events if isinstance(event, e.DiceRolled)]
