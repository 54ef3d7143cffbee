"""Whom somebody plays is history: a page says who did, one after the other (B4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.vocabulary import commands as c
from retold.projections.exports import export
from retold.projections.exports.page_elements import label
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.story import document
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.projections.evening import Table, w

PHRASE, WHY = "A smuggler, lately caught", "Kit has to catch the last train."


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Kit plays Zel, and Jon Ash; Sol takes Zel over in the middle of the first evening of two."""
    made = Table(tmp_path / "quay.retold")
    made.do(c.Cast(who=w("Zel"), by=w("Kit"), text=w(PHRASE)))
    made.do(c.Cast(who=w("Ash"), by=w("Jon")))
    made.do(c.OpenSession(title=w("High Water")))
    for name in ("Zel", "Ash"):
        made.do(c.Say(who=made.who(name), text=w("Not today.")))
    made.do(c.Cast(who=made.who("Zel"), by=w("Sol"), text=w(WHY)))
    made.do(c.Say(who=made.who("Zel"), text=w("Perhaps today.")))
    made.do(c.End(what="session"))
    return made


def second_evening(table: Table) -> None:
    table.do(c.OpenSession(title=w("Low Water")))
    table.do(c.Say(who=table.who("Zel"), text=w("Tomorrow.")))


def told(shown: document.Transcript, form: str) -> str:
    return export(form, shown, "none").decode()


def test_B4_a_former_player_is_listed_before_the_current_one(table: Table) -> None:
    shown = of_session(LineView(table.campaign, 1), 1)

    assert shown.head.players == (
        document.Played("Sol", ("Zel",), ("Kit",)),
        document.Played("Jon", ("Ash",)),
    )
    assert [(one.name, one.before, one.player, one.phrase) for one in shown.cast] == [
        ("Zel", ("Kit",), "Sol", PHRASE),
        ("Ash", (), "Jon", None),
    ]


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("text", "With Kit, then Sol (Zel); Jon (Ash)"),
        ("text", f"Zel: {PHRASE}; played by Kit, then Sol"),
        ("obsidian", 'players: ["Kit", "Sol", "Jon"]'),
        ("html", f"{PHRASE}; played by Kit, then Sol"),
        ("fountain", "Author: Kit, then Sol (Zel); Jon (Ash)"),
        ("lonelog", 'player: "Kit, then Sol (Zel), Jon (Ash)"'),
        ("partylog", f"[PC:Zel|{PHRASE}|Player:Kit, then Sol]"),
    ],
)
def test_B4_every_format_says_so(table: Table, form: str, line: str) -> None:
    assert line in told(of_session(LineView(table.campaign, 1), 1), form)


def test_B4_an_evening_knows_who_played_on_it_and_a_book_all(table: Table) -> None:
    second_evening(table)
    shown = of_session(LineView(table.campaign, 1), 2)

    assert [(one.player, one.before) for one in shown.head.players] == [("Sol", ())]
    assert "With Kit, then Sol (Zel); Jon (Ash)" in told(of_line(LineView(table.campaign, 1)), "text")


def test_B4_a_person_who_is_handed_on_between_evenings_was_not_on_the_one_before(table: Table) -> None:
    table.do(c.Cast(who=table.who("Ash"), by=w("Bea")))
    second_evening(table)
    table.do(c.Say(who=table.who("Ash"), text=w("Who asked?")))

    ashes = [of_session(LineView(table.campaign, 1), session).cast[-1] for session in (1, 2)]
    assert [(one.name, one.before, one.player) for one in ashes] == [
        ("Ash", (), "Jon"),
        ("Ash", (), "Bea"),
    ]


@pytest.mark.parametrize("voice", ["report", "script", "prose"])
def test_B4_why_is_said_at_the_table_and_is_no_story(table: Table, voice: str) -> None:
    shown = of_session(LineView(table.campaign, 1), 1, voice=voice)
    said = [
        label(one)
        for scene in shown.scenes
        for passage in scene.passages
        for one in passage.paragraphs
        if one.text == WHY
    ]

    assert said == (["At the table"] if VOICES[voice].asides else [])
