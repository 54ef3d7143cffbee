"""Makes the tables of Retold on a server, and says which account may read and write which campaign."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, LiteralString, NamedTuple

import psycopg
from psycopg import errors, sql

from retold.journal.store.contract.errors import CannotWrite, NotACampaign, StoreError
from retold.journal.store.postgres import schema, sentences, soundness
from retold.journal.store.postgres.batch import Connection
from retold.journal.store.postgres.finding import check_version
from retold.journal.store.postgres.server import Server
from retold.journal.store.postgres.server_address import ServerAddress

ROLES = ("owner", "steward", "keeper", "table")
"""The owner has the tables, the keeper sees every campaign, a table's role those it was let into.

The steward may become the owner and inherits none of its rights. Who prepared the server is its member,
and so has to ask for the owner's rights to use them.
"""


class Prepared(NamedTuple):
    """Result of `prepare`: table versions after and before, and what puts the server at risk."""

    version: int
    before: int | None
    """The version there was; None if there were no tables."""
    logged: str | None
    """The value of `log_statement`, if the server's log keeps statements."""
    risky: str | None = None
    """The account that prepared, if it may run programs on the server's computer by its right CREATEROLE."""


class Listed(NamedTuple):
    """A campaign on a server."""

    name: str
    events: int
    recorded: str | None
    """The time of its last event, as recorded; None if it has none."""
    writers: tuple[str, ...]
    readers: tuple[str, ...]


class Removed(NamedTuple):
    """Result of `remove`: the removed campaign's event count and branch ends."""

    events: int
    heads: tuple[tuple[int, int, str], ...]
    """Line, position and hash (hex) of the end of each of its streams."""


def prepare(address: ServerAddress) -> Prepared:
    """Makes the tables of Retold in the database, or brings them up to this release; returns what was done.

    Raises StoreError if the account may not, if the database is not UTF-8, or if its tables are of a later
    version.
    """
    with _session(address) as connection:
        encoding, database = _one(connection, "SELECT getdatabaseencoding(), current_database()")
        if encoding != "UTF8":
            raise StoreError(
                f"{address.server} cannot hold campaigns: its database is {encoding}, and has to be UTF8."
            )
        before = _version(connection)
        if before is not None and before > schema.VERSION:
            check_version(address, before)
        try:
            if before != schema.VERSION or next(soundness.schema_faults(connection), None):
                with connection.transaction():
                    _make(connection, database, before)
        except errors.InsufficientPrivilege as error:
            raise CannotWrite(sentences.not_preparing(address, sentences.reason(error))) from None
        (logged,) = _one(connection, "SELECT current_setting('log_statement')")
        risky = soundness.may_run_programs(connection)
    return Prepared(schema.VERSION, before, None if logged in ("none", "ddl") else logged, risky)


def roles_script(address: ServerAddress) -> str:
    """Returns the SQL by which a superuser gives the account of `address` what `prepare` needs.

    It makes the roles that are missing, and takes the right CREATEROLE from the account, which needs it no
    more. Empty if nothing is missing.
    """
    with _session(address) as connection:
        statements = _missing(connection)
        (account, makes_roles) = _one(connection, soundness.MAKES_ROLES)
        if makes_roles:
            statements.append(_sql("ALTER ROLE {account} NOCREATEROLE", {"account": sql.Identifier(account)}))
        lines = [f"{statement.as_string(connection)};\n" for statement in statements]
    return "".join(["BEGIN;\n", *lines, "COMMIT;\n"]) if lines else ""


def listed(address: ServerAddress) -> list[Listed]:
    """Returns the campaigns on the server that the account may see, by name."""
    with prepared(address) as connection:
        rows = connection.execute(_LIST).fetchall()
    return [Listed(name, size, at, tuple(may), tuple(see)) for name, size, at, may, see in rows]


def let(address: ServerAddress, account: str, *, writes: bool) -> None:
    """Lets an account read the campaign at `address`, and write it if `writes`.

    Raises StoreError if there is no such account or campaign, CannotWrite if only another account may say so.
    """
    with prepared(address) as connection, _as_owner(connection, address) as table:
        campaign = _campaign(connection, address)
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (account,)).fetchone():
            raise StoreError(
                f"There is no account {account} on {address.server}: its owner makes one with CREATE ROLE."
            )
        connection.execute(_LET, (campaign, account, writes))
        connection.execute("RESET ROLE")
        connection.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(table), sql.Identifier(account)))


def forbid(address: ServerAddress, account: str) -> bool:
    """Revokes an account's rights on the campaign at `address`; False if it had none."""
    with prepared(address) as connection, _as_owner(connection, address):
        campaign = _campaign(connection, address)
        gone = connection.execute(
            "DELETE FROM retold.may WHERE campaign = %s AND who = %s", (campaign, account)
        )
        return gone.rowcount > 0


