"""Who may know of which line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import retold
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.prose import VOICES
from retold.projections.reading import LineView, known_lines, line_name, may_know
from retold.projections.story.variations import TellingOptions
from retold.scribe import Scribe

GIVEN = ("cast gm by=Mary", "cast Zel by=Jon", "cast Odo by=Kit", "session", "narrate Zel: One.")


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "salt.retold") as campaign:
        scribe = Scribe(campaign, 1)
        say(scribe, *GIVEN)
        yield scribe


def say(scribe: Scribe, *lines: str) -> None:
    for line in lines:
        scribe.say(line)


def known(scribe: Scribe, whose: str, line: int | None = None) -> list[str]:
    """What somebody knows of the lines there are, by name."""
    on = scribe.campaign.mainline() if line is None else line
    reading = LineView(scribe.campaign, on).called(whose)
    return [*known_lines(reading).values()]


@pytest.mark.parametrize(
    ("lines", "table", "jon", "kit"),
    [
        (["branch a"], [], [], []),
        (["branch a --to table"], ["a"], ["a"], ["a"]),
        (["branch a", "branch show a"], ["a"], ["a"], ["a"]),
        (["branch a --to Jon"], [], ["a"], []),
        (["branch a --to Zel"], [], ["a"], []),
        (["branch a --to Jon", "branch show a --to Odo"], [], ["a"], ["a"]),
        (["branch a --to Jon", "branch b --to table"], ["b"], ["a", "b"], ["b"]),
        (["branch a --to table", "branch b"], ["a"], ["a"], ["a"]),
        (["branch a --to table", "undo"], ["a"], ["a"], ["a"]),
    ],
)
def test_a_branch_is_known_to_the_viewers_it_was_shown(
    scribe: Scribe, lines: Sequence[str], table: list[str], jon: list[str], kit: list[str]
) -> None:
    for line in lines:
        if line == "undo":
            say(scribe, "narrate Zel: Two.")
        scribe.say(line)
    every = list(scribe.campaign.lines().values())

    for whose, theirs in (("table", table), ("Jon", jon), ("Zel", jon), ("Kit", kit)):
        assert known(scribe, whose) == ["mainline", *theirs]
    assert known(scribe, "gm") == known(scribe, "Mary") == every


def test_what_is_or_ever_was_the_mainline_is_everybodys(scribe: Scribe) -> None:
    say(scribe, "branch a", "branch b", "branch promote b", "branch promote a", "branch c")

    assert known(scribe, "table") == ["first-line", "mainline", "b"]
    assert known(scribe, "gm") == ["first-line", "mainline", "b", "c"]


def test_a_line_whose_name_is_gone_says_no_number_of_lines_they_do_not_know(scribe: Scribe) -> None:
    say(scribe, "branch a", "switch mainline", "branch b --to table", "redact 12", "switch mainline")

    assert known(scribe, "gm") == ["mainline", "a", "line-3"]
    assert known(scribe, "table") == ["mainline", "line-2"]
    assert line_name(LineView(scribe.campaign, 3).called("table")) == "line-2"


def test_the_same_number_on_another_branch_is_another_person(scribe: Scribe) -> None:
    """Lou joins the mainline after the branch left, and Ada the branch: both are one number."""
    say(scribe, "branch a", "cast Ada", "branch show a --to Ada", "switch mainline", "cast Lou")

    assert known(scribe, "Lou") == ["mainline"]
    assert may_know(LineView(scribe.campaign, 2).called("Ada"))
    with retold.open(scribe.campaign.place) as campaign:
        for whose in ("Lou", "Kit"):
            with pytest.raises(retold.Refused, match=r"^There is no branch a\. There are: mainline\.$"):
                campaign.seen_by(whose).branch("a")


def test_a_person_who_leads_the_game_on_a_branch_alone_is_not_shown_it(scribe: Scribe) -> None:
    say(scribe, "branch a", "cast gm by=Jon", "narrate gm: A secret place.")

    assert known(scribe, "Jon", line=1) == ["mainline"]
    with retold.open(scribe.campaign.place) as campaign:
        campaign.go(2)
        assert campaign.seen_by("Jon").line_name == "mainline"
        assert campaign.seen_by("Mary").line_name == "a"


def test_what_is_shown_later_was_not_known_before(scribe: Scribe) -> None:
    """Whatever is recorded later changes nothing in a reading of an earlier moment."""
    say(
        scribe,
        "branch a",
        "narrate Zel: Not so.",
        "switch mainline",
        "narrate Zel: Two.",
        "narrate Zel: Three.",
    )
    before = LineView(scribe.campaign, 1, scribe.writer.head.position - 1).called("table")
    told = _others(before)
    say(scribe, "branch show a")

    assert (told, _others(before)) == ([], [])
    assert _others(LineView(scribe.campaign, 1).called("table")) == [2]


def _others(reading: LineView) -> list[int]:
    return [*TellingOptions(VOICES["report"]).with_others(reading).lines]


def test_a_reading_of_a_line_is_not_handed_to_who_may_not_know_of_it(scribe: Scribe) -> None:
    say(scribe, "branch a", "narrate Zel: Not so.", "branch b --to Jon")
    with retold.open(scribe.campaign.place) as campaign:
        read = campaign.branch("a")
        for whose in ("table", "Jon"):
            with pytest.raises(retold.Refused, match=r"There is no branch a\. There are: mainline"):
                read.seen_by(whose)
        assert campaign.branch("b").seen_by("Jon").branches == ("mainline", "b")
        assert "Not so." in campaign.branch("b").seen_by("Jon").tell()  # what it shares is part of it
