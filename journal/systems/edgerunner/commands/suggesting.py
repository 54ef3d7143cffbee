"""Completions for command slots: people, skills, tracks, zones, aspects, times and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from journal.capabilities import Blank, Suggestion
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.acts import track_owner
from journal.systems.edgerunner.commands.conflicts import AGREED
from journal.systems.edgerunner.commands.positions import distinct_name, people_with_turns
from journal.systems.edgerunner.commands.rolls_outside_conflict import TAKES, TIME
from journal.systems.edgerunner.commands.sheets import SHEET
from journal.systems.edgerunner.commands.zones import steps_from
from journal.systems.edgerunner.rules import Act, Kind, Role, Severity
from journal.systems.edgerunner.state import (
    Action,
    Aspect,
    EdgerunnerConflict,
    EdgerunnerState,
    OpenRoll,
    conflict_state,
    game_state,
    open_roll_in,
)
from journal.systems.edgerunner.state.game_state import ASPECT, FIELDS, TRACK_NAMES, UPGRADE
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

MOST_CHOICES: Final = 8
"""Most choices of boxes suggested."""


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields completions for a blank slot of a command, best first."""
    known = _OF_A_VERB.get((blank.command, blank.slot)) or _OF_A_SLOT.get(blank.slot)
    if known is not None:
        yield from known(_Slot(table, conflict, blank))


class _Slot(Struct, frozen=True):
    """A blank slot, with the table and conflict it is filled for."""

    table: Table
    conflict: OpenConflict | None
    blank: Blank

    @property
    def own(self) -> EdgerunnerState:
        return game_state(self.table)

    @property
    def state(self) -> EdgerunnerConflict | None:
        return None if self.conflict is None else conflict_state(self.conflict)

    @property
    def roll(self) -> OpenRoll | None:
        return open_roll_in(self.table, self.conflict)

    @property
    def aspects(self) -> list[Aspect]:
        """Aspects in play, except those of places on an earlier map."""
        named = () if self.state is None else self.state.named
        return [aspect for aspect in self.own.aspects.values() if self.own.stays(aspect, named)]

    def named(self, people: Iterable[int], about: str = "") -> Iterator[Suggestion]:
        """Yields people's names, each with the note `about`."""
        return (Suggestion(self.table.name(who), about) for who in dict.fromkeys(people))


# --- people -----------------------------------------------------------------------------------------------


def _to_act(slot: _Slot) -> Iterator[Suggestion]:
    """Yields the turn's holder, then people yet to act in this exchange."""
    if slot.conflict is None or slot.state is None:
        return
    state = slot.state
    waiting = [who for who in people_with_turns(slot.table, slot.conflict) if who not in state.acted]
    turn = [] if state.turn is None else [state.turn]
    yield from slot.named((*turn, *waiting), "yet to act")


def _of_the_roll(slot: _Slot) -> Iterator[Suggestion]:
    if slot.roll is not None:
        yield from slot.named([slot.roll.who], "whose roll it is")


def _targets(slot: _Slot) -> Iterator[Suggestion]:
    yield from slot.named(slot.own.owed, "has strain to take")
    if slot.roll is not None:
        yield from slot.named(slot.roll.targets, "the target")


def _either(slot: _Slot) -> Iterator[Suggestion]:
    yield from _of_the_roll(slot)
    if slot.roll is not None:
        yield from slot.named(slot.roll.targets, "the target")


def _spinning(slot: _Slot) -> Iterator[Suggestion]:
    if slot.state is not None:
        yield from slot.named((spin.holder for spin in slot.state.spins), "holds spin")


def _compelled(slot: _Slot) -> Iterator[Suggestion]:
    act = None if slot.state is None else slot.state.act
    if act is not None:
        yield from slot.named([act.who], "has announced an act")


def _answering(slot: _Slot) -> Iterator[Suggestion]:
    offers = slot.own.offers if slot.state is None else slot.state.offers
    yield from slot.named((offer.who for offer in offers), "compelled")


def _telling(slot: _Slot) -> Iterator[Suggestion]:
    if slot.state is not None:
        yield from slot.named((tale.by for tale in slot.state.tales), "tells what becomes of them")


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


def _upgrades(slot: _Slot) -> Iterator[Suggestion]:
    who = slot.blank.somebody("who")
    for name, upgrade in ({} if who is None else slot.own.sheet(who).upgrades).items():
        yield Suggestion(name, str(upgrade))


