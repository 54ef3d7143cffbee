"""A campaign to write on, in a file and on a server; a module that needs another brings its own `camp`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.store.contract.address import Address
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from tests.database_server import Cluster, new_name
from tests.journal.store.played import played


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Where a campaign can be made."""
    if request.param == "file":
        return Address.of_file(tmp_path / "a.retold")
    cluster: Cluster = request.getfixturevalue("cluster")
    return Address.on_server(str(cluster.address(new_name())))


@pytest.fixture
def camp(place: Address) -> Iterator[CampaignStore]:
    """A campaign with an evening on it, dealt from a seed."""
    with played(place) as made:
        yield made


@pytest.fixture
def writer(camp: CampaignStore) -> LineWriter:
    """Who writes on the first line of `camp`."""
    return camp.writer(1)
