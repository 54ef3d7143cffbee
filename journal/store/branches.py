"""The lines of a campaign by name: what begins one, and what makes one the table's own."""

from __future__ import annotations

from msgspec import Struct

from journal.names import clean, fold
from journal.refused import Refused
from journal.store import reading
from journal.store.acts import Manner, drafted
from journal.store.clock import Clock
from journal.store.codec import decode
from journal.store.record import Record
from journal.store.rows import Head, Row
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.words import Words


class Branches(Struct, frozen=True):
    """The lines of a record; what changes them is called inside `writing`."""

    record: Record
    clock: Clock

    def called(self, name: str) -> int:
        """The line of that name, matched forgivingly; Refused with the lines there are."""
        names = reading.line_names(self.record)
        found = [line for line, called in names.items() if fold(called) == fold(name)]
        if not found:
            raise Refused(f"There is no branch {name}. There are: {', '.join(names.values())}.")
        return found[0]

    def begun_by(self, act: str) -> Row | None:
        """The first row of the branch that the act of that id made; None where it made none."""
        own = (row for row in self.record.forks() if act in row.body and decode(row).envelope.act == act)
        return next(own, None)

    def begin(self, parent: int, at: int, name: Words, why: Words | None, manner: Manner) -> tuple[int, Head]:
        """Appends a branch's first event; returns the new line and its head."""
        typed = clean(name.text or "")
        if fold(typed) in map(fold, reading.line_names(self.record).values()):
            raise Refused(f"There is a branch {typed} already: choose another name.")
        fork_point = self.record.row(parent, at)
        if fork_point is None:
            raise Refused(f"There is no position {at} on that line.")
        _check_whole_act(fork_point)
        line = self.record.next_line()
        event = e.Forked(
            line=line, parent=parent, at=at, parent_hash=fork_point.hash.hex(), name=name, why=why
        )
        drafts = drafted(self.clock, [event], c.Branch(name=name, at=at, text=why), [], manner)
        rows = self.record.append(line, fork_point.head, drafts)
        return line, rows[-1].head

    def promote(self, line: int, manner: Manner) -> None:
        """Makes `line` the one the table plays; the old one is told where play went."""
        main = reading.mainline(self.record)
        if line == main:
            raise Refused(f"{reading.line_names(self.record)[line]} is the mainline already.")
        old, new = self.record.head(main), self.record.head(line)
        self.record.append(main, old, drafted(self.clock, [e.Retired(by=line)], None, [], manner))
        self.record.append(line, new, drafted(self.clock, [e.Promoted(was=main)], None, [], manner))


def _check_whole_act(row: Row) -> None:
    """Refuses to fork in the middle of an act, which is recorded together or not at all."""
    envelope = decode(row).envelope
    if envelope.i < envelope.n:
        before, last = row.position - envelope.i, row.position - envelope.i + envelope.n
        raise Refused(
            f"Position {row.position} is in the middle of an act: fork at {last}, after it, or at {before}."
        )
