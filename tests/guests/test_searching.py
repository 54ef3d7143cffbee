"""What a guest says is found as long as it is installed, whenever the search index was made."""

from __future__ import annotations

from pathlib import Path

from tests.guests.evenings import FIRST
from tests.guests.installed import all_said, recorded


def test_G3_the_texts_of_a_guest_are_found_once_it_is_installed(counterpoint: Path, tmp_path: Path) -> None:
    recorded(tmp_path, counterpoint, FIRST)

    found = [all_said(tmp_path, site, [("search", "lamps")])[0] for site in (None, counterpoint, None)]

    assert [one.code for one in found] == [1, 0, 1]
    assert "until the **lamps** shake" in found[1].out
