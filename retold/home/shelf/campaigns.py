"""The user's folder of campaigns: what lies in it, and what is begun or brought back there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple

from platformdirs import user_documents_path

import retold
from retold.cli.campaigns.links import Links
from retold.cli.campaigns.settings import KEPT_BY_SYNC, SUFFIX, Settings, new_path
from retold.cli.console.demo import SCRIPT
from retold.cli.output.writing_files import replaced
from retold.cli.verbs.new import one_line
from retold.journal.file_names import fitting
from retold.journal.language.writing import quote_name, write_assign, write_line
from retold.journal.pictures import Picture
from retold.journal.refused import Refused
from retold.journal.store import places

COPIES: Final = ("table", "gm")
"""Whose copy an export may be by default; the first, unless the user chose."""
FOLDER: Final = "Retold"
LONGEST: Final = 60
"""Characters of a title that its file's name has; a name has 255 bytes at most."""


class Card(NamedTuple):
    """A campaign as home lists it."""

    file: str
    """The file's name, by which it is opened."""
    title: str
    size: int
    """Bytes."""
    sessions: int = 0
    last: str = ""
    """Title of the last session; empty if it has none, or none was played."""
    day: str = ""
    """The last session's date: `2026-03-14`."""
    people: tuple[str, ...] = ()
    """Characters with a player."""
    trouble: str = ""
    """Why it cannot be read; else empty."""
    is_shared: bool = False
    """True if somebody but the game master has a link."""
    has_cover: bool = False


class Role(NamedTuple):
    """A line of the form for a new cast: a character, their player, and who they are."""

    who: str
    by: str = ""
    about: str = ""

    @property
    def line(self) -> str:
        """The role as a line of the table: `cast Zel by=Jon: A smuggler`."""
        played = [write_assign("by", "=", self.by)] if self.by else []
        return write_line("cast", [quote_name(self.who), *played], text=self.about or None)


