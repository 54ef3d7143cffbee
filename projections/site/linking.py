"""Names in a text as links to their pages, and everything else as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from projections.mentions import Names
from projections.site.addresses import root


class Linker:
    """Writes texts with links from one page after another."""

    def __init__(self, called: Mapping[str, Iterable[str]]) -> None:
        """`called` has the names that each page is known by."""
        self._names = Names(called)
        self._root = ""
        self._own = ""
        self._met: set[str] = set()

    def begin(self, page: str) -> None:
        """What follows stands on that page, which has no link to itself."""
        self._own, self._root, self._met = page, root(page), set()

    def once(self, text: str) -> Markup:
        """A safe text with a link where somebody or something is named on this page for the first time."""
        return self._linked(text, self._met)

    def each(self, text: str) -> Markup:
        """A safe text with a link at each name."""
        return self._linked(text, set())

    def _linked(self, text: str, met: set[str]) -> Markup:
        parts: list[Markup] = []
        end = 0
        for mention in self._names.found(text):
            if mention.of != self._own and mention.of not in met:
                met.add(mention.of)
                shown = escape(text[mention.start : mention.end])
                parts += (escape(text[end : mention.start]), self._link(mention.of, shown))
                end = mention.end
        return Markup().join((*parts, escape(text[end:])))

    def _link(self, page: str, shown: Markup) -> Markup:
        return Markup('<a class="name" href="{}">{}</a>').format(f"{self._root}{page}", shown)
