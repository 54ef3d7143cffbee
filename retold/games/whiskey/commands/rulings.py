"""Rulings in Whiskey: questions for the table, their answers, and numbers that a ruling may set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from retold.game import (
    NOBODY,
    Answer,
    Event,
    OpenConflict,
    Question,
    Refused,
    RulingKey,
    Situation,
    Table,
    normalise,
    set_by_table,
)
from retold.game import RulingChange as Change
from retold.game import events as e
from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.commands.clashes import form_clash, open_ring, sides, undeclared
from retold.games.whiskey.commands.conflicts import with_dropped_clashes
from retold.games.whiskey.options import NAME, chosen
from retold.games.whiskey.rules import Act
from retold.games.whiskey.state import (
    NUMBERS,
    conflict_state,
    game_state,
    intents_of_able,
    sheet_of,
)

# --- questions --------------------------------------------------------------------------------------------


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns the first question for the table, in a tuple; an empty tuple without questions.

    Questions: may three fight each other, who is stopped by a guard, who gets through a ring of fighters.
    """
    phase = conflict_state(conflict).phase
    if phase.triangle is not None:
        return (_triangle_question(table, conflict, phase.triangle),)
    if phase.clashes or phase.sealed or not phase.intents or undeclared(table, conflict):
        return ()
    asked = _guard_question(table, conflict) or _ring_question(table, conflict)
    return () if asked is None else (asked,)


def _triangle_question(table: Table, conflict: OpenConflict, proposed: w.TriangleProposed) -> Question:
    one, other, third = map(table.name, (proposed.one, proposed.other, proposed.third))
    asked = f"{one} and {other} both clash with {third} already: shall all three fight each other?"
    return Question("triangle", asked, ("yes", "no"), conflict.id)


def _guards(table: Table, conflict: OpenConflict) -> Iterator[tuple[int, tuple[int, ...]]]:
    return rules.unassigned(
        intents_of_able(table, conflict), sides(conflict), conflict_state(conflict).phase.orders
    )


def _guard_question(table: Table, conflict: OpenConflict) -> Question | None:
    guards = tuple(_guards(table, conflict))
    for guard, coming in guards:
        intents = intents_of_able(table, conflict)
        ward = intents[guard].target
        name, guarded = table.name(guard), "the ground" if ward is None else table.name(ward)
        names = " and ".join(map(table.name, coming))
        asked = f"{name} guards {guarded}, and {names} are coming: whom does {name} stop?"
        standing = [who for who, intent in intents.items() if intent.act is Act.STAND]
        orders = conflict_state(conflict).phase.orders
        blocks = bool(guards[1:]) or rules.matters(intents, sides(conflict), orders, guard, standing)
        return Question("engage", asked, (*coming, NOBODY), conflict.id, blocks)
    return None


def _ring_question(table: Table, conflict: OpenConflict) -> Question | None:
    ring = open_ring(table, conflict) if chosen(table, "loop_break") == "gm" else None
    if ring is None:
        return None
    names = ", ".join(map(table.name, ring.members))
    return Question("loop", f"Each is after the next ({names}): who gets through?", ring.members, conflict.id)


# --- answers ----------------------------------------------------------------------------------------------


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the event that carries out the answer to the pending question; none for a triangle refused."""
    here, who = situation.here, ruling.answer
    triangle = conflict_state(here).phase.triangle
    if triangle is not None:
        if who == "no":
            return []
        return [form_clash(situation, triangle.one, triangle.other, (triangle.one,), paired=True)]
    if ruling.question == "engage":
        guard, _ = next(_guards(situation.table, here))
        return [_guard_assigned(here, guard, who)]
    assert isinstance(who, int)  # noqa: S101 -- the answers allowed are people
    ring = open_ring(situation.table, here)
    assert ring is not None  # noqa: S101 -- it is what was asked about
    return [w.LoopBroken(conflict=here.id, who=who, loop=ring.members, how="gm")]


# --- numbers ----------------------------------------------------------------------------------------------


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events of a ruling that sets hit points, a sheet number, or the person a guard stops."""
    return set_by_table(situation, ruling, RULING_KEYS, NAME, _unknown)


def _unknown(situation: Situation, setting: e.Setting) -> str:
    if setting.person is None:
        return "Say whose number, and which: ruling NAME.hp-=2: why."
    known = ", ".join((*NUMBERS, *sheet_of(situation.table, setting.person).stats))
    name, what = situation.name(setting.person), normalise(setting.what)
    return f"{name} has no {what}; a ruling sets {known}, or whom a guard may engage."


def _stat(change: Change) -> int | None:
    return sheet_of(change.situation.table, change.person).numbers.get(normalise(change.setting.what))


def _set_hp(change: Change) -> list[Event]:
    """Returns the event with the new hit points, and the incapacitation or recovery they cause."""
    situation, who, value = change.situation, change.person, change.number
    conflict = situation.where_in(NAME)
    out = value <= chosen.number(situation.table, "incapacitated_at")
    was = who in game_state(situation.table).down
    events: list[Event] = [w.NumberSet(who=who, what="hp", value=value)]
    if was and not out:
        events.append(w.Recovered(conflict=conflict, who=who))
    if not out or was:
        return events
    here = None if conflict is None else situation.here
    return with_dropped_clashes(situation.table, here, [*events, w.Incapacitated(conflict=conflict, who=who)])


def _combat_number(change: Change) -> int | None:
    """Returns a combat number; if the sheet lacks it, 0 for a ruling that sets it with `=`, else None."""
    known = _stat(change)
    return 0 if known is None and change.setting.op == "=" else known


def _set_stat(change: Change) -> list[Event]:
    key = normalise(change.setting.what)
    return [e.SheetChanged(person=change.person, system=NAME, values={key: change.number})]


def _set_guard_target(change: Change) -> list[Event]:
    """Returns the event by which a ruling chooses the person a guard stops.

    Raises Refused for a person who does not guard this phase, and once the clashes are known.
    """
    situation, guard, setting = change.situation, change.person, change.setting
    name, quoted = situation.name(guard), situation.quoted(guard)
    if situation.conflict is None or situation.here.system != NAME or setting.op != "=":
        raise Refused(
            f"In a Whiskey conflict a ruling sets the target of a guard: ruling {quoted}.engage=NAME: why."
        )
    phase = conflict_state(situation.here).phase
    intent = phase.intents.get(guard)
    if intent is None or intent.act is not Act.GUARD:
        raise Refused(f"{name} does not guard this phase.")
    if phase.clashes or phase.fates:
        raise Refused("The clashes are known already: pair them by hand (clash NAME NAME), or undo.")
    others = tuple(who for who in situation.here.people if who != guard)
    if setting.value not in (*others, NOBODY):
        raise Refused(f"{name} can stop one of these: {situation.names(others)}; or {NOBODY}.")
    return [_guard_assigned(situation.here, guard, setting.value)]


def _guard_assigned(conflict: OpenConflict, guard: int, whom: Answer | None) -> w.GuardAssigned:
    target = whom if isinstance(whom, int) else None
    return w.GuardAssigned(conflict=conflict.id, who=guard, target=target)


RULING_KEYS: Final = (
    RulingKey("engage", _set_guard_target),
    RulingKey("hp", _set_hp, lambda change: _stat(change) or 0, least=None),
    *(RulingKey(key, _set_stat, _combat_number, least=None) for key in NUMBERS if key != "hp"),
    RulingKey("STAT", _set_stat, _stat, least=None),
)
"""Numbers that a ruling can set: `docs/rules/whiskey.md` §8."""
