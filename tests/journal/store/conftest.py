"""A campaign to write on; a module that needs another brings its own `camp`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from journal.store.campaign import CampaignStore, LineWriter
from tests.journal.store.played import played


@pytest.fixture
def camp(tmp_path: Path) -> Iterator[CampaignStore]:
    """A campaign with an evening on it, dealt from a seed."""
    with played(tmp_path / "a.retold") as made:
        yield made


@pytest.fixture
def writer(camp: CampaignStore) -> LineWriter:
    """Who writes on the first line of `camp`."""
    return camp.writer(1)
