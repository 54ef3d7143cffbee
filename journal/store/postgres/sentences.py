"""Sentences for users about a campaign on a server: failure, reason, next step."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg import errors

from retold.journal.store.contract.errors import CannotWrite, StoreError, Unreached, UnreachedToWrite
from retold.journal.store.contract.event_store import FORMAT
from retold.journal.store.postgres import schema
from retold.journal.store.postgres.server_address import ServerAddress

REMAINS: Final = (
    "A copy remains in the server's log, its standbys and its backups, until its keeper lets them go."
)
"""Said after each redaction."""


def in_tables(address: ServerAddress) -> str:
    """Returns the sentence on a copy in the tables' files, with the command that takes it out."""
    return (
        f"A copy may remain in the files of the table retold.event on {address.server}, until its keeper says"
        f" retold server vacuum {server_of(address)}. Nobody plays there while that runs."
    )


def not_the_owner(address: ServerAddress) -> str:
    """Returns the sentence for an account that may not rewrite the tables."""
    return f"Nothing was rewritten: only who prepared {address.server} may do that."


def still_read(address: ServerAddress) -> str:
    """Returns the sentence for deleted texts that another connection may still read, or tables in use."""
    return (
        f"The words remain in the tables of {address.server}: a transaction has been reading there since"
        " before they were redacted. Say it again when that has ended."
    )


def too_large(address: ServerAddress) -> str:
    """Returns the sentence for tables that are only rewritten on request."""
    return f"The tables of {address.server} are large: nobody plays there while they are rewritten."


def unerased(address: ServerAddress, count: int) -> str:
    """Returns the sentence on redactions since the tables were rewritten last."""
    many = "a redaction" if count == 1 else f"{count} redactions"
    return f"The words of {many} may remain in the server's files. {in_tables(address)}"


BROKEN_AT_THE_LAST: Final = "The connection broke at the very last"
RECORDED: Final = "it is recorded"

LONGEST: Final = 200
"""The most characters shown of a server's own message."""


def reason(error: psycopg.Error) -> str:
    """Returns the server's or libpq's own short message, for use inside a sentence.

    Never the detail of an error, which quotes rows.
    """
    message = error.diag.message_primary or str(error).strip().splitlines()[0] if str(error) else "no reason"
    return message.strip().rstrip(".")[:LONGEST]


def connection_reason(error: psycopg.Error) -> str:
    """Returns the last clause of libpq's message about a connection that failed."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = lines[0] if lines else "no reason given"
    for mark in ("FATAL:", "failed:", "error:"):
        first = first.rpartition(mark)[2].strip() or first
    return first.rstrip(".")[:LONGEST]


def not_reached(address: ServerAddress, error: psycopg.Error) -> str:
    """Returns the clause that a server cannot be reached, with the reason."""
    return f"{address.server} cannot be reached ({connection_reason(error)})"


def is_unreachable(error: psycopg.Error) -> bool:
    """True if the connection broke or was refused, also by a server that is stopping or starting."""
    if isinstance(error, errors.AdminShutdown | errors.CrashShutdown | errors.CannotConnectNow):
        return True
    return error.sqlstate is None and isinstance(error, psycopg.OperationalError)


def no_tables(address: ServerAddress) -> str:
    """Returns the sentence for a database without Retold's tables."""
    return (
        f"{address.server} has no tables of Retold yet: its owner says"
        f" retold server prepare {server_of(address)}."
    )


def older(address: ServerAddress, version: int) -> str:
    """Returns the sentence for tables of an earlier version."""
    return (
        f"The tables of {address.server} are of version {version}, and this Retold writes {schema.VERSION}:"
        f" its owner says retold server prepare {server_of(address)}."
    )


def newer(address: ServerAddress, version: int) -> str:
    """Returns the sentence for tables of a later version."""
    return f"The tables of {address.server} are of version {version}: take a later Retold."


def format_too_new(address: ServerAddress, found: int) -> str:
    """Returns the sentence for a campaign that a later Retold wrote in a format of its own."""
    return f"{address} has format {found}, and this Retold reads up to {FORMAT}: take a later one."


