"""`export --publish` and `--copy`: what goes to everybody, and what goes to the clipboard."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path
from zipfile import ZipFile, is_zipfile

import pytest

from retold.cli.exporting import clipboard
from retold.journal.refused import Refused
from tests.cli.shell import Shell

GM_ONLY = "The bridge is rotten."


@pytest.fixture
def evening(shell: Shell) -> Shell:
    """The evening, with a secret and a roll in it."""
    shell.play(f"say Zel: Wet again.\nnote --gm: {GM_ONLY}\nroll Zel 2d6 = 3 4: to keep my feet\n")
    return shell


def test_published_prose_omits_secrets_players_and_numbers(evening: Shell) -> None:
    shown = evening.done("export", "--publish")

    assert "Wet again." in shown
    for hidden in (GM_ONLY, "Jon", "Mary", "2d6", "---"):
        assert hidden not in shown, hidden


def test_the_game_masters_copy_names_its_players(evening: Shell) -> None:
    assert "Jon" in evening.done("export")
    assert "Jon" in evening.done("export", "--publish", "--credits")


@pytest.mark.parametrize("form", ["markdown", "html", "text", "json", "fountain", "epub"])
@pytest.mark.parametrize("part", [(), ("--book",), ("--session", "all")], ids=["session", "book", "all"])
def test_no_format_and_no_part_has_a_players_name(evening: Shell, form: str, part: tuple[str, ...]) -> None:
    evening.done("export", "--publish", *part, "-f", form, "-o", "out")
    out = evening.folder / "out"
    files = sorted(out.iterdir()) if out.is_dir() else [out]

    assert files
    for file in files:
        assert not re.search(rb"\b(Jon|Mary)\b", content(file)), file.name
        assert b"Zel" in content(file)


def content(file: Path) -> bytes:
    """Bytes of a file; of an archive, those of all files in it."""
    if not is_zipfile(file):
        return file.read_bytes()
    with ZipFile(file) as archive:
        return b"\n".join(map(archive.read, archive.namelist()))


def test_each_of_its_choices_can_be_made_otherwise(evening: Shell) -> None:
    shown = evening.done("export", "--publish", "--mechanics", "inline", "--voice", "report")

    assert "2d6" in shown
    assert "Jon" not in shown


def test_no_number_and_no_change_names_a_player(evening: Shell) -> None:
    evening.play("cast Zel by=Mary\naside Jon: Is there cake?\nsay Zel: There is none.\n")
    assert "Zel is now played by Mary" in evening.done("export")

    shown = evening.done("export", "--publish", "--mechanics", "inline", "--voice", "report")

    assert "At the table:** Is there cake?" in shown
    assert "played by" not in shown
    assert not re.search(r"\b(Jon|Mary)\b", shown)


def test_the_notation_is_published_with_credits_alone(evening: Shell) -> None:
    assert "--credits" in evening.misused("export", "--publish", "--voice", "plain")
    assert "Jon" in evening.done("export", "--publish", "--voice", "plain", "--credits")


@pytest.mark.parametrize("words", [("--draft", "noted"), ()])
def test_a_draft_in_notation_is_published_with_credits_alone(evening: Shell, words: tuple[str, ...]) -> None:
    evening.play("aside Jon: Is there cake?\n")
    evening.done("draft", "new", "noted", "--voice", "plain")
    if not words:
        evening.done("draft", "publish", "noted")

    assert evening.refused("export", "--publish", *words, "-o", "out.md") == (
        "--publish names no players, but the draft noted is in notation, which does:"
        " add --no-draft or --credits."
    )
    assert not (evening.folder / "out.md").exists()
    assert "Jon" in evening.done("export", "--publish", *words, "--credits")
    assert "Jon" not in evening.done("export", "--publish", "--no-draft")


def test_a_copy_with_secrets_is_not_published(evening: Shell) -> None:
    refused = evening.refused("export", "--publish", "--for", "gm", "-o", "out.md")

    assert refused.startswith("This copy has 1 secret, and --publish is for all readers")
    assert not (evening.folder / "out.md").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--publish", "--site", "x"),
        ("--publish", "-f", "replay"),
        ("--publish", "--moment", "@"),
        ("--credits",),
    ],
)
def test_publish_refuses_other_exports(evening: Shell, words: tuple[str, ...]) -> None:
    assert "--publish" in evening.misused("export", *words)


# --- the clipboard ----------------------------------------------------------------------------------------


@pytest.fixture
def xclip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Program `xclip` that keeps what it was given beside itself; returns its folder."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "xclip"
    program.write_text(f'#!/bin/sh\ncat > "{folder}/given"; echo "$@" > "{folder}/words"\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return folder


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the clipboard of Linux")


@linux
def test_a_copy_is_html_unless_a_format_is_named(evening: Shell, xclip: Path) -> None:
    evening.done("export", "--publish", "--copy")
    assert "<p>" in (xclip / "given").read_text("utf-8")
    assert (xclip / "words").read_text("utf-8").split()[-1] == "text/html"

    evening.done("export", "--publish", "--copy", "-f", "markdown")
    assert "<p>" not in (xclip / "given").read_text("utf-8")
    assert (xclip / "words").read_text("utf-8").split()[-1] == "UTF8_STRING"


@linux
def test_without_a_program_for_the_clipboard_it_says_what_to_install(
    evening: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "install wl-clipboard" in evening.refused("export", "--copy", "--for", "gm")


@linux
def test_a_program_that_fails_is_said(evening: Shell, xclip: Path) -> None:
    (xclip / "xclip").write_text("#!/bin/sh\nexit 1\n", "utf-8")

    assert evening.refused("export", "--copy", "--for", "gm").startswith("xclip could not fill the clipboard")


@pytest.mark.parametrize(
    "words", [("-o", "x.html"), ("--session", "all"), ("--vault", "x")], ids=lambda words: words[0]
)
def test_a_copy_is_one_text_and_goes_nowhere_else(evening: Shell, words: tuple[str, ...]) -> None:
    assert "clipboard" in evening.misused("export", "--copy", *words, "--for", "gm")


def test_what_is_no_text_does_not_go_to_the_clipboard(evening: Shell) -> None:
    assert "clipboard" in evening.refused("export", "--copy", "-f", "pdf", "--for", "gm")


def test_on_macos_both_forms_go_as_data_that_is_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    command, given = clipboard._command('a" & quit & "', "<p>é</p>")

    assert command == ("osascript", "-")
    forms = re.findall("«data (utf8|HTML)([0-9a-f]+)»", given.decode())
    assert [bytes.fromhex(data).decode() for _, data in forms] == ['a" & quit & "', "<p>é</p>"]
    assert "quit" not in given.decode()


def test_on_windows_the_head_of_html_counts_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    _, given = clipboard._command("é", "<p>é</p>")
    plain, whole = (base64.b64decode(part) for part in given.split())
    places = [int(found) for found in re.findall(rb":(\d{10})", whole)]

    assert plain.decode() == "é"
    assert whole[places[0] : places[1]].startswith(b"<html>")
    assert whole[places[2] : places[3]].decode() == "<p>é</p>"
    assert places[1] == len(whole)


def test_if_there_is_no_screen_there_is_no_clipboard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    with pytest.raises(Refused, match="install wl-clipboard"):
        clipboard._command("a", "")


def test_what_is_published_quotes_no_player_by_name(evening: Shell) -> None:
    evening.play("note Jon --quote: A remark.\nend session\nsession The Next\nsay Zel: Dry at last.\n")

    assert "Jon" in evening.done("export")
    for words in ((), ("--voice", "report"), ("--voice", "script")):
        assert "Jon" not in evening.done("export", "--publish", *words)


def test_a_diary_is_prose_with_heads_unless_a_voice_is_named(evening: Shell) -> None:
    evening.done("narrate", "Zel:", "I run.")

    assert "**1\\. Zel:** “Wet again.”" in evening.done("export", "--layout", "diary")
    assert "2d6" in evening.done("export", "--layout", "diary", "--voice", "report")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-f", "json"), "A diary is running text, and json is not"),
        (("-f", "replay"), "A diary is running text, and replay is not"),
        (("--site", "x"), "--layout is for a story: leave out --site, or --layout."),
    ],
)
def test_what_is_no_running_text_is_no_diary(evening: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in evening.misused("export", "--layout", "diary", *words)


def test_there_is_one_layout(evening: Shell) -> None:
    assert "there is no play" in evening.refused("export", "--layout", "play")
