"""Campaigns on a server, from the shell: what each verb says, and with which exit code."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from retold.journal.store.postgres import roles, schema, server
from retold.journal.store.postgres.server_address import parse
from tests.cli.shell import ROOT, Shell
from tests.database_server import SERVICE, Cluster, new_name


@pytest.fixture
def name(cluster: Cluster) -> str:
    """A campaign's address on the server that the service file calls club."""
    return f"{SERVICE}:{new_name()}"


@pytest.fixture
def there(shell: Shell, name: str) -> str:
    """The evening, on that server."""
    shell.done("load", "-", name, stdin=shell.done("dump", "-o", "-").encode())
    return name


def campaign_of(name: str) -> str:
    return name.partition(":")[2]


# --- as for a file ---


def test_a_campaign_is_begun_on_a_server_and_said_where(shell: Shell, name: str) -> None:
    said = shell.say("new", name, "--title", "The Salt Road")

    assert (said.code, said.out) == (0, f"{name}\n")
    assert said.err.startswith(f"A new campaign on {SERVICE} (this computer). Next: retold play {name}, or")
    assert shell.refused("new", name) == f"{name} is there already: choose another name."


@pytest.mark.parametrize(
    "verb",
    [
        ("show",),
        ("log",),
        ("head",),
        ("verify",),
        ("branches",),
        ("who", "Zel"),
        ("dump", "-o", "-"),
        ("dump", "--script", "-o", "-"),
        ("export", "--session", "1"),
        ("search", "cry"),
        ("stats",),
        ("recap",),
        ("replay", "--once"),
        ("can",),
        ("export", "s1"),
    ],
    ids=" ".join,
)
def test_verbs_print_the_same_from_a_server_as_from_a_file(
    verb: tuple[str, ...], shell: Shell, there: str
) -> None:
    from_file, from_server = shell.say(*verb, "-c", "evening"), shell.say(*verb, "-c", there)

    assert (from_server.code, from_server.out) == (from_file.code, from_file.out)


def test_lines_are_recorded_undone_and_redacted_on_a_server(shell: Shell, there: str) -> None:
    shell.done("-c", there, "note:", "Her brother is the captain.")
    at = shell.done("head", "-c", there).split(":")[1]
    shell.done("-c", there, "undo")
    shell.done("-c", there, "redo")

    said = shell.say("--yes", "-c", there, "redact", at)
    assert said.code == 0
    assert "A copy remains in the server's log, its standbys and its backups" in said.out
    assert "brother" not in shell.done("dump", "-c", there, "-o", "-")
    assert shell.say("verify", "-c", there).code == 0


def test_a_backup_of_a_campaign_on_a_server_is_a_file(shell: Shell, there: str) -> None:
    assert shell.done("backup", "-c", there, "copy") == "copy.retold\n"
    assert shell.done("head", "-c", "copy") == shell.done("head", "-c", there)


def test_the_campaign_of_every_day_may_be_on_a_server(
    shell: Shell, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETOLD_CAMPAIGN", there)

    assert shell.done("head") == shell.done("head", "-c", "evening")


def test_an_import_that_is_refused_leaves_no_campaign(shell: Shell, cluster: Cluster, name: str) -> None:
    logs = [str(ROOT / "examples/imports" / log) for log in ("discord.json", "discord.txt")]

    masters = ("--map", "ours.toml", "--game-master", "Mary")
    refused = shell.say("--yes", "import", *logs, "--into", name, *masters)

    assert refused.code == 1
    assert "tell the same evening in two formats" in refused.err
    assert campaign_of(name) not in shell.done("server", "list", f"{SERVICE}:")
    assert shell.say("--yes", "import", logs[0], "--into", name, *masters).code == 0
    assert campaign_of(name) in shell.done("server", "list", f"{SERVICE}:")


def test_the_doctor_tells_of_the_server(shell: Shell, there: str) -> None:
    said = shell.say("doctor", "-c", there)

    assert said.code == 0
    assert "fsync = off: what it acknowledged may be lost" in " ".join(said.out.split())


# --- the verb ---


def test_tables_are_made_once_and_again_after_an_update(shell: Shell, cluster: Cluster) -> None:
    assert shell.done("server", "prepare", f"{SERVICE}:") == (
        f"{SERVICE} has the tables of Retold, version {schema.VERSION} (as before).\n"
    )


def test_an_account_is_let_in_listed_and_forbidden(shell: Shell, cluster: Cluster, there: str) -> None:
    cluster.account("quinn")

    assert shell.done("server", "let", "quinn", there, "--read") == f"quinn may read {there}.\n"
    assert shell.done("server", "let", "quinn", there) == f"quinn may write {there}.\n"
    listed = " ".join(shell.done("server", "list", f"{SERVICE}:").split())
    assert f"{campaign_of(there)} 26 events, last 2" in listed or campaign_of(there) in listed
    assert "quinn may write" in listed
    assert shell.done("server", "forbid", "quinn", there) == f"quinn may no longer see {there}.\n"
    assert shell.refused("server", "forbid", "quinn", there) == (
        f"quinn was not let into {there}: retold server list says who was."
    )


def test_an_account_that_is_not_there_is_named(shell: Shell, there: str) -> None:
    assert shell.refused("server", "let", "nobody-at-all", there) == (
        f"There is no account nobody-at-all on {SERVICE}: its owner makes one with CREATE ROLE."
    )


def test_a_campaign_is_removed_by_who_says_its_name_again(shell: Shell, there: str) -> None:
    receipt = shell.done("head", "-c", there).strip().split("\n")[0]
    said = shell.say("server", "remove", there, stdin=b"another\n")
    assert said.code == 1
    assert said.err.endswith(f"Nothing was removed: that is not {campaign_of(there)}.\n")

    said = shell.say("server", "remove", there)
    assert said.err.endswith(f"\nNothing was removed: that is not {campaign_of(there)}.\n")

    said = shell.say("server", "remove", there, stdin=f"{campaign_of(there)}\n".encode())
    assert said.code == 0
    assert receipt[:20] in " ".join(said.out.split())
    assert shell.refused("show", "-c", there).startswith(f"There is no campaign {campaign_of(there)} on")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("make", "club:"),
        ("prepare",),
        ("prepare", "club:x"),
        ("prepare", "evening"),
        ("let", "mary", "club:"),
        ("list", "club:", "--read"),
    ],
    ids=" ".join,
)
def test_a_wrong_line_says_what_there_is(words: tuple[str, ...], shell: Shell) -> None:
    assert shell.misused("server", *words)


