from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.spacetime import events as s
from retold.games.spacetime.rules import LADDER, Balance, Level
from retold.games.spacetime.state import conflict_state, game_state
from retold.journal.decks.spacetime import DECK, upright
from retold.journal.line import LiveEvent, fold
from retold.journal.vocabulary import events as e
from tests.retold.games.spacetime.at_the_table import CAST, draw, opening, option
from tests.scenario import SeededLine


class Line(SeededLine):
    """A conflict played round after round by what a seed deals."""

    def __init__(self, parties: int, options: dict[str, str], seed: bytes) -> None:
        super().__init__(seed)
        self.add(*CAST, option("require_tactics", "no"))
        self.add(*(option(key, value) for key, value in options.items()))
        self.play(opening(*((party,) for party in range(1, parties + 1))))

    def rounds(self, number: int) -> None:
        """So many rounds, or as many as it takes to a victory."""
        for _ in range(number):
            if conflict_state(self.table.conflicts[1]).over:
                return
            self.play(draw())


lines = st.builds(
    Line,
    parties=st.integers(2, 4),
    options=st.fixed_dictionaries(
        {
            "reshuffle": st.sampled_from(["when_empty", "every_round"]),
            "multi_party": st.sampled_from(["all", "majority"]),
            "beats_table": st.sampled_from(["author", "numeric"]),
        }
    ),
    seed=st.binary(min_size=4, max_size=4),
)


@settings(max_examples=60, deadline=None)
@drawn_from(lines, st.integers(1, 30))
def test_the_balance_keeps_to_its_ladder_and_is_a_fold_of_the_flows(line: Line, number: int) -> None:
    line.rounds(number)
    flows = [event for event in line.events if isinstance(event, s.FlowResolved)]

    # Each flow begins where the one before ended, the first at balanced, and goes one step at most.
    stands = [Balance(), *(Balance(flow.level, flow.advantaged) for flow in flows)]
    assert stands[:-1] == [Balance(flow.level_before, flow.advantaged_before) for flow in flows]
    for one, next_ in pairwise(stands):
        assert abs(LADDER.index(one.level) - LADDER.index(next_.level)) <= 1
        assert one.advantaged in {None, next_.advantaged} or next_.level is Level.BALANCED
    assert conflict_state(line.table.conflicts[1]).standing == stands[-1]
    assert [event.who for event in line.events if isinstance(event, s.VictoryReached)] == [
        stand.advantaged for stand in stands if stand.level is Level.VICTORY
    ]


@settings(max_examples=60, deadline=None)
@drawn_from(lines, st.integers(1, 45))
def test_no_card_is_ever_in_two_places(line: Line, number: int) -> None:
    for _ in range(number):
        line.rounds(1)
        own = game_state(line.table)
        own.check()
        (deck,) = own.decks()
        left = own.pile.left() if own.pile else ()
        places = Counter((*left, *deck.discarded, *(card for _, hand in deck.hands for card in hand)))
        assert places == Counter(DECK)


@settings(max_examples=30, deadline=None)
@drawn_from(lines, st.integers(1, 45))
def test_between_two_shuffles_no_card_is_drawn_twice(line: Line, number: int) -> None:
    line.rounds(number)

    seen: set[str] = set()
    on_the_table: set[str] = set()
    for event in line.events:
        match event:
            case e.CardsDrawn(cards=cards):
                uprights = {upright(card) for card in cards}
                assert not uprights & seen
                seen |= uprights
                on_the_table |= uprights
            case s.RoundEnded():
                on_the_table = set()
            case s.ExcuseDiscarded():
                on_the_table.discard("Excuse")
            case e.DeckShuffled():
                seen = set(on_the_table)
            case _:
                pass


@settings(max_examples=30, deadline=None)
@drawn_from(lines, st.integers(1, 10))
def test_a_line_folded_anew_comes_to_the_same(line: Line, number: int) -> None:
    line.rounds(number)

    again = fold(LiveEvent(position, event) for position, event in enumerate(line.events, 1))
    assert again == line.table
