"""Table options (settings of the campaign or of one game): possible values, defaults, and chosen values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeVar

from msgspec import Struct

from retold.journal.games import BUILT_IN, OF_FILES
from retold.journal.table import Table

K = TypeVar("K", bound=StrEnum)

_TAG: Final = re.compile(r"[a-z]{2,3}(?:-[a-z\d]{2,8})*", re.IGNORECASE | re.ASCII)
_SCRIPT: Final = 4
_REGION: Final = 2
"""Letters of a subtag that names a script or a country."""


class Option(Struct, frozen=True):
    """Definition of one table option: its key, possible values, default value, and description."""

    key: str
    values: tuple[str, ...]
    default: str
    about: str
    number: bool = False
    """True where any whole number from 0 is a value; `values` then shows the form."""
    below_zero: bool = False
    """True if a number below 0 is allowed too."""
    tag: bool = False
    """True where the tag of any language is a value."""

    def read(self, typed: str) -> str:
        """Returns a typed value in its stored form: `Low-Ace` → `low_ace`, `pt-br` → `pt-BR`.

        Numbers are unchanged.
        """
        if self.tag:
            return _canonical(typed)
        return typed if self.number else typed.replace("-", "_").casefold()

    def takes(self, value: str) -> bool:
        """True if `value`, in stored form, is a possible value, an allowed number, or a language's tag."""
        if self.tag and _TAG.fullmatch(value):
            return True
        if not self.number:
            return value in self.values
        return value.removeprefix("-" if self.below_zero else "").isdecimal()

    @property
    def known(self) -> str:
        """Possible values joined by `|` for a sentence, the default first: `asked|taken`.

        If numbers are allowed, `any whole number` comes last.
        """
        others = [value for value in self.values if value != self.default]
        any_number = "any whole number" if self.below_zero else "any whole number from 0 on"
        any_tag = "the tag of a language (es, he, pt-BR)"
        return "|".join((self.default, *others, *[any_number] * self.number, *[any_tag] * self.tag))


def _canonical(typed: str) -> str:
    """Returns a language's tag as HTML writes it: `ZH-hant_tw` → `zh-Hant-TW`."""
    first, *others = typed.replace("_", "-").split("-")
    written = (
        part.title() if len(part) == _SCRIPT else part.upper() if len(part) == _REGION else part.lower()
        for part in others
    )
    return "-".join((first.lower(), *written))


PROPOSALS = Option(
    "proposals",
    ("asked", "taken"),
    "asked",
    "whether what players hand in at the service waits for the game master, or is recorded at once",
)

ACTING = Option(
    "acting",
    ("name", "sheet", "ask"),
    "name",
    "what a secret person's first open act shows everyone: who they are, or their sheet as well;"
    " with ask the game master is asked",
)

SCREEN = Option(
    "screen",
    ("told", "silent"),
    "told",
    "whether players are told that the game master rolls behind the screen",
)

COPIES = Option(
    "copies",
    ("ask", "table", "gm"),
    "ask",
    "whose copy a file made to be sent is without --for: asked at a terminal, the table's, or the"
    " game master's",
)

TELLING = Option(
    "telling",
    ("free", "third", "first"),
    "free",
    "in which person the table tells, or one character with table.telling.NAME: the console reminds of it,"
    " and refuses nothing",
)

TENSE = Option(
    "tense", ("present", "past"), "present", "in which tense the table tells, as that reminder words it"
)

LANGUAGE = Option(
    "language",
    ("voice",),
    "voice",
    "the language of the table's words, as a tag: es, he, pt-BR; voice: that of the voice that tells them",
    tag=True,
)

OPPONENTS = Option(
    "opponents",
    ("game", "shown", "hidden"),
    "game",
    "whether players see the numbers of opponents, or in a word how hurt they are; game: hidden where an"
    " attack has to reach a number of theirs",
)

GAME = Option(
    "game",
    ("named", *(name for name in BUILT_IN if name != OF_FILES)),
    "named",
    "the game of sheets and conflicts for which none is named; named: the only one that is played",
)

OF_THE_TABLE = {
    option.key: option
    for option in (PROPOSALS, ACTING, SCREEN, COPIES, TELLING, TENSE, LANGUAGE, OPPONENTS, GAME)
}
"""The options that belong to no game."""

OF_A_PERSON = frozenset({TELLING.key})
"""Keys of the options that may have a value for a single person."""


def split_person(typed: str) -> tuple[str, str] | None:
    """Splits the typed key of a single person's option: `table.telling.Zel` → (`telling`, `Zel`).

    None for any other key.
    """
    family, _, rest = typed.partition(".")
    key, _, name = (rest if family.casefold() == "table" else typed).partition(".")
    return (key.casefold(), name) if name and key.casefold() in OF_A_PERSON else None


def of_the_table(table: Table, option: Option) -> str:
    """Returns the current value of an option that belongs to no game; its default if none was chosen."""
    return table.options.get("", {}).get(option.key, option.default)


def telling_of(table: Table, who: int | None) -> str:
    """Returns the value of the option `telling` for a person, or for the table if None."""
    known = None if who is None else table.people.get(who)
    own = None if known is None else known.telling
    return of_the_table(table, TELLING) if own is None else own


class Chosen:
    """Reader of the current option values of one game.

    Every method raises KeyError for a key that is not an option of the game.
    """

    def __init__(self, game: str, options: Iterable[Option]) -> None:
        self._game = game
        self._defaults = {option.key: option.default for option in options}

    def __call__(self, table: Table, key: str) -> str:
        """Returns the option's current value at `table`, in stored form; its default if none was chosen."""
        return table.options.get(self._game, {}).get(key, self._defaults[key])

    def number(self, table: Table, key: str) -> int:
        """Returns the current value of a whole-number option, converted to int."""
        return int(self(table, key))

    def yes(self, table: Table, key: str) -> bool:
        """True if the current value of the option is `yes`."""
        return self(table, key) == "yes"

    def kind(self, table: Table, key: str, kind: type[K]) -> K:
        """Returns the option's current value converted to the enum class `kind`."""
        return kind(self(table, key))

    def default(self, key: str) -> str:
        """Returns the default value of the option `key`."""
        return self._defaults[key]
