"""Table options: their possible values, their defaults, and the values a table has chosen."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeVar

from journal.table import Table

K = TypeVar("K", bound=StrEnum)


class Option(NamedTuple):
    """One table option: its key, its possible values, its default, and a description."""

    key: str
    values: tuple[str, ...]
    default: str
    about: str
    number: bool = False
    """True where any whole number from 0 is a value; `values` then shows the form."""
    below_zero: bool = False
    """True if a number below 0 is allowed too."""

    def read(self, typed: str) -> str:
        """Normalises a typed value to the form that is stored and compared."""
        return typed if self.number else typed.replace("-", "_").casefold()

    def takes(self, value: str) -> bool:
        """True if `value` may be chosen."""
        if not self.number:
            return value in self.values
        return value.removeprefix("-" if self.below_zero else "").isdecimal()

    @property
    def known(self) -> str:
        """The possible values as text for a sentence, the default first.

        If numbers are allowed, `any whole number` stands last.
        """
        others = [value for value in self.values if value != self.default]
        any_number = "any whole number" if self.below_zero else "any whole number from 0 on"
        return "|".join((self.default, *others, *[any_number] * self.number))


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
    "what a secret person's first open act shows everybody: who they are, or their sheet as well;"
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
    "whose copy a file made to be sent is where nobody says --for: asked at a terminal, the table's, or the"
    " game master's",
)

OF_THE_TABLE = {option.key: option for option in (PROPOSALS, ACTING, SCREEN, COPIES)}
"""The options that belong to no game."""


def of_the_table(table: Table, option: Option) -> str:
    """Current value, or default, of an option that belongs to no game."""
    return table.options.get("", {}).get(option.key, option.default)


class Chosen:
    """Reads the current option values of one game from a table.

    Every method raises KeyError for a key the game has no option for.
    """

    def __init__(self, game: str, options: Iterable[Option]) -> None:
        self._game = game
        self._defaults = {option.key: option.default for option in options}

    def __call__(self, table: Table, key: str) -> str:
        """Current value of an option, in its stored form."""
        default = self._defaults[key]
        return table.options.get(self._game, {}).get(key, default)

    def number(self, table: Table, key: str) -> int:
        """Current value of a whole-number option, as an int."""
        return int(self(table, key))

    def yes(self, table: Table, key: str) -> bool:
        """True if the value of a yes/no option is `yes`."""
        return self(table, key) == "yes"

    def kind(self, table: Table, key: str, kind: type[K]) -> K:
        """Current value of an option as a member of the enum `kind`."""
        return kind(self(table, key))

    def default(self, key: str) -> str:
        """Default value of an option."""
        return self._defaults[key]