def _tracks_of_target(slot: _Slot) -> Iterator[Suggestion]:
    who = slot.blank.somebody("thing")
    yield from _tracks(slot, slot.blank.somebody("who") if who is None else who)


def _own_tracks(slot: _Slot) -> Iterator[Suggestion]:
    yield from _tracks(slot, slot.blank.somebody("who"))


def _tracks(slot: _Slot, who: int | None) -> Iterator[Suggestion]:
    for track in () if who is None else slot.own.tracks(who):
        marked = " ".join(map(str, sorted(slot.own.marked(who or 0, track)))) or "nothing"
        yield Suggestion(track, f"goes to {slot.own.threshold(who or 0, track)}, {marked} marked")


def _clearable(slot: _Slot) -> Iterator[Suggestion]:
    who = slot.blank.somebody("who")
    if who is None:
        return
    for track in slot.own.tracks(who):
        if slot.own.marked(who, track):
            yield Suggestion(track, f"{' '.join(map(str, sorted(slot.own.marked(who, track))))} marked")
    for severity in Severity:
        for aspect in slot.own.consequences_of(who, severity):
            yield Suggestion(severity, aspect.wording)
    yield Suggestion(rules.STRESS, "every track")


def _left(slot: _Slot) -> Iterator[Suggestion]:
    """Yields the strain an upgrade still costs, or the open roll's shifts."""
    owed = slot.own.owed.get(slot.blank.somebody("who") or 0)
    if owed is not None:
        yield Suggestion(str(owed.left), "all of it")
    elif slot.roll is not None and slot.roll.shifts > 0:
        yield Suggestion(str(slot.roll.shifts), "all that is left")


# --- zones ------------------------------------------------------------------------------------------------


def _zones(slot: _Slot) -> Iterator[Suggestion]:
    yield from (Suggestion(zone) for zone in (slot.state.zones if slot.state is not None else ()))


def _next_zones(slot: _Slot) -> Iterator[Suggestion]:
    """Yields zones adjacent to the last zone typed, or to the mover's zone, with pass values."""
    mover = slot.blank.somebody("whom")
    mover = slot.blank.somebody("who") if mover is None else mover
    if slot.state is None or mover is None:
        return
    for step, cost, _ in steps_from(slot.state, mover, _start(slot.state, mover, slot.blank)):
        yield Suggestion(step, f"takes {cost}")


def _start(state: EdgerunnerConflict, mover: int, blank: Blank) -> str:
    last = str(blank.one("zones") or "").partition(":")[0]
    return last if last in state.zones else state.places.get(mover, "")


# --- aspects ----------------------------------------------------------------------------------------------


def _invocable(slot: _Slot) -> Iterator[Suggestion]:
    """Yields aspects not yet invoked on this roll, those with free invokes first."""
    used = set() if slot.roll is None else slot.roll.used
    left = [aspect for aspect in slot.aspects if aspect.id not in used]
    yield from _worded(slot, sorted(left, key=lambda aspect: not any(aspect.free.values())))


def _theirs_first(slot: _Slot) -> Iterator[Suggestion]:
    who = slot.blank.somebody("who")
    known = [aspect for aspect in slot.aspects if not aspect.ghost]
    yield from _worded(slot, sorted(known, key=lambda aspect: aspect.on != who))


def _on_thing(slot: _Slot) -> Iterator[Suggestion]:
    thing = slot.blank.one("thing")
    yield from _worded(slot, (aspect for aspect in slot.own.aspects.values() if aspect.on == thing))


def _passing(slot: _Slot) -> Iterator[Suggestion]:
    """Yields aspects that `--gone` can remove: neither on a sheet nor a consequence."""
    thing = slot.blank.one("thing")
    known = slot.own.aspects.values()
    loose = [
        aspect for aspect in known if aspect.on == thing and not aspect.lasting and aspect.severity is None
    ]
    yield from _worded(slot, loose)


def _worded(slot: _Slot, aspects: Iterable[Aspect]) -> Iterator[Suggestion]:
    for aspect in aspects:
        bearer_ = slot.table.name(aspect.on) if isinstance(aspect.on, int) else aspect.on
        free = sum(aspect.free.values())
        yield Suggestion(
            distinct_name(slot.table, aspect), f"on {bearer_}, {free} free" if free else f"on {bearer_}"
        )


# --- time, boxes, keys ------------------------------------------------------------------------------------


