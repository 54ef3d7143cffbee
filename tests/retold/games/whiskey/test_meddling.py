"""Whatever is declared, ruled, checked and taken back, every reading verb can tell what has come of it."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import Phase, settings
from hypothesis import given as drawn_from
from hypothesis import strategies as st

from retold.games.whiskey import rules
from retold.games.whiskey.commands import Check, Clash, pending, turn
from retold.games.whiskey.commands.clashes import aims
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.facts import FACTS
from retold.games.whiskey.rules import Act, Why
from retold.games.whiskey.state import conflict_state, game_state
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.proposed import available_actions
from retold.journal.line import LiveEvent, fold
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import NOBODY, Command, Value, Words
from tests.retold.games.whiskey.at_the_ford import opening, option
from tests.retold.games.whiskey.spoken import ANN, BOB, DEE, XENA, YUL, ZED, table
from tests.scenario import SeededLine

SO = Words("So.")
FIGHTERS = (ANN, XENA, BOB, YUL, ZED, DEE)
ACTS = ("engage", "engage", "engage", "engage", "guard", "guard", "advance", "stand", "other")


class Evening(SeededLine):
    """A line whose last commands can be taken back, and on which people do as they are drawn to."""

    def __init__(self, data: st.DataObject) -> None:
        super().__init__(b"evening")
        self.draw = data.draw
        self.began: list[int] = []
        people = FIGHTERS[: self.draw(st.integers(2, len(FIGHTERS)))]
        broken = self.draw(st.sampled_from(["first_pc", "random", "gm", "gm", "gm"]))
        self.add(*table().events, option("loop_break", broken))
        self.play(
            opening(tuple({ANN, BOB} & {*people}), tuple(one for one in people if one not in (ANN, BOB)))
        )

    def say(self, command: Command) -> None:
        """The command, if it is not refused; anything else than a sentence ends the test."""
        before = len(self.events)
        if self.tried(command):
            self.began.append(before)

    def undo(self) -> None:
        """The last command is taken back."""
        if self.began:
            del self.events[self.began.pop() :]
            self.table = fold(LiveEvent(position, event) for position, event in enumerate(self.events, 1))

    @property
    def people(self) -> Sequence[int]:
        """Everybody in the conflict; once it is over, two who were."""
        here = self.table.in_play()
        return here.people if here else (ANN, XENA)

    def somebody(self) -> int:
        """One of them."""
        return self.draw(st.sampled_from(self.people))

    # --- what people do ---

    def declare(self) -> None:
        """Somebody declares; whoever has not yet comes first, so that phases come about."""
        here = self.table.in_play()
        meant = conflict_state(here).phase.intents if here else {}
        who = self.draw(st.sampled_from([one for one in self.people if one not in meant] or self.people))
        act = self.draw(st.sampled_from(ACTS))
        target = self.somebody() if act in ("engage", "guard") else None
        self.say(Declare.of({"who": who, "act": act, "target": target, "text": SO}))

    def declare_all(self) -> None:
        """Everybody does."""
        for _ in self.people:
            self.declare()

    def go_round(self) -> None:
        """Each is after the next all the way round, some of them as guards who were told to be."""
        around: list[int] = self.draw(st.permutations(self.people))
        for who, whom in zip(around, around[1:] + around[:1], strict=True):
            if self.draw(st.booleans()):
                self.say(Declare(who=who, act="engage", target=whom))
            else:
                self.say(Declare(who=who, act="guard"))
                self.order(who, whom)
        self.answer()

    def answer(self) -> None:
        """What is asked is answered, if anything is."""
        here = self.table.in_play()
        for asked in pending(self.table, here) if here else ():
            self.say(c.Rule(answer=self.draw(st.sampled_from(asked.answers)), question=asked.name, text=SO))

    def rule_hp(self) -> None:
        """Somebody falls, is hurt, or is raised."""
        self.rule(self.somebody(), "hp", self.draw(st.sampled_from([0, 0, 5, 20])))

    def rule_guard(self) -> None:
        """Some guard is to stop somebody, or nobody."""
        here = self.table.in_play()
        meant = conflict_state(here).phase.intents if here else {}
        guards = [who for who, intent in meant.items() if intent.act is Act.GUARD]
        anybody: list[Value] = [*self.people, NOBODY]
        whom = self.draw(st.sampled_from(anybody))
        self.order(self.draw(st.sampled_from(guards or self.people)), whom)

    def order(self, who: int, whom: Value) -> None:
        """A guard is to stop somebody."""
        self.rule(who, "engage", whom)

    def rule(self, who: int, what: str, value: Value) -> None:
        """A ruling on somebody."""
        self.say(c.Rule(sets=(e.Setting(person=who, what=what, op="=", value=value),), text=SO))

    def clash(self) -> None:
        """The clashes are worked out, and are what the rule says of what all are after."""
        here = self.table.in_play()
        before = len(self.events)
        aimed = aims(self.table, here) if here else {}
        chosen = () if here is None else tuple(conflict_state(here).phase.broken.items())
        self.say(Clash())
        if here is not None and len(self.events) > before:
            self.holds(aimed, dict(chosen))

    def holds(self, aimed: rules.Aims, broken: rules.Broken) -> None:
        """Nobody got through anybody who got to them, but the one who was chosen from a ring that stands."""
        here = self.table.in_play()
        assert here is not None
        phase = conflict_state(here).shown
        assert rules.chain_of_four([one.pair for one in phase.clashes]) is None
        for who, fate in phase.fates.items():
            upon = [one for one, whom in aimed.items() if whom == who and aimed[who] != one]
            through = [one for one in upon if phase.fates[one].why not in (Why.STOPPED, Why.MUTUAL)]
            if fate.why is Why.CHOSEN:
                assert any(stands(ring, aimed) for ring, one in phase.broken.items() if one == who)
            elif fate.why is not Why.STOOD and fate.why is not Why.MUTUAL:
                assert fate.succeeded or fate.by
                assert not (fate.succeeded and [one for one in through if aimed[one] == who])
        assert set(broken) <= set(phase.broken)

    def pair(self) -> None:
        """Two are put together by hand."""
        self.say(Clash(one=self.somebody(), other=self.somebody()))

    def check(self) -> None:
        """A check is made, if one is due."""
        here = self.table.in_play()
        for clash in conflict_state(here).phase.open[:1] if here else ():
            who = clash.one if clash.checker is None else clash.checker
            self.say(Check(who=who, whom=clash.against(who)))

    def check_all(self) -> None:
        """All are made."""
        for _ in FIGHTERS:
            self.check()

    def concede(self) -> None:
        """A side offers to lose, and perhaps the other takes it."""
        self.say(c.Concede(who=self.somebody(), text=SO))
        if self.draw(st.booleans()):
            self.say(c.Accept(who=self.somebody()))

    def end(self) -> None:
        """Hostilities end, if they may."""
        self.say(c.End(what="conflict", how=self.draw(st.sampled_from([None, "retreat"]))))

    def go(self) -> None:
        """Somebody leaves."""
        self.say(c.Leave(who=(self.somebody(),), text=SO))

    def come(self) -> None:
        """Somebody joins somebody, or nobody; whoever is there already is refused."""
        side = self.draw(st.sampled_from([*self.people, None]))
        self.say(c.Join(who=(self.draw(st.sampled_from(FIGHTERS)),), side=side, text=SO))

    # --- what is asked of it ---

    def asked(self) -> None:
        """Every reading verb is put to the table."""
        here = self.table.in_play()
        luck = Luck(FirstDealer())
        told = list(available_actions(self.table, luck))
        for fact in FACTS.values():
            for who in FIGHTERS if fact.of_person else (None,):
                fact.read(self.table, here, who)
        own = game_state(self.table)
        own.check()
        assert len(list(own.rows())) == len(FIGHTERS)
        if here is not None:
            pending(self.table, here)
            assert turn(self.table, here)
            assert conflict_state(here).melee().phase == conflict_state(here).shown.number
            # A fight never stands still: there is always something to say.
            assert told[0].choices
            known(self.table, conflict_state(here).phase.open)


def stands(ring: rules.Ring, aimed: rules.Aims) -> bool:
    """Whether each of a ring is after the next, all the way round."""
    after = (*ring.members[1:], ring.members[0])
    return all(aimed.get(one) == next_ for one, next_ in zip(ring.members, after, strict=True))


def known(table_: Table, due: Sequence[object]) -> None:
    """Nobody who is out has a check before them."""
    down = game_state(table_).down
    for clash in due:
        assert down.isdisjoint(getattr(clash, "pair", ()))


DOINGS = (
    *(
        Evening.go_round,
        Evening.go_round,
        Evening.declare_all,
        Evening.declare,
        Evening.answer,
        Evening.answer,
        Evening.come,
        Evening.go,
    ),
    *(Evening.rule_hp, Evening.rule_guard, Evening.rule_guard, Evening.clash, Evening.clash, Evening.pair),
    *(Evening.check, Evening.check_all, Evening.concede, Evening.undo, Evening.undo, Evening.end),
)


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@drawn_from(st.data())
def test_A1_A2_A4_A5_A60_any_meddling_leaves_a_table_that_can_be_read(data: st.DataObject) -> None:
    evening = Evening(data)
    for _ in range(data.draw(st.integers(3, 25))):
        data.draw(st.sampled_from(DOINGS))(evening)
        evening.asked()
