"""Notation of Whiskey events: one text line per event, as `log` shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from retold.game import Ink, Notations, card, listed

if TYPE_CHECKING:
    from retold.games.whiskey import events as w

_ACTS: Final = {
    "engage": "engages",
    "guard": "guards",
    "advance": "advances",
    "stand": "takes a stand",
    "other": "acts otherwise",
}


def doing(act: str, target: str | None) -> str:
    """Returns an act in words with its target: "engages sword", "guards the ground", "advances"."""
    said = _ACTS.get(act, act)
    if target is None:
        return f"{said} the ground" if act == "guard" else said
    return f"{said} {target}"


def _doing(event: w.IntentDeclared | w.IntentSucceeded | w.IntentStopped, ink: Ink) -> str:
    target = None if event.target is None else ink.who(event.target)
    return f"{ink.who(event.who)} {doing(event.act, target)}"


def _intent_declared(event: w.IntentDeclared, ink: Ink) -> str:
    return f"{_doing(event, ink)}{ink.after(event.text)}"


def _intents_revealed(event: w.IntentsRevealed, ink: Ink) -> str:
    return f"revealed at once: what {_names(event.people, ink)} sealed"


_HOW: Final = {
    "first_pc": "declared first (first_pc)",
    "random": "by lot (random)",
    "gm": "as the game master says (gm)",
}


def _loop_broken(event: w.LoopBroken, ink: Ink) -> str:
    how = _HOW.get(event.how, event.how)
    return f"each after the next ({ink.people(event.loop)}): {ink.who(event.who)} gets through, {how}"


def _intent_succeeded(event: w.IntentSucceeded, ink: Ink) -> str:
    by = _names(event.by, ink)
    why: str = {
        "unopposed": "unopposed",
        "mutual": f"mutual, for {by} wants it too",
        "freed": f"freed, for {by} {'was' if len(event.by) == 1 else 'were'} stopped",
        "chosen": "chosen to get through",
        "stood": f"held it, though {by} came",
    }.get(event.why, str(event.why))
    named = f" ({by})" if by and by not in why else ""
    return f"{_doing(event, ink)}: {why}{named}"


def _intent_stopped(event: w.IntentStopped, ink: Ink) -> str:
    return f"{_doing(event, ink)}: stopped by {_names(event.by, ink) or 'nobody'}"


def _names(people: Iterable[int], ink: Ink) -> str:
    return listed([ink.who(person) for person in people])


def _clash_dropped(event: w.ClashDropped, ink: Ink) -> str:
    are = "is" if len(event.gone) == 1 else "are"
    why = f"{_names(event.gone, ink)} {are} out of it" if event.gone else "the fight broke off"
    return f"no check of {ink.who(event.one)} and {ink.who(event.other)}: {why}"


def _check_made(event: w.CheckMade, ink: Ink) -> str:
    unwanted = "" if event.wanted else ", not wanted"
    clash = " in a clash" if event.clash else ""
    own = f"{event.stat} {event.x}" if event.stat is not None else str(event.x)
    value = f"{'-' if event.c < 0 else '+'} {abs(event.c)}"
    drawn = f"{value} ({card(event.card)})" if event.card is not None else value
    how = f"{own} {drawn} = {event.total} against {_against(event, ink)}"
    came = "passed" if event.passed else "failed"
    return f"{ink.who(event.who)} checks{clash}, {event.faction} deck: {how}, {came}, d6 {event.d}{unwanted}"


def _against(event: w.CheckMade, ink: Ink) -> str:
    other = f"{ink.whose(event.other)} " if event.other is not None else ""
    stat = f"{event.theirs} " if event.theirs is not None else ""
    return f"{other}{stat}{event.y}"


def _deck_reshuffled(event: w.DeckReshuffled, _ink: Ink) -> str:
    back = f"{event.spent} go back" if event.spent is not None else "all cards go back"
    why = "early, as asked" if event.why == "asked" else event.why
    return f"{event.faction} deck: {back} ({why}), {event.half} in play"


PEOPLE: Final = frozenset({"checker", "loop", "third"})
"""Payload fields with person ids that only this game has."""

NOTATIONS: Final[Notations] = {
    "whiskey.intent-declared": _intent_declared,
    "whiskey.intent-sealed": "{who} seals an intent",
    "whiskey.intents-revealed": _intents_revealed,
    "whiskey.guard-assigned": "{who} is to stop {target:nobody}",
    "whiskey.loop-broken": _loop_broken,
    "whiskey.intent-succeeded": _intent_succeeded,
    "whiskey.intent-stopped": _intent_stopped,
    "whiskey.clash-formed": "clash: {one} and {other}, {checker:either} checks{paired?, paired by hand}",
    "whiskey.triangle-proposed": "triangle: {one}, {other} and {third}, if the table will",
    "whiskey.clash-dropped": _clash_dropped,
    "whiskey.check-made": _check_made,
    "whiskey.damage-dealt": "{winner} hits {loser} for {amount}{left?: # left}",
    "whiskey.damage-suppressed": (
        "{winner's} {amount} to {loser} do not count: {winner} was put out of the fight at once"
    ),
    "whiskey.incapacitated": "{who} is out of the fight",
    "whiskey.recovered": "{who} can fight again",
    "whiskey.phase-ended": "phase {phase} over",
    "whiskey.deck-reshuffled": _deck_reshuffled,
    "whiskey.number-set": "{who}: {what} is {value}",
}
"""Notation of each Whiskey event, by kind."""

SEALED: Final = frozenset({"whiskey.intent-sealed"})
"""Kinds whose words are never shown."""
