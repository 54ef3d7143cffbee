"""The shelf: the campaigns one process serves, each with its links, its inbox and its feeds."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import unicodedata
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any, Final, NamedTuple

import retold
from cli.asking import open_for_program
from cli.following import follow
from cli.inbox import Inbox, Proposal
from cli.service.links import Link, Links, Whose, opened_by
from cli.settings import Settings
from retold import Campaign, Following, Happened, Reading, Refused, Told

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
class FeedBuilder:
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


LOOK_EVERY: Final = 0.1
"""Seconds between two looks at whether anything has changed."""


REPLAYS: Final = 8
"""So many replays are kept."""


@dataclass(slots=True)
class Followed:
    """A viewer who is followed: who computes what is new, and the feed that sends it on."""

    teller: FeedBuilder
    feed: Feed = field(default_factory=Feed)


@dataclass
class ServedCampaign:
    """One campaign that is served."""

    slug: str
    campaign: Campaign
    settings: Settings
    inbox: Inbox
    links: Links
    good: tuple[Link, ...] = ()
    """The links that are good now."""
    followed: dict[Whose, Followed] = field(default_factory=dict)
    handed_in: Mapping[str, Proposal] = field(default_factory=dict)
    said: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """What came of what the game master said of late, by the id it was sent under."""
    replays: dict[object, tuple[object, bytes]] = field(default_factory=dict)
    """The replays made of late, by what was asked, each with what it was made of."""
    replaying: RLock = field(default_factory=RLock)
    saying: RLock = field(default_factory=RLock)
    """Held by whoever looks first and then says something."""
    reading_links: RLock = field(default_factory=RLock)
    _seen: tuple[object, ...] = ()
    _leave: Callable[[], None] | None = None
    """Ends the following, once it has begun."""

    @classmethod
    def opened(cls, path: Path, slug: str, settings: Settings) -> ServedCampaign:
        """The campaign in a file; StoreError or Refused with a sentence where there is none."""
        campaign = open_for_program(path, settings)
        inbox = Inbox.of(settings.state, campaign.id)
        inbox.tidy(datetime.now(UTC))
        links = Links.of(settings.state, campaign.id)
        links.look_up(campaign.lasting)
        served = cls(slug, campaign, settings, inbox, links, tuple(links.every()))
        served.handed_in = {one.id: one for one in inbox.everything()}
        return served

    @cached_property
    def _id(self) -> str:
        return self.campaign.id

    @cached_property
    def aside(self) -> Campaign:
        """The same file once more, for what takes long: who follows the line does not wait for it."""
        return open_for_program(self.campaign.path, self.settings, read_only=True)

    def begin(self, wake: Callable[[], object]) -> None:
        """Calls `wake` from now on whenever the record, the line, the links or the inbox may have changed."""
        self._leave = follow(self.campaign.path, self._stamps, wake, LOOK_EVERY)

    def close(self) -> None:
        """Lets go of the file."""
        if self._leave is not None:
            self._leave()
        self.campaign.scribe.close()
        self.campaign.close()
        if "aside" in self.__dict__:
            self.aside.close()

    def link(self, secret: str) -> Link | None:
        """The link that a secret opens, as long as it is good."""
        return opened_by(secret, self.good)

    def whom(self, link: Link) -> str:
        """The part of an address that says which viewer its page is for."""
        return link.whom(self.campaign.id)

    def is_good(self, link: Link) -> bool:
        """Whether a link is good still."""
        return any(one.sha256 == link.sha256 for one in self.good)

    def called(self, link: Link) -> str:
        """What whoever a link is for goes by now; by the name it was made for, where they are not here."""
        with suppress(Refused):
            return self.campaign.seen_by(link.whose).called
        return link.viewer

    def reading(self, viewer: Whose, at: str | None = None) -> Reading:
        """The line that is played as a viewer may know it, now or at a moment; Refused for none of theirs.

        Now it is the one that is followed; an earlier moment is looked up aside.
        """
        return self.campaign.seen_by(viewer) if at is None else self.looked_up(viewer).at(at)

    def looked_up(self, viewer: Whose, branch: str | None = None) -> Reading:
        """The line that is played, or another one, aside."""
        self.aside.go(self.campaign.scribe.line)
        seen = self.aside.seen_by(viewer)
        return seen if branch is None else seen.branch(branch)

    def keep_replay(self, asked: object, of: object, made: bytes) -> None:
        """Keeps a replay for whoever asks for it next; the oldest goes."""
        self.replays.pop(asked, None)
        self.replays[asked] = of, made
        while len(self.replays) > REPLAYS:
            del self.replays[next(iter(self.replays))]

    def read_links(self) -> None:
        """Reads the links from their file; of two threads that do so, the later one's are kept."""
        with self.reading_links:
            self.good = tuple(self.links.every())

    def join(self, link: Link) -> None:
        """Remembers that somebody has come by a link, so that no later start makes it worth nothing."""
        with self.reading_links:
            self.links.join(link)
            self.good = tuple(self.links.every())

    # --- in the thread that watches -----------------------------------------------------------------------

    def look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Looks whether anything has changed, and hands on what did."""
        seen = (self.campaign.changes, *self._stamps(), frozenset(self.followed))
        before, self._seen = self._seen or (None,) * len(seen), seen
        recorded, line, linked, handed, followed = (a != b for a, b in zip(before, seen, strict=True))
        if linked:
            self.read_links()
            for one in tuple(self.followed.values()):
                loop.call_soon_threadsafe(one.feed.wake)
        if line and before[0] is not None:
            self._go()
        if recorded or line or followed:
            self.campaign.catch_up()
            self._tell(loop)
        if handed:
            self._tell_handed_in(loop)

    def _stamps(self) -> tuple[object, object, object]:
        """Returns other values after a switch of lines, and after changes of the links and of the inbox."""
        return self.settings.chosen_line(self._id), self.links.stamp(), self.inbox.stamp()

    def _go(self) -> None:
        """Follows to the line that was switched to, here or at the console."""
        self.campaign.go(self.settings.chosen_line(self.campaign.id))

    def _tell(self, loop: asyncio.AbstractEventLoop) -> None:
        for viewer, one in tuple(self.followed.items()):
            try:
                update = one.teller.look(self.campaign)
            except Exception as error:
                self.followed.pop(viewer, None)
                loop.call_soon_threadsafe(one.feed.end)
                if isinstance(error, Refused):  # nobody is called so any more
                    continue
                raise
            loop.call_soon_threadsafe(one.feed.publish, update)

    def _tell_handed_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Lets the game master, and whoever handed it in, know what came or changed."""
        before, self.handed_in = self.handed_in, {one.id: one for one in self.inbox.everything()}
        changed = [one for one in self.handed_in.values() if before.get(one.id) != one]
        for one in changed:
            for viewer, followed in tuple(self.followed.items()):
                if viewer == "gm" or one.is_by(viewer):
                    sent = message("proposal", one.as_seen_by(viewer))
                    loop.call_soon_threadsafe(followed.feed.send, sent)

    # --- in the loop --------------------------------------------------------------------------------------

    def follow(self, viewer: Whose) -> Feed:
        """The feed for this viewer, which is ready once the thread that watches has looked."""
        if viewer not in self.followed:
            self.followed[viewer] = Followed(FeedBuilder(viewer))
        return self.followed[viewer].feed


