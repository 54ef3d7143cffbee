"""Notation of events of a game from a file."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload


def _game_chosen(p: Payload, _ink: Ink) -> str:
    size = len(p["definition"])
    return f"the game is {p['name']} ({size:,} characters of it are kept)"


def _move_made(p: Payload, ink: Ink) -> str:
    stat = f" with {p['stat']}" if p.get("stat") is not None else ""
    number = f" {p['number']}" if p.get("number") is not None else ""
    target, aim = p.get("target"), p.get("against")
    whom = "" if target is None else ink.who(target) if aim is None else ink.whose(target)
    against = f" against {' '.join(filter(None, (whom, aim)))}" if whom or aim else ""
    counted = f" ({', '.join(p['conditions'])})" if p.get("conditions") else ""
    result = p.get("result") or "no result named"
    return f"{ink.who(p['who'])}: {p['move']}{stat}{number}{against}{counted}: {result}"


def _track_changed(p: Payload, ink: Ink) -> str:
    was = f"{p['was']} to " if p.get("was") is not None else ""
    most = f"/{p['most']}" if p.get("most") is not None else ""
    return f"{ink.whose(p['who'])} {p['track']}: {was}{p['now']}{most}{_cause(p, ink)}"


def _condition_changed(p: Payload, ink: Ink) -> str:
    state = "is" if p["on"] else "is no longer"
    causes = [str(p[key]) for key in ("move", "rest") if p.get(key) is not None]
    because = f" ({', '.join(causes)})" if causes else ""
    return f"{ink.who(p['who'])} {state} {p['condition']}{because}"


def _rested(p: Payload, ink: Ink) -> str:
    return f"{ink.people(p['people'])} {'rests' if len(p['people']) == 1 else 'rest'} ({p['rest']})"


def _cause(p: Payload, ink: Ink) -> str:
    """Returns the cause of a track's change: a move, perhaps another person's, or a rest."""
    move = f" by {p['move']}" if p.get("move") is not None else ""
    whose = f" of {ink.who(p['by'])}" if p.get("by") is not None else ""
    rest = f" by rest ({p['rest']})" if p.get("rest") is not None else ""
    return f"{move}{whose}{rest}"


NOTATIONS: Final[Notations] = {
    "homebrew.game-chosen": _game_chosen,
    "homebrew.move-made": _move_made,
    "homebrew.track-changed": _track_changed,
    "homebrew.condition-changed": _condition_changed,
    "homebrew.rested": _rested,
    "homebrew.clock-started": "clock {clock} {name}: {now}/{segments}",
    "homebrew.clock-ticked": "clock {clock} {name}: {was} to {now}/{segments}",
    "homebrew.clock-stopped": "clock {clock} {name} is put away at {now}",
    "homebrew.initiative-rolled": "{who} goes at {number}",
    "homebrew.turn-began": "round {round}: {who's} turn",
}
"""Notation of each event of a game from a file, by kind."""

PEOPLE: Final = frozenset({"by"})
