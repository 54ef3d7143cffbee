"""Maneuvers: an aspect on somebody or something, with free invokes for the shifts."""

from __future__ import annotations

from journal.names import clean, fold, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.meaning import aim
from journal.systems.edgerunner.commands.purpose import Purpose
from journal.systems.edgerunner.commands.standing import here, what
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.state import Action, Aspect, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def purpose(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """On whom or what, and the words; Refused for words that stand there already."""
    assert command.thing is not None and command.aspect is not None  # noqa: S101, PT018 -- the form asks for both
    target = _target(situation, command.thing)
    return Purpose(target=target, aspect=words(situation, who, target, command.aspect))


def words(situation: Situation, who: int, target: int | str, typed: str) -> str:
    """The words of a new aspect; Refused for none, and for words that stand there already."""
    wording, bearer = clean(typed), what(situation, target)
    if not fold(wording):
        raise Refused(
            "An aspect is words:"
            f' maneuver {quoted(situation.name(who))} {quoted(bearer)} as "Ankle-deep in oil".'
        )
    if _placed(situation, target, wording) is not None:
        raise Refused(f"{bearer} has that aspect already: invoke it, or find other words.")
    return wording


def _target(situation: Situation, thing: int | str) -> int | str:
    """Somebody, a zone, a border, whatever has an aspect; else whatever lies about and is called so."""
    if isinstance(thing, int):
        return aim(situation, thing).on
    border = here(situation).border_named(thing)
    if border is not None:
        return border.name
    aspects = shelf(situation.table).aspects.values()
    if fold(thing) in [fold(aspect.wording) for aspect in aspects]:
        raise Refused(f"“{thing}” is an aspect itself: say whom or what the other is on.")
    known = (*here(situation).zones, *(aspect.on for aspect in aspects if isinstance(aspect.on, str)))
    return next((name for name in known if fold(name) == fold(thing)), clean(thing))


def _placed(situation: Situation, on: int | str, wording: str) -> Aspect | None:
    """The aspect of that wording which is on somebody or something already."""
    aspects = shelf(situation.table).aspects.values()
    return next((one for one in aspects if one.on == on and fold(one.wording) == fold(wording)), None)


def come_of(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """From 0 shifts on the aspect is there; where it is already, a maneuver continued gives more invokes."""
    free = rules.free_invokes(act.shifts)
    if free is None:
        return []
    assert act.target is not None and act.aspect is not None  # noqa: S101, PT018 -- a maneuver has both
    there = _placed(situation, act.target, act.aspect)
    if there is not None:
        return [_more(situation, act, there, free)] if free else []
    return [
        g.AspectPlaced(
            conflict=situation.here.id,
            aspect=shelf(situation.table).aspects_ever + 1,
            on=act.target,
            wording=act.aspect,
            how="maneuver",
            by=act.who,
            free=free,
            shifts=act.shifts,
        )
    ]


def _more(situation: Situation, act: Action, there: Aspect, free: int) -> g.FreeInvokesGained:
    return g.FreeInvokesGained(
        conflict=situation.here.id,
        who=act.who,
        aspect=there.id,
        on=there.on,
        wording=there.wording,
        free=free,
        shifts=act.shifts,
    )
