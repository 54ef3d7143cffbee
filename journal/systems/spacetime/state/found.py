"""Where a table keeps what Space·Time knows."""

from __future__ import annotations

from journal.decks import spacetime
from journal.decks.pile import Pile
from journal.shelves import Place
from journal.systems.spacetime.options import NAME, chosen
from journal.systems.spacetime.rules import Ahead, BeatsTable, MultiParty
from journal.systems.spacetime.state.deck import cards_for, clear, make_whole
from journal.systems.spacetime.state.play import Mode, Play
from journal.systems.spacetime.state.shelf import Shelf
from journal.table import OpenConflict, Table

PLACE = Place(NAME, Shelf, Play)
shelf, own, play, play_in = PLACE.shelf, PLACE.own, PLACE.play, PLACE.play_in


def parties(conflict: OpenConflict) -> tuple[int, ...]:
    """Everybody who states tactics, tells and may stop: every party but an obstacle, in order."""
    obstacle = play(conflict).obstacle
    return tuple(party for party in conflict.leads if party != obstacle)


def speaks_for(conflict: OpenConflict, who: int) -> int:
    """The party somebody speaks for; themselves if they are on no side."""
    party = conflict.side_of(who)
    return who if party is None else party


def holder(table: Table, person: int) -> int:
    """Who holds the tokens `person` may spend: their player, or themselves where no player is known."""
    known = table.people.get(person)
    return person if known is None or known.player is None else known.player


def tokens(table: Table, person: int) -> int:
    """How many tokens `person` may spend; a full purse for somebody who was never given one."""
    return shelf(table).tokens.get(holder(table, person), each(table))


def each(table: Table) -> int:
    """How many tokens everybody has in a session."""
    return chosen.number(table, "overrule_tokens")


def ahead(table: Table, conflict: OpenConflict) -> Ahead | None:
    """The round to be drawn for, in play or next; None where no Balance hangs on its cards."""
    state = play(conflict)
    if state.mode is not Mode.CONFLICT or state.over:
        return None
    hands = {} if state.round.flow is not None else state.round.hands
    found = shelf(table).pile
    pile = found.copy() if found else new_pile(table)
    if not hands and chosen(table, "reshuffle") == "every_round":
        blanks = chosen(table, "blank_cards")
        clear(pile, conflict.id, blanks)
        make_whole(pile, blanks)
    return Ahead(
        state.standing,
        conflict.leads,
        tuple((party, tuple(cards)) for party, cards in hands.items()),
        pile.left(),
        chosen.kind(table, "multi_party", MultiParty),
        beats_table(table),
    )


def beats_table(table: Table) -> BeatsTable:
    """Which card beats which here."""
    return chosen.kind(table, "beats_table", BeatsTable)


def new_pile(table: Table) -> Pile:
    """A full deck, with the blanks the table plays with."""
    return Pile(cards_for(chosen(table, "blank_cards")), identity=spacetime.upright)


def own_pile(table: Table) -> Pile:
    """The shared deck, for the fold to change."""
    found = own(table)
    if found.pile is None:
        found.pile = new_pile(table)
    return found.pile
