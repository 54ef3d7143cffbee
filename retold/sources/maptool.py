"""Chats that MapTool saves as a page, since its version 1.8: a block for each message, with its kind."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from retold.journal.marks import Run, written
from retold.journal.refused import Refused
from retold.sources.conventions import sorted_speech
from retold.sources.dice.generic import throws as generic_throws
from retold.sources.encodings import keepable
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When

_KINDS: Final = ("say", "emote", "emit", "ooc", "self", "system", "to-gm", "whisper")
_PREFIXES: Final = ("prefix", "trusted-prefix")
"""Classes of the name in front of words."""
_BREAKS: Final = ("br", "p", "tr", "li")
_STRONG: Final = ("b", "strong")
_EMPHASIS: Final = ("i", "em")
_SIGN: Final = re.compile(
    r"<table class=[\"']?ava-msg\b|<div class=[\"']?(?:emit|ooc|to-gm|whisper)\b", re.IGNORECASE
)
_BLOCK: Final = re.compile(r"<div(?![\w-])[^<>]{0,4000}>", re.IGNORECASE)
_TAG: Final = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]{0,20})(?![\w-])(?P<more>[^<>]{0,4000})>")
_CLASS: Final = re.compile(r"\bclass=[\"']?(?P<name>[\w-]{1,40})")
_SHOWN: Final = re.compile(r"\btitle=(?P<quote>[\"'])(?P<title>[^\"']{1,2000})(?P=quote)")
_DAY: Final = re.compile(r"chatlog-(?P<day>\d{4}-\d\d-\d\d)-\d\d-\d\d")
"""Beginning of the name of a page that MapTool saved by itself."""
_ADDRESSED: Final = re.compile(
    r"(?:\* )?(?:You|(?P<name>[^:\n]{1,80}?)) (?:whispers?|says?|rolls?)(?P<secretly> secretly)?"
    r"(?: to (?:you|yourself|the GMs|(?P<to>[^:\n]{1,80}?)))?: (?P<words>.*)",
    re.DOTALL,
)
"""Words of a whisper or a roll, with who alone heard it, in English."""
_ROLLED: Final = re.compile(r"\* (?P<name>[^:\n]{1,80}?) rolls: (?P<words>.*)", re.DOTALL)
"""Roll before the whole table."""


@dataclass(slots=True)
class _Message:
    """Block of a page that is being read."""

    kind: str = ""
    name: str = ""
    told: list[Run] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    """What MapTool shows of a roll among words."""
    pieces: int = 0
    is_name: bool = False
    """True between the tags around the name."""
    strong: int = 0
    emphasis: int = 0

    def see(self, tag: re.Match[str]) -> None:
        """Takes a tag's part in the message."""
        name, step = tag["name"].casefold(), -1 if tag["end"] else 1
        found = _CLASS.search(tag["more"])
        of = found["name"] if found else ""
        self.kind = of if of in _KINDS else self.kind
        self.is_name = of in _PREFIXES or (self.is_name and name != "span")
        self.strong += step * (name in _STRONG)
        self.emphasis += step * (name in _EMPHASIS)
        if name in _BREAKS:
            self.told.append(Run("\n"))
        title = _SHOWN.search(tag["more"]) if of == "roll" else None
        if title:
            self.titles.append(html.unescape(title["title"]))

    def add(self, text: str) -> None:
        """Adds what stands between two tags, whose line ends say nothing."""
        words = html.unescape(re.sub(r"\s+", " ", text)).replace("\xa0", " ")
        if self.is_name:
            self.name += words
        else:
            self.told.append(Run(words, self.emphasis > 0, self.strong > 0))

    @property
    def text(self) -> str:
        """Its words."""
        lines = (re.sub(r" +", " ", line).strip() for line in written(self.told).split("\n"))
        return "\n".join(filter(None, lines))


def look(head: Head) -> Likeness:
    """Likeness to a saved chat: its blocks have MapTool's own classes."""
    return Likeness.SURELY if _SIGN.search(head.text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of blocks."""
    return len(_BLOCK.findall(_body(stream.text)))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a chat; what the whole table did not see, or may not have seen, is hidden.

    Raises Refused if no block is of MapTool.
    """
    text = keepable(stream.text, tally)
    messages = list(_messages(_body(text)))
    if not any(message.kind for message in messages):
        raise Refused(f"{stream.name} has no message of MapTool.")
    names = {message.name.strip(" :") for message in messages if message.kind == "say"}
    dated = _DAY.search(stream.name)
    ordinals = Ordinals()
    for ordinal, message in enumerate(messages, start=1):
        unit = Unit(
            Place(ordinal, ordinal),
            ordinals.key(message.kind, message.name, message.text),
            Sort.SAID,
            message.text,
            _day(dated["day"]) if dated else None,
            pieces=message.pieces,
        )
        throws = tuple(throw for title in message.titles for throw in generic_throws(title))
        found = _sorted(unit, message, names)
        yield replace(found, throws=found.throws or throws)


def _day(text: str) -> When | None:
    try:
        return When(datetime.fromisoformat(text), Precision.DAY)
    except ValueError:
        return None


def _body(text: str) -> str:
    """Contents of a page without its comments."""
    first, *others = text.split("<!--")
    told = first + "".join(part.partition("-->")[2] for part in others)
    begun = re.search(r"<body\b[^<>]{0,4000}>", told, re.IGNORECASE)
    return told[begun.end() :] if begun else told


def _messages(body: str) -> Iterator[_Message]:
    """Yields the outer blocks, and what stands between them."""
    now, depth, at = _Message(), 0, 0
    for tag in _TAG.finditer(body):
        now.add(body[at : tag.start()])
        at = tag.end()
        if tag["name"].casefold() == "div":
            if not depth and now.text:
                yield now
                now = _Message()
            depth = max(0, depth - 1) if tag["end"] else depth + 1
            now.pieces += not tag["end"]
            if not depth and now.pieces:
                yield now
                now = _Message()
        now.see(tag)
    now.add(body[at:])
    if now.text or now.pieces:
        yield now


def _sorted(unit: Unit, message: _Message, names: Collection[str]) -> Unit:
    """Unit with its sort, its speaker and its throws."""
    if message.kind == "system" or not unit.text:
        return replace(unit, left_out=Reason.NOTICE if unit.text else Reason.EMPTY)
    if message.kind == "emit":
        return replace(unit, sort=Sort.TOLD)
    if message.kind == "emote":
        name = max((one for one in names if unit.text.startswith(f"{one} ")), key=len, default="")
        return replace(unit, sort=Sort.TOLD, speaker=name, text=unit.text[len(name) :].strip())
    if message.kind == "ooc":
        name, _, words = unit.text.partition(": ")
        return replace(unit, sort=Sort.ASIDE, speaker=name, text=words.strip("() "))
    name, words, rolled = message.name.strip(" :"), unit.text, _ROLLED.fullmatch(unit.text)
    if message.kind != "say" and not rolled:
        found = _ADDRESSED.fullmatch(f"{message.name} {unit.text}".strip())
        to = (found["to"],) if found and found["to"] else ()
        name, words = (found["name"] or "", found["words"]) if found else ("", words)
        unit = replace(unit, hidden=True, to=to)
    elif rolled:
        name, words = rolled["name"], rolled["words"]
    sort, text, throws = sorted_speech(words)
    sort = sort if name or throws else Sort.ASIDE
    return replace(unit, sort=sort, speaker=name, text="" if sort is Sort.ROLL else text, throws=throws)
