"""Feeds: what each viewer of a campaign is told, computed from the record and streamed as messages."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple

import retold
from retold import Campaign, Following, Happened, Reading, StoreError, Told
from retold.cli.campaigns.links import Whose
from retold.cli.service import answers

RECENT: Final = 500
"""So many of the last events are kept ready for clients that come back."""
MESSAGES: Final = 256
"""Who is further behind than so many messages is told to look again."""

Board = Mapping[str, Any]
Changed = Mapping[str, Any]


class Item(NamedTuple):
    """An event as JSON data, and the cursor that says a client has received it."""

    cursor: str
    event: Mapping[str, Any]


class Update(NamedTuple):
    """Changes for one viewer: number of last events to drop, new events, board, and changes of the board.

    Events are dropped after an undo, or if a change of the record makes them read differently.
    """

    gone: int
    came: Sequence[Item]
    board: Board
    delta: Changed


def message(event: str, data: Mapping[str, Any], cursor: str | None = None) -> bytes:
    """Returns one server-sent event as bytes: its type, JSON data, and cursor as id."""
    id_ = "" if cursor is None else f"id: {cursor}\r\n"
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"{id_}event: {event}\r\ndata: {body}\r\n\r\n".encode()


def shown(events: Sequence[Happened], reading: Reading, after: int = 0) -> list[Mapping[str, Any]]:
    """Returns the events as JSON data, as answers and feeds send them; all come after a position."""
    live = reading.told_live(after) if events else {}
    found: list[Mapping[str, Any]] = []
    for event in events:
        told, to = live[event.id], event.visible_to
        whom: answers.Audience = to if isinstance(to, tuple) else "gm" if to == "gm" else "table"
        words = tuple(answers.EventWords(*words) for words in told.words)
        numbers = told.numbers + event.line.removeprefix(event.told) if event.line and told.numbers else ""
        shown = answers.Event(
            event.id, event.at, event.kind, event.line, whom, told.begins, told.heading, words, numbers
        )
        found.append(shown.to_json())
    return found


@dataclass(slots=True)
class FeedBuilder:
    """Computes changes of events and board for one viewer; used by the looking thread only."""

    viewer: Whose
    told: Told = field(default_factory=Told)
    chain: list[bytes] = field(default_factory=list)
    """For each event told, the hash of it and of all before it."""
    board: Board = field(default_factory=dict)
    following: Following | None = None
    _before: list[bytes] | None = None
    """The chain of what was told before `begin_anew`."""

    def begin_anew(self) -> None:
        """Reads the whole record at the next look, and withdraws what was told and is not there any more.

        Called after the record could not be read, or lost its end.
        """
        self._before = self.chain if self._before is None else self._before
        self.told, self.chain, self.following = Told(), [], None

    def look(self, campaign: Campaign) -> Update:
        """Returns the viewer's changes since the last call; raises Refused if the viewer no longer exists."""
        with campaign.shared.lock:  # the same events are told and laid
            return self._looked(campaign)

    def _looked(self, campaign: Campaign) -> Update:
        gone, came = campaign.news(self.viewer, self.told)
        kept = len(self.chain) - gone
        withdrawn = self.chain[kept:]
        del self.chain[kept:]
        cursors = [self._cursor(event) for event in came]
        is_first = not kept and self._before is None
        recent = came[-RECENT:] if is_first else came  # of the first look, no more are kept
        try:
            reading = campaign.seen_by(self.viewer)
            first = self.told.reported[-len(recent)][0] if recent else 1
            events = [*({} for _ in came[len(recent) :]), *shown(recent, reading, first - 1)]
            items = list(map(Item, cursors, events))
            board = self._laid(reading)
        except StoreError:
            self.chain[kept:] = withdrawn
            raise
        if self._before is not None:
            before, self._before = self._before, None
            pairs = zip(before, self.chain, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            gone, items = len(before) - same, items[same:]
        delta = retold.turned(self.board, board)
        self.board = board
        return Update(gone, items, board, delta)

    def _laid(self, reading: Reading) -> Board:
        """Returns the current board, updated by new events; rebuilt if earlier events changed."""
        if self.following is None or reading.steps(self.following) is None:
            self.following = reading.following()
        return self.following.board

    def _cursor(self, event: Happened) -> str:
        before = self.chain[-1] if self.chain else b""
        now = blake2b(f"{event.id}\0{event.at}\0{event.told}".encode(), key=before, digest_size=8).digest()
        self.chain.append(now)
        return f"{event.id}.{now.hex()}"


@dataclass(slots=True)
class Feed:
    """Messages for the open streams of one viewer; used in the event loop's thread only."""

    cursors: list[str] = field(default_factory=list)
    recent: deque[Mapping[str, Any]] = field(default_factory=lambda: deque(maxlen=RECENT))
    board: Board = field(default_factory=dict)
    sent: deque[bytes] = field(default_factory=lambda: deque(maxlen=MESSAGES))
    count: int = 0
    """How many messages were ever sent."""
    followers: int = 0
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    turn: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False
    """True where there is no such viewer any more."""
    closed: bool = False
    """True where the service ends: followers may come back."""
    _board_message: bytes = b""

    @property
    def cursor(self) -> str:
        """Cursor after the last event; `0` before any."""
        return self.cursors[-1] if self.cursors else "0"

    def publish(self, update: Update) -> None:
        """Takes over an update: keeps its events and board, and queues a message for every stream.

        The first update queues none: it only makes the feed ready.
        """
        kept = len(self.cursors) - update.gone
        del self.cursors[kept:]
        for _ in range(min(update.gone, len(self.recent))):
            self.recent.pop()
        self.cursors += [item.cursor for item in update.came]
        self.recent.extend(item.event for item in update.came)
        self.board, self._board_message = update.board, b""
        if not self.ready.is_set():
            self.ready.set()
        elif update.gone:
            self.send(message("reset", {}, self.cursor))
            self.send(self._whole())
        elif update.came or update.delta:
            events = [item.event for item in update.came]
            self.send(message("happened", {"events": events, "delta": update.delta}, self.cursor))

    def send(self, message: bytes) -> None:
        """Queues an encoded message for every open stream."""
        self.sent.append(message)
        self.count += 1
        self.wake()

    def wake(self) -> None:
        """Wakes every open stream, to look for queued messages or an end."""
        before, self.turn = self.turn, asyncio.Event()
        before.set()

    def end(self) -> None:
        """Ends every stream for good, since the viewer no longer exists."""
        self.ended = True
        self.ready.set()
        self.wake()

    def close(self) -> None:
        """Ends every stream because the service stops; clients may connect again."""
        self.closed = True
        self.ready.set()
        self.wake()

    def since(self, cursor: str | None) -> list[Mapping[str, Any]] | None:
        """Returns the events after a cursor; None if the cursor is outdated or more than 500 events back.

        A cursor of None gives no events.
        """
        if cursor is None:
            return []
        if cursor == "0":
            missed = len(self.cursors)
        else:
            places = (n for n, known in enumerate(reversed(self.cursors)) if known == cursor)
            missed = next(places, len(self.cursors) + 1)
        if missed > len(self.recent):
            return None
        return list(islice(self.recent, len(self.recent) - missed, None))

    def last(self, most: int) -> list[Mapping[str, Any]]:
        """Returns the last `most` events, of the 500 kept."""
        return list(islice(self.recent, max(0, len(self.recent) - most), None))

    async def follow(self, cursor: str | None, is_good: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Yields encoded messages for one stream: events after `cursor`, the whole board, then each new one.

        Ends with the message `gone` once the viewer is unknown or `is_good`, asked before each message,
        returns False; ends without it if the service stops.
        """
        await self.ready.wait()
        seen, missed = self.count, self.since(cursor)
        if missed is None:
            yield message("reset", {}, self.cursor)
        elif missed or cursor is None:
            yield message("happened", {"events": missed, "delta": {}}, self.cursor)
        yield self._whole()
        while is_good() and not self.ended:
            if self.closed:
                return
            turn = self.turn
            first = self.count - len(self.sent)
            if seen < first:
                seen = self.count
                yield message("reset", {}, self.cursor)
                yield self._whole()
            elif seen < self.count:
                sent = self.sent[seen - first]
                seen += 1
                yield sent
            else:
                await turn.wait()
        yield message("gone", {})

    def _whole(self) -> bytes:
        """Returns the message with the whole board, encoded once for each state of the board."""
        if not self._board_message:
            self._board_message = message("board", {"board": self.board})
        return self._board_message


@dataclass(slots=True)
class Followed:
    """Feed of one viewer, and the builder that computes its updates."""

    teller: FeedBuilder
    feed: Feed = field(default_factory=Feed)
