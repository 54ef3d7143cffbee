"""A PostgreSQL server for the tests of one run: in a temporary folder, spoken to by a socket there.

The workers of a run share it: the first one starts it, the last one stops it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO
from urllib.parse import quote

import psycopg

from retold.journal.store.postgres import roles
from retold.journal.store.postgres.server_address import ServerAddress, parse

SERVICE = "club"
"""The name of the server in its service file."""

DATABASE = "retold"
ORGANISER = "organiser"
"""The account that makes the tables and keeps every campaign, with no rights but those of docs/server.md."""

PATIENCE = 180.0
"""Seconds a server has to come up in, on a busy machine."""


class NoServer(Exception):  # noqa: N818 -- a reason to skip
    """No server can be started on this machine; `str()` says why."""


@dataclass(frozen=True)
class Cluster:
    """A running server."""

    folder: Path
    """Its socket, its data and its service file."""
    binaries: Path
    process: int
    port: int = 5432

    def address(self, campaign: str, account: str = ORGANISER, database: str = DATABASE) -> ServerAddress:
        """The address of a campaign there, as an account."""
        host = quote(str(self.folder), safe="")
        found = parse(f"postgresql://{account}@{host}:{self.port}/{database}/{campaign}")
        assert found is not None
        return found

    def as_superuser(self, database: str = DATABASE) -> psycopg.Connection[tuple[object, ...]]:
        """A connection that may do all."""
        return self.as_account("postgres", database)

    def as_account(self, account: str, database: str = DATABASE) -> psycopg.Connection[tuple[object, ...]]:
        """A connection of an account, with its own rights."""
        return psycopg.connect(
            host=str(self.folder), port=self.port, user=account, dbname=database, autocommit=True
        )

    def account(self, name: str) -> None:
        """Makes an account that may log in, unless it is there."""
        with self.as_superuser("postgres") as connection, suppress(psycopg.errors.DuplicateObject):
            connection.execute(f'CREATE ROLE "{name}" LOGIN'.encode())

    def database(self, name: str, *, encoding: str = "UTF8", tables: bool = True) -> ServerAddress:
        """Makes a database as docs/server.md says, with the roles of Retold; its address for the organiser.

        With `tables` it has these too.
        """
        with self.as_superuser("postgres") as connection:
            made = f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0"
            connection.execute(made.encode())
        address = self.address("", database=name)
        with self.as_superuser(name) as connection:
            connection.execute(roles.roles_script(address).encode())
        if tables:
            roles.prepare(address)
        return address

    @property
    def services(self) -> Path:
        """A service file that names the server."""
        return self.folder / "services.conf"

    def restart(self, how: signal.Signals = signal.SIGINT) -> Cluster:
        """Stops the server (SIGQUIT: at once) and starts it again on the same data."""
        self.stop(how)
        return self.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops the server (SIGQUIT: at once), if it runs."""
        stop(self.process, self.folder, how)

    def start(self) -> Cluster:
        """Starts the server on the data of before."""
        return _start(self.binaries, self.folder, self.port)


_NUMBERS = count()


def new_name() -> str:
    """A name that no other campaign of the run has."""
    return f"campaign-{os.getpid():x}{time.monotonic_ns():x}{next(_NUMBERS):x}"


def binaries() -> Path:
    """The folder of `initdb` and `postgres`, the latest release first; raises `NoServer`."""
    asked = shutil.which("pg_config")
    found = [Path(subprocess.check_output([asked, "--bindir"], text=True).strip())] if asked else []
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    found += sorted(installed, key=lambda path: int(path.parent.name), reverse=True)
    found += [Path(path).parent for path in (shutil.which("initdb"),) if path]
    for folder in found:
        if all((folder / name).exists() for name in ("initdb", "postgres")):
            return folder
    raise NoServer("PostgreSQL is not installed: its initdb and postgres were not found")


def _owner() -> str | None:
    """Who the server runs as: the account postgres where this is root, whom it refuses."""
    if os.getuid():
        return None
    import pwd  # noqa: PLC0415 -- not on Windows

    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise NoServer("PostgreSQL does not run as root, and there is no account postgres") from None


def make(folder: Path, settings: Mapping[str, str] | None = None) -> Cluster:
    """A new server with its data in `folder`, started; nothing reaches the disk for sure."""
    found, owner = binaries(), _owner()
    folder.chmod(0o755)
    if owner:
        shutil.chown(folder, owner)
    _run(
        [found / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
    )
    chosen = {
        "listen_addresses": "''",
        "unix_socket_directories": f"'{folder}'",
        "fsync": "off",
        "full_page_writes": "off",
        "max_connections": "200",
        "shared_buffers": "32MB",
        **(settings or {}),
    }
    with (folder / "data" / "postgresql.conf").open("a") as config:
        config.writelines(f"{name} = {value}\n" for name, value in chosen.items())
    return _start(found, folder, 5432)


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, user=_owner(), cwd="/", capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr}")


def _start(found: Path, folder: Path, port: int) -> Cluster:
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [found / "postgres", "-D", folder / "data", "-p", str(port)],
            user=_owner(),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C stops the tests first, and they stop the server
        )
    cluster = Cluster(folder, found, process.pid, port)
    until = time.monotonic() + PATIENCE
    while True:
        try:
            cluster.as_superuser("postgres").close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((folder / "log").read_text()) from None
            time.sleep(0.05)
        else:
            return cluster


def stop(process: int, folder: Path, how: signal.Signals = signal.SIGINT) -> None:
    """Ends a server, and waits until it has ended; its parent may be another worker, and not look."""
    with suppress(ProcessLookupError):
        os.kill(process, how)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(ChildProcessError):
            os.waitpid(process, os.WNOHANG)  # where it is our own child
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        if not (folder / "data" / "postmaster.pid").exists():
            return
        time.sleep(0.02)


def furnish(cluster: Cluster) -> None:
    """Makes the database with the tables of Retold, its organiser, and the service file."""
    cluster.account(ORGANISER)
    cluster.database(DATABASE)
    cluster.services.write_text(
        f"[{SERVICE}]\nhost={cluster.folder}\nport={cluster.port}\ndbname={DATABASE}\nuser={ORGANISER}\n"
    )
    cluster.services.chmod(0o644)


@contextmanager
def shared(run: Path) -> Iterator[Cluster]:
    """The server of a run, whose workers all name the same folder `run`; NoServer where none is started."""
    if sys.platform == "win32":
        raise NoServer("PostgreSQL is not started on Windows")
    with _locked(run / "postgres.lock") as note:
        known = json.loads(note.read() or "null")
        if known is None:
            folder = Path(tempfile.mkdtemp(prefix="retold-pg-"))
            cluster = make(folder)
            furnish(cluster)
            known = {"folder": str(folder), "process": cluster.process, "users": 0}
        known["users"] += 1
        _write(note, known)
    try:
        yield Cluster(Path(known["folder"]), binaries(), known["process"])
    finally:
        with _locked(run / "postgres.lock") as note:
            known = json.loads(note.read())
            known["users"] -= 1
            if not known["users"]:
                stop(known["process"], Path(known["folder"]))
                shutil.rmtree(known["folder"], ignore_errors=True)
                known = None
            _write(note, known)


@contextmanager
def _locked(path: Path) -> Iterator[IO[str]]:
    import fcntl  # noqa: PLC0415 -- not on Windows

    with path.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def _write(file: IO[str], known: object) -> None:
    file.seek(0)
    file.truncate()
    file.write(json.dumps(known))
    file.flush()
