"""Loading of psycopg, the library for PostgreSQL, and of what needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retold.journal.extras import Extra
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError

if TYPE_CHECKING:
    from retold.journal.store.postgres.server_place import ServerPlace


def place_at(text: str) -> ServerPlace:
    """Returns the place with the address `text`; StoreError if psycopg cannot be loaded.

    Raises NotACampaign if it is not a server's address.
    """
    check_psycopg()
    from retold.journal.store.postgres.server_place import ServerPlace  # noqa: PLC0415 -- it needs psycopg

    return ServerPlace.of(text)


def check_psycopg() -> None:
    """Raises StoreError if the library for PostgreSQL cannot be loaded."""
    try:
        Extra("psycopg", "psycopg", "server").load("A campaign on a server")
    except Refused as refused:
        raise StoreError(str(refused)) from None
