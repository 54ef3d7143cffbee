"""Opens, makes and watches campaigns by their addresses on a server, and describes the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import psycopg

from journal.store.address import Address
from journal.store.errors import AlreadyThere, NotACampaign
from journal.store.postgres.finding import find
from journal.store.postgres.server import server_of
from journal.store.postgres.server_address import ServerAddress, parse
from journal.store.postgres.store import ServerCampaign

T = TypeVar("T")


def opened(text: str, *, read_only: bool = False) -> ServerCampaign:
    """Opens the campaign at the address `text`: see `ServerCampaign.open`."""
    return ServerCampaign.open(_address(text), read_only=read_only)


def made(text: str, fill: Callable[[ServerCampaign], T]) -> T:
    """Creates a campaign at the address `text` with the rows that `fill` appends; returns its result.

    One transaction; the store stays open. Raises AlreadyThere if the campaign exists; on any failure nothing
    is left.
    """
    store = _unmade(_address(text))
    try:
        return store.make(fill)
    except BaseException:
        store.close()
        raise


def restored(text: str, fill: Callable[[ServerCampaign], T]) -> T:
    """Creates a campaign with the rows that `fill` appends, and closes it; otherwise like `made`."""
    store = _unmade(_address(text))
    try:
        return store.make(fill)
    finally:
        store.close()


def footing(text: str) -> Iterator[str]:
    """Yields a sentence on the server of the address `text`, and on each risk from its settings."""
    with opened(text, read_only=True) as store:
        yield from store.footing()


def description(text: str) -> str:
    """Returns which server the address `text` names, for sentences: `club (db.example.org, encrypted)`."""
    address = _address(text)
    with server_of(address).connection() as connection:
        is_encrypted = bool(connection.pgconn.ssl_in_use)
    where = f"{address.host}, {'encrypted' if is_encrypted else 'not encrypted'}" if address.host else ""
    return f"{address.server} ({where or 'this computer'})"


def answers(text: str) -> bool:
    """True if the server of the address `text` answers now."""
    server = server_of(_address(text))
    for _ in range(2):  # an idle connection may have broken since it was used last
        try:
            with server.connection() as connection:
                connection.execute("SELECT 1")
        except psycopg.Error:
            server.drop_idle()
        else:
            return True
    return False


def weaker_encryption(text: str) -> str | None:
    """Returns a warning if another computer could be taken for the server of the address `text`."""
    address = _address(text)
    mode = address.weaker_encryption
    if mode is None:
        return None
    return (
        f"{address.server} is spoken to with sslmode={mode}: another computer could be taken for it. In the"
        " service file, verify-full says that it may not."
    )


def watched(text: str, wake: Callable[[], object]) -> Callable[[], None]:
    """Calls `wake` at once and after each change of the campaign at the address `text`.

    It is called in the listening thread of this process, and must return quickly and not raise. Returns a
    function that ends the watching; after it has returned, `wake` is not called again.
    """
    store = ServerCampaign.open(_address(text), read_only=True)
    try:
        leave = store.follow(wake)
    except BaseException:
        store.close()
        raise

    def end() -> None:
        leave()
        store.close()

    return end


def _address(text: str) -> ServerAddress:
    found = parse(text)
    if found is None:
        raise NotACampaign(f"{text} is no address of a campaign on a server, such as club:salt-road.")
    return found


def _unmade(address: ServerAddress) -> ServerCampaign:
    """Returns a store for a new campaign, not yet in the database; AlreadyThere if the name is taken."""
    if not address.campaign:
        raise NotACampaign(f"{address} is a server; a campaign there is {address}NAME.")
    server = server_of(address)
    server.enter()  # so that the connection is kept for the store
    try:
        if find(server, address) is not None:
            raise AlreadyThere(Address.on_server(str(address)))
        return ServerCampaign(address, server, 0, read_only=False)
    finally:
        server.leave()