@dataclass
class Shelf:
    """Campaigns in the folder that the user chose; by default `Retold` among their documents."""

    settings: Settings
    alone: RLock = field(default_factory=RLock)
    """Held while a file is made."""
    _cards: dict[Path, tuple[object, Card]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder; it may not exist yet."""
        chosen = self._chosen.get("folder")
        return Path(chosen) if isinstance(chosen, str) else user_documents_path() / FOLDER

    @property
    def called(self) -> str:
        """The folder's path as the user knows it: `Documents/Retold`, if it lies in their own folder."""
        home = Path.home()
        return str(self.folder.relative_to(home) if self.folder.is_relative_to(home) else self.folder)

    @property
    def copies(self) -> str:
        """Whose copy an export is, unless another is asked for: `table` or `gm`."""
        chosen = self._chosen.get("copies")
        return chosen if chosen in COPIES else COPIES[0]

    def choose(self, folder: str, copies: str) -> None:
        """Stores the user's choices; Refused if the folder is none, or a choice is unknown."""
        path = Path(folder).expanduser()
        if not path.is_absolute() or not path.is_dir():
            raise Refused(f"There is no folder {folder}: give one that is there, from its drive or / on.")
        if copies not in COPIES:
            raise Refused(f"A copy is for {' or '.join(COPIES)}.")
        kept = json.dumps({"folder": str(path), "copies": copies}).encode()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replaced(self._path, [kept], 0o600)

    @property
    def _path(self) -> Path:
        return self.settings.state / "home.json"

    @property
    def _chosen(self) -> Mapping[str, Any]:
        with suppress(OSError, ValueError):
            found = json.loads(self._path.read_text("utf-8"))
            return found if isinstance(found, dict) else {}
        return {}

    # --- what lies there ----------------------------------------------------------------------------------

    def cards(self) -> list[Card]:
        """Returns the campaigns in the folder, the one with the latest change first."""
        found = sorted(self._files(), key=lambda path: -path.stat().st_mtime)
        self._cards = {path: self._cards.get(path, ((), Card("", "", 0))) for path in found}
        return [self._card(path) for path in found]

    def _files(self) -> Iterator[Path]:
        with suppress(OSError):
            for path in self.folder.iterdir():
                if path.suffix == SUFFIX and path.is_file() and not KEPT_BY_SYNC(path.name):
                    yield path

    def _card(self, path: Path) -> Card:
        log = path.with_name(f"{path.name}-wal")
        stamp = [(one.stat().st_size, one.stat().st_mtime_ns) for one in (path, log) if one.exists()]
        before, card = self._cards[path]
        if before != stamp:
            card = _read(path, self.settings.state)
            self._cards[path] = stamp, card
        return card

    def last_shared(self) -> retold.Address | None:
        """Returns the campaign with links of players that changed last; None if there is none."""
        file = next((card.file for card in self.cards() if card.is_shared), None)
        return None if file is None else self.address(file)

    def address(self, file: str) -> retold.Address:
        """Returns the address of the campaign in this file of the folder; Refused if none is called so."""
        found = next((path for path in self._files() if path.name == file), None)
        if found is None:
            raise Refused(f"There is no campaign {file} in {self.folder}.")
        return retold.Address.of_file(found)

    def cover(self, file: str) -> Picture:
        """Returns the cover of the campaign in this file of the folder; Refused if there is none."""
        with retold.open(self.address(file), read_only=True) as campaign:
            found = campaign.seen_by("gm").picture("cover")
        if found is None:
            raise Refused(f"The campaign {file} has no cover.")
        return found

    # --- what is made there -------------------------------------------------------------------------------

    def begin(
        self, title: str, game: str, master: str, cast: Iterable[Role], language: str = ""
    ) -> retold.Address:
        """Begins a campaign: its title, game and language if any, the game master and the first people.

        Raises Refused, and leaves no file, for a title, game or name that the table would not take.
        """
        lines = [f"option table.language={language}"] if language else []
        lines += [Role("gm", master).line] if master else []
        lines += [role.line for role in cast]
        title = one_line(title)

        def made(path: Path) -> retold.Campaign:
            return retold.new(path, title=title, game=game or None)

        return self._made(title, made, lambda campaign: [campaign.say(line) for line in lines])

    def make(self, title: str, fill: Callable[[retold.Campaign], object]) -> retold.Address:
        """Begins a campaign, filled by a function; it leaves no file if that raises anything."""
        title = one_line(title)
        return self._made(title, lambda path: retold.new(path, title=title), fill)

    def example(self) -> retold.Address:
        """Begins the campaign of the demonstration, an evening with two other ways out of it."""
        script = SCRIPT.read_text("utf-8")
        return self._made("An example", retold.new, lambda campaign: campaign.play(script))

    def restore(self, source: Path, name: str) -> retold.Address:
        """Makes a campaign of a backup or a dump, called like the file `name`; every hash is checked.

        Raises Refused or StoreError, and leaves no file, if that is neither, or damaged.
        """
        return self._made(Path(name).stem, lambda path: retold.restore(source, path))

    def _made(
        self,
        title: str,
        make: Callable[[Path], retold.Campaign],
        fill: Callable[[retold.Campaign], object] = lambda _campaign: None,
    ) -> retold.Address:
        with self.alone:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self._free(fitting(title[:LONGEST]) or "campaign")
            disk = places.shared_disk(path)
            if disk is not None and disk.is_network:
                raise Refused(f"{disk.sentence(path)} Choose another folder below, in the settings.")
            with closing(make(path)) as campaign:
                try:
                    fill(campaign)
                except BaseException:
                    campaign.close()
                    path.unlink(missing_ok=True)
                    raise
        return retold.Address.of_file(path)

    def _free(self, stem: str) -> Path:
        """Returns a path in the folder at which nothing lies, not even a link that leads nowhere."""
        names = (stem if number == 1 else f"{stem} {number}" for number in count(1))
        paths = (new_path(str(self.folder / f"{name}{SUFFIX}")) for name in names)
        return next(path for path in paths if not os.path.lexists(path))


def _read(path: Path, state: Path) -> Card:
    """Returns the card of a file; with the reason if it cannot be read. `state` is the state folder."""
    address = retold.Address.of_file(path)
    card = Card(path.name, address.title, path.stat().st_size)
    try:
        with retold.open(path, read_only=True) as campaign:
            sessions: list[Mapping[str, Any]] = campaign.view("sessions").to_json()["sessions"]
            cast: list[Mapping[str, Any]] = campaign.view("cast").to_json()["cast"]
            links = Links.at(address, state, campaign.id).every()
            is_shared = any(not link.is_for("gm") for link in links)
            has_cover = campaign.seen_by("gm").picture("cover") is not None
            card = card._replace(is_shared=is_shared, has_cover=has_cover)
            card = card._replace(title=campaign.title, sessions=len(sessions))
    except (Refused, retold.StoreError) as error:
        return card._replace(trouble=str(error))
    people = tuple(
        one["name"] for one in cast if one["role"] == "character" and one["player"] and not one["retired"]
    )
    last = sessions[-1] if sessions else {}
    return card._replace(people=people, last=last.get("title") or "", day=last.get("date") or "")
