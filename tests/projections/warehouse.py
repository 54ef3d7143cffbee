"""A fight in a warehouse, put together from events by hand: who is there, what they do, and one evening."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from retold.games.edgerunner import events as g
from retold.games.edgerunner.rules import Act, Severity
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from tests.projections.evening import Table, w
from tests.scenario import cast

GATTO, JADE, HARGAN, JON, SANDRA, WILLIAM, DRONES, CORP = range(1, 9)
NAMES = ("Gatto", "Jade", "Hargan", "Jon", "Sandra", "William", "Drones", "Corp")
JAMS = "This gun jams"
STEAM = "Blind with steam"

PEOPLE: tuple[Event, ...] = (
    *cast(*NAMES),
    e.PlayerSeated(person=GATTO, player=JON),
    e.PlayerSeated(person=JADE, player=SANDRA),
    e.PlayerSeated(person=HARGAN, player=WILLIAM),
    e.SheetChanged(person=GATTO, system="edgerunner", values={"cool": 4, "aspect.gun": JAMS}),
    e.SheetChanged(person=JADE, system="edgerunner", values={"deception": 4}),
    e.SheetChanged(person=HARGAN, system="edgerunner", values={"firearms": 3, "cool": 3}),
    e.SheetChanged(person=CORP, system="edgerunner", values={"kind": "faction"}),
)
"""Jon plays Gatto, Sandra Jade, William Hargan; nobody plays the drones and the corporation."""
OPENED = e.ConflictOpened(conflict=1, system="edgerunner", sides=((GATTO, JADE), (HARGAN, CORP)))


def border(one: str, other: str, **ways: int) -> g.BorderDrawn:
    """A border with these ways over it; `way` stands for one that needs no name."""
    return g.BorderDrawn(
        one=one, other=other, passes={name.replace("way", ""): n for name, n in ways.items()}
    )


MAP = g.ZonesMapped(
    conflict=1,
    zones=("Dock", "Aisle", "Office"),
    borders=(border("Dock", "Aisle", way=3), border("Aisle", "Office", open=1, smash=4)),
)
BEGUN = (
    *PEOPLE,
    OPENED,
    MAP,
    g.Placed(conflict=1, who=(GATTO, JADE), zone="Dock"),
    g.Placed(conflict=1, who=(HARGAN,), zone="Office"),
    g.ExchangeBegan(conflict=1, exchange=1, step=1),
)


def to(*steps: str) -> tuple[g.Step, ...]:
    """A path, from words such as `Aisle` and `Office:smash`."""
    words = [step.partition(":") for step in steps]
    return tuple(g.Step(zone=zone, way=way) for zone, _, way in words)


def declared(who: int, act: Act, **fields: object) -> g.ActionDeclared:
    return g.ActionDeclared.of({"conflict": 1, "who": who, "act": act, **fields})


def applied(who: int, act: Act, shifts: int) -> g.ActionApplied:
    return g.ActionApplied(conflict=1, who=who, act=act, shifts=shifts)


def struck(on: int | str, amount: int, *boxes: int, about: int | None = None) -> g.StressMarked:
    return g.StressMarked(
        conflict=1, on=on, about=about, amount=amount, boxes=boxes, threshold=4, why="attack", track="cool"
    )


ATTACK = declared(HARGAN, Act.ATTACK, target=GATTO, track="cool", skill="firearms", level=3)
MANEUVER = declared(JADE, Act.MANEUVER, target=HARGAN, aspect=STEAM, skill="deception", level=4)
PLACED = g.AspectPlaced(
    conflict=1, aspect=2, on=HARGAN, wording=STEAM, how="maneuver", by=JADE, free=1, shifts=2
)
DEFENCE = declared(JADE, Act.DEFEND, target=GATTO, track="cool")
WALK = declared(GATTO, Act.MOVE, path=to("Aisle", "Office:open"))
PUSH = declared(JADE, Act.MOVE, target=GATTO, path=to("Aisle"))
REST = declared(JADE, Act.RECOVER, target=GATTO, track="cool")


# --- an evening -------------------------------------------------------------------------------------------


def dice(who: int, faces: str) -> e.DiceRolled:
    signs = {"+": 1, "0": 0, "-": -1}
    return e.DiceRolled(conflict=1, who=who, dice="4dF", faces=tuple(signs[face] for face in faces))


def shifts(who: int, total: int, **parts: int) -> g.ShiftsSet:
    return g.ShiftsSet(conflict=1, who=who, shifts=total, **parts)


def next_(who: int, **bids: int) -> g.TurnClaimed:
    people = {"gatto": GATTO, "hargan": HARGAN}
    return g.TurnClaimed(
        conflict=1, who=who, bids=tuple(g.Bid(who=people[name], shifts=n) for name, n in bids.items())
    )


def narrated(who: int, text: str) -> e.Narrated:
    return e.Narrated(conflict=1, who=who, text=w(text))


def paid(payer: int, payee: int, why: str) -> g.FatePointPaid:
    return g.FatePointPaid.of({"conflict": 1, "payer": payer, "payee": payee, "points": 1, "why": why})


RUN: list[tuple[Event, ...]] = [
    (
        next_(GATTO, gatto=2, hargan=1),
        declared(
            GATTO,
            Act.MOVE,
            path=to("Aisle", "Office:open"),
            skill="athletics",
            level=3,
            text=w("The far end, before he has his gun out."),
        ),
        dice(GATTO, "+0--"),
        shifts(GATTO, 0, dice=-1, level=3, bid=-2),
    ),
    (applied(GATTO, Act.MOVE, 0),),
]
"""Gatto bids too much, gets nowhere, and nobody says more of it."""

STEAMED: list[tuple[Event, ...]] = [
    (next_(JADE), MANEUVER, dice(JADE, "+0--"), shifts(JADE, 2, dice=-1, level=4, range=-1)),
    (applied(JADE, Act.MANEUVER, 2), PLACED),
]
"""Jade's maneuver, and not a word with it."""

