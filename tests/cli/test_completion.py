"""Completion in shells: typed names stay names, whatever a shell would read into them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import ROOT, Shell, environment
from tests.patience import PATIENCE

if sys.platform != "win32":
    import pexpect

HOSTILE = 'Zed;touch>pwned$(id)`id`"&|\\{a,b}!~#[x]'


def completed(shell: Shell, *words: str) -> list[str]:
    return shell.done("--complete", *words).splitlines()


# --- what is offered --------------------------------------------------------------------------------------


def test_an_undone_character_is_not_offered(shell: Shell) -> None:
    shell.play("cast Odo\nundo\n")

    assert completed(shell, "say", "O") == []
    shell.done("redo")
    assert completed(shell, "say", "O") == ["Odo"]


def test_a_renamed_character_is_offered_by_the_new_name_only(shell: Shell) -> None:
    shell.play('cast "Captain Thoss" name="The Widow"\n')

    assert completed(shell, "say", "") == ["gm", "Zel", "Jon", "The-Widow", "Guards"]


def test_a_person_who_is_retired_is_offered_to_who_begins_to_look_them_up_and_nowhere_else(
    shell: Shell,
) -> None:
    shell.play("retire Zel: She stayed behind.\n")

    assert completed(shell, "say", "Z") == completed(shell, "cast", "Z") == []
    assert completed(shell, "show", "cast", "--for", "Z") == []
    assert "Zel" not in completed(shell, "who", "")
    assert completed(shell, "who", "Z") == ["Zel"]
    shell.play("undo\n")
    assert completed(shell, "say", "Z") == ["Zel"]


def test_those_of_another_line_are_not_offered(shell: Shell) -> None:
    shell.play("branch kinder\ncast Odo\nswitch mainline\n")

    assert completed(shell, "say", "O") == []


def test_a_branch_is_offered_to_viewers_it_was_shown_to(shell: Shell) -> None:
    shell.play("branch hers\nswitch mainline\nbranch kinder --to table\nswitch mainline\n")

    for words in ("switch", "show --branch", "branch promote", "branch show"):
        assert completed(shell, *words.split(), "") == ["mainline", "hers", "kinder"]
    for eyes in (("--for", "table"), ("--for=Jon",)):
        assert completed(shell, "show", *eyes, "--branch", "") == ["mainline", "kinder"]


def test_a_moment_is_now_a_session_or_a_live_mark(shell: Shell) -> None:
    shell.play('mark "the long stair"\nmark gone\nundo\n')

    assert completed(shell, "show", "--at", "") == ["@", "s1", "the-porch", "s2", "the-long-stair"]
    assert completed(shell, "note", "--at", "the-l") == ["the-long-stair"]


KEPT = """end session
session Last
thread "Who paid": Two coins.
thread "The toll": Two coins.
thread "The bell": It hums.
thread bell name="Bell of salt"
thread "The toll" into "Who paid"
thing "Lost"
undo
place "Salt Gate": Shut.
"""


@pytest.mark.parametrize(
    ("words", "all_of_it"),
    [
        (("recap", ""), ["s3", "s2", "s1", "s1..s3"]),
        (("recap", "s2.."), ["s2..s2", "s2..s3"]),
        (("recap", "x.."), []),
        (("recap", "--for", "t"), ["table"]),
        (("recap", "--for", "Z"), ["Zel"]),
        (("say", "--for", "t"), []),
        (("who", "S"), ["Salt-Gate"]),
        (("who", "J"), ["Jon"]),
        (("thread", ""), ["Who-paid", "Bell-of-salt"]),
        (("th", "Who-paid", "in"), ["into"]),
        (("thread", "Who-paid", "into", "B"), ["Bell-of-salt"]),
        (("place", "S"), ["Salt-Gate"]),
        (("place", "Ze"), ["Zel"]),
        (("thing", ""), []),
    ],
)
def test_sessions_and_what_is_kept_are_offered(
    shell: Shell, words: tuple[str, ...], all_of_it: list[str]
) -> None:
    shell.play(KEPT)

    assert completed(shell, *words) == all_of_it


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("portrait", "Z"), ["Zel"]),
        (("portrait", "Zel", ""), []),
        (("portrait", "--to", "Zel", "Zel", "z"), []),
        (("cover", ""), []),
        (("image", "quay", "q"), []),
        (("image", "quay", "quay.jpg", "a"), ["alt="]),
        (("cover", "--gm", ""), []),
        (("cover", "--gm", "quay.jpg", ""), ["alt=", "credit="]),
        (("handout", "letter", "a.png", "--to", "Z"), ["Zel"]),
    ],
)
def test_if_a_picture_is_named_nothing_is_offered_so_that_a_shell_offers_files(
    shell: Shell, words: tuple[str, ...], offered: list[str]
) -> None:
    assert completed(shell, *words) == offered


# --- bash -------------------------------------------------------------------------------------------------


def for_bash(shell: Shell, *words: str) -> list[str]:
    return completed(shell, "--bash", *words)


def test_for_bash_every_sign_is_escaped_that_could_mean_something(shell: Shell) -> None:
    shell.play('cast "It\'s;id"\ncast "a:b=c"\ncast Zoë\n')

    assert for_bash(shell, "say", "It") == for_bash(shell, "say", r"It\'s\;") == [r"It\'s\;id"]
    assert for_bash(shell, "say", "a") == [r"a\:b\=c"]
    assert for_bash(shell, "say", "Zo") == ["Zoë"]


def test_for_bash_a_word_is_read_as_bash_would_read_it(shell: Shell) -> None:
    shell.play('cast "Zed;id"\n')

    assert for_bash(shell, "say", r"Zed\;i") == [r"Zed\;id"]
    assert for_bash(shell, "-c", '"evening.retold"', "say", "Cap") == ["Captain-Thoss"]
    assert for_bash(shell, "-c", r"evening\.retold", "say", "Cap") == ["Captain-Thoss"]


def test_for_bash_within_quotes_only_what_needs_none_is_offered(shell: Shell) -> None:
    shell.play('cast "Zed;id"\n')

    for quote in "\"'":
        assert for_bash(shell, "say", f"{quote}Ze") == ["Zel"]


# --- the shells themselves ---------------------------------------------------------------------------------

RETOLD = """#!/bin/sh
case "$1" in
    --complete | completion) exec "{python}" -P -m retold "$@" ;;
    *) printf '%s\\n' "$@" > "{folder}/words" ;;
