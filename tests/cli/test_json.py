"""--json: one document that says what it is, and nothing else on standard output."""

import json
from typing import Any

import pytest

from retold.projections.views import VIEWS
from tests.cli.shell import Shell

DOCUMENTS = [
    ("show",),
    *(("show", view) for view in VIEWS),
    ("branches",),
    ("systems",),
    ("systems", "bruise"),
    ("verify",),
    ("verify", "--rules"),
    ("diff", "mainline", "kinder"),
    ("search", "cry"),
    ("search", "cry", "--everywhere"),
    ("stats",),
    ("stats", "luck"),
    ("recap",),
    ("proposals",),
    ("recap", "s1"),
]
LINES = [("log",), ("log", "-n", "0"), ("log", "..9"), ("replay",), ("replay", "s1..@-2")]


@pytest.fixture
def branched(shell: Shell) -> Shell:
    shell.done("branch", "kinder", "10")
    shell.done("scene", "The cellar")
    shell.done("switch", "mainline")
    return shell


def document(text: str) -> dict[str, Any]:
    found = json.loads(text)
    assert isinstance(found, dict)
    assert isinstance(found["retold"], str)
    assert isinstance(found["version"], int)
    return found


@pytest.mark.parametrize("words", DOCUMENTS, ids=" ".join)
def test_a_reading_verb_prints_one_document(branched: Shell, words: tuple[str, ...]) -> None:
    after = document(branched.done(*words, "--json"))

    assert document(branched.done("--json", *words)) == after


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_many_moments_are_printed_one_per_line(branched: Shell, words: tuple[str, ...]) -> None:
    lines = branched.done(*words, "--json").splitlines()

    assert len({document(line)["retold"] for line in lines}) == 1
    assert branched.done("--json", *words).splitlines() == lines


@pytest.mark.parametrize(
    "words",
    [
        ("note:", "Hello."),
        ("cast", "Ada", "--check"),
        ("undo",),
        ("undo", "--check"),
        ("branch", "third"),
        ("switch", "kinder"),
        ("expect", "session", "2"),
    ],
)
def test_a_line_of_the_table_prints_what_came_of_it(branched: Shell, words: tuple[str, ...]) -> None:
    act = document(branched.done("--json", *words))

    assert act["retold"] == "act"
    assert act["campaign"] == "evening.retold"
    assert bool(act["events"]) == (words[0] in ("note", "note:", "cast") or words == ("undo",))


def test_an_act_gives_its_branch_and_positions(branched: Shell) -> None:
    act = document(branched.done("--json", "cast", "Ada", "by=Eve"))

    assert (act["branch"], act["first"], act["last"]) == ("mainline", 27, 29)
    assert [event["kind"] for event in act["events"]] == [
        "table.cast-introduced",
        "table.cast-introduced",
        "table.player-seated",
    ]


def test_the_words_in_the_log_are_those_that_stand_now(branched: Shell) -> None:
    branched.done("retcon", "21:", "Two cries.")

    assert document(branched.done("log", "21..21", "--json"))["data"]["text"] == "Two cries."


@pytest.mark.parametrize("words", [("show",), ("show", "cast"), ("log",), ("log", "-n", "3")])
def test_at_reads_what_had_come_by_then(branched: Shell, words: tuple[str, ...]) -> None:
    then = branched.done(*words, "--json", "--at", "10")

    assert "The yard" not in then
    assert "Guards" not in then
    assert then != branched.done(*words, "--json")


@pytest.mark.parametrize("words", [("show",), ("log",), ("replay",), ("dump", "--script"), ("export", "..")])
def test_branch_reads_another_line(branched: Shell, words: tuple[str, ...]) -> None:
    there = branched.done(*words, "--branch", "kinder")

    assert "The cellar" in there
    assert branched.done("--branch", "kinder", *words) == there
    assert "The cellar" not in branched.done(*words)


@pytest.mark.parametrize("at", ["12", "s2", "@", "@-3", "~3", "the-porch", "kinder@11"])
def test_a_moment_means_the_same_wherever_it_is_asked(branched: Shell, at: str) -> None:
    position = document(branched.done("--json", "show", "--at", at))["at"]

    last = branched.done("log", "--json", "-n", "1", "--at", at)
    assert document(last)["position"] == position
    assert document(branched.done("--json", "show", "points", "--at", at))["at"] == position


def test_without_a_terminal_a_view_is_lines_of_tab_separated_cells(shell: Shell) -> None:
    shell.monkeypatch.setenv("FORCE_COLOR", "1")
    head, *rows = shell.done("show", "cast").splitlines()

    assert {line.count("\t") for line in rows} == {head.count("\t")}
    assert [row.split("\t")[0] for row in rows] == ["Zel", "Jon", "Captain Thoss", "Guards"]


def test_branches_for_a_viewer_show_no_positions(branched: Shell) -> None:
    branched.done("branch", "hers", "8")
    branched.done("branch", "show", "kinder", "--to", "Jon")
    found = {eyes: document(branched.done("branches", "--json", "--for", eyes)) for eyes in ("table", "Jon")}
    nothing = {"line": None, "forked_at": None, "head": None}
    mainline = {**nothing, "name": "mainline", "parent": None, "written_to": True}
    kinder = {**nothing, "name": "kinder", "parent": "mainline", "written_to": False}

    assert (found["table"]["branches"], found["Jon"]["branches"]) == ([mainline], [mainline, kinder])