def not_there(address: ServerAddress, account: str) -> str:
    """Returns the sentence for a campaign missing on the server or hidden from the account."""
    return f"There is no campaign {address.campaign} on {address.server} that {account} may see."


def unwritten(address: ServerAddress, error: psycopg.Error) -> str:
    """Returns a sentence for the user: nothing was recorded at `address`, the cause, and often a remedy."""
    if isinstance(error, errors.InsufficientPrivilege):
        return only_to_read(address, "this account")
    if isinstance(error, errors.UniqueViolation) or schema.APPEND_ONLY in str(error):
        return f"Nothing was recorded: the record of {address} is append-only."
    for sort, what in _FAILURES.items():
        if isinstance(error, sort):
            return f"Nothing was recorded: {what.format(address.server)}"
    return f"Nothing was recorded in {address}: {reason(error)}."


_FAILURES: Final[dict[type[psycopg.Error], str]] = {
    errors.DiskFull: "the disk of {} does not take it.",
    errors.ReadOnlySqlTransaction: "{} is a standby, and takes nothing until it takes over.",
    errors.IdleInTransactionSessionTimeout: (
        "{} waited 15 seconds for this computer, and let others write. Say it again."
    ),
}


def only_to_read(address: ServerAddress, account: str) -> str:
    """Returns the sentence for an account that may read and not write."""
    return f"Nothing was recorded: {account} may only read {address}."


def not_a_keeper(address: ServerAddress, account: str) -> str:
    """Returns the sentence for an account that may not make campaigns."""
    return (
        f"Nothing was made: {account} may make no campaign on {address.server}. Its keeper makes one and says"
        f" retold server let {account} {address}."
    )


def not_preparing(address: ServerAddress, why: str) -> str:
    """Returns the sentence for an account that may not make the tables, with who may and how."""
    return (
        f"Nothing was made: this account may not make the tables and roles on {address.server} ({why}). A"
        " superuser there gives it what it needs, once: retold server prepare"
        f" {server_of(address)} --sql prints the lines for psql."
    )


def makes_roles(account: str, address: ServerAddress) -> str:
    """Returns the warning of an account that may run programs on the server's computer."""
    return (
        f"{account} has the right CREATEROLE: before PostgreSQL 16 whoever has its password can run programs"
        f" on the computer of {address.server}. Retold does not need it: retold server prepare"
        f" {server_of(address)} --sql prints the lines by which a superuser takes it away."
    )


def held(address: ServerAddress, holder: str | None) -> str:
    """Returns the sentence for a lock that another connection held for too long."""
    who = f"{holder}," if holder else "somebody"
    return f"Nothing was recorded: {who} has held {address} for 30 seconds. Say it again."


def unread(address: ServerAddress, error: psycopg.Error) -> StoreError:
    """Returns the error to raise for a record that cannot be read."""
    if is_unreachable(error):
        return Unreached(str(address), f"{not_reached(address, error)}.")
    return StoreError(f"{address} cannot be read: {reason(error)}.")


def not_written(address: ServerAddress, error: psycopg.Error) -> CannotWrite:
    """Returns the error to raise where nothing was recorded."""
    if is_unreachable(error):
        return UnreachedToWrite(f"{not_reached(address, error)}.")
    return CannotWrite(unwritten(address, error))


def not_stored(address: ServerAddress, error: psycopg.Error) -> StoreError:
    """Returns the error to raise if storing an attachment may have failed.

    It does not say that nothing was recorded: an act may have been, before its attachment.
    """
    fact = not_reached(address, error) if is_unreachable(error) else reason(error)
    return StoreError(f"What belongs to {address} could not be stored: {fact}.")


def unasked(address: ServerAddress) -> str:
    """Returns the clause for an act that may or may not have been recorded."""
    return f"{address.server} cannot be asked yet whether it was recorded"


def server_of(address: ServerAddress) -> str:
    """Returns the address of the server itself, as `retold server` takes it."""
    return str(address._replace(campaign=""))
