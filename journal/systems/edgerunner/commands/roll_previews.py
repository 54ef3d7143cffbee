"""Previews of commands on an open roll, made by deciding each on a copy of the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import Any, Final

from journal.capabilities import Choice
from journal.names import possessive, quoted
from journal.refused import none_if_refused
from journal.system import Decision, Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.acts import deployment_cost, track_owner
from journal.systems.edgerunner.commands.applying import apply, resist
from journal.systems.edgerunner.commands.aspects import invoke
from journal.systems.edgerunner.commands.follow_ups import situation_after
from journal.systems.edgerunner.commands.positions import (
    actors,
    are_allies,
    current_conflict,
    distinct_name,
    name_of,
)
from journal.systems.edgerunner.commands.rolls import boost, spend_spin
from journal.systems.edgerunner.commands.turns import act_in_words
from journal.systems.edgerunner.rules import Act, Role, Severity
from journal.systems.edgerunner.state import (
    Action,
    Aspect,
    EdgerunnerState,
    OpenRoll,
    SkillRoll,
    game_state,
    open_roll_in,
)
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event

YET_TO_FIND: Final = "…"
"""Placeholder for words the user still has to supply."""

AGAIN: Final = "An invoke may have the dice thrown again instead: --reroll."


def describe_roll(situation: Situation, roll: OpenRoll) -> list[str]:
    """Returns sentences about an open roll's total and options."""
    if isinstance(roll, Action):
        armour = _unused_armour(situation, roll)
        return [f"{act_in_words(situation, roll)} stands at {shifts_in_words(roll.shifts)}.", *armour, AGAIN]
    assert isinstance(roll, SkillRoll)  # noqa: S101 -- there is no third
    word = "" if roll.contest else f", {rules.ladder(roll.shifts)}"
    sentences = [
        f"{possessive(situation.name(roll.who))} {roll.skill} stands at {shifts_in_words(roll.shifts)}{word}."
    ]
    if roll.left:
        sentences.append(f"{shifts_in_words(roll.left)} may be spent.")
    if roll.takes is not None:
        sentences.append(f"It takes {rules.TIME[roll.takes]}.")
    return [*sentences, AGAIN]


def _unused_armour(situation: Situation, roll: Action) -> Iterator[str]:
    """Yields a reminder of each target's upgrade not yet used against an attack."""
    if roll.act is not Act.ATTACK or roll.shifts < 1:
        return
    for who in roll.targets:
        for name, upgrade in game_state(situation.table).sheet(who).upgrades.items():
            if upgrade.skill == roll.track and (who, name) not in roll.armoured:
                called = situation.name(who)
                line = f"resist {quoted(called)} {quoted(roll.track)} {roll.shifts} --upgrade {quoted(name)}"
                yield f"{called} has {name} for it: {line}."


def previews_of_roll(situation: Situation, roll: OpenRoll) -> Iterator[Choice]:
    """Yields the commands possible on an open roll: apply, then raise it, then resist it."""
    if isinstance(roll, Action):
        yield from _ends(situation, roll)
    yield from _invokes(situation, roll, _side(situation, roll))
    yield from _boosts(situation, roll)
    yield from _spins(situation)
    for target in roll.targets:
        yield from _invokes(situation, roll, (target,))
        yield from _resists(situation, roll, target)
    yield from _relief(situation, roll)


def _side(situation: Situation, roll: OpenRoll) -> tuple[int, ...]:
    """Returns the roller, then their allies."""
    if situation.conflict is None:
        return (roll.who,)
    others = [
        person
        for person in actors(situation)
        if person != roll.who and are_allies(situation, person, roll.who)
    ]
    return (roll.who, *others)


# --- trying -----------------------------------------------------------------------------------------------


def _choice(situation: Situation, decide: Decision, command: Command, who: int) -> Choice | None:
    """Returns the open roll's state after a command; None if refused."""
    events = none_if_refused(partial(decide, situation, command))
    if events is None:
        return None
    now = situation_after(situation, events)
    roll = open_roll_in(now.table, now.conflict)
    assert roll is not None  # noqa: S101 -- nothing that is tried here ends it
    result = ", ".join([shifts_in_words(roll.shifts), *_prices(situation, events)])
    outcome = _outcome(now, roll)
    return Choice(who, command, f"{result}: {outcome}" if outcome else result, roll.shifts)


