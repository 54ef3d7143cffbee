"""What a shell puts on its line at Tab: names somebody typed stay names, whatever a shell reads into them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import ROOT, Shell, environment

if sys.platform != "win32":
    import pexpect

HOSTILE = 'Zed;touch>pwned$(id)`id`"&|\\{a,b}!~#[x]'


def completed(shell: Shell, *words: str) -> list[str]:
    return shell.done("--complete", *words).splitlines()


# --- what is offered --------------------------------------------------------------------------------------


def test_nobody_is_offered_whose_coming_was_undone(shell: Shell) -> None:
    shell.play("cast Odo\nundo\n")

    assert completed(shell, "say", "O") == []
    shell.done("redo")
    assert completed(shell, "say", "O") == ["Odo"]


def test_somebody_renamed_is_offered_by_the_new_name_alone(shell: Shell) -> None:
    shell.play('cast "Captain Thoss" name="The Widow"\n')

    assert completed(shell, "say", "") == ["gm", "Zel", "Jon", "The-Widow", "Guards"]


def test_those_of_another_line_are_not_offered(shell: Shell) -> None:
    shell.play("branch kinder\ncast Odo\nswitch mainline\n")

    assert completed(shell, "say", "O") == []


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


RETOLD = """#!/bin/sh
[ "$1" = --complete ] || printf '%s\\n' "$@" > "{folder}/words"
exec "{python}" -P -m cli "$@"
"""
"""A retold that keeps the words it was handed over, unless they ask what may be typed."""


@pytest.fixture
def bash(shell: Shell) -> Iterator[pexpect.spawn[str]]:
    """A bash with our script in it, in the folder of the evening."""
    found = shutil.which("bash")
    if sys.platform == "win32" or found is None:
        pytest.skip("There is no bash to ask here.")
    programs = shell.folder / "bin"
    programs.mkdir()
    program = programs / "retold"
    program.write_text(RETOLD.format(folder=shell.folder, python=sys.executable))
    program.chmod(0o755)
    more = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "TERM": "dumb", "PS1": "> "}
    child = pexpect.spawn(
        found,
        ["--norc", "--noprofile"],
        cwd=str(shell.folder),
        env=environment(shell.folder, **more),
        encoding="utf-8",
        timeout=60,
        dimensions=(24, 400),
    )
    child.sendline('eval "$(retold completion bash)"; echo do""ne')
    child.expect("done\r\n")
    yield child
    child.close(force=True)


def typed(bash: pexpect.spawn[str], folder: Path, line: str) -> list[str]:
    """The words bash hands over when this is typed, a Tab in it among the rest, and Enter."""
    bash.sendline(line)
    bash.sendline("echo o''ver")
    bash.expect("over\r\n")
    return (folder / "words").read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", [HOSTILE, "Zed;touch pwned"])
def test_tab_and_enter_run_nothing_that_a_name_says(
    bash: pexpect.spawn[str], shell: Shell, name: str
) -> None:
    quoted = name.replace('"', '""')
    shell.play(f'cast "{quoted}"\n')

    words = typed(bash, shell.folder, "retold note Zed\t: Here.")

    assert words == ["note", name.replace(" ", "-"), ":", "Here."]
    assert not (shell.folder / "pwned").exists()


def test_somebody_called_star_is_offered_as_that(bash: pexpect.spawn[str], shell: Shell) -> None:
    shell.play('cast "*"\n')

    words = typed(bash, shell.folder, "retold note *\t: Here.")

    assert words[:2] == ["note", "*"]
