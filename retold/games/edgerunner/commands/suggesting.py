"""Completions for blank slots of typed commands: people, skills, tracks, zones, aspects, times, boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from retold.game import Blank, Command, OpenConflict, Suggestion, Table
from retold.game import commands as c
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import track_owner
from retold.games.edgerunner.commands.conflicts import AGREED
from retold.games.edgerunner.commands.positions import distinct_name, people_with_turns
from retold.games.edgerunner.commands.rolls_outside_conflict import TAKES, TIME
from retold.games.edgerunner.commands.sheets import SHEET
from retold.games.edgerunner.commands.zones import steps_from
from retold.games.edgerunner.rules import Act, Kind, Role, Severity
from retold.games.edgerunner.state import (
    Action,
    Aspect,
    EdgerunnerConflict,
    EdgerunnerState,
    OpenRoll,
    conflict_state,
    game_state,
    open_roll_in,
)
from retold.games.edgerunner.state.game_state import ASPECT, FIELDS, TRACK_NAMES, UPGRADE

MOST_CHOICES: Final = 8
"""Most choices of boxes suggested."""


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields completions for a blank slot of a typed command, best first."""
    slot, key = _Slot(table, conflict, blank), (blank.command, blank.slot)
    if blank.slot == "who" and blank.command in _PEOPLE:
        for people, about in _PEOPLE[blank.command](slot):
            yield from (Suggestion(table.name(who), about) for who in dict.fromkeys(people))
    elif key in _ASPECTS:
        yield from _worded(slot, _ASPECTS[key](slot))
    elif found := _OF_A_VERB.get(key) or _OF_A_SLOT.get(blank.slot):
        yield from found(slot)


class _Slot(Struct, frozen=True):
    """The slot of a typed command to be completed, with the table state and conflict it is completed for."""

    table: Table
    conflict: OpenConflict | None
    blank: Blank

    @property
    def own(self) -> EdgerunnerState:
        return game_state(self.table)

    @property
    def state(self) -> EdgerunnerConflict:
        """State of the conflict; outside conflicts, a new empty state."""
        return EdgerunnerConflict(0) if self.conflict is None else conflict_state(self.conflict)

    @property
    def roll(self) -> OpenRoll | None:
        return open_roll_in(self.table, self.conflict)

    @property
    def who(self) -> int | None:
        return self.blank.somebody("who")

    @property
    def aspects(self) -> list[Aspect]:
        """Aspects in play, except aspects on zones and borders of an earlier map."""
        named = self.state.named
        return [aspect for aspect in self.own.aspects.values() if self.own.stays(aspect, named)]

    def aspects_on_thing(self) -> list[Aspect]:
        """Returns the aspects on the person or thing that the command names in its slot `thing`."""
        thing = self.blank.one("thing")
        return [aspect for aspect in self.own.aspects.values() if aspect.on == thing]


# --- people -----------------------------------------------------------------------------------------------

People = Iterable[tuple[Iterable[int], str]]
"""Groups of people, each with a note."""


def _yet_to_act(slot: _Slot) -> People:
    if slot.conflict is None:
        return ()
    state = slot.state
    waiting = [who for who in people_with_turns(slot.table, slot.conflict) if who not in state.acted]
    return [((*([] if state.turn is None else [state.turn]), *waiting), "yet to act")]


def _targets(slot: _Slot) -> People:
    return [] if slot.roll is None else [(slot.roll.targets, "the target")]


def _roller(slot: _Slot) -> People:
    return [] if slot.roll is None else [([slot.roll.who], "whose roll it is")]


_PEOPLE: Final[Mapping[type[Command], Callable[[_Slot], People]]] = {
    **dict.fromkeys((v.Move, v.Attack, v.Defend, v.Maneuver, v.Recover, v.Deploy), _yet_to_act),
    **dict.fromkeys((v.Simple, v.Continue, v.ClaimTurn, v.Declare), _yet_to_act),
    **dict.fromkeys((v.Boost, v.Spend), _roller),
    **dict.fromkeys(
        (c.Accept, c.Refuse),
        lambda slot: [
            ((one.who for one in (slot.own if slot.conflict is None else slot.state).offers), "compelled")
        ],
    ),
    v.Invoke: lambda slot: (*_roller(slot), *_targets(slot)),
    v.Resist: lambda slot: ((slot.own.owed, "has strain to take"), *_targets(slot)),
    v.SpendSpin: lambda slot: [((spin.holder for spin in slot.state.spins), "holds spin")],
    c.Compel: lambda slot: [((act.who for act in slot.state.acts[-1:]), "has announced an act")],
    c.Narrate: lambda slot: [((tale.by for tale in slot.state.tales), "tells what becomes of them")],
}
"""People for the slot `who` of a command."""


