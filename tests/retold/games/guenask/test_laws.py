"""What holds in every conflict, whatever is rolled and whatever anybody does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.guenask import events as g
from retold.games.guenask.options import OPTIONS
from retold.games.guenask.rules import Answer, Approach
from retold.games.guenask.state import EVOLVE, GuenaskConflict, conflict_state, game_state
from retold.journal.capabilities import Moves
from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.line import LiveEvent, decide, fold
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event
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
    escalate,
    fallout,
    give,
    opening,
    option,
    raise_,
    resist,
    ruling,
    see,
)
from tests.scenario import SeededLine, wordless

WAYS = (ASK, TALK, RUN, FIGHT)
PEOPLE = (YOU, THOSS, BEA, CY)
SIDES = st.sampled_from([((YOU,), (THOSS,)), ((YOU, BEA), (THOSS,)), ((YOU,), (THOSS,), (BEA, CY))])


class Line(SeededLine):
    """A conflict in which `choose` decides what anybody does, refused or not, and a seed what is rolled."""

    def __init__(self, sides: tuple[tuple[int, ...], ...], options: Mapping[str, str], seed: bytes) -> None:
        super().__init__(seed)
        self.add(*CAST, *SHEETS, option("boxes_per_row", "1"))
        self.add(*(option(key, value) for key, value in options.items()))
        self.tried(opening(*sides, first=YOU))
        for number, who in enumerate(who for side in sides for who in side):
            self.tried(approach(who, WAYS[number], None))

    @property
    def state(self) -> GuenaskConflict | None:
        conflict = self.table.conflicts.get(1)
        return None if conflict is None else conflict_state(conflict)

    def act(self, choice: int) -> None:
        """What whoever is to act does: something the pool allows, or one of the other things one can do."""
        state = self.state
        if state is None or (
            state.undecided() and self.tried(ruling("death", ("lives", "dies")[choice % 2]))
        ):
            return
        moves = [*state.moves()]
        if state.owed:
            self.suffer(state, next(iter(state.owed)), choice)
        elif not moves:
            self.tried(ruling("first", (state.tied_for_first() or (YOU,))[0]))
        else:
            self.go(state, moves[choice % len(moves)], choice)

    def suffer(self, state: GuenaskConflict, who: int, choice: int) -> None:
        if choice % 2 and self.tried(resist(max(state.people[who].pool, default=0), who)):
            return
        tracks = game_state(self.table).tracks(who)
        self.tried(fallout(who, tracks[choice % len(tracks)]))

    def go(self, state: GuenaskConflict, move: Moves, choice: int) -> None:
        others: tuple[Command, ...] = (
            escalate(move.person, WAYS[choice % 4], None),
            bring(move.person, None, dangerous=True, stick="1d6"),
            bring(move.person, None, "legs"),
            give(move.person),
            see(None, who=move.person),
            raise_(None, who=move.person),
        )
        if choice % 5 == 0 and self.tried(others[choice // 5 % len(others)]):
            return
        if not move.ways:
            self.tried(give(move.person))
            return
        dice = "+".join(map(str, move.ways[choice // 7 % len(move.ways)].dice))
        if move.task == "see":
            assert self.tried(see(dice, who=move.person))
        else:
            against = [who for who in state.active() if who != move.person]
            assert self.tried(raise_(dice, *against, who=move.person))


lines = st.builds(
    Line,
    sides=SIDES,
    options=st.fixed_dictionaries(
        {one.key: st.sampled_from(one.values) for one in OPTIONS if one.key not in ("boxes_per_row", "words")}
    ),
    seed=st.binary(min_size=4, max_size=4),
)
choices = st.lists(st.integers(0, 10_000), max_size=40)


def spent(event: Event) -> tuple[tuple[int, int], ...]:
    """The dice that leave pools by this event, each with whose it was."""
    match event:
        case g.Raised(who=who, dice=dice):
            return tuple((who, die) for die in dice)
        case g.Seen(who=who, dice=dice, how=how) if how is not Answer.REVERSE:
            return tuple((who, die) for die in dice)
        case g.FalloutResisted(who=who, die=die):
            return ((who, die),)
        case _:
            return ()


@settings(max_examples=120, deadline=None)
@drawn_from(lines, choices)
def test_a_pool_is_what_was_rolled_less_what_was_spent(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.act(choice)
        left: Counter[tuple[int, int]] = Counter()
        for event in line.events:
            if isinstance(event, e.DiceRolled) and event.who is not None:
                left.update((event.who, face) for face in event.faces)
            for die in spent(event):
                left[die] -= 1
                assert left[die] >= 0
        state = line.state
        if state is not None:
            pools = Counter((who, die) for who, one in state.people.items() for die in one.pool)
            assert pools == +left
            for one in state.people.values():
                assert not Counter(one.kept) - Counter(one.pool)


@settings(max_examples=80, deadline=None)
@drawn_from(lines, choices)
def test_every_fallout_is_made_up_as_it_says_and_finds_its_boxes(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.act(choice)

    for event in line.events:
        if isinstance(event, g.FalloutTaken):
            made = event.cost
            assert made.amount == 1 + made.body + made.hard + (made.dangerous or 0)
            assert 0 <= event.total <= event.boxes
    own = game_state(line.table)
    for who in PEOPLE:
        assert all(own.marks(who, track) <= (own.room(who) or 0) for track in own.tracks(who))


@settings(max_examples=80, deadline=None)
@drawn_from(lines, choices)
def test_no_stat_is_rolled_twice_in_a_conflict(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.act(choice)

    rolled = Counter(
        (event.who, brought.stat)
        for event in line.events
        if isinstance(event, g.ApproachChosen | g.Escalated)
        for brought in event.stats
    )
    assert all(number == 1 for number in rolled.values())


@settings(max_examples=60, deadline=None)
@drawn_from(lines, choices)
def test_a_conflict_is_won_once_and_ends_after_that(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.act(choice)

    kinds = [type(event) for event in line.events]
    assert kinds.count(g.StakesWon) <= 1
    if e.ConflictEnded in kinds:
        assert kinds.index(g.StakesWon) < kinds.index(e.ConflictEnded)
        assert line.state is None


@settings(max_examples=60, deadline=None)
@drawn_from(lines, choices)
def test_a_line_folded_anew_comes_to_the_same_and_no_rule_reads_words(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.act(choice)

    again = fold(LiveEvent(position, event) for position, event in enumerate(line.events, 1))
    assert again == line.table
    silent = fold(LiveEvent(position, wordless(event)) for position, event in enumerate(line.events, 1))
    assert numbers(silent) == numbers(line.table)


def numbers(table: Table) -> object:
    own = game_state(table)
    return (
        own.sheets,
        {who: one.points for who, one in own.burdens.items()},
        [conflict.state for conflict in table.conflicts.values()],
    )


def test_every_event_changes_the_table_or_says_that_it_does_not() -> None:
    assert set(g.EVENTS) <= set(EVOLVE)


def test_every_option_can_be_chosen_and_its_default_is_one_of_them() -> None:
    for one in OPTIONS:
        assert one.takes(one.default)
        for value in one.values:
            table = Table()
            chosen = c.SetOption(values={f"guenask.{one.key}": value}, text=TEXT)
            assert decide(table, chosen, Luck(SeededDealer(b"", 1, {})))


def test_every_approach_can_be_named_on_a_line() -> None:
    assert {f"{stance} {means}" for stance, means in WAYS} == {one.value for one in Approach}
