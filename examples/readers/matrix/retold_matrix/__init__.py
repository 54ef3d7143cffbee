"""Rooms of Matrix that Element exports (Export chat, format JSON) as a source of `retold import`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from retold.sources.reader import (
    Head,
    Likeness,
    Place,
    Precision,
    Reader,
    Reason,
    Refused,
    Sort,
    Stream,
    Tally,
    Unit,
    When,
    generic_throws,
    keepable,
    sorted_words,
)

_READ: Final = frozenset("type sender content event_id origin_server_ts room_id".split())
"""Fields that are read, or that say the same again."""
_TIME: Final = re.compile(r'(?<!\\)"origin_server_ts"\s*:')
_LIST: Final = re.compile(r'"messages"\s*:\s*\[')
_EMOTE: Final = "m.emote"


def look(head: Head) -> Likeness:
    """Likeness to an export: surely, if its first lines name a room and its first message."""
    text = head.text.lstrip("\ufeff \n\r\t")
    if text.startswith("{") and _LIST.search(text) and _TIME.search(text):
        return Likeness.SURELY
    return Likeness.NO


def count(stream: Stream) -> int:
    """Number of messages by a second way: the times that stand as keys."""
    return len(_TIME.findall(stream.text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a room, one a message. Raises Refused if the file is no whole export of one."""
    try:
        room = json.loads(stream.text)
        units = [
            _unit(message, place, room, tally) for place, message in enumerate(room["messages"], start=1)
        ]
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, OSError):
        raise Refused(f"{stream.name} is no whole export of one room: export it again.") from None
    yield from units


def _unit(message: dict[str, Any], place: int, room: dict[str, Any], tally: Tally) -> Unit:
    tally.fields.update(field for field, value in message.items() if value and field not in _READ)
    content = message["content"]
    words = keepable(str(content.get("body", "")), tally).strip()
    is_file = "url" in content
    unit = Unit(
        place=Place(place, place),
        key=str(message["event_id"]),
        sort=Sort.SAID,
        text="" if is_file else words,
        when=When(_EPOCH + int(message["origin_server_ts"]) * _MILLISECOND, Precision.MILLISECOND),
        channel=str(room.get("room_name") or ""),
        speaker=message["sender"].removeprefix("@").partition(":")[0],
        account=message["sender"],
        attached=(f"[file: {words}]",) if is_file else (),
    )
    if message["type"] != "m.room.message":
        return replace(unit, sort=Sort.NOTICE, left_out=Reason.NOTICE)
    if not unit.text and not is_file:
        return replace(unit, left_out=Reason.EMPTY)
    if content.get("msgtype") == _EMOTE:
        return replace(unit, sort=Sort.TOLD)
    throws = generic_throws(unit.text)
    if throws:
        return replace(unit, sort=Sort.ROLL, throws=throws)
    sort, plain = sorted_words(unit.text)
    return replace(unit, sort=sort, text=plain)


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = datetime.resolution * 1_000

MATRIX: Final = Reader(
    name="matrix",
    family="matrix",
    title="Matrix (Element's JSON)",
    look=look,
    read=read,
    count=count,
    has_ids=True,  # the id of an event is of no other room
    how="Element, the room's menu: Export chat, format JSON",
)
