"""Readers of other distributions: installed into a folder of their own, and found by `import` there alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retold.sources import reader
from tests.guests.installed import ROOT, copied, done, install, laid_out, said

MATRIX = ROOT / "examples/readers/matrix"
ROOM = MATRIX / "tests/export.json"
PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "retold-broken"
version = "1.0"
[project.entry-points."retold.sources"]
broken = "retold_broken:BROKEN"
nothing = "retold_broken:NOTHING"
plain = "retold_broken:PLAIN"
[tool.setuptools]
packages = ["retold_broken"]
"""
BROKEN = '''"""A reader with mistakes."""
from dataclasses import replace
from retold.sources import READERS
NOTHING = 3
PLAIN = READERS[-1]
def __getattr__(name):
    raise RuntimeError("it is broken")
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example reader installed in it, and one with mistakes."""
    folder = tmp_path_factory.mktemp("readers")
    install(copied(MATRIX, folder / "source"), folder / "site")
    broken = folder / "broken"
    (broken / "retold_broken").mkdir(parents=True)
    (broken / "retold_broken/__init__.py").write_text(BROKEN)
    (broken / "pyproject.toml").write_text(PROJECT)
    return laid_out(broken, folder / "site")


def test_the_example_reader_is_a_distribution_whose_own_tests_are_green(site: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(MATRIX / "tests")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        cwd=site,
        check=True,
    )


def test_the_example_reader_is_small() -> None:
    (source,) = (MATRIX / "retold_matrix").glob("*.py")

    assert len(source.read_text("utf-8").splitlines()) <= 120


def test_a_reader_that_is_installed_is_listed_and_reads(site: Path, tmp_path: Path) -> None:
    shutil.copyfile(ROOM, tmp_path / "export.json")

    assert " Matrix (Element's JSON): Element, " in done(tmp_path, site, "import", "--formats")
    came = done(
        tmp_path, site, "--yes", "import", "export.json", "--into", "salt-road", "--game-master", "mary"
    )
    assert came.startswith(
        "export.json: Matrix (Element's JSON), 6 units (messages, lines) of #The Salt Road, "
    )
    assert "New: 5. Known already: 0.\n" in came
    assert "matrix" not in done(tmp_path, None, "import", "--formats")
    assert said(tmp_path, None, "import", "export.json").returncode == 1


def test_a_reader_with_a_mistake_is_one_sentence_and_breaks_no_other(site: Path, tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "examples/imports/irc.log", tmp_path / "irc.log")
    listed = said(tmp_path, site, "import", "--formats")
    looked = said(tmp_path, site, "import", "irc.log")

    remedy = "Install retold-broken again, or a version that fits this Retold."
    cannot = "The reader 'broken' of retold-broken 1.0 cannot be loaded"
    assert listed.stderr.splitlines() == [
        f"{cannot}: RuntimeError: it is broken (__init__.py, line 7). {remedy}",
        "retold-broken 1.0 brings a reader 'nothing', which is no Reader: it is left out.",
        "retold-broken 1.0 brings a reader 'plain', whose name or family is taken: it is left out.",
    ]
    assert listed.stdout.count("\n  plain ") == 1
    assert looked.stdout.startswith("irc.log: lines of text, 11 units ")


def test_nothing_but_import_loads_a_reader(site: Path, tmp_path: Path) -> None:
    for words in (("new", "road"), ("-c", "road", "log"), ("systems",), ("help", "import")):
        assert "retold-broken" not in said(tmp_path, site, *words).stderr


def test_what_a_reader_is_told_to_import_is_promised() -> None:
    text = (ROOT / "docs/add-a-source.md").read_text("utf-8")
    source = (MATRIX / "retold_matrix/__init__.py").read_text("utf-8")
    named = re.findall(r"`([A-Z][a-z][A-Za-z]*)(?:\.[A-Z]+)?`|\b([A-Z][a-z][A-Za-z]*)\(", text)
    imported = re.findall(r"^from retold\.(\S+) import", source, re.MULTILINE)

    assert [name for pair in named for name in pair if name and name not in reader.__all__] == []
    assert imported == ["sources.reader"]
