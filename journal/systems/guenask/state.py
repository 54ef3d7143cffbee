"""What Guenašk knows now: sheets and fallout that outlive a conflict, pools and the raise within one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from journal.capabilities import Harm, Moves, Pool, Way
from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.options import ASK, DEFAULTS
from journal.systems.guenask.rules import ROWS, STAGES, Approach, Fallout, Stat, Track
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words

NAME = "guenask"
FAMILY = "family"
"""Stands on a sheet for the dice of a relationship to family that nobody chose dice for."""

RELATIONSHIP, BELONGING, DANGER, TRAIT = "rel.", "obj.", "danger.", "trait."
PREFIXES = (RELATIONSHIP, BELONGING, DANGER, TRAIT)
"""What the keys of a sheet may begin with; one with nothing before it is a trait's, or one of `FIELDS`."""

FIELDS = (*Stat, "stages", "unassigned", "background", "accomplishment")


@dataclass(slots=True)
class Sheet:
    """One character: stats in d6, and the dice of traits, belongings and relationships by name."""

    stats: dict[str, int] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    belongings: dict[str, str] = field(default_factory=dict)
    dangerous: set[str] = field(default_factory=set)
    relationships: dict[str, str] = field(default_factory=dict)
    unassigned: str | None = None
    stages: int | None = None
    background: str | None = None
    accomplishment: str | None = None

    def things(self) -> Iterator[Thing]:
        """Everything that can be brought into a conflict."""
        for name, dice in self.traits.items():
            yield Thing(name, "trait", dice)
        for name, dice in self.belongings.items():
            yield Thing(name, "belonging", dice, name in self.dangerous)
        for name, dice in self.relationships.items():
            yield Thing(name, "relationship", dice)


class Thing(NamedTuple):
    """Something with dice that can be brought into a conflict."""

    name: str
    source: g.Source
    dice: str
    dangerous: bool = False

    @property
    def prefix(self) -> str:
        """What its key on a sheet begins with."""
        if self.source == "belonging":
            return DANGER if self.dangerous else BELONGING
        return RELATIONSHIP if self.source == "relationship" else TRAIT


@dataclass(slots=True)
class Burden:
    """What somebody bears: points by track, and what each full row means, by track and row from 1."""

    points: dict[str, int] = field(default_factory=dict)
    conditions: dict[str, dict[int, Words]] = field(default_factory=dict)


