"""State of one Space·Time conflict: parties, Balance, round, challenge; and parties that change.

A party is a side, known by its first person. The Balance is a scale from balanced to victory; the flow of a
round is how its cards move the Balance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, field

from retold.game import Balance as Shown
from retold.game import OpenConflict, Pile, StateAccess, Table, events, triumphs
from retold.games.spacetime import events as s
from retold.games.spacetime import rules
from retold.games.spacetime.options import NAME, chosen
from retold.games.spacetime.rules import Ahead, Balance, BeatsTable, Meeting, MultiParty, Rule
from retold.games.spacetime.state.game_state import (
    SpacetimeState,
    cards_for,
    discard_cards,
    make_whole,
    place_of_cards,
)


class Mode(StrEnum):
    """Way to meet an obstacle: conflict, cards until success, or challenge.

    `CONFLICT` without an obstacle.
    """

    CONFLICT = "conflict"
    DRAW_UNTIL_SUCCESS = "draw_until_success"
    CHALLENGE = "challenge"


class Round(Struct):
    """One round: tactics stated, cards drawn, the flow (rule that moved the Balance), people who narrated."""

    number: int = 1
    tactics: set[int] = field(default_factory=set)
    hands: dict[int, list[str]] = field(default_factory=dict)
    excused: int | None = None
    replacement: str | None = None
    flow: Rule | None = None
    order: tuple[int, ...] = ()
    told: set[int] = field(default_factory=set)
    """People who have narrated the round; one person tells for the whole party."""
    struck: set[int] = field(default_factory=set)
    """People whose narration was struck and who must narrate again."""

    def laid(self, party: int) -> tuple[str, ...]:
        """Returns a party's cards on the table; a card drawn in place of the Excuse replaces it."""
        cards = tuple(self.hands.get(party, ()))
        if self.excused != party:
            return cards
        left = tuple(card for card in cards if triumphs.upright(card) != triumphs.EXCUSE)
        return left if self.replacement is None else (*left, self.replacement)

    @property
    def owes(self) -> int | None:
        """The party whose drawn Excuse still lacks its replacement card, or None."""
        return self.excused if self.replacement is None else None


class Challenge(Struct):
    """A challenge (obstacle with cards of its own): its `rank`, the attribute used, and the cards of both.

    `laid` holds the challenge's own cards, None until they are on the table; `drawn` the player's.
    """

    rank: int
    attribute: int | None = None
    laid: list[str] | None = None
    drawn: list[str] = field(default_factory=list)
    stopped: str | None = None
    met: s.ChallengeMet | None = None

    @property
    def begun(self) -> bool:
        """True once the challenge's own cards or the player's are drawn."""
        return bool(self.laid or self.drawn)

    def stands(self, beats_table: rules.BeatsTable) -> Meeting | None:
        """Returns cost, effect and success so far, or finally once the challenge is met.

        None until an attribute is declared and the challenge's own cards are on the table.
        """
        if self.met is not None:
            return Meeting(self.met.cost, self.met.effect, success=self.met.outcome == "success")
        if self.attribute is None or self.laid is None:
            return None
        return rules.meet(self.attribute, self.laid, self.drawn, beats_table)


