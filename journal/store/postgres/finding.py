"""Finding of a campaign on a server by name, with a check of the tables' version."""

from __future__ import annotations

from typing import Any, Final, cast

import psycopg
from psycopg import errors

from retold.journal.store.contract.errors import NotACampaign, StoreError, TooNew
from retold.journal.store.contract.event_store import FORMAT
from retold.journal.store.postgres import schema, sentences
from retold.journal.store.postgres.server import Server
from retold.journal.store.postgres.server_address import ServerAddress


def find(server: Server, address: ServerAddress) -> int | None:
    """Returns the campaign's number in the database; None if the campaign does not exist or is not visible.

    Raises StoreError if the server cannot be asked, or has other tables.
    """
    try:
        rows = server.ask(_FIND, (address.campaign,))
    except errors.InsufficientPrivilege:  # an account that was let into no campaign yet
        return None
    except psycopg.Error as error:
        raise not_opened(address, error) from None
    return _campaign_in(address, rows)


def _campaign_in(address: ServerAddress, rows: list[tuple[Any, ...]]) -> int | None:
    if not rows:
        raise NotACampaign(sentences.no_tables(address))
    version, campaign, format_ = rows[0]
    check_version(address, version)
    if format_ is not None and format_ > FORMAT:
        raise TooNew(sentences.format_too_new(address, format_))
    return cast("int | None", campaign)


def not_opened(address: ServerAddress, error: psycopg.Error) -> StoreError:
    """Returns the error to raise when the campaign at `address` cannot be found."""
    if isinstance(error, errors.UndefinedTable | errors.InvalidSchemaName | errors.UndefinedColumn):
        return NotACampaign(sentences.no_tables(address))
    return StoreError(f"{sentences.not_reached(address, error)}.")


def check_version(address: ServerAddress, version: int) -> None:
    """Raises StoreError or TooNew unless the tables are of this release's version."""
    if version < schema.VERSION:
        raise StoreError(sentences.older(address, version))
    if version > schema.VERSION:
        raise TooNew(sentences.newer(address, version))


_FIND: Final = """
SELECT meta.version, campaign.id, campaign.format
FROM retold.meta LEFT JOIN retold.campaign ON campaign.name = %s
"""
