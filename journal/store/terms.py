"""What somebody looks for, and where a text has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from journal.store.folding import Word, folded, places, unspaced, words


class Term(NamedTuple):
    """One thing looked for, folded: words next to each other of which the last may go on, or any part."""

    text: str
    part: bool
    """True where it may lie within a word: always in scripts without blanks, and for what is no word."""


Stretch = tuple[int, int]
"""Where a match begins in a text, and where it ends."""


def terms(typed: Iterable[str], *, parts: bool = False) -> tuple[Term, ...]:
    """What was typed as terms, each word on its own and what was quoted together; `parts` looks in words too.

    Nothing in it is an operator, and blanks alone are no term.
    """
    found = (" ".join(folded(one).split()) for one in typed)
    return tuple(Term(text, parts or _is_part(text)) for text in found if text)


def _is_part(text: str) -> bool:
    return any(map(unspaced, text)) or next(words(text), None) is None


def matches(text: str, sought: Sequence[Term]) -> tuple[Stretch, ...]:
    """Where `text` matches the terms, in order and without overlaps; nowhere unless it matches all."""
    fold = folded(text)
    each = [list(_found(fold, term)) for term in sought]
    if not all(each):
        return ()
    back = places(text)
    return tuple(_apart(sorted((back[start], _end(back, end)) for stretch in each for start, end in stretch)))


def _end(back: Sequence[int], end: int) -> int:
    """Where in a text a match ends: after the whole letter that its last folded character came from."""
    return back[end - 1] + 1 if back[end] == back[end - 1] else back[end]


def _found(fold: str, term: Term) -> Iterator[Stretch]:
    if term.part:
        start = fold.find(term.text)
        while start >= 0:
            yield start, start + len(term.text)
            start = fold.find(term.text, start + len(term.text))
        return
    wanted = [word.text for word in words(term.text)]
    said = list(words(fold))
    for first in range(len(said) - len(wanted) + 1):
        here = said[first : first + len(wanted)]
        if _goes(here, wanted):
            yield here[0].start, here[-1].start + len(wanted[-1])


def _goes(said: Sequence[Word], wanted: Sequence[str]) -> bool:
    *before, last = wanted
    return said[-1].text.startswith(last) and [word.text for word in said[:-1]] == before


def _apart(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """The stretches with those that touch made into one."""
    held: Stretch | None = None
    for start, end in stretches:
        if held is None:
            held = (start, end)
        elif start <= held[1]:
            held = (held[0], max(held[1], end))
        else:
            yield held
            held = (start, end)
    if held is not None:
        yield held
