"""A campaign on a server: reads its events page by page, and appends events under the lock of its row."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, Final, Self, TypeVar

import psycopg
from psycopg import errors, pq

from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import (
    AlreadyThere,
    CannotWrite,
    NotACampaign,
    StoreError,
    Unreached,
    UnreachedToWrite,
)
from retold.journal.store.contract.event_store import EMPTY_HEAD, FORMAT, Head, Row, SweptFiles
from retold.journal.store.contract.unknown_outcome import FailedCommit, Look
from retold.journal.store.postgres import batch, sentences, soundness
from retold.journal.store.postgres.asking import Asker, is_in_transaction
from retold.journal.store.postgres.batch import Call, Connection
from retold.journal.store.postgres.erasing import erase, unerased
from retold.journal.store.postgres.finding import find
from retold.journal.store.postgres.known import End, Known, ask_kinds, end_of
from retold.journal.store.postgres.listening import listener_of
from retold.journal.store.postgres.server import RECONNECT_PAUSE, Server, server_of
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.postgres.statements import (
    AT,
    BEGIN,
    COMMIT,
    DELETE_TEXTS,
    HASH,
    HEAD,
    HOLDER,
    LOCK,
    NEW,
    SKIP_SCAN,
    TAKE_NAME,
    insertion,
    notification,
    of_kinds,
    page,
)

T = TypeVar("T")

FIRST_PAGE: Final = 32
LARGEST_PAGE: Final = 2000
"""Rows asked for at once: many readers want one row, and a whole record comes in large pages."""

GROWTH: Final = 4
"""How many times as large a page is as the one before."""

MOST_PENDING: Final = 2000
"""The most rows that wait to be sent with the commit."""


@dataclass(slots=True)
class _Act:
    """A running `writing` block: its connection, what the lock said, and the rows that wait to be sent."""

    connection: Connection
    campaign: int
    size: int
    stamp: int
    pending: list[Row] = field(default_factory=list)
    statements: int = 0
    """Statements that changed the record; each raises the campaign's stamp by one."""
    last: Row | None = None
    """The last row appended."""
    sent: bool = False
    """True once the COMMIT may have reached the server."""
    is_new: bool = False
    """True while the campaign itself is made."""
    is_notifying: bool = False
    """True once followers are told, of which the answer is not waited for."""
    is_ended: bool = False
    """True once the connection was given back."""


