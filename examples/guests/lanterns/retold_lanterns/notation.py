"""How what happens in Lanterns is noted: what `log` prints, and what stands beside a story as mechanics."""

from retold.game import Ink, Payload


def _dared(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} dares {p['stat']} {p['bonus']:+}: {p['total']}, {p['result']}"


def _harm_changed(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])}: harm {p['by']:+}, now {p['now']}"


NOTATIONS = {
    "lanterns.dared": _dared,
    "lanterns.harm-changed": _harm_changed,
}
