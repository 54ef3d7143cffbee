"""Previews of commands on an open roll (a roll that can still be changed), with their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any, Final, Literal

from retold.game import Event, Result, Situation, Trial, Tried, none_if_refused, possessive, quoted
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import deployment_cost, track_owner
from retold.games.edgerunner.commands.applying import apply
from retold.games.edgerunner.commands.follow_ups import situation_after
from retold.games.edgerunner.commands.positions import (
    actors,
    are_allies,
    aspects_here,
    current_conflict,
    distinct_name,
    name_of,
)
from retold.games.edgerunner.commands.turns import act_in_words
from retold.games.edgerunner.measures import in_shifts, ladder
from retold.games.edgerunner.rules import Act, Role, Severity
from retold.games.edgerunner.state import (
    Action,
    OpenRoll,
    SkillRoll,
    game_state,
    open_roll_in,
)

YET_TO_FIND: Final = "…"
"""Placeholder for words the user still has to supply."""

AGAIN: Final = "An invoke may have the dice thrown again instead: --reroll."


def describe_roll(situation: Situation, roll: OpenRoll) -> list[str]:
    """Returns sentences about a roll that can still be changed: its total, unused armour, unspent shifts."""
    if isinstance(roll, Action):
        armour = _unused_armour(situation, roll)
        return [f"{act_in_words(situation, roll)} stands at {in_shifts(roll.shifts)}.", *armour, AGAIN]
    assert isinstance(roll, SkillRoll)  # noqa: S101 -- there is no third
    word = "" if roll.contest else f", {ladder(roll.shifts)}"
    whose, total = possessive(situation.name(roll.who)), f"{in_shifts(roll.shifts)}{word}"
    sentences = [f"{whose} {roll.skill} stands at {total}."]
    if roll.left:
        sentences.append(f"{in_shifts(roll.left)} may be spent.")
    if roll.takes is not None:
        sentences.append(f"It takes {rules.TIME[roll.takes]}.")
    return [*sentences, AGAIN]


def _unused_armour(situation: Situation, roll: Action) -> Iterator[str]:
    """Yields a sentence per upgrade that a target of an attack could use as armour and has not used."""
    if roll.act is not Act.ATTACK or roll.shifts < 1:
        return
    for who in roll.targets:
        for name, upgrade in game_state(situation.table).sheet(who).upgrades.items():
            if upgrade.skill == roll.track and (who, name) not in roll.armoured:
                called = situation.name(who)
                line = f"resist {quoted(called)} {quoted(roll.track)} {roll.shifts} --upgrade {quoted(name)}"
                yield f"{called} has {name} for it: {line}."


def trials_on_roll(situation: Situation, roll: OpenRoll) -> Iterator[Trial]:
    """Yields the commands to try on an open roll: apply it, then raise it, then resist it."""
    if isinstance(roll, Action):
        yield Trial(v.Apply, {"boxes": _recoveries(situation, roll) or [()]}, _ending, by=roll.who)
    own = _side(situation, roll)
    yield _invokes(situation, roll, [who for who in own if who == roll.who or who not in roll.targets])
    me = {"who": (roll.who,)}
    yield Trial(v.Boost, {**me, "harm": _each_consequence(situation, roll.who)}, _total)
    yield Trial(v.Boost, {**me, "harm": _stress(situation, roll.who)}, _total, first_of="tracks")
    if situation.conflict is not None:
        holders = dict.fromkeys(spin.holder for spin in current_conflict(situation).spins)
        yield Trial(v.SpendSpin, {"who": holders}, _total)
    for target in roll.targets:
        if target in own and target != roll.who:
            yield _invokes(situation, roll, (target,), more=(True,))
            yield _invokes(situation, roll, (target,), less=(True,))
        else:
            yield _invokes(situation, roll, (target,))
        yield from _resists(situation, roll, target)
    if isinstance(roll, Action) and roll.act is Act.ATTACK:
        yield from _relief(situation, roll)


def _side(situation: Situation, roll: OpenRoll) -> Iterable[int]:
    """Returns the roller, followed by their allies in the conflict."""
    people = () if situation.conflict is None else actors(situation)
    allies = (person for person in people if are_allies(situation, person, roll.who))
    return dict.fromkeys((roll.who, *allies))


def _invokes(
    situation: Situation, roll: OpenRoll, people: Iterable[int], **way: tuple[Literal[True], ...]
) -> Trial:
    """Returns `invoke` commands to try: each aspect once, by the first of `people` able to, free first.

    `way` is `more` or `less`, where both are possible.
    """
    wordings = dict.fromkeys(
        distinct_name(situation.table, aspect) for aspect in aspects_here(situation, roll.who, *roll.targets)
    )
    return Trial(
        v.Invoke,
        {"aspect": wordings, "free": (True, False), "who": people, **way},
        _total,
        first_of="aspect",
        order=lambda choice: not getattr(choice.command, "free", False),
    )


def _resists(situation: Situation, roll: OpenRoll, who: int) -> Iterator[Trial]:
    """Yields `resist` commands of one target: consequences until the roll fails, then stress or armour.

    Stress on an attack needs no command: apply marks it.
    """
    least = 0 if isinstance(roll, Action) and roll.act is Act.MANEUVER else 1

    wordings_taken = [wordings for _, wordings in consequences_with_room(situation, who)]
    yield Trial(
        v.Resist,
        {"who": (who,), "harm": wordings_taken},
        _total,
        until=lambda choice: choice.shifts is not None and choice.shifts < least,
    )
    if isinstance(roll, Action) and roll.act is Act.ATTACK:
        upgrades = game_state(situation.table).sheet(who).upgrades
        armour = [name for name, upgrade in upgrades.items() if upgrade.skill == roll.track]
        yield Trial(v.Resist, {"who": (who,), "harm": (_hit(roll),), "upgrade": armour}, _total)
    else:
        stress = _stress(situation, who, roll.shifts + 1 - least)
        yield Trial(v.Resist, {"who": (who,), "harm": stress}, _total, first_of="tracks")


def _relief(situation: Situation, roll: Action) -> Iterator[Trial]:
    """Yields `resist` commands of nomads, who can take stress or one consequence for an attacked comrade."""
    own = game_state(situation.table)
    for nomad in (person for person in actors(situation) if own.sheet(person).role == Role.NOMAD):
        harm = [*_each_consequence(situation, nomad), _hit(roll)]
        yield Trial(v.Resist, {"who": (nomad,), "comrade": roll.targets, "harm": harm}, _total)


# --- stress and consequences ------------------------------------------------------------------------------

Harm = Mapping[str, Any]
"""Fields of a command that takes stress or consequences."""


def _hit(roll: Action) -> Harm:
    """Returns command fields for stress: an attack's shifts on the attacked track."""
    return {"tracks": (roll.track or "",), "amounts": (roll.shifts,)}


