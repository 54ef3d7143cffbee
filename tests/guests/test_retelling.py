"""An act of a guest told anew: what is lost is asked for, and what comes to another verse is told."""

from __future__ import annotations

from pathlib import Path

from tests.guests.evenings import FIRST, SECOND
from tests.guests.installed import all_said, recorded


def test_G8_what_comes_to_belong_to_another_verse_is_told(counterpoint: Path, tmp_path: Path) -> None:
    recorded(tmp_path, counterpoint, FIRST + SECOND)
    retold = 'retcon 22 --as "sing Teo = 5 6"'
    (tmp_path / "refused.session").write_text(f"note: Before.\n{retold}\n", "utf-8")
    (tmp_path / "dropped.session").write_text(f"{retold} --drop\n", "utf-8")

    refused, before, dropped = all_said(
        tmp_path, counterpoint, [("run", "refused.session"), ("log", "-n", "1"), ("run", "dropped.session")]
    )

    assert refused.code == 1
    assert refused.err.startswith("refused.session:2: With this, 4 later acts no longer hold. ")
    assert "Before." in before.out
    assert [line for line in dropped.out.splitlines() if line.startswith("In verse")] == [
        "In verse 1 instead of verse 2: 24",
        "In verse 1 instead of verse 2: 27",
        "In verse 1 instead of verse 2: 32\N{EN DASH}33",
        "In verse 2 instead of verse 3: 35",
    ]
