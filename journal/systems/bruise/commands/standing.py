"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from journal.system import Count
from journal.systems.bruise import events as b
from journal.systems.bruise.commands.showdown import unread, without_hand
from journal.systems.bruise.options import chosen
from journal.systems.bruise.state import Play, Result, play, rank_name
from journal.table import OpenConflict, Table
from journal.vocabulary.base import Event


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the turn stands, for a toolbar."""
    state = play(conflict)
    length = state.length.text if state.length else None
    lasts = "" if length is None else f" ({length})"
    return f"{count(conflict)}{lasts} · {_stands(table, conflict, state)}"


def count(conflict: OpenConflict) -> Count:
    """The turn of a conflict."""
    return Count("turn", play(conflict).turn)


def _stands(table: Table, conflict: OpenConflict, state: Play) -> str:
    if state.ties:
        return "tie: rule on it"
    if state.over:
        return _to_tell(table, state)
    if not state.hands and not state.compared:
        return "declare, then draw"
    missing = without_hand(conflict, state, state.hands)
    if missing:
        return f"to draw: {', '.join(map(table.name, missing))}"
    unnamed = unread(conflict, state, state.hands)
    return f"to say their Quality: {', '.join(map(table.name, unnamed))}" if unnamed else "show (quality)"


def _to_tell(table: Table, state: Play) -> str:
    untold = [result for result in state.results if not result.told]
    if not untold:
        return "told"
    who = untold[0].winner
    said = dict.fromkeys(quantity_said(result) for result in untold if result.winner == who)
    return f"{table.name(who)} narrates, {' and '.join(said)}"


def quantity_said(result: Result) -> str:
    """What limits the teller: the Quantity, or that it has yet to be said."""
    return "Quantity to be said" if result.quantity is None else f"Quantity {result.quantity}"


def outcomes(table: Table, conflict: OpenConflict) -> Iterator[str]:
    """What came out and is untold, with the Quantity nobody may tell more than."""
    for result in play(conflict).results:
        if not result.told:
            winner, loser = table.name(result.winner), table.name(result.loser)
            ranks = f"{rank_name(result.quality)} against {rank_name(result.against)}"
            colour = result.colour or " or ".join(result.colours) or "no colour"
            yield f"{winner} won over {loser}, {ranks}: {quantity_said(result)}, {colour}."


def called_on(table: Table, state: Play) -> Iterator[str]:
    """What the telling of each winner takes up: the meme they drew for, the Karma they spent."""
    if chosen(table, "words") == "off":
        return
    for who in dict.fromkeys(result.winner for result in state.results if not result.told):
        if called := state.called_on.get(who):
            yield f"{table.name(who)}'s telling takes up {' and '.join(dict.fromkeys(called))}."


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """What belongs in the telling of a hand that was just won, and the Quantity it still wants."""
    won = [event for event in events if isinstance(event, b.HandWon)]
    for number in dict.fromkeys(event.conflict for event in won):
        conflict = table.conflicts.get(number)
        if conflict is not None:
            yield from called_on(table, play(conflict))
    if chosen(table, "words") != "off":
        for who in dict.fromkeys(event.winner for event in won if event.quantity is None):
            yield f"{table.name(who)}'s Quantity is still to be said (quality)."
