"""Foundry: a campaign as one journal entry, for `Import Data` or as a source of a compendium.

Shapes are those of JournalEntry in Foundry 12 to 14.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from retold.projections.exports.json import written
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.reading import LineView
from retold.projections.reading.ids import source_of
from retold.worlds.pages import PRIVATE, Part, Sort, pages_of

AS_ENTRY: Final = -1
NOBODY: Final = 0
OBSERVER: Final = 2
"""Levels of ownership: as the entry, none, and to look at."""

_HTML: Final = 1
_STEP: Final = 100_000
"""Distance of neighbours in an order, as Foundry sets it."""

_CATEGORIES: Final[Mapping[Sort, str]] = {
    "session": "dossier.sessions",
    "person": "page.cast",
    "place": "site.places",
    "thread": "site.threads",
    "thing": "site.things",
}
"""Phrase key of each sort's heading."""


def render(reading: LineView, telling: SessionTelling, place: MechanicsPlace) -> bytes:
    """Returns a journal entry as JSON: a page for each session, person, place, thread and thing.

    A private page has the ownership `none`: players do not see it. An id stays the same while the page keeps
    its name.
    """
    pages = pages_of(reading, telling, place)
    source = source_of(reading.campaign)
    entry = _id(source)
    parts = [(part, part is page.private) for page in pages for part in page if part is not None]
    sorts = [sort for sort in _CATEGORIES if any(part.sort == sort for part, _ in parts)]
    value = {
        "_id": entry,
        "_key": f"!journal!{entry}",
        "name": reading.title,
        "ownership": {"default": OBSERVER},
        "categories": [
            _filed("categories", entry, _id(source, sort), number)
            | {"name": telling.voice.phrases.say(_CATEGORIES[sort])}
            for number, sort in enumerate(sorts, 1)
        ],
        "pages": [*_pages(parts, source, entry)],
        "flags": {"retold": {"source": source}},
    }
    return written(value, indent=1)


def _pages(parts: list[tuple[Part, bool]], source: str, entry: str) -> Iterator[dict[str, Any]]:
    taken: set[str] = set()
    for number, (part, is_private) in enumerate(parts, 1):
        name = f"{part.name} ({PRIVATE})" if is_private else part.name
        id_ = _id(source, part.sort, name)
        while id_ in taken:
            id_ = _id(source, id_)
        taken.add(id_)
        yield _filed("pages", entry, id_, number) | {
            "name": name,
            "type": "text",
            "title": {"show": True, "level": 1},
            "text": {"format": _HTML, "content": part.html},
            "category": _id(source, part.sort),
            "ownership": {"default": NOBODY if is_private else AS_ENTRY},
        }


def _filed(collection: str, entry: str, id_: str, number: int) -> dict[str, Any]:
    """Returns the fields that a packer and an order need of a part of the entry."""
    return {"_id": id_, "_key": f"!journal.{collection}!{entry}.{id_}", "sort": number * _STEP}


def _id(*named: str) -> str:
    """Returns an id of Foundry: sixteen letters and digits."""
    return hashlib.sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()[:16]
