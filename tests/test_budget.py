"""The budget of statements (tests/budget.toml): no part of Retold grows unseen."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct, convert

from tests.test_architecture import PACKAGES, ROOT

BUDGET: Final = ROOT / "tests" / "budget.toml"
ROOM: Final = 1 / 20
"""Share of a part's number that may be unused."""


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Files and folders of a part, and its most statements."""

    statements: int
    paths: tuple[str, ...]
    is_feature: bool = False


def budget() -> dict[str, Part]:
    return convert(tomllib.loads(BUDGET.read_text("utf-8"))["parts"], dict[str, Part])


def statements(tree: ast.Module) -> int:
    """Number of statements, at any depth, without imports and docstrings."""
    return sum(
        isinstance(node, ast.stmt)
        and not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(tree)
    )


def part_of(path: Path, parts: Mapping[str, Part]) -> str:
    """Name of the part with the longest path that a file is, or lies in."""
    homes = {Path(home): name for name, part in parts.items() for home in part.paths}
    return next(homes[home] for home in (path, *path.parents) if home in homes)


def counted(files: Iterable[tuple[Path, str]], parts: Mapping[str, Part]) -> Counter[str]:
    found: Counter[str] = Counter()
    for path, source in files:
        found[part_of(path, parts)] += statements(ast.parse(source))
    return found


def breaches(found: Mapping[str, int], parts: Mapping[str, Part]) -> list[str]:
    """Parts whose number in the budget is not theirs, each with what to do."""
    said = []
    for name, part in parts.items():
        number = found.get(name, 0)
        if number > part.statements:
            said.append(
                f"{name}: {number} statements, {part.statements} in tests/budget.toml. "
                "Take some out, or change the number and give the reason in docs/decisions/."
            )
        elif number < part.statements * (1 - ROOM):
            said.append(f"{name}: {number} statements. Write that number into tests/budget.toml.")
    return said


def test_H1_no_part_grows_unseen() -> None:
    parts = budget()
    files = [
        (path.relative_to(ROOT), path.read_text("utf-8"))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    ]

    assert breaches(counted(files, parts), parts) == []


def test_H1_every_path_of_the_budget_is_there() -> None:
    assert [home for part in budget().values() for home in part.paths if not (ROOT / home).exists()] == []


GAME: Final = {
    "core": Part(statements=2, paths=("journal",)),
    "chess": Part(statements=4, paths=("journal/chess", "journal/clock.py")),
}


def test_statements_are_counted_at_any_depth_and_words_and_imports_are_not() -> None:
    files = [
        (Path("journal/line.py"), '"""A line."""\nimport re\nif re:\n    X = 1\n    """What it is."""\n'),
        (Path("journal/chess/moves.py"), "def move() -> int:\n    return 1\n"),
        (Path("journal/clock.py"), "from re import compile\nY = 2\n"),
    ]

    assert counted(files, GAME) == {"core": 2, "chess": 3}


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (40, []),
        (41, ["chess: 41 statements, 40 in tests/budget.toml. Take some out"]),
        (38, []),
        (37, ["chess: 37 statements. Write that number into tests/budget.toml."]),
    ],
)
def test_a_part_that_grew_or_shrank_is_named(number: int, says: list[str]) -> None:
    chess = Part(statements=40, paths=("journal/chess",))

    found = breaches({"chess": number}, {"chess": chess})

    assert [sentence[: len(start)] for sentence, start in zip(found, says, strict=True)] == says
