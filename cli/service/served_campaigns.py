"""Campaigns served by this process, with links, inbox, and feeds (what each viewer is told).

Files are open as long as the service runs; campaigns on a server while they are in use.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
import unicodedata
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import count
from threading import Event, RLock, Thread
from typing import Any, Final

from retold import Address, Campaign, Reading, Refused, StoreError
from retold.cli.campaigns.asking import open_for_program
from retold.cli.campaigns.following import follow
from retold.cli.campaigns.inbox import Inbox, Proposal
from retold.cli.campaigns.links import Link, Links, Whose, name_in, opened_by
from retold.cli.campaigns.server_campaigns import Gaps, RedactionsHeard, ServedLine, ServerCampaigns
from retold.cli.campaigns.settings import Settings
from retold.cli.service.feeds import Feed, FeedBuilder, Followed, message
from retold.cli.verbs.voices import draft_language, draft_voice, known, languages, voice_meant

LOOK_EVERY: Final = 0.1
"""Seconds between two looks at whether anything has changed."""


REPLAYS: Final = 8
"""So many replays are kept."""


@dataclass
class ServedCampaign:
    """One campaign as served: its links, players' proposals, and a feed for each viewer."""

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
    """Held to look first and then write."""
    reading_links: RLock = field(default_factory=RLock)
    line: ServedLine | None = None
    """The line served, on a server; of a file it is the one its user switched to."""
    redactions: RedactionsHeard | None = None
    """Those of a campaign on a server, which any computer may redact in."""
    gaps: Gaps | None = None
    gap: str | None = None
    """Why no line is taken: a sentence on a missing end of a campaign on a server."""
    copies: str = "table"
    """Whose copy an export is by default: `table` or `gm`."""
    is_at_home: bool = False
    """True if home has opened it."""
    used: float = 0.0
    """When it was last asked for, by the monotonic clock."""
    busy: int = 0
    """How many requests use it now."""
    _seen: tuple[object, ...] = ()
    _leave: Callable[[], None] | None = None
    """Ends the following, once it has begun."""

    @classmethod
    def opened(cls, address: Address, slug: str, settings: Settings) -> ServedCampaign:
        """Opens a campaign for serving at `/c/SLUG/`; raises StoreError or Refused on failure."""
        campaign = open_for_program(address, settings)
        try:
            inbox = Inbox.at(address, settings.state, campaign.id)
            links = Links.at(address, settings.state, campaign.id)
            served = cls(slug, campaign, settings, inbox, links)
            if address.file is None:
                served._open_on_server(address)
            inbox.tidy(datetime.now(UTC))
            links.look_up(campaign.lasting)
            served.good = tuple(links.every())
            _ = served.voice  # refused now, not at the first replay
            served.handed_in = {proposal.id: proposal for proposal in inbox.everything()}
        except BaseException:
            campaign.close()
            raise
        return served

    def _open_on_server(self, address: Address) -> None:
        self.line = ServedLine.at(address)
        self.redactions = RedactionsHeard(self.campaign, self.settings)
        self.redactions.heard()
        self.gaps = Gaps.at(address)
        self.look_for_gap()
        if self.line is not None:
            self.campaign.scribe.chose = self.line.choose
            self._go()

    @property
    def is_on_server(self) -> bool:
        """True unless the campaign is a file."""
        return self.line is not None

    @property
    def is_followed(self) -> bool:
        """True if a request uses the campaign now, or a stream is open."""
        return self.busy > 0 or any(followed.feed.followers for followed in tuple(self.followed.values()))

    @cached_property
    def _id(self) -> str:
        return self.campaign.id

    @cached_property
    def aside(self) -> Campaign:
        """Second, read-only connection to the file, for slow requests, so that feeds need not wait."""
        return open_for_program(self.campaign.place, self.settings, read_only=True)

    @cached_property
    def draft_voice(self) -> Callable[[Any], Any]:
        """Function that returns the voice of a draft."""
        return partial(draft_voice, self.settings)

    @property
    def draft_voices(self) -> tuple[str, ...]:
        """Names of voices offered for a new draft."""
        return tuple(voice.name for voice in known(self.settings) if voice.broken is None)

    @property
    def draft_languages(self) -> tuple[tuple[str, str], ...]:
        """Code and name of each language offered for a new draft."""
        return languages()

    def draft_language(self, voice: str, lang: str | None) -> str | None:
        """Returns the code of a draft's language; None for the voice's own. Refused for an unknown one."""
        return draft_language(self.settings, voice, lang)

    @cached_property
    def voice(self) -> Any:  # noqa: ANN401 -- voices are not part of `retold`
        """The voice `report` in the language of RETOLD_LANG, in which replays are told."""
        return voice_meant(self.settings, "report")

    def begin(self, wake: Callable[[], object]) -> None:
        """Calls `wake` now, and whenever the record, the user's branch, the links or the inbox change."""
        self._leave = follow(self.campaign.place, self._stamps, wake, LOOK_EVERY)

    def close(self) -> None:
        """Stops watching for changes, and closes the campaign."""
        if self._leave is not None:
            self._leave()
        self.campaign.scribe.close()
        self.campaign.close()
        if "aside" in self.__dict__:
            self.aside.close()

    def link(self, secret: str) -> Link | None:
        """Returns the valid link that has this secret; None for a wrong or revoked secret."""
        return opened_by(secret, self.good)

    def whom(self, link: Link) -> str:
        """Returns the link's viewer as a segment of web paths, such as `gm`."""
        return link.whom(self.campaign.id)

    def is_good(self, link: Link) -> bool:
        """True unless the link was revoked."""
        return any(known.sha256 == link.sha256 for known in self.good)

    def called(self, link: Link) -> str:
        """Returns the current name of the link's viewer; without such a person, the link's stored name."""
        with suppress(Refused):
            return self.campaign.seen_by(link.whose).called
        return link.viewer

    def reading(self, viewer: Whose, at: str | None = None) -> Reading:
        """Returns the branch being played as a viewer may know it, now or at moment `at`.

        Now is read by the main connection, an earlier moment by `aside`. Raises Refused for a moment the
        viewer may not know.
        """
        return self.campaign.seen_by(viewer) if at is None else self.looked_up(viewer).at(at)

    def looked_up(self, viewer: Whose, branch: str | None = None) -> Reading:
        """Returns the branch being played, or `branch`, as a viewer may know it, read by `aside`."""
        self.aside.go(self.campaign.scribe.line)
        seen = self.aside.seen_by(viewer)
        return seen if branch is None else seen.branch(branch)

    def keep_replay(self, asked: object, of: object, made: bytes) -> None:
        """Caches a replay (`made`, JSON bytes); drops the oldest of more than eight.

        `asked` is the request it answers, `of` the state of the record it was made from.
        """
        self.replays.pop(asked, None)
        self.replays[asked] = of, made
        while len(self.replays) > REPLAYS:
            del self.replays[next(iter(self.replays))]

    def read_links(self) -> None:
        """Reads the valid links again from their file, under a lock."""
        with self.reading_links:
            self.good = tuple(self.links.every())

    def own_secret(self) -> str:
        """Returns the secret of this computer's own link for the game master, made at the first call.

        The user's settings keep it; one that was revoked is replaced.
        """
        secret = self.settings.own_link(self._id)
        if secret is None or self.link(secret) is None:
            secret = self.links.new("gm", "gm", datetime.now(UTC).isoformat(timespec="seconds"))
            self.settings.keep_own_link(self._id, secret)
            self.read_links()
        return secret

    def join(self, link: Link) -> None:
        """Marks a link as used in the file; a later start of the service then keeps it."""
        with self.reading_links:
            self.links.join(link)
            self.good = tuple(self.links.every())

    # --- in the thread that watches -----------------------------------------------------------------------

    def look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Looks for changes of record, branch, links and inbox, and sends them to the viewers' streams.

        Runs in the looking thread; `loop` is the event loop of the streams.
        """
        seen = (self.campaign.changes, *self._stamps(), frozenset(self.followed))
        before, self._seen = self._seen or (None,) * len(seen), ()
        self._look_at(loop, before, seen)
        self._seen = seen  # otherwise the next look rereads everything

    def _look_at(
        self, loop: asyncio.AbstractEventLoop, before: tuple[object, ...], seen: tuple[object, ...]
    ) -> None:
        recorded, line, linked, handed, gaps, followed = (a != b for a, b in zip(before, seen, strict=True))
        if linked:
            self.read_links()
            for view in tuple(self.followed.values()):
                loop.call_soon_threadsafe(view.feed.wake)
        if (recorded or gaps) and self.look_for_gap():
            self._open_anew()
            recorded = True
        if recorded and self.redactions is not None:
            self._hear_redactions(self.redactions)
        if line and before[0] is not None:
            self._go()
        if recorded or line or followed:
            self.campaign.catch_up()
            self._keep_end()  # first, since the server may lose it as soon as it is told
            self._tell(loop)
        if handed:
            self._tell_handed_in(loop)

    def _stamps(self) -> tuple[object, ...]:
        """Returns the branch served, and values that differ after a change of the links or the inbox."""
        gaps = None if self.gaps is None else self.gaps.attachments.stamp()
        return self._line_served(), self.links.stamp(), self.inbox.stamp(), gaps

    def _line_served(self) -> int | None:
        return self.settings.chosen_line(self._id) if self.line is None else self.line.number()

    def _go(self) -> None:
        """Switches to the branch that the user, or the game master at another node, switched to elsewhere."""
        self.campaign.go(self._line_served())

    def look_for_gap(self) -> bool:
        """Looks whether the record lacks what this node has told; returns True if this look finds it.

        From then on, and while any node or the game master's console misses events, no line is accepted.
        """
        if self.gaps is None:
            return False
        shared, found = self.campaign.shared, False
        with shared.lock:  # a line may be recorded at the same time
            receipt = shared.store.last_seen.missed_receipt()
        if receipt is not None and self.gaps.report(receipt):
            self._note_end()
        elif receipt is not None:
            found = self.gap is None
        self.gap = self.gaps.sentence(self.campaign.place)
        return found

    def _open_anew(self) -> None:
        """Opens the campaign again, after its end was lost; every feed is compared with what it has told."""
        before, aside = self.campaign, self.__dict__.pop("aside", None)
        self.campaign = open_for_program(before.place, self.settings)
        self._open_on_server(before.place)
        for followed in tuple(self.followed.values()):
            followed.teller.begin_anew()
        self._forget_answers()
        for old in (before, aside):
            if old is not None:
                old.close()

    def _keep_end(self) -> None:
        """Notes the events told next, so that their loss on the server is noticed."""
        if self.is_on_server and self.gap is None:
            self._note_end()

    def _note_end(self) -> None:
        shared = self.campaign.shared
        with shared.lock:
            shared.store.last_seen.keep_end(self.campaign.scribe.line)

    def _hear_redactions(self, redactions: RedactionsHeard) -> None:
        """Throws away what this node keeps of the campaign, after words were redacted in it."""
        aside = [self.aside] if "aside" in self.__dict__ else []
        if redactions.heard(aside):
            self._forget_answers()

    def _forget_answers(self) -> None:
        """Discards cached replays and answers that an earlier record gave."""
        with self.replaying:
            self.replays.clear()
        with self.saying:
            self.said.clear()

    def _tell(self, loop: asyncio.AbstractEventLoop) -> None:
        for viewer, followed in tuple(self.followed.items()):
            try:
                update = followed.teller.look(self.campaign)
            except Exception as error:
                if isinstance(error, StoreError) and self.is_on_server:
                    followed.teller.begin_anew()  # it may be there again in a moment
                    raise
                self.followed.pop(viewer, None)
                loop.call_soon_threadsafe(followed.feed.end)
                if isinstance(error, Refused):  # the name is no longer known
                    continue
                raise
            loop.call_soon_threadsafe(followed.feed.publish, update)

    def _tell_handed_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Sends new and changed proposals to the game master, and to the player of each."""
        before, self.handed_in = self.handed_in, {kept.id: kept for kept in self.inbox.everything()}
        changed = [proposal for proposal in self.handed_in.values() if before.get(proposal.id) != proposal]
        for proposal in changed:
            for viewer, followed in tuple(self.followed.items()):
                if viewer == "gm" or proposal.is_by(viewer):
                    sent = message("proposal", proposal.as_seen_by(viewer))
                    loop.call_soon_threadsafe(followed.feed.send, sent)

    # --- in the loop --------------------------------------------------------------------------------------

    def follow(self, viewer: Whose) -> Feed:
        """Returns the feed of a viewer, which is new or exists; a new one is ready after the next look."""
        if viewer not in self.followed:
            self.followed[viewer] = Followed(FeedBuilder(viewer))
        return self.followed[viewer].feed


