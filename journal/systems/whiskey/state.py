"""What Whiskey knows now: sheets, wounds and decks, which outlive a conflict, and the phase within one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from journal.capabilities import Aim, Deck, Melee, Pairing, Vital
from journal.decks import french
from journal.decks.pile import DISCARD, Pile
from journal.names import fold
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.options import OPTIONS
from journal.systems.whiskey.rules import DeckMode, Fate, Half, Hit, Intent
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event
from journal.words import Words

NAME = "whiskey"
NUMBERS = ("combat", "base", "die", "hp")
"""What everybody needs who fights."""

PLAYERS, ENEMIES = "players", "enemies"
SEALED = "sealed"
"""What is shown for an act that nobody is to know yet."""

_DEFAULTS = {option.key: option.default for option in OPTIONS}


@dataclass(slots=True)
class Sheet:
    """One fighter: what they fight with, `hp` now and at their `full`, other stats, abilities in a word."""

    combat: int | None = None
    base: int | None = None
    die: int | None = None
    hp: int | None = None
    full: int | None = None
    faction: str | None = None
    stats: dict[str, int] = field(default_factory=dict)
    abilities: dict[str, str] = field(default_factory=dict)

    def stat(self, key: str) -> int | None:
        """A number of theirs by its name; None if they have none of that name."""
        own: dict[str, int | None] = {
            "combat": self.combat,
            "base": self.base,
            "die": self.die,
            "hp": self.hp,
        }
        return own[key] if key in own else self.stats.get(key)

    @property
    def missing(self) -> tuple[str, ...]:
        """What they still need before they can fight."""
        return tuple(key for key in NUMBERS if self.stat(key) is None)


@dataclass(slots=True)
class Cards:
    """One faction's deck, and the half of it that is in play."""

    pile: Pile = field(default_factory=lambda: Pile(french.DECK))
    half: Half = Half.HEARTS_SPADES

    def left(self, half: Half | None = None) -> tuple[str, ...]:
        """The cards still to be drawn, of one half or of all."""
        return tuple(card for card in self.pile.left() if half in (None, rules.half_of(card)))

    def discarded(self, half: Half | None = None) -> tuple[str, ...]:
        """The cards that are out, of one half or of all."""
        return tuple(card for card in self.pile.held(DISCARD) if half in (None, rules.half_of(card)))

    def gather(self, half: Half | None = None) -> None:
        """The discards, of one half or of all, go back."""
        back = self.discarded(half)
        self.pile.out = {card: where for card, where in self.pile.out.items() if card not in back}