def _assets(slot: _Slot) -> Iterator[Suggestion]:
    here = () if slot.conflict is None else slot.conflict.people
    for who, sheet in slot.own.sheets.items():
        if sheet.kind in rules.DEPLOYABLE and sheet.kind is not Kind.CHARACTER and who not in here:
            yield Suggestion(slot.table.name(who), sheet.kind)


# --- skills, tracks, upgrades -----------------------------------------------------------------------------


def _skills_of(owner: str) -> Callable[[_Slot], Iterator[Suggestion]]:
    def skills(slot: _Slot) -> Iterator[Suggestion]:
        who = slot.blank.somebody(owner)
        own = {} if who is None else slot.own.sheet(who).skills
        for skill, level in sorted(own.items(), key=lambda entry: -entry[1]):
            yield Suggestion(skill, str(level))

    return skills


def _tracks_of_target(slot: _Slot) -> Iterator[Suggestion]:
    who = slot.blank.somebody("thing")
    return _tracks(slot, slot.who if who is None else who)


def _tracks(slot: _Slot, who: int | None) -> Iterator[Suggestion]:
    for track in () if who is None else slot.own.tracks(who):
        marked = _marked(slot, who or 0, track) or "nothing"
        yield Suggestion(track, f"goes to {slot.own.threshold(who or 0, track)}, {marked} marked")


def _marked(slot: _Slot, who: int, track: str) -> str:
    return " ".join(map(str, sorted(slot.own.marked(who, track))))


def _clearable(slot: _Slot) -> Iterator[Suggestion]:
    if slot.who is None:
        return
    for track in slot.own.tracks(slot.who):
        if marked := _marked(slot, slot.who, track):
            yield Suggestion(track, f"{marked} marked")
    for severity in Severity:
        borne = slot.own.consequences_of(slot.who, severity)
        yield from (Suggestion(severity, aspect.wording) for aspect in borne)
    yield Suggestion(rules.STRESS, "every track")


def _left(slot: _Slot) -> Iterator[Suggestion]:
    """Yields an amount of stress: what a person still owes for an upgrade, else the current roll's shifts."""
    owed = slot.own.owed.get(slot.who or 0)
    if owed is not None:
        yield Suggestion(str(owed.left), "all of it")
    elif slot.roll is not None and slot.roll.shifts > 0:
        yield Suggestion(str(slot.roll.shifts), "all that is left")


# --- zones ------------------------------------------------------------------------------------------------


def _next_zones(slot: _Slot) -> Iterator[Suggestion]:
    """Yields zones next to the last zone typed, or to the mover's own zone, with the shifts they take."""
    mover, state = slot.blank.somebody("whom"), slot.state
    mover = slot.who if mover is None else mover
    if mover is not None:
        last = str(slot.blank.one("zones") or "").partition(":")[0]
        start = last if last in state.zones else state.places.get(mover, "")
        yield from (Suggestion(step, f"takes {cost}") for step, cost, _ in steps_from(state, mover, start))


# --- aspects ----------------------------------------------------------------------------------------------


def _invocable(slot: _Slot) -> Iterable[Aspect]:
    """Returns the aspects not yet invoked on the current roll; those with free invokes come first."""
    used = set() if slot.roll is None else slot.roll.used
    left = (aspect for aspect in slot.aspects if aspect.id not in used)
    return sorted(left, key=lambda aspect: not any(aspect.free.values()))


_ASPECTS: Final[Mapping[tuple[type[Command], str], Callable[[_Slot], Iterable[Aspect]]]] = {
    (v.Invoke, "aspect"): _invocable,
    (c.Compel, "aspect"): lambda slot: sorted(
        (aspect for aspect in slot.aspects if not aspect.ghost), key=lambda aspect: aspect.on != slot.who
    ),
    (v.Assess, "aspect"): _Slot.aspects_on_thing,
    (v.PlaceAspect, "aspect"): lambda slot: (
        aspect
        for aspect in slot.aspects_on_thing()
        if not aspect.lasting and aspect.severity is None  # else --gone does not remove it
    ),
}
"""Aspects for a slot of a command."""


