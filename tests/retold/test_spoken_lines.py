"""Given a fight, when words behind a colon are a line of its game, then the answer says how to do it."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.scribe import Scribe

FORD = """\
cast Jonah whiskey combat=9 base=1 die=1 hp=4 by=Ann
cast Dog whiskey combat=9 base=1 die=1 hp=4
cast "Old Cy" whiskey combat=9 base=1 die=1 hp=4
conflict Ford whiskey Jonah+"Old Cy" vs Dog
"""
PIER = """\
game d20
cast Oda by=Ann dex=2 health=9
"""
AISLE = """\
cast Ana edgerunner by=Jo firearms=2
cast Bo edgerunner
conflict Aisle edgerunner Ana vs Bo
exchange
"""


def said(folder: Path, lines: str, line: str, *, attended: bool = True) -> tuple[str, ...]:
    made = retold.new(folder / "ford.retold")
    made.play(lines)
    return Scribe(made.shared.store, made.line, attended=attended).say(line).said


@pytest.mark.parametrize(
    ("lines", "line", "meant"),
    [
        (FORD, "Jonah: engage Dog", "declare Jonah engage Dog"),
        (FORD, '"Old Cy": guard', 'declare "Old Cy" guard'),
        (FORD, "Dog: engages Jonah", "declare Dog engage Jonah"),
        (AISLE, "Ana: attack Bo cool with firearms = ++++", "attack Ana Bo cool with firearms = ++++"),
        (PIER, "Oda: stealth 14", "roll Oda check dex = 14: stealth"),
    ],
)
def test_words_that_are_a_line_are_spoken_and_the_line_is_shown(
    tmp_path: Path, lines: str, line: str, meant: str
) -> None:
    assert said(tmp_path, lines, line) == (f"This is spoken. To do it: undo, and {meant}.",)


@pytest.mark.parametrize(
    "line",
    [
        "Jonah: Guard!",
        "Jonah: guard!",
        "Jonah: I engage Dog",
        "Jonah: tea?",
        "gm: guard",
    ],
)
def test_words_that_are_no_line_are_spoken(tmp_path: Path, line: str) -> None:
    assert said(tmp_path, FORD, line) == ()


@pytest.mark.parametrize("line", ["Oda: it's 14 miles to Ashby", "Oda: give me 5 gold", "Oda: we are 3"])
def test_numbers_in_speech_are_spoken(tmp_path: Path, line: str) -> None:
    assert said(tmp_path, PIER, line) == ()


def test_a_script_hears_no_hint(tmp_path: Path) -> None:
    hints = said(tmp_path, FORD, "Jonah: engage Dog", attended=False)

    assert [one for one in hints if one.startswith("This is spoken")] == []


def test_words_like_an_act_that_is_no_line_are_shown_as_one(tmp_path: Path) -> None:
    assert said(tmp_path, FORD, "Jonah: engage Nobody") == (
        "Jonah has still to declare; if that is it: undo, then declare Jonah other: engage Nobody",
    )


def test_outside_a_conflict_nothing_is_a_line_of_it(tmp_path: Path) -> None:
    assert said(tmp_path, f"{FORD}end conflict\n", "Jonah: engage Dog") == ()
