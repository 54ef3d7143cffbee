"""Words as they are typed at the shells of POSIX systems and of Windows."""

from __future__ import annotations

import pytest

from retold.journal.shell_words import shell_line, shell_word, split_command


@pytest.mark.parametrize(
    ("word", "posix", "windows"),
    [
        ("salt-road.retold", "salt-road.retold", "salt-road.retold"),
        ("salt road", "'salt road'", '"salt road"'),
        (r"C:\games\x.retold", r"'C:\games\x.retold'", r"C:\games\x.retold"),
        (r"\\server\share\x y", r"'\\server\share\x y'", r'"\\server\share\x y"'),
        ("the Widow's", "'the Widow'\"'\"'s'", '"the Widow\'s"'),
        ("a&b", "'a&b'", '"a&b"'),
        ('the "Crow"', "'the \"Crow\"'", r'"the \"Crow\""'),
        ("", "''", '""'),
    ],
)
def test_a_word_is_quoted_as_its_shell_reads_it(word: str, posix: str, windows: str) -> None:
    assert shell_word(word, is_windows=False) == posix
    assert shell_word(word, is_windows=True) == windows


def test_a_line_has_its_words_quoted_one_by_one() -> None:
    assert shell_line(["retold", "play", "salt.retold"]) == "retold play salt.retold"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (r"C:\bin\edit.exe --wait", [r"C:\bin\edit.exe", "--wait"]),
        (r'"C:\Program Files\ed\ed.exe" -n', [r"C:\Program Files\ed\ed.exe", "-n"]),
    ],
)
def test_an_editor_of_windows_keeps_its_backslashes(typed: str, words: list[str]) -> None:
    assert split_command(typed, is_windows=True) == words


def test_an_editor_elsewhere_is_split_as_a_shell_does() -> None:
    assert split_command(r"'/opt/my ed' a\ b", is_windows=False) == ["/opt/my ed", "a b"]
