"""What a reader would stumble over on a page."""

from __future__ import annotations

from pathlib import Path

from tests.projections.scripted import exported, read_off

# --- what was told with an act is told (C7) ---------------------------------------------------------------

QUAY = """\
cast gm by=Mary
cast Łucja edgerunner by=Jo athletics=3
cast Rusk edgerunner by=Omar
session
conflict "The crane" Łucja vs Rusk
map Deck 1 Gantry 3 Attic
place Łucja+Rusk Deck
exchange
"""
CLIMBS = "I swing myself up by the chain."


def told(folder: Path, line: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The words of a page, and what nobody has told yet, after a move that is applied without a word."""
    page = exported(folder, f"{QUAY}{line}\napply\n")
    return read_off(page), [one.what for one in page.end.untold]


def test_C7_a_move_told_with_its_act_is_told_once(tmp_path: Path) -> None:
    # 1 shift to Gantry, and +++0 with athletics 3 makes 6
    page, untold = told(tmp_path, f"move Łucja to Gantry with athletics = +++0: {CLIMBS}")

    assert page == [("Łucja moves", CLIMBS)]
    assert untold == []


def test_C7_nobody_told_a_move_without_words(tmp_path: Path) -> None:
    page, untold = told(tmp_path, "move Łucja to Gantry with athletics = +++0")

    assert page == [("", "Łucja moved to Gantry.")]
    assert untold == ["Łucja moved to Gantry."]


def test_C7_nobody_told_of_a_move_that_led_elsewhere(tmp_path: Path) -> None:
    # 1 + 3 shifts to Attic, and 0000 with athletics 3 makes 3: as far as Gantry
    page, untold = told(tmp_path, f"move Łucja to Gantry Attic with athletics = 0000: {CLIMBS}")

    assert page == [("Łucja moves", CLIMBS), ("", "Łucja moved to Gantry.")]
    assert untold == ["Łucja moved to Gantry."]


def test_C7_words_of_an_earlier_act_tell_nothing(tmp_path: Path) -> None:
    first = f"move Łucja to Gantry with athletics = +++0: {CLIMBS}"
    then = ("apply", "simple Rusk", "exchange", "continue Łucja to Attic")
    _, untold = told(tmp_path, "\n".join((first, *then)))

    assert untold == ["Łucja moved to Attic."]


def test_C7_who_is_brought_somewhere_as_was_said_is_told(tmp_path: Path) -> None:
    page, untold = told(tmp_path, f"move Łucja Rusk to Gantry with athletics = +++0: {CLIMBS}")

    assert page == [("Łucja moves Rusk", CLIMBS)]
    assert untold == []
