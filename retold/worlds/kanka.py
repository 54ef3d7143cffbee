"""Kanka: a campaign as the ZIP file that Kanka's own import reads.

Sessions are journals, people characters, places locations, threads quests, and things items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from retold.projections.exports.json import written
from retold.projections.exports.packing import pack
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.reading import LineView
from retold.worlds.pages import PRIVATE, Sort, WorldPage, pages_of

ADMINS: Final = 2
"""Visibility of a post that only the admins of the campaign see."""

_ENTITIES: Final[Mapping[Sort, tuple[str, Mapping[str, Any]]]] = {
    "session": ("journals", {}),
    "person": (
        "characters",
        {"characterFamilies": [], "characterRaces": [], "characterTraits": [], "organisationMemberships": []},
    ),
    "place": ("locations", {}),
    "thread": ("quests", {"elements": []}),
    "thing": ("items", {}),
}
"""Folder of each sort, and the lists that its import expects."""


def render(reading: LineView, telling: SessionTelling, place: MechanicsPlace) -> bytes:
    """Returns a ZIP file with `campaign.json` and one JSON file for each session, person, place and thing.

    What the table does not know is a private entity, or a post for admins.
    """
    return pack(_files(reading.title, pages_of(reading, telling, place)))


def _files(title: str, pages: list[WorldPage]) -> Iterator[tuple[str, bytes]]:
    yield "campaign.json", written({"id": 1, "name": title}, indent=1)
    counted: Counter[str] = Counter()
    for id_, page in enumerate(pages, 1):
        folder, lists = _ENTITIES[page.known.sort]
        counted[folder] += 1
        yield f"{folder}/{counted[folder]:04}.json", written({**_entity(id_, page), **lists}, indent=1)


def _entity(id_: int, page: WorldPage) -> dict[str, Any]:
    part, is_private = page.known, page.public is None
    beside = None if is_private else page.private
    posts = [] if beside is None else [_post(id_, beside.html)]
    special: Mapping[Sort, Mapping[str, Any]] = {
        "session": {"date": part.date},
        "thread": {"is_completed": part.is_closed},
    }
    return {
        "id": id_,
        "name": part.name,
        "is_private": is_private,
        **special.get(part.sort, {}),
        "entity": {
            "id": id_,
            "name": part.name,
            "entry": part.html,
            "is_private": is_private,
            "is_template": False,
            "is_attributes_private": False,
            "tooltip": None,
            "posts": posts,
        },
    }


def _post(id_: int, html: str) -> dict[str, Any]:
    return {
        "id": id_,
        "name": PRIVATE.capitalize(),
        "entry": html,
        "visibility_id": ADMINS,
        "position": 1,
        "settings": None,
        "layout_id": None,
    }
