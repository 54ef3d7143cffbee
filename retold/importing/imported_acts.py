"""Ids of acts that an import records, and the imported acts that a campaign has already."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from retold.journal.store.contract.event_store import Row, Segment
from retold.journal.store.events.amendments import unreadable_event
from retold.journal.store.events.codec import from_json
from retold.journal.store.events.record import Record
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary.base import REFERENCE

IMPORT_TAG: Final = b"retold/import/1"
PROMOTIONS: Final = ("table.promoted",)
_ID_BYTES: Final = 16


class ImportedAct(NamedTuple):
    """Imported act in its first form: location of its first event, place in the source, words."""

    line: int
    position: int
    source: tuple[str, int]
    """SHA-256 of the source in hexadecimal, and the place in it: a line, or an ordinal."""
    kind: str
    """Kind of the act's first event."""
    text: str | None = None
    """First text of the act, as it was recorded; None without one, or if it is redacted."""
    is_redacted: bool = False
    """True if the text is redacted."""
    text_at: int = 0
    """Position of the event that has the text; 0 without one."""
    when: str | None = None
    who: int | None = None
    """Person who speaks or throws in it."""
    visible_to: VisibleTo = TABLE
    """Narrowest audience of the events that the act has."""
    about: int | None = None
    """Position of the moment that it was told later of."""


def imported_act_id(campaign: str, family: str, channel: str, key: str, part: int = 0) -> str:
    """Returns the id of the act that a unit of a source becomes in a campaign: the same at every import.

    `campaign` is the campaign's id; `family` the sort of source (`discord`), `channel` and `key` what tells
    the unit from all others; `part` numbers the acts of a unit that becomes several. The id is 128 bits of a
    SHA-256 in base64url: it discloses none of them.
    """
    return imported_act_ids(campaign, family, channel, key)(part)


def imported_act_ids(campaign: str, family: str, channel: str, key: str) -> Callable[[int], str]:
    """Returns a function that returns the id of `imported_act_id` for a part of the unit, in less time."""
    of_unit = hashlib.sha256(IMPORT_TAG + b"".join(map(_measured, (campaign, family, channel, key))))

    def id_of(part: int) -> str:
        found = of_unit.copy()
        found.update(_measured(str(part)))
        return base64.urlsafe_b64encode(found.digest()[:_ID_BYTES]).rstrip(b"=").decode()

    return id_of


@lru_cache(maxsize=256)  # the campaign, the channel and the numbers of parts come again with each unit
def _measured(text: str) -> bytes:
    """Returns the bytes of a text behind their number."""
    piece = text.encode("utf-8", "surrogatepass")
    return len(piece).to_bytes(8) + piece


def imported_acts(record: Record, line: int) -> Mapping[str, ImportedAct]:
    """Returns every imported act that branch `line` has or had, by id, in its current form if not undone.

    Undone acts count, and so do those of former mainlines that this branch took the place of: what a `fix` or
    `retcon` left out there is not imported again. Reads the record once. Raises Damaged for a broken body.
    """
    reach = _reach(record, line)
    here = {segment.line: segment for segment in record.lineage(line)}
    found: dict[str, ImportedAct] = {}
    for row in record.everything():
        if _MARK not in row.body or row.line not in reach or row.position > reach[row.line]:
            continue
        try:
            body = _read(row.body)
            if body.src is None:
                continue
            known, act = found.get(body.act), _act(row, body)
        except (msgspec.MsgspecError, IndexError, TypeError) as error:
            raise unreadable_event(row) from error
        if known is None or (not _is_on(here, known) and _is_on(here, act)):
            found[body.act] = act
        elif body.i > 1 and known.line == row.line:
            found[body.act] = _joined(known, act)
    return found


def _is_on(here: Mapping[int, Segment], act: ImportedAct) -> bool:
    """True if the act is on the branch whose segments are given."""
    segment = here.get(act.line)
    return segment is not None and (segment.upto is None or act.position <= segment.upto)


def _act(row: Row, body: _Body) -> ImportedAct:
    reference, about = body.data.text, body.data.about
    who = body.data.person if body.data.who is None else body.data.who
    index = reference.get(REFERENCE) if isinstance(reference, dict) else None
    kept = _words(row.words)[index] if isinstance(index, int) and row.words is not None else None
    return ImportedAct(
        row.line,
        row.position,
        body.src or ("", 0),
        row.kind,
        None if kept is None else kept[1],
        index is not None and kept is None,
        0 if index is None else row.position,
        body.when,
        who if isinstance(who, int) else None,
        body.see if isinstance(body.see, str) else tuple(body.see),
        about if isinstance(about, int) else None,
    )


def _joined(act: ImportedAct, later: ImportedAct) -> ImportedAct:
    """Returns the act completed from a later event: text, author and audience where still missing."""
    if not act.text_at:
        act = act._replace(text=later.text, is_redacted=later.is_redacted, text_at=later.text_at)
    return act._replace(
        who=act.who if act.who is not None else later.who,
        visible_to=later.visible_to if act.visible_to == TABLE else act.visible_to,
    )


class _Data(msgspec.Struct):
    """Fields of an event that a later import compares, of any type, since the event's kind may be unknown."""

    text: object = None
    who: object = None
    person: object = None
    about: object = None


class _Body(msgspec.Struct):
    """The parts of a body that tell an imported act."""

    act: str
    i: int
    data: _Data
    src: tuple[str, int] | None = None
    when: str | None = None
    see: str | list[int] = TABLE


_words: Final = msgspec.json.Decoder(list[tuple[str, str] | None]).decode
_read: Final = msgspec.json.Decoder(_Body).decode
_MARK: Final = '"src":['
"""Part of each body with a source; a quick check before the body is parsed."""


def _reach(record: Record, line: int) -> Mapping[int, int]:
    """Returns the last position that counts, by stored branch: of `line` and of the lines it replaced."""
    promotions = [(row, from_json(row.body)["data"]["was"]) for row in record.everything(kinds=PROMOTIONS)]
    reach: dict[int, int] = {}
    lines, waiting = set[int](), {line}
    while waiting:
        act = waiting.pop()
        lines.add(act)
        head = record.head(act).position
        for segment in record.lineage(act):
            upto = head if segment.upto is None else segment.upto
            reach[segment.line] = max(reach.get(segment.line, 0), upto)
        waiting |= {was for row, was in promotions if row.position <= reach.get(row.line, 0)} - lines
    return reach