@dataclass(slots=True)
class Shelf:
    """What outlives a conflict: sheets, who is out of the fight, each faction's deck, and the last check."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)
    cards: dict[str, Cards] = field(default_factory=dict)
    mode: DeckMode = DeckMode.HALVES
    last_check: w.CheckMade | None = None

    def health(self) -> Iterable[Vital]:
        """The hit points of everybody who has any."""
        for person, sheet in self.sheets.items():
            if sheet.hp is not None:
                yield Vital(person, "hp", sheet.hp, sheet.full, person in self.down)

    def decks(self) -> Iterable[Deck]:
        """Every deck that has been drawn from; of halves, the one in play and the one that rests."""
        if self.mode is DeckMode.D26:
            return
        for faction, cards in self.cards.items():
            if self.mode is DeckMode.WHOLE:
                yield _deck(faction, cards, None)
            else:
                yield _deck(f"{faction}, {cards.half} in play", cards, cards.half)
                yield _deck(f"{faction}, {cards.half.other} at rest", cards, cards.half.other)

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        for cards in self.cards.values():
            cards.pile.check()


def _deck(name: str, cards: Cards, half: Half | None) -> Deck:
    left, discarded = cards.left(half), cards.discarded(half)
    return Deck(name, None, len(left) + len(discarded), len(left), (), discarded)


@dataclass(slots=True)
class Clash:
    """Two who fight; `made` once it has its check."""

    one: int
    other: int
    checker: int | None
    made: w.CheckMade | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """Both of them."""
        return self.one, self.other

    def against(self, who: int) -> int:
        """Whom `who` fights here."""
        return self.other if who == self.one else self.one

    @property
    def winner(self) -> int | None:
        """Who won the check; None before it is made."""
        if self.made is None:
            return None
        return self.made.who if self.made.passed else self.against(self.made.who)


@dataclass(slots=True)
class Phase:
    """A few moments of a fight: what everybody means to do, what becomes of it, who clashes, what lands."""

    number: int = 1
    intents: dict[int, Intent] = field(default_factory=dict)
    sealed: dict[int, Words] = field(default_factory=dict)
    assigned: dict[int, int] = field(default_factory=dict)
    chosen: list[int] = field(default_factory=list)
    fates: dict[int, Fate] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    triangle: w.TriangleProposed | None = None
    hits: list[Hit] = field(default_factory=list)

    @property
    def open(self) -> tuple[Clash, ...]:
        """The clashes that still need their check."""
        return tuple(clash for clash in self.clashes if clash.made is None)

    @property
    def begun(self) -> bool:
        """True once somebody has declared, or been paired."""
        return bool(self.intents or self.sealed or self.clashes)

    def between(self, one: int, other: int) -> Clash | None:
        """Their clash, if they have one."""
        return next((clash for clash in self.clashes if {one, other} == set(clash.pair)), None)


@dataclass(slots=True)
class Play:
    """One conflict: the phase in play, and the one before it."""

    phase: Phase = field(default_factory=Phase)
    last: Phase | None = None

    @property
    def shown(self) -> Phase:
        """The phase a table speaks of: the one in play, or the one just over while nobody has declared."""
        return self.phase if self.phase.begun or self.last is None else self.last

    def melee(self) -> Melee:
        """Who wants what, and who is on whom."""
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


# --- asking -----------------------------------------------------------------------------------------------


def shelf(table: Table) -> Shelf:
    """What Whiskey keeps on this table, to be read; an empty shelf where it was never played."""
    found = table.shelves.get(NAME) or Shelf(mode=DeckMode(chosen(table, "deck")))
    assert isinstance(found, Shelf)  # noqa: S101 -- the key is ours alone
    return found


def _own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    table.shelves.setdefault(NAME, shelf(table))
    return shelf(table)


def play(conflict: OpenConflict) -> Play:
    """The state of a Whiskey conflict."""
    assert isinstance(conflict.state, Play)  # noqa: S101 -- set when it opened
    return conflict.state


def sheet(table: Table, person: int) -> Sheet:
    """Somebody's sheet, to be read; an empty one for somebody who has none."""
    return shelf(table).sheets.get(person, Sheet())


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, _DEFAULTS[key])


def is_pc(table: Table, person: int) -> bool:
    """True for a character whose player is not the game master."""
    player = table.people[person].player
    return player not in (None, GM, table.people[GM].player)


def faction(table: Table, person: int) -> str:
    """Whose deck somebody draws from: as their sheet says, else the players' or the enemies'."""
    return sheet(table, person).faction or (PLAYERS if is_pc(table, person) else ENEMIES)


def deck_name(faction: str) -> str:
    """What the record calls a faction's deck."""
    return f"{NAME}:{faction}"


