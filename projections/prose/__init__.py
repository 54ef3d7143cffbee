"""The voices: one way of telling each, and one explicit list of them and of the games they know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from journal.refused import Refused
from journal.vocabulary.base import Event
from journal.vocabulary.events import NarrationOverruled
from projections.prose import bruise, edgerunner, guenask, shared, spacetime, whiskey
from projections.prose.phrases import ENGLISH, LANGUAGE, Phrases, table
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

FRAGMENTS = frozenset(kind for game in GAMES.values() for kind in game.fragments)
"""Every kind whose words say nothing without what stands before them."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One way of telling a moment, the words it has of its own, and how a page looks that it tells.

    `base` is the voice it is made from, its own name for one of ours. `mechanics` is where they stand if
    nobody says otherwise, `quotes` the marks around what is spoken.
    """

    name: str
    about: str
    tell: Callable[[Telling], Sentences]
    base: str
    phrases: Phrases = ENGLISH
    lang: str = LANGUAGE
    mechanics: str = "folded"
    quotes: tuple[str, str] = ("“", "”")
    as_recorded: bool = False
    """True for a voice that leaves everything where it was recorded, also what was struck."""
    story: bool = False
    """True for a voice of people's own words alone: running text under the headings of scenes."""
    stage: bool = False
    """True for a voice in which narration that nobody speaks is a stage direction."""


def report(telling: Telling) -> Sentences:
    """Third person, past tense, neutral, and people's own words; what it has no words for, plainly."""
    event = telling.moment.event
    return _TELLERS.get(type(event), numbers)(event, telling)


def plain(telling: Telling) -> Sentences:
    """The notation of the event, always complete."""
    spoken = type(telling.moment.event) in shared.SPOKEN
    return (Sentence(Tag.NOTATION if spoken else Tag.MECHANICS, telling.notation()),)


STORY: Final = frozenset({Tag.NARRATION, Tag.DECLARATION, Tag.SPEECH, Tag.EDIT, Tag.MECHANICS})
"""What a story is made of; its mechanics stand beside it, where somebody wants them."""


def prose(telling: Telling) -> Sentences:
    """What people narrated, declared and said, and nothing of ours; what a roll is for is no story."""
    event = telling.moment.event
    if isinstance(event, NarrationOverruled) and event.how != "edit":
        return (telling.numbers(),)
    kept = STORY - {Tag.DECLARATION} if type(event) in FRAGMENTS else STORY
    return tuple(one for one in report(telling) if one.tag in kept)


VOICES: Mapping[str, Voice] = {
    voice.name: voice
    for voice in (
        Voice(
            "report", "third person, past tense, neutral; what people told, as they told it", report, "report"
        ),
        Voice("plain", "the notation of every event, complete", plain, "plain", as_recorded=True),
        Voice(
            "script",
            "names in capitals before what they say or do, dice on their own line",
            report,
            "script",
            Phrases(partial(table, "script")),
            mechanics="inline",
            stage=True,
        ),
        Voice(
            "prose",
            "only what people narrated, declared and said, as running text",
            prose,
            "prose",
            Phrases(partial(table, "prose")),
            mechanics="none",
            story=True,
        ),
    )
}
"""Every voice by its name; the first is spoken where nobody chose."""


def voice_of(voice: Voice | str) -> Voice:
    """A voice itself, or one of ours by its name; Refused if there is none of that name."""
    if isinstance(voice, Voice):
        return voice
    if voice not in VOICES:
        raise Refused(f"There is no voice {voice}. There are: {', '.join(VOICES)}.")
    return VOICES[voice]
