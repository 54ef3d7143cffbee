"""Voice files: a user's own voice in TOML, based on a built-in voice with some phrases replaced."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from msgspec.structs import replace

from retold.journal.file_reading import read_regular_file
from retold.journal.refused import Refused
from retold.projections.prose import BASES, PLACES, VOICES, Voice, in_language
from retold.projections.prose.phrases import (
    LANGUAGE,
    Phrases,
    known,
    named_key,
    new_sandbox,
    source,
    table,
    values,
)
from retold.projections.prose.phrases.languages import Language, flat, language
from retold.projections.prose.phrases.unfit import Mistake, Unfit, no_such_key

SUFFIX: Final = ".toml"
LARGEST: Final = 200_000
"""Maximum size of a voice file in bytes, several times that of all phrases."""

MOST_TOLD: Final = 20
"""Maximum number of mistakes reported at once."""

_AT: Final = re.compile(r"(?s)(.*) \(at (?:line (\d+), column \d+|end of document)\)$")


def read(path: Path, meant: Language | None = None) -> Voice:
    """Returns the voice in a file, named after the file.

    Phrases that the file lacks are those of the language `meant`, else of the file's own. Raises Refused for
    a broken file: a sentence with line and key for each mistake, at most `MOST_TOLD`.
    """
    from retold.projections.prose.voice_shape import checked  # noqa: PLC0415 -- loads pydantic

    file = TomlFile.read(path, "voice")
    data = file.parsed()
    given, mistakes = checked(data)
    own, unfit = _phrases(data.get("phrases"))
    if given is None or unfit:
        raise Refused(*file.sentences([*mistakes, *unfit]))
    base = in_language(VOICES[given.base], meant or language(given.lang or LANGUAGE))
    layout = given.layout
    quotes = layout.quotes or base.quotes
    return replace(
        base,
        name=path.name.removesuffix(SUFFIX),
        about=f"{base.name}, with words of its own" if given.about is None else given.about,
        phrases=Phrases(lambda: {**base.phrases.texts, **own}, base.phrases.language),
        lang=(given.lang if meant is None else None) or base.lang,
        mechanics=layout.mechanics or base.mechanics,
        quotes=(quotes[0], quotes[1]),
        typographic=base.typographic if layout.typographic is None else layout.typographic,
        asides=base.asides if layout.asides is None else layout.asides,
        comma=layout.comma,
        tense=layout.tense or "",
    )


def copied(voice: Voice, about: str) -> str:
    """Returns the text of a complete voice file for `voice`, as a starting point for a new voice.

    It holds every phrase, with comments. Refused for the voice `plain`, which has no phrases.
    """
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
        "# Where the comma before a tag stands: inside “Go,” said Ana; outside “Go”, said Ana; always",
        "# outside, and behind ? and ! too.",
        f"comma = {_written(voice.tag_comma)}",
        "# The tense of Retold's own sentences, past or present; without it, that of what people told.",
        f'# tense = "{voice.tense or "present"}"',
        "",
    ]
    return "\n".join([*head, *_sections(voice.phrases.texts)]) + "\n"


def _sections(texts: Mapping[str, str]) -> Iterator[str]:
    """Yields text lines of a voice file: the phrase file of the voice `report`, with the phrases in `texts`.

    Before a replaced phrase comes the report's, as a comment.
    """
    section = ""
    for line in source().splitlines():
        key, equals, _ = line.partition(" = ")
        known = f"{section}." + key.strip('"')
        if line.startswith("["):
            section = line.strip("[]")
            yield f"[phrases.{section}]"
        elif equals and known in texts and texts[known] != table()[known]:
            yield from (f"# report: {line}", f"{key} = {_written(texts[known])}")
        else:
            yield line


def _written(text: str) -> str:
    """Returns text as a TOML string on one text line, quoted and escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")


# --- reading ----------------------------------------------------------------------------------------------


