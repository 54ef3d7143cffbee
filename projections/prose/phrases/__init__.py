"""Phrases: Retold's own sentences in stories and on pages, by key (`table.won`), read from TOML files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from retold.journal.games import BUILT_IN
from retold.projections import games
from retold.projections.prose.phrases import languages
from retold.projections.prose.phrases.agreement import grammar_of
from retold.projections.prose.phrases.languages import VARIANTS, Language, flat, flattened

if TYPE_CHECKING:
    from jinja2.environment import Template

    from retold.projections.prose.phrases.sandbox import Sandbox, Value

LANGUAGE: Final = "en"
"""Language of the only complete table."""

T = TypeVar("T")

LONGEST_SAID: Final = 10_000
"""Maximum length of a rendered phrase, however long the names in it."""

KEPT: Final = 2_000
"""Number of rendered phrases, and of other results, in the cache."""

_DAY: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_MONTHS: Final = 12

_ENDED_TWICE: Final = re.compile(r"([.!?…][\"”“»«])\.(?=\s|$)")
"""A phrase's own full stop following a quotation that ends in one."""

_HERE: Final = Path(__file__).parent


class Phrases:
    """Phrases of one voice by key: those of the voice `report`, some replaced by the voice's own."""

    def __init__(
        self, instead: Callable[[], Mapping[str, str]] = dict, language: Language = languages.ENGLISH
    ) -> None:
        """Starts from the phrases of the voice `report` in a language, English where it lacks one.

        `instead` returns phrases that replace some, by key; it is called at the first use of a phrase.
        """
        self.language = language
        self.lang: str | None = None
        """Language of the phrases among words of another language, as HTML names it; None elsewhere."""
        self._instead = instead
        self._texts: Mapping[str, str] | None = None
        self._sandbox: Sandbox | None = None
        self._templates: dict[str, Template] = {}
        self._as_they_are: dict[str, str] = {}
        self._made: dict[tuple[object, ...], Any] = {}

    def __reduce__(self) -> tuple[Callable[..., Phrases], tuple[dict[str, str], str, str | None]]:
        """Returns texts and language for pickling; another process needs no voice file."""
        return _saying, (dict(self.texts), self.language.code, self.lang)

    def among_others(self, lang: str) -> Phrases:
        """Returns the same phrases, of the language `lang`, for a page whose words are in another one."""
        made = Phrases(lambda: self.texts, self.language)
        made.lang = lang
        return made

    @property
    def texts(self) -> Mapping[str, str]:
        """Texts of all phrases by key, with placeholders not yet filled in."""
        if self._texts is None:
            self._texts = {**table(), **self.language.texts, **self._instead()}
        return self._texts

    @property
    def skills(self) -> Mapping[str, str]:
        """Keys of sentences on skills by the names of each, in English too: `hide` → `skill.stealth`."""
        rows = (
            (key, text)
            for texts in (table(), self.texts)
            for key, text in texts.items()
            if key[:6] == "skill."
        )
        return self.once(
            ("skills",),
            lambda: {name: key for key, text in rows for name in text.partition(": ")[0].split(", ")},
        )

    def say(self, key: str, **values: Value) -> str:
        """Returns phrase `key` with `values` filled in, as one text line.

        Empty if the voice leaves it empty.
        """
        if key in self._as_they_are:
            return self._as_they_are[key]
        text = self._text(key)
        if "{" not in text:  # most phrases need no Jinja
            self._as_they_are[key] = text
            return text
        return self._with(key, values)

    def _with(self, key: str, values: Mapping[str, Value]) -> str:
        """Returns phrase `key` with `values` filled in.

        Results are cached, since the same few people recur.
        """
        given = [tuple(value) if isinstance(value, list) else value for value in values.values()]
        asked = key, *values, *given, *map(type, given), *map(grammar_of, given)
        return self.once(asked, lambda: _ENDED_TWICE.sub(r"\1", self._rendered(key, values))[:LONGEST_SAID])

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Returns `make()`, called the first time for a `key`; the phrases keep at most KEPT results."""
        made: tuple[T] | None = self._made.get(key)
        if made is None:
            if len(self._made) >= KEPT:
                self._made.clear()
            made = self._made[key] = (make(),)
        return made[0]

    def _rendered(self, key: str, values: Mapping[str, Value]) -> str:
        """Returns phrase `key` rendered by Jinja.

        Empty for a guest's phrase that names a value it is not given.
        """
        from jinja2 import UndefinedError  # noqa: PLC0415 -- Jinja is slow to load, and is loaded here

        template = self._template(key)
        try:
            return template.render({"present": False, **values})
        except UndefinedError:  # a guest's mistake (see `guest_checks`) must not break a page
            if key in table():
                raise
            return ""

    def date(self, day: str) -> str:
        """Returns a day in words, `2026-06-13` → `13. Juni 2026`; unchanged in English.

        Printed books use `printed_day`, which has words in English too.
        """
        return day if self.language.code == LANGUAGE else self.printed_day(day)

    def printed_day(self, day: str) -> str:
        """Returns a day as in a printed book, `14 March 2026`; `day` itself if it is not a YYYY-MM-DD."""
        months = self.say("page.months").split(", ")
        if not _DAY.fullmatch(day) or len(months) != _MONTHS:
            return day
        year, month, number = map(int, day.split("-"))
        return self.say("page.day", day=number, month=months[month - 1], year=year)

    def named(self, game: str, counter: str, number: int | None = None) -> str:
        """Returns a name of a game in this voice's words, or `counter` itself without a phrase for it.

        A name is that of a counter, a result, a condition, a skill, or the game's title; that of the end of a
        conflict belongs to the game `table`. A voice may have a phrase for any (`named_key`).
        """
        own = named_key(game, counter)
        key = own if own in self.texts else _named(game).get(counter.replace(" ", "-"))
        return counter if key is None else self.say(key, number=number)

    def counters(self, game: str) -> dict[str, str]:
        """Returns the names of a game's counters in this voice's words, by the game's own words.

        Of a name with several forms it is the one for many; counters with their own name are left out.
        """
        named = ((word.replace("-", " "), self.say(key, number=None)) for word, key in _named(game).items())
        return {word: name for word, name in named if name and name != word}

    def _text(self, key: str) -> str:
        """Returns a phrase's text, placeholders included: the voice's, or the guest game's own."""
        return self.texts[key] if key in self.texts else of_guest(key.partition(".")[0])[key]

    def _template(self, key: str) -> Template:
        template = self._templates.get(key)
        if template is None:
            if self._sandbox is None:
                last = new_sandbox().template(self.texts["names.and"]).render()
                self._sandbox = new_sandbox(last, self.language)
            template = self._templates[key] = self._sandbox.template(self._text(key))
        return template


