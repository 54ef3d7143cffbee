"""Checks of the tables on a server and of the numbers of a campaign; risks from the server's settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from retold.journal.grouping import grouped
from retold.journal.store.postgres import schema, sentences
from retold.journal.store.postgres.batch import Connection
from retold.journal.store.postgres.server_address import ServerAddress

SAFE: Final = ("fsync", "full_page_writes")
"""Settings without which a server that stops may lose or break what it has acknowledged."""


def faults(connection: Connection, campaign: int) -> Iterator[str]:
    """Yields a sentence for each difference of the tables from Retold's, and of a campaign's numbers."""
    yield from schema_faults(connection)
    yield from _number_faults(connection, campaign)


def schema_faults(connection: Connection) -> Iterator[str]:
    """Yields a sentence for each part of Retold's schema that is missing, changed, or foreign."""
    yield from _column_faults(connection)
    yield from _compared("function", _our_functions(), dict(_rows(connection, _FUNCTIONS)))
    yield from _compared("trigger", _our_triggers(), dict(_rows(connection, _TRIGGERS)))
    yield from _compared("policy", _our_policies(), dict(_rows(connection, _POLICIES)))
    yield from _constraint_faults(connection)
    for name, enabled, forced in _rows(connection, _SECURITY):
        if name in schema.POLICIES and not (enabled and forced):
            yield f"The table retold.{name} shows its rows to everybody: row security is off."
    for table, column in _rows(connection, _SAMPLED):
        if schema.TEXTS.get(table) == column:
            yield f"PostgreSQL keeps samples of retold.{table}.{column}, also of what was redacted."
    for who, right, table in _rows(connection, _RIGHTS):
        yield f"{who} may {right.lower()} retold.{table}, which nobody may."


