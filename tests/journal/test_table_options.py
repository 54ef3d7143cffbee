"""The options that belong to no game: chosen as any other, by the table."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.vocabulary.events import OptionSet


@pytest.mark.parametrize(
    "line", ["option table.proposals=taken", "option proposals=Taken", "op TABLE.proposals=taken"]
)
def test_the_table_chooses_of_its_own_options(tmp_path: Path, line: str) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        before = campaign.takes_proposals
        done = campaign.say(line)

        assert done.events == (OptionSet(system=None, key="proposals", value="taken", text=None),)
        assert (before, campaign.takes_proposals) == (False, True)
        assert campaign.sentences(done) == ("option proposals=taken",)
        campaign.say("undo")
        assert not campaign.takes_proposals


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("option table.proposals=maybe", "A table knows proposals=asked|taken, not maybe."),
        ("option table.nothing=1", "There is no system table"),
        ("option bruise.proposals=taken", "There is no option proposals."),
    ],
)
def test_what_it_has_not_it_cannot_choose(tmp_path: Path, line: str, why: str) -> None:
    with retold.new(tmp_path / "a.retold") as campaign, pytest.raises(retold.Refused) as refused:
        campaign.say(line)

    assert str(refused.value).startswith(why)