def remove(address: ServerAddress) -> Removed:
    """Removes a campaign with all its events; returns what a copy elsewhere must have.

    Backups of the server keep it.
    """
    with prepared(address) as connection, _as_owner(connection, address):
        campaign = _campaign(connection, address)
        found = _heads(connection, campaign)
        connection.execute("DELETE FROM retold.campaign WHERE id = %s", (campaign,))
        for table in ("event", "beside", "may"):
            rows = sql.SQL("DELETE FROM retold.{} WHERE campaign = %s").format(sql.Identifier(table))
            connection.execute(rows, (campaign,))
    return found


def ends(address: ServerAddress) -> Removed:
    """Returns what `remove` would remove."""
    with prepared(address) as connection:
        return _heads(connection, _campaign(connection, address))


def _heads(connection: Connection, campaign: int) -> Removed:
    (events,) = _one(connection, "SELECT size FROM retold.campaign WHERE id = %s", (campaign,))
    heads = connection.execute(_ENDS, (campaign,)).fetchall()
    return Removed(events, tuple((line, position, hash_.hex()) for line, position, hash_ in heads))


# --- making the tables ---


def _make(connection: Connection, database: str, before: int | None) -> None:
    """Makes roles, tables, functions, triggers, policies and rights; each is as before if it is there."""
    names = {role: sql.Identifier(role_name(role, database)) for role in ROLES}
    _make_roles(connection)
    connection.execute(_sql("SET LOCAL ROLE {owner}", names))
    connection.execute("CREATE SCHEMA IF NOT EXISTS retold")
    if before is not None:  # in the order in which writers take them
        connection.execute("LOCK TABLE retold.campaign, retold.event, retold.beside, retold.may")
    for statement in (*schema.TABLES, *schema.RESAMPLED, *schema.UNSAMPLED):
        connection.execute(_sql(statement, {}))
    for name, body in schema.FUNCTIONS.items():
        connection.execute(_function(name, body))
    for name, when in schema.TRIGGERS.items():
        called = schema.CALLED.get(name, name)
        connection.execute(
            _sql(f"CREATE OR REPLACE TRIGGER {name} {when} EXECUTE FUNCTION retold.{called}()", {})
        )
    for table, policies in schema.POLICIES.items():
        connection.execute(
            _sql(f"ALTER TABLE retold.{table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY", {})
        )
        for name, text in policies.items():
            connection.execute(_sql(f"DROP POLICY IF EXISTS {name} ON retold.{table}", {}))
            connection.execute(_sql(f"CREATE POLICY {name} ON retold.{table} {text}", names))
    for grant in schema.GRANTS:
        connection.execute(_sql(grant, names))
    if before is None:
        connection.execute("INSERT INTO retold.meta VALUES (%s)", (schema.VERSION,))
    else:
        connection.execute("UPDATE retold.meta SET version = %s", (schema.VERSION,))


def role_name(role: str, database: str) -> str:
    """Returns the name of a role of `ROLES` for one database, since roles belong to the whole server."""
    return f"retold_{role}_{database}"[:63]


def _missing(connection: Connection) -> list[sql.Composed]:
    """Returns the statements that make the missing roles, and that give the account what it lacks of them.

    A superuser lacks nothing. Who makes a role has the right to give it away from PostgreSQL 16 on.
    """
    database, account, is_superuser = _one(connection, _WHO)
    names = {role: sql.Identifier(role_name(role, database)) for role in ROLES}
    names |= {"account": sql.Identifier(account), "database": sql.Identifier(database)}
    found = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
    made = [role for role in ROLES if role_name(role, database) not in found]

    def lacks(who: str, role: str, how: LiteralString) -> bool:
        if role in made or who in made:
            return True
        asked = (role_name(who, database) if who in ROLES else who, role_name(role, database), how)
        return not _one(connection, "SELECT pg_has_role(%s::name, %s::name, %s)", asked)[0]

    statements = [_sql(f"CREATE ROLE {{{role}}} NOLOGIN NOINHERIT", names) for role in made]
    if lacks("steward", "owner", "MEMBER"):
        statements.append(_sql("GRANT {owner} TO {steward}", names))
    if not is_superuser:
        statements += [
            _sql(f"GRANT {{{role}}} TO {{account}}", names)
            for role in ("steward", "keeper")
            if lacks(account, role, "MEMBER")
        ]
        if lacks(account, "table", "MEMBER WITH ADMIN OPTION"):
            statements.append(_sql("GRANT {table} TO {account} WITH ADMIN OPTION", names))
    if "owner" in made or not _one(connection, _MAY_CREATE, (role_name("owner", database),))[0]:
        statements.append(_sql("GRANT CREATE ON DATABASE {database} TO {owner}", names))
    return statements


