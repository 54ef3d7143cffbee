"""What stays somebody's own eyes, whatever anybody is called later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "salt.retold") as campaign:
        campaign.play("cast gm by=Mary\ncast Zel by=Jonathan\ncast Odo by=Kit\nsession One\n")
        yield campaign


def test_the_game_master_and_the_table_are_themselves(campaign: retold.Campaign) -> None:
    campaign.say("cast gm name=Rex")

    assert [campaign.lasting(name) for name in ("gm", "table", "Rex")] == ["gm", "table", "gm"]
    assert [campaign.seen_by(eyes).called for eyes in ("gm", "table")] == ["gm", "table"]


@pytest.mark.parametrize("name", ["Jon", "Nobody", "", "1:5"])
def test_what_is_nobodys_whole_name_is_refused(campaign: retold.Campaign, name: str) -> None:
    with pytest.raises(retold.Refused, match="There is no “"):
        campaign.lasting(name)


def test_a_former_name_works_until_another_person_takes_it(campaign: retold.Campaign) -> None:
    jonathan, kit = map(campaign.lasting, ("Jonathan", "Kit"))
    campaign.say("cast Jonathan name=Jon")
    assert campaign.lasting("Jonathan") == jonathan
    campaign.say("cast Kit name=Jonathan")

    assert [campaign.lasting(name) for name in ("Jon", "Jonathan", "Kit")] == [jonathan, kit, kit]


@pytest.mark.parametrize("place", [(1, 1), (1, 999), (1, 0), (1, -3), (9, 5)])
def test_an_arrival_without_a_person_sees_nothing(campaign: retold.Campaign, place: tuple[int, int]) -> None:
    nobody = retold.Arrival(*place)

    with pytest.raises(retold.Refused, match="The person this is for is not on this line"):
        campaign.seen_by(nobody)
    with pytest.raises(retold.Refused, match="The person this is for is not on this line"):
        campaign.check("say Zel: Hm.", by=nobody)


def test_it_is_kept_as_a_text(campaign: retold.Campaign) -> None:
    jonathan = campaign.lasting("Jonathan")

    assert retold.Arrival.read(str(jonathan)) == jonathan
    with pytest.raises(ValueError, match="unpack"):
        retold.Arrival.read("Jonathan")


def test_before_they_came_in_there_is_nothing_to_see(campaign: retold.Campaign) -> None:
    kit = campaign.lasting("Kit")

    assert campaign.seen_by(kit).at("s1").viewer == kit
    with pytest.raises(retold.Refused):
        campaign.at(2).seen_by(kit)


def test_it_hands_in_as_they_are(campaign: retold.Campaign) -> None:
    kit = campaign.lasting("Kit")
    campaign.play("cast Kit name=Christopher\ncast Jonathan name=Kit\n")

    assert campaign.say("say Odo: Hm.", by=kit).done is not None
    with pytest.raises(retold.Refused, match="Zel is not yours to speak for"):
        campaign.say("say Zel: Hm.", by=kit)
