"""`stats` at the shell: rows for other programs, bars on a terminal, a page, one document of JSON."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from retold.cli.completing import TOPICS as COMPLETED
from retold.projections.statistics import TOPICS
from tests.cli.shell import Shell


def test_it_counts_everything_or_one_thing(shell: Shell) -> None:
    every = shell.done("stats")

    assert "# Bruise: rank\n" in every
    assert "Zel\tJon\t1/7\t-\t1/6\t-\t13\t100%\t1: 13\n" in every
    assert "# Time\n" in every
    assert "# Time" not in shell.done("stats", "luck")
    assert shell.done("stats", "Telling") in every
    assert shell.done("stats", "compels") == "Compels: nothing to count yet.\n"


def test_completion_knows_what_can_be_counted() -> None:
    assert sorted(COMPLETED) == sorted(TOPICS)


def test_json_is_one_document_with_what_was_asked_for(shell: Shell) -> None:
    found = json.loads(shell.done("stats", "--json"))

    assert (found["retold"], found["version"], found["session"]) == ("stats", 1, None)
    assert set(TOPICS) <= set(found)
    (rank,) = found["luck"]["groups"]
    assert rank["rows"][0] == {
        "of": "all",
        "name": "everybody",
        "n": 6,
        "mean": 7.6667,
        "expected": 8.0,
        "chance": rank["rows"][0]["chance"],
        "exact": True,
        "said": "too few to say anything",
    }
    assert 0 < rank["rows"][0]["chance"] <= 1
    assert "telling" not in json.loads(shell.done("stats", "luck", "--json"))


def test_a_session_a_moment_a_branch_and_somebodys_eyes_can_be_asked_for(shell: Shell) -> None:
    assert json.loads(shell.done("stats", "luck", "--session", "2", "--json"))["luck"]["groups"] == []
    assert json.loads(shell.done("stats", "luck", "--at", "10", "--json"))["luck"]["groups"] == []
    shell.done("branch", "kinder", "10", "--to", "table")
    assert json.loads(shell.done("stats", "luck", "--json"))["luck"]["groups"] == []
    assert json.loads(shell.done("stats", "luck", "--branch", "mainline", "--json"))["luck"]["groups"]
    shell.done("narrate", "gm", "--gm:", "Nobody knows.")
    assert "the game master" in shell.done("stats", "telling")
    assert shell.done("stats", "telling", "--for", "Jon") == "Telling: nothing to count yet.\n"


def test_a_page_is_written_once_and_not_over_another(shell: Shell) -> None:
    said = shell.say("stats", "--html", "numbers.html")
    page = Path("numbers.html").read_text("utf-8")

    assert (said.code, said.out, said.err) == (0, "", "Written to numbers.html.\n")
    assert '<h1 dir="auto">The Salt Road in numbers</h1>' in page
    assert "is there already" in shell.refused("stats", "--html", "numbers.html")
    assert shell.say("stats", "--html", "numbers.html", "--force").code == 0


def test_the_page_says_what_it_counts(shell: Shell) -> None:
    shell.done("stats", "luck", "--session", "1", "--for", "Jon", "--html", "luck.html")
    page = Path("luck.html").read_text("utf-8")

    assert "mainline" in page
    assert "mainline at" not in page  # a position would count what Jon may not know
    assert "session 1" in page
    assert "as Jon may know it" in page
    assert '<h2 id="telling">' not in page


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("luk",), "There is nothing to count called “luk”. Did you mean luck?"),
        (
            ("weather",),
            (
                "There is nothing to count called “weather”."
                " There are: luck, telling, time, moves, compels, counts."
            ),
        ),
        (("--session", "7"), "There is no session 7. The last is 2."),
        (("--for", "Nobody"), "There is no “Nobody” here."),
    ],
)
def test_unknown_filters_are_refused(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert shell.refused("stats", *words).startswith(sentence)


def test_on_a_terminal_there_are_bars_that_say_what_they_are(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _self: True)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    shell.play(f"roll Zel 30d6 = {'1 2 3 4 5 6 ' * 5}\n")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shell.done("stats", "luck")).splitlines()
    assert any("█" in line and line.rstrip().endswith("5, expected 5.0 (+0.0)") for line in lines)
    assert max(map(len, lines)) <= 100


def test_typed_text_is_escaped(shell: Shell) -> None:
    shell.play('cast "Z\u202eoe" by="J\u2066on"\nnarrate "Z\u202eoe": \u202eHm.\n')

    for words in (("stats",), ("stats", "--json"), ("stats", "--html", "-")):
        assert not {"\u202e", "\u2066", "\x1b"} & set(shell.done(*words))
