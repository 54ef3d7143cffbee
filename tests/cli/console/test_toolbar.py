from __future__ import annotations

import pytest

from cli.console.seat import Seat
from cli.console.toolbar import Standing, shortened


def test_the_toolbar_says_where_the_table_stands(seat: Seat) -> None:
    seat.hear("branch kinder")

    standing = Standing.of(seat.scribe)

    assert standing.toolbar(100).startswith(
        "s1 · The porch · Bruise: turn 1 · declare, then draw · kinder · #"
    )
    assert standing.prompt == "Zélie Brandt vs Guards> "


def test_a_question_is_the_last_thing_to_be_left_out(seat: Seat) -> None:
    for line in ("draw Zélie clubs+melee = JH 2D 10S 7C 4C 3D", "draw Guards 1 = JS", "quality"):
        seat.hear(line)

    assert Standing.of(seat.scribe).toolbar(40).startswith("ruling: ")


@pytest.mark.parametrize("width", [10, 20, 40, 80])
def test_the_toolbar_is_never_wider_than_the_screen(seat: Seat, width: int) -> None:
    assert len(Standing.of(seat.scribe).toolbar(width)) <= width


def test_a_wide_letter_takes_two_columns() -> None:
    assert shortened("渡し守の家", 6) == "渡し…"