UNUSED_SECONDS: Final = 15 * 60
"""How long a campaign on a server stays open after its last request and stream."""
MOST_OPEN: Final = 200
"""So many campaigns of a server are open at a time."""
CHECK_SECONDS: Final = 1.0
"""Seconds between two looks at whether the server answers."""

AWAY: Final = "The campaigns cannot be reached just now: try again in a moment."
FULL: Final = "Too many campaigns are open here: try again in a little."


class FullError(StoreError):
    """Raised if too many campaigns are in use to open another."""

    def __init__(self) -> None:
        super().__init__(FULL)


@dataclass
class ServedCampaigns:
    """The served campaigns, and the thread that looks for their changes and sends them to streams.

    Files are open from the start. Campaigns of a server are opened at the first valid link.
    """

    served: dict[str, ServedCampaign]
    """Those open now, by their short name."""
    settings: Settings | None = None
    server: ServerCampaigns | None = None
    """Where further campaigns are opened from; None if files are served."""
    url: Callable[[], Awaitable[str]] = field(init=False)
    """Returns the start of links' addresses; the server that runs sets it, and home's then listens there."""
    away: bool = False
    """True while the server does not answer."""
    _waiting: deque[ServedCampaign] = field(default_factory=deque)
    """Campaigns that may have changed since they were looked at."""
    _awake: Event = field(default_factory=Event)
    _stopping: bool = False
    _thread: Thread | None = None
    _checking: asyncio.Task[None] | None = None
    _checker: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1, "checking"))
    """A thread of its own: others may all wait for a server that is gone."""

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Starts the looking thread, and watches each campaign for changes; `loop` runs the streams."""
        self._thread = Thread(target=self._look_on, args=(loop,), name="looking", daemon=True)
        self._thread.start()
        for served in self.served.values():
            served.begin(partial(self.look_soon, served))
        if self.server is not None:
            self._checking = loop.create_task(self._check_on(self.server))

    def read_links(self) -> None:
        """Reads the links of every open campaign again."""
        for served in self.served.values():
            served.read_links()

    def look_now(self, served: ServedCampaign) -> None:
        """Makes the looking thread look for changes of this campaign next."""
        self._waiting.appendleft(served)
        self._awake.set()

    def look_soon(self, served: ServedCampaign) -> None:
        """Queues a campaign for the looking thread, which then looks for new events in it."""
        self._waiting.append(served)
        self._awake.set()

    def close_feeds(self) -> None:
        """Ends every open stream; clients may connect again."""
        if self._checking is not None:
            self._checking.cancel()
        for served in self.served.values():
            for followed in tuple(served.followed.values()):
                followed.feed.close()

    def end(self) -> None:
        """Stops the looking thread and closes every campaign."""
        self._stopping = True
        self._awake.set()
        if self._thread is not None:
            self._thread.join()
        for served in self.served.values():
            served.close()
        if self.server is not None:
            self._checker.shutdown()
            self.server.close()

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
        """Yields campaigns waiting to be looked at, until none is left or the service stops."""
        while self._waiting and not self._stopping:
            yield self._waiting.popleft()

    def add(self, address: Address, settings: Settings) -> ServedCampaign:
        """Serves one more campaign's file, unless it is served already; returns it as served.

        Call it in one thread at a time, after `begin`.
        """
        for served in tuple(self.served.values()):
            if served.campaign.place == address:
                return served
        slug = _slug(address, self.served)
        found = self._begun(address, slug, settings)
        self.served = {**self.served, slug: found}  # others may be going through them
        return found

    # --- campaigns of a server, in the loop ---------------------------------------------------------------

    async def come(self, slug: str, secrets: Collection[str]) -> None:
        """Opens the server's campaign with this short name if a secret belongs to one of its links.

        Does nothing for files. Raises StoreError if the server cannot be asked, FullError if too many
        campaigns are open.
        """
        if self.server is None or slug in self.served or not any(secrets):
            return
        found = await asyncio.to_thread(self._opened, self.server, slug, secrets)
        if found is None:
            return
        if slug in self.served or self._stopping:  # another request came at the same time
            await asyncio.to_thread(found.close)
            return
        found.used = time.monotonic()
        self.served[slug] = found

    async def come_by(self, secret: str) -> None:
        """Opens the campaign on the server that a link's secret belongs to, if it is a good one."""
        await self.come(name_in(secret), [secret])

    def _opened(self, server: ServerCampaigns, slug: str, secrets: Collection[str]) -> ServedCampaign | None:
        address = server.address(slug)
        if address is None or self.settings is None:
            return None
        links = Links.at(address, self.settings.state, "").every()
        if not any(opened_by(secret, links) for secret in secrets if secret):
            return None
        if len(self.served) >= MOST_OPEN and all(
            served.is_followed for served in tuple(self.served.values())
        ):
            raise FullError
        return self._begun(address, slug, self.settings)

    def _begun(self, address: Address, slug: str, settings: Settings) -> ServedCampaign:
        found = ServedCampaign.opened(address, slug, settings)
        try:
            found.begin(partial(self.look_soon, found))
        except BaseException:
            found.close()
            raise
        return found

    async def _check_on(self, server: ServerCampaigns) -> None:
        """Looks once a second whether the server answers, and lets go of unused campaigns."""
        while not self._stopping:
            answers = await asyncio.get_running_loop().run_in_executor(self._checker, server.is_answering)
            if answers == self.away:
                self.away = not answers
                for served in tuple(self.served.values()):
                    self.look_soon(served)
            for served in self._unused(time.monotonic()):
                del self.served[served.slug]
                try:
                    await asyncio.to_thread(served.close)
                except Exception as error:  # noqa: BLE001 -- the server is asked on, whatever is wrong with one
                    sys.stderr.write(f"{served.slug}: {type(error).__name__} while closing; it goes on.\n")
            await asyncio.sleep(CHECK_SECONDS)

    def _unused(self, now: float) -> list[ServedCampaign]:
        """Returns the campaigns to close: unused for 15 minutes, or above 200 those unused the longest."""
        kept_open = () if self.server is None else self.server.named
        free = sorted(
            (
                served
                for slug, served in self.served.items()
                if slug not in kept_open and not served.is_followed
            ),
            key=lambda served: served.used,
        )
        above = max(0, len(self.served) - MOST_OPEN)
        late = [served for served in free[above:] if now - served.used > UNUSED_SECONDS]
        return [*free[:above], *late]


def open_campaigns(addresses: Iterable[Address], settings: Settings) -> ServedCampaigns:
    """Opens campaigns for serving; after an error, closes them all and raises it.

    Those that are named are opened now, all of a server when they are asked for. Raises Refused for files
    and servers together.
    """
    addresses = tuple(addresses)
    server = ServerCampaigns.of(addresses)
    served: dict[str, ServedCampaign] = {}
    try:
        if server is not None:
            for name in sorted(server.named):
                address = Address.read(f"{server.server}{name}")
                served[name] = ServedCampaign.opened(address, name, settings)
            return ServedCampaigns(served, settings, server)
        for address in addresses:
            slug = _slug(address, served)
            served[slug] = ServedCampaign.opened(address, slug, settings)
    except BaseException:
        for campaign in served.values():
            campaign.close()
        raise
    return ServedCampaigns(served)


def _slug(address: Address, taken: Iterable[str]) -> str:
    """Returns a short unique name for a campaign's address, such as `salt-road` or `salt-road-2`."""
    plain = unicodedata.normalize("NFKD", address.stem).encode("ascii", "ignore").decode().casefold()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "campaign"
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(slug for slug in names if slug not in taken)
