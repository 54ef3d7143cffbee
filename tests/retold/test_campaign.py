"""A campaign from a program: what it may say, and what each reader of it may know."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import retold
from retold.journal.vocabulary.events import Narrated, Noted
from retold.outcome import Outcome
from retold.scribe import Scribe

EVENING = """\
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise spades=3 dodge=2
session The Long Ebb
conflict "Out" bruise Zel vs Guards: freedom
note --gm: The captain is her father.
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "salt.retold", title="The Salt Road") as campaign:
        campaign.play(EVENING)
        yield campaign


def test_every_name_that_is_promised_is_there() -> None:
    for name in retold.__all__:
        assert getattr(retold, name).__doc__


def test_a_name_that_is_not_is_refused_with_those_that_are() -> None:
    with pytest.raises(AttributeError, match="retold has no Table; it has Address, Arrival, "):
        retold.Table  # noqa: B018


def test_a_campaign_tells_its_address_and_its_file(campaign: retold.Campaign, tmp_path: Path) -> None:
    assert str(campaign.place) == str(tmp_path / "salt.retold")
    assert campaign.path == tmp_path / "salt.retold"


def test_said_lines_are_recorded(campaign: retold.Campaign) -> None:
    before = campaign.position

    outcome = campaign.say("note: Rain.")

    assert [type(event) for event in outcome.events] == [Noted]
    assert campaign.position == before + 1


def test_checked_lines_are_not_recorded(campaign: retold.Campaign) -> None:
    before = campaign.position

    assert campaign.check("narrate gm: Rain.").events
    assert campaign.position == before


def test_a_refusal_says_why_and_which_line_would_be_taken(campaign: retold.Campaign) -> None:
    with pytest.raises(retold.Refused) as refused:
        campaign.say("Nobody: Boo.")

    assert refused.value.lines == ("cast Nobody",)
    assert campaign.check(refused.value.lines[0]).events


def test_a_line_in_a_refusal_that_would_be_refused_too_is_not_handed_on(
    campaign: retold.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say(_scribe: Scribe, line: str, _act: str | None) -> Outcome:
        raise retold.Refused(f"{line} is not taken: note: Rain; draw Zel swimming; narrate NAME: so.")

    monkeypatch.setattr(Scribe, "say", say)

    with pytest.raises(retold.Refused) as refused:
        campaign.say("It")

    assert refused.value.lines == ("note: Rain",)


def test_a_script_stops_at_a_refusal_and_keeps_earlier_lines(campaign: retold.Campaign) -> None:
    with pytest.raises(retold.Refused, match=r"^after\.session:2: "):
        campaign.play("note: One.\nframble\nnote: Two.\n", "after.session")

    assert campaign.search("One")
    assert not campaign.search("Two")


def test_another_reader_is_not_told_what_is_hidden(campaign: retold.Campaign) -> None:
    assert any(isinstance(one.event, Noted) for one in campaign.happened())
    for reading in (campaign.seen_by("table"), campaign.seen_by("Jon")):
        assert not any(isinstance(one.event, Noted) for one in reading.happened())
        assert not reading.search("father")
        assert "father" not in reading.tell()
        assert b"father" not in reading.export("html")
        assert all(one.position is None for one in reading.happened())


def test_seen_by_refuses_an_unknown_viewer(campaign: retold.Campaign) -> None:
    with pytest.raises(retold.Refused, match="There is no “Nemo” here"):
        campaign.seen_by("Nemo")


def test_a_reading_of_a_moment_stays_as_it_was(campaign: retold.Campaign) -> None:
    then = campaign.at("@")
    told = then.happened()

    campaign.say("note: Later.")

    assert then.happened() == told
    assert not then.search("Later")
    assert campaign.search("Later")


def test_a_branch_is_read_beside_the_line_that_is_written_to(campaign: retold.Campaign) -> None:
    campaign.say("branch what-if")
    campaign.say("note: Only here.")
    campaign.say("switch mainline")

    assert campaign.branches == ("mainline", "what-if")
    assert campaign.branch("what-if").search("Only")
    assert not campaign.search("Only")


def test_every_proposed_line_is_accepted_as_is_or_with_text(campaign: retold.Campaign) -> None:
    proposals = campaign.can()

    assert {one.who for one in proposals} >= {"Zel", "Guards"}
    for one in proposals:
        assert campaign.check(one.line.replace("…", "Now.")).events


def test_a_player_is_told_what_is_theirs_to_say(campaign: retold.Campaign) -> None:
    assert {one.who for one in campaign.seen_by("Jon").can()} == {"Zel"}
    assert campaign.seen_by("table").can() == []


def test_each_view_is_a_typed_value(campaign: retold.Campaign) -> None:
    assert campaign.view("cast").to_json()["view"] == "cast"
    with pytest.raises(retold.Refused, match="There is no view weather"):
        campaign.view("weather")


@pytest.mark.parametrize("part", [None, 1, "s1", "s1..@", "book"])
def test_a_story_is_told_in_parts_or_whole(campaign: retold.Campaign, part: str | int | None) -> None:
    campaign.say("narrate gm: Rain on the porch.")

    assert "Rain on the porch." in campaign.tell(part)


def test_a_session_that_is_not_there_is_refused(campaign: retold.Campaign) -> None:
    with pytest.raises(retold.Refused, match=r"There is no session 9\. There are 1 to 1\."):
        campaign.tell(9)


def test_follow_reports_events_from_any_writer(campaign: retold.Campaign, tmp_path: Path) -> None:
    with retold.open(tmp_path / "salt.retold") as elsewhere:
        news = campaign.follow(every=0)
        elsewhere.say("narrate gm: Rain.")
        elsewhere.say("note: Wet feet.")

        assert [type(one.event) for one in islice(news, 2)] == [Narrated, Noted]


def test_following_ends_when_it_is_told_to(campaign: retold.Campaign) -> None:
    assert len(list(campaign.follow(0, until=lambda: True))) == len(campaign.happened())


def test_following_goes_on_after_an_event_by_its_id(campaign: retold.Campaign) -> None:
    table = campaign.seen_by("table")
    *_, before, last = table.happened()

    assert table.happened(before.id) == [last]


def test_threads_come_one_after_the_other(campaign: retold.Campaign) -> None:
    before = campaign.position
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda number: campaign.say(f"note: Number {number}."), range(40)))
        read = list(threads.map(lambda _: len(campaign.happened()), range(8)))

    assert sorted(one.done.first for one in said if one.done) == list(range(before + 1, before + 41))
    assert set(read) == {before + 40}
    assert campaign.verify().whole


