"""Words for whom an event is, where it is not for the whole table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from journal.visibility import TABLE, is_secret_number
from projections import safe
from projections.plain.ink import GM


def for_whom(visible_to: str | Sequence[int], names: Mapping[int, str]) -> str:
    """Whom an event is for: `for Ana and Bo only`; empty for the whole table. `names` are by number.

    Nobody hears of a listener who was introduced in secret and has no name in `names`.
    """
    if visible_to == TABLE:
        return ""
    people = () if isinstance(visible_to, str) else visible_to
    people = [one for one in people if one in names or not is_secret_number(one)]
    *first, last = (_called(one, names) for one in people or (GM,))
    return f"for {', '.join(first)} and {last} only" if first else f"for {last} only"


def marked(line: str, visible_to: str | Sequence[int], names: Mapping[int, str]) -> str:
    """A line of notation that ends with whom it is for: `(for Bo only)`; as it is for the whole table."""
    whom = for_whom(visible_to, names)
    return f"{line} ({safe.line(whom)})" if whom else line


def _called(person: int, names: Mapping[int, str]) -> str:
    return "the game master" if person == GM else names.get(person, f"somebody ({person})")