def _rows(connection: Connection, sql: str, given: Any = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 -- psycopg's
    return connection.execute(sql.encode(), given).fetchall()


def _column_faults(connection: Connection) -> Iterator[str]:
    found = grouped((table, column) for table, column in _rows(connection, _COLUMNS))
    for table, columns in schema.COLUMNS.items():
        if tuple(found.pop(table, ())) != columns:
            yield f"The table retold.{table} is not as Retold makes it."
    for table in found:
        yield f"The table retold.{table} is not Retold's."


def _constraint_faults(connection: Connection) -> Iterator[str]:
    found = {name for (name,) in _rows(connection, _CONSTRAINTS)}
    for name in sorted(_OUR_CONSTRAINTS - found):
        yield f"The rule {name} of the tables is missing."


def _compared(sort: str, ours: dict[str, str], found: dict[str, str]) -> Iterator[str]:
    for name, text in ours.items():
        if name not in found:
            yield f"The {sort} {name} is missing."
        elif schema.plain(found[name]) != text:
            yield f"The {sort} {name} is not as Retold makes it."
    for name in found.keys() - ours.keys():
        yield f"The {sort} {name} is not Retold's."


def _our_functions() -> dict[str, str]:
    return {
        name.partition("(")[0]: " ".join(
            (
                "definer" if schema.is_definer(name) else "invoker",
                f"owner search_path={schema.SEARCH_PATH}",
                schema.plain(body),
            )
        )
        for name, body in schema.FUNCTIONS.items()
    }


def _our_triggers() -> dict[str, str]:
    found = {}
    for name, when in schema.TRIGGERS.items():
        moment, act, *_, each = when.split()
        found[name] = f"{moment} {act} {each} {schema.CALLED.get(name, name)} O"
    return found


def _our_policies() -> dict[str, str]:
    found = {}
    for table, policies in schema.POLICIES.items():
        for name, text in policies.items():
            words = text.split()
            asked = _CALLED.search(text)
            found[f"{table}.{name}"] = f"{words[1]} {words[3].strip('{}')} {asked[1] if asked else 'true'}"
    return found


def _number_faults(connection: Connection, campaign: int) -> Iterator[str]:
    ((size, rows, last),) = _rows(connection, _NUMBERS, (campaign,)) or [(0, 0, 0)]
    if not size == rows == last:
        yield f"{size} events were recorded and {rows} are here."


def footing(connection: Connection, address: ServerAddress) -> Iterator[str]:
    """Yields a sentence on the server's release, and on each risk from settings, standbys and the account."""
    found = dict(_rows(connection, _STANDING))
    yield f"PostgreSQL {found['server_version']}."
    for name in SAFE:
        if found[name] != "on":
            yield f"The server has {name} = {found[name]}: what it acknowledged may be lost when it stops."
    if found["is_on_macos"] == "true" and found["wal_sync_method"] != "fsync_writethrough":
        yield (
            f"The server runs on macOS with wal_sync_method = {found['wal_sync_method']}: what it"
            " acknowledged may be lost in a power cut. Set fsync_writethrough."
        )
    if found["log_statement"] in ("mod", "all"):
        yield "The server's log keeps every statement, and so what is said at the table."
    if found["is_standby"] == "true":
        yield "The server is a standby: it takes nothing until it takes over."
    elif not found["synchronous_standby_names"]:
        yield "No standby is waited for: one that takes over may lack the last acts."
    if account := may_run_programs(connection):
        yield sentences.makes_roles(account, address)


def may_run_programs(connection: Connection) -> str | None:
    """Returns the name of the account if its right CREATEROLE lets it run programs on the server's computer.

    A superuser may do that too, and is not meant.
    """
    ((account, makes_roles),) = _rows(connection, MAKES_ROLES)
    return account if makes_roles and connection.info.server_version < RISKY_BEFORE else None


RISKY_BEFORE: Final = 160_000
"""Before this release of PostgreSQL, who may make roles may give itself every role that is not a superuser.

Among these are `pg_execute_server_program` and `pg_read_server_files`.
"""

MAKES_ROLES: Final = """
SELECT rolname::text, rolcreaterole AND NOT rolsuper FROM pg_roles WHERE rolname = session_user
"""


_FUNCTIONS: Final = """
SELECT proname, concat_ws(' ', CASE WHEN prosecdef THEN 'definer' ELSE 'invoker' END,
  split_part(pg_get_userbyid(proowner)::text, '_', 2), array_to_string(proconfig, ' '), prosrc)
FROM pg_proc WHERE pronamespace = 'retold'::regnamespace
"""
_TRIGGERS: Final = """
SELECT tgname, concat_ws(' ', CASE WHEN tgtype & 2 > 0 THEN 'BEFORE' ELSE 'AFTER' END,
  CASE WHEN tgtype & 4 > 0 THEN 'INSERT' WHEN tgtype & 8 > 0 THEN 'DELETE'
    WHEN tgtype & 16 > 0 THEN 'UPDATE' ELSE 'TRUNCATE' END,
  CASE WHEN tgtype & 1 > 0 THEN 'ROW' ELSE 'STATEMENT' END, proname, tgenabled)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE relnamespace = 'retold'::regnamespace AND NOT tgisinternal
"""
_CALLED: Final = re.compile(r"retold\.(\w+)\(")
"""The function that a policy asks."""

_POLICIES: Final = r"""
SELECT tablename || '.' || policyname, concat_ws(' ', cmd,
  (SELECT string_agg(split_part(role::text, '_', 2), ',') FROM unnest(roles) AS role),
  coalesce(substring(coalesce(qual, with_check) FROM 'retold\.(\w+)\('), coalesce(qual, with_check)))
FROM pg_policies WHERE schemaname = 'retold'
"""
_COLUMNS: Final = """
SELECT relname, attname || ' ' || format_type(atttypid, atttypmod)
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = 'retold'::regnamespace AND relkind IN ('r', 'v', 'm', 'p', 'f')
  AND attnum > 0 AND NOT attisdropped
ORDER BY relname, attnum
"""
_SAMPLED: Final = """
SELECT relname, attname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = 'retold'::regnamespace AND relkind = 'r' AND coalesce(attstattarget, -1) <> 0
"""
_CONSTRAINTS: Final = """
SELECT relname || ' ' || pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint
JOIN pg_class ON pg_class.oid = conrelid WHERE relnamespace = 'retold'::regnamespace AND convalidated
"""
_OUR_CONSTRAINTS: Final = {
    "beside PRIMARY KEY (campaign, sort, key)",
    "campaign PRIMARY KEY (id)",
    "campaign UNIQUE (name)",
    'event CHECK (("position" >= 1))',
    "event CHECK ((line >= 1))",
    "event CHECK ((octet_length(hash) = 32))",
    'event PRIMARY KEY (campaign, line, "position")',
    "event UNIQUE (campaign, seq)",
    "may PRIMARY KEY (who, campaign)",
}
_SECURITY: Final = """
SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class
WHERE relnamespace = 'retold'::regnamespace AND relkind = 'r'
"""
_RIGHTS: Final = """
SELECT CASE grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(grantee)::text END, privilege_type, relname
FROM pg_class, aclexplode(relacl)
WHERE relnamespace = 'retold'::regnamespace AND relname = 'event' AND grantee <> relowner
  AND privilege_type IN ('DELETE', 'TRUNCATE', 'TRIGGER', 'UPDATE')
"""
_NUMBERS: Final = """
SELECT size, (SELECT count(*) FROM retold.event WHERE campaign = id),
  (SELECT coalesce(max(seq), 0) FROM retold.event WHERE campaign = id)
FROM retold.campaign WHERE id = %s
"""
_STANDING: Final = """
SELECT name, setting FROM pg_settings
WHERE name IN ('server_version', 'synchronous_standby_names', 'fsync', 'full_page_writes', 'log_statement',
  'wal_sync_method')
UNION ALL SELECT 'is_standby', pg_is_in_recovery()::text
UNION ALL SELECT 'is_on_macos', (strpos(version(), 'darwin') > 0)::text
"""