def test_S7_a_keeper_mends_a_campaign_with_a_row_that_is_wrong(
    shell: Shell, cluster: Cluster, there: str
) -> None:
    good, name = shell.done("head", "-c", there), campaign_of(there)
    cluster.account("mary")
    shell.done("server", "let", "mary", there)
    with cluster.as_superuser() as connection, connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")  # as tables of version 1 allowed
        connection.execute(
            "INSERT INTO retold.event SELECT id, size + 1, 1, size + 1, 'table.noted', '{}', NULL,"
            " decode(repeat('00', 32), 'hex') FROM retold.campaign WHERE name = %s",
            (name,),
        )
        connection.execute("UPDATE retold.campaign SET size = size + 1 WHERE name = %s", (name,))
    assert "is damaged" in shell.refused("-c", there, "note:", "Hello.")

    page = (ROOT / "docs/server.md").read_text("utf-8").partition("\n## If a row is wrong\n")[2]
    steps = re.findall(r"^\d\. `retold ([^`]+)`", page.partition("\n## ")[0], re.MULTILINE)
    assert len(steps) == 4
    for step in steps:
        said = shell.say(*step.replace("club:table-1", there).split(), stdin=f"{name}\n".encode())
        assert said.code == 0, step

    assert shell.done("head", "-c", there) == good
    shell.done("-c", there, "note:", "And on.")
    assert "whole" in shell.done("verify", "-c", there)


# --- what is wrong ---


def test_a_password_in_an_address_is_refused(shell: Shell) -> None:
    assert shell.refused("show", "-c", "postgresql://mary:secret@db.example.org/games/x") == (
        "A password has no place in an address: others see it in the list of programs, and the shell keeps"
        " it. Put it into the password file, and take another, for this one has been seen."
    )


