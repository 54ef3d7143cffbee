"""Rooms of Matrix, as Element exports them in JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from retold.sources.chats.json_chat import JsonChat, Known, Message
from retold.sources.json_objects import is_number, object_in, string_in
from retold.sources.opening import Stream
from retold.sources.unit import Place, Reason, Sort, Unit, attached_file, instant_of

_FILES: Final = ("m.image", "m.file", "m.audio", "m.video")
_QUOTED: Final = re.compile(r"\A(?:>[^\n]*\n)+\n")
"""Beginning of a reply, with the words that it is for."""
_ENCRYPTED: Final = "m.room.encrypted"
_REASONS: Final = {"m.room.message": None, _ENCRYPTED: None, "m.reaction": Reason.REACTION}


def _known(events: Sequence[Message], _stream: Stream) -> Known:
    """Names by account, and the words of the last edit by the id of its message."""
    known: dict[str, str] = {}
    for event in events:
        content = object_in(event, "content")
        if event.get("type") == "m.room.member":
            known[string_in(event, "state_key")] = string_in(content, "displayname")
        elif edited := _edited(content):
            known[edited] = string_in(object_in(content, "m.new_content"), "body")
    return known


def _edited(content: Message) -> str:
    """Id of the message that an event edits; empty if it edits none."""
    related = object_in(content, "m.relates_to")
    return string_in(related, "event_id") if related.get("rel_type") == "m.replace" else ""


def _unit(event: Message, place: Place, known: Known) -> Unit:
    content, sender, kind = object_in(event, "content"), string_in(event, "sender"), event.get("type")
    identifier, sent = string_in(event, "event_id") or f"broken.{place}", event.get("origin_server_ts")
    words = known.get(identifier) or _QUOTED.sub("", string_in(content, "body"))
    how = string_in(content, "msgtype")
    return Unit(
        place,
        identifier,
        Sort.TOLD if how == "m.emote" else Sort.SAID,
        "" if how in _FILES else words,
        instant_of(sent) if is_number(sent) else None,
        speaker=known.get(sender) or sender.partition(":")[0].removeprefix("@"),
        account=sender,
        edited=identifier in known,
        answers=string_in(object_in(object_in(content, "m.relates_to"), "m.in_reply_to"), "event_id"),
        attached=(attached_file(string_in(content, "filename") or words),) if how in _FILES else (),
        raw="encrypted" if kind == _ENCRYPTED else "",
        unread=kind == _ENCRYPTED,
        left_out=Reason.REPEAT if _edited(content) else _REASONS.get(str(kind), Reason.NOTICE),
    )


CHAT: Final = JsonChat(
    re.compile(r'(?<!\\)"origin_server_ts"\s{0,9}:\s{0,9}\d'),
    "export the room again in Element, as JSON.",
    frozenset(
        {
            *(
                "type",
                "sender",
                "content",
                "origin_server_ts",
                "event_id",
                "state_key",
                "room_id",
                "unsigned",
            ),
            *("user_id", "age"),
        }
    ),
    _unit,
    _known,
)
