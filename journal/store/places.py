"""Opening, making and restoring a campaign's record at an address, in a file or on a server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final, Protocol, Self, TypeVar

from retold.journal.features import added
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.contract.attachments import Attachments
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import EventStore
from retold.journal.store.sqlite import location
from retold.journal.store.sqlite.file import CampaignFile, create, restore
from retold.journal.store.sqlite.file import unfinished as unfinished_file

FileNames = location.FileNames
"""The names of a file that has several."""

FileRecord = CampaignFile
"""The record of a campaign in a file."""

COPIED_AT_ONCE: Final = 2000
"""How many events a copy holds in memory."""

T = TypeVar("T")


class Directory(Protocol):
    """Directory of a server's campaigns, for a service."""

    def campaigns(self) -> int:
        """Returns the number of campaigns that the account may see."""

    def is_answering(self) -> bool:
        """True if the server answers now."""

    def close(self) -> None:
        """Closes its connection."""


class PlaceOnServer(Protocol):
    """Place of a campaign on a server, or the server itself, as a feature implements it (`Feature.places`).

    A method does what the function of its name in this module does.
    """

    @property
    def server(self) -> str:
        """The server's own address, such as `club:`."""

    @property
    def campaign(self) -> str:
        """The campaign's name there; "" for the server itself."""

    def opened(self, *, read_only: bool = False) -> EventStore:
        """Opens the campaign."""

    def made(self, fill: Callable[[EventStore], T]) -> T:
        """Creates the campaign with the rows that `fill` appends; the store stays open."""

    def restored(self, fill: Callable[[EventStore], T]) -> T:
        """Creates the campaign with the rows that `fill` appends, and closes the store."""

    def watched(self, wake: Callable[[], object]) -> Callable[[], None]:
        """Calls `wake` now and after each change; returns a function that ends the watching."""

    def answers(self) -> bool:
        """True if the server answers now."""

    def attachments(self, sort: str) -> Attachments:
        """Returns the campaign's attachments of one kind."""

    def directory(self) -> Directory:
        """Returns the directory of the server's campaigns."""

    def is_same(self, other: Self) -> bool:
        """True if both are the same campaign in the same database."""

    def footing(self) -> Iterator[str]:
        """Yields sentences on the server and its settings."""

    def description(self) -> str:
        """Returns the server's name and connection, for sentences."""

    def weaker_encryption(self) -> str | None:
        """Returns a warning if the connection does not prove which server answers."""


def opened(
    place: Place, *, read_only: bool = False, by_any_name: bool = False, mended: bool = False
) -> EventStore:
    """Opens the record at a place; raises StoreError, with a sentence for the user, if that fails.

    `by_any_name` and `mended` are for repairing a file, and change nothing on a server: see
    `CampaignFile.open`.
    """
    address = Address.of(place)
    if address.file is None:
        return _on_server(address).opened(read_only=read_only)
    return CampaignFile.open(address.file, read_only=read_only, by_any_name=by_any_name, mended=mended)


def made(place: Place, fill: Callable[[EventStore], T]) -> T:
    """Makes a new record with the events that `fill` appends; returns the result of `fill`.

    On any failure no record is left; else the store stays open. Raises AlreadyThere if the place is taken.
    """
    address = Address.of(place)
    return _on_server(address).made(fill) if address.file is None else create(address.file, fill)


def restored(place: Place, fill: Callable[[EventStore], T]) -> T:
    """Makes a new record of many events, which `fill` appends, and closes it; returns the result of `fill`.

    In a file that is faster than `made`. On any failure no record is left; raises AlreadyThere if the place
    is taken.
    """
    address = Address.of(place)
    return _on_server(address).restored(fill) if address.file is None else restore(address.file, fill)


def copy_to_file(place: Place, target: Path, *, by_any_name: bool = False) -> None:
    """Copies a record whole to a new file at `target`, even while others write to it.

    Raises AlreadyThere if the path exists, CannotWrite if the disk fails; then no file is left.
    """
    address = Address.of(place)
    if address.file is None:
        with closing(opened(place, read_only=True)) as store, store.read_transaction():
            restore(target, lambda file: _copy_rows(store, file))
        return
    with closing(CampaignFile.open(address.file, read_only=True, by_any_name=by_any_name)) as file:
        file.backup(target)


@contextmanager
def unfinished(place: Place, kept: Path, fill: Callable[[EventStore], object]) -> Iterator[FileRecord]:
    """Context manager: gives a record under a temporary name, with the events that `fill` appends.

    It may take the place of the campaign file at `place`, which is called `kept` then (`give_way`); else it
    is deleted at the end. Raises AlreadyThere if `kept` exists, and StoreError for a campaign on a server.
    """
    with unfinished_file(_file_of(place).with_name(kept.name), fill) as draft:
        yield draft


