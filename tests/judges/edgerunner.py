"""Edgerunner as a plain reader of docs/rules/edgerunner.md would judge it: shifts, boxes and fate points.

It types lines, as the table does, and knows nothing of retold/games/edgerunner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Event
from tests.judges.typing import typed
from tests.scenario import SeededLine

NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jan", "Kit", "Lou", "Mab", "Ned")
ZONES = ("Quay", "Shed", "Yard")
TRACKS = {"character": ("cool", "humanity"), "goon": ("stress",), "mook": ("stress",)}
DEPLOYED_FOR = {"character": 8, "goon": 4}
"""§6: the shifts it takes; of mooks, twice one less than their threat level."""
SLOTS = {
    "character": {"mild": 1, "moderate": 2, "severe": 4},
    "goon": {"moderate": 3},
    "mook": {},
    "faction": {},
}
START = 5


def free(shifts: int) -> int:
    """§3: the free invokes that shifts give."""
    return sum(shifts >= least for least in (1, 3, 6, 10))


@dataclass
class Aspect:
    """Words on somebody, whose free invokes they are, and, where a maneuver made them, their boxes."""

    words: str
    bearer: str
    free: dict[str, int] = field(default_factory=dict)
    boxes: int | None = None
    marked: set[int] = field(default_factory=set)


@dataclass
class Runner:
    """Somebody in the fight: the sheet, what they have suffered, and what they did last."""

    name: str
    player: str | None
    kind: str
    side: int
    skills: dict[str, int]
    own: dict[str, int]
    zone: int
    marked: dict[str, set[int]]
    slots: dict[str, int]
    points: int = START
    out: bool = False
    did: tuple[str, str, str] | None = None
    """The act, skill and target of the last exchange; None where it was nothing that can be gone on with."""
    shifts: int = 0
    """What that came to before range and before it was resisted."""
    dice: int = 0
    """What the dice in that came to."""
    used: set[str] = field(default_factory=set)
    """The aspects that were invoked on it."""
    guards: tuple[str, str, int] | None = None
    """Whom they defend, on which track, and the threshold it has by that."""
    deployed_by: str | None = None
    cost: int = 0
    """The shifts that deploying them takes."""
    acts: bool = True

    @property
    def loud(self) -> str:
        return f"Loud{self.name}"


@dataclass
class Judge:
    """Plays fights at random; the real game is held to what the rules say of each act."""

    luck: Random
    line: SeededLine
    marking: str
    passes: tuple[int, ...]
    """The pass values of the borders, from zone to zone."""
    runners: dict[str, Runner] = field(default_factory=dict)
    aspects: dict[str, Aspect] = field(default_factory=dict)
    number: int = 0
    cast: int = 0
    over: bool = False
    assets: dict[str, Runner] = field(default_factory=dict)
    """What factions have at hand and have not deployed yet."""

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five sides of one or two, with sheets and options drawn from `seed`; a fight is open."""
        luck = Random(seed)
        line = SeededLine(f"edgerunner {seed}".encode())
        marking = luck.choice(["diaspora", "single_box", "running_total"])
        judge = cls(luck, line, marking, tuple(luck.choice([1, 1, 2]) for _ in ZONES[1:]))
        sides = luck.randint(2, 5)
        for side in range(sides):
            for _ in range(luck.choice([1, 1, 1, 2])):
                judge._enters(side)
        if luck.random() < 0.4:
            judge._founds(luck.randrange(sides))
        judge.type("session A night")
        judge._before()
        together = [[one.name for one in judge.runners.values() if one.side == side] for side in range(sides)]
        judge.type(f"conflict edgerunner {' vs '.join(map('+'.join, together))}")
        judge.type(f"option stress_marking={marking}")
        judge.type(f"map Quay {judge.passes[0]} Shed {judge.passes[1]} Yard")
        for one in judge._people():
            judge.type(f"place {one.name} {ZONES[one.zone]}")
        return judge

    def _founds(self, side: int) -> None:
        """A faction, with somebody to deploy; what it adds against people is its focus."""
        logistics, focus = self.luck.randint(0, 4), self.luck.randint(-1, 3)
        numbers = f"logistics={logistics} focus={focus} disposition={-focus}"
        self.type(f"cast Corp edgerunner kind=faction {numbers} aspect.a=LoudCorp")
        self.aspects["LoudCorp"] = Aspect("LoudCorp", "Corp")
        own = {"leverage": 3, "prestige": 3}
        marked: dict[str, set[int]] = {track: set() for track in own}
        skills = {"guns": 0, "calm": 0, "logistics": logistics + focus}
        self.runners["Corp"] = Runner("Corp", None, "faction", side, skills, own, -1, marked, {})
        asset = self._enters(side)
        del self.runners[asset.name]
        asset.deployed_by, self.assets[asset.name] = "Corp", asset
        asset.cost = DEPLOYED_FOR.get(asset.kind, 0)
        if asset.kind == "mook":
            level = self.luck.randint(1, 4)
            self.type(f"cast {asset.name} edgerunner tl={level}")
            asset.cost = 2 * (level - 1)

    def _people(self) -> list[Runner]:
        return [one for one in self.runners.values() if one.kind != "faction"]

    def _enters(self, side: int) -> Runner:
        luck, name = self.luck, NAMES[self.cast]
        kind = luck.choice(["character"] * 4 + ["goon", "mook"])
        player = f"Player{self.cast}" if kind == "character" and luck.random() < 0.6 else None
        self.cast += 1
        skills = {skill: luck.randint(0, 4) for skill in ("guns", "calm")}
        own = {track: luck.randint(2, 6) for track in TRACKS[kind]}
        keys = " ".join(f"{key}={value}" for key, value in (skills | own).items())
        by = f" by={player}" if player else ""
        self.type(f"cast {name} edgerunner{by} kind={kind} {keys} aspect.a=Loud{name}")
        marked: dict[str, set[int]] = {track: set() for track in own}
        zone, slots = luck.randrange(len(ZONES)), dict(SLOTS[kind])
        one = Runner(name, player, kind, side, skills, own, zone, marked, slots)
        self.runners[name] = one
        self.aspects[one.loud] = Aspect(one.loud, name)
        return one

    def type(self, words: str) -> list[Event]:
        return typed(self.line, words)

    def refused(self, words: str) -> None:
        with pytest.raises(Refused):
            self.type(words)

    def fact(self, subject: str, name: str | None = None) -> tuple[str, ...]:
        table = self.line.table
        who = None if name is None else table.called(name)
        return SYSTEMS["edgerunner"].facts[subject].read(table, table.in_play(), who)

    def _may(self, chance: float) -> bool:
        return self.luck.random() < chance

    def _dice(self) -> tuple[str, int]:
        faces = [self.luck.choice("+0-") for _ in range(4)]
        return "".join(faces), faces.count("+") - faces.count("-")

    # --- before it all begins -----------------------------------------------------------------------------

    def _before(self) -> None:
        """§2, §3: challenges, contests, and somebody looked over, outside a conflict."""
        for _ in range(self.luck.randint(0, 3)):
            one, other = self.luck.sample(self._people(), 2)
            dice, total = self._dice()
            theirs = self.luck.randint(0, 4)
            what = self.luck.choice(["challenge", "contest", "skills", "assessment"])
            result = one.skills["guns"] + total
            if what == "challenge":
                self.type(f"roll {one.name} guns = {dice}")
            elif what == "contest":
                self.type(f"roll {one.name} guns vs {theirs} = {dice}")
                result -= theirs
            elif what == "skills":
                self.type(f"roll {one.name} guns vs {other.name} calm = {dice}")
                result -= other.skills["calm"]
            else:
                self.type(f"assess {one.name} {other.name} as {other.loud} with guns vs {theirs} = {dice}")
                result -= theirs
                self._gives(self.aspects[other.loud], one, free(result))
            if what != "assessment":
                assert self.fact("shifts", one.name) == (str(result),)
            self._holds_invokes(one)

    def _gives(self, aspect: Aspect, one: Runner, free: int) -> None:
        if free:
            aspect.free[one.name] = aspect.free.get(one.name, 0) + free

    def _holds_invokes(self, one: Runner) -> None:
        said = self.fact("invokes", one.name)
        found = dict(zip(said[::2], map(int, said[1::2]), strict=True))
        assert found == {a.words: a.free[one.name] for a in self.aspects.values() if a.free.get(one.name)}

    # --- an exchange --------------------------------------------------------------------------------------

    def exchange(self) -> bool:
        """Plays one exchange; False once one side alone is left, or a concession was taken."""
        self.type("exchange a few moments")
        if self._may(0.1) and self.cast < len(NAMES):
            self._joins()
        for one in self.runners.values():
            one.acts = True
        for name in self.luck.sample(list(self.runners), len(self.runners)):
            if name in self.runners and not self.runners[name].out and self.runners[name].acts:
                self._has_a_turn(self.runners[name])
                if not self._goes_on():
                    return False
        return not (self._may(0.05) and self._concedes())

    def _able(self) -> list[Runner]:
        return [one for one in self.runners.values() if not one.out]

    def _goes_on(self) -> bool:
        self.over = len({one.side for one in self._able()}) == 1
        assert (not self.line.table.conflicts) == self.over
        if not self.over:
            self._stands()
        return not self.over

    def _has_a_turn(self, one: Runner) -> None:
        foes = [foe for foe in self._able() if foe.side != one.side and foe.kind != "faction"]
        if one.kind == "faction" or not foes:
            self._deploys(one)
        else:
            self._acts(one, foes)

    def _acts(self, one: Runner, foes: Sequence[Runner]) -> None:
        wounded = [track for track, marked in one.marked.items() if marked]
        near = [a for a in self.aspects.values() if a.boxes is not None and self._is_near(one, a)]
        act = self.luck.choice(
            ["attack"] * 5 + ["maneuver"] * 3 + ["defend", "recover", "move", "rid", "else"]
        )
        if one.did and self._may(0.3):
            act = one.did[0]
        if act == "attack":
            self._attacks(one, self.luck.choice(foes))
        elif act == "maneuver":
            self._maneuvers(one, self.luck.choice(foes))
        elif act == "defend":
            self._defends(one)
        elif act == "recover" and wounded:
            self._recovers(one, self.luck.choice(wounded))
        elif act == "move":
            self._moves(one)
        elif act == "rid" and near:
            self._is_rid(one, self.luck.choice(near))
        elif self._may(0.15):
            self._leaves(one)
        else:
            self._begins(one, None)
            if self._may(0.5):
                self._steps(one)
            self.type(f"simple {one.name}: I watch.")

    def _deploys(self, one: Runner) -> None:
        """§6: each exchange it is gone on with adds 1; whoever comes acts from the next exchange on."""
        asset = next((asset for asset in self.assets.values() if asset.deployed_by == one.name), None)
        if asset is None:
            self._begins(one, None)
            self.type(f"simple {one.name}: I watch.")
            return
        again = one.did is not None
        where = ZONES[asset.zone]
        if not self._rolls(one, ("deploy", "logistics", asset.name), f"{asset.name} to {where}", ""):
            return
        one.shifts += 1 if again else 0
        self._raises(one, None)
        assert self.fact("shifts", one.name) == (str(one.shifts),)
        self.type("apply: They are on their way.")
        if one.shifts >= asset.cost:
            self.runners[asset.name] = self.assets.pop(asset.name)
            asset.acts, one.did = False, None
            self.refused(f"simple {asset.name}: I am early.")

    def _steps(self, one: Runner) -> None:
        """§4: the free move, once a turn, over one border of pass value 1."""
        to = self.luck.choice([zone for zone in range(len(ZONES)) if abs(zone - one.zone) == 1])
        if self.passes[min(to, one.zone)] == 1:
            self.type(f"move {one.name} to {ZONES[to]} --free")
            one.zone = to
            self._is_no_longer_there(one)
            self.refused(f"move {one.name} to {ZONES[to]} --free")

    def _is_near(self, one: Runner, aspect: Aspect) -> bool:
        bearer = self.runners.get(aspect.bearer)
        return bearer is not None and bearer.zone == one.zone and not bearer.out

    def _begins(self, one: Runner, act: tuple[str, str, str] | None) -> bool:
        """§6: whether the act is that of the last exchange, and is gone on with; any other ends a defence."""
        again = act is not None and one.did == act
        if not again:
            one.guards = None
        one.did = act
        return again

    # --- a roll -------------------------------------------------------------------------------------------

    def _rolls(self, one: Runner, did: tuple[str, str, str], rest: str, again: str) -> bool:
        """The act is announced and thrown, or gone on with; False where a compel was taken instead."""
        act, skill, _ = did
        if self._begins(one, did):
            self.type(f"continue {one.name} {again}")
            return True
        dice, total = self._dice()
        if self._may(0.15):
            self.type(f"declare {one.name} {act} {rest} with {skill}")
            if self._is_compelled(one):
                one.did = None
                return False
            self.type(f"roll {one.name} = {dice}")
        else:
            self.type(f"{act} {one.name} {rest} with {skill} = {dice}")
        one.dice, one.shifts, one.used = total, one.skills[skill] + total, set()
        return True

    def _is_compelled(self, one: Runner) -> bool:
        """§3: who takes it has a fate point and does not act; who refuses pays one, and needs one to."""
        self.type(f"compel {one.name} {one.loud}: It would be a pity.")
        if one.player and not one.points:
            self.refused(f"refuse {one.name}: No.")
        elif self._may(0.5):
            self.type(f"refuse {one.name}: No.")
            one.points -= 1 if one.player else 0
            return False
        self.type(f"accept {one.name}: Oh.")
        one.points += 1 if one.player else 0
        return True

    def _raises(self, one: Runner, foe: Runner | None) -> None:
        """Step 4 of a turn: the acting side invokes, or takes stress for more shifts."""
        if self._may(0.4):
            one.shifts += self._invokes(one, one, foe)
        if self._may(0.1):
            track = self.luck.choice(list(one.own))
            if self._box(one.marked[track], 1) <= self._threshold(one, track):
                self.type(f"boost {one.name} {track} 1")
                self._marks(one.marked[track], 1)
                one.shifts += 1

    def _invokes(self, who: Runner, one: Runner, foe: Runner | None) -> int:
        """What an invoke adds to `one`'s roll, by 2 or by new dice; §11: the point goes across the table."""
        known = [aspect for aspect in self.aspects.values() if aspect.words not in one.used]
        costless = [aspect for aspect in known if aspect.free.get(who.name)]
        if costless and self._may(0.7):
            aspect, flag = self.luck.choice(costless), " --free"
            aspect.free[who.name] -= 1
        elif who.player and not who.points:
            self.refused(f"invoke {who.name} {who.loud}")
            return 0
        else:
            known = [aspect for aspect in known if aspect.words in (one.loud, foe.loud if foe else "")]
            if not known:
                return 0
            aspect, flag = self.luck.choice(known), ""
            across = foe if who is one else one
            who.points -= 1 if who.player else 0
            if across and across.player and across.side != who.side:
                across.points += 1
        one.used.add(aspect.words)
        if self._may(0.3):
            dice, total = self._dice()
            self.type(f"invoke {who.name} {aspect.words}{flag} --reroll = {dice}")
            more, one.dice = total - one.dice, total
            one.shifts += 0 if who is one else more  # §6: kept, should the act be gone on with
            return more
        self.type(f"invoke {who.name} {aspect.words}{flag}")
        self.refused(f"invoke {who.name} {aspect.words}{flag}")
        return 2 if who is one else -2

    def _resists(self, foe: Runner, one: Runner, shifts: int) -> int:
        """What is left once the target has invoked, and taken stress or consequences for so many shifts."""
        if self._may(0.25):
            shifts += self._invokes(foe, one, foe)
        if shifts > 0 and one.did and one.did[0] == "maneuver" and self._may(0.2):
            track = self.luck.choice(list(foe.own))
            if self._box(foe.marked[track], 1) <= self._threshold(foe, track):
                self.type(f"resist {foe.name} {track} 1")
                self._marks(foe.marked[track], 1)
                shifts -= 1
        if shifts > 0 and foe.slots and self._may(0.3):
            slot = self.luck.choice(list(foe.slots))
            words = self._new_words("Hurt")
            self.type(f"resist {foe.name} {slot} as {words}")
            self.aspects[words] = Aspect(words, foe.name, {one.name: 1})
            shifts -= foe.slots.pop(slot)
        assert self.fact("shifts", one.name) == (str(shifts),), shifts
        return shifts

    def _new_words(self, word: str) -> str:
        self.number += 1
        return f"{word}{self.number}"

    # --- the acts -----------------------------------------------------------------------------------------

    def _attacks(self, one: Runner, foe: Runner) -> None:
        track = self.luck.choice(list(foe.own))
        if not self._rolls(one, ("attack", "guns", foe.name), f"{foe.name} {track}", track):
            return
        self._raises(one, foe)
        shifts = one.shifts - abs(one.zone - foe.zone)
        assert self.fact("shifts", one.name) == (str(shifts),), shifts
        shifts = self._resists(foe, one, shifts)
        self.type("apply: So it goes.")
        if shifts > 0:
            self._suffers(foe, track, shifts)

    def _box(self, marked: set[int], stress: int) -> int:
        """§7: the highest box that so much stress marks."""
        if self.marking == "running_total":
            return next(box for box in range(1, 99) if box not in marked) - 1 + stress
        return next(box for box in range(stress, 99) if box not in marked)

    def _marks(self, marked: set[int], stress: int) -> None:
        box = self._box(marked, stress)
        marked |= {box} if self.marking == "single_box" else set(range(1, box + 1))

    def _threshold(self, one: Runner, track: str) -> int:
        by_guards = [
            other.guards[2]
            for other in self._able()
            if other.guards and other.guards[:2] == (one.name, track)
        ]
        return by_guards[0] if by_guards else one.own[track]

    def _suffers(self, foe: Runner, track: str, shifts: int) -> None:
        """§7: the boxes are marked, or it is more than the track holds."""
        if self._box(foe.marked[track], shifts) > self._threshold(foe, track):
            most = [n for n in range(1, 20) if self._box(foe.marked[track], n) <= self._threshold(foe, track)]
            foe.out, foe.guards = True, None
            self._is_no_longer_there(foe)
            behind = self.runners.get(foe.deployed_by or "")
            if behind is not None and not behind.out:
                self._suffers(behind, "prestige", shifts - max(most, default=0))
        else:
            self._marks(foe.marked[track], shifts)

    def _is_no_longer_there(self, one: Runner) -> None:
        """§6: a defence lasts as long as the defended stays."""
        for other in self.runners.values():
            if other.guards and other.guards[0] == one.name:
                other.guards = None

    def _maneuvers(self, one: Runner, foe: Runner) -> None:
        """§6: an aspect from 0 shifts on, with free invokes by the table of §3, and as many boxes."""
        words = self._new_words("Seen")
        rest = f"{foe.name} as {words}"
        if not self._rolls(one, ("maneuver", "calm", foe.name), rest, f"as {words}"):
            return
        self._raises(one, foe)
        shifts = self._resists(foe, one, one.shifts - abs(one.zone - foe.zone))
        self.type("apply: So it goes.")
        if shifts >= 0:
            self.aspects[words] = Aspect(words, foe.name, {one.name: free(shifts)}, free(shifts))

    def _is_rid(self, one: Runner, aspect: Aspect) -> None:
        """§6: to be rid of an aspect, attack it; without a box it takes one shift."""
        if not self._rolls(one, ("attack", "guns", aspect.words), aspect.words, ""):
            return
        self._raises(one, None)
        self.type("apply: So it goes.")
        if one.shifts > 0:
            if self._box(aspect.marked, one.shifts) > (aspect.boxes or 0):
                del self.aspects[aspect.words]
                if one.did and one.did[2] == aspect.words:
                    one.did = None
            else:
                self._marks(aspect.marked, one.shifts)

    def _defends(self, one: Runner) -> None:
        """§6: the shifts are the threshold of a track, one's own or that of somebody of the same side."""
        mates = {other.name: other for other in self._people() if other.side == one.side and not other.out}
        before = mates.get(one.did[2]) if one.did and one.did[0] == "defend" else None
        whom = before or self.luck.choice(list(mates.values()))
        track = self.luck.choice(list(whom.own))
        defended = [other.guards[:2] for other in self._able() if other.guards and other is not one]
        if (whom.name, track) in defended:
            self._begins(one, None)
            self.type(f"simple {one.name}: I watch.")
            return
        rest = track if whom is one else f"{whom.name} {track}"
        if not self._rolls(one, ("defend", "calm", whom.name), rest, track):
            return
        self._raises(one, None if whom is one else whom)
        self.type("apply")
        one.guards = (whom.name, track, max(0, one.shifts - abs(one.zone - whom.zone)))

    def _recovers(self, one: Runner, track: str) -> None:
        if not self._rolls(one, ("recover", "calm", one.name), track, track):
            return
        self._raises(one, None)
        left, boxes = one.shifts, []
        for box in self.luck.sample(sorted(one.marked[track]), len(one.marked[track])):
            if box <= left:
                left -= box
                boxes.append(box)
        self.type(" ".join(["apply", *map(str, boxes)]))
        one.marked[track] -= set(boxes)

    def _moves(self, one: Runner) -> None:
        """§6: border after border, as far as the shifts carry."""
        to = self.luck.choice([zone for zone in range(len(ZONES)) if zone != one.zone])
        step = 1 if to > one.zone else -1
        path = list(range(one.zone + step, to + step, step))
        way = "to " + " ".join(ZONES[zone] for zone in path)
        if not self._rolls(one, ("move", "calm", one.name), way, way):
            return
        self._raises(one, None)
        self.type("apply")
        left = one.shifts
        for zone in path:
            left -= self.passes[min(zone, zone - step)]
            if left >= 0:
                one.zone = zone
                self._is_no_longer_there(one)
        if one.shifts <= -3:
            self._spins(one)

    def _spins(self, one: Runner) -> None:
        """§6: one for each full 3 below, held by whom the referee names, or by the only one there is."""
        foes = [foe.name for foe in self._able() if foe.side != one.side]
        if len(foes) > 1:
            self.type(f"ruling spin={self.luck.choice(foes)}: You.")
        assert sum(int(count) for foe in foes for count in self.fact("spin", foe)) >= -one.shifts // 3

    # --- who comes and goes -------------------------------------------------------------------------------

    def _joins(self) -> None:
        """§5: to a side or as one more; they act in this exchange."""
        one = self._enters(self.luck.choice([*(one.side for one in self._able()), 99 + self.cast]))
        beside = [other.name for other in self._able() if other.side == one.side and other is not one]
        self.type(f"join {one.name}" + (f" {self.luck.choice(beside)}" if beside else ""))
        self.type(f"place {one.name} {ZONES[one.zone]}")

    def _leaves(self, one: Runner) -> None:
        """§5: it takes the turn, and what they defend, and what is defended of them, is over."""
        self.type(f"leave {one.name}: Not for me.")
        del self.runners[one.name]
        self._is_no_longer_there(one)
        if len({other.side for other in self._able()}) > 1:
            self.refused(f"simple {one.name}: I watch.")

    def _concedes(self) -> bool:
        """§8: over once all other sides take it; as it was where one does not."""
        one = self.luck.choice(self._able())
        for gone in self.runners.values():
            if gone.out:
                self.refused(f"concede {gone.name}: They are let go.")
        self.type(f"concede {one.name}: They are let go.")
        sides = {other.side: other for other in self._able() if other.side != one.side}
        for other in self.luck.sample(list(sides.values()), len(sides)):
            assert self.line.table.conflicts
            if self._may(0.2):
                self.type(f"refuse {other.name}: No.")
                return False
            self.type(f"accept {other.name}: Very well.")
        assert not self.line.table.conflicts
        self.over = True
        return True

    # --- what stands --------------------------------------------------------------------------------------

    def _stands(self) -> None:
        """What the real game says of everybody is what is reckoned here."""
        assert set(self.fact("out")) == {one.name for one in self.runners.values() if one.out}
        assert set(self.fact("aspects")) == {words for words in self.aspects if not words.startswith("Loud")}
        for one in self.runners.values():
            assert self.fact("stress", one.name) == self._stress(one)
            self._holds_invokes(one)
            if not one.out and one.kind != "faction":
                assert self.fact("zone", one.name) == (ZONES[one.zone],)
                said = self.fact("threshold", one.name)
                found = dict(zip(said[::2], map(int, said[1::2]), strict=True))
                assert [found[t] for t in one.own] == [self._threshold(one, t) for t in one.own], (found, one)
            if one.player:
                assert self.fact("points", one.player) == (str(one.points),), one

    def _stress(self, one: Runner) -> Sequence[str]:
        boxes = [(track, sorted(marked)) for track, marked in one.marked.items() if marked]
        return tuple(word for track, some in boxes for word in (track, *map(str, some)))
