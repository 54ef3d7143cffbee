"""Prose for events of a homebrew game (rules from a game file), as reports tell them."""

from __future__ import annotations

import re
from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.rules import Kind
from retold.games.homebrew.state import shelf
from retold.journal.system import COUNTED
from retold.journal.table import OpenConflict
from retold.journal.vocabulary.base import GM
from retold.projections.prose.shared import won
from retold.projections.prose.telling import (
    NOT_DUE,
    SILENCE,
    Beat,
    Due,
    Game,
    Harm,
    How,
    Sentence,
    Sentences,
    Tag,
    Telling,
    after_numbers,
    as_sentence,
    gives_a_cause,
    how_hard,
    is_label,
    numbers,
    opening_words,
    said,
    skilled,
    told_of,
    words,
)


def _move_made(event: h.MoveMade, telling: Telling) -> Sentences:
    """Returns the sentence that the game's file has for a move's result.

    Without such a sentence, a generated one names the result; none if the move has no result.
    """
    who = telling.who(event.who)
    if event.result is None:
        return SILENCE
    target = None if event.target is None else telling.who(event.target)
    said = _file_text(event, telling)
    if said is not None:
        told = _named(said, telling).replace("{target}", target or telling.say("homebrew.nobody"))
        return (Sentence(Tag.GENERATED, told.replace("{who}", who)),)
    hit = _hit(event, telling)
    if hit is not None and target is not None:
        if hit.is_missed:
            return telling.ours("table.missed", who=target, by=who)
        return telling.ours("table.hit", who=target, by=who, how="", turn=0, body=True, means="")
    passed = event.result.endswith("success")
    if done := skilled(telling.purpose, who, target or "", telling, passed=passed):
        return (Sentence(Tag.GENERATED, as_sentence(telling.phrases.language.capitalised(done))),)
    key = "homebrew.result" if target is None else "homebrew.result-against"
    move, result = _named(event.move, telling), _named(event.result, telling)
    test = "" if "text" in telling.moment.command else telling.say("homebrew.test", stat=event.stat)
    return telling.ours(key, who=who, move=move, target=target or "", result=result, test=test)


def _named(name: str, telling: Telling) -> str:
    """Returns a name of the game's file in the voice's words, if it has any for it."""
    return telling.phrases.named("homebrew", name)


def _file_text(event: h.MoveMade, telling: Telling) -> str | None:
    move = shelf(telling.moment.table).game.moves.get(event.move)
    bands = () if move is None else move.bands
    return next((band.says for band in bands if band.name == event.result), None)


def _track_changed(event: h.TrackChanged, telling: Telling) -> Sentences:
    said = _caused(event, telling) if _is_cause(event) else told_of(event.who, event.text, telling)
    if not said and event.by is not None:
        said = _hurt(event, telling) if event.move is not None else _gift(event, telling)
    if event.track in COUNTED:
        return telling.with_numbers(event.text, said)
    if _went_out(event, telling):
        said += telling.ours("homebrew.out", who=telling.who(event.who), body=event.track.lower() in _BODY)
    return (*said, telling.numbers())


_CORRECTS: Final = re.compile(r"(?i)\b(?:misread|misheard|miscounted|mistyped|typo|i meant|i forgot)\b")
"""Words of the table about a number, which nobody in the story says."""


def _is_cause(event: h.TrackChanged | h.ConditionChanged) -> bool:
    """True for a change of a number whose text is a word or two, or no sentence: `Healing word`."""
    is_number = isinstance(event, h.TrackChanged) and event.was not in (None, event.now)
    return (
        is_number
        and event.text is not None
        and (
            is_label(event.text)
            or not gives_a_cause(str(event.text))
            or _CORRECTS.search(str(event.text)) is not None
        )
    )


def _caused(event: h.TrackChanged, telling: Telling) -> Sentences:
    """Returns a sentence on a change, behind the words that name what it came of."""
    said = "".join(sentence.text for sentence in _hurt(event, telling))
    return telling.ours("homebrew.caused", cause=str(event.text), said=said) if said else SILENCE


