"""What is computed once for each pair of eyes: the same as asking anew, line by line, and in good order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

import retold
from retold.cli.service.feeds import FeedBuilder
from retold.cli.service.served_campaigns import ServedCampaign, ServedCampaigns
from retold.script_player import Script, play_script
from tests.projections.played import EXAMPLES, named

ONE_OF_EACH = [
    one
    for one in EXAMPLES
    if one.stem
    in ("three-hands", "warehouse", "floating-school", "four-cards", "lantern-regatta", "bell-tower")
]
EVERY = 6
"""So many lines are said between two looks."""


def stages(campaign: retold.Campaign, example: Path) -> Iterator[int]:
    """An example is played, and stops now and then."""
    script = Script(example.name, example.read_bytes())
    for number, _ in enumerate(play_script(campaign.scribe, script)):
        if number % EVERY == EVERY - 1:
            yield number
    yield -1


@pytest.mark.parametrize("example", ONE_OF_EACH, ids=named)
def test_a_board_that_is_followed_is_the_board_that_lies_there(example: Path, tmp_path: Path) -> None:
    with retold.new(tmp_path / "played.retold") as campaign:
        tellers = [FeedBuilder("table"), FeedBuilder("gm")]
        for number in stages(campaign, example):
            for teller in tellers:
                reading = campaign.seen_by(teller.viewer)
                assert teller.look(campaign).board == reading.board(), (number, teller.viewer)
                assert len(teller.chain) == len(reading.happened())
        campaign.say("undo")
        for teller in tellers:
            assert teller.look(campaign).board == campaign.seen_by(teller.viewer).board()


def test_where_something_was_recorded_is_looked_at_before_the_others() -> None:
    some = {slug: cast("ServedCampaign", slug) for slug in ("a", "b", "c")}  # nothing is asked of them
    shelf = ServedCampaigns(some)
    shelf.look_soon(some["a"])
    shelf.look_soon(some["b"])
    shelf.look_now(some["c"])
    turns = shelf.changed()

    found: list[object] = [next(turns) for _ in range(2)]
    shelf.look_now(some["a"])
    found += turns

    assert found == ["c", "a", "a", "b"]
