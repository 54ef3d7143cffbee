"""How the report tells Guenašk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from journal.systems.guenask import events as g
from journal.vocabulary.base import GM
from projections.prose.telling import (
    Due,
    Game,
    Sentence,
    Sentences,
    Tag,
    Telling,
    as_sentence,
    numbers,
    words,
)

Spoken = g.ApproachChosen | g.Escalated | g.Raised | g.Seen | g.StakesLost | g.Gave


def _told_with(sentence: Callable[[Any, Telling], Sentences]) -> Callable[[Any, Telling], Sentences]:
    """Tells what somebody did in their own words, else in a sentence of ours; its dice beside it."""

    def tell(event: Spoken, telling: Telling) -> Sentences:
        said = words(Tag.DECLARATION, event.text, event.who)
        return (*(said or sentence(event, telling)), telling.numbers())

    return tell


def _own_words(manner: str = "") -> Callable[[Any, Telling], Sentences]:
    """Tells what somebody said with it, if they said anything, and its dice; `manner` is a phrase."""
    return lambda event, telling: (
        *words(Tag.DECLARATION, event.text, event.who, telling.say(manner) if manner else ""),
        telling.numbers(),
    )


def _raised(event: g.Raised, telling: Telling) -> Sentences:
    whom = [telling.who(one) for one in event.to]
    return telling.ours("guenask.raised", who=telling.who(event.who), whom=whom)


_ANSWERED: Final = {
    "reverse": "guenask.reversed",
    "block": "guenask.blocked",
    "blow": "guenask.took-the-blow",
}


def _seen(event: g.Seen, telling: Telling) -> Sentences:
    who, whom = telling.who(event.who), telling.who(event.whose)
    return telling.ours(_ANSWERED[event.how.value], who=who, whom=whom)


def _stakes_lost(event: g.StakesLost, telling: Telling) -> Sentences:
    key = "guenask.no-answer" if event.how == "unseen" else "guenask.nothing-left"
    return telling.ours(key, who=telling.who(event.who))


def _gave(event: g.Gave, telling: Telling) -> Sentences:
    return telling.ours("guenask.gave", who=telling.who(event.who))


def _condition(event: g.ConditionNamed, telling: Telling) -> Sentences:
    """What a full row means for somebody, in a sentence of ours: it has no verb of its own."""
    said = telling.ours("guenask.took-condition", who=telling.who(event.who), wording=str(event.text))
    return (*said, telling.numbers())


def _condition_worded(event: g.ConditionNamed, _telling: Telling) -> Sentences:
    return (Sentence(Tag.DECLARATION, as_sentence(str(event.text)), event.who),)


def _cleared(event: g.FalloutCleared, telling: Telling) -> Sentences:
    return (*words(Tag.RULING, event.text, None), telling.numbers())


def _stakes(event: g.StakesSet, telling: Telling) -> Sentences:
    manner = telling.say("guenask.at-stake" if event.who is None else "guenask.has-at-stake")
    return words(Tag.DECLARATION, event.text, event.who, manner)


def _died(event: g.CharacterDied, telling: Telling) -> Sentences:
    return (telling.numbers(), *telling.ours("guenask.died", who=telling.who(event.who)))


def _teller(event: Any, telling: Telling) -> Due:  # noqa: ANN401 -- several kinds
    """Whoever did it tells it, or the game master for who has no player; where words stand, nobody need."""
    if getattr(event, "text", None) is not None:
        return Due((), each=True)
    somebody = telling.moment.table.people.get(event.who)
    played = somebody is not None and somebody.player is not None
    return Due((event.who,) if played else (event.who, GM))


def _death(event: g.CharacterDied, telling: Telling) -> Due:
    return Due((event.who, GM))


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
        g.FalloutTaken: _own_words("guenask.takes-it"),
        g.FalloutResisted: _own_words("guenask.resists"),
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
    due={
        g.Raised: _teller,
        g.Seen: _teller,
        g.StakesLost: _teller,
        g.Gave: _teller,
        g.CharacterDied: _death,
    },
    turn_ends=frozenset({g.Raised}),
    wordings={g.ConditionNamed: _condition_worded},
    fragments=frozenset({g.StakesSet}),
    decisions=dict.fromkeys((g.StakesLost, g.Gave), bool),
)
"""Dice and words go together here: whoever puts dice forward tells what they do."""
