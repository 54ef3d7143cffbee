"""What chance has just laid on the table: cards drawn, or dice thrown and what they came to."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from journal.decks import dice
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading import Reading
from projections.replay.board import Thing, faces_of

SWEPT = (e.SessionOpened, e.SessionClosed, e.SceneSet, e.SceneEnded)
"""The kinds with which the table is cleared."""

OF_CARDS: Final = ("cards",)
OF_DICE: Final = ("dice", "total", "against", "under", "whose", "margin")
"""What is said of cards that fell, and of dice."""

FALLING = (e.CardsDrawn, e.DiceRolled, e.TotalReached)
"""The kinds that say what chance gave, and what it comes to."""


class Fell(NamedTuple):
    """What lies there, and the act that laid it."""

    thing: Thing | None = None
    act: str | None = None

    def after(self, event: Event, act: str) -> Fell:
        """What lies there after an event of an act.

        Cards and dice of one person in one act lie there together; all else is cleared away for what falls.
        """
        beside = self.thing if self.thing is not None and self.act == act else {}
        if isinstance(event, SWEPT):
            return Fell()
        if isinstance(event, e.CardsDrawn):
            told = {"who": event.who, "cards": faces_of(event.cards)}
            return Fell(told | _kept(beside, event.who, OF_DICE), act)
        if isinstance(event, e.DiceRolled):
            told = {**_whose(event.who), **_kept(beside, event.who, OF_CARDS), "dice": _dice(event)}
            return Fell(told, act)
        if isinstance(event, e.TotalReached):
            return Fell({**_come_to(self.thing, event), **_kept(beside, event.who, OF_CARDS)}, act)
        return self


def fallen_at(reading: Reading, position: int) -> Fell:
    """What lies there at a position of a line."""
    begins = max((at for at in reading.evenings.opened.values() if at <= position), default=0)
    fell = Fell()
    kinds = tuple(kind.kind for kind in (*FALLING, *SWEPT))
    for one in reading.recorded(begins, position, kinds):
        if isinstance(one.event, Event):
            fell = fell.after(one.event, one.envelope.act)
    return fell


def _kept(beside: Thing, who: int | None, fields: tuple[str, ...]) -> dict[str, Any]:
    """Those fields of what lies there already, where the same person has laid it."""
    return {key: beside[key] for key in fields if key in beside and beside.get("who") == who}


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