class SpacetimeConflict(Struct):
    """State of one conflict: the Balance, the current round, and the obstacle or challenge, if any."""

    standing: Balance = field(default_factory=Balance)
    obstacle: int | None = None
    mode: Mode = Mode.CONFLICT
    round: Round = field(default_factory=Round)
    winner: int | None = None
    cards: dict[int, int] = field(default_factory=dict)
    complications: dict[int, int] = field(default_factory=dict)
    challenge: Challenge | None = None
    desired: set[int] = field(default_factory=set)
    """Parties that have named a Desired Outcome."""
    newcomers: set[int] = field(default_factory=set)
    """Parties that joined later and have not named a Desired Outcome."""
    leads: tuple[int, ...] = ()
    """The first person of each party, the key of its cards and counts."""

    @property
    def over(self) -> bool:
        """True once a party has won or the challenge is met, so that only narration is left."""
        return self.winner is not None or (self.challenge is not None and self.challenge.met is not None)

    @property
    def verdict(self) -> tuple[str, int | None]:
        """Ending of a decided conflict, "victory" or "failure", with the winner's id, if any."""
        met = self.challenge.met if self.challenge else None
        if met is None:
            return "victory", self.winner
        return ("victory", met.who) if met.outcome == "success" else ("failure", None)

    def winners(self) -> Iterator[int]:
        """Yields the party that has reached victory or met the challenge."""
        winner = self.verdict[1]
        if winner is not None:
            yield winner

    @property
    def drawing(self) -> bool:
        """True while a round's cards are being drawn: some are on the table, without a result yet."""
        return bool(self.round.hands) and self.round.flow is None

    @property
    def begun(self) -> bool:
        """True once a card is drawn in this conflict, or after its reformulation."""
        met = self.challenge is not None and self.challenge.begun
        return self.round.number > 1 or bool(self.round.hands) or met

    @property
    def cost(self) -> int | None:
        """Number of cards drawn so far against an obstacle in mode `draw_until_success`.

        None in other modes.
        """
        if self.mode is not Mode.DRAW_UNTIL_SUCCESS:
            return None
        return sum(number for party, number in self.cards.items() if party != self.obstacle)

    def owed(self, party: int) -> int:
        """Returns the number of Complications a party must still tell, one per card drawn at an obstacle.

        0 for the obstacle itself, in a challenge, and without an obstacle.
        """
        if self.obstacle is None or self.mode is Mode.CHALLENGE or party == self.obstacle:
            return 0
        return self.cards.get(party, 0) - self.complications.get(party, 0)

    def balance(self, conflict: int) -> Shown | None:
        """Returns the Balance (which party has the advantage) of conflict `conflict`, for views.

        None where an obstacle is met without a Balance.
        """
        if self.mode is not Mode.CONFLICT:
            return None
        scale = tuple(level.value for level in rules.LADDER)
        return Shown(conflict, self.standing.level.value, self.standing.advantaged, scale)


def add_party(conflict: OpenConflict, state: SpacetimeConflict) -> None:
    """Records parties new in `conflict` as newcomers, who may still name a Desired Outcome."""
    state.newcomers |= set(conflict.leads) - set(state.leads)
    state.leads = conflict.leads


def remove_people(
    pile: Pile, conflict: OpenConflict, state: SpacetimeConflict, people: tuple[int, ...], party: int
) -> None:
    """Removes `people`, who left, from the state of `party`.

    Allies who stay go on under a new first person; without any, the party is removed.
    """
    state.round.struck.difference_update(people)
    told = state.round.told & set(people)
    state.round.told -= told
    heir = (
        party
        if party in conflict.leads
        else next((new for new in conflict.leads if new not in state.leads), None)
    )
    state.leads = conflict.leads
    if heir is None:
        remove_party(pile, conflict, state, party)
        return
    if told:
        state.round.told.add(heir)
    if heir != party:
        rename_party(pile, conflict, state, party, heir)


def remove_party(pile: Pile, conflict: OpenConflict, state: SpacetimeConflict, party: int) -> None:
    """Removes a party from the current round and discards its cards on the table."""
    round_ = state.round
    round_.order = tuple(other for other in round_.order if other != party)
    round_.hands.pop(party, None)
    if round_.excused == party:
        round_.excused = None
    where = place_of_cards(conflict.id, party)
    for card in pile.held(where):
        pile.discard(card, where)


def rename_party(pile: Pile, conflict: OpenConflict, state: SpacetimeConflict, party: int, heir: int) -> None:
    """Moves the state and cards of `party` to `heir`, the party's new first person."""
    named = {party: heir}
    round_ = state.round
    round_.tactics = {named.get(lead, lead) for lead in round_.tactics}
    round_.hands = {named.get(lead, lead): hand for lead, hand in round_.hands.items()}
    round_.order = tuple(named.get(lead, lead) for lead in round_.order)
    round_.excused = heir if round_.excused == party else round_.excused
    state.desired = {named.get(lead, lead) for lead in state.desired}
    state.newcomers = {named.get(lead, lead) for lead in state.newcomers}
    state.cards = {named.get(lead, lead): number for lead, number in state.cards.items()}
    state.complications = {named.get(lead, lead): number for lead, number in state.complications.items()}
    if state.standing.advantaged == party:
        state.standing = Balance(state.standing.level, heir)
    old, new = place_of_cards(conflict.id, party), place_of_cards(conflict.id, heir)
    pile.out = {card: tuple(new if at == old else at for at in places) for card, places in pile.out.items()}


