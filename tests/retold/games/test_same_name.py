"""Two people of one name: a second `cast` of somebody says, or asks, whether they are the same (D10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe

GUARD = "cast Guard whiskey combat=10 base=2 die=1 hp=9"
FIGHT = (
    "cast gm by=Eve",
    "cast Ann whiskey by=Jo combat=10 base=2 die=1 hp=9",
    GUARD,
    "session S",
    "conflict Q whiskey Ann vs Guard",
    "ruling Guard.hp=4: hit",
)


@pytest.fixture
def scribe(tmp_path: Path) -> Scribe:
    return told(tmp_path / "guards.retold", *FIGHT)


def told(path: Path, *lines: str) -> Scribe:
    scribe = Scribe(CampaignStore.create(path), 1)
    for line in lines:
        scribe.say(line)
    return scribe


def test_D10_in_a_fight_a_second_cast_is_refused_with_both_ways_on(scribe: Scribe) -> None:
    before = scribe.table.position
    with pytest.raises(Refused) as refused:
        scribe.say(GUARD)

    assert str(refused.value) == (
        "Guard is in this conflict and has a sheet. If the same Guard is meant, leave out whiskey:"
        " cast Guard combat=10 base=2 die=1 hp=9."
        ' For a second one: cast "Guard 2" whiskey combat=10 base=2 die=1 hp=9.'
    )
    assert scribe.table.position == before
    scribe.say('cast "Guard 2" whiskey combat=10 base=2 die=1 hp=9')
    scribe.say("cast Guard combat=10 base=2 die=1 hp=9")
    with pytest.raises(Refused, match='cast "Guard 3" whiskey'):
        scribe.say(GUARD)


@pytest.mark.parametrize("answer", ["y", "n", None])
def test_D10_a_reused_name_asks_the_user_at_the_terminal(scribe: Scribe, answer: str | None) -> None:
    asked: list[str] = []

    def consult(question: str) -> str | None:
        asked.append(question)
        return answer

    scribe.consult = consult
    if answer == "y":
        scribe.say(GUARD)
    else:
        with pytest.raises(Refused):
            scribe.say(GUARD)

    there = "Guard is in this conflict and has a sheet."
    assert asked == [f"{there} Is this the same Guard, whose sheet reads so from now on? [y/n]"]


def test_D10_outside_a_fight_it_is_said(scribe: Scribe) -> None:
    scribe.say("end conflict")

    second = 'cast "Guard 2" whiskey combat=10 base=2 die=1 hp=9'
    assert scribe.say(GUARD).said == (
        f"Guard has a sheet already, which this changes. For a second one: {second}.",
    )
    assert scribe.say("cast Guard hp=8").said == ()


def test_D10_a_first_sheet_in_a_fight_is_nobodys_second(tmp_path: Path) -> None:
    scribe = told(tmp_path / "first.retold", *FIGHT[:2], "session S", "conflict Q whiskey Ann vs Guard")

    assert scribe.say(GUARD).said == ()


def test_D10_a_script_of_it_runs_again(scribe: Scribe, tmp_path: Path) -> None:
    scribe.consult = lambda _question: "y"
    scribe.say(GUARD)
    script = list(filter(None, script_of(scribe.campaign, 1)))

    again = told(tmp_path / "again.retold", *script)

    assert script[-1] == "cast Guard combat=10 base=2 die=1 hp=9"
    assert again.table.conflicts[1].state == scribe.table.conflicts[1].state


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "conflict R whiskey Ann vs Guard+Guard",
            'Guard is twice on one side. Give the second a name of its own: cast "Guard 2".',
        ),
        ("conflict R whiskey Ann+Guard vs Guard", "Guard is on two sides"),
        ("conflict R whiskey Ann vs Wolf+Wolf", "Wolf is twice on one side"),
    ],
)
def test_D10_one_name_twice_on_one_side_is_told_from_two_sides(
    scribe: Scribe, line: str, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    assert str(refused.value).startswith(sentence)
