"""What holds of Bruise whatever is said: random lines in two conflicts at once, and all that is asked."""

from __future__ import annotations

from collections import Counter

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.bruise.commands import (
    Award,
    ChooseColour,
    Quality,
    SpendKarma,
    TieTo,
    Tilt,
)
from retold.games.bruise.rules import STATIONS, Potential
from retold.games.bruise.state import BruiseConflict, conflict_state, deck_name, game_state
from retold.journal.decks import french
from retold.journal.decks.chance import FirstDealer, Luck, SeededDealer
from retold.journal.language.proposed import available_actions
from retold.journal.line import LiveEvent, decide, evolve, fold
from retold.journal.refused import Refused
from retold.journal.system import Situation
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Command, Event, Words
from retold.projections.views import conflicts as pending
from retold.projections.views import decks, tracks
from tests.exploring import tries
from tests.scenario import cast, wordless

PEOPLE = range(1, 7)
JON, OMAR = 7, 8
WHY = Words("So it is.")
BRUISE = SYSTEMS["bruise"]

CAST: tuple[Event, ...] = (
    *cast("Zel", "Una", "Ned", "Guards"),
    e.CastIntroduced(person=5, name=Words("Rats"), role="side"),
    e.CastIntroduced(person=6, name=Words("A storm"), role="side"),
    *cast("Jon", "Omar", first=JON),
    *(e.PlayerSeated(person=who, player=JON) for who in (1, 2)),
    e.PlayerSeated(person=3, player=OMAR),
    e.SheetChanged(person=1, system="bruise", values={"clubs": 4, "melee": 2, "meme.spite": 3}),
    e.SheetChanged(person=2, system="bruise", values={"hearts": 20, "song": 15}),
    e.SheetChanged(person=3, system="bruise", values={"clubs": 1, "melee": 1}),
    e.SheetChanged(person=4, system="bruise", values={"spades": 30, "dodge": 25}),
)
"""Two characters of one player, one of another's, a sheet with huge ratings, and two without any."""

people = st.sampled_from(PEOPLE)
conflicts = st.sampled_from((None, None, 1, 2))
cards = st.sampled_from((*french.DECK[:6], *french.DECK[10:16], "joker", "_", "_"))
hands = st.lists(cards, min_size=1, max_size=4).map(tuple)
ranks = st.sampled_from(("0", "2", "9", "10", "J", "K", "A", "joker"))
potentials = st.sampled_from(("destiny", "fate"))
OPTIONS = [
    (option.key, value) for option in BRUISE.options for value in option.values if option.key != "difficulty"
] + [("difficulty", "drawn"), ("difficulty", "drawn"), ("difficulty", "static")]


@st.composite
def openings(draw: st.DrawFn) -> Command:
    """Two to four sides, of one or two each."""
    order = draw(st.permutations(PEOPLE))
    sizes = draw(st.lists(st.integers(1, 2), min_size=2, max_size=4).filter(lambda sizes: sum(sizes) <= 6))
    sides = tuple(tuple(order[sum(sizes[:at]) : sum(sizes[: at + 1])]) for at in range(len(sizes)))
    tied = draw(st.sampled_from((None, "destiny", "fate")))
    return c.OpenConflict(system="bruise", sides=sides, setup={"tied": tied} if tied else {})


def settings_of_numbers() -> st.SearchStrategy[Command]:
    """Rulings in the middle of whatever goes on."""
    one = st.builds(
        e.Setting,
        person=people,
        what=st.sampled_from(("karma-fate", "karma-destiny", "fate", "destiny", "legacy", "melee")),
        op=st.sampled_from(("=", "+=", "-=")),
        value=st.integers(0, 7),
    )
    joker = st.builds(
        e.Setting,
        person=st.none(),
        what=st.just("joker"),
        op=st.just("="),
        value=st.integers(0, 16),
    )
    return st.builds(c.Rule, sets=st.tuples(one | joker), text=st.just(WHY))