def recount_parties(counted: Mapping[int, int], before: events.Sides, sides: events.Sides) -> dict[int, int]:
    """Returns the numbers `counted` for each old party, added up for the new parties.

    Each old party's number goes to the new party of its first person who still takes part.
    """
    now = {person: side[0] for side in sides for person in side}
    anew: dict[int, int] = {}
    for side in before:
        heir = next((now[person] for person in side if person in now), None)
        if heir is not None and side[0] in counted:
            anew[heir] = anew.get(heir, 0) + counted[side[0]]
    return anew


PLACE = StateAccess(NAME, SpacetimeState, SpacetimeConflict)
game_state, mutable_game_state, conflict_state, conflict_state_in = (
    PLACE.shelf,
    PLACE.own,
    PLACE.play,
    PLACE.play_in,
)


def parties(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the first person of each party, leaving out an obstacle.

    These parties state tactics, narrate, and may stop the conflict.
    """
    obstacle = conflict_state(conflict).obstacle
    return tuple(party for party in conflict.leads if party != obstacle)


def speaks_for(conflict: OpenConflict, who: int) -> int:
    """Returns the party (first person of the side) of `who`; `who` itself on no side."""
    party = conflict.side_of(who)
    return who if party is None else party


def token_holder(table: Table, person: int) -> int:
    """Returns the person whose tokens `person` spends: their player, or themselves without a player."""
    known = table.people.get(person)
    return person if known is None or known.player is None else known.player


def tokens(table: Table, person: int) -> int:
    """Returns the number of tokens `person` may spend, for striking narrations.

    A person who was never given tokens counts as having a full set.
    """
    return game_state(table).tokens.get(token_holder(table, person), tokens_per_session(table))


def tokens_per_session(table: Table) -> int:
    """Returns the number of tokens (for striking narrations) dealt to each player per session."""
    return chosen.number(table, "overrule_tokens")


def next_round(table: Table, conflict: OpenConflict) -> Ahead | None:
    """Returns the current round, or the next if this one has its result, as input for `odds`.

    None once the conflict is over, and for an obstacle met without a Balance.
    """
    state = conflict_state(conflict)
    if state.mode is not Mode.CONFLICT or state.over:
        return None
    hands = {} if state.round.flow is not None else state.round.hands
    pile = copied_pile(table)
    if not hands and chosen(table, "reshuffle") == "every_round":
        discard_cards(table, pile, conflict.id)
        make_whole(table, pile)
    return Ahead(
        state.standing,
        conflict.leads,
        tuple((party, tuple(cards)) for party, cards in hands.items()),
        pile.left(),
        chosen.kind(table, "multi_party", MultiParty),
        beats_table(table),
    )


def beats_table(table: Table) -> BeatsTable:
    """Returns the rule by which cards beat each other at this table (option `beats_table`)."""
    return chosen.kind(table, "beats_table", BeatsTable)


def new_pile(table: Table) -> Pile:
    """Returns a full deck, with blank cards if option `blank_cards` says so."""
    return Pile(cards_for(table), identity=triumphs.upright)


def copied_pile(table: Table) -> Pile:
    """Returns a copy of the shared deck as it lies; a full deck before the first card is drawn."""
    found = game_state(table).pile
    return found.copy() if found else new_pile(table)


def own_pile(table: Table) -> Pile:
    """Returns the shared deck for event handlers to change; creates the deck at first use."""
    found = mutable_game_state(table)
    if found.pile is None:
        found.pile = new_pile(table)
    return found.pile
