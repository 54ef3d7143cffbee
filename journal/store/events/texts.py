"""Texts of events for the search: typed texts, and names in an event's data that the table made up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.amendments import unreadable_event
from retold.journal.store.events.codec import from_json
from retold.journal.store.events.kinds import event_of, upcast
from retold.journal.store.events.record import Record
from retold.journal.store.events.text_matching import normalised
from retold.journal.visibility import TABLE
from retold.journal.vocabulary.base import REFERENCE

NAMING_FIELDS: Final = frozenset({"aspect", "wording", "zones"})
"""Payload fields with a name the table made up; they cannot be redacted as texts can."""

OWNER_FIELDS: Final = ("who", "by", "person", "player", "whose")
"""Fields naming an event's owners, the most important first."""


NAME_FIELDS: Final = frozenset({"name", "alias", "credit"})
"""Fields that give a name, and mention no one."""


class SearchableText(Struct, frozen=True):
    """A searchable text of an event, with its numbers.

    `place` is its number among these texts, `word` its number among the event's stored texts (None for a name
    in the data). `told` is False for names, aliases and texts in the data.
    """

    place: int
    word: int | None
    text: str
    told: bool


class IndexEntry(NamedTuple):
    """A text as stored in the search index, with its event; `index.Hit` explains the numbers."""

    line: int
    since: int
    position: int
    place: int
    belongs: int
    kind: str
    people: tuple[int, ...]
    visible_to: str | Sequence[int]
    told: bool
    folded: str


def searchable_texts(row: Row, rewordings: Mapping[int, str] | None = None) -> tuple[SearchableText, ...]:
    """Returns the texts of the event in `row` that a search can find; sealed (face-down) texts are left out.

    `rewordings` holds new texts by index.
    """
    return _texts(row, _body(row), rewordings or {})


def _body(row: Row) -> dict[str, Any]:
    """Returns a row's parsed body, its payload converted to the current version; Damaged if broken."""
    try:
        body = from_json(row.body)
    except ValueError as error:
        raise unreadable_event(row) from error
    if not isinstance(body, dict) or not isinstance(body.get("data"), dict):
        raise unreadable_event(row)
    try:
        return {**body, "data": upcast(row.kind, body["data"])[1]}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise unreadable_event(row) from error


def _texts(row: Row, body: Mapping[str, Any], rewordings: Mapping[int, str]) -> tuple[SearchableText, ...]:
    try:
        words = {} if row.words is None else dict(enumerate(from_json(row.words)))
        now = {word: kept[1] for word, kept in words.items() if kept is not None} | dict(rewordings)
        # For an unknown kind it is unknown which texts are sealed, so none is shown.
        known = event_of(row.kind)
        shown = frozenset() if known is None else known.face()
        file = None if known is None else known.file_field
        held = (
            (key not in NAME_FIELDS and _is_words(value), *found)
            for key, value in body["data"].items()
            if key in shown and key != file
            for found in _texts_in(key, value)
        )
        texts = (
            (place, word, name if word is None else now.get(word), told)
            for place, (told, word, name) in enumerate(held)
        )
        return tuple(
            SearchableText(place, word, text, told) for place, word, text, told in texts if text is not None
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise unreadable_event(row) from error


def _texts_in(key: str, value: object) -> Iterator[tuple[int | None, str | None]]:
    """Yields the texts in the value of a payload field, nested parts included.

    A text gives (its number, None); a name made up by the table gives (None, name).
    """
    if isinstance(value, Mapping):
        if _is_words(value):
            yield value[REFERENCE], None
            return
        for inner, one in value.items():
            yield from _texts_in(inner, one)
    elif isinstance(value, list):
        for part in value:
            yield from _texts_in(key, part)
    elif key in NAMING_FIELDS and isinstance(value, str):
        yield None, value


def file_numbers(row: Row) -> frozenset[int]:
    """Returns the numbers of an event's texts that are the bytes of a file; none but a picture's."""
    known = event_of(row.kind)
    if known is None or known.file_field is None:
        return frozenset()
    return frozenset(
        word for word, _ in _texts_in("", _body(row)["data"].get(known.file_field)) if word is not None
    )


def _is_words(value: object) -> bool:
    return isinstance(value, Mapping) and value.keys() == {REFERENCE}


def index_entries(record: Record, rows: Iterable[Row]) -> Iterator[IndexEntry]:
    """Yields the search index's entries for these rows; a new wording belongs to the event it changes."""
    told = (one for one in rows if one.words or any(f'"{key}":' in one.body for key in NAMING_FIELDS))
    for row in told:
        body = _body(row)
        if row.kind == "table.reworded":
            yield from _reworded(record, row, body)
        else:
            yield from _entries(row, body, _texts(row, body, {}))


def _reworded(record: Record, row: Row, body: Mapping[str, Any]) -> Iterator[IndexEntry]:
    """Yields the new wording in `row` as an entry of the event it changes, recorded at the row's position."""
    new = _texts(row, body, {})
    about = record.row(row.line, body["data"]["about"])
    if about is None or not new:
        return
    word, wording = body["data"]["word"], new[0].text
    texts = [searchable for searchable in searchable_texts(about, {word: wording}) if searchable.word == word]
    for entry in _entries(about, _body(about), texts):
        yield entry._replace(line=row.line, since=row.position)


def _entries(row: Row, body: Mapping[str, Any], texts: Iterable[SearchableText]) -> Iterator[IndexEntry]:
    for searchable in texts:
        yield IndexEntry(
            line=row.line,
            since=row.position,
            position=row.position,
            place=searchable.place,
            belongs=_belongs(row, body["data"]),
            kind=row.kind,
            people=_people(body),
            visible_to=body.get("see", TABLE),
            told=searchable.told,
            folded=normalised(searchable.text),
        )


TOLD_LATER: Final = frozenset(
    {"table.narrated", "table.said", "table.noted", "table.said-aside", "table.picture-added"}
)


def _belongs(row: Row, data: Mapping[str, Any]) -> int:
    """Returns the position of the moment that a text is about: its own, or an earlier one if told later."""
    about = data.get("about") if row.kind in TOLD_LATER else None
    return row.position if about is None else int(about)


def _people(body: Mapping[str, Any]) -> tuple[int, ...]:
    """Returns the ids of the people in the event's owner fields (who, by, person …), or else its author's."""
    named = [body["data"].get(key) for key in OWNER_FIELDS]
    whose = [person for held in named for person in (held if isinstance(held, list) else [held])]
    people = tuple(dict.fromkeys(person for person in whose if isinstance(person, int)))
    return people or ((body["by"],) if isinstance(body.get("by"), int) else ())
