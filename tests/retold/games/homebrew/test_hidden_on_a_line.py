"""Secret people on a line with others: everybody's part has its own audience, and no open roll changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.games.homebrew import events as h
from retold.games.homebrew.commands.verbs import Initiative
from retold.journal.refused import Refused
from retold.journal.store.verify import verify_chance, verify_rules

TABLE = """\
game d20
cast gm by=Mary
cast Ana by=Kit dex=1 health=9
cast Bo by=Jon dex=2 health=6
cast Hob dex=0 health=4
session One
"""
HIDDEN = "cast Drowned-1+Drowned-2+Drowned-3 dex=1 health=7 --gm: Grey\n"


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[retold.Campaign]:
    with made(tmp_path) as campaign:
        yield campaign


def made(folder: Path, *, hidden: bool = True) -> retold.Campaign:
    """A conflict with three secret people in it, or without them."""
    campaign = retold.new(folder / f"ford-{hidden}.retold", seed="a seed")
    campaign.play(TABLE + HIDDEN if hidden else TABLE)
    campaign.say(f"conflict Ford Ana+Bo vs Hob{'+Drowned-1+Drowned-2+Drowned-3' if hidden else ''}")
    return campaign


def told(campaign: retold.Campaign, viewer: str = "table") -> list[str]:
    return [one.told for one in campaign.seen_by(viewer).happened()]


def numbers(campaign: retold.Campaign, viewer: str = "table") -> list[str]:
    return [line for line in told(campaign, viewer) if " goes at " in line]


def test_G5_initiative_for_all_rolls_for_secret_people_in_secret(ford: retold.Campaign) -> None:
    ford.say("initiative")

    assert [line.split()[0] for line in numbers(ford)] == ["Ana", "Bo", "Hob"]
    assert len(numbers(ford, "gm")) == 6


def test_G5_initiative_rolls_until_every_fighter_has_a_number(ford: retold.Campaign) -> None:
    ford.say("initiative Ana+Bo+Hob")
    ford.say("initiative Drowned-2")
    ford.say("initiative")

    assert len(numbers(ford, "gm")) == 6
    with pytest.raises(Refused, match="All have rolled"):
        ford.say("initiative")


def test_G5_typed_results_go_to_publicly_known_people_first(ford: retold.Campaign) -> None:
    ford.say("initiative = 8 12 3")
    assert [line.split()[0] for line in numbers(ford, "gm")] == ["Ana", "Bo", "Hob"]

    ford.say("initiative = 7 7 7")
    assert len(numbers(ford, "gm")) == 6


@pytest.mark.parametrize(
    ("line", "alone"),
    [
        ("initiative", "initiative"),
        ("initiative Drowned-1+Ana+Drowned-2+Bo", "initiative Ana+Bo"),
        ("initiative Drowned-1+Ana+Bo 3 9 17", "initiative Ana+Bo 9 17"),
        ("track Drowned-1+Ana hp -2: A stone.", "track Ana hp -2: A stone."),
        ("cast Drowned-1+Ana str=3", "cast Ana str=3"),
        ("status Ana+Drowned-1 poisoned: The darts.", "status Ana poisoned: The darts."),
    ],
)
def test_G5_the_table_sees_what_it_would_see_without_the_secret_people(
    tmp_path: Path, line: str, alone: str
) -> None:
    with made(tmp_path) as with_them, made(tmp_path, hidden=False) as without:
        with_them.say(line)
        without.say(alone)
        for campaign in (with_them, without):
            campaign.say("roll Ana 2d20")

        assert told(with_them) == told(without)
        assert told(with_them, "Bo") == told(without, "Bo")
        assert with_them.verify().whole
        store = with_them.scribe.campaign
        assert verify_chance(store.record, b"a seed", 1).proved
        assert list(verify_rules(store, 1)) == []


def test_G5_a_person_who_acts_openly_beside_others_is_shown_as_on_a_line_of_their_own(
    ford: retold.Campaign,
) -> None:
    ford.say("roll Ana+Drowned-1 d20 = 3 9: Both listen.")

    said = told(ford)
    assert any("Drowned-1 rolls 1d20: 9" in line for line in said)
    assert not any("Drowned-2" in line for line in said)


def test_G5_behind_the_screen_all_of_them_roll_in_secret(ford: retold.Campaign) -> None:
    ford.say("roll Ana+Drowned-1 d20 --gm = 3 9")

    assert not any("Drowned" in line or "Ana rolls" in line for line in told(ford))


def test_G5_a_record_of_before_names_those_who_rolled() -> None:
    """Without names, only the people whom all knew rolled in version 1."""
    before = Initiative.of(Initiative.from_version(1, {"results": ("8", "12")}))
    rolled = [h.InitiativeRolled(conflict=1, who=who, number=9) for who in (2, 4)]

    assert before.as_recorded(rolled) == Initiative(who=2, also=(4,), results=("8", "12"))
    assert Initiative.from_version(2, {}) == {}
    assert Initiative.from_version(1, {"who": 2}) == {"who": 2}
