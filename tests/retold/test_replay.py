"""The replay of a reading: the same part as its transcript, and a board followed while it is played."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.projections.exports import export
from tests.projections.unpacked import unpacked

EVENING = """\
session A night
cast Zel by=Jon
narrate gm: Rain.
end session
session Another night --date 2026-03-21
scene The quay
narrate gm: Wind.
note --gm: The wombat knows.
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "salt-road.retold"
    with retold.new(path) as campaign:
        campaign.play(EVENING)
    return path


def told(replay: object) -> list[str]:
    return [one.told for one in replay.lines[0].steps]  # type: ignore[attr-defined]


def test_a_part_is_the_same_as_in_a_transcript(path: Path) -> None:
    with retold.open(path) as campaign:
        last = ["session 2 Another night begins, 2026-03-21", "scene 1 The quay", "gm narrates: “Wind.”"]
        assert told(campaign.replay()) == [*last, "note: “The wombat knows.”"]
        assert told(campaign.seen_by("table").replay(2)) == last
        assert told(campaign.replay("s2:1..s2:2")) == last[:2]
        assert told(campaign.seen_by("table").replay("book"))[-3:] == last
        assert told(campaign.at("s1:3").replay("book"))[-1] == "Jon enters as person 2, player"


def test_a_format_of_steps_is_made_of_its_reading(path: Path) -> None:
    with retold.open(path) as campaign:
        assert b"The wombat knows." in campaign.export("replay-json")
        assert b"wombat" not in campaign.seen_by("table").export("replay-json")
        assert "Wind." in unpacked(campaign.export("replay", 2, mechanics="none").decode())
        with pytest.raises(retold.Refused, match="without its steps"):
            export("replay", campaign.transcript())


def test_a_board_is_followed_as_it_is_played_and_begins_again_where_something_was_taken_back(
    path: Path,
) -> None:
    with retold.open(path) as campaign:
        table = campaign.seen_by("table")
        following = table.following()
        assert table.steps(following) == []

        campaign.say("scene The boat")
        campaign.say("note --gm: The bilby rows.")
        came = table.steps(following)
        assert came is not None
        assert [one.told for one in came] == ["scene 2 The boat"]
        assert [one.delta["at"] for one in came] == [following.board["at"]]
        assert following.board == table.board()

        campaign.say("undo")
        assert table.steps(following) == []  # it was nothing that they knew of
        campaign.say("undo")
        assert table.steps(following) is None
