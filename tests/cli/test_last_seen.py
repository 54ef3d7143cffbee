"""An end that is gone, with a deleted log or under an older copy, is missed where it was recorded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import retold
from retold.cli.campaigns.asking import open_for_program
from retold.cli.campaigns.settings import Settings
from tests.cli.shell import Shell

SAYS = "evening.retold lacks what was recorded last on this computer, up to 27 (receipt 1:27:"


@pytest.fixture
def cut(shell: Shell) -> Shell:
    """An evening whose log was deleted while somebody had it open, and who was killed then."""
    path, left = shell.folder / "evening.retold", shell.folder / "left"
    campaign = open_for_program(path, Settings.of_user())
    campaign.say("note: The last of all.")
    shutil.copyfile(path, left)
    campaign.close()
    left.replace(path)
    return shell


def noted(shell: Shell) -> Path:
    (found,) = shell.folder.rglob("*.end")
    return found


def test_verify_and_doctor_miss_it(cut: Shell) -> None:
    said = cut.say("verify")

    assert said.code == 1
    assert "The record is whole: 26 events" in said.out
    assert SAYS in said.out
    assert '"missed": "evening.retold lacks' in cut.say("verify", "--json").out
    assert SAYS in cut.say("doctor").out


def test_without_what_was_noted_nothing_shows(cut: Shell) -> None:
    """The control: a record cannot show that its end is gone."""
    noted(cut).unlink()

    assert cut.say("verify").code == 0


def test_a_lost_act_is_reported_once(cut: Shell) -> None:
    told = cut.say("note:", "Play goes on.")
    assert told.code == 0
    assert SAYS in told.err

    assert cut.say("note:", "And on.").err.startswith("Recorded 28")
    assert cut.say("verify").code == 0


def test_a_reading_verb_does_not_report_a_missing_end(cut: Shell) -> None:
    assert cut.say("log", "-n", "1").err == ""


def test_another_file_of_the_campaign_lacks_nothing(shell: Shell) -> None:
    shell.done("backup", "copy")
    shell.done("-c", "evening", "note:", "After the copy.")

    assert shell.say("-c", "copy", "verify").code == 0


@pytest.mark.parametrize(
    "text", ["", "nonsense", "1:2 x", "1:x:00 /a", "9:9:00", "\0", "1:" + "9" * 5000 + ":0 /a"]
)
def test_a_note_that_is_none_is_no_matter(text: str, cut: Shell) -> None:
    noted(cut).write_text(text)

    assert cut.say("verify").code == 0


def test_a_shorter_line_takes_the_place_of_a_longer_one(cut: Shell) -> None:
    note = noted(cut)
    note.write_text(f"{note.read_text().rstrip()} and more\nand more\n")
    cut.done("note:", "Play goes on.")

    assert cut.say("verify").code == 0
    (cut.folder / "evening.retold").replace(cut.folder / "elsewhere.retold")
    cut.done("-c", "elsewhere", "undo")
    (cut.folder / "elsewhere.retold").replace(cut.folder / "evening.retold")
    assert cut.say("verify").code == 0


def test_a_cache_that_cannot_be_written_is_no_matter(shell: Shell) -> None:
    (shell.folder / "home").mkdir()
    (shell.folder / "home" / "cache").write_text("no folder")

    assert shell.say("note:", "All the same.").err.startswith("Recorded 27")


def test_X4_what_a_program_recorded_is_missed_too(shell: Shell) -> None:
    path, left = shell.folder / "evening.retold", shell.folder / "left"
    with retold.open(path) as campaign:
        campaign.say("note: The last of all.")
        shutil.copyfile(path, left)
    left.replace(path)

    for verb in ("verify", "doctor"):
        said = shell.say(verb)
        assert said.code == 1
        assert SAYS in said.out


def test_X4_a_copy_that_is_played_through_and_thrown_away_leaves_the_receipt(shell: Shell) -> None:
    shell.done("note:", "Rain.")
    (kept,) = shell.folder.rglob("*.end")
    before = kept.read_text()
    script = shell.folder / "more.session"
    script.write_text("note: Only tried.\n")

    shell.done("run", "--check", str(script))

    assert kept.read_text() == before
