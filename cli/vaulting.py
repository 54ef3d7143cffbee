"""A vault as a folder: its pages, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cli.folders import folder_meant, say_written, write_folder
from cli.invocation import UsageError
from cli.telling import say_json
from projections.dossiers import Dossiers
from projections.pages import Transcript
from projections.reading import Reading
from projections.vault import FOLDERS, SESSIONS, pages_of

Tell = Callable[[int], Transcript]
"""Tells a session in the manner that was asked for."""


def check_alone(what: str, *asked: object) -> None:
    """Raises UsageError where something is asked of one page or file beside a vault or a site."""
    if any(asked):
        raise UsageError(
            f"A {what} is pages of everything: say --{what} FOLDER without --session, A..B, --book, -f,"
            " -o, --clap and --force."
        )


def write_vault(named: str, reading: Reading, tell: Tell, mechanics: str, *, json: bool) -> None:
    """Writes a vault, each session told on one of its pages, and says what came of it."""
    folder = folder_meant(named, "vault")
    title = None if reading.table.title is None else reading.table.title.text
    told: Iterable[Transcript] = (tell(number) for number in reading.evenings.opened)
    pages = pages_of(Dossiers(reading), told, mechanics, title)
    files = ((f"{page.path}.md", page.text.encode()) for page in pages)
    where = [f"{one}/*.md" for one in (*FOLDERS.values(), SESSIONS)]
    came = write_folder(folder, files, where)
    say_written(named, came, "page", "told no longer, and left there")
    if json:
        say_json(came.to_json("vault"))
