"""The page of home, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Template

import retold
from retold.cli.service.at_home import FileForm
from retold.cli.verbs.voices import languages
from retold.home.shelf.campaigns import Role, Shelf
from retold.journal.features import added
from retold.projections.texts.templates import environment, filled

CAMPAIGN: Final = FileForm(
    "Open or restore a file",
    "A campaign or a backup (.retold), or a dump (.jsonl): choose it, or drop it here",
    "It is checked and copied into your folder; the file itself stays as it is.",
    "Open it",
    "/home/file",
)
ROWS: Final = 6
"""Lines of the form for people, at the least."""
KILO: Final = 1000


class Typed(NamedTuple):
    """What a page is shown with: a sentence, and what was typed into a form that was refused."""

    sentence: str = ""
    form: Mapping[str, Sequence[str]] = {}
    is_in: bool = True
    """False for a browser that may see the sentence alone."""

    def first(self, name: str, otherwise: str = "") -> str:
        """Returns what was typed into the field `name`."""
        return next(iter(self.form.get(name, ())), otherwise)

    @property
    def cast(self) -> list[Role]:
        """What was typed into the form for people, with empty lines behind it."""
        typed = [Role(*row) for row in zip(*(self.form.get(name, ()) for name in Role._fields), strict=False)]
        return [*typed, *(Role("") for _ in range(len(typed), ROWS))]


def page(shelf: Shelf, typed: Typed) -> bytes:
    """Returns the page: the campaigns, and the forms; only a sentence for a browser that is not let in."""
    if not typed.is_in:
        return filled(_template(), typed=typed)
    forms = [CAMPAIGN, *(module.FORM for module in added("at_home"))]
    return filled(
        _template(),
        typed=typed,
        shelf=shelf,
        cards=shelf.cards(),
        games=_games(),
        languages=languages(),
        size=_size,
        forms=forms,
    )


@cache
def _template() -> Template:
    return environment(Path(__file__).parent).get_template("home.html.j2")


_games = cache(retold.ready_games)


def _size(number: int) -> str:
    """Returns a number of bytes for readers: `340 kB`, `1.2 MB`."""
    kilos = max(1, round(number / KILO))
    return f"{kilos} kB" if kilos < KILO else f"{kilos / KILO:.1f} MB"
