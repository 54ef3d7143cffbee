"""The same lines typed at a campaign in a file and at one on a server: both hold and tell the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.copies.dump import dump
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from tests.database_server import Cluster, new_name
from tests.exploring import seeds, tries
from tests.journal.store.played import StoppedClock
from tests.wandering.evening import SEED, Evening
from tests.wandering.lines import CAST, Typing
from tests.wandering.wander import begun

LINES = 30


@contextmanager
def night(place: Address) -> Iterator[Evening]:
    """An evening at `place`, whose ids, salts, times and dice follow from nothing but what is typed."""
    with CampaignStore.create(place, seed=SEED, clock=StoppedClock()) as campaign:
        yield Evening(Scribe(campaign, 1, today="2026-03-14"))


def told(place: Address) -> str:
    """The transcript, or the sentence that says why there is none."""
    with retold.open(place) as campaign:
        try:
            return campaign.tell()
        except Refused as refusal:
            return str(refusal)


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("game", list(CAST))
def test_R32_a_file_and_a_server_hold_the_same(
    game: str, seed: int, cluster: Cluster, tmp_path: Path
) -> None:
    """With 30 lines of each game; 600 for each of the seeds while exploring."""
    file = Address.of_file(tmp_path / "evening.retold")
    server = Address.on_server(str(cluster.address(new_name())))
    luck = random.Random(f"{game} {seed}")
    with night(file) as one, night(server) as other:

        def type_both(line: str) -> None:
            assert one.type(line) == other.type(line), f"{line}: {one.refused} {other.refused}"

        type_both("campaign A night")  # else each is called by its file or its place
        for line in begun(game, CAST[game], luck):
            type_both(line)
        for _ in range(tries(LINES)):
            type_both(Typing(one.table, luck.choice).line())

        assert one.refused == other.refused
        assert one.table == other.table
        assert list(dump(one.scribe.campaign.record)) == list(dump(other.scribe.campaign.record))
        assert len(one.typed) - len(one.refused) > len(one.typed) // 4
    assert told(file) == told(server)


def test_one_line_more_would_be_found(cluster: Cluster, tmp_path: Path) -> None:
    """The control: one line more on one of them."""
    file = Address.of_file(tmp_path / "evening.retold")
    server = Address.on_server(str(cluster.address(new_name())))
    with night(file) as one, night(server) as other:
        for line in ("session A night", "narrate gm: Rain."):
            one.type(line)
            other.type(line)
        other.type("undo")
        assert list(dump(one.scribe.campaign.record)) != list(dump(other.scribe.campaign.record))
    assert told(file) != told(server)
