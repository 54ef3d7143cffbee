"""Notation of Lanterns events: what `log` prints, and the numbers beside a story."""

from retold.game import Ink
from retold_lanterns.events import Dared, HarmChanged


def _dared(event: Dared, ink: Ink) -> str:
    return f"{ink.who(event.who)} dares {event.stat} {event.bonus:+}: {event.total}, {event.result}"


def _harm_changed(event: HarmChanged, ink: Ink) -> str:
    return f"{ink.who(event.who)}: harm {event.by:+}, now {event.now}"


NOTATIONS = {
    "lanterns.dared": _dared,
    "lanterns.harm-changed": _harm_changed,
}
