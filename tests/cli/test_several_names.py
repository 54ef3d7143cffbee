"""X3: a file with two names has two logs; it is not written to, and no half of it is shown without a word."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import retold
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.sqlite.location import find_file_names
from tests.cli.shell import Shell
from tests.files import needs_links

REFUSED = (
    "evening.retold is one file under 2 names: evening.retold, other.retold. Nothing is recorded in it, for"
    " what is recorded under one name is lost under another. Play on with a copy"
    " (retold backup -c evening.retold NEW), or delete other.retold."
)


@pytest.fixture
def linked(shell: Shell) -> Shell:
    """An evening whose file has a second name beside the first."""
    os.link(shell.folder / "evening.retold", shell.folder / "other.retold")
    return shell


def said_and_left(path: Path, line: str) -> None:
    """Says a line in a campaign, and leaves its log as a killed process does."""
    log = path.with_name(f"{path.name}-wal")
    with retold.open(path) as campaign:
        campaign.say(line)
        kept = path.read_bytes(), log.read_bytes()
    with path.open("r+b") as file:  # the same file, with all its names
        file.write(kept[0])
        file.truncate(len(kept[0]))
    log.write_bytes(kept[1])


def test_X3_neither_name_is_written_to(linked: Shell) -> None:
    before = linked.bytes("evening")

    assert linked.say("-c", "evening", "note:", "Rain.").err == f"{REFUSED}\n"
    assert "or delete evening.retold" in linked.refused("-c", "other", "note:", "Rain.")
    assert linked.say("-c", "evening", "play", stdin=b"note: Rain.\n").err == f"{REFUSED}\n"
    with pytest.raises(retold.StoreError, match="is one file under 2 names"):
        retold.open(linked.folder / "evening.retold")
    assert linked.bytes("evening") == before


def test_X3_a_file_under_two_names_can_be_read(linked: Shell) -> None:
    assert "The yard" in linked.done("-c", "other", "log")
    with retold.open(linked.folder / "other.retold", read_only=True) as campaign:
        assert campaign.position == 26


def test_X3_doctor_says_it(linked: Shell) -> None:
    said = linked.say("-c", "evening", "doctor")
    told = json.loads(linked.say("-c", "evening", "doctor", "--json").out)

    assert said.code == 1
    assert REFUSED in said.out
    assert told["names"] == ["evening.retold", "other.retold"]


def test_X3_the_ways_out_of_the_sentence_lead_out(linked: Shell) -> None:
    linked.done("backup", "-c", "evening", "copy")
    linked.done("-c", "copy", "note:", "In the copy.")
    (linked.folder / "other.retold").unlink()
    linked.done("-c", "evening", "note:", "In the one that is left.")

    assert "names" not in linked.done("-c", "evening", "doctor")


def test_X3_a_name_in_another_folder_is_told_of_with_how_to_find_it(shell: Shell) -> None:
    (shell.folder / "backups").mkdir()
    os.link(shell.folder / "evening.retold", shell.folder / "backups" / "evening.retold")

    assert "evening.retold is one file under 2 names, and the others are in other folders" in shell.refused(
        "note:", "Rain."
    )
    assert "-samefile evening.retold lists them" in shell.refused("note:", "Rain.")


def test_X3_a_name_in_another_folder_is_named_where_this_computer_recorded_in_it(shell: Shell) -> None:
    shell.done("note:", "Rain.")
    (shell.folder / "backups").mkdir()
    os.link(shell.folder / "evening.retold", shell.folder / "backups" / "copy.retold")

    assert f"copy.retold, {shell.folder.resolve()}/evening.retold." in shell.refused(
        "-c", "backups/copy", "note:", "More."
    )


def test_X3_a_name_that_shows_less_than_the_other_is_not_read_without_a_word(shell: Shell) -> None:
    """As after a kill: the last acts are in the log beside the first name, which the second knows not."""
    said_and_left(shell.folder / "evening.retold", "note: The last of all.")
    os.link(shell.folder / "evening.retold", shell.folder / "other.retold")

    for words in (("log",), ("verify",), ("export",)):
        refused = shell.refused("-c", "other", *words)
        assert "may be in evening.retold-wal: read evening.retold." in refused
        assert "Play on with a copy (retold backup -c evening.retold NEW), or delete other.retold." in refused
    assert "may be in evening.retold-wal" in shell.say("-c", "other", "doctor").out
    assert "The last of all." in shell.done("-c", "evening", "log", "-n", "1")
    shell.done("backup", "-c", "evening", "copy")
    assert "The last of all." in shell.done("-c", "copy", "log", "-n", "1")


def test_X3_if_each_name_has_a_log_each_can_be_copied(shell: Shell) -> None:
    first, second = shell.folder / "evening.retold", shell.folder / "other.retold"
    shutil.copyfile(first, second)
    before = first.read_bytes()
    said_and_left(second, "note: Under the second.")
    said_and_left(first, "note: Under the first.")
    second.unlink()
    os.link(first, second)
    first.write_bytes(before)

    assert (
        "A log lies beside evening.retold and other.retold, each with acts of its own: copy each"
        " (retold backup -c evening.retold NEW, retold backup -c other.retold NEW)"
    ) in shell.refused("-c", "evening", "log")
    for name, said in (("evening", "Under the first."), ("other", "Under the second.")):
        shell.done("backup", "-c", name, f"{name}-copy")
        assert said in shell.done("-c", f"{name}-copy", "log", "-n", "1")


def test_X3_what_is_being_made_has_no_second_name(shell: Shell) -> None:
    """A process killed as it gave a file its name leaves the name it was made under."""
    os.link(shell.folder / "evening.retold", shell.folder / ".retold-1-0.part")

    assert find_file_names(shell.folder / "evening.retold") is None
    shell.done("note:", "Rain.")


# --- symbolic links ---------------------------------------------------------------------------------------


@needs_links
def test_X3_a_symbolic_link_is_the_file_it_leads_to(shell: Shell) -> None:
    elsewhere = shell.folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "link.retold").symlink_to(shell.folder / "evening.retold")

    with retold.open(elsewhere / "link.retold") as by_link, retold.open("evening.retold") as by_name:
        by_link.say("note: By the link.")
        by_name.say("note: By the name.")

    assert "By the link." in shell.done("-c", "evening", "log", "-n", "2")
    assert "By the name." in shell.done("-c", "elsewhere/link", "log", "-n", "1")
    assert [one.name for one in elsewhere.iterdir()] == ["link.retold"]


@needs_links
def test_X3_the_log_of_what_a_symbolic_link_leads_to_is_found(shell: Shell) -> None:
    said_and_left(shell.folder / "evening.retold", "note: The last of all.")
    link = shell.folder / "elsewhere"
    link.mkdir()
    link = link / "link.retold"
    link.symlink_to(shell.folder / "evening.retold")
    (shell.folder / "evening.retold").chmod(0o444)

    with CampaignFile.open(link, read_only=True) as file:  # not as one that never changes, which has no log
        assert file.size() == 27
