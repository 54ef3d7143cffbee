"""A vault as a folder: its pages, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cli.folders import Written, folder_meant, say_written, write_folder
from projections.dossiers import Dossiers
from projections.exports.layout import Place
from projections.pages import Transcript
from projections.reading import Reading
from projections.vault import FOLDERS, SESSIONS, pages_of

Tell = Callable[[int | None], Transcript]
"""Tells a session in the manner that was asked for; None is the last, or all there is where there is none."""


def write_vault(named: str, reading: Reading, tell: Tell, place: Place) -> Written:
    """Writes a vault, each session told on one of its pages, and says what came of it."""
    folder = folder_meant(named, "vault")
    title = None if reading.table.title is None else reading.table.title.text
    told: Iterable[Transcript] = (tell(number) for number in reading.evenings.opened)
    pages = pages_of(Dossiers(reading), told, place, title)
    files = ((f"{page.path}.md", page.text.encode()) for page in pages)
    where = [f"{one}/*.md" for one in (*FOLDERS.values(), SESSIONS)]
    came = write_folder(folder, files, where)
    say_written(named, came, "page", "told no longer, and left there")
    return came
