"""What the accounts of a server may do beyond campaigns: nothing, with the rights of docs/server.md."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from retold.journal.store import places
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.postgres import roles, soundness
from retold.journal.store.postgres.server_address import ServerAddress
from tests.database_server import DATABASE, ORGANISER, Cluster, new_name
from tests.journal.store.played import played

ROOT = Path(__file__).parents[3]
BREAKING_OUT = (
    "GRANT pg_execute_server_program TO {account}",
    "GRANT pg_read_server_files TO {account}",
    "GRANT pg_write_server_files TO {account}",
    "GRANT pg_read_all_data TO {account}",
    "GRANT postgres TO {account}",
    "COPY (SELECT 'x') TO PROGRAM 'cat'",
    "CREATE TEMPORARY TABLE stolen (line text); COPY stolen FROM PROGRAM 'id -un'",
    "CREATE TEMPORARY TABLE stolen (line text); COPY stolen FROM '/etc/passwd'",
    "COPY (SELECT 'x') TO '/tmp/retold-planted'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_read_binary_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/retold-planted')",
    "ALTER ROLE {account} SUPERUSER",
    "ALTER ROLE {account} CREATEROLE",
    "ALTER ROLE {account} REPLICATION",
    "CREATE ROLE planted",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "SELECT pg_reload_conf()",
    "CREATE SUBSCRIPTION planted CONNECTION 'dbname=postgres' PUBLICATION planted WITH (connect = false)",
    "ALTER ROLE {account} SET session_preload_libraries = 'x'",
    "LOAD '/tmp/planted.so'",
    "CREATE EXTENSION file_fdw",
    "CREATE EXTENSION plpython3u",
    "CREATE FUNCTION planted() RETURNS integer LANGUAGE c AS '/tmp/planted.so'",
    "UPDATE pg_authid SET rolsuper = true",
)
"""SQL by which an account reaches the computer of the database, or makes itself more than it is."""


def gets_out(cluster: Cluster, account: str, database: str = DATABASE) -> Iterator[str]:
    """Yields each statement that works, as the account and as each role of Retold that it may take."""
    with closing(cluster.as_account(account, database)) as connection:
        for role in ("NONE", *(roles.role_name(role, database) for role in roles.ROLES)):
            for statement in BREAKING_OUT:
                try:
                    with connection.transaction(force_rollback=True):
                        connection.execute(f"SET LOCAL ROLE {role}".encode())
                        connection.execute(statement.format(account=account).encode())
                except psycopg.Error:
                    continue
                yield f"as {role}: {statement}"


@pytest.fixture
def address(cluster: Cluster) -> ServerAddress:
    return cluster.address(new_name())


def test_S1_the_organiser_of_the_page_runs_no_program_and_reads_no_file(cluster: Cluster) -> None:
    assert list(gets_out(cluster, ORGANISER)) == []


def test_S1_no_table_and_no_node_runs_a_program_or_reads_a_file(
    cluster: Cluster, address: ServerAddress
) -> None:
    played(str(address)).close()
    for account in ("priya", "peter"):
        cluster.account(account)
    roles.let(address, "priya", writes=True)
    with cluster.as_superuser() as connection:
        connection.execute(f"GRANT {roles.role_name('keeper', DATABASE)} TO peter".encode())

    assert list(gets_out(cluster, "priya")) == []
    assert list(gets_out(cluster, "peter")) == []


def test_S1_the_organiser_of_the_page_lets_lists_forbids_and_removes(
    cluster: Cluster, address: ServerAddress
) -> None:
    played(str(address)).close()
    cluster.account("pat")
    theirs = cluster.address(address.campaign, "pat")

    roles.let(address, "pat", writes=True)
    assert [found.writers for found in roles.listed(theirs)] == [("pat",)]
    assert roles.forbid(address, "pat")
    assert roles.listed(theirs) == []
    assert roles.remove(address).events > 1


def test_S1_an_account_without_the_roles_is_told_how_it_gets_them(cluster: Cluster) -> None:
    with cluster.as_superuser("postgres") as connection:
        connection.execute("CREATE DATABASE unmade TEMPLATE template0")
    address = cluster.address("", database="unmade")

    with pytest.raises(
        CannotWrite, match=r"retold server prepare .*/unmade/ --sql prints the lines for psql"
    ):
        roles.prepare(address)


@pytest.fixture
def chief(cluster: Cluster) -> Iterator[ServerAddress]:
    """A database that was prepared as the page said until 0.3, by an account with the right CREATEROLE."""
    with cluster.as_superuser("postgres") as connection:
        connection.execute("CREATE ROLE chief LOGIN CREATEROLE")
        connection.execute("CREATE DATABASE chiefs OWNER chief TEMPLATE template0")
    yield cluster.address("", "chief", "chiefs")
    with cluster.as_superuser("postgres") as connection:
        connection.execute("DROP DATABASE chiefs")
        for role in roles.ROLES:
            connection.execute(f"DROP ROLE IF EXISTS {roles.role_name(role, 'chiefs')}".encode())
        connection.execute("DROP ROLE chief")


def test_S1_a_person_who_may_make_roles_is_warned_until_a_superuser_takes_the_right_away(
    cluster: Cluster, chief: ServerAddress
) -> None:
    before = roles.prepare(chief)
    with closing(cluster.as_account("chief", "chiefs")) as connection:
        is_risky = connection.info.server_version < soundness.RISKY_BEFORE
        told = list(soundness.footing(connection, chief))
    assert bool(list(gets_out(cluster, "chief", "chiefs"))) == is_risky
    assert before.risky == ("chief" if is_risky else None)
    assert any(sentence.startswith("chief has the right CREATEROLE") for sentence in told) == is_risky

    with cluster.as_superuser("chiefs") as connection:
        connection.execute(roles.roles_script(chief).encode())
    assert list(gets_out(cluster, "chief", "chiefs")) == []
    assert roles.prepare(chief).risky is None
    assert roles.roles_script(chief) == ""

    campaign = chief._replace(campaign="salt-road")
    places.made(str(campaign), lambda store: store).close()
    cluster.account("pia")
    roles.let(campaign, "pia", writes=True)
    assert roles.forbid(campaign, "pia")
