"""What a line of Edgerunner may leave out: the amount of stress, and the track that every attack was on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.journal.refused import Refused, refusal_of
from retold.journal.store.writing.campaign import CampaignStore

PLAYED = (
    "cast gm by=Sam",
    "cast Vera edgerunner by=Jo brawling=3 firearms=4 skill.cool=2",
    "cast Hob edgerunner firearms=3 skill.cool=2",
    "cast Dogs edgerunner kind=mook tl=2",
    "session X",
    'conflict "The crate" edgerunner Vera vs Hob+Dogs',
    "map Dock 2 Aisle",
    "place Vera+Hob+Dogs Dock",
    "exchange",
)


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)
        yield campaign


def test_stress_without_an_amount_is_all_that_is_left(campaign: Campaign) -> None:
    campaign.say("attack Dogs Vera cool = +++0")
    whole = campaign.sentences(campaign.say("resist Vera cool"))
    campaign.say("undo")

    assert campaign.sentences(campaign.say("resist Vera cool 3")) == whole
    assert "Vera: 3 stress on cool (resist), boxes 1 2 3, threshold 4" in whole


def test_an_attack_without_a_track_is_on_the_one_attacked_so_far(campaign: Campaign) -> None:
    with pytest.raises(Refused, match="Say on which of Vera's tracks"):
        campaign.say("attack Dogs Vera = +++0")
    campaign.say("attack Dogs Vera cool = +++0")
    campaign.say("apply")

    said = campaign.sentences(campaign.say("attack Hob Vera with firearms = 0000"))

    assert "Hob attacks Vera's cool with firearms 3" in said


def test_an_attack_names_its_track_where_two_were_attacked(campaign: Campaign) -> None:
    campaign.say("attack Dogs Vera cool = +++0")
    campaign.say("apply")
    campaign.say("attack Hob Vera reputation = 0000")
    campaign.say("apply")

    with pytest.raises(Refused, match="Say on which of Hob's tracks"):
        campaign.say("attack Vera Hob = 0000")


def test_an_attack_is_on_the_track_of_the_attacks_with_its_skill(campaign: Campaign) -> None:
    campaign.say("attack Dogs Vera cool with bite = 0000")
    campaign.say("apply")
    campaign.say("attack Hob Vera reputation with firearms = 0---")
    campaign.say("apply")
    campaign.say("simple Vera")
    campaign.say("exchange")

    said = campaign.sentences(campaign.say("declare Dogs attack Vera with firearms"))

    assert said == (
        "Dogs has no firearms, which counts 0: cast Dogs firearms=2 enters it.",
        "next is Dogs",
        "Dogs attacks Vera's reputation with firearms 0",
    )


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("next round", "Vera, Hob have yet to act in this exchange; to wait is: simple Vera."),
        ("round 2", "Vera, Hob have yet to act in this exchange; to wait is: simple Vera."),
        ("Dogs shoot at Vera with firearms = ++++", "Dogs has acted in this exchange; to go on: next Vera."),
        ("Dogs run into Vera with firearms = ++++", "Dogs has acted in this exchange; to go on: next Vera."),
    ],
)
def test_Q37_what_the_rules_do_not_take_now_is_answered_by_them(
    campaign: Campaign, typed: str, sentence: str
) -> None:
    campaign.say("attack Dogs Vera cool with bite = 0000")

    assert refusal_of(lambda: campaign.say(typed)) == sentence
