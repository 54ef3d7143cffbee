"""Prose for Space·Time events, as reports tell them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retold.game import (
    GM,
    NOT_DUE,
    Beat,
    Due,
    Game,
    OpenConflict,
    Sentences,
    Tag,
    Telling,
    after_numbers,
    always,
    hoped,
    in_words,
    said,
    words,
)
from retold.games.spacetime import events as s
from retold.games.spacetime.state import SpacetimeConflict

_STOPPED: Final = {
    "conceded": in_words("spacetime.concedes", "spacetime.conceded"),
    "postponed": in_words("spacetime.postpones", "spacetime.postponed"),
}

_LEVELS: Final = {"overwhelming": "spacetime.far-ahead", "victory": "spacetime.victory"}


def _outcome_desired(event: s.OutcomeDesired, telling: Telling) -> Sentences:
    wish = words(Tag.DECLARATION, event.text, event.who, telling.say("spacetime.wants"))
    return hoped(tuple(sentence._replace(cue=telling.say("spacetime.hoping")) for sentence in wish), telling)


def _new_sides_worded(event: s.ConflictReformulated, _telling: Telling) -> Sentences:
    """Returns the text of new sides, told by the person together with their allies on the new side."""
    side = next((side for side in event.sides if event.who in side), ())
    allies = tuple(person for person in side if person != event.who)
    return tuple(
        sentence._replace(beside=allies) for sentence in words(Tag.DECLARATION, event.text, event.who)
    )


def _flow_resolved(event: s.FlowResolved, telling: Telling) -> Sentences:
    if (event.level, event.advantaged) == (event.level_before, event.advantaged_before):
        return telling.ours("spacetime.same-as-before")
    if event.advantaged is None:
        return telling.ours("spacetime.nobody-ahead")
    key = _LEVELS.get(event.level.value, "spacetime.ahead")
    return telling.ours(key, who=telling.who(event.advantaged))


def _stands(conflict: OpenConflict, telling: Telling) -> Sentences:
    """Returns a sentence on what the Balance came to, for a conflict without a winner."""
    state = conflict.state
    if not isinstance(state, SpacetimeConflict):
        return ()
    ahead = state.standing.advantaged
    if ahead is None:
        return telling.ours("spacetime.nobody-ahead")
    key = _LEVELS.get(state.standing.level.value, "spacetime.ahead")
    return telling.ours(key, who=telling.who(ahead))


def _flow_narrators(event: s.FlowResolved, telling: Telling) -> Due:
    return Due(event.order, each=True, tells_for=_allies(event.conflict, telling))


def _allies(conflict: int, telling: Telling) -> Mapping[int, int]:
    """Returns each participant's party, known by its first person; any ally may narrate."""
    there = telling.moment.table.conflicts.get(conflict)
    return {person: side[0] for side in there.sides for person in side} if there else {}


def _challenge_met(event: s.ChallengeMet, telling: Telling) -> Sentences:
    key = "spacetime.met" if event.outcome == "success" else "spacetime.not-met"
    return telling.ours(key, who=telling.who(event.who))


def _challenge_narrators(event: s.ChallengeMet, telling: Telling) -> Due:
    return Due((event.who,), tells_for=_allies(event.conflict, telling))


def _stop_narrators(event: s.PartyLeft | s.ConflictStopped, _telling: Telling) -> Due:
    """Returns the people who may narrate that a party gave up: its own or the game master."""
    return Due((event.who, GM)) if event.text is None else NOT_DUE


def _lead(event: s.FlowResolved, _telling: Telling) -> Beat | None:
    return None if event.advantaged == event.advantaged_before else Beat(2, "lead changes")


def _stopped(event: s.ConflictStopped, _telling: Telling) -> Beat | None:
    return Beat(3, "gave up") if event.how == "conceded" else None


GAME: Final = Game(
    tellers={
        s.OutcomeDesired: _outcome_desired,
        s.FlowResolved: after_numbers(_flow_resolved),
        s.ConflictStopped: lambda event, telling: _STOPPED[event.how](event, telling),
        s.PartyLeft: in_words("spacetime.leaves", "spacetime.left"),
        s.ConflictReformulated: in_words("spacetime.reformulates", "spacetime.reformulated"),
        s.ComplicationAdded: said(Tag.NARRATION, "spacetime.complication"),
        s.DrawRefused: in_words("spacetime.refuses-to-draw", "spacetime.refused-to-draw"),
        s.DrawingStopped: after_numbers(said(Tag.DECLARATION, "spacetime.stops-drawing")),
        s.ChallengeMet: after_numbers(_challenge_met),
    },
    wordings={s.ConflictReformulated: _new_sides_worded},
    due={
        s.FlowResolved: _flow_narrators,
        s.ChallengeMet: _challenge_narrators,
        s.PartyLeft: _stop_narrators,
        s.ConflictStopped: _stop_narrators,
    },
    beats={
        s.VictoryReached: always(3, "stakes decided"),
        s.ChallengeMet: always(3, "stakes decided"),
        s.PartyLeft: always(3, "gave up"),
        s.ConflictStopped: _stopped,
        s.FlowResolved: _lead,
    },
    turn_ends=frozenset({s.RoundEnded, s.ConflictReformulated}),
    rounds=frozenset({s.RoundEnded, s.ConflictReformulated}),
    concessions=frozenset({s.ConflictStopped, s.PartyLeft}),
    wishes=frozenset({s.OutcomeDesired}),
    standing=_stands,
    decisions={s.FlowResolved: lambda event: event.level.value == "victory"},
)
"""Each party narrates its part of a round; a challenge is narrated by its challenger."""
