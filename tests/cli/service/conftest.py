"""An evening that is served, with somebody's secrets in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from tests.cli.service.phone import Phone, Serving, serving

SCRIPT = """
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast Odo bruise by=Kit clubs=3
session The Long Ebb
scene The porch: Rain since noon.
narrate Zel: The tide is out.
"""
CONFLICT = """
conflict "Out by the stair" bruise Zel vs Guards: freedom
declare Zel: I run for the stair.
"""


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """The file of an evening."""
    file = tmp_path / "Salt Road.retold"
    with retold.new(file, title="The Salt Road", seed="for tests alone") as campaign:
        campaign.play(SCRIPT)
    return file


@pytest.fixture
def service(evening: Path, tmp_path: Path) -> Iterator[Serving]:
    """That evening, served."""
    with serving(evening, home=tmp_path / "home") as found:
        yield found


@pytest.fixture
def gm(service: Serving) -> Phone:
    return service.phone("gm")


@pytest.fixture
def jon(service: Serving) -> Phone:
    return service.phone("Jon")


@pytest.fixture
def kit(service: Serving) -> Phone:
    return service.phone("Kit")