def _make_roles(connection: Connection) -> None:
    """Makes the roles, and gives the account what it needs of them."""
    statements = _missing(connection)
    if (
        connection.info.server_version >= soundness.RISKY_BEFORE
    ):  # PostgreSQL has given it to who made the role
        statements = [one for one in statements if "ADMIN OPTION" not in one.as_string(connection)]
    for statement in statements:
        connection.execute(statement)


def _function(name: str, body: str) -> sql.Composed:
    is_trigger = name.endswith("trigger")
    signature, _, returns = name.rpartition(" ")
    stable = "" if is_trigger else "STABLE"
    definer = "SECURITY DEFINER" if schema.is_definer(name) else ""
    return _sql(
        f"CREATE OR REPLACE FUNCTION retold.{signature} RETURNS {returns} LANGUAGE plpgsql {stable} {definer}"
        f" SET search_path = {schema.SEARCH_PATH} AS $body${body.replace('{}', '{{}}')}$body$",
        {},
    )


def _sql(text: str, names: dict[str, sql.Identifier]) -> sql.Composed:
    return sql.SQL(text).format(**names)


# --- asking ---


@contextmanager
def _session(address: ServerAddress) -> Iterator[Connection]:
    """Context manager: a connection of its own; StoreError if the server cannot be reached."""
    server = Server(address)
    try:
        connection = server.connect()
    except psycopg.Error as error:
        raise StoreError(f"{sentences.not_reached(address, error)}.") from None
    connection.limit = float("inf")  # a large campaign is removed in one statement
    try:
        yield connection
    except errors.InsufficientPrivilege as error:
        raise CannotWrite(
            f"{server.account} may not do that on {address.server} ({sentences.reason(error)})."
        ) from None
    except psycopg.Error as error:
        raise StoreError(f"{address.server} does not do that: {sentences.reason(error)}.") from None
    finally:
        connection.close()


@contextmanager
def prepared(address: ServerAddress) -> Iterator[Connection]:
    """Context manager: a connection to a database that has our tables, of this release's version."""
    with _session(address) as connection:
        version = _version(connection)
        if version is None:
            raise NotACampaign(sentences.no_tables(address))
        check_version(address, version)
        yield connection


@contextmanager
def _as_owner(connection: Connection, address: ServerAddress) -> Iterator[str]:
    """Context manager: a transaction as the owner of the tables; gives the name of the tables' role."""
    (database,) = _one(connection, "SELECT current_database()")
    with connection.transaction():
        try:
            connection.execute(
                sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role_name("owner", database)))
            )
        except errors.InsufficientPrivilege:
            raise CannotWrite(f"Only who prepared {address.server} may do that.") from None
        yield role_name("table", database)


def _version(connection: Connection) -> int | None:
    try:
        row = connection.execute("SELECT version FROM retold.meta").fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return None
    return None if row is None else int(row[0])


def _campaign(connection: Connection, address: ServerAddress) -> int:
    row = connection.execute("SELECT id FROM retold.campaign WHERE name = %s", (address.campaign,)).fetchone()
    if row is None:
        (account,) = _one(connection, "SELECT session_user::text")
        raise NotACampaign(sentences.not_there(address, account))
    return int(row[0])


def _one(connection: Connection, query: LiteralString, given: Any = ()) -> tuple[Any, ...]:  # noqa: ANN401 -- psycopg's
    row = connection.execute(query, given).fetchone()
    if row is None:
        raise StoreError("The server has no such campaign.")
    return row


_WHO: Final = """
SELECT current_database(), rolname::text, rolsuper FROM pg_roles WHERE rolname = session_user
"""
_MAY_CREATE: Final = "SELECT has_database_privilege(%s::name, current_database(), 'CREATE')"
_LIST = """
SELECT name, size,
  (SELECT substring(body FROM '"at":"([^"]*)"') FROM retold.event WHERE campaign = id AND seq = size),
  ARRAY(SELECT who::text FROM retold.may WHERE campaign = id AND writes ORDER BY who),
  ARRAY(SELECT who::text FROM retold.may WHERE campaign = id AND NOT writes ORDER BY who)
FROM retold.campaign ORDER BY name
"""
_LET = """
INSERT INTO retold.may (campaign, who, writes) VALUES (%s, %s, %s)
ON CONFLICT (who, campaign) DO UPDATE SET writes = excluded.writes
"""
_ENDS = """
SELECT DISTINCT ON (line) line, position, hash FROM retold.event
WHERE campaign = %s ORDER BY line, position DESC
"""
