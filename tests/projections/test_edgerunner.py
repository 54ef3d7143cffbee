"""How Edgerunner is noted and told: in lines that say everything, and in what people said themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.rules import Act, Severity
from retold.journal.store.events.codec import Envelope, Recorded
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Frozen, values_of
from retold.projections import plain
from retold.projections.exports import export
from retold.projections.prose import report
from retold.projections.prose.telling import Called, Tag, Telling, body
from retold.projections.reading import LineView, Moment
from retold.projections.story import transcript
from retold.projections.views import ask
from tests.projections.evening import Table, w
from tests.projections.test_prose import IDS
from tests.projections.warehouse import (
    ATTACK,
    BEGUN,
    COMPELLED,
    CONCEDED,
    CORP,
    DEFENCE,
    DRONES,
    EVENING,
    FELLED,
    GATTO,
    HARGAN,
    JADE,
    JAMS,
    JON,
    MANEUVER,
    MAP,
    NAMES,
    PLACED,
    PUSH,
    REST,
    RUN,
    SANDRA,
    SHOT,
    STEAM,
    STEAMED,
    WALK,
    WILLIAM,
    applied,
    border,
    declared,
    narrated,
    next_,
    recorded,
    struck,
    to,
)
from tests.scenario import given

# --- the notation -----------------------------------------------------------------------------------------


def noted(event: Event) -> str:
    payload, texts = body(event)
    names = {0: "gm", **dict(enumerate(NAMES, 1))}
    return plain.line(event.kind, payload, texts.__getitem__, names, conflict=1)


NOTED: list[tuple[Event, str]] = [
    (MAP, "map Dock, Aisle, Office; Dock-Aisle 3, Aisle-Office open 1/smash 4"),
    (
        g.ZonesMapped(
            conflict=1, zones=(), borders=(border("A", "B", way=1),), threshold=4, pins={"A": (0, 2)}
        ),
        "map; A-B 1; threshold 4; A at 0,2",
    ),
    (g.Placed(conflict=1, who=(GATTO, JADE), zone="Dock"), "placed in Dock, without a move: Gatto, Jade"),
    (
        g.Moved(conflict=1, who=GATTO, start="Dock", path=("Aisle", "Office"), spent=4),
        "Gatto moves Dock → Aisle → Office (4 shifts)",
    ),
    (
        g.Moved(conflict=1, who=GATTO, start="Dock", path=("Aisle",), spent=0, free=True),
        "Gatto moves Dock → Aisle (free, 0 shifts)",
    ),
    (
        g.BorderEroded(conflict=1, who=GATTO, one="Aisle", other="Office", way="smash", left=3),
        "Gatto works at Aisle-Office (smash): 3 left of it",
    ),
    (g.ExchangeBegan(conflict=1, exchange=2, step=1), "exchange 2, a few moments long"),
    (g.ExchangeBegan(conflict=1, exchange=2, length=w("one song")), "exchange 2, “one song”"),
    (
        g.TurnClaimed(conflict=1, who=GATTO, bids=(g.Bid(who=GATTO, shifts=2), g.Bid(who=HARGAN, shifts=1))),
        "next is Gatto, bids: Gatto 2, Hargan 1",
    ),
    (ATTACK, "Hargan attacks Gatto's cool with firearms 3"),
    (MANEUVER, f"Jade maneuvers on Hargan as “{STEAM}” with deception 4"),
    (declared(GATTO, Act.MOVE, path=to("Aisle", "Office:smash")), "Gatto moves to Aisle → Office:smash (0)"),
    (
        declared(JADE, Act.MOVE, target=HARGAN, also=(DRONES,), path=to("Aisle"), skill="deception", level=4),
        "Jade moves Hargan + Drones to Aisle with deception 4",
    ),
    (
        declared(GATTO, Act.DEFEND, track="cool", skill="firearms", level=5, upgrade="smartlink"),
        "Gatto defends cool with firearms 5, smartlink",
    ),
    (
        declared(JADE, Act.ATTACK, target=STEAM, about=2, against="wits", opposed=2, interrupt=True),
        f"Jade attacks “{STEAM}” (aspect no. 2) (0) against wits 2, interrupting",
    ),
    (
        declared(CORP, Act.DEPLOY, asset=DRONES, path=to("Dock"), skill="logistics", level=3),
        "Corp deploys Drones to Dock with logistics 3",
    ),
    (declared(JADE, Act.SIMPLE), "Jade does something simple"),
    (
        g.ActionContinued(conflict=1, who=HARGAN, act=Act.ATTACK, skill="firearms", target=GATTO, times=2),
        "Hargan attacks Gatto with firearms, continued (2)",
    ),
    (g.ActionForfeited(conflict=1, who=GATTO, why="compel"), "Gatto does not act (compel)"),
    (applied(HARGAN, Act.ATTACK, 1), "Hargan's attack is applied, with 1 shift"),
    (
        g.ShiftsSet(conflict=1, who=HARGAN, shifts=5, dice=2, level=3, invoked=2, range=-1, bid=-1),
        "Hargan: 5 shifts (dice +2, level +3, invoked +2, bid -1, range -1)",
    ),
    (g.ShiftsSet(who=GATTO, shifts=3, dice=1, level=2), "Gatto: 3 shifts, Good (dice +1, level +2)"),
    (g.ShiftsSet(who=GATTO, shifts=11, level=11), "Gatto: 11 shifts, Legendary (level +11)"),
    (g.ShiftsSet(who=GATTO, shifts=-6, dice=-6), "Gatto: -6 shifts, Catastrophic (dice -6)"),
    (
        g.ShiftsSet(who=GATTO, shifts=-1, level=2, opposed=-3),
        "Gatto: -1 shift (level +2, opposed -3)",
    ),
    (
        g.SkillRolled(who=GATTO, skill="research", level=2, takes=13, upgrade="index"),
        "Gatto tries research 2, index, a task of a few weeks",
    ),
    (
        g.SkillRolled(who=GATTO, skill="talk", level=2, against=3, opponent=HARGAN, opposing="wits"),
        "Gatto tries talk 2 against Hargan's wits 3",
    ),
    (
        g.ShiftsSpent(
            who=GATTO, spent=(g.Spent(on="time", shifts=2), g.Spent(on="style", shifts=1)), left=0, takes=11
        ),
        "Gatto spends 2 on time and 1 on style, 0 left; it takes a few days",
    ),
    (PLACED, f"Hargan has “{STEAM}” (aspect no. 2, maneuver by Jade, 2 shifts, 1 free invoke)"),
    (
        g.AspectInvoked(
            conflict=1, who=GATTO, aspect=2, on=HARGAN, wording=STEAM, mode="+2", free=True, by=JADE
        ),
        f"Gatto invokes “{STEAM}” on Hargan (aspect no. 2), +2, free, lent by Jade",
    ),
    (
        g.FatePointPaid(conflict=1, payer=WILLIAM, payee=JON, points=1, why="invoke"),
        "William gives Jon 1 fate point for an invoke",
    ),
    (
        g.FatePointPaid(conflict=1, payer=0, payee=JON, points=1, why="accepted"),
        "gm gives Jon 1 fate point for a compel accepted",
    ),
    (g.Refreshed(points=5, stress=True), "refresh: 5 fate points each, all stress is gone"),
    (struck(GATTO, 3, 1, 2, 3), "Gatto: 3 stress on cool (attack), boxes 1 2 3, threshold 4"),
    (
        g.StressMarked(conflict=1, on=STEAM, about=2, amount=1, boxes=(1,), threshold=1, why="attack"),
        f"“{STEAM}” (aspect no. 2): 1 stress (attack), boxes 1, threshold 1",
    ),
    (
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
        "Gatto takes “Torn sleeve” (aspect no. 3, mild, worth 1) to resist, 1 free invoke for Hargan",
    ),
    (
        g.ThresholdReplaced(conflict=1, who=JADE, on=GATTO, track="cool", threshold=5, own=4),
        "Gatto's cool: threshold 5 instead of 4 while Jade defends it",
    ),
    (
        g.ThresholdReverted(conflict=1, who=JADE, on=GATTO, track="cool", threshold=4),
        "Gatto's cool: threshold 4 again, Jade defends it no longer",
    ),
    (
        g.TakenOut(conflict=1, on=GATTO, by=HARGAN, track="cool", over=8),
        "Gatto is taken out on cool by Hargan, 8 shifts",
    ),
    (
        g.TakenOut(conflict=1, on="Dock-Aisle", by=HARGAN, over=2),
        "Dock-Aisle is taken out by Hargan, 2 shifts",
    ),
    (
        e.DiceRolled(conflict=1, who=HARGAN, dice="4dF", faces=(1, 1, 0, -1)),
        "Hargan rolls 4dF: + + 0 -",
    ),
    (e.DiceRolled(dice="1dF+1d6", faces=(1, 1)), "the table rolls 1dF+1d6: + 1"),
    (
        e.CompelOffered(conflict=1, who=GATTO, aspect=JAMS, by=0, text=w("It jams.")),
        f"gm compels Gatto by “{JAMS}”: “It jams.”",
    ),
]


@pytest.mark.parametrize(("event", "line"), NOTED, ids=[line for _, line in NOTED])
def test_a_line_says_it_all_and_no_more(event: Event, line: str) -> None:
    assert noted(event) == line


# --- sentences --------------------------------------------------------------------------------------------


def telling(*events: Event, begun: tuple[Event, ...] = BEGUN) -> Telling:
    """The last of these events about to be told, after the others and all that has begun."""
    table = given(*begun, *events).table
    recorded = Recorded(1, 99, events[-1], Envelope("2026-03-14T20:00:00Z", 0, "act", 1, 1), None)
    return Telling(Moment(recorded, events[-1], table), Called(table), IDS)


def generated(*events: Event, begun: tuple[Event, ...] = BEGUN) -> str | None:
    """Our own sentence for the last of these events, if there is one."""
    said = [one.text for one in report(telling(*events, begun=begun)) if one.tag is Tag.GENERATED]
    return said[0] if said else None


CAME: list[tuple[tuple[Event, ...], str]] = [
    ((ATTACK, applied(HARGAN, Act.ATTACK, 3), struck(GATTO, 3, 1, 2, 3)), "Hargan struck home at Gatto."),
    (
        (
            ATTACK,
            applied(HARGAN, Act.ATTACK, 8),
            g.TakenOut(conflict=1, on=GATTO, by=HARGAN, track="cool", over=8),
        ),
        "Hargan took Gatto out.",
    ),
    ((g.TakenOut(conflict=1, on=GATTO, by=None, track="humanity", over=1),), "Gatto was taken out."),
    ((g.TakenOut(conflict=1, on="Dock-Aisle", by=HARGAN, over=2),), "Hargan put an end to Dock-Aisle."),
    (
        (PLACED, g.TakenOut(conflict=1, on=STEAM, about=2, by=HARGAN, over=2)),
        f"Hargan put an end to “{STEAM}”.",
    ),
    ((MANEUVER, applied(JADE, Act.MANEUVER, 2), PLACED), f"Jade put “{STEAM}” on Hargan."),
    (
        (
            WALK,
            applied(GATTO, Act.MOVE, 3),
            g.Moved(conflict=1, who=GATTO, start="Dock", path=("Aisle",), spent=3),
        ),
        "Gatto moved to Aisle.",
    ),
    (
        (
            PUSH,
            applied(JADE, Act.MOVE, 3),
            g.Moved(conflict=1, who=GATTO, start="Dock", path=("Aisle",), spent=3),
        ),
        "Jade moved Gatto to Aisle.",
    ),
    (
        (
            PUSH,
            applied(JADE, Act.MOVE, 0),
            g.Moved(conflict=1, who=JADE, start="Dock", path=("Aisle",), spent=0, free=True),
        ),
        "Jade moved to Aisle.",
    ),
    (
        (
            DEFENCE,
            applied(JADE, Act.DEFEND, 5),
            g.ThresholdReplaced(conflict=1, who=JADE, on=GATTO, track="cool", threshold=5, own=4),
        ),
        "Jade guarded Gatto.",
    ),
    (
        (
            struck(GATTO, 1, 1),
            REST,
            applied(JADE, Act.RECOVER, 1),
            g.BoxesCleared(conflict=1, who=JADE, on=GATTO, track="cool", boxes=(1,)),
        ),
        "Jade helped Gatto recover.",
    ),
    (
        (
            declared(CORP, Act.DEPLOY, asset=DRONES, path=to("Dock")),
            applied(CORP, Act.DEPLOY, 4),
            g.Deployed(conflict=1, who=CORP, asset=DRONES, zone="Dock", cost=4),
        ),
        "Corp brought Drones to Dock.",
    ),
]

HELD = g.Resisted(conflict=1, who=GATTO, shifts=3)
VAIN: list[tuple[tuple[Event, ...], str]] = [
    ((ATTACK, HELD, applied(HARGAN, Act.ATTACK, 0)), "Hargan attacked Gatto, who held out."),
    ((ATTACK, applied(HARGAN, Act.ATTACK, 0)), "Hargan attacked Gatto, to no avail."),
    ((MANEUVER, applied(JADE, Act.MANEUVER, -1)), f"Jade tried for “{STEAM}”, to no avail."),
    ((WALK, applied(GATTO, Act.MOVE, 2)), "Gatto got nowhere."),
    ((PUSH, applied(JADE, Act.MOVE, 2)), "Jade could not move Gatto."),
    ((struck(GATTO, 3, 3), REST, applied(JADE, Act.RECOVER, 2)), "Jade could not help Gatto."),
]
"""ED-06: 2 shifts and a border of 3. And box 3 costs 3 shifts."""


@pytest.mark.parametrize(("events", "sentence"), CAME + VAIN, ids=[said for _, said in CAME + VAIN])
def test_an_untold_event_is_a_neutral_sentence(events: tuple[Event, ...], sentence: str) -> None:
    assert generated(*events) == sentence


def test_at_nothing_an_aspect_is_still_placed() -> None:
    assert generated(MANEUVER, applied(JADE, Act.MANEUVER, 0)) is None


def test_a_border_worn_off_counts_for_less() -> None:
    worn = g.BorderEroded(conflict=1, who=GATTO, one="Dock", other="Aisle", way="", left=2)

    assert generated(worn, WALK, applied(GATTO, Act.MOVE, 2)) is None


@pytest.mark.parametrize(
    "events",
    [
        (ATTACK, applied(HARGAN, Act.ATTACK, 1)),
        (MANEUVER, applied(JADE, Act.MANEUVER, 0)),
        (WALK, applied(GATTO, Act.MOVE, 3)),
        (DEFENCE, applied(JADE, Act.DEFEND, -2)),
        (struck(GATTO, 3, 3), REST, applied(JADE, Act.RECOVER, 3)),
        (g.StressMarked(on=GATTO, track="humanity", amount=1, boxes=(1,), threshold=2, why="strain"),),
        (declared(JADE, Act.SIMPLE), applied(JADE, Act.SIMPLE, 0)),
    ],
)
def test_what_is_told_by_what_follows_has_no_sentence_of_its_own(events: tuple[Event, ...]) -> None:
    assert generated(*events) is None


def said(*events: Event) -> list[tuple[str, str, str]]:
    """What people said with the last of these events, in what manner; and our sentences."""
    told = report(telling(*events))
    return [(one.tag.value, one.manner, one.text) for one in told if one.tag is not Tag.MECHANICS]


WORDS = w("Over the crates and at them.")


@pytest.mark.parametrize(
    ("event", "manner"),
    [
        (ATTACK, "attacks Gatto"),
        (MANEUVER, "maneuvers on Hargan"),
        (DEFENCE, "defends Gatto"),
        (declared(GATTO, Act.DEFEND, track="cool"), "defends"),
        (WALK, "moves"),
        (PUSH, "moves Gatto"),
        (declared(CORP, Act.DEPLOY, asset=DRONES, path=to("Dock")), "deploys Drones"),
        (declared(JADE, Act.SIMPLE), "acts"),
    ],
)
def test_an_act_is_announced_in_its_actor_s_words(event: g.ActionDeclared, manner: str) -> None:
    assert said(event) == []
    assert said(event.but({"text": WORDS})) == [("declaration", manner, WORDS.text)]


def test_a_consequence_is_a_sentence_with_its_wording() -> None:
    torn = g.ConsequenceTaken(
        who=GATTO, severity=Severity.MILD, worth=1, aspect=2, wording="Torn sleeve", why="boost"
    )

    assert said(torn) == [("generated", "", "Gatto took a consequence: “Torn sleeve”.")]


def test_a_turn_is_mechanics_only_where_it_was_bid_for() -> None:
    bid = g.TurnClaimed(conflict=1, who=GATTO, bids=(g.Bid(who=GATTO, shifts=1),))

    assert report(telling(g.TurnClaimed(conflict=1, who=GATTO))) == ()
    assert [one.tag for one in report(telling(bid))] == [Tag.MECHANICS]


# --- an evening -------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Table]:
    """The whole of it."""
    played = recorded(tmp_path / "steam.retold", EVENING)
    yield played
    played.campaign.close()


def written(table: Table, mechanics: str, form: str = "text") -> str:
    return export(form, transcript.of_session(LineView(table.campaign, 1), 1), mechanics).decode()


def test_the_story_alone_reads_as_one(evening: Table) -> None:
    assert written(evening, "none") == STORY


def test_its_mechanics_alone_can_be_followed(evening: Table) -> None:
    _, _, fight = written(evening, "inline").partition("The warehouse\n~~~~~~~~~~~~~\n\n")

    told, drawing, _ = fight.partition("\n\nThe warehouse\n\n")
    assert told == FIGHT
    assert drawing  # the map as it was when they stopped


STORY = """\
Session 1: Steam
================

