"""The checklist of the command line (docs/checklist.md): the page, and what no other room holds."""

from __future__ import annotations

import re
import sys

import pytest
import typer

from retold.cli.app import application
from retold.cli.invocation import READING
from tests.cli.shell import ROOT, Shell

ROW = re.compile(r"^\| (\d+) \| (.+) \| (`.+`) \|$", re.MULTILINE)


def test_every_point_is_there_and_so_is_every_test_it_names() -> None:
    rows = ROW.findall((ROOT / "docs/checklist.md").read_text("utf-8"))
    named = {test for _, _, tests in rows for test in re.findall(r"`([^`]+)`", tests)}
    sources = {path: (ROOT / path).read_text("utf-8") for path in {test.split("::")[0] for test in named}}

    assert [int(number) for number, _, _ in rows] == list(range(1, 41))
    assert [
        test for test in named if f"\ndef {test.split('::')[1]}(" not in sources[test.split("::")[0]]
    ] == []


COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])\b")


@pytest.mark.parametrize(
    ("environment", "options", "coloured"),
    [
        ({}, (), True),
        ({"NO_COLOR": ""}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, (), False),
        ({"TERM": "dumb"}, (), False),
        ({}, ("--no-color",), False),
    ],
)
def test_colour_is_for_a_terminal_that_wants_it(
    shell: Shell, environment: dict[str, str], options: tuple[str, ...], coloured: bool
) -> None:
    shell.monkeypatch.setattr(type(sys.stdout), "isatty", lambda _self: True)
    given: list[str] = []
    shell.monkeypatch.setattr("pydoc.pager", given.append)
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        shell.monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", "NO_COLOR": "", **environment}.items():
        shell.monkeypatch.setenv(name, value)

    shell.done(*options, "help", "bruise")

    assert bool(COLOUR.search("".join(given))) is coloured
    assert len(given) == 1


def options_of(verb: str) -> list[list[str]]:
    """What each option of a reading verb may be called."""
    asked = typer.main.get_command(application(verb))
    return [[*one.opts, *one.secondary_opts] for one in asked.params if one.param_type_name == "option"]


def test_every_short_option_has_a_long_form(shell: Shell) -> None:
    names = [called for verb in READING for called in options_of(verb)]

    assert ["--quiet", "-q"] in names
    assert [called for called in names if not any(name.startswith("--") for name in called)] == []
    assert shell.done("log", "--limit", "3") == shell.done("log", "-n", "3")


def test_a_quiet_run_says_only_where_it_ended(shell: Shell) -> None:
    said = shell.say("run", "-q", "-", stdin=b"note: It rains.\nnote: Still.\n")

    assert said == (0, "", "2 lines recorded in evening.retold.\n")
