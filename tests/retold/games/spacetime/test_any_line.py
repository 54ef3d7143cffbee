"""Whatever a table does, over several conflicts on the one deck: nothing breaks, and no card is lost."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from hypothesis import Phase, settings
from hypothesis import given as drawn_from
from hypothesis import strategies as st

from retold.games.spacetime.commands import (
    AddComplication,
    DesireOutcome,
    Postpone,
    Reformulate,
    Stop,
    pending,
    turn,
    waiting,
)
from retold.games.spacetime.facts import FACTS
from retold.games.spacetime.options import OPTIONS
from retold.games.spacetime.state import Mode, conflict_state, game_state, place_of_cards
from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.decks.spacetime import deck, upright
from retold.journal.language.proposed import available_actions
from retold.journal.line import LiveEvent, decide, fold
from retold.journal.refused import Refused
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event
from retold.projections import plain
from retold.projections.prose.telling import Called, body
from retold.projections.story import status_line
from retold.projections.views import balance
from tests.exploring import tries
from tests.retold.games.spacetime.at_the_table import WORDS, opening, option
from tests.scenario import cast

UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""A seed that is smaller is another evening, and no shorter one."""

PEOPLE = range(1, 9)
PLAYERS = (9, 10)
CARDS = deck("suits")


class Evening:
    """A line that grows by whatever a random table says, and is taken back now and then."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        people = cast("Ada", "Bea", "Cy", "Dee", "Eli", "Flo", "Gus", "Hal")
        players = cast("Pa", "Pb", first=9)
        seats = [
            e.PlayerSeated(person=person, player=player)
            for person, player in ((1, 9), (2, 9), (3, 10), (0, 10))
        ]
        free = [option("require_tactics", "no"), *([option("stop_scope", "party")] if seed % 3 else ())]
        self.acts: list[list[Event]] = [[*people, *players, *(seats if seed % 4 == 0 else ()), *free]]
        self.dealer = SeededDealer(seed.to_bytes(8), 1, {})
        self.table = self.folded()

    def folded(self) -> Table:
        events = (event for act in self.acts for event in act)
        return fold(LiveEvent(position, event) for position, event in enumerate(events, 1))

    def step(self) -> None:
        if self.random.random() < 0.05 and len(self.acts) > 1:
            self.acts.pop()
            self.table = self.folded()
            return
        command = self.command()
        luck = Luck(self.dealer, getattr(command, "results", None))
        try:
            events = decide(self.table, command, luck)
        except Refused:
            return
        before = sum(map(len, self.acts))
        fold((LiveEvent(before + number, event) for number, event in enumerate(events, 1)), self.table)
        self.acts.append(events)

    def command(self) -> Command:
        if self.random.random() > 0.2 + 0.35 * len(self.table.conflicts):
            return _open(self)
        command = self.random.choice(WISHES)(self)
        if self.random.random() < 0.5:
            seen = available_actions(self.table, Luck(self.dealer))
            lines = [one.command for outlook in seen for one in (*outlook.choices, *outlook.beside)]
            command = self.random.choice(lines or [command])
        if isinstance(command, ENDINGS) and self.random.random() < 0.85:
            command = c.Draw()
        return self.addressed(self.spoken(command))

    def spoken(self, command: Command) -> Command:
        """The line with words of somebody's, where an outlook leaves them open."""
        return command.but({"text": WORDS}) if getattr(command, "text", None) is not None else command

    def addressed(self, command: Command) -> Command:
        if len(self.table.conflicts) > 1 and self.random.random() < 0.5:
            return command.but({"conflict": self.random.choice(list(self.table.conflicts))})
        return command

    def who(self) -> int:
        """Somebody of a conflict, or now and then anybody."""
        there: list[int] = [
            person for conflict in self.table.conflicts.values() for person in conflict.people
        ]
        if there and self.random.random() < 0.8:
            return self.random.choice(there)
        anybody: list[int] = [0, *PEOPLE, *PLAYERS]
        return self.random.choice(anybody)

    def anyone(self) -> int | None:
        return None if self.random.random() < 0.3 else self.who()

    def sides(self) -> tuple[tuple[int, ...], ...]:
        people = self.random.sample(PEOPLE, self.random.randint(2, 7))
        parties = self.random.randint(2, min(5, len(people)))
        return tuple(tuple(people[number::parties]) for number in range(parties))

    def setup(self, sides: tuple[tuple[int, ...], ...]) -> dict[str, int | str]:
        named = self.random.choice(sides)[0]
        match self.random.randrange(6):
            case 0 | 1:
                return {}
            case 2:
                return {"balance": f"{self.random.choice(('unbalanced', 'overwhelming'))}:{named}"}
            case 3:
                return {"obstacle": named}
            case 4:
                return {"obstacle": named, "mode": "draw_until_success"}
            case _:
                return {"obstacle": named, "mode": "challenge", "rank": self.random.randrange(10)}

    def cards(self) -> tuple[str, ...] | None:
        if self.random.random() < 0.6:
            return None
        number = self.random.choice((1, 1, 2, 2, 3, 4, 5))
        return tuple(card + self.random.choice(("", ":r")) for card in self.random.sample(CARDS, number))


