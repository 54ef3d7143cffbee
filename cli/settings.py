"""Where things are kept on this computer: which campaign, which line is written to, seeds and caches."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from cli.writing_files import replaced
from journal.refused import Refused
from journal.store.folders import moved_to, own_folder
from projections import safe

SUFFIX = ".retold"


class Settings(NamedTuple):
    """The user's own folders; RETOLD_HOME moves them all."""

    home: Path | None
    environment: Mapping[str, str]

    @classmethod
    def of_user(cls) -> Settings:
        """Settings as the environment gives them."""
        return cls(moved_to(), os.environ)

    @property
    def state(self) -> Path:
        """The folder for what the user chose."""
        return self._folder("state")

    @property
    def cache(self) -> Path:
        """The folder for what may be deleted at any time."""
        return self._folder("cache")

    @property
    def voices(self) -> Path:
        """The folder of voices the user wrote."""
        return self._folder("config") / "voices"

    def _folder(self, kind: str) -> Path:
        return own_folder(kind, self.home)

    def campaign(self, named: str | None) -> Path:
        """The campaign meant: -c, else RETOLD_CAMPAIGN, else the only one in this folder."""
        if named:
            return _named(named)
        if by_default := self.environment.get("RETOLD_CAMPAIGN"):
            path = _named(by_default)
            if not path.exists():
                raise Refused(
                    f"There is no campaign {path}, which RETOLD_CAMPAIGN names: name one with -c FILE."
                )
            return path
        found = sorted(path for path in Path().glob(f"*{SUFFIX}") if path.is_file())
        if len(found) == 1:
            return found[0]
        if not found:
            raise Refused(
                "There is no campaign in this folder: make one (retold new NAME) or name one (-c FILE)."
            )
        names = ", ".join(path.name for path in found)
        raise Refused(f"Several campaigns are in this folder: say which with -c ({names}).")

    # --- what the user chose, by campaign -----------------------------------------------------------------

    def chosen_line(self, campaign: str) -> int | None:
        """The line this user writes to, if they switched."""
        line = self._chosen(campaign).get("line")
        return line if isinstance(line, int) else None

    def choose_line(self, campaign: str, line: int | None) -> None:
        """Remembers the line this user writes to; None is whatever the table plays."""
        self._keep(campaign, {"line": line})

    def seed(self, campaign: str) -> bytes | None:
        """The seed this computer holds for a campaign, if any."""
        given = self.environment.get("RETOLD_SEED")
        kept = given or self._chosen(campaign).get("seed")
        return kept.encode() if isinstance(kept, str) else None

    def keep_seed(self, campaign: str, seed: str) -> bool:
        """Remembers the seed a campaign deals from; False if it could not."""
        return self._keep(campaign, {"seed": seed})

    def has_real_decks(self, campaign: str) -> bool:
        """True where this user said that a campaign's table has cards and dice of its own."""
        return self._chosen(campaign).get("real") is True

    def keep_real_decks(self, campaign: str, *, real: bool) -> None:
        """Remembers whether a campaign's table has cards and dice of its own."""
        self._keep(campaign, {"real": real})

    def seal(self) -> bytes:
        """The key that caches are sealed with on this computer, made when it is first asked for.

        Where none can be kept it is another each time, and no cache is believed.
        """
        from journal.store.snapshots import KEY_BYTES, new_key

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
        """The console's history of lines."""
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
            replaced(path, [json.dumps(kept).encode()], 0o600, lasting="seed" in new)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            sys.stderr.write(f"(Not remembered: {safe.line(str(path))} cannot be written, {why}.)\n")
            return False
        return True


def _kept_in(path: Path) -> dict[str, Any]:
    """What a file of settings says, nothing where there is none; raises OSError or ValueError if spoilt."""
    try:
        # The standard library's: every command asks, and most need no other.
        found = json.loads(path.read_text("utf-8"))
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
    """What a file of settings says; a spoilt one is kept under another name, for it may hold a seed."""
    try:
        return _kept_in(path)
    except (OSError, ValueError):
        numbered = (path.with_name(f"{path.name}.spoilt-{number}") for number in count(1))
        aside = next(one for one in numbered if not one.exists())
        path.rename(aside)
        sys.stderr.write(
            f"({safe.line(str(path))} cannot be read: it is kept as {safe.line(aside.name)},"
            " and begun anew.)\n"
        )
        return {}


def _named(typed: str) -> Path:
    """The file a name means: itself, or what it is with the ending that every campaign has."""
    path = Path(typed)
    if path.suffix == SUFFIX or path.is_file():
        return path
    if not path.name.strip("."):
        return path
    ended = path.with_name(path.name + SUFFIX)
    return path if path.is_dir() and not ended.exists() else ended


def new_path(typed: str) -> Path:
    """Where a campaign of that name is made; Refused for what is no name of a file."""
    path = Path(typed)
    if not path.name.strip("."):
        raise Refused(f"“{typed}” is no name for a campaign: choose one such as salt-road.")
    if not _plain(typed):
        raise Refused(f"{typed} is no name for a campaign: use UTF-8, and no control characters.")
    return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)


def _plain(typed: str) -> bool:
    return not any(category(character) in ("Cc", "Cs") for character in typed)
