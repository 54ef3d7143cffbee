"""State of Whiskey: sheets, incapacitated people and decks, which persist, and each conflict's phase.

In a phase fighters declare intents (acts such as engaging a person); these become clashes, which checks
decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from retold.game import (
    DISCARD,
    GM,
    Aim,
    Deck,
    Event,
    Handler,
    Melee,
    OpenConflict,
    Pairing,
    Picture,
    Pile,
    Row,
    StateAccess,
    Table,
    Words,
    french,
    hold,
    normalise,
)
from retold.game import events as e
from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.options import NAME, chosen
from retold.games.whiskey.rules import DeckMode, Fate, Half, Hit, Intent, Ring

NUMBERS = ("combat", "base", "die", "hp")
"""Numbers every fighter needs."""


class Sheet(Struct):
    """A fighter's sheet: combat numbers, hit points `hp` now and at `full`, other stats, and abilities."""

    combat: int | None = None
    base: int | None = None
    die: int | None = None
    hp: int | None = None
    full: int | None = None
    faction: str | None = None
    stats: dict[str, int] = field(default_factory=dict)
    abilities: dict[str, str] = field(default_factory=dict)

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers on the sheet by name: combat numbers, then stats."""
        of_combat = {key: getattr(self, key) for key in NUMBERS}
        return {key: number for key, number in of_combat.items() if number is not None} | self.stats

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the four combat numbers that the sheet lacks: combat, base, die, hp."""
        return tuple(key for key in NUMBERS if getattr(self, key) is None)

    def change(self, key: str, value: int | str | None) -> None:
        """Sets the sheet entry `key` (such as "combat" or "stealth") to `value`; None removes the entry.

        Setting "hp" sets both the present and the full hit points.
        """
        number = value if isinstance(value, int) else None
        match key:
            case "combat" | "base" | "die":
                setattr(self, key, number)
            case "hp":
                self.hp = self.full = number
            case "faction":
                self.faction = None if value is None else normalise(str(value))
            case _:
                self.stats.pop(key, None)
                self.abilities.pop(key, None)
                if isinstance(value, int):
                    self.stats[key] = value
                elif value is not None:
                    self.abilities[key] = value


class Cards(Struct):
    """A faction's deck of cards, and the half deck in play."""

    pile: Pile = field(default_factory=lambda: Pile(french.DECK))
    half: Half = Half.HEARTS_SPADES

    def left(self, half: Half | None = None) -> tuple[str, ...]:
        """Returns the cards not yet drawn from a half of the deck; None means the whole deck."""
        return tuple(card for card in self.pile.left() if half in (None, rules.half_of(card)))

    def discarded(self, half: Half | None = None) -> tuple[str, ...]:
        """Returns the discarded cards that belong to a half of the deck; None means the whole deck."""
        return tuple(card for card in self.pile.held(DISCARD) if half in (None, rules.half_of(card)))

    def copy(self) -> Cards:
        """Returns a copy that may be changed without changing this deck."""
        return Cards(self.pile.copy(), self.half)

    def gather(self, half: Half | None = None) -> None:
        """Puts discarded cards of a half (None: of the whole deck) back among the cards to draw."""
        back = self.discarded(half)
        self.pile.out = {card: where for card, where in self.pile.out.items() if card not in back}


