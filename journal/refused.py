"""Refusals: exceptions with a sentence for the user, raised before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


class Refused(Exception):  # noqa: N818 - a refusal is an answer and no error
    """A command that cannot be carried out; `sentence`, also its `str`, gives the user the reason.

    If there are several reasons, `sentences` lists them one by one.
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
    """Raised if the necessary words were redacted."""


class NotHere(Refused):
    """Raised if the necessary game is not installed."""


def none_if_refused(ask: Callable[[], Answer]) -> Answer | None:
    """Returns the result of `ask()`, or None if it raises Refused."""
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
