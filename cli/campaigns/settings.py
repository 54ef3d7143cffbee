"""User's settings: their folders; by campaign the branch switched to, seed, and real or dealt cards."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from retold.cli.output.writing_files import replaced
from retold.journal.file_names import fitting, unfit
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.disk.folders import moved_to, own_folder
from retold.projections.texts import safe

SUFFIX = ".retold"

KEPT_BY_SYNC = re.compile(r".*\.before-\d{4}-\d\d-\d\d(?:-\d+)?\.retold", re.DOTALL).fullmatch
"""Finds the names of files that `sync` kept when it rebuilt a campaign: they are not played on."""


class Settings(NamedTuple):
    """Folders of this user's settings, caches and voices; the variable RETOLD_HOME moves them."""

    home: Path | None
    environment: Mapping[str, str]

    @classmethod
    def of_user(cls) -> Settings:
        """Returns the settings of this process's user, by its environment variables."""
        return cls(moved_to(), os.environ)

    @property
    def state(self) -> Path:
        """Folder of stored choices: settings by campaign, history, inbox, links."""
        return self._folder("state")

    @property
    def cache(self) -> Path:
        """Folder of caches; deleting it at any time is safe."""
        return self._folder("cache")

    @property
    def voices(self) -> Path:
        """Folder of the user's own voices (styles in which a session is told)."""
        return self._folder("config") / "voices"

    def _folder(self, kind: str) -> Path:
        return own_folder(kind, self.home)

    def campaign(self, named: str | None) -> Address:
        """Returns the campaign's address: `named`, else RETOLD_CAMPAIGN, else the only one in this folder.

        Raises Refused if there is none, or more than one.
        """
        if named:
            return _named(named)
        if by_default := self.environment.get("RETOLD_CAMPAIGN"):
            address = _named(by_default)
            if address.file is not None and not address.file.exists():
                raise Refused(
                    f"There is no campaign {address}, which RETOLD_CAMPAIGN names: name one with -c FILE."
                )
            return address
        found = sorted(path for path in Path().glob(f"*{SUFFIX}") if path.is_file())
        found = [path for path in found if KEPT_BY_SYNC(path.name) is None] or found
        if len(found) == 1:
            return Address.of_file(found[0])
        if not found:
            raise Refused(
                "There is no campaign in this folder: make one (retold new NAME) or name one (-c FILE)."
            )
        names = ", ".join(path.name for path in found)
        raise Refused(f"Several campaigns are in this folder: say which with -c ({names}).")

    def other_place(self, typed: str, name: str) -> Address:
        """Returns the address of the campaign `typed`, which lies beside others or in another folder.

        A folder means the campaign called `name` in it. Case and accents are ignored if no file has exactly
        that name.
        """
        address = _named(typed)
        if address.file is None:
            return address
        if address.file.is_dir():
            address = Address.of_file(address.file / name)
        return Address.of_file(_alike(address.file or Path(name)))

    # --- what the user chose, by campaign -----------------------------------------------------------------

    def chosen_line(self, campaign: str) -> int | None:
        """Returns the number of the branch this user switched to in a campaign; None without a switch."""
        line = self._chosen(campaign).get("line")
        return line if isinstance(line, int) else None

    def choose_line(self, campaign: str, line: int | None) -> None:
        """Stores the number of the branch this user writes to in a campaign; None means the mainline."""
        self._keep(campaign, {"line": line})

    def synced_place(self, campaign: str, here: Address) -> str | None:
        """Returns the place with which the copy at `here` is synced; None before the first sync."""
        place = self._synced_places(campaign).get(_followed(here))
        return place if isinstance(place, str) else None

    def keep_synced_places(self, campaign: str, here: Address, there: Address) -> None:
        """Stores the last sync of the copy at `here`: its partner is the copy at `there`.

        And the other way round, unless the copy at `there` has a place already.
        """
        before = self._synced_places(campaign)
        now = {_followed(there): _lasting(here), **before, _followed(here): _lasting(there)}
        if now != before:
            self._keep(campaign, {"sync": now})

    def _synced_places(self, campaign: str) -> dict[str, Any]:
        found = self._chosen(campaign).get("sync")
        return found if isinstance(found, dict) else {}

    def writer(self, campaign: str) -> str | None:
        """Returns the name under which this user writes drafts of a campaign; None if they gave none."""
        name = self._chosen(campaign).get("writer")
        return name if isinstance(name, str) else None

    def keep_writer(self, campaign: str, name: str | None) -> bool:
        """Stores the name under which this user writes drafts; False if the file could not be written."""
        return self._keep(campaign, {"writer": name})

    def answers_about_log(self, campaign: str) -> Path | None:
        """Returns the answers' file of the last import into a campaign; None before the first import."""
        path = self._chosen(campaign).get("import")
        return Path(path) if isinstance(path, str) else None

    def keep_answers_about_log(self, campaign: str, path: Path) -> None:
        """Stores `path` as the answers' file of the campaign's last import."""
        if path != self.answers_about_log(campaign):
            self._keep(campaign, {"import": str(path)})

    def own_link(self, campaign: str) -> str | None:
        """Returns the secret of the link with which this user's home opens a campaign; None without one."""
        secret = self._chosen(campaign).get("home")
        return secret if isinstance(secret, str) else None

    def keep_own_link(self, campaign: str, secret: str) -> None:
        """Stores the secret of the link with which this user's home opens a campaign."""
        self._keep(campaign, {"home": secret})

    def holds_seed(self, campaign: str) -> Path | None:
        """Returns the path of the file with a campaign's seed; None if no file has it."""
        return (
            self.state / f"{campaign}.json" if isinstance(self._chosen(campaign).get("seed"), str) else None
        )

    def seed(self, campaign: str) -> bytes | None:
        """Returns a campaign's seed, from RETOLD_SEED or stored on this computer; None without either."""
        kept = self.environment.get("RETOLD_SEED") or self._chosen(campaign).get("seed")
        return kept.encode() if isinstance(kept, str) else None

    def keep_seed(self, campaign: str, seed: str) -> bool:
        """Stores a campaign's seed on this computer; returns False if the file could not be written."""
        return self._keep(campaign, {"seed": seed})

    def has_real_decks(self, campaign: str) -> bool:
        """True if this user chose real cards and dice (`table real`) for a campaign."""
        return self._chosen(campaign).get("real") is True

    def keep_real_decks(self, campaign: str, *, real: bool) -> None:
        """Stores whether the user plays a campaign with real cards and dice."""
        self._keep(campaign, {"real": real})

    def seal(self) -> bytes:
        """Returns the key that signs this computer's caches; creates it on first use.

        If it cannot be stored, each call returns a new key, and no cache is trusted.
        """
        from retold.journal.store.caches.snapshots import KEY_BYTES, new_key

        path = self.state / "seal"
        with suppress(OSError):
            kept = path.read_bytes()
            if len(kept) == KEY_BYTES:
                return kept
        made = new_key()
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            replaced(path, [made], 0o600)
        return made

    def history(self) -> Path:
        """Returns the path of the file with lines typed at the console."""
        return self.state / "history"

    def _chosen(self, campaign: str) -> dict[str, Any]:
        try:
            return _kept_in(self.state / f"{campaign}.json")
        except (OSError, ValueError):
            return {}

    def _keep(self, campaign: str, new: Mapping[str, Any]) -> bool:
        path = self.state / f"{campaign}.json"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = {**_kept_or_set_aside(path), **new}
            replaced(path, [json.dumps(kept).encode()], 0o600, lasting="seed" in kept)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            sys.stderr.write(f"(Not remembered: {safe.line(str(path))} cannot be written, {why}.)\n")
            return False
        return True


