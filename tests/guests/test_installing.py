"""A guest is installed where another game is played: all that is played goes on meaning what it meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guests.evenings import IN_SONG, SONG
from tests.guests.installed import Said, all_said, laid_out, made, recorded

RULED = """
from retold.journal.system import System
SYSTEM = System(
    name="ruled", title="Ruled", about="a ruling names somebody", commands=(), events=(), decide={},
    evolve={}, shelf=dict, ruled_people=frozenset({"encore"}), setup_keys={"encore": "WORD:NAME"},
)
"""


@pytest.fixture
def song(tmp_path: Path) -> Path:
    """A campaign of a game in a file, played before any guest was installed."""
    (tmp_path / "song.toml").write_text(SONG, "utf-8")
    (begun,) = all_said(tmp_path, None, [("new", "evening", "--game", "song.toml")])
    assert begun.code == 0, begun.err
    recorded(tmp_path, None, IN_SONG, first=100)
    return tmp_path


def _only(said: list[Said]) -> Said:
    (one,) = said
    assert one.code == 0, one.err
    return one


def test_G7_a_track_goes_on_meaning_itself_where_a_guest_has_a_verb_of_that_name(
    song: Path, counterpoint: Path
) -> None:
    said = all_said(
        song,
        counterpoint,
        [
            ("encore", "Mara", "+1"),
            ("encore", "Mara", "-2:", "She is tired."),
            ("show", "tracks"),
            ("verify", "--rules"),
            ("dump", "--script", "-o", "again.session"),
            ("run", "--new", "-q", "-c", "again.retold", "again.session"),
            ("-c", "again.retold", "dump", "--script", "-o", "twice.session"),
            ("-c", "evening.retold", "log", "-n", "0"),
            ("-c", "again.retold", "log", "-n", "0"),
        ],
        first=1000,
    )

    assert [one.code for one in said] == [0] * len(said), said
    assert "encore\t4/6" in said[2].out
    assert "Every act would be decided the same way today." in said[3].out
    assert (song / "twice.session").read_text("utf-8") == (song / "again.session").read_text("utf-8")
    first, second = (one.out.splitlines()[1:] for one in said[-2:])
    assert first == second


def test_G7_a_character_named_like_a_guests_verb_still_speaks(song: Path, counterpoint: Path) -> None:
    assert _only(all_said(song, counterpoint, [("sing:", "Once more!")])).out == "Sing says: “Once more!”\n"


def test_G7_in_a_conflict_of_the_guest_its_verb_is_meant_and_its_script_says_so(
    song: Path, counterpoint: Path
) -> None:
    recorded(
        song,
        counterpoint,
        'conflict "The contest" counterpoint Mara vs Sing\nencore Mara\ntrack Mara encore +1\n'
        'conflict "The street" homebrew Mara vs gm\nencore Mara -1\nencore Mara --in "The contest"\n'
        "counterpoint.encore Mara --in 1\n",
        first=1000,
    )

    script, checked, played, again = all_said(
        song,
        counterpoint,
        [
            ("dump", "--script", "-o", "again.session"),
            ("verify", "--rules"),
            ("run", "--new", "-q", "-c", "again.retold", "again.session"),
            ("-c", "again.retold", "dump", "--script"),
        ],
        first=2000,
    )

    assert (script.code, checked.code, played.code) == (0, 0, 0), (script.err, checked.out, played.err)
    assert again.out == (song / "again.session").read_text("utf-8")
    assert "\nencore Mara\ntrack Mara encore +1\n" in again.out
    assert again.out.endswith("\nencore Mara --in 1\nencore Mara --in 1\n")


def test_G7_a_game_in_a_file_is_chosen_whatever_verbs_a_guest_has(counterpoint: Path, tmp_path: Path) -> None:
    (tmp_path / "song.toml").write_text(SONG, "utf-8")

    said = all_said(tmp_path, counterpoint, [("new", "evening", "--game", "song.toml"), ("log",)])

    assert [one.code for one in said] == [0, 0], said


def test_G7_a_ruling_sets_a_number_despite_a_guests_name_key(song: Path) -> None:
    laid_out(made(song / "source", "retold-ruled", "ruled", RULED), song / "site")

    changed = _only(all_said(song, song / "site", [("retcon", "12", "--as", "encore Mara +2", "--check")]))

    assert "No longer holds" not in changed.out
