import json
import re

import pytest

from tests.cli.shell import Shell


def positions(shell: Shell, *words: str) -> list[int]:
    return [int(line.split()[0]) for line in shell.done("log", *words).splitlines()]


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ((), 7, 26),  # the last twenty
        (("-n", "3"), 24, 26),
        (("-n3",), 24, 26),
        (("-n", "0"), 1, 26),
        (("..",), 1, 26),
        (("1..",), 1, 26),
        (("..24",), 1, 24),
        (("s2..",), 25, 26),
        (("s1",), 3, 24),
        (("mainline@s1",), 3, 24),
        (("s2",), 25, 26),
        (("3..9",), 3, 9),
        (("3..9", "-n", "2"), 8, 9),
        (("12",), 12, 12),
        (("--at", "24", "-n", "2"), 23, 24),
        (("--at=24", "-n", "2"), 23, 24),
    ],
)
def test_the_log_shows_the_stretch_that_was_asked_for(
    shell: Shell, words: tuple[str, ...], first: int, last: int
) -> None:
    assert positions(shell, *words) == list(range(first, last + 1))


def test_the_replay_of_a_session_is_the_evening_for_all(shell: Shell) -> None:
    for viewer in ("gm", "table"):
        told = shell.done("replay", "s1", "--for", viewer, "--json").splitlines()
        kinds = [json.loads(one)["kind"] for one in told]
        assert (kinds[0], kinds[-1]) == ("table.session-opened", "table.session-closed"), viewer


def test_undone_events_need_all(shell: Shell) -> None:
    shell.done("undo")

    assert positions(shell, "-n", "2") == [25, 27]
    assert positions(shell, "--all", "-n", "2") == [26, 27]
    assert shell.done("log", "--all", "26") == "   26  ~~scene 2 “The yard”~~ (undone)\n"


def test_what_was_undone_later_still_counts_in_the_log_of_that_moment(shell: Shell) -> None:
    shell.done("undo")

    assert positions(shell, "--at", "26", "-n", "1") == [26]


def test_what_was_brought_back_counts(shell: Shell) -> None:
    shell.done("undo")
    shell.done("redo")

    assert positions(shell, "-n", "3") == [26, 27, 28]


def test_new_words_stand_where_the_old_ones_did(shell: Shell) -> None:
    shell.done("retcon", "21:", "Two cries.")

    assert shell.done("log", "21") == "   21  Zel narrates: “Two cries.” (conflict 1)\n"
    assert "One last cry" in shell.done("log", "--at", "26")


def test_a_new_name_replaces_the_old_one(shell: Shell) -> None:
    shell.done("cast", "Zel", "name=Zelda")

    assert shell.done("log", "21").startswith("   21  Zelda narrates")


def test_what_is_for_some_eyes_is_marked(shell: Shell) -> None:
    shell.done("note", "--gm:", "The moat is full.")
    shell.done("note", "--to", "Jon:", "You heard it too.")

    assert shell.done("log", "-n", "2") == (
        "   27  note: “The moat is full.” (for the game master only)\n"
        "   28  note: “You heard it too.” (for Jon only)\n"
    )


def test_the_log_is_that_of_the_line_one_writes_to(shell: Shell) -> None:
    shell.done("branch", "kinder", "10")

    assert positions(shell, "-n", "2") == [10, 11]
    assert positions(shell, "-n", "2", "--branch", "mainline") == [25, 26]


def test_G16_the_log_for_a_viewer_has_ids_where_they_are_asked_for(shell: Shell) -> None:
    shell.done("note", "--gm:", "The moat is full.")
    shell.done("note", "--to", "Jon:", "You heard it too.")

    for_jon = shell.done("log", "--for", "Jon", "-n", "2").splitlines()
    assert for_jon == ["scene 2 The yard", "note: “You heard it too.” (for Jon only)"]
    with_ids = shell.done("log", "--for", "Jon", "--ids", "-n", "2").splitlines()
    assert [line.partition("  ")[2] for line in with_ids] == for_jon
    assert all(re.match("e[0-9a-f]{12}  ", line) for line in with_ids)
    assert shell.done("log", "--for", "table", "-n", "1") == "scene 2 The yard\n"
    assert shell.done("log", "-n", "2", "--for", "gm") == shell.done("log", "-n", "2")


def test_the_log_for_a_viewer_is_the_replay_for_them(shell: Shell) -> None:
    shell.done("note", "--gm:", "The moat is full.")
    for words in (("s1",), ("..",), ("..", "--branch", "mainline")):
        logged, replayed = (shell.done(verb, *words, "--for", "Jon") for verb in ("log", "replay"))
        assert logged == replayed
        assert logged


def test_the_log_for_a_viewer_gives_no_position_to_machines(shell: Shell) -> None:
    shell.done("note", "--to", "Jon:", "You heard it too.")

    (told,) = map(json.loads, shell.done("log", "--for", "Jon", "-n", "1", "--json").splitlines())
    assert [told[key] for key in ("line", "position", "act", "i", "n", "see")] == [None] * 6
    assert (told["kind"], told["visible_to"], told["told"]) == (
        "table.noted",
        ["Jon"],
        "note: “You heard it too.”",
    )
    assert told.keys() > json.loads(shell.done("log", "-n", "1", "--json")).keys()


def test_what_was_undone_is_the_game_master_s_alone(shell: Shell) -> None:
    refused = shell.say("log", "--all", "--for", "Jon")

    assert (refused.code, refused.out) == (2, "")
    assert "--all is for the game master: others are not shown what was undone." in refused.err


def test_what_is_revealed_is_marked_for_those_who_may_see_it_by_now(shell: Shell) -> None:
    shell.done("note", "--gm:", "The duke did it.")

    def seen(*at: str) -> str:
        return shell.done("log", *at, "-n", "0").splitlines()[26]

    assert seen() == "   27  note: “The duke did it.” (for the game master only)"
    shell.done("reveal", "27", "--to", "Jon")
    assert seen() == "   27  note: “The duke did it.” (for Jon only)"
    assert json.loads(shell.done("log", "27", "--json"))["see"] == [2]
    shell.done("reveal", "27")
    assert seen() == "   27  note: “The duke did it.”"
    assert json.loads(shell.done("log", "27", "--json"))["see"] == "table"
    as_it_stood = "   27  note: “The duke did it.” (for the game master only)"
    assert seen("--at", "27") == as_it_stood


def test_the_log_names_its_present_audience(shell: Shell) -> None:
    shell.done("note", "--gm:", "The duke did it.")

    def named(verb: str) -> object:
        return json.loads(shell.done(verb, "27", "--json"))["visible_to"]

    assert [named(verb) for verb in ("log", "replay")] == ["gm", "gm"]
    shell.done("reveal", "27", "--to", "Jon")
    assert [named(verb) for verb in ("log", "replay")] == [["Jon"], ["Jon"]]
    shell.done("cast", "Jon", "name=Jonathan")
    assert [named(verb) for verb in ("log", "replay")] == [["Jonathan"], ["Jonathan"]]
    for_jon = [json.loads(one) for one in shell.done("replay", "s1..", "--for", "Jon", "--json").splitlines()]
    assert [one["visible_to"] for one in for_jon if one["kind"] == "table.noted"] == [["Jonathan"]]
    shell.done("reveal", "27")
    assert [named(verb) for verb in ("log", "replay")] == ["table", "table"]
