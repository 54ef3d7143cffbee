"""Distributions of guests, installed into a folder of their own, and commands said with them or without."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.guests import forked

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


def laid_out(source: Path, site: Path) -> Path:
    """A folder with a distribution in it, as an installation leaves it; in less time than pip takes."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    name, version = project["project"]["name"], project["project"]["version"]
    for package in project["tool"]["setuptools"]["packages"]:
        shutil.copytree(source / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    about = site / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    points = [
        line
        for group, entries in project["project"]["entry-points"].items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in entries.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(points), "utf-8")
    return site


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


def _started(
    folder: Path, site: Path | None, *words: str, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """What becomes of Python in a process of its own, with the guests in `site` or without any."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RETOLD_")}
    path = [str(ROOT), *([] if site is None else [str(site)])]
    env = {**kept, "RETOLD_HOME": str(folder / "home"), "PYTHONPATH": os.pathsep.join(path)}
    if sys.platform == "win32":
        command = [sys.executable, *words]
        ended = subprocess.run(
            command, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False
        )
    else:
        ended = forked.started(folder, path, env, words, stdin)
    return ended


def said(folder: Path, site: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """What a command says in a process of its own, with the guests in `site` or without any."""
    return _started(folder, site, "-m", "retold", *words)


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
    lines_said = json.dumps([list(words) for words in lines])
    ended = _started(folder, site, "-m", "tests.guests.saying", str(first), stdin=lines_said)
    assert ended.returncode == 0, ended.stderr
    return [Said(*one) for one in json.loads(ended.stdout)]


def printed(folder: Path, site: Path | None, code: str) -> str:
    """What a program prints that uses the library, with the guests in `site` or without any."""
    ended = _started(folder, site, "-c", code)
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
