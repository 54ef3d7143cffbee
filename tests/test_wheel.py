"""What a user gets from an index: three packages, their templates and a door, and none of the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("journal", "projections", "cli")
TEMPLATES = (".j2", ".html", ".css", ".js", ".session", ".toml", ".typ")
MARKER = "py.typed"
DOOR = "retold.py"


def belongs(path: Path) -> bool:
    """Whether a file of a package is part of the product."""
    return path.suffix in (".py", *TEMPLATES) or path.name == MARKER


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, so that building leaves nothing behind; each package gets pages to find."""
    copy = tmp_path_factory.mktemp("tree")
    for file in ("pyproject.toml", "LICENSE", "README.md", DOOR):
        shutil.copy(ROOT / file, copy)
    for package in (*PACKAGES, "tests"):
        if (ROOT / package).exists():
            shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for package in PACKAGES:
        pages = copy / package / "pages_to_find_again"
        pages.mkdir(parents=True)
        (copy / package / "__init__.py").touch()
        for ending in TEMPLATES:
            (pages / f"page{ending}").touch()
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    done = subprocess.run(
        [*build, "--wheel-dir", str(folder), str(tree)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("retold-*.whl")
    return set(zipfile.ZipFile(built).namelist())


def test_the_wheel_holds_every_module_and_every_template(tree: Path, wheel: set[str]) -> None:
    files = {path for package in PACKAGES for path in (tree / package).rglob("*") if path.is_file()}

    assert {path.relative_to(tree).as_posix() for path in files if belongs(path)} <= wheel


def test_the_wheel_holds_the_three_packages_their_door_and_nothing_else(wheel: set[str]) -> None:
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == {*PACKAGES, DOOR}


def test_no_file_in_a_package_is_left_behind_unnamed(tree: Path) -> None:
    """A new kind of file (say, a font) has to be added to package-data, and to TEMPLATES here."""
    files = [path for package in PACKAGES for path in (tree / package).rglob("*") if path.is_file()]

    assert [path.relative_to(tree).as_posix() for path in files if not belongs(path)] == []


def test_the_command_is_installed_with_it(wheel: set[str]) -> None:
    assert "retold-0.1.0.dist-info/entry_points.txt" in wheel
