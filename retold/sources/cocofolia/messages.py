"""Units made of Cocofolia's messages, for both kinds of page."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from retold.journal.refused import Refused
from retold.sources.conventions import sorted_words
from retold.sources.dice import bcdice
from retold.sources.dice.throw import told
from retold.sources.encodings import keepable
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Likeness
from retold.sources.unit import Fact, FactKind, Place, Reason, Sort, Unit

STORY: Final = frozenset({"main", "メイン", "メインタブ"})
NOTES: Final = frozenset({"info", "情報"})
ASIDE: Final = frozenset({"other", "雑談", "雜談", "zatsudan"})
MOST_LINE: Final = 500
"""Longest line that is tried as a change of a track, in characters."""
_SYSTEM: Final = "system"
"""Name under which a room tells changes of tracks."""
_BREAK: Final = re.compile(r"<br ?/?>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-zA-Z!][^<>]{0,2000}>")
_WHOLE: Final = re.compile(r"-?\d{1,9}")
_SECRET: Final = re.compile(r"シークレットダイス\s*\?{3}")


@dataclass(frozen=True, slots=True)
class Message:
    """Message of a room, its name and words still HTML as in the page."""

    ordinal: int
    tab: str
    name: str
    text: str
    pieces: int = 1
    fate: Sort | Reason | None = None
    """SCENE for a heading, FRAME for the page around the messages; None for a message."""
    is_whole: bool = True
    """False if it is cut off or has another shape, so that only its words are known."""


def units(messages: Callable[[], Iterable[Message]]) -> Iterator[Unit]:
    """Units of the messages, read twice: commands found first tell the secret rolls in the second pass."""
    known = bcdice.commands_in(plain(message.text) for message in messages() if message.is_whole)
    ordinals = Ordinals()
    for message in messages():
        yield _unit(message, known, ordinals)


def text_of(stream: Stream, tally: Tally, likeness: Likeness, what: str) -> str:
    """Text of a page; warns if it is cut off. Raises Refused if it has no `what`, and is like no log."""
    if likeness is Likeness.NO:
        raise Refused(f"{stream.name} has no messages {what}, so it is no log of Cocofolia.")
    text = keepable(stream.text, tally)
    if not text.rstrip().endswith("</html>"):
        tally.warn(f"{stream.name} is cut off: its last message may be incomplete. Save it again if you can.")
    return text


def blocks(text: str, start: re.Pattern[str]) -> Iterator[tuple[int, str, str, bool]]:
    """Parts of a page that each begin with a tag: ordinal, tag, what follows it, True for the last one."""
    starts = [found.start() for found in start.finditer(text)]
    for ordinal, (begin, end) in enumerate(pairwise([*starts, len(text)]), start=1):
        opened = text.index(">", begin) + 1
        yield ordinal, text[begin:opened], text[opened:end], end == len(text)


def after_message(ordinal: int, text: str, end: str, *, is_last: bool) -> Iterator[Message]:
    """Text after a message, if it has words: the end of the page, or a part of another shape.

    `end` is the tag that the second counter counts.
    """
    if visible(text):
        fate = Reason.FRAME if is_last else None
        yield Message(ordinal, "", "", text, text.count(end), fate, is_whole=False)


def plain(markup: str) -> str:
    """Words of a message: line breaks for `<br>`, other tags kept, as they were typed."""
    return html.unescape(_BREAK.sub("\n", markup)).strip()


def visible(markup: str) -> str:
    """Words between the tags of a piece of a page."""
    return " ".join(html.unescape(_TAG.sub(" ", markup)).split())


def _unit(message: Message, known: frozenset[str], ordinals: Ordinals) -> Unit:
    tab, name, words = plain(message.tab), plain(message.name), plain(message.text)
    unit = Unit(
        Place(message.ordinal, message.ordinal),
        ordinals.key(tab, name, words, "" if message.is_whole else "cut"),
        Sort.SAID,
        words,
        channel=tab,
        speaker=name,
        pieces=message.pieces,
    )
    if isinstance(message.fate, Reason):
        return replace(unit, sort=Sort.NOTICE, text=visible(message.text), left_out=message.fate)
    if message.fate is not None:
        return replace(unit, sort=message.fate)
    if not message.is_whole:
        return replace(unit, text="", raw=visible(message.text), unread=True)
    unit = replace(unit, passed=(Reason.DECORATION,))
    if not words:
        return replace(unit, left_out=Reason.EMPTY)
    # a tab other than the public ones that every room has (main, information, other)
    return _sorted(replace(unit, hidden=bool(tab) and _folded(tab) not in (STORY | NOTES | ASIDE)), known)


def _folded(tab: str) -> str:
    """Name of a tab, normalised in case and width."""
    return unicodedata.normalize("NFKC", tab).casefold()


def _sorted(unit: Unit, known: frozenset[str]) -> Unit:
    """Unit with its sort, throws and facts."""
    changes = [_change(line.strip()) for line in unit.text.split("\n")]
    if None not in changes:
        facts = tuple(fact for fact in changes if fact and _WHOLE.fullmatch(fact.value))
        speaker = "" if unit.speaker.casefold() == _SYSTEM else unit.speaker
        text = "" if len(facts) == len(changes) else unit.text
        return replace(unit, sort=Sort.NOTE, text=text, speaker=speaker, facts=facts)
    if _SECRET.fullmatch(unit.text):
        return replace(unit, sort=Sort.ROLL, text="", throws=(told(unit.text),))
    answer = bcdice.answer_in(unit.text)
    if answer:
        rolled = replace(unit, sort=Sort.ROLL, text=answer.words, throws=answer.throws)
        if bcdice.is_secret(answer.command, known):  # not even the others of its tab see it
            return replace(rolled, hidden=True, to=(unit.speaker or "?",))
        return rolled
    return _of_words(unit)


def _of_words(unit: Unit) -> Unit:
    """Unit of plain words, sorted by its tab, then by marks that every chat knows."""
    tab = _folded(unit.channel)
    if tab in NOTES or tab in ASIDE:
        return replace(unit, sort=Sort.NOTE if tab in NOTES else Sort.ASIDE)
    sort, words = sorted_words(unit.text)
    if sort is Sort.SAID and not unit.speaker:
        return replace(unit, sort=Sort.TOLD)
    return replace(unit, sort=sort, text=words)


def _change(line: str) -> Fact | None:
    """Change of a track, written `[ Zel ] HP : 12 → 9`; None for a line of another shape."""
    front, _, new = line.rpartition(" → ")
    front, colon, _ = front.rpartition(" : ")
    whose, bracket, name = front.removeprefix("[ ").rpartition(" ] ")
    if not (front.startswith("[ ") and colon and bracket and whose.strip() and name.strip() and new.strip()):
        return None
    return Fact(FactKind.TRACK, name.strip(), new.strip(), whose.strip()) if len(line) <= MOST_LINE else None
