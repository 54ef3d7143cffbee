"""Whiskey as a plain reader of docs/rules/whiskey.md would judge it: by what outcomes are, not by a search.

Nothing of journal/systems/whiskey but its commands and events is known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from journal.systems import SYSTEMS
from journal.systems.whiskey import events as w
from journal.systems.whiskey.commands import Check, Clash
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words
from tests.scenario import SeededLine

RED = "HD"
HALVES = (frozenset("HS"), frozenset("DC"))
RANKS = {rank: number for number, rank in enumerate(("A", *map(str, range(2, 11)), "J", "Q", "K"), 1)}


@dataclass
class Fighter:
    """Somebody's numbers, and whether somebody plays them."""

    combat: int
    base: int
    die: int
    hp: int
    player: bool


@dataclass
class Intent:
    """What somebody said they would try, and whom it makes them go for, if anybody."""

    act: str
    target: int | None
    wants: int | None = None


def value(card: str) -> int:
    """§2: a red card counts its rank, a black one 13 less."""
    rank = RANKS[card[:-1]]
    return rank if card[-1] in RED else rank - 13


@dataclass
class Deck:
    """§2, halves: one is drawn through before the other comes in play."""

    half: frozenset[str] | None = None
    out: set[str] = field(default_factory=set)

    def takes(self, card: str) -> None:
        if self.half is None:
            self.half = next(half for half in HALVES if card[-1] in half)
        assert card[-1] in self.half, f"{card} is of the half that is not in play"
        assert card not in self.out, f"{card} is out already"
        self.out.add(card)
        if len(self.out) == 26:
            self.half = next(half for half in HALVES if half != self.half)
            self.out = set()


