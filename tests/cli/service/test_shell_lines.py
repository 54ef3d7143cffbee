"""Verbs of the command line on the game master's page: what they answer, and the files that are saved."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import retold
from tests.cli.service.phone import Answer, Phone, Serving

SECRET = "The key is under the third stone."


@pytest.fixture(autouse=True)
def secret(service: Serving) -> None:
    service.campaign.say(f"note: {SECRET}")
    service.campaign.say(f"narrate Zel --to Jon: {SECRET}")


def said(gm: Phone, line: str) -> Answer:
    return gm.ask("say", {"line": line, "id": "said-now-1"})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("recap", "The Long Ebb"),
        ("who Zel", "A smuggler"),
        ("search tide", "is out."),
        ("show", "The Salt Road"),
        ("show cast", "Jon"),
        ("log -n 3", SECRET),
        ("stats", "Narrated"),
        ("branches", "mainline"),
        ("diff mainline mainline", "mainline"),
        ("can", "Nothing is open"),
        ("export --for table", "The tide is out."),
        ("draft", "draft new"),
        ("help recap", "recap"),
        ("help bruise", "hand"),
    ],
)
def test_a_reading_verb_is_answered_on_the_line(service: Serving, gm: Phone, line: str, words: str) -> None:
    before = service.campaign.position
    answer = said(gm, line)

    assert (answer.status, answer.body["at"]) == (200, "")
    assert words in "\n".join(answer.body["said"])
    assert service.campaign.position == before


def test_help_begins_with_ten_lines(gm: Phone) -> None:
    lines = said(gm, "help").body["said"]

    assert [line.split()[0] for line in lines if line.startswith("  ")] == [
        *("session", "scene", "conflict", "declare", "roll", "narrate", "say", "note", "undo", "end")
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("play", "serve", "home", "new x", "load a b", "copy a b", "backup x", "sync x", "dump", "import x"),
        *("run x", "new-game x", "demo", "server list club:", "completion bash"),
        *("show -o x", "diff a b --output=x", "export -o x", "export --site x", "export --vault x"),
        *("export --copy", "stats --html x", "doctor --cut x", "voices --copy prose x", "draft take x"),
        *("export --voice ./x.toml", "show -c other", "log --campaign=other", "show -cother"),
    ],
)
def test_file_verbs_are_refused(
    service: Serving, gm: Phone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    answer = said(gm, line)

    assert answer.status == 422
    assert "works with files of the computer" in answer.body["error"]
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("line", "sentence"), [("recap 7", "There is no session"), ("show nothing", "There")]
)
def test_what_a_verb_refuses_is_a_sentence(gm: Phone, line: str, sentence: str) -> None:
    answer = said(gm, line)

    assert (answer.status, answer.body["error"][: len(sentence)]) == (422, sentence)


def test_a_player_asks_no_verb_of_the_command_line(jon: Phone) -> None:
    assert said(jon, "log").status == 403
    handed_in = jon.ask("proposals", {"line": "log", "id": "jonjonjon1"})
    assert (handed_in.status, SECRET in handed_in.raw.decode()) == (422, False)


# --- files ------------------------------------------------------------------------------------------------


def test_an_export_is_the_tables_copy_unless_another_is_asked_for(gm: Phone) -> None:
    table, master = (gm.ask("export", {"line": f"export -f text{more}"}) for more in ("", " --for gm"))

    assert (table.status, SECRET in table.raw.decode()) == (200, False)
    assert SECRET in master.raw.decode()
    assert table.headers["content-disposition"].endswith("''Salt%20Road%20session-1.txt")
    assert table.headers["x-said"].startswith("The%20table%27s%20copy")


def test_the_file_is_what_a_shell_makes(service: Serving, gm: Phone) -> None:
    file = gm.ask("export", {"line": "export --session 1 -f markdown --for Jon --voice prose"})

    assert file.raw == service.campaign.seen_by("Jon").export("markdown", 1, voice="prose")


def test_a_backup_is_the_whole_campaign(service: Serving, gm: Phone, tmp_path: Path) -> None:
    file = gm.ask("export", {"line": "backup"})
    (tmp_path / "backup").write_bytes(file.raw)

    with retold.restore(tmp_path / "backup", tmp_path / "again.retold") as again:
        assert [one.told for one in again.happened()] == [one.told for one in service.campaign.happened()]


@pytest.mark.parametrize(
    ("line", "page"),
    [("export --site ../x", "index.html"), ("export --vault /x --for table", "Sessions/Session 1.md")],
)
def test_a_site_or_a_vault_is_a_zip_file_of_the_tables_copy(gm: Phone, line: str, page: str) -> None:
    file = gm.ask("export", {"line": line})
    with ZipFile(BytesIO(file.raw)) as found:
        names, content = found.namelist(), b"".join(map(found.read, found.namelist()))

    assert page in names
    assert b"The tide is out." in content
    assert SECRET.encode() not in content
    assert file.headers["content-disposition"].endswith(".zip")
    assert file.headers["x-said"]


@pytest.mark.parametrize(
    "line", ["export -o x", "export --site x -o y", "backup x", "dump", "undo", "", "show"]
)
def test_only_an_export_or_a_backup_makes_a_file(gm: Phone, line: str) -> None:
    assert gm.ask("export", {"line": line}).status == 422


def test_only_the_game_master_exports_and_from_a_page_of_ours(
    service: Serving, gm: Phone, jon: Phone
) -> None:
    line = {"line": "export --for gm"}

    assert jon.ask("export", line).status == 403
    assert service.phone(None).ask("export", line).status == 401
    assert gm.ask("export", line, Origin="http://evil.example").status == 403
    assert gm.ask("export", line, Sec_Fetch_Site="cross-site").status == 403


# --- numbers ----------------------------------------------------------------------------------------------


def test_the_game_master_is_told_which_line_changes_a_number(service: Serving, gm: Phone, jon: Phone) -> None:
    service.campaign.play('cast "Old Thia" homebrew by=Jon\ntrack "Old Thia" hp 9/12')

    counts = gm.ask("can").body["counts"]

    (hp,) = (one for one in counts if one["what"] == "hp")
    line = 'track "Old Thia" hp'
    assert hp == {"who": "Old Thia", "what": "hp", "value": 9, "most": 12, "line": line}
    assert said(gm, f"{line} -2").body["said"] == ["Old Thia's hp 9 → 7 of 12"]
    assert jon.ask("can").body["counts"] == []