@dataclass(slots=True)
class Shelf:
    """What outlives a conflict."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    burdens: dict[int, Burden] = field(default_factory=dict)
    boxes: int | None = None
    npc_stage: str = DEFAULTS["npc_stage"]
    dead: set[int] = field(default_factory=set)
    follow_ups: dict[int, int] = field(default_factory=dict)
    won: int | None = None
    """Who took the stakes last."""

    def bears(self, person: int) -> bool:
        """True for somebody with a sheet or with fallout."""
        return person in self.sheets or person in self.burdens

    def is_npc(self, person: int) -> bool:
        """True for somebody with stages instead of four tracks."""
        sheet = self.sheets.get(person)
        return sheet is not None and sheet.stages is not None

    def tracks(self, person: int) -> tuple[g.TrackName, ...]:
        """The tracks somebody has."""
        return ("stages",) if self.is_npc(person) else tuple(track.value for track in Track)

    def marks(self, person: int, track: str) -> int:
        """How much of a track is marked."""
        burden = self.burdens.get(person)
        return burden.points.get(track, 0) if burden else 0

    def rows(self, person: int) -> int:
        """How many rows, or stages, each of somebody's tracks has."""
        sheet = self.sheets.get(person)
        return ROWS if sheet is None or sheet.stages is None else sheet.stages

    def row_size(self, person: int) -> int | None:
        """How many boxes a row, or a stage, of somebody's has; None as long as nobody has said."""
        return 1 if self.is_npc(person) and self.npc_stage != "row" else self.boxes

    def room(self, person: int) -> int | None:
        """How many boxes a whole track of somebody's has."""
        size = self.row_size(person)
        return None if size is None else size * self.rows(person)

    def rows_full(self, person: int, track: str) -> int:
        """How many rows of a track are full."""
        size = self.row_size(person)
        return 0 if size is None else min(self.rows(person), self.marks(person, track) // size)

    def full_tracks(self, person: int) -> tuple[g.TrackName, ...]:
        """The tracks that can take no more."""
        rows = self.rows(person)
        return tuple(track for track in self.tracks(person) if self.rows_full(person, track) >= rows)

    def unnamed(self, person: int) -> Iterator[tuple[g.TrackName, int]]:
        """The full rows that nobody has said the meaning of, by track and row."""
        burden = self.burdens.get(person, Burden())
        for track in self.tracks(person):
            for row in range(1, self.rows_full(person, track) + 1):
                if row not in burden.conditions.get(track, {}):
                    yield track, row

    def fallout(self) -> Iterable[Harm]:
        """Every track with something on it, and every NPC's."""
        for person in sorted(self.sheets.keys() | self.burdens.keys()):
            for track in self.tracks(person):
                if self.marks(person, track) or track == STAGES:
                    yield self._harm(person, track)

    def _harm(self, person: int, track: str) -> Harm:
        known = self.row_size(person) is not None
        full = self.rows_full(person, track)
        named = self.burdens.get(person, Burden()).conditions.get(track, {})
        words = [named.get(row) for row in range(1, full + 1)]
        return Harm(
            person,
            track,
            self.marks(person, track),
            self.room(person),
            full if known else None,
            self.rows(person),
            tuple(None if one is None else str(one) for one in words),
        )


@dataclass(slots=True)
class Participant:
    """Somebody in a conflict: what they have brought, and the dice before them, lowest first."""

    approach: Approach | None = None
    stats: set[Stat] = field(default_factory=set)
    things: set[tuple[str, str]] = field(default_factory=set)
    dangerous: int = 0
    pool: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    out: bool = False

    def spend(self, dice: Iterable[int]) -> None:
        """These dice leave the pool."""
        for die in dice:
            self.pool.remove(die)


@dataclass(slots=True)
class Raise:
    """The raise on the table, and who has yet to see it."""

    who: int
    total: int
    waiting: list[int]


@dataclass(slots=True)
class Owed:
    """Fallout that has come and has no track yet: `left` of what the blow cost."""

    cost: Fallout
    left: int
    used: set[str] = field(default_factory=set)


class Fresh(NamedTuple):
    """Fallout just taken, which a die may still cancel."""

    amount: int
    track: g.TrackName
    points: int


@dataclass(slots=True)
class Play:
    """One conflict."""

    conflict: int
    sides: e.Sides
    people: dict[int, Participant]
    staked: bool = False
    """True once it has been said what is at stake."""
    first: int | None = None
    danger_scope: str = "conflict"
    order: tuple[int, ...] = ()
    free: bool = False
    last: int | None = None
    raised: Raise | None = None
    owed: dict[int, Owed] = field(default_factory=dict)
    fresh: dict[int, Fresh] = field(default_factory=dict)
    fates: dict[int, bool | None] = field(default_factory=dict)
    """Whose second track filled in this conflict, and whether they die of it, once that is said."""
    cornered: set[int] = field(default_factory=set)
    """NPCs whose track is full: they give, or resist, and do nothing else."""
    won: int | None = None

    def active(self) -> tuple[int, ...]:
        """Everybody who is not out, in the order of the conflict."""
        return tuple(who for who, one in self.people.items() if not one.out)

    def undecided(self) -> tuple[int, ...]:
        """Who may die of this conflict, and nobody has said whether they do."""
        return tuple(who for who, dies in self.fates.items() if dies is None)

    def without_approach(self) -> tuple[int, ...]:
        """Who has yet to choose an approach."""
        return tuple(who for who in self.active() if self.people[who].approach is None)

    def best(self) -> dict[int, int]:
        """The two highest dice of everybody who is not out."""
        return {who: rules.best_two(self.people[who].pool) for who in self.active()}

    def tied_for_first(self) -> tuple[int, ...]:
        """Who might raise first where the dice cannot say."""
        if self.order or self.first in self.active() or self.without_approach() or self.won is not None:
            return ()
        top = rules.on_top(self.best())
        return top if len(top) > 1 else ()

    def raisers(self) -> tuple[int, ...]:
        """Who may raise now: one, or several where no order binds them."""
        if self.raised or not self.order or self.won is not None:
            return ()
        turns = self.order
        if self.last is not None:
            after = turns.index(self.last) + 1
            turns = (*turns[after:], *turns[:after])
        left = tuple(who for who in turns if not self.people[who].out)
        if self.free and self.last is not None:
            return tuple(who for who in left if who != self.last)
        return left[:1]

    def to_act(self) -> tuple[int, ...]:
        """Whose raise or see it is."""
        return tuple(self.raised.waiting) if self.raised else self.raisers()

    def cost(self, who: int) -> Fallout:
        """What a blow costs somebody now."""
        return rules.fallout(self.people[who].stats, self._dangerous(who))

    def _dangerous(self, who: int) -> int:
        mine = next(side for side in self.sides if who in side)
        counts = {
            "conflict": tuple(self.people),
            "own": (who,),
            "opponent": tuple(one for one in self.people if one not in mine),
        }[self.danger_scope]
        return sum(self.people[one].dangerous for one in counts)

    def can_resist(self, who: int, amount: int) -> bool:
        """True if one of somebody's dice would cancel so much fallout."""
        one = self.people[who]
        spare = list(one.pool)
        for die in one.kept:
            spare.remove(die)
        return max(spare, default=0) >= rules.least_to_resist(amount)

    def pools(self) -> Iterable[Pool]:
        """Everybody's dice."""
        for who, one in self.people.items():
            approach = None if one.approach is None else one.approach.value
            yield Pool(self.conflict, who, tuple(one.pool), tuple(one.kept), approach, one.out)

    def moves(self) -> Iterable[Moves]:
        """What those who may act now can put forward."""
        for who in self.to_act():
            one = self.people[who]
            total = self.raised.total if self.raised else None
            ways = self._raises(one) if total is None else self._sees(who, one, total)
            if who in self.cornered:
                ways = iter(())
            task = "raise" if total is None else "see"
            yield Moves(self.conflict, who, task, total, tuple(one.kept), tuple(ways))

    def _raises(self, one: Participant) -> Iterator[Way]:
        for way in rules.raises(one.pool, one.kept):
            yield Way("raise", way.dice, way.total)

    def _sees(self, who: int, one: Participant, total: int) -> Iterator[Way]:
        pool = list(one.pool)
        for die in one.kept:
            pool.remove(die)
        if len(one.kept) < rules.DICE_OF_A_RAISE:
            yield from (Way("reverse", way.dice, way.total) for way in rules.reversals(pool, total))
        yield from (Way("block", way.dice, way.total) for way in rules.blocks(pool, total))
        amount = self.cost(who).amount
        yield from (Way("blow", way.dice, way.total, amount) for way in rules.blows(pool, total))


def shelf(table: Table) -> Shelf:
    """What Guenašk keeps on this table, to be read; an empty shelf where it was never played."""
    found = table.shelves.get(NAME) or Shelf()
    assert isinstance(found, Shelf)  # noqa: S101 -- the key is ours alone
    return found


def _own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    table.shelves.setdefault(NAME, Shelf())
    return shelf(table)


def play(conflict: OpenConflict) -> Play:
    """The state of a Guenašk conflict."""
    assert isinstance(conflict.state, Play)  # noqa: S101 -- set when it opened
    return conflict.state


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, DEFAULTS[key])