def _stress(situation: Situation, who: int, most: int | None = None) -> Iterator[Harm]:
    """Yields command fields for stress on each track: from its threshold, or `most` if lower, down to 1."""
    own = game_state(situation.table)
    for track in own.tracks(who):
        threshold = own.threshold(who, track)
        for amount in range(threshold if most is None else min(most, threshold), 0, -1):
            yield {"tracks": (track,), "amounts": (amount,)}


def _each_consequence(situation: Situation, who: int) -> Iterator[Harm]:
    return (_slots((severity,)) for severity in _free(situation, who))


def _free(situation: Situation, who: int) -> list[Severity]:
    return [severity for severity in Severity if game_state(situation.table).room_for(who, severity)]


def _slots(severities: Iterable[Severity]) -> Harm:
    """Returns command fields that take consequences of these severities, with `…` for their wordings."""
    return {severity.value: YET_TO_FIND for severity in severities}


def consequences_with_room(situation: Situation, who: int) -> list[tuple[int, Harm]]:
    """Returns each set of consequences that a person has slots for: its worth in shifts and command fields.

    In ascending order of worth.
    """
    free, sheet = _free(situation, who), game_state(situation.table).sheet(who)
    several = [chosen for count in range(1, len(free) + 1) for chosen in combinations(free, count)]
    return sorted(
        ((sum(map(sheet.worth, chosen)), _slots(chosen)) for chosen in several),
        key=lambda combination: combination[0],
    )


