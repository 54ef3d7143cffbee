"""A verb, a view, an option and an export, each added to a copy of Retold: how many files that takes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.test_architecture import PACKAGES, ROOT

MOST_FILES: Final = 3

SCRIPT: Final = """\
import io, json, sys
from contextlib import redirect_stdout
from retold.__main__ import main

found = []
for words in json.loads(sys.argv[1]):
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as out:
        code = main(words)
        out.seek(0)
        found.append((code, out.read()))
if len(sys.argv) > 2:
    from retold.cli.service.openapi import DESCRIPTION
    found.append((0, json.dumps(DESCRIPTION)))
print(json.dumps(found))
"""


class Addition(NamedTuple):
    """New text of a file: a whole new file, or text in front of a line that an old one has."""

    path: str
    text: str
    before: str = ""

    def write(self, tree: Path) -> None:
        file = tree / self.path
        if not self.before:
            file.write_text(self.text, "utf-8")
            return
        old = file.read_text("utf-8")
        assert old.count(self.before) == 1, self.before
        file.write_text(old.replace(self.before, self.text + self.before), "utf-8")


VERB: Final = (
    Addition(
        "cli/verbs/knock.py",
        '''\
"""The `knock` verb."""

from __future__ import annotations

from retold.cli.invocation import DONE


def command() -> int:
    """Knock on the table, once."""
    print("Knock.")
    return DONE
''',
    ),
    Addition(
        "journal/shell_verbs.py",
        '        "knock": ShellVerb("Knock on the table, once.", ("softly",)),\n',
        '        "verify": ShellVerb(',
    ),
)
VIEW: Final = (
    Addition(
        "projections/views/vowels.py",
        '''\
"""Vowels view: how many vowels each name has."""

from __future__ import annotations

from typing import NamedTuple

from retold.journal.table import Table
from retold.projections.views.sheet import Row, Seen


class NameCounted(NamedTuple):
    """A name, and the number of its vowels."""

    name: str
    vowels: int

    def row(self) -> Row:
        """Returns this name as a table row."""
        return Row.keyed((self.name,), str(self.vowels))


class Vowels(Seen, frozen=True):
    """The names of everybody."""

    view = "vowels"
    title = "Vowels"
    columns = ("name", "vowels")

    names: tuple[NameCounted, ...]


def of(table: Table) -> Vowels:
    """Returns the view of a table."""
    names = [person.name.text for person in table.everybody()]
    return Vowels(tuple(NameCounted(name, sum(letter in "aeiou" for letter in name)) for name in names))
''',
    ),
    Addition(
        "projections/views/__init__.py",
        '        View("vowels", "how many vowels each name has", "vowels:Vowels", by_table="vowels:of"),\n',
        '        View("points", ',
    ),
)
OPTION: Final = (
    Addition(
        "retold/games/bruise/options.py",
        '    Option("mood", ("calm", "wild"), "calm", "how loud a quarrel is"),\n',
        '    Option("npc_karma", ',
    ),
)
EXPORT: Final = (
    Addition(
        "projections/exports/shouted.py",
        '''\
"""Plain text in capitals."""

from __future__ import annotations

from retold.projections.exports.text import TextWriter
from retold.projections.story.document import Scene


class ShoutedWriter(TextWriter):
    """Writer of plain text in capitals."""

    def scene(self, scene: Scene) -> str:
        """Returns the text of a scene in capitals."""
        return super().scene(scene).upper()
''',
    ),
    Addition(
        "projections/exports/__init__.py",
        """\
        Export(
            *("shouted", ".shouted.txt", "text/plain", "an indented block under the paragraph"),
            **_written("shouted", "ShoutedWriter"),
        ),
""",
        """\
        Export(
            *("json", ".json", """,
    ),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of Retold's packages."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / "house" / package, symlinks=True)
    return tmp_path / "house"


def said(tree: Path, *lines: str, described: bool = False) -> Iterator[str]:
    """What each command line prints in that tree; with `described` the service's description too, as JSON."""
    home = tree.parent / "home"
    home.mkdir(exist_ok=True)
    words = json.dumps([line.split(" ") for line in lines])
    done = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT, words, *["described"] * described],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(tree), "RETOLD_HOME": str(home), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for line, (code, text) in zip([*lines, "the description"], json.loads(done.stdout), strict=False):
        assert code == 0, line
        yield text


def add(tree: Path, added: tuple[Addition, ...]) -> None:
    for addition in added:
        addition.write(tree)


@pytest.mark.parametrize("added", [VERB, VIEW, OPTION, EXPORT], ids=["verb", "view", "option", "export"])
def test_an_addition_touches_few_files(added: tuple[Addition, ...]) -> None:
    """Their pages in docs are generated: docs/verbs.md, docs/view.schema.json."""
    assert len({addition.path for addition in added}) < MOST_FILES


def test_a_verb_is_one_row_and_what_it_does(tree: Path) -> None:
    add(tree, VERB)

    everything, help_, done, completed, after = said(
        tree, "help all", "help knock", "knock", "--complete kno", "--complete knock "
    )

    assert "  knock         Knock on the table, once.\n" in everything
    assert "Knock on the table, once." in help_
    assert (done, completed, after) == ("Knock.\n", "knock\n", "softly\n")


def test_a_view_is_one_row_and_what_it_shows(tree: Path) -> None:
    add(tree, VIEW)

    *_, shown, as_json, help_, completed, description = said(
        tree,
        "new evening",
        "cast Ada by=Ben",
        "show vowels",
        "--json show vowels",
        "help vowels",
        "--complete show vo",
        described=True,
    )

    assert "Ada" in shown
    assert {"name": "Ada", "vowels": 1} in json.loads(as_json)["names"]
    assert "how many vowels each name has" in help_
    assert completed == "vowels\n"
    assert "vowels" in description


def test_an_option_is_one_row(tree: Path) -> None:
    add(tree, OPTION)

    *_, listed, help_ = said(tree, "new evening", "option bruise.mood=wild", "systems bruise", "help mood")

    assert "how loud a quarrel is" in listed
    assert "how loud a quarrel is" in help_


def test_an_export_is_one_row_and_its_writer(tree: Path) -> None:
    add(tree, EXPORT)

    *_, told, help_, listed = said(
        tree,
        "new evening",
        "session",
        "narrate: Rain fell all night.",
        "export -f shouted -o -",
        "help shouted",
        "export --help",
    )

    assert "RAIN FELL ALL NIGHT." in told
    assert "a format of export" in help_
    assert "shouted" in listed