def dice_lost(table: Table, person: int, stat: Stat) -> int:
    """How many full rows weigh on a stat, through whichever tracks the table has bound to it."""
    own = shelf(table)
    if own.is_npc(person):
        return 0
    tracks = [track for track in Track if chosen(table, f"{track}_stat") == stat]
    return sum(own.rows_full(person, track) for track in tracks)


# --- sheets -----------------------------------------------------------------------------------------------


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = _own(table).sheets.setdefault(event.person, Sheet())
    for key, value in event.values.items():
        _set(sheet, key, value)


def _set(sheet: Sheet, key: str, value: int | str | None) -> None:
    if key in tuple(Stat):
        sheet.stats.pop(key, None)
        if isinstance(value, int):
            sheet.stats[key] = value
    elif key == "stages":
        sheet.stages = value if isinstance(value, int) else None
    elif key in FIELDS:
        setattr(sheet, key, None if value is None else str(value))
    else:
        _set_thing(sheet, key, value)


def _set_thing(sheet: Sheet, key: str, value: int | str | None) -> None:
    prefix = next((one for one in PREFIXES if key.startswith(one)), TRAIT)
    name = key.removeprefix(prefix)
    kept = {RELATIONSHIP: sheet.relationships, TRAIT: sheet.traits}.get(prefix, sheet.belongings)
    kept.pop(name, None)
    if kept is sheet.belongings:
        sheet.dangerous.discard(name)
    if value is not None:
        kept[name] = str(value)
        if prefix == DANGER:
            sheet.dangerous.add(name)