SHOT: list[tuple[Event, ...]] = [
    (next_(HARGAN), ATTACK),
    (
        e.CompelOffered(
            conflict=1, who=HARGAN, aspect=STEAM, by=JADE, text=w("He cannot see the rail he leans on.")
        ),
    ),
    (e.CompelRefused(conflict=1, who=HARGAN), paid(WILLIAM, SANDRA, "refused")),
    (dice(HARGAN, "++0-"), shifts(HARGAN, 2, dice=1, level=3, range=-2)),
    (
        applied(HARGAN, Act.ATTACK, 2),
        struck(GATTO, 2, 1, 2),
        narrated(HARGAN, "Two in the crate beside his ear."),
    ),
]
"""Jade compels Hargan by the steam, who pays and shoots."""

COMPELLED: list[tuple[Event, ...]] = [
    (g.ExchangeBegan(conflict=1, exchange=2, step=1),),
    (next_(GATTO), declared(GATTO, Act.ATTACK, target=HARGAN, track="cool", skill="firearms", level=3)),
    (e.CompelOffered(conflict=1, who=GATTO, aspect=JAMS, by=0, text=w("Click, it says, and nothing else.")),),
    (
        e.CompelAccepted(conflict=1, who=GATTO),
        paid(0, JON, "accepted"),
        g.ActionForfeited(conflict=1, who=GATTO, why="compel"),
    ),
]
"""Gatto's gun jams, for a fate point."""

FELLED: list[tuple[Event, ...]] = [
    (
        next_(HARGAN),
        g.ActionContinued(conflict=1, who=HARGAN, act=Act.ATTACK, skill="firearms", target=GATTO, times=1),
        shifts(HARGAN, 2, dice=1, level=3, range=-2),
    ),
    (
        g.AspectInvoked(
            conflict=1,
            who=HARGAN,
            aspect=1,
            on=GATTO,
            wording=JAMS,
            mode="+2",
            text=w("He looks at his gun, and not at me."),
        ),
        paid(WILLIAM, JON, "invoke"),
        shifts(HARGAN, 4, dice=1, level=3, invoked=2, range=-2),
    ),
    (
        g.Resisted(conflict=1, who=GATTO, shifts=1),
        g.ConsequenceTaken(
            conflict=1,
            who=GATTO,
            severity=Severity.MILD,
            worth=1,
            aspect=3,
            wording="Torn sleeve",
            holder=HARGAN,
            why="resist",
        ),
        shifts(HARGAN, 3, dice=1, level=3, invoked=2, range=-2, resisted=-1),
    ),
    (
        applied(HARGAN, Act.ATTACK, 3),
        g.TakenOut(conflict=1, on=GATTO, by=HARGAN, track="cool", over=3),
    ),
]
"""Hargan goes on shooting; what becomes of Gatto is still to be told."""

TALE: list[tuple[Event, ...]] = [
    (
        narrated(HARGAN, "One in the arm. He sits down where he is and stays there."),
        g.TaleTold(conflict=1, on=GATTO, by=HARGAN),
    ),
]
CONCEDED: list[tuple[Event, ...]] = [
    (
        next_(JADE),
        declared(JADE, Act.SIMPLE),
        applied(JADE, Act.SIMPLE, 0),
        narrated(JADE, "She drops the uplink and takes him under the arms."),
    ),
    (e.ConcessionOffered(conflict=1, who=JADE, text=w("They get out, and without what they came for.")),),
    (
        e.ConcessionAccepted(conflict=1, who=HARGAN, whose=JADE),
        e.ConflictEnded(conflict=1, how="conceded", winner=HARGAN),
    ),
]
SESSION: tuple[Event, ...] = (
    e.SessionOpened(session=1, title=w("Steam"), date="2026-03-14", text=w("Nine docks, all shut.")),
    g.Refreshed(points=5, stress=True),
)
EVENING = [*RUN, *STEAMED, *SHOT, *COMPELLED, *FELLED, *TALE, *CONCEDED]


def recorded(path: Path, acts: Iterable[tuple[Event, ...]], begun: tuple[Event, ...] = BEGUN) -> Table:
    """A session with these acts after all that has begun, as a table would have recorded them."""
    table = Table(path, "Nine Docks")
    people, (opened, *mapped) = begun[: len(PEOPLE)], begun[len(PEOPLE) :]
    titled = opened.but({"title": w("The warehouse"), "text": w("what Jade came for")})
    for act in (people, SESSION, (titled,), *((event,) for event in mapped), *acts):
        table.writer.manage_all(act, c.Note(text=w("-")))
    return table
