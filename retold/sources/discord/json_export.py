"""DiscordChatExporter's JSON: one channel a file, also if the export was cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from retold.journal.refused import Refused
from retold.sources.discord.messages import (
    Author,
    Embed,
    Kind,
    Message,
    accounted,
    attachment,
    time_of,
)
from retold.sources.encodings import keepable, without_accounts
from retold.sources.json_objects import (
    around_objects,
    damaged,
    is_cut,
    json_value,
    listed,
    object_in,
    objects_in,
    text_in,
)
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When

_MESSAGES: Final = re.compile(r'"messages"\s{0,40}:\s{0,40}\[')
_LISTED: Final = re.compile(
    r'"id":\s{0,9}"(?P<id>\d{1,20})",\s{0,40}"name":\s{0,9}"(?P<name>(?:[^"\\]|\\.){1,200})"'
    r'(?:,\s{0,40}"discriminator":\s{0,9}"[^"]{0,9}")?'
    r'(?:,\s{0,40}"nickname":\s{0,9}"(?P<nickname>(?:[^"\\]|\\.){1,200})")?'
)
"""Person or role in an export."""
_CHANNEL: Final = re.compile(r'"channel":\s{0,9}\{\s{0,40}"id":\s{0,9}"(?P<id>\d{1,20})"')
_WORDS: Final = frozenset({"Default", "Reply", "0", "19", "20", "21", "23"})
_NOTICES: Final = frozenset(
    {
        *("RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange"),
        *("ChannelPinnedMessage", "GuildMemberJoin", "ThreadCreated"),
        *(str(number) for number in (*range(1, 19), 22, *range(24, 40))),
    }
)
_FIELDS: Final = frozenset(
    {
        *("id", "type", "timestamp", "timestampEdited", "isPinned", "content", "author", "attachments"),
        *("embeds", "stickers", "reactions", "mentions", "reference", "forwardedMessage", "interaction"),
    }
)
_EMBED_FIELDS: Final = frozenset({"title", "description", "author", "footer", "fields"})


def look(head: Head) -> Likeness:
    """Likeness to an export: a JSON object with the keys `guild`, `channel` and `messages`."""
    if not head.text.lstrip("\ufeff \t\r\n").startswith("{"):
        return Likeness.NO
    keys = sum(f'"{key}"' in head.text for key in ("guild", "channel", "messages"))
    if keys == 3 and ('"exportedAt"' in head.text or '"dateRange"' in head.text or '"isPinned"' in head.text):
        return Likeness.SURELY
    return Likeness.PERHAPS if keys >= 2 else Likeness.NO


def count(stream: Stream) -> int:
    """Number of objects that open directly inside the list `messages` of the outermost object."""
    return sum(around[1:] == (("[", '"messages"'),) for around in around_objects(stream.text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of an export. Raises Refused if it is no export, or is broken elsewhere than at its end."""
    text, cut = stream.text, is_cut(stream.text)
    opens = _MESSAGES.search(text)
    header = json_value(text[: opens.start()].rstrip(", \t\r\n") + "}") if opens else {}
    if isinstance(header, dict) and "channel" not in header and not cut:
        header = json_value(text)
    if not isinstance(header, dict):
        raise damaged(text, 0, stream.name)
    if header.get("schemaVersion", 1) != 1:
        raise Refused(
            f"{stream.name} is of a fork of DiscordChatExporter (schemaVersion 2), which cannot be read yet;"
            " export it with Tyrrrz's DiscordChatExporter as JSON."
        )
    if opens is None and not cut:
        raise Refused(f"{stream.name} holds no list of messages; export the channel again as JSON.")
    channel = keepable(text_in(object_in(header, "channel"), "name"), tally)
    yield from _accounted(stream, opens.end() if opens else len(text), channel, tally)
    if cut:
        tally.warn(
            f"{stream.name} is cut off: it is read up to its last whole message. Export it again if you can."
        )


