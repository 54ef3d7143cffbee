"""What Retold says in words of its own: phrases by their keys, in one table a language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from journal.games import BUILT_IN
from projections import games

if TYPE_CHECKING:
    from jinja2.environment import Template

    from projections.prose.phrases.sandbox import Sandbox, Value

LANGUAGE: Final = "en"
"""The language whose table knows every key."""

LONGEST_SAID: Final = 10_000
"""What a phrase says is cut here, whatever names it was given."""

KEPT: Final = 2_000
"""Of so many phrases with values in them it is known what they came to."""

_ENDED_TWICE: Final = re.compile(r"([.!?…][\"”“»«])\.(?=\s|$)")
"""Where a phrase's own full stop follows words in marks that have come to their end."""

_HERE: Final = Path(__file__).parent


class Phrases:
    """The phrases of one voice: those of the report, with some in their place."""

    def __init__(self, instead: Callable[[], Mapping[str, str]] = dict) -> None:
        """Phrases as the report has them, but where `instead` has the key; it is called when first needed."""
        self._instead = instead
        self._texts: Mapping[str, str] | None = None
        self._sandbox: Sandbox | None = None
        self._templates: dict[str, Template] = {}
        self._as_they_are: dict[str, str] = {}
        self._said: dict[tuple[object, ...], str] = {}

    def __reduce__(self) -> tuple[Callable[[Mapping[str, str]], Phrases], tuple[dict[str, str]]]:
        """As they are handed to another process: what they say, whatever file it came from."""
        return _saying, (dict(self.texts),)

    @property
    def texts(self) -> Mapping[str, str]:
        """Every phrase by its key, as it is written."""
        if self._texts is None:
            self._texts = {**table(), **self._instead()}
        return self._texts

    def say(self, key: str, **values: Value) -> str:
        """A phrase with these values in it, on one line; empty where the voice says nothing there."""
        if key in self._as_they_are:
            return self._as_they_are[key]
        text = self._text(key)
        if "{" not in text:  # which is most of them, and need not wait for Jinja
            self._as_they_are[key] = text
            return text
        return self._with(key, values)

    def _with(self, key: str, values: Mapping[str, Value]) -> str:
        """A phrase with values in it; the same is asked for again and again, of a few people."""
        given = [tuple(one) if isinstance(one, list) else one for one in values.values()]
        asked = key, *values, *given, *map(type, given)
        said = self._said.get(asked)
        if said is None:
            said = _ENDED_TWICE.sub(r"\1", self._rendered(key, values))[:LONGEST_SAID]
            if len(self._said) >= KEPT:
                self._said.clear()
            self._said[asked] = said
        return said

    def _rendered(self, key: str, values: Mapping[str, Value]) -> str:
        """The phrase with its values; empty for a guest's that wants a value it is not given."""
        from jinja2 import UndefinedError  # noqa: PLC0415 -- Jinja is slow to load, and is loaded here

        template = self._template(key)
        try:
            return template.render(values)
        except UndefinedError:  # `projections.guest_checks` says which; a guest breaks nobody's page
            if key in table():
                raise
            return ""

    def named(self, game: str, what: str, number: int | None = None) -> str:
        """What a game counts, as this voice calls it; the game's own word where its phrases have none."""
        key = _named(game).get(what.replace(" ", "-"))
        return what if key is None else self.say(key, number=number)

    def _text(self, key: str) -> str:
        """A phrase as it is written; a guest's own where this voice says nothing else."""
        return self.texts[key] if key in self.texts else of_guest(key.partition(".")[0])[key]

    def _template(self, key: str) -> Template:
        template = self._templates.get(key)
        if template is None:
            if self._sandbox is None:
                last = new_sandbox().template(self.texts["names.and"]).render()
                self._sandbox = new_sandbox(last)
            template = self._templates[key] = self._sandbox.template(self._text(key))
        return template


def _saying(texts: Mapping[str, str]) -> Phrases:
    """Phrases of which every text is known."""
    return Phrases(lambda: texts)


def new_sandbox(last: str = "") -> Sandbox:
    """A sandbox in which `last` joins the last of several names."""
    from projections.prose.phrases.sandbox import Sandbox  # noqa: PLC0415 -- Jinja is slow to load

    return Sandbox(last)


def source(variant: str = "") -> str:
    """A table as it is written, with its comments: the report's, or what a variant of it has in its place.

    The report's ends with what each game of ours has of its own.
    """
    if variant:
        return (_HERE / f"{LANGUAGE}.{variant}.toml").read_text("utf-8")
    return _joined([(_HERE / f"{LANGUAGE}.toml").read_text("utf-8"), *map(games.phrases, BUILT_IN)])


def _joined(tables: Iterable[str]) -> str:
    """Tables as one, in which stands together what several say under the same heading."""
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
    """The phrases of a table by their keys."""
    return {".".join(path): text for path, text in flat(tomllib.loads(source(variant)))}


@cache
def values(key: str) -> frozenset[str]:
    """The values a phrase may use, which are those the report's uses; KeyError for no key."""
    return new_sandbox().values(known(key.partition(".")[0])[key])


@cache
def of_guest(game: str) -> Mapping[str, str]:
    """The phrases that a game of another distribution brings, by their keys, each of which begins with it."""
    if game in BUILT_IN:
        return {}
    found = flat(tomllib.loads(games.phrases(game)))
    return {".".join(path): text for path, text in found if path[0] == game and isinstance(text, str)}


@cache
def _named(game: str) -> Mapping[str, str]:
    """By each word of a game for something it counts, the key of what a voice calls that.

    It is `named.<word>`; of a guest, all of whose keys begin with its name, `<game>.named.<word>`.
    """
    written = tomllib.loads(games.phrases(game))
    ours, head = (written, "named") if game in BUILT_IN else (written.get(game, {}), f"{game}.named")
    return {word: f"{head}.{word}" for word in ours.get("named", {})}


def known(section: str) -> Mapping[str, str]:
    """The report's phrases, with those of the guest that the section is called after, if it is one."""
    ours = table()
    return ours if any(key.startswith(f"{section}.") for key in ours) else {**ours, **of_guest(section)}


def flat(nested: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What stands in tables within tables, each under the keys that lead to it."""
    for key, value in nested.items():
        if isinstance(value, Mapping):
            yield from flat(value, (*above, key))
        else:
            yield (*above, key), value


ENGLISH: Final = Phrases()
"""The report's own phrases."""
