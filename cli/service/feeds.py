"""Feeds: what one viewer is told, computed once and sent to all who follow as that viewer."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, NamedTuple

import retold
from cli.service.links import Whose
from retold import Campaign, Following, Happened, Reading, Told

RECENT: Final = 500
"""So many of the last events are kept ready for whoever comes back."""
MESSAGES: Final = 256
"""Who is further behind than so many messages is told to look anew."""

Board = Mapping[str, Any]
Changed = Mapping[str, Any]


class Item(NamedTuple):
    """An event as it is sent, and the cursor that says: told up to here, and all of it so."""

    cursor: str
    event: Mapping[str, Any]


class Update(NamedTuple):
    """What a look at the record has brought."""

    gone: int
    came: Sequence[Item]
    board: Board
    delta: Changed


def message(event: str, data: Mapping[str, Any], cursor: str | None = None) -> bytes:
    """One server-sent event, ready for every follower."""
    id_ = "" if cursor is None else f"id: {cursor}\r\n"
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"{id_}event: {event}\r\ndata: {body}\r\n\r\n".encode()


def shown(one: Happened) -> Mapping[str, Any]:
    """An event as it is sent."""
    whom = one.visible_to if isinstance(one.visible_to, str) else list(one.visible_to)
    return {"id": one.id, "at": one.at, "kind": one.kind, "told": one.told, "visible_to": whom}


@dataclass(slots=True)
class Teller:
    """Computes what is new for one viewer; used by the one thread that watches."""

    viewer: Whose
    told: Told = field(default_factory=Told)
    chain: list[bytes] = field(default_factory=list)
    """For each event told, the hash of it and of all before it."""
    board: Board = field(default_factory=dict)
    following: Following | None = None

    def look(self, campaign: Campaign) -> Update:
        """What is new since it looked last; Refused where there is no such viewer any more."""
        gone, came = campaign.news(self.viewer, self.told)
        del self.chain[len(self.chain) - gone :]
        items = [Item(self._cursor(one), shown(one)) for one in came]
        board = self._laid(campaign.seen_by(self.viewer))
        delta = retold.turned(self.board, board)
        self.board = board
        return Update(gone, items, board, delta)

    def _laid(self, reading: Reading) -> Board:
        """What lies on the table now; brought along, unless something before reads otherwise."""
        if self.following is None or reading.steps(self.following) is None:
            self.following = reading.following()
        return self.following.board

    def _cursor(self, one: Happened) -> str:
        before = self.chain[-1] if self.chain else b""
        now = blake2b(f"{one.id}\0{one.at}\0{one.told}".encode(), key=before, digest_size=8).digest()
        self.chain.append(now)
        return f"{one.id}.{now.hex()}"


@dataclass(slots=True)
class Feed:
    """What a viewer's followers are sent; used in the loop that serves them only."""

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
    """True where the service ends: whoever follows may come back."""
    _board_message: bytes = b""

    @property
    def cursor(self) -> str:
        """Where it stands now."""
        return self.cursors[-1] if self.cursors else "0"

    def publish(self, update: Update) -> None:
        """Sends on what a look has brought."""
        kept = len(self.cursors) - update.gone
        del self.cursors[kept:]
        for _ in range(min(update.gone, len(self.recent))):
            self.recent.pop()
        self.cursors += [one.cursor for one in update.came]
        self.recent.extend(one.event for one in update.came)
        self.board, self._board_message = update.board, b""
        if not self.ready.is_set():
            self.ready.set()
        elif update.gone:
            self.send(message("reset", {}, self.cursor))
            self.send(self._whole())
        elif update.came:
            events = [one.event for one in update.came]
            self.send(message("happened", {"events": events, "delta": update.delta}, self.cursor))
        elif update.delta:
            self.send(message("happened", {"events": [], "delta": update.delta}, self.cursor))

    def send(self, one: bytes) -> None:
        """Sends a message to everybody who follows."""
        self.sent.append(one)
        self.count += 1
        self.wake()

    def wake(self) -> None:
        """Lets everybody who follows look round."""
        before, self.turn = self.turn, asyncio.Event()
        before.set()

    def end(self) -> None:
        """There is nothing more to tell."""
        self.ended = True
        self.ready.set()
        self.wake()

    def close(self) -> None:
        """The service ends."""
        self.closed = True
        self.ready.set()
        self.wake()

    def since(self, cursor: str | None) -> list[Mapping[str, Any]] | None:
        """The events after a cursor; None where what was told by then is no longer so, or too long ago."""
        if cursor is None:
            return []
        if cursor == "0":
            missed = len(self.cursors)
        else:
            places = (n for n, one in enumerate(reversed(self.cursors)) if one == cursor)
            missed = next(places, len(self.cursors) + 1)
        if missed > len(self.recent):
            return None
        return list(islice(self.recent, len(self.recent) - missed, None))

    def last(self, most: int) -> list[Mapping[str, Any]]:
        """The last events."""
        return list(islice(self.recent, max(0, len(self.recent) - most), None))

    async def follow(self, cursor: str | None, is_good: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Everything from a cursor on, once; it ends where `is_good` says no, asked with every message."""
        await self.ready.wait()
        seen, missed = self.count, self.since(cursor)
        if missed is None:
            yield message("reset", {}, self.cursor)
        elif missed:
            yield message("happened", {"events": missed, "delta": {}}, self.cursor)
        elif cursor is None:
            yield message("happened", {"events": [], "delta": {}}, self.cursor)
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
                one = self.sent[seen - first]
                seen += 1
                yield one
            else:
                await turn.wait()
        yield message("gone", {})

    def _whole(self) -> bytes:
        """The whole board, made once for all who come while it stays so."""
        if not self._board_message:
            self._board_message = message("board", {"board": self.board})
        return self._board_message
