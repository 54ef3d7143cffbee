"""R48: each verb of the command line, and SQL by hand, as a stranger, a reader and another table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, LiteralString

import psycopg

from retold.journal.store.postgres import roles
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import ORGANISER
from tests.journal.store.played import played
from tests.survival.attacks import Found
from tests.survival.saying import Said, say
from tests.survival.servers import Attacked, attacked_server, stored

WORD: Final = "Quellwasser"
"""A word of the table, which no stranger is to meet."""

READING: Final[tuple[tuple[str, ...], ...]] = (
    ("log", "-n", "0"),
    ("show",),
    ("show", "cast"),
    ("stats",),
    ("can",),
    ("recap",),
    ("search", WORD),
    ("branches",),
    ("head",),
    ("who", "1"),
    ("verify",),
    ("dump",),
    ("dump", "--script"),
    ("export", "-f", "md"),
    ("export", "-f", "json"),
    ("proposals",),
)
WRITING: Final[tuple[tuple[str, ...], ...]] = (
    ("note", ":", "by somebody who may not"),
    ("narrate", "Zel:", "by somebody who may not"),
    ("undo",),
    ("redact", "10"),
    ("rename", "Zel:", "Zol"),
    ("branch", "kinder", "at=4"),
    ("promote", "kinder"),
    ("scene", "by somebody who may not"),
    ("play",),
    ("session",),
)

BY_HAND: Final[tuple[LiteralString, ...]] = (
    "SELECT * FROM retold.event WHERE campaign = 1",
    "SELECT * FROM retold.campaign WHERE id = 1",
    "SELECT * FROM retold.beside WHERE campaign = 1",
    "SELECT * FROM retold.may WHERE campaign = 1",
    "SELECT id FROM retold.campaign WHERE id = 1 FOR NO KEY UPDATE",
    (
        "INSERT INTO retold.event SELECT 1, size + 1, 9, 1, 'x', '{}', NULL, decode(repeat('00', 32), 'hex')"
        " FROM retold.campaign"
    ),
    "INSERT INTO retold.event VALUES (1, 21, 9, 1, 'x', '{}', NULL, decode(repeat('00', 32), 'hex'))",
    "UPDATE retold.event SET words = NULL WHERE campaign = 1",
    "UPDATE retold.event SET body = '' WHERE campaign = 1",
    "UPDATE retold.campaign SET size = 0 WHERE id = 1",
    "UPDATE retold.meta SET version = 0",
    "DELETE FROM retold.event",
    "TRUNCATE retold.event",
    "DELETE FROM retold.campaign",
    "INSERT INTO retold.may VALUES (1, session_user, true)",
    "INSERT INTO retold.beside VALUES (1, 'link', 'x', 'x')",
    "SELECT retold.added()",
    "CREATE TABLE retold.mine (x integer)",
    "DROP SCHEMA retold CASCADE",
    "CREATE OR REPLACE FUNCTION retold.readable() RETURNS integer[] LANGUAGE sql AS 'SELECT ARRAY[1]'",
    "SET ROLE retold_owner_retold",
    "SET ROLE retold_keeper_retold",
)
"""What somebody tries who knows SQL; 1 is the number of the campaign."""


def go_where_nobody_may(folder: Path, rounds: int, protected: bool) -> Found:
    """R48: so many of the verbs, and as many statements, by each of three accounts."""
    found = Found()
    with attacked_server() as server:
        owner = server.cluster.address("salt-road")
        with played(str(owner)) as camp:
            camp.writer(1).record(c.Note(text=Words(WORD)))
        played(str(owner._replace(campaign="another-road"))).close()
        accounts = {name: _account(server, owner, name) for name in ("stranger", "reader", "another")}
        if not protected:  # rows are shown to whoever may see any
            with server.cluster.as_superuser() as connection:
                for table in ("campaign", "event", "beside", "may"):
                    connection.execute(f"ALTER TABLE retold.{table} DISABLE ROW LEVEL SECURITY".encode())
        before = stored(owner)
        for account, address in accounts.items():
            may_read = account == "reader"
            for words in READING[:rounds]:
                _reads(folder, address, words, may_read, found)
            for words in WRITING[:rounds]:
                _writes(folder, address, words, may_read, found)
            for typed in _of_the_server(str(address)):
                found.tried += 1
                found.untrue += not _is_refused(say(folder, *typed))
            for statement in BY_HAND[:rounds]:
                found.tried += 1
                found.untrue += _shows(address, statement) and not may_read
        found.damaged += stored(owner) != before
        with CampaignStore.open(str(owner)) as camp:
            found.damaged += len(list(camp.record.store.storage_faults())) * protected
    return found


def _account(server: Attacked, owner: ServerAddress, name: str) -> ServerAddress:
    server.cluster.account(name)
    if name == "reader":
        roles.let(owner, name, writes=False)
    if name == "another":
        roles.let(owner._replace(campaign="another-road"), name, writes=True)
    return server.cluster.address("salt-road", name)


def _of_the_server(address: str) -> Iterator[Sequence[str]]:
    """What only the owner may say."""
    yield "server", "let", "stranger", address
    yield "server", "forbid", "reader", address
    yield "new", address.replace("salt-road", "a-new-road"), "--title", "x"


def _reads(folder: Path, address: ServerAddress, words: Sequence[str], may_read: bool, found: Found) -> None:
    said = say(folder, "-c", str(address), *words)
    found.tried += 1
    if may_read:
        owner = address._replace(server=address.server.replace("reader@", f"{ORGANISER}@"))
        same = say(folder, "-c", str(owner), *words)
        told, expected = (
            one.out.decode().replace(place.server, "") for one, place in ((said, address), (same, owner))
        )
        found.untrue += said.code != same.code or told != expected
    else:
        found.untrue += not _is_refused(said)


def _writes(folder: Path, address: ServerAddress, words: Sequence[str], may_read: bool, found: Found) -> None:
    said = say(folder, "-c", str(address), *words, stdin=b"note : by somebody who may not\n")
    found.tried += 1
    if words not in (("play",), ("session",)) or not may_read:  # which go on after a refusal
        found.untrue += not _is_refused(said)
    found.untrue += not said.is_foreseen


def _is_refused(said: Said) -> bool:
    return said.code != 0 and said.is_foreseen and WORD not in said.err and WORD.encode() not in said.out


def _shows(address: ServerAddress, statement: LiteralString) -> bool:
    """Whether a statement gives or changes rows of a campaign that the account may not see."""
    with closing(psycopg.connect(**address.parameters, autocommit=False)) as connection:  # type: ignore[arg-type]
        try:
            done = connection.execute(statement)
            rows = done.fetchall() if done.description else []
            connection.commit()
        except psycopg.Error:
            return False
        return bool(rows) or (done.rowcount > 0 and not done.description) or "ROLE" in statement
