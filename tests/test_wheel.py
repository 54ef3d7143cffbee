"""The wheel and the source distribution: one package with its templates, and none of the tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("journal", "projections", "retold", "cli")
TEMPLATES = (
    ".j2",
    ".html",
    ".css",
    ".js",
    ".session",
    ".toml",
    ".typ",
    ".otf",
    ".svg",
    ".png",
    ".webmanifest",
)
MARKER = "py.typed"
FONT_LICENCE = "OFL.txt"
VERBS_OF_A_GAME = "verbs.txt"


def belongs(path: Path) -> bool:
    """Whether a file of a package is part of the product."""
    return path.suffix in (".py", *TEMPLATES) or path.name in (MARKER, FONT_LICENCE, VERBS_OF_A_GAME)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, so that building leaves nothing behind; each package gets pages to find."""
    copy = tmp_path_factory.mktemp("tree")
    for file in ("MANIFEST.in", "pyproject.toml", "setup.py", "LICENSE", "README.md"):
        shutil.copy(ROOT / file, copy)
    shutil.copytree(ROOT / "docs", copy / "docs")
    bare = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(ROOT / "examples/guests", copy / "examples/guests", ignore=bare)
    for package in (*PACKAGES, "tests"):
        if (ROOT / package).exists():
            compiled = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, copy / package, symlinks=True, ignore=compiled)
    for package in PACKAGES:
        pages = copy / package / "pages_to_find_again"
        pages.mkdir(parents=True)
        (copy / package / "__init__.py").touch()
        for ending in TEMPLATES:
            (pages / f"page{ending}").touch()
    return copy