def _kept_in(path: Path) -> dict[str, Any]:
    """Returns the settings stored in a JSON file, empty if there is no file.

    Raises OSError or ValueError for an unreadable file.
    """
    from retold.journal.store.disk.unfinished_files import patiently

    try:
        # The standard library's JSON, because every command reads settings and most do not import msgspec.
        found = json.loads(patiently(partial(path.read_text, "utf-8")))
    except FileNotFoundError:
        return {}
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    match found:
        case dict():
            return found
        case _:
            raise ValueError


def _kept_or_set_aside(path: Path) -> dict[str, Any]:
    """Returns the settings stored in a JSON file; an unreadable file is renamed, and gives none.

    It is not overwritten, since it may hold a seed.
    """
    from retold.journal.store.disk.unfinished_files import patiently

    try:
        return _kept_in(path)
    except (OSError, ValueError):
        numbered = (path.with_name(f"{path.name}.spoilt-{number}") for number in count(1))
        aside = next(path for path in numbered if not path.exists())
        patiently(partial(path.rename, aside))
        sys.stderr.write(
            f"({safe.line(str(path))} cannot be read: it is kept as {safe.line(aside.name)},"
            " and begun anew.)\n"
        )
        return {}


def _named(typed: str) -> Address:
    """Returns the address of the campaign `typed`; a file's with `.retold` added if it is missing."""
    address = Address.read(typed)
    return address if address.file is None else Address.of_file(_with_ending(address.file))


