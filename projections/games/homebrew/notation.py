"""How what happens in a table's own game is noted."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload


def _game_chosen(p: Payload, _ink: Ink) -> str:
    size = len(p["definition"])
    return f"the game is {p['name']} ({size:,} characters of it are kept)"


NOTATIONS: Final[Notations] = {
    "homebrew.game-chosen": _game_chosen,
    "homebrew.move-made": "{who}: {move}{stat? with #}{number? #}: {result:no result named}",
    "homebrew.track-changed": "{who's} {track}: {was?# to }{now}{most?/#}{move? by #}",
    "homebrew.clock-started": "clock {clock} {name}: {now}/{segments}",
    "homebrew.clock-ticked": "clock {clock} {name}: {was} to {now}/{segments}",
    "homebrew.clock-stopped": "clock {clock} {name} is put away at {now}",
    "homebrew.initiative-rolled": "{who} goes at {number}",
    "homebrew.turn-began": "round {round}: {who's} turn",
}
"""Each kind of a table's own game: how it is noted."""