@contextmanager
def alone(place: Place) -> Iterator[FileRecord]:
    """Context manager: opens a campaign file that no other program has open, and keeps all others out.

    Raises CannotWrite if one has, and StoreError for a campaign on a server.
    """
    with CampaignFile.open(_file_of(place)) as found, found.alone():
        yield found


def _file_of(place: Place) -> Path:
    """Returns the path of the file at `place`, symbolic links followed; StoreError if it is on a server."""
    address = Address.of(place)
    if address.file is None:
        raise StoreError(f"{address} is on a server: only a file is made anew.")
    return Path(os.path.realpath(address.file))


def watched(place: Place, wake: Callable[[], object], every: float) -> Callable[[], None]:
    """Calls `wake` at once and after each change of a record, looked for every `every` seconds.

    It is called in the watching thread of this process, and must return quickly and not raise. Returns a
    function that ends the watching; after it has returned, `wake` is not called again. Raises StoreError if
    the record cannot be opened.
    """
    address = Address.of(place)
    if address.file is None:
        return _on_server(address).watched(wake)
    from retold.journal.store.disk.watch import WATCH  # noqa: PLC0415 -- few follow, and all others start without it

    file = CampaignFile.open(address.file, read_only=True)
    leave = WATCH.add(file.changes, wake, every)

    def end() -> None:
        leave()
        file.close()

    return end


def answers(place: Place) -> bool:
    """True if a record can be read now, or if it is a file; asks a server, in at most some 20 seconds."""
    address = Address.of(place)
    return True if address.file is not None else _on_server(address).answers()


# --- beside a record ---------------------------------------------------------------------------------------


def attachments(place: Place, sort: str) -> Attachments | None:
    """Returns a campaign's attachments of one kind from the server's database; None for a file."""
    address = Address.of(place)
    return None if address.file is not None else _on_server(address).attachments(sort)


def server_and_campaign(place: Place) -> tuple[str, str]:
    """Returns the server's address, such as `club:`, and the campaign's name there.

    The name is "" if `place` is the server itself. Raises StoreError for a file, and for a malformed address.
    """
    found = _on_server(Address.of(place))
    return found.server, found.campaign


def directory(place: Place) -> Directory:
    """Returns the directory of campaigns on the place's server; StoreError for a file."""
    return _on_server(Address.of(place)).directory()


# --- around a record --------------------------------------------------------------------------------------


def is_same(place: Place, other: Place) -> bool:
    """True if two addresses are one place: a file under two names, or a campaign on a server.

    False as well if a file is missing or a server cannot be asked.
    """
    first, second = Address.of(place), Address.of(other)
    if first.file is not None and second.file is not None:
        with suppress(OSError):
            return first.file.samefile(second.file)
        return False
    if first.file is not None or second.file is not None:
        return False
    return _on_server(first).is_same(_on_server(second))


def shared_disk(place: Place) -> location.SharedDisk | None:
    """Returns the network disk or synchronised folder a file lies on; None for a local disk or a server."""
    file = Address.of(place).file
    return None if file is None else location.shared_disk(file)


def large_log(place: Place) -> str | None:
    """Returns a warning if the log beside a file has grown too large; else None."""
    file = Address.of(place).file
    return None if file is None else location.large_log(file)


def footing(place: Place) -> Iterator[str]:
    """Yields sentences about risks to a record: from its database, from its disk."""
    address = Address.of(place)
    if address.file is not None:
        yield from location.footing(address.file)
    else:
        yield from _on_server(address).footing()


def server(place: Place) -> str | None:
    """Returns the server for sentences: `club (db.example.org, encrypted)`; None for a file."""
    address = Address.of(place)
    return _on_server(address).description() if address.file is None else None


def weaker_encryption(place: Place) -> str | None:
    """Returns a warning if another computer could be taken for the server; None for a file."""
    address = Address.of(place)
    return _on_server(address).weaker_encryption() if address.file is None else None


def other_names(place: Place) -> FileNames | None:
    """Finds other names (hard links) of a campaign file; None if the file has only one, and for a server."""
    file = Address.of(place).file
    return None if file is None else location.find_file_names(file)


def _copy_rows(source: EventStore, target: EventStore) -> None:
    """Appends every event of `source` to the empty `target`, in the order recorded."""
    with target.writing():
        rows = (row for _, row in source.log())
        while batch := list(islice(rows, COPIED_AT_ONCE)):
            target.append(batch)


def _on_server(address: Address) -> PlaceOnServer:
    """Returns the place on a server at an address; NotACampaign if it is a file's."""
    place_at: Callable[[str], PlaceOnServer] | None = next(iter(added("places")), None)
    if place_at is None:
        raise StoreError(f"This Retold keeps campaigns in files alone, and {address} is on a server.")
    return place_at(str(address))
