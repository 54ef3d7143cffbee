"""Campaigns on a server as a node serves them: found by name, with the line served and redactions heard."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from retold.cli.campaigns.settings import Settings
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.attachments import Attachments
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.disk.last_seen import OVER_THE_GAP

if TYPE_CHECKING:
    from retold.campaign import Campaign

WHOLE: Final = ""
"""The key of the one attachment of the sort `line`."""


class ServerCampaigns:
    """Campaigns of a server that this node serves: the named campaigns, or every visible one."""

    def __init__(self, server: str, named: Collection[str] = ()) -> None:
        """Counts the campaigns, unless they are `named`; StoreError if the server cannot be asked."""
        self.server = server
        """The server's own address, such as `club:`."""
        self.named = frozenset(named)
        self._directory = places.directory(server)
        self.many = len(self.named) or self._directory.campaigns()
        """How many campaigns there were at the start."""

    @classmethod
    def of(cls, addresses: Collection[Address]) -> ServerCampaigns | None:
        """Returns the served campaigns for `addresses` on one server; None if all are files.

        Raises Refused for files and servers together, and for two servers.
        """
        on_server = [address for address in addresses if address.file is None]
        if not on_server:
            return None
        servers, names = zip(*map(places.server_and_campaign, on_server), strict=True)
        if len(on_server) < len(addresses) or len(set(servers)) > 1:
            raise Refused(
                "One service serves files, or campaigns of one server: start another on a port of its own"
                " (--port) for the rest."
            )
        if len(set(map(bool, names))) > 1:
            raise Refused(f"{servers[0]} is every campaign there: name it alone.")
        return cls(servers[0], tuple(filter(None, names)))

    def close(self) -> None:
        """Ends the asking whether the server answers."""
        self._directory.close()

    def address(self, name: str) -> Address | None:
        """Returns a campaign's address by its name; None if this node does not serve it."""
        if not name or (self.named and name not in self.named):
            return None
        address = Address.read(f"{self.server}{name}")
        with suppress(StoreError):  # no campaign can be called so
            return address if places.server_and_campaign(address) == (self.server, name) else None
        return None

    def is_answering(self) -> bool:
        """True if the server's database answers now."""
        return self._directory.is_answering()


class ServedLine:
    """The line of a campaign that its nodes serve: an attachment, for no node's user decides it."""

    def __init__(self, attachments: Attachments) -> None:
        self.attachments = attachments

    @classmethod
    def at(cls, place: Address) -> ServedLine | None:
        """Returns that of the campaign at `place`; None for a file, where the user's own choice counts."""
        attachments = places.attachments(place, "line")
        return None if attachments is None else cls(attachments)

    def number(self) -> int | None:
        """Returns the line's number; None for the mainline."""
        with suppress(ValueError):
            found = json.loads(self.attachments.get(WHOLE) or b"null")
            return found if isinstance(found, int) else None
        return None

    def choose(self, line: int | None) -> None:
        """Makes every node serve the line of this number; None means the mainline."""
        self.attachments.keep(WHOLE, json.dumps(line).encode())


class Gaps:
    """Missing ends of a campaign on a server: receipts that a computer has, and the record lacks.

    Attachments, so that a node that has heard of one tells all others. They stay, as accepted, once the game
    master has said that play goes on without the acts.
    """

    def __init__(self, attachments: Attachments) -> None:
        self.attachments = attachments

    @classmethod
    def at(cls, place: Address) -> Gaps | None:
        """Returns the gaps (missing ends) of the campaign at `place`; None for a file."""
        attachments = places.attachments(place, "gap")
        return None if attachments is None else cls(attachments)

    def open(self) -> list[str]:
        """Returns receipts of missing ends that no game master has accepted yet (`play --over-the-gap`)."""
        return sorted(key for key, value in self.attachments.every().items() if value == OPEN)

    def report(self, receipt: str) -> bool:
        """Stores a missing end, unless it is known; returns True if it was accepted already."""
        known = self.attachments.get(receipt)
        if known is None:
            self.attachments.keep(receipt, OPEN)
        return known == ACCEPTED

    def accept(self) -> None:
        """Says that play goes on without the acts of every missing end."""
        with self.attachments.alone():
            for receipt in self.open():
                self.attachments.keep(receipt, ACCEPTED)

    def sentence(self, place: Address) -> str | None:
        """Returns a sentence on the missing end of the campaign at `place`; None if nothing is missing."""
        for receipt in reversed(self.open()):
            _, position, _ = receipt.split(":")
            return (
                f"{place} lacks what was recorded last, up to {position} (receipt {receipt}). {OVER_THE_GAP}"
            )
        return None


OPEN: Final = b"open"
ACCEPTED: Final = b"accepted"


class RedactionsHeard:
    """Deletes this computer's caches of a campaign after a redaction in it, made on any computer.

    A small file beside the caches says up to where redactions were looked for, so that a node, at its next
    start, hears of redactions made while it was stopped.
    """

    def __init__(self, campaign: Campaign, settings: Settings) -> None:
        self._campaign = campaign
        self._note = settings.cache / f"{campaign.id}.redactions"
        self._after = _number_in(self._note)

    def heard(self, others: Collection[Campaign] = ()) -> bool:
        """Returns True if words were redacted since the last call, after deleting the caches.

        `others` are the same campaign, opened again; their caches are closed. StoreError if the record cannot
        be read; OSError if a cache cannot be deleted.
        """
        shared = self._campaign.shared
        with shared.lock:
            store = shared.store.record.store
            size = store.size()
            if size == self._after:
                return False
            found = any(True for _ in store.log(self._after, size, ("table.redacted",)))
            if found:
                for campaign in (self._campaign, *others):
                    with campaign.shared.lock:
                        campaign.shared.index.close()
                        if campaign.shared.store.snapshots is not None:
                            campaign.shared.store.snapshots.close()
                if shared.store.snapshots is not None:
                    shared.store.snapshots.drop()
            self._after = size
        if found or not self._note.exists():
            with suppress(OSError):  # then the next start looks through more
                self._note.parent.mkdir(parents=True, exist_ok=True)
                self._note.write_text(str(size))
        return found


def _number_in(path: Path) -> int:
    with suppress(OSError, ValueError):
        return max(0, int(path.read_text("utf-8")))
    return 0
