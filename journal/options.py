"""What a table may choose of a game, what holds where nobody chose, and what it has chosen."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeVar

from journal.table import Table

K = TypeVar("K", bound=StrEnum)


class Option(NamedTuple):
    """A table option: what may be chosen, what holds where nobody chose, and what it is about."""

    key: str
    values: tuple[str, ...]
    default: str
    about: str
    number: bool = False
    """True where any whole number from 0 is a value; `values` then shows the form."""
    below_zero: bool = False
    """True where that number may also be less than 0."""

    def read(self, typed: str) -> str:
        """A value as it was typed, in the form in which it is kept and compared."""
        return typed if self.number else typed.replace("-", "_").casefold()

    def takes(self, value: str) -> bool:
        """True if `value` may be chosen."""
        if not self.number:
            return value in self.values
        return value.removeprefix("-" if self.below_zero else "").isdecimal()

    @property
    def known(self) -> str:
        """Its values for a sentence, the default first; where any number is one, that too."""
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

OF_THE_TABLE = {one.key: one for one in (PROPOSALS, ACTING, SCREEN, COPIES)}
"""The options that belong to no game."""


def of_the_table(table: Table, option: Option) -> str:
    """The value that holds of an option that belongs to no game."""
    return table.options.get("", {}).get(option.key, option.default)


class Chosen:
    """The options of one game as a table has them; read by the word, or as what they are.

    KeyError from any of these where the game has no such option.
    """

    def __init__(self, game: str, options: Iterable[Option]) -> None:
        self._game = game
        self._defaults = {option.key: option.default for option in options}

    def __call__(self, table: Table, key: str) -> str:
        """The value that holds, in the form in which it is kept."""
        default = self._defaults[key]
        return table.options.get(self._game, {}).get(key, default)

    def number(self, table: Table, key: str) -> int:
        """The value of an option whose values are whole numbers."""
        return int(self(table, key))

    def yes(self, table: Table, key: str) -> bool:
        """True if an option is `yes` whose values are `yes` and `no`."""
        return self(table, key) == "yes"

    def kind(self, table: Table, key: str, kind: type[K]) -> K:
        """The value of an option whose values are those of `kind`."""
        return kind(self(table, key))

    def default(self, key: str) -> str:
        """What holds where nobody chose."""
        return self._defaults[key]
