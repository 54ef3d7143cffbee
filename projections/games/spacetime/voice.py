"""How the report tells Space·Time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from journal.systems.spacetime import events as s
from projections.prose.telling import Due, Game, Sentences, Tag, Telling, numbers, words


def _outcome_desired(event: s.OutcomeDesired, telling: Telling) -> Sentences:
    return words(Tag.DECLARATION, event.text, event.who, telling.say("spacetime.wants"))


_LEVELS: Final = {"overwhelming": "spacetime.far-ahead", "victory": "spacetime.victory"}


def _flow_resolved(event: s.FlowResolved, telling: Telling) -> Sentences:
    return (telling.numbers(), *_flow(event, telling))


def _flow(event: s.FlowResolved, telling: Telling) -> Sentences:
    if (event.level, event.advantaged) == (event.level_before, event.advantaged_before):
        return telling.ours("spacetime.same-as-before")
    if event.advantaged is None:
        return telling.ours("spacetime.nobody-ahead")
    key = _LEVELS.get(event.level.value, "spacetime.ahead")
    return telling.ours(key, who=telling.who(event.advantaged))


def _who_tells(event: s.FlowResolved, telling: Telling) -> Due:
    return Due(event.order, each=True, tells_for=_allies(event.conflict, telling))


def _allies(conflict: int, telling: Telling) -> Mapping[int, int]:
    """The party of everybody in the conflict: any of it may tell its part."""
    there = telling.moment.table.conflicts.get(conflict)
    return {person: side[0] for side in there.sides for person in side} if there else {}


_STOPPED: Final = {
    "conceded": ("spacetime.concedes", "spacetime.conceded"),
    "postponed": ("spacetime.postpones", "spacetime.postponed"),
}


def _conflict_stopped(event: s.ConflictStopped, telling: Telling) -> Sentences:
    return _in_words(event, *_STOPPED[event.how], telling)


def _party_left(event: s.PartyLeft, telling: Telling) -> Sentences:
    return _in_words(event, "spacetime.leaves", "spacetime.left", telling)


def _reformulated(event: s.ConflictReformulated, telling: Telling) -> Sentences:
    return _in_words(event, "spacetime.reformulates", "spacetime.reformulated", telling)


def _draw_refused(event: s.DrawRefused, telling: Telling) -> Sentences:
    return _in_words(event, "spacetime.refuses-to-draw", "spacetime.refused-to-draw", telling)


Deed = s.ConflictStopped | s.PartyLeft | s.ConflictReformulated | s.DrawRefused


def _in_words(event: Deed, does: str, did: str, telling: Telling) -> Sentences:
    """What a party does in its own words, else in a sentence of ours, and its mechanics."""
    said = words(Tag.DECLARATION, event.text, event.who, telling.say(does))
    return (*(said or telling.ours(did, who=telling.who(event.who))), telling.numbers())


def _complication_added(event: s.ComplicationAdded, telling: Telling) -> Sentences:
    return words(Tag.NARRATION, event.text, event.who, telling.say("spacetime.complication"))


def _drawing_stopped(event: s.DrawingStopped, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, telling.say("spacetime.stops-drawing"))
    return (telling.numbers(), *said)


def _challenge_met(event: s.ChallengeMet, telling: Telling) -> Sentences:
    key = "spacetime.met" if event.outcome == "success" else "spacetime.not-met"
    return (telling.numbers(), *telling.ours(key, who=telling.who(event.who)))


def _meets(event: s.ChallengeMet, telling: Telling) -> Due:
    return Due((event.who,), tells_for=_allies(event.conflict, telling))


GAME: Final = Game(
    tellers={
        s.BalanceSet: numbers,
        s.OutcomeDesired: _outcome_desired,
        s.TokensGiven: numbers,
        s.FlowResolved: _flow_resolved,
        s.ExcuseDiscarded: numbers,
        s.VictoryReached: numbers,
        s.RoundEnded: numbers,
        s.ConflictStopped: _conflict_stopped,
        s.PartyLeft: _party_left,
        s.ConflictReformulated: _reformulated,
        s.ComplicationAdded: _complication_added,
        s.ComplicationsLeft: numbers,
        s.CostRaised: numbers,
        s.DrawRefused: _draw_refused,
        s.SleeveGained: numbers,
        s.DrawingStopped: _drawing_stopped,
        s.ChallengeMet: _challenge_met,
        s.NumberSet: numbers,
    },
    due={s.FlowResolved: _who_tells, s.ChallengeMet: _meets},
    turn_ends=frozenset({s.RoundEnded, s.ConflictReformulated}),
    rounds=frozenset({s.RoundEnded, s.ConflictReformulated}),
    fragments=frozenset({s.OutcomeDesired}),
    concessions=frozenset({s.ConflictStopped, s.PartyLeft}),
    decisions={s.FlowResolved: lambda event: event.level.value == "victory"},
)
"""Each party tells how a round went for it; a challenge is told by whoever met it."""
