"""Pictures and colours that a viewer may see: the cover, portraits, images, handouts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from msgspec import Struct

from retold.journal.pictures import Picture, recorded_picture
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.projections.reading import LineView

KINDS: Final = (e.PictureAdded.kind, e.ColourChosen.kind)


class Image(Struct, frozen=True):
    """A picture as it is shown: type, size, SHA-256, what it shows (`alt`), who made it, and its bytes."""

    use: str
    media: str
    width: int
    height: int
    sha256: str
    alt: str
    credit: str | None
    name: str | None
    data: bytes

    beside: ClassVar = frozenset({"data"})
    """Fields left out of the JSON."""

    @property
    def _picture(self) -> Picture:
        return Picture(self.media, self.width, self.height, self.data)

    @property
    def uri(self) -> str:
        """The picture as a `data:` address."""
        return self._picture.uri

    @property
    def file(self) -> str:
        """Name for its file, the same for the same bytes: `3f2a….png`."""
        return f"{self.sha256[:_DIGITS]}{self._picture.suffix}"


_DIGITS: Final = 16


def image_of(event: e.PictureAdded) -> Image | None:
    """Returns the picture of an event; None if its bytes or its description are redacted."""
    found = recorded_picture(event.picture.text)
    if found is None or event.alt.text is None:
        return None
    return Image(
        event.use,
        found.media,
        found.width,
        found.height,
        found.sha256,
        event.alt.text,
        _text(event.credit),
        _text(event.name),
        found.data,
    )


def _text(words: Words | None) -> str | None:
    return None if words is None else words.text


class Pictures(Struct, frozen=True):
    """The cover, portraits and colours; portraits and colours by people's ids."""

    cover: Image | None = None
    portraits: Mapping[int, Image] = MappingProxyType({})
    colours: Mapping[int, str] = MappingProxyType({})


def pictures_of(reading: LineView, table: Table | None = None) -> Pictures:
    """Returns the pictures and colours that the viewer knows by now, also for a story that ended before.

    `table` is the table state at the end of that story, which says who was the same person by then; without
    it the present one.
    """
    cover: Image | None = None
    portraits: dict[int, Image] = {}
    colours: dict[int, str] = {}
    found = list(reading.recorded(kinds=KINDS))
    if not found:
        return Pictures()
    table = reading.table if table is None else table
    for recorded in found:
        event = recorded.event
        if isinstance(event, e.ColourChosen):
            colours.pop(table.whose(event.person), None)
            if event.colour is not None:
                colours[table.whose(event.person)] = event.colour
        elif isinstance(event, e.PictureAdded) and event.use in ("cover", "portrait"):
            image = image_of(event)
            if event.use == "cover":
                cover = image or cover
            elif image is not None and event.person is not None:
                portraits[table.whose(event.person)] = image
    return Pictures(cover, portraits, colours)
