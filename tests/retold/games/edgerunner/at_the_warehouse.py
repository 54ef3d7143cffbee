"""The people, lines and events that the tests of Edgerunner speak of: a fight in a warehouse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import Act
from retold.games.edgerunner.state import EdgerunnerConflict, EdgerunnerState, conflict_state, game_state
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Value, Words
from tests.scenario import Story, cast, given

GM, GATTO, JADE, HARGAN, JON, SANDRA, WILLIAM, REX, CORP, DRONES, LOCK = range(11)
"""Jon plays Gatto, Sandra Jade, William Hargan. Nobody plays Rex, a solo, Corp, a faction, and the rest."""

PEOPLE: tuple[Event, ...] = (
    *cast("Gatto", "Jade", "Hargan", "Jon", "Sandra", "William", "Rex", "Corp", "Drones", "Lock"),
    e.PlayerSeated(person=GATTO, player=JON),
    e.PlayerSeated(person=JADE, player=SANDRA),
    e.PlayerSeated(person=HARGAN, player=WILLIAM),
)
TEXT = Words("So it goes.")
SIDES = ((GATTO, JADE), (HARGAN,))
ZONES = ("Dock", "Aisle", "Office")
GUN, FEET, GRUDGE = 1, 2, 3
"""The aspects of Gatto, Jade and Hargan, by number; whatever else comes into play begins with 4."""
GUN_WORDS = "Only if this @#! gun fired once in a while"
FEET_WORDS = "Light on her feet"
GRUDGE_WORDS = "Never lets go"

ActName = Literal["move", "attack", "defend", "maneuver", "recover", "deploy", "continue", "simple"]


def sheet(who: int, **values: Value | None) -> e.SheetChanged:
    """Somebody's sheet; in a key `skill__cool` stands for `skill.cool`."""
    keys = {key.replace("__", "."): value for key, value in values.items()}
    return e.SheetChanged(person=who, system="edgerunner", values=keys)


SHEETS: tuple[Event, ...] = (
    sheet(GATTO, athletics=3, firearms=2, resolve=1, cool=3, aspect__gun=GUN_WORDS),
    sheet(JADE, deception=4, athletics=2, medicine=2, cool=2, aspect__feet=FEET_WORDS),
    sheet(HARGAN, firearms=3, athletics=1, stealth=2, cool=4, aspect__grudge=GRUDGE_WORDS),
    sheet(REX, role="solo", athletics=4, firearms=4),
    sheet(CORP, kind="faction", logistics=3, disposition=-1, focus=2, influence=-1),
    sheet(DRONES, kind="mook", tl=3, security=2),
    sheet(LOCK, kind="problem", threshold=4),
)
"""Tracks of which nothing is said here go to 2."""


def option(key: str, value: str) -> e.OptionSet:
    return e.OptionSet(system="edgerunner", key=key, value=value)


def mapped(*passes: int, zones: tuple[str, ...] = ZONES, threshold: int | None = None) -> g.ZonesMapped:
    """Zones in a row, with borders of these pass values between them."""
    borders = tuple(
        g.BorderDrawn(one=one, other=other, passes={"": value})
        for one, other, value in zip(zones, zones[1:], passes, strict=False)
    )
    return g.ZonesMapped(conflict=1, zones=zones, borders=borders, threshold=threshold)


def placed(zone: str, *who: int) -> g.Placed:
    return g.Placed(conflict=1, who=who, zone=zone)


def opened(*sides: tuple[int, ...]) -> e.ConflictOpened:
    return e.ConflictOpened(conflict=1, system="edgerunner", sides=sides or SIDES)


def begun(
    *sides: tuple[int, ...],
    options: Mapping[str, str] | None = None,
    sheets: tuple[Event, ...] = (),
    passes: tuple[int, ...] = (1, 1),
    zones: tuple[str, ...] = ZONES,
    at: Mapping[int, str] | None = None,
    exchange: bool = True,
) -> Story:
    """A conflict is open and its first exchange has begun; the two against Hargan, if nobody else is named.

    Everybody on a side stands at the dock (the first zone) unless `at` says otherwise.
    """
    chosen = [option(key, value) for key, value in (options or {}).items()]
    people = [who for side in sides or SIDES for who in side]
    places = {**dict.fromkeys(people, zones[0]), **(at or {})}
    story = given(*PEOPLE, *SHEETS, *sheets, *chosen, opened(*sides), mapped(*passes, zones=zones))
    story = story.given(*(placed(zone, who) for who, zone in places.items()))
    return story.given(exchange_began(1)) if exchange else story


# --- commands ---------------------------------------------------------------------------------------------


def results(faces: str | None) -> tuple[str, ...] | None:
    """What the table called out, such as `+0--`."""
    return None if faces is None else tuple(faces)


def exchange(length: str | None = None) -> v.BeginExchange:
    return v.BeginExchange(length=length)


def next_(who: int, bid: int | None = None, **rivals: int) -> v.ClaimTurn:
    """Who is next, with bids: `next_(GATTO, 2, hargan=1)`."""
    ids = tuple(globals()[name.upper()] for name in rivals)
    return v.ClaimTurn(who=who, bid=bid, rivals=ids, bids=tuple(rivals.values()))


def declare(who: int, act: ActName | None = None, **fields: object) -> v.Declare:
    """An act announced: `declare(HARGAN, "attack", thing=GATTO, track="cool", skill="firearms")`."""
    return v.Declare.of({"who": who, "act": act, **fields})


def roll(who: int | None = None, faces: str | None = None) -> v.Roll:
    return v.Roll(who=who, results=results(faces))


def move(
    who: int, *zones: str, faces: str | None = None, skill: str | None = None, **fields: object
) -> v.Move:
    meant = {"who": who, "zones": zones, "skill": skill, "results": results(faces)}
    return v.Move.of({**meant, **fields})