drawing = st.one_of(
    st.builds(c.Draw, who=people, count=st.integers(0, 6), conflict=conflicts),
    st.builds(c.Draw, who=people, count=st.integers(20, 54), conflict=conflicts),
    st.builds(c.Draw, who=people, conflict=conflicts),
    st.builds(
        c.Draw,
        who=people,
        traits=st.sampled_from(
            (("clubs", "melee"), ("spades", "dodge"), ("hearts", "song"), ("spite", "melee"))
        ),
        conflict=conflicts,
    ),
    hands.flatmap(
        lambda held: st.builds(
            c.Draw, who=people, count=st.just(len(held)), results=st.just(held), conflict=conflicts
        )
    ),
)
showing = st.one_of(
    st.builds(Quality, conflict=conflicts),
    st.builds(Quality, who=people, conflict=conflicts),
    st.builds(Quality, who=people, rank=ranks, conflict=conflicts),
    st.builds(
        Quality,
        who=people,
        rank=ranks,
        quantity=st.integers(0, 55),
        loser=st.none() | people,
        conflict=conflicts,
    ),
)
karma = st.one_of(
    st.builds(SpendKarma, who=people, potential=potentials, cards=hands, conflict=conflicts),
    st.builds(TieTo, who=st.lists(people, max_size=2).map(tuple), potential=potentials, conflict=conflicts),
    st.builds(Tilt, who=people, potential=potentials, by=st.integers(1, 6)),
)
talking = st.one_of(
    st.builds(c.Declare, who=people, text=st.just(WHY), conflict=conflicts),
    st.builds(c.Narrate, who=st.none() | st.just(GM) | people, text=st.just(WHY), conflict=conflicts),
    st.builds(ChooseColour, who=st.none() | people, suit=st.sampled_from(french.Suit), conflict=conflicts),
    st.builds(Award, who=people),
)
options = st.sampled_from(OPTIONS).map(lambda one: c.SetOption(values={f"bruise.{one[0]}": one[1]}))
around = st.one_of(
    st.builds(c.Rule, answer=people, text=st.just(WHY)),
    settings_of_numbers(),
    options,
    st.builds(c.End, what=st.just("conflict"), conflict=conflicts),
    st.builds(c.Shuffle, who=st.none() | people, conflict=conflicts),
    st.builds(c.Join, who=st.tuples(people), side=st.none() | people, conflict=conflicts),
    st.builds(c.Leave, who=st.tuples(people), conflict=conflicts),
    st.builds(c.Cast, who=people, by=st.sampled_from((JON, OMAR))),
    st.just(c.OpenSession()),
    st.just(c.End(what="session")),
)
lines = st.one_of(drawing, drawing, showing, showing, karma, talking, around)
moves = st.sampled_from(("propose", "propose", "propose", "say", "say", "undo"))
"""Whether one of the lines proposed is said, or any, or the last act is taken back."""


def meant(table: Table, command: Command) -> Command:
    """The same of somebody who is in the conflict, mostly: lines about others are soon refused."""
    here = table.conflicts.get(command.conflict or 0) or table.in_play()
    who = getattr(command, "who", None)
    if here is None or not isinstance(who, int) or who not in PEOPLE or who in here.people:
        return command
    return command.but({"who": here.people[who % len(here.people)]})


class Line:
    """A line of acts that may be taken back."""

    def __init__(self) -> None:
        self.acts: list[tuple[Event, ...]] = [CAST]
        self.table = self._folded()

    def _folded(self) -> Table:
        events = [event for act in self.acts for event in act]
        return fold(LiveEvent(position, event) for position, event in enumerate(events, 1))

    def say(self, command: Command) -> None:
        """What comes of it is added; where it is refused, nothing is."""
        luck = Luck(SeededDealer(b"whatever", len(self.acts), {}), getattr(command, "results", None))
        before = self.table.position
        try:
            events = decide(self.table, command, luck)
        except Refused as refusal:
            assert refusal.sentence.endswith((".", "?"))  # noqa: PT017 -- a sentence, and not a name of ours
            return
        assert events
        self.acts.append(tuple(events))
        for position, event in enumerate(events, before + 1):
            evolve(self.table, LiveEvent(position, event))

    def undo(self) -> None:
        """The last act counts no longer."""
        if len(self.acts) > 1:
            self.acts.pop()
            self.table = self._folded()


