"""Whiskey as a plain reader of docs/rules/whiskey.md would judge it: by what outcomes are, not by a search.

It types lines, as the table does; nothing of retold/games/whiskey but its events is known here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random

import pytest

from retold.games.whiskey import events as w
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from tests.judges.typing import typed
from tests.scenario import SeededLine

RED = "HD"
HALVES = (frozenset("HS"), frozenset("DC"))
RANKS = {rank: number for number, rank in enumerate(("A", *map(str, range(2, 11)), "J", "Q", "K"), 1)}

Pair = frozenset[int]
Blow = tuple[int, int, int]
"""Who won, who lost, and what the winner deals."""


@dataclass
class Fighter:
    """Somebody's numbers, and whether somebody plays them; nothing puts out who has no hit points."""

    combat: int
    base: int
    die: int
    hp: int | None
    player: bool
    faction: str


@dataclass
class Intent:
    """What somebody said they would try, and whom it makes them go for, if anybody."""

    act: str
    target: int | None
    wants: int | None = None
    told: tuple[int | None] | None = None
    """Whom a ruling has a guard stop, nobody among them; None where there was none."""


def value(card: str) -> int:
    """§2: a red card counts its rank, a black one 13 less."""
    rank = RANKS[card[:-1]]
    return rank if card[-1] in RED else rank - 13


@dataclass
class Deck:
    """§2: of two halves one is drawn through before the other comes in play; or all 52 are."""

    whole: bool
    half: frozenset[str] | None = None
    out: set[str] = field(default_factory=set)

    def takes(self, card: str) -> None:
        if self.half is None:
            self.half = next(half for half in HALVES if card[-1] in half)
        assert self.whole or card[-1] in self.half, f"{card} is of the half that is not in play"
        assert card not in self.out, f"{card} is out already"
        self.out.add(card)
        if len(self.out) == (52 if self.whole else 26):
            self.half = next(half for half in HALVES if half != self.half)
            self.out = set()


def in_a_row(pairs: Collection[Pair]) -> bool:
    """§6: whether four clash in a row, each with the next."""
    people = {who for pair in pairs for who in pair}
    return any(
        {frozenset((a, b)), frozenset((b, c)), frozenset((c, d))} <= set(pairs)
        for a, b, c, d in permutations(people, 4)
    )


