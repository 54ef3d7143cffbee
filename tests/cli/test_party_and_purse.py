"""What a game master types for the whole party, asks of it, and pays from one purse to another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from journal.language.lexing import lex
from journal.refused import Refused
from journal.store.campaign import CampaignStore
from retold.scribe import Scribe
from retold.script_player import Script, play_script

PIER = """game d20
cast Oda by=Ann str=3 wis=2 health=12
cast Thia by=Bea wis=1 health=8
cast "Brother Tam" by=Cem wis=4 health=9
cast Warden health=20 ac=13
"""


@pytest.fixture
def pier(tmp_path: Path) -> Iterator[Scribe]:
    """Three characters with players, and the Warden without one, in d20."""
    with CampaignStore.create(tmp_path / "pier.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, PIER)
        yield scribe


def play(scribe: Scribe, script: str) -> None:
    """Plays a script to its end."""
    for _ in play_script(scribe, Script("pier.session", script.encode())):
        pass


def answer(scribe: Scribe, line: str) -> list[str]:
    """The answer to a line."""
    return list(scribe.say(line).sentences(scribe.table))


def refusal(scribe: Scribe, line: str) -> str:
    """The sentence that refuses a line."""
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    return str(refused.value)


# --- everybody who has a player ---------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["all", "party"])
def test_G15_a_check_of_everybody_with_a_player_is_answered_in_a_line_for_each(
    pier: Scribe, word: str
) -> None:
    assert answer(pier, f"roll {word} check wis vs 12 = 7 13 20: A cold draught.") == [
        "Oda: check with wis: 9 (1d20+2[wis]: 7) against 12, missed by 3: a failure: “A cold draught.”",
        "Thia: check with wis: 14 (1d20+1[wis]: 13) against 12, passed by 2: a success",
        "Brother Tam: check with wis: 24 (1d20+4[wis]: 20) against 12, passed by 12: a success",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "track party coin 40",
        "coin all 40",
        "all coin 40",
        "rest all long",
        "rest long party",
        "roll all d20",
        "status all prone",
        "prone party",
        'conflict "The pier" all vs Warden',
        "hp all+Warden -2",
    ],
)
def test_G15_verbs_for_several_people_take_the_party(pier: Scribe, line: str) -> None:
    whole = line.replace("party", "all").replace("all", "Oda+Thia+Tam")

    command, typed = pier.read(lex(line)).command, pier.read(lex(whole)).command

    assert command == typed


@pytest.mark.parametrize(
    ("game", "line", "whole"),
    [
        ("bruise", "award all", "award Zel+Dov"),
        ("edgerunner", "place party Dock", "place Zel+Dov Dock"),
        ("whiskey", "retire all", "retire Zel+Dov"),
        ("spacetime", "conflict spacetime all vs Fair", "conflict spacetime Zel+Dov vs Fair"),
        ("guenask", "clear all social 1", "clear Zel+Dov social 1"),
    ],
)
def test_G15_the_party_is_taken_in_every_game(tmp_path: Path, game: str, line: str, whole: str) -> None:
    with CampaignStore.create(tmp_path / "all.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, f"cast Zel {game} by=Ann\ncast Dov {game} by=Bea\n")

        assert scribe.read(lex(line)).command == scribe.read(lex(whole)).command


def test_G15_a_person_called_so_is_meant_before_the_party(pier: Scribe) -> None:
    play(pier, "cast Party\n")

    assert answer(pier, "track party coin 40") == ["Party's coin: 0 to 40"]


def test_G15_hidden_and_retired_characters_are_not_in_the_party(pier: Scribe) -> None:
    play(pier, "cast Nix by=Dan --gm\nretire Thia\n")

    assert [line.partition("'")[0] for line in answer(pier, "hp all -1")] == ["Oda", "Brother Tam"]


def test_G15_a_party_of_nobody_is_refused_with_the_line_that_seats_a_player(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "none.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, "game d20\ncast Oda\n")

        said = refusal(scribe, "roll all check wis")

    assert said == (
        "“all” is everybody who has a player, and nobody has one yet:"
        " cast NAME by=PLAYER says who plays whom."
    )


@pytest.mark.parametrize("word", ["all", "party", "table"])
def test_G15_a_note_to_the_party_is_for_the_whole_table(pier: Scribe, word: str) -> None:
    assert answer(pier, f"note --to {word}: The tide turns.") == ["note: “The tide turns.”"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("roll perception", "Perception is a check of wis here: roll all check wis."),
        ("perception", "Perception is a check of wis here: roll all check wis."),
        ("roll all perception", "Perception is a check of wis here: roll all check wis."),
        ("roll Thia stealth vs 12", "Stealth is a check of dex here: roll Thia check dex vs 12."),
        ("Thia athletics", "Athletics is a check of str here: roll Thia check str."),
        ("roll acrobatics all vs 9", "Acrobatics is a check of dex here: roll all check dex vs 9."),
        (
            "roll lockpicking",
            (
                "There is no “lockpicking” here. A roll says whose it is, and the move (attack, check):"
                " roll WHO attack."
            ),
        ),
    ],
)
def test_G15_a_skill_is_answered_with_its_check_filled_in(pier: Scribe, line: str, wanted: str) -> None:
    assert refusal(pier, line) == wanted
