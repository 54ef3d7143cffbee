"""A text written in one's own editor: kept, cancelled, or not lost."""

import io
import sys
import tempfile
from pathlib import Path

import pytest

from retold.__main__ import main
from retold.cli.campaigns.asking import write_in_editor
from retold.journal.refused import Refused
from tests.cli.shell import Said, Shell


class Terminal(io.StringIO):
    """A standard input with somebody in front of it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def desk(shell: Shell, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell at a terminal, whose drafts are in a folder of their own."""
    drafts = tmp_path_factory.mktemp("drafts")
    shell.monkeypatch.setattr("tempfile.tempdir", str(drafts))
    return shell


def editor(shell: Shell, source: str) -> None:
    """Makes a Python script the editor; `path` is the file it is given."""
    script = shell.folder / "my editor.py"
    script.write_text(f"import pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{source}\n")
    shell.monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}'")


def at_terminal(shell: Shell, *words: str) -> Said:
    shell.monkeypatch.setattr(sys, "stdin", Terminal())
    shell.capsys.readouterr()
    code = main(words)
    return Said(code, *shell.capsys.readouterr())


def drafts() -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob("retold-*.txt"))


def test_what_was_written_above_the_mark_is_the_text(desk: Shell) -> None:
    editor(desk, "path.write_text('\\nOne.\\n\\nTwo: “three”.\\n' + path.read_text())")
    said = at_terminal(desk, "narrate", "Zel:")

    assert said.code == 0
    assert said.out == "Zel narrates: “One. Two: “three”.”\n"
    assert drafts() == []


def test_a_text_whose_mark_was_deleted_is_kept_whole(desk: Shell) -> None:
    editor(desk, "path.write_text('All of it.\\n')")

    assert at_terminal(desk, "note:").out == "note: “All of it.” (for the game master only)\n"


@pytest.mark.parametrize("source", ["pass", "path.write_text('')", "path.write_text('  \\n\\t\\n')"])
def test_an_empty_text_records_nothing(desk: Shell, source: str) -> None:
    editor(desk, source)
    before = desk.bytes()

    assert at_terminal(desk, "note:") == (1, "", "Nothing was written, so nothing is recorded.\n")
    assert desk.bytes() == before
    assert drafts() == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("path.write_text('A page.'); sys.exit(3)", "failed; nothing was recorded."),
        ("path.write_bytes(b'A page.\\xff')", "What was written is not UTF-8; nothing was recorded."),
    ],
)
def test_an_editor_that_fails_keeps_the_draft(desk: Shell, source: str, why: str) -> None:
    editor(desk, source)
    before = desk.bytes()
    said = at_terminal(desk, "note:")
    [draft] = drafts()

    assert said.code == 1
    assert why in said.err
    assert said.err.endswith(f"Your draft is {draft}.\n")
    assert draft.read_bytes().startswith(b"A page.")
    assert desk.bytes() == before


def test_an_invalid_line_is_refused_before_the_editor_opens(desk: Shell) -> None:
    editor(desk, "path.write_text('A page.')")

    assert at_terminal(desk, "narrate", "Zell:").err == (
        'There is no “Zell” here. Did you mean Zel? A new person is introduced first: cast "Zell".\n'
    )
    assert at_terminal(desk, "-c", "gone", "note:").err.startswith("There is no campaign gone.retold")
    assert drafts() == []


def test_a_text_that_is_refused_after_all_is_kept(desk: Shell) -> None:
    editor(desk, "path.write_text('A' * (16 * 2**20 + 1))")
    said = at_terminal(desk, "note:")
    [draft] = drafts()

    assert said.code == 1
    assert said.err.endswith(f" Your draft is {draft}.\n")


def test_a_draft_is_for_its_owner_alone(desk: Shell) -> None:
    editor(desk, "sys.exit(1)")
    at_terminal(desk, "note:")
    [draft] = drafts()

    assert draft.stat().st_mode & 0o077 == 0


def test_an_editor_that_is_not_there_is_named(desk: Shell) -> None:
    desk.monkeypatch.setenv("VISUAL", "/gone/editor --wait")

    assert at_terminal(desk, "note:").err.startswith("The editor (/gone/editor --wait) failed;")


def test_an_editor_that_is_no_command_is_named(desk: Shell) -> None:
    desk.monkeypatch.setenv("EDITOR", "vi 'unclosed")

    assert at_terminal(desk, "note:").err == "EDITOR is not written as a command: vi 'unclosed.\n"
    assert drafts() == []


def test_without_an_editor_the_other_way_is_said(desk: Shell) -> None:
    desk.monkeypatch.setattr("shutil.which", lambda _: None)

    assert at_terminal(desk, "note:").err == (
        "No editor was found: set EDITOR, or give the text after the colon.\n"
    )


def test_ours_comes_before_visual_and_that_before_editor(desk: Shell) -> None:
    editor(desk, "path.write_text('from EDITOR')")
    desk.monkeypatch.setenv("VISUAL", "/gone/visual")
    desk.monkeypatch.setenv("RETOLD_EDITOR", desk.folder.joinpath("ours").as_posix())

    assert "/ours) failed" in at_terminal(desk, "note:").err


def test_no_editor_opens_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    with pytest.raises(Refused, match="or - to read it from standard input"):
        write_in_editor("note")
