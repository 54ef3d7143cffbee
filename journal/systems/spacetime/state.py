"""What Space·Time knows now: deck and tokens, which outlive a conflict, and the round within one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from journal.capabilities import Balance as Shown
from journal.capabilities import Deck, Purse
from journal.decks import spacetime
from journal.decks.pile import DISCARD, Pile
from journal.systems.spacetime import events as s
from journal.systems.spacetime import rules
from journal.systems.spacetime.options import OPTIONS
from journal.systems.spacetime.rules import Balance, Level, Meeting, Rule
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

NAME = "spacetime"
DECK = "spacetime"
_DEFAULTS = {option.key: option.default for option in OPTIONS}


class Mode(StrEnum):
    """How an obstacle is met; a conflict without one has the first."""

    CONFLICT = "conflict"
    DRAW_UNTIL_SUCCESS = "draw_until_success"
    CHALLENGE = "challenge"


@dataclass(slots=True)
class Shelf:
    """What outlives a conflict: the one deck, and who holds how many tokens and Sleeve cards."""

    pile: Pile | None = None
    tokens: dict[int, int] = field(default_factory=dict)
    sleeve: dict[int, int] = field(default_factory=dict)

    def points(self) -> Iterable[Purse]:
        """Tokens to overrule, and Sleeve cards."""
        for person, tokens in self.tokens.items():
            yield Purse(person, "tokens", tokens)
        for person, cards in self.sleeve.items():
            yield Purse(person, "sleeve", cards)

    def decks(self) -> Iterable[Deck]:
        """The shared deck, once somebody has drawn from it; its hands are what lies on the table."""
        if self.pile is None or not self.pile.out:
            return
        hands: dict[int, tuple[str, ...]] = {}
        for holder in on_table(self.pile):
            person = int(holder.rpartition(":")[2])
            hands[person] = (*hands.get(person, ()), *self.pile.held(holder))
        yield Deck(
            "shared",
            None,
            len(self.pile.cards),
            len(self.pile.left()),
            tuple(sorted(hands.items())),
            self.pile.held(DISCARD),
        )

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        if self.pile is not None:
            self.pile.check()


@dataclass(slots=True)
class Round:
    """One round: tactics, cards, the flow, and whose telling is done."""

    number: int = 1
    tactics: set[int] = field(default_factory=set)
    hands: dict[int, list[str]] = field(default_factory=dict)
    excused: int | None = None
    replacement: str | None = None
    flow: Rule | None = None
    order: tuple[int, ...] = ()
    told: set[int] = field(default_factory=set)
    struck: set[int] = field(default_factory=set)

    @property
    def owes(self) -> int | None:
        """Who discarded the Excuse and has drawn no other card yet."""
        return self.excused if self.replacement is None else None

    @property
    def untold(self) -> tuple[int, ...]:
        """The parties whose part of this round is not told, in their order."""
        return tuple(party for party in self.order if party not in self.told)


@dataclass(slots=True)
class Challenge:
    """A challenge being met; `laid` is None until its own cards lie on the table."""

    rank: int
    attribute: int | None = None
    laid: list[str] | None = None
    drawn: list[str] = field(default_factory=list)
    stopped: str | None = None
    met: s.ChallengeMet | None = None

    def stands(self) -> Meeting | None:
        """How it stands after the cards drawn; None before its own cards are laid."""
        if self.attribute is None or self.laid is None:
            return None
        return rules.meet(self.attribute, self.laid, self.drawn)


@dataclass(slots=True)
class Play:
    """One conflict: where the Balance stands, and the round in play."""

    standing: Balance = field(default_factory=Balance)
    obstacle: int | None = None
    mode: Mode = Mode.CONFLICT
    round: Round = field(default_factory=Round)
    winner: int | None = None
    cards: dict[int, int] = field(default_factory=dict)
    complications: dict[int, int] = field(default_factory=dict)
    challenge: Challenge | None = None

    @property
    def over(self) -> bool:
        """True once it has come out: nothing is left but to tell it."""
        return self.winner is not None or (self.challenge is not None and self.challenge.met is not None)

    @property
    def drawing(self) -> bool:
        """True between the first card of a round and its flow."""
        return bool(self.round.hands) and self.round.flow is None

    @property
    def begun(self) -> bool:
        """True once cards have been drawn since the conflict was set up."""
        challenge = self.challenge
        met = challenge is not None and bool(challenge.laid or challenge.drawn)
        return self.round.number > 1 or bool(self.round.hands) or met

    def owed(self, party: int) -> int:
        """How many Complications the cards of `party` have brought that nobody has told yet."""
        if self.obstacle is None or self.mode is Mode.CHALLENGE or party == self.obstacle:
            return 0
        return self.cards.get(party, 0) - self.complications.get(party, 0)

    def balance(self, conflict: int) -> Shown:
        """Where the conflict stands."""
        return Shown(conflict, self.standing.level.value, self.standing.advantaged)


def shelf(table: Table) -> Shelf:
    """What Space·Time keeps on this table, to be read; an empty shelf where it was never played."""
    found = table.shelves.get(NAME) or Shelf()
    assert isinstance(found, Shelf)  # noqa: S101 -- the key is ours alone
    return found


def _own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    table.shelves.setdefault(NAME, Shelf())
    return shelf(table)


def play(conflict: OpenConflict) -> Play:
    """The state of a Space·Time conflict."""
    assert isinstance(conflict.state, Play)  # noqa: S101 -- set when it opened
    return conflict.state


def parties(conflict: OpenConflict) -> tuple[int, ...]:
    """Everybody who states tactics, tells and may stop: every party but an obstacle, in order."""
    obstacle = play(conflict).obstacle
    return tuple(party for party in conflict.leads if party != obstacle)


def holder(table: Table, person: int) -> int:
    """Who holds the tokens `person` may spend: their player, or themselves where no player is known."""
    known = table.people.get(person)
    return person if known is None or known.player is None else known.player


def tokens(table: Table, person: int) -> int:
    """How many tokens `person` may spend; a full purse for somebody who was never given one."""
    return shelf(table).tokens.get(holder(table, person), each(table))


def each(table: Table) -> int:
    """How many tokens everybody has in a session."""
    return int(chosen(table, "overrule_tokens"))


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, _DEFAULTS[key])


# --- the deck ---------------------------------------------------------------------------------------------


def new_pile(table: Table) -> Pile:
    """A full deck, with the blanks the table plays with."""
    return Pile(_cards(chosen(table, "blank_cards")), identity=spacetime.upright)


def _cards(blanks: str) -> tuple[str, ...]:
    return spacetime.deck("suits" if blanks == "suits" else "none")


def _pile(table: Table) -> Pile:
    """The shared deck, for the fold to change."""
    found = _own(table)
    if found.pile is None:
        found.pile = new_pile(table)
    return found.pile


def place(conflict: int, who: int) -> str:
    """Where the cards of `who` lie in this conflict, as the pile knows it."""
    return f"{conflict}:{who}"


def on_table(pile: Pile) -> tuple[str, ...]:
    """The places that have cards."""
    return tuple(sorted({where for places in pile.out.values() for where in places} - {DISCARD}))


def lies(pile: Pile, conflict: int) -> bool:
    """Whether cards of this conflict lie on the table."""
    return any(where.startswith(f"{conflict}:") for where in on_table(pile))


def clear(pile: Pile, conflict: int) -> None:
    """The cards of this conflict go from the table to the discards."""
    for where in on_table(pile):
        if where.startswith(f"{conflict}:"):
            for card in pile.held(where):
                pile.discard(card, where)


def make_whole(pile: Pile) -> None:
    """Every card that is not on the table goes back into the deck."""
    pile.gather(keep=on_table(pile))


# --- handlers ---------------------------------------------------------------------------------------------


def _opened(table: Table, event: e.ConflictOpened) -> None:
    obstacle = event.setup.get("obstacle")
    state = Play(
        obstacle=obstacle if isinstance(obstacle, int) else None,
        mode=Mode(str(event.setup.get("mode", Mode.CONFLICT))),
    )
    conflict = table.conflicts[event.conflict]
    conflict.state = state
    state.challenge = _fresh(conflict, state)
    _own(table)


def _fresh(conflict: OpenConflict, state: Play) -> Challenge | None:
    """The challenge of this conflict before anybody has done anything; one of rank 0 has nothing to lay."""
    if state.mode is not Mode.CHALLENGE:
        return None
    rank = int(conflict.setup.get("rank", 0))
    return Challenge(rank, laid=None if rank else [])


def _option_set(table: Table, event: e.OptionSet) -> None:
    pile = shelf(table).pile
    if event.system == NAME and event.key == "blank_cards" and pile is not None:
        pile.cards = _cards(event.value)
        pile.out = {card: where for card, where in pile.out.items() if card in pile.cards}


def _balance_set(table: Table, event: s.BalanceSet) -> None:
    state = play(table.conflicts[event.conflict])
    state.standing = Balance(event.level, event.advantaged)
    if event.level is not Level.VICTORY:
        state.winner = None


def _tokens_given(table: Table, event: s.TokensGiven) -> None:
    _own(table).tokens.update(dict.fromkeys(event.people, event.each))


def _declared(table: Table, event: e.Declared) -> None:
    state = play(table.conflicts[event.conflict or 0])
    state.round.tactics.add(event.who)
    if state.challenge is not None and event.setup:
        state.challenge.attribute = int(next(iter(event.setup.values())))


def _cards_drawn(table: Table, event: e.CardsDrawn) -> None:
    conflict = table.conflicts[event.conflict or 0]
    state = play(conflict)
    for card in event.cards:
        _pile(table).take(card, place(conflict.id, event.who))
    state.cards[event.who] = state.cards.get(event.who, 0) + len(event.cards)
    if event.purpose == "narration":
        state.round.replacement = event.cards[0]
    elif state.challenge is None:
        state.round.hands.setdefault(event.who, []).extend(event.cards)
    elif event.who == state.obstacle:
        laid = [card for card in event.cards if spacetime.upright(card) != spacetime.EXCUSE]
        state.challenge.laid = [*(state.challenge.laid or ()), *laid]
    else:
        state.challenge.drawn.extend(event.cards)


def _deck_shuffled(table: Table, event: e.DeckShuffled) -> None:
    if event.deck == DECK:
        make_whole(_pile(table))


def _flow_resolved(table: Table, event: s.FlowResolved) -> None:
    state = play(table.conflicts[event.conflict])
    state.standing = Balance(event.level, event.advantaged)
    state.round.flow = event.rule
    state.round.order = event.order
    state.round.told.clear()


def _excuse_discarded(table: Table, event: s.ExcuseDiscarded) -> None:
    state = play(table.conflicts[event.conflict])
    _pile(table).discard(spacetime.EXCUSE, place(event.conflict, event.who))
    if state.challenge is None:
        state.round.excused = event.who


def _victory_reached(table: Table, event: s.VictoryReached) -> None:
    play(table.conflicts[event.conflict]).winner = event.who


def _round_ended(table: Table, event: s.RoundEnded) -> None:
    clear(_pile(table), event.conflict)
    play(table.conflicts[event.conflict]).round = Round(event.round + 1)


def _party_left(table: Table, event: s.PartyLeft) -> None:
    conflict = table.conflicts[event.conflict]
    round_ = play(conflict).round
    conflict.sides = tuple(side for side in conflict.sides if side[0] != event.who)
    round_.order = tuple(party for party in round_.order if party != event.who)
    round_.hands.pop(event.who, None)
    round_.struck.discard(event.who)
    if round_.excused == event.who:
        round_.excused = None
    pile, where = _pile(table), place(event.conflict, event.who)
    for card in pile.held(where):
        pile.discard(card, where)


def _reformulated(table: Table, event: s.ConflictReformulated) -> None:
    conflict = table.conflicts[event.conflict]
    old = play(conflict)
    clear(_pile(table), event.conflict)
    conflict.sides = event.sides
    stays = old.obstacle in conflict.leads
    new = Play(
        standing=Balance(event.level, event.advantaged),
        obstacle=old.obstacle if stays else None,
        mode=old.mode if stays else Mode.CONFLICT,
        cards=old.cards,
        complications=old.complications,
    )
    new.challenge = _fresh(conflict, new)
    conflict.state = new


def _narrated(table: Table, event: e.Narrated) -> None:
    round_ = play(table.conflicts[event.conflict or 0]).round
    round_.told.add(event.who)
    round_.struck.discard(event.who)


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    round_ = play(table.conflicts[event.conflict or 0]).round
    if event.how == "token":
        spender = holder(table, event.by)
        _own(table).tokens[spender] = tokens(table, event.by) - 1
    round_.told.discard(event.whose)
    round_.struck.add(event.whose)


def _complication_added(table: Table, event: s.ComplicationAdded) -> None:
    told = play(table.conflicts[event.conflict]).complications
    told[event.who] = told.get(event.who, 0) + 1


def _sleeve_gained(table: Table, event: s.SleeveGained) -> None:
    _own(table).sleeve[event.who] = event.total


def _drawing_stopped(table: Table, event: s.DrawingStopped) -> None:
    challenge = play(table.conflicts[event.conflict]).challenge
    if challenge is not None:
        challenge.stopped = event.why


def _challenge_met(table: Table, event: s.ChallengeMet) -> None:
    state = play(table.conflicts[event.conflict])
    if state.challenge is not None:
        state.challenge.met = event
        state.round.order = (event.who,)
        state.round.told.clear()


def _number_set(table: Table, event: s.NumberSet) -> None:
    own = _own(table)
    purse = own.tokens if event.what == "tokens" else own.sleeve
    purse[event.who] = event.value


def _nothing(table: Table, event: Event) -> None:
    """What it says stands in its words, or in the events that follow it."""


EVOLVE: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.ConflictOpened: _opened,
    e.Declared: _declared,
    e.CardsDrawn: _cards_drawn,
    e.DeckShuffled: _deck_shuffled,
    e.Narrated: _narrated,
    e.NarrationOverruled: _narration_overruled,
    s.BalanceSet: _balance_set,
    s.OutcomeDesired: _nothing,
    s.TokensGiven: _tokens_given,
    s.FlowResolved: _flow_resolved,
    s.ExcuseDiscarded: _excuse_discarded,
    s.VictoryReached: _victory_reached,
    s.RoundEnded: _round_ended,
    s.ConflictStopped: _nothing,
    s.PartyLeft: _party_left,
    s.ConflictReformulated: _reformulated,
    s.ComplicationAdded: _complication_added,
    s.CostRaised: _nothing,
    s.DrawRefused: _nothing,
    s.SleeveGained: _sleeve_gained,
    s.DrawingStopped: _drawing_stopped,
    s.ChallengeMet: _challenge_met,
    s.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
