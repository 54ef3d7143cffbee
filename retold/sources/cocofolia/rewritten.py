"""Page that tools make of a room's log: a `dl` for each message, with its tab as a class."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from retold.sources.cocofolia.messages import Message, after_message, blocks, text_of, units, visible
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, head_of
from retold.sources.unit import Sort, Unit

_START: Final = re.compile(r"<(?:dl|h2)(?: [^<>]{0,300})?>")
_MESSAGE: Final = re.compile(r'<dl [^<>]{0,200}class="[^"<>]{1,100}"[^<>]{0,200}>\s{0,20}<dt[^<>]{0,100}>')
_CLASS: Final = re.compile(r'class="(?P<names>[^"]{1,200})"')
_LABEL: Final = re.compile(
    r'<label for="(?P<name>[^"<>]{1,60})">\s{0,20}(?:<input[^<>]{0,300}>)?(?P<label>[^<>]{1,100})<'
)
_END: Final = "</dd>"


def look(head: Head) -> Likeness:
    """Likeness to such a page; never sure, since other programs write lists with classes too."""
    return Likeness.PERHAPS if _MESSAGE.search(head.text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of end tags of words."""
    return stream.text.count(_END)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a page: messages, and its second headings as scenes.

    Raises Refused if nothing in the file looks like such a page.
    """
    text = text_of(stream, tally, look(head_of(stream)), "in lists")
    yield from units(lambda: _messages(text))


def _messages(text: str) -> Iterator[Message]:
    labels = {found["name"]: found["label"].strip() for found in _LABEL.finditer(text)}
    for ordinal, tag, block, is_last in blocks(text, _START):
        is_heading = tag.startswith("<h2")
        body, closed, after = block.partition("</h2>" if is_heading else "</dl>")
        parts = _parts(body) if closed and not is_heading else None
        if is_heading and closed:
            yield Message(ordinal, "", "", visible(body), body.count(_END), Sort.SCENE)
        elif parts is None:
            yield Message(ordinal, "", "", body, body.count(_END), is_whole=False)
        else:
            yield Message(ordinal, _tab(tag, labels), *parts)
        yield from after_message(ordinal, after, _END, is_last=is_last)


def _parts(body: str) -> tuple[str, str] | None:
    """Name and words of a list; None if it has another shape."""
    _, term, rest = body.partition("<dt")
    name, named, rest = rest.partition(">")[2].partition("</dt>")
    between, _, rest = rest.partition("<dd")
    words, closed, after = rest.partition(">")[2].rpartition(_END)
    whole = term and named and closed and not between.strip() and not after.strip()
    return (name, words) if whole else None


def _tab(tag: str, labels: Mapping[str, str]) -> str:
    """Tab of a message: the label of its class, else the class."""
    found = _CLASS.search(tag)
    names = found["names"].split() if found else []
    known = [labels[name] for name in names if name in labels]
    return known[-1] if known else names[-1] if names else ""
