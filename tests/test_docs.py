"""The papers say what is so: what is made is fresh, what is linked is there, what is shown can be typed."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

import retold.game
from retold.cli.invocation import READING
from retold.journal.language.lexing import lex
from retold.journal.language.verbs import EXPECT, VERBS, form_of
from retold.projections.views import VIEWS

ROOT = Path(__file__).parent.parent
PAPERS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def made(script: str) -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / script))


def test_the_reference_of_verbs_is_fresh() -> None:
    expected = (ROOT / "docs/verbs.md").read_text("utf-8")

    assert made("verbs.py")["reference"]() == expected


@pytest.mark.parametrize("name", ["transcript", "replay", "view", "campaign"])
def test_the_schemas_are_fresh(name: str) -> None:
    expected = json.loads((ROOT / f"docs/{name}.schema.json").read_text("utf-8"))

    assert json.loads(json.dumps(made("schemas.py")[f"{name}_schema"]())) == expected


def test_the_picture_is_fresh_and_loads_no_external_resources() -> None:
    kept = (ROOT / "docs/at-work.svg").read_text("utf-8")

    assert made("pictures.py")["picture"]() == kept
    assert not re.search(r"url\((?!#)|@font-face|<script|(?:src|href)=", kept)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(paper: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", paper.read_text("utf-8"))
    local = [link for link in links if "://" not in link]

    assert [link for link in local if not (paper.parent / link).exists()] == []


def test_every_decision_is_in_the_table_once() -> None:
    folder = ROOT / "docs/decisions"
    table = re.findall(r"^\| \[\d+\]\(([^)]+)\)", (folder / "README.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(table) == [page.name for page in sorted(folder.glob("[0-9]*.md"))]


def test_every_view_is_documented_for_machines() -> None:
    paper = (ROOT / "docs/json.md").read_text("utf-8")

    assert [view for view in VIEWS if f"| `{view}` |" not in paper] == []


def test_every_name_of_a_game_s_module_is_in_its_reference() -> None:
    paper = (ROOT / "docs/game-api.md").read_text("utf-8")

    assert [name for name in retold.game.__all__ if not re.search(rf"\b{name}\b", paper)] == []


@pytest.mark.parametrize("paper", ["add-a-game.md", "game-api.md"])
def test_what_a_game_is_told_to_import_is_in_its_module(paper: str) -> None:
    text = (ROOT / "docs" / paper).read_text("utf-8")
    named = [name for line in re.findall(r"from retold.game import (.*)", text) for name in line.split(", ")]

    assert [name for name in named if name not in retold.game.__all__] == []
    assert re.findall(r"(?:from|import) (?:journal|projections|cli)\b.*", text) == []


def blocks() -> list[str]:
    """The indented or fenced lines of the README's code blocks."""
    text = (ROOT / "README.md").read_text("utf-8")
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    typed = [block for language, block in fenced if not language]
    return [line for block in typed for line in block.splitlines() if line.strip()]


def test_every_line_of_the_readmes_evening_matches_its_verb() -> None:
    other = ("retold", "python3", "hp ")  # a shell's, and one that only the tracks of d20 know
    lines = [line for line in blocks() if not line.startswith(other)]

    assert len(lines) > 5
    for line in lines:
        lexed = lex(line.replace(" all ", " Thia+Osk "))  # a table knows who that is
        form_of(VERBS[lexed.verb.text]).match(lexed, {"system": lambda word: word == "bruise"})


def test_every_command_in_the_readme_exists() -> None:
    commands = [part for line in blocks() for part in re.findall(r"retold ([a-z]+)", line)]

    assert len(commands) > 10
    assert [verb for verb in commands if verb not in {*READING, *VERBS, *EXPECT, "log", "help"}] == []


def test_the_two_commands_stand_first() -> None:
    first = [shlex.split(line)[:3] for line in blocks()[:2]]

    assert first == [["python3", "run.py", "demo"], ["python3", "run.py", "test"]]
