"""A campaign as the rest of the house meets it: lines to read at any moment, and one to write to."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from journal import line as line_
from journal.decks.chance import (
    Dealer,
    Luck,
    Provenance,
    SeededDealer,
    SystemDealer,
    Taken,
    commit,
)
from journal.line import Live
from journal.names import clean, fold
from journal.refused import Refused
from journal.store import reading, schema
from journal.store.acts import Done, Manner, line_decides_alike, with_luck
from journal.store.clock import Clock
from journal.store.codec import TABLE, Envelope, decode, decode_event, encode_act
from journal.store.errors import CannotWrite, StoreError
from journal.store.file import File, Head
from journal.store.reading import Act, Standing
from journal.store.rows import Draft, Row
from journal.store.sizes import check_command
from journal.store.snapshots import EVERY, KEPT_AT_THE_HEAD, Snapshots
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event
from journal.words import Words


@dataclass(slots=True)
class Writer:
    """One line, folded to its head, ready for the next command. The only one that records."""

    campaign: Campaign
    line: int
    table: Table
    head: Head
    stands: Standing
    _since_snapshot: int = 0
    _ahead: bool = False
    """True while the table holds what is not yet recorded."""

    def record(self, command: Command, manner: Manner | None = None) -> Done:
        """Decides `command` and records what comes of it; `Refused` or `CannotWrite` leave nothing behind."""
        manner = manner or Manner()
        if manner.act is not None and (found := self._already(manner.act)):
            return found
        check_command(command)
        with self._writing():
            tail = self._tail()
            if tail and manner.act is not None and _speaks_of(tail, manner.act):
                self._follow(tail)
                again = self._already(manner.act)
                if again is not None:
                    return again
            if tail:
                events, taken, others = self._decide_again(command, manner, tail)
            else:
                events, taken = self._decide(command, manner)
                others = 0
            done = self._act(events, command, taken, manner)
        self.keep_snapshot()
        return done._replace(others=others) if others else done

    def would(self, command: Command, manner: Manner | None = None) -> list[Event]:
        """What `command` would bring about now; records nothing, and raises `Refused` as `record` does."""
        check_command(command)
        return self._decide(command, manner or Manner())[0]

    def catch_up(self) -> list[Row]:
        """Folds what others have recorded since; returns those rows."""
        tail = self._tail()
        if tail:
            self._follow(tail)
        return tail

    def keep_snapshot(self) -> None:
        """Keeps the folded table in the cache if enough has happened since the last one was kept."""
        if self._since_snapshot >= EVERY:
            self._since_snapshot = 0
            self.campaign.keep(self.line, self.head, self.table)

    # --- deciding -----------------------------------------------------------------------------------------

    def _decide(self, command: Command, manner: Manner) -> tuple[list[Event], list[Taken]]:
        luck = self._luck(command, manner)
        events = line_.decide(self.table, command, luck)
        if manner.see != TABLE and any(line_.counts_for_all(self.table, event) for event in events):
            raise Refused(
                f"This {command.verb} counts in the conflict, and all can see that it was made:"
                " say it openly, or keep the secret in a note (note --gm: …)."
            )
        return events, luck.taken

    def _luck(self, command: Command, manner: Manner) -> Luck:
        called: Sequence[str] | None = getattr(command, "results", None)
        dealer = self.campaign.dealer(self.table)
        return Luck(dealer, called, manner.provenance)

    def _decide_again(
        self, command: Command, manner: Manner, tail: Sequence[Row]
    ) -> tuple[list[Event], list[Taken], int]:
        """Decides after others' acts, and insists that they made no difference."""
        before = copy.deepcopy(self.table)
        self._follow(tail)
        others = len({row.position for row in tail if '"i":1,' in row.body})
        events, taken = self._decide(command, manner)
        if line_decides_alike(before, command, manner, taken, events):
            return events, taken, others
        count = "1 act" if others == 1 else f"{others} acts"
        raise Refused(f"{count} came in first and changed what this does: look, then say it again.")

    def _tail(self) -> list[Row]:
        if self.campaign.file.head(self.line) == self.head:
            return []
        return list(self.campaign.file.rows(self.line, self.head.position))

    def _follow(self, tail: Sequence[Row]) -> None:
        kinds = {row.kind for row in tail}
        if "table.retired" in kinds:
            name = reading.line_names(self.campaign.file)[reading.mainline(self.campaign.file)]
            raise Refused(f"Play went on elsewhere: {name} is the line now. Go there with switch {name}.")
        self.head = Head(tail[-1].position, tail[-1].hash)
        if kinds & REFOLDS:
            self._refold()
            return
        for live in reading.lives(self.campaign.file, self.line, tail[0].position - 1, None, self.stands):
            line_.evolve(self.table, live)

    def _refold(self) -> None:
        self.stands = reading.standing(self.campaign.file, self.line)
        self.table = self.campaign.table_at(self.line, None, self.stands)

    # --- recording ----------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The lock; where nothing comes to be recorded, the table is as it was."""
        try:
            with self.campaign.file.writing():
                yield
        except BaseException:
            if self._ahead:
                self.head = self.campaign.file.head(self.line)
                self._refold()
            raise
        finally:
            self._ahead = False

    def _act(self, events: Sequence[Event], command: Command, taken: Sequence[Taken], manner: Manner) -> Done:
        """Appends an act and folds it: what cannot be folded is not recorded, or nobody could read on."""
        rows = self._append(events, command, taken, manner)
        lives = tuple(with_luck(events, rows[0].position, [one.provenance for one in taken]))
        self._ahead = True
        self.head = Head(rows[-1].position, rows[-1].hash)
        try:
            self._advance(lives)
        except StoreError:
            raise
        except Exception as error:
            raise CannotWrite(
                f"Nothing was recorded: it does not fit what stands on this line ({error!r})."
            ) from error
        return Done(rows[0].position, rows[-1].position, tuple(events), lives=lives)

    def _append(
        self, events: Sequence[Event], command: Command, taken: Sequence[Taken], manner: Manner
    ) -> list[Row]:
        if "results" in type(command).model_fields and taken:
            command = command.model_copy(update={"results": tuple(one.result for one in taken)})
        drafts = self.campaign.draft(events, command, [one.provenance for one in taken], manner)
        return self.campaign.file.append(self.line, self.head, drafts)

    def _advance(self, lives: Sequence[Live]) -> None:
        if any(live.event.kind in REFOLDS for live in lives):
            self._refold()
            return
        for live in lives:
            line_.evolve(self.table, live)
        self._since_snapshot += len(lives)

    def manage(self, event: Event, command: Command, manner: Manner | None = None) -> Done:
        """Records an act about the line itself (an undo, a rewording, …), decided by the store."""
        return self.manage_all((event,), command, manner)

    def manage_all(
        self,
        events: Sequence[Event],
        command: Command,
        manner: Manner | None = None,
        *,
        beside: Callable[[], None] | None = None,
    ) -> Done:
        """As `manage`, where the act is several events; what `beside` does stands or falls with it."""
        manner = manner or Manner()
        check_command(command)
        with self._writing():
            if self._tail():
                raise Refused(MOVED)
            if beside is not None:
                beside()
            return self._act(events, command, [], manner)

    def _already(self, act: str) -> Done | None:
        """The act with that id, if it stands among the last events of the line, undone or not."""
        rows: list[Row] = []
        for row in self.campaign.file.backwards(self.line, self.head.position + 1):
            if row.position < self.head.position - RETRY_WINDOW:
                break
            if _speaks_of((row,), act) and decode(row).envelope.act == act:
                rows.insert(0, row)
        if not rows:
            return None
        return Done(
            rows[0].position, rows[-1].position, tuple(decode_event(row)[0] for row in rows), again=True
        )

    # --- acts ---------------------------------------------------------------------------------------------

    def last_acts(self) -> Iterator[Act]:
        """The live acts of the line, the last first."""
        return reading.acts_backwards(self.campaign.file, self.line, self.head.position + 1, self.stands)

    def act_at(self, at: int) -> Act:
        """The live act that position `at` belongs to; Refused if there is none."""
        return reading.act_at(self.campaign.file, self.line, at, self.head.position, self.stands)


