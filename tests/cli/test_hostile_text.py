"""No stored text ever acts on a terminal: what it would obey is shown, in every verb that reads."""

import io
import json
import re
import sys

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.__main__ import main
from retold.cli.console.loop import Console
from retold.cli.console.session import ConsoleSession
from retold.cli.invocation import Options
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from tests.cli.shell import Shell

HOSTILE = "\x1b[31mred\x1b]0;owned\x07 bel \x9b31m \x7f \u202eevil\u2066 [bold]b[/bold] <b>x</b> \u200bend"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")
READERS = [
    *(("show", view) for view in VIEWS),
    ("show",),
    ("log", "-n", "0"),
    ("log", "-n", "0", "--all"),
    ("replay",),
    ("replay", "--state"),
    ("replay", "--step"),
    ("branches",),
    ("search", "red", "--everywhere"),
    ("stats",),
    ("stats", "--html", "-"),
    ("dump",),
    ("undo", "--check"),
]
AS_JSON = [("show",), *(("show", view) for view in VIEWS), ("log", "-n", "0"), ("replay",), ("branches",)]


@pytest.fixture
def hostile(shell: Shell) -> Shell:
    """An evening in whose every text stands what a terminal would obey; on the line, what a line may hold."""
    named = "Z\u202eel\u200b [red]"
    shell.play(
        f"note:\n    .{json.dumps(HOSTILE)}\n"
        f'cast "{named}" bruise clubs=4 by="J\u2066on":\n    .{json.dumps(HOSTILE)}\n'
        f"scene Yard \u202e[bold]x:\n    .{json.dumps(HOSTILE)}\n"
        f'conflict "T\u202eitle" bruise "{named}" vs Guards:\n    .{json.dumps(HOSTILE)}\n'
        f'declare "{named}":\n    .{json.dumps(HOSTILE)}\n'
        f"ruling:\n    .{json.dumps(HOSTILE)}\n"
        f'say "{named}":\n    .{json.dumps(HOSTILE)}\n'
        f'mark "m\u202eark"\n'
        f'branch "b\u202eranch"\n'
        f"note:\n    .{json.dumps(HOSTILE)}\n"
    )
    return shell


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_shown_text_is_escaped(hostile: Shell, words: tuple[str, ...]) -> None:
    said = hostile.say(*words)

    assert said.code == 0
    assert OBEYED.findall(said.out + said.err) == []


def test_the_head_of_a_table_on_a_terminal_is_not_obeyed(
    hostile: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    assert "\u202e" not in hostile.done("diff", "mainline", "b\u202eranch", "--state")


def test_X13_a_script_is_shown_safe_at_a_terminal_and_written_to_be_played_again(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.done("note:", "a\u202eb")
    shell.done("dump", "--script", "-o", "again.session")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    assert "note: a⟦U+202E⟧b" in shell.done("dump", "--script")
    monkeypatch.undo()
    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "home"))
    monkeypatch.chdir(shell.folder)
    shell.done("run", "--new", "-c", "again", "again.session")
    assert "a\u202eb" in shell.done("-c", "again", "dump", "--script")


@pytest.mark.parametrize("words", AS_JSON, ids=" ".join)
def test_what_is_shown_as_json_is_not_obeyed_and_says_exactly_what_is_there(
    hostile: Shell, words: tuple[str, ...]
) -> None:
    out = hostile.done("--json", *words)

    assert OBEYED.findall(out) == []
    if words[0] in ("log", "replay"):
        texts = [json.loads(line)["data"].get("text") for line in out.splitlines()]
        assert texts.count(HOSTILE) == 8


@pytest.mark.parametrize("words", [("--branch", "x\x1b\u202ey", "show"), ("shw\x1b\u202e",), ("--\x1b",)])
def test_what_was_typed_is_not_obeyed_either(shell: Shell, words: tuple[str, ...]) -> None:
    assert OBEYED.findall(shell.say(*words).err) == []


@pytest.mark.parametrize("name", ["Captain \u202eThoss", "Z\u2066el"])
def test_a_name_asked_for_is_not_obeyed(shell: Shell, name: str) -> None:
    assert OBEYED.findall(shell.refused("say", f"{name}:", "x")) == []


@pytest.mark.parametrize(
    "words", [("show", "--bog\x1b[31mus"), ("show", "a", "\x1b[31mb"), ("run", "\x1b[31m")]
)
def test_what_a_reading_verb_was_given_is_not_obeyed(shell: Shell, words: tuple[str, ...]) -> None:
    said = shell.say(*words)

    assert said.code in (1, 2)
    assert OBEYED.findall(said.err) == []


def test_a_scripts_name_is_not_obeyed(shell: Shell) -> None:
    (shell.folder / "a\x1b[31m\u202e.session").write_text("note: x\n    say Zel: y\nsession\n")
    said = shell.say("run", "a\x1b[31m\u202e.session")

    assert said.code == 1
    assert OBEYED.findall(said.out + said.err) == []