def _open(evening: Evening) -> Command:
    sides = evening.sides()
    return opening(*sides, **evening.setup(sides))


def _reformulate(evening: Evening) -> Command:
    sides = evening.sides() if evening.random.random() < 0.6 else ()
    setup = evening.setup(sides) if sides and evening.random.random() < 0.4 else {}
    return Reformulate(who=evening.who(), sides=sides, setup=setup)


def _option(evening: Evening) -> Command:
    chosen = evening.random.choice(OPTIONS)
    return c.SetOption(values={f"spacetime.{chosen.key}": evening.random.choice(chosen.values)})


def _ruling(evening: Evening) -> Command:
    who = evening.who()
    level = evening.random.choice(("balanced", f"unbalanced:{who}", f"overwhelming:{who}", f"victory:{who}"))
    setting = evening.random.choice(
        (
            e.Setting(person=None, what="balance", op="=", value=level),
            e.Setting(person=who, what="tokens", op="+=", value=1),
            e.Setting(person=who, what="sleeve", op="=", value=2),
        )
    )
    return c.Rule(sets=(setting,), text=WORDS)


def _draw(evening: Evening) -> Command:
    text = WORDS if evening.random.random() < 0.2 else None
    return c.Draw(who=evening.anyone(), results=evening.cards(), text=text)


def _end(evening: Evening) -> Command:
    how = evening.random.choice((None, "stalemate", "victory"))
    winner = evening.who() if how == "victory" else None
    return c.End(what=evening.random.choice(("conflict", "conflict", "session")), how=how, winner=winner)


def _join(evening: Evening) -> Command:
    leads = [lead for conflict in evening.table.conflicts.values() for lead in conflict.leads]
    return c.Join(who=(evening.random.choice(PEOPLE),), side=evening.random.choice((None, *leads)))


def _leave(evening: Evening) -> Command:
    """The first of a party of several, where there is one: what it has goes to the next."""
    large = [side for conflict in evening.table.conflicts.values() for side in conflict.sides if side[1:]]
    return c.Leave(who=(evening.random.choice(large)[0] if large else evening.who(),))


ENDINGS = (c.Concede, Postpone, c.End, c.OpenSession, c.SetOption)
"""What is said seldom, or no conflict would ever come to anything."""