REFOLDS = frozenset({"table.undone", "table.redone", "table.reworded", "table.redacted"})
"""Kinds after which a line is folded anew: they change what came before them."""

MOVED = "Somebody else has just recorded something: look, then say it again."
"""Said where what was looked at before an act about the line is not what stands there now."""

RETRY_WINDOW = 2000
"""How many events back a repeated act id is looked for."""


def _speaks_of(rows: Sequence[Row], act: str) -> bool:
    """True if the id stands in one of the bodies, which is soon seen; whether it is their act, is not."""
    return any(act in row.body for row in rows)


def _check_whole_act(row: Row) -> None:
    """Refuses to fork in the middle of an act, which is recorded together or not at all."""
    envelope = decode(row).envelope
    if envelope.i < envelope.n:
        before, last = row.position - envelope.i, row.position - envelope.i + envelope.n
        raise Refused(
            f"Position {row.position} is in the middle of an act: fork at {last}, after it, or at {before}."
        )


def _titled(begun: Event, title: str) -> tuple[list[Event], Command]:
    """What names a campaign that has just begun, and the command it came of."""
    command = c.NameCampaign(title=Words(clean(title)))
    check_command(command)
    return line_.decide(line_.fold([Live(1, begun)]), command, Luck(SystemDealer())), command


