"""A site's own settings: `site.toml` beside the campaign, or `NAME.site.toml` for one of several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields

from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.projections.prose.phrases.languages import codes
from retold.projections.prose.phrases.unfit import Mistake, no_such_key
from retold.projections.prose.voicefile import TomlFile
from retold.projections.texts.tints import DARK, LIGHT, readable

Paper = Literal["light", "sepia", "dark"]
Typeface = Literal["caslon", "serif", "sans"]

FILE: Final = "site.toml"


class SiteSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a settings file; None stands for the campaign's own, or for what the reader's device has."""

    title: str | None = None
    blurb: str | None = None
    accent: Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}\Z")] | None = None
    paper: Paper | None = None
    typeface: Typeface = "caslon"
    cover: str | None = None
    language: str | None = None


_WANTED: Final = {
    "accent": 'a colour such as "#7a2e1d"',
    "paper": f"one of {', '.join(get_args(Paper))}",
    "typeface": f"one of {', '.join(get_args(Typeface))}",
    "language": f"one of {', '.join(codes())}",
}
"""What a key takes, as a sentence goes on after “this has to be”; other keys take a text."""

COMMENTED: Final = f"""\
# How the site of this campaign looks; `retold export --site FOLDER` reads it. Each line may be left out.

# Title of the first page; otherwise the campaign's.
# title = "The Salt Road"
# What it is about, in two or three sentences; otherwise the campaign's blurb.
# blurb = "Three people owe the tide a debt."
# Colour of links, buttons and a drawn cover.
accent = "#7a2e1d"
# {", ".join(get_args(Paper))}; otherwise light or dark, as the reader's device.
# paper = "sepia"
# {", ".join(get_args(Typeface))}: titles in Libre Caslon, all in a book face, or all without serifs.
typeface = "caslon"
# A PNG, JPEG or WebP beside this file; otherwise the campaign's cover.
# cover = "cover.jpg"
# Language of headings and buttons: {", ".join(codes())}; otherwise that of your words.
# language = "en"
"""


def settings_file(campaign: Address, *, is_new: bool = False) -> Path:
    """Returns the path of a campaign's settings: `NAME.site.toml` if it exists, else `site.toml`.

    They are beside its file, or in this folder for a campaign on a server. A new file has the campaign's
    name too if other campaigns are in the folder.
    """
    beside = campaign.file or Path(campaign.stem)
    own = beside.with_name(f"{campaign.stem}.{FILE}")
    is_own = own.exists() or (is_new and len([*own.parent.glob("*.retold")]) > 1)
    return own if is_own else own.with_name(FILE)


def settings_in(path: Path) -> SiteSettings:
    """Returns the settings in a file; the defaults if there is none.

    Raises Refused for a broken file, with a sentence for its first mistake.
    """
    if not path.exists():
        return SiteSettings()
    file = TomlFile.read(path, "site file")
    data = file.parsed()
    try:
        settings = convert(data, SiteSettings)
    except ValidationError as error:
        raise Refused(*file.sentences([_mistake(data, str(error))])) from None
    if settings.language not in (None, *codes()):
        raise Refused(*file.sentences([_unfit("language")]))
    return settings


def _mistake(data: dict[str, object], error: str) -> Mistake:
    """Returns the mistake in a file's `data` that msgspec's sentence is about."""
    known = tuple(field.name for field in fields(SiteSettings))
    unknown = next((key for key in data if key not in known), None)
    wrong = re.search(r"`\$\.(\w+)", error)
    if wrong is not None:
        return _unfit(wrong[1])
    return Mistake((str(unknown),), no_such_key(str(unknown), known))


def _unfit(key: str) -> Mistake:
    return Mistake((key,), f"this has to be {_WANTED.get(key, 'a text in quotation marks')}")


_BOOK: Final = '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, Georgia, serif'
_SANS: Final = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif'
_FACES: Final = {
    "caslon": (f'"Libre Caslon Display", {_BOOK}', _BOOK, 400),
    "serif": (_BOOK, _BOOK, 600),
    "sans": (_SANS, _SANS, 650),
}
"""Typefaces of titles and of texts, and the weight of titles."""

_SEPIA: Final = "#ebdfc6"
"""The darker of two backgrounds on sepia paper: that of panels."""


def styled(css: str, settings: SiteSettings) -> str:
    """Returns the CSS of a page of the site as the settings want it: paper, accent and typefaces."""
    if settings.paper is not None:
        scheme = "dark" if settings.paper == "dark" else "light"
        css = css.replace("color-scheme: light dark", f"color-scheme: {scheme}")
        css = css.replace("(prefers-color-scheme: dark)", "screen" if scheme == "dark" else "not all")
    return "".join((css, *_rules(settings)))


def _rules(settings: SiteSettings) -> Iterator[str]:
    title, text, weight = _FACES[settings.typeface]
    yield f":root {{ --titles: {title}; --texts: {text}; --weight: {weight}; }}\n"
    if settings.paper == "sepia":
        yield (
            "@media screen { :root { --paper: #f4ead6; --ink: #33291c; --soft: #655842; --line: #d8c8a8;"
            f" --panel: {_SEPIA}; --cloth: #e8dabd; --raised: #f8f0df; --card: #fbf5e8; }} }}\n"
        )
    if settings.accent is not None:
        light = readable(settings.accent, _SEPIA if settings.paper == "sepia" else LIGHT)
        dark = readable(settings.accent, DARK)
        on_dark = {"dark": "screen", None: "(prefers-color-scheme: dark)"}.get(settings.paper, "not all")
        yield f"@media screen {{ :root {{ --accent: {light}; }} }}\n"
        yield f"@media {on_dark} {{ :root {{ --accent: {dark}; }} }}\n"
