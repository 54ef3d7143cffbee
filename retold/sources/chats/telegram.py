"""Chats of Telegram Desktop, one a file, exported as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from retold.journal.marks import Run, written
from retold.sources.chats.json_chat import JsonChat, Known, Message
from retold.sources.encodings import unknown_user
from retold.sources.json_objects import object_in, objects_in, string_in
from retold.sources.unit import Place, Reason, Sort, Unit, When

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


def _unit(message: Message, place: Place, _known: Known) -> Unit:
    words, taken_off = _words(message.get("text"))
    poll = object_in(message, "poll")
    reason = None if message.get("type") == "message" else Reason.NOTICE
    return Unit(
        place,
        str(message.get("id", f"broken.{place}")),
        Sort.NOTICE if reason else Sort.ASIDE if poll else Sort.SAID,
        "\n".join(_poll(poll)) if poll and not reason else words,
        _when(message),
        speaker="" if reason else string_in(message, "from") or unknown_user(string_in(message, "from_id")),
        account=string_in(message, "from_id"),
        edited="edited" in message,
        answers=str(message.get("reply_to_message_id", "")),
        attached=tuple(_attached(message)),
        passed=(Reason.MARKUP,) * taken_off + (Reason.MEDIA,) * (string_in(message, "media_type") in _UNSEEN),
        left_out=reason,
    )


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


def _attached(message: Message) -> Iterator[str]:
    """Yields the picture or file beside the words; an export without files has a sentence in its place."""
    media = string_in(message, "media_type")
    for field in ("photo", "file") if media not in _UNSEEN else ():
        path = string_in(message, field)
        kind = {"photo": "picture"}.get(field, "voice" if media == "voice_message" else "file")
        if path:
            name = string_in(message, "file_name") or path.rpartition("/")[2]
            yield f"[{kind}]" if path.startswith("(") else f"[{kind}: {name}]"


def _poll(poll: Message) -> Iterator[str]:
    yield string_in(poll, "question")
    for answer in objects_in(poll, "answers"):
        yield f"- {string_in(answer, 'text')} ({answer.get('voters', 0)} votes)"


def _when(message: Message) -> When | None:
    """Instant of a message; older exports have the local time alone."""
    try:
        if "date_unixtime" in message:
            return When(datetime.fromtimestamp(int(message["date_unixtime"]), UTC))
        return When(datetime.fromisoformat(string_in(message, "date")))
    except (TypeError, ValueError, OverflowError, OSError):
        return None


CHAT: Final = JsonChat(
    re.compile(r'(?<!\\)"(?:date_unixtime|(?:from|actor)_id)"\s{0,9}:'),
    "export the chat again in Telegram Desktop, as JSON.",
    frozenset(
        {
            *(
                "id",
                "type",
                "date",
                "date_unixtime",
                "from",
                "from_id",
                "actor",
                "actor_id",
                "action",
                "text",
            ),
            *("text_entities", "photo", "file", "file_name", "media_type", "edited", "edited_unixtime"),
            *("reply_to_message_id", "poll"),
        }
    ),
    _unit,
)
