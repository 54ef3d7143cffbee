"""How a package of somebody else is named: how to install it into the environment that runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from retold.journal import packages

RECEIPT = '[tool]\nrequirements = [{ name = "retold", directory = "/home/ada/my retold" }]\n'


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"pipx_metadata.json": "{}", "bin/pip": ""}, "pipx inject retold retold-tides"),
        ({"uv-receipt.toml": RECEIPT}, "uv tool install --with retold-tides '/home/ada/my retold'"),
        ({"uv-receipt.toml": ""}, "uv tool install --with retold-tides retold"),
        ({"bin/pip": ""}, "PYTHON -m pip install retold-tides"),
        ({}, "uv pip install --python PYTHON retold-tides"),
    ],
    ids=["pipx", "uv tool from a folder", "uv tool", "venv", "an environment of uv"],
)
def test_L19_a_missing_game_is_installed_into_the_environment_that_runs(
    files: dict[str, str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / "retold" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "retold" / name).write_text(text)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "retold"))
    monkeypatch.setattr(sys, "executable", "PYTHON")

    assert packages.how_to_install("retold-tides") == command