Wish = Callable[[Evening], Command]
WISHES: tuple[Wish, ...] = (
    *(_draw,) * 8,
    *(lambda _: c.Draw(),) * 5,
    *(lambda one: c.Declare(who=one.anyone(), text=WORDS),) * 2,
    lambda one: c.Declare(who=one.anyone(), text=WORDS, setup={"rock": one.random.randrange(1, 6)}),
    *(lambda one: c.Narrate(who=one.anyone(), text=WORDS),) * 2,
    lambda one: c.Overrule(by=one.who(), whose=one.who(), text=WORDS, veto=one.random.random() < 0.3),
    lambda one: c.Overrule(by=one.who(), whose=one.who(), text=WORDS, own=True),
    lambda one: DesireOutcome(who=one.who(), text=WORDS),
    _reformulate,
    lambda one: Postpone(who=one.anyone()),
    lambda one: c.Concede(who=one.anyone()),
    lambda one: c.Refuse(who=one.anyone()),
    lambda one: Stop(who=one.anyone()),
    *(lambda one: AddComplication(who=one.anyone(), text=WORDS),) * 3,
    lambda _: c.Shuffle(),
    lambda _: c.OpenSession(),
    _option,
    _option,
    _ruling,
    lambda one: c.Rule(answer=one.random.choice(("success", "failure")), text=WORDS),
    _end,
    _join,
    _join,
    *(_leave,) * 3,
    lambda one: c.Leave(who=tuple({one.who(), one.who()})),
)


# --- what holds at any time -------------------------------------------------------------------------------


def check(table: Table) -> None:
    """Every card is in one place, and everything there is to ask has an answer."""
    own = game_state(table)
    own.check()
    for shown in own.decks():
        held = [card for _, hand in shown.hands for card in hand]
        everywhere = Counter((*(own.pile.left() if own.pile else ()), *shown.discarded, *held))
        assert everywhere == Counter(shown.cards)
    for conflict in table.conflicts.values():
        if conflict.system == "spacetime":
            check_conflict(table, conflict)
    assert waiting(table) is not None
    assert list(available_actions(table, Luck(SeededDealer(b"look", 1, {})))) or not table.conflicts
    balance.of_table(table)


def check_conflict(table: Table, conflict: OpenConflict) -> None:
    state = conflict_state(conflict)
    assert state.leads == conflict.leads
    assert set(state.round.hands) <= set(conflict.leads)
    assert set(state.round.order) <= set(conflict.leads)
    assert state.standing.advantaged in {None, *conflict.leads}
    assert state.obstacle is None or state.obstacle in conflict.leads
    assert all(state.owed(party) >= 0 for party in conflict.leads)
    check_hands(table, conflict)
    assert turn(table, conflict)
    assert pending(table, conflict) is not None
    assert status_line.of(table, conflict) is not None
    for subject, fact in FACTS.items():
        for who in (0, *PEOPLE) if fact.of_person else (None,):
            assert fact.read(table, conflict, who) is not None, subject


def check_hands(table: Table, conflict: OpenConflict) -> None:
    """What somebody has before them is where the deck says it is."""
    state, pile = conflict_state(conflict), game_state(table).pile
    for party, hand in state.round.hands.items():
        there = pile.held(place_of_cards(conflict.id, party)) if pile else ()
        excused = {"Excuse"} if state.round.excused == party else set()
        assert {upright(card) for card in hand} - excused <= set(there)
    if state.mode is Mode.CHALLENGE and state.challenge is not None and pile is not None:
        drawn = {upright(card) for card in state.challenge.drawn} - {"Excuse"}
        assert drawn <= {
            card for party in conflict.leads for card in pile.held(place_of_cards(conflict.id, party))
        }


@settings(max_examples=tries(6), deadline=None, phases=UNSHRUNK)
@drawn_from(st.integers(0, 2**32), st.integers(20, 90))
def test_whatever_a_table_does_nothing_breaks_and_no_card_is_in_two_places(seed: int, steps: int) -> None:
    evening = Evening(seed)

    for _ in range(steps):
        evening.step()
        check(evening.table)
    assert evening.folded() == evening.table


@settings(max_examples=8, deadline=None, phases=UNSHRUNK)
@drawn_from(st.integers(0, 2**32))
def test_whatever_happened_is_noted_in_words(seed: int) -> None:
    evening = Evening(seed)

    for _ in range(60):
        evening.step()
    names = Called(evening.table)
    for event in (event for act in evening.acts for event in act):
        payload, texts = body(event)
        conflict = getattr(event, "conflict", None)
        line = plain.line(type(event).kind, payload, texts.__getitem__, names, conflict=conflict, known=True)
        assert "somebody (" not in line
