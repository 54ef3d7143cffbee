"""A campaign in the middle of a fight, and a seat at it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from retold.cli.campaigns.asking import forget_redacted
from retold.cli.campaigns.settings import Settings
from retold.cli.console.script import carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe

FIGHT = """
cast gm by=Mary
cast "Zélie Brandt" bruise by=Jon alias=Captain clubs=4 hearts=3 melee=2 "leg brace"=1
cast Guards bruise clubs=2
cast Ana
session The Long Ebb --date 2026-03-14
scene The porch
mark the-stair
conflict "Out of the citadel" bruise "Zélie Brandt" vs Guards
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    path = tmp_path / "salt.retold"
    with CampaignStore.create(path) as campaign:
        seat = ConsoleSession(Scribe(campaign, 1), Options())
        assert carry_out(seat, FIGHT).heard is LineResult.DONE
    return path


@pytest.fixture
def seat(path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[ConsoleSession]:
    capsys.readouterr()
    with CampaignStore.open(path) as campaign:
        forget = partial(forget_redacted, Settings.of_user())
        yield ConsoleSession(Scribe(campaign, 1, today="2026-03-14", forget=forget), Options())


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConsoleSession]:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    with CampaignStore.create(tmp_path / "tour.retold") as campaign:
        yield ConsoleSession(Scribe(campaign, 1), Options())
