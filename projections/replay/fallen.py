"""What chance has just laid on the table: cards drawn, or dice thrown and what they came to."""

from __future__ import annotations

from typing import Any

from journal.decks import dice
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading import Reading
from projections.replay.board import Thing, faces_of

SWEPT = (e.SessionOpened, e.SessionClosed, e.SceneSet, e.SceneEnded)
"""The kinds with which the table is cleared."""

FALLING = (e.CardsDrawn, e.DiceRolled, e.TotalReached)
"""The kinds that say what chance gave, and what it comes to."""


def fallen(before: Thing | None, event: Event) -> Thing | None:
    """What lies there after an event, where that lay there before it."""
    if isinstance(event, SWEPT):
        return None
    if isinstance(event, e.CardsDrawn):
        return {"who": event.who, "cards": faces_of(event.cards)}
    if isinstance(event, e.DiceRolled):
        return {**_whose(event.who), "dice": _dice(event)}
    if isinstance(event, e.TotalReached):
        return _come_to(before, event)
    return before


def fallen_at(reading: Reading, position: int) -> Thing | None:
    """What lies there at a position of a line."""
    begins = max((at for at in reading.evenings.opened.values() if at <= position), default=0)
    fell = None
    kinds = tuple(kind.kind for kind in (*FALLING, *SWEPT))
    for one in reading.recorded(begins, position, kinds):
        if isinstance(one.event, Event):
            fell = fallen(fell, one.event)
    return fell


def _whose(who: int | None) -> dict[str, Any]:
    return {} if who is None else {"who": who}


def _dice(event: e.DiceRolled) -> tuple[Thing, ...]:
    """Each die and its face; one that shows no number of sides is a fudge die, whose sides are 0."""
    sizes = dice.parse(event.dice)
    return tuple({"sides": size, "face": face} for size, face in zip(sizes, event.faces, strict=False))


def _come_to(before: Thing | None, event: e.TotalReached) -> Thing:
    """The dice that lie there with what they came to; dice that nobody saw are not among them."""
    thrown = () if before is None or not event.saw else before.get("dice", ())
    counting = range(1, len(thrown) + 1) if event.kept is None else event.kept
    told = {
        "against": event.goal,
        "under": event.under or None,
        "whose": event.opponent,
        "margin": event.margin,
    }
    return {
        **_whose(event.who),
        "dice": tuple({**one, "kept": nth in counting} for nth, one in enumerate(thrown, 1)),
        "total": event.total,
        **{key: one for key, one in told.items() if one is not None},
    }