@dataclass
class ServedCampaigns:
    """All that is served, and the thread that looks after it."""

    served: Mapping[str, ServedCampaign]
    _waiting: deque[ServedCampaign] = field(default_factory=deque)
    """Campaigns that may have changed since they were looked at."""
    _awake: Event = field(default_factory=Event)
    _stopping: bool = False
    _thread: Thread | None = None

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Follows the campaigns from now on, and looks at what has changed in a thread of its own."""
        self._thread = Thread(target=self._look_on, args=(loop,), name="looking", daemon=True)
        self._thread.start()
        for served in self.served.values():
            served.begin(partial(self.look_soon, served))

    def read_links(self) -> None:
        """Takes in the links that were made before anybody looks."""
        for one in self.served.values():
            one.read_links()

    def look_now(self, served: ServedCampaign) -> None:
        """Looks at this campaign before all others: something was recorded here."""
        self._waiting.appendleft(served)
        self._awake.set()

    def look_soon(self, served: ServedCampaign) -> None:
        """Looks at this campaign after those that wait already."""
        self._waiting.append(served)
        self._awake.set()

    def close_feeds(self) -> None:
        """Ends every stream; whoever follows may come back."""
        for served in self.served.values():
            for one in tuple(served.followed.values()):
                one.feed.close()

    def end(self) -> None:
        """Stops looking, and lets go of every file."""
        self._stopping = True
        self._awake.set()
        if self._thread is not None:
            self._thread.join()
        for one in self.served.values():
            one.close()

    def _look_on(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stopping:
            self._awake.wait()
            self._awake.clear()
            for served in self.changed():
                try:
                    served.look(loop)
                except Exception as error:  # noqa: BLE001 -- what is wrong with one campaign ends no other
                    sys.stderr.write(f"{served.slug}: {type(error).__name__} while looking; it goes on.\n")

    def changed(self) -> Iterator[ServedCampaign]:
        """Yields the campaigns that wait for a look, until none does or the service stops."""
        while self._waiting and not self._stopping:
            yield self._waiting.popleft()


def open_campaigns(paths: Iterable[Path], settings: Settings) -> ServedCampaigns:
    """A shelf of these campaigns; none is left open where one of them cannot be opened."""
    served: dict[str, ServedCampaign] = {}
    try:
        for path in paths:
            slug = _slug(path, served)
            served[slug] = ServedCampaign.opened(path, slug, settings)
    except BaseException:
        for one in served.values():
            one.close()
        raise
    return ServedCampaigns(served)


def _slug(path: Path, taken: Iterable[str]) -> str:
    """A short name for a campaign's addresses."""
    plain = unicodedata.normalize("NFKD", path.stem).encode("ascii", "ignore").decode().casefold()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "campaign"
    if name not in taken:
        return name
    return next(one for number in range(2, 10_000) if (one := f"{name}-{number}") not in taken)