@dataclass
class Judge:
    """Plays fights of Whiskey at random, and holds the real game to what the rules say of each step."""

    luck: Random
    line: SeededLine
    options: dict[str, str] = field(default_factory=dict)
    fighters: dict[int, Fighter] = field(default_factory=dict)
    side: dict[int, int] = field(default_factory=dict)
    """Which side everybody who is there is on, by a number."""
    decks: dict[str, Deck] = field(default_factory=dict)
    intents: dict[int, Intent] = field(default_factory=dict)
    """What is meant this phase, in the order of declaring."""
    due: list[w.ClashFormed] = field(default_factory=list)
    won: list[Blow] = field(default_factory=list)
    over: bool = False

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five sides of one or two, numbers and options drawn from `seed`; a fight is open."""
        luck = Random(seed)
        judge = cls(luck, SeededLine(f"whiskey {seed}".encode()))
        judge.line.add(e.CastIntroduced(person=1, name=Words("Player"), role="player"))
        judge._chooses()
        for number in range(luck.randint(2, 5)):
            for _ in range(luck.randint(1, 2)):
                judge._enters(number)
        sides: dict[int, list[str]] = {}
        for who, number in judge.side.items():
            sides.setdefault(number, []).append(f"N{who}")
        storm = luck.choice(["", "", "combat=5", "combat=5 base=1 die=1", "combat=0 base=2 hp=4"])
        if storm:
            judge._blows_up(len(sides), dict(pair.split("=") for pair in storm.split()))
            sides[len(sides)] = [f"N{max(judge.side)}"]
        judge.type(f"conflict whiskey {' vs '.join('+'.join(side) for side in sides.values())} {storm}")
        return judge

    def _chooses(self) -> None:
        choices = {
            "checker": ["player", "attacker", "choose"],
            "deck": ["halves", "halves", "whole", "d26"],
            "loop_break": ["first_pc", "random", "gm"],
            "declaration": ["open", "open", "sealed"],
            "incapacitated_at": ["0", "0", "-3", "2"],
        }
        self.options = {option: self.luck.choice(values) for option, values in choices.items()}
        self.type("option " + " ".join(f"whiskey.{key}={chosen}" for key, chosen in self.options.items()))

    def _enters(self, number: int) -> int:
        """Somebody with a sheet, who is to be of this side."""
        luck, who = self.luck, max(self.fighters, default=1) + 1
        player = luck.random() < 0.5
        faction = luck.choice(["", "", "friends", "enemies"])
        one = Fighter(
            luck.randint(-3, 12),
            luck.randint(-2, 4),
            luck.randint(0, 2),
            luck.randint(3, 12),
            player,
            faction or ("players" if player else "enemies"),
        )
        self.line.add(e.CastIntroduced(person=who, name=Words(f"N{who}")))
        if player:
            self.line.add(e.PlayerSeated(person=who, player=1))
        keys = f"combat={one.combat} base={one.base} die={one.die} hp={one.hp}"
        self.type(f"cast N{who} whiskey {keys}" + (f" faction={faction}" if faction else ""))
        self.fighters[who], self.side[who] = one, number
        return who

    def _blows_up(self, number: int, numbers: dict[str, str]) -> None:
        """§6: a side without a sheet; without base and die it deals nothing, without hp nothing ends it."""
        who = max(self.fighters) + 1
        self.line.add(e.CastIntroduced(person=who, name=Words(f"N{who}")))
        hp = int(numbers["hp"]) if "hp" in numbers else None
        combat, base, die = (int(numbers.get(key, 0)) for key in ("combat", "base", "die"))
        self.fighters[who], self.side[who] = Fighter(combat, base, die, hp, False, "enemies"), number

    def type(self, words: str) -> list[Event]:
        return typed(self.line, words)

    def _may(self, chance: float) -> bool:
        return self.luck.random() < chance

    def _is_out(self, who: int) -> bool:
        hp = self.fighters[who].hp
        return hp is not None and hp <= int(self.options["incapacitated_at"])

    def _able(self) -> list[int]:
        return [who for who in self.side if not self._is_out(who)]

    # --- a phase ------------------------------------------------------------------------------------------

    def phase(self) -> bool:
        """Plays one whole phase; False where the fight is over, or too few can go on with it."""
        self.due, self.won, self.intents = [], [], {}
        if len(self._able()) < 2:
            return False
        events = self._paired() if self._may(0.15) else self._meant()
        if self.over:
            return False
        self.due = [event for event in events if isinstance(event, w.ClashFormed)]
        if not self.due:
            assert any(isinstance(event, w.PhaseEnded) for event in events)
        while self.due and not self.over:
            self._goes_on()
        self._standing()
        return not self.over

    def _meant(self) -> list[Event]:
        *most, last = self.luck.sample(self._able(), len(self._able()))
        newcomers = [self._joins()] if self._may(0.15) else []
        face_down = [who for who in [*most, *newcomers, last] if self._declares(who)]
        if face_down:
            self.type("reveal")
            openly = [who for who in self.intents if who not in face_down]
            self.intents = {who: self.intents[who] for who in [*openly, *face_down]}
        self._aims()
        if self._may(0.15) and self.options["loop_break"] != "gm":  # whose question would come first
            self._leaves(self.luck.choice(list(self.side)))
            self._aims()
        return [] if self.over else self._resolved()

    def _declares(self, who: int) -> bool:
        """Declares any act; whether it was face down."""
        others = [one for one in self._able() if one != who]
        act = self.luck.choice(["engage"] * 6 + ["guard", "guard", "advance", "stand", "other"])
        whom = self.luck.choice(others) if act == "engage" or (act == "guard" and self._may(0.8)) else None
        sealed = self._may(0.1)
        words = f"declare N{who} {act}" + (f" N{whom}" if whom else "") + (" --sealed" if sealed else "")
        self.type(words + (": Hush." if act == "other" else ""))
        self.intents[who] = Intent(act, whom)
        return sealed or self.options["declaration"] == "sealed"

    def _aims(self) -> None:
        """Whom everybody goes for, once the table has said whom each guard stops who could stop several."""
        for who, intent in self.intents.items():
            if intent.act == "engage":
                intent.wants = intent.target if intent.target in self.intents else None
            elif intent.act == "guard":
                self._guards(who, intent)

    def _guards(self, who: int, guard: Intent) -> None:
        """§6, §8: the only one who comes, or whom a ruling says: nobody, anybody, one of several."""
        others = [one for one in self.intents if one != who]
        if guard.told and guard.told[0] not in (None, *others):
            guard.told = None
        coming = self._coming(who, guard)
        if self._may(0.1) and others:
            self._tells(who, guard, self.luck.choice([None, *others]))
        elif len(coming) > 1 and not guard.told:
            self._tells(who, guard, self.luck.choice(coming))
        guard.wants = guard.told[0] if guard.told else coming[0] if coming else None

    def _tells(self, who: int, guard: Intent, whom: int | None) -> None:
        guard.told = (whom,)
        self.type(f"ruling N{who}.engage={f'N{whom}' if whom else 'nobody'}: So it is.")

    def _resolved(self) -> list[Event]:
        """Works the clashes out, the game master breaking rings where the table has it so."""
        events: list[Event] = []
        while True:
            try:
                events += self.type("clash")
                break
            except Refused:
                assert self.options["loop_break"] == "gm"
                events += self._chosen()
        granted = self._rings(events)
        self._clashes(events, granted)
        self._checkers(events)
        return events

    def _coming(self, who: int, guard: Intent) -> list[int]:
        """§6: whoever engages the guarded; of the ground, whoever of another side advances."""
        ground = guard.target is None
        return [
            one
            for one, other in self.intents.items()
            if (ground and other.act == "advance" and self.side[one] != self.side[who])
            or (not ground and other.act == "engage" and other.target == guard.target and one != who)
            if ground or guard.target in self.intents
        ]

    def _chosen(self) -> list[Event]:
        """The game master says who gets through; of nobody but the people of a ring it can be said."""
        for who in self.luck.sample(list(self.intents), len(self.intents)):
            try:
                events = self.type(f"ruling loop=N{who}: You.")
            except Refused:
                continue
            (broken,) = [event for event in events if isinstance(event, w.LoopBroken)]
            assert (broken.who, broken.how) == (who, "gm")
            return events
        raise AssertionError("There is a ring, and nobody in it.")

    def _rings(self, events: Sequence[Event]) -> set[int]:
        """Who was said to get through a ring: the first declared that a player has, if there is one."""
        granted = set()
        for event in events:
            if isinstance(event, w.LoopBroken):
                for one, after in zip(event.loop, (*event.loop[1:], event.loop[0]), strict=True):
                    assert self.intents[one].wants == after
                played = [who for who in self.intents if who in event.loop and self.fighters[who].player]
                by_lot = self.options["loop_break"] == "random" or not played
                if self.options["loop_break"] != "gm":
                    assert event.how == ("random" if by_lot else "first_pc")
                    assert event.who in (event.loop if by_lot else played[:1])
                granted.add(event.who)
        return granted

    def _clashes(self, events: Sequence[Event], granted: set[int]) -> None:
        """Who clashes, after holding every intent to the one sentence that says when it comes about."""
        intents = self.intents
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
        assert not in_a_row(formed)

    def _checkers(self, events: Sequence[Event]) -> None:
        """§5: who of two checks."""
        for event in events:
            if isinstance(event, w.ClashFormed):
                assert event.checker == self._checks(event.one, event.other)

    def _checks(self, one: int, other: int) -> int | None:
        if self.options["checker"] == "choose":
            return None
        played = [who for who in (one, other) if self.fighters[who].player]
        if self.options["checker"] == "player" and len(played) == 1:
            return played[0]
        attack = [who for who in self.intents if who in (one, other)]
        attack = [who for who in attack if self.intents[who].wants in (one, other)]
        both = [who for who in attack if self.fighters[who].player]
        return both[0] if len(both) == 1 else attack[0]

    # --- two by hand --------------------------------------------------------------------------------------

    def _paired(self) -> list[Event]:
        """§6: the game master pairs; no four in a row, and three around only where the table says so."""
        events: list[Event] = []
        made: set[Pair] = set()
        for _ in range(self.luck.randint(1, 4)):
            one, other = self.luck.sample(self._able(), 2)
            pair: Pair = frozenset((one, other))
            if pair in made:
                continue
            if in_a_row(made | {pair}):
                with pytest.raises(Refused):
                    self.type(f"clash N{one} N{other}")
                continue
            came = self.type(f"clash N{one} N{other}")
            third = [who for who in self.side if {frozenset((who, one)), frozenset((who, other))} <= made]
            assert any(isinstance(event, w.TriangleProposed) for event in came) == bool(third)
            if third:
                answer = self.luck.choice(["yes", "no"])
                came = self.type(f"ruling triangle={answer}: So it is.")
                assert any(isinstance(event, w.ClashFormed) for event in came) == (answer == "yes")
            events += came
            made |= {pair} if any(isinstance(event, w.ClashFormed) for event in came) else set()
        assert {frozenset((v.one, v.other)) for v in events if isinstance(v, w.ClashFormed)} == made
        return events

    # --- its blows ----------------------------------------------------------------------------------------

    def _goes_on(self) -> None:
        """The next check, or what comes between two of them."""
        happens = self.luck.random()
        if happens < 0.04:
            self._breaks_off()
        elif happens < 0.10:
            self._falls(self.luck.choice(self._able() or list(self.side)))
        elif happens < 0.18:
            self._leaves(self.luck.choice(list(self.side)))
        elif happens < 0.22:
            self._joins()
        elif happens < 0.28:
            self._checks_anything()
        else:
            self._checks_one()

    def _checks_one(self) -> None:
        clash = self.luck.choice(self.due)
        who = clash.checker or self.luck.choice([clash.one, clash.other])
        whom = clash.other if who == clash.one else clash.one
        events = self.type(f"check N{who} N{whom}")
        (made,) = [event for event in events if isinstance(event, w.CheckMade)]
        assert (made.x, made.y) == (self.fighters[who].combat, self.fighters[whom].combat)
        winner, loser = (who, whom) if self._judged(made, who) else (whom, who)
        dealt = self.fighters[winner]
        self.won.append((winner, loser, max(0, dealt.base + made.d * dealt.die)))
        self.due.remove(clash)
        self._ends(events)

    def _checks_anything(self) -> None:
        """§3: any check, against a number or somebody's; it hits nobody."""
        who, whom = self.luck.choice(list(self.fighters)), self.luck.choice(list(self.fighters))
        x, y = self.luck.randint(-9, 20), self.luck.randint(-9, 20)
        words, y = self.luck.choice([(f"{y}", y), (f"N{whom} combat", self.fighters[whom].combat)])
        (made,) = [v for v in self.type(f"check N{who} {x} vs {words}") if isinstance(v, w.CheckMade)]
        assert (made.x, made.y) == (x, y)
        self._judged(made, who)

    def _judged(self, made: w.CheckMade, who: int) -> bool:
        """§3: x and the card against y, strictly; the card comes off the deck of the checker's faction."""
        faction = self.fighters[who].faction
        assert made.faction == faction
        if self.options["deck"] == "d26":
            assert made.card is None
            assert -12 <= made.c <= 13
        else:
            assert made.card is not None
            self.decks.setdefault(faction, Deck(self.options["deck"] == "whole")).takes(made.card)
            assert made.c == value(made.card)
        assert made.total == made.x + made.c
        assert made.passed == (made.total > made.y)
        assert 1 <= made.d <= 6
        return made.passed

    def _ends(self, events: Sequence[Event]) -> None:
        """With the last check of a phase, and no sooner, all blows fall."""
        assert any(isinstance(event, w.PhaseEnded) for event in events) == (not self.due)
        if not self.due:
            self._hit(events)

    def _hit(self, events: Sequence[Event]) -> None:
        """§7: all at once, but whoever several are upon and is put out by them hits nobody."""
        counts = [blow for blow in self.won if not self._undone(blow[0])]
        for _, loser, amount in counts:
            hp = self.fighters[loser].hp
            self.fighters[loser].hp = None if hp is None else hp - amount
        dealt = {(v.winner, v.loser, v.amount) for v in events if isinstance(v, w.DamageDealt)}
        idle = {(v.winner, v.loser, v.amount) for v in events if isinstance(v, w.DamageSuppressed)}
        assert set(counts) == dealt
        assert set(self.won) - set(counts) == idle
        self._standing()

    def _undone(self, who: int) -> bool:
        """Whether several were upon somebody, none of them upon another, and put them out of the fight."""
        foes = {one if who == other else other for one, other, _ in self.won if who in (one, other)}
        around = any({one, other} <= foes for one, other, _ in self.won)
        suffered = sum(amount for _, loser, amount in self.won if loser == who)
        hp = self.fighters[who].hp
        put_out = hp is not None and hp - suffered <= int(self.options["incapacitated_at"]) < hp
        return len(foes) > 1 and not around and put_out

    def _standing(self) -> None:
        """What the real game says of everybody is what is reckoned here."""
        facts, table = SYSTEMS["whiskey"].facts, self.line.table
        conflict = table.in_play()
        for who, one in self.fighters.items():
            hp = () if one.hp is None else (str(one.hp),)
            assert facts["hp"].read(table, conflict, who) == hp, who
        out = {who for who in self.fighters if self._is_out(who)}
        assert set(facts["down"].read(table, conflict, None)) == {table.name(who) for who in out}

    # --- who comes and goes -------------------------------------------------------------------------------

    def _joins(self) -> int:
        """A newcomer, on a side that is there or as one more."""
        number = self.luck.choice([*self.side.values(), max(self.side.values()) + 1])
        beside = [who for who, side in self.side.items() if side == number]
        who = self._enters(number)
        self.type(f"join N{who}" + (f" N{self.luck.choice(beside)}" if beside else ""))
        return who

    def _leaves(self, who: int) -> None:
        """§6: who clashes sees it through; the last side there has won."""
        mine = any(who in (clash.one, clash.other) for clash in self.due)
        if mine or any(who in blow[:2] for blow in self.won):
            with pytest.raises(Refused):
                self.type(f"leave N{who}")
            return
        events = self.type(f"leave N{who}: Enough.")
        del self.side[who]
        self.intents.pop(who, None)
        self._drops([], events)

    def _falls(self, who: int) -> None:
        """§7: by a ruling; the checks that were still to be made come to nothing."""
        if self.fighters[who].hp is None:
            return
        self.fighters[who].hp = at = int(self.options["incapacitated_at"])
        events = self.type(f"ruling N{who}.hp={at}: The floor gives way.")
        self._drops([clash for clash in self.due if who in (clash.one, clash.other)], events)

    def _drops(self, clashes: Sequence[w.ClashFormed], events: Sequence[Event]) -> None:
        dropped = {frozenset((v.one, v.other)) for v in events if isinstance(v, w.ClashDropped)}
        ended = [event for event in events if isinstance(event, e.ConflictEnded)]
        self.over = len(set(self.side.values())) < 2
        assert bool(ended) == self.over
        if self.over:
            self._hit(events)
            return
        assert dropped == {frozenset((clash.one, clash.other)) for clash in clashes}
        self.due = [clash for clash in self.due if clash not in clashes]
        if clashes and (self.due or self.won or self.intents):
            self._ends(events)

    def _breaks_off(self) -> None:
        """§7: in retreat and its like; in any other way only once all checks are made."""
        with pytest.raises(Refused):
            self.type("end conflict victory")
        self.over = True
        self._hit(self.type("end conflict retreat"))
