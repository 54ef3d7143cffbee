"""What holds of Whiskey whatever is drawn and declared."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

from hypothesis import assume, settings
from hypothesis import given as drawn_from
from hypothesis import strategies as st

from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.commands import Clash, pending
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.rules import Aims, Half, Ring
from retold.games.whiskey.state import Cards, able_fighters, conflict_state, game_state
from retold.journal.decks import french
from retold.journal.line import LiveEvent, fold
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words
from tests.retold.games.whiskey.at_the_ford import (
    HOOK,
    PEOPLE,
    PIKE,
    RUNA,
    SLING,
    TOBIN,
    ActName,
    attempt,
    check,
    opening,
    option,
    sealed,
    sheet,
)
from tests.scenario import SeededLine, wordless

# --- who stops whom ---


@st.composite
def aimings(draw: st.DrawFn, most: int = 7) -> Aims:
    """Up to seven, each of whom engages one of the others or nobody."""
    agents = range(draw(st.integers(1, most)))
    return {
        agent: draw(st.sampled_from([None, *(other for other in agents if other != agent)]))
        for agent in agents
    }


def resolved(aimed: Aims) -> tuple[dict[int, rules.Fate], list[int]]:
    """What becomes of all, with whoever declared first let through every ring; and who that was."""
    broken: dict[Ring, int] = {}
    while isinstance(found := rules.resolve(aimed, broken), Ring):
        assert len(found.members) >= 3
        assert found not in broken
        broken[found] = found.members[0]
    return found, list(broken.values())


def got_through(aimed: Aims, came: dict[int, bool], agent: int) -> bool:
    """The rule itself: nobody who gets through is upon them, but whom they wanted."""
    return not any(came[other] for other, whom in aimed.items() if whom == agent and aimed[agent] != other)


def readings(aimed: Aims, chosen: list[int]) -> list[dict[int, bool]]:
    """Every way of getting through or not, of all there are, that the rule allows; the chosen get through."""
    ways = (dict(zip(aimed, way, strict=True)) for way in product((True, False), repeat=len(aimed)))
    return [
        came
        for came in ways
        if all(came[one] if one in chosen else came[one] == got_through(aimed, came, one) for one in aimed)
    ]


@settings(max_examples=300, deadline=None)
@drawn_from(aimings())
def test_the_resolver_comes_to_what_the_rule_says(aimed: Aims) -> None:
    fates, chosen = resolved(aimed)

    # Brute force: of all ways it could be, the rule allows one, and this is it.
    (came,) = readings(aimed, chosen)
    pairs = {frozenset((one, whom)) for one, whom in aimed.items() if whom is not None and came[one]}
    assert {frozenset((one.one, one.other)) for one in rules.clashes(aimed, fates)} == pairs
    for agent in aimed:
        wished = aimed[agent]
        granted = wished is not None and aimed[wished] == agent and came[wished]
        assert fates[agent].succeeded == (came[agent] or granted)


@settings(max_examples=300, deadline=None)
@drawn_from(aimings())
def test_no_four_ever_clash_in_a_row_nor_three_around(aimed: Aims) -> None:
    fates, _ = resolved(aimed)
    pairs = [(one.one, one.other) for one in rules.clashes(aimed, fates)]
    linked = {frozenset(pair) for pair in pairs}

    assert rules.chain_of_four(pairs) is None
    for row in permutations(aimed, 4):
        assert not all(frozenset(row[at : at + 2]) in linked for at in range(3))
    for a, b, c_ in permutations(aimed, 3):
        assert not {frozenset((a, b)), frozenset((b, c_)), frozenset((a, c_))} <= linked


@settings(max_examples=300, deadline=None)
@drawn_from(aimings())
def test_every_stop_has_a_stopper_and_every_clash_an_attacker(aimed: Aims) -> None:
    fates, _ = resolved(aimed)

    for agent, fate in fates.items():
        if not fate.succeeded:
            assert fate.by
            assert all(aimed[other] == agent for other in fate.by)
    for met in rules.clashes(aimed, fates):
        assert met.attackers
        assert all(aimed[one] in (met.one, met.other) for one in met.attackers)


@settings(max_examples=200, deadline=None)
@drawn_from(aimings(5), st.data())
def test_the_order_of_declaring_changes_nothing_where_there_is_no_ring(
    aimed: Aims, data: st.DataObject
) -> None:
    fates, chosen = resolved(aimed)
    assume(not chosen)
    order = data.draw(st.permutations(list(aimed)))
    again, _ = resolved({agent: aimed[agent] for agent in order})

    assert {agent: fate.why for agent, fate in again.items()} == {
        agent: fate.why for agent, fate in fates.items()
    }


# --- decks, played by a seed ---


class Line(SeededLine):
    """A table that plays by what a seed deals."""

    def __init__(self, options: dict[str, str], seed: bytes) -> None:
        super().__init__(seed)
        self.add(*PEOPLE, *(sheet(who, hp=30) for who in (RUNA, TOBIN, PIKE, HOOK, SLING)))
        self.add(*(option(key, value) for key, value in options.items()))


seeds = st.binary(min_size=4, max_size=4)


@settings(max_examples=20, deadline=None)
@drawn_from(seeds)
def test_WH_06_a_half_drawn_through_makes_thirteen(seed: bytes) -> None:
    line = Line({}, seed)
    for half in (Half.HEARTS_SPADES, Half.DIAMONDS_CLUBS, Half.HEARTS_SPADES):
        for _ in range(26):
            line.play(attempt(RUNA, 1, 1))
        drawn = [event for event in line.events if isinstance(event, w.CheckMade)][-26:]

        assert sum(event.c for event in drawn) == 13
        assert {event.card for event in drawn} == set(Cards().left(half))


@settings(max_examples=20, deadline=None)
@drawn_from(seeds, st.lists(st.sampled_from(["halves", "whole", "d26", "draw"]), min_size=10, max_size=120))
def test_no_card_is_ever_in_two_places(seed: bytes, happens: list[str]) -> None:
    line = Line({}, seed)
    for one in happens:
        if one == "draw":
            line.play(attempt(RUNA, 1, 1))
        else:
            line.add(option("deck", one))
        own = game_state(line.table)
        own.check()
        for cards in own.cards.values():
            assert Counter((*cards.left(), *cards.discarded())) == Counter(french.DECK)


ACTS: st.SearchStrategy[ActName] = st.sampled_from(["engage", "guard", "advance", "stand", "other"])


@settings(max_examples=40, deadline=None)
@drawn_from(
    seeds,
    st.data(),
    st.sampled_from(["first_pc", "random", "gm"]),
    st.sampled_from(["player", "attacker"]),
)
def test_every_fight_can_be_played_on_and_folds_to_the_same(
    seed: bytes, data: st.DataObject, broken: str, checker: str
) -> None:
    line = Line({"loop_break": broken, "checker": checker}, seed)
    line.play(opening())
    here = line.table.conflicts[1]
    for _ in range(data.draw(st.integers(1, 4))):
        for who in able_fighters(line.table, here):
            act = data.draw(ACTS)
            others = [one for one in able_fighters(line.table, here) if one != who]
            target = data.draw(st.sampled_from(others)) if act in ("engage", "guard") and others else None
            if act == "engage" and target is None:
                act = "stand"
            say = sealed if data.draw(st.booleans()) else openly
            line.play(say(who, act, target, Words("Now.")))
        if conflict_state(here).phase.sealed:
            line.play(c.Reveal())
        while questions := pending(line.table, here):
            answer = data.draw(st.sampled_from(questions[0].answers))
            line.play(c.Rule(answer=answer, text=Words("So.")))
        line.play(Clash())
        while due := conflict_state(here).phase.open:
            line.play(check(due[0].checker, due[0].against(due[0].checker or 0)))

    # Nobody takes more than was dealt to them, and who has nothing left is out.
    for who in (RUNA, TOBIN, PIKE, HOOK, SLING):
        taken = [
            event.amount for event in line.events if isinstance(event, w.DamageDealt) and event.loser == who
        ]
        hp = game_state(line.table).sheets[who].hp
        assert hp == 30 - sum(taken)
        assert (who in game_state(line.table).down) == (hp <= 0)
    assert fold(LiveEvent(position, event) for position, event in enumerate(line.events, 1)) == line.table
    silent = fold(LiveEvent(position, wordless(event)) for position, event in enumerate(line.events, 1))
    assert silent.shelves == line.table.shelves
    assert silent.conflicts[1].state == here.state


def openly(who: int, act: ActName, target: int | None, text: Words) -> Command:
    return Declare(who=who, act=act, target=target, text=text)
