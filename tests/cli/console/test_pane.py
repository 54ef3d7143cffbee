"""The pane above the toolbar: what may be done, and the sheet of whoever acts, in any width."""

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.console.loop import Console
from cli.console.pane import NOBODY, Pane, content, laid_out
from cli.console.seat import Seat
from projections.wrapping import width as columns_of

F2, F3, CTRL_D = "\x1bOQ", "\x1bOR", "\x04"


def left_with(seat: Seat, keys: str) -> Console:
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
def test_a_key_opens_its_pane_and_shuts_it_again(seat: Seat, keys: str, pane: Pane | None) -> None:
    assert left_with(seat, keys).pane is pane


def test_a_pane_follows_the_table_and_leaves_what_is_typed_alone(seat: Seat) -> None:
    assert any("declare Guards" in line for line in content(Pane.CAN, seat.scribe.table, None))
    console = left_with(seat, f"declare Zel{F3}: I run.\rdeclare Gu: They hold.\r")
    pane, toolbar = (text for _, text, *_ in console.below(Size(rows=40, columns=80)))

    assert "draw Guards …" in pane
    assert "declare Guards" not in pane
    assert toolbar == console.standing.toolbar(80)


def test_the_sheet_is_that_of_whoever_is_waited_for_or_whose_the_lines_are(seat: Seat) -> None:
    table = seat.scribe.table
    both = content(Pane.SHEET, table, None)

    assert both[0] == "Zélie Brandt · Jon"
    assert "Guards" in both
    assert "clubs 4, hearts 3" in "".join(both)
    assert "clubs 4" not in "".join(content(Pane.SHEET, table, "Guards"))
    seat.hear("end conflict stalemate")
    assert content(Pane.SHEET, seat.scribe.table, None) == [NOBODY]
    assert content(Pane.SHEET, seat.scribe.table, "Bruno") == [NOBODY]


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("pane", Pane)
def test_no_row_is_wider_than_the_pane_and_no_pane_higher_than_its_rows(
    seat: Seat, pane: Pane, width: int
) -> None:
    lines = content(pane, seat.scribe.table, None)
    rows = laid_out(lines, width, 5).splitlines()

    assert {columns_of(row) for row in rows} == {width}
    assert len(rows) <= 5
    whole = laid_out(lines, width, 1000).split()
    assert whole == " ".join(lines).split()
