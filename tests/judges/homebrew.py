"""Any game of a table's own as a plain reader of docs/rules/homebrew.md would judge it, die by die.

Nothing of retold/games/homebrew but its commands and events is known here, and nothing of journal/decks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from retold.games.homebrew import events as h
from retold.games.homebrew.commands import verbs as v
from retold.journal.line import LiveEvent, evolve
from retold.journal.system import SKILLS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event

MOST_DICE = 100
LARGEST = 1_000_000
TERM = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<count>\d*)d(?P<sides>\d+|%|f)(?P<after>[^+\-\[]*)|(?P<number>\d+)|(?P<name>[^\W\d_]\w*))"
    r"(?:\[[^\]]*\])?"
)
AFTER = re.compile(r"(kh|kl|dh|dl|k)(\d*)|([!x])|r(o?)(>=|<=)?(\d+)|(>=|<=|t)(\d+)")


@dataclass
class Like:
    """Like dice of a throw, and all that is done with them."""

    sign: int
    count: int
    sides: int
    again: range = range(0)
    once: bool = False
    explodes: bool = False
    keep: int | None = None
    highest: bool = True
    hits: range | None = None


class Read(NamedTuple):
    """A throw as it was typed: its dice, and what is added in numbers and by name."""

    dice: list[Like]
    added: int
    names: list[tuple[int, str]]


class Came(NamedTuple):
    """What the dice on the table come to: which faces count, of which a band may ask, and the total."""

    kept: list[int]
    asked: list[int]
    total: int


def read(expression: str, twice: str | None = None) -> Read:
    """§2: a throw, whatever the order in which its words are written."""
    text = "".join(expression.casefold().split())
    for word, which in (("adv", "kh1"), ("dis", "kl1")):
        if twice == word or text.endswith(word):
            text = re.sub(r"^1?d20", f"2d20{which}", text.removesuffix(word))
    found = Read([], 0, [])
    for term in TERM.finditer(text):
        sign = -1 if term["sign"] == "-" else 1
        if term["sides"] is not None:
            found.dice.append(_like(sign, term))
        elif term["name"] is not None:
            found.names.append((sign, term["name"]))
        else:
            found = found._replace(added=found.added + sign * int(term["number"]))
    return found


def _like(sign: int, term: re.Match[str]) -> Like:
    sides = {"%": 100, "f": 0}.get(term["sides"]) if term["sides"] in "%f" else int(term["sides"])
    assert sides is not None
    one = Like(sign, int(term["count"] or 1), sides)
    for keep, many, explodes, once, compared, face, counted, least in AFTER.findall(term["after"]):
        if keep:
            drops, number = keep.startswith("d"), int(many or 1)
            one.keep = one.count - number if drops else number
            one.highest = keep in ("k", "kh", "dl")
        elif explodes:
            one.explodes = True
        elif face:
            one.again, one.once = _faces(compared or "=", int(face)), bool(once)
        elif counted:
            one.hits = _faces(">=" if counted == "t" else counted, int(least))
    return one


def _faces(compared: str, number: int) -> range:
    return {"=": range(number, number + 1), ">=": range(number, 1001), "<=": range(-1, number + 1)}[compared]


def came(thrown: Read, faces: Sequence[int]) -> Came:
    """§2, The order of things: thrown again, exploding, kept, counted; all faces there are used up."""
    lying = sum(one.count for one in thrown.dice)
    first, more = list(faces[:lying]), list(faces[lying:])
    used = lying

    def another() -> int:
        nonlocal used
        used += 1
        return more.pop(0)

    def settled(one: Like, face: int) -> int:
        while face in one.again and used < MOST_DICE:
            face = another()
            if one.once:
                break
        return face

    kept: list[int] = []
    total = thrown.added
    for one in thrown.dice:
        there: list[int] = []
        for _ in range(one.count):
            there.append(settled(one, first.pop(0)))
            while one.explodes and there[-1] == one.sides and used < MOST_DICE:
                there.append(settled(one, another()))
        if one.keep is not None:
            there = sorted(there, reverse=one.highest)[: one.keep]
        counts = there if one.hits is None else [face for face in there if face in one.hits]
        kept += counts
        total += one.sign * (sum(counts) if one.hits is None else len(counts))
    assert not more, "a face that nothing asked for"
    counted = any(one.hits is not None for one in thrown.dice)
    return Came(kept, list(faces) if counted else kept, total)


class Blow(NamedTuple):
    """Damage about to be thrown: its dice, by whom, for whom, on which track, and how much of it counts."""

    dice: Read
    target: int
    track: str
    does: str


def _ends(thrown: Read) -> tuple[int, int]:
    """The least and the most that plain dice come to."""
    signs = [one.sign for one in thrown.dice for _ in range(one.count)]
    sides = [one.sides for one in thrown.dice for _ in range(one.count)]
    both = [sorted((sign, sign * side)) for sign, side in zip(signs, sides, strict=True)]
    return thrown.added + sum(low for low, _ in both), thrown.added + sum(high for _, high in both)


@dataclass
class Fight:
    """§5: who rolled what for it, who had a turn in this round, and which round it is."""

    numbers: dict[int, int] = field(default_factory=dict)
    acted: set[int] = field(default_factory=set)
    round: int = 0


@dataclass
class Judge:
    """Hears what was said and what came of it, act by act, and holds that to the rules."""

    table: Table = field(default_factory=Table)
    position: int = 0
    game: dict[str, Any] = field(default_factory=dict)
    sheets: dict[int, dict[str, Any]] = field(default_factory=dict)
    tracks: dict[tuple[int, str], tuple[int, int | None]] = field(default_factory=dict)
    """Where each stands that was ever said or marked, and its most where it has one of its own."""
    clocks: dict[int, tuple[int, int]] = field(default_factory=dict)
    fights: dict[int, Fight] = field(default_factory=dict)
    waiting: dict[tuple[int, int], int] = field(default_factory=dict)
    """By who has yet to answer and whom, the total to answer."""
    conditions: dict[int, list[str]] = field(default_factory=dict)
    awaited: list[tuple[str, int, str, int]] = field(default_factory=list)
    """What has to follow in this act: a track or a condition, whose, which, and where it comes to."""
    blow: Blow | None = None
    """The damage whose dice have to follow in this act."""
    lying: e.DiceRolled | None = None
    reached: e.TotalReached | None = None
    moved: bool = False
    """The last dice of this act, the last total of it, and whether its move has been made."""
    pairs: list[int] = field(default_factory=list)
    """The faces that two dice or more of the last move show."""
    judged: Counter[str] = field(default_factory=Counter)
    """How many of each kind it had something to say of."""

    def hears(self, command: Command | None, events: Sequence[Event]) -> None:
        """One act: every event of it is held to the rules, and then has happened."""
        self.lying, self.reached, self.moved = None, None, False
        if isinstance(command, v.TakeRest):
            self._rests(events)
        for event in events:
            if isinstance(event, e.DiceRolled | e.TotalReached | h.MoveMade):
                self._dice(command, event)
            else:
                self._no_dice(command, event)
            self.judged[event.kind] += 1
            self.position += 1
            evolve(self.table, LiveEvent(self.position, event))
        assert not self.awaited, f"{self.awaited} was to follow"
        assert self.blow is None, "damage was to be thrown"

    def _dice(self, command: Command | None, event: e.DiceRolled | e.TotalReached | h.MoveMade) -> None:
        match event:
            case e.DiceRolled():
                self.lying = event
            case e.TotalReached() if self.moved:
                self._blow(event, self.lying)
            case e.TotalReached():
                self.reached, self.lying = event, self.lying if event.saw else None
                self._throw(command, event, self.lying)
            case _:
                assert self.reached is not None
                assert isinstance(command, v.Roll)
                self._move(command, event, self.reached, self.lying)
                self.moved = True

    def _no_dice(self, command: Command | None, event: Event) -> None:
        match event:
            case h.TrackChanged():
                self._track(command, event)
            case h.ConditionChanged():
                self._condition(command, event)
            case h.ClockStarted() | h.ClockTicked() | h.ClockStopped():
                self._clock(command, event)
            case h.InitiativeRolled():
                self._initiative(command, event, self.reached)
            case h.TurnBegan():
                self._turn(command, event)
            case _:
                self._else(event)

    def _else(self, event: Event) -> None:
        match event:
            case h.GameChosen():
                self.game = json.loads(event.definition)
            case e.SheetChanged() if event.system == "homebrew":
                sheet = self.sheets.setdefault(event.person, {})
                sheet.update(event.values)
            case e.ConflictOpened() if event.system == "homebrew":
                self.fights[event.conflict] = Fight()
            case e.Left() if event.conflict in self.fights:
                for one in event.people:
                    self.fights[event.conflict].numbers.pop(one, None)
                    self.fights[event.conflict].acted.discard(one)
            case e.SessionClosed():
                self.waiting.clear()
            case _:
                pass

    # --- what is known ------------------------------------------------------------------------------------

    def part(self, sort: str, name: str) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.game.get(sort, {}).get(name)
        return found

    def stat(self, who: int, name: str) -> int | None:
        said = self.sheets.get(who, {}).get(name)
        if isinstance(said, int):
            return said
        if name in SKILLS:
            return self.stat(who, SKILLS[name])
        known = self.part("stats", name)
        return None if known is None else known.get("start", 0)

    def most(self, who: int, name: str) -> int | None:
        """§4: the most that the game gives a track of somebody's."""
        track = self.part("tracks", name) or {}
        if track.get("kind") == "condition":
            return 1
        most = track.get("most")
        return self.stat(who, most) if isinstance(most, str) else most

    def stands(self, who: int, name: str) -> tuple[int, int | None] | None:
        """§4: where a track stands, and its most; None where its most is a stat that nobody has said."""
        track, own, most = self.part("tracks", name), self.tracks.get((who, name)), self.most(who, name)
        if track is None:
            return own
        if own is not None:
            return own[0], most if own[1] is None else own[1]
        if most == 0:
            return None
        full = track.get("kind", "number") == "number"
        return track.get("start", (most or 0) if full else 0), most

    def is_out(self, who: int) -> bool:
        """§4: by a track at the end its game names, of whoever has a sheet or a track here at all."""
        if who not in self.sheets and who not in {one for one, _ in self.tracks}:
            return False
        for name, track in self.game.get("tracks", {}).items():
            stands = self.stands(who, name)
            if stands is None or "out" not in track:
                continue
            now, most = stands
            if now <= 0 if track["out"] == "empty" else most is not None and now >= most:
                return True
        return False

    # --- throws and moves ---------------------------------------------------------------------------------

    def _throw(self, command: Command | None, event: e.TotalReached, lying: e.DiceRolled | None) -> None:
        """§2: the total, what is kept, and the margin; a move says itself what it throws."""
        wanted = self._wanted(command)
        if lying is not None and wanted is not None:
            self._comes_to(self._in_numbers(wanted, event.who), event, lying)
        self._margin(event)
        if isinstance(command, c.Roll) and command.target is not None:
            assert (event.goal, event.under) == (command.target, command.against == "under")

    def _wanted(self, command: Command | None) -> Read | None:
        if isinstance(command, v.Initiative):
            return read(self.game["initiative"])
        if isinstance(command, c.Roll) and command.dice is not None:
            return read(command.dice, command.twice)
        if isinstance(command, v.Keep) and "d" in command.value[1:]:
            return read(command.value[1:])
        return None

    def _comes_to(self, thrown: Read, event: e.TotalReached, lying: e.DiceRolled) -> Came:
        """§2: what lay on the table, held against what was kept of it and the total."""
        shown = lying.faces
        found = came(thrown, shown)
        places = range(1, len(shown) + 1) if event.kept is None else event.kept
        assert event.total == found.total, (event, shown, found)
        assert Counter(shown[place - 1] for place in places) == Counter(found.kept), (event, shown, found)
        return found

    def _in_numbers(self, thrown: Read, who: int | None) -> Read:
        added = sum(sign * (self.stat(who or 0, name) or 0) for sign, name in thrown.names)
        return thrown._replace(added=thrown.added + added, names=[])

    def _margin(self, event: e.TotalReached) -> None:
        """§2: over what it has to reach, or left under it; against somebody by their throw, if they threw."""
        who, foe = event.who, event.opponent
        if event.goal is not None:
            assert event.margin == (event.goal - event.total if event.under else event.total - event.goal)
        if who is None or foe is None:
            return
        answered = self.waiting.pop((who, foe), None)
        assert event.goal == answered
        if answered is None:
            assert event.margin is None
            assert event.instead == self.waiting.get((foe, who))
            self.waiting[foe, who] = event.total

    def _move(
        self, command: v.Roll, event: h.MoveMade, reached: e.TotalReached, lying: e.DiceRolled | None
    ) -> None:
        """§3: the dice, what the stat does to them, the first band that holds, and what it does."""
        move = self.part("moves", event.move)
        assert move is not None
        assert event.number == (None if event.stat is None else self.stat(event.who, event.stat))
        ways, more, counted = self._swayed(command, event.who, event.move)
        assert event.conditions == (tuple(counted) or None)
        use, number = move.get("use", "add"), (event.number or 0) + (command.bonus or 0) + more
        thrown = self._in_numbers(read(move["dice"], ways), event.who)
        if use == "dice" and number < 1 and "zero" in move:
            thrown = self._in_numbers(read(move["zero"]), event.who)
        elif use == "dice":
            thrown.dice[0].count = number
        elif use == "add":
            thrown = thrown._replace(added=thrown.added + number)
        else:
            assert (reached.goal, reached.under) == (number, True)
        self._aimed(command, event, move, reached)
        shown = None if lying is None else lying.faces
        faces = [] if lying is None else self._comes_to(thrown, reached, lying).asked
        highest = all(one.highest and not one.again for one in thrown.dice)
        pairs = Counter((shown or ()) if highest else faces)
        self.pairs = [face for face, many in pairs.items() if many > 1]
        band = self._band(move, reached, faces)
        assert event.result == (None if band is None else band["name"]), (event, reached, faces)
        self.awaited += self._marked(event.who, {} if band is None else band.get("marks", {}))
        spent = [one for one in counted if self.game["conditions"][one].get("once")]
        self.awaited += [("condition", event.who, one, 0) for one in spent if self.has(event.who, one)]
        if band is not None and event.target is not None and "damage" in band:
            self._hit(command, event, move, band["damage"])

    def _swayed(self, command: v.Roll, who: int, move: str) -> tuple[str | None, int, list[str]]:
        """§6: how many d20 there are, what is added, and by which conditions."""
        one_d20 = re.fullmatch(r"1?d20(?!\d).*", self.game["moves"][move]["dice"]) is not None
        found: list[tuple[str, Any]] = []
        for name, condition in self.game.get("conditions", {}).items():
            for key, person in (("rolls", who), ("against", command.opponent)):
                does = condition.get(key)
                counts = move in condition.get("moves", [move]) and (one_d20 or not isinstance(does, str))
                if does is not None and person is not None and counts and self.has(person, name):
                    found.append((name, does))
        ways = {does for _, does in found if isinstance(does, str)} | ({command.twice} - {None})
        added = sum(does for _, does in found if isinstance(does, int))
        return ways.pop() if len(ways) == 1 else None, added, list(dict(found))

    def _aimed(
        self, command: v.Roll, event: h.MoveMade, move: dict[str, Any], reached: e.TotalReached
    ) -> None:
        """§3: against a number of the target's sheet, against nothing, or against what they throw."""
        foe = command.opponent
        margins = any("margin" in band for band in move.get("bands", ()))
        if (
            foe is None
            or move.get("use") == "under"
            or not ("against" in move or ("hurts" in move and not margins))
        ):
            assert (event.target, event.against) == (None, None)
            return
        assert (event.target, event.against, reached.opponent) == (foe, move.get("against"), None)
        assert reached.goal == (self.sheets[foe][move["against"]] if "against" in move else None)

    def _hit(self, command: v.Roll, event: h.MoveMade, move: dict[str, Any], does: str | int) -> None:
        """§3: damage that is a number is done at once; dice have to follow."""
        assert event.target is not None
        said = command.damage or self.sheets.get(event.who, {}).get("damage") or move.get("damage")
        if isinstance(does, int):
            self._takes(event.target, move["hurts"], does)
        elif said is not None and str(said).isdecimal():
            self._takes(event.target, move["hurts"], int(said) // (2 if does == "half" else 1))
        elif said is not None:
            dice = self._in_numbers(read(str(said)), event.who)
            for one in dice.dice if does == "double" else ():
                one.count *= 2
            self.blow = Blow(dice, event.target, move["hurts"], does)

    def _blow(self, event: e.TotalReached, lying: e.DiceRolled | None) -> None:
        assert lying is not None
        assert self.blow is not None, "no damage was to be thrown"
        amount = max(0, self._comes_to(self.blow.dice, event, lying).total)
        self._takes(self.blow.target, self.blow.track, amount // (2 if self.blow.does == "half" else 1))
        self.blow = None

    def _takes(self, target: int, name: str, amount: int) -> None:
        """§3: a number goes down, anything else fills, no further than its ends."""
        stands = self.stands(target, name)
        assert stands is not None
        down = self.game["tracks"][name].get("kind", "number") == "number"
        then = max(
            0, min(stands[0] + (-amount if down else amount), LARGEST if stands[1] is None else stands[1])
        )
        self.awaited += [("track", target, name, then)] if then != stands[0] else []

    def has(self, who: int, name: str) -> bool:
        return name in self.conditions.get(who, [])

    def _marked(self, who: int, marks: dict[str, int]) -> Iterator[tuple[str, int, str, int]]:
        """§3: where tracks come to, but for those at that end already, and conditions that are turned."""
        for name, by in marks.items():
            if name in self.game.get("conditions", {}):
                if self.has(who, name) != bool(by):
                    yield "condition", who, name, by
                continue
            now, most = self.stands(who, name) or (0, None)
            then = max(0, min(now + by, LARGEST if most is None else most))
            if then != now or self.stands(who, name) is None:
                yield "track", who, name, then

    # --- conditions and rests -----------------------------------------------------------------------------

    def _condition(self, command: Command | None, event: h.ConditionChanged) -> None:
        """§6: on where it was not, and off where it was."""
        assert self.has(event.who, event.condition) != event.on
        if event.move is not None or event.rest is not None:
            assert self.awaited.pop(0) == ("condition", event.who, event.condition, int(event.on))
        elif isinstance(command, v.SetCondition):
            assert event.on == (command.to != "off")
            assert event.who in command.who
        theirs = self.conditions.setdefault(event.who, [])
        theirs.append(event.condition) if event.on else theirs.remove(event.condition)

    def _rests(self, events: Sequence[Event]) -> None:
        """§7: what has to come of a rest for each who rests, by the dice that were thrown for them."""
        rested = events[0]
        assert isinstance(rested, h.Rested)
        rest = self.game["rests"][rested.rest]
        totals = [one for one in events if isinstance(one, e.TotalReached)]
        shown = [one for one in events if isinstance(one, e.DiceRolled)]
        for who in rested.people:
            for name, to in rest.get("tracks", {}).items():
                self._set_back(who, name, to, shown, totals)
            ends, theirs = rest.get("ends", []), list(self.conditions.get(who, []))
            ended = theirs if ends == "all" else [one for one in ends if one in theirs]
            self.awaited += [("condition", who, one, 0) for one in ended]
        assert not totals, "dice that no track asked for"

    def _set_back(
        self, who: int, name: str, to: str | int, shown: list[e.DiceRolled], totals: list[e.TotalReached]
    ) -> None:
        stands = self.stands(who, name)
        if stands is None:
            return
        now, most = stands
        track = self.game["tracks"][name]
        begins = track.get("start", (most or 0) if track.get("kind", "number") == "number" else 0)
        ends = {"full": now if most is None else most, "empty": 0, "start": begins}
        if isinstance(to, int):
            then = now + to
        elif to in ends:
            then = ends[to]
        else:
            thrown = self._in_numbers(read(to), who)
            if (now == most and _ends(thrown)[0] >= 0) or (now == 0 and _ends(thrown)[1] <= 0):
                return  # §7: nobody throws for what goes no further
            then = now + self._comes_to(thrown, totals.pop(0), shown.pop(0)).total
        then = max(0, min(then, LARGEST if most is None else most))
        self.awaited += [("track", who, name, then)] if then != now else []

    def _band(self, move: dict[str, Any], reached: e.TotalReached, faces: list[int]) -> dict[str, Any] | None:
        for band in move.get("bands", ()):
            if "margin" in band and reached.margin is None:
                return None
            if self._holds(band, reached, faces):
                found: dict[str, Any] = band
                return found
        return None

    def _holds(self, band: dict[str, Any], reached: e.TotalReached, faces: list[int]) -> bool:
        total = reached.total
        if total < band.get("least", total) or total > band.get("most", total):
            return False
        if "margin" in band and (reached.margin is None or reached.margin < band["margin"]):
            return False
        for key, shown in (("natural", faces), ("pair", self.pairs)):
            if key in band and band[key] not in shown:
                return False
        if band.get("doubles"):
            digits = f"{faces[0] % 100:02}" if len(faces) == 1 else ""
            if not (digits and digits[0] == digits[1]) and max(Counter(faces).values(), default=0) < 2:
                return False
        if "share" in band:
            return reached.goal is not None and total <= reached.goal // int(band["share"].partition("/")[2])
        return True

    # --- tracks and clocks --------------------------------------------------------------------------------

    def _track(self, command: Command | None, event: h.TrackChanged) -> None:
        """§4: from where it stood, to where it was said or marked, and no further than its ends."""
        stood = self.stands(event.who, event.track)
        assert event.was == (None if stood is None else stood[0])
        if event.move is not None or event.rest is not None:
            assert self.awaited.pop(0) == ("track", event.who, event.track, event.now)
        elif isinstance(command, v.Pay):
            self._handed(command, event)
        elif isinstance(command, v.Keep | v.FillPurse):
            assert (event.now, event.most) == self._said(command, event, stood), (command, event)
        of_game = self.part("tracks", event.track) is not None
        own = None if of_game and event.most == self.most(event.who, event.track) else event.most
        self.tracks[event.who, event.track] = event.now, own

    def _handed(self, command: v.Pay, event: h.TrackChanged) -> None:
        """§4: what one loses the other gets, and nobody gives what they lack."""
        gives = event.who == command.giver
        assert event.by in ((command.taker, *command.also) if gives else (command.giver,))
        assert event.now - (event.was or 0) == (-command.amount if gives else command.amount)
        assert 0 <= event.now <= (LARGEST if event.most is None else event.most)

    def _said(
        self, command: v.Keep | v.FillPurse, event: h.TrackChanged, stood: tuple[int, int | None] | None
    ) -> tuple[int, int | None]:
        value, most = command.value.casefold(), None if stood is None else stood[1]
        if value in ("on", "yes", "off", "no"):
            return int(value in ("on", "yes")), 1 if most is None else most
        if value[0] in "+-":
            if stood is None:
                return int(value), None
            by = int(value) if "d" not in value else int(f"{value[0]}{max(0, self.came_to())}")
            return max(0, min(stood[0] + by, LARGEST if most is None else most)), most
        now, _, of = value.partition("/")
        known = self.part("tracks", event.track)
        first = stood is None and known is not None and ("most" in known or known.get("kind") == "condition")
        return int(now), int(of) if of else int(now) if first else most

    def came_to(self) -> int:
        assert self.reached is not None, "dice were to be thrown"
        return self.reached.total

    def _clock(self, command: Command | None, event: h.ClockStarted | h.ClockTicked | h.ClockStopped) -> None:
        """§4: so many segments, set or filled, from none to all of them; one that is done is gone."""
        assert isinstance(command, v.Clock)
        value = command.value.casefold()
        if isinstance(event, h.ClockStarted):
            full, _, of = value.rpartition("/")
            assert event.clock not in self.clocks
            assert (event.now, event.segments) == (int(full or 0), int(of))
            self.clocks[event.clock] = event.now, event.segments
            return
        now, segments = self.clocks.pop(event.clock)
        if isinstance(event, h.ClockStopped):
            assert event.now == now
            return
        wanted = now + int(value) if value[0] in "+-" else int(value)
        assert (event.was, event.now) == (now, max(0, min(wanted, segments)))
        self.clocks[event.clock] = event.now, segments

    # --- who goes when ------------------------------------------------------------------------------------

    def _initiative(
        self, command: Command | None, event: h.InitiativeRolled, reached: e.TotalReached | None
    ) -> None:
        """§5: what the dice came to, or what a person says they rolled."""
        assert isinstance(command, v.Initiative)
        if command.number is not None:
            assert (event.who, event.number) == (command.who, command.number)
        else:
            assert reached is not None
            assert (event.who, event.number) == (reached.who, reached.total)
            assert command.who in (None, event.who)
            assert command.who is not None or event.who not in self.fights[event.conflict].numbers
        self.fights[event.conflict].numbers[event.who] = event.number

    def _turn(self, command: Command | None, event: h.TurnBegan) -> None:
        """§5: whoever is named, or the highest that is in and has yet to go; a second turn ends a round."""
        assert isinstance(command, v.Turn)
        fight, people = self.fights[event.conflict], self.table.conflicts[event.conflict].people
        order = sorted(people, key=lambda one: fight.numbers.get(one, 0), reverse=True)
        able = [one for one in order if not self.is_out(one)]
        wait = [one for one in able if one not in fight.acted]
        assert event.who == ((wait or able)[0] if command.who is None else command.who)
        begins = fight.round == 0 or event.who in fight.acted
        fight.round += begins
        assert event.round == fight.round
        fight.acted = {event.who} if begins else fight.acted | {event.who}
