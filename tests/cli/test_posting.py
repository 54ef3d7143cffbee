"""`export --moment`: a card of one moment, where it goes, and what it goes with."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from tests.cli.shell import Shell

EVENING = """campaign The Salt Road
cast Zel by=Jon: A smuggler
session The Long Ebb --date 2026-03-14
scene The stair
narrate Zel: One last cry, and the line breaks.
mark breaking
narrate gm --gm: The ferrywoman is her mother.
"""


@pytest.fixture
def road(shell: Shell, tmp_path: Path) -> Shell:
    path = tmp_path / "evening.session"
    path.write_text(EVENING, "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(path))
    return shell


def test_it_goes_to_standard_output_as_a_drawing(road: Shell) -> None:
    said = road.done("-c", "road", "export", "--moment", "breaking")

    assert said.startswith("<svg ")
    assert "One last cry, and the line breaks." in said
    assert "Session 1: The Long Ebb · The stair" in said


@pytest.mark.parametrize(
    ("name", "begins"), [("a.svg", b"<svg "), ("a.html", b"<!DOCTYPE html>"), ("a.png", b"\x89PNG")]
)
def test_the_ending_of_its_file_says_what_it_is(
    road: Shell, tmp_path: Path, name: str, begins: bytes
) -> None:
    road.done("-c", "road", "export", "--moment", "breaking", "-o", name)

    assert (tmp_path / name).read_bytes().startswith(begins)


def test_in_a_folder_it_is_named_after_its_moment(road: Shell, tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    for eyes in ("gm", "Jon"):
        road.done("-c", "road", "export", "--moment", "breaking", "-o", "cards", "-f", "html", "--for", eyes)

    names = sorted(one.name for one in (tmp_path / "cards").iterdir())
    assert len(names) == 2
    assert all(one.startswith("road-e") and one.endswith(".html") for one in names)


@pytest.mark.parametrize(
    "beside",
    ["--session 1", "--book", "s1..@", "--vault v", "--clap s1", "--variations", "--ribbon", "--json"],
)
def test_it_is_of_one_moment_and_of_nothing_else(road: Shell, beside: str) -> None:
    said = road.say("-c", "road", "export", "--moment", "breaking", *beside.split())

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(
        f"A card needs no {'A..B' if beside == 's1..@' else beside.split(maxsplit=1)[0]}: leave it out."
    )


def test_what_it_cannot_be_is_refused_in_a_sentence(road: Shell) -> None:
    ask = ("-c", "road", "export", "--moment", "breaking")

    assert road.refused(*ask, "-o", "a.gif") == "A card of a moment is svg, png, html, not gif."
    assert "Mechanics stand" in road.refused(*ask, "--mechanics", "sideways")
    assert "has not come yet" in road.refused(*ask, "--at", "s1")
    assert road.refused(*ask, "--at", "s1", "--for", "Jon") == (
        "That moment has not come yet: choose an earlier one."
    )


def test_if_something_hidden_came_last_the_card_is_of_the_last_moment_they_know(road: Shell) -> None:
    theirs = road.done("-c", "road", "export", "--moment", "@", "--for", "Jon")

    assert "mark “breaking”" in theirs
    assert "ferrywoman" not in theirs
    assert "ferrywoman" in road.done("-c", "road", "export", "--moment", "@", "--for", "gm")


def test_a_moment_of_another_line_is_known_as_that_line_knows_it(road: Shell) -> None:
    road.done("-c", "road", "branch", "kinder", "--to", "table")
    road.done("-c", "road", "narrate", "Zel:", "And", "nobody", "follows.")
    road.done("-c", "road", "switch", "mainline")

    assert "And nobody follows." in road.done("-c", "road", "export", "--moment", "kinder@")
    assert "another line" in road.refused("-c", "road", "export", "--moment", "kinder@", "--at", "s1")


def test_of_a_branch_that_is_not_shown_there_is_only_the_game_masters_card(road: Shell) -> None:
    road.done("-c", "road", "branch", "kinder")
    road.done("-c", "road", "narrate", "Zel:", "And", "nobody", "follows.")
    show = "show it to them (branch show kinder), or make the game master's card: --for gm"

    assert show in road.refused("-c", "road", "export", "--moment", "@")
    assert "And nobody follows." in road.done("-c", "road", "export", "--moment", "@", "--for", "gm")


def test_a_program_makes_the_same_card(road: Shell, tmp_path: Path) -> None:
    with retold.open(tmp_path / "road.retold") as campaign:
        made = campaign.postcard("breaking", mechanics="none").decode()
        branched = campaign.seen_by("Jon").postcard("mainline@breaking", "html", voice="prose").decode()

    assert made == road.done("-c", "road", "export", "--moment", "breaking", "--mechanics", "none")
    assert "One last cry, and the line breaks." in branched