class TomlFile(NamedTuple):
    """A user's TOML file: its path, its text, and what it is (`voice`); reports errors with line numbers."""

    path: Path
    text: str
    what: str

    @classmethod
    def read(cls, path: Path, what: str) -> Self:
        """Reads the file; Refused if it is too large, no UTF-8, or cannot be read."""
        try:
            data = read_regular_file(path, LARGEST + 1)
        except OSError as error:
            raise Refused(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
        if len(data) > LARGEST:
            raise Refused(f"{path} is no {what}: it has more than {LARGEST:,} bytes.")
        try:
            return cls(path, data.decode("utf-8-sig"), what)
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise Refused(f"{path}, line {line}: that is not UTF-8.") from None

    def parsed(self) -> dict[str, Any]:
        """Returns the file's content as nested dicts; Refused for invalid TOML."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = _AT.match(str(error))
            problem, line = (found[1], found[2]) if found else (str(error), None)
            at = int(line) if line else self.text.count("\n") + 1
            raise Refused(f"{self.path}, line {at}: {problem[:1].lower()}{problem[1:]}.") from None
        except RecursionError:
            raise Refused(f"{self.path} is no {self.what}: it is nested too deeply.") from None

    def sentences(self, mistakes: Sequence[Mistake]) -> Iterator[str]:
        """Yields a sentence with line and key for each mistake, from the top of the file."""
        told = sorted((self._line(mistake.at), mistake) for mistake in mistakes[:MOST_TOLD])
        for line, (at, why) in told:
            key = ".".join(at).removeprefix("phrases.")
            yield f"{self.path}, line {line}: {key}: {why if why.endswith('?') else f'{why}.'}"
        if len(mistakes) > MOST_TOLD:
            yield f"And {len(mistakes) - MOST_TOLD} more."

    def _line(self, at: tuple[str, ...]) -> int:
        """Returns the number of the text line on which the key `at` gets its value; 1 if not found.

        Parses ever longer beginnings of the file; the first that has the key ends with that line.
        """
        lines = [f"{line}\n" for line in self.text.split("\n")]
        for number, line in enumerate(lines):
            if at[-1] in line and _has(lines[:number], at) is False:
                longer = (_has(lines[:upto], at) for upto in range(number + 1, len(lines) + 1))
                if next((found for found in longer if found is not None), False):
                    return number + 1
        return 1


def _has(lines: list[str], at: tuple[str, ...]) -> bool | None:
    """True if these TOML lines, read as a file, define the key `at`; None if they end inside a value."""
    try:
        data: Any = tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        return None
    for key in at:
        data = data.get(key) if isinstance(data, dict) else None
    return data is not None


def _phrases(given: object) -> tuple[dict[str, str], list[Mistake]]:
    """Returns a voice file's phrases by key, and mistakes found in them.

    Both empty if `given` is not a table.
    """
    own: dict[str, str] = {}
    mistakes: list[Mistake] = []
    for path, text in flat(given) if isinstance(given, dict) else ():
        at, key = ("phrases", *path), named_key(path[0], path[2]) if _is_name(path) else ".".join(path)
        try:
            own[key] = _phrase(path, key, text)
        except Unfit as unfit:
            mistakes.append(Mistake(at, str(unfit)))
    return own, mistakes


def _phrase(path: tuple[str, ...], key: str, text: object) -> str:
    """Returns a phrase as one text line; Unfit if its key is unknown, or if it cannot be used."""
    names = tuple(known(path[0]))
    if key not in names and not _is_name(path):
        raise Unfit(no_such_key(key, names))
    if not isinstance(text, str):
        raise Unfit("this has to be a text in quotation marks")
    phrase = " ".join(text.split())
    new_sandbox().template(phrase, _NUMBER if _is_name(path) else values(key))
    return phrase


_NUMBER: Final = frozenset({"number"})
_NAMED: Final = 3


def _is_name(path: Sequence[str]) -> bool:
    """True for the path of a name of a game (`homebrew`, `named`, `a hit`), which may be anything."""
    return len(path) == _NAMED and path[1] == "named"