def _worded(slot: _Slot, aspects: Iterable[Aspect]) -> Iterator[Suggestion]:
    for aspect in aspects:
        bearer_ = slot.table.name(aspect.on) if isinstance(aspect.on, int) else aspect.on
        free = sum(aspect.free.values())
        yield Suggestion(
            distinct_name(slot.table, aspect), f"on {bearer_}, {free} free" if free else f"on {bearer_}"
        )


# --- time, boxes, keys ------------------------------------------------------------------------------------


def _lengths(slot: _Slot) -> Iterator[Suggestion]:
    """Yields the durations of the time track, starting with the last exchange's length."""
    step = slot.own.step or 0
    yield from (Suggestion(length) for length in (*rules.TIME[step:], *rules.TIME[:step]))


def _boxes(slot: _Slot) -> Iterator[Suggestion]:
    act = slot.roll
    if not isinstance(act, Action) or act.act is not Act.RECOVER or slot.blank.filled.get("boxes"):
        return
    choices = rules.recoveries(slot.own.marked(track_owner(act), act.track or ""), act.shifts)
    for boxes in sorted(choices, key=rules.recovery_cost, reverse=True)[:MOST_CHOICES]:
        yield Suggestion(" ".join(map(str, boxes)), f"takes {rules.recovery_cost(boxes)} of {act.shifts}")


def _sheet_keys(slot: _Slot) -> Iterator[Suggestion]:
    """Yields keys for a sheet: keys of the rules, then the skills on other sheets of this table."""
    yield from map(Suggestion, (*FIELDS, *sorted(TRACK_NAMES)))
    examples = [row.example.partition("=")[0] for row in SHEET if row.key.startswith((ASPECT, UPGRADE))]
    yield from map(Suggestion, examples)
    yield from map(
        Suggestion, sorted({skill for sheet in slot.own.sheets.values() for skill in sheet.skills})
    )


def _words(*words: str) -> Callable[[_Slot], Iterator[Suggestion]]:
    return lambda _slot: map(Suggestion, words)


Known = Callable[[_Slot], Iterator[Suggestion]]

_TIMES: Final = _words(*rules.TIME)

_OF_A_VERB: Final[Mapping[tuple[type[Command], str], Known]] = {
    (v.Declare, "act"): _words(*Act, "continue"),
    (v.Assess, "opposing"): _skills_of("thing"),
    (v.Roll, "dice"): _words("4dF"),
    (c.End, "how"): _words(*AGREED),
    (v.Roll, "traits"): _skills_of("who"),
    (v.Roll, "skill"): _skills_of("opponent"),
    (v.Roll, "keys"): _words(TAKES),
    (v.Roll, f"{TAKES}="): _TIMES,
    (c.Clear, "track"): _clearable,
    (v.Resist, "amounts"): _left,
    **dict.fromkeys(((verb, "zones") for verb in (v.Move, v.Continue, v.Declare)), _next_zones),
    (v.BeginExchange, "length"): _lengths,
    (v.Apply, "boxes"): _boxes,
    (v.Spend, "on"): lambda _slot: iter([Suggestion(TIME, "a step sooner for each")]),
    (c.Cast, "keys"): _sheet_keys,
    (c.Cast, "kind="): _words(*Kind),
    (c.Cast, "role="): _words(*Role),
    (c.Cast, f"{TAKES}="): _TIMES,
}
"""Completions for a slot of one command; `keys` are setup keys, `kind=` the value of one."""

_OF_A_SLOT: Final[Mapping[str, Known]] = {
    "skill": _skills_of("who"),
    "against": _skills_of("thing"),
    "upgrade": lambda slot: (
        Suggestion(name, str(upgrade)) for name, upgrade in slot.own.sheet(slot.who or 0).upgrades.items()
    ),
    "track": _tracks_of_target,
    "tracks": lambda slot: _tracks(slot, slot.who),
    **dict.fromkeys(("zone", "zones"), lambda slot: map(Suggestion, slot.state.zones)),
    "asset": _assets,
}
"""Completions for a slot of this name in any command."""