class WhiskeyState(Struct):
    """State that persists between fights: sheets, incapacitated people, decks, and the last check."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)
    cards: dict[str, Cards] = field(default_factory=dict)
    mode: DeckMode = DeckMode.HALVES
    last_check: w.CheckMade | None = None

    def rows(self) -> Iterable[Row]:
        """Yields a `Row` for views per sheet with hit points: the present and the full number."""
        for person, sheet in self.sheets.items():
            if sheet.hp is not None:
                yield Row(person, "hp", sheet.hp, sheet.full, Picture.HEALTH, out=person in self.down)

    def decks(self) -> Iterable[Deck]:
        """Yields each faction's deck as a `Deck` for views: whole, or its half in play and its half at rest.

        A table that rolls a d26 has no decks.
        """
        if self.mode is DeckMode.D26:
            return
        for faction, cards in self.cards.items():
            if self.mode is DeckMode.WHOLE:
                yield _deck(faction, cards, None)
            else:
                yield _deck(f"{faction}, {cards.half} in play", cards, cards.half)
                yield _deck(f"{faction}, {cards.half.other} at rest", cards, cards.half.other)

    def check(self) -> None:
        """Raises ValueError if a card of a deck is in two places or nowhere."""
        for cards in self.cards.values():
            cards.pile.check()


def _deck(name: str, cards: Cards, half: Half | None) -> Deck:
    left, discarded = cards.left(half), cards.discarded(half)
    whole = tuple(card for card in cards.pile.cards if half in (None, rules.half_of(card)))
    return Deck(name, None, len(whole), len(left), (), discarded, whole)


SEALED = "sealed"
"""Act displayed for a sealed intent."""


class OpenClash(Struct):
    """Two people who clash; the person `checker` makes its check, `made` (None until then)."""

    one: int
    other: int
    checker: int | None
    made: w.CheckMade | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """Ids of the two people who clash."""
        return self.one, self.other

    def against(self, who: int) -> int:
        """Returns the opponent of `who` in this clash."""
        return self.other if who == self.one else self.one

    @property
    def winner(self) -> int | None:
        """The person who won the clash; None before its check."""
        if self.made is None:
            return None
        return self.made.who if self.made.passed else self.against(self.made.who)


class Phase(Struct):
    """One phase of a fight: declared intents, their outcomes, the clashes, and the hits."""

    number: int = 1
    intents: dict[int, Intent] = field(default_factory=dict)
    sealed: dict[int, Words] = field(default_factory=dict)
    orders: dict[int, int | None] = field(default_factory=dict)
    broken: dict[Ring, int] = field(default_factory=dict)
    fates: dict[int, Fate] = field(default_factory=dict)
    clashes: list[OpenClash] = field(default_factory=list)
    triangle: w.TriangleProposed | None = None
    hits: list[Hit] = field(default_factory=list)
    revealed: bool = False
    late: set[int] = field(default_factory=set)
    """People who joined after the intents were public; they act from the next phase on."""

    @property
    def open(self) -> tuple[OpenClash, ...]:
        """Clashes of this phase that still need a check."""
        return tuple(clash for clash in self.clashes if clash.made is None)

    @property
    def begun(self) -> bool:
        """True once a fighter has declared an intent, openly or sealed, or two people clash."""
        return bool(self.intents or self.sealed or self.clashes)

    def between(self, one: int, other: int) -> OpenClash | None:
        """Returns the clash between the two people, in either order; None if they do not clash."""
        return next((clash for clash in self.clashes if {one, other} == set(clash.pair)), None)


class WhiskeyConflict(Struct):
    """State of one Whiskey fight: the current phase, and the phase before it."""

    phase: Phase = field(default_factory=Phase)
    last: Phase | None = None

    @property
    def shown(self) -> Phase:
        """The phase for views: the current phase once it has begun, until then the phase before."""
        return self.phase if self.phase.begun or self.last is None else self.last

    def melee(self) -> Melee:
        """Returns the intents (with their outcomes) and clashes of the phase `shown`, for views."""
        phase = self.shown
        intents = tuple(
            Aim(who, intent.act.value, intent.target, *_outcome(phase.fates.get(who)))
            for who, intent in phase.intents.items()
        )
        sealed = tuple(Aim(who, SEALED, None, *_outcome(None)) for who in phase.sealed)
        pairs = tuple(Pairing(*clash.pair, clash.checker, clash.winner) for clash in phase.clashes)
        return Melee(phase.number, (*intents, *sealed), pairs)


def _outcome(fate: Fate | None) -> tuple[str | None, tuple[int, ...]]:
    return (None, ()) if fate is None else (fate.why.value, fate.by)


PLAYERS, ENEMIES = "players", "enemies"
PLACE = StateAccess(
    NAME, WhiskeyState, WhiskeyConflict, lambda table: WhiskeyState(mode=chosen.kind(table, "deck", DeckMode))
)
game_state, mutable_game_state, conflict_state, conflict_state_in = (
    PLACE.shelf,
    PLACE.own,
    PLACE.play,
    PLACE.play_in,
)


def sheet_of(table: Table, person: int) -> Sheet:
    """Returns the person's sheet, which must not be changed; a new empty sheet if the person has none."""
    return game_state(table).sheets.get(person, Sheet())