@dataclass(slots=True)
class Campaign:
    """An open campaign. Use as a context manager, or close it."""

    file: File
    clock: Clock = field(default_factory=Clock)
    seed: bytes | None = None
    """The seed it deals from, where it has one and this computer holds it."""
    snapshots: Snapshots | None = None

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        title: str | None = None,
        seed: bytes | None = None,
        clock: Clock | None = None,
        snapshots: Callable[[str], Snapshots] | None = None,
    ) -> Self:
        """A new campaign with its first event, and its title if it has one; all of it, or no campaign."""
        clock = clock or Clock()
        begun = e.CampaignBegun(
            campaign=clock.campaign(), format=schema.FORMAT, seed=None if seed is None else commit(seed)
        )
        acts: list[tuple[Sequence[Event], Command | None]] = [([begun], None)]
        if title:
            acts.append(_titled(begun, title))

        def begin(file: File) -> None:
            campaign, head = cls(file, clock), Head(0, b"")
            for events, command in acts:
                rows = file.append(1, head, campaign.draft(events, command, [], Manner()))
                head = Head(rows[-1].position, rows[-1].hash)

        campaign = cls(File.create(path, begin=begin), clock, seed)
        if snapshots:
            campaign.snapshots = snapshots(begun.campaign)
        return campaign

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, clock: Clock | None = None) -> Self:
        """The campaign at `path`; StoreError with a sentence if it cannot be opened."""
        return cls(File.open(path, read_only=read_only), clock or Clock())

    def close(self) -> None:
        """Lets go of the file and its caches."""
        if self.snapshots:
            self.snapshots.close()
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    @property
    def id(self) -> str:
        """The campaign's 128 bits, in hexadecimal."""
        begun = decode_event(next(self.file.rows(1, 0, 1)))[0]
        if not isinstance(begun, e.CampaignBegun):
            raise StoreError(f"{self.file.path} does not begin as a campaign does.")
        return begun.campaign

    def writer(self, line: int) -> Writer:
        """Line `line`, folded to its head."""
        head = self.file.head(line)
        stands = reading.standing(self.file, line)
        table = self.table_at(line, None, stands)
        return Writer(self, line, table, head, stands)

    def table_at(self, line: int, upto: int | None = None, stands: Standing | None = None) -> Table:
        """The table at position `upto` of `line` (its head if None), from the nearest snapshot that holds."""
        stands = stands or reading.standing(self.file, line, upto)
        after, table = self._nearest(line, upto, stands)
        table = Table() if table is None else table
        due = after + EVERY
        for live in reading.lives(self.file, line, after, upto, stands):
            if live.position > due:
                self._keep_passing(line, table, stands)
                due = live.position + EVERY
            line_.evolve(table, live)
        if upto is None and table.position > after + KEPT_AT_THE_HEAD:
            self._keep_passing(line, table, stands)
        return table

    def _nearest(self, line: int, upto: int | None, stands: Standing) -> tuple[int, Table | None]:
        """The latest table kept on the way to `upto` that nothing recorded since has changed."""
        if self.snapshots is None:
            return 0, None
        for segment in reversed(self.file.lineage(line)):
            ends = [end for end in (segment.upto, upto) if end is not None]
            if ends and min(ends) <= segment.after:
                continue
            for position, hash_ in self.snapshots.positions(segment.line, min(ends) if ends else None):
                if position <= segment.after:
                    break
                if not stands.holds(position) or self._hash(line, position) != hash_:
                    continue
                table = self.snapshots.load(segment.line, position)
                if table is not None:
                    return position, table
        return 0, None

    def _hash(self, line: int, position: int) -> bytes | None:
        row = self.file.row(line, position)
        return None if row is None else row.hash

    def _keep_passing(self, line: int, table: Table, stands: Standing) -> None:
        """Keeps a table met on the way, if it is as it was when play stood there."""
        if self.snapshots is not None and stands.holds(table.position):
            hash_ = self._hash(line, table.position)
            if hash_ is not None:
                self.keep(line, Head(table.position, hash_), table)

    def keep(self, line: int, head: Head, table: Table) -> None:
        """Keeps a snapshot of `table`, which stands at `head` of `line`."""
        if self.snapshots is None or head.position < 1:
            return
        for segment in self.file.lineage(line):
            if segment.upto is None or head.position <= segment.upto:
                self.snapshots.keep(segment.line, head.position, head.hash, table)
                return

    def dealer(self, table: Table) -> Dealer:
        """Whoever deals on this line: the committed seed, or the system's randomness."""
        if table.seed is None:
            return SystemDealer()
        if self.seed is None or commit(self.seed) != table.seed:
            return _NoSeed()
        return SeededDealer(self.seed, table.chance_line, table.dealt)

    def draft(
        self,
        events: Sequence[Event],
        command: Command | None,
        provenances: Sequence[Provenance],
        manner: Manner,
    ) -> list[Draft]:
        """The events of one act with their envelopes, ready to be chained."""
        at, offset = self.clock.now()
        act = manner.act or self.clock.act()
        envelopes = [
            Envelope(
                at=at,
                offset=offset,
                act=act,
                i=i,
                n=len(events),
                by=manner.by,
                see=manner.see if live.event.hideable else TABLE,
                luck=live.luck,
                source=manner.source,
            )
            for i, live in enumerate(with_luck(events, 1, provenances), 1)
        ]
        return encode_act(events, command, envelopes, self.clock.salt)

    # --- lines --------------------------------------------------------------------------------------------

    def lines(self) -> dict[int, str]:
        """Every line by number with its name; the one the table plays is mainline."""
        return reading.line_names(self.file)

    def mainline(self) -> int:
        """The line the table plays."""
        return reading.mainline(self.file)

    def line_called(self, name: str) -> int:
        """The line of that name, matched forgivingly; Refused with the lines there are."""
        names = self.lines()
        found = [line for line, called in names.items() if fold(called) == fold(name)]
        if not found:
            raise Refused(f"There is no branch {name}. There are: {', '.join(names.values())}.")
        return found[0]

    def fork(
        self, parent: int, at: int, name: Words, why: Words | None = None, *, manner: Manner | None = None
    ) -> int:
        """Forks line `parent` after position `at`; returns the new line's number."""
        with self.file.writing():
            line, _ = self.begin_branch(parent, at, name, why, manner or Manner())
        return line

    def begin_branch(
        self, parent: int, at: int, name: Words, why: Words | None, manner: Manner
    ) -> tuple[int, Head]:
        """Appends a branch's first event, inside `writing`; returns the new line and its head."""
        typed = clean(name.text or "")
        if fold(typed) in map(fold, self.lines().values()):
            raise Refused(f"There is a branch {typed} already: choose another name.")
        fork_point = self.file.row(parent, at)
        if fork_point is None:
            raise Refused(f"There is no position {at} on that line.")
        _check_whole_act(fork_point)
        line = self.file.next_line()
        event = e.Forked(
            line=line, parent=parent, at=at, parent_hash=fork_point.hash.hex(), name=name, why=why
        )
        drafts = self.draft([event], c.Branch(name=name, at=at, text=why), [], manner)
        rows = self.file.append(line, Head(at, fork_point.hash), drafts)
        return line, Head(rows[-1].position, rows[-1].hash)

    def promote(self, line: int, manner: Manner | None = None) -> None:
        """Makes `line` the one the table plays; the old one is told where play went."""
        with self.file.writing():
            self.promote_inside(line, manner or Manner())

    def promote_inside(self, line: int, manner: Manner) -> None:
        """As `promote`, inside `writing`."""
        main = self.mainline()
        if line == main:
            raise Refused(f"{self.lines()[line]} is the mainline already.")
        old, new = self.file.head(main), self.file.head(line)
        self.file.append(main, old, self.draft([e.Retired(by=line)], None, [], manner))
        self.file.append(line, new, self.draft([e.Promoted(was=main)], None, [], manner))


class _NoSeed:
    """Stands where a seed ought to be: it deals nothing."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 -- it never gives any
        """Refuses, and says what to do."""
        raise Refused(
            "This campaign deals from a seed that this computer does not hold:"
            " type the results after =, or give the seed once (RETOLD_SEED)."
        )