esac
"""
"""A retold that completes, and of everything else keeps the words it was handed over."""


BEGUN = {
    "bash": (["--norc", "--noprofile"], 'eval "$(retold completion bash)"'),
    "zsh": (["-f"], 'autoload -Uz compinit; compinit -u -D; eval "$(retold completion zsh)"'),
    "fish": (["--no-config"], "retold completion fish | source"),
}
"""How each shell is begun with nothing of its user's in it, and what puts our script into it."""


@pytest.fixture
def tab(shell: Shell, request: pytest.FixtureRequest) -> Iterator[pexpect.spawn[str]]:
    """A shell of the kind asked for with our script in it, in the folder of the evening."""
    options, script = BEGUN[request.param]
    found = shutil.which(request.param)
    if sys.platform == "win32" or found is None:
        pytest.skip(f"There is no {request.param} to ask here.")
    programs = shell.folder / "bin"
    programs.mkdir()
    program = programs / "retold"
    program.write_text(RETOLD.format(folder=shell.folder, python=sys.executable))
    program.chmod(0o755)
    more = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "TERM": "dumb", "PS1": "> "}
    child = pexpect.spawn(
        found,
        options,
        cwd=str(shell.folder),
        env=environment(shell.folder, HOME=str(shell.folder), **more),
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=(24, 400),
    )
    child.sendline(f'{script}; echo do""ne')
    child.expect("done\r\n")
    yield child
    child.close(force=True)


in_bash = pytest.mark.parametrize("tab", ["bash"], indirect=True)
in_every_shell = pytest.mark.parametrize("tab", BEGUN, indirect=True)


def typed(tab: pexpect.spawn[str], folder: Path, line: str) -> list[str]:
    """The words the shell hands over when this is typed, a Tab in it among the rest, and Enter."""
    (folder / "words").unlink(missing_ok=True)
    tab.sendline(line)
    tab.sendline("echo o''ver")
    tab.expect("over\r\n")
    return (folder / "words").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("tab", "name"), [*((begun, HOSTILE) for begun in BEGUN), ("bash", "Zed;touch pwned")], indirect=["tab"]
)
def test_tab_and_enter_run_nothing_that_a_name_says(tab: pexpect.spawn[str], shell: Shell, name: str) -> None:
    quoted = name.replace('"', '""')
    shell.play(f'cast "{quoted}"\n')

    words = typed(tab, shell.folder, "retold note Zed\t: Here.")

    assert words == ["note", name.replace(" ", "-"), ":", "Here."]
    assert not (shell.folder / "pwned").exists()


@in_bash
def test_a_character_called_star_is_offered_literally(tab: pexpect.spawn[str], shell: Shell) -> None:
    shell.play('cast "*"\n')

    words = typed(tab, shell.folder, "retold note *\t: Here.")

    assert words[:2] == ["note", "*"]


@in_every_shell
def test_tab_ends_verbs_names_moments_and_where_nothing_is_known_files(
    tab: pexpect.spawn[str], shell: Shell
) -> None:
    (shell.folder / "some night.session").write_text("note: It rains.\n")

    for line, words in {
        "retold sho\tpoints": ["show", "points"],
        "retold -c 'evening.retold' note cap\t: Here.": [
            "-c",
            "evening.retold",
            "note",
            "Captain-Thoss",
            ":",
            "Here.",
        ],
        "retold show cast --at the-p\t": ["show", "cast", "--at", "the-porch"],
        "retold run -q some\t": ["run", "-q", "some night.session"],
    }.items():
        assert typed(tab, shell.folder, line) == words


@pytest.mark.parametrize("tab", ["zsh", "fish"], indirect=True)
def test_completion_closes_quotes(tab: pexpect.spawn[str], shell: Shell) -> None:
    shell.play('cast "Zed;$(touch pwned)"\n')

    for begun in ('"Zed;', "'Zed;", r"Zed\;"):
        words = typed(tab, shell.folder, f"retold note {begun}\t: Here.")
        assert words == ["note", "Zed;$(touch-pwned)", ":", "Here."]


# --- PowerShell -------------------------------------------------------------------------------------------


def test_powershell_cannot_hand_over_a_word_not_begun_and_hands_over_quotes(shell: Shell) -> None:
    assert completed(shell, "say", '""') == completed(shell, "say", "")


@pytest.mark.skipif(shutil.which("pwsh") is None, reason="There is no PowerShell to ask here.")
def test_powershell_reads_its_script(shell: Shell) -> None:
    (shell.folder / "retold.ps1").write_text(shell.done("completion", "powershell"))
    read = "$null = [scriptblock]::Create((Get-Content -Raw -LiteralPath retold.ps1))"

    ended = subprocess.run(
        ["pwsh", "-NoProfile", "-NonInteractive", "-Command", read], capture_output=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, b"")
