"""A shell beside a table's evening."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import Shell


@pytest.fixture
def shell(evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in a folder whose only campaign is that evening."""
    monkeypatch.chdir(evening.parent)
    monkeypatch.setenv("RETOLD_HOME", str(evening.parent / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG", "RETOLD_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    return Shell(evening.parent, monkeypatch, capsys)