@settings(max_examples=tries(15), deadline=None)
@drawn_from(st.data())
def test_nothing_that_is_said_leaves_a_table_that_cannot_be(data: st.DataObject) -> None:
    line = Line()
    for option in data.draw(st.lists(options, max_size=3), label="options"):
        line.say(option)
    line.say(data.draw(openings(), label="line"))
    line.say(data.draw(openings(), label="line"))
    for _ in range(data.draw(st.integers(1, 40))):
        move = data.draw(moves)
        if move == "say":
            line.say(meant(line.table, data.draw(lines, label="line")))
        elif move == "propose" and (proposed := proposals(line.table)):
            line.say(data.draw(st.sampled_from(proposed), label="proposed"))
        elif move == "undo":
            line.undo()
        sound(line.table)
    events = [event for act in line.acts for event in act]
    assert fold(LiveEvent(at, event) for at, event in enumerate(events, 1)) == line.table
    gone = fold(LiveEvent(at, wordless(event)) for at, event in enumerate(events, 1))
    assert gone.shelves == line.table.shelves


def proposals(table: Table) -> list[Command]:
    """A line of each verb and person that is proposed; there is one for every conflict."""
    luck = Luck(FirstDealer())
    seen = [*available_actions(table, luck)]
    assert all(one.choices for one in seen if one.conflict is not None)
    several: dict[tuple[object, ...], list[Command]] = {}
    for one in (choice for each in seen for choice in each.choices):
        several.setdefault((type(one.command), one.who, one.command.conflict), []).append(one.command)
    found = [commands[len(commands) // 2] for commands in several.values()]
    assert all(decide(table, one, luck) for one in found)
    return found


def sound(table: Table) -> None:
    """Everything that may be asked is answered, and every number and card is where it can be."""
    luck = Luck(FirstDealer())
    for conflict in table.conflicts.values():
        assert BRUISE.turn(table, conflict)
        assert BRUISE.outlook(Situation(table, luck, SYSTEMS, conflict)) is not None
        _check_play(table, conflict)
        for fact in BRUISE.facts.values():
            for who in (None, *PEOPLE):
                fact.read(table, conflict, who)
    pending.pending_of(table)
    tracks.points_of(table)
    assert all(deck.whole for deck in decks.of(table).decks)
    _check_cards(table)
    _check_sheets(table)


def _check_play(table: Table, conflict: OpenConflict) -> None:
    state = conflict_state(conflict)
    here = {*conflict.people}
    assert {*state.hands, *state.shown, *state.due, *state.late, *state.declared} <= here
    assert not {*state.hands} & {*state.due}
    assert all(0 <= one.quality <= 15 for one in state.shown.values())
    assert all(one.quantity is None or 0 <= one.quantity <= 54 for one in state.results)
    assert all(one.quantity is None or one.quantity >= min(one.quality, 1) for one in state.results)
    assert all(one.quality >= one.against for one in state.results)
    _check_asked(table, conflict, state)


def _check_asked(table: Table, conflict: OpenConflict, state: BruiseConflict) -> None:
    """A tie is asked about as long as it stands, and each of its answers settles something."""
    questions = BRUISE.pending(table, conflict)
    assert bool(questions) == bool(state.ties)
    for question in questions:
        for answer in question.answers:
            ruling = c.Rule(answer=answer, question="tie", text=WHY, conflict=conflict.id)
            assert len(decide(table, ruling, Luck(FirstDealer()))) > 1


def _check_cards(table: Table) -> None:
    """Each card is in one place over all conflicts, and the decks know of every card in a hand."""
    held: Counter[tuple[int, str]] = Counter()
    for conflict in table.conflicts.values():
        for hand in conflict_state(conflict).hands.values():
            held.update((hand.owner, card) for card in hand.cards if card != french.UNSEEN)
    for owner, pile in game_state(table).piles.items():
        pile.check()
        for card, many in Counter(pile.cards).items():
            assert held[owner, card] <= many, (deck_name(owner), card)
            assert held[owner, card] <= len(pile.out.get(card, ())), (deck_name(owner), card)


def _check_sheets(table: Table) -> None:
    for sheet in game_state(table).sheets.values():
        assert sheet.wheel.destiny + sheet.wheel.fate == STATIONS
        assert all(0 <= sheet.karma[one] <= sheet.wheel.rating(one) for one in Potential)
        assert sheet.legacy >= 0
        assert all(0 <= rating <= 52 for rating in sheet.traits.values())
