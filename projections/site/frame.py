"""What stands around every page of a site: where it lies, what leads on from it, and what it may do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from projections.exports import html
from projections.mentions import Names
from projections.prose import Voice
from projections.site import addresses as a
from projections.site.addresses import root
from projections.transcript.endings import cut
from projections.typography import typesetter_of

if TYPE_CHECKING:
    from jinja2 import Environment


class SiteLinker:
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


WORDS: Final = 40
"""Words of what a page is about, where a link to it is shown elsewhere."""

_HERE: Final = Path(__file__).parent


class SiteFile(NamedTuple):
    """A file of a site, by its path in it."""

    path: str
    data: bytes


class SiteLink(NamedTuple):
    """A page by its path, and what it is called."""

    path: str
    title: str


class SitePage(Struct, frozen=True):
    """What is said of a page around what it holds: `about` in a preview, `day` where it is of one.

    `styles` and `scripts` are what it may be drawn and moved by, as a content policy has it.
    """

    path: str
    title: str
    about: str = ""
    day: str | None = None
    previous: SiteLink | None = None
    next: SiteLink | None = None
    styles: str = "'self'"
    scripts: str = "'none'"
    root: str = ""
    address: str | None = None

    @property
    def policy(self) -> str:
        """What the browser is to keep it from: whatever is not said here."""
        return (
            f"default-src 'none'; style-src {self.styles}; script-src {self.scripts};"
            " base-uri 'none'; form-action 'none'"
        )


class PageFrame(Struct, frozen=True, dict=True):
    """Fills the templates of a site, each page with the same bar above it.

    `base` is the address where the site will lie, if somebody said so.
    """

    title: str
    voice: Voice
    base: str | None
    bar: tuple[SiteLink, ...]
    linker: SiteLinker

    @property
    def lang(self) -> str:
        """The language of its pages, as HTML names languages."""
        return self.voice.lang

    def say(self, key: str, **values: int | str) -> str:
        """What a page says of its own accord, by its phrase."""
        return self.voice.phrases.say(key, **values)

    def letter(self, text: str) -> str:
        """What was typed as the voice sets it."""
        return typesetter_of(self.voice)(text)

    def address(self, path: str) -> str | None:
        """Where a page will be found; None where nobody knows: what is lost is wherever it was sought."""
        return None if self.base is None or path == a.LOST else a.absolute(self.base, path)

    def page(self, template: str, page: SitePage, **values: object) -> SiteFile:
        """A page by its template, with links at names."""
        self.linker.begin(page.path)
        return SiteFile(page.path, self.filled(template, page=self.placed(page), **values))

    def placed(self, page: SitePage) -> SitePage:
        """A page with what leads from it to where the site begins, and where it will be found."""
        return replace(page, root=page.root or a.root(page.path), address=self.address(page.path))

    def filled(self, template: str, **values: object) -> bytes:
        """A template with these values in it."""
        text = self._filling.get_template(template).render(site=self, **values)
        return (text.rstrip("\n") + "\n").encode()

    @cached_property
    def _filling(self) -> Environment:
        made = html.filling(self.linker.once, _HERE)
        made.filters["linked"] = self.linker.each
        return made


def brief(lines: Iterable[str]) -> str:
    """As much of some lines as a preview shows, on one line."""
    return cut(re.sub(r"\s+", " ", " ".join(lines)).strip(), WORDS, force=True)
