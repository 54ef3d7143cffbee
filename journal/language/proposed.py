"""The lines that a sentence tells somebody to type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from journal.language.verbs import VERBS

_PROPOSED = re.compile(
    r"(?:: |\(|; |, |\bor )(?P<line>(?P<verb>[a-z]+)\b[^();]*?)(?=\)|;|$|\.$|\. [A-Z]|, or )"
)
_TO_BE_FILLED_IN = re.compile(r"…|\b[A-Z]{2,}\b")
"""What stands in a proposed line for somebody's own words, or a name or number to be put there."""


def lines_in(sentence: str) -> Iterator[str]:
    """Each line the sentence proposes that leaves nothing to be filled in; the rules may refuse it yet."""
    for found in _PROPOSED.finditer(sentence):
        if found["verb"] in VERBS and not _TO_BE_FILLED_IN.search(found["line"]):
            yield found["line"]
