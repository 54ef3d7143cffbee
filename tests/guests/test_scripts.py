"""What a script says of a guest that is not there, and of what was sealed and redacted since."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.guests.evenings import FIRST, SECOND
from tests.guests.installed import all_said, changed, recorded

LEFT_OUT = re.compile(
    r"# Left out: what stands at (\d+) is of the game counterpoint, which is not installed here\."
)


def test_G6_without_the_guest_a_script_says_where_it_leaves_something_out(
    counterpoint: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST + SECOND)

    script, checked = all_said(tmp_path, None, [("dump", "--script"), ("verify", "--rules")])

    lines = script.out.splitlines()
    left_out = [int(found[1]) for line in lines if (found := LEFT_OUT.fullmatch(line))]
    assert left_out == [14, 15, 16, 19, 21, 25, 26, 27, 28, 30, 32, 35]
    said = [line.partition(" ")[0] for line in lines if line and not line.startswith("#")]
    assert said == ["campaign", "cast", "cast", "cast", "session", "scene", "conflict", "narrate", "mark"]
    assert (checked.code, checked.out.splitlines()[-1]) == (
        0,
        "Every act would be decided the same way today.",
    )


def test_G14_without_the_guest_verify_says_that_its_game_is_not_installed(
    counterpoint: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST)

    (checked,) = all_said(tmp_path, None, [("verify",)])

    told = [line for line in checked.out.splitlines() if line.startswith("counterpoint.")]
    known_of = "is of the game counterpoint, which is not installed here: kept, and not understood."
    assert f"counterpoint.sung {known_of}" in told
    assert all(line.endswith(known_of) for line in told)
    assert "later Retold" not in checked.out


def test_G6_a_verb_that_another_game_has_too_is_that_of_the_conflict_s_game(
    counterpoint: Path, tmp_path: Path
) -> None:
    """Edgerunner has an invoke."""
    recorded(tmp_path, counterpoint, FIRST + SECOND.partition("sing")[0])

    (described,) = all_said(tmp_path, None, [("undo", "--check")])

    assert (described.code, described.out) == (0, "Would be taken back:\n27 (counterpoint.invoked)\n")


def test_G6_a_command_that_a_later_release_of_the_guest_has_not_is_left_out_of_a_script(
    counterpoint: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST + SECOND)
    commands = "retold_counterpoint/commands.py"
    later = [
        (commands, '"NAME:who"', '"NAME:singer"'),
        (commands, "    who: Person\n\n\nclass Encore", "    singer: Person\n\n\nclass Encore"),
        (commands, "who=command.who)]\n\n\ndef _encore", "who=command.singer)]\n\n\ndef _encore"),
    ]

    script, checked = all_said(
        tmp_path,
        changed(counterpoint, tmp_path / "site", later),
        [("dump", "--script"), ("verify", "--rules")],
    )

    assert "\n# Left out: what stands at 27 was said with a verb that nobody here knows.\n" in script.out
    assert "\nsing Mara = 5 1: Lower than the water.\n" in script.out
    assert (script.code, checked.code) == (0, 0)


WHISKEY = """cast Mara whiskey brains=2
cast Teo whiskey brains=2
conflict Docks whiskey Mara vs Teo
"""
COUNTERPOINT = "cast Mara\ncast Teo\nconflict Docks counterpoint Mara vs Teo\n"
OTHER_FIELDS = [
    ("retold_counterpoint/events.py", "    act: str\n    target: Id", "    way: str\n    against: Id"),
    ("retold_counterpoint/events.py", "event.act", "event.way"),
    (
        "retold_counterpoint/commands.py",
        "act=meant.act, target=meant.target",
        "way=meant.act, against=meant.target",
    ),
    ("retold_counterpoint/voice.py", "event.act", "event.way"),
    ("retold_counterpoint/notation.py", "sings {act}{target?", "sings {way}{against?"),
]
ANY_ACT = [("retold_counterpoint/commands.py", "(high|low):act", "ANY:act")]


@pytest.mark.parametrize(
    ("changes", "opening", "one", "other"),
    [
        ([], WHISKEY, "engage Teo", "stand"),
        ([], COUNTERPOINT, "high Teo", "low"),
        (OTHER_FIELDS, COUNTERPOINT, "high Teo", "low"),
        (ANY_ACT, COUNTERPOINT, "high Teo", "low"),
    ],
    ids=["whiskey", "a guest's form", "a guest's fields", "any word"],
)
def test_G9_a_script_of_what_was_sealed_and_redacted_runs_and_comes_to_the_same(
    *,
    changes: list[tuple[str, str, str]],
    opening: str,
    one: str,
    other: str,
    counterpoint: Path,
    tmp_path: Path,
) -> None:
    site = changed(counterpoint, tmp_path / "site", changes)
    declared = f"declare Mara {one} --sealed: Mine.\n"
    recorded(tmp_path, site, f"{opening}{declared}")
    redacted, *said = all_said(
        tmp_path,
        site,
        [
            ("--yes", "redact", "@"),
            ("declare", "Mara", *one.split(), "--sealed:", "Again."),
            ("declare", "Teo", *other.split(), "--sealed:", "Nobody's."),
            ("reveal",),
            ("--yes", "redact", "@-1"),
            ("dump", "--script", "-o", "again.session"),
            ("run", "--new", "-q", "-c", "again.retold", "again.session"),
            ("-c", "again.retold", "dump", "--script"),
            ("-c", "again.retold", "verify", "--rules"),
            ("-c", "evening.retold", "log", "-n", "0", "--json"),
            ("-c", "again.retold", "log", "-n", "0", "--json"),
        ],
        first=1000,
    )

    assert redacted.code == 0, redacted.err
    assert [done.code for done in said] == [0] * len(said), said
    script = (tmp_path / "again.session").read_text("utf-8")
    left_out = "# Left out: what stands at 5 was sealed, and its words were redacted.\n" in script
    assert left_out == (changes == ANY_ACT)
    was, now = (_without_words(done.out) for done in said[-2:])
    if left_out:
        was.pop(next(number for number, (kind, _) in enumerate(was) if kind.endswith("-sealed")))
    assert now == was


def _without_words(log: str) -> list[tuple[str, dict[str, object]]]:
    """The events of a log, without their words, and without what is said of a redaction."""
    events = [json.loads(line) for line in log.splitlines()]
    return [
        (one["kind"], {key: value for key, value in one["data"].items() if key != "text"})
        for one in events
        if one["kind"] not in ("table.redacted", "table.campaign-begun")
    ]
