"""Foundry's messages as its archive modules save them: JSON, a list or an object around one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from retold.journal.refused import Refused
from retold.sources.foundry.messages import kept_raw, order_of, unit_of
from retold.sources.foundry.world import world_of
from retold.sources.json_objects import around_objects, listed, string_in
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Sort, Unit

_LIST: Final = re.compile(r'"(?:messages|chats)"\s{0,9}:\s{0,9}\[\s{0,99}\{')
_KEYS: Final = ("_id", "speaker", "timestamp", "content")


class _Archive(msgspec.Struct):
    """Object around the list; modules name it in two ways."""

    messages: list[dict[str, Any]] = []
    chats: list[dict[str, Any]] = []


def look(head: Head) -> Likeness:
    """Likeness to an archive: sure for a JSON list whose objects have the keys of messages."""
    is_messages = all(f'"{key}":' in head.text for key in _KEYS)
    return Likeness.SURELY if is_messages and opens_list(head.text) else Likeness.NO


def opens_list(text: str) -> bool:
    """True if a text begins with a JSON list, or with an object that holds a list of messages."""
    start = text.lstrip("\ufeff \t\r\n")
    return start.startswith("[") or (
        start.startswith("{") and _LIST.search(start.partition('"speaker"')[0]) is not None
    )


def count(stream: Stream) -> int:
    """Number of objects that open directly inside the list, or inside the lists of the outermost object."""
    named = ("[", '"messages"'), ("[", '"chats"')
    return sum(
        [sign for sign, _ in around] == ["["] or (len(around) > 1 and around[1] in named)
        for around in around_objects(stream.text)
    )


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of an archive in order of time; of one that is cut off, up to its last whole message.

    Raises Refused for another file, and for a damaged one.
    """
    world = world_of(stream, tally)
    messages = []
    items, rest = _items(stream.name, stream.text)
    if rest is not None:
        tally.warn(
            f"{stream.name} is cut off: it is read up to its last whole message. Save it again if you can."
        )
    if rest:
        last = Place(len(items) + 1, len(items) + 1)
        yield Unit(last, f"broken.{last}", Sort.NOTICE, raw=kept_raw(rest, tally), unread=True)
    for ordinal, item in enumerate(items, start=1):
        place = Place(ordinal, ordinal)
        if string_in(item, "_id"):
            messages.append((order_of(item), place, item))
        else:
            raw = kept_raw(json.dumps(item, ensure_ascii=False), tally)
            yield Unit(place, f"broken.{ordinal}", Sort.NOTICE, raw=raw, unread=True)
    for _, place, item in sorted(messages, key=lambda message: message[:2]):
        yield unit_of(item, place, 1, world, tally)


def _items(name: str, text: str) -> tuple[list[dict[str, Any]], str | None]:
    """Messages of an archive; if it is cut off, also the beginning of the message there, else None."""
    try:
        if not text.lstrip().startswith("{"):
            return msgspec.json.decode(text, type=list[dict[str, Any]]), None
        found = msgspec.json.decode(text, type=_Archive)
    except msgspec.ValidationError:
        raise Refused(f"{name} is no archive of Foundry: it has no list of messages.") from None
    except msgspec.DecodeError as error:
        is_cut = "truncated" in str(error)
        whole = _whole_items(text, name) if is_cut else ([], "")
        if whole[0]:
            return whole
        wrong = "cut off" if is_cut else "damaged"
        raise Refused(f"{name} is {wrong}: save the archive again in Foundry, or copy it again.") from None
    except (RecursionError, UnicodeEncodeError):
        raise Refused(
            f"{name} is no archive of Foundry: its JSON cannot be read. Save the archive again."
        ) from None
    return [*found.messages, *found.chats], None


def _whole_items(text: str, name: str) -> tuple[list[dict[str, Any]], str]:
    """Messages that are whole in an archive that is cut off, and the beginning of the one after them."""
    begun = _LIST.search(text) if text.lstrip().startswith("{") else re.search(r"\[\s*\{", text)
    found: list[dict[str, Any]] = []
    while begun is not None:
        at = begun.end() - 1
        for item, raw in listed(text, at, name):
            at = text.index(raw, at) + len(raw)
            if not isinstance(item, dict):
                return found, raw
            found.append(item)
        begun = _LIST.search(text, at)
    return found, ""
