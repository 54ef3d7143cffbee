"""Random play: whatever is said in whatever order, nothing breaks, and everything stays in its range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import TIME
from retold.games.edgerunner.state import EdgerunnerConflict, conflict_state, game_state
from retold.games.edgerunner.system import SYSTEM as EDGERUNNER
from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.language.proposed import available_actions
from retold.journal.line import LiveEvent, fold
from retold.journal.shared.rulings import answer_commands
from retold.journal.system import Situation, unresolved
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Words
from retold.projections.views import cast, stress, tracks
from retold.projections.views import map as map_view
from tests.exploring import tries
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    LOCK,
    PEOPLE,
    REX,
    SHEETS,
    TEXT,
    sheet,
)
from tests.scenario import SeededLine

TURRET, SINGER, OTHER, MOB = 11, 12, 13, 14
EVERYBODY = (GATTO, JADE, HARGAN, REX, CORP, DRONES, LOCK, TURRET, SINGER, OTHER, MOB)
MORE: tuple[Event, ...] = (
    *(e.CastIntroduced(person=who, name=Words(f"Number {who}")) for who in (TURRET, SINGER, OTHER, MOB)),
    sheet(TURRET, kind="device", integrity=3, aim=2, cost=1),
    sheet(SINGER, role="rockerboy", charm=3, upgrade__voice="charm+2/2", upgrade__coat="cool+2/1"),
    sheet(OTHER, kind="alternate", of=JADE, netrunning=3),
    sheet(MOB, kind="mook", tl=2, brawl=2),
    sheet(JADE, role="nomad", upgrade__link="/2"),
    sheet(HARGAN, role="enforcer"),
)
ZONES = ("Dock", "Aisle", "Office", "Yard")
TRACKS = ("cool", "humanity", "reputation", "stress", "leverage", "prestige", "integrity")
SKILLS = ("firearms", "athletics", "deception", "logistics", "charm", None)
WORDS = ("Blind", "Lit up", "Ankle-deep in oil", "Blind on Gatto", "never lets go", "Torn")
THINGS = (*EVERYBODY, *ZONES, "Dock-Aisle", "Office-Aisle", *WORDS)
OPTIONS = [(option.key, option.values[-1], option.values[0]) for option in EDGERUNNER.options]


class Numbers:
    """The choices a number stands for, one after the other."""

    def __init__(self, number: int) -> None:
        self._left = number

    def of(self, several: Any) -> Any:  # noqa: ANN401 -- as many types as there are choices
        """One of several."""
        self._left, chosen = divmod(self._left, len(several))
        return several[chosen]

    def yes(self, out_of: int = 2) -> bool:
        """True once out of so many."""
        return bool(self.of(range(out_of)) == 0)


class Table2(SeededLine):
    """A table at which numbers say what anybody says, sensible or not."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.add(*PEOPLE, *SHEETS, *MORE)
        self.acts: list[int] = []
        """How many events stood before each line that was taken."""

    def go(self, number: int) -> None:
        """What the number says is tried, in one of the conflicts that are open."""
        if number % 29 == 0 and self.acts:
            self.undo()
            return
        before, choose = len(self.events), Numbers(number // 29)
        command = self.sensible(choose) if choose.yes(5) else self.anything(choose)
        if command is None:
            return
        if choose.yes(4) and self.table.conflicts:
            meant = choose.of(sorted(self.table.conflicts))
            command = command.but({"conflict": meant})
        if self.tried(command):
            self.acts.append(before)

    def undo(self) -> None:
        """The last line never happened."""
        self.events = self.events[: self.acts.pop()]
        self.table = fold(LiveEvent(position, event) for position, event in enumerate(self.events, 1))

    def sensible(self, choose: Numbers) -> Command | None:
        """One of what `can` lists, or the answer to a question."""
        luck = Luck(SeededDealer(b"can", 1, {}))
        said = [
            one.command
            for seen in available_actions(self.table, luck)
            for one in (*seen.choices, *seen.beside)
        ]
        return choose.of(said) if said else self.anything(choose)

    def anything(self, choose: Numbers) -> Command:
        """Anything that can be said in this game."""
        said: Command = _SAYINGS[choose.of(tuple(_SAYINGS))](choose)
        return said


def _conflict(n: Numbers) -> Command:
    people = list(EVERYBODY)
    sides = []
    for _ in range(n.of((2, 2, 3, 4))):
        side = [people.pop(n.of(range(len(people)))) for _ in range(n.of((1, 1, 2)))]
        sides.append(tuple(side))
    return c.OpenConflict(system="edgerunner", sides=tuple(sides), setup=n.of(({}, {}, {"map": "metaphor"})))


def _act(n: Numbers) -> Command:
    act = n.of(("move", "attack", "defend", "maneuver", "recover", "deploy", "continue", "simple"))
    fields: dict[str, Any] = {
        "who": n.of(EVERYBODY),
        "act": act,
        "skill": n.of(SKILLS),
        "thing": n.of(THINGS),
    }
    fields |= {
        "track": n.of((*TRACKS, "Dock-Aisle", "Lit up")),
        "aspect": n.of(WORDS),
        "zones": (n.of(ZONES), n.of(ZONES)),
    }
    fields |= {"whom": n.of(((), (n.of(EVERYBODY),), (GATTO, JADE))), "asset": n.of((DRONES, MOB, TURRET))}
    fields |= {"upgrade": n.of((None, None, "voice", "link")), "interrupt": n.yes(5), "agreed": n.yes()}
    if act in ("continue", "move", "deploy", "simple"):
        fields |= {"track": None, "aspect": None}
    return v.Declare.of(fields)


def _resist(n: Numbers) -> Command:
    slots = {n.of(("mild", "moderate", "severe")): n.of(WORDS)} if n.yes() else {}
    stress_ = {"tracks": (n.of(TRACKS),), "amounts": (n.of(range(1, 6)),)} if not slots or n.yes(3) else {}
    comrade = n.of((None, None, None, n.of(EVERYBODY)))
    upgrade = n.of((None, None, "coat", "link"))
    who = n.of(EVERYBODY)
    return v.Resist.of({"who": who, **slots, **stress_, "comrade": comrade, "upgrade": upgrade})


def _ruling(n: Numbers) -> Command:
    what, op = n.of(
        (
            ("points", "="),
            ("shifts", "+="),
            ("out", "="),
            ("dead", "="),
            ("cool-stress", "+="),
            ("cool-threshold", "="),
        )
    )
    setting = e.Setting(person=n.of(EVERYBODY), what=what, op=op, value=n.of((1, 1, 2, 3)))
    return c.Rule(sets=(setting,), text=TEXT)


def _next(n: Numbers) -> Command:
    rivals = n.of(((), (n.of(EVERYBODY),)))
    return v.ClaimTurn(who=n.of(EVERYBODY), bid=n.of((None, 1)), rivals=rivals, bids=(1,) * len(rivals))


def _option(n: Numbers) -> Command:
    key, one, other = n.of(OPTIONS)
    return c.SetOption.of({"values": {key: n.of((one, other))}})


_SAYINGS: Any = {
    "conflict": _conflict,
    "act": _act,
    "another act": _act,
    "roll": lambda _: v.Roll(),
    "roll elsewhere": lambda n: v.Roll(who=n.of(EVERYBODY), traits=("athletics",), target=n.of((None, 2))),
    "contest": lambda n: v.Roll(
        who=n.of(EVERYBODY),
        traits=("charm",),
        opponent=n.of(EVERYBODY),
        skill="athletics",
        setup={"takes": "a day"},
    ),
    "apply": lambda n: v.Apply(boxes=n.of(((), (1,), (1, 2))), text=n.of((None, TEXT))),
    "ok": lambda _: v.Apply(),
    "map": lambda n: v.MapZones(
        zones=(n.of(ZONES), n.of(ZONES)),
        passes=(n.of(("1", "3", "open:1,break:4")),),
        setup=n.of(({}, {"threshold": 2})),
    ),
    "wipe": lambda n: v.MapZones(zones=(n.of((*ZONES, "Dock-Aisle", "Aisle-Office")),), gone=True),
    "zone": lambda n: v.MapZones(zones=(n.of(ZONES),)),
    "place": lambda n: v.Place(who=(n.of(EVERYBODY), n.of(EVERYBODY)), zone=n.of(ZONES)),
    "free": lambda n: v.Move(who=n.of(EVERYBODY), zones=(n.of(ZONES),), free=True),
    "exchange": lambda n: v.BeginExchange(length=n.of((None, TIME[1], TIME[14], "as long as it takes"))),
    "next": _next,
    "forfeit": lambda _: v.Forfeit(),
    "invoke": lambda n: v.Invoke(who=n.of(EVERYBODY), aspect=n.of(WORDS), free=n.yes(), reroll=n.yes(3)),
    "boost": lambda n: v.Boost.of(
        {"who": n.of(EVERYBODY), "tracks": (n.of(TRACKS),), "amounts": (n.of((1, 2)),)}
    ),
    "resist": _resist,
    "spin": lambda n: v.SpendSpin(who=n.of(EVERYBODY)),
    "compel": lambda n: c.Compel(
        who=n.of(EVERYBODY), aspect=n.of(WORDS), by=n.of((None, n.of(EVERYBODY))), text=TEXT
    ),
    "accept": lambda n: c.Accept(who=n.of((None, n.of(EVERYBODY)))),
    "refuse": lambda n: c.Refuse(who=n.of((None, n.of(EVERYBODY)))),
    "concede": lambda n: c.Concede(who=n.of(EVERYBODY), text=TEXT),
    "narrate": lambda n: c.Narrate(who=n.of((None, n.of(EVERYBODY))), text=TEXT),
    "ruling": _ruling,
    "option": _option,
    "join": lambda n: c.Join(who=(n.of(EVERYBODY),), side=n.of((None, n.of(EVERYBODY)))),
    "leave": lambda n: c.Leave(who=(n.of(EVERYBODY),)),
    "aspect": lambda n: v.PlaceAspect(
        thing=n.of(THINGS),
        aspect=n.of(WORDS),
        by=n.of((None, n.of(EVERYBODY))),
        support=n.of((None, 1)),
        gone=n.yes(4),
    ),
    "assess": lambda n: v.Assess(
        who=n.of(EVERYBODY), thing=n.of(EVERYBODY), aspect=n.of(WORDS), skill="charm", target=n.of((None, 1))
    ),
    "spend": lambda n: v.Spend(who=n.of(EVERYBODY), on=(n.of(("time", "scar")),), shifts=(n.of((1, -1)),)),
    "alter": lambda n: v.Alter.of(
        {"who": n.of(EVERYBODY), n.of(("severe", "moderate", "mild")): n.of(WORDS)}
    ),
    "merge": lambda n: v.Merge(who=(n.of((DRONES, MOB)), n.of((DRONES, MOB, GATTO)))),
    "clear": lambda n: c.Clear(who=n.of(EVERYBODY), track=n.of(("stress", "mild", "cool"))),
    "end": lambda n: c.End(what="conflict", how=n.of((None, "agreed"))),
    "session": lambda n: n.of((c.OpenSession(), c.End(what="session"))),
    "cast": lambda n: c.Cast.of({"who": n.of(EVERYBODY), "system": "edgerunner", "values": {"cool": 1}}),
}
"""How each thing that may be said is put together from numbers."""


# --- what always holds ------------------------------------------------------------------------------------


def look(table: Table) -> None:
    """Everything that may be asked of a table is asked."""
    luck = Luck(SeededDealer(b"look", 1, {}))
    for _ in available_actions(table, luck):
        pass
    for conflict in (None, *table.conflicts.values()):
        _ask(table, conflict)
    for seen in (stress.of(table), cast.of(table), map_view.of(table), tracks.points_of(table)):
        seen.sheet()
    assert unresolved(table, SYSTEMS) is not None


def _ask(table: Table, conflict: OpenConflict | None) -> None:
    for fact in EDGERUNNER.facts.values():
        for who in EVERYBODY if fact.of_person else (None,):
            fact.read(table, conflict, who)
    if conflict is not None:
        EDGERUNNER.turn(table, conflict)
        for question in EDGERUNNER.pending(table, conflict):
            list(answer_commands(question))
        EDGERUNNER.things(table, conflict)


def in_range(table: Table) -> Iterator[str]:
    """What is out of its range, in words."""
    own = game_state(table)
    yield from (f"purse of {who}: {held}" for who, held in own.purses.items() if held < 0)
    for one in own.aspects.values():
        yield from (f"free invokes of {one.wording}" for free in one.free.values() if free < 0)
        if one.defence is not None and one.defence.value < 0:
            yield f"defence of {one.wording}"
    for key, marks in own.marks.items():
        if not all(1 <= box <= 99 for box in marks):
            yield f"boxes of {key}: {marks}"
    for conflict in table.conflicts.values():
        yield from _in_range(conflict_state(conflict), conflict)


def _in_range(state: EdgerunnerConflict, conflict: OpenConflict) -> Iterator[str]:
    yield from (f"{who} is nowhere: {zone}" for who, zone in state.places.items() if zone not in state.zones)
    if state.turn is not None and state.turn not in conflict.people:
        yield f"the turn of {state.turn}, who is gone"
    if any(act.who in state.out for act in state.acts):
        yield "an act of somebody who is out"
    if len({who for side in conflict.sides for who in side}) < sum(map(len, conflict.sides)):
        yield "somebody on two sides"
    if state.bid < 0:
        yield "a bid below nothing"


lines = st.builds(Table2, seed=st.binary(min_size=2, max_size=2))
numbers = st.lists(st.integers(0, 10**12), min_size=10, max_size=60)


@settings(max_examples=tries(12), deadline=None)
@drawn_from(lines, numbers)
def test_whatever_is_said_nothing_breaks_and_everything_stays_in_its_range(
    line: Table2, numbers: list[int]
) -> None:
    line.tried(_conflict(Numbers(numbers[0])))
    for at, number in enumerate(numbers):
        line.go(number)
        if at % 12 == 0:
            look(line.table)
        assert list(in_range(line.table)) == []
    assert fold(LiveEvent(position, event) for position, event in enumerate(line.events, 1)) == line.table
    assert Situation(line.table, Luck(SeededDealer(b"", 1, {})), SYSTEMS).questions() is not None
    for event in line.events:
        if isinstance(event, g.StressMarked):
            assert event.boxes
