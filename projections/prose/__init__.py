"""The voices: one way of telling each, and one explicit list of them and of the games they know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from journal.vocabulary.base import Event
from projections.prose import bruise, edgerunner, guenask, shared, spacetime, whiskey
from projections.prose.telling import Game, Sentence, Sentences, Tag, Teller, Telling, numbers

GAMES: Mapping[str, Game] = {
    "": shared.GAME,
    "spacetime": spacetime.GAME,
    "whiskey": whiskey.GAME,
    "edgerunner": edgerunner.GAME,
    "bruise": bruise.GAME,
    "guenask": guenask.GAME,
}
"""What is known of each system, by its name; the nameless one is the table. One not here is told plainly."""

_TELLERS: Mapping[type[Event], Teller] = {
    kind: teller for game in GAMES.values() for kind, teller in game.tellers.items()
}

OUTCOMES = {kind: outcome for game in GAMES.values() for kind, outcome in game.outcomes.items()}
"""Every kind that wants telling, and who may tell it."""

TURN_ENDS = frozenset(kind for game in GAMES.values() for kind in game.turn_ends)
"""Every kind after which a narration speaks of something new."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One way of telling a moment."""

    name: str
    about: str
    tell: Callable[[Telling], Sentences]
    as_recorded: bool = False
    """True for a voice that leaves everything where it was recorded, also what was struck."""


def report(telling: Telling) -> Sentences:
    """Third person, past tense, neutral, and people's own words; what it has no words for, plainly."""
    event = telling.moment.event
    return _TELLERS.get(type(event), numbers)(event, telling)


def plain(telling: Telling) -> Sentences:
    """The notation of the event, always complete."""
    spoken = type(telling.moment.event) in shared.SPOKEN
    return (Sentence(Tag.NOTATION if spoken else Tag.MECHANICS, telling.notation()),)


VOICES: Mapping[str, Voice] = {
    voice.name: voice
    for voice in (
        Voice("report", "third person, past tense, neutral; what people told, as they told it", report),
        Voice("plain", "the notation of every event, complete", plain, as_recorded=True),
    )
}
"""Every voice by its name; the first is spoken where nobody chose."""