# --- names of files and branches --------------------------------------------------------------------------

CALLED = "a\x1b[31m\u202eb"


def called(shell: Shell) -> str:
    """The evening in a file whose name a terminal would obey, on a line that is called so too."""
    path = shell.folder / f"{CALLED}.retold"
    (shell.folder / "evening.retold").rename(path)
    shell.done("-c", str(path), "branch", "b\u202eranch")
    return path.name


class Terminal(io.TextIOWrapper):
    """A keyboard at which lines are typed."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "words",
    [
        ("export", "-o", f"{CALLED}.md"),
        ("export", "--session", "all", "-o", CALLED),
        ("diff", "mainline", "b\u202eranch", "--story", "-o", f"{CALLED}.md"),
        ("stats", "--html", f"{CALLED}.html"),
        ("dump", "-o", CALLED),
        ("backup", "a\u202eb"),
        ("new", "a\u202eb"),
        ("load", "all.jsonl", "a\u202eb"),
        ("voices", "--copy", "report", "a\u202eb"),
        ("export", "-o", "."),
        ("export", "-o", f"{CALLED}.rtf"),
        ("run", "all.session"),
        ("play",),
    ],
    ids=" ".join,
)
def test_the_name_of_a_file_is_not_obeyed(shell: Shell, words: tuple[str, ...]) -> None:
    name = called(shell)
    shell.done("-c", name, "dump", "-o", "all.jsonl")
    (shell.folder / "all.session").write_text("note: One.\n")
    said = shell.say("-c", name, *words, stdin="note: One.\nnote Z\x1b\u202e\n".encode())

    assert OBEYED.findall(said.out + said.err) == []


def test_at_a_terminal_that_only_prints_no_name_is_obeyed(shell: Shell) -> None:
    name = called(shell)
    shell.monkeypatch.setenv("TERM", "dumb")
    shell.monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO("note: a\x1b[31m\u202e\n".encode()), "utf-8"))
    shell.capsys.readouterr()

    assert main(["-c", name, "--branch", "b\u202eranch", "play"]) == 0
    out, err = shell.capsys.readouterr()
    assert out.startswith("Writing to b⟦U+202E⟧ranch of a␛[31m⟦U+202E⟧b.retold, at ")
    assert OBEYED.findall(out + err) == []


def test_the_console_says_goodbye_without_obeying_a_name(shell: Shell) -> None:
    path = shell.folder / called(shell)
    with CampaignStore.open(path) as campaign, create_pipe_input() as source:
        line = next(line for line, name in campaign.lines().items() if name != "mainline")
        source.send_text("\x04")
        Console.at(
            ConsoleSession(Scribe(campaign, line), Options()), source=source, screen=DummyOutput()
        ).converse()

    out, err = shell.capsys.readouterr()
    assert "Everything is recorded in a␛[31m⟦U+202E⟧b.retold, on b⟦U+202E⟧ranch up to" in out
    assert OBEYED.findall(out + err) == []


# --- texts as they come -----------------------------------------------------------------------------------


def test_a_piped_text_is_kept_to_the_last_letter(shell: Shell) -> None:
    shell.done("note:", "-", stdin=b"  two\r\nlines \x1b[31m \xe2\x80\xae \n")
    last = json.loads(shell.done("log", "-n", "1", "--json"))

    assert last["data"]["text"] == "  two\r\nlines \x1b[31m \u202e "


def test_a_text_of_a_megabyte_is_taken(shell: Shell) -> None:
    shell.done("note:", "-", stdin=b"x" * 2**20)

    assert len(json.loads(shell.done("log", "-n", "1", "--json"))["data"]["text"]) == 2**20


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"x" * 64 * 2**20, "That text is longer than 16 MB: cut it up."),
        (b"a\0b", "Character 2 of this text (U+0000) cannot be kept: take it out."),
        (b"caf\xe9", "That text is not UTF-8, so it cannot be read: convert it first."),
        ("x".encode("utf-16"), "That text is not UTF-8, so it cannot be read: convert it first."),
        (b"", "note wants a text after a colon. The form is: note [ABOUT] [--quote] : text."),
        (b" \n", "note wants a text after a colon. The form is: note [ABOUT] [--quote] : text."),
    ],
    ids=["64 MB", "NUL", "latin-1", "UTF-16", "nothing", "blanks"],
)
def test_a_piped_text_no_record_can_keep_is_refused_before_anything_is_written(
    shell: Shell, data: bytes, sentence: str
) -> None:
    before = shell.bytes()
    said = shell.say("note:", "-", stdin=data)

    assert said.code != 0
    assert said.err == f"{sentence}\n"
    assert shell.bytes() == before


def test_markup_in_a_text_is_text(shell: Shell) -> None:
    shell.done("note:", "[red]x[/red] **b** <b>c</b> {{ d }} %s")

    assert "[red]x[/red] b <b>c</b> {{ d }} %s" in shell.done("log")