# --- options ----------------------------------------------------------------------------------------------


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system != NAME:
        return
    if event.key == "boxes_per_row":
        _own(table).boxes = None if event.value == ASK else int(event.value)
    elif event.key == "npc_stage":
        _own(table).npc_stage = event.value
    elif event.key == "danger_scope":
        for conflict in table.conflicts.values():
            if isinstance(conflict.state, Play):
                conflict.state.danger_scope = event.value


# --- a conflict -------------------------------------------------------------------------------------------


def _opened(table: Table, event: e.ConflictOpened) -> None:
    own = _own(table)
    people = [person for side in event.sides for person in side]
    table.conflicts[event.conflict].state = Play(
        event.conflict,
        event.sides,
        {person: Participant() for person in people},
        staked=event.text is not None,
        danger_scope=chosen(table, "danger_scope"),
        cornered={person for person in people if own.is_npc(person) and own.full_tracks(person)},
    )


def _play(table: Table, event: Event) -> Play:
    return play(table.conflicts[getattr(event, "conflict", 0)])


def _stakes_set(table: Table, event: g.StakesSet) -> None:
    _play(table, event).staked = True


def _initiator_named(table: Table, event: g.InitiatorNamed) -> None:
    _play(table, event).first = event.who


def _approach_chosen(table: Table, event: g.ApproachChosen) -> None:
    one = _play(table, event).people[event.who]
    one.approach = event.approach
    one.stats.update(event.approach.stats)
    if event.follow_up is not None:
        one.pool = sorted((*one.pool, event.follow_up))
        _own(table).follow_ups.pop(event.who, None)


def _escalated(table: Table, event: g.Escalated) -> None:
    one = _play(table, event).people[event.who]
    one.approach = event.approach
    one.stats.update(event.approach.stats)


def _brought_in(table: Table, event: g.BroughtIn) -> None:
    one = _play(table, event).people[event.who]
    one.things.add((event.source, event.what))
    one.dangerous += event.dangerous


def _dice_rolled(table: Table, event: e.DiceRolled) -> None:
    if event.who is not None:
        one = _play(table, event).people[event.who]
        one.pool = sorted((*one.pool, *event.faces))


def _turn_order_set(table: Table, event: g.TurnOrderSet) -> None:
    state = _play(table, event)
    state.order, state.free = event.order, event.free


def _raised(table: Table, event: g.Raised) -> None:
    state = _play(table, event)
    one = state.people[event.who]
    one.spend(event.dice)
    one.kept = []
    state.raised = Raise(event.who, event.total, list(event.to))
    state.last = event.who
    state.fresh = {}


def _answered(state: Play, who: int) -> None:
    """Somebody has nothing to see any more; with the last of them the raise is off the table."""
    if state.raised and who in state.raised.waiting:
        state.raised.waiting.remove(who)
    if state.raised and not state.raised.waiting:
        state.raised = None


def _owes(state: Play, who: int, cost: g.Cost | None) -> None:
    if cost is not None:
        state.owed[who] = Owed(Fallout(cost.body, cost.hard, cost.dangerous or 0), cost.amount)


def _seen(table: Table, event: g.Seen) -> None:
    state = _play(table, event)
    one = state.people[event.who]
    if event.how is rules.Answer.REVERSE:
        one.kept = sorted((*one.kept, *event.dice))
    else:
        one.spend(event.dice)
    _answered(state, event.who)
    _owes(state, event.who, event.cost)


def _leaves(state: Play, who: int) -> None:
    state.people[who].out = True
    state.people[who].kept = []
    _answered(state, who)
    if state.raised and state.raised.who == who:
        state.raised = None


def _stakes_lost(table: Table, event: g.StakesLost) -> None:
    state = _play(table, event)
    _leaves(state, event.who)
    _owes(state, event.who, event.cost)


def _gave(table: Table, event: g.Gave) -> None:
    state = _play(table, event)
    _leaves(state, event.who)
    state.fresh.pop(event.who, None)
    if event.die is not None:
        _own(table).follow_ups[event.who] = event.die


def _stakes_won(table: Table, event: g.StakesWon) -> None:
    _play(table, event).won = event.winner
    _own(table).won = event.winner


# --- fallout ----------------------------------------------------------------------------------------------


