"""Portraits and colours of people on the board of a replay, as one viewer knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.projections.reading import LineView
from retold.projections.reading.pictures import KINDS, Image, image_of
from retold.projections.texts import safe
from retold.projections.texts.tints import DARK, LIGHT, readable


class Portrait(NamedTuple):
    """Portrait on the board: event id, alternative text, and author."""

    id: str
    alt: str
    credit: str | None


class Face(NamedTuple):
    """A person's portrait, and the colour of their name on light and on dark paper."""

    portrait: Portrait | None = None
    colour: tuple[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns the face as fields of a person on the board; fields that are empty are left out."""
        shown = (
            {}
            if self.portrait is None
            else {"portrait": {key: value for key, value in self.portrait._asdict().items() if value}}
        )
        return shown if self.colour is None else {**shown, "colour": self.colour}


class Faces(Struct, frozen=True):
    """Portraits and colours in the order of their events; people by the ids under which they got them.

    So at each moment a person has the portraits of those who were the same person by then.
    """

    portraits: tuple[tuple[int, Portrait], ...] = ()
    colours: tuple[tuple[int, tuple[str, str] | None], ...] = ()

    def at(self, table: Table) -> Mapping[int, Face]:
        """Returns the faces by people's ids in a table state; the last portrait and colour of each count."""
        found: dict[int, Face] = {}
        for person, portrait in self.portraits:
            whose = table.whose(person)
            found[whose] = found.get(whose, _NONE)._replace(portrait=portrait)
        for person, colour in self.colours:
            whose = table.whose(person)
            found[whose] = found.get(whose, _NONE)._replace(colour=colour)
        return found


_NONE: Final = Face()


def portraits_in(reading: LineView, upto: int | None = None) -> Iterator[tuple[int, str, Image]]:
    """Yields person, event id and picture of each portrait that the viewer knows at position `upto`.

    None means the end of the view.
    """
    for recorded in reading.recorded(0, upto, (e.PictureAdded.kind,)):
        event = recorded.event
        if isinstance(event, e.PictureAdded) and event.use == "portrait" and event.person is not None:
            image = image_of(event)
            if image is not None:
                yield event.person, reading.ids.at(recorded.position), image


def faces_of(reading: LineView, upto: int | None = None) -> Faces:
    """Returns the portraits and colours that the viewer knows at position `upto` (the view's end if None)."""
    if next(reading.recorded(0, upto, KINDS), None) is None:
        return Faces()
    portraits = (
        (person, Portrait(id_, safe.line(image.alt), image.credit and safe.line(image.credit)))
        for person, id_, image in portraits_in(reading, upto)
    )
    events = (recorded.event for recorded in reading.recorded(0, upto, (e.ColourChosen.kind,)))
    chosen = ((event.person, event.colour) for event in events if isinstance(event, e.ColourChosen))
    colours = (
        (person, None if colour is None else (readable(colour, LIGHT), readable(colour, DARK)))
        for person, colour in chosen
    )
    return Faces(tuple(portraits), tuple(colours))
