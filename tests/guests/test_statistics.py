"""What is counted of a guest."""

from __future__ import annotations

import json
from pathlib import Path

from tests.guests.evenings import FIRST, SECOND
from tests.guests.installed import all_said, recorded

WON = SECOND.partition("mark")[0]
"""The second verse, up to its winner."""
TOLD_AFTERWARDS = "narrate Mara: They carry us home.\nend conflict\n"


def test_G14_what_is_told_after_the_last_verse_is_no_verse(counterpoint: Path, tmp_path: Path) -> None:
    recorded(tmp_path, counterpoint, FIRST + WON + TOLD_AFTERWARDS)

    (counted,) = all_said(tmp_path, counterpoint, [("stats", "time", "--json")])

    (contest,) = json.loads(counted.out)["time"]["conflicts"]
    assert (contest["round"], len(contest["rounds"])) == ("verse", 2)


def test_G14_a_verse_that_was_begun_is_over_with_the_contest(counterpoint: Path, tmp_path: Path) -> None:
    recorded(tmp_path, counterpoint, f"{FIRST}{SECOND}end conflict\n")

    (counted,) = all_said(tmp_path, counterpoint, [("stats", "time", "--json")])

    (contest,) = json.loads(counted.out)["time"]["conflicts"]
    assert len(contest["rounds"]) == 3
