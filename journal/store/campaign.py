"""A campaign as the rest of the house meets it: lines to read at any moment, and one to write to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from msgspec import Struct, field

from journal import line as line_
from journal.copying import copied
from journal.decks.chance import Dealer, Luck, SystemDealer, UsedResult, seed_commitment
from journal.hiding import audiences
from journal.line import LiveEvent
from journal.names import clean
from journal.refused import Refused
from journal.store import line_events
from journal.store.acts import (
    Manner,
    RecordedAct,
    SecretDealer,
    check_command,
    dealer_of,
    decides_alike,
    draft_rows,
    with_luck,
    with_taken,
)
from journal.store.amendments import Amendments, read_amendments
from journal.store.branches import Branches
from journal.store.clock import Clock
from journal.store.codec import decode, decode_event
from journal.store.errors import CannotWrite, StoreError
from journal.store.event_store import AMENDING_KINDS, EMPTY_HEAD, FORMAT, EventStore, Head, Row
from journal.store.last_seen import LastSeen
from journal.store.line_events import Act
from journal.store.record import Record
from journal.store.snapshots import EVERY, Snapshots, Tables
from journal.store.sqlite.file import CampaignFile, create
from journal.table import Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event, Words


class LineWriter(Struct):
    """One line, folded to its head, ready for the next command. The only one that records."""

    campaign: CampaignStore
    line: int
    table: Table
    head: Head
    stands: Amendments
    _since_snapshot: int = 0
    _ahead: bool = False
    """True while the table holds what is not yet recorded."""
    _stale: bool = False
    """True where it may hold what was not recorded: it is folded anew before it is asked again."""

    def record(self, command: Command, manner: Manner | None = None) -> RecordedAct:
        """Decides `command` and records what comes of it; `Refused` or `CannotWrite` leave nothing behind."""
        manner = manner or Manner()
        if manner.act is not None and (found := self.already(manner.act)):
            return found
        check_command(command)
        with self._writing():
            tail = self._tail()
            if tail and manner.act is not None and _speaks_of(tail, manner.act):
                self._follow(tail)
                again = self.already(manner.act)
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

    def would(
        self,
        command: Command,
        manner: Manner | None = None,
        dealer: Dealer | None = None,
        table: Table | None = None,
    ) -> list[Event]:
        """What `command` would bring about now; records nothing, and raises `Refused` as `record` does.

        With a `dealer` it deals what that gives, and not what comes next at this table. With a `table` it is
        decided there: that is the table as somebody knows it.
        """
        check_command(command)
        self._afresh()
        return self._decide(command, manner or Manner(), dealer, table)[0]

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
            self.campaign.tables.keep(self.line, self.head, self.table)

    # --- deciding -----------------------------------------------------------------------------------------

    def _decide(
        self, command: Command, manner: Manner, dealer: Dealer | None = None, table: Table | None = None
    ) -> tuple[list[Event], list[UsedResult]]:
        luck, here = self._luck(command, manner, dealer), self.table if table is None else table
        events = line_.decide(here, command, luck, visible_to=manner.visible_to)
        audiences(here, command, events, manner.visible_to)
        return events, luck.taken

    def _luck(self, command: Command, manner: Manner, dealer: Dealer | None) -> Luck:
        called: Sequence[str] | None = getattr(command, "results", None)
        dealer = dealer or self.campaign.dealer or dealer_of(self.table, self.campaign.seed)
        if line_.deals_behind_screen(self.table, command, manner.visible_to):
            dealer = SecretDealer(dealer)
        return Luck(dealer, called, manner.provenance)

    def _decide_again(
        self, command: Command, manner: Manner, tail: Sequence[Row]
    ) -> tuple[list[Event], list[UsedResult], int]:
        """Decides after others' acts, and insists that they made no difference."""
        before = copied(self.table)
        self._follow(tail)
        others = len({row.position for row in tail if '"i":1,' in row.body})
        events, taken = self._decide(command, manner)
        if decides_alike(before, command, manner, taken, events):
            return events, taken, others
        count = "1 act" if others == 1 else f"{others} acts"
        raise Refused(f"{count} came in first and changed what this does: look, then say it again.")

    def _afresh(self) -> None:
        """Folds the line anew where it may be ahead of the record."""
        if self._stale:
            self.head = self.campaign.record.head(self.line)
            self._refold()
            self._stale = False

    def _tail(self) -> list[Row]:
        self._afresh()
        if self.campaign.record.head(self.line) == self.head:
            return []
        return list(self.campaign.record.rows(self.line, self.head.position))

    def _follow(self, tail: Sequence[Row]) -> None:
        kinds = {row.kind for row in tail}
        if "table.retired" in kinds:
            name = line_events.line_names(self.campaign.record)[line_events.mainline(self.campaign.record)]
            raise Refused(f"Play went on elsewhere: {name} is the line now. Go there with switch {name}.")
        self.head = tail[-1].head
        if kinds.intersection(AMENDING_KINDS):
            self._refold()
            return
        for live in line_events.live_events(
            self.campaign.record, self.line, tail[0].position - 1, None, self.stands
        ):
            line_events.apply_event(self.table, live)

    def _refold(self) -> None:
        self.stands = read_amendments(self.campaign.record, self.line)
        self.table = self.campaign.table_at(self.line, None, self.stands)

    # --- recording ----------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The lock; where nothing comes to be recorded, the table is as it was."""
        try:
            with self.campaign.record.writing():
                yield
        except BaseException:
            self.campaign.record.give_up()
            self._stale |= self._ahead
            with suppress(StoreError):  # what cannot be read now is read when it is wanted
                self._afresh()
            raise
        finally:
            self._ahead = False

    def _act(
        self, events: Sequence[Event], command: Command, taken: Sequence[UsedResult], manner: Manner
    ) -> RecordedAct:
        """Appends an act and folds it: what cannot be folded is not recorded, or nobody could read on."""
        seen_by = audiences(self.table, command, events, manner.visible_to)
        rows = self._append(events, command, taken, manner, seen_by)
        lives = tuple(with_luck(events, rows[0].position, [one.provenance for one in taken], seen_by))
        self._ahead = True
        self.head = rows[-1].head
        try:
            self._advance(lives)
        except StoreError:
            raise
        except Exception as error:
            raise CannotWrite(
                f"Nothing was recorded: it does not fit what stands on this line ({error!r})."
            ) from error
        return RecordedAct(rows[0].position, rows[-1].position, tuple(events), lives=lives)

    def _append(
        self,
        events: Sequence[Event],
        command: Command,
        taken: Sequence[UsedResult],
        manner: Manner,
        seen_by: Sequence[VisibleTo],
    ) -> list[Row]:
        provenances = [one.provenance for one in taken]
        drafts = draft_rows(
            self.campaign.clock, events, with_taken(command, taken), provenances, manner, seen_by=seen_by
        )
        return self.campaign.record.append(self.line, self.head, drafts)

    def _advance(self, lives: Sequence[LiveEvent]) -> None:
        if any(live.event.kind in AMENDING_KINDS for live in lives):
            self._refold()
            return
        for live in lives:
            line_.evolve(self.table, live)
        self._since_snapshot += len(lives)

    def manage(self, event: Event, command: Command, manner: Manner | None = None) -> RecordedAct:
        """Records an act about the line itself (an undo, a rewording, …), decided by the store."""
        return self.manage_all((event,), command, manner)

    def manage_all(
        self,
        events: Sequence[Event],
        command: Command,
        manner: Manner | None = None,
        *,
        beside: Callable[[], None] | None = None,
    ) -> RecordedAct:
        """As `manage`, where the act is several events; what `beside` does stands or falls with it."""
        manner = manner or Manner()
        check_command(command)
        with self._writing():
            if self._tail():
                raise Refused(MOVED)
            if beside is not None:
                beside()
            return self._act(events, command, [], manner)

    def already(self, act: str) -> RecordedAct | None:
        """The act with that id, if it stands among the last events of the line, undone or not."""
        rows: list[Row] = []
        for row in self.campaign.record.backwards(self.line, self.head.position + 1):
            if row.position < self.head.position - RETRY_WINDOW:
                break
            if _speaks_of((row,), act) and decode(row).envelope.act == act:
                rows.insert(0, row)
        if not rows:
            return None
        return RecordedAct(
            rows[0].position, rows[-1].position, tuple(decode_event(row)[0] for row in rows), again=True
        )

    # --- acts ---------------------------------------------------------------------------------------------

    def last_acts(self) -> Iterator[Act]:
        """The live acts of the line, the last first."""
        return line_events.acts_backwards(
            self.campaign.record, self.line, self.head.position + 1, self.stands
        )

    def act_at(self, at: int) -> Act:
        """The live act that position `at` belongs to; Refused if there is none."""
        return line_events.act_at(self.campaign.record, self.line, at, self.head.position, self.stands)