def _hurt(event: h.TrackChanged, telling: Telling) -> Sentences:
    """Returns a sentence on a track raised or lowered, such as lost hit points."""
    if event.seen is not None and _went_out(event, telling):
        return SILENCE
    if event.seen is not None:
        return telling.ours(
            "homebrew.is", who=telling.who(event.who), condition=_named(event.seen, telling), by=""
        )
    change, track = event.now - (event.was or 0), shelf(telling.moment.table).game.tracks.get(event.track)
    fills = event.move is not None or (track is not None and track.kind in (Kind.BOXES, Kind.CLOCK))
    key = "homebrew.loses" if change < 0 else "homebrew.takes" if fills else "homebrew.gains"
    name = _counted(event.track, abs(change), telling)
    return telling.ours(key, who=telling.who(event.who), amount=abs(change), track=name)


def _counted(track: str, amount: int, telling: Telling) -> str:
    """Returns a track's name in the voice's words, or the singular of a counter for one: `1 potion`."""
    name = _named(track, telling)
    return name.removesuffix("s") if amount == 1 and track in COUNTED and name == track else name


def _gift(event: h.TrackChanged, telling: Telling) -> Sentences:
    """Returns the sentence of a gift; it is told with the giver's change, not with the taker's."""
    amount = (event.was or 0) - event.now
    if amount <= 0 or event.by is None:
        return SILENCE
    return telling.ours(
        "homebrew.gives",
        who=telling.who(event.who),
        target=telling.who(event.by),
        amount=amount,
        track=_counted(event.track, amount, telling),
    )


def _condition_changed(event: h.ConditionChanged, telling: Telling) -> Sentences:
    """Returns the text of a changed condition, or a generated sentence, then the mechanics.

    A change by a move or a rest gets no generated sentence.
    """
    said = told_of(event.who, event.text, telling)
    if not said and event.move is None and event.rest is None:
        said = (Sentence(Tag.GENERATED, _condition(event, telling)),)
    return (*said, telling.numbers())


def _condition(event: h.ConditionChanged, telling: Telling) -> str:
    who, condition = telling.who(event.who), _named(event.condition, telling)
    by = "" if telling.by is None or event.condition not in _INFLICTED.split() else telling.who(telling.by)
    if not event.on:
        said = telling.say("homebrew.is-no-longer", who=who, condition=condition)
    elif event.condition == _SURRENDERED:
        said = telling.say("homebrew.surrendered", who=who)
    else:
        said = telling.say("homebrew.is", who=who, condition=condition, by=by)
    return telling.phrases.language.capitalised(said)


def _change_worded(event: h.TrackChanged | h.ConditionChanged, telling: Telling) -> Sentences:
    """Returns the text of a changed track or condition.

    None for an award, whose reason is table talk, and for a word or two that name what the change came of.
    """
    name = event.track if isinstance(event, h.TrackChanged) else event.condition
    is_aside = name in _AWARDS or (name in COUNTED and is_label(event.text)) or _is_cause(event)
    return SILENCE if is_aside else told_of(event.who, event.text, telling)


_SURRENDERED: Final = "surrendered"
_INFLICTED: Final = """
    blinded charmed deafened frightened grappled paralyzed petrified poisoned restrained stunned
"""
"""Conditions that one person gives to another."""
_AWARDS: Final = frozenset({"inspiration"})
"""Tracks and conditions that the table gives for good play."""


def _rested(event: h.Rested, telling: Telling) -> Sentences:
    said = opening_words(event.text)
    if not said:
        names = [telling.who(person) for person in event.people]
        said = telling.ours("homebrew.rests", who=names, everybody=_is_everybody(event.people, telling))
    return (*said, telling.numbers())


def _is_everybody(people: tuple[int, ...], telling: Telling) -> bool:
    """True for all characters of players, if they are several."""
    party = telling.moment.table.party()
    return len(party) > 1 and set(party).issubset(people)


