"""The `undo` and `redo` commands: plan what to take back or bring back, and record it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import tee

from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.amendments import UndoneStretch
from retold.journal.store.events.codec import decode_event
from retold.journal.store.events.kinds import event_of
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.campaign import MOVED, LineWriter
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event

_NOT_UNDOABLE = {
    "table.campaign-begun": "The campaign begins here: there is nothing to take back.",
    "table.forked": "The branch begins here: to leave it, switch mainline.",
    "table.promoted": "This line became the mainline here. That is taken back alone: undo, then undo again.",
    "table.retired": "Play went on elsewhere from here: there is nothing to take back on this line.",
    "table.redacted": "A redaction cannot be taken back: the words are gone. What came before is for retcon.",
    "table.revealed": "A reveal cannot be taken back: it has been seen. What came before is for retcon.",
}


def why_not_undoable(kind: str) -> str | None:
    """Returns a sentence that says why `undo` stops at an event of this kind; None if it does not."""
    known = event_of(kind)
    return known.final if known is not None and known.final is not None else _NOT_UNDOABLE.get(kind)


PASSED_OVER = frozenset({"table.undone", "table.redone"})
"""Kinds that undo skips: an undo is taken back with redo, and a redo with undo."""

SHOWN = frozenset({e.LineShown.kind})
"""Kinds that neither undo nor redo stops at: a line stays shown, which changes nothing on it."""


def plan_undo(writer: LineWriter, acts: int = 1) -> tuple[Act, ...]:
    """Returns the last `acts` acts, earliest first, that `undo` would take back; records nothing.

    Raises Refused if there are fewer, or if an act cannot be undone.
    """
    _at_least_one(acts)
    writer.catch_up()
    found: list[Act] = []
    last_acts, again = tee(writer.last_acts())
    if _former_mainline(writer, last_acts) is not None:
        raise Refused(_NOT_UNDOABLE["table.promoted"])
    try:
        for act in _undoable(writer, again):
            found.insert(0, act)
            if len(found) == acts:
                return tuple(found)
    except Refused as refusal:
        if not found or acts > writer.head.position:
            raise
        ways = f"undo {len(found)}; the act at {acts} of the log: retcon {acts} --drop"
        raise Refused(f"{acts} acts back: {refusal} What can be taken back: {ways}.") from None
    raise Refused("There is nothing to take back.")


def undo(
    writer: LineWriter, acts: int = 1, manner: Manner | None = None, planned: Sequence[Act] | None = None
) -> RecordedAct:
    """Records that the last `acts` acts are undone; nothing is erased. Returns the recorded act.

    Raises Refused if there are fewer acts, if one cannot be undone, or if they are not those `planned`.
    """

    def plan() -> Sequence[Event]:
        taken = plan_undo(writer, acts)
        if planned is not None and [act.first for act in taken] != [act.first for act in planned]:
            raise Refused(MOVED)
        return [e.Undone(first=taken[0].first, last=taken[-1].last)]

    return writer.manage_planned(plan, c.Undo(acts=acts), manner)


def former_mainline(writer: LineWriter) -> int | None:
    """Returns the branch that `undo` would make the mainline again, if the last act here is a promotion.

    Returns None otherwise, and if that promotion was itself an undo.
    """
    writer.catch_up()
    return _former_mainline(writer, writer.last_acts())


def _former_mainline(writer: LineWriter, last_acts: Iterator[Act]) -> int | None:
    if writer.line != writer.campaign.mainline():
        return None
    for act in last_acts:
        if _kinds(act) <= SHOWN:
            continue
        promoted = _promotion(act)
        return None if promoted is None or _is_by_undo(act) else promoted.was
    return None


def undone_promotion(writer: LineWriter) -> int | None:
    """Returns the branch that `redo` would make the mainline again; None if no promotion was just undone."""
    writer.catch_up()
    if writer.line != writer.campaign.mainline() or _last_undone(writer):
        return None
    for act in writer.last_acts():
        if not _kinds(act) <= PASSED_OVER | SHOWN:
            promoted = _promotion(act)
            return promoted.was if promoted is not None and _is_by_undo(act) else None
    return None


def plan_redo(writer: LineWriter, acts: int = 1) -> tuple[UndoneStretch, ...]:
    """Returns the ranges of positions that `redo` would bring back, latest undo first; records nothing.

    Raises Refused if there were fewer than `acts` undos since the last other act.
    """
    _at_least_one(acts)
    writer.catch_up()
    undone = _last_undone(writer)
    if not undone:
        raise Refused("There is nothing to bring back.")
    if len(undone) < acts:
        count = "Only one undo" if len(undone) == 1 else f"Only {len(undone)} undos"
        raise Refused(f"{count} can be brought back.")
    return tuple(undone[:acts])


def redo(writer: LineWriter, acts: int = 1, manner: Manner | None = None) -> RecordedAct:
    """Records that the last `acts` undos no longer hold; returns the recorded act.

    Raises Refused as `plan_redo`: if there are fewer undos, or if other acts were recorded since.
    """

    def plan() -> Sequence[Event]:
        return [e.Redone(first=stretch.first, last=stretch.last) for stretch in plan_redo(writer, acts)]

    return writer.manage_planned(plan, c.Redo(acts=acts), manner)


def _at_least_one(acts: int) -> None:
    if acts < 1:
        raise Refused("Say how many acts, 1 or more.")


def _undoable(writer: LineWriter, last_acts: Iterator[Act]) -> Iterator[Act]:
    """Yields the acts of `last_acts` that `undo` may take back; raises Refused at the first other act."""
    brought_back: list[UndoneStretch] = []
    given = 0
    came_back = False
    for act in last_acts:
        kinds = _kinds(act)
        if kinds <= PASSED_OVER | SHOWN:
            redone = (recorded.event for recorded in act.events if isinstance(recorded.event, e.Redone))
            brought_back += [UndoneStretch(event.first, event.last) for event in redone]
        elif kinds - SHOWN == {"table.forked"} and brought_back and not given:
            yield from _inherited(writer, act.first, brought_back)
            return
        elif kinds == {e.Promoted.kind} and _is_by_undo(act):
            came_back = True
        elif kinds == {e.Retired.kind} and came_back:
            came_back = False
        elif refusal := next(filter(None, map(why_not_undoable, kinds)), None):
            raise Refused(refusal)
        else:
            given += 1
            yield act


def _promotion(act: Act) -> e.Promoted | None:
    return next((recorded.event for recorded in act.events if isinstance(recorded.event, e.Promoted)), None)


def _is_by_undo(act: Act) -> bool:
    command = act.events[0].command
    return command is not None and command.get("kind") == c.Undo.verb


def _inherited(writer: LineWriter, fork: int, brought_back: Sequence[UndoneStretch]) -> Iterator[Act]:
    """Yields the acts before position `fork` that were redone on this branch itself, last first.

    `brought_back` holds the ranges redone here. Raises Refused at the first other act.
    """
    campaign = writer.campaign
    for act in line_events.acts_backwards(campaign.record, writer.line, fork, writer.amendments):
        if _kinds(act) <= PASSED_OVER | SHOWN:
            continue
        if not any(first <= act.first <= last for first, last in brought_back):
            raise Refused(_NOT_UNDOABLE["table.forked"])
        yield act


def _kinds(act: Act) -> set[str]:
    return {recorded.event.kind for recorded in act.events}


def _last_undone(writer: LineWriter) -> list[UndoneStretch]:
    """Returns the ranges of positions that `redo` may bring back, latest undo first."""
    brought_back: list[UndoneStretch] = []
    found: list[UndoneStretch] = []
    for row in writer.campaign.record.backwards(writer.line, writer.head.position + 1):
        if row.kind == "table.forked" or row.kind in SHOWN:
            continue
        if row.kind not in PASSED_OVER:
            break
        stretch = _stretch(row)
        if row.kind == "table.redone":
            brought_back.append(stretch)
        elif stretch in brought_back:
            brought_back.remove(stretch)
        else:
            found.append(stretch)
    return found


def _stretch(row: Row) -> UndoneStretch:
    event = decode_event(row)[0]
    assert isinstance(event, e.Undone | e.Redone)  # noqa: S101 -- the kind says so
    return UndoneStretch(event.first, event.last)
