"""Merging and retiring at the shell: who reads what under which name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import Shell

EVENING = """cast Pim by=Jon: A deckhand
cast "Captain Pym"
cast "Old Salt"
session The Long Ebb --date 2026-03-14
say Pim: Not today.
note Pim --to Pim: You know the way.
say "Captain Pym": Row.
end session
session Low Water --date 2026-03-21
narrate "Captain Pym": She says that Pim never was.
"""


@pytest.fixture
def merged(shell: Shell, tmp_path: Path) -> Shell:
    path = tmp_path / "evening.session"
    path.write_text(EVENING, "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(path))
    told = "Pim is Captain Pym from now on\n"
    merge = "-c", "road", "merge", "Pim", "into", "Captain Pym"
    assert shell.done(*merge, "--check") == f"{told}(Checked; nothing was recorded.)\n"
    assert shell.done(*merge) == told
    return shell


def known(shell: Shell, *words: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(shell.done("-c", "road", "who", *words, "--json"))
    return found


def test_both_histories_stand_under_one_name_and_the_old_one_finds_it(merged: Shell) -> None:
    found = known(merged, "Pim")

    assert (found["name"], found["former"], found["phrase"]) == ("Captain Pym", ["Pim"], "A deckhand")
    assert [one["text"] for one in found["spoken"]] == ["Not today.", "Row."]  # type: ignore[attr-defined]
    assert [one["session"] for one in found["sessions"]] == [1, 2]  # type: ignore[attr-defined]
    assert len(found["mentions"]) == 1  # type: ignore[arg-type]
    assert "Pim" not in merged.done("-c", "road", "show", "cast")
    assert "say Pim: Not today." in merged.done("-c", "road", "dump", "--script")


def test_secrets_of_one_merged_person_are_known_to_both_only(merged: Shell) -> None:
    assert "You know the way." in merged.done("-c", "road", "export", "s1..", "--for", "Pim")
    assert "You know the way." in merged.done("-c", "road", "export", "s1..", "--for", "Jon")
    assert "You know the way." not in merged.done("-c", "road", "export", "s1..", "--for", "Old-Salt")


def test_a_page_of_the_evening_names_who_they_are_once(merged: Shell) -> None:
    merged.done("-c", "road", "undo")
    merged.done("-c", "road", "say", "Pim:", "Aye.")
    merged.done("-c", "road", "merge", "Pim", "into", "Captain Pym")
    page = merged.done("-c", "road", "export")

    cast = page.partition("## Cast\n\n")[2].partition("\n\n")[0]
    assert cast == "- **Captain Pym**: A deckhand; played by Jon"
    assert "**Pim:** “Aye.”" in page


def test_a_merge_is_undone(merged: Shell) -> None:
    merged.done("-c", "road", "undo")

    assert known(merged, "Pim")["name"] == "Pim"
    assert [one["text"] for one in known(merged, "Captain")["spoken"]] == ["Row."]  # type: ignore[attr-defined]


def test_a_redaction_of_one_takes_every_name_of_both(merged: Shell) -> None:
    merged.done("-c", "road", "--yes", "redact", "--person", "Pim")

    names = [one["name"] for one in json.loads(merged.done("-c", "road", "show", "cast", "--json"))["cast"]]
    assert names == ["Jon", None, "Old Salt"]


def test_a_person_who_is_retired_is_shown_as_that(merged: Shell) -> None:
    merged.done("-c", "road", "retire", "Old-Salt:", "The sea had him.")

    assert "Old Salt\tcharacter, retired" in merged.done("-c", "road", "show", "cast")
    assert merged.done("-c", "road", "who", "salt").startswith("Old Salt · character · retired\n")


def test_verify_follows_the_rules_over_a_merge(merged: Shell) -> None:
    merged.done("-c", "road", "verify", "--rules")
