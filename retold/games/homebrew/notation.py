"""Notation of events in a homebrew game (rules from a game file): one text line per event, for `log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retold.journal.system import COUNTED
from retold.journal.visibility import is_secret_number
from retold.projections.plain.ink import Ink, Notations

if TYPE_CHECKING:
    from retold.games.homebrew import events as h


def _game_chosen(event: h.GameChosen, _ink: Ink) -> str:
    size = len(event.definition)
    return f"the game is {event.name} ({size:,} characters of it are kept)"


def _move_made(event: h.MoveMade, ink: Ink) -> str:
    stat = f" with {event.stat}" if event.stat is not None else ""
    number = f" {event.number}" if event.number is not None else ""
    target, aim = event.target, event.against
    whom = "" if target is None else ink.who(target) if aim is None else ink.whose(target)
    against = f" against {' '.join(filter(None, (whom, aim)))}" if whom or aim else ""
    counted = f" ({', '.join(event.conditions)})" if event.conditions else ""
    result = event.result or "nothing to reach was named"
    return f"{ink.who(event.who)}: {event.move}{stat}{number}{against}{counted}: {result}"


def _track_changed(event: h.TrackChanged, ink: Ink) -> str:
    if event.seen is not None:
        _ = event.track, event.was, event.now, event.most  # a field that is not read stands behind the line
        return f"{_cause(event, ink)}{ink.who(event.who)} is {event.seen}"
    handed = (event.was or 0) - event.now
    most = f" of {event.most}" if event.most is not None else ""
    if event.by is not None and event.move is None and handed > 0:
        track = event.track.removesuffix("s") if handed == 1 and event.track in COUNTED else event.track
        gift = f"{ink.who(event.who)} gives {ink.who(event.by)} {handed} {track}"
        return f"{_cause(event, ink)}{gift}: {event.was} → {event.now}{most}"
    if event.by is not None and event.move is None:
        now = f"{event.was or 0} → {event.now}{most}"
        return f"{_cause(event, ink)}{ink.whose(event.who)} {event.track} {now}, from {ink.who(event.by)}"
    was = f"{event.was} → " if event.was is not None else ""
    return f"{_cause(event, ink)}{ink.whose(event.who)} {event.track} {was}{event.now}{most}"


def _condition_changed(event: h.ConditionChanged, ink: Ink) -> str:
    state = "is" if event.on else "is no longer"
    causes = [cause for cause in (event.move, event.rest) if cause is not None]
    because = f" ({', '.join(causes)})" if causes else ""
    return f"{ink.who(event.who)} {state} {event.condition}{because}"


def _rested(event: h.Rested, ink: Ink) -> str:
    return f"{ink.people(event.people)} {'rests' if len(event.people) == 1 else 'rest'} ({event.rest})"


def _cause(event: h.TrackChanged, ink: Ink) -> str:
    """Returns the cause of a track's change before it: "Ana's strike: ", "rest (long): ", or empty."""
    rest = f"rest ({event.rest}): " if event.rest is not None else ""
    if event.move is None:
        return rest
    whose = event.who if event.by is None else event.by
    return f"{rest}{ink.whose(whose)} {event.move}: "


def _clock(event: h.ClockStarted | h.ClockTicked | h.ClockStopped, ink: Ink) -> str:
    """Returns the name of a clock, after its number unless that is secret."""
    number = "" if is_secret_number(event.clock) else f" {event.clock}"
    return f"clock{number} {ink.text(event.name)}"


def _clock_started(event: h.ClockStarted, ink: Ink) -> str:
    return f"{_clock(event, ink)}: {event.now}/{event.segments}"


def _clock_ticked(event: h.ClockTicked, ink: Ink) -> str:
    return f"{_clock(event, ink)}: {event.was} to {event.now}/{event.segments}"


def _clock_stopped(event: h.ClockStopped, ink: Ink) -> str:
    return f"{_clock(event, ink)} is put away at {event.now}"


NOTATIONS: Final[Notations] = {
    "homebrew.game-chosen": _game_chosen,
    "homebrew.move-made": _move_made,
    "homebrew.track-changed": _track_changed,
    "homebrew.condition-changed": _condition_changed,
    "homebrew.rested": _rested,
    "homebrew.clock-started": _clock_started,
    "homebrew.clock-ticked": _clock_ticked,
    "homebrew.clock-stopped": _clock_stopped,
    "homebrew.initiative-rolled": "{who} goes at {number}",
    "homebrew.turn-began": "round {round}: {who's} turn",
}
"""Notation of each event of a game from a file, by kind."""

CHOOSES: Final = "homebrew.game-chosen"
"""Kind that says which game is played, in its field `name`."""

JOINED: Final = frozenset({"homebrew.initiative-rolled"})
"""Kinds whose line takes in the throw before it."""

PEOPLE: Final = frozenset({"by"})
