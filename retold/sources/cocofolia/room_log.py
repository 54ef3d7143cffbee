"""Page that a room of Cocofolia writes: a paragraph for each message, with tab, name and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retold.sources.cocofolia.messages import Message, after_message, blocks, text_of, units
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, head_of
from retold.sources.unit import Unit

_START: Final = re.compile(r"<p(?: [^<>]{0,300})?>")
_TITLE: Final = re.compile(r"<title>\s*ccfolia - logs\s*</title>")
_TAB: Final = re.compile(r"<span> ?\[[^<>\n]{0,200}\]</span>\s{0,20}<span>[^<>\n]{0,400}</span> :")
_END: Final = "</p>"


def look(head: Head) -> Likeness:
    """Likeness to a log: its title, or a paragraph with a tab in brackets and a name."""
    if _TITLE.search(head.text):
        return Likeness.SURELY
    return Likeness.PERHAPS if _TAB.search(head.text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of end tags of paragraphs."""
    return stream.text.count(_END)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log; messages in other tabs than the public ones are hidden.

    Raises Refused if nothing in the file looks like a log of Cocofolia.
    """
    text = text_of(stream, tally, look(head_of(stream)), "with a tab and a name")
    yield from units(lambda: _messages(text))


def _messages(text: str) -> Iterator[Message]:
    for ordinal, _, block, is_last in blocks(text, _START):
        body, closed, after = block.partition(_END)
        spans = _spans(body) if closed else None
        if spans is None:
            yield Message(ordinal, "", "", body, pieces=int(bool(closed)), is_whole=False)
        else:
            yield Message(ordinal, *spans)
        yield from after_message(ordinal, after, _END, is_last=is_last)


def _spans(body: str) -> tuple[str, str, str] | None:
    """Tab, name and words of a paragraph; None if it has another shape."""
    tab, rest = _span(body)
    name, rest = _span(rest)
    between, _, rest = rest.partition("<span")
    words, closed, after = rest.partition(">")[2].rpartition("</span>")
    tab = tab.strip()
    if not closed or between.strip() != ":" or after.strip() or not tab.startswith("["):
        return None
    return tab.removeprefix("[").removesuffix("]").strip(), name, words


def _span(text: str) -> tuple[str, str]:
    """Contents of the first span, and what follows it."""
    contents, _, rest = text.partition("<span")[2].partition(">")[2].partition("</span>")
    return contents, rest
