"""A move that does harm, by somebody who is out: a person at the table is asked first."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused

FIGHT = """\
game d20
cast Pip by=Ana dex=2 health=9 ac=12
cast Eel dex=1 health=7 ac=11 damage=1d4
session One
conflict Pip vs Eel
hp Eel 0
"""
BITE = "roll Eel attack dex vs Pip = 13 3"


def test_a_blow_by_somebody_out_is_asked_about_before_it_is_recorded(tmp_path: Path) -> None:
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT)
        before = campaign.scribe.writer.head

        with pytest.raises(Refused, match="Nothing was recorded"):
            campaign.say(BITE, ask=no)
        campaign.say("roll Eel check dex vs 10 = 14", ask=no)
        campaign.say("roll Pip attack dex vs Eel = 14", ask=no)

        assert asked == ["Eel is out. Roll it all the same?"]
        assert campaign.scribe.writer.head > before


def test_a_correction_of_a_number_is_said_by_nobody(tmp_path: Path) -> None:
    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT)
        campaign.say("hp Pip -3")
        campaign.say("hp Pip +1: Only two, I misread")
        campaign.say("potions Pip 2")
        campaign.say("pay potions 1 from Pip to Eel")

        told = bytes(campaign.export(format="markdown")).decode()

    assert "Only two, I misread: Pip gained 1 hp." in told
    assert "**Pip:** Only two" not in told
    assert "Pip gave Eel 1 potion." in told