MOVED = "Somebody else has just recorded something: look, then say it again."
"""Said where what was looked at before an act about the line is not what stands there now."""

RETRY_WINDOW = 2000
"""How many events back a repeated act id is looked for."""


def _speaks_of(rows: Sequence[Row], act: str) -> bool:
    """True if the id stands in one of the bodies, which is soon seen; whether it is their act, is not."""
    return any(act in row.body for row in rows)


def _titled(begun: Event, title: str) -> tuple[list[Event], Command]:
    """What names a campaign that has just begun, and the command it came of."""
    command = c.NameCampaign(title=Words(clean(title)))
    check_command(command)
    return line_.decide(line_.fold([LiveEvent(1, begun)]), command, Luck(SystemDealer())), command


class CampaignStore(Struct):
    """An open campaign. Use as a context manager, or close it."""

    record: Record
    clock: Clock = field(default_factory=Clock)
    seed: bytes | None = None
    """The seed it deals from, where it has one and this computer holds it."""
    snapshots: Snapshots | None = None
    dealer: Dealer | None = None
    """Deals in place of the seed, in a copy that is thrown away: nobody looks ahead there."""

    @classmethod
    def begin(
        cls,
        store: EventStore,
        *,
        title: str | None = None,
        seed: bytes | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """A new campaign in an empty store, inside `writing`, with its title if it has one."""
        campaign = cls(Record(store), clock or Clock(), seed)
        begun = e.CampaignBegun(
            campaign=campaign.clock.campaign(),
            format=FORMAT,
            seed=None if seed is None else seed_commitment(seed),
        )
        acts: list[tuple[Sequence[Event], Command | None]] = [([begun], None)]
        if title:
            acts.append(_titled(begun, title))
        head = EMPTY_HEAD
        for events, command in acts:
            rows = campaign.record.append(1, head, draft_rows(campaign.clock, events, command, [], Manner()))
            head = rows[-1].head
        return campaign

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
        """A new campaign in a file of its own, begun there, or no file."""
        campaign = create(path, lambda file: cls.begin(file, title=title, seed=seed, clock=clock))
        if snapshots:
            campaign.snapshots = snapshots(campaign.id)
        campaign.record.on_recorded = campaign.last_seen.keep
        return campaign

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        by_any_name: bool = False,
        mended: bool = False,
        clock: Clock | None = None,
    ) -> Self:
        """The campaign at `path`; StoreError with a sentence if it cannot be opened.

        `by_any_name` and `mended` are for whoever looks what is wrong with a file: `File.open` says it.
        """
        file = CampaignFile.open(path, read_only=read_only, by_any_name=by_any_name, mended=mended)
        campaign = cls(Record(file), clock or Clock())
        if not read_only:
            campaign.record.on_recorded = campaign.last_seen.keep
        return campaign

    @property
    def last_seen(self) -> LastSeen:
        """What this computer recorded last in it; whoever opens it to write keeps that up to date."""
        return LastSeen(self.record)

    def close(self) -> None:
        """Lets go of the file and its caches."""
        if self.snapshots:
            self.snapshots.close()
        self.record.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """Where its record is kept, as sentences name it."""
        return self.record.store.path

    @property
    def id(self) -> str:
        """The campaign's 128 bits, in hexadecimal."""
        first = self.record.row(1, 1)
        begun = None if first is None else decode_event(first)[0]
        if not isinstance(begun, e.CampaignBegun):
            raise StoreError(f"{self.path} does not start like a campaign.")
        return begun.campaign

    def writer(self, line: int) -> LineWriter:
        """Line `line`, folded to its head."""
        head = self.record.head(line)
        stands = read_amendments(self.record, line)
        table = self.table_at(line, None, stands)
        return LineWriter(self, line, table, head, stands)

    def table_at(
        self,
        line: int,
        upto: int | None = None,
        stands: Amendments | None = None,
        known: Table | None = None,
    ) -> Table:
        """The table at position `upto` of `line` (its head if None), from the nearest snapshot that holds.

        Or from an earlier one that is `known`, where that is nearer; it stays as it is.
        """
        return self.tables.at(line, upto, stands or read_amendments(self.record, line, upto), known)

    @property
    def tables(self) -> Tables:
        """Its tables, folded from the snapshots there are."""
        return Tables(self.record, self.snapshots)

    @property
    def branches(self) -> Branches:
        """Its lines by name."""
        return Branches(self.record, self.clock)

    # --- lines --------------------------------------------------------------------------------------------

    def lines(self) -> dict[int, str]:
        """Every line by number with its name; the one the table plays is mainline."""
        return line_events.line_names(self.record)

    def mainline(self) -> int:
        """The line the table plays."""
        return line_events.mainline(self.record)

    def line_called(self, name: str) -> int:
        """The line of that name, matched forgivingly; Refused with the lines there are."""
        return self.branches.called(name)

    def fork(
        self,
        parent: int,
        at: int,
        name: Words,
        why: Words | None = None,
        *,
        manner: Manner | None = None,
        to: str | tuple[int, ...] = "gm",
    ) -> int:
        """Forks line `parent` after position `at`; returns the new line's number.

        Only the game master knows of it, unless it is `to` the table, or to these people.
        """
        with self.record.writing():
            line, _ = self.branches.begin(parent, at, name, why, manner or Manner(), to=to)
        return line

    def show(self, line: int, to: str | tuple[int, ...] = TABLE, manner: Manner | None = None) -> None:
        """Lets everybody know of `line`, or these people; Refused where they may already."""
        with self.record.writing():
            self.branches.show(line, to, manner or Manner())

    def promote(
        self, line: int, manner: Manner | None = None, command: c.Undo | c.Redo | None = None
    ) -> None:
        """Makes `line` the mainline; `command` is the undo or redo that does so, if it was one."""
        with self.record.writing():
            self.branches.promote(line, manner or Manner(), command)
