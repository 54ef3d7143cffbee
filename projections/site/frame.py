"""Frame of a site's pages: path, navigation bar, links at names, and content security policy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from retold.projections.exports import html
from retold.projections.prose import Voice
from retold.projections.site import addresses as a
from retold.projections.site.addresses import root
from retold.projections.story.transcript.endings import cut
from retold.projections.story.typography import typesetter_of
from retold.projections.texts import templates
from retold.projections.views.mentions import Names

if TYPE_CHECKING:
    from jinja2 import Environment


class SiteLinker:
    """Writer of page texts in which names are links to their pages."""

    def __init__(self, called: Mapping[str, Iterable[str]]) -> None:
        """Takes `called`: the path of each linked page, with the names that lead to it."""
        self._names = Names(called)
        self._root = ""
        self._own = ""
        self._met: set[str] = set()

    def begin(self, page: str) -> None:
        """Starts writing page `page`: forgets the names met so far, and makes no links to the page itself."""
        self._own, self._root, self._met = page, root(page), set()

    def once(self, text: str) -> Markup:
        """Returns escaped text with a link at each name that is mentioned on the page for the first time."""
        return self._linked(text, self._met)

    def each(self, text: str) -> Markup:
        """Returns escaped text with a link at the first mention of each name in this text."""
        return self._linked(text, set())

    def _linked(self, text: str, met: set[str]) -> Markup:
        parts: list[Markup] = []
        end = 0
        for mention in self._names.found(text):
            if mention.of != self._own and mention.of not in met:
                met.add(mention.of)
                shown = escape(text[mention.start : mention.end])
                parts += (
                    escape(text[end : mention.start]),
                    Markup('<a class="name" href="{}">{}</a>').format(f"{self._root}{mention.of}", shown),
                )
                end = mention.end
        return Markup().join((*parts, escape(text[end:])))


WORDS: Final = 40
"""Words in a link preview."""

_HERE: Final = Path(__file__).parent


class SiteFile(NamedTuple):
    """File of a site: its path and its content."""

    path: str
    data: bytes


class SiteLink(NamedTuple):
    """Link target: path and title of a page."""

    path: str
    title: str


class SitePage(Struct, frozen=True):
    """Data of a page for its template: `about` is the text of link previews, `day` a session's date.

    `styles`, `scripts` and `images` are the allowed sources in its content policy.
    """

    path: str
    title: str
    about: str = ""
    day: str | None = None
    previous: SiteLink | None = None
    next: SiteLink | None = None
    styles: str = "'self'"
    scripts: str = "'none'"
    images: str = "'none'"
    root: str = ""
    address: str | None = None
    picture: str | None = None
    """Path of the picture of link previews; None for the site's own."""

    @property
    def policy(self) -> str:
        """Content security policy of the page, which forbids every source not listed."""
        images = "" if self.images == "'none'" else f" img-src {self.images};"
        return (
            f"default-src 'none'; style-src {self.styles}; script-src {self.scripts};{images}"
            " font-src 'self'; base-uri 'none'; form-action 'none'"
        )


class PageFrame(Struct, frozen=True, dict=True):
    """Renderer of a site's templates; every page gets the same navigation bar (`bar`).

    `base` is the public address of the site, if known, and `picture` the path of its cover.
    """

    title: str
    voice: Voice
    base: str | None
    bar: tuple[SiteLink, ...]
    linker: SiteLinker
    picture: str | None = None

    @property
    def lang(self) -> str:
        """Language of the pages, as an HTML language code."""
        return self.voice.page_lang

    def say(self, key: str, **values: int | str) -> str:
        """Returns the interface text with the phrase key `key`; `values` fill its gaps."""
        return self.voice.phrases.say(key, **values)

    def day(self, date: str) -> str:
        """Returns a date such as `2026-06-13` as the site's language writes it."""
        return self.voice.phrases.date(date)

    def letter(self, text: str) -> str:
        """Returns a text typeset as the site's voice does (quotes, dashes)."""
        return typesetter_of(self.voice)(text)

    def address(self, path: str) -> str | None:
        """Returns a page's public address; None for the 404 page, and if the site's address is unknown."""
        return None if self.base is None or path == a.LOST else a.absolute(self.base, path)

    def page(self, template: str, page: SitePage, **values: object) -> SiteFile:
        """Returns the file of `page`, rendered from `template` with links at names."""
        self.linker.begin(page.path)
        return SiteFile(page.path, self.filled(template, page=self.placed(page), **values))

    def placed(self, page: SitePage) -> SitePage:
        """Returns the page with its path to the site's root, its public address and its picture filled in."""
        return replace(
            page,
            root=page.root or a.root(page.path),
            address=self.address(page.path),
            picture=page.picture or self.picture,
        )

    def filled(self, template: str, **values: object) -> bytes:
        """Returns a template filled with `values`, in UTF-8."""
        return templates.filled(self._filling.get_template(template), site=self, **values)

    @cached_property
    def _filling(self) -> Environment:
        made = html.filling(self.linker.once, _HERE)
        made.filters |= {"linked": self.linker.each, "pips": pips}
        return made


_BOXES: Final = re.compile(r"(?:\[[x ]\])+")


def pips(text: str) -> Markup:
    """Returns escaped text with boxes drawn as pips, and read aloud as a fraction: `[x][ ]` is `1/2`."""
    told = _BOXES.sub(_drawn, str(escape(text)))
    return Markup(told)  # noqa: S704 -- typed text is escaped


def _drawn(found: re.Match[str]) -> str:
    boxes = re.findall(r"x| ", found[0])
    drawn = "".join('<span class="full"></span>' if box == "x" else "<span></span>" for box in boxes)
    return f'<span class="pips" role="img" aria-label="{boxes.count("x")}/{len(boxes)}">{drawn}</span>'


def brief(lines: Iterable[str]) -> str:
    """Returns the beginning of some text lines, joined to one, short enough for a link preview."""
    return cut(re.sub(r"\s+", " ", " ".join(lines)).strip(), WORDS, force=True)
