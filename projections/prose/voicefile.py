"""Voice files: a user's own voice in TOML, based on a built-in voice with some phrases replaced."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from msgspec.structs import replace

from journal.file_reading import read_regular_file
from journal.names import nearest
from journal.refused import Refused
from projections.prose import VOICES, Voice
from projections.prose.phrases import Phrases, flat, known, new_sandbox, source, table, values
from projections.prose.phrases.unfit import Unfit

SUFFIX: Final = ".toml"
LARGEST: Final = 50_000
"""Maximum size of a voice file in bytes, several times that of all phrases."""

PLACES: Final = ("inline", "folded", "footnotes", "appendix", "none")
"""Places for mechanics; a test compares them with the exports'."""

LONGEST_QUOTE: Final = 10

BASES: Final = tuple(name for name in VOICES if name != "plain")
"""Voices usable as a base; plain is notation and has no phrases."""

_AT: Final = re.compile(r"(?s)(.*) \(at (?:line (\d+), column \d+|end of document)\)$")


def read(path: Path) -> Voice:
    """Reads the voice in a file, named after the file; Refused with file, line and key for a broken one."""
    file = _File(path, _text(path))
    data = file.parsed()
    for key in data:
        file.expect_known(key, ("about", "base", "lang", "layout", "phrases"), (key,))
    base = _base(file, data)
    about = file.value(
        data, ("about",), f"{base.name}, with words of its own", _is_line, "a text on one line"
    )
    lang = file.value(data, ("lang",), base.lang, _is_language, 'a language as HTML names it, such as "de"')
    layout = file.value(data, ("layout",), {}, _is_table, "a table: [layout]")
    for key in layout:
        file.expect_known(key, ("mechanics", "quotes", "typographic", "asides"), ("layout", key))
    mechanics = file.value(
        layout, ("layout", "mechanics"), base.mechanics, PLACES.__contains__, f"one of {', '.join(PLACES)}"
    )
    quotes = file.value(
        layout, ("layout", "quotes"), base.quotes, _are_quotes, 'two short texts, such as ["“", "”"]'
    )
    typographic, asides = (
        file.value(layout, ("layout", key), usual, lambda value: isinstance(value, bool), "true or false")
        for key, usual in (("typographic", base.typographic), ("asides", base.asides))
    )
    own = _phrases(file, data)
    return replace(
        base,
        name=path.name.removesuffix(SUFFIX),
        about=about,
        phrases=Phrases(lambda: {**base.phrases.texts, **own}),
        lang=lang,
        mechanics=mechanics,
        quotes=(quotes[0], quotes[1]),
        typographic=typographic,
        asides=asides,
    )


def copied(voice: Voice, about: str) -> str:
    """Complete voice file of `voice`, as a starting point: each phrase, with comments."""
    if voice.base not in BASES:
        raise Refused(f"{voice.name} is the notation and has no phrases: copy {' or '.join(BASES)}.")
    quotes = ", ".join(map(_written, voice.quotes))
    head = [
        f"about = {_written(about)}",
        "# Which of Retold's voices this is made from: what is not said here is said as there.",
        f"base = {_written(voice.base)}",
        "# The language of all this, as HTML names languages.",
        f"lang = {_written(voice.lang)}",
        "",
        "[layout]",
        f"# Where cards, dice and numbers stand if --mechanics does not say: {', '.join(PLACES)}.",
        f"mechanics = {_written(voice.mechanics)}",
        "# The marks around what is spoken.",
        f"quotes = [{quotes}]",
        "# Whether typed quotation marks and apostrophes are set as in print, in those marks.",
        f"typographic = {str(voice.typographic).lower()}",
        "# Whether it tells what was said at the table beside the story, if --asides does not say.",
        f"asides = {str(voice.asides).lower()}",
        "",
    ]
    return "\n".join([*head, *_sections(voice.phrases.texts)]) + "\n"


def _sections(texts: Mapping[str, str]) -> Iterator[str]:
    """Yields lines of the report's table; a replaced phrase is preceded by the report's as a comment."""
    section = ""
    for line in source().splitlines():
        key, equals, _ = line.partition(" = ")
        known = f"{section}.{key}"
        if line.startswith("["):
            section = line.strip("[]")
            yield f"[phrases.{section}]"
        elif equals and known in texts and texts[known] != table()[known]:
            yield from (f"# report: {line}", f"{key} = {_written(texts[known])}")
        else:
            yield line


