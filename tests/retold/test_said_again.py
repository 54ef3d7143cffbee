"""What was recorded, and nobody was told so, is said again under its id: it is recorded once."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.store.contract.event_store import Row

PLAYED = """\
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise spades=3 dodge=2
session S
branch kinder
note: Kinder.
switch mainline
narrate gm --gm: It was the cook.
note: A word to change.
conflict "Out" bruise Zel vs Guards: freedom
draw Zel clubs+melee = KS 10D 8H 7C 4C 3D
quality Guards 9
"""
HIDDEN, NOTED, DRAWN = 11, 12, 15


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.retold"
    with retold.new(path) as campaign:
        campaign.play(PLAYED)
    return path


def rows(path: Path) -> list[Row]:
    with retold.open(path, read_only=True) as campaign:
        return list(campaign.shared.store.record.everything())


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("fix = QS 10D 8H 7C 4C 3D", "mainline"),
        ("fix --keep = QS 10D 8H 7C 4C 3D: It was the queen.", "mainline"),
        (f'retcon {DRAWN} --as "draw Zel clubs+melee = QS 10D 8H 7C 4C 3D"', "retcon"),
        (f"retcon {NOTED}: Another word.", "mainline"),
        (f"reveal {HIDDEN}: So it was.", "mainline"),
        ("branch darker: why not", "darker"),
        ("branch promote kinder", "mainline"),
        ("undo 2", "mainline"),
        ("narrate gm: Rain.", "mainline"),
    ],
)
def test_it_is_there_once_and_is_written_to_as_before(path: Path, line: str, at: str) -> None:
    before = rows(path)
    with retold.open(path) as campaign:
        campaign.say(line, act="said-once")
        written_to = campaign.line_name
    once = rows(path)
    with retold.open(path) as campaign:  # as a service that was killed before it could answer
        again = campaign.say(line, act="said-once")
        assert campaign.line_name == written_to == at
        assert campaign.verify().whole

    assert len(once) > len(before)
    assert rows(path) == once
    assert again.done is not None
    assert again.done.again


def test_under_another_id_it_is_another_act(path: Path) -> None:
    with retold.open(path) as campaign:
        campaign.say("fix = QS 10D 8H 7C 4C 3D", act="said-once")
        campaign.say("fix = QH 10D 8H 7C 4C 3D", act="said-twice")

        assert campaign.branches == ("first-line", "kinder", "fix", "mainline")
