"""Two conflicts at once, and anything said in the middle of anything: every number stays in its range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.guenask.commands import turn
from retold.games.guenask.facts import FACTS
from retold.games.guenask.options import OPTIONS
from retold.games.guenask.rules import DICE_OF_A_RAISE, Stat, Track
from retold.games.guenask.state import GuenaskConflict, conflict_state, game_state
from retold.journal.capabilities import Moves, Outlook
from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.language.proposed import available_actions
from retold.journal.line import LiveEvent, fold
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Command, Event
from tests.retold.games.guenask.at_the_table import (
    ASK,
    BEA,
    CAST,
    CY,
    FIGHT,
    RUN,
    SHEETS,
    TALK,
    TEXT,
    THOSS,
    YOU,
    approach,
    bring,
    condition,
    escalate,
    fallout,
    give,
    opening,
    raise_,
    resist,
    see,
    sets,
)
from tests.scenario import SeededLine

PEOPLE = (YOU, THOSS, BEA, CY, GM)
WAYS = (ASK, TALK, RUN, FIGHT)
SIDES = (
    ((YOU,), (THOSS,)),
    ((YOU, BEA), (THOSS,), (CY,)),
    ((THOSS,), (YOU, CY)),
    ((YOU,), (GM,)),
    ((BEA,), (THOSS,), (GM,), (YOU,)),
)
NUMBERS = (0, 1, 2, 3, 5, 8, 9, 15, 27, 100, 101)
SETTABLE = (*Track, "fallout", "stages", *Stat, "follow-up", "dead", "pool", "nothing")


class Wanderer(SeededLine):
    """A table at which anybody says anything, whether or not it is refused."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.acts: list[int] = []
        self.add(*CAST, *SHEETS)
        for sides in (SIDES[1], SIDES[3]):
            self.tried(opening(*sides))
        self.tried(c.SetOption(values={"guenask.boxes_per_row": "1"}))

    @property
    def states(self) -> dict[int, GuenaskConflict]:
        return {number: conflict_state(one) for number, one in self.table.conflicts.items()}

    def seen(self) -> list[Outlook]:
        return [*available_actions(self.table, Luck(SeededDealer(b"", 1, {})))]

    def say(self, choice: int) -> None:
        """One thing somebody says: half the time one that is waited for."""
        choice, kind = divmod(choice, 4)
        if kind == 0:
            self.amend(choice)
        elif kind == 1:
            self.do(choice)
        else:
            self.follow(choice)

    def follow(self, choice: int) -> None:
        """One of the lines that `can` lists; each of them has to be taken."""
        lines = [line for one in self.seen() for line in said(one)]
        if lines:
            assert self.tried(lines[choice % len(lines)])

    def do(self, choice: int) -> None:
        """What one does in a conflict, by anybody, in any of them."""
        choice, which = divmod(choice, len(DEEDS))
        choice, who = divmod(choice, len(PEOPLE))
        command = DEEDS[which](PEOPLE[who], choice)
        conflicts = (None, *self.table.conflicts)
        self.tried(command.but({"conflict": conflicts[choice % len(conflicts)]}))

    def amend(self, choice: int) -> None:
        """A ruling, an option, a sheet, an undo, one more conflict, or the end of one."""
        choice, which = divmod(choice, 8)
        if which == 0 and choice % 2:
            self.undo(choice // 2 % 5)
        elif which == 1:
            option = OPTIONS[choice % len(OPTIONS)]
            value = option.values[choice // len(OPTIONS) % len(option.values)]
            self.tried(c.SetOption(values={f"guenask.{option.key}": value}))
        elif which == 2:
            choice, who = divmod(choice, len(PEOPLE) - 1)
            stages = (None, 1, 2, 5)[choice % 4]
            self.add(e.SheetChanged(person=PEOPLE[who], system="guenask", values={"stages": stages}))
        elif which == 3 and len(self.table.conflicts) < 3:
            self.tried(opening(*SIDES[choice % len(SIDES)]))
        elif which == 4 and choice % 3 == 0:
            how = ("ended", "stalemate", "victory")[choice // 3 % 3]
            self.tried(
                c.End(what="conflict", how=how, winner=PEOPLE[choice % 5] if how == "victory" else None)
            )
        else:
            self.tried(self.ruling(choice))

    def ruling(self, choice: int) -> c.Rule:
        choice, which = divmod(choice, len(SETTABLE))
        choice, who = divmod(choice, len(PEOPLE))
        number = NUMBERS[choice % len(NUMBERS)]
        what: str = SETTABLE[which]
        if what == "pool":
            return sets(PEOPLE[who], what, "6 " * (number % 4) + "1 4")
        if what == "nothing":
            first = e.Setting(person=None, what="first", op="=", value=PEOPLE[who])
            return c.Rule(sets=(first,), text=TEXT)
        op = ("=", "+=", "-=")[choice % 3]
        return c.Rule(
            sets=(e.Setting(person=PEOPLE[who], what=what, op=op, value=number),),  # type: ignore[arg-type]
            text=TEXT,
        )

    def add(self, *events: Event) -> None:
        """Another act, which undo takes back as a whole."""
        super().add(*events)
        self.acts.append(len(self.events))

    def undo(self, back: int) -> None:
        """The last acts are as if they had not been."""
        if len(self.acts) - back > 4:
            del self.acts[len(self.acts) - back :]
            self.events = self.events[: self.acts[-1]]
            self.table = fold(LiveEvent(position, event) for position, event in enumerate(self.events, 1))


def said(one: Outlook) -> Iterator[Command]:
    """Every line an outlook lists."""
    yield from (choice.command for choice in (*one.choices, *one.beside))
    for moves in one.moves:
        yield from (way.command for way in moves.ways[:4] if way.command is not None)


DEEDS: tuple[Callable[[int, int], Command], ...] = (
    lambda who, n: approach(who, WAYS[n % 4], None),
    lambda who, n: (
        approach(who, WAYS[n % 4], None, dangerous=True, stick="1d6")
        if n % 2
        else c.Roll(who=who, dice="3d6")
    ),
    lambda who, n: escalate(who, WAYS[n % 4], None),
    lambda who, n: bring(who, None, dangerous=bool(n % 2), **{f"thing {n % 7}": "2d6"}),
    lambda who, n: raise_(f"{n % 6 + 1}+{n // 6 % 6 + 1}", *((YOU, THOSS, CY)[: n % 3 + 1]), who=who),
    lambda who, _: raise_(None, who=who),
    lambda who, n: see("+".join(str(n // 6**i % 6 + 1) for i in range(n % 4 + 1)), who=who),
    lambda who, _: see(None, who=who),
    lambda who, n: fallout(who, ([*Track, "stages"])[n % 5]),
    lambda who, n: resist(n % 6 + 1, who),
    lambda who, _: give(who),
    lambda who, n: c.Join(who=(who,), side=(None, YOU, THOSS, BEA)[n % 4], text=TEXT),
    lambda who, _: c.Leave(who=(who,), text=TEXT),
    lambda who, n: condition(who, ([*Track, "stages"])[n % 5]),
    lambda who, n: c.Clear(who=who, track=([*Track, "stages"])[n % 5], n=n % 4 or None, text=TEXT),
)


def hold(line: Wanderer) -> None:
    """Everything that may be asked of the table is answered, and every number lies in its range."""
    seen = {one.conflict: one for one in line.seen()}
    own = game_state(line.table)
    for person in PEOPLE:
        for track in own.tracks(person):
            assert 0 <= own.marks(person, track) <= (own.room(person) or 100)
            assert 0 <= own.rows_full(person, track) <= own.rows_of(person)
    assert all(0 <= one.value <= (one.most or 100) for one in own.rows())
    assert all(points >= 0 for one in own.burdens.values() for points in one.points.values())
    assert all(1 <= die <= 1000 for die in own.follow_ups.values())
    for number, state in line.states.items():
        hold_in_conflict(line, number, state)
        conflict = line.table.conflicts[number]
        assert turn(line.table, conflict)
        assert any(said(seen[number])) or state.settled()
        for fact in FACTS.values():
            for who in PEOPLE if fact.of_person else (None,):
                assert all(isinstance(value, str) for value in fact.read(line.table, conflict, who))


def hold_in_conflict(line: Wanderer, number: int, state: GuenaskConflict) -> None:
    own = game_state(line.table)
    assert [pool.person for pool in state.pools()] == [*state.people]
    assert state.sides == line.table.conflicts[number].sides
    assert set(line.table.conflicts[number].people) <= set(state.people)
    assert state.won is not None or len({side for side in state.sides if {*side} & {*state.active()}}) > 1
    for who, one in state.people.items():
        assert all(1 <= die <= 1000 for die in one.pool)
        assert not Counter(one.kept) - Counter(one.pool)
        assert len(one.kept) <= DICE_OF_A_RAISE
        assert state.cost(who).amount >= 1
    assert all(owed.left >= 1 and min(owed.marked.values(), default=0) >= 0 for owed in state.owed.values())
    for fresh in state.fresh.values():
        assert all(0 <= points <= fresh.amount for points in fresh.marked.values())
    assert state.cornered == {who for who in state.people if own.is_npc(who) and own.full_tracks(who)}
    for who in state.fates:
        assert not own.is_npc(who)
        assert len(own.full_tracks(who)) >= 2
    assert set(state.order) <= set(state.people)
    assert all(isinstance(moves, Moves) for moves in state.moves())
    if state.order and not state.owed and not state.cornered & {*state.active()} and state.won is None:
        assert state.to_act()


@settings(max_examples=12, deadline=None)
@drawn_from(st.binary(min_size=4, max_size=4), st.lists(st.integers(0, 2**40), max_size=30))
def test_whatever_is_said_nothing_breaks_and_no_number_leaves_its_range(
    seed: bytes, choices: Sequence[int]
) -> None:
    line = Wanderer(seed)
    for choice in choices:
        line.say(choice)
        hold(line)

    again = fold(LiveEvent(position, event) for position, event in enumerate(line.events, 1))
    assert again == line.table
