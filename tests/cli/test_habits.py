"""Habits of other tables at a shell (G10)."""

from __future__ import annotations

import pytest

from retold.journal.games import READING
from retold.journal.language.other_words import READ_AS
from tests.cli.shell import Shell


def test_a_word_for_a_verb_that_reads_means_one_that_there_is() -> None:
    assert {line.partition(" ")[0] for line in READ_AS.values()} <= READING


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("(ooc)", "Tea?"), "aside: “Tea?”"),
        (("/r", "2d6"), "rolls 2d6"),
        (("Roll", "2d6"), "rolls 2d6"),
        (("2d6+1",), "rolls 2d6"),
        (("bookmark", "tide", "--at", "porch"), "mark “tide” at"),
    ],
)
def test_G10_a_habit_is_taken_at_a_shell(shell: Shell, words: tuple[str, ...], told: str) -> None:
    shell.done("mark", "porch")

    assert told in shell.done(*words)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("revert", "last"), "To take back the last act: undo."),
        (("sheet", "Zel"), "who records nothing: type it at the console, or as retold who Zel"),
        (("shwo",), "There is no verb shwo. Did you mean show?"),
    ],
)
def test_G10_a_choice_is_answered_with_the_line_at_a_shell(
    shell: Shell, words: tuple[str, ...], answer: str
) -> None:
    assert shell.misused(*words) == answer