# --- what it comes to -------------------------------------------------------------------------------------


def _total(tried: Tried) -> Result:
    """Returns sentence and shifts of a roll after a command: total, price paid, and outcome of its effect."""
    now = situation_after(tried.situation, tried.events)
    roll = open_roll_in(now.table, now.conflict)
    assert roll is not None  # noqa: S101 -- nothing that is tried here ends it
    total = ", ".join([in_shifts(roll.shifts), *_prices(tried.situation, tried.events)])
    outcome = _outcome(now, roll)
    return f"{total}: {outcome}" if outcome else total, roll.shifts


def _prices(situation: Situation, events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        match event:
            case g.FatePointPaid():
                yield f"a fate point to {situation.name(event.payee)}"
            case g.AspectInvoked(free=True):
                yield "free"
            case g.StressMarked():
                yield f"{event.track} {_boxes(event.boxes)}"
            case g.UpgradeStrained():
                yield f"{event.amount} {event.track} stress for {event.upgrade}"


def _boxes(boxes: Iterable[int]) -> str:
    return " ".join(map(str, boxes))


def _ending(tried: Tried) -> Result:
    """Returns a sentence on an act's effect, such as `Gatto is taken out`, and its shifts."""
    act = current_conflict(tried.situation).act
    assert act is not None  # noqa: S101 -- it has just been applied
    boxes = tried.command.boxes
    return f"clears {_boxes(boxes)}" if boxes else _applied(tried.situation, act, tried.events), act.shifts


def _recoveries(situation: Situation, act: Action) -> list[tuple[int, ...]]:
    """Returns the sets of boxes that a recovery can clear, costliest first; empty for other acts."""
    if act.act is not Act.RECOVER or act.track is None:
        return []
    marked = game_state(situation.table).marked(track_owner(act), act.track)
    return sorted(rules.recoveries(marked, act.shifts), key=rules.recovery_cost, reverse=True)


def _outcome(situation: Situation, roll: OpenRoll) -> str:
    """Returns an act's outcome in words if it took effect now; empty for rolls outside conflicts."""
    if not isinstance(roll, Action):
        return ""
    boxes = _recoveries(situation, roll)
    if boxes:
        return f"clears {' or '.join(_boxes(chosen) for chosen in boxes[:MOST_RECOVERIES])}"
    events = none_if_refused(partial(apply, situation, v.Apply()))
    return "" if events is None else _applied(situation, roll, events)


def _applied(situation: Situation, act: Action, events: Iterable[Event]) -> str:
    if act.act is Act.DEPLOY and act.asset is not None:
        price = deployment_cost(situation, act.asset)
        return ", ".join(_comes(situation, events)) or f"{situation.name(act.asset)} takes {price}"
    return ", ".join(_comes(situation, events)) or "nothing comes of it"


MOST_RECOVERIES: Final = 3
"""Most choices of boxes named in a preview."""


def _comes(situation: Situation, events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        match event:
            case g.Moved():
                yield f"{situation.name(event.who)} comes to {event.path[-1]}"
            case g.StressMarked():
                track = f" {event.track}" if event.track else ""
                yield f"{name_of(situation, event.on)}{track} {_boxes(event.boxes)}"
            case g.TakenOut():
                yield f"{name_of(situation, event.on)} is taken out"
            case g.ThresholdReplaced():
                track = f"{possessive(name_of(situation, event.on))} {event.track}"
                yield f"{track} goes to {event.threshold}, not {event.own}"
            case g.AspectPlaced() | g.FreeInvokesGained():
                yield f"the aspect, {event.free} free invoke{'' if event.free == 1 else 's'}"
            case g.Deployed():
                yield f"{situation.name(event.asset)} comes to {event.zone}"
            case g.SpinGained():
                yield f"{event.spins} spin for the other side"
            case e.ConflictEnded():
                yield "the conflict is over"
