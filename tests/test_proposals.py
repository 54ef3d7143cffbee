"""Every line that a sentence proposes can be typed: its names are quoted where they must be (B6)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from retold.journal.language.verbs import VERBS
from tests.proposed import lines_in, trouble, unreadable
from tests.scenario import cast, given

ROOT = Path(__file__).parent.parent
PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands in a collected sentence where a value is put in."""

PROPOSED = re.compile(
    r"(?:^|: |\(|; |, )(?=(?P<line>(?P<verb>[a-z]+)(?::|\b)[^();]*?)(?=\)|;|$|\.$|\. |, or ))"
)
"""What a sentence tells somebody to type stands at its end, after a colon, or in brackets."""


class Sentence(NamedTuple):
    """A sentence of the house's, with the expressions put into it in order."""

    where: str
    text: str
    values: tuple[str, ...]


def sentences() -> Iterator[Sentence]:
    """Every text that is put together of others, in the code of the language and of the games."""
    for folder in ("journal", "retold", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _of_module(path)


def _of_module(path: Path) -> Iterator[Sentence]:
    written = [
        node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.JoinedStr)
    ]
    inner = {id(part) for node in written for part in ast.walk(node) if part is not node}
    for node in written:
        if id(node) not in inner:
            yield _sentence(path, node)


def _sentence(path: Path, node: ast.JoinedStr) -> Sentence:
    texts = [str(part.value) if isinstance(part, ast.Constant) else PLACE for part in node.values]
    values = [ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue)]
    return Sentence(f"{path.relative_to(ROOT)}:{node.lineno}", "".join(texts), tuple(values))


class Proposal(NamedTuple):
    """A line proposed in a sentence, and the expressions in it."""

    where: str
    line: str
    values: tuple[str, ...]


def proposals() -> Iterator[Proposal]:
    """Every line that a sentence proposes."""
    for sentence in sentences():
        for found in PROPOSED.finditer(sentence.text):
            if found["verb"] not in VERBS:
                continue
            before, line = sentence.text[: found.start("line")].count(PLACE), AND_SO.sub("", found["line"])
            yield Proposal(sentence.where, line, sentence.values[before : before + line.count(PLACE)])


BARE = re.compile(r"^(?:\w+\.)*name\(|^name$|_name$|^bearer$")
AND_SO = re.compile(r", and .*$")
"""What a sentence goes on with after the line."""
"""What puts somebody's name into a sentence as it is, without quotes."""


def test_B6_a_name_in_a_proposed_line_is_quoted() -> None:
    breaches = [
        f"{one.where}: {one.line} <- {', '.join(one.values)}"
        for one in proposals()
        if any(BARE.search(value) for value in one.values)
    ]

    assert breaches == [], "put it through retold.journal.names.quoted"


# --- lines in sentences -----------------------------------------------------------------------------------


SAID: tuple[tuple[str, list[str]], ...] = (
    ('Somebody (see none), or so: clear "Two Guards" mild.', ["see none", 'clear "Two Guards" mild']),
    ("It is so (end conflict).", ["end conflict"]),
    ("Not yet: draw Zel 4, or quality Zel 9.", ["draw Zel 4", "quality Zel 9"]),
    ("Say which of them it is: say it otherwise, move it there.", []),
    ("A verb alone is named: attack, move, or apply.", []),
)
"""Sentences, and the lines in them."""


@pytest.mark.parametrize(("sentence", "expected"), SAID)
def test_B6_the_lines_in_a_sentence_are_found(sentence: str, expected: list[str]) -> None:
    assert [one.text for one in lines_in(sentence)] == expected


def test_B6_a_line_that_is_not_taken_is_found_out() -> None:
    """What every `then_refused` and every random evening holds of its sentences."""
    table = given(*cast("Two Guards")).table

    assert not [*trouble('Say more: note "Two Guards": rain.', table)]
    assert [*trouble("Say more: note Two Guards: rain.", table)]
    assert [*trouble("It is so: end conflict.", table)], "no conflict is open"
    assert not [*unreadable("It is so: end conflict.", table)], "but the line can be read"
    assert not [*trouble("In a conflict, and then: end conflict.", table)], "and that is for later"