def _found(choices: Iterable[Choice | None]) -> Iterator[Choice]:
    return (choice for choice in choices if choice is not None)


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


def shifts_in_words(count: int) -> str:
    """Returns a number of shifts in words, such as `2 shifts`."""
    return "1 shift" if count == 1 else f"{count} shifts"


def _boxes(boxes: Iterable[int]) -> str:
    return " ".join(map(str, boxes))


# --- the end of an act ------------------------------------------------------------------------------------


def _ends(situation: Situation, act: Action) -> Iterator[Choice]:
    """Yields the ways to apply an act now; a recovery offers choices of boxes."""
    boxes = _recoveries(situation, act)
    for chosen in boxes or [()]:
        command = v.Apply(boxes=chosen)
        if none_if_refused(partial(apply, situation, command)) is not None:
            outcome = f"clears {_boxes(chosen)}" if chosen else _outcome(situation, act)
            yield Choice(act.who, command, outcome, act.shifts)


def _recoveries(situation: Situation, act: Action) -> list[tuple[int, ...]]:
    """Returns a recovery's choices of boxes, most shifts used first; empty for other acts."""
    if act.act is not Act.RECOVER or act.track is None:
        return []
    marked = game_state(situation.table).marked(track_owner(act), act.track)
    return sorted(rules.recoveries(marked, act.shifts), key=rules.recovery_cost, reverse=True)


def _outcome(situation: Situation, roll: OpenRoll) -> str:
    """Returns the act's outcome in words if applied now; empty for rolls outside conflicts."""
    if not isinstance(roll, Action):
        return ""
    boxes = _recoveries(situation, roll)
    if boxes:
        return f"clears {' or '.join(_boxes(chosen) for chosen in boxes[:MOST_RECOVERIES])}"
    events = none_if_refused(partial(apply, situation, v.Apply()))
    if events is None:
        return ""
    return ", ".join(_comes(situation, events)) or _falls_short(situation, roll)


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


def _falls_short(situation: Situation, act: Action) -> str:
    if act.act is Act.DEPLOY and act.asset is not None:
        return f"{situation.name(act.asset)} takes {deployment_cost(situation, act.asset)}"
    return "nothing comes of it"


# --- invokes, boosts, spin --------------------------------------------------------------------------------


def _invokes(situation: Situation, roll: OpenRoll, people: Iterable[int]) -> Iterator[Choice]:
    """Yields each possible invoke, by the first of `people` who can; free invokes first."""
    wordings = dict.fromkeys(distinct_name(situation.table, aspect) for aspect in _near(situation, roll))
    for free in (True, False):
        for wording in [*wordings]:
            ways = (v.Invoke(who=who, aspect=wording, free=free) for who in people)
            found = _first(_choice(situation, invoke, command, command.who) for command in ways)
            if found:
                del wordings[wording]
            yield from found


def _near(situation: Situation, roll: OpenRoll) -> list[Aspect]:
    """Returns the aspects of people in the conflict or roll, and of things; not of other people."""
    own = game_state(situation.table)
    named: tuple[str, ...] = ()
    people = {roll.who, *roll.targets}
    if situation.conflict is not None:
        people |= {*situation.here.people, *current_conflict(situation).places}
        named = current_conflict(situation).named
    return [
        aspect for aspect in own.aspects.values() if aspect.on in people or _lies_about(own, aspect, named)
    ]


def _lies_about(own: EdgerunnerState, aspect: Aspect, named: Collection[str]) -> bool:
    return isinstance(aspect.on, str) and own.stays(aspect, named)


def _boosts(situation: Situation, roll: OpenRoll) -> Iterator[Choice]:
    """Yields boosts by each free consequence slot, and by the most stress each track can take."""
    for severity in _free(situation, roll.who):
        yield from _found([_boost(situation, roll.who, **_slots((severity,)))])
    for track in game_state(situation.table).tracks(roll.who):
        yield from _first(
            _boost(situation, roll.who, tracks=(track,), amounts=(amount,))
            for amount in range(game_state(situation.table).threshold(roll.who, track), 0, -1)
        )


