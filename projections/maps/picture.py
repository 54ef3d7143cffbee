"""A picture of a map: where its zones lie, who stands there, what lies between them, and who moved."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct

from journal.capabilities import Border, Passing, Plan
from projections import safe
from projections.maps.layout import Point, positions
from projections.maps.ways import easiest_first
from projections.prose.phrases import ENGLISH, Phrases

WIDEST_VOID: Final = 3.0
"""Where a hand has left more room than so many borders are long, the picture leaves no more than this."""


ALIGNED: Final = 0.15


class Figure(NamedTuple):
    """Somebody in a zone; `fresh` if they were not in it at the earlier moment."""

    name: str
    fresh: bool = False


class Spot(NamedTuple):
    """A zone: a border is about 1 long, x goes right and y down from 0."""

    name: str
    x: float
    y: float
    people: tuple[Figure, ...] = ()
    pinned: bool = False


class Line(NamedTuple):
    """A border between two spots, by their numbers: the ways there and back (`open 1`), and what marks it."""

    one: int
    other: int
    there: tuple[str, ...]
    back: tuple[str, ...]
    harm: str = ""

    def signed(self, there: str, back: str, phrases: Phrases = ENGLISH) -> tuple[str, ...]:
        """What stands on it, line by line; a sign before each way where the two directions differ."""
        if self.there == self.back:
            ways = self.there
        else:
            ways = (*(f"{there}{way}" for way in self.there), *(f"{back}{way}" for way in self.back))
        return (*(ways or (safe.line(phrases.say("map.closed")),)), *((self.harm,) if self.harm else ()))


class Move(NamedTuple):
    """Who went from one spot to another; `start` None for who came, `end` None for who left the map."""

    people: tuple[str, ...]
    start: int | None
    end: int | None


class Picture(Struct, frozen=True):
    """All that any drawing of a map needs. Its texts are safe to show, and each is on one line."""

    title: str
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    moves: tuple[Move, ...] = ()
    phrases: Phrases = ENGLISH
    """What it says of its own accord; not in its JSON."""

    beside: ClassVar = frozenset({"phrases"})
    """The fields that its JSON leaves out."""

    def spelled(self, spell: Callable[[str], str]) -> Picture:
        """The same with every text in it written as `spell` has it."""

        def each(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(map(spell, texts))

        spots = (
            spot._replace(
                name=spell(spot.name),
                people=tuple(one._replace(name=spell(one.name)) for one in spot.people),
            )
            for spot in self.spots
        )
        lines = (
            one._replace(there=each(one.there), back=each(one.back), harm=spell(one.harm))
            for one in self.lines
        )
        moves = (one._replace(people=each(one.people)) for one in self.moves)
        return Picture(spell(self.title), tuple(spots), tuple(lines), tuple(moves), self.phrases)

    def who_is_where(self) -> Iterator[str]:
        """Each zone and who stands in it."""
        for spot in self.spots:
            people = ", ".join(one.name for one in spot.people)
            yield f"{spot.name}: {people or safe.line(self.phrases.say('map.nobody'))}"

    def between(self, line: Line) -> str:
        """The two zones of a border."""
        return f"{self.spots[line.one].name} - {self.spots[line.other].name}"

    def passing(self, line: Line) -> str:
        """What it takes to cross a border, in words."""
        there, back = ", ".join(line.there), ", ".join(line.back)
        if line.there == line.back:
            said = there or self.phrases.say("map.no-way-through")
        else:
            one, other = self.spots[line.one].name, self.spots[line.other].name
            there, back = (way or self.phrases.say("map.no-way") for way in (there, back))
            said = self.phrases.say("map.ways", there=there, other=other, back=back, one=one)
        return f"{safe.line(said)}; {line.harm}" if line.harm else safe.line(said)

    def moved(self) -> Iterator[str]:
        """Each movement as a sentence."""
        for people, start, end in self.moves:
            came, left = (None if one is None else self.spots[one].name for one in (end, start))
            if came is None:
                said = self.phrases.say("map.left", who=people, zone=left)
            elif left is None:
                said = self.phrases.say("map.came", who=people, zone=came)
            else:
                said = self.phrases.say("map.went", who=people, start=left, end=came)
            yield safe.line(said)

    def told(self) -> Iterator[str]:
        """All of it in sentences: who is where, what it takes to go on, and who moved."""
        yield from (f"{one}." for one in self.who_is_where())
        yield from (f"{self.between(line)}: {self.passing(line)}." for line in self.lines)
        yield from self.moved()

    def beyond(self) -> Iterator[str]:
        """The movements no arrow can show, because they begin or end off the map."""
        for move, sentence in zip(self.moves, self.moved(), strict=True):
            if move.start is None or move.end is None:
                yield sentence


def picture(
    title: str,
    plan: Plan,
    name: Callable[[int], str],
    before: Plan | None = None,
    phrases: Phrases = ENGLISH,
) -> Picture:
    """The picture of a plan, and with an earlier one of who moved since; `name` says who somebody is."""
    number = {zone.name: place for place, zone in enumerate(plan.zones)}
    lines = tuple(dict.fromkeys(_line(border, number, phrases) for border in plan.borders))
    by_hand = any(zone.pin is not None for zone in plan.zones)
    points = _in_borders(list(positions(plan).values()), lines, 0.0 if by_hand else ALIGNED)
    was = None if before is None else dict(before.places)
    spots = []
    for zone, (x, y) in zip(plan.zones, points, strict=True):
        people = tuple(
            Figure(
                safe.line(_called(person, plan, name, phrases)),
                was is not None and was.get(person) != zone.name,
            )
            for person, place in plan.places
            if place == zone.name
        )
        people += tuple(
            Figure(safe.line(f"[{thing}]"), False) for thing, place in plan.things if place == zone.name
        )
        spots.append(Spot(safe.line(zone.name), x, y, people, zone.pin is not None))
    moves = () if was is None else tuple(_moves(was, dict(plan.places), number, name))
    return Picture(safe.line(title), tuple(spots), lines, moves, phrases)


def _called(person: int, plan: Plan, name: Callable[[int], str], phrases: Phrases) -> str:
    """Somebody by name; who is out lies where they fell."""
    return phrases.say("map.out", who=name(person)) if person in plan.out else name(person)


def _line(border: Border, number: Mapping[str, int], phrases: Phrases) -> Line:
    harm = ""
    if border.threshold is not None and border.marked:
        boxes = list(map(str, border.marked))
        harm = safe.line(phrases.say("map.marked", boxes=boxes, threshold=border.threshold))
    elif border.threshold is not None:
        harm = safe.line(phrases.say("map.takes", threshold=border.threshold))
    there, back = (tuple(map(_way, easiest_first(ways))) for ways in (border.there, border.back))
    return Line(number[border.one], number[border.other], there, back, harm)


def _way(passing: Passing) -> str:
    return safe.line(f"{passing.way} {passing.value}" if passing.way else str(passing.value))


def _moves(
    was: Mapping[int, str], now: Mapping[int, str], number: Mapping[str, int], name: Callable[[int], str]
) -> Iterator[Move]:
    """Who is elsewhere, those together who went the same way; in the order in which they stand now."""
    went: dict[tuple[str | None, str | None], list[str]] = {}
    for person in dict.fromkeys((*now, *was)):
        way = was.get(person), now.get(person)
        if way[0] != way[1]:
            went.setdefault(way, []).append(safe.line(name(person)))
    for (start, end), people in went.items():
        yield Move(tuple(people), *(None if zone is None else number.get(zone) for zone in (start, end)))


def _in_borders(points: Sequence[Point], lines: Sequence[Line], aligned: float) -> list[Point]:
    """The points measured in borders, from 0, with no void wider than needed between them.

    What lies in one row or column but for less than `aligned` lies in it exactly.
    """
    lengths = [math.dist(points[line.one], points[line.other]) for line in lines if line.one != line.other]
    unit = (sorted(lengths)[len(lengths) // 2] if lengths else 0.0) or 1.0
    xs, ys = ([axis / unit for axis in one] for one in (zip(*points, strict=True) if points else ((), ())))
    return list(zip(_closed_up(xs, aligned), _closed_up(ys, aligned), strict=True))


def _closed_up(values: Sequence[float], aligned: float) -> list[float]:
    kept: dict[float, float] = {}
    at, first = 0.0, min(values, default=0.0)
    for value in sorted(set(values)):
        if value - first > aligned:
            at += min(value - first, WIDEST_VOID)
            first = value
        kept[value] = round(at, 3)
    return [kept[value] for value in values]
