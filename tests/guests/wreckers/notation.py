"""How what happens in Wreckers is noted."""

from __future__ import annotations

from retold.game import Ink
from tests.guests.wreckers.events import Swum
from tests.guests.wreckers.planted import door


def _swum(event: Swum, ink: Ink) -> str:
    door("notation")
    return f"{ink.who(event.who)} swims, {event.left} left"


NOTATIONS = {"wreckers.swum": _swum}
