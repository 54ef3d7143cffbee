"""The command goes in by its own door, and meets no stranger behind it who is called as a package of ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retold.startup import PACKAGES

ROOT = Path(__file__).parent.parent


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which Retold is installed, and compiled."""
    site = tmp_path / "site"
    for name in (*PACKAGES, "retold"):
        shutil.copytree(ROOT / name, site / name)
    return site


def ran(*path: Path, module: str = "retold") -> subprocess.CompletedProcess[str]:
    """`retold systems` as a process of its own, with these folders first on its path."""
    return subprocess.run(
        [sys.executable, "-P", "-m", module, "systems"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


def stranger(folder: Path, name: str) -> Path:
    """A package of somebody else's, which does not get on with ours."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "__init__.py").write_text('"""Something else."""\nimport nothing_of_that_name\n')
    return folder


def test_what_a_package_says_at_its_door_is_what_the_command_looks_for() -> None:
    for name, says in PACKAGES.items():
        assert (ROOT / name / "__init__.py").read_text("utf-8").splitlines()[0] == f'"""{says}"""'


@pytest.mark.parametrize("name", PACKAGES)
def test_F6_a_folder_called_as_one_of_ours_is_passed_by(name: str, site: Path, tmp_path: Path) -> None:
    elsewhere = stranger(tmp_path / "elsewhere", name)

    done = ran(elsewhere, site)

    assert (done.returncode, done.stderr) == (0, "")
    assert "More of one: retold systems NAME" in done.stdout


def test_F6_without_the_door_it_ends_in_a_traceback(site: Path, tmp_path: Path) -> None:
    assert "Traceback" in ran(stranger(tmp_path / "elsewhere", "journal"), site, module="cli").stderr


@pytest.mark.parametrize("name", PACKAGES)
def test_F6_a_package_installed_over_one_of_ours_is_named_in_a_sentence(name: str, site: Path) -> None:
    done = ran(stranger(site, name))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"Another package has overwritten or removed a part of Retold in {site}: {name}."
        " Install Retold again, in an environment of its own (pipx install, uv tool install).\n"
    )


def test_F6_what_another_package_took_away_with_it_is_missed(site: Path) -> None:
    shutil.rmtree(site / "journal")

    assert "overwritten or removed a part of Retold" in ran(site).stderr