class ServerCampaign:
    """An open campaign on a server, an `EventStore` in PostgreSQL. Use as a context manager, or close it."""

    def __init__(self, address: ServerAddress, server: Server, campaign: int, *, read_only: bool) -> None:
        self.address = address
        self._server = server
        self._asker = Asker(server, address)
        self._campaign = campaign
        self._read_only = read_only
        self._process = os.getpid()
        self._own = 0
        """How often this store itself raised the campaign's stamp."""
        self._act: _Act | None = None
        self._reading: Connection | None = None
        """The connection of the running `read_transaction`."""
        self._known = Known()
        self._read_at: End | None = None
        """The end of the record in the running `read_transaction`."""
        self._is_open = True
        server.enter()

    @classmethod
    def open(cls, address: ServerAddress, *, read_only: bool = False) -> Self:
        """Opens the campaign at `address`; NotACampaign, TooNew or another StoreError if that fails."""
        with _found(address) as (server, campaign):
            if campaign is None:
                raise NotACampaign(sentences.not_there(address, server.account))
            return cls(address, server, campaign, read_only=read_only)

    @classmethod
    def unmade(cls, address: ServerAddress) -> Self:
        """Returns a store for a new campaign, not there until `make`; AlreadyThere if its name is taken."""
        with _found(address) as (server, campaign):
            if campaign is not None:
                raise AlreadyThere(address)
            return cls(address, server, 0, read_only=False)

    @property
    def place(self) -> Address:
        """The address of the campaign."""
        return Address.on_server(str(self.address))

    def close(self) -> None:
        """Closes the store; the server's connections are closed with its last one."""
        if self._is_open:
            self._is_open = False
            self._server.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    # --- reading ------------------------------------------------------------------------------------------

    def streams(self) -> tuple[int, ...]:
        """Returns the sorted numbers of the branches with events; fast, since it skips through an index."""
        return tuple(line for (line,) in self._ask(SKIP_SCAN, {"campaign": self._campaign}))

    def head(self, line: int) -> Head:
        """Returns the last position and hash stored for branch `line`; `EMPTY_HEAD` if there is none.

        Inside `writing` it is asked of the server once, and not at all if it is known from before.
        """
        known = self._known
        if self._act is not None or self._is_known:
            if line in known.heads:
                return known.heads[line]
            if known.has_every_head:
                return EMPTY_HEAD
        ((*end, position, hash_),) = self._ask(HEAD, {"campaign": self._campaign, "line": line}) or [
            (-1, -1, None, None, None)
        ]
        found = EMPTY_HEAD if position is None else Head(position, hash_)
        if self._reading is None:
            if self._act is None:
                known.move_to(End(*end))
            known.heads[line] = found
        return found

    @property
    def _is_known(self) -> bool:
        """True if cached facts hold for the current read: inside `writing` or `read_transaction`."""
        return self._act is not None or (self._reading is not None and self._known.end == self._read_at)

    def stretch(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> Iterator[Row]:
        """Yields the rows stored for branch `line` at positions `after`+1..`upto`, in order of position.

        Restricted to `kinds` if any are given; `backwards` reverses the order. What is recorded after the
        first row was read is not among them.
        """
        many = FIRST_PAGE
        if kinds:
            known = self._known_of_kinds(kinds)
            if known is not None:
                rows = [row for _, row in known if row.line == line and _is_within(row.position, after, upto)]
                rows.sort(key=_POSITION, reverse=backwards)
                yield from rows
                return
        elif not backwards and self._is_known and (line, after + 1) in self._known.rows:
            upto = self.head(line).position if upto is None else upto
            while after < upto and (row := self._known.rows.get((line, after + 1))) is not None:
                yield row
                after += 1
            many *= GROWTH  # a caller that iterates further will want more rows
        last = "(SELECT max(position) FROM retold.event WHERE campaign = %(campaign)s AND line = %(line)s)"
        sql = page(
            "position",
            f"line = %(line)s AND {of_kinds(kinds)}",
            last,
            backwards=backwards,
            before=bool(kinds),
        )
        given = {"line": line, "kinds": list(kinds)}
        pages = self._pages(sql, given, after, upto, many, backwards=backwards)
        yield from map(self._remembered, pages) if kinds else (_made(row[2:]) for row in pages)

    def _known_of_kinds(self, kinds: Sequence[str]) -> Iterator[tuple[int, Row]] | None:
        """Returns sequence numbers and rows of these kinds from the cache, filled first if it may keep them.

        None if these are not cached, or nothing cached holds for the current read.
        """
        if not self._is_known:
            return None
        found = self._known.of_kinds(kinds)
        if found is not None or self._act is None or not self._known.may_learn(kinds):
            return found
        self._send_pending(self._act)
        (asked,) = batch.run(self._act.connection, [ask_kinds(self._act.campaign)])
        self._known.learn_kinds(asked)
        return self._known.of_kinds(kinds)

    def _remembered(self, found: tuple[Any, ...]) -> Row:
        """Returns a row whose last column is the hash of the event before; keeps that for `stored_hash`."""
        made, before = _made(found[2:-1]), found[-1]
        if before is not None:
            self._known.keep_hash(made.line, made.position - 1, before)
        return made

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Yields (sequence number, row) of every branch in the order recorded, numbers `after`+1..`upto`.

        Restricted to `kinds` if any are given. What is recorded after the first row was read is not among
        them.
        """
        known = self._known_of_kinds(kinds)
        if known is not None:
            yield from [found for found in known if _is_within(found[0], after, upto)]
            return
        last = "(SELECT max(seq) FROM retold.event WHERE campaign = %(campaign)s)"
        sql = page("seq", of_kinds(kinds), last, before=bool(kinds))
        pages = self._pages(sql, {"kinds": list(kinds)}, after, upto)
        for row in pages:
            yield row[0], self._remembered(row) if kinds else _made(row[2:])

    def _pages(
        self,
        sql: str,
        given: dict[str, Any],
        after: int,
        upto: int | None,
        many: int = FIRST_PAGE,
        *,
        backwards: bool = False,
    ) -> Iterator[tuple[Any, ...]]:
        """Yields the rows of a query by `page`, asked page by page: first `many`, then ever more.

        Each page is a statement of its own: nothing is held between two pages, and after a broken connection
        reading goes on at the next key.
        """
        low, high = after, upto
        while high is None or high > low:
            asked = {**given, "campaign": self._campaign, "after": low, "upto": high, "many": many}
            rows = self._ask(sql, asked)
            yield from rows
            if len(rows) < many:
                return
            if backwards:
                high = rows[-1][0] - 1
            else:
                low = rows[-1][0]
                high = rows[-1][1] if high is None else high
            many = min(GROWTH * many, LARGEST_PAGE)

    def stored_hash(self, line: int, position: int) -> bytes | None:
        """Returns the hash of the event at `position` of branch `line`; None if no such event is stored.

        Known without a query if a search by kind returned the next event.
        """
        known = self._known.hashes.get((line, position))
        if known is not None:
            return known
        if self._is_known and (row := self._known.rows.get((line, position))) is not None:
            return row.hash
        found = self._ask(HASH, (self._campaign, line, position))
        return found[0][0] if found else None

    def size(self) -> int:
        """Returns the number of events of the campaign; inside `writing` without asking the server."""
        if self._act is not None:
            return self._act.size
        if self._read_at is not None:
            return self._read_at.size
        return int(self._campaign_row()[0])

    def changes(self) -> int:
        """Returns the campaign's stamp without this store's own acts: it changes when others record."""
        stamp = self._act.stamp if self._act is not None else int(self._campaign_row()[1])
        return stamp - self._own

    def _campaign_row(self) -> tuple[Any, ...]:
        rows = self._ask("SELECT size, stamp FROM retold.campaign WHERE id = %s", (self._campaign,))
        if not rows:
            raise StoreError(sentences.not_there(self.address, self._server.account))
        return rows[0]

    def follow(self, wake: Callable[[], object]) -> Callable[[], None]:
        """Calls `wake` at once and after each change, also by this store; see `Listener.add`."""
        stamp = int(self._campaign_row()[1])
        return listener_of(self._server).add(self._campaign, stamp, wake)

    @contextmanager
    def read_transaction(self) -> Iterator[None]:
        """Context manager: reads inside see the record at one moment, even if others write meanwhile."""
        if self._act is not None or self._reading is not None:  # it is one moment already
            yield
            return
        with self._asker.reading(*self._known.look(self._campaign)) as (connection, found):
            if not found[0].ntuples:
                raise StoreError(sentences.not_there(self.address, self._server.account))
            self._known.learn(*found)
            self._reading, self._read_at = connection, self._known.end
            try:
                yield
            finally:
                self._reading = self._read_at = None

    def _ask(self, sql: str, given: Any = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 -- psycopg's parameters
        """Returns the rows of a query: of the running transaction if there is one, else of now."""
        if self._act is not None:
            self._send_pending(self._act)
            return self._act.connection.execute(sql, given, binary=True).fetchall()
        if self._reading is not None:
            try:
                return self._reading.execute(sql, given, binary=True).fetchall()
            except psycopg.Error as error:
                raise sentences.unread(self.address, error) from None
        return self._asker.ask(sql, given)

    def reopener(self) -> Callable[[], ServerCampaign] | None:
        """Returns a picklable function that opens the same campaign for reading; it holds no password."""
        return partial(ServerCampaign.open, self.address, read_only=True)

    def storage_faults(self) -> Iterator[str]:
        """Yields a sentence for each difference of the server's tables from those Retold makes."""
        with self._asker.reading() as (connection, _):
            found = list(soundness.faults(connection, self._campaign))
        yield from found

    def footing(self) -> Iterator[str]:
        """Yields a sentence on the server, then one on each server setting that puts the record at risk."""
        with self._asker.reading() as (connection, _):
            yield from list(soundness.footing(connection, self.address))
            if count := unerased(connection, self._campaign):
                yield sentences.unerased(self.address, count)

    # --- writing ------------------------------------------------------------------------------------------

    def make(self, fill: Callable[[ServerCampaign], T]) -> T:
        """Makes the campaign on the server, filled by `fill`, whose result it returns."""
        with self._making():
            return fill(self)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Context manager: takes the campaign's lock; rows appended inside are stored together or not at all.

        Raises CannotWrite, or Doubtful if that is unknown or if it was recorded after all; also if opened
        read-only or in a forked process.
        """
        if self._act is not None and self._act.is_new:
            yield  # a new campaign is stored together with its first events
            return
        self._check_writable()
        with self._transaction(self._locked()):
            yield

    @contextmanager
    def _transaction(self, act: _Act) -> Iterator[None]:
        self._act = act
        try:
            yield
            self._commit(act)
        except psycopg.Error as error:
            raise self._failed(act, error) from None
        finally:
            self._act = None
            self._end(act)

    @contextmanager
    def _making(self) -> Iterator[None]:
        """Context manager: makes the campaign; it is stored at the end, with the rows appended inside."""
        connection, _ = self._asker.begun(BEGIN)
        act = _Act(connection, 0, 0, 0, is_new=True)
        with self._transaction(act):
            try:
                ((act.campaign,),) = connection.execute(NEW, (self.address.campaign, FORMAT)).fetchall()
            except errors.UniqueViolation:
                raise AlreadyThere(self.place) from None
            except errors.InsufficientPrivilege:
                raise CannotWrite(sentences.not_a_keeper(self.address, self._server.account)) from None
            self._campaign = act.campaign
            self._known.begin()
            yield

    def _check_writable(self) -> None:
        if self._read_only:
            raise CannotWrite(f"{self.address} was opened for reading only.")
        if os.getpid() != self._process:
            raise CannotWrite(
                f"{self.address} was opened by the process that this one was forked from: open it here again."
            )

    def _locked(self) -> _Act:
        """Takes the lock of the campaign's row; CannotWrite if it is held too long, or only to be read."""
        try:
            connection, (_, found) = self._asker.begun(BEGIN, Call(LOCK, (batch.integer(self._campaign),)))
        except errors.LockNotAvailable:
            raise CannotWrite(sentences.held(self.address, self._holder())) from None
        except psycopg.Error as error:
            raise sentences.not_written(self.address, error) from None
        except Unreached as error:
            raise UnreachedToWrite(error.fact) from None
        if not found.ntuples:
            self._asker.discard(connection)
            self._campaign_row()  # or it is gone
            raise CannotWrite(sentences.only_to_read(self.address, self._server.account))
        end = end_of(found)
        self._known.move_to(end)
        return _Act(connection, self._campaign, end.size, end.stamp)

    def _holder(self) -> str | None:
        """Returns the name of the connection that holds the campaign's lock; None if it has none."""
        with suppress(StoreError):
            for (name,) in self._ask(HOLDER, (self._campaign,)):
                return str(name) if name else None
        return None

    def append(self, rows: Iterable[Row]) -> None:
        """Stores rows, with positions and hashes given; call inside `writing`.

        They are sent with the commit, or before anything is read.
        """
        act = self._running()
        for row in rows:
            act.pending.append(row)
            act.last = row
            act.size += 1
            self._known.add(act.size, row)
            if len(act.pending) >= MOST_PENDING:
                self._send_pending(act)

    def _running(self) -> _Act:
        if self._act is None:
            raise CannotWrite(f"Nothing was recorded in {self.address}: it was not being written to.")
        return self._act

    def _send_pending(self, act: _Act) -> None:
        if calls := self._pending_calls(act):
            batch.run(act.connection, calls)

    def _pending_calls(self, act: _Act) -> list[Call]:
        """Returns the calls that store the pending rows, and empties the list of pending rows."""
        if not act.pending:
            return []
        rows, act.pending = act.pending, []
        act.statements += 1
        return [insertion(act.campaign, act.size - len(rows), rows)]

    def _commit(self, act: _Act) -> None:
        """Sends what waits together with the commit; then tells followers, without waiting for that."""
        connection = act.connection
        if act.is_ended or connection.info.transaction_status != pq.TransactionStatus.INTRANS:
            raise errors.InFailedSqlTransaction("it was rolled back")
        act.sent = True
        calls = [*self._pending_calls(act), COMMIT]
        told = [notification(act.campaign)] if act.statements else []
        done = batch.run(connection, calls, then=told)[-1]
        act.is_notifying = bool(told)
        if done.command_status == b"ROLLBACK":
            raise errors.InFailedSqlTransaction("it was rolled back")
        self._own += act.statements
        if act.last is not None:
            self._known.end = End(act.size, act.stamp + act.statements, act.last.hash)

    def _failed(self, act: _Act, error: psycopg.Error) -> StoreError:
        """Returns the error to raise after psycopg's: Doubtful unless surely nothing was stored."""
        self._known.forget()
        # Texts are deleted by an act that says so: without a last row nothing was changed.
        if not act.sent or act.last is None or _is_answer(act.connection, error):
            return sentences.not_written(self.address, error)
        act.connection.close()
        self._server.drop_idle()
        failed = FailedCommit(
            sentences.BROKEN_AT_THE_LAST,
            sentences.RECORDED,
            sentences.unasked(self.address),
            sentences.not_written(self.address, error),
        )
        return failed.error(act.last, partial(self._look_for, act.last, is_new=act.is_new))

    def _look_for(self, last: Row, *, is_new: bool) -> Look | None:
        """Returns what the server holds of an act that ends with `last`; None if it cannot be asked.

        The campaign's lock is taken first: that waits for a server process that may still be committing. The
        row of a campaign that `is_new` may not be there to be locked: its name is taken instead.
        """
        until = self._server.deadline()
        while time.monotonic() < until:
            with (
                suppress(psycopg.Error, StoreError),
                closing(self._server.connect_again()) as connection,
                connection.transaction(force_rollback=True),
            ):
                if is_new:
                    connection.execute(TAKE_NAME, (self.address.campaign, FORMAT))
                locked = batch.run(connection, [Call(LOCK, (batch.integer(self._campaign),))])[0]
                if not locked.ntuples and not is_new:
                    return None  # it is gone, or the account may no longer write it
                found = connection.execute(AT, (self._campaign, last.line, last.position)).fetchone()
                return Look(None if found is None else _made(found), is_final=True)
            time.sleep(RECONNECT_PAUSE)
        return None

    def _end(self, act: _Act) -> None:
        """Rolls back what was not committed, and gives the connection back, once."""
        if act.is_ended:
            return
        act.is_ended = True
        connection = act.connection
        if is_in_transaction(connection):
            self._known.forget()
            with suppress(psycopg.Error):
                batch.roll_back(connection)
        self._server.give_back(connection, is_answering=act.is_notifying)

    def roll_back(self) -> None:
        """Takes back the changes of a `writing` block that was interrupted before its end."""
        self._known.forget()
        act, self._act = self._act, None
        if act is not None:
            self._end(act)

    def delete_texts(self, line: int, position: int, words: Sequence[int]) -> None:
        """Deletes for good the texts numbered `words` of a stored event; call inside `writing`."""
        act = self._running()
        (row,) = self.stretch(line, position - 1, position)
        act.statements += 1
        self._known.forget_texts()
        act.connection.execute(
            DELETE_TEXTS,
            (_without(row.words or "[]", words), act.campaign, line, position),
        )

    def settle(self, seconds: float = 0.1) -> tuple[str, ...]:  # noqa: ARG002 -- no watcher to wait for
        """Takes deleted texts out of the tables' files, if that can be done; returns where they remain."""
        try:
            erase(self._server, self.address)
        except (psycopg.Error, StoreError):
            return (sentences.in_tables(self.address), sentences.REMAINS)
        return (sentences.REMAINS,)

    def sweep(self) -> SweptFiles:
        """Returns nothing: no copy lies beside a campaign on a server."""
        return SweptFiles()


@contextmanager
def _found(address: ServerAddress) -> Iterator[tuple[Server, int | None]]:
    """Context manager: yields the server of `address` and the number of its campaign there; see `find`.

    The connection is kept meanwhile, for a store that is made inside.
    """
    if not address.campaign:
        raise NotACampaign(f"{address} is a server; a campaign there is {address}NAME.")
    server = server_of(address)
    server.enter()
    try:
        yield server, find(server, address)
    finally:
        server.leave()


def _is_answer(connection: Connection, error: psycopg.Error) -> bool:
    """True if the server itself said that the transaction failed, on a connection that is still open.

    A server that ends a connection may say so after it has committed.
    """
    return (
        error.sqlstate is not None
        and not error.sqlstate.startswith(_ENDED)
        and not connection.closed
        and connection.info.transaction_status in (pq.TransactionStatus.IDLE, pq.TransactionStatus.INERROR)
    )


_ENDED: Final = ("57P", "08")
"""Beginnings of the codes of errors that end a connection."""

_made: Callable[[Iterable[Any]], Row] = partial(tuple.__new__, Row)
"""Like `Row._make`, without its check of the number of columns."""


def _without(words: str, gone: Sequence[int]) -> str:
    """Returns a JSON array with null for the elements numbered `gone`; the others keep their every byte."""
    scan, kept, at = json.JSONDecoder().raw_decode, list[str](), 0
    while found := _ELEMENT.match(words, at):
        _, at = scan(words, found.end())
        kept.append("null" if len(kept) in gone else words[found.end() : at])
    return f"[{','.join(kept)}]"


_ELEMENT: Final = re.compile(r"\s*[\[,]\s*(?!\])")
"""Text before an element of an array."""


def _is_within(number: int, after: int, upto: int | None) -> bool:
    return after < number and (upto is None or number <= upto)


_POSITION: Final = attrgetter("position")
