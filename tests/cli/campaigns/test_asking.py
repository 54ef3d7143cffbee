"""A question at the terminal is answered with y or n; another line is no answer."""

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
