"""Somebody known acts openly at somebody secret: asked once, the line goes on, and a no records nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.refused import NotKnown, Refused

SHEETS = {
    "homebrew": (
        "game d20\ncast Ana dex=1 damage=1d6 health=9\ncast Bo dex=1 health=9\n"
        "cast Hob dex=0 ac=11 health=7 --gm\n"
    ),
    "whiskey": (
        "cast Ana whiskey combat=9 base=1 die=1 hp=4\ncast Bo whiskey combat=9 base=1 die=1 hp=4\n"
        "cast Hob whiskey combat=9 base=1 die=1 hp=4 --gm\n"
    ),
    "edgerunner": "cast Ana edgerunner guns=2\ncast Bo edgerunner guns=2\ncast Hob edgerunner guns=2 --gm\n",
    "bruise": "cast Ana bruise clubs=4\ncast Bo bruise clubs=4\ncast Hob bruise clubs=4 --gm\n",
    "guenask": (
        "cast Ana guenask mind=3 hard=3 body=3 soft=4\ncast Bo guenask mind=3 hard=3 body=3 soft=4\n"
        "cast Hob guenask mind=3 hard=3 body=3 soft=4 --gm\n"
    ),
    "spacetime": "cast Ana\ncast Bo\ncast Hob --gm\n",
}
BLOWS = {
    "homebrew": "roll Ana attack dex vs Hob = 16 5",
    "whiskey": "declare Ana engage Hob",
    "edgerunner": "attack Ana Hob cool with guns = ++00",
    "bruise": "roll Ana d20 vs Hob = 15",
    "guenask": "roll Ana d20 vs Hob = 15",
    "spacetime": "roll Ana d20 vs Hob = 15",
}


class Answers:
    """Answers each question alike, and writes it down."""

    def __init__(self, asked: list[str], *, answer: bool = True) -> None:
        self.asked, self.answer = asked, answer

    def __call__(self, question: str) -> bool:
        self.asked.append(question)
        return self.answer


def in_a_fight(folder: Path, game: str) -> retold.Campaign:
    made = retold.new(folder / "road.retold")
    made.play(f"{SHEETS[game]}session One\n")
    if game != "guenask":  # whose conflicts take no other dice than their own
        made.say(f"conflict Ford {game} Ana vs Bo+Hob: the bridge")
    if game == "edgerunner":
        made.say("exchange")
    return made


def told(campaign: retold.Campaign) -> str:
    return "\n".join(one.told for one in campaign.seen_by("table").happened())


@pytest.mark.parametrize("game", BLOWS)
def test_G6_attacking_a_secret_person_asks_once_and_proceeds(tmp_path: Path, game: str) -> None:
    with in_a_fight(tmp_path, game) as campaign:
        asked: list[str] = []
        campaign.say(BLOWS[game], ask=Answers(asked))

        assert len(asked) == 1
        assert asked[0].startswith("Nobody knows Hob yet. Let everyone see Hob")
        assert "Hob" in told(campaign)
        assert list(campaign.verify().findings) == []


@pytest.mark.parametrize("game", BLOWS)
def test_G6_after_a_no_nothing_is_recorded(tmp_path: Path, game: str) -> None:
    with in_a_fight(tmp_path, game) as campaign:
        before = campaign.scribe.writer.head
        with pytest.raises(Refused, match="Nothing was recorded"):
            campaign.say(BLOWS[game], ask=lambda _question: False)

        assert campaign.scribe.writer.head == before


def test_G6_the_number_that_the_blow_needs_is_asked_about_and_told(tmp_path: Path) -> None:
    with in_a_fight(tmp_path, "homebrew") as campaign:
        asked: list[str] = []
        yes = Answers(asked)
        campaign.say(BLOWS["homebrew"], ask=yes)
        campaign.say(BLOWS["homebrew"], ask=yes)

        assert asked == ["Nobody knows Hob yet. Let everyone see Hob, and the ac, 11?"]
        assert told(campaign).count("is 17 against 11, passed by 6") == 2
        assert "7/9" not in told(campaign)
        campaign.say("cast Hob ac=14 --gm")
        with pytest.raises(Refused, match="Nothing was recorded"):
            campaign.say(BLOWS["homebrew"], ask=Answers(asked, answer=False))
        assert asked[1:] == ["Not everyone knows the sheet of Hob. Let everyone see the ac, 14?"]


def test_G6_without_a_prompt_a_secret_number_is_not_revealed(tmp_path: Path) -> None:
    with in_a_fight(tmp_path, "homebrew") as campaign:
        with pytest.raises(NotKnown, match="vs Hob NUMBER gives it"):
            campaign.say(BLOWS["homebrew"])

        assert "Hob" not in told(campaign)


def test_G6_a_line_that_is_refused_anyway_is_not_asked_about(tmp_path: Path) -> None:
    with in_a_fight(tmp_path, "whiskey") as campaign:
        asked: list[str] = []
        with pytest.raises(Refused):
            campaign.say("declare Ana nonsense Hob", ask=Answers(asked))

        assert asked == []


def test_G6_secret_attacks_and_secret_attackers_are_not_asked_about(tmp_path: Path) -> None:
    with in_a_fight(tmp_path, "homebrew") as campaign:
        asked: list[str] = []
        campaign.say("roll Ana attack dex vs Hob --gm = 16 5", ask=Answers(asked))
        campaign.say("roll Hob check dex vs 12 = 16", ask=Answers(asked))

        assert asked == []


def test_G6_if_the_table_is_asked_before_it_is_asked_once(tmp_path: Path) -> None:
    with in_a_fight(tmp_path, "homebrew") as campaign:
        campaign.say("option table.acting=ask")
        asked: list[str] = []
        campaign.scribe.consult = lambda _question: "n"
        campaign.say(BLOWS["homebrew"], ask=Answers(asked))

        assert len(asked) == 1
        assert "Hob" in told(campaign)


def test_G6_naming_them_in_a_conflict_says_that_they_are_still_secret(tmp_path: Path) -> None:
    with in_a_fight(tmp_path, "homebrew") as campaign:
        campaign.say("cast Imp --gm")
        joined = campaign.say("join Imp Bo")
        opened = campaign.say("conflict Yard Ana vs Bo+Hob+Imp")

        still = "Still secret, and not seen in this fight by the others until they act: "
        assert joined.said == (f"{still}Imp. To show them now: reveal Imp.",)
        assert opened.said == (f"{still}Hob, Imp. To show them now: reveal Hob+Imp.",)
        assert campaign.say("conflict Inn Ana vs Bo").said == ()
