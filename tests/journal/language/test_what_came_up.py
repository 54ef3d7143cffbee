"""Dice typed behind a colon in place of `=` are asked about, and never thrown anew unseen (G8)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore

D20 = ("cast gm by=Mary", "game d20", "cast Oda by=Ana str=4 dex=2 damage=1d8", "cast Warden ac=12 health=9")
EDGERUNNER = (
    "cast gm by=Mary",
    "cast Gatto edgerunner by=Dana firearms=2 skill.cool=1",
    "cast Hargan edgerunner firearms=2 cool=3",
    'conflict "The aisle" edgerunner Gatto vs Hargan',
    "map Dock 1 Aisle",
    "place Gatto+Hargan Dock",
    "exchange a few moments",
    "next Gatto",
)
WHISKEY = ("cast gm by=Mary", "cast Irena whiskey by=Jo combat=14 base=2 die=1 hp=14 balance=4")


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        yield Campaign.of(store)


@pytest.mark.parametrize(
    ("played", "typed", "line"),
    [
        (D20, "roll Oda check dex vs 12: 14", "roll Oda check dex vs 12 = 14"),
        (D20, "Oda intimidation dc 15: 12", "roll Oda check cha vs 15 = 12: intimidation"),
        (D20, "roll Oda attack str vs Warden: 16, 5", "roll Oda attack str vs Warden = 16 5"),
        (D20, "roll Oda dex: natural 20!", "roll Oda dex = 20"),
        (D20, "roll Oda dex: Rolled 14", "roll Oda dex = 14"),
        (D20, "roll 1d20+4: 17", "roll 1d20+4 = 17"),
        (EDGERUNNER, "attack Gatto Hargan cool: + + 0 -", "attack Gatto Hargan cool = + + 0 -"),
        (EDGERUNNER, "gatto attacks hargan cool: ++0-", "attack gatto hargan cool = ++0-"),
        (WHISKEY, "check Irena balance vs 3: 4S 4", "check Irena balance vs 3 = 4S 4"),
        (WHISKEY, "check Irena balance vs 3: 4s 4", "check Irena balance vs 3 = 4s 4"),
    ],
)
def test_G8_dice_as_a_text_are_answered_with_the_line(
    played: tuple[str, ...], typed: str, line: str, campaign: Campaign
) -> None:
    for said in played:
        campaign.say(said)
    before = campaign.position

    with pytest.raises(Refused, match=r"^What came up is typed behind =: ") as refused:
        campaign.say(typed)

    assert line in refused.value.sentence
    assert campaign.position == before
    campaign.say(line)


@pytest.mark.parametrize("text", ["For 20 gold", "A natural wonder", "2 of 3", "Take 20, says Osk"])
def test_G8_words_with_a_number_are_words(text: str, campaign: Campaign) -> None:
    for said in D20:
        campaign.say(said)

    campaign.say(f"roll Oda check dex vs 12: {text}")

    assert any(text in event.told for event in campaign.happened())


@pytest.mark.parametrize("line", ["say Oda: 14", "narrate Oda: 14", "roll Oda check dex = 14: 14"])
def test_G8_numbers_are_words_where_nothing_comes_up(line: str, campaign: Campaign) -> None:
    for said in D20:
        campaign.say(said)

    campaign.say(line)
