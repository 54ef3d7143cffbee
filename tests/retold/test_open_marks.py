"""An open mark stands on the last moment that everybody knows, and gives nothing away of what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.journal.language.scripting import script_of
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.projections.reading import find_act, find_event, find_place, find_range

TABLE = """\
cast gm by=Mary
cast Ana by=Jo
cast Zel by=Kit
session One
narrate Zel: One.
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with made(tmp_path / "road.retold") as campaign:
        yield campaign


def made(path: Path) -> retold.Campaign:
    campaign = retold.new(path)
    campaign.play(TABLE)
    return campaign


def marked(campaign: retold.Campaign, viewer: str = "table") -> list[str]:
    """What each mark that a viewer knows stands on, as they are told it."""
    seen = campaign.seen_by(viewer).happened()
    return [seen[one.event.at - 1].told for one in seen if isinstance(one.event, e.Marked)]


@pytest.mark.parametrize(
    "hidden",
    ["note: Secret.", "say Ana --to Zel: Psst.", "cast Hob --gm", "roll d20 --gm = 4", "note: A\nnote: B"],
)
def test_S4_an_open_mark_after_something_hidden_is_on_the_last_moment_all_know(
    campaign: retold.Campaign, tmp_path: Path, hidden: str
) -> None:
    campaign.say("option table.screen=silent")
    campaign.play(f"narrate Zel: One and a half.\n{hidden}\n")
    outcome = campaign.say("mark here")
    campaign.say("narrate Zel: Two.")

    assert marked(campaign) == ["Zel narrates: “One and a half.”"]
    assert outcome.said[0].startswith("This mark is on moment ")
    whole = campaign.scribe.seen_by("gm")
    for find in (find_place, find_event, find_act):
        assert find(whole, "here", "table") == find(whole, "here", "gm")
    assert find_range(whole, "..here", "table")[1] == find_event(whole, "here", "table")
    with made(tmp_path / "without.retold") as without:
        without.play(
            "option table.screen=silent\nnarrate Zel: One and a half.\nmark here\nnarrate Zel: Two.\n"
        )
        assert marked(without) == marked(campaign)
        assert len(without.seen_by("table").happened()) == len(campaign.seen_by("table").happened())


def test_S4_of_a_line_that_is_hidden_in_part_it_is_on_what_all_see(campaign: retold.Campaign) -> None:
    campaign.play("game d20\nconflict Ford Ana vs Zel\njoin Hob+Imp --gm\nmark here\n")

    (at,) = marked(campaign)
    assert "conflict 1" in at


def test_S4_a_mark_for_some_is_on_the_last_moment_they_all_know(campaign: retold.Campaign) -> None:
    campaign.play("say Zel --to Ana: Psst.\nmark both --to Ana+Zel\nnote: Secret.\nmark one --to Ana\n")

    assert marked(campaign, "Ana")[0] == "Zel says: “Psst.”"
    assert len(marked(campaign, "Ana")) == 2
    assert marked(campaign) == []


def test_S4_the_game_masters_own_mark_and_one_at_a_moment_stay_where_they_are(
    campaign: retold.Campaign,
) -> None:
    campaign.say("note: Secret.")
    assert campaign.say("mark mine --gm").said == ()
    note = next(one.position for one in campaign.happened() if one.kind == "table.noted")
    assert campaign.say(f"mark there --at {note}").said[0].startswith("This mark is hidden")
    assert marked(campaign) == []
    assert len(marked(campaign, "gm")) == 2


def test_S4_checked_it_says_where_it_would_be(campaign: retold.Campaign) -> None:
    last = campaign.scribe.writer.head.position
    campaign.say("note: Secret.")

    (would,) = campaign.check("mark here").would
    assert isinstance(would, e.Marked)
    assert would.at == last


def test_S4_after_an_undo_it_is_where_it_was_before(campaign: retold.Campaign) -> None:
    campaign.play("narrate Zel: Not this.\nundo\nmark here\n")

    (mark,) = (one.event for one in campaign.happened() if isinstance(one.event, e.Marked))
    assert mark.at == campaign.scribe.writer.head.position - 1


def test_S4_a_mark_of_before_on_something_hidden_is_said_again_where_it_was(
    campaign: retold.Campaign, tmp_path: Path
) -> None:
    """Records of before have open marks on hidden moments, which are as hidden as these."""
    campaign.say("note: Secret.")
    campaign.scribe.writer.record(c.Mark(name=Words("here")))
    assert marked(campaign) == []

    with retold.new(tmp_path / "again.retold") as again:
        again.play("\n".join(script_of(campaign.scribe.campaign, 1)))
        assert marked(again, "gm") == marked(campaign, "gm") == ["note: “Secret.”"]
