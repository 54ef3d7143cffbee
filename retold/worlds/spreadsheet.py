"""CSV: the events of a campaign as a table, for a spreadsheet or a program."""

from __future__ import annotations

import csv
import io
from typing import Final

from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.reading import LineView
from retold.projections.texts import safe
from retold.worlds.events import events_of

COLUMNS: Final = ("when", "session", "scene", "who", "kind", "words", "numbers", "for")
_OBEYED: Final = ("=", "+", "-", "@", "\t", "\r", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")
"""First characters of a cell that a spreadsheet takes for a formula."""


def render(reading: LineView, telling: SessionTelling, place: MechanicsPlace) -> bytes:
    """Returns the events as CSV in UTF-8 with a byte order mark, a row each, under a row of names.

    An apostrophe is put before a text that a spreadsheet would take for a formula. With the place `none` the
    column `numbers` is empty.
    """
    file = io.StringIO(newline="")
    rows = csv.writer(file)
    rows.writerow(COLUMNS)
    for event in events_of(reading, telling.voice):
        told = (f"{one.label} {one.text}".strip() for one in event.words)
        words = "\n".join(filter(None, (event.heading, *told)))
        words = words if words or event.numbers else event.told
        seen = event.visible_to if isinstance(event.visible_to, str) else ", ".join(event.visible_to)
        numbers = "" if place is MechanicsPlace.NONE else event.numbers
        cells = (event.at, str(event.session or ""), event.scene, event.who, event.kind, words, numbers, seen)
        rows.writerow([_guarded(cell or "") for cell in cells])
    return file.getvalue().encode("utf-8-sig")


def _guarded(cell: str) -> str:
    text = safe.text(cell)
    return f"'{text}" if text.lstrip(" ").startswith(_OBEYED) else text
