"""What one reader is told of a line as it grows, and what is taken back of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from journal.store.acts import Manner
from journal.store.campaign import CampaignStore
from journal.store.drafts import Scope
from journal.vocabulary.base import Words
from journal.vocabulary.drafts import Block
from retold.campaign import Told


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "salt.retold", title="The Salt Road") as campaign:
        campaign.play("cast gm by=Mary\ncast Zel by=Jon\ncast Odo by=Kit\nsession One\n")
        yield campaign


def heard(campaign: retold.Campaign, viewer: str, told: Told) -> tuple[int, list[str]]:
    """How many are gone, and the words of what came."""
    gone, came = campaign.news(viewer, told)
    return gone, [one.told for one in came]


@pytest.fixture
def told(campaign: retold.Campaign) -> Told:
    """Jon, who has been told everything so far."""
    told = Told()
    campaign.news("Jon", told)
    return told


def test_what_came_is_told_once(campaign: retold.Campaign, told: Told) -> None:
    campaign.say("narrate Zel: Rain.")

    assert heard(campaign, "Jon", told) == (0, ["Zel narrates: “Rain.”"])
    assert heard(campaign, "Jon", told) == (0, [])


def test_what_is_undone_is_taken_back(campaign: retold.Campaign, told: Told) -> None:
    campaign.play("narrate Zel: Rain.\nnarrate Zel: Snow.\n")
    campaign.news("Jon", told)
    campaign.say("undo")

    assert heard(campaign, "Jon", told) == (1, [])


def test_what_reads_otherwise_is_taken_back_and_told_again(campaign: retold.Campaign, told: Told) -> None:
    campaign.play("narrate Zel: Rain.\nnarrate Zel: Wind.\n")
    campaign.news("Jon", told)
    campaign.say("retcon @-1: Snow.")

    assert heard(campaign, "Jon", told) == (2, ["Zel narrates: “Snow.”", "Zel narrates: “Wind.”"])


def test_who_never_knew_of_it_hears_nothing_of_its_undoing(campaign: retold.Campaign, told: Told) -> None:
    campaign.say("narrate gm --gm: A shadow.")
    campaign.news("Jon", told)
    campaign.say("undo")

    assert heard(campaign, "Jon", told) == (0, [])


def test_what_is_revealed_stands_where_it_was_said(campaign: retold.Campaign, told: Told) -> None:
    campaign.play("narrate gm --gm: A shadow.\nnarrate Zel: Rain.\n")
    campaign.news("Jon", told)
    campaign.say("reveal @-1")

    gone, came = heard(campaign, "Jon", told)
    assert gone == 1
    assert ["shadow" in came[0], "Rain" in came[1]] == [True, True]


def test_whose_eyes_changed_is_told_anew(campaign: retold.Campaign, told: Told) -> None:
    campaign.say("narrate gm --to Odo: A whisper.")
    gone, came = heard(campaign, "Jon", told)
    assert came == []
    before = len(campaign.seen_by("Jon").happened())
    campaign.say("cast Odo by=Jon")

    gone, came = heard(campaign, "Jon", told)
    assert gone == before
    assert any("A whisper." in one for one in came)


def test_another_line_is_told_anew(campaign: retold.Campaign, told: Told) -> None:
    before = len(campaign.seen_by("Jon").happened())
    campaign.say("branch kinder --to table")

    gone, came = heard(campaign, "Jon", told)
    assert (gone, len(came)) == (before, before)


def test_what_another_program_records_is_seen(campaign: retold.Campaign, told: Told) -> None:
    before = campaign.changes
    with retold.open(campaign.place) as other:
        other.say("narrate Zel: Rain.")

    assert campaign.changes != before
    campaign.catch_up()
    assert heard(campaign, "Jon", told) == (0, ["Zel narrates: “Rain.”"])


def test_a_redacted_name_is_nowhere_in_what_was_read_before(campaign: retold.Campaign, told: Told) -> None:
    campaign.say("narrate Odo: Rain.")
    assert "Odo" in str(heard(campaign, "Jon", told))
    campaign.say("redact --person Odo")

    assert "Odo" not in str(campaign.view("cast").to_json())
    assert "Odo" not in str(heard(campaign, "Jon", told))


@pytest.mark.parametrize("change", ["retcon @-1: A wolf.", "reveal @-1 --to Odo", "redact @-1"])
def test_who_never_knew_of_it_hears_nothing_of_its_change(
    campaign: retold.Campaign, told: Told, change: str
) -> None:
    campaign.say("narrate gm --gm: A shadow.")
    campaign.say("narrate Zel: Rain.")
    campaign.news("Jon", told)
    campaign.say(change)

    assert heard(campaign, "Jon", told) == (0, [])


def test_a_draft_is_no_news_to_anybody(campaign: retold.Campaign, told: Told) -> None:
    def read() -> tuple[object, ...]:
        campaign.catch_up()
        player = campaign.seen_by("Jon")
        return campaign.position, heard(campaign, "Jon", told), player.export("markdown"), player.board()

    heard(campaign, "Jon", told)
    before = read()
    with CampaignStore.open(campaign.place) as store, store.record.writing():
        blocks = [Block(id=1, sort="text", text=Words("Rain."), see="table")]
        store.drafts.begin(Words("Zine"), Scope(1, 1, 1, "prose", "table"), blocks, Manner(by=0))
    assert read() == before
