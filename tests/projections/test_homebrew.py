"""A table's own game as it is told: a throw that takes another's place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "bridge.retold") as made:
        made.play(
            "\n".join(
                (
                    *("game d20", "cast Thia str=3 dex=2 health=12", "cast Orc dex=1 health=9"),
                    *("session The bridge", "scene The ford: Fog."),
                )
            )
        )
        yield made


def told(campaign: retold.Campaign, voice: str = "report", mechanics: str = "inline") -> str:
    """The page, its lines joined."""
    return " ".join(campaign.export("text", voice=voice, mechanics=mechanics).decode().split())


# --- contests ---------------------------------------------------------------------------------------------


def test_a_throw_that_takes_the_place_of_another_says_so_on_the_screen_and_on_the_page(
    campaign: retold.Campaign,
) -> None:
    campaign.say("roll Thia d20+3 vs Orc = 11")
    campaign.say("roll Thia d20+3 vs Orc = 6")

    said = "Thia: 1d20+3 is 9 against Orc, who has yet to throw; the 14 before it counts no longer"
    assert campaign.happened()[-1].told == said
    assert said in told(campaign)