def _with_ending(path: Path) -> Path:
    if path.suffix == SUFFIX or path.is_file() or not path.name.strip("."):
        return path
    ended = path.with_name(path.name + SUFFIX)
    return path if path.is_dir() and not ended.exists() else ended


def _alike(path: Path) -> Path:
    """Returns the only file whose name is that of `path`, case and accents ignored; else `path` itself."""
    if path.exists():
        return path
    wanted = normalise(path.name)
    with suppress(OSError):
        found = [file for file in path.parent.iterdir() if file.is_file() and normalise(file.name) == wanted]
        if len(found) == 1:
            return found[0]
    return path


def _lasting(place: Address) -> str:
    """Returns the address with an absolute path, valid in every working folder."""
    return place.text if place.file is None else str(place.file.absolute())


def _followed(place: Address) -> str:
    """Returns an address that is equal for all names of one file, such as symbolic links."""
    return place.text if place.file is None else os.path.realpath(place.file)


def new_place(typed: str) -> Address:
    """Returns the address for a new campaign called `typed`; a file's ends in `.retold`.

    Raises Refused for an invalid name.
    """
    address = Address.read(typed)
    is_title = " " in typed  # “Book: one” names no server
    return (
        address
        if address.file is None and _plain(typed) and not is_title
        else Address.of_file(new_path(typed))
    )


def copy_place(typed: str) -> Address:
    """Returns the address for a copy called `typed`; a file's ends in `.retold`, and may be called anything.

    Raises Refused for a name that this system does not have: a script may put the time into a backup's.
    """
    address = Address.read(typed)
    return address if address.file is None and _plain(typed) else Address.of_file(_path(typed))


def new_path(typed: str) -> Path:
    """Returns the path for a new campaign file called `typed`, ending in `.retold`.

    Raises Refused for a file name that some system does not have, since a campaign moves between them.
    """
    path = _path(typed)
    if why := unfit(path.name):
        called = fitting(path.stem) or "salt-road"
        raise Refused(
            f"No campaign's file is called {path.name}, for it should open on every system, and {why}:"
            f" call it “{called}”. Its title may be anything."
        )
    return path


def _path(typed: str) -> Path:
    path = Path(typed)
    if not path.name.strip("."):
        raise Refused(f"“{typed}” is no name for a campaign: choose one such as salt-road.")
    if not _plain(typed):
        raise Refused(f"{typed} is no name for a campaign: use UTF-8, and no control characters.")
    return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)


def _plain(typed: str) -> bool:
    return not any(category(character) in ("Cc", "Cs") for character in typed)
