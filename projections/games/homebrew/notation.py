"""How what happens in a table's own game is noted."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload


def _game_chosen(p: Payload, _ink: Ink) -> str:
    size = len(p["definition"])
    return f"the game is {p['name']} ({size:,} characters of it are kept)"


def _move_made(p: Payload, ink: Ink) -> str:
    number = p.get("number")
    stat = "" if p.get("stat") is None else f" with {p['stat']}{'' if number is None else f' {number:+}'}"
    return f"{ink.who(p['who'])}: {p['move']}{stat}: {p.get('result') or 'no result named'}"


NOTATIONS: Final[Notations] = {
    "homebrew.game-chosen": _game_chosen,
    "homebrew.move-made": _move_made,
    "homebrew.track-changed": "{who's} {track}: {was?# to }{now}{most?/#}{move? by #}",
    "homebrew.clock-started": "clock {name}: {now}/{segments}{clock?}",
    "homebrew.clock-ticked": "clock {name}: {was} to {now}/{segments}{clock?}",
    "homebrew.clock-stopped": "clock {name} is put away at {now}{clock?}",
    "homebrew.initiative-rolled": "{who} goes at {number}",
    "homebrew.turn-began": "round {round}: {who's} turn",
}
"""Each kind of a table's own game: how it is noted."""
