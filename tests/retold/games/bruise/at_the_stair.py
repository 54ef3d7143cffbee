"""A stair, and who meets on it: Zel of Jon's, Ned of Omar's, Guards with a sheet, Rats without one."""

from __future__ import annotations

from retold.games.bruise import events as b
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.scenario import Story, cast, given

ZEL, NED, GUARDS, RATS = 1, 2, 3, 4
JON, OMAR = 5, 6
WHY = Words("So it is.")


def stair(**options: str) -> Story:
    """The cast, before any conflict; the Rats are a side without a sheet."""
    return given(
        *cast("Zel", "Ned", "Guards"),
        e.CastIntroduced(person=RATS, name=Words("Rats"), role="side"),
        *cast("Jon", "Omar", first=JON),
        e.PlayerSeated(person=ZEL, player=JON),
        e.PlayerSeated(person=NED, player=OMAR),
        e.SheetChanged(person=ZEL, system="bruise", values={"clubs": 4, "melee": 2}),
        e.SheetChanged(person=NED, system="bruise", values={"clubs": 1, "melee": 1}),
        e.SheetChanged(person=GUARDS, system="bruise", values={"dodge": 2, "spades": 3}),
        *(e.OptionSet(system="bruise", key=key, value=value) for key, value in options.items()),
    )


def against(*sides: int | tuple[int, ...], tied: str | None = None) -> c.OpenConflict:
    """A conflict of these, each a side alone unless they stand together."""
    grouped = tuple(side if isinstance(side, tuple) else (side,) for side in sides)
    return c.OpenConflict(system="bruise", sides=grouped, setup={"tied": tied} if tied else {})


def hand(who: int, *cards: str, conflict: int | None = None) -> c.Draw:
    """They draw these."""
    return c.Draw(who=who, count=len(cards), results=cards, conflict=conflict)


def showed(who: int, quality: int, quantity: int | None = None, conflict: int = 1) -> b.QualityDeclared:
    return b.QualityDeclared(conflict=conflict, who=who, quality=quality, quantity=quantity)


def won(
    winner: int,
    loser: int,
    quality: int,
    against: int,
    quantity: int | None,
    *colours: b.Suit,
    conflict: int = 1,
) -> b.HandWon:
    return b.HandWon(
        conflict=conflict,
        winner=winner,
        loser=loser,
        quality=quality,
        against=against,
        quantity=quantity,
        colours=colours,
    )


def tie(one: int, other: int, quality: int, *, redraw: bool = False) -> b.HandsTied:
    return b.HandsTied(conflict=1, one=one, other=other, quality=quality, redraw=redraw)
