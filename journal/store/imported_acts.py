"""Ids of acts that an import records, and the imported acts that a campaign has already."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from journal.store.amendments import unreadable_event
from journal.store.codec import from_json
from journal.store.errors import Damaged
from journal.store.record import Record

IMPORT_TAG: Final = b"retold/import/1"
PROMOTIONS: Final = ("table.promoted",)
_ID_BYTES: Final = 16


class ImportedAct(NamedTuple):
    """Location of an imported act's first event, and its place in the source file."""

    line: int
    position: int
    source: tuple[str, int]
    """SHA-256 of the source in hexadecimal, and the place in it: a line, or an ordinal."""


def campaign_id(record: Record) -> str:
    """Returns the campaign's own id, 128 bits in hexadecimal; Damaged if its first event is missing."""
    first = record.row(1, 1)
    if first is None:
        raise Damaged("The campaign's first event is missing.")
    return str(from_json(first.body)["data"]["campaign"])


def imported_act_id(campaign: str, family: str, channel: str, key: str, part: int = 0) -> str:
    """Returns the id of the act that a unit of a source becomes in a campaign: the same at every import.

    `campaign` is the campaign's id; `family` the sort of source (`discord`), `channel` and `key` what tells
    the unit from all others; `part` numbers the acts of a unit that becomes several. The id is 128 bits of a
    SHA-256 in base64url: it discloses none of them.
    """
    digest = hashlib.sha256(IMPORT_TAG)
    for piece in (campaign, family, channel, key, str(part)):
        data = piece.encode()
        digest.update(len(data).to_bytes(8) + data)
    return base64.urlsafe_b64encode(digest.digest()[:_ID_BYTES]).rstrip(b"=").decode()


def imported_acts(record: Record, line: int) -> Mapping[str, ImportedAct]:
    """Returns every imported act that branch `line` has or had, by id, with its first stored event.

    Undone acts count, and so do those of former mainlines that this branch took the place of: what a `fix` or
    `retcon` left out there is not imported again. Reads the record once. Raises Damaged for a broken body.
    """
    reach = _reach(record, line)
    found: dict[str, ImportedAct] = {}
    for row in record.everything():
        if _MARK not in row.body or row.line not in reach or row.position > reach[row.line]:
            continue
        try:
            body = _read(row.body)
        except msgspec.MsgspecError as error:
            raise unreadable_event(row) from error
        if body.src is not None:
            found.setdefault(body.act, ImportedAct(row.line, row.position, body.src))
    return found


class _Body(msgspec.Struct):
    """The parts of a body that tell an imported act."""

    act: str
    src: tuple[str, int] | None = None


_read: Final = msgspec.json.Decoder(_Body).decode
_MARK: Final = '"src":['
"""Stands in each body with a source; a quick check before the body is parsed."""


def _reach(record: Record, line: int) -> Mapping[int, int]:
    """Returns the last position that counts, by stored branch: of `line` and of the lines it replaced."""
    promotions = [(row, from_json(row.body)["data"]["was"]) for row in record.everything(kinds=PROMOTIONS)]
    reach: dict[int, int] = {}
    lines, waiting = set[int](), {line}
    while waiting:
        one = waiting.pop()
        lines.add(one)
        head = record.head(one).position
        for segment in record.lineage(one):
            upto = head if segment.upto is None else segment.upto
            reach[segment.line] = max(reach.get(segment.line, 0), upto)
        waiting |= {was for row, was in promotions if row.position <= reach.get(row.line, 0)} - lines
    return reach
