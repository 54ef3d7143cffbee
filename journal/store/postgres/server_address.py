"""Addresses of campaigns on a server: `club:salt-road` by the service file, or `postgresql://…`."""

from __future__ import annotations

import configparser
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from retold.journal.store.contract.errors import NotACampaign, StoreError

SCHEMES: Final = ("postgresql://", "postgres://")

_BY_SERVICE: Final = re.compile(r"([A-Za-z][\w.-]+):([^/\\:]*)")
_CAMPAIGN: Final = re.compile(r"\w[\w.-]{0,99}")

SEEN_BY_OTHERS: Final = (
    "A password has no place in an address: others see it in the list of programs, and the shell keeps it."
    " Put it into the password file, and take another, for this one has been seen."
)


class ServerAddress(NamedTuple):
    """Address of a campaign on a server; `campaign` is "" for the server itself."""

    server: str
    """A name in the service file, such as `club`, or an URL of a database without a password."""
    campaign: str

    def __str__(self) -> str:
        """The address as `-c` takes it."""
        return f"{self.server}{'/' if self.is_url else ':'}{self.campaign}"

    @property
    def is_url(self) -> bool:
        """True if the server is named by an URL, not by the service file."""
        return self.server.startswith(SCHEMES)

    @property
    def parameters(self) -> dict[str, str]:
        """Connection parameters for libpq: host, database, account, encryption.

        Raises StoreError if the service file does not name the server.
        """
        found = _of_url(self.server) if self.is_url else dict(_service(self.server))
        if not is_local(_host(found)) and "sslmode" not in found:
            found = {"sslmode": "verify-full", "sslrootcert": "system", **found}
        return found

    @property
    def host(self) -> str:
        """The host's name, for sentences; "" for this computer."""
        given = _of_url(self.server) if self.is_url else _service(self.server)
        host = _host(given)
        return "" if is_local(host) else host

    @property
    def weaker_encryption(self) -> str | None:
        """The `sslmode` that the service file asks for, if another computer could be taken for the server."""
        if self.is_url or not self.host:
            return None
        mode = _service(self.server).get("sslmode")
        return None if mode in (None, "verify-full") else mode


def _host(given: Mapping[str, str]) -> str:
    """Returns the host that libpq connects to: the given one, else that of its environment variable."""
    return given.get("host") or given.get("hostaddr") or os.environ.get("PGHOST", "")


def parse(text: str) -> ServerAddress | None:
    """Returns the address that `text` is, or None if it names a file.

    A name of two letters or more before a colon, and no slash, is a server's name. Raises StoreError for an
    address with a password, and for one that lacks a part.
    """
    if text.startswith(SCHEMES):
        return _parse_url(text)
    found = _BY_SERVICE.fullmatch(text)
    return ServerAddress(found[1], _campaign(found[2])) if found else None


def _parse_url(text: str) -> ServerAddress:
    try:
        parts = urlsplit(text)
        secret, port = parts.password, parts.port
    except ValueError:
        secret, port = None, -1
        parts = urlsplit("postgresql://")
    if secret is not None or {"password", "passfile"} & parse_qs(parts.query).keys():
        raise StoreError(SEEN_BY_OTHERS)
    database, _, campaign = parts.path.lstrip("/").partition("/")
    if port == -1 or not database or parts.query or parts.fragment:
        raise StoreError("An address is postgresql://[ACCOUNT@]HOST[:PORT]/DATABASE/CAMPAIGN.")
    return ServerAddress(f"postgresql://{parts.netloc}/{database}", _campaign(unquote(campaign)))


def _campaign(name: str) -> str:
    if name and not _CAMPAIGN.fullmatch(name):
        raise NotACampaign(
            f"{name} is no name for a campaign on a server: letters, digits, hyphens and dots make one."
        )
    return name


def _of_url(server: str) -> dict[str, str]:
    parts = urlsplit(server)
    # Not `hostname`, which would be lower case: a host may be the folder of a socket.
    host = parts.netloc.rpartition("@")[2]
    if parts.port is not None:
        host = host.rpartition(":")[0]
    found = {"host": unquote(host.strip("[]")), "dbname": unquote(parts.path.lstrip("/"))}
    if parts.port is not None:
        found["port"] = str(parts.port)
    if parts.username:
        found["user"] = unquote(parts.username)
    return found


def is_local(host: str) -> bool:
    """True if a server at `host` is on this computer."""
    return not host or host.startswith(("/", "@", "127.")) or host in {"localhost", "::1"}


def _service(name: str) -> Mapping[str, str]:
    """Returns what the service file says of a server; StoreError if it does not name it."""
    for path in _service_files():
        parser = configparser.ConfigParser(
            interpolation=None, strict=False, delimiters=("=",), comment_prefixes=("#",), default_section=""
        )
        try:
            parser.read_string(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, configparser.Error):
            continue
        if parser.has_section(name):
            return dict(parser[name])
    raise StoreError(
        f"There is no server called {name}: name it in the service file, or say"
        f" postgresql://HOST/DATABASE/CAMPAIGN. A file is ./{name}:NAME."
    )


def _service_files() -> Iterator[Path]:
    """Yields the service files libpq reads: the user's, then the system's."""
    named = os.environ.get("PGSERVICEFILE")
    if named:
        yield Path(named)
    elif os.name == "nt":
        yield Path(os.environ.get("APPDATA", ""), "postgresql", ".pg_service.conf")
    else:
        yield Path.home() / ".pg_service.conf"
    folder = os.environ.get("PGSYSCONFDIR")
    yield Path(folder or "/etc/postgresql-common", "pg_service.conf")
