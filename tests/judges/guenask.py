"""The Emissaries of Guenašk as a plain reader of docs/rules/guenask.md would judge it, die by die.

Nothing of retold/games/guenask but its commands and events is known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from retold.games.guenask import events as g
from retold.games.guenask.commands import Enter, Escalate, Give, Raise, See, TakeFallout
from retold.games.guenask.commands.verbs import Resist
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Question, Words
from tests.scenario import SeededLine

STATS = {"physical": "body", "mental": "mind", "social": "soft", "societal": "hard"}
"""§7: each track, and the stat that a full row of it takes a die from."""

ROWS = 3


def approached(stance: str, means: str) -> tuple[str, str]:
    """§2: the two stats of an approach."""
    return ("body" if means == "physical" else "mind"), ("hard" if stance == "opposed" else "soft")


@dataclass
class Player:
    """Somebody in the quarrel: what is on their sheet, what lies before them, what they bear."""

    stats: dict[str, int]
    stages: int | None
    pool: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    brought: list[str] = field(default_factory=list)
    approach: tuple[str, str] = ("", "")
    tracks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATS, 0))
    marked: int = 0
    out: bool = False

    @property
    def free(self) -> list[int]:
        """The dice that may be put forward in a see: all but those kept for the next raise."""
        free = list(self.pool)
        for die in self.kept:
            free.remove(die)
        return free


@dataclass
class Judge:
    """Plays quarrels at random; the real game is held to what the rules say of every die and every blow."""

    luck: Random
    line: SeededLine
    sides: list[tuple[int, ...]]
    boxes: int
    stage: str
    people: dict[int, Player] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    over: bool = False
    spared: set[int] = field(default_factory=set)
    """Of whom the table has said that they live."""

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five sides of one or two, with sheets and options drawn from `seed`; all have their dice."""
        luck = Random(seed)
        line = SeededLine(f"guenask {seed}".encode())
        judge = cls(luck, line, [], luck.randint(1, 3), luck.choice(["row", "point"]))
        person = 0
        for _ in range(luck.randint(2, 5)):
            side = tuple(range(person + 1, person + 1 + luck.choice([1, 1, 2])))
            for person in side:
                judge._enters(person)
            judge.sides.append(side)
        judge._opens()
        return judge

    def _enters(self, person: int) -> None:
        stats = {stat: self.luck.randint(2, 4) for stat in STATS.values()}
        stages = self.luck.choice([None, None, 1, 2, 3])
        self.people[person] = Player(stats, stages)
        self.line.add(e.CastIntroduced(person=person, name=Words(f"N{person}")))
        values: dict[str, int | str | None] = {**stats, **({} if stages is None else {"stages": stages})}
        self.line.add(e.SheetChanged(person=person, system="guenask", values=values))

    def _opens(self) -> None:
        first = self.luck.choice(list(self.people))
        opened = c.OpenConflict(
            system="guenask", sides=tuple(self.sides), setup={"first": first}, text=Words("the egg")
        )
        self.line.play(opened)
        self.line.play(c.SetOption(values={"boxes_per_row": str(self.boxes), "npc_stage": self.stage}))
        events: list[Event] = []
        for person in self.luck.sample(list(self.people), len(self.people)):
            stance, means = self._any_approach()
            events = self._rolled(person, Enter.of({"who": person, "stance": stance, "means": means}))
            self.people[person].approach = (stance, means)
        (order,) = [event for event in events if isinstance(event, g.TurnOrderSet)]
        best = {person: sum(sorted(one.pool)[-2:]) for person, one in self.people.items()}
        assert sorted(order.order) == sorted(self.people)
        assert order.order[0] == first
        assert [best[one] for one in order.order[1:]] == sorted(
            (best[one] for one in order.order[1:]), reverse=True
        )
        self.order = list(order.order)

    def _any_approach(self) -> tuple[str, str]:
        return self.luck.choice(["opposed", "unopposed"]), self.luck.choice(["neutral", "physical"])

    def _rolled(self, person: int, command: Enter | Escalate) -> list[Event]:
        """§2, §5: each stat of the approach is rolled once, a die less for each row its track has full."""
        one = self.people[person]
        due = 0
        for stat in approached(command.stance, command.means):
            if stat not in one.brought:
                one.brought.append(stat)
                (track,) = [track for track, its in STATS.items() if its == stat]
                rows = one.tracks[track] // self.boxes
                due += 0 if rows == ROWS else max(0, one.stats[stat] - rows)
        events = self.line.play(command)
        faces = [face for event in events if isinstance(event, e.DiceRolled) for face in event.faces]
        assert len(faces) == due
        assert all(1 <= face <= 6 for face in faces)
        one.pool += faces
        return events

    # --- turns --------------------------------------------------------------------------------------------

    def active(self) -> list[int]:
        return [one for one in self.order if not self.people[one].out]

    def play(self) -> int:
        """Plays to the end; how many raises were made."""
        raises, place = 0, 0
        while not self.over:
            who = self.order[place % len(self.order)]
            place += 1
            if not self.people[who].out:
                self._turn(who)
                raises += 1
                self._stands()
        return raises

    def _turn(self, who: int) -> None:
        assert self._fact("turn") == (self.line.table.name(who),)
        if self.luck.random() < 0.15:
            self._escalates(who)
        one = self.people[who]
        if len(one.pool) < 2 or self.luck.random() < 0.05:
            self._leaves(who, Raise(who=who, nothing="none"), g.StakesLost)
            return
        if self.luck.random() < 0.05:
            self._leaves(who, Give(who=who), g.Gave)
            return
        dice = [*one.kept, *self.luck.sample(one.free, 2 - len(one.kept))]
        foes = [other for other in self.active() if self._side(other) != self._side(who)]
        to = tuple(sorted(self.luck.sample(foes, self.luck.randint(1, len(foes))), key=self.order.index))
        self.line.play(Raise(who=who, forward=_sum(dice), affected=to))
        for die in dice:
            one.pool.remove(die)
        one.kept = []
        for other in self.luck.sample(to, len(to)):
            if not self.over:
                self._sees(other, sum(dice))

    def _side(self, who: int) -> tuple[int, ...]:
        return next(side for side in self.sides if who in side)

    def _escalates(self, who: int) -> None:
        approach = self._any_approach()
        if approach != self.people[who].approach:
            stance, means = approach
            self._rolled(who, Escalate.of({"who": who, "stance": stance, "means": means}))
            self.people[who].approach = approach

    def _leaves(self, who: int, command: Raise | See | Give, how: type[Event]) -> None:
        """§6: out, without fallout; the last side left has the stakes."""
        self._gone(who, self.line.play(command), how)

    def _gone(self, who: int, events: Sequence[Event], how: type[Event]) -> None:
        assert any(isinstance(event, how) for event in events)
        assert not any(isinstance(event, g.FalloutTaken) for event in events) or how is g.Gave
        self.people[who].out = True
        left = {self._side(one) for one in self.active()}
        won = [event.winner for event in events if isinstance(event, g.StakesWon)]
        self.over = len(left) == 1
        assert won == [side[0] for side in left if len(left) == 1]

    # --- seeing -------------------------------------------------------------------------------------------

    def _sees(self, who: int, against: int) -> None:
        if self.luck.random() < 0.15:
            self._escalates(who)
        one = self.people[who]
        ways = [way for way in self._ways(one) if sum(way) >= against]
        if not ways:
            self._leaves(who, See(who=who, nothing="none"), g.StakesLost)
            return
        dice = self.luck.choice(ways)
        events = self.line.play(See(who=who, forward=_sum(dice)))
        (seen,) = [event for event in events if isinstance(event, g.Seen)]
        assert str(seen.how) == {1: "reverse", 2: "block"}.get(len(dice), "blow")
        if len(dice) == 1:
            one.kept.append(dice[0])
            return
        for die in dice:
            one.pool.remove(die)
        if len(dice) > 2:
            self._struck(who, events)

    def _ways(self, one: Player) -> Iterator[tuple[int, ...]]:
        """§4: what may be put forward; a third die is never kept."""
        for many in range(1, min(4, len(one.free)) + 1):
            if many > 1 or len(one.kept) < 2:
                yield from combinations(one.free, many)

    def _struck(self, who: int, events: Sequence[Event]) -> None:
        """§7: a blow of 1, and 1 each for Body and Hard; a die of more than that cancels it."""
        one = self.people[who]
        cost = 1 + ("body" in one.brought) + ("hard" in one.brought)
        above = [die for die in one.free if die > cost]
        if one.stages is not None:
            self._npc_struck(who, cost, above, events)
            return
        open_tracks = [track for track, marked in one.tracks.items() if marked < ROWS * self.boxes]
        if above and self.luck.random() < 0.3:
            self._resists(who, self.luck.choice(above), cost)
        elif open_tracks:
            track = self.luck.choice(open_tracks)
            was = one.tracks[track]
            events = self.line.play(TakeFallout(who=who, track=track, text=Words("It hurts.")))
            self._marks(who, track, was, min(was + cost, ROWS * self.boxes), events)
            if above and self.luck.random() < 0.3:
                self._resists(who, self.luck.choice(above), cost)
                one.tracks[track] = was
            self._lives(who)

    def _resists(self, who: int, die: int, cost: int) -> None:
        (resisted,) = self.line.play(Resist(who=who, die=die))
        assert isinstance(resisted, g.FalloutResisted)
        assert (resisted.die, resisted.amount) == (die, cost)
        self.people[who].pool.remove(die)

    def _marks(self, who: int, track: str, was: int, now: int, events: Sequence[Event]) -> None:
        """What was marked, and a condition due for each row that became full by it."""
        (taken,) = [event for event in events if isinstance(event, g.FalloutTaken)]
        assert (taken.track, taken.points, taken.total) == (track, now - was, now)
        filled = [event.row for event in events if isinstance(event, g.RowFilled)]
        size = 1 if track == "stages" and self.stage == "point" else self.boxes
        assert filled == list(range(was // size + 1, now // size + 1))
        if track != "stages":
            self.people[who].tracks[track] = now

    def _lives(self, who: int) -> None:
        """§7: whoever has two full tracks may die of it; the table is asked, and here says no."""
        full = [track for track, marked in self.people[who].tracks.items() if marked == ROWS * self.boxes]
        asked = [one.name for one in self._questions() if one.name == "death"]
        assert bool(asked) == (len(full) >= 2 and who not in self.spared)
        if asked:
            self.line.play(c.Rule(question="death", answer="lives", text=Words("Not today.")))
            self.spared.add(who)

    def _questions(self) -> Sequence[Question]:
        table = self.line.table
        conflict = table.in_play()
        return () if conflict is None else SYSTEMS["guenask"].pending(table, conflict)

    def _npc_struck(self, who: int, cost: int, above: Sequence[int], events: Sequence[Event]) -> None:
        """§7: all that befalls an NPC goes into one track; full, they give unless a die still resists."""
        one = self.people[who]
        most = (one.stages or 0) * (1 if self.stage == "point" else self.boxes)
        was = one.marked
        one.marked = min(was + cost, most)
        self._marks(who, "stages", was, one.marked, events)
        full = one.marked == most
        if full and not above:
            self._gone(who, events, g.Gave)
        elif above and self.luck.random() < 0.5:
            self._resists(who, self.luck.choice(above), cost)
            one.marked = was
        elif full:
            self._leaves(who, Give(who=who), g.Gave)

    # --- what stands --------------------------------------------------------------------------------------

    def _stands(self) -> None:
        """What the real game says of everybody's dice and fallout is what is reckoned here."""
        for who, one in self.people.items():
            if self.over:
                break
            if not one.out:
                assert self._fact("kept", who) == tuple(map(str, sorted(one.kept)))
                assert self._fact("pool", who) == tuple(map(str, sorted(one.pool)))
            bears = [word for track, points in one.tracks.items() if points for word in (track, str(points))]
            assert self._fact("fallout", who) == (tuple(bears) if one.stages is None else (str(one.marked),))

    def _fact(self, subject: str, who: int | None = None) -> tuple[str, ...]:
        table = self.line.table
        return SYSTEMS["guenask"].facts[subject].read(table, table.in_play(), who)


def _sum(dice: Sequence[int]) -> str:
    return "+".join(map(str, dice))
