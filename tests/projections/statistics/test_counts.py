"""How what is counted went in each session."""

from __future__ import annotations

from retold.projections.statistics import count
from retold.projections.statistics.pace import Goings, Went
from retold.projections.views.naming import Who
from tests.projections.statistics.played import Evening

RUNA = Who(1, "Runa")
TWO_SESSIONS = """\
cast Runa whiskey hp=12
cast Pike whiskey hp=9
session One
conflict whiskey Runa vs Pike
ruling Runa.hp=7: The fall.
end conflict: They part.
ruling Pike.hp=9: Nothing came of it.
end session
cast Runa whiskey hp=10
session Two
ruling Runa.hp=3: A fever.
"""


def counted(evening: Evening, session: int | None = None) -> Goings:
    asked = evening.asked()
    counts = count(asked, ("counts",), session)["counts"]
    assert isinstance(counts, Goings)
    return counts


def test_what_went_up_or_down_in_a_session_and_nothing_else(evening: Evening) -> None:
    """Runa is cast anew with 10 between the two; Pike is as he was; the second session is still open."""
    evening.play(TWO_SESSIONS)
    first, second = (
        Went("whiskey", RUNA, "hp", *went, "Whiskey") for went in ((12, 1, 12, 7), (10, 2, 10, 3))
    )

    assert counted(evening).counts == (first, second)
    assert counted(evening, 2).counts == (second,)


def test_it_is_a_table(evening: Evening) -> None:
    (sheet,) = counted(evening.play(TWO_SESSIONS)).sheets()

    assert [row.cells for row in sheet.rows] == [
        ("Runa", "hp", "1", "12", "7/12"),
        ("Runa", "hp", "2", "10", "3/10"),
    ]


def test_if_nothing_is_counted_there_is_no_table(evening: Evening) -> None:
    counts = counted(evening.play("session One\nnote --to table: It rains.\n"))

    assert (counts.sheets(), counts.to_json()) == ((), {"counts": []})
