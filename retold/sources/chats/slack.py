"""Channels of Slack, as its export and Slackdump write them in JSON."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Final

from retold.sources.chat_marks import of_whatsapp
from retold.sources.chats.json_chat import JsonChat, Known, Message
from retold.sources.encodings import unknown_user
from retold.sources.json_objects import json_value, object_in, objects_in, string_in
from retold.sources.opening import Stream
from retold.sources.unit import Place, Reason, Sort, Unit, attached_file, instant_of

_SPOKEN: Final = ("", "bot_message", "me_message", "thread_broadcast", "file_share", "file_comment")
"""Kinds of messages that people write."""
_LINK: Final = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|\n]{1,2000})(?:\|(?P<label>[^<>\n]{0,500}))?>")
_SENT: Final = re.compile(r"\d{9,11}\.\d{1,9}")


def _known(messages: Sequence[Message], stream: Stream) -> Known:
    """Names by account, as the messages and the file `users.json` beside them have them."""
    users = [one for one in stream.beside if one.name.rpartition("/")[2] == "users.json"]
    listed = objects_in({"users": json_value(users[0].data)}, "users") if users else []
    found = [(string_in(one, "id"), object_in(one, "profile"), string_in(one, "name")) for one in listed]
    found += [(string_in(one, "user"), object_in(one, "user_profile"), "") for one in messages]
    return {
        account: name
        for account, profile, plain in found
        if (name := string_in(profile, "display_name") or string_in(profile, "real_name") or plain)
    }


def _unit(message: Message, place: Place, known: Known) -> Unit:
    account, sent = string_in(message, "user") or string_in(message, "bot_id"), string_in(message, "ts")
    kind = string_in(message, "subtype")

    def shown(link: re.Match[str]) -> str:
        sign, named = link["sign"], link["label"] or known.get(link["target"])
        unknown = {"@": "somebody", "#": "channel"}.get(sign, link["target"])
        return f"{'@' if sign == '!' else sign}{named or unknown}"

    words, taken_off = of_whatsapp(html.unescape(_LINK.sub(shown, string_in(message, "text"))))
    thread = string_in(message, "thread_ts")
    return Unit(
        place,
        sent or f"broken.{place}",
        Sort.TOLD if kind == "me_message" else Sort.SAID,
        words,
        instant_of(float(sent) * 1000) if _SENT.fullmatch(sent) else None,
        speaker=known.get(account) or string_in(message, "username") or unknown_user(account),
        account=account,
        edited="edited" in message,
        answers=thread if thread != sent else "",
        attached=tuple(attached_file(string_in(one, "name")) for one in objects_in(message, "files")),
        passed=(Reason.MARKUP,) * taken_off,
        left_out=None if kind in _SPOKEN else Reason.NOTICE,
    )


CHAT: Final = JsonChat(
    re.compile(r'(?<!\\)"ts"\s{0,9}:\s{0,9}"\d{9,11}\.\d'),
    "export the channel again.",
    frozenset(
        {
            *("type", "subtype", "user", "text", "ts", "thread_ts", "user_profile", "username", "bot_id"),
            *("files", "edited", "client_msg_id", "team", "blocks", "reply_count"),
            *("slackdump_thread_replies", "source_team", "user_team"),
        }
    ),
    _unit,
    _known,
    "slackdump_thread_replies",
)
