"""`search` at the shell: what it prints, how it ends, what it keeps."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tests.cli.shell import Shell


def rows(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()[1:] if not line.startswith("# ")]


def test_a_match_is_a_line_whose_first_word_is_a_moment(shell: Shell) -> None:
    ((at, session, what, who, text),) = rows(shell.done("search", "cry", "break"))

    assert (session, what, who) == ("1", "narration", "Zel")
    assert text == "One last **cry**, and the line **break**s."
    assert json.loads(shell.done("show", "--json", "--at", at))["at"] == int(at)


def test_quoted_words_stand_next_to_each_other(shell: Shell) -> None:
    assert len(rows(shell.done("search", "last cry"))) == 1
    assert "Nothing on this line says cry last." in shell.refused("search", "cry last")


def test_the_last_of_many_are_shown_and_the_rest_is_counted(shell: Shell) -> None:
    for number in range(25):
        shell.done("note:", f"The lantern {number}")

    out = shell.done("search", "lantern")
    assert [row[-1] for row in rows(out)] == [f"The **lantern** {number}" for number in range(5, 25)]
    assert out.splitlines()[-1] == "# The last 20 of 25: -n 0 shows all."
    assert len(rows(shell.done("search", "lantern", "-n", "0"))) == 25
    assert len(rows(shell.done("search", "lantern", "--limit", "3"))) == 3


def test_nothing_found_is_one_sentence_and_one(shell: Shell) -> None:
    assert shell.refused("search", "xylophone") == "Nothing on this line says xylophone."
    assert shell.refused("search", "xylophone", "--everywhere") == "Nothing on any line says xylophone."
    said = shell.say("search", "xylophone", "--json")
    assert (said.code, said.err, json.loads(said.out)["matches"]) == (1, "", [])


@pytest.mark.parametrize(
    "typed", ['"', "*", "NOT", "cry OR freedom", "NEAR(cry)", "kind:cry", "^cry", "%", "'; --"]
)
def test_what_is_looked_for_is_text_and_no_language(shell: Shell, typed: str) -> None:
    shell.done("note:", f"Somebody wrote {typed} on the wall.")

    (row,) = rows(shell.done("search", "--kind", "note", "--", typed))
    assert row[-1].count("**") == 2
    assert row[-1].replace("**", "") == f"Somebody wrote {typed} on the wall."


def test_a_branch_and_everything_can_be_asked(shell: Shell) -> None:
    shell.done("branch", "kinder", "10")
    shell.done("note:", "A lantern on the branch")
    shell.done("switch", "mainline")

    assert shell.refused("search", "lantern") == "Nothing on this line says lantern."
    at = rows(shell.done("search", "lantern", "--everywhere"))[0][0]
    assert at == "kinder@12"
    assert rows(shell.done("search", "lantern", "--branch", "kinder"))[0][0] == "12"
    assert shell.done("log", "--json", "--at", at, "-n", "1")


def test_what_was_undone_is_shown_only_when_it_is_asked_for(shell: Shell) -> None:
    shell.done("note", "--to", "table:", "A lantern")
    shell.done("undo")

    shell.refused("search", "lantern")
    assert rows(shell.done("search", "lantern", "--all"))[0][-1] == "~~A **lantern**~~ (undone)"


def test_hidden_events_are_neither_found_nor_counted(shell: Shell) -> None:
    shell.done("note", "--gm:", "The lantern is a trap")
    shell.done("note", "--to", "table:", "A lantern")

    assert len(rows(shell.done("search", "lantern"))) == 2
    for eyes in ("table", "Jon"):
        found = json.loads(shell.done("search", "lantern", "--for", eyes, "--json"))
        assert (found["found"], len(found["matches"])) == (1, 1)
        assert shell.refused("search", "trap", "--for", eyes) == "Nothing on this line says trap."


def test_it_reads_as_of_a_moment(shell: Shell) -> None:
    shell.done("retcon", "21:", "Two cries.")

    assert rows(shell.done("search", "cries"))[0][0] == "21"
    assert rows(shell.done("search", "cry", "--at", "@-1"))[0][0] == "21"
    shell.refused("search", "cries", "--at", "@-1")


def test_the_index_lies_in_the_cache_and_can_be_thrown_away_and_made_anew(shell: Shell) -> None:
    found = shell.done("search", "cry")
    (cache,) = (shell.folder / "home" / "cache").glob("*.cache")
    cache.unlink()

    assert shell.done("search", "cry") == found
    cache.write_bytes(b"not a database" * 400)
    assert shell.done("search", "cry") == found
    assert shell.done("search", "--rebuild").startswith("The index knows ")
    assert shell.done("search", "--rebuild", "cry") == found


def test_a_record_is_searched_without_a_writable_cache(shell: Shell) -> None:
    (shell.folder / "home").mkdir(exist_ok=True)
    (shell.folder / "home" / "cache").write_text("no folder")

    assert len(rows(shell.done("search", "cry"))) == 1


def test_search_wants_a_word(shell: Shell) -> None:
    assert shell.misused("search").startswith("search wants a word to look for")
    assert shell.refused("search", " ") == "Give 1 to 100 words to look for."
    assert "U+DC80" in shell.refused("search", "a\udc80")


def test_found_text_is_escaped(shell: Shell) -> None:
    hostile = "\x1b[31mlantern\x1b]0;owned\x07 \u202eevil [bold]b[/bold]"
    shell.play(f"note:\n    .{json.dumps(hostile)}\n")

    said = shell.say("search", "lantern")
    assert not {"\x1b", "\x07", "\u202e"} & set(said.out)
    assert "**lantern**" in said.out
    assert json.loads(shell.done("search", "lantern", "--json"))["matches"][0]["text"].endswith(hostile[1:])
    assert not {"\x1b", "\x07", "\u202e"} & set(shell.refused("search", "\x1b\u202enothing"))


@pytest.mark.parametrize("columns", [100, 40], ids=["as a table", "row by row"])
def test_N17_at_a_terminal_a_match_is_bold_and_has_no_stars(shell: Shell, columns: int) -> None:
    shell.done("note:", "My **own** stars: the lantern, and the lantern again.")
    shell.monkeypatch.setenv("COLUMNS", str(columns))
    shell.monkeypatch.setenv("TERM", "xterm-256color")
    shell.monkeypatch.delenv("NO_COLOR", raising=False)
    shell.monkeypatch.setattr(type(sys.stdout), "isatty", lambda _self: True)

    out = shell.done("search", "lantern")

    assert len(re.findall(r"\x1b\[1mlantern\x1b\[(?:0|22)m", out)) == 2
    assert "own" in out
    assert "**own**" not in out
    assert "**lantern**" not in out
    shell.monkeypatch.setenv("NO_COLOR", "1")
    assert "**lantern**" in shell.done("search", "lantern")


@pytest.mark.parametrize("eyes", ["table", "Jon"])
def test_S18_only_the_game_master_hears_of_branches(eyes: str, shell: Shell) -> None:
    shell.play("branch kinder: If the quokka had come.\n")

    assert "quokka" in shell.done("search", "quokka", "--branch", "kinder")
    for where in (("--branch", "kinder"), ("--everywhere",)):
        shell.refused("search", "quokka", "--for", eyes, *where)
