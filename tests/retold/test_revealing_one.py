"""`reveal` by name: it shows who is named, also of several who came in or rolled on one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.games.homebrew import events as h
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.events.codec import Recorded
from retold.journal.store.writing.reveal import reveal
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event

TABLE = """\
game d20
cast gm by=Mary
cast Ana by=Kit
cast Bo by=Jon
session One
cast Wolf-1+Wolf-2+Wolf-3 health=7 ac=11 pronouns=it --gm: Grey
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "road.retold", seed="a seed") as made:
        made.play(TABLE)
        yield made


def cast_of(campaign: retold.Campaign, viewer: str = "table") -> list[str]:
    known = (somebody.called for somebody in campaign.scribe.seen_by(viewer).table.everybody())
    return [name for name in known if name.startswith("Wolf")]


def sheets_of(campaign: retold.Campaign, viewer: str = "table") -> list[str]:
    table = campaign.scribe.seen_by(viewer).table
    return [table.name(person) for person in getattr(table.shelves["homebrew"], "sheets", {})]


def shown(campaign: retold.Campaign, kind: type[Event]) -> list[Recorded]:
    past = campaign.scribe.seen_by("table").recorded()
    return [recorded for recorded in past if isinstance(recorded.event, kind)]


def test_G1_reveal_shows_only_the_named_person_of_a_line(campaign: retold.Campaign) -> None:
    outcome = campaign.say("reveal Wolf-1")

    assert cast_of(campaign) == ["Wolf-1"]
    assert outcome.said == (
        "Everyone knows now: Wolf-1.",
        "The sheet of Wolf-1 is still hidden: reveal Wolf-1 --sheet.",
    )


def test_G1_what_the_line_says_of_who_they_are_is_revealed_with_them(campaign: retold.Campaign) -> None:
    campaign.say("reveal Wolf-2")

    known = campaign.scribe.seen_by("table").table
    (wolf,) = (somebody for somebody in known.everybody() if somebody.called == "Wolf-2")
    assert (str(wolf.text), str(wolf.pronouns)) == ("Grey", "it")


def test_G1_the_sheet_of_one_opens_no_other_sheet(campaign: retold.Campaign) -> None:
    outcome = campaign.say("reveal Wolf-2 --sheet")

    assert (cast_of(campaign), sheets_of(campaign)) == (["Wolf-2"], ["Wolf-2"])
    assert outcome.said == ("Everyone knows now: Wolf-2, with the sheet.",)


def test_G1_names_are_joined_and_the_answer_names_them(campaign: retold.Campaign) -> None:
    outcome = campaign.say("reveal Wolf-1+Wolf-3 --sheet: Two come out.")

    assert (cast_of(campaign), sheets_of(campaign)) == (["Wolf-1", "Wolf-3"],) * 2
    assert outcome.said == ("Everyone knows now: Wolf-1, Wolf-3, with their sheets.",)
    assert campaign.say("reveal Wolf-2 --to Ana+Bo").said == ("Ana and Bo know now: Wolf-2.",)
    assert campaign.say("reveal Wolf-2 --sheet --to Ana").said == ("Ana knows now: the sheet of Wolf-2.",)
    assert cast_of(campaign, "Ana") == ["Wolf-1", "Wolf-2", "Wolf-3"]


def test_G1_of_two_who_come_into_a_conflict_one_is_revealed(campaign: retold.Campaign) -> None:
    campaign.say("conflict Ford Ana vs Bo+Wolfram+Wolfgang --gm")
    campaign.say("reveal Wolfgang")

    assert cast_of(campaign) == ["Wolfgang"]


def test_G1_revealing_one_track_keeps_anothers_hidden(campaign: retold.Campaign) -> None:
    campaign.say("track Ana+Bo corruption 1/6 --gm")
    outcome = campaign.say("reveal Ana --sheet")

    (track,) = shown(campaign, h.TrackChanged)
    assert getattr(track.event, "who", None) == campaign.scribe.table.called("Ana")
    assert outcome.said == ("Everyone knows now: the sheet of Ana.",)


def test_G1_a_condition_that_only_some_know_is_revealed_for_one(campaign: retold.Campaign) -> None:
    campaign.say("status Ana+Bo poisoned --gm")
    with pytest.raises(Refused, match=r"not everyone knows: reveal \d+ --only\.") as refused:
        campaign.say("status Ana poisoned")
    campaign.say(refused.value.sentence.partition("knows: ")[2].rstrip("."))

    (changed,) = shown(campaign, h.ConditionChanged)
    assert getattr(changed.event, "who", None) == campaign.scribe.table.called("Ana")


def test_G1_of_two_rolls_on_a_line_one_is_revealed(campaign: retold.Campaign) -> None:
    outcome = campaign.say("roll Ana+Bo d20 --gm = 3 17")
    assert outcome.done is not None
    first = next(live.position for live in outcome.done.lives if isinstance(live.event, e.DiceRolled))
    campaign.say(f"reveal {first} --only")

    (rolled,) = shown(campaign, e.DiceRolled)
    assert getattr(rolled.event, "faces", None) == (3,)


def test_G1_revealing_a_shared_act_by_number_lists_its_people(campaign: retold.Campaign) -> None:
    at = next(one.position for one in campaign.happened() if one.told.startswith("Wolf-1 enters"))
    checked = campaign.check(f"reveal {at}")

    names = "Wolf-1, Wolf-2 and Wolf-3"
    assert f"It shows what is hidden of {names}. For Wolf-1 alone: reveal Wolf-1." in checked.said
    campaign.say(f"reveal {at}")
    assert cast_of(campaign) == ["Wolf-1", "Wolf-2", "Wolf-3"]


def test_G1_a_name_and_a_moment_do_not_stand_on_one_line(campaign: retold.Campaign) -> None:
    with pytest.raises(Refused, match="Name people and things, or moments"):
        campaign.say("reveal Wolf-1+12")


def test_G1_confirming_an_act_reveals_only_the_acting_person(campaign: retold.Campaign) -> None:
    campaign.say("option table.acting=ask")
    campaign.scribe.consult = lambda _question: "y"
    campaign.say("say Wolf-3: Who is there?")

    assert cast_of(campaign) == ["Wolf-3"]


def test_G1_a_reveal_recorded_before_still_shows_the_whole_act(campaign: retold.Campaign) -> None:
    """Records of before have the position alone."""
    at = next(one.position for one in campaign.happened() if one.told.startswith("Wolf-1 enters"))
    assert at is not None
    reveal(campaign.scribe.writer, at)

    assert cast_of(campaign) == ["Wolf-1", "Wolf-2", "Wolf-3"]
    assert list(script_of(campaign.scribe.campaign, 1))[-1] == f"reveal {at}"


def test_G1_said_again_from_a_script_it_shows_the_same(campaign: retold.Campaign, tmp_path: Path) -> None:
    campaign.play("reveal Wolf-1+Wolf-3 --sheet\nreveal Wolf-2\n")
    script = "\n".join(script_of(campaign.scribe.campaign, 1))

    with retold.new(tmp_path / "again.retold", seed="a seed") as again:
        again.play(script)
        assert (cast_of(again), sheets_of(again)) == (cast_of(campaign), sheets_of(campaign))
        assert again.scribe.writer.head.position == campaign.scribe.writer.head.position
