"""Prose for Whiskey events, as reports tell them."""

from __future__ import annotations

from typing import Final

from retold.game import (
    GM,
    NOT_DUE,
    SILENCE,
    Beat,
    Due,
    Game,
    How,
    Sentences,
    Tag,
    Telling,
    after_numbers,
    always,
    how_hard,
    numbers,
    words,
)
from retold.games.whiskey import events as w
from retold.games.whiskey.rules import Act
from retold.games.whiskey.state import conflict_state, game_state

_ACTS: Final = {
    Act.ENGAGE: "whiskey.engages",
    Act.GUARD: "whiskey.guards",
    Act.ADVANCE: "whiskey.advances",
    Act.STAND: "whiskey.stands",
}


def _intent_declared(event: w.IntentDeclared, telling: Telling) -> Sentences:
    """Returns a declared intent as told: the player's text under a lead such as `attacks Gatto`.

    Without a text, returns the intent in notation.
    """
    return words(Tag.DECLARATION, event.text, event.who, _doing(event, telling)) or (telling.numbers(),)


def _doing(event: w.IntentDeclared, telling: Telling) -> str:
    if event.act is Act.OTHER:
        return telling.say("whiskey.acts")
    return telling.say(_ACTS[event.act], whom=None if event.target is None else telling.who(event.target))


def _check_made(event: w.CheckMade, telling: Telling) -> Sentences:
    """Returns a generated sentence on a check's success; none in a clash."""
    key = "whiskey.succeeded" if event.passed else "whiskey.failed"
    return SILENCE if event.clash else telling.ours(key, who=telling.who(event.who))


def _check_narrators(event: w.CheckMade, _telling: Telling) -> Due:
    """Returns the people who may narrate a check, the checker or the game master; none in a clash.

    A clash is narrated with its whole phase.
    """
    return Due((), each=True) if event.clash else Due((event.who, GM))


def _phase_ended(event: w.PhaseEnded, telling: Telling) -> Sentences:
    """Returns a generated passage on the phase's hits and the people who fell, or that none was hit.

    Without those that a narration tells.
    """
    struck: dict[tuple[int, How], list[str]] = {}
    conflict = telling.moment.table.conflicts.get(event.conflict)
    hits = [] if conflict is None else conflict_state(conflict).shown.hits
    out, sheets = _who_fell(event, telling), game_state(telling.moment.table).sheets
    fell = [who for who in out if who not in {*telling.tellers, *telling.told}]
    for hit in hits:
        is_told = hit.winner in telling.tellers or hit.loser in {*telling.tellers, *telling.told}
        if hit.landed and not is_told:
            sheet = sheets.get(hit.loser)
            whole = None if sheet is None or hit.loser in out else sheet.full
            how: How = "" if whole is None else how_hard(hit.amount, whole)
            struck.setdefault((hit.winner, how), []).append(telling.who(hit.loser))
    sentences = [
        telling.say("whiskey.hit", who=telling.who(who), whom=whom, how=how)
        for (who, how), whom in struck.items()
    ]
    if fell:
        sentences.append(telling.say("whiskey.fell", who=[telling.who(who) for who in fell]))
    if sentences:
        return telling.ours("whiskey.phase", events=sentences)
    return SILENCE if telling.tellers else telling.ours("whiskey.nobody-hit")


def _who_fell(event: w.PhaseEnded, telling: Telling) -> tuple[int, ...]:
    """Returns the people who were hit in a phase and are out of the fight."""
    conflict = telling.moment.table.conflicts.get(event.conflict)
    hits = [] if conflict is None else conflict_state(conflict).shown.hits
    down = game_state(telling.moment.table).down
    return tuple(who for who in dict.fromkeys(hit.loser for hit in hits if hit.landed) if who in down)


def _down(event: w.Incapacitated, telling: Telling) -> Sentences:
    """Returns a sentence on a person out of the fight, unless the end of a phase says it."""
    if _hits(event, telling):
        return SILENCE
    return telling.ours("whiskey.phase", events=[telling.say("whiskey.fell", who=[telling.who(event.who)])])


def _down_narrators(event: w.Incapacitated, telling: Telling) -> Due:
    return NOT_DUE if _hits(event, telling) else Due((event.who, GM))


def _hits(event: w.Incapacitated, telling: Telling) -> bool:
    """True if a blow of the phase that is ending put the person out of the fight."""
    conflict = telling.moment.table.conflicts.get(event.conflict or 0)
    hits = [] if conflict is None else conflict_state(conflict).phase.hits
    return any(hit.landed and hit.loser == event.who for hit in hits)


def _fallen(event: w.PhaseEnded, telling: Telling) -> Beat | None:
    return Beat(3, "out of the fight") if _who_fell(event, telling) else None


def _phase_narrators(event: w.PhaseEnded, telling: Telling) -> Due:
    """Returns the people who may narrate a phase: the game master or any participant.

    A narration tells one hit whoever it names, and of several those of its people.
    """
    conflict = telling.moment.table.conflicts.get(event.conflict)
    if conflict is None:
        return Due((GM,))
    landed = [hit for hit in conflict_state(conflict).shown.hits if hit.landed]
    return Due((GM, *conflict.people), in_parts=len(landed) > 1)


GAME: Final = Game(
    tellers={
        w.IntentDeclared: _intent_declared,
        w.IntentSealed: numbers,
        w.CheckMade: after_numbers(_check_made),
        w.PhaseEnded: after_numbers(_phase_ended),
        w.Incapacitated: after_numbers(_down),
    },
    due={
        w.CheckMade: _check_narrators,
        w.PhaseEnded: _phase_narrators,
        w.Incapacitated: _down_narrators,
    },
    never_silent=frozenset({w.PhaseEnded}),
    checks={w.CheckMade: lambda event, _telling: not event.clash},
    beats={w.Incapacitated: always(3, "out of the fight"), w.PhaseEnded: _fallen},
    turn_ends=frozenset({w.IntentDeclared, w.IntentSealed, w.ClashFormed}),
)
"""A phase, or a check outside clashes, is narrated once, by any participant or the game master."""
