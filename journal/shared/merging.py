"""Two of the cast turn out to be one."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import HasDecks, HasRows, HasSheets
from journal.refused import Refused
from journal.system import Situation
from journal.table import Somebody, Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def merge(situation: Situation, command: c.Merge) -> list[Event]:
    """Two are one from now on; what only one of them has is kept, what both have must be said."""
    if command.person is None or command.into is None:
        raise Refused(f"Say who is whom: {command.example}")
    table = situation.table
    gone, stays = table.people[command.person], table.people[command.into]
    _check_two(gone, stays)
    _check_conflicts(table, gone, stays)
    _check_games(situation, gone, stays)
    _check_said_once(table, gone, stays, command)
    return [e.Merged(person=gone.id, into=stays.id, text=command.text)]


def _check_two(gone: Somebody, stays: Somebody) -> None:
    if gone is stays:
        raise Refused(f"{gone.called} is one already: name two.")
    if GM in (gone.id, stays.id):
        raise Refused("The game master's chair is nobody else: cast gm by=NAME says who sits in it.")
    if "player" in (gone.role, stays.role) and gone.role != stays.role:
        player, played = (gone, stays) if gone.role == "player" else (stays, gone)
        raise Refused(f"{player.called} is a player and {played.called} is not, so they are two.")


def _check_conflicts(table: Table, gone: Somebody, stays: Somebody) -> None:
    people = [conflict.people for conflict in table.conflicts.values()]
    if any(gone.id in one and stays.id in one for one in people):
        both = f"{gone.called} and {stays.called}"
        raise Refused(f"{both} are two in an open conflict, and can be one once it is over.")
    if any(gone.id in one for one in people):
        raise Refused(f"{gone.called} is in an open conflict, and can be somebody else once it is over.")


def _check_games(situation: Situation, gone: Somebody, stays: Somebody) -> None:
    """What a game keeps of somebody is kept under their number: it cannot be handed to another."""
    table = situation.table
    held, other = (tuple(_games(table, one.id)) for one in (gone, stays))
    if not held:
        return
    game = situation.systems[held[0]].title
    if not other:
        raise Refused(
            f"{game} keeps what {gone.called} has under that name, so merge the other way round:"
            f" merge {table.quoted(stays.id)} into {table.quoted(gone.id)}. A new name comes after it:"
            f" cast {table.quoted(gone.id)} name=NAME."
        )
    raise Refused(
        f"{gone.called} has a sheet of {game}, and {stays.called} one of"
        f" {situation.systems[other[0]].title}: whose numbers hold, nobody can say for you. Play on as one of"
        f" them, and retire the other: retire {table.quoted(gone.id)}."
    )


def _games(table: Table, person: int) -> Iterator[str]:
    """The games that keep something of somebody: a sheet, something counted, a deck."""
    for game, shelf in table.shelves.items():
        sheets = isinstance(shelf, HasSheets) and person in shelf.sheets
        rows = isinstance(shelf, HasRows) and any(row.who == person for row in shelf.rows())
        decks = isinstance(shelf, HasDecks) and any(deck.owner == person for deck in shelf.decks())
        if sheets or rows or decks:
            yield game


def _check_said_once(table: Table, gone: Somebody, stays: Somebody, command: c.Merge) -> None:
    if command.text is None and None not in (gone.text, stays.text) and gone.text != stays.text:
        raise Refused(
            f"Both have a phrase: say which they have from now on, after a colon: merge"
            f" {table.quoted(gone.id)} into {table.quoted(stays.id)}: {stays.text}"
        )
    if None not in (gone.player, stays.player) and gone.player != stays.player:
        player = table.quoted(stays.player or GM)
        raise Refused(
            f"{table.name(gone.player or GM)} plays {gone.called}, and {table.name(stays.player or GM)} plays"
            f" {stays.called}: say who plays them both first: cast {table.quoted(gone.id)} by={player}"
        )
