"""Refusals: exceptions whose text tells the user why a command was rejected, before anything is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

Answer = TypeVar("Answer")


class Refused(Exception):  # noqa: N818 - a refusal is an answer and no error
    """Raised to reject a user's command; `sentence`, also the `str`, tells the user the reason.

    If there are several reasons, `sentences` lists them one by one.
    """

    sentence: str
    for_players: str | None = None
    """Sentence for players, if the game master's is another."""
    lines: tuple[str, ...] = ()
    """Lines that the sentence proposes and that would be taken; `retold.Campaign.say` finds them."""
    are_in_turn: bool = False
    """True if the lines are what was typed as one, to be said one after the other."""
    edit: str | None = None
    """Line that a prompt may begin with, to be changed and said."""

    def __init__(self, *sentences: str) -> None:
        self.sentences, self.sentence = sentences, " ".join(sentences)
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence


class LineToType(NamedTuple):
    """Line proposed instead of a refused one, as it is typed, and the words of it that a shell takes."""

    label: str
    typed: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.label}: {self.typed}{'' if self.typed.endswith('.') else '.'}"


class Unfinished(Refused):
    """Refusal of a line that lacks its end, such as `retcon 412`, with whole lines to type in its place.

    `about` says what is recorded now, `edit` is the likeliest line.
    """

    def __init__(self, about: str, edit: str, *ways: LineToType) -> None:
        super().__init__(about, *map(str, ways))
        self.args = (about, edit, *ways)  # pickle calls the class with `args`
        self.about, self.edit, self.ways = about, edit, ways
        self.lines = tuple(way.typed for way in ways)


class Forgotten(Refused):
    """Raised if a command needs texts that were redacted (erased from the record)."""


class NotHere(Refused):
    """Raised if a command needs a game that is not installed."""


def none_if_refused(ask: Callable[[], Answer]) -> Answer | None:
    """Calls `ask` and returns its result; None if it raises Refused."""
    try:
        return ask()
    except Refused:
        return None


def refusal_of(ask: Callable[[], object]) -> str | None:
    """Calls `ask` and returns the sentence of the Refused it raises; None if it raises none."""
    try:
        ask()
    except Refused as refusal:
        return str(refusal)
    return None


class NotSaid(Refused):
    """Refusal of a line that leaves the value of `slot` open; with `value` in it the line could be taken."""

    def __init__(self, sentence: str, slot: str, value: str) -> None:
        super().__init__(sentence)
        self.args = (sentence, slot, value)  # pickle calls the class with `args`
        self.slot, self.value = slot, value


class NotKnown(Refused):
    """Refusal of a line that needs a number not public to all, such as a target's armour.

    `person` has the number `number`, called `what`, on a hidden sheet. The line goes on if its command has
    the number in its field `slot`, so that it is public.
    """

    def __init__(self, sentence: str, person: int, what: str, number: int, slot: str) -> None:
        super().__init__(sentence)
        self.args = (sentence, person, what, number, slot)  # pickle calls the class with `args`
        self.person, self.what, self.number, self.slot = person, what, number, slot
