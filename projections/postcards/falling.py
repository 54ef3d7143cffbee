"""What fell on the table, of the events that say so: cards drawn, dice thrown, dice put forward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from journal.decks import dice
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections import safe
from projections.postcards.value import Die, Fallen


def falls(event: object) -> bool:
    """True for an event that lays cards or dice on the table, and says no more than that."""
    return isinstance(event, e.CardsDrawn | e.DiceRolled)


def lying(events: Iterable[Event], names: Mapping[int, str]) -> tuple[Fallen, ...]:
    """What lies there after these events, heap by heap; dice that do not count are known by their total."""
    heaps: list[Fallen] = []
    for event in events:
        who = getattr(event, "who", None)
        name = safe.line(names.get(who, "")) if isinstance(who, int) else ""
        if isinstance(event, e.CardsDrawn):
            heaps.append(Fallen(name, cards=tuple(map(safe.line, event.cards))))
        elif isinstance(event, e.DiceRolled):
            heaps.append(Fallen(name, dice=_thrown(event)))
        elif isinstance(event, e.TotalReached):
            _count(heaps, event)
        elif forward := _put_forward(event):
            heaps.append(Fallen(name, dice=forward))
    return tuple(one for one in heaps if one.cards or one.dice)


def _thrown(event: e.DiceRolled) -> tuple[Die, ...]:
    return tuple(map(Die, dice.parse(event.dice), event.faces))


def _count(heaps: list[Fallen], event: e.TotalReached) -> None:
    if not event.saw or event.kept is None or not heaps:
        return
    last = heaps[-1]
    heaps[-1] = Fallen(
        last.who, dice=tuple(one._replace(counts=nth in event.kept) for nth, one in enumerate(last.dice, 1))
    )


def _put_forward(event: Event) -> tuple[Die, ...]:
    """Dice that somebody picks of those that lie there, where a total is said of them."""
    picked = getattr(event, "dice", None)
    if not isinstance(picked, tuple) or not hasattr(event, "total"):
        return ()
    return tuple(Die(None, face) for face in picked)
