"""How the report tells Space·Time."""

from __future__ import annotations

from typing import Final

from journal.systems.spacetime import events as s
from projections.prose.telling import Game, Outcome, Sentences, Tag, Telling, generated, numbers, words


def _outcome_desired(event: s.OutcomeDesired, _telling: Telling) -> Sentences:
    return words(Tag.DECLARATION, event.text, event.who, "wants")


_LEVELS: Final = {
    "unbalanced": "had the advantage",
    "overwhelming": "had an overwhelming advantage",
    "victory": "won",
}


def _flow_resolved(event: s.FlowResolved, telling: Telling) -> Sentences:
    return (telling.numbers(), *generated(_flow(event, telling)))


def _flow(event: s.FlowResolved, telling: Telling) -> str:
    if (event.level, event.advantaged) == (event.level_before, event.advantaged_before):
        return "Nothing changed between them."
    if event.advantaged is None:
        return "Nobody had the advantage any longer."
    return f"{telling.subject(event.advantaged)} {_LEVELS.get(event.level.value, 'had the advantage')}."


def _who_tells(event: s.FlowResolved, _telling: Telling) -> Outcome:
    return Outcome(event.order, each=True)


_STOPPED: Final = {"conceded": "conceded", "postponed": "put the matter off"}


def _conflict_stopped(event: s.ConflictStopped, telling: Telling) -> Sentences:
    said = words(
        Tag.DECLARATION, event.text, event.who, "concedes" if event.how == "conceded" else "postpones"
    )
    stopped = f"{telling.subject(event.who)} {_STOPPED[event.how]}."
    return (*(said or generated(stopped)), telling.numbers())


def _party_left(event: s.PartyLeft, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, "concedes and leaves")
    return (*(said or generated(f"{telling.subject(event.who)} conceded and left.")), telling.numbers())


def _reformulated(event: s.ConflictReformulated, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, "puts it anew")
    return (*(said or generated(f"{telling.subject(event.who)} put the conflict anew.")), telling.numbers())


def _complication_added(event: s.ComplicationAdded, _telling: Telling) -> Sentences:
    return words(Tag.NARRATION, event.text, event.who, "a complication")


def _draw_refused(event: s.DrawRefused, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, "refuses")
    return (*(said or generated(f"{telling.subject(event.who)} held back.")), telling.numbers())


def _drawing_stopped(event: s.DrawingStopped, telling: Telling) -> Sentences:
    return (telling.numbers(), *words(Tag.DECLARATION, event.text, event.who, "stops"))


def _challenge_met(event: s.ChallengeMet, telling: Telling) -> Sentences:
    came = "met the challenge" if event.outcome == "success" else "did not meet the challenge"
    return (telling.numbers(), *generated(f"{telling.subject(event.who)} {came}."))


def _meets(event: s.ChallengeMet, _telling: Telling) -> Outcome:
    return Outcome((event.who,))


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
        s.CostRaised: numbers,
        s.DrawRefused: _draw_refused,
        s.SleeveGained: numbers,
        s.DrawingStopped: _drawing_stopped,
        s.ChallengeMet: _challenge_met,
        s.NumberSet: numbers,
    },
    outcomes={s.FlowResolved: _who_tells, s.ChallengeMet: _meets},
    turn_ends=frozenset({s.RoundEnded, s.ConflictReformulated}),
)
"""Each party tells how a round went for it; a challenge is told by whoever met it."""
