"""`copy` and `sync`: the desktop, the laptop, a stick or a server between them, and where both went on."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from pathlib import Path

import pytest

from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.events.acts import Manner
from retold.journal.store.sqlite import connection
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Scope
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block
from tests.cli.shell import Shell, run
from tests.database_server import SERVICE, Cluster, new_name
from tests.files import needs_links

HERE = "evening.retold"
STICK = "stick/evening.retold"


@pytest.fixture
def stick(shell: Shell) -> Shell:
    """A shell beside a folder with a copy of the evening, made by `copy`."""
    (shell.folder / "stick").mkdir()
    shell.done("copy", HERE, "stick")
    return shell


def heads(shell: Shell, campaign: str) -> set[str]:
    return set(shell.done("head", "-c", campaign).splitlines())


def note(shell: Shell, campaign: str, *texts: str) -> None:
    for text in texts:
        shell.done("-c", campaign, "note:", text)


def last(shell: Shell, campaign: str) -> str:
    """The short receipt of the line that is played."""
    line, position, hash_ = shell.done("head", "-c", campaign).splitlines()[0].split(":")
    return f"{line}:{position}:{hash_[:16]}"


# --- copy ---


def test_a_copy_is_the_same_to_the_last_hash(shell: Shell) -> None:
    said = shell.say("copy", "evening", "there")

    assert (said.code, said.out) == (0, "there.retold\n")
    receipt = last(shell, HERE)
    assert said.err.endswith(f"the same to the last: {receipt}\n")
    assert said.err.startswith(f"{receipt.split(':')[1]} events on 1 line,")
    assert shell.bytes("there.retold") == shell.bytes(HERE)


def test_a_copy_into_a_folder_keeps_its_name(stick: Shell) -> None:
    assert stick.bytes(STICK) == stick.bytes(HERE)


def test_a_copy_never_overwrites(stick: Shell) -> None:
    before = (stick.folder / STICK).read_bytes()
    assert stick.refused("copy", HERE, "stick") == f"{STICK} is there already: choose another name."
    assert (stick.folder / STICK).read_bytes() == before
    assert stick.refused("copy", "evening", "evening").endswith("is there already: choose another name.")


def test_a_copy_is_described_to_machines(shell: Shell) -> None:
    told = json.loads(shell.done("copy", "evening", "there", "--json"))

    assert (told["retold"], told["version"], told["path"]) == ("copy", 1, "there.retold")
    assert [f"{one['line']}:{one['position']}:{one['hash']}" for one in told["receipts"]] == list(
        heads(shell, HERE)
    )


def test_a_damaged_campaign_is_not_copied(shell: Shell) -> None:
    note(shell, HERE, "Two.")
    spoil(shell.folder / HERE)
    said = shell.refused("copy", "evening", "there")

    assert "is damaged" in said
    assert not list(shell.folder.glob("there*"))
    assert not list(shell.folder.glob(".retold-*"))


def spoil(path: Path) -> None:
    """Changes a letter of the note `Two.` inside the file, past SQLite."""
    data = path.read_bytes()
    assert b"Two." in data
    path.write_bytes(data.replace(b"Two.", b"Twx."))


# --- sync, none apart ---


def test_sync_copies_new_events_both_ways(stick: Shell) -> None:
    note(stick, HERE, "From the desktop.")
    said = stick.say("sync", "stick", "-c", HERE)

    there = f"{stick.folder}/{STICK}"
    assert said.out == (f"1 event went to {STICK}. Both are the same now: {last(stick, HERE)}\n")
    assert heads(stick, HERE) == heads(stick, STICK)
    stick.done("-c", STICK, "end", "session")
    stick.done("-c", STICK, "session", "The Low Ebb")
    stick.done("-c", STICK, "note:", "From the laptop.")
    said = stick.say("sync", "-c", HERE)
    assert said.out == (
        f"1 evening came from {there} (3 events, to s3). Both are the same now: {last(stick, HERE)}\n"
    )
    assert stick.bytes(HERE) == stick.bytes(STICK)
    assert stick.done("sync") == f"Both are the same: {last(stick, HERE)}\n"


def test_a_branch_there_and_a_line_here_pass_each_other(stick: Shell) -> None:
    note(stick, HERE, "Before the branch.")
    stick.done("sync", "stick")
    stick.done("-c", STICK, "branch", "kinder", "@")
    stick.done("-c", STICK, "--branch", "kinder", "note:", "On the branch.")
    note(stick, HERE, "On the line.")
    said = stick.say("sync")

    assert "came from" in said.out
    assert "1 event went there." in said.out
    assert heads(stick, HERE) == heads(stick, STICK)
    assert "kinder" in stick.done("branches", "-c", HERE)


def test_a_place_is_asked_for_until_it_is_known(shell: Shell) -> None:
    said = shell.misused("sync")
    assert said == "Say where the other copy is: retold sync PLACE. It is remembered from then on."


def test_a_place_that_is_gone_is_named(stick: Shell) -> None:
    stick.done("sync", "stick")
    shutil.rmtree(stick.folder / "stick")
    said = stick.refused("sync")

    assert said.startswith(
        f"{stick.folder}/{STICK}, with which this campaign was synced last, is not there now"
    )


def test_each_copy_remembers_its_own_place(stick: Shell) -> None:
    shutil.copy(stick.folder / HERE, stick.folder / "third.retold")
    stick.done("sync", HERE, "-c", STICK)
    note(stick, HERE, "From here.")
    assert f"went to {stick.folder}/{STICK}." in stick.done("sync", "-c", HERE)

    stick.done("sync", HERE, "-c", "third")
    note(stick, HERE, "From here again.")
    assert f"went to {stick.folder}/{STICK}." in stick.done("sync", "-c", HERE)
    assert f"came from {stick.folder}/{HERE}." in stick.done("sync", "-c", "third")
    stick.done("sync", STICK, "-c", "third")
    assert stick.done("sync", "-c", "third") == f"Both are the same: {last(stick, HERE)}\n"


def test_a_place_that_never_was_is_made_with_copy(shell: Shell) -> None:
    assert shell.refused("sync", "nowhere") == (
        "There is no campaign nowhere.retold: a first copy is made with"
        " retold copy evening.retold nowhere.retold."
    )


def test_names_of_places_are_matched_forgivingly(stick: Shell) -> None:
    note(stick, HERE, "One.")
    assert "went to" in stick.done("sync", "stick/EVENING", "-c", HERE)
    assert "Both are the same" in stick.done("sync", "stick", "-c", HERE)
    assert stick.done("copy", "Evening", "again") == "again.retold\n"


@needs_links
def test_one_file_is_not_synced_with_itself(stick: Shell) -> None:
    (stick.folder / "link.retold").symlink_to(stick.folder / HERE)
    for other in ("evening", "./evening.retold", "link"):
        said = stick.refused("-c", HERE, "sync", other)
        assert "is this campaign itself: name the other copy of it (retold sync PLACE)." in said


def test_two_campaigns_have_nothing_in_common(shell: Shell) -> None:
    shell.done("new", "other")
    before = shell.bytes("other.retold")
    assert shell.refused("-c", HERE, "sync", "other") == "They are two campaigns: nothing in common."
    assert shell.bytes("other.retold") == before


def test_other_files_are_reported_as_not_campaigns(shell: Shell) -> None:
    (shell.folder / "other.retold").write_text(
        "no campaign at all, but long enough for SQLite to look at" * 20
    )
    assert shell.refused("-c", HERE, "sync", "other") == "other.retold is not a Retold campaign."


def test_a_damaged_copy_gives_nothing(stick: Shell) -> None:
    note(stick, STICK, "One.", "Two.")
    before = stick.bytes(HERE)
    spoil(stick.folder / STICK)
    said = stick.say("-c", HERE, "sync", "stick")

    assert said.code == 1
    assert said.err.count("\n") == 1
    assert said.err.endswith(" Nothing was copied: retold doctor says what is still good.\n")
    assert stick.bytes(HERE) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may do all is refused nothing")
def test_a_copy_that_may_not_be_written_to(stick: Shell) -> None:
    note(stick, HERE, "One.")
    (stick.folder / STICK).chmod(stat.S_IREAD)
    before = (stick.folder / STICK).read_bytes()

    assert "it is read-only" in stick.refused("-c", HERE, "sync", "stick")
    assert (stick.folder / STICK).read_bytes() == before


def test_a_copy_that_is_being_written_to_is_waited_for(stick: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.2)
    note(stick, HERE, "One.")
    before = stick.bytes(STICK)
    with CampaignStore.open(stick.folder / STICK) as held, held.record.store.writing():
        said = stick.refused("-c", HERE, "sync", "stick")
    assert said.startswith("Nothing was recorded: ")
    assert said.endswith("Say it again.")
    assert stick.bytes(STICK) == before
    assert "went to" in stick.done("-c", HERE, "sync", "stick")


def test_a_check_does_nothing(stick: Shell) -> None:
    note(stick, HERE, "One.")
    before = stick.bytes(STICK)
    said = stick.done("-c", HERE, "sync", "stick", "--check")

    assert said == f"1 event would go to {STICK}.\n(Checked; nothing was recorded.)\n"
    assert stick.bytes(STICK) == before


def test_a_sync_is_described_to_machines(stick: Shell) -> None:
    note(stick, HERE, "One.")
    told = json.loads(stick.done("-c", HERE, "sync", "stick", "--json"))

    assert (told["retold"], told["version"], told["apart"]) == ("sync", 1, False)
    assert (told["came"], told["went"], told["here"], told["there"]) == (0, 1, HERE, STICK)
    assert told["receipt"] == last(stick, HERE)


def test_the_seed_stays_and_it_is_said_where(shell: Shell) -> None:
    shell.done("new", "dealt", "--seed", "a seed of no table")
    shell.done("copy", "dealt", "other")
    note(shell, "dealt", "One.")
    said = shell.say("-c", "dealt", "sync", "other")

    assert "The seed of the campaign was not copied: it is in " in said.err
    assert "Another computer is given it once (RETOLD_SEED)." in said.err
    assert "a seed of no table" not in said.err
    assert b"a seed of no table" not in (shell.folder / "other.retold").read_bytes()
    assert shell.say("-c", "dealt", "sync", "other").err == ""  # nothing was copied


def test_a_redaction_takes_its_words_in_the_other_copy(stick: Shell) -> None:
    note(stick, HERE, "The ferryman's name is Ottokar.")
    stick.done("sync", "stick", "-c", HERE)
    position = last(stick, HERE).split(":")[1]
    stick.done("-c", HERE, "--yes", "redact", position)
    said = stick.say("sync", "-c", HERE)

    assert "1 text was redacted in" in said.err
    assert b"Ottokar" not in (stick.folder / STICK).read_bytes()
    assert stick.bytes(HERE) == stick.bytes(STICK)
    stick.done("verify", "-c", STICK)


# --- both went on ---


@pytest.fixture
def parted(stick: Shell) -> Shell:
    """A shell beside two copies that both went on."""
    stick.done("sync", "stick", "-c", HERE)
    note(stick, HERE, "From here.", "And again.")
    note(stick, STICK, "From there.")
    return stick


def test_nothing_moves_where_both_went_on(parted: Shell) -> None:
    before = parted.bytes(HERE), parted.bytes(STICK)
    said = parted.say("sync", "-c", HERE)
    there = f"{parted.folder}/{STICK}"
    common = int(last(parted, STICK).split(":")[1]) - 1
    line = f"retold sync -c {HERE} {there}"

    assert (said.code, said.out) == (1, "")
    assert said.err == (
        f"Both went on from {common} (s2): {there} by 1 event, evening.retold by 2.\n"
        f"Nothing was copied. {line} --branch NAME puts what was recorded in evening.retold on a branch in"
        f" {there}; {line} --on-top records it at the end of the line there, act by act, as far as the rules"
        " take it (--check shows what that comes to).\n"
    )
    assert (parted.bytes(HERE), parted.bytes(STICK)) == before


def test_after_a_check_the_line_that_is_proposed_can_be_said(stick: Shell) -> None:
    note(stick, HERE, "From here.")
    note(stick, STICK, "From there.")
    said = stick.say("sync", "stick", "-c", HERE, "--check").err
    assert stick.say("sync", "-c", HERE).code == 2  # a check remembers no place
    (line,) = re.findall(r"retold (sync -c \S+ \S+ --on-top)", said)
    stick.done(*line.split())

    assert stick.bytes(HERE) == stick.bytes(STICK)


def kept(shell: Shell) -> list[Path]:
    return sorted(shell.folder.glob("evening.before-*.retold"))


def test_on_top_records_it_at_the_end(parted: Shell) -> None:
    before = parted.bytes(HERE)
    check = parted.done("sync", "-c", HERE, "--on-top", "--check")
    assert "would be at the end of mainline" in check
    assert (parted.bytes(HERE), kept(parted)) == (before, [])
    said = parted.done("sync", "-c", HERE, "--on-top")

    (old,) = kept(parted)
    assert f"is kept as it was in {old.name}. Both are the same now: {last(parted, HERE)}\n" in said
    assert parted.bytes(HERE) == parted.bytes(STICK)
    assert parted.bytes(old.name) == before
    parted.done("verify", "-c", old.name)
    log = parted.done("log")
    assert log.index("From there.") < log.index("From here.") < log.index("And again.")
    parted.done("verify", "-c", HERE)
    assert parted.done("sync") == f"Both are the same: {last(parted, HERE)}\n"


def test_on_a_branch_the_line_goes_on_as_it_did_there(parted: Shell) -> None:
    said = parted.done("sync", "-c", HERE, "--branch", "from the desktop")

    assert "is the branch from the desktop in" in said
    assert heads(parted, HERE) == heads(parted, STICK)
    assert "From here." not in parted.done("log", "-c", HERE)
    assert "From here." in parted.done("--branch", "from the desktop", "log")
    assert kept(parted)


def test_a_branch_name_that_is_taken(parted: Shell) -> None:
    parted.done("-c", STICK, "branch", "kinder", "@")
    before = parted.bytes(HERE), parted.bytes(STICK)
    assert parted.refused("sync", "-c", HERE, "--branch", "Kinder") == (
        "There is a branch Kinder already: choose another name."
    )
    assert (parted.bytes(HERE), parted.bytes(STICK)) == before
    assert not list(parted.folder.glob(".retold-*"))


def test_two_ways_are_one_too_many(parted: Shell) -> None:
    assert parted.misused("sync", "--branch", "x", "--on-top") == (
        "--branch and --on-top are two ways to go on: say one of them."
    )


def test_a_file_that_is_open_elsewhere_is_not_made_anew(parted: Shell) -> None:
    before = parted.bytes(HERE), parted.bytes(STICK)
    with CampaignStore.open(parted.folder / HERE, read_only=True):
        said = parted.refused("sync", "-c", HERE, "--on-top")
    assert said == (
        f"{parted.folder}/{HERE} cannot be made anew: another program has it open: close it there, then say"
        " it again."
    )
    assert (parted.bytes(HERE), parted.bytes(STICK), kept(parted)) == (*before, [])
    parted.done("sync", "-c", HERE, "--on-top")


@pytest.mark.parametrize("ways", [("--on-top",), ("--branch", "desktop")])
def test_what_was_broken_off_is_finished_by_saying_it_again(
    parted: Shell, monkeypatch: pytest.MonkeyPatch, ways: tuple[str, ...]
) -> None:
    before = parted.bytes(HERE)
    with monkeypatch.context() as failing:
        failing.setattr(CampaignFile, "give_way", broken)
        assert parted.refused("sync", "-c", HERE, *ways) == "The disk does not take it."
    assert (parted.bytes(HERE), kept(parted), list(parted.folder.glob(".retold-*"))) == (before, [], [])
    there = parted.bytes(STICK)
    parted.done("sync", "-c", HERE, *ways)

    assert parted.bytes(HERE) == parted.bytes(STICK) == there
    assert parted.bytes(kept(parted)[0].name) == before


def broken(*_: object) -> None:
    raise CannotWrite("The disk does not take it.")


def test_what_was_recorded_last_here_is_not_missed_afterwards(parted: Shell) -> None:
    parted.done("sync", "-c", HERE, "--on-top")
    said = parted.say("-c", HERE, "note:", "On.")
    assert "lacks what was recorded last" not in said.err
    parted.done("sync", "-c", HERE)
    said = parted.say("-c", HERE, "note:", "On.")
    assert "lacks what was recorded last" not in said.err


def test_what_is_missing_here_comes_back_from_the_other_copy(stick: Shell) -> None:
    old = (stick.folder / HERE).read_bytes()
    note(stick, HERE, "To be lost.")
    stick.done("sync", "stick", "-c", HERE)
    (stick.folder / HERE).write_bytes(old)
    said = stick.say("sync", "stick", "-c", HERE)

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"1 event came from {STICK}.")
    assert "lacks" not in stick.say("-c", HERE, "note:", "On.").err


def test_the_branch_that_is_written_to_is_followed(stick: Shell) -> None:
    stick.done("-c", STICK, "branch", "harder", "@")
    stick.done("-c", HERE, "switch", "mainline")
    stick.done("-c", HERE, "branch", "kinder", "@")
    stick.done("-c", HERE, "note:", "On the branch.")
    said = stick.done("-c", HERE, "sync", "stick", "--on-top")

    assert "the branch kinder in" in said
    assert "On the branch." in stick.done("-c", HERE, "log")


def test_words_that_are_gone_on_one_side_are_told_first(parted: Shell) -> None:
    common = int(last(parted, STICK).split(":")[1]) - 1
    texts = [
        json.loads(line)
        for line in parted.bytes(STICK).decode().splitlines()
        if '"words":[[' in line and f'"position":{common},' not in line
    ]
    position = str(max(one["position"] for one in texts if one["position"] <= common))
    parted.done("-c", STICK, "--yes", "redact", position)
    told = parted.say("sync", "-c", HERE)
    refused = parted.refused("sync", "-c", HERE, "--on-top")

    line = f"retold -c {HERE} redact {position}"
    assert f"standing in {HERE}: " in told.err.splitlines()[0]
    assert line in told.err.splitlines()[0]
    assert line in refused
    assert refused.endswith("Then sync again: nothing was moved.")
    parted.done("-c", HERE, "--yes", "redact", position)
    parted.done("sync", "-c", HERE, "--on-top")
    parted.done("verify", "-c", HERE)


def test_the_command_itself_syncs_and_says_so(parted: Shell) -> None:
    said = run(parted.folder, "-c", HERE, "sync", "stick")
    assert said.returncode == 1
    assert b"Both went on from " in said.stderr
    said = run(parted.folder, "-c", HERE, "sync", "stick", "--on-top")
    assert (said.returncode, said.stderr) == (0, b"")
    assert b"was made anew from stick/evening.retold" in said.stdout
    said = run(parted.folder, "copy", HERE, "third")
    assert (said.returncode, said.stdout) == (0, b"third.retold\n")


# --- a copy on a server ---


@pytest.fixture
def club(shell: Shell, cluster: Cluster) -> str:
    """The address of a copy of the evening on the server, made by `copy`."""
    place = f"{SERVICE}:{new_name()}"
    said = shell.say("copy", HERE, place)
    assert (said.code, said.out) == (0, f"{place}\n")
    return place


def test_a_copy_on_a_server_and_back_is_the_same_to_the_last_hash(shell: Shell, club: str) -> None:
    said = shell.say("copy", club, "back")

    assert (said.code, said.out) == (0, "back.retold\n")
    assert said.err.endswith(f"the same to the last: {last(shell, HERE)}\n")
    assert shell.bytes("back") == shell.bytes(club) == shell.bytes(HERE)
    assert heads(shell, "back") == heads(shell, club) == heads(shell, HERE)
    assert shell.refused("copy", HERE, club) == f"{club} is there already: choose another name."


def test_what_is_new_goes_to_a_server_and_back(shell: Shell, club: str) -> None:
    note(shell, HERE, "From the desktop.")
    assert shell.done("sync", club, "-c", HERE) == (
        f"1 event went to {club}. Both are the same now: {last(shell, HERE)}\n"
    )
    note(shell, club, "From the club.")
    assert shell.done("sync", "-c", HERE, "--check") == (
        f"1 event would come from {club}.\n(Checked; nothing was recorded.)\n"
    )
    assert shell.done("sync", "-c", HERE) == (
        f"1 event came from {club}. Both are the same now: {last(shell, club)}\n"
    )
    assert shell.done("sync", HERE, "-c", club) == f"Both are the same: {last(shell, club)}\n"
    assert shell.bytes(HERE) == shell.bytes(club)


def test_a_redaction_takes_its_words_on_the_server_too(shell: Shell, club: str) -> None:
    note(shell, HERE, "The ferryman's name is Ottokar.")
    shell.done("sync", club, "-c", HERE)
    position = last(shell, HERE).split(":")[1]
    shell.done("-c", HERE, "--yes", "redact", position)
    said = shell.say("sync", "-c", HERE)

    assert said.err == (
        f"1 text was redacted in {club} too.\n"
        f"A copy may remain in the files of the table retold.event on {SERVICE}, until its keeper says retold"
        f" server vacuum {SERVICE}:. Nobody plays there while that runs.\n"
        "A copy remains in the server's log, its standbys and its backups, until its keeper lets them go.\n"
        "Earlier dumps, exports and backups still contain it.\n"
    )
    assert "Ottokar" not in shell.done("dump", "-c", club, "-o", "-")
    assert shell.say("verify", "-c", club).code == 0


@pytest.mark.parametrize("ways", [("--on-top",), ("--branch", "desktop")])
def test_a_file_is_made_anew_from_the_server(shell: Shell, club: str, ways: tuple[str, ...]) -> None:
    note(shell, HERE, "From here.")
    note(shell, club, "From there.")
    before = shell.bytes(HERE)
    told = shell.say("sync", club, "-c", HERE)
    assert told.code == 1
    assert f"{club} by 1 event, {HERE} by 1." in told.err
    shell.done("sync", "-c", HERE, *ways, "--check")
    assert shell.bytes(HERE) == before
    said = shell.done("sync", "-c", HERE, *ways)

    assert f"{HERE} was made anew from {club}, and is kept as it was in {kept(shell)[0].name}." in said
    assert shell.bytes(HERE) == shell.bytes(club)
    assert shell.say("verify", "-c", club).code == 0
    assert ("From here." in shell.done("log", "-c", club)) == (ways == ("--on-top",))


def test_from_the_servers_side_the_line_to_type_is_said(shell: Shell, club: str) -> None:
    note(shell, HERE, "From here.")
    note(shell, club, "From there.")
    line = f"retold sync -c {HERE} {club}"
    ways = (
        f"{club} is on a server, and only a file is made anew: {line} --branch NAME puts what was recorded in"
        f" {HERE} on a branch in {club}; {line} --on-top records it at the end of the line there, act by act,"
        " as far as the rules take it (--check shows what that comes to)."
    )
    assert shell.say("sync", HERE, "-c", club).err.endswith(f"\nNothing was copied. {ways}\n")
    assert shell.refused("sync", HERE, "-c", club, "--on-top") == ways
    shell.done(*line.split()[1:], "--on-top")
    assert shell.bytes(HERE) == shell.bytes(club)


def test_two_copies_on_servers_that_both_went_on(shell: Shell, club: str) -> None:
    second = f"{SERVICE}:{new_name()}"
    shell.done("copy", club, second)
    note(shell, club, "From the club.")
    assert shell.done("sync", second, "-c", club).startswith(f"1 event went to {second}.")
    note(shell, club, "From the first.")
    note(shell, second, "From the second.")
    said = shell.refused("sync", second, "-c", club, "--on-top")

    assert said == (
        f"Both are on a server, and only a file is made anew. Copy {club} into one (retold copy {club} FILE),"
        f" sync that with {second} (retold sync -c FILE {second}, with --on-top or --branch NAME), and make"
        f" {club} anew from it (retold server remove {club}, then retold copy FILE {club})."
    )
    shell.done("copy", club, "FILE")
    shell.done("sync", "-c", "FILE", second, "--on-top")
    shell.done("server", "remove", club, stdin=f"{club.partition(':')[2]}\n".encode())
    shell.done("copy", "FILE", club)
    assert shell.done("sync", second, "-c", club).startswith("Both are the same: ")


def test_a_campaign_on_a_server_is_not_synced_with_itself(shell: Shell, club: str) -> None:
    assert shell.refused("sync", club, "-c", club) == (
        f"{club} is this campaign itself: name the other copy of it (retold sync PLACE)."
    )


def test_a_campaign_on_a_server_is_not_synced_with_itself_under_another_address(
    shell: Shell, cluster: Cluster, club: str
) -> None:
    name = club.partition(":")[2]
    for other in (
        str(cluster.address(name)),
        str(cluster.address(name)).replace(name, f"%{ord(name[0]):x}{name[1:]}"),
    ):
        said = shell.refused("sync", other, "-c", club)
        assert said == f"{other} is this campaign itself: name the other copy of it (retold sync PLACE)."
    shell.done("copy", club, f"{SERVICE}:{new_name()}")
    copy = str(cluster.address(new_name()))
    shell.done("copy", club, copy)
    assert shell.done("sync", copy, "-c", club).startswith("Both are the same: ")


def test_an_account_that_may_only_read_takes_and_gives_nothing(
    shell: Shell, club: str, cluster: Cluster
) -> None:
    cluster.account("rose")
    shell.done("server", "let", "rose", club, "--read")
    theirs = str(cluster.address(club.partition(":")[2], "rose"))
    note(shell, club, "From the club.")
    assert shell.done("sync", theirs, "-c", HERE).startswith(f"1 event came from {theirs}. ")
    note(shell, HERE, "From here.")
    refused = f"Nothing was recorded: rose may only read {theirs}."
    assert shell.refused("sync", "-c", HERE) == refused
    note(shell, club, "On.")
    assert "From here." not in shell.done("log", "-c", club)
    before = shell.bytes(club), shell.bytes(HERE)
    assert shell.refused("sync", "-c", HERE, "--on-top") == refused
    assert (shell.bytes(club), shell.bytes(HERE), kept(shell)) == (*before, [])
    assert shell.refused("copy", HERE, str(cluster.address(new_name(), "rose"))).startswith(
        "Nothing was made: rose may make no campaign on "
    )


def test_a_damaged_campaign_on_a_server_is_backed_up_as_it_is_and_not_copied(
    shell: Shell, club: str, cluster: Cluster
) -> None:
    note(shell, club, "Two.")
    with cluster.as_superuser() as superuser:
        superuser.execute("SET session_replication_role = replica")  # past the triggers
        superuser.execute(
            "UPDATE retold.event SET words = replace(words, 'Two.', 'Twx.')"
            " WHERE campaign = (SELECT id FROM retold.campaign WHERE name = %s)",
            (club.partition(":")[2],),
        )
    assert "is damaged" in shell.refused("copy", club, "there")
    assert shell.refused("sync", club, "-c", HERE).startswith(
        f"{club}, line 1, {last(shell, club).split(':')[1]}: "
    )
    shell.done("backup", "-c", club, "kept")
    assert b"Twx." in (shell.folder / "kept.retold").read_bytes()
    shell.done("doctor", "-c", club, "--cut", "good")
    assert shell.bytes("good") == shell.bytes(HERE)
    assert not list(shell.folder.glob("there*"))


# --- drafts ---


def drafted(shell: Shell, campaign: str, *texts: str) -> None:
    """Begins the draft Zine in a campaign, or makes its next revision, with these texts as its blocks."""
    blocks = [Block(id=at, sort="text", text=Words(text)) for at, text in enumerate(texts, 1)]
    with CampaignStore.open(shell.folder / campaign) as camp, camp.record.writing():
        drafts = camp.drafts
        if drafts.names():
            drafts.revise(drafts.read(drafts.called("zine")), blocks, Manner(by=0))
        else:
            drafts.begin(Words("Zine"), Scope(1, 1, 3, "prose", "table"), blocks, Manner(by=0))


def test_a_draft_that_both_revised_is_joined(stick: Shell) -> None:
    drafted(stick, HERE, "One.", "Two.", "Three.")
    assert "3 events" not in stick.done("sync", "stick", "-c", HERE)
    drafted(stick, HERE, "Un.", "Deux.", "Three.")
    drafted(stick, STICK, "Eins.", "Two.", "Drei.")
    said = stick.say("sync", "-c", HERE)
    there = f"{stick.folder}/{STICK}"
    assert said.code == 1
    assert said.err.replace("\n", " ") == (
        "Both went on with the draft Zine, which is joined block by block. Nothing was copied. retold sync"
        f" -c {HERE} {there} --on-top joins the revisions in {there}. "
    )
    moved = (
        f"What {HERE} has of the draft Zine is joined with {there}: 2 events. Block 1 of the draft Zine has"
        " the wordings of both."
    )
    assert moved in stick.done("sync", "-c", HERE, "--on-top").replace("\n", " ")
    assert heads(stick, HERE) == heads(stick, STICK)
    with CampaignStore.open(stick.folder / HERE, read_only=True) as camp:
        latest = camp.drafts.read(camp.drafts.called("Zine")).latest
    assert [block.text.text for block in latest.shown] == ["Eins.", "Deux.", "Drei."]
    assert [block.text.text for block in latest.other_wordings[1]] == ["Un."]
    assert stick.say("copy", HERE, "third").err.partition(",")[0].endswith(" events on 1 line and 1 draft")
