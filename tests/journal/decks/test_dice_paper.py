"""Each row of docs/dice.md, as it is parsed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retold.journal.decks.expressions import parse_throw
from retold.journal.refused import Refused

PAPER = Path(__file__).parents[3] / "docs" / "dice.md"


def rows(heading: str) -> list[tuple[str, str]]:
    """The first two cells of each row of a table, without code marks and backslashes."""
    part = PAPER.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `([^`]+)` \| (.+?) \|", part, re.MULTILINE)
    return [(typed, said.strip("`").replace("\\", "")) for typed, said in found]


@pytest.mark.parametrize(("typed", "recorded"), rows("What you may type"))
def test_dice_as_typed_are_recorded_in_one_spelling(typed: str, recorded: str) -> None:
    assert str(parse_throw(typed)) == recorded
    assert str(parse_throw(recorded)) == recorded


@pytest.mark.parametrize(("typed", "answer"), rows("What is answered"))
def test_dice_that_cannot_be_read_are_answered_with_the_part(typed: str, answer: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_throw(typed)

    assert str(refused.value).startswith(answer)