def _accounted(stream: Stream, start: int, channel: str, tally: Tally) -> Iterator[Unit]:
    """Units of all messages; what cannot be a message stays in its place, unread."""
    waiting: list[Unit] = []

    def messages() -> Iterator[Message]:
        for ordinal, (item, raw) in enumerate(listed(stream.text, start, stream.name), start=1):
            message = _message(item, ordinal, channel, tally) if isinstance(item, dict) else None
            if message is not None:
                yield message
            elif raw.startswith("{"):
                half = Reason.CUT if item is None else None  # the whole file has it whole
                words, place = without_accounts(keepable(raw, tally)), Place(ordinal, ordinal)
                broken = Unit(place, f"broken.{ordinal}", Sort.NOTICE, channel=channel, raw=words)
                waiting.append(replace(broken, unread=half is None, left_out=half))
            elif item is not None:
                raise Refused(f"{stream.name} holds something else than a message among its messages.")

    yield from accounted(messages(), waiting, _names(stream.text, channel))


def _names(text: str, channel: str) -> dict[str, str]:
    """Names of the people, roles and channels that an export lists anywhere, by their numbers."""
    named = ((one["id"], one["nickname"] or one["name"]) for one in _LISTED.finditer(text))
    found = {number: str(json_value(f'"{name}"') or name) for number, name in named}
    own = _CHANNEL.search(text, 0, 4_000)
    return {**found, **({own["id"]: channel} if own and channel else {})}


def _message(item: Mapping[str, Any], ordinal: int, channel: str, tally: Tally) -> Message | None:
    """Message read from a JSON object; None if its id or author is missing."""
    identifier = text_in(item, "id")
    author = object_in(item, "author")
    if not identifier or not author:
        return None
    tally.count_fields("message", item, _FIELDS)
    kind = text_in(item, "type") or "Default"
    reference, forwarded = object_in(item, "reference"), object_in(item, "forwardedMessage")
    asker = object_in(object_in(item, "interaction"), "user")
    parts = (item, forwarded) if forwarded else (item,)
    return Message(
        place=Place(ordinal, ordinal),
        key=identifier,
        kind=_kind(kind),
        author=_author(author, tally),
        when=_when(text_in(item, "timestamp"), identifier),
        channel=channel,
        text=keepable(text_in(item, "content") or text_in(forwarded, "content"), tally),
        embeds=tuple(
            embed
            for part in parts
            for one in objects_in(part, "embeds")
            if any(embed := _embed(one, tally))  # the preview of a picture has no words
        ),
        attached=tuple(name for part in parts for name in _attached(part, tally)),
        edited=bool(text_in(item, "timestampEdited")),
        pinned=item.get("isPinned") is True,
        answers=text_in(reference, "messageId") if kind in ("Reply", "19") else "",
        asker=_author(asker, tally) if asker else None,
        mentions=tuple(_author(one, tally) for one in objects_in(item, "mentions")),
        reactions=len(objects_in(item, "reactions")),
        forwarded=bool(forwarded),
    )


def _kind(name: str) -> Kind:
    if name in _WORDS:
        return Kind.WORDS
    return Kind.NOTICE if name in _NOTICES else Kind.UNKNOWN


def _author(item: Mapping[str, Any], tally: Tally) -> Author:
    label = keepable(text_in(item, "nickname") or text_in(item, "name") or "?", tally)
    is_bot = item.get("isBot") is True
    proxy = is_bot and text_in(item, "discriminator") in ("0000", "0", "")
    return Author(label, text_in(item, "id"), is_bot, proxy)


def _embed(item: Mapping[str, Any], tally: Tally) -> Embed:
    tally.count_fields("embed", item, _EMBED_FIELDS)
    fields = [(text_in(one, "name"), text_in(one, "value")) for one in objects_in(item, "fields")]
    return Embed(
        keepable(text_in(item, "title"), tally),
        keepable(text_in(item, "description"), tally),
        tuple((keepable(name, tally), keepable(value, tally)) for name, value in fields),
        keepable(text_in(object_in(item, "footer"), "text"), tally),
        keepable(text_in(object_in(item, "author"), "name"), tally),
    )


def _attached(item: Mapping[str, Any], tally: Tally) -> Iterator[str]:
    for one in objects_in(item, "attachments"):
        yield attachment(keepable(text_in(one, "fileName") or text_in(one, "url"), tally))
    for one in objects_in(item, "stickers"):
        yield f"[sticker: {keepable(text_in(one, 'name'), tally)}]"


def _when(timestamp: str, identifier: str) -> When | None:
    try:
        time = datetime.fromisoformat(timestamp)
    except ValueError:
        return time_of(identifier)
    return When(time, Precision.MILLISECOND)