Nine Docks · 2026-03-14 · Edgerunner

With Jon (Gatto), Sandra (Jade), William (Hargan)

Cast
----

Gatto: played by Jon
Jade: played by Sandra
Hargan: played by William
Corp

Nine docks, all shut.

The warehouse
~~~~~~~~~~~~~

Edgerunner: Gatto and Jade against Hargan and Corp. At stake: what Jade came for

Gatto moves: The far end, before he has his gun out.

[Gatto got nowhere.]

[Jade put “Blind with steam” on Hargan.]

Jade compels Hargan: He cannot see the rail he leans on.

[Hargan refused.]

Hargan: Two in the crate beside his ear.

The game master compels Gatto: Click, it says, and nothing else.

[Gatto accepted.]

Hargan invokes “This gun jams”: He looks at his gun, and not at me.

[Gatto took a consequence: “Torn sleeve”.]

Hargan: One in the arm. He sits down where he is and stays there.

Jade: She drops the uplink and takes him under the arms.

Jade offers to concede: They get out, and without what they came for.

[Jade gave up, and Hargan accepted.]
"""

FIGHT = """\
Edgerunner: Gatto and Jade against Hargan and Corp. At stake: what Jade came for

    - conflict 1 “The warehouse”, edgerunner: Gatto + Jade vs Hargan + Corp
    - map Dock, Aisle, Office; Dock-Aisle 3, Aisle-Office open 1/smash 4
    - placed in Dock, without a move: Gatto, Jade
    - placed in Office, without a move: Hargan
    - exchange 1, a few moments long
    - next is Gatto, bids: Gatto 2, Hargan 1

