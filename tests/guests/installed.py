"""Distributions of guests, installed into a folder of their own, and commands said with them or without."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
LANTERNS = ROOT / "examples/guests/lanterns"
COUNTERPOINT = ROOT / "examples/guests/counterpoint"

PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "{distribution}"
version = "1.0"
[project.entry-points."retold.games"]
{game} = "{package}"
[tool.setuptools]
packages = ["{package}"]
"""


def install(source: Path, site: Path) -> None:
    """Installs a distribution into a folder as pip does it, without an index."""
    how = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(site))
    subprocess.run([sys.executable, "-m", "pip", "install", *how, str(source)], check=True)


def copied(source: Path, folder: Path) -> Path:
    """A copy of a distribution, which building leaves something behind in."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    return folder


def made(folder: Path, distribution: str, game: str, init: str) -> Path:
    """The source of a distribution that brings one game, whose package says `init` and no more."""
    package = distribution.replace("-", "_")
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(f'"""A guest."""\n{init}\n')
    project = PROJECT.format(distribution=distribution, game=game, package=package)
    (folder / "pyproject.toml").write_text(project)
    return folder


def changed(site: Path, to: Path, changes: Iterable[tuple[str, str, str]]) -> Path:
    """A copy of a folder with guests in it, with other text in some of their files."""
    shutil.copytree(site, to, ignore=shutil.ignore_patterns("__pycache__"))
    for file, before, after in changes:
        text = (to / file).read_text("utf-8")
        assert before in text, (file, before)
        (to / file).write_text(text.replace(before, after), "utf-8")
    return to


def _environment(folder: Path, site: Path | None) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RETOLD_")}
    path = os.pathsep.join([str(ROOT), *([] if site is None else [str(site)])])
    return {**kept, "RETOLD_HOME": str(folder / "home"), "PYTHONPATH": path}


def said(folder: Path, site: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """What a command says in a process of its own, with the guests in `site` or without any."""
    return subprocess.run(
        [sys.executable, "-m", "cli", *words],
        cwd=folder,
        env=_environment(folder, site),
        capture_output=True,
        text=True,
        check=False,
    )


def done(folder: Path, site: Path | None, *words: str) -> str:
    """What a command that has to succeed writes to standard output."""
    ended = said(folder, site, *words)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


class Said(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


def all_said(
    folder: Path, site: Path | None, lines: Sequence[Sequence[str]], *, first: int = 1
) -> list[Said]:
    """What several commands say in one process, by a clock that stands still.

    The acts are numbered from `first`.
    """
    ended = subprocess.run(
        [sys.executable, "-m", "tests.guests.saying", str(first)],
        cwd=folder,
        env=_environment(folder, site),
        input=json.dumps([list(words) for words in lines]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return [Said(*one) for one in json.loads(ended.stdout)]


def printed(folder: Path, site: Path | None, code: str) -> str:
    """What a program prints that uses the library, with the guests in `site` or without any."""
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=_environment(folder, site),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def recorded(
    folder: Path, site: Path | None, script: str, campaign: str = "evening", *, first: int = 1
) -> None:
    """Plays a script into a campaign, a new one where there is none of that name."""
    (folder / "played.session").write_text(script, "utf-8")
    new = () if (folder / f"{campaign}.retold").exists() else ("--new",)
    (ended,) = all_said(
        folder, site, [("run", "-q", *new, "-c", f"{campaign}.retold", "played.session")], first=first
    )
    assert ended.code == 0, ended.err
