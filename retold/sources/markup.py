"""Words of HTML fragments, such as the cards of a virtual tabletop; nothing in them is run or fetched."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final, NamedTuple

_BLOCKS: Final = frozenset(
    {
        *(
            "address",
            "article",
            "blockquote",
            "br",
            "dd",
            "div",
            "dl",
            "dt",
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
        ),
        *("h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul"),
    }
)
_SILENT: Final = frozenset({"script", "style", "template", "button"})


class Words(NamedTuple):
    """Text of a fragment, and what of it is no text."""

    text: str
    has_blocks: bool
    """True if the fragment is more than a line of words: it has headings, tables or the like."""
    buttons: int
    pictures: int


def words_of(fragment: str) -> Words:
    """Text of a fragment: a line for each block, without buttons, scripts and pictures."""
    if "<" not in fragment and "&" not in fragment:
        return Words(" ".join(fragment.split()), has_blocks=False, buttons=0, pictures=0)
    reader = _Reader()
    reader.feed(fragment)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return Words("\n".join(filter(None, lines)), reader.blocks > 0, reader.buttons, reader.pictures)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.blocks = self.buttons = self.pictures = 0
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.buttons += tag == "button"
        self.pictures += tag == "img"
        if tag in _SILENT:
            self._silent.append(tag)
        if tag in _BLOCKS:
            self.blocks += tag not in ("br", "p")
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            while self._silent and self._silent.pop() != tag:
                pass
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(re.sub(r"\s+", " ", data))
