"""A campaign that came in from a log is like any other: told, counted, mended, played on, copied."""

from __future__ import annotations

import json
import shutil

import pytest

from retold.projections.exports import EXPORTS
from retold.projections.prose import VOICES
from tests.cli.shell import ROOT, Shell

LOG = "the-table.json"
AGAIN = ("--yes", "import", LOG, "--into", "salt", "--game-master", "Mary")


@pytest.fixture
def salt(shell: Shell) -> Shell:
    """A shell in a folder with the campaign that the example log of Discord became."""
    shutil.copyfile(ROOT / "examples" / "imports" / LOG, shell.folder / LOG)
    shell.done(*AGAIN)
    return shell


def said(shell: Shell, line: str) -> str:
    return shell.done("-c", "salt", *line.split())


def new_at(shell: Shell) -> int:
    """Number of units that are new when the log comes in again."""
    return int(json.loads(shell.done("--json", *AGAIN))["new"])


def test_it_is_told_counted_and_found(salt: Shell) -> None:
    assert "Leave the coat." in said(salt, "recap")
    assert "Zel · character" in said(salt, "who Zel")
    assert json.loads(said(salt, "search coat --json"))["found"] == 3
    luck = said(salt, "stats luck")
    assert "Zel" in luck
    assert "Pell" in luck
    for name in EXPORTS:
        for voice in VOICES if EXPORTS[name].is_text else ("plain",):
            said(salt, f"export --book -f {name} --voice {voice} -o {name}.{voice}")
            told = (salt.folder / f"{name}.{voice}").read_bytes()
            assert b"coat" in told or (told and not EXPORTS[name].is_text), (name, voice)
    assert "Do I see the ferryman" not in said(salt, "export --voice prose")
    assert "The record is whole" in said(salt, "verify")


def test_a_person_with_words_around_a_speech_tells_them(salt: Shell) -> None:
    told = said(salt, "export --voice prose -f text")

    assert "““" not in told
    assert '“"' not in told


def test_play_goes_on_and_the_log_again_adds_nothing(salt: Shell) -> None:
    said(salt, "undo")  # of the session's end
    said(salt, "say Zel: We row on.")

    assert new_at(salt) == 0
    assert said(salt, "recap").count("We row on.") == 1


def test_what_is_taken_back_or_mended_stays_so(salt: Shell) -> None:
    before = said(salt, "log -n 0").splitlines()
    said(salt, "undo 2")
    position = next(line.split()[0] for line in before if "So it is" in line)
    salt.done("-c", "salt", "retcon", f"{position}:", "So it was.")
    after = said(salt, "log -n 0")

    assert new_at(salt) == 0
    assert said(salt, "log -n 0") == after


def test_what_no_redaction_reaches_is_said(salt: Shell) -> None:
    position = next(
        line.split()[0] for line in said(salt, "log -n 0").splitlines() if "Leave the coat" in line
    )
    done = salt.say("--yes", "-c", "salt", "redact", position)

    assert "So do the log that they came in from and the file of answers about it" in done.err + done.out
    assert new_at(salt) == 0
    assert b"Leave the coat" not in (salt.folder / "salt.retold").read_bytes()
    note = salt.done("-c", "salt", "note:", "Ours").split()
    assert note
    ours = salt.say("--yes", "-c", "salt", "redact", "@")
    assert "the log that" not in ours.err + ours.out


def test_a_copy_that_has_it_too_is_synchronised(salt: Shell) -> None:
    salt.done("copy", "salt.retold", "other.retold")
    said(salt, "note: Ours.")

    salt.done("-c", "other", "sync", "salt.retold")
    assert salt.done("-c", "other", "log", "-n", "0") == said(salt, "log -n 0")
    assert json.loads(salt.done("--json", "--yes", "import", LOG, "--into", "other"))["new"] == 0


def test_its_script_plays_again(salt: Shell) -> None:
    script = said(salt, "dump --script")
    (salt.folder / "again.session").write_text(script, "utf-8")
    salt.done("new", "again")
    salt.done("-c", "again", "run", "again.session")

    assert salt.done("-c", "again", "dump", "--script") == script
