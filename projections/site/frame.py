"""What stands around every page of a site: where it lies, what leads on from it, and what it may do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from projections.exports import html
from projections.prose import Voice
from projections.prose.lettering import letter
from projections.site import addresses as a
from projections.site.linking import Linker
from projections.transcript.endings import cut

if TYPE_CHECKING:
    from jinja2 import Environment

WORDS: Final = 40
"""Words of what a page is about, where a link to it is shown elsewhere."""

_HERE: Final = Path(__file__).parent


class File(NamedTuple):
    """A file of a site, by its path in it."""

    path: str
    data: bytes


class Link(NamedTuple):
    """A page by its path, and what it is called."""

    path: str
    title: str


class Page(Struct, frozen=True):
    """What is said of a page around what it holds: `about` in a preview, `day` where it is of one.

    `styles` and `scripts` are what it may be drawn and moved by, as a content policy has it.
    """

    path: str
    title: str
    about: str = ""
    day: str | None = None
    previous: Link | None = None
    next: Link | None = None
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


class Frame(Struct, frozen=True, dict=True):
    """Fills the templates of a site, each page with the same bar above it.

    `base` is the address where the site will lie, if somebody said so.
    """

    title: str
    voice: Voice
    base: str | None
    bar: tuple[Link, ...]
    linker: Linker

    @property
    def lang(self) -> str:
        """The language of its pages, as HTML names languages."""
        return self.voice.lang

    def say(self, key: str, **values: int | str) -> str:
        """What a page says of its own accord, by its phrase."""
        return self.voice.phrases.say(key, **values)

    def letter(self, text: str) -> str:
        """What was typed as the voice sets it."""
        return letter(self.voice)(text)

    def address(self, path: str) -> str | None:
        """Where a page will be found; None where nobody knows: what is lost is wherever it was sought."""
        return None if self.base is None or path == a.LOST else a.absolute(self.base, path)

    def page(self, template: str, page: Page, **values: object) -> File:
        """A page by its template, with links at names."""
        self.linker.begin(page.path)
        return File(page.path, self.filled(template, page=self.placed(page), **values))

    def placed(self, page: Page) -> Page:
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
