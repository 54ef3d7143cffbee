"""People who are out, dying, or have rolled already: what is asked, and whose turn it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.games.homebrew.events import TrackChanged, TurnBegan
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


def test_a_second_roll_of_initiative_is_asked_about_and_a_typed_number_is_not(tmp_path: Path) -> None:
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT)
        campaign.say("initiative Pip = 14", ask=no)

        with pytest.raises(Refused, match="Nothing was recorded"):
            campaign.say("initiative Pip", ask=no)
        campaign.say("initiative Pip 12", ask=no)

    assert asked == ["There is a number already: Pip 16. Roll again?"]


def test_a_dying_character_keeps_a_turn_and_an_npc_who_is_out_is_passed_over(tmp_path: Path) -> None:
    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT + "cast Rook by=Ben health=9\njoin Rook Pip\nhp Rook 0\nturn Pip\n")

        began = [campaign.say("turn").events[0] for _ in range(2)]

        turns = [event for event in began if isinstance(event, TurnBegan)]
        assert [campaign.scribe.table.name(event.who) for event in turns] == ["Rook", "Pip"]


def test_damage_with_a_plus_is_added_to_the_dice_of_the_sheet(tmp_path: Path) -> None:
    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT + "hp Eel 7\n")

        *_, harmed = campaign.say("roll Eel attack dex vs Pip damage +1d6 = 18 3 4").events

        assert isinstance(harmed, TrackChanged)
        assert (harmed.was, harmed.now) == (9, 2)


def test_a_group_check_passes_if_half_of_the_group_do(tmp_path: Path) -> None:
    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT)

        half = campaign.sentences(campaign.say("roll Pip+Eel check dex vs 10 = 14 2: stealth"))
        none = campaign.sentences(campaign.say("roll Pip+Eel check dex vs 10 = 3 2: stealth"))
        save = campaign.sentences(campaign.say("roll Pip+Eel check dex vs 10 = 3 2: dex save"))

    assert half[2] == "1 of 2 passed: as a group check, it passes."
    assert none[2] == "0 of 2 passed: as a group check, it fails."
    assert not any("group" in sentence for sentence in save)


def test_numbers_that_may_be_ability_scores_are_asked_about(tmp_path: Path) -> None:
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT)
        with pytest.raises(Refused, match="Nothing was recorded"):
            campaign.say("cast Pip str=8 dex=15 con=12", ask=no)
        campaign.say("cast Pip str=-1 dex=2 con=1", ask=no)

    assert asked == [
        "Ability scores are on the sheet as modifiers, here str=-1 dex=2 con=1. Take the numbers as typed?"
    ]


def test_a_new_maximum_beside_hit_points_of_their_own_is_shown_with_the_line(tmp_path: Path) -> None:
    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT + "hp Pip 9/10\n")

        own = campaign.sentences(campaign.say("cast Pip health=12"))
        campaign.say("hp Pip 12/12")
        following = campaign.sentences(campaign.say("cast Pip health=14"))

    assert own[-1] == "Pip's hp: 9/10, as before. To change it too: hp Pip 12/12."
    assert following[-1] == "Pip's hp: 12/14."


def test_a_short_rest_has_the_hit_dice_of_the_class(tmp_path: Path) -> None:
    with retold.new(tmp_path / "lake.retold") as campaign:
        campaign.play(FIGHT + "cast Oda by=Bo class=Fighter health=20\nhp Oda 3\nhp Pip 1\n")

        rested = campaign.sentences(campaign.say("rest Oda+Pip short = 10 8"))

    assert "Oda: 1d10+0[con] is 10" in rested
    assert "Pip: 1d8+0[con] is 8" in rested
