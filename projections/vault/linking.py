"""Names in a text as `[[links]]` to their pages, and everything else escaped as in any Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from projections import safe
from projections.exports.layout import Place
from projections.exports.markdown import Writer, in_paragraph, on_a_line
from projections.exports.twins import widened
from projections.mentions import Names
from projections.prose.phrases import Phrases

_BEGINS, _ENDS = "\ue000", "\ue001"
"""Private signs that stand around a link's number while a text is escaped, which leaves them alone."""

_NUMBERED: Final = re.compile(f"{_BEGINS}([0-9]+){_ENDS}")
_NOT_SHOWN: Final = re.compile(r"[\[\]|\\*`<>$~%]")
"""What would end a link, or be obeyed within it: there is no way to escape it there."""


class Linker:
    """Writes texts with a link at each name that has a page."""

    def __init__(self, called: Mapping[str, Iterable[str]], own: str | None = None) -> None:
        """`called` has the names each page is known by; `own` is the page that is written, not linked."""
        self._names = Names(called)
        self._called = called
        self._own = own

    def on(self, page: str) -> Linker:
        """The same for writing that page."""
        return Linker(self._called, page)

    def line(self, text: str) -> str:
        """A text on one line."""
        return self._linked(text, on_a_line)

    def words(self, text: str) -> str:
        """A text in one paragraph."""
        return self._linked(text, in_paragraph)

    def _linked(self, text: str, escaped: Callable[[str], str]) -> str:
        if _BEGINS in text or _ENDS in text:
            return escaped(text)
        parts: list[str] = []
        links: list[str] = []
        end = 0
        for mention in self._names.found(text):
            if mention.of != self._own:
                parts += (text[end : mention.start], f"{_BEGINS}{len(links)}{_ENDS}")
                links.append(link(mention.of, text[mention.start : mention.end]))
                end = mention.end
        return _NUMBERED.sub(lambda found: links[int(found[1])], escaped("".join((*parts, text[end:]))))


def link(page: str, shown: str) -> str:
    """A link to a page, which a reader sees as `shown`; what would be obeyed is written in full width."""
    return f"[[{page}|{_NOT_SHOWN.sub(widened, _on_one_line(shown))}]]"


def _on_one_line(text: str) -> str:
    """A text without line ends, and without what a terminal would obey."""
    return " ".join(safe.line(text.replace("\n", " ")).split())


class Linked(Writer):
    """Writes a session with links."""

    def __init__(self, place: Place, phrases: Phrases, linker: Linker) -> None:
        super().__init__(place, phrases)
        self.words = linker.words
        self.named = linker.line
