"""Places on a server, by address: opens, makes, restores, watches and describes campaigns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple, Self, TypeVar

import psycopg

from retold.journal.store.contract.errors import NotACampaign, StoreError
from retold.journal.store.postgres.attachments import Directory, ServerAttachments, attachments
from retold.journal.store.postgres.erasing import keep_erased
from retold.journal.store.postgres.server import server_of
from retold.journal.store.postgres.server_address import ServerAddress, parse
from retold.journal.store.postgres.store import ServerCampaign

T = TypeVar("T")

_SIZE: Final = "SELECT id, size FROM retold.campaign WHERE name = %s"
_ORIGIN: Final = """
SELECT system_identifier, pg_database.oid, campaign.id FROM pg_control_system(), pg_database, retold.campaign
WHERE datname = current_database() AND campaign.name = %s
"""


class ServerPlace(NamedTuple):
    """Place of a campaign on a server, or the server itself."""

    address: ServerAddress

    @classmethod
    def of(cls, text: str) -> Self:
        """Returns the place with the address `text`; NotACampaign if this is not a server's address."""
        found = parse(text)
        if found is None:
            raise NotACampaign(f"{text} is not an address of a campaign on a server, such as club:salt-road.")
        return cls(found)

    @property
    def server(self) -> str:
        """The server's own address, such as `club:`."""
        return str(self.address._replace(campaign=""))

    @property
    def campaign(self) -> str:
        """The campaign's name there; "" for the server itself."""
        return self.address.campaign

    def opened(self, *, read_only: bool = False) -> ServerCampaign:
        """Opens the campaign: see `ServerCampaign.open`."""
        return ServerCampaign.open(self.address, read_only=read_only)

    def made(self, fill: Callable[[ServerCampaign], T]) -> T:
        """Creates the campaign with the rows that `fill` appends; returns its result.

        One transaction; the store stays open. Raises AlreadyThere if the campaign exists; on any failure
        nothing is left.
        """
        store = ServerCampaign.unmade(self.address)
        try:
            return store.make(fill)
        except BaseException:
            store.close()
            raise

    def restored(self, fill: Callable[[ServerCampaign], T]) -> T:
        """Creates the campaign with the rows that `fill` appends, and closes it; otherwise like `made`."""
        store = ServerCampaign.unmade(self.address)
        try:
            done = store.make(fill)
            self._note_that_nothing_was_deleted()
        finally:
            store.close()
        return done

    def _note_that_nothing_was_deleted(self) -> None:
        """Stores that no text that was redacted elsewhere has ever been in the tables' files here."""
        with suppress(psycopg.Error, StoreError), server_of(self.address).connection() as connection:
            keep_erased(connection, connection.execute(_SIZE, (self.address.campaign,)).fetchall())

    def watched(self, wake: Callable[[], object]) -> Callable[[], None]:
        """Calls `wake` immediately, then after each change in the campaign.

        It is called in the listening thread of this process, and must return quickly and not raise. Returns a
        function that ends the watching; after it has returned, `wake` is not called again.
        """
        store = self.opened(read_only=True)
        try:
            leave = store.follow(wake)
        except BaseException:
            store.close()
            raise

        def end() -> None:
            leave()
            store.close()

        return end

    def attachments(self, sort: str) -> ServerAttachments:
        """Returns one kind of the campaign's attachments."""
        return attachments(self.address, sort)

    def directory(self) -> Directory:
        """Returns the directory of the server's campaigns."""
        return Directory(self.address)

    def is_same(self, other: ServerPlace) -> bool:
        """True if both addresses name one campaign of one database, perhaps of a standby.

        False as well if a server cannot be asked.
        """
        found = self._origin()
        return found is not None and found == other._origin()

    def _origin(self) -> tuple[object, ...] | None:
        """Returns the numbers of the server, of its database and of the campaign; None if unknown."""
        with suppress(psycopg.Error, StoreError), server_of(self.address).connection() as connection:
            return connection.execute(_ORIGIN, (self.address.campaign,)).fetchone()
        return None

    # --- about the server ---

    def footing(self) -> Iterator[str]:
        """Yields a sentence on the server, then one on each server setting that puts the campaign at risk."""
        with self.opened(read_only=True) as store:
            yield from store.footing()

    def description(self) -> str:
        """Returns the server's name and connection, for sentences: `club (db.example.org, encrypted)`."""
        with server_of(self.address).connection() as connection:
            is_encrypted = bool(connection.pgconn.ssl_in_use)
        host = self.address.host
        where = f"{host}, {'encrypted' if is_encrypted else 'not encrypted'}" if host else ""
        return f"{self.address.server} ({where or 'this computer'})"

    def answers(self) -> bool:
        """True if the server answers now."""
        server = server_of(self.address)
        for _ in range(2):  # an idle connection may have broken since it was used last
            try:
                with server.connection() as connection:
                    connection.execute("SELECT 1")
            except (psycopg.Error, StoreError):  # the service file may be unreadable just now
                server.drop_idle()
            else:
                return True
        return False

    def weaker_encryption(self) -> str | None:
        """Returns a warning if the connection does not prove which server answers; None if it does."""
        mode = self.address.weaker_encryption
        if mode is None:
            return None
        return (
            f"{self.address.server} is spoken to with sslmode={mode}: another computer could be taken for it."
            " In the service file, verify-full says that it may not."
        )
