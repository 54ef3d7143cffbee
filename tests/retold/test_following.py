"""What one reader is told of a line as it grows, and what is taken back of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.campaign import Told
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Scope
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block


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


def test_news_is_told_once(campaign: retold.Campaign, told: Told) -> None:
    campaign.say("narrate Zel: Rain.")

    assert heard(campaign, "Jon", told) == (0, ["Zel narrates: “Rain.”"])
    assert heard(campaign, "Jon", told) == (0, [])


def test_undone_news_is_taken_back(campaign: retold.Campaign, told: Told) -> None:
    campaign.play("narrate Zel: Rain.\nnarrate Zel: Snow.\n")
    campaign.news("Jon", told)
    campaign.say("undo")

    assert heard(campaign, "Jon", told) == (1, [])


def test_reworded_news_is_taken_back_and_told_again(campaign: retold.Campaign, told: Told) -> None:
    campaign.play("narrate Zel: Rain.\nnarrate Zel: Wind.\n")
    campaign.news("Jon", told)
    campaign.say("retcon @-1: Snow.")

    assert heard(campaign, "Jon", told) == (2, ["Zel narrates: “Snow.”", "Zel narrates: “Wind.”"])


def test_a_person_who_never_knew_of_it_hears_nothing_of_its_undoing(
    campaign: retold.Campaign, told: Told
) -> None:
    campaign.say("narrate gm --gm: A shadow.")
    campaign.news("Jon", told)
    campaign.say("undo")

    assert heard(campaign, "Jon", told) == (0, [])


def test_a_revealed_event_appears_where_it_was_said(campaign: retold.Campaign, told: Told) -> None:
    campaign.play("narrate gm --gm: A shadow.\nnarrate Zel: Rain.\n")
    campaign.news("Jon", told)
    campaign.say("reveal @-1")

    gone, came = heard(campaign, "Jon", told)
    assert gone == 1
    assert ["shadow" in came[0], "Rain" in came[1]] == [True, True]


def test_a_changed_viewer_is_told_everything_again(campaign: retold.Campaign, told: Told) -> None:
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


def test_other_programs_acts_are_seen(campaign: retold.Campaign, told: Told) -> None:
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
def test_a_person_who_never_knew_of_it_hears_nothing_of_its_change(
    campaign: retold.Campaign, told: Told, change: str
) -> None:
    campaign.say("narrate gm --gm: A shadow.")
    campaign.say("narrate Zel: Rain.")
    campaign.news("Jon", told)
    campaign.say(change)

    assert heard(campaign, "Jon", told) == (0, [])


def test_a_draft_is_not_news_to_readers(campaign: retold.Campaign, told: Told) -> None:
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


def appended(campaign: retold.Campaign, viewer: str, told: Told) -> list[str]:
    """What a chat is told; it is asked to withdraw nothing."""
    gone, came = campaign.news(viewer, told)
    assert gone == 0
    return [one.told for one in came]


def test_L17_a_reveal_is_news_alone_for_a_chat(campaign: retold.Campaign) -> None:
    chat = Told(in_place=False)
    campaign.say("cast Baron --gm")
    campaign.play("narrate Zel: Rain.\nnarrate Odo: Wind.\n")
    campaign.news("table", chat)
    campaign.say("say Baron: Good evening.")

    assert appended(campaign, "table", chat) == [
        "Baron enters, character",
        "everyone knows of Baron from now on",
        "Baron says: “Good evening.”",
    ]
    assert appended(campaign, "table", chat) == []


@pytest.mark.parametrize("in_place", [True, False])
def test_L17_applied_news_matches_a_full_reading(campaign: retold.Campaign, *, in_place: bool) -> None:
    told, messages = Told(in_place=in_place), list[str]()
    for line in (
        "cast Baron --gm",
        "narrate Zel: Rain.",
        "note --gm: He is her father.",
        "narrate Odo: Wind.",
        "reveal @-1",
        "retcon @-1: Snow.",
        "say Baron: Good evening.",
        "undo",
        "redo",
        "narrate Zel: A dog.",
        "redact @-2",
    ):
        campaign.say(line)
        gone, came = campaign.news("table", told)
        messages[len(messages) - gone :] = [one.told for one in came]
        now = [one.told for one in campaign.seen_by("table").happened()]

        assert (messages if in_place else sorted(messages)) == (now if in_place else sorted(now))


def test_L17_a_chat_takes_back_what_changed_and_all_that_it_was_told_after_it(
    campaign: retold.Campaign,
) -> None:
    chat = Told(in_place=False)
    campaign.play("cast Baron --gm\nnarrate Zel: Rain.\n")
    campaign.news("table", chat)
    campaign.say("say Baron: Good evening.")
    campaign.news("table", chat)
    campaign.say("retcon @-1: Snow.")

    gone, came = campaign.news("table", chat)

    assert gone == 4
    assert [one.told for one in came] == [
        "Baron enters, character",
        "Zel narrates: “Snow.”",
        "everyone knows of Baron from now on",
        "Baron says: “Good evening.”",
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("reveal @", "mark Here", "narrate Zel --at @-1: So it was.", "thing Key: Old.", "thing Key --done"),
        *("say Baron: Good evening.", "thing Key name=Ring", "cast Baron name=Duke", "pull @-1"),
    ],
)
def test_L17_no_event_id_is_told_to_a_channel(campaign: retold.Campaign, line: str) -> None:
    campaign.play("cast Baron --gm\nthing Key: In the well.\nnarrate Zel: Rain.\nnote --gm: Her father.\n")
    campaign.say(line)

    told = [one.told for one in campaign.seen_by("table").happened()]

    assert [one for one in told if re.search(r"\be[0-9a-f]{12}\b|#\d|\bs\d\b", one)] == []