def _went_out(event: h.TrackChanged, telling: Telling) -> bool:
    return event.was != event.now and shelf(telling.moment.table).is_out_by(event.who, event.track)


def _clock_began_or_ended(event: h.ClockStarted | h.ClockStopped, telling: Telling) -> Sentences:
    return telling.with_numbers(event.text, opening_words(event.text))


def _clock_ticked(event: h.ClockTicked, telling: Telling) -> Sentences:
    said = telling.with_numbers(event.text, opening_words(event.text))
    if event.now == event.segments and all(sentence.tag is Tag.MECHANICS for sentence in said):
        return (*telling.ours("homebrew.clock-full", name=str(event.name)), *said)
    return said


def _turn_began(event: h.TurnBegan, telling: Telling) -> Sentences:
    return (*words(Tag.DECLARATION, event.text, event.who), telling.numbers())


def _narrators(event: h.MoveMade, _telling: Telling) -> Due:
    """Returns the people who may narrate a move, the mover or the game master; narration is optional.

    For a move without a target, the text of the next act counts as narration too; with a target, that text
    may be about another wound.
    """
    return Due((event.who, GM), owed=False, in_deed=event.target is None)


def _change_narrators(event: h.TrackChanged, telling: Telling) -> Due:
    """Returns who may narrate that a change put a person out.

    That is the attacker, the person out, or the game master. NOT_DUE if it has words or puts no one out.
    """
    if event.text is not None or not _went_out(event, telling):
        return NOT_DUE
    return Due((event.who, GM) if event.by is None else (event.by, event.who, GM), lasts=True)


def _clock_narrators(event: h.ClockTicked, _telling: Telling) -> Due:
    is_full = event.now == event.segments and (event.text is None or is_label(event.text))
    return Due((GM,), lasts=True) if is_full else NOT_DUE


def _blow(event: h.TrackChanged, telling: Telling) -> Beat | None:
    """Returns 3 for a change that put a person out, 2 for one that took half of the track by itself."""
    if _went_out(event, telling):
        return Beat(3, "out of the fight")
    lost = 0 if event.was is None or event.move is None or event.by is None else event.was - event.now
    return Beat(2, "severe harm") if event.most and lost * 2 >= event.most else None


_BODY: Final = frozenset({"hp", "hit points", "health", "harm", "wounds", "life", "body"})
"""Tracks that are about the body, in English; of others the sentence has the name."""


def _hit(event: h.MoveMade, telling: Telling) -> Harm | None:
    """Returns the hit of a move whose result does damage, or the miss."""
    move = shelf(telling.moment.table).game.moves.get(event.move)
    if move is None or move.hurts is None or event.target is None:
        return None
    if not any(band.damage is not None for band in move.bands):
        return None
    hits = any(band.name == event.result and band.damage is not None for band in move.bands)
    how: How = "hard" if "critical" in str(event.result) else ""
    return Harm(event.target, event.who, how, is_measured=not hits, is_missed=not hits)


def _is_check(event: h.MoveMade, telling: Telling) -> bool:
    """True for a move without a blow that succeeded or failed, in the file's words or by its result."""
    move = shelf(telling.moment.table).game.moves.get(event.move)
    return (
        move is not None
        and move.hurts is None
        and event.result is not None
        and (event.result.endswith(("success", "failure")) or _file_text(event, telling) is not None)
    )