Gatto moves: The far end, before he has his gun out.

    - Gatto moves to Aisle → Office:open with athletics 3
    - Gatto rolls 4dF: + 0 - -
    - Gatto: 0 shifts (dice -1, level +3, bid -2)
    - Gatto's move is applied, with 0 shifts

[Gatto got nowhere.]

[Jade put “Blind with steam” on Hargan.]

    - Jade maneuvers on Hargan as “Blind with steam” with deception 4
    - Jade rolls 4dF: + 0 - -
    - Jade: 2 shifts (dice -1, level +4, range -1)
    - Jade's maneuver is applied, with 2 shifts
    - Hargan has “Blind with steam” (aspect no. 2, maneuver by Jade, 2 shifts, 1
      free invoke)

Jade compels Hargan: He cannot see the rail he leans on.

    - Hargan attacks Gatto's cool with firearms 3
    - Jade compels Hargan by “Blind with steam”
    - Hargan refuses the compel
    - William gives Sandra 1 fate point for a compel refused

[Hargan refused.]

    - Hargan rolls 4dF: + + 0 -
    - Hargan: 2 shifts (dice +1, level +3, range -2)

Hargan: Two in the crate beside his ear.

    - Hargan's attack is applied, with 2 shifts
    - Gatto: 2 stress on cool (attack), boxes 1 2, threshold 4
    - exchange 2, a few moments long

