"""Prose for Bruise events, as reports tell them."""

from __future__ import annotations

from typing import Final

from retold.game import Due, Game, Sentences, Tag, Telling, after_numbers, said, with_numbers
from retold.games.bruise import events as b
from retold.games.bruise.state import narrators


def _hand_won(event: b.HandWon, telling: Telling) -> Sentences:
    who, whom = telling.who(event.winner), telling.who(event.loser)
    return telling.ours("bruise.hand-won", who=who, whom=whom)


def _narrators(event: b.HandWon, telling: Telling) -> Due:
    return Due(narrators(telling.moment.table, event.winner))


GAME: Final = Game(
    tellers={
        b.HandWon: after_numbers(_hand_won),
        b.ConflictTied: with_numbers(said(Tag.RULING, by_nobody=True)),
        b.TurnMeasured: with_numbers(said(Tag.NARRATION, by_nobody=True)),
    },
    due={b.HandWon: _narrators},
    turn_ends=frozenset({b.TurnEnded}),
    never_silent=frozenset({b.HandWon}),
    notes={b.LegacyAwarded: "bruise.legacy", b.WheelTilted: "bruise.tilt"},
)
"""The winner of a hand narrates it; all other events are cards and points."""
