"""Edgerunner as a plain reader of docs/rules/edgerunner.md would judge it: shifts, boxes and fate points.

It types lines, as the table does, and knows nothing of journal/systems/edgerunner.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from journal.decks.chance import Luck
from journal.language.binding import Scope, bind
from journal.language.lexing import lex
from journal.line import decide
from journal.systems import SYSTEMS
from tests.scenario import SeededLine

NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve")
ZONES = ("Quay", "Shed", "Yard")
TRACKS = ("cool", "humanity")
SLOTS = {"mild": 1, "moderate": 2, "severe": 4}
START = 5


@dataclass
class Runner:
    """Somebody in the fight: the sheet, what they have suffered, and what they did last."""

    name: str
    player: str | None
    skills: dict[str, int]
    own: dict[str, int]
    zone: int
    marked: dict[str, set[int]] = field(default_factory=lambda: {track: set() for track in TRACKS})
    slots: list[str] = field(default_factory=lambda: list(SLOTS))
    points: int = START
    out: bool = False
    did: tuple[str, str, str] | None = None
    """The act, skill and target of the last exchange; None where it was nothing that can be gone on with."""
    shifts: int = 0
    """What that came to before range and before it was resisted."""
    holds: tuple[str, int] | None = None
    """The track they defend of their own, and the threshold it has by that."""

    def threshold(self, track: str) -> int:
        return self.holds[1] if self.holds and self.holds[0] == track else self.own[track]


@dataclass
class Judge:
    """Plays fights at random; the real game is held to what the rules say of each act."""

    luck: Random
    line: SeededLine
    marking: str
    runners: dict[str, Runner] = field(default_factory=dict)
    number: int = 0

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five people, each a side, with sheets and options drawn from `seed`; a fight is open."""
        luck = Random(seed)
        line = SeededLine(f"edgerunner {seed}".encode())
        judge = cls(luck, line, luck.choice(["diaspora", "single_box", "running_total"]))
        for number in range(luck.randint(2, 5)):
            judge._enters(NAMES[number], luck.choice([None, f"Player{number}"]))
        judge.type("session A night")
        judge.type(f"conflict edgerunner {' vs '.join(judge.runners)}")
        judge.type(f"option stress_marking={judge.marking} free_move=off")
        judge.type("map Quay 1 Shed 1 Yard")
        for one in judge.runners.values():
            judge.type(f"place {one.name} {ZONES[one.zone]}")
        return judge

    def _enters(self, name: str, player: str | None) -> None:
        luck = self.luck
        skills = {skill: luck.randint(0, 4) for skill in ("guns", "calm")}
        own = {track: luck.randint(2, 6) for track in TRACKS}
        keys = " ".join(f"{key}={value}" for key, value in (skills | own).items())
        by = f" by={player}" if player else ""
        self.type(f"cast {name} edgerunner{by} {keys} aspect.a=Loud{name}")
        self.runners[name] = Runner(name, player, skills, own, luck.randrange(len(ZONES)))

    def type(self, line: str) -> None:
        command = bind(lex(line), Scope(self.line.table, int)).command
        luck = Luck(self.line.dealer, getattr(command, "results", None))
        self.line.add(*decide(self.line.table, command, luck))

    def fact(self, subject: str, name: str | None = None) -> tuple[str, ...]:
        table = self.line.table
        who = None if name is None else table.called(name)
        return SYSTEMS["edgerunner"].facts[subject].read(table, table.in_play(), who)

    # --- an exchange --------------------------------------------------------------------------------------

    def exchange(self) -> bool:
        """Plays one exchange; False once one side alone is left, and the fight is over."""
        self.type("exchange a few moments")
        for name in self.luck.sample(list(self.runners), len(self.runners)):
            if not self.runners[name].out:
                self._acts(self.runners[name])
                if not self._goes_on():
                    return False
        return True

    def _goes_on(self) -> bool:
        able = [one for one in self.runners.values() if not one.out]
        over = not self.line.table.conflicts
        assert over == (len(able) == 1)
        if not over:
            self._stands()
        return not over

    def _acts(self, one: Runner) -> None:
        foes = [foe for foe in self.runners.values() if foe is not one and not foe.out]
        act = self.luck.choice(["attack"] * 5 + ["defend", "recover", "move", "simple"])
        if act == "attack":
            self._attacks(one, self.luck.choice(foes))
        elif act == "defend":
            self._defends(one)
        elif act == "recover" and any(one.marked.values()):
            self._recovers(one)
        elif act == "move":
            self._moves(one)
        else:
            self._begins(one, None)
            self.type(f"simple {one.name}: I watch.")

    def _begins(self, one: Runner, act: tuple[str, str, str] | None) -> bool:
        """§6: whether the act is that of the last exchange, and is gone on with; any other ends a defence."""
        again = act is not None and one.did == act
        if not again:
            one.holds = None
        one.did = act
        return again

    def _dice(self) -> tuple[str, int]:
        faces = [self.luck.choice("+0-") for _ in range(4)]
        return "".join(faces), faces.count("+") - faces.count("-")

    # --- the acts -----------------------------------------------------------------------------------------

    def _attacks(self, one: Runner, foe: Runner) -> None:
        track = self.luck.choice(TRACKS)
        if self._begins(one, ("attack", "guns", foe.name)):
            self.type(f"continue {one.name} {track}")
        else:
            dice, total = self._dice()
            self.type(f"attack {one.name} {foe.name} {track} with guns = {dice}")
            one.shifts = one.skills["guns"] + total
            if self.luck.random() < 0.3:
                self._invokes(one, foe)
        shifts = one.shifts - abs(one.zone - foe.zone)
        assert self.fact("shifts", one.name) == (str(shifts),)
        if shifts > 0 and foe.slots and self.luck.random() < 0.3:
            shifts -= self._takes_a_consequence(foe)
        self.type("apply: So it goes.")
        if shifts > 0:
            self._suffers(foe, track, shifts)

    def _invokes(self, one: Runner, foe: Runner) -> None:
        """§3: a fate point and 2 more; the point goes across the table."""
        if one.player and not one.points:
            return
        self.type(f"invoke {one.name} Loud{one.name}")
        one.shifts += 2
        one.points -= 1 if one.player else 0
        foe.points += 1 if foe.player else 0

    def _takes_a_consequence(self, foe: Runner) -> int:
        slot = self.luck.choice(foe.slots)
        foe.slots.remove(slot)
        self.number += 1
        self.type(f"resist {foe.name} {slot} as Hurt{self.number}")
        return SLOTS[slot]

    def _suffers(self, foe: Runner, track: str, shifts: int) -> None:
        """§7: which boxes so much stress marks, and whether it is more than the track holds."""
        marked = foe.marked[track]
        if self.marking == "running_total":
            gapless = next(box for box in range(1, 99) if box not in marked) - 1
            box = gapless + shifts
        else:
            box = next(box for box in range(shifts, 99) if box not in marked)
        if box > foe.threshold(track):
            foe.out, foe.holds = True, None
        else:
            marked |= {box} if self.marking == "single_box" else set(range(1, box + 1))

    def _defends(self, one: Runner) -> None:
        track = self.luck.choice(TRACKS)
        if one.did == ("defend", "calm", one.name) and one.holds:
            track = one.holds[0]
        if self._begins(one, ("defend", "calm", one.name)):
            self.type(f"continue {one.name}")
        else:
            dice, total = self._dice()
            self.type(f"defend {one.name} {track} with calm = {dice}")
            one.shifts = one.skills["calm"] + total
        self.type("apply")
        one.holds = (track, max(0, one.shifts))

    def _recovers(self, one: Runner) -> None:
        track = self.luck.choice([track for track in TRACKS if one.marked[track]])
        if self._begins(one, ("recover", "calm", one.name)):
            self.type(f"continue {one.name} {track}")
        else:
            dice, total = self._dice()
            self.type(f"recover {one.name} {track} with calm = {dice}")
            one.shifts = one.skills["calm"] + total
        left, boxes = one.shifts, []
        for box in self.luck.sample(sorted(one.marked[track]), len(one.marked[track])):
            if box <= left:
                left -= box
                boxes.append(box)
        self.type(" ".join(["apply", *map(str, boxes)]))
        one.marked[track] -= set(boxes)

    def _moves(self, one: Runner) -> None:
        to = self.luck.choice([zone for zone in range(len(ZONES)) if zone != one.zone])
        step = 1 if to > one.zone else -1
        path = [ZONES[zone] for zone in range(one.zone + step, to + step, step)]
        if self._begins(one, ("move", "calm", one.name)):
            self.type(f"continue {one.name} to {' '.join(path)}")
        else:
            dice, total = self._dice()
            self.type(f"move {one.name} to {' '.join(path)} with calm = {dice}")
            one.shifts = one.skills["calm"] + total
        self.type("apply")
        one.zone += step * max(0, min(len(path), one.shifts))
        if one.shifts <= -3:
            self._spins(one)

    def _spins(self, one: Runner) -> None:
        """§6: one for each full 3 below, held by whom the referee names, or by the only one there is."""
        foes = [foe.name for foe in self.runners.values() if foe is not one and not foe.out]
        if len(foes) > 1:
            self.type(f"ruling spin={self.luck.choice(foes)}: You.")
        assert sum(int(count) for foe in foes for count in self.fact("spin", foe)) >= -one.shifts // 3

    # --- what stands --------------------------------------------------------------------------------------

    def _stands(self) -> None:
        """What the real game says of everybody is what is reckoned here."""
        assert set(self.fact("out")) == {one.name for one in self.runners.values() if one.out}
        for one in self.runners.values():
            boxes = [(track, sorted(marked)) for track, marked in one.marked.items() if marked]
            said = [word for track, some in boxes for word in (track, *map(str, some))]
            assert list(self.fact("stress", one.name)) == said
            if not one.out:
                assert self.fact("zone", one.name) == (ZONES[one.zone],)
                thresholds = self.fact("threshold", one.name)
                found = dict(zip(thresholds[::2], thresholds[1::2], strict=True))
                assert {track: found[track] for track in TRACKS} == {
                    track: str(one.threshold(track)) for track in TRACKS
                }
            if one.player:
                assert self.fact("points", one.player) == (str(one.points),)