def _harm(event: h.TrackChanged, telling: Telling) -> Harm | None:
    """Returns what a move or a typed line took of a track that can put a person out.

    A cost that people pay themselves, such as strain, is told only if it is half of all.
    """
    if event.move is None and (event.by is not None or not _is_lost(event, telling)):
        return None
    game = shelf(telling.moment.table).game
    track = game.tracks.get(event.track)
    is_body = event.track.lower() in _BODY or any(move.hurts == event.track for move in game.moves.values())
    grows = track is not None and track.out == "full"
    lost = (event.now - (event.was or 0)) * (1 if grows else -1)
    if lost <= 0 or not (is_body or (track is not None and track.out is not None)):
        return None
    how = how_hard(lost, event.most or event.was or 0)
    if not is_body and event.by is None and how != "hard":
        return None
    return Harm(
        event.who,
        event.by,
        how,
        "" if is_body else _named(event.track, telling),
        grows,
        turn=_opponent_in_turn(event, telling),
        is_corrected=event.text is not None and _CORRECTS.search(str(event.text)) is not None,
        is_out=_went_out(event, telling),
    )


def _opponent_in_turn(event: h.TrackChanged | h.ConditionChanged, telling: Telling) -> int | None:
    """Returns the person whose turn it is, if they are on another side of the conflict; else None."""
    conflict = telling.moment.table.conflicts.get(event.conflict or 0)
    turn, sides = (getattr(conflict.state, "turn", None), conflict.sides) if conflict else (None, ())
    return turn if any(turn in side and event.who not in side for side in sides) else None


def _suffered(event: h.ConditionChanged, telling: Telling) -> Harm | None:
    """Returns a condition that was typed; None for one that a move or a rest changed, or an award."""
    is_theirs = event.on and event.move is None and event.condition not in (*_AWARDS, _SURRENDERED)
    return (
        Harm(event.who, said=_condition(event, telling), turn=_opponent_in_turn(event, telling))
        if is_theirs
        else None
    )


def _gave_up(event: h.ConditionChanged, _telling: Telling) -> Beat | None:
    return Beat(3, "gave up") if event.on and event.condition == _SURRENDERED else None


def _stands(conflict: OpenConflict, telling: Telling) -> Sentences:
    """Returns a sentence on who won by a victory: the only side with a person who is not out; else none."""
    here, how = shelf(telling.moment.table), getattr(telling.moment.event, "how", "")
    sides = [side for side in conflict.sides if not all(map(here.is_out, side))]
    return won(telling, sides[0]) if how == "victory" and len(sides) == 1 else SILENCE


def _is_lost(event: h.TrackChanged, telling: Telling) -> bool:
    """True for a typed change, `-3`; for a new value only in a conflict, as elsewhere it is the first one."""
    command = telling.moment.command
    if command.get("kind") != "track":
        return False
    value = str(command.get("value"))
    return value[:1] in "+-" or (event.conflict is not None and "/" not in value)


def _full(event: h.ClockTicked, _telling: Telling) -> Beat | None:
    return Beat(3, "clock full") if event.now == event.segments else None


GAME: Final = Game(
    tellers={
        h.GameChosen: said(Tag.NOTE, by_nobody=True),
        h.MoveMade: after_numbers(_move_made),
        h.TrackChanged: _track_changed,
        h.ConditionChanged: _condition_changed,
        h.Rested: _rested,
        h.ClockStarted: _clock_began_or_ended,
        h.ClockTicked: _clock_ticked,
        h.ClockStopped: _clock_began_or_ended,
        h.InitiativeRolled: numbers,
        h.TurnBegan: _turn_began,
    },
    due={h.MoveMade: _narrators, h.TrackChanged: _change_narrators, h.ClockTicked: _clock_narrators},
    harms={h.MoveMade: _hit, h.TrackChanged: _harm, h.ConditionChanged: _suffered},
    beats={h.TrackChanged: _blow, h.ConditionChanged: _gave_up, h.ClockTicked: _full},
    checks={h.MoveMade: _is_check},
    standing=_stands,
    turn_ends=frozenset({h.TurnBegan}),
    orders=frozenset({h.InitiativeRolled, h.TurnBegan}),
    wordings={h.TrackChanged: _change_worded, h.ConditionChanged: _change_worded},
    never_silent=frozenset({h.Rested}),
    narrated=frozenset({h.TrackChanged, h.ConditionChanged, h.Rested, h.ClockTicked}),
)
"""A result without narration is told in the words of the game's file."""
