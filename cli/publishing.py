"""Folders of pages of everything: a vault, or a site; which is asked for, and whom a site is for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Self

from cli.folders import Written, folder_meant, say_written, write_folder
from cli.invocation import UsageError
from cli.screen.progress import progress
from cli.vaulting import Tell, write_vault
from journal.store.progress import Progress
from journal.table import Table
from projections import safe
from projections.exports.layout import Place
from projections.pages import Transcript
from projections.prose import Voice
from projections.reading import Reading
from projections.site import WHERE, base, files_of

TABLE: Final = "table"
"""Whom a site is for unless somebody says otherwise: it is there to be published."""


class Folder(NamedTuple):
    """Pages of everything in a folder: a vault, or a site with the address where it will be found."""

    vault: str | None
    site: str | None
    url: str | None

    @classmethod
    def asked_for(
        cls, vault: str | None, site: str | None, url: str | None, beside: Sequence[object]
    ) -> Self | None:
        """The one asked for, if any; UsageError for both, and for what is of one page or file `beside` it."""
        if url is not None and site is None:
            raise UsageError("--url is where a site will be found: say it with --site FOLDER.")
        if vault is None and site is None:
            return None
        what = "vault" if site is None else "site"
        if any(beside) or None not in (vault, site):
            raise UsageError(
                f"A {what} is pages of everything: say --{what} FOLDER without --session, A..B, --book, -f,"
                f" -o, --clap, --force and {'--vault' if site else '--site'}."
            )
        return cls(vault, site, None if url is None else base(url))

    @property
    def is_site(self) -> bool:
        """True for a site, which tells each session with its replay."""
        return self.site is not None

    @property
    def viewer(self) -> str:
        """Whom it is for if nobody says."""
        return "gm" if self.site is None else TABLE

    def write(self, reading: Reading, tell: Tell, voice: Voice, place: Place) -> dict[str, Any]:
        """Writes it, and returns what is said of that as JSON."""
        if self.site is None:
            return write_vault(str(self.vault), reading, tell, place).to_json("vault")
        return write_site(self.site, reading, tell, voice, place, self.url).to_json("site")


def write_site(
    named: str, reading: Reading, tell: Tell, voice: Voice, place: Place, url: str | None
) -> Written:
    """Writes a site, each session told on one of its pages, and says what came of it."""
    folder = folder_meant(named, "site")
    with progress("Telling") as told:
        files = list(files_of(reading, _sessions(reading, tell, told), voice, place, url))
    came = write_folder(folder, files, WHERE, removes=True)
    say_written(named, came, "file", "told no longer, and removed")
    if players := _players(reading.table):
        sys.stderr.write(f"It names the players, who have no pages of their own: {', '.join(players)}.\n")
    return came


def _players(table: Table) -> list[str]:
    """The names of the players."""
    playing = dict.fromkeys(one.player for one in table.everybody() if one.player is not None)
    return [safe.line(table.shown(one)) for one in playing]


def _sessions(reading: Reading, tell: Tell, told: Progress) -> Iterator[Transcript]:
    """Every session, or all there is where nobody ever opened one."""
    numbers: list[int | None] = [*reading.evenings.opened] or [None]
    for done, number in enumerate(numbers):
        told(done, len(numbers))
        yield tell(number)
