"""A question at the terminal is answered with y or n; at the console another line means no, and is next."""

from __future__ import annotations

import io
import sys

import pytest

from retold.cli.campaigns.asking import asker
from retold.cli.invocation import Options


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "is_yes"),
    [
        ("y\n", True),
        ("Yes\n", True),
        ("n\n", False),
        ("\n", False),
        ("", False),
        ("scene The quay\ny\n", True),
    ],
)
def test_a_line_that_is_no_answer_is_asked_about_again(
    monkeypatch: pytest.MonkeyPatch, typed: str, is_yes: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(typed))

    assert asker(Options())("Show it?") is is_yes


@pytest.mark.parametrize(
    ("typed", "is_yes", "ahead"),
    [
        ("scene The quay\n", False, ["scene The quay"]),
        ("yep\ny\n", True, []),
        ("n\n", False, []),
    ],
)
def test_a_line_typed_in_place_of_an_answer_means_no_and_is_kept(
    monkeypatch: pytest.MonkeyPatch, typed: str, is_yes: bool, ahead: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    heard: list[str] = []

    assert asker(Options(), heard.append)("Show it?") is is_yes
    assert heard == ahead
