"""Languages other than English: phrases, quotation marks and spacing, from one TOML file each (`de.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct

from retold.journal.extras import Extra
from retold.journal.grammar import PersonName
from retold.journal.names import ARTICLES
from retold.journal.refused import Refused
from retold.journal.vocabulary.base import REDACTED

if TYPE_CHECKING:
    from babel import Locale

_HERE: Final = Path(__file__).parent
_FILES: Final = re.compile(r"[a-z]{2,3}(?:-[a-z]+)?")
VARIANTS: Final = ("prose", "script")
"""Voices with phrases of their own; their tables in a language file stand under their names."""


_FIRST_WORD: Final = re.compile(r"([^\W\d_]+)[ '\u2019](?=\S)")
"""First word of several, or an article before an apostrophe; with the sign behind it."""

Comma = Literal["inside", "outside", "always"]
"""Place of the comma between speech and its tag; see `retold.projections.story.paragraph.Tags`."""


class Language(Struct, frozen=True):
    """A language: its HTML code, its own name, and how it sets speech and signs.

    `quotes` are the marks around speech. `dash` replaces typed hyphens between two words. Each sign of
    `spaced` follows a narrow no-break space, a colon a no-break space. `comma` is its place between speech
    and tag.
    """

    code: str
    name: str
    quotes: tuple[str, str] = ("“", "”")
    dash: str = "\u2014"
    spaced: str = ""
    comma: Comma = "inside"
    redacted: str = REDACTED
    """Mark in place of words that were redacted."""
    texts: Mapping[str, str] = {}
    """Phrases of the voice `report` by key."""
    variants: Mapping[str, Mapping[str, str]] = {}
    """Other phrases by key, by the name of the voice that says them."""

    @property
    def semicolon(self) -> str:
        """Semicolon, with the narrow no-break space before it if the language sets one."""
        return "\u202f;" if ";" in self.spaced else ";"

    @property
    def colon(self) -> str:
        """Colon, with the no-break space before it if the language sets one."""
        return "\u00a0:" if ":" in self.spaced else ":"

    def category(self, number: object) -> str:
        """Returns the plural category of a number, such as `one`, by the CLDR; `other` for no number."""
        if not isinstance(number, int):
            return "other"
        if self.code == ENGLISH.code:
            return "one" if number == 1 else "other"
        return self.locale().plural_form(number)

    def marked(self, text: str) -> str:
        """Returns a text with the language's own mark in place of redacted words."""
        return text.replace(REDACTED, self.redacted)

    def is_redacted(self, text: str | None) -> bool:
        """True for a text that consists of the redaction mark alone, typeset or not."""
        return text in (REDACTED, self.redacted)

    def split_article(self, name: str) -> tuple[str, str]:
        """Returns the article at the beginning of a name, with the sign behind it, and the rest of the name.

        `Der Hund` → `Der `, `Hund`; `L'ogre` → `L'`, `ogre`. The article is empty without one.
        """
        found = _FIRST_WORD.match(name)
        if found and found[1].lower() in ARTICLES.get(self.code.partition("-")[0], ()):
            return found[0], name[found.end() :]
        return "", name

    def inside(self, name: str) -> str:
        """Returns a name as written inside a sentence: `Der Hund` → `der Hund`."""
        article, rest = self.split_article(name)
        return with_grammar_of(name, f"{article.lower()}{rest}") if article else name

    def capitalised(self, text: str) -> str:
        """Returns a sentence with a capital letter if it begins with an article."""
        return f"{text[0].upper()}{text[1:]}" if self.split_article(text)[0] else text

    def check_installed(self) -> None:
        """Raises Refused if the language needs Babel, and Babel is not installed."""
        if self.code != ENGLISH.code:
            self.locale()

    @property
    def is_installed(self) -> bool:
        """True if no package is missing for this language; loads Babel if it needs it."""
        return self.code == ENGLISH.code or _BABEL.is_here()

    def locale(self) -> Locale:
        """Returns Babel's data on the language; raises Refused if Babel is not installed."""
        return _locale(self.code)


_BABEL: Final = Extra("Babel", "babel", "lang")

ENGLISH: Final = Language("en", "English")
"""English, whose phrases the other files replace."""


def codes() -> tuple[str, ...]:
    """Returns the codes of all languages, English first."""
    found = (path.name.removesuffix(".toml") for path in _HERE.glob("*.toml"))
    return ("en", *sorted(code for code in found if _FILES.fullmatch(code) and code != "en"))


def spoken() -> tuple[Language, ...]:
    """Returns all languages, English first."""
    return tuple(map(_read, codes()))


def language(code: str) -> Language:
    """Returns the language for an HTML code: `de` for `de-AT` too; English for a code without a file."""
    parts = code.lower().split("-")
    known = codes()
    found = next((name for end in range(len(parts), 0, -1) if (name := "-".join(parts[:end])) in known), "en")
    return _read(found)


def language_meant(typed: str) -> Language:
    """Returns the language with this code or name, as --lang gets it; raises Refused for an unknown one."""
    from retold.journal.names import normalise  # noqa: PLC0415 -- only --lang needs it

    for known in spoken():
        if normalise(typed) in {known.code, normalise(known.name)}:
            return known
    there = ", ".join(f"{known.code} ({known.name})" for known in spoken())
    parts = typed.lower().split("-")
    if len(parts) > 1 and parts[0] in codes():
        return _read(parts[0])
    raise Refused(
        f"Retold has no phrases in {typed}. There are: {there}. docs/voices.md says how to add one."
    )


def with_grammar_of(known: str, name: str) -> str:
    """Returns `name` with gender and forms copied from the name `known`."""
    return PersonName(name, known.gender, known.forms) if isinstance(known, PersonName) else name


@cache
def _read(code: str) -> Language:
    if code == "en":
        return ENGLISH
    data = tomllib.loads((_HERE / f"{code}.toml").read_text("utf-8"))
    about: dict[str, Any] = data.pop("language")
    variants = {variant: flattened(data.pop(variant, {})) for variant in VARIANTS}
    quotes = about.get("quotes", ENGLISH.quotes)
    return Language(
        code,
        about["name"],
        (quotes[0], quotes[1]),
        about.get("dash", ENGLISH.dash),
        about.get("spaced", ""),
        about.get("comma", "inside"),
        about.get("redacted", REDACTED),
        flattened(data),
        variants,
    )


def flattened(nested: Mapping[str, Any]) -> Mapping[str, str]:
    """Returns nested tables as one mapping: `{"a": {"b": "c"}}` → `{"a.b": "c"}`."""
    return {".".join(path): text for path, text in flat(nested)}


def flat(nested: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields path and value of each entry in nested mappings: `{"a": {"b": 1}}` → `(("a", "b"), 1)`."""
    for key, value in nested.items():
        if isinstance(value, Mapping):
            yield from flat(value, (*above, key))
        else:
            yield (*above, key), value


@cache
def _locale(code: str) -> Locale:
    _BABEL.load(f"Telling in {language(code).name}")
    from babel import Locale  # noqa: PLC0415 -- slow, and English does without

    return Locale.parse(code.replace("-", "_"))
