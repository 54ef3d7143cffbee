"""How the report tells Guenašk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from journal.systems.guenask import events as g
from journal.vocabulary.base import GM
from projections.plain.ink import listed
from projections.prose.telling import (
    Game,
    Outcome,
    Sentences,
    Tag,
    Telling,
    generated,
    numbers,
    words,
)

Spoken = g.ApproachChosen | g.Escalated | g.Raised | g.Seen | g.StakesLost | g.Gave


def _told_with(sentence: Callable[[Any, Telling], str]) -> Callable[[Any, Telling], Sentences]:
    """Tells what somebody did in their own words, else in a sentence of ours; its dice beside it."""

    def tell(event: Spoken, telling: Telling) -> Sentences:
        said = words(Tag.DECLARATION, event.text, event.who)
        return (*(said or generated(sentence(event, telling))), telling.numbers())

    return tell


def _own_words(manner: str = "") -> Callable[[Any, Telling], Sentences]:
    """Tells what somebody said with it, if they said anything, and its dice."""
    return lambda event, telling: (
        *words(Tag.DECLARATION, event.text, event.who, manner),
        telling.numbers(),
    )


def _raised(event: g.Raised, telling: Telling) -> str:
    to = listed([telling.who(one) for one in event.to]) or "nobody"
    return f"{telling.subject(event.who)} raised against {to}."


_ANSWERED: Final = {"reverse": "turned it back on", "block": "held off", "blow": "took the blow from"}


def _seen(event: g.Seen, telling: Telling) -> str:
    return f"{telling.subject(event.who)} {_ANSWERED[event.how.value]} {telling.who(event.whose)}."


def _stakes_lost(event: g.StakesLost, telling: Telling) -> str:
    lost = "had no answer" if event.how == "unseen" else "had nothing left to say or do"
    return f"{telling.subject(event.who)} {lost}."


def _gave(event: g.Gave, telling: Telling) -> str:
    return f"{telling.subject(event.who)} gave up."


def _condition(event: g.ConditionNamed, telling: Telling) -> Sentences:
    return (*words(Tag.NOTE, event.text, event.who), telling.numbers())


def _cleared(event: g.FalloutCleared, telling: Telling) -> Sentences:
    return (*words(Tag.RULING, event.text, None), telling.numbers())


def _stakes(event: g.StakesSet, telling: Telling) -> Sentences:
    manner = "At stake" if event.who is None else "has at stake"
    return words(Tag.DECLARATION, event.text, event.who, manner)


def _died(event: g.CharacterDied, telling: Telling) -> Sentences:
    return (telling.numbers(), *generated(f"{telling.subject(event.who)} died."))


def _teller(event: Any, telling: Telling) -> Outcome:  # noqa: ANN401 -- several kinds
    """Whoever did it tells it, or the game master for who has no player; where words stand, nobody need."""
    if getattr(event, "text", None) is not None:
        return Outcome((), each=True)
    somebody = telling.moment.table.people.get(event.who)
    played = somebody is not None and somebody.player is not None
    return Outcome((event.who,) if played else (event.who, GM))


def _death(event: g.CharacterDied, telling: Telling) -> Outcome:
    return Outcome((event.who, GM))


GAME: Final = Game(
    tellers={
        g.StakesSet: _stakes,
        g.InitiatorNamed: numbers,
        g.ApproachChosen: _own_words(),
        g.Escalated: _own_words(),
        g.BroughtIn: _own_words(),
        g.TurnOrderSet: numbers,
        g.Raised: _told_with(_raised),
        g.Seen: _told_with(_seen),
        g.FalloutTaken: _own_words("takes it"),
        g.FalloutResisted: _own_words("resists"),
        g.RowFilled: numbers,
        g.ConditionNamed: _condition,
        g.StakesLost: _told_with(_stakes_lost),
        g.Gave: _told_with(_gave),
        g.StakesWon: numbers,
        g.FateDecided: numbers,
        g.CharacterDied: _died,
        g.FalloutCleared: _cleared,
        g.PoolSet: numbers,
        g.NumberSet: numbers,
    },
    outcomes={
        g.Raised: _teller,
        g.Seen: _teller,
        g.StakesLost: _teller,
        g.Gave: _teller,
        g.CharacterDied: _death,
    },
    turn_ends=frozenset({g.Raised}),
)
"""Dice and words go together here: whoever puts dice forward tells what they do."""