def is_pc(table: Table, person: int) -> bool:
    """True for a player character: a person whose player is not the game master."""
    player = table.people[person].player
    return player not in (None, GM, *table.game_masters)


def faction(table: Table, person: int) -> str:
    """Returns the faction from whose deck the person draws: the sheet's, or else "players" or "enemies"."""
    return sheet_of(table, person).faction or (PLAYERS if is_pc(table, person) else ENEMIES)


def cards_of(table: Table, faction: str) -> Cards:
    """Returns a faction's deck, which must not be changed; a full deck before the first card is drawn."""
    return game_state(table).cards.get(faction, Cards())


def half_in_play(table: Table, cards: Cards) -> Half | None:
    """Returns the half of a deck that checks draw from; None if this table has no half decks."""
    return cards.half if chosen(table, "deck") == DeckMode.HALVES else None


def deck_name(faction: str) -> str:
    """Returns the stored name of a faction's deck, such as "whiskey:players"."""
    return f"{NAME}:{faction}"


def able_fighters(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people of the conflict who are not incapacitated, in the conflict's order."""
    down = game_state(table).down
    return tuple(person for person in conflict.people if person not in down)


def intents_of_able(table: Table, conflict: OpenConflict) -> dict[int, Intent]:
    """Returns the openly declared intent of each fighter not incapacitated, in declaring order."""
    able = able_fighters(table, conflict)
    return {who: intent for who, intent in conflict_state(conflict).phase.intents.items() if who in able}


# --- sheets and options -----------------------------------------------------------------------------------


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system == NAME and event.key == "deck" and NAME in table.shelves:
        mutable_game_state(table).mode = DeckMode(event.value)


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    game = mutable_game_state(table)
    for key, value in event.values.items():
        game.sheets.setdefault(event.person, Sheet()).change(key, value)
    if "hp" in event.values:
        game.down.discard(event.person)


# --- a phase ----------------------------------------------------------------------------------------------


def _opened(table: Table, event: e.ConflictOpened) -> None:
    table.conflicts[event.conflict].state = WhiskeyConflict()
    mutable_game_state(table)


def _phase(table: Table, conflict: int) -> Phase:
    return conflict_state_in(table, conflict).phase


def _intent_declared(table: Table, event: w.IntentDeclared) -> None:
    phase = _phase(table, event.conflict)
    phase.sealed.pop(event.who, None)
    phase.intents[event.who] = Intent(event.act, event.target)


def _intent_sealed(table: Table, event: w.IntentSealed) -> None:
    """Stores a fighter's sealed intent; a second one replaces the first and is last in declaring order."""
    hold(_phase(table, event.conflict).sealed, event)


def _intents_revealed(table: Table, event: w.IntentsRevealed) -> None:
    """Marks the phase's intents as revealed; an `IntentDeclared` event for each follows."""
    _phase(table, event.conflict).revealed = True


def _joined(table: Table, event: e.Joined) -> None:
    phase = _phase(table, event.conflict)
    if phase.revealed:
        phase.late.update(event.people)


def _left(table: Table, event: e.Left) -> None:
    """Removes the intents of people who left the fight; checks already made still count."""
    phase = _phase(table, event.conflict)
    for who in event.people:
        phase.intents.pop(who, None)
        phase.sealed.pop(who, None)
        phase.orders.pop(who, None)
        phase.late.discard(who)


def _guard_assigned(table: Table, event: w.GuardAssigned) -> None:
    _phase(table, event.conflict).orders[event.who] = event.target


def _loop_broken(table: Table, event: w.LoopBroken) -> None:
    _phase(table, event.conflict).broken[Ring(event.loop)] = event.who


def _intent_succeeded(table: Table, event: w.IntentSucceeded) -> None:
    _phase(table, event.conflict).fates[event.who] = Fate(event.why, event.by)


def _intent_stopped(table: Table, event: w.IntentStopped) -> None:
    _phase(table, event.conflict).fates[event.who] = Fate(rules.Why.STOPPED, event.by)


def _clash_formed(table: Table, event: w.ClashFormed) -> None:
    phase = _phase(table, event.conflict)
    phase.clashes.append(OpenClash(event.one, event.other, event.checker))
    phase.triangle = None


def _triangle_proposed(table: Table, event: w.TriangleProposed) -> None:
    _phase(table, event.conflict).triangle = event


def _clash_dropped(table: Table, event: w.ClashDropped) -> None:
    """Removes a clash that gets no check, and a proposed triangle that includes both its people."""
    phase = _phase(table, event.conflict)
    phase.clashes = [clash for clash in phase.clashes if {*clash.pair} != {event.one, event.other}]
    if phase.triangle is not None and {event.one, event.other} <= phase.triangle.corners:
        phase.triangle = None


def _ruling_made(table: Table, event: e.RulingMade) -> None:
    if event.question == "triangle" and event.conflict is not None:
        _phase(table, event.conflict).triangle = None


# --- checks and what lands --------------------------------------------------------------------------------


def _check_made(table: Table, event: w.CheckMade) -> None:
    game = mutable_game_state(table)
    game.last_check = event
    if event.card is not None:
        cards = game.cards.setdefault(event.faction, Cards())
        cards.pile.take(event.card, DISCARD)
    if event.clash and event.conflict is not None and event.other is not None:
        clash = _phase(table, event.conflict).between(event.who, event.other)
        if clash is not None:
            clash.made = event


def _damage_dealt(table: Table, event: w.DamageDealt) -> None:
    if event.left is not None:
        mutable_game_state(table).sheets.setdefault(event.loser, Sheet()).hp = event.left
    _phase(table, event.conflict).hits.append(Hit(event.winner, event.loser, event.amount, landed=True))


def _damage_suppressed(table: Table, event: w.DamageSuppressed) -> None:
    _phase(table, event.conflict).hits.append(Hit(event.winner, event.loser, event.amount, landed=False))


def _incapacitated(table: Table, event: w.Incapacitated) -> None:
    mutable_game_state(table).down.add(event.who)


def _recovered(table: Table, event: w.Recovered) -> None:
    mutable_game_state(table).down.discard(event.who)


def _phase_ended(table: Table, event: w.PhaseEnded) -> None:
    state = conflict_state_in(table, event.conflict)
    state.last, state.phase = state.phase, Phase(event.phase + 1)


def _deck_reshuffled(table: Table, event: w.DeckReshuffled) -> None:
    cards = mutable_game_state(table).cards.setdefault(event.faction, Cards())
    cards.gather(event.spent)
    cards.half = event.half


def _number_set(table: Table, event: w.NumberSet) -> None:
    mutable_game_state(table).sheets.setdefault(event.who, Sheet()).hp = event.value


EVOLVE: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.SheetChanged: _sheet_changed,
    e.ConflictOpened: _opened,
    e.RulingMade: _ruling_made,
    e.Joined: _joined,
    e.Left: _left,
    w.IntentDeclared: _intent_declared,
    w.IntentSealed: _intent_sealed,
    w.IntentsRevealed: _intents_revealed,
    w.GuardAssigned: _guard_assigned,
    w.LoopBroken: _loop_broken,
    w.IntentSucceeded: _intent_succeeded,
    w.IntentStopped: _intent_stopped,
    w.ClashFormed: _clash_formed,
    w.TriangleProposed: _triangle_proposed,
    w.ClashDropped: _clash_dropped,
    w.CheckMade: _check_made,
    w.DamageDealt: _damage_dealt,
    w.DamageSuppressed: _damage_suppressed,
    w.Incapacitated: _incapacitated,
    w.Recovered: _recovered,
    w.PhaseEnded: _phase_ended,
    w.DeckReshuffled: _deck_reshuffled,
    w.NumberSet: _number_set,
}
"""Event handlers of this system; a test proves the table complete."""