def test_a_read_only_campaign_is_not_written(campaign: retold.Campaign, tmp_path: Path) -> None:
    with retold.open(tmp_path / "salt.retold", read_only=True) as reader, pytest.raises(retold.StoreError):
        reader.say("note: No.")


def test_there_is_no_campaign_to_open(tmp_path: Path) -> None:
    with pytest.raises(retold.StoreError, match="There is no campaign"):
        retold.open(tmp_path / "none.retold")


@pytest.mark.parametrize(
    ("line", "flag"), [("narrate gm: Rain. --gm", "--gm"), ("narrate gm: Rain. --to Zel", "--to Zel")]
)
def test_a_visibility_flag_inside_the_text_is_pointed_out(
    campaign: retold.Campaign, line: str, flag: str
) -> None:
    said = campaign.say(line).said

    assert said == (f"{flag} is in the text, so this is for all: undo, and type it before the colon.",)
    assert campaign.say("narrate gm: The --gm flag hides a line.").said == ()
    campaign.say("end conflict")
    assert campaign.say("narrate gm --gm: Rain. --gm").said == ()


def test_a_process_that_was_forked_is_told_to_open_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        with monkeypatch.context() as below:
            below.setattr(os, "getpid", lambda: 0)
            with pytest.raises(retold.StoreError, match="open it here again"):
                campaign.say("note: from below")

        campaign.say("note: and on")
        assert campaign.position == 2


# --- who may see an event ---------------------------------------------------------------------------------


def whom(reading: retold.Reading) -> dict[str, object]:
    """Who may see each of the last events, by what is told of them."""
    return {one.told: one.visible_to for one in reading.happened()[-4:]}


def test_an_event_says_who_may_see_it_by_now(campaign: retold.Campaign) -> None:
    campaign.play("say Guards --to Zel: Run.\nsay Zel --to Guards+Mary: No.\nsay Zel: Now.\n")

    assert whom(campaign.seen_by("gm")) == {
        "note: “The captain is her father.”": "gm",
        "Guards says: “Run.”": ("Zel",),
        "Zel says: “No.”": ("Guards", "Mary"),
        "Zel says: “Now.”": "table",
    }
    assert [one.visible_to for one in campaign.seen_by("Jon").happened()[-3:]] == [
        ("Zel",),
        ("Guards", "Mary"),
        "table",
    ]
    assert {one.visible_to for one in campaign.seen_by("table").happened()} == {"table"}


def test_an_event_names_the_audience_it_was_revealed_to(campaign: retold.Campaign) -> None:
    note = campaign.position
    campaign.say(f"reveal {note} --to Zel")
    found = {reader: campaign.seen_by(reader).happened()[-2] for reader in ("gm", "Jon")}

    assert {reader: (one.position, one.visible_to) for reader, one in found.items()} == {
        "gm": (note, ("Zel",)),
        "Jon": (None, ("Zel",)),
    }
    assert campaign.at(note).happened()[-1].visible_to == "gm"  # as it stood then
    campaign.say(f"reveal {note}")
    assert campaign.happened(note - 1)[0].visible_to == "table"


def test_an_event_names_only_people_its_reader_knows(campaign: retold.Campaign) -> None:
    campaign.play("cast Spy --gm bruise hearts=2\nsay Guards --to Zel+Spy: Run.\nsay Zel --to Spy: No.\n")

    def last_two(viewer: str) -> list[object]:
        return [one.visible_to for one in campaign.seen_by(viewer).happened()[-2:]]

    assert last_two("gm") == [("Zel", "Spy"), ("Spy",)]
    assert last_two("Jon") == [("Zel",), ("Jon",)]


def test_an_event_names_those_who_came_in_after_it(campaign: retold.Campaign) -> None:
    note = campaign.position
    campaign.play(f"cast Ann bruise hearts=2\nreveal {note} --to Ann\ncast Ann name=Anna\n")

    assert campaign.happened(note - 1)[0].visible_to == ("Anna",)
