from __future__ import annotations

from pathlib import Path

import pytest

from retold.cli.console.offers import Known, offers
from retold.cli.console.session import ConsoleSession
from retold.cli.console.toolbar import StatusLine
from retold.cli.invocation import Options
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe


def toolbar(seat: ConsoleSession, *lines: str, width: int = 110) -> list[str]:
    """The rows of the toolbar after these lines."""
    for line in lines:
        seat.hear(line)
    return StatusLine.of(seat.scribe).toolbar(width).split("\n")


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConsoleSession:
    """A seat at a table where nothing has happened yet."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    campaign = CampaignStore.create(tmp_path / "empty.retold")
    return ConsoleSession(Scribe(campaign, 1, today="2026-03-14"), Options())


def test_the_toolbar_shows_the_current_state_of_the_table(seat: ConsoleSession) -> None:
    seat.hear("branch kinder")

    standing = StatusLine.of(seat.scribe)

    assert standing.toolbar(100).startswith(
        "s1 · The porch · Bruise: turn 1 · declare, then draw · kinder · #"
    )
    assert standing.prompt == "Out of the citadel> "


def test_the_prompt_names_no_turn_between_sessions(seat: ConsoleSession) -> None:
    seat.hear("end session")

    assert StatusLine.of(seat.scribe).prompt == "> "


def test_the_second_row_shows_what_is_due_as_typed(seat: ConsoleSession) -> None:
    """§2: whoever has declared draws next."""
    first, due = toolbar(seat, 'declare "Zélie Brandt": out', "declare Guards: stay")

    assert first.endswith("#" + str(seat.scribe.writer.head.position))
    assert due.startswith('draw "Zélie Brandt" … · draw Guards …')


def test_a_question_is_shown_with_the_lines_that_answer_it(seat: ConsoleSession) -> None:
    rows = toolbar(seat, "draw Zélie clubs+melee = JH 2D 10S 7C 4C 3D", "draw Guards 1 = JS", "quality")

    assert rows[1] == 'ruling tie="Zélie Brandt": … · ruling tie=Guards: …'


QUARREL = (
    "cast Hana guenask mind=3 hard=3 body=3 soft=3",
    "cast Thoss guenask mind=3 hard=3 body=3 soft=3",
    'conflict "The egg" guenask Hana vs Thoss first=Hana: the egg',
)


def test_optional_lines_are_shown_after_what_is_due(at: ConsoleSession) -> None:
    """§5: the number of boxes may be asked till the first blow; the approaches come first."""
    first, second = toolbar(at, *QUARREL)

    assert "approach: Hana, Thoss" in first
    assert second == "approach Hana … · approach Thoss … | ruling boxes=…: why"


def test_a_blow_is_shown_with_the_line_for_its_track_and_what_resists_it(at: ConsoleSession) -> None:
    """§6: 1 and Hard are 2 fallout, so a die of 3 or more resists it, before the track is named and after."""
    seen = toolbar(
        at,
        *QUARREL,
        "ruling boxes=3: As offered.",
        "approach Hana opposed neutral = 1 2 2 3 4 4",
        "approach Thoss opposed neutral = 1 1 3 4 5 6",
        "raise 4+3: Hand it over.",
        "see 5+1+1: No.",
    )
    assert "Thoss takes 2 fallout: fallout Thoss TRACK: why" in seen[0]
    assert seen[1] == "fallout Thoss … · resist Thoss …"

    assert "resist Thoss …" in toolbar(at, "fallout Thoss social: Everybody heard.")[1]


def test_a_concession_stays_on_the_toolbar_as_long_as_it_may_be_taken(at: ConsoleSession) -> None:
    """§8: it ends the conflict whenever every other side takes it; until then play goes on."""
    rows = toolbar(
        at,
        "cast Gatto edgerunner by=Teo cool=3",
        "cast Hargan edgerunner by=Ewan cool=3",
        "conflict Gatto vs Hargan",
        "exchange a few moments",
        "concede Hargan: He lets them pass.",
        "simple Gatto",
        width=200,
    )

    assert rows[1].endswith("Hargan offers to concede · accept Gatto · refuse Gatto")


def test_a_party_without_an_outcome_is_asked_for_it_first(at: ConsoleSession) -> None:
    """§3: Desired Outcomes are agreed before the first card."""
    first, second = toolbar(
        at, "cast Ada", "cast Bea", "conflict spacetime Ada vs Bea", "outcome Ada: The key"
    )

    assert "outcomes: Bea" in first
    assert second.startswith("outcome Bea: …")


def test_every_undeclared_fighter_is_asked_to_declare(at: ConsoleSession) -> None:
    """§1: all declare, and then it clashes."""
    cast = [f"cast {name} whiskey combat=3 base=1 die=6 hp=9" for name in ("Irena", "Bolt")]
    seen = toolbar(at, *cast, "conflict whiskey Irena vs Bolt")
    assert seen[1].startswith("declare Irena … · declare Bolt …")

    assert toolbar(at, "declare Irena engage Bolt", "declare Bolt stand")[1].startswith("clash")


@pytest.mark.parametrize("width", [10, 20, 40, 80])
def test_the_toolbar_is_never_wider_than_the_screen(seat: ConsoleSession, width: int) -> None:
    for row in StatusLine.of(seat.scribe).toolbar(width).split("\n"):
        assert len(row) <= width


def test_the_position_stays_where_there_is_little_room(seat: ConsoleSession) -> None:
    rows = toolbar(seat, width=40)

    assert rows[0].endswith(f"#{seat.scribe.writer.head.position}")


def test_tab_on_an_empty_line_leads_with_what_is_due(seat: ConsoleSession) -> None:
    seat.hear("quality Guards 9")
    seat.hear('draw "Zélie Brandt" clubs+melee = JH JD 10S 7C 4C 3D')

    _, found = offers(Known(seat.scribe.table), "")

    assert [one.text for one in found][:2] == ["colour", "narrate"]
