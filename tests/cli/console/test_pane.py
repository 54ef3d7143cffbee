"""The pane above the toolbar: what may be done, and the sheet of whoever acts, in any width."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.cli.console.loop import Console
from retold.cli.console.session import ConsoleSession
from retold.cli.console.toolbar import NOBODY, Pane, laid_out, pane_content
from retold.cli.invocation import Options
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.texts.wrapping import width as columns_of
from retold.scribe import Scribe

F2, F3, CTRL_D = "\x1bOQ", "\x1bOR", "\x04"


def left_with(seat: ConsoleSession, keys: str) -> Console:
    """The console as these keys, typed at it, leave it."""
    with create_pipe_input() as source:
        source.send_text(keys + CTRL_D)
        console = Console.at(seat, source=source, screen=DummyOutput())
        console.converse()
    return console


@pytest.mark.parametrize(
    ("keys", "pane"),
    [(F2, Pane.SHEET), (F3, Pane.CAN), (F2 + F3, Pane.CAN), (F3 + F3, None), (F3 + "note: One.\r", Pane.CAN)],
)
def test_a_key_opens_its_pane_and_shuts_it_again(seat: ConsoleSession, keys: str, pane: Pane | None) -> None:
    assert left_with(seat, keys).pane is pane


def test_a_pane_follows_the_table_and_leaves_what_is_typed_alone(seat: ConsoleSession) -> None:
    assert any("declare Guards" in line for line in pane_content(Pane.CAN, seat.scribe.table, None))
    console = left_with(seat, f"declare Zel{F3}: I run.\rdeclare Gu: They hold.\r")
    pane, toolbar = (text for _, text, *_ in console.below(Size(rows=40, columns=80)))

    assert "draw Guards …" in pane
    assert "declare Guards" not in pane
    assert toolbar == console.standing.toolbar(80)


def test_the_sheet_pane_shows_the_awaited_characters_or_the_speaker(seat: ConsoleSession) -> None:
    table = seat.scribe.table
    both = pane_content(Pane.SHEET, table, None)

    assert both[0] == "Zélie Brandt · Jon"
    assert "Guards" in both
    assert "clubs 4, hearts 3" in "".join(both)
    assert "clubs 4" not in "".join(pane_content(Pane.SHEET, table, "Guards"))
    seat.hear("end conflict stalemate")
    assert pane_content(Pane.SHEET, seat.scribe.table, None) == [NOBODY]
    assert pane_content(Pane.SHEET, seat.scribe.table, "Bruno") == [NOBODY]


FIGHT = """game d20
cast Ana by=Jo dex=3 health=9: A poacher
cast Bo dex=1 health=8
conflict "The mill" Ana vs Bo+Ogre
initiative Ana+Bo+Ogre 17 12 3
"""


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConsoleSession]:
    """A poacher against a miller and an ogre; nobody has had a turn."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    with CampaignStore.create(tmp_path / "mill.retold") as campaign:
        mill = ConsoleSession(Scribe(campaign, 1), Options())
        for line in FIGHT.splitlines():
            mill.scribe.say(line)
        yield mill


def shown(seat: ConsoleSession, keys: str) -> list[str]:
    """The rows of the pane after these keys, without blanks round them."""
    console = left_with(seat, keys)
    return [] if console.pane is None else [row.strip() for row in console._shown]


def test_N6_the_sheet_pane_shows_the_current_turn_then_the_next(mill: ConsoleSession) -> None:
    assert shown(mill, f"turn\r{F2}")[0] == "Ana has the turn · Jo · A poacher"
    assert shown(mill, f"turn\r{F2}{F2}")[0] == "Ogre is next"
    assert shown(mill, f"{F2}{F2}{F2}") == []
    assert shown(mill, f"{F2}{F2}turn Ogre\r")[0] == "Ogre has the turn"
    assert shown(mill, f"as Bo\r{F2}")[0] == "Bo"


def test_N6_before_the_first_turn_it_is_that_of_who_is_waited_for_and_never_the_game_masters(
    mill: ConsoleSession,
) -> None:
    assert [row for row in shown(mill, F2) if row.startswith(("Ana", "Bo", "Ogre", "gm"))] == [
        "Ana · Jo · A poacher"
    ]


def test_N6_between_fights_the_sheet_pane_shows_the_last_actor(mill: ConsoleSession) -> None:
    mill.scribe.say("end conflict")
    mill.scribe.say("hp Bo -1")

    assert shown(mill, F2)[0] == "Bo"
    assert "hp (A d20 and a number): 7/8" in shown(mill, F2)[1]


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("pane", Pane)
def test_no_row_is_wider_than_the_pane_and_no_pane_higher_than_its_rows(
    seat: ConsoleSession, pane: Pane, width: int
) -> None:
    lines = pane_content(pane, seat.scribe.table, None)
    rows = laid_out(lines, width, 5).splitlines()

    assert {columns_of(row) for row in rows} == {width}
    assert len(rows) <= 5
    whole = laid_out(lines, width, 1000).split()
    assert whole == " ".join(lines).split()
