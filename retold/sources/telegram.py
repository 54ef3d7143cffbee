"""Chats of Telegram Desktop, one a file, exported as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from retold.journal.marks import Run, written
from retold.journal.refused import Refused
from retold.sources.conventions import sorted_speech
from retold.sources.encodings import keepable
from retold.sources.json_objects import around_objects, json_value, object_in, objects_in, string_in
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Reason, Sort, Unit, When

_FIELDS: Final = frozenset(
    {
        *("id", "type", "date", "date_unixtime", "from", "from_id", "actor", "actor_id", "action", "text"),
        *("text_entities", "photo", "file", "file_name", "media_type", "edited", "edited_unixtime"),
        *("reply_to_message_id", "poll"),
    }
)
_CHAT: Final = re.compile(r'"messages"\s{0,9}:\s{0,9}\[')
_SENDER: Final = re.compile(r'(?<!\\)"(?:date_unixtime|(?:from|actor)_id)"\s{0,9}:')
_EMPHASIS: Final = ("italic", "underline")
_PLAIN: Final = (
    "plain",
    "mention",
    "mention_name",
    "hashtag",
    "cashtag",
    "bot_command",
    "link",
    "email",
    "phone",
)
_UNSEEN: Final = ("sticker", "animation")
"""Media that say nothing by their names."""


def look(head: Head) -> Likeness:
    """Likeness to an export: surely, if it has messages with Telegram's names for sender and time."""
    start = head.text.lstrip("\ufeff \n\r\t")
    is_chat = _CHAT.search(start) and _SENDER.search(start)
    return Likeness.SURELY if start.startswith("{") and is_chat else Likeness.NO


def count(stream: Stream) -> int:
    """Number of objects in the list of messages, told by their brackets."""
    return sum(around[-1:] == (("[", '"messages"'),) for around in around_objects(stream.text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a chat, one a message. Raises Refused if the file is no whole export of one chat."""
    chat = json_value(stream.text)
    messages = chat.get("messages") if isinstance(chat, dict) else None
    if not isinstance(chat, dict) or not isinstance(messages, list):
        raise Refused(
            f"{stream.name} is cut off or damaged: export the chat again in Telegram Desktop, as JSON."
        )
    name = keepable(string_in(chat, "name"), tally)
    tally.title = tally.title or name
    for ordinal, message in enumerate(messages, start=1):
        if isinstance(message, dict):
            yield _unit(message, Place(ordinal, ordinal), name, tally)


def _unit(message: Mapping[str, Any], place: Place, channel: str, tally: Tally) -> Unit:
    tally.fields.update(f"message.{name}"[:80] for name in message if name not in _FIELDS)
    words, taken_off = _words(message.get("text"))
    unit = Unit(
        place,
        str(message.get("id", f"broken.{place}")),
        Sort.SAID,
        keepable(words, tally).strip(),
        _when(message),
        channel=channel,
        speaker=keepable(string_in(message, "from"), tally),
        account=string_in(message, "from_id"),
        edited="edited" in message,
        answers=str(message.get("reply_to_message_id", "")),
        attached=tuple(keepable(name, tally) for name in _attached(message)),
        passed=(Reason.MARKUP,) * taken_off + (Reason.MEDIA,) * (string_in(message, "media_type") in _UNSEEN),
    )
    if message.get("type") != "message":
        return replace(unit, sort=Sort.NOTICE, left_out=Reason.NOTICE)
    poll = object_in(message, "poll")
    if poll:
        return replace(unit, sort=Sort.ASIDE, text=keepable("\n".join(_poll(poll)), tally))
    if not unit.text and not unit.attached:
        *passed, reason = unit.passed or (Reason.EMPTY,)
        return replace(unit, passed=tuple(passed), left_out=reason)
    sort, text, throws = sorted_speech(unit.text)
    return replace(unit, sort=sort, text=text, throws=throws)


def _words(text: object) -> tuple[str, int]:
    """Words with their marks, and the number of marks taken off; they stand in pieces where some have any."""
    if isinstance(text, str):
        return text, 0
    told: list[Run] = []
    taken_off = 0
    for piece in text if isinstance(text, list) else ():
        whole = piece if isinstance(piece, dict) else {"type": "plain", "text": piece}
        kind, words = string_in(whole, "type"), string_in(whole, "text")
        taken_off += kind not in (*_PLAIN, *_EMPHASIS, "bold")
        told.append(
            Run(f"[spoiler: {words}]" if kind == "spoiler" else words, kind in _EMPHASIS, kind == "bold")
        )
    return written(told), taken_off


def _attached(message: Mapping[str, Any]) -> Iterator[str]:
    """Yields the picture or file beside the words; an export without files has a sentence in its place."""
    media = string_in(message, "media_type")
    for field in ("photo", "file") if media not in _UNSEEN else ():
        path = string_in(message, field)
        kind = {"photo": "picture"}.get(field, "voice" if media == "voice_message" else "file")
        if path:
            name = string_in(message, "file_name") or path.rpartition("/")[2]
            yield f"[{kind}]" if path.startswith("(") else f"[{kind}: {name}]"


def _poll(poll: Mapping[str, Any]) -> Iterator[str]:
    yield string_in(poll, "question")
    for answer in objects_in(poll, "answers"):
        yield f"- {string_in(answer, 'text')} ({answer.get('voters', 0)} votes)"


def _when(message: Mapping[str, Any]) -> When | None:
    """Instant of a message; older exports have the local time alone."""
    try:
        if "date_unixtime" in message:
            return When(datetime.fromtimestamp(int(message["date_unixtime"]), UTC))
        return When(datetime.fromisoformat(string_in(message, "date")))
    except (TypeError, ValueError, OverflowError, OSError):
        return None