def _lengths(slot: _Slot) -> Iterator[Suggestion]:
    """Yields the time track, starting at the last exchange's length."""
    step = slot.own.step or 0
    yield from (Suggestion(length) for length in (*rules.TIME[step:], *rules.TIME[:step]))


def _times(_slot: _Slot) -> Iterator[Suggestion]:
    yield from map(Suggestion, rules.TIME)


def _boxes(slot: _Slot) -> Iterator[Suggestion]:
    act = slot.roll
    if not isinstance(act, Action) or act.act is not Act.RECOVER or slot.blank.filled.get("boxes"):
        return
    choices = rules.recoveries(slot.own.marked(track_owner(act), act.track or ""), act.shifts)
    for boxes in sorted(choices, key=rules.recovery_cost, reverse=True)[:MOST_CHOICES]:
        yield Suggestion(" ".join(map(str, boxes)), f"takes {rules.recovery_cost(boxes)} of {act.shifts}")


def _spendable(slot: _Slot) -> Iterator[Suggestion]:
    yield Suggestion(TIME, "a step sooner for each")


def _sheet_keys(slot: _Slot) -> Iterator[Suggestion]:
    """Yields the sheet keys of the game, then the skills on this table's sheets."""
    yield from map(Suggestion, (*FIELDS, *sorted(TRACK_NAMES)))
    examples = [row.example.partition("=")[0] for row in SHEET if row.key.startswith((ASPECT, UPGRADE))]
    yield from map(Suggestion, examples)
    yield from map(
        Suggestion, sorted({skill for sheet in slot.own.sheets.values() for skill in sheet.skills})
    )


def _words(*words: str) -> Callable[[_Slot], Iterator[Suggestion]]:
    return lambda _slot: map(Suggestion, words)


Known = Callable[[_Slot], Iterator[Suggestion]]

_ACTS: Final[tuple[type[Command], ...]] = (
    *(v.Move, v.Attack, v.Defend, v.Maneuver, v.Recover, v.Deploy, v.Simple, v.Continue),
    *(v.ClaimTurn, v.Declare),
)

_OF_A_VERB: Final[Mapping[tuple[type[Command], str], Known]] = {
    **{(act, "who"): _to_act for act in _ACTS},
    (v.Declare, "act"): _words(*Act, "continue"),
    (v.Boost, "who"): _of_the_roll,
    (v.Invoke, "who"): _either,
    (v.SpendSpin, "who"): _spinning,
    (v.Spend, "who"): _of_the_roll,
    (v.Resist, "who"): _targets,
    (c.Compel, "who"): _compelled,
    (c.Accept, "who"): _answering,
    (c.Refuse, "who"): _answering,
    (c.Narrate, "who"): _telling,
    (v.Invoke, "aspect"): _invocable,
    (c.Compel, "aspect"): _theirs_first,
    (v.Assess, "aspect"): _on_thing,
    (v.PlaceAspect, "aspect"): _passing,
    (v.Assess, "opposing"): _skills_of("thing"),
    (v.Roll, "dice"): _words("4dF"),
    (c.End, "how"): _words(*AGREED),
    (v.Roll, "traits"): _skills_of("who"),
    (v.Roll, "skill"): _skills_of("opponent"),
    (v.Roll, "keys"): _words(TAKES),
    (v.Roll, f"{TAKES}="): _times,
    (c.Clear, "track"): _clearable,
    (v.Resist, "amounts"): _left,
    (v.Move, "zones"): _next_zones,
    (v.Continue, "zones"): _next_zones,
    (v.Declare, "zones"): _next_zones,
    (v.BeginExchange, "length"): _lengths,
    (v.Apply, "boxes"): _boxes,
    (v.Spend, "on"): _spendable,
    (c.Cast, "keys"): _sheet_keys,
    (c.Cast, "kind="): _words(*Kind),
    (c.Cast, "role="): _words(*Role),
    (c.Cast, f"{TAKES}="): _times,
}
"""Completions for a slot of one command; `keys` are setup keys, `kind=` the value of one."""

_OF_A_SLOT: Final[Mapping[str, Known]] = {
    "skill": _skills_of("who"),
    "against": _skills_of("thing"),
    "upgrade": _upgrades,
    "track": _tracks_of_target,
    "tracks": _own_tracks,
    "zone": _zones,
    "zones": _zones,
    "asset": _assets,
}
"""Completions for a slot of this name in any command."""