def _written(text: str) -> str:
    """Text as a TOML string on one line."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")


# --- reading ----------------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    try:
        data = read_regular_file(path, LARGEST + 1)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    if len(data) > LARGEST:
        raise Refused(f"{path} is no voice: it has more than {LARGEST:,} bytes.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Refused(f"{path}, line {line}: that is not UTF-8.") from None


class _File:
    """Text of a voice file; reports errors with line numbers."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text

    def parsed(self) -> dict[str, Any]:
        """Parsed content; Refused for invalid TOML."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = _AT.match(str(error))
            problem, line = (found[1], found[2]) if found else (str(error), None)
            at = int(line) if line else self.text.count("\n") + 1
            raise Refused(f"{self.path}, line {at}: {problem[:1].lower()}{problem[1:]}.") from None
        except RecursionError:
            raise Refused(f"{self.path} is no voice: it is nested too deeply.") from None

    def refuse(self, at: tuple[str, ...], why: str) -> NoReturn:
        """Raises Refused with the line number of the key `at`."""
        ended = why if why.endswith("?") else f"{why}."
        key = ".".join(at).removeprefix("phrases.")
        raise Refused(f"{self.path}, line {self._line(at)}: {key}: {ended}")

    def expect_known(self, key: str, known: tuple[str, ...], at: tuple[str, ...]) -> None:
        """Refuses `key` unless it is in `known`; suggests the nearest known key."""
        if key not in known:
            close = nearest(key, known, 1)
            there = f"did you mean {close[0]}?" if close else f"there is {', '.join(known)}"
            self.refuse(at, f"there is no such key, {there}")

    def value(
        self,
        data: Mapping[str, Any],
        at: tuple[str, ...],
        default: object,
        fits: Callable[[Any], bool],
        wanted: str,
    ) -> Any:  # noqa: ANN401 -- what TOML holds
        """Value of the key `at`, or `default`; Refused if it does not satisfy `fits`."""
        found = data.get(at[-1], default)
        if not (found is default or fits(found)):
            self.refuse(at, f"this has to be {wanted}")
        return found

    def _line(self, at: tuple[str, ...]) -> int:
        """Line number at which the key `at` gets its value: the first line with which the file has it."""
        lines = [f"{line}\n" for line in self.text.split("\n")]
        for number, line in enumerate(lines):
            if at[-1] in line and _has(lines[:number], at) is False:
                longer = (_has(lines[:upto], at) for upto in range(number + 1, len(lines) + 1))
                if next((found for found in longer if found is not None), False):
                    return number + 1
        return 1


def _has(lines: list[str], at: tuple[str, ...]) -> bool | None:
    """True if TOML lines define a key; None if they end inside a value."""
    try:
        data: Any = tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        return None
    for key in at:
        data = data.get(key) if isinstance(data, dict) else None
    return data is not None


def _base(file: _File, data: Mapping[str, Any]) -> Voice:
    name = file.value(data, ("base",), "report", BASES.__contains__, f"one of {', '.join(BASES)}")
    return VOICES[name]


def _phrases(file: _File, data: Mapping[str, Any]) -> dict[str, str]:
    """Phrases of a voice file, by key; refuses unknown keys and unusable phrases."""
    given = file.value(data, ("phrases",), {}, _is_table, "a table: [phrases]")
    own: dict[str, str] = {}
    for path, text in flat(given):
        at, key = ("phrases", *path), ".".join(path)
        file.expect_known(key, tuple(known(path[0])), at)
        if not isinstance(text, str):
            file.refuse(at, "this has to be a text in quotation marks")
        own[key] = " ".join(text.split())
        try:
            new_sandbox().template(own[key], values(key))
        except Unfit as unfit:
            file.refuse(at, str(unfit))
    return own


def _is_line(value: object) -> bool:
    return isinstance(value, str) and "\n" not in value


def _is_language(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*", value) is not None


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _are_quotes(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2  # noqa: PLR2004 -- one before and one after
        and all(_is_line(mark) and len(mark) <= LONGEST_QUOTE for mark in value)
    )
