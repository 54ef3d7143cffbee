"""SVG drawing of a map: self-contained, with light and dark colours and a text alternative."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from retold.projections.maps.fitting import Card, Curve, Point, fitted, head
from retold.projections.maps.picture import Picture
from retold.projections.maps.text_fitting import shortened
from retold.projections.texts import templates

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATE: Final = "map.svg.j2"
MARGIN: Final = 24.0
HEADING, NOTE = 17.0, 13.0
NARROWEST: Final = 320.0


class Zone(NamedTuple):
    """Zone for the SVG template: element id, text alternative and box."""

    id: str
    told: str
    card: Card


def svg(picture: Picture, prefix: str = "", *, printed: bool = False, dark: bool = True) -> str:
    """Returns the map as an SVG element, usable as a file or inside a page; deterministic.

    `printed` gives white ground and the fonts of Typst. Without `dark` it stays light, for pages that may not
    follow the screen's colours, as in e-book readers.

    Each zone is a group with an id: `z-` and its name in ASCII, if possible. Pictures on one page need
    different values of `prefix` (letters, digits, dashes) to keep ids unique.
    """
    paper = fitted(picture)
    width = max(NARROWEST, paper.area.width + 2 * MARGIN)
    room = width - 2 * MARGIN
    notes = [shortened(note, room, NOTE) for note in picture.beyond()]
    above = MARGIN + HEADING + MARGIN
    zones = zip(_ids(spot.name for spot in picture.spots), picture.who_is_where(), paper.cards, strict=True)
    return _template().render(
        picture=picture,
        paper=paper,
        prefix=prefix,
        printed=printed,
        dark=dark and not printed,
        zones=[Zone(*zone) for zone in zones],
        told=" ".join(picture.told()),
        heading=shortened(picture.title, room, HEADING, bold=True),
        notes=notes,
        margin=MARGIN,
        width=width,
        height=above + paper.area.height + MARGIN + 20 * len(notes) + (MARGIN / 2 if notes else 0),
        across=(width - paper.area.width) / 2 - paper.area.x,
        down=above - paper.area.y,
    )


def _ids(names: Iterable[str]) -> Iterator[str]:
    """Yields a unique id for each zone name, valid in CSS and links: `Old Bar` → `z-old-bar`."""
    taken: set[str] = set()
    for number, name in enumerate(names, 1):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or str(number)
        while f"z-{slug}" in taken:
            slug = f"{slug}-{number}"
        taken.add(f"z-{slug}")
        yield f"z-{slug}"


# --- how the template writes numbers ----------------------------------------------------------------------


def px(number: float) -> str:
    """Returns a coordinate as text, with one decimal at most."""
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0 turns -0.0 into 0.0


def pairs(points: Iterable[Point]) -> str:
    """Returns points as SVG writes them: `1,2 3,4.5`."""
    return " ".join(f"{px(x)},{px(y)}" for x, y in points)


def _path(curve: Curve) -> str:
    return f"M{pairs((curve.start,))} Q{pairs((curve.towards, curve.end))}"


def _head(curve: Curve) -> str:
    return pairs(head(curve, 12, 11))


@cache
def _template() -> Template:
    environment = templates.environment(Path(__file__).parent)
    environment.filters |= {"px": px, "path": _path, "head": _head}
    return environment.get_template(TEMPLATE)
