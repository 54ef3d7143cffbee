"""Taking back and bringing back: what `undo` and `redo` append, and when they are refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from journal.refused import Refused
from journal.store import line_events
from journal.store.acts import Manner, RecordedAct
from journal.store.amendments import UndoneStretch
from journal.store.campaign import LineWriter
from journal.store.codec import decode_event
from journal.store.event_store import Row
from journal.store.kinds import event_of
from journal.store.line_events import Act
from journal.vocabulary import commands as c
from journal.vocabulary import events as e

_NOT_UNDOABLE = {
    "table.campaign-begun": "The campaign begins here: there is nothing to take back.",
    "table.forked": "The branch begins here: to leave it, switch mainline.",
    "table.promoted": "This line became the mainline here. That is taken back alone: undo, then undo again.",
    "table.retired": "Play went on elsewhere from here: there is nothing to take back on this line.",
    "table.redacted": "A redaction cannot be taken back: the words are gone. What came before is for retcon.",
    "table.revealed": "A reveal cannot be taken back: it has been seen. What came before is for retcon.",
}


def why_not_undoable(kind: str) -> str | None:
    """Why no undo takes back or passes an event of this stored kind, as a sentence; None where one may."""
    known = event_of(kind)
    return known.final if known is not None and known.final is not None else _NOT_UNDOABLE.get(kind)


PASSED_OVER = frozenset({"table.undone", "table.redone"})
"""What undo passes over: an undo is taken back with redo, and a redo with undo."""

SHOWN = frozenset({e.LineShown.kind})
"""What neither undo nor redo stops at: that a line is shown stays so, and changes nothing told on it."""


def plan_undo(writer: LineWriter, acts: int = 1) -> tuple[Act, ...]:
    """The live acts that undo would take back, the earliest first; Refused if there are not so many."""
    _at_least_one(acts)
    writer.catch_up()
    found: list[Act] = []
    if former_mainline(writer) is not None:
        raise Refused(_NOT_UNDOABLE["table.promoted"])
    for act in _undoable(writer):
        found.insert(0, act)
        if len(found) == acts:
            return tuple(found)
    raise Refused("There is nothing to take back.")


def undo(writer: LineWriter, acts: int = 1, manner: Manner | None = None) -> RecordedAct:
    """Takes back the last live acts; nothing is erased."""
    taken = plan_undo(writer, acts)
    event = e.Undone(first=taken[0].first, last=taken[-1].last)
    return writer.manage(event, c.Undo(acts=acts), manner)


def former_mainline(writer: LineWriter) -> int | None:
    """The line that undo makes the mainline again; None unless a promotion is the last act here."""
    writer.catch_up()
    if writer.line != writer.campaign.mainline():
        return None
    for act in writer.last_acts():
        if _kinds(act) <= SHOWN:
            continue
        promoted = _promotion(act)
        return None if promoted is None or _asked_by_undo(act) else promoted.was
    return None


def undone_promotion(writer: LineWriter) -> int | None:
    """The line that redo makes the mainline again; None where an undo of a promotion was not the last act."""
    writer.catch_up()
    if writer.line != writer.campaign.mainline() or _undone_last(writer):
        return None
    for act in writer.last_acts():
        if not _kinds(act) <= PASSED_OVER | SHOWN:
            promoted = _promotion(act)
            return promoted.was if promoted is not None and _asked_by_undo(act) else None
    return None


def plan_redo(writer: LineWriter, acts: int = 1) -> tuple[UndoneStretch, ...]:
    """The stretches that redo would bring back, the latest undone first; Refused if there are not so many."""
    _at_least_one(acts)
    writer.catch_up()
    undone = _undone_last(writer)
    if not undone:
        raise Refused("There is nothing to bring back.")
    if len(undone) < acts:
        many = "undo" if len(undone) == 1 else f"{len(undone)} undos"
        raise Refused(f"Only the last {many} can be brought back.")
    return tuple(undone[:acts])


def redo(writer: LineWriter, acts: int = 1, manner: Manner | None = None) -> RecordedAct:
    """Brings back what the last `acts` undos took, the latest undo first; Refused once an act came since."""
    events = [e.Redone(first=stretch.first, last=stretch.last) for stretch in plan_redo(writer, acts)]
    return writer.manage_all(events, c.Redo(acts=acts), manner)


def _at_least_one(acts: int) -> None:
    if acts < 1:
        raise Refused("Say how many acts, 1 or more.")


def _undoable(writer: LineWriter) -> Iterator[Act]:
    """The live acts that may be taken back, the last first; ends with the sentence for what may not."""
    brought_back: list[UndoneStretch] = []
    given = 0
    came_back = False
    for act in writer.last_acts():
        kinds = _kinds(act)
        if kinds <= PASSED_OVER | SHOWN:
            redone = (one.event for one in act.events if isinstance(one.event, e.Redone))
            brought_back += [UndoneStretch(event.first, event.last) for event in redone]
        elif kinds - SHOWN == {"table.forked"} and brought_back and not given:
            yield from _inherited(writer, act.first, brought_back)
            return
        elif kinds == {e.Promoted.kind} and _asked_by_undo(act):
            came_back = True
        elif kinds == {e.Retired.kind} and came_back:
            came_back = False
        elif refusal := next(filter(None, map(why_not_undoable, kinds)), None):
            raise Refused(refusal)
        else:
            given += 1
            yield act


def _promotion(act: Act) -> e.Promoted | None:
    return next((one.event for one in act.events if isinstance(one.event, e.Promoted)), None)


def _asked_by_undo(act: Act) -> bool:
    command = act.events[0].command
    return command is not None and command.get("kind") == c.Undo.verb


def _inherited(writer: LineWriter, fork: int, brought_back: Sequence[UndoneStretch]) -> Iterator[Act]:
    """Of the acts before a branch's beginning, those that were brought back on this very branch."""
    campaign = writer.campaign
    for act in line_events.acts_backwards(campaign.record, writer.line, fork, writer.stands):
        if _kinds(act) <= PASSED_OVER | SHOWN:
            continue
        if not any(first <= act.first <= last for first, last in brought_back):
            raise Refused(_NOT_UNDOABLE["table.forked"])
        yield act


def _kinds(act: Act) -> set[str]:
    return {one.event.kind for one in act.events}


def _undone_last(writer: LineWriter) -> list[UndoneStretch]:
    """The stretches that redo may bring back, the one undone last first."""
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
