"""An open campaign: computes the table state of any branch at any position, and records commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, Self

from msgspec import Struct, field

from retold.journal import line as line_
from retold.journal.copying import copied
from retold.journal.counting import counted
from retold.journal.decks.chance import Dealer, Luck, SystemDealer, UsedResult, seed_commitment
from retold.journal.guarding import UNRECORDED, GuestError
from retold.journal.hiding import audiences
from retold.journal.line import LiveEvent
from retold.journal.names import clean
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.caches.snapshots import EVERY, Snapshots, Tables
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.contract.errors import CannotWrite, EndMissing, StoreError
from retold.journal.store.contract.event_store import (
    AMENDING_KINDS,
    EMPTY_HEAD,
    FORMAT,
    EventStore,
    Head,
    Row,
)
from retold.journal.store.disk.last_seen import LastSeen
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import (
    Manner,
    RecordedAct,
    check_command,
    dealer_of,
    decides_alike,
    draft_rows,
    with_luck,
    with_taken,
)
from retold.journal.store.events.amendments import Amendments, read_amendments
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import decode, decode_event
from retold.journal.store.events.line_events import Act
from retold.journal.store.events.record import Record
from retold.journal.store.writing.branches import Branches
from retold.journal.store.writing.drafts import Drafts
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Words


class LineWriter(Struct):
    """Writes to one branch: keeps its table state, works out the events of commands, appends them."""

    campaign: CampaignStore
    line: int
    table: Table
    head: Head
    amendments: Amendments
    _since_snapshot: int = 0
    _unrecorded: bool = False
    """True while the table has events that are not yet stored."""
    _stale: bool = False
    """True if the table may have events that were never stored: it must be folded again."""
    _act_ids: set[str] | None = None
    """The ids of the last acts, and perhaps of some that were not stored; None until they are asked for."""

    def record(self, command: Command, manner: Manner | None = None) -> RecordedAct:
        """Works out the events of `command` by the rules, appends them to the branch, returns the act.

        Other processes' newer events are applied first. An act with the id `manner.act` among the latest
        events is returned and not recorded again. `Refused` and `CannotWrite` mean that nothing was recorded.
        """
        manner = manner or Manner()
        if manner.act is not None and not manner.is_new and (found := self.already(manner.act)):
            return found
        check_command(command)
        with self._writing():
            tail = self._tail()
            if tail and manner.act is not None and _mentions_act(tail, manner.act):
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

    @contextmanager
    def one_transaction(self) -> Iterator[Callable[[Command, Manner], RecordedAct]]:
        """Context manager for many acts: yields a function that records one; all are stored together or none.

        The function works as `record`, but does not look for a repeated act. If it raises Refused, that act
        is left out, and the block may go on. Any exception that leaves the block takes all its acts back.
        """
        failures: list[BaseException] = []

        def record(command: Command, manner: Manner) -> RecordedAct:
            check_command(command)
            events, taken = self._decide(command, manner)
            try:
                return self._act(events, command, taken, manner)
            except Refused:
                raise
            except BaseException as error:
                failures.append(error)
                raise

        with self._writing():
            tail = self._tail()
            if tail:
                self._follow(tail)
            yield record
            if failures:  # the block caught it, but part of an act may be in the transaction
                raise failures[0]
        self.keep_snapshot()

    def would(
        self,
        command: Command,
        manner: Manner | None = None,
        dealer: Dealer | None = None,
        table: Table | None = None,
    ) -> list[Event]:
        """Returns the events `command` would cause now; records nothing.

        Raises Refused if the rules refuse it. Dice and cards come from `dealer` if given, else from the
        campaign's own dealer. The rules are applied to the state `table` if given (for example the table as
        one player knows it).
        """
        check_command(command)
        self._refold_if_stale()
        return self._decide(command, manner or Manner(), dealer, table)[0]

    def catch_up(self) -> list[Row]:
        """Applies the events that other processes appended since the last read; returns their rows.

        Raises EndMissing if the record lacks the last event that was read.
        """
        tail = self._tail()
        if tail:
            self._follow(tail)
        return tail

    def keep_snapshot(self) -> None:
        """Stores the table state in the snapshot cache if `EVERY` events were recorded since the last."""
        if self._since_snapshot >= EVERY:
            self._since_snapshot = 0
            self.campaign.tables.keep(self.line, self.head, self.table)

    # --- deciding -----------------------------------------------------------------------------------------

    def _decide(
        self, command: Command, manner: Manner, dealer: Dealer | None = None, table: Table | None = None
    ) -> tuple[list[Event], list[UsedResult]]:
        luck = self._luck(command, manner, dealer)
        here = self.table if table is None else table
        events = line_.decide(here, command, luck, visible_to=manner.visible_to)
        audiences(here, command, events, manner.visible_to)
        return events, luck.taken

    def _luck(self, command: Command, manner: Manner, dealer: Dealer | None) -> Luck:
        called: Sequence[str] | None = getattr(command, "results", None)
        dealer = dealer or self.campaign.dealer or dealer_of(self.table, self.campaign.seed)
        luck = Luck(dealer, called, manner.provenance)
        luck.behind_screen = line_.deals_behind_screen(self.table, command, manner.visible_to)
        return luck

    def _decide_again(
        self, command: Command, manner: Manner, tail: Sequence[Row]
    ) -> tuple[list[Event], list[UsedResult], int]:
        """Applies the new rows `tail`, then works out the events of `command` on the newer table state.

        Returns the events, the dice and cards taken, and the number of acts in `tail`. Raises Refused if the
        old state would have led to other events.
        """
        before = copied(self.table)
        self._follow(tail)
        others = len({row.position for row in tail if '"i":1,' in row.body})
        events, taken = self._decide(command, manner)
        if decides_alike(before, command, manner, taken, events):
            return events, taken, others
        acts = counted(others, "act")
        raise Refused(f"{acts} came in first and changed what this does: look, then say it again.")

    def _refold_if_stale(self) -> None:
        """Rebuilds the table state from the stored events if it may contain events that were never stored."""
        if self._stale:
            self.head = self.campaign.record.head(self.line)
            self._refold()
            self._stale = False
            self._act_ids = None

    def _tail(self) -> list[Row]:
        self._refold_if_stale()
        if self.campaign.record.head(self.line) == self.head:
            return []
        rows = list(self.campaign.record.rows(self.line, max(self.head.position - 1, 0)))
        if self.head == EMPTY_HEAD:
            return rows
        if not rows or rows[0].head != self.head:
            raise self._end_missing()
        return rows[1:]

    def _end_missing(self) -> EndMissing:
        receipt = f"{self.line}:{self.head.position}:{self.head.hash.hex()}"
        return EndMissing(
            f"Nothing was recorded: {self.campaign.place} lacks what was read from it,"
            f" up to {self.head.position} (receipt {receipt}). A server that took over may lack the"
            " last acts, and so does an older copy in place of a file. Open the campaign again before you go"
            " on."
        )

    def _follow(self, tail: Sequence[Row]) -> None:
        kinds = {row.kind for row in tail}
        if "table.retired" in kinds:
            name = line_events.line_names(self.campaign.record)[line_events.mainline(self.campaign.record)]
            raise Refused(f"Play went on elsewhere: {name} is the line now. Go there with switch {name}.")
        self.head = tail[-1].head
        self._learn_act_ids(tail)
        if kinds.intersection(AMENDING_KINDS):
            self._refold()
            return
        first, last = tail[0].position, tail[-1].position  # more may be recorded by now
        for live in line_events.live_events(
            self.campaign.record, self.line, first - 1, last, self.amendments
        ):
            line_events.apply_event(self.table, live)

    def _refold(self) -> None:
        self.amendments = read_amendments(self.campaign.record, self.line, self.head.position)
        self.table = self.campaign.table_at(self.line, self.head.position, self.amendments)

    # --- recording ----------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Context manager: holds the write lock of the record.

        If the block raises, its changes are taken back in the record and in the table state.
        """
        try:
            with self.campaign.record.writing():
                yield
        except BaseException:
            self.campaign.record.roll_back()
            self._stale |= self._unrecorded
            with suppress(StoreError):  # an unreadable file is reported at the next read
                self._refold_if_stale()
            raise
        finally:
            self._unrecorded = False

    def _act(
        self, events: Sequence[Event], command: Command, taken: Sequence[UsedResult], manner: Manner
    ) -> RecordedAct:
        """Appends an act's events and applies them to the table state; returns the recorded act.

        Raises CannotWrite if the state cannot take them: stored, they would make the branch unreadable.
        """
        seen_by = audiences(self.table, command, events, manner.visible_to)
        rows = self._append(events, command, taken, manner, seen_by)
        lives = tuple(with_luck(events, rows[0].position, [used.provenance for used in taken], seen_by))
        self._unrecorded = True
        self.head = rows[-1].head
        self._learn_act_ids(rows)
        try:
            self._advance(lives)
        except StoreError:
            raise
        except GuestError as error:
            raise CannotWrite(f"{UNRECORDED} {error.fault}") from error
        except Exception as error:
            raise CannotWrite(
                f"Nothing was recorded: it does not fit the state of this line ({error!r})."
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
        provenances = [used.provenance for used in taken]
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

    def manage_planned(
        self, plan: Callable[[], Sequence[Event]], command: Command, manner: Manner | None = None
    ) -> RecordedAct:
        """Records the events about the branch itself that `plan` returns, as one act of `command`.

        `plan` is called under the write lock, once events of other processes are applied. Returns the act.
        """
        check_command(command)
        with self._writing():
            self.catch_up()
            return self._act(plan(), command, [], manner or Manner())

    def manage_all(
        self,
        events: Sequence[Event],
        command: Command,
        manner: Manner | None = None,
        *,
        beside: Callable[[], None] | None = None,
    ) -> RecordedAct:
        """Records ready-made `events` about the branch itself as one act of `command`; returns the act.

        `beside` is called before, in the same transaction. Raises Refused if other processes appended
        meanwhile.
        """
        manner = manner or Manner()
        check_command(command)
        with self._writing():
            if self._tail():
                raise Refused(MOVED)
            if beside is not None:
                beside()
            return self._act(events, command, [], manner)

    def manage_each(self, acts: Sequence[tuple[Sequence[Event], Command, Manner]]) -> None:
        """Records several acts of ready-made events about the branch itself, all together or none.

        The table is folded again once, after the last. Raises Refused if other processes appended meanwhile.
        """
        for _, command, _ in acts:
            check_command(command)
        with self._writing():
            if self._tail():
                raise Refused(MOVED)
            for events, command, manner in acts:
                seen_by = audiences(self.table, command, events, manner.visible_to)
                rows = self._append(events, command, [], manner, seen_by)
                self._unrecorded = True
                self.head = rows[-1].head
                self._learn_act_ids(rows)
            self._refold()

    def already(self, act: str) -> RecordedAct | None:
        """Returns the act with id `act`, even if undone; None if it was not recorded lately.

        Searches the last `RETRY_WINDOW` events of the branch; they are read once, unless one may be found.
        """
        if self._act_ids is None:
            self._act_ids = set()
            self._learn_act_ids(self._last_rows())
        if act not in self._act_ids:
            return None
        rows: list[Row] = []
        for row in self._last_rows():
            if _mentions_act((row,), act) and decode(row).envelope.act == act:
                rows.insert(0, row)
        if not rows:
            return None
        return RecordedAct(
            rows[0].position, rows[-1].position, tuple(decode_event(row)[0] for row in rows), again=True
        )

    def _last_rows(self) -> Iterator[Row]:
        """Yields the last `RETRY_WINDOW` rows of the branch, latest first."""
        for row in self.campaign.record.backwards(self.line, self.head.position + 1):
            if row.position < self.head.position - RETRY_WINDOW:
                return
            yield row

    def _learn_act_ids(self, rows: Iterable[Row]) -> None:
        if self._act_ids is not None:
            self._act_ids.update(found[1] for row in rows if (found := _ACT_ID.search(row.body)))

    # --- acts ---------------------------------------------------------------------------------------------

    def last_acts(self) -> Iterator[Act]:
        """Yields the acts of the branch that are not undone, latest first."""
        return line_events.acts_backwards(
            self.campaign.record, self.line, self.head.position + 1, self.amendments
        )

    def act_at(self, at: int) -> Act:
        """Returns the act with an event at position `at`; Refused if there is none, or if it is undone."""
        return line_events.act_at(self.campaign.record, self.line, at, self.head.position, self.amendments)


MOVED = "Another writer has just recorded something: look, then say it again."
"""The refusal if the line has grown since an act about it was planned."""

RETRY_WINDOW = 2000
"""Number of events, counted back from the head, that are searched for a repeated act id."""


_ACT_ID: Final = re.compile(r'"act":"([^"]*)"')
"""The id of its act in a row's body."""


def _mentions_act(rows: Sequence[Row], act: str) -> bool:
    """True if a row's body contains the string `act` anywhere: a quick check before the row is decoded."""
    return any(act in row.body for row in rows)


def _title_event(begun: Event, title: str) -> tuple[list[Event], Command]:
    """Returns the event that names a new campaign (in a list), and the command it came from."""
    command = c.NameCampaign(title=Words(clean(title)))
    check_command(command)
    return line_.decide(line_.fold([LiveEvent(1, begun)]), command, Luck(SystemDealer())), command


class CampaignStore(Struct):
    """An open campaign: its record, its clock, its seed and its caches.

    Use as a context manager, or close it.
    """

    record: Record
    clock: Clock = field(default_factory=Clock)
    seed: bytes | None = None
    """The campaign's seed, if it has one that is stored on this computer."""
    snapshots: Snapshots | None = None
    dealer: Dealer | None = None
    """A dealer used instead of the seed, in throw-away copies, so that no one can look ahead there."""
    _id: str | None = None
    """The campaign's id, once it was read: it never changes."""

    @classmethod
    def begin(
        cls,
        store: EventStore,
        *,
        title: str | None = None,
        seed: bytes | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Appends the first events of a new campaign, and its title if given, to the empty `store`.

        Call inside `store.writing()`; returns the campaign.
        """
        campaign = cls(Record(store), clock or Clock(), seed)
        begun = e.CampaignBegun(
            campaign=campaign.clock.campaign(),
            format=FORMAT,
            seed=None if seed is None else seed_commitment(seed),
        )
        acts: list[tuple[Sequence[Event], Command | None]] = [([begun], None)]
        if title:
            acts.append(_title_event(begun, title))
        head = EMPTY_HEAD
        for events, command in acts:
            rows = campaign.record.append(1, head, draft_rows(campaign.clock, events, command, [], Manner()))
            head = rows[-1].head
        return campaign

    @classmethod
    def create(
        cls,
        place: Place,
        *,
        title: str | None = None,
        seed: bytes | None = None,
        clock: Clock | None = None,
        snapshots: Callable[[str], Snapshots] | None = None,
    ) -> Self:
        """Creates a record at `place` with the campaign's first events; returns the open campaign.

        On any failure no record is left. Raises AlreadyThere if the place is taken.
        """
        campaign = places.made(place, lambda store: cls.begin(store, title=title, seed=seed, clock=clock))
        if snapshots:
            campaign.snapshots = snapshots(campaign.id)
        campaign.record.on_recorded = campaign.last_seen.keep
        return campaign

    @classmethod
    def open(
        cls,
        place: Place,
        *,
        read_only: bool = False,
        by_any_name: bool = False,
        mended: bool = False,
        clock: Clock | None = None,
    ) -> Self:
        """Opens the campaign at `place`; raises StoreError, with a sentence for the user, if that fails.

        `by_any_name` and `mended` are for repairing a file: see `places.opened`.
        """
        store = places.opened(place, read_only=read_only, by_any_name=by_any_name, mended=mended)
        campaign = cls(Record(store), clock or Clock())
        if not read_only:
            campaign.record.on_recorded = campaign.last_seen.keep
        return campaign

    @property
    def last_seen(self) -> LastSeen:
        """The note, kept outside the campaign, of the last event that this computer recorded in it."""
        return LastSeen(self.record)

    def close(self) -> None:
        """Closes the campaign's record and its caches."""
        if self.snapshots:
            self.snapshots.close()
        self.record.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    @property
    def place(self) -> Address:
        """The campaign's address."""
        return self.record.store.place

    @property
    def id(self) -> str:
        """The campaign's id, 128 bits in hexadecimal; StoreError if the first event begins no campaign."""
        if self._id is None:
            self._id = self._read_id()
        return self._id

    def _read_id(self) -> str:
        first = self.record.row(1, 1)
        begun = None if first is None else decode_event(first)[0]
        if not isinstance(begun, e.CampaignBegun):
            raise StoreError(f"{self.place} does not start like a campaign.")
        return begun.campaign

    def writer(self, line: int) -> LineWriter:
        """Returns a writer for branch `line`, with the table state at the branch's last event."""
        with self.record.store.read_transaction():  # so that head and state are of one moment
            head = self.record.head(line)
            amendments = read_amendments(self.record, line)
            table = self.table_at(line, None, amendments)
        return LineWriter(self, line, table, head, amendments)

    def table_at(
        self,
        line: int,
        upto: int | None = None,
        amendments: Amendments | None = None,
        known: Table | None = None,
    ) -> Table:
        """Returns the table state of branch `line` after position `upto` (its last event if None).

        Starts from the nearest valid snapshot, or from `known`, the state at an earlier position, if that is
        nearer; `known` is not changed.
        """
        return self.tables.at(line, upto, amendments or read_amendments(self.record, line, upto), known)

    @property
    def tables(self) -> Tables:
        """The campaign's table states at any position, computed with the help of its snapshot cache."""
        return Tables(self.record, self.snapshots)

    @property
    def branches(self) -> Branches:
        """The campaign's branches: lookup by name, creation, visibility, promotion."""
        return Branches(self.record, self.clock)

    @property
    def drafts(self) -> Drafts:
        """The campaign's drafts: lookup by name, creation, revisions."""
        return Drafts(self.record, self.clock)

    # --- lines --------------------------------------------------------------------------------------------

    def lines(self) -> dict[int, str]:
        """Returns each branch's name by its number; the branch now being played is called mainline."""
        return line_events.line_names(self.record)

    def mainline(self) -> int:
        """Returns the number of the mainline, the branch now being played."""
        return line_events.mainline(self.record)

    def line_called(self, name: str) -> int:
        """Returns the number of the branch with that name; Refused if there is none.

        Case and accents are ignored.
        """
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
        """Records a new branch of `parent` that begins after position `at`; returns its number.

        Players do not know of the new branch, unless `to` names "table" or some of them.
        """
        with self.record.writing():
            line, _ = self.branches.begin(parent, at, name, why, manner or Manner(), to=to)
        return line

    def show(self, line: int, to: str | tuple[int, ...] = TABLE, manner: Manner | None = None) -> None:
        """Records that the whole table, or the people in `to`, may know of branch `line`.

        Raises Refused if they may already.
        """
        with self.record.writing():
            self.branches.show(line, to, manner or Manner())

    def promote(
        self, line: int, manner: Manner | None = None, command: c.Undo | c.Redo | None = None
    ) -> None:
        """Makes branch `line` the mainline, by an event on both; Refused if it is the mainline already.

        `command` is the undo or redo behind the promotion, if any.
        """
        with self.record.writing():
            self.branches.promote(line, manner or Manner(), command)