def _boost(situation: Situation, who: int, **taken: Any) -> Choice | None:  # noqa: ANN401 -- a command's fields
    return _choice(situation, boost, v.Boost(who=who, **taken), who)


def _spins(situation: Situation) -> Iterator[Choice]:
    if situation.conflict is not None:
        holders = dict.fromkeys(spin.holder for spin in current_conflict(situation).spins)
        yield from _found(_choice(situation, spend_spin, v.SpendSpin(who=who), who) for who in holders)


def _first(choices: Iterable[Choice | None]) -> list[Choice]:
    """Returns a list with the first choice not refused; empty without one."""
    return next(([choice] for choice in choices if choice is not None), [])


# --- resisting --------------------------------------------------------------------------------------------


def _free(situation: Situation, who: int) -> list[Severity]:
    return [severity for severity in Severity if game_state(situation.table).room_for(who, severity)]


def _slots(severities: Iterable[Severity]) -> dict[str, Any]:
    """Returns command fields for consequences of these severities, with placeholder wordings."""
    return {severity.value: YET_TO_FIND for severity in severities}


def consequences_with_room(situation: Situation, who: int) -> list[tuple[int, dict[str, Any]]]:
    """Returns each combination of consequences with a free slot, with its worth in shifts, ascending."""
    free, sheet = _free(situation, who), game_state(situation.table).sheet(who)
    several = [chosen for count in range(1, len(free) + 1) for chosen in combinations(free, count)]
    return sorted(
        ((sum(map(sheet.worth, chosen)), _slots(chosen)) for chosen in several),
        key=lambda combination: combination[0],
    )


def _resists(situation: Situation, roll: OpenRoll, who: int) -> Iterator[Choice]:
    """Yields a target's ways to resist: consequences until the roll fails, then stress or armour.

    Stress on an attack needs no command: apply marks it.
    """
    least = 0 if isinstance(roll, Action) and roll.act is Act.MANEUVER else 1
    for _, taken in consequences_with_room(situation, who):
        choice = _resist(situation, who, **taken)
        if choice is None:
            return
        yield choice
        if choice.shifts is not None and choice.shifts < least:
            break
    if isinstance(roll, Action) and roll.act is Act.ATTACK:
        yield from _armoured(situation, roll, who)
    else:
        yield from _stressed(situation, who, roll.shifts + 1 - least)


def _resist(situation: Situation, who: int, **taken: Any) -> Choice | None:  # noqa: ANN401 -- a command's fields
    return _choice(situation, resist, v.Resist(who=who, **taken), who)


def _stressed(situation: Situation, who: int, needed: int) -> Iterator[Choice]:
    """Yields per track the most stress it can take, up to `needed`."""
    own = game_state(situation.table)
    for track in own.tracks(who):
        yield from _first(
            _resist(situation, who, tracks=(track,), amounts=(amount,))
            for amount in range(min(needed, own.threshold(who, track)), 0, -1)
        )


def _armoured(situation: Situation, roll: Action, who: int) -> Iterator[Choice]:
    """Yields an attack resisted in full on its track, with each upgrade for that track."""
    hit: dict[str, Any] = {"tracks": (roll.track or "",), "amounts": (roll.shifts,)}
    for name, upgrade in game_state(situation.table).sheet(who).upgrades.items():
        if upgrade.skill == roll.track:
            yield from _found([_resist(situation, who, **hit, upgrade=name)])


def _relief(situation: Situation, roll: OpenRoll) -> Iterator[Choice]:
    """Yields the ways a nomad can take a comrade's hit."""
    if not isinstance(roll, Action) or roll.act is not Act.ATTACK:
        return
    own = game_state(situation.table)
    for nomad in (person for person in actors(situation) if own.sheet(person).role == Role.NOMAD):
        hits: list[dict[str, Any]] = [_slots((severity,)) for severity in _free(situation, nomad)]
        hits.append({"tracks": (roll.track or "",), "amounts": (roll.shifts,)})
        for target in roll.targets:
            yield from _found(_resist(situation, nomad, comrade=target, **hit) for hit in hits)
