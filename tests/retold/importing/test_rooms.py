"""Channels and threads of one import: each is a scene of its session, or a session, and none is woven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.sources import Unit
from retold.sources.answers import Answers, Use
from retold.sources.questions import About, questions, sessions_by
from retold.sources.survey import survey
from tests.retold.importing.given import ANSWERS, begun, source, told, unit

DAY = 24 * 60
CELLAR, ROOF = "the-cellar", "the-roof"


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with begun(tmp_path / "x.retold") as campaign:
        yield campaign


def threads(step: float) -> list[Unit]:
    """Two threads whose posts alternate, so many minutes apart."""
    lines = ((CELLAR, "Wet."), (ROOF, "High."), (CELLAR, "Dark."), (ROOF, "A tile slips."))
    return [
        unit(f"{number}", "Mary", words, step * number, channel=channel)
        for number, (channel, words) in enumerate(lines, start=1)
    ]


def lines(campaign: Campaign) -> list[str]:
    """Scenes, sessions and words of a campaign, without days."""
    kept = ("gm narrates", "scene", "session", "Zel", "aside", "note")
    return [
        line.partition(", 2026")[0]
        for line in told(campaign)
        if line.startswith(kept) and "enters" not in line
    ]


def taken(campaign: Campaign, units: Sequence[Unit], answers: Answers = ANSWERS) -> list[str]:
    campaign.take_in([source(*units)], answers)
    return lines(campaign)


WOVEN_NO_MORE = [
    "session 1 begins",
    "scene 1 the-cellar",
    "gm narrates: “Wet.”",
    "gm narrates: “Dark.”",
    "scene 2 the-roof",
    "gm narrates: “High.”",
    "gm narrates: “A tile slips.”",
    "session 1 ends",
]


@pytest.mark.parametrize(("step", "rule"), [(1, "gap 4h"), (DAY, "week"), (DAY, "one")])
def test_B1_rooms_of_one_session_are_scenes_and_each_is_whole(
    campaign: Campaign, step: float, rule: str
) -> None:
    answers = replace(ANSWERS, sessions=rule)
    assert taken(campaign, threads(step), answers) == WOVEN_NO_MORE
    again = campaign.take_in([source(*threads(step))], answers)
    assert (again.new, again.known, again.otherwise, again.gone) == (0, 4, 0, [])


def test_B1_a_thread_by_post_is_a_session_and_whole(campaign: Campaign) -> None:
    answers = replace(ANSWERS, sessions="thread")
    assert taken(campaign, threads(DAY), answers) == [
        "session 1 the-cellar begins",
        "gm narrates: “Wet.”",
        "gm narrates: “Dark.”",
        "session 1 ends",
        "session 2 the-roof begins",
        "gm narrates: “High.”",
        "gm narrates: “A tile slips.”",
        "session 2 ends",
    ]


def test_B1_threads_by_post_are_proposed_as_sessions() -> None:
    found = survey([source(*threads(DAY))], ANSWERS)
    (asked,) = [one for one in questions(ANSWERS, found) if one.about is About.SESSIONS]
    assert dict(asked.proposal) == {"sessions": "thread"}
    assert [sessions_by(rule, found) for rule in ("thread", "one")] == [2, 1]


def test_B1_what_is_in_no_story_channel_goes_to_the_room_of_its_speaker(campaign: Campaign) -> None:
    answers = replace(ANSWERS, channels={"ooc": Use.ASIDE})
    units = [
        unit("1", "Mary", "Wet.", 1, channel=CELLAR),
        unit("2", "Zel", "I climb.", 2, channel=ROOF),
        unit("3", "Mary", "Brr.", 3, channel="ooc"),
    ]
    assert taken(campaign, units, answers)[1:-1] == [
        "scene 1 the-cellar",
        "gm narrates: “Wet.”",
        "aside by gm: “Brr.”",
        "scene 2 the-roof",
        "Zel narrates: “climbs.”",
    ]


def test_B1_one_room_beside_a_channel_of_dice_is_no_scene(campaign: Campaign) -> None:
    answers = replace(ANSWERS, channels={"dice": Use.DICE})
    units = [unit("1", "Mary", "Wet.", 1, channel=CELLAR), unit("2", "Zel", "ok", 2, channel="dice")]
    assert [line for line in taken(campaign, units, answers) if line.startswith("scene")] == []


def test_B1_a_room_entered_again_later_is_a_scene_again(campaign: Campaign) -> None:
    answers = replace(ANSWERS, sessions="one")
    taken(campaign, threads(1), answers)
    grown = [*threads(1), unit("5", "Mary", "It drips.", 9, channel=CELLAR)]
    assert taken(campaign, grown, answers)[-3:] == [
        "scene 3 the-cellar",
        "gm narrates: “It drips.”",
        "session 1 ends",
    ]
    assert campaign.take_in([source(*grown)], answers).new == 0


def test_B1_a_late_post_is_told_at_its_place_in_its_own_thread(campaign: Campaign) -> None:
    answers = replace(ANSWERS, sessions="thread")
    first, *rest = threads(DAY)
    taken(campaign, [first, *rest], answers)
    late = unit("9", "Mary", "It drips.", DAY * 1.5, channel=CELLAR)
    campaign.take_in([source(first, late, *rest)], answers)
    (line,) = [line for line in told(campaign) if "It drips." in line]
    place = 1 + told(campaign, 0).index("gm narrates: “Wet.”")
    assert line == f"gm narrates (for #{place}): “It drips.”"


@pytest.mark.parametrize("where", [0, 1, 2, 4])
def test_B1_hidden_words_move_no_room(tmp_path: Path, where: int) -> None:
    units, answers = threads(1), replace(ANSWERS, audience={"secret": ("gm",)})
    hidden = unit("9", "Mary", "Soon.", where + 0.5, channel=(ROOF, "secret")[where % 2], hidden=True)
    with begun(tmp_path / "a.retold") as campaign:
        assert [
            line
            for line in taken(campaign, sorted([*units, hidden], key=_minute), answers)
            if "Soon." not in line
        ] == (WOVEN_NO_MORE)


def _minute(one: Unit) -> float:
    assert one.when is not None
    return one.when.time.timestamp()


def test_I16_times_that_run_back_are_told_and_the_first_look_agrees_with_the_record(
    campaign: Campaign,
) -> None:
    units = [unit(f"{n}", "Mary", "So.", minutes) for n, minutes in enumerate((0, 1, -90 * DAY, 2), start=1)]
    found = survey([source(*units)], ANSWERS)
    intake = campaign.take_in([source(*units)], ANSWERS)
    told_back = "Times that run back, where the order of the file is kept: 1."
    assert told_back in list(found.report.lines())
    assert told_back in list(intake.lines())
    assert sessions_by("gap 4h", found) == len(intake.sessions_new)