def fit(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Everybody in the conflict who is not out of the fight, in order."""
    down = shelf(table).down
    return tuple(person for person in conflict.people if person not in down)


def intents(table: Table, conflict: OpenConflict) -> dict[int, Intent]:
    """What those who can still fight mean to do, in the order of declaring."""
    able = fit(table, conflict)
    return {who: intent for who, intent in play(conflict).phase.intents.items() if who in able}


# --- handlers ---------------------------------------------------------------------------------------------


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system == NAME and event.key == "deck" and NAME in table.shelves:
        _own(table).mode = DeckMode(event.value)


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    own = _own(table)
    for key, value in event.values.items():
        _set(own.sheets.setdefault(event.person, Sheet()), key, value)
    if "hp" in event.values:
        own.down.discard(event.person)


def _set(sheet: Sheet, key: str, value: int | str | None) -> None:
    number = value if isinstance(value, int) else None
    match key:
        case "combat":
            sheet.combat = number
        case "base":
            sheet.base = number
        case "die":
            sheet.die = number
        case "hp":
            sheet.hp = sheet.full = number
        case "faction":
            sheet.faction = None if value is None else fold(str(value))
        case _:
            sheet.stats.pop(key, None)
            sheet.abilities.pop(key, None)
            if isinstance(value, int):
                sheet.stats[key] = value
            elif value is not None:
                sheet.abilities[key] = value


def _opened(table: Table, event: e.ConflictOpened) -> None:
    table.conflicts[event.conflict].state = Play()
    _own(table)


def _phase(table: Table, conflict: int) -> Phase:
    return play(table.conflicts[conflict]).phase


def _intent_declared(table: Table, event: w.IntentDeclared) -> None:
    phase = _phase(table, event.conflict)
    phase.sealed.pop(event.who, None)
    phase.intents[event.who] = Intent(event.act, event.target)


def _intent_sealed(table: Table, event: w.IntentSealed) -> None:
    """The last one counts, and stands last in the order of declaring."""
    sealed = _phase(table, event.conflict).sealed
    sealed.pop(event.who, None)
    sealed[event.who] = event.intent


def _intents_revealed(table: Table, event: w.IntentsRevealed) -> None:
    """What each of them meant follows as they declare it."""


def _guard_assigned(table: Table, event: w.GuardAssigned) -> None:
    _phase(table, event.conflict).assigned[event.who] = event.target


def _loop_broken(table: Table, event: w.LoopBroken) -> None:
    _phase(table, event.conflict).chosen.append(event.who)


def _intent_succeeded(table: Table, event: w.IntentSucceeded) -> None:
    _phase(table, event.conflict).fates[event.who] = Fate(event.why, event.by)


def _intent_stopped(table: Table, event: w.IntentStopped) -> None:
    _phase(table, event.conflict).fates[event.who] = Fate(rules.Why.STOPPED, event.by)


def _clash_formed(table: Table, event: w.ClashFormed) -> None:
    phase = _phase(table, event.conflict)
    phase.clashes.append(Clash(event.one, event.other, event.checker))
    phase.triangle = None


def _triangle_proposed(table: Table, event: w.TriangleProposed) -> None:
    _phase(table, event.conflict).triangle = event


def _ruling_made(table: Table, event: e.RulingMade) -> None:
    if event.question == "triangle" and event.conflict is not None:
        _phase(table, event.conflict).triangle = None


def _check_made(table: Table, event: w.CheckMade) -> None:
    own = _own(table)
    own.last_check = event
    if event.card is not None:
        cards = own.cards.setdefault(event.faction, Cards())
        cards.pile.take(event.card, DISCARD)
    if event.clash and event.conflict is not None and event.other is not None:
        clash = _phase(table, event.conflict).between(event.who, event.other)
        if clash is not None:
            clash.made = event


def _damage_dealt(table: Table, event: w.DamageDealt) -> None:
    _own(table).sheets.setdefault(event.loser, Sheet()).hp = event.left
    _phase(table, event.conflict).hits.append(Hit(event.winner, event.loser, event.amount, landed=True))


def _damage_suppressed(table: Table, event: w.DamageSuppressed) -> None:
    _phase(table, event.conflict).hits.append(Hit(event.winner, event.loser, event.amount, landed=False))


def _incapacitated(table: Table, event: w.Incapacitated) -> None:
    _own(table).down.add(event.who)


def _recovered(table: Table, event: w.Recovered) -> None:
    _own(table).down.discard(event.who)


def _phase_ended(table: Table, event: w.PhaseEnded) -> None:
    state = play(table.conflicts[event.conflict])
    state.last, state.phase = state.phase, Phase(event.phase + 1)


def _deck_reshuffled(table: Table, event: w.DeckReshuffled) -> None:
    cards = _own(table).cards.setdefault(event.faction, Cards())
    cards.gather(event.spent)
    cards.half = event.half


def _number_set(table: Table, event: w.NumberSet) -> None:
    _own(table).sheets.setdefault(event.who, Sheet()).hp = event.value


EVOLVE: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.SheetChanged: _sheet_changed,
    e.ConflictOpened: _opened,
    e.RulingMade: _ruling_made,
    w.IntentDeclared: _intent_declared,
    w.IntentSealed: _intent_sealed,
    w.IntentsRevealed: _intents_revealed,
    w.GuardAssigned: _guard_assigned,
    w.LoopBroken: _loop_broken,
    w.IntentSucceeded: _intent_succeeded,
    w.IntentStopped: _intent_stopped,
    w.ClashFormed: _clash_formed,
    w.TriangleProposed: _triangle_proposed,
    w.CheckMade: _check_made,
    w.DamageDealt: _damage_dealt,
    w.DamageSuppressed: _damage_suppressed,
    w.Incapacitated: _incapacitated,
    w.Recovered: _recovered,
    w.PhaseEnded: _phase_ended,
    w.DeckReshuffled: _deck_reshuffled,
    w.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
