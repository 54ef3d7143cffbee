"""Chats of Telegram Desktop (Export chat history, format JSON) as a source of `retold import`."""

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

_READ: Final = frozenset(
    "id type date date_unixtime from from_id text text_entities file photo edited edited_unixtime".split()
)
"""Fields that are read, or that say the same again."""
_TIME: Final = re.compile(r'(?<!\\)"date_unixtime"\s*:')
_LIST: Final = re.compile(r'"messages"\s*:\s*\[')


def look(head: Head) -> Likeness:
    """Likeness to an export: surely, if its first lines name a chat and its first message."""
    text = head.text.lstrip("\ufeff \n\r\t")
    if text.startswith("{") and _LIST.search(text) and _TIME.search(text):
        return Likeness.SURELY
    return Likeness.NO


def count(stream: Stream) -> int:
    """Number of messages by a second way: the times that stand as keys."""
    return len(_TIME.findall(stream.text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a chat, one a message. Raises Refused if the file is no whole export of one."""
    try:
        chat = json.loads(stream.text)
        units = [
            _unit(message, place, chat, tally) for place, message in enumerate(chat["messages"], start=1)
        ]
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, OSError):
        raise Refused(f"{stream.name} is no whole export of one chat: export it again.") from None
    yield from units


def _unit(message: dict[str, Any], place: int, chat: dict[str, Any], tally: Tally) -> Unit:
    tally.fields.update(field for field, value in message.items() if value and field not in _READ)
    words = keepable(_plain(message.get("text", "")), tally).strip()
    pictures = [f"[{kind}]" for kind in ("photo", "file") if message.get(kind)]
    unit = Unit(
        place=Place(place, place),
        key=str(message["id"]),
        sort=Sort.SAID,
        text=words,
        when=When(datetime.fromtimestamp(int(message["date_unixtime"]), UTC)),
        channel=str(chat.get("name") or ""),
        speaker=str(message.get("from") or ""),
        account=str(message.get("from_id", "")),
        edited=bool(message.get("edited_unixtime")),
        attached=tuple(pictures),
    )
    if message.get("type") == "service":
        return replace(unit, sort=Sort.NOTICE, left_out=Reason.NOTICE)
    if not words and not pictures:
        return replace(unit, left_out=Reason.EMPTY)
    throws = generic_throws(words)
    if throws:
        return replace(unit, sort=Sort.ROLL, throws=throws)
    sort, plain = sorted_words(words)
    return replace(unit, sort=sort, text=plain)


def _plain(text: str | list[str | dict[str, str]]) -> str:
    """Words of a message, which stand in pieces where some of them are bold, links or names."""
    if isinstance(text, str):
        return text
    return "".join(piece if isinstance(piece, str) else piece.get("text", "") for piece in text)


TELEGRAM: Final = Reader(
    name="telegram",
    family="telegram",
    title="Telegram (JSON)",
    look=look,
    read=read,
    count=count,
    has_ids=False,  # the number of a message is its own chat's
    how="Telegram Desktop, the chat's menu: Export chat history, format machine-readable JSON",
)