def _fallout_taken(table: Table, event: g.FalloutTaken) -> None:
    state, own = _play(table, event), _own(table)
    before = own.full_tracks(event.who)
    own.burdens.setdefault(event.who, Burden()).points[event.track] = event.total
    owed = state.owed.pop(event.who, None)
    if owed and event.left:
        state.owed[event.who] = Owed(owed.cost, event.left, {*owed.used, event.track})
    elif not state.people[event.who].out and not (owed and owed.used):
        state.fresh[event.who] = Fresh(event.cost.amount, event.track, event.points)
    _doom(state, own, event.who, before)


def _doom(state: Play, own: Shelf, who: int, before: tuple[str, ...]) -> None:
    """With the second full track somebody may die of this conflict, and an NPC is cornered by the first."""
    full = own.full_tracks(who)
    (state.cornered.add if own.is_npc(who) and full else state.cornered.discard)(who)
    if own.is_npc(who) or len(full) < rules.FULL_TRACKS_OF_DEATH:
        state.fates.pop(who, None)
    elif len(full) > len(before):
        state.fates.setdefault(who, None)


def _fallout_resisted(table: Table, event: g.FalloutResisted) -> None:
    state, own = _play(table, event), _own(table)
    state.people[event.who].spend((event.die,))
    state.owed.pop(event.who, None)
    state.fresh.pop(event.who, None)
    if event.track is not None:
        before = own.full_tracks(event.who)
        _mark(own, event.who, event.track, own.marks(event.who, event.track) - (event.points or 0))
        _doom(state, own, event.who, before)


def _mark(own: Shelf, who: int, track: str, points: int) -> None:
    """A track holds so much; what a row meant that is no longer full is forgotten."""
    burden = own.burdens.setdefault(who, Burden())
    burden.points[track] = points
    full = own.rows_full(who, track)
    named = burden.conditions.get(track, {})
    burden.conditions[track] = {row: words for row, words in named.items() if row <= full}


def _condition_named(table: Table, event: g.ConditionNamed) -> None:
    own = _own(table)
    burden = own.burdens.setdefault(event.who, Burden())
    burden.conditions.setdefault(event.track, {})[event.row] = event.text
    conflict = table.conflicts.get(event.conflict or 0)
    if conflict is not None:
        play(conflict).fresh.pop(event.who, None)


def _fate_decided(table: Table, event: g.FateDecided) -> None:
    _play(table, event).fates[event.who] = event.dies


def _character_died(table: Table, event: g.CharacterDied) -> None:
    _own(table).dead.add(event.who)


def _fallout_cleared(table: Table, event: g.FalloutCleared) -> None:
    _mark(_own(table), event.who, event.track, event.total)


# --- rulings ----------------------------------------------------------------------------------------------


def _pool_set(table: Table, event: g.PoolSet) -> None:
    one = _play(table, event).people[event.who]
    one.pool = sorted(event.dice)
    one.kept = sorted((Counter(one.kept) & Counter(one.pool)).elements())


def _number_set(table: Table, event: g.NumberSet) -> None:
    own = _own(table)
    if event.what == "dead":
        (own.dead.add if event.value else own.dead.discard)(event.who)
    elif event.what == "follow-up":
        own.follow_ups.pop(event.who, None)
        if event.value:
            own.follow_ups[event.who] = event.value
    else:
        before = own.full_tracks(event.who)
        _mark(own, event.who, event.what, event.value)
        for conflict in table.conflicts.values():
            if isinstance(conflict.state, Play) and event.who in conflict.state.people:
                _doom(conflict.state, own, event.who, before)


def _nothing(table: Table, event: Event) -> None:
    """What it says can be read off the state."""


EVOLVE: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.OptionSet: _option_set,
    e.ConflictOpened: _opened,
    e.DiceRolled: _dice_rolled,
    g.StakesSet: _stakes_set,
    g.InitiatorNamed: _initiator_named,
    g.ApproachChosen: _approach_chosen,
    g.Escalated: _escalated,
    g.BroughtIn: _brought_in,
    g.TurnOrderSet: _turn_order_set,
    g.Raised: _raised,
    g.Seen: _seen,
    g.FalloutTaken: _fallout_taken,
    g.FalloutResisted: _fallout_resisted,
    g.RowFilled: _nothing,
    g.ConditionNamed: _condition_named,
    g.StakesLost: _stakes_lost,
    g.Gave: _gave,
    g.StakesWon: _stakes_won,
    g.FateDecided: _fate_decided,
    g.CharacterDied: _character_died,
    g.FalloutCleared: _fallout_cleared,
    g.PoolSet: _pool_set,
    g.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
