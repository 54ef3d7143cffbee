"""How Retold says no: in one sentence, with nothing written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A wish that cannot be granted; `sentence`, which is also its `str`, tells the table why.

    Where there are several reasons at once, `sentences` are those one by one.
    """

    sentence: str
    lines: tuple[str, ...] = ()
    """Lines that the sentence proposes and that would be taken; `retold.Campaign.say` finds them."""

    def __init__(self, *sentences: str) -> None:
        self.sentences, self.sentence = sentences, " ".join(sentences)
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence


class Forgotten(Refused):
    """Refused because the words it would have to read were redacted."""


class NotHere(Refused):
    """Refused because the game it belongs to is not installed here."""


def none_if_refused(ask: Callable[[], Answer]) -> Answer | None:
    """What a decision gives, which is asked for to learn whether it would be taken; None where it refuses."""
    try:
        return ask()
    except Refused:
        return None


def refusal_of(ask: Callable[[], object]) -> str | None:
    """Returns the sentence with which a decision is refused; None if it is accepted."""
    try:
        ask()
    except Refused as refusal:
        return str(refusal)
    return None
