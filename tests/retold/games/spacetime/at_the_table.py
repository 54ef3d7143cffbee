"""The people, lines and events that the tests of Space·Time speak of."""

from __future__ import annotations

from typing import Literal

from retold.games.spacetime import events as s
from retold.games.spacetime.facts import FACTS
from retold.games.spacetime.rules import Level, Result, Rule
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Value, Words
from tests.scenario import Story, cast, given

GM, ADA, BEA, CY, DEE = range(5)
CLIFF = CY
CAST = cast("Ada", "Bea", "Cy", "Dee")
WORDS = Words("Here I come.")


def option(key: str, value: str) -> e.OptionSet:
    return e.OptionSet(system="spacetime", key=key, value=value)


def opening(*sides: tuple[int, ...], **setup: Value) -> c.OpenConflict:
    return c.OpenConflict(system="spacetime", sides=sides or ((ADA,), (BEA,)), setup=setup)


def begun(*sides: tuple[int, ...], options: dict[str, str] | None = None, **setup: Value) -> Story:
    """A conflict is open; Ada against Bea, if nobody else is named."""
    chosen = [option(key, value) for key, value in (options or {}).items()]
    return given(*CAST, *chosen, opening(*sides, **setup))


def declare(who: int | None, **setup: Value) -> c.Declare:
    return c.Declare(who=who, text=WORDS, setup=setup)


def declared(who: int, **setup: Value) -> e.Declared:
    return e.Declared(who=who, text=WORDS, conflict=1, setup=setup)


def draw(who: int | None = None, results: str | None = None, count: int | None = None) -> c.Draw:
    return c.Draw(who=who, count=count, results=None if results is None else tuple(results.split()))


Purpose = Literal["flow", "narration", "obstacle", "challenge"]


def drawn(who: int, cards: str, purpose: Purpose = "flow", conflict: int = 1) -> e.CardsDrawn:
    return e.CardsDrawn(
        conflict=conflict, who=who, deck="spacetime", cards=tuple(cards.split()), purpose=purpose
    )


def narrate(who: int | None = None) -> c.Narrate:
    return c.Narrate(who=who, text=WORDS)


def narrated(who: int) -> e.Narrated:
    return e.Narrated(who=who, text=WORDS, conflict=1)


def pair(party: int, card: str, other: int, against: str, result: Result = Result.WIN) -> s.Compared:
    return s.Compared(party=party, card=card, other=other, against=against, result=result)


Standing = tuple[Level, int | None]
BALANCED: Standing = (Level.BALANCED, None)


def unbalanced(who: int) -> Standing:
    return Level.UNBALANCED, who


def overwhelming(who: int) -> Standing:
    return Level.OVERWHELMING, who


def flow(
    rule: Rule,
    before: Standing,
    after: Standing,
    *why: s.Compared,
    order: tuple[int, ...] = (ADA, BEA),
    number: int = 1,
) -> s.FlowResolved:
    return s.FlowResolved(
        conflict=1,
        round=number,
        rule=rule,
        level_before=before[0],
        advantaged_before=before[1],
        level=after[0],
        advantaged=after[1],
        why=why,
        order=order,
    )


def balance_set(standing: Standing, conflict: int = 1) -> s.BalanceSet:
    return s.BalanceSet(conflict=conflict, level=standing[0], advantaged=standing[1])


def shuffled(why: str, conflict: int = 1) -> e.DeckShuffled:
    return e.DeckShuffled(conflict=conflict, deck="spacetime", why=why)


def round_ended(number: int = 1) -> s.RoundEnded:
    return s.RoundEnded(conflict=1, round=number)


def ended(how: str, winner: int | None = None, text: Words | None = None) -> e.ConflictEnded:
    return e.ConflictEnded(conflict=1, how=how, winner=winner, text=text)


def tactics(*who: int) -> list[Event | Command]:
    return [declare(one) for one in who]


def told(story: Story, subject: str, who: int | None = None) -> tuple[str, ...]:
    """What a fact about the conflict in play says, of `who` if it is about somebody."""
    table = story.table
    return FACTS[subject].read(table, table.in_play(), who)
