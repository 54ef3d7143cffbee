"""What holds however a roll is changed and whatever passes between hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner.state import (
    Action,
    EdgerunnerConflict,
    OpenRoll,
    conflict_state,
    game_state,
    open_roll_in,
)
from retold.journal.line import LiveEvent, fold
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Command, Event, values_of
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    JON,
    REX,
    SANDRA,
    TEXT,
    WILLIAM,
    ActName,
    apply_,
    begun,
    declare,
    exchange,
    go_on,
    option,
    roll,
    sheet,
)
from tests.retold.games.edgerunner.open_rolls import (
    accept,
    boost,
    compel,
    concede,
    invoke,
    refuse,
    resist,
    spin,
)
from tests.scenario import SeededLine

PEOPLE = (GATTO, JADE, HARGAN, REX)
SIDES = ((GATTO, JADE), (HARGAN, REX))
PLAYERS = (JON, SANDRA, WILLIAM)
TRACKS = ("cool", "humanity", "reputation")
SLOTS = ("mild", "moderate", "severe")
ACTS: tuple[ActName, ...] = ("attack", "maneuver", "defend", "recover", "move")


class Line(SeededLine):
    """A fight in which numbers decide what anybody does, refused or not, and a seed what is rolled."""

    def __init__(self, marking: str, seed: bytes, split: str) -> None:
        super().__init__(seed)
        upgrades = [sheet(who, role="nomad", upgrade__link="/2") for who in PEOPLE]
        self.add(*begun(*SIDES, sheets=tuple(upgrades)).events)
        self.add(option("stress_marking", marking), option("split_stress", split))

    @property
    def state(self) -> EdgerunnerConflict | None:
        conflict = self.table.conflicts.get(1)
        return None if conflict is None else conflict_state(conflict)

    def go(self, choice: int) -> None:
        """The first of the many things that may be done which is not refused, from one of them on."""
        state = self.state
        if state is None:
            return
        open_roll = open_roll_in(self.table, self.table.in_play())
        ways = [*self.between_hands(state, choice // 16)]
        ways += self.changes(open_roll, choice // 16) if open_roll is not None else self.begins(choice // 16)
        first = choice % len(ways)
        any(self.tried(way) for way in (*ways[first:], *ways[:first]))

    def begins(self, choice: int) -> Iterator[Command]:
        """Somebody acts, or an exchange does."""
        who, target = PEOPLE[choice % 4], PEOPLE[choice // 4 % 4]
        act, upgrade = ACTS[choice // 16 % 5], (None, "link")[choice // 80 % 2]
        aim: dict[ActName, dict[str, object]] = {
            "attack": {"thing": target, "track": TRACKS[choice // 160 % 3]},
            "maneuver": {"thing": target, "aspect": f"Trouble {choice % 50}"},
            "move": {"whom": (target,), "zones": ("Aisle",)},
        }
        own = {"track": TRACKS[choice // 160 % 3]}
        yield declare(who, act, skill="firearms", upgrade=upgrade, **aim.get(act, own))
        yield declare(who, "attack", skill="firearms", upgrade=upgrade, **aim["attack"])
        yield go_on(who)
        yield exchange()

    def changes(self, open_roll: OpenRoll, choice: int) -> Iterator[Command]:
        """Somebody changes the roll, or it is thrown or applied."""
        who, track, amount = PEOPLE[choice % 4], TRACKS[choice // 4 % 3], choice // 12 % 5
        hurt: dict[str, Any] = {SLOTS[choice // 60 % 3]: f"Hurt {choice % 97}"}
        slot = hurt if choice // 180 % 2 else {}
        target = open_roll.targets[0] if open_roll.targets else who
        struck = open_roll.track if isinstance(open_roll, Action) and open_roll.track else track
        aspects = [one.wording for one in game_state(self.table).aspects.values()]
        invoked, free = aspects[choice % len(aspects)], bool(choice // 360 % 2)
        yield roll()
        yield apply_(*range(1, amount))
        yield boost(open_roll.who, (track, amount), **slot)
        yield boost(open_roll.who, **hurt)
        yield resist(target, (struck, open_roll.shifts))
        yield resist(target, (track, amount), (track, 1), **slot)
        yield resist(who, (struck, open_roll.shifts), comrade=target, upgrade="link")
        yield resist(target, **hurt, upgrade="link")
        yield invoke(who, invoked, free=free, reroll=bool(choice // 720 % 2))
        yield invoke(target, invoked, free=free)
        yield spin(who)

    def between_hands(self, state: EdgerunnerConflict, choice: int) -> Iterator[Command]:
        """Compels, concessions, what an upgrade costs, and what becomes of whoever is taken out."""
        for who, owed in game_state(self.table).owed.items():
            yield resist(who, (owed.track, owed.left))
            yield resist(who, (owed.track, owed.left - 1), mild="Strained")
        aspects = [one.wording for one in game_state(self.table).aspects.values()]
        by = (None, GATTO, JADE, HARGAN)[choice % 4]
        if state.tales:
            yield c.Narrate(text=TEXT)
        if state.act is not None and choice % 3 == 0:
            yield compel(state.act.who, aspects[choice // 4 % len(aspects)], by)
        if state.offers:
            yield from (accept(), refuse()) if choice % 2 else (refuse(), accept())
        if choice % 53 == 0:
            yield concede(PEOPLE[choice // 53 % 4])
            yield accept(PEOPLE[choice // 212 % 4])


lines = st.builds(
    Line,
    marking=st.sampled_from(["diaspora", "single_box", "running_total"]),
    seed=st.binary(min_size=4, max_size=4),
    split=st.sampled_from(["no", "yes"]),
)
choices = st.lists(st.integers(0, 1_000_000), max_size=60)


@settings(max_examples=100, deadline=None)
@drawn_from(lines, choices)
def test_no_box_is_marked_twice_and_none_above_the_threshold(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.go(choice)

    marked: defaultdict[tuple[int | str, str | None], set[int]] = defaultdict(set)
    for event in line.events:
        match event:
            case g.StressMarked(on=on, track=track, boxes=boxes, threshold=threshold, about=None):
                assert boxes
                assert not marked[on, track] & set(boxes)
                assert max(boxes) <= threshold
                marked[on, track] |= set(boxes)
            case g.BoxesCleared(on=on, track=track, boxes=boxes):
                assert set(boxes) <= marked[on, track]
                marked[on, track] -= set(boxes)
    for who in PEOPLE:
        for track in TRACKS:
            assert game_state(line.table).marked(who, track) == marked[who, track]


@settings(max_examples=100, deadline=None)
@drawn_from(lines, choices)
def test_a_fate_point_leaves_one_hand_and_enters_another(line: Line, choices: list[int]) -> None:
    own = dict.fromkeys(PLAYERS, 5)
    referee = 0
    for choice in choices:
        line.go(choice)

    for event in line.events:
        if isinstance(event, g.FatePointPaid):
            assert event.payer != event.payee
            assert event.points > 0
            referee += event.points * ((event.payee == GM) - (event.payer == GM))
            for player in PLAYERS:
                own[player] += event.points * ((event.payee == player) - (event.payer == player))
                assert own[player] >= 0
    held = {player: game_state(line.table).held(player) for player in PLAYERS}
    assert held == own
    assert sum(held.values()) + referee == 5 * len(PLAYERS)


@settings(max_examples=100, deadline=None)
@drawn_from(lines, choices)
def test_the_parts_of_a_roll_come_to_its_shifts_and_each_is_what_was_done(
    line: Line, choices: list[int]
) -> None:
    for choice in choices:
        line.go(choice)

    for event in line.events:
        if isinstance(event, g.ShiftsSet):
            parts = {
                key: value
                for key, value in values_of(event).items()
                if key not in ("conflict", "who", "shifts")
            }
            assert event.shifts == sum(part or 0 for part in parts.values())
            assert 0 not in parts.values()


@settings(max_examples=60, deadline=None)
@drawn_from(lines, choices)
def test_no_slot_holds_more_than_it_can_and_no_aspect_tells_twice_on_a_roll(
    line: Line, choices: list[int]
) -> None:
    told: set[int] = set()
    for choice in choices:
        line.go(choice)

    for event in line.events:
        match event:
            case g.ActionDeclared():
                told = set()
            case g.ActionContinued():
                told = set()
            case g.AspectInvoked(aspect=aspect):
                assert aspect not in told
                told.add(aspect)
    taken = [event for event in line.events if isinstance(event, g.ConsequenceTaken)]
    slots = [(event.who if event.slot_of is None else event.slot_of, event.severity) for event in taken]
    assert len(slots) == len(set(slots))


@settings(max_examples=60, deadline=None)
@drawn_from(lines, choices)
def test_a_line_folded_anew_comes_to_the_same(line: Line, choices: list[int]) -> None:
    for choice in choices:
        line.go(choice)

    assert fold(LiveEvent(position, event) for position, event in enumerate(line.events, 1)) == line.table


def test_the_numbers_that_decide_bring_about_all_that_is_spoken_of() -> None:
    """The laws above say something: these things happen in such lines."""
    kinds: set[type[Event]] = set()
    for seed in range(10):
        line = Line("diaspora", bytes((seed,)), "yes")
        for choice in range(seed, 1_000_000, 19_997):
            line.go(choice)
        kinds |= {type(event) for event in line.events}

    assert {g.AspectInvoked, g.FatePointPaid, g.Boosted, g.Resisted, g.StressMarked} <= kinds
    assert {g.ConsequenceTaken, g.UpgradeStrained, g.ActionForfeited, g.ActionApplied} <= kinds