@dataclass
class Judge:
    """Plays fights of Whiskey at random, and holds the real game to what the rules say of each step."""

    luck: Random
    line: SeededLine
    fighters: dict[int, Fighter] = field(default_factory=dict)
    side: dict[int, int] = field(default_factory=dict)
    decks: dict[str, Deck] = field(default_factory=dict)
    checker: str = "player"

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five sides of one or two, every number drawn from `seed`; a fight of theirs is open."""
        luck = Random(seed)
        judge = cls(luck, SeededLine(f"whiskey {seed}".encode()))
        judge.line.add(e.CastIntroduced(person=1, name=Words("Player"), role="player"))
        sides, person = [], 1
        for number in range(luck.randint(2, 5)):
            side = []
            for _ in range(luck.randint(1, 2)):
                person += 1
                judge._enters(person)
                judge.side[person] = number
                side.append(person)
            sides.append(tuple(side))
        judge.checker = luck.choice(["player", "attacker", "choose"])
        judge.line.play(c.OpenConflict(system="whiskey", sides=tuple(sides)))
        judge.line.play(c.SetOption(values={"checker": judge.checker}))
        return judge

    def _enters(self, person: int) -> None:
        luck = self.luck
        one = Fighter(
            luck.randint(-3, 12),
            luck.randint(-2, 4),
            luck.randint(0, 2),
            luck.randint(1, 12),
            luck.random() < 0.5,
        )
        self.fighters[person] = one
        numbers: dict[str, int | str | None] = {
            "combat": one.combat,
            "base": one.base,
            "die": one.die,
            "hp": one.hp,
        }
        self.line.add(e.CastIntroduced(person=person, name=Words(f"N{person}")))
        if one.player:
            self.line.add(e.PlayerSeated(person=person, player=1))
        self.line.add(e.SheetChanged(person=person, system="whiskey", values=numbers))

    # --- a phase ------------------------------------------------------------------------------------------

    def phase(self) -> bool:
        """Plays one whole phase; False where too few can fight for another."""
        able = [who for who, one in self.fighters.items() if one.hp > 0]
        if len(able) < 2:
            return False
        order = self.luck.sample(able, len(able))
        intents = {who: self._declares(who, able) for who in order}
        events = self._resolved(intents)
        granted = self._rings(events, intents, order)
        self._clashes(events, intents, granted)
        self._checkers(events, intents, order)
        self._fought(events)
        return True

    def _declares(self, who: int, able: Sequence[int]) -> Intent:
        others = [one for one in able if one != who]
        act = self.luck.choice(["engage"] * 6 + ["guard", "guard", "advance", "stand", "other"])
        target = self.luck.choice(others) if act == "engage" else None
        if act == "guard" and self.luck.random() < 0.8:
            target = self.luck.choice(others)
        text = Words("Hush.") if act == "other" else None
        self.line.play(c.Declare.model_validate({"who": who, "act": act, "target": target, "text": text}))
        return Intent(act, target, target if act == "engage" else None)

    def _resolved(self, intents: dict[int, Intent]) -> list[Event]:
        """Works the clashes out, once the table has said whom each guard stops who could stop several."""
        for who, intent in intents.items():
            if intent.act == "guard":
                coming = self._coming(who, intent, intents)
                intent.wants = coming[0] if len(coming) == 1 else None
                if len(coming) > 1:
                    intent.wants = self.luck.choice(coming)
                    name = self.line.table.name(who)
                    sets = (e.Setting(person=who, what="engage", op="=", value=intent.wants),)
                    assert self.line.play(c.Rule(sets=sets, text=Words(f"{name} stops that one.")))
        return self.line.play(Clash())

    def _coming(self, who: int, guard: Intent, intents: dict[int, Intent]) -> list[int]:
        """§6: whoever engages the guarded; of the ground, whoever of another side advances."""
        if guard.target is not None:
            return [
                one
                for one, other in intents.items()
                if one != who and other.act == "engage" and other.target == guard.target
            ]
        return [
            one
            for one, other in intents.items()
            if other.act == "advance" and self.side[one] != self.side[who]
        ]

    def _rings(self, events: Sequence[Event], intents: dict[int, Intent], order: Sequence[int]) -> set[int]:
        """Who was said to get through a ring: the first declared that a player has, if there is one."""
        granted = set()
        for event in events:
            if isinstance(event, w.LoopBroken):
                for one, after in zip(event.loop, (*event.loop[1:], event.loop[0]), strict=True):
                    assert intents[one].wants == after
                played = [one for one in order if one in event.loop and self.fighters[one].player]
                assert event.who == played[0] if played else event.who in event.loop
                assert event.how == ("first_pc" if played else "random")
                granted.add(event.who)
        return granted

    def _clashes(self, events: Sequence[Event], intents: dict[int, Intent], granted: set[int]) -> None:
        """Who clashes, after holding every intent to the one sentence that says when it comes about."""
        came = {event.who for event in events if isinstance(event, w.IntentSucceeded)}
        stopped = {event.who for event in events if isinstance(event, w.IntentStopped)}
        assert came | stopped == set(intents)
        assert not came & stopped
        upon: dict[int, set[int]] = {who: set() for who in intents}
        for who in came:
            if (whom := intents[who].wants) is not None:
                upon[whom].add(who)
        for who, intent in intents.items():
            whom = intent.wants
            mutual = whom is not None and intents[whom].wants == who
            thirds = whom is not None and bool(upon[who] - {whom}) and bool(upon[whom] - {who})
            free = intent.act == "stand" or who in granted or (mutual and not thirds) or not upon[who]
            assert (who in came) == free, f"{who} {intent} with {upon[who]} upon them"
        formed = {frozenset((event.one, event.other)) for event in events if isinstance(event, w.ClashFormed)}
        assert formed == {frozenset((who, whom)) for whom, those in upon.items() for who in those}

    def _checkers(self, events: Sequence[Event], intents: dict[int, Intent], order: Sequence[int]) -> None:
        """§5: who of two checks."""
        for event in events:
            if isinstance(event, w.ClashFormed):
                assert event.checker == self._checks(event.one, event.other, intents, order)

    def _checks(self, one: int, other: int, intents: dict[int, Intent], order: Sequence[int]) -> int | None:
        if self.checker == "choose":
            return None
        played = [who for who in (one, other) if self.fighters[who].player]
        if self.checker == "player" and len(played) == 1:
            return played[0]
        attack = [who for who in (one, other) if intents[who].wants in (one, other)]
        if len(attack) == 1:
            return attack[0]
        both = [who for who in attack if self.fighters[who].player]
        return both[0] if len(both) == 1 else min(attack, key=order.index)

    # --- its blows ----------------------------------------------------------------------------------------

    def _fought(self, events: Sequence[Event]) -> None:
        clashes = [event for event in events if isinstance(event, w.ClashFormed)]
        self.luck.shuffle(clashes)
        won: list[tuple[int, int, int]] = []
        for clash in clashes:
            who = clash.checker or self.luck.choice([clash.one, clash.other])
            whom = clash.other if who == clash.one else clash.one
            events = self.line.play(Check(who=who, whom=whom))
            (made,) = [event for event in events if isinstance(event, w.CheckMade)]
            winner, loser = (who, whom) if self._judged(made, who, whom) else (whom, who)
            dealt = self.fighters[winner]
            won.append((winner, loser, max(0, dealt.base + made.d * dealt.die)))
        assert any(isinstance(event, w.PhaseEnded) for event in events)
        dealt_now = {(v.winner, v.loser, v.amount) for v in events if isinstance(v, w.DamageDealt)}
        idle = {(v.winner, v.loser, v.amount) for v in events if isinstance(v, w.DamageSuppressed)}
        self._hit(won, dealt_now, idle)

    def _judged(self, made: w.CheckMade, who: int, whom: int) -> bool:
        """§3: x and the card against y, strictly; the card comes off the deck of the checker's faction."""
        faction = "players" if self.fighters[who].player else "enemies"
        assert made.faction == faction
        assert made.card is not None
        self.decks.setdefault(faction, Deck()).takes(made.card)
        assert (made.x, made.y) == (self.fighters[who].combat, self.fighters[whom].combat)
        assert made.c == value(made.card)
        assert made.total == made.x + made.c
        assert made.passed == (made.total > made.y)
        assert 1 <= made.d <= 6
        return made.passed

    def _hit(
        self,
        won: Sequence[tuple[int, int, int]],
        dealt: set[tuple[int, int, int]],
        idle: set[tuple[int, int, int]],
    ) -> None:
        """§7: all at once, but whoever several are upon and is put out by them hits nobody."""
        counts, hp = [], {who: one.hp for who, one in self.fighters.items()}
        for blow in won:
            winner = blow[0]
            several = sum(winner in (one, other) for one, other, _ in won) > 1
            suffered = sum(amount for _, loser, amount in won if loser == winner)
            if not (several and suffered and hp[winner] - suffered <= 0):
                counts.append(blow)
        for _, loser, amount in counts:
            self.fighters[loser].hp -= amount
        assert set(counts) == dealt
        assert set(won) - set(counts) == idle
        self._standing()

    def _standing(self) -> None:
        """What the real game says of everybody is what is reckoned here."""
        facts, table = SYSTEMS["whiskey"].facts, self.line.table
        conflict = table.in_play()
        for who, one in self.fighters.items():
            assert facts["hp"].read(table, conflict, who) == (str(one.hp),), who
        out = {who for who, one in self.fighters.items() if one.hp <= 0}
        assert set(facts["down"].read(table, conflict, None)) == {table.name(who) for who in out}
