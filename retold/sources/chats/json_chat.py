"""What readers of chats in JSON share: the list of messages, and what becomes of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Final

from retold.journal.refused import Refused
from retold.sources.conventions import sorted_speech
from retold.sources.encodings import keepable
from retold.sources.json_objects import around_objects, json_value, objects_in, string_in
from retold.sources.opening import Stream
from retold.sources.placeholders import without_words
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Sort, Unit

Message = Mapping[str, Any]
Known = Mapping[str, str]
"""Names by account."""
_CHAT: Final = re.compile(r'\A\[\s{0,9}\{|\A\{[^\0]*"messages"\s{0,9}:\s{0,9}\[')


@dataclass(frozen=True)
class JsonChat:
    """Reader of the chats that one program exports."""

    sign: re.Pattern[str]
    """Field that all its files have, and no other program's."""
    again: str
    """How a user exports the chat again."""
    fields: frozenset[str]
    """Fields of a message that are read."""
    unit: Callable[[Message, Place, Known], Unit]
    """Returns the unit of a message, with words that a record may not be able to keep."""
    known: Callable[[Sequence[Message], Stream], Known] = lambda _messages, _stream: {}
    """Returns what must be known of all messages to read one."""
    below: str = ""
    """Field of a message with the replies to it, where they stand inside."""

    def look(self, head: Head) -> Likeness:
        """Likeness to an export: surely, if it is a list of messages with the program's own field."""
        start = head.text.lstrip("\ufeff \n\r\t")
        return Likeness.SURELY if _CHAT.search(start) and self.sign.search(start) else Likeness.NO

    def count(self, stream: Stream) -> int:
        """Number of objects in the list of messages, told by their brackets."""
        return sum(
            around == (("[", ""),) or around[-1:] == (("[", '"messages"'),)
            for around in around_objects(stream.text)
        )

    def read(self, stream: Stream, tally: Tally) -> Iterator[Unit]:
        """Units of a chat, one a message. Raises Refused if the file is no whole export of one chat."""
        chat = json_value(stream.text)
        alone = {"messages": chat, "name": PurePosixPath(stream.name).parent.name}
        head: Message = chat if isinstance(chat, dict) else alone
        if not isinstance(head.get("messages"), list):
            raise Refused(f"{stream.name} is cut off or damaged: {self.again}")
        name = keepable(string_in(head, "name"), tally)
        tally.title = tally.title or name
        known = self.known(objects_in(head, "messages"), stream)
        for ordinal, message in enumerate(head["messages"], start=1):
            replies = objects_in(message, self.below) if isinstance(message, dict) else ()
            for each in (message, *replies) if isinstance(message, dict) else ():
                tally.fields.update(f"message.{field}"[:80] for field in each if field not in self.fields)
                unit = self.unit(each, Place(ordinal, ordinal), known)
                yield _read(replace(unit, channel=name, pieces=int(each is message)), tally)


def _read(unit: Unit, tally: Tally) -> Unit:
    unit = replace(
        unit,
        key=keepable(unit.key, tally),
        text=keepable(unit.text, tally).strip(),
        speaker=keepable(unit.speaker, tally),
        attached=tuple(keepable(name, tally) for name in unit.attached),
    )
    unit = unit if unit.unread else without_words(unit)
    if unit.left_out is not None or unit.sort is not Sort.SAID:
        return unit
    sort, text, throws = sorted_speech(unit.text)
    return replace(unit, sort=sort, text=text, throws=throws)