The game master compels Gatto: Click, it says, and nothing else.

    - Gatto attacks Hargan's cool with firearms 3
    - The game master compels Gatto by “This gun jams”
    - Gatto takes the compel
    - The game master gives Jon 1 fate point for a compel accepted
    - Gatto does not act (compel)

[Gatto accepted.]

Hargan invokes “This gun jams”: He looks at his gun, and not at me.

    - Hargan attacks Gatto with firearms, continued (1)
    - Hargan: 2 shifts (dice +1, level +3, range -2)
    - Hargan invokes “This gun jams” on Gatto (aspect no. 1), +2
    - William gives Jon 1 fate point for an invoke
    - Hargan: 4 shifts (dice +1, level +3, invoked +2, range -2)
    - Gatto resists 1
    - Gatto takes “Torn sleeve” (aspect no. 3, mild, worth 1) to resist, 1 free
      invoke for Hargan
    - Hargan: 3 shifts (dice +1, level +3, invoked +2, range -2, resisted -1)

[Gatto took a consequence: “Torn sleeve”.]

    - Hargan's attack is applied, with 3 shifts
    - Gatto is taken out on cool by Hargan, 3 shifts

Hargan: One in the arm. He sits down where he is and stays there.

Jade: She drops the uplink and takes him under the arms.

    - Jade does something simple
    - Jade's simple act is applied, with 0 shifts

