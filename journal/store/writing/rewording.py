"""Rewording: gives a recorded text another wording, by a new event; the first wording stays stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from unicodedata import category

from msgspec.structs import replace

from retold.journal.grammar import check_pronouns
from retold.journal.names import clean
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.codec import decode
from retold.journal.store.events.kinds import upcast
from retold.journal.store.events.line_events import NAMING, names_in
from retold.journal.store.events.record import Record
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import REDACTED, REFERENCE, Words

EDITED_AMONG = 50
"""Number of last acts among which the words to change are looked for."""

TOLD_IN = ("text", "title", "why", "alt", "alias", "name", "pronouns")
"""Fields whose texts a rewording may change, the likeliest first."""

ON_ONE_LINE = frozenset(NAMING)
"""Fields that a typed line has before its colon."""

TOLD_ONCE = frozenset({"table.cast-introduced", "table.described"})
"""Kinds that may occur several times in an act with one shared description."""

NAMES_SOMEBODY = frozenset({"table.cast-introduced", "table.renamed", "table.alias-given"})

NAMES_A_MATTER = frozenset({"table.matter-opened", "table.matter-renamed"})


def reword(writer: LineWriter, at: int, text: Words, manner: Manner | None = None) -> RecordedAct:
    """Records `text` as the new wording of a text in the act at position `at`; returns the recorded act.

    The event at `at` is preferred, then the other events of its act. A description shared by several people
    changes for all of them. The rewording has the audience of its event.
    """
    return writer.manage_all(*_rewording(writer, at, text, manner or Manner()))


def reword_each(writer: LineWriter, changes: Iterable[tuple[int, Words, Manner]]) -> None:
    """Records several rewordings as `reword` does, each as its own act; a failure records none.

    Each has the position, the new text and how to record it.
    """
    writer.manage_each([_rewording(writer, *change) for change in changes])


def _rewording(
    writer: LineWriter, at: int, text: Words, manner: Manner
) -> tuple[tuple[e.Reworded, ...], c.Retcon, Manner]:
    event = plan_reword(writer, at, text)
    row = writer.campaign.record.row(writer.line, event.about)
    see = TABLE if row is None else decode(row).envelope.visible_to
    events = (event, *_shared_descriptions(writer, event))
    return events, c.Retcon(at=event.about, text=text), replace(manner, visible_to=see)


def _shared_descriptions(writer: LineWriter, event: e.Reworded) -> Iterator[e.Reworded]:
    """Yields the same rewording for other people in the act who have the same description."""
    act = writer.act_at(event.about)
    texts = {recorded.position: recorded.texts for recorded in act.events}
    rows = list(writer.campaign.record.rows(writer.line, act.first - 1, act.last))
    places = {row.position: _index(row, "text") for row in rows if row.kind in TOLD_ONCE}
    if places.get(event.about) != event.word:
        return
    shared = texts[event.about][event.word]
    for position, index in places.items():
        if position != event.about and index is not None and texts[position][index] == shared:
            yield e.Reworded(about=position, word=index, text=event.text)


def plan_reword(writer: LineWriter, at: int, text: Words) -> e.Reworded:
    """Returns the event by which `reword` would change a text at `at`; records nothing.

    Raises Refused if there is no text, if a new name has control characters or is taken, and for pronouns
    that cannot be.
    """
    writer.catch_up()
    place = _words_of_act(writer, at)
    if place is None:
        raise Refused(f"There is no text at {at}: retcon changes something that was said or written.")
    row, index, field = _original_text(writer, *place)
    typed = clean(text.text or "")
    if field in ON_ONE_LINE and any(category(character) == "Cc" for character in typed):
        raise Refused(f"A {field} must be on one line, without control characters.")
    if field == "pronouns":
        check_pronouns(typed)
    if row.kind in NAMES_SOMEBODY and field != "text":
        _check_name(writer.table, row, typed)
    if row.kind in NAMES_A_MATTER and field == "name":
        _check_matter_name(writer.table, row, typed)
    return e.Reworded(about=row.position, word=index, text=text)


def words_at(writer: LineWriter, event: e.Reworded) -> str:
    """Returns the present wording of the text that `event` changes; a placeholder if it is redacted."""
    act = writer.act_at(event.about)
    texts = next(recorded.texts for recorded in act.events if recorded.position == event.about)
    return texts[event.word] or REDACTED


def is_a_name(writer: LineWriter, event: e.Reworded) -> bool:
    """True if `event` changes a name or an alias."""
    row = writer.campaign.record.row(writer.line, event.about)
    return row is not None and event.word in (_index(row, "name"), _index(row, "alias"))


def _words_of_act(writer: LineWriter, at: int) -> tuple[Row, int, str] | None:
    """Returns row, text index and field of the text that a rewording at `at` changes; None without texts.

    The event at `at` comes first, then the others of its act; fields in the order of `TOLD_IN`.
    """
    act = writer.act_at(at)
    rows = list(writer.campaign.record.rows(writer.line, act.first - 1, act.last))
    rows.sort(key=lambda row: row.position != at)
    found = [(field, row, _index(row, field)) for row in rows for field in TOLD_IN]
    found.sort(key=lambda one: (one[1].position != at, TOLD_IN.index(one[0])))
    return next(((row, index, field) for field, row, index in found if index is not None), None)


def _original_text(writer: LineWriter, row: Row, index: int, field: str) -> tuple[Row, int, str]:
    """Returns row, index and field of a text's first wording, going back from rewordings."""
    while row.kind == "table.reworded":
        data = json.loads(row.body)["data"]
        about = writer.campaign.record.row(writer.line, data["about"])
        if about is None:
            break
        row, index = about, data["word"]
        field = next((name for name in TOLD_IN if _index(row, name) == index), field)
    return row, index, field


def _index(row: Row, field: str) -> int | None:
    """Returns the index of the text that a row's `field` refers to; None if the field holds no text.

    Also None for a branch's name.
    """
    if row.kind == "table.forked" and field == "name":
        return None
    value = upcast(row.kind, json.loads(row.body)["data"])[1].get(field)
    return value[REFERENCE] if isinstance(value, dict) and value.keys() == {REFERENCE} else None


def names_anything(record: Record, line: int, event: e.Reworded) -> bool:
    """True if `event` changes a name, alias or title, which later typed lines may use."""
    return event.word in names_in(record, line, event.about)


def renames(record: Record, line: int, event: object) -> bool:
    """True if `event` is a rewording that changes a name, alias or title."""
    return isinstance(event, e.Reworded) and names_anything(record, line, event)


def _check_name(table: Table, row: Row, name: str) -> None:
    data = json.loads(row.body)["data"]
    taken, is_form = table.called(name), data.get("case") is not None
    if not is_form and taken not in (None, data["person"]):
        raise Refused(f"There is a {table.name(taken or 0)} already: choose another name.")


def _check_matter_name(table: Table, row: Row, name: str) -> None:
    """Raises Refused if another thread, place or thing has the name already."""
    matter = table.matters.get(json.loads(row.body)["data"].get("about", row.position))
    taken = table.matter_called(name)
    if taken is not None and taken is not matter:
        raise Refused(f"There is a {taken.sort} {taken.called} already: choose another name.")