def _saying(texts: Mapping[str, str], code: str, lang: str | None) -> Phrases:
    """Returns phrases with exactly these texts, for unpickling."""
    made = Phrases(lambda: texts, languages.language(code))
    made.lang = lang
    return made


def new_sandbox(last: str = "", language: Language = languages.ENGLISH) -> Sandbox:
    """Returns a template sandbox that joins names with `last` before the last name (`Ana, Bo and Cy`)."""
    from retold.projections.prose.phrases.sandbox import Sandbox  # noqa: PLC0415 -- Jinja is slow to load

    return Sandbox(last, language.category)


def source(variant: str = "") -> str:
    """Returns a phrase file's TOML text, comments included: the report's, or a variant's (`script`).

    The report's text ends with the phrases of built-in games.
    """
    if variant:
        return (_HERE / f"{LANGUAGE}.{variant}.toml").read_text("utf-8")
    return _joined([(_HERE / f"{LANGUAGE}.toml").read_text("utf-8"), *map(games.phrases, BUILT_IN)])


def _joined(tables: Iterable[str]) -> str:
    """Returns TOML texts as one text, sections with the same heading merged."""
    sections: dict[str, list[str]] = {"": []}
    section = sections[""]
    for line in "\n".join(tables).splitlines():
        if line.startswith("["):
            section = sections.setdefault(line, [])
        elif line:
            section.append(line)
    return "\n".join("\n".join((head, *lines)).lstrip() + "\n" for head, lines in sections.items())


@cache
def table(variant: str = "") -> Mapping[str, str]:
    """Returns phrases by key (`table.won`): the report's, or a variant's (`script`)."""
    return flattened(tomllib.loads(source(variant)))


def variant_in(language: Language, variant: str) -> Mapping[str, str]:
    """Returns the phrases that a variant (`script`) says otherwise, English where the language lacks one."""
    return {**table(variant), **language.variants.get(variant, {})}


def missing_in(language: Language) -> Iterator[str]:
    """Yields the keys of phrases with words that a language lacks: `table.won`, `script.names.gm`."""
    yield from (key for key, text in table().items() if key not in language.texts and _has_words(text))
    for variant in VARIANTS:
        own = language.variants.get(variant, {})
        for key, text in table(variant).items():
            if key not in own and _has_words(text):
                yield f"{variant}.{key}"


_MARKUP: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")


def _has_words(phrase: str) -> bool:
    return any(sign.isalpha() for sign in _MARKUP.sub("", phrase))


@cache
def values(key: str) -> frozenset[str]:
    """Returns names of values used in phrase `key` of the voice `report`; a voice file may use no others.

    KeyError for an unknown key.
    """
    return new_sandbox().values(known(key.partition(".")[0])[key])


@cache
def of_guest(game: str) -> Mapping[str, str]:
    """Returns phrases of a guest (not built-in) game by key; keys begin with the game's name.

    Empty for a built-in game.
    """
    if game in BUILT_IN:
        return {}
    found = flat(tomllib.loads(games.phrases(game)))
    return {".".join(path): text for path, text in found if path[0] == game and isinstance(text, str)}


def named_key(game: str, name: str) -> str:
    """Returns the key of a phrase for a name of a game: `homebrew`, `a hit` → `homebrew.named.a-hit`."""
    return f"{game}.named.{name.replace(' ', '-')}"


@cache
def _named(game: str) -> Mapping[str, str]:
    """Returns phrase keys for names of a game, by the game's own word for each.

    Keys are `named.<word>` for some of ours, else `<game>.named.<word>`.
    """
    written = tomllib.loads(games.phrases(game))
    shared = written.get("named", {}) if game in BUILT_IN else {}
    own = written.get(game, {}).get("named", {})
    return {**{word: f"named.{word}" for word in shared}, **{word: named_key(game, word) for word in own}}


def known(section: str) -> Mapping[str, str]:
    """Returns phrases of the voice `report` by key; with a guest game's, if `section` is that game's name."""
    ours = table()
    return ours if any(key.startswith(f"{section}.") for key in ours) else {**ours, **of_guest(section)}


ENGLISH: Final = Phrases()
"""Phrases of the report."""