def free_move(who: int, zone: str) -> v.Move:
    return v.Move(who=who, zones=(zone,), free=True)


def attack(
    who: int,
    thing: int | str,
    track: str | None = None,
    skill: str | None = None,
    faces: str | None = None,
    **fields: object,
) -> v.Attack:
    meant = {"who": who, "thing": thing, "track": track, "skill": skill, "results": results(faces)}
    return v.Attack.of({**meant, **fields})


def defend(
    who: int,
    track: str,
    skill: str | None = None,
    faces: str | None = None,
    thing: int | str | None = None,
    **fields: object,
) -> v.Defend:
    meant = {"who": who, "thing": thing, "track": track, "skill": skill, "results": results(faces)}
    return v.Defend.of({**meant, **fields})


def maneuver(
    who: int,
    thing: int | str,
    aspect: str,
    skill: str | None = None,
    faces: str | None = None,
    **fields: object,
) -> v.Maneuver:
    meant = {"who": who, "thing": thing, "aspect": aspect, "skill": skill, "results": results(faces)}
    return v.Maneuver.of({**meant, **fields})


def recover(
    who: int,
    track: str,
    skill: str | None = None,
    faces: str | None = None,
    thing: int | str | None = None,
    **fields: object,
) -> v.Recover:
    meant = {"who": who, "thing": thing, "track": track, "skill": skill, "results": results(faces)}
    return v.Recover.of({**meant, **fields})


def deploy(
    who: int, asset: int, zone: str, skill: str | None = None, faces: str | None = None, **fields: object
) -> v.Deploy:
    meant = {"who": who, "asset": asset, "zones": (zone,), "skill": skill, "results": results(faces)}
    return v.Deploy.of({**meant, **fields})


def simple(who: int, text: Words | None = None) -> v.Simple:
    return v.Simple(who=who, text=text)


def go_on(who: int, *zones: str, track: str | None = None, aspect: str | None = None) -> v.Continue:
    """`continue WHO`."""
    return v.Continue(who=who, zones=zones, track=track, aspect=aspect)


def forfeit(who: int | None = None) -> v.Forfeit:
    return v.Forfeit(who=who)


def apply_(*boxes: int, text: Words | None = None) -> v.Apply:
    return v.Apply(boxes=boxes, text=text)


def waits(*people: int) -> tuple[Command, ...]:
    """These people do something simple with their turn, one after the other."""
    return tuple(simple(who) for who in people)


# --- events -----------------------------------------------------------------------------------------------


def exchange_began(number: int, step: int | None = None) -> g.ExchangeBegan:
    return g.ExchangeBegan(conflict=1, exchange=number, step=step)


def claimed(who: int, *bids: tuple[int, int]) -> g.TurnClaimed:
    return g.TurnClaimed(conflict=1, who=who, bids=tuple(g.Bid(who=who, shifts=bid) for who, bid in bids))


def declared(
    who: int, act: ActName, skill: str | None = None, level: int = 0, **fields: object
) -> g.ActionDeclared:
    announced = {"conflict": 1, "who": who, "act": act, "skill": skill, "level": level}
    return g.ActionDeclared.of({**announced, **fields})


def path(*zones: str) -> tuple[g.Step, ...]:
    """A path over zones; `Aisle:door` names the way."""
    steps = [zone.partition(":") for zone in zones]
    return tuple(g.Step(zone=zone, way=way) for zone, _, way in steps)


def rolled(who: int, faces: str, conflict: int | None = 1) -> e.DiceRolled:
    values = {"+": 1, "0": 0, "-": -1}
    return e.DiceRolled(conflict=conflict, who=who, dice="4dF", faces=tuple(values[face] for face in faces))


def shifts(who: int, total: int, conflict: int | None = 1, **parts: int) -> g.ShiftsSet:
    """Where a roll stands; its parts must come to the total."""
    assert sum(parts.values()) == total
    return g.ShiftsSet(conflict=conflict, who=who, shifts=total, **parts)


def applied(who: int, act: ActName, total: int) -> g.ActionApplied:
    return g.ActionApplied(conflict=1, who=who, act=Act(act), shifts=total)


def reverted(who: int, on: int, track: str, threshold: int) -> g.ThresholdReverted:
    return g.ThresholdReverted(conflict=1, who=who, on=on, track=track, threshold=threshold)


def marked(
    on: int, track: str, amount: int, *boxes: int, threshold: int, why: str = "attack"
) -> g.StressMarked:
    fields = {"conflict": 1, "on": on, "track": track, "amount": amount, "boxes": boxes}
    return g.StressMarked.of({**fields, "threshold": threshold, "why": why})


def out(on: int, track: str, over: int, by: int | None = HARGAN, beyond: int | None = None) -> g.TakenOut:
    return g.TakenOut(conflict=1, on=on, by=by, track=track, over=over, beyond=beyond)


def told(on: int, by: int) -> tuple[Event, ...]:
    """What becomes of somebody has been told."""
    return (e.Narrated(conflict=1, who=by, text=TEXT), g.TaleTold(conflict=1, on=on, by=by))


def ended(winner: int | None) -> e.ConflictEnded:
    return e.ConflictEnded(conflict=1, how="taken-out", winner=winner)


# --- what it has come to ----------------------------------------------------------------------------------


def state(story: Story) -> EdgerunnerConflict:
    return conflict_state(story.table.conflicts[1])


def kept(story: Story) -> EdgerunnerState:
    return game_state(story.table)


def place(story: Story, who: int) -> str:
    return state(story).places[who]


def marks(story: Story, who: int, track: str) -> set[int]:
    return kept(story).marked(who, track)