def test_without_psycopg_the_way_to_it_is_said(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setattr(sys, "prefix", str(shell.folder))
    sentence = "A campaign on a server needs psycopg, which is an extra: pip install 'retold[server]'."
    assert shell.refused("show", "-c", "club:x") == sentence
    assert shell.refused("server", "list", "club:") == sentence


def test_a_server_that_no_service_file_names(shell: Shell) -> None:
    assert shell.refused("show", "-c", "clubs:x") == (
        "There is no server called clubs: name it in the service file, or say"
        " postgresql://HOST/DATABASE/CAMPAIGN. A file is ./clubs:NAME."
    )


def test_a_campaign_that_is_not_there_or_not_theirs(shell: Shell, cluster: Cluster) -> None:
    assert shell.refused("show", "-c", f"{SERVICE}:nowhere") == (
        f"There is no campaign nowhere on {SERVICE} that organiser may see."
    )


def test_an_account_without_any_campaign_makes_none(shell: Shell, cluster: Cluster) -> None:
    cluster.account("newcomer")
    theirs = str(cluster.address("first", "newcomer"))

    assert shell.refused("new", theirs).startswith("Nothing was made: newcomer may make no campaign on ")
    assert shell.refused("show", "-c", theirs).startswith("There is no campaign first on ")


def test_a_person_who_may_only_read_is_told_so(shell: Shell, cluster: Cluster, there: str) -> None:
    cluster.account("rose")
    shell.done("server", "let", "rose", there, "--read")
    theirs = str(cluster.address(campaign_of(there), "rose"))

    assert shell.done("head", "-c", theirs) == shell.done("head", "-c", there)
    assert shell.refused("-c", theirs, "note:", "Hello.") == (
        f"Nothing was recorded: rose may only read {theirs}."
    )


def test_a_database_without_our_tables(shell: Shell, cluster: Cluster) -> None:
    address = str(cluster.address("x", database="postgres"))
    of = address.removesuffix("/x")

    assert shell.refused("show", "-c", address) == (
        f"{of} has no tables of Retold yet: its owner says retold server prepare {of}/."
    )


def test_a_server_that_is_not_reached(shell: Shell) -> None:
    assert shell.refused("show", "-c", "postgresql://localhost:1/games/x") == (
        "postgresql://localhost:1/games cannot be reached (Connection refused)."
    )


def test_a_lock_that_is_held(
    shell: Shell, cluster: Cluster, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_SET_UP", server._SET_UP.replace("30s", "100ms"))
    with cluster.as_superuser() as holding, holding.transaction():
        holding.execute("SET application_name = 'retold play, mary at laptop'")
        holding.execute(
            "SELECT FROM retold.campaign WHERE name = %s FOR NO KEY UPDATE", (campaign_of(there),)
        )

        assert shell.refused("-c", there, "note:", "Hello.") == (
            f"Nothing was recorded: retold play, mary at laptop, has held {there} for 30 seconds."
            " Say it again."
        )


def test_a_later_release_is_asked_for(
    shell: Shell, there: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", before - 1)

    assert shell.refused("show", "-c", there) == (
        f"The tables of {SERVICE} are of version {before}: take a later Retold."
    )


def test_an_earlier_release_of_the_tables_is_brought_up(
    shell: Shell, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", before + 1)

    assert shell.refused("show", "-c", there) == (
        f"The tables of {SERVICE} are of version {before}, and this Retold writes {before + 1}:"
        f" its owner says retold server prepare {SERVICE}:."
    )


def test_an_end_that_is_missing_is_told_with_its_receipt(shell: Shell, there: str) -> None:
    shell.done("-c", there, "note:", "The last that was recorded.")
    receipt = shell.done("head", "-c", there).strip().rpartition("\n")[2]
    dumped = shell.done("dump", "-c", "evening", "-o", "-").encode()
    found = parse(there)
    assert found is not None
    roles.remove(found)
    shell.done("load", "-", there, stdin=dumped)  # as a standby without the last act

    before = shell.done("head", "-c", there)
    assert shell.refused("-c", there, "note:", "And on.") == (
        f"{there} lacks what was recorded last on this computer, up to {receipt.split(':')[1]}"
        f" (receipt {receipt}). A server that took over from another may lack its last acts. Retold records"
        " nothing there until you say so: retold play --over-the-gap."
    )
    assert shell.done("head", "-c", there) == before
    assert shell.say("play", there, "--over-the-gap", stdin=b"note: And on.\n").code == 0
    assert shell.say("-c", there, "note:", "Once more.").code == 0


def test_a_log_comes_into_a_campaign_that_is_made_for_it_and_again_brings_nothing(
    shell: Shell, name: str
) -> None:
    log = ROOT / "examples/imports/the-table.json"

    masters = ("--map", "ours.toml", "--game-master", "Mary")
    first = shell.say("--yes", "import", str(log), *masters, "--into", name, "--title", "Salt")
    again = shell.done("import", str(log), "--map", "ours.toml", "--into", name)

    assert (first.code, "New: 15. Known already: 0.\n" in first.out) == (0, True)
    assert f"\nNext: retold -c {name} recap, " in first.err
    assert "New: 0. Known already: 15.\n" in again
    assert "Salt" in shell.done("-c", name, "show")


def test_a_draft_of_a_campaign_there_goes_out_and_comes_back(shell: Shell, there: str) -> None:
    shell.done("-c", there, "draft", "new", "second")
    shell.done("-c", there, "draft", "send", "-o", "second.md")
    file = shell.folder / "second.md"
    heading, *rest = file.read_text("utf-8").rpartition("\n\n<!--")
    file.write_text(f"{heading}\n\nNobody waved.{''.join(rest)}", "utf-8")
    assert "1 new" in shell.done("--yes", "-c", there, "draft", "take", "second.md")
    assert "as in revision 1 again" in shell.done("-c", there, "draft", "undo")
    assert "whole" in shell.done("-c", there, "verify")
