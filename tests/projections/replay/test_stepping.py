"""A replay steps through every example as it was: each board is the one that lay there, by whatever way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import EVERYBODY, FOR_THE_GAME_MASTER, LineView
from retold.projections.replay.steps import Following
from tests.projections.played import FEW, named, played
from tests.projections.replay.stepping import as_json, boards, notations, whole


@pytest.fixture(scope="module", params=FEW, ids=named)
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CampaignStore]:
    """An example, played."""
    with played(request.param, tmp_path_factory.mktemp("played")) as campaign:
        yield campaign


@pytest.mark.parametrize("viewer", [LineView.viewer, EVERYBODY], ids=["gm", "table"])
def test_every_board_is_the_one_that_lay_there(campaign: CampaignStore, viewer: object) -> None:
    reading = LineView(campaign, 1, viewer=EVERYBODY) if viewer is EVERYBODY else LineView(campaign, 1)
    value = as_json(whole(reading).to_json())
    seen = [one.position for one in reading.recorded() if not isinstance(one.event, FOR_THE_GAME_MASTER)]

    stepped = list(boards(value, value["lines"][0]))

    assert len(stepped) == len(seen) + 1
    for position, board in zip(seen, stepped[1:], strict=True):
        assert board == as_json(Following.beginning(reading, position).board)


def test_a_branch_goes_on_from_the_board_at_which_it_leaves(campaign: CampaignStore) -> None:
    value = as_json(whole(LineView(campaign, 1)).to_json())

    for line in value["lines"][1:]:
        path = [*boards(value, value["lines"][line["parent"]])]
        own = line["at"] - value["lines"][line["parent"]]["at"]
        before = next(boards(value, line))
        assert before == path[own]


def test_a_person_who_is_spoken_of_is_on_the_board(campaign: CampaignStore) -> None:
    value = as_json(whole(LineView(campaign, 1)).to_json())

    for line in value["lines"]:
        for board in boards(value, line):
            for key, thing in board.items():
                people = [
                    *map(thing.get, ("who", "by", "owner", "holder", "favours", "player")),
                    *thing.get("to", ()),
                ]
                people += [one for side in thing.get("sides", ()) for one in side]
                for one in people:
                    assert not isinstance(one, int) or f"who:{one}" in board, key


def test_each_step_is_told_by_a_block_of_its_own_line(campaign: CampaignStore) -> None:
    replay = whole(LineView(campaign, 1))

    for made, line in zip(replay.lines, as_json(replay.to_json())["lines"], strict=True):
        columns = line["steps"]
        assert {len(column) for column in columns.values()} == {len(columns["id"])}
        assert len(set(columns["id"])) == len(columns["id"])
        assert all(-1 <= block < len(line["blocks"]) for block in columns["block"])
        assert notations(line) == [one.told for one in made.steps]
        told = {one.id: number for number, one in enumerate(made.blocks) if one.sort == "told"}
        for id_, block in zip(columns["id"], columns["block"], strict=True):
            assert told.get(id_, block) == block


def test_a_table_that_is_followed_comes_to_the_same_as_one_read_at_once(campaign: CampaignStore) -> None:
    end = LineView(campaign, 1).position
    following = Following.beginning(LineView(campaign, 1, 1), 1)

    followed = [
        step for position in range(1, end + 1) for _, step in following.steps(LineView(campaign, 1, position))
    ]

    at_once = [step for _, step in Following.beginning(LineView(campaign, 1), 1).steps(LineView(campaign, 1))]
    assert [(one.delta, one.kind) for one in followed] == [(one.delta, one.kind) for one in at_once]
    assert following.board == Following.beginning(LineView(campaign, 1), end).board
