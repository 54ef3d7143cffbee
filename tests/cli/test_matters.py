"""Threads, places and things at the shell: said, listed, hidden, redacted, taken along and told again."""

from __future__ import annotations

import json
from pathlib import Path

from retold.journal.store.writing.campaign import CampaignStore
from tests.cli.shell import Shell
from tests.cli.test_dump_script import played, told

EVENING = """cast Zel by=Jon: A smuggler
session The Long Ebb --date 2026-03-14
thread "Who paid the ferryman": Two coins, and neither was ours.
place "The Salt Gate": Shut since the flood.
thing "The tide table" --gm: Somebody has torn out March.
thing tide: And April.
narrate Zel: We come down to a salt-gate at dusk, and I ask who paid the ferryman.
say Zel --gm: The tide table, and who paid the ferryman.
thread ferry --done: The widow did.
thread ferryman name="The widow's coin"
thing "thread": a name that is a verb
end session
"""


def evening(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    path.write_text(EVENING, "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(path))


def listed(shell: Shell, *words: str) -> list[tuple[str | None, list[str | None], bool, int]]:
    """Name, notes, whether it is open, and how often it is mentioned, of each."""
    seen = json.loads(shell.done("-c", "road", "show", *words, "--json"))
    return [
        (one["name"], [note["text"] for note in one["notes"]], one["closed"] is None, one["mentions"])
        for one in seen["matters"]
    ]


def test_each_sort_is_listed_with_what_is_known_of_it(shell: Shell, tmp_path: Path) -> None:
    evening(shell, tmp_path)

    assert listed(shell, "threads") == [("The widow's coin", ["Two coins, and neither was ours."], False, 2)]
    assert listed(shell, "places") == [("The Salt Gate", ["Shut since the flood."], True, 1)]
    assert listed(shell, "things") == [
        ("The tide table", ["Somebody has torn out March.", "And April."], True, 1),
        ("thread", ["a name that is a verb"], True, 0),
    ]


def test_what_hangs_on_something_hidden_is_hidden_until_that_is_revealed(
    shell: Shell, tmp_path: Path
) -> None:
    evening(shell, tmp_path)

    assert listed(shell, "things", "--for", "Zel") == [("thread", ["a name that is a verb"], True, 0)]
    assert listed(shell, "threads", "--for", "table") == [
        ("The widow's coin", ["Two coins, and neither was ours."], False, 1)
    ]
    for words in (("search", "march", "april"), ("export", "-f", "json"), ("show", "things", "--json")):
        assert "April" not in shell.say("-c", "road", *words, "--for", "table").out

    shell.done("-c", "road", "reveal", "8", "--to", "Zel")

    assert [one[0] for one in listed(shell, "things", "--for", "Zel")] == ["The tide table", "thread"]
    assert [one[0] for one in listed(shell, "things", "--for", "table")] == ["thread"]


def test_a_script_of_them_says_the_same_again(shell: Shell, tmp_path: Path) -> None:
    evening(shell, tmp_path)
    shell.done("-c", "road", "undo", "2")
    shell.done(
        "-c", "road", "--yes", "redact", "6"
    )  # the first name of the thread, and what was said with it
    script = shell.done("-c", "road", "dump", "--script")

    assert 'thread "redacted-6": [redacted]' in script
    again = played(tmp_path / "again.retold", script)
    assert len(again.table_at(1).matters) == 3
    with CampaignStore.open(tmp_path / "road.retold", read_only=True) as was:
        kinds = [one.kind for one in told(was) if one.kind != "table.redacted"]
        assert [one.kind for one in told(again)] == kinds
    again.close()


def test_the_act_that_opened_one_is_undone_with_it(shell: Shell, tmp_path: Path) -> None:
    evening(shell, tmp_path)

    shell.done("-c", "road", "undo", "10")
    assert listed(shell, "threads") == []

    shell.done("-c", "road", "redo", "1")
    shell.done("-c", "road", "branch", "dry")
    shell.done("-c", "road", "thread", "coin:", "Whose was it?")
    assert [listed(shell, "threads", "--branch", line)[0][2] for line in ("dry", "mainline")] == [True, False]


def test_a_name_that_is_nearly_one_is_asked_about(shell: Shell, tmp_path: Path) -> None:
    evening(shell, tmp_path)

    assert shell.refused("-c", "road", "place", "The-Salt-Gaet:", "x") == (
        'Did you mean The Salt Gate? If “The-Salt-Gaet” is another place, quote the name: "The-Salt-Gaet".'
    )


def test_a_place_of_several_words_needs_no_quotes(shell: Shell, tmp_path: Path) -> None:
    evening(shell, tmp_path)

    assert "place Old Quay: “Rotten.”" in shell.done("-c", "road", "place", "Old", "Quay:", "Rotten.")
    assert shell.refused("-c", "road", "place", "Zel", "Jon:", "x") == (
        "This game has no zones; a note of a place takes one name: place "
        '"The Salt Gate": Shut since the flood, and watched.'
    )


def test_a_person_who_says_everything_about_one_by_its_name(shell: Shell, tmp_path: Path) -> None:
    evening(shell, tmp_path)

    assert shell.done("-c", "road", "who", "salt") == (
        "The Salt Gate · place · open\n\nNotes\n  s1 · Shut since the flood.\n\nMentioned\n"
        "  s1 · Zel: We come down to a salt-gate at dusk, and I ask who paid the\n    ferryman.\n"
    )
    assert json.loads(shell.done("-c", "road", "who", "Who", "paid", "the", "ferryman", "--json"))["of"] == (
        "thread"
    )
    assert shell.refused("-c", "road", "who", "tide", "--for", "table") == "There is no “tide” here."
    assert shell.refused("-c", "road", "who", "t") == (
        "t may be The widow's coin or The Salt Gate or The tide table or thread."
    )
    assert shell.say("-c", "road", "who").code == 2


MERGING = """cast Zel by=Jon
session The Long Ebb
thread "Who paid": Two coins.
narrate Zel: We ask who paid, at the salt-gate.
thread "Who paid the ferryman": The widow knows.
thread "The bell" --gm: It was her.
narrate Zel: Who paid the ferryman, and who paid for the bell?
"""


def merging(shell: Shell, tmp_path: Path, *lines: str) -> None:
    path = tmp_path / "merging.session"
    path.write_text("\n".join((MERGING, *lines, "")), "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(path))


def test_two_that_are_merged_are_listed_found_and_recalled_as_one(shell: Shell, tmp_path: Path) -> None:
    merging(shell, tmp_path, 'thread "Who paid" into "Who paid the ferryman"', 'thread "Who paid": Ask her.')

    assert listed(shell, "threads") == [
        ("Who paid the ferryman", ["Two coins.", "The widow knows.", "Ask her."], True, 2),
        ("The bell", ["It was her."], True, 1),
    ]
    assert shell.done("-c", "road", "who", "who-paid") == (
        "Who paid the ferryman · thread · open\n\nCalled before\n  Who paid\n\nNotes\n"
        "  s1 · Two coins.\n  s1 · The widow knows.\n  s1 · Ask her.\n\nMentioned\n"
        "  s1 · Zel: We ask who paid, at the salt-gate.\n"
        "  s1 · Zel: Who paid the ferryman, and who paid for the bell?\n"
    )
    assert json.loads(shell.done("-c", "road", "recap", "--json"))["open"] == [
        "Who paid the ferryman: Ask her."
    ]


def test_a_merge_is_undone_and_told_again_by_a_script(shell: Shell, tmp_path: Path) -> None:
    merging(shell, tmp_path, 'thread "Who paid" into "Who paid the ferryman"')
    assert 'thread "Who paid" into "Who paid the ferryman"' in shell.done("-c", "road", "dump", "--script")

    again = played(tmp_path / "again.retold", shell.done("-c", "road", "dump", "--script"))
    assert len([*again.table_at(1).every_matter()]) == 2
    again.close()
    shell.done("-c", "road", "undo")
    assert [one[0] for one in listed(shell, "threads")] == ["Who paid", "Who paid the ferryman", "The bell"]


def test_a_merge_with_a_secret_thread_is_hidden_from_viewers(shell: Shell, tmp_path: Path) -> None:
    merging(shell, tmp_path, 'thread "Who paid" into "The bell"', 'thread "Who paid": She rang it.')

    assert listed(shell, "threads", "--for", "table") == [
        ("Who paid", ["Two coins."], True, 2),
        ("Who paid the ferryman", ["The widow knows."], True, 1),
    ]
    assert "merged" in shell.done("-c", "road", "log", "-n", "99")
    for words in (("search", "rang"), ("show", "threads", "--json"), ("export", "-f", "json")):
        said = shell.say("-c", "road", *words, "--for", "table").out
        assert "merged" not in said
        assert "She rang it." not in said


def test_a_merge_of_people_says_how_a_thread_is_merged(shell: Shell, tmp_path: Path) -> None:
    merging(shell, tmp_path)

    said = shell.say("-c", "road", "merge", "Who paid", "into", "The bell")
    assert (said.code, said.err) == (
        1,
        'There is no “Who paid” here. It is a thread: thread "Who paid" into NAME.\n',
    )
    said = shell.say("-c", "road", "merge", "thread", "Who paid", "into", "The bell")
    assert (said.code, said.err.partition(": ")[2]) == (
        2,
        'thread "Who paid" into "Who paid the ferryman"\n',
    )


def test_what_is_said_of_an_act_names_what_it_is_about(shell: Shell, tmp_path: Path) -> None:
    merging(shell, tmp_path)
    said = [
        shell.done("-c", "road", "thread", *words)
        for words in (
            ("bell:", "Hm."),
            ("Who paid", "into", "Who paid the ferryman"),
            ("ferryman", "name=The coin"),
            ("coin", "--done"),
        )
    ]

    assert said == [
        "more at #9 (The bell): “Hm.” (for the game master only)\n",
        "merged at #6 (Who paid) into #8 (Who paid the ferryman)\n",
        "renamed at #8 (The coin): “The coin”\n",
        "closed at #8 (The coin)\n",
    ]


def test_a_retcon_gives_no_thread_the_name_of_a_place_or_a_thing(shell: Shell, tmp_path: Path) -> None:
    lines = 'thread "The widow"\nplace "The mill"\nthread widow name="The miller"\nthing "The key"\n'
    (tmp_path / "short.session").write_text(lines, "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(tmp_path / "short.session"))

    for moment, name, taken in (("2", "a mill", "place The mill"), ("4", "key", "thing The key")):
        refusal = shell.refused("-c", "road", "--yes", "retcon", f"{moment}:", name)
        assert refusal.startswith(
            f"There is a {taken} already: choose another name. As it is now: retcon {moment} --as "
        )
    shell.done("-c", "road", "--yes", "retcon", "2:", "Miller")
    shell.done("-c", "road", "--yes", "retcon", "4:", "The widow's mill")
    assert [name for name, *_ in listed(shell, "threads")] == ["The widow's mill"]
