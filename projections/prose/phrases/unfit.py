"""Mistakes in phrases and voice files; separate from what finds them, which is slow to load."""

from __future__ import annotations

from typing import NamedTuple


class Unfit(ValueError):  # noqa: N818 -- named for what the phrase is
    """Unusable phrase; the message continues a sentence and has no full stop."""


class Mistake(NamedTuple):
    """A mistake in a voice file: the keys that lead to it, and a reason that continues a sentence."""

    at: tuple[str, ...]
    why: str


def no_such_key(key: str, known: tuple[str, ...]) -> str:
    """Reason to refuse an unknown key, with the nearest known one."""
    from journal.names import nearest  # noqa: PLC0415 -- only a refusal needs it

    close = nearest(key, known, 1)
    there = f"did you mean {close[0]}?" if close else f"there is {', '.join(known)}"
    return f"there is no such key, {there}"
