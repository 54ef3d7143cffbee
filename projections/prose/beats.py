"""Weights of events in a story: memorable acts, turning points, long speeches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import sqrt
from typing import Final

from retold.journal.decks import dice
from retold.journal.store.events.codec import Recorded
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Words
from retold.projections.prose import game
from retold.projections.prose.telling import Beat, Telling

REMEMBERED: Final = 3
"""Weight of turning points: a person is out, gave up or died, a clock is full, stakes are decided."""

GAVE_UP: Final = "gave up"
"""Reason for the weight of giving up."""

TURNED: Final = 2
"""Weight of what turns: the lead changes, severe harm, a refused compel, an extreme roll."""

TOLD: Final = 1
"""Weight of an act with many own words."""

MANY_WORDS: Final = 15
"""Own words from which an act has the weight `TOLD`."""

FEWEST_ROLLS: Final = 3
"""Rolls of a session from which one is its highest or its lowest."""

NOTHING: Final = Beat(0, "")


def weigh(telling: Telling, extremes: Mapping[int, str]) -> Beat:
    """Returns the weight of an event with its reason; weight 0 without a reason.

    `extremes` are the positions of the highest and lowest rolls, with words for them (`extreme_rolls`).
    """
    event = telling.moment.event
    weight = game(event.kind.partition(".")[0]).beats.get(type(event))
    found = None if weight is None else weight(event, telling)
    if found is not None:
        return found
    if telling.moment.position in extremes:
        return Beat(TURNED, extremes[telling.moment.position])
    text = getattr(event, "text", None)
    count = len(str(text).split()) if isinstance(text, Words) and text.text is not None else 0
    return Beat(TOLD, f"{count} own words") if count >= MANY_WORDS else NOTHING


def extreme_rolls(rolls: Iterable[Recorded]) -> Mapping[int, str]:
    """Returns the positions of the highest and the lowest of these rolls, with words for them.

    Rolls are compared by how far their dice lie from the average of such dice. Of equal rolls the first
    counts. Empty for fewer rolls than `FEWEST_ROLLS`.
    """
    found = [(_luck(recorded.event), recorded.position) for recorded in rolls]
    known = [(luck, position) for luck, position in found if luck is not None]
    if len(known) < FEWEST_ROLLS:
        return {}
    highest = max(known, key=lambda roll: (roll[0], -roll[1]))
    lowest = min(known)
    return {lowest[1]: "lowest roll of the session", highest[1]: "highest roll of the session"}


def _luck(event: object) -> float | None:
    """Returns how many standard deviations a roll lies above the average of its dice; None for no roll."""
    if not isinstance(event, e.DiceRolled):
        return None
    values = [[dice.face_value(face) for face in dice.faces(size)] for size in dice.parse_sizes(event.dice)]
    mean = sum(sum(faces) / len(faces) for faces in values)
    variance = sum(
        sum(face * face for face in faces) / len(faces) - (sum(faces) / len(faces)) ** 2 for faces in values
    )
    return (sum(event.faces) - mean) / sqrt(variance) if variance else None


_PEOPLE: Final = ("who", "winner", "loser", "whose", "target", "opponent", "person")
"""Fields of events with a person each."""


@cache
def _people_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(field for field in _PEOPLE if hasattr(kind, field))


def people_in(event: Event, table: Table) -> tuple[int, ...]:
    """Returns the people that an event names, without the game master."""
    named = (getattr(event, field) for field in _people_fields(type(event)))
    there = (person for person in named if isinstance(person, int) and person in table.people)
    return tuple(dict.fromkeys(person for person in there if person != GM))