def built(source: Path, folder: Path) -> Path:
    """The wheel that pip builds from a folder or a source distribution."""
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
        [*build, "--wheel-dir", str(folder), str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("retold-*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the sources, laid out as pip lays it out."""
    folder = tmp_path_factory.mktemp("wheel")
    zipfile.ZipFile(built(tree, folder)).extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def wheel(installed: Path) -> set[str]:
    """The names of the files in the wheel."""
    return {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}


def test_the_wheel_holds_every_module_and_every_template(tree: Path, wheel: set[str]) -> None:
    files = {path for package in PACKAGES for path in (tree / package).rglob("*") if path.is_file()}

    assert {installed_name(path.relative_to(tree)) for path in files if belongs(path)} <= wheel


def installed_name(path: Path) -> str:
    """Where a file of the tree is installed: `journal/line.py` as `retold/journal/line.py`."""
    return (path if path.parts[0] == "retold" else Path("retold") / path).as_posix()


def test_L2_the_wheel_holds_one_package(wheel: set[str]) -> None:
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == {"retold"}


def test_no_file_in_a_package_is_left_behind_unnamed(tree: Path) -> None:
    """A new kind of file (say, a font) has to be added to package-data, and to TEMPLATES here."""
    files = [path for package in PACKAGES for path in (tree / package).rglob("*") if path.is_file()]

    assert [path.relative_to(tree).as_posix() for path in files if not belongs(path)] == []


def test_L1_the_wheel_says_that_it_has_types(wheel: set[str]) -> None:
    """`.ci/wheel` checks a program, the example guests and the example reader against the installed types."""
    assert f"retold/{MARKER}" in wheel


def test_the_command_is_installed_with_it(wheel: set[str]) -> None:
    assert "retold-0.3.0.dev0.dist-info/entry_points.txt" in wheel


def said(installed: Path, *words: str) -> str:
    """What the installed command prints, in a process that knows nothing of the sources."""
    return run(installed, "-m", "retold", *words)


def run(installed: Path, *words: str) -> str:
    """What Python prints, in a process that knows nothing of the sources."""
    return subprocess.check_output(
        [sys.executable, "-P", *words],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        text=True,
    )


def papers() -> list[Path]:
    return [ROOT / "docs/language.md", *sorted((ROOT / "docs/rules").glob("*.md"))]


HELP = "import sys\nfrom retold.__main__ import main\nfor paper in sys.argv[1:]:\n    main(['help', paper])"


def test_F7_what_is_installed_holds_the_rules_and_the_language(installed: Path) -> None:
    told = run(installed, "-c", HELP, *(paper.stem for paper in papers()))

    assert said(installed, "help", "language").endswith((ROOT / "docs/language.md").read_text("utf-8"))
    assert [paper.stem for paper in papers() if paper.read_text("utf-8") not in told] == []


@pytest.fixture(scope="module")
def packed(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution."""
    folder = tmp_path_factory.mktemp("source")
    script = "from setuptools import build_meta; build_meta.build_sdist(__import__('sys').argv[1])"
    subprocess.run([sys.executable, "-c", script, str(folder)], cwd=tree, check=True, capture_output=True)
    (found,) = folder.glob("retold-*.tar.gz")
    return found


def test_F7_so_does_what_is_built_from_a_source_distribution(packed: Path, tmp_path: Path) -> None:
    names = zipfile.ZipFile(built(packed, tmp_path)).namelist()

    assert {f"retold/cli/{paper.relative_to(ROOT).as_posix()}" for paper in papers()} <= set(names)
    assert {"retold/__main__.py", "retold/journal/line.py"} <= set(names)


def test_L15_a_source_distribution_holds_no_test_without_its_data(packed: Path) -> None:
    """A test wants the whole tree, its documents and examples too: the distribution holds none."""
    with tarfile.open(packed) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}

    assert [name for name in inside if name == "tests" or name.startswith("tests/")] == []
    assert {"README.md", "LICENSE", "MANIFEST.in", "setup.py", "journal/line.py"} <= inside


@pytest.fixture(scope="module")
def metadata(installed: Path) -> Message:
    """What an index shows of the wheel."""
    (file,) = installed.glob("retold-*.dist-info/METADATA")
    return HeaderParser().parsestr(file.read_text("utf-8"))


def test_L15_an_index_shows_the_readme(metadata: Message) -> None:
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert str(metadata.get_payload()).strip() == (ROOT / "README.md").read_text("utf-8").strip()


def test_L15_an_index_finds_it_by_words_and_kinds(metadata: Message) -> None:
    kinds = metadata.get_all("Classifier") or []
    minors = [kind.rpartition(" ")[2] for kind in kinds if ":: Python :: 3." in kind]

    assert "Topic :: Games/Entertainment :: Role-Playing" in kinds
    assert minors == [f"3.{minor}" for minor in range(11, 15)]
    assert metadata["Requires-Python"] == f">={minors[0]}"
    assert metadata["License-Expression"] == "MIT AND OFL-1.1"
    assert {"rpg", "ttrpg"} <= set(metadata["Keywords"].split(","))


def test_L15_every_extra_is_named(metadata: Message) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert set(metadata.get_all("Provides-Extra") or ()) == set(project["optional-dependencies"])


def test_what_is_installed_can_begin_a_game(installed: Path, tmp_path: Path) -> None:
    said(installed, "new-game", "tides", str(tmp_path / "tides"))

    assert (tmp_path / "tides/retold_tides/rules.py").exists()
    assert (tmp_path / "tides/tests/test_tides.py").exists()


# --- Names of other people -------------------------------------------------------------------------------

CORE = ("journal", "projections", "cli")
PROGRAM = "import retold\nwith retold.new('evening.retold') as evening:\n    evening.say('cast Ada by=Ben')\n"


def program(installed: Path, folder: Path, *words: str) -> str:
    """What Python prints in a project of somebody else, with Retold among its installed packages."""
    return subprocess.check_output(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("name", CORE)
def test_L2a_a_module_beside_the_program_is_the_program_s(installed: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "main.py").write_text(f"{PROGRAM}import {name}\nprint({name}.x)\n")

    assert program(installed, tmp_path, "main.py") == "1\n"


@pytest.mark.parametrize("name", CORE)
def test_L2b_a_module_of_the_program_may_come_first(installed: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "main.py").write_text(f"import {name}\n{PROGRAM}print({name}.x)\n")

    assert program(installed, tmp_path, "main.py") == "1\n"


@pytest.mark.parametrize("name", CORE)
def test_L2c_tests_of_a_project_with_such_a_package_run(installed: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("x = 1\n")
    test = (
        f"from {name} import x\nfrom retold.game import System\ndef test_x() -> None: assert x and System\n"
    )
    (tmp_path / "test_it.py").write_text(test)

    assert "1 passed" in program(installed, tmp_path, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py")


@pytest.mark.parametrize("name", CORE)
def test_L2d_another_distribution_keeps_its_package(installed: Path, tmp_path: Path, name: str) -> None:
    site = shutil.copytree(installed, tmp_path / "site")
    (site / name).mkdir()
    (site / name / "__init__.py").write_text("import a_module_that_is_not_there\n")

    assert "More of one: retold systems NAME" in said(site, "systems")


def test_a_checkout_without_links_finds_its_packages(tree: Path, tmp_path: Path) -> None:
    """Git on Windows writes a link as a file that holds its target."""
    copy = shutil.copytree(tree, tmp_path / "tree", symlinks=True)
    for name in CORE:
        (copy / "retold" / name).unlink()
        (copy / "retold" / name).write_text(f"../{name}")

    assert "More of one: retold systems NAME" in said(copy, "systems")
    assert "retold/journal/line.py" in zipfile.ZipFile(built(copy, tmp_path / "wheel")).namelist()
    assert "Edgerunner" in said(copy, "help", "edgerunner")


def test_every_import_uses_the_installed_name() -> None:
    """`import journal` works in a checkout, and would load every module of it a second time."""
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(CORE)})[. \n]", re.MULTILINE)
    folders = (*CORE, "retold", "tests", "benchmarks", "docs", "examples")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]

    assert [str(path) for path in sources if bare.search(path.read_text("utf-8"))] == []
