"""Somebody secret in a conflict: nobody else's line says, counts or waits for anything because of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e

TABLE = """\
cast gm by=Mary
cast Ana by=Kit
cast Bo by=Jon
session One
game d20
cast Assassin --gm
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "road.retold", seed="a seed") as made:
        made.play(TABLE)
        yield made


def kinds(campaign: retold.Campaign, viewer: str = "table") -> list[str]:
    return [one.kind for one in campaign.seen_by(viewer).happened()]


def test_a_joiner_is_seen_on_their_known_allys_side(campaign: retold.Campaign) -> None:
    campaign.play("conflict Out Assassin+Ana vs Bo\ncast Hob\njoin Hob Ana\nend conflict victory Hob\n")

    told = [one.event for one in campaign.seen_by("table").happened()]
    (joined,) = (one for one in told if isinstance(one, e.Joined))
    (ended,) = (one for one in told if isinstance(one, e.ConflictEnded))
    ana = campaign.scribe.table.called("Ana")
    assert (joined.side, ended.winner) == (ana, ana)


@pytest.mark.parametrize("line", ["join Assassin Ana", "join Assassin"])
def test_a_secret_person_joins_and_leaves_unseen(campaign: retold.Campaign, line: str) -> None:
    campaign.say("conflict Out Ana vs Bo")
    before = kinds(campaign)
    campaign.play(f"{line}\nleave Assassin\n")

    assert kinds(campaign) == before


def test_a_known_person_cannot_join_a_secret_side(campaign: retold.Campaign) -> None:
    campaign.play("conflict Out Ana vs Bo vs Assassin\ncast Hob\n")

    with pytest.raises(Refused, match="reveal Assassin first"):
        campaign.say("join Hob Assassin")


def test_a_secret_persons_turn_begins_no_public_round(campaign: retold.Campaign) -> None:
    campaign.play("conflict Out Ana+Assassin vs Bo\nturn Ana\nturn Assassin\nturn Assassin again\nturn Bo\n")

    assert "round 1: Bo's turn" in campaign.seen_by("table").happened()[-1].told


def test_a_secret_persons_turn_does_not_change_who_is_next(campaign: retold.Campaign) -> None:
    campaign.play("conflict Out Ana+Assassin vs Bo\ninitiative Ana 9\ninitiative Bo 5\n")
    campaign.play("initiative Assassin 7\nturn\nturn\nturn\nturn\nturn\n")

    turns = [one.told for one in campaign.seen_by("table").happened() if one.kind == "homebrew.turn-began"]
    assert turns == ["round 1: Ana's turn", "round 1: Bo's turn", "round 2: Ana's turn"]


def test_initiative_for_all_leaves_out_secret_people(campaign: retold.Campaign) -> None:
    campaign.play("conflict Out Ana+Assassin vs Bo\ninitiative = 8 12\n")

    assert kinds(campaign, "gm").count("homebrew.initiative-rolled") == 2


def test_a_secret_persons_dice_change_no_open_die(tmp_path: Path) -> None:
    rolled = []
    for number, more in enumerate(("", "initiative Assassin\n")):
        with retold.new(tmp_path / f"{number}.retold", seed="a seed") as made:
            made.play(f"{TABLE}conflict Out Ana+Assassin vs Bo\n{more}roll Ana d20\nroll Bo d20\n")
            assert made.verify().whole
            rolled.append([one.told for one in made.happened() if one.kind == "table.dice-rolled"][-2:])

    assert rolled[0] == rolled[1]


def test_references_between_events_do_not_count_hidden_ones(campaign: retold.Campaign) -> None:
    campaign.play("narrate Ana: One.\nmark the-stair\n")
    (marked,) = (one for one in campaign.happened() if one.kind == "table.marked")
    told = campaign.seen_by("table").happened()

    assert isinstance(marked.event, e.Marked)
    assert marked.position == marked.event.at + 1
    assert isinstance(told[-1].event, e.Marked)
    assert told[told[-1].event.at - 1].kind == "table.narrated"


FIGHTS = {
    "whiskey": (
        "cast Ana whiskey combat=9 base=1 die=1 hp=4\ncast Bo whiskey combat=9 base=1 die=1 hp=4\n"
        "cast Assassin whiskey combat=9 base=1 die=1 hp=4 --gm\nconflict Out whiskey Ana+Assassin vs Bo\n"
        "declare Ana engage Bo\ndeclare Bo stand\nclash\n"
    ),
    "edgerunner": (
        "cast Ana edgerunner guns=2\ncast Bo edgerunner guns=2\ncast Assassin edgerunner guns=2 --gm\n"
        "conflict Out edgerunner Ana+Assassin vs Bo\nexchange\nsimple Ana\nsimple Bo\nexchange\n"
    ),
}


@pytest.mark.parametrize("game", FIGHTS)
def test_pending_does_not_name_a_secret_person(tmp_path: Path, game: str) -> None:
    with retold.new(tmp_path / "road.retold") as made:
        made.play(f"session One\n{FIGHTS[game]}")

        assert "Assassin" not in repr(made.seen_by("table").view("pending").sheet())


def test_a_secret_persons_aspect_leaves_no_gap_in_the_numbers(tmp_path: Path) -> None:
    with retold.new(tmp_path / "road.retold") as made:
        made.play(
            "session One\ncast Ana edgerunner aspect.a=Loud\ncast Assassin edgerunner aspect.a=Sly --gm\n"
            "aspect Ana Wet\n"
        )

        assert "aspect no. 2" in made.seen_by("table").happened()[-1].told
