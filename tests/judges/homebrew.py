"""Any game of a table's own as a plain reader of docs/rules/homebrew.md would judge it, die by die.

Nothing of journal/systems/homebrew but its commands and events is known here, and nothing of journal/decks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from journal.line import Live, evolve
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands import verbs as v
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event

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
    judged: Counter[str] = field(default_factory=Counter)
    """How many of each kind it had something to say of."""

    def hears(self, command: Command | None, events: Sequence[Event]) -> None:
        """One act: every event of it is held to the rules, and then has happened."""
        lying: e.DiceRolled | None = None
        reached: e.TotalReached | None = None
        marks: list[tuple[str, int]] = []
        for event in events:
            match event:
                case e.DiceRolled():
                    lying = event
                case e.TotalReached():
                    reached, lying = event, lying if event.saw else None
                    self._throw(command, event, lying)
                case h.MoveMade():
                    assert reached is not None
                    assert isinstance(command, v.Roll)
                    marks = self._move(command, event, reached, lying)
                case h.TrackChanged():
                    self._track(command, event, marks)
                case h.ClockStarted() | h.ClockTicked() | h.ClockStopped():
                    self._clock(command, event)
                case h.InitiativeRolled():
                    self._initiative(command, event, reached)
                case h.TurnBegan():
                    self._turn(command, event)
                case _:
                    self._else(event)
            self.judged[event.kind] += 1
            self.position += 1
            evolve(self.table, Live(self.position, event))
        assert not marks, f"{marks} was to be marked"

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
    ) -> list[tuple[str, int]]:
        """§3: the dice, what the stat does to them, and the first band that holds; gives what it marks."""
        move = self.part("moves", event.move)
        assert move is not None
        assert event.number == (None if event.stat is None else self.stat(event.who, event.stat))
        use, number = move.get("use", "add"), (event.number or 0) + (command.bonus or 0)
        thrown = self._in_numbers(read(move["dice"], command.twice), event.who)
        if use == "dice":
            thrown.dice[0].count = number
        elif use == "add":
            thrown = thrown._replace(added=thrown.added + number)
        else:
            assert (reached.goal, reached.under) == (number, True)
        faces = [] if lying is None else self._comes_to(thrown, reached, lying).asked
        band = self._band(move, reached, faces)
        assert event.result == (None if band is None else band["name"]), (event, reached, faces)
        return list(self._marked(event.who, {} if band is None else band.get("marks", {})))

    def _marked(self, who: int, marks: dict[str, int]) -> Iterator[tuple[str, int]]:
        """§3: where tracks come to; those that stand at that end already are left out."""
        for name, by in marks.items():
            now, most = self.stands(who, name) or (0, None)
            then = max(0, min(now + by, LARGEST if most is None else most))
            if then != now or self.stands(who, name) is None:
                yield name, then

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
        if "natural" in band and band["natural"] not in faces:
            return False
        if band.get("doubles"):
            digits = f"{faces[0] % 100:02}" if len(faces) == 1 else ""
            if not (digits and digits[0] == digits[1]) and max(Counter(faces).values(), default=0) < 2:
                return False
        if "share" in band:
            return reached.goal is not None and total <= reached.goal // int(band["share"].partition("/")[2])
        return True

    # --- tracks and clocks --------------------------------------------------------------------------------

    def _track(self, command: Command | None, event: h.TrackChanged, marks: list[tuple[str, int]]) -> None:
        """§4: from where it stood, to where it was said or marked, and no further than its ends."""
        stood = self.stands(event.who, event.track)
        assert event.was == (None if stood is None else stood[0])
        if event.move is not None:
            assert marks.pop(0) == (event.track, event.now)
        elif isinstance(command, v.Keep):
            assert (event.now, event.most) == self._said(command, event, stood), (command, event)
        of_game = self.part("tracks", event.track) is not None
        own = None if of_game and event.most == self.most(event.who, event.track) else event.most
        self.tracks[event.who, event.track] = event.now, own

    def _said(
        self, command: v.Keep, event: h.TrackChanged, stood: tuple[int, int | None] | None
    ) -> tuple[int, int | None]:
        value, most = command.value.casefold(), None if stood is None else stood[1]
        if value in ("on", "yes", "off", "no"):
            return int(value in ("on", "yes")), 1 if most is None else most
        if value[0] in "+-":
            assert stood is not None
            return max(0, min(stood[0] + int(value), LARGEST if most is None else most)), most
        now, _, of = value.partition("/")
        known = self.part("tracks", event.track)
        first = stood is None and known is not None and ("most" in known or known.get("kind") == "condition")
        return int(now), int(of) if of else int(now) if first else most

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
        """§5: what the dice came to, or what somebody says they rolled."""
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
