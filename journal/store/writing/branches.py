"""Creates branches, finds them by name, shows them to players, and makes one of them the mainline."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from msgspec import Struct

from retold.journal.names import clean, normalise
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Head, Row
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words


class Branches(Struct, frozen=True):
    """The branches of a record. Call `begin`, `show` and `promote` inside `record.writing()`."""

    record: Record
    clock: Clock

    def called(self, name: str) -> int:
        """Returns the number of the branch with that name; Refused if there is none.

        Case and accents are ignored.
        """
        return called_among(line_events.line_names(self.record), name)

    def begun_by(self, act: str) -> Row | None:
        """Returns the first row of the branch created by the act with id `act`; None if there is none."""
        own = (row for row in self.record.forks() if act in row.body and decode(row).envelope.act == act)
        return next(own, None)

    def begin(
        self,
        parent: int,
        at: int,
        name: Words,
        why: Words | None,
        manner: Manner,
        *,
        to: str | tuple[int, ...] = "gm",
    ) -> tuple[int, Head]:
        """Starts a new branch of `parent` after position `at`; returns its number and its head.

        The head is its last position and hash. Appends its first event and, unless `to` is "gm", an event
        that shows the branch to all or to the people in `to`. Raises Refused if the name is taken, or if `at`
        is not a position of `parent` where an act ends.
        """
        typed = clean(name.text or "")
        if normalise(typed) in map(normalise, line_events.line_names(self.record).values()):
            raise Refused(f"There is a branch {typed} already: choose another name.")
        fork_point = self.record.row(parent, at)
        if fork_point is None:
            raise Refused(f"There is no position {at} on that line.")
        _check_whole_act(fork_point)
        line = self.record.next_line()
        event = e.Forked(
            line=line, parent=parent, at=at, parent_hash=fork_point.hash.hex(), name=name, why=why
        )
        events = [event] if to == "gm" else [event, _shown(to)]
        drafts = draft_rows(self.clock, events, c.Branch(name=name, at=at, text=why), [], manner)
        return line, self.record.append(line, fork_point.head, drafts)[-1].head

    def show(self, line: int, to: str | tuple[int, ...], manner: Manner) -> None:
        """Appends an event that shows branch `line` to all, or to the people in `to`.

        Raises Refused if they may know of it already.
        """
        name, known = line_events.line_names(self.record)[line], self.shown_to(line)
        if known is None or (isinstance(to, tuple) and known.issuperset(to)):
            viewers = "Everybody" if known is None else "They"
            raise Refused(f"{viewers} may know of {name} already.")
        drafts = draft_rows(self.clock, [_shown(to)], None, [], manner)
        self.record.append(line, self.record.head(line), drafts)

    def shown_to(
        self, line: int, by: str | None = None, played: Container[int] | None = None
    ) -> frozenset[int] | None:
        """Returns the ids of the players who may know of branch `line`; None means all.

        Present and former mainlines (`played`, computed if None) are open to all. Any other branch is the
        game master's alone until it is shown. `by` is a time (UTC): later events are ignored.
        """
        if line in (self.played(by) if played is None else played):
            return None
        found: frozenset[int] = frozenset()
        own = (row for row in self.record.rows(line, kinds=(e.LineShown.kind,)) if row.line == line)
        for row in self._recorded_by(by, own):
            event = decode(row).event
            to = event.to if isinstance(event, e.LineShown) else ()
            if to is None:
                return None
            found = found.union(to)
        return found

    def played(self, by: str | None = None) -> frozenset[int]:
        """Returns the numbers of the present mainline and of the former mainlines.

        With `by`, a time (UTC), later promotions are ignored.
        """
        promotions = self.record.everything((e.Promoted.kind,))
        return frozenset({1, *(row.line for row in self._recorded_by(by, promotions))})

    @staticmethod
    def _recorded_by(by: str | None, rows: Iterable[Row]) -> Iterator[Row]:
        return (row for row in rows if by is None or decode(row).envelope.at <= by)

    def promote(self, line: int, manner: Manner, command: c.Undo | c.Redo | None = None) -> None:
        """Makes branch `line` the mainline: appends an event to the old mainline and one to `line`.

        Raises Refused if it is the mainline already. `command` is the undo or redo behind the promotion, if
        any.
        """
        main = line_events.mainline(self.record)
        if line == main:
            raise Refused(f"{line_events.line_names(self.record)[line]} is the mainline already.")
        old, new = self.record.head(main), self.record.head(line)
        self.record.append(main, old, draft_rows(self.clock, [e.Retired(by=line)], command, [], manner))
        self.record.append(line, new, draft_rows(self.clock, [e.Promoted(was=main)], command, [], manner))


def called_among(names: Mapping[int, str], typed: str) -> int:
    """Returns the number of the branch called `typed`; Refused if there is none.

    `names` holds the branches' names by number. Case and accents are ignored.
    """
    found = [line for line, name in names.items() if normalise(name) == normalise(typed)]
    if not found:
        raise Refused(f"There is no branch {typed}. There are: {', '.join(names.values())}.")
    return found[0]


def _shown(to: str | tuple[int, ...]) -> e.LineShown:
    return e.LineShown(to=None if isinstance(to, str) else to)


def _check_whole_act(row: Row) -> None:
    """Raises Refused unless `row` is the last event of its act: a branch may not begin inside an act."""
    envelope = decode(row).envelope
    if envelope.i < envelope.n:
        before, last = row.position - envelope.i, row.position - envelope.i + envelope.n
        raise Refused(
            f"Position {row.position} is in the middle of an act: fork at {last}, after it, or at {before}."
        )
