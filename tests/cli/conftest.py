"""A table's evening, ready to be asked about and played on, each time in a folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.scribe import Scribe
from cli.settings import Settings
from journal.store.campaign import Campaign
from tests.cli.shell import Shell

EVENING = """\
campaign The Salt Road
session The Long Ebb
scene The porch: Rain since noon.
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast "Captain Thoss" alias=Cap
mark the-porch
conflict "Out by the stair" bruise Zel vs Guards: freedom
declare Zel: I run one of them through.
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
quality Guards 9
colour Zel hearts
narrate Zel: One last cry, and the line breaks.
end conflict
end session
session High water
scene The yard
"""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an evening that has been played; copied, never written to."""
    folder = tmp_path_factory.mktemp("played")
    path = folder / "evening.retold"
    with Campaign.create(path) as campaign:
        scribe = Scribe(campaign, Settings(folder / "home", {}), 1)
        for line in EVENING.splitlines():
            scribe.say(line)
    return path


@pytest.fixture
def evening(played: Path, tmp_path: Path) -> Path:
    """A copy of that evening, in a folder of its own."""
    return Path(shutil.copy(played, tmp_path / "evening.retold"))


@pytest.fixture
def shell(evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in a folder whose only campaign is that evening."""
    monkeypatch.chdir(evening.parent)
    monkeypatch.setenv("RETOLD_HOME", str(evening.parent / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG", "RETOLD_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    return Shell(evening.parent, monkeypatch, capsys)


@pytest.fixture
def scribe(evening: Path) -> Iterator[Scribe]:
    """Somebody who writes to that evening, on its mainline."""
    with Campaign.open(evening) as campaign:
        yield Scribe(campaign, Settings(evening.parent / "home", {}), 1)
