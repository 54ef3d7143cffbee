"""File of a table's answers about an imported log: read, checked, and written after each answer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from retold.cli.output.writing_files import replaced
from retold.journal.file_reading import read_regular_file
from retold.journal.refused import Refused
from retold.sources.answers import (
    begun,
    read_answers,
    with_answers,
    with_comments,
    without_comment,
    without_people,
)
from retold.sources.questions import Edit, Question

LARGEST: Final = 5_000_000
"""Bytes of an answers' file."""


class AnswersFile:
    """File of a table's answers: read, checked, and written after each answer."""

    def __init__(self, path: Path) -> None:
        """Reads the file if it exists. Raises Refused for mistakes, each with its line."""
        self.path = path
        self.text = ""
        if path.exists():
            try:
                data = read_regular_file(path, LARGEST + 1)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or str(error)
                raise Refused(f"{path} cannot be read: {why}.") from None
            if len(data) > LARGEST:
                raise Refused(f"{path} is larger than {LARGEST:,} bytes: that is no file of answers.")
            try:
                self.text = data.decode("utf-8-sig").replace("\r\n", "\n")
            except UnicodeDecodeError:
                raise Refused(f"{path} is not UTF-8: that is no file of answers.") from None
        self.answers = read_answers(self.text, path.name)

    def set(self, made: Iterable[Edit], question: Question | None = None, family: str = "") -> None:
        """Writes values into the file, and removes the comment that asked for them."""
        text = begun(self.text, family or self.answers.family)
        if question is not None:
            text = without_comment(text, question.comment)
        made = list(made)
        self.write(with_answers(without_people(text, _labels_in(made)), made))

    def ask(self, family: str, open_questions: Iterable[Question]) -> None:
        """Writes open questions into the file as comments."""
        self.write(with_comments(self.text, family, (one.comment for one in open_questions)))

    def write(self, text: str) -> None:
        """Replaces the file. Raises Refused if it cannot be written."""
        if text == self.text and self.path.exists():
            return
        try:
            replaced(self.path, [text.encode()], 0o600, lasting=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise Refused(f"{self.path} cannot be written: {why}; name another file with --map.") from None
        self.text = text
        self.answers = read_answers(text, self.path.name)


def _labels_in(made: Iterable[Edit]) -> set[str]:
    """Labels that edits answer: people's names, their other labels, those of the game master."""
    found: set[str] = set()
    for path, value in made:
        if path[0] == "people":
            found.add(path[1])
        if path[-1] in ("labels", "game_master") and not isinstance(value, str):
            found.update(value)
    return found