Jade offers to concede: They get out, and without what they came for.

    - conflict 1 over: conceded, Hargan wins

[Jade gave up, and Hargan accepted.]"""


# --- what is still to be told -----------------------------------------------------------------------------


def untold(path: Path, *acts: tuple[Event, ...]) -> list[tuple[str, ...]]:
    """What came out and nobody told, and who may."""
    table = recorded(path / "untold.retold", list(acts))
    found = [row.cells[2:] for row in ask("untold", LineView(table.campaign, 1)).sheet().rows]
    table.campaign.close()
    return found


def test_a_person_who_was_taken_out_is_to_be_told_of(tmp_path: Path) -> None:
    assert untold(tmp_path, *SHOT, *COMPELLED, *FELLED) == [
        ("Hargan took Gatto out.", "Hargan, Corp, William, the game master")
    ]


@pytest.mark.parametrize(
    ("who", "left"), [(HARGAN, 0), (CORP, 0), (WILLIAM, 0), (0, 0), (GATTO, 1), (JON, 1)]
)
def test_the_tale_is_for_those_who_did_it(tmp_path: Path, who: int, left: int) -> None:
    assert len(untold(tmp_path, *SHOT, *COMPELLED, *FELLED, (narrated(who, "He sits down."),))) == left


@pytest.mark.parametrize(("who", "left"), [(JADE, 0), (0, 0), (SANDRA, 1), (HARGAN, 1)])
def test_an_act_is_told_by_its_actor_or_the_referee(tmp_path: Path, who: int, left: int) -> None:
    assert len(untold(tmp_path, *STEAMED, (narrated(who, "A valve, a hiss."),))) == left


def test_an_untold_act_stays_untold_after_the_next_turn_begins(tmp_path: Path) -> None:
    told_late = (next_(HARGAN), narrated(JADE, "A valve, a hiss."))

    assert len(untold(tmp_path, *STEAMED, told_late)) == 1


def test_a_move_without_shifts_need_not_be_told(tmp_path: Path) -> None:
    stepped = g.Moved(conflict=1, who=JADE, start="Dock", path=("Aisle",), spent=0, free=True)

    assert untold(tmp_path, *RUN, (next_(JADE), stepped)) == []


def test_what_was_withstood_at_a_price_is_to_be_told(tmp_path: Path) -> None:
    attacked = (next_(HARGAN), ATTACK, HELD, applied(HARGAN, Act.ATTACK, 0))

    assert untold(tmp_path, attacked) == [("Hargan attacked Gatto, who held out.", "Hargan, the game master")]


def test_what_is_told_of_it_takes_the_place_of_our_sentence(tmp_path: Path) -> None:
    table = recorded(tmp_path / "run.retold", [*RUN, (narrated(GATTO, "I slip on the first crate."),)])

    story = written(table, "none")

    assert "I slip on the first crate." in story
    assert "got nowhere" not in story


def test_words_told_later_settle_an_act_too(evening: Table) -> None:
    (spot,) = transcript.of_session(LineView(evening.campaign, 1), 1).end.untold
    evening.do(c.Narrate(who=JADE, at=int(spot.id[1:]), text=w("A valve, a hiss.")))

    assert transcript.of_session(LineView(evening.campaign, 1), 1).end.untold == ()


def test_a_roll_outside_conflicts_is_told_with_its_words_or_after_it(tmp_path: Path) -> None:
    rolled = g.SkillRolled(who=GATTO, skill="research", level=2)
    spoken = rolled.but({"text": w("I ask at the gate.")})
    ended = (*STEAMED, (narrated(JADE, "A hiss."),), *CONCEDED)

    assert untold(tmp_path, *ended, (rolled,)) == [("Gatto tried research.", "Gatto, the game master")]
    assert said(spoken) == [("declaration", "tries research", "I ask at the gate.")]


# --- hostile names ----------------------------------------------------------------------------------------

HOSTILE = "<b>mine</b>\x07\x1b[31m\u202e [[x]] **y**\nnext"


def hostile(value: Any) -> Any:  # noqa: ANN401 -- whatever an event is made of
    """An event, or a part of one, with everything in it that has a name called something hostile."""
    if isinstance(value, Frozen):
        return value.but({key: hostile(one) for key, one in values_of(value).items()})
    if isinstance(value, dict):
        return {hostile(key): hostile(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(map(hostile, value))
    return value + HOSTILE if value in ("Dock", "Aisle", "Office", "open", STEAM, JAMS, "firearms") else value


@pytest.mark.parametrize(
    ("form", "obeyed"), [("text", "\x07"), ("markdown", "[[x]]"), ("html", "<b>mine</b>")]
)
def test_names_are_text_in_every_format(tmp_path: Path, form: str, obeyed: str) -> None:
    moved = (
        applied(GATTO, Act.MOVE, 3),
        g.Moved(conflict=1, who=GATTO, start="Dock", path=("Aisle",), spent=3),
    )
    acts = [*RUN[:1], moved, *EVENING[2:-2]]
    table = recorded(tmp_path / "hostile.retold", hostile(tuple(acts)), hostile(BEGUN))
    for mechanics in ("none", "inline"):
        shown = written(table, mechanics, form)

        assert "Gatto moved to Aisle" in shown
        shown = re.sub(r"```.*?```", "", shown, flags=re.DOTALL)  # in a drawing nothing is obeyed
        assert [one for one in ("\x1b", "\u202e", obeyed) if one in shown] == []


@pytest.mark.parametrize("event", [event for event, _ in NOTED])
def test_a_line_stays_one_line_whatever_things_are_called(event: Event) -> None:
    assert not set("\x07\x1b\u202e\n") & set(noted(hostile(event)))


@pytest.mark.parametrize(("events", "sentence"), CAME, ids=[sentence for _, sentence in CAME])
def test_a_sentence_has_the_names_as_they_were_typed(events: tuple[Event, ...], sentence: str) -> None:
    shown = generated(*hostile(events), begun=hostile(BEGUN))

    assert (shown or "").replace(HOSTILE, "") == sentence
