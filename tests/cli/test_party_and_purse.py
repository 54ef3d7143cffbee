"""What a game master types for the whole party, asks of it, and pays from one purse to another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.journal.copying import copied
from retold.journal.language.lexing import lex
from retold.journal.language.scripting import script_of
from retold.journal.language.writing import bare_token
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.story.state_changes import newcomers
from retold.projections.views import amounts, cast
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.cli.shell import Shell

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
def test_G15_a_check_of_the_party_answers_a_line_for_each(pier: Scribe, word: str) -> None:
    assert answer(pier, f"roll {word} check wis vs 12 = 7 13 20: A cold draught.") == [
        "Oda: check with wis: 9 (1d20+2[wis]: 7) against 12, missed by 3: a failure: “A cold draught.”",
        "Thia: check with wis: 14 (1d20+1[wis]: 13) against 12, passed by 2: a success",
        "Brother Tam: check with wis: 24 (1d20+4[wis]: 20) against 12, passed by 12: a success",
        "2 of 3 passed: as a group check, it passes.",
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
        *((game, "roll all 2d6", "roll Zel+Dov 2d6") for game in ("edgerunner", "whiskey", "bruise")),
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

    assert answer(pier, "track party coin 40") == ["Party's coin 0 → 40"]


def test_G15_hidden_and_retired_characters_are_not_in_the_party(pier: Scribe) -> None:
    play(pier, "cast Nix by=Dan --gm\nretire Thia\n")

    assert [line.partition("'")[0] for line in answer(pier, "hp all -1")] == ["Oda", "Brother Tam"]


def test_G15_an_empty_party_is_refused_with_how_to_seat_players(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "none.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, "game d20\ncast Oda\n")

        said = refusal(scribe, "roll all check wis")

    assert said == (
        "“all” means all people with a player, and there are none yet:"
        " cast NAME by=PLAYER gives a person a player."
    )


@pytest.mark.parametrize("word", ["all", "party", "table"])
def test_G15_a_note_to_the_party_is_for_the_whole_table(pier: Scribe, word: str) -> None:
    assert answer(pier, f"note --to {word}: The tide turns.") == ["note: “The tide turns.”"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("roll perception", "Whose it is: roll Oda check wis: perception"),
        (
            "perception",
            "Whose it is: roll all check wis: perception; or roll Oda check wis: perception",
        ),
        ("Thia athletics", "Athletics is a check of str here: roll Thia check str: athletics"),
        (
            "roll basketry",
            (
                "There is no “basketry” here. A roll says whose it is, and the move (attack, check):"
                " roll WHO attack."
            ),
        ),
    ],
)
def test_G15_a_skill_is_answered_with_its_check_filled_in(pier: Scribe, line: str, wanted: str) -> None:
    assert refusal(pier, line) == wanted


# --- questions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["hp Warden", "Warden hp", "track Warden hp", "hp War"])
def test_G19_a_track_without_a_value_is_a_question(pier: Scribe, line: str) -> None:
    play(pier, "hp Warden 0\n")
    before = pier.writer.head

    assert answer(pier, line) == ["Warden's hp: 0 of 20 (out)."]
    assert pier.writer.head == before


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("coin", ["Oda's coin: 0.", "Thia's coin: 12.", "Brother Tam's coin: 0.", "Warden's coin: 0."]),
        ("coin Oda+Thia", ["Oda's coin: 0.", "Thia's coin: 12."]),
        ("inspiration Oda", ["Oda's inspiration: off."]),
        ("tide", ["The tide: 2 of 6."]),
        ("clock tide", ["The tide: 2 of 6."]),
        ("track Thia", ["Thia: hp 8 of 8, coin 12, prone."]),
        ("Thia", ["Thia: hp 8 of 8, coin 12, prone."]),
    ],
)
def test_G19_every_counter_is_asked_for_by_its_name(pier: Scribe, line: str, wanted: list[str]) -> None:
    play(pier, 'coin Thia 12\nprone Thia\nclock "The tide" 2/6\n')

    assert answer(pier, line) == wanted


def test_G19_a_question_about_an_unknown_name_says_so(pier: Scribe) -> None:
    assert refusal(pier, "hp Zed") == "There is no “Zed” here."


def test_G19_an_unset_track_is_answered_with_how_to_set_it(pier: Scribe) -> None:
    play(pier, "cast Rat\n")

    assert answer(pier, "hp Rat") == ["Rat's hp has no value yet: track Rat hp 9/12."]


def test_G19_games_with_counters_of_their_own_answer_too(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "amber.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, "cast Zel bruise clubs=2\naward Zel 2\n")

        assert answer(scribe, "legacy Zel") == ["Zel's legacy: 2."]


def test_G19_show_answers_what_its_viewer_may_know(pier: Scribe) -> None:
    play(pier, "cast Nix health=7 --gm\n")
    everybody = pier.seen_by("table").table

    asked = amounts.asked(pier.table, [bare_token("hp")])
    assert asked is not None
    assert any("Nix" in line for line in amounts.sentences(pier.table, asked))
    assert not any("Nix" in line for line in amounts.sentences(everybody, asked))
    assert amounts.asked(everybody, [bare_token("hp"), bare_token("Nix")]) is None


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["hp", "Warden"], "Warden's hp: 20 of 20.\n"),
        (["Warden", "hp"], "Warden's hp: 20 of 20.\n"),
        (["Warden"], "Warden: hp 20 of 20, coin 0.\n"),
        (
            ["party"],
            "Oda: hp 12 of 12, coin 0.\nThia: hp 8 of 8, coin 0.\nBrother Tam: hp 9 of 9, coin 0.\n",
        ),
    ],
)
def test_G15_G19_show_takes_a_track_a_name_and_the_party(shell: Shell, words: list[str], wanted: str) -> None:
    shell.done("new", "pier")
    shell.play(PIER, "pier.retold")

    assert shell.done("-c", "pier.retold", "show", *words) == wanted


def test_G19_show_says_what_it_has_where_nothing_is_kept_so(shell: Shell) -> None:
    shell.done("new", "pier")
    shell.play(PIER, "pier.retold")

    assert (
        shell.refused("-c", "pier.retold", "show", "thigs")
        == "There is no view “thigs”. Did you mean things?"
    )
    assert shell.refused("-c", "pier.retold", "show", "hp", "Zed") == "There is no “Zed” here."


# --- names of clocks, secrets and marks -------------------------------------------------------------------


@pytest.fixture
def tide(pier: Scribe) -> Scribe:
    """The same table, with a clock for everybody and one that is hidden."""
    play(pier, 'clock "The tide" 6\nclock "A red moon" 4 --gm\nthread "The lost bell": Who rang it?\n')
    return pier


@pytest.mark.parametrize("line", ["tide +1", "the tide +1", "clock tide +1", "clock Tid +1", "Tide +1"])
def test_G12_a_clock_is_found_by_part_of_its_name(tide: Scribe, line: str) -> None:
    assert answer(tide, line) == ["clock 1 “The tide”: 0 to 1/6"]


def test_G12_a_clock_found_so_is_put_away(tide: Scribe) -> None:
    assert answer(tide, "tide done") == ["clock 1 “The tide” is put away at 0"]


def test_G12_a_number_for_part_of_a_clocks_name_may_mean_a_new_clock_so_it_is_asked(tide: Scribe) -> None:
    asked: list[str] = []
    assert refusal(tide, "clock tide 3") == (
        'Did you mean The tide? If “tide” is another clock, quote the name: "tide".'
    )

    def yes(question: str) -> str:
        asked.append(question)
        return "y"

    tide.consult = yes
    assert answer(tide, "clock tide 3") == ["clock 1 “The tide”: 0 to 3/6"]
    assert asked == ["Did you mean The tide? y is The tide; n: “tide” is another clock. [y/n]"]

    assert answer(tide, 'clock "tide" 3') == ["clock 2 “tide”: 0/3"]


def test_G12_a_quoted_name_is_the_whole_name_of_a_clock(tide: Scribe) -> None:
    play(tide, 'clock "tide" 3\n')

    assert answer(tide, "clock tide +1") == ["clock 2 “tide”: 0 to 1/3"]
    assert answer(tide, 'clock "the tide" +1') == ["clock 1 “The tide”: 0 to 1/6"]


def test_G12_a_name_that_two_clocks_begin_with_is_refused(tide: Scribe) -> None:
    play(tide, 'clock "The tiger" 6\n')

    assert refusal(tide, "clock ti +1") == "ti may be The tide or The tiger."


@pytest.mark.parametrize(
    "line", ["reveal moon", 'reveal clock "A red moon"', "reveal clock red", "reveal a-red"]
)
def test_G12_a_secret_is_revealed_by_part_of_its_name(tide: Scribe, line: str) -> None:
    assert answer(tide, line)[0] == "Everyone knows now: A red moon."


@pytest.mark.parametrize(
    ("line", "name"),
    [("reveal tide", "The tide"), ("reveal thread bell", "The lost bell"), ("reveal Oda", "Oda")],
)
def test_G12_what_is_no_secret_is_not_revealed(tide: Scribe, line: str, name: str) -> None:
    assert refusal(tide, line) == f"{name} is not secret: the whole table knows it."


def test_G12_a_mark_is_found_by_part_of_its_name_after_secrets(tide: Scribe) -> None:
    play(tide, "mark the-long-stair\n")
    assert answer(tide, "note --at stair --to table: Slippery.")[0].startswith("note (for #")

    play(tide, "mark moon-rise\n")
    assert answer(tide, "reveal moon")[0] == "Everyone knows now: A red moon."


def test_G12_lines_of_clocks_are_written_in_full_and_play_again(tide: Scribe) -> None:
    play(tide, "tide +1\nclock moon +1 --gm\n")

    assert list(script_of(tide.campaign, 1))[-2:] == ['clock "The tide" +1', 'clock "A red moon" +1 --gm']


# --- money ------------------------------------------------------------------------------------------------


def test_G15_HB_34_money_with_a_sign_goes_into_the_partys_purse(pier: Scribe) -> None:
    assert answer(pier, "purse") == ["The party's purse is empty: purse gold +12 puts something into it."]
    assert answer(pier, "gold +12: From the eel.") == [
        "The purse enters as person 8, side",
        "The purse's gold 12: “From the eel.”",
    ]
    assert answer(pier, "gold -3") == ["The purse's gold 12 → 9"]
    assert answer(pier, "purse gold 40") == ["The purse's gold 9 → 40"]
    assert answer(pier, "purse") == ["The purse: coin 0, gold 40."]
    assert answer(pier, "gold") == ["The purse's gold: 40."]


def test_G15_an_amount_without_a_sign_may_be_more_or_all_so_both_lines_are_said(pier: Scribe) -> None:
    assert refusal(pier, "gold 12") == "More, or all that is in the purse: gold +12; or purse gold 12."


def test_G15_the_purse_has_no_less_than_nothing(pier: Scribe) -> None:
    play(pier, "gold +12\n")

    assert refusal(pier, "gold -100") == "The purse has 12 gold, not 100."
    assert refusal(pier, "silver -1") == "The purse has 0 silver, not 1."


@pytest.mark.parametrize("name", ["Purse", "The party"])
def test_G15_a_character_called_purse_or_party_is_the_purse(pier: Scribe, name: str) -> None:
    play(pier, f'cast "{name}"\n')

    assert answer(pier, "gold +12") == [f"{name}'s gold 12"]


@pytest.mark.parametrize("coin", ["gold", "silver", "credits", "coin", "gp"])
def test_G15_money_of_any_usual_name_is_counted_from_nothing(pier: Scribe, coin: str) -> None:
    told = answer(pier, f"{coin} Oda +12")

    assert told[0].endswith("12")
    assert told[0].startswith(f"Oda's {coin} ")


@pytest.mark.parametrize("game", ["bruise", "edgerunner", "guenask", "spacetime", "whiskey"])
def test_G15_every_game_has_money(tmp_path: Path, game: str) -> None:
    with CampaignStore.create(tmp_path / "purse.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, f"cast Zel {game} by=Ann\ncast Dov {game} by=Bea\nconflict {game} Zel vs Dov\n")
        play(scribe, "gold Zel +9\n")

        assert answer(scribe, "give gold 4 from Zel to Dov") == [
            "Zel gives Dov 4 gold: 9 → 5",
            "Dov's gold 0 → 4, from Zel",
        ]
        assert answer(scribe, "gold Zel") == ["Zel's gold: 5."]


@pytest.mark.parametrize(
    "line",
    [
        "give gold 5 from Oda to Thia",
        "give 5 gold from Oda to Thia",
        "give 5 gold to Thia from Oda",
        "pay gold 5 to Thia from Oda",
    ],
)
def test_G15_HB_34_money_moves_from_one_to_another_in_one_act(pier: Scribe, line: str) -> None:
    play(pier, "gold Oda 9\n")
    before = pier.writer.head.position

    assert answer(pier, line) == ["Oda gives Thia 5 gold: 9 → 4", "Thia's gold 0 → 5, from Oda"]
    assert pier.writer.act_at(before + 1).last == before + 2
    assert list(script_of(pier.campaign, 1))[-1] == "pay gold 5 from Oda to Thia"

    answer(pier, "undo")
    assert answer(pier, "gold") == ["Oda's gold: 9."]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("give gold 50 from Oda to Thia", "Oda has 9 gold, not 50."),
        ("give gold 5 from Thia to Oda", "Thia has 0 gold, not 5."),
        ("give gold 5 from Oda to Oda", "Oda is on both sides: name two people."),
        ("give gold 0 from Oda to Thia", "What is handed over is 1 to 1000000, not 0."),
        (
            "give gold 5 to Thia",
            "The purse has less; new, or handed over: gold Thia +5; or pay gold 5 from Oda to Thia.",
        ),
        (
            "give 5 gold from Oda",
            "Say to whom: give gold 5 from Oda to NAME. To spend it: gold Oda -5.",
        ),
        ("give gold 5 from Zed to Oda", "There is no “Zed” here."),
        (
            "give hp 5 from Oda to Thia",
            "hp is nothing that is handed over; what is counted is: coin, gold, a counter.",
        ),
    ],
)
def test_G15_what_cannot_be_handed_over_is_refused_and_nothing_moves(
    pier: Scribe, line: str, wanted: str
) -> None:
    play(pier, "gold Oda 9\n")
    before = pier.writer.head

    assert refusal(pier, line) == wanted
    assert pier.writer.head == before


def test_F13_money_needs_no_maximum_and_passes_between_people_and_the_purse(pier: Scribe) -> None:
    play(pier, "track Oda gold 12\ngold +5\ngive gold 4 from Oda to party\ngive gold 1 from party to Thia\n")
    play(pier, 'thing "silver key": Oda has it.\ngive the key to Thia\n')

    assert answer(pier, "gold") == ["Oda's gold: 8.", "Thia's gold: 1.", "The purse's gold: 8."]
    assert list(script_of(pier.campaign, 1))[-2:] == [
        'thing "silver key": Oda has it.',
        'thing "silver key": Thia has it.',
    ]


def test_G15_the_party_in_a_gift_is_its_purse(pier: Scribe) -> None:
    play(pier, "gold +12\n")

    assert answer(pier, "give gold 5 from party to Oda")[0] == "The purse gives Oda 5 gold: 12 → 7"
    assert answer(pier, "give gold 2 from Oda to all")[0] == "Oda gives The purse 2 gold: 5 → 3"


def test_Q37_HB_34_several_get_as_much_each_in_one_act(pier: Scribe) -> None:
    play(pier, "gold +79\n")
    before = pier.writer.head.position

    told = answer(pier, "split gold: At the inn.")

    assert told[::2] == [
        "The purse gives Oda 26 gold: 79 → 53: “At the inn.”",
        "The purse gives Thia 26 gold: 53 → 27",
        "The purse gives Brother Tam 26 gold: 27 → 1",
    ]
    assert pier.writer.act_at(before + 1).last == before + 6
    assert list(script_of(pier.campaign, 1))[-1] == (
        'pay gold 26 from "The purse" to Oda+Thia+"Brother Tam": At the inn.'
    )
    assert refusal(pier, "give gold 1 from purse to Oda+Thia") == "The purse has 0 gold, not 1."
    assert answer(pier, "purse") == ["The purse: coin 0, gold 1."]


def test_Q37_a_purse_is_neither_cast_nor_a_newcomer(pier: Scribe) -> None:
    before = copied(pier.table)

    play(pier, "gold +9\ncast Bob\n")

    assert newcomers(before, pier.table) == ("Bob",)
    assert "The purse" not in [person.name for person in cast.of(pier.table).cast]


def test_Q37_a_cast_character_stays_in_the_cast_as_the_purse(tmp_path: Path) -> None:
    with retold.new(tmp_path / "story.retold") as campaign:
        campaign.play(f"{PIER}cast Purse\ngold +9\n")

        assert "Purse" in str(campaign.view("cast").to_json())


def test_G15_a_gift_beyond_the_receivers_maximum_is_refused(pier: Scribe) -> None:
    play(pier, "track Oda torches 5/6\ntrack Thia torches 5/6\n")

    assert refusal(pier, "give torches 2 from Oda to Thia") == (
        "Thia has 5 of 6 torches, and no room for 2 more."
    )
    assert answer(pier, "give torches 1 from Oda to Thia")[1] == "Thia's torches 5 → 6 of 6, from Oda"


def test_G15_a_gift_is_a_sentence_in_the_story(tmp_path: Path) -> None:
    with retold.new(tmp_path / "story.retold") as campaign:
        campaign.play(f"{PIER}session One\ngold Oda 9\ngive gold 5 from Oda to Thia\n")
        told = campaign.export("text", voice="report").decode()

    assert "Oda gave Thia 5 gold." in told
    assert "took 5 gold" not in told


# --- somebody new in a fight ------------------------------------------------------------------------------


def consulted(scribe: Scribe, reply: str) -> list[str]:
    """Gives the scribe somebody who answers every question so; returns the questions asked."""
    asked: list[str] = []

    def consult(question: str) -> str:
        asked.append(question)
        return reply

    scribe.consult, scribe.attended = consult, True
    return asked


@pytest.mark.parametrize("line", ["conflict x Oda vs Stranger", "join Stranger"])
def test_G18_a_newcomer_to_a_fight_is_asked_about(pier: Scribe, line: str) -> None:
    if line.startswith("join"):
        play(pier, "conflict x Oda vs Warden\n")
    before = pier.writer.head
    asked = consulted(pier, "")

    assert refusal(pier, line) == (
        "Nothing was recorded. With a sheet first: cast Stranger dex=3. Without one: quote the name."
    )
    assert asked == ["Stranger is new here, without a sheet. Let them in so? [y/N]"]
    assert pier.writer.head == before


def test_G18_a_yes_lets_them_in_and_the_answer_says_how_to_give_a_sheet(pier: Scribe) -> None:
    asked = consulted(pier, "y")

    told = answer(pier, 'conflict x Oda vs Stranger+Rook+"Old Wen"')

    assert asked == ["Stranger and Rook are new here, without a sheet. Let them in so? [y/N]"]
    assert told[0] == (
        'Stranger and Rook and Old Wen: new, no sheet yet. To give one: cast Stranger+Rook+"Old Wen" dex=3.'
    )


def test_G18_a_name_whose_cast_was_refused_is_asked_about(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "amber.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, "cast Brack edgerunner driving=2\n")
        with pytest.raises(Refused):
            scribe.say("cast Neve edgerunner flying=fast")
        asked = consulted(scribe, "n")

        said = refusal(scribe, "conflict edgerunner Neve vs Brack")

    assert asked == ["Neve is new here, without a sheet. Let them in so? [y/N]"]
    assert said.startswith("Nothing was recorded. With a sheet first: cast Neve edgerunner ")


@pytest.mark.parametrize("line", ['conflict x Oda vs "Stranger"', "conflict x Oda vs Warden"])
def test_G18_quoted_and_known_names_are_not_asked_about(pier: Scribe, line: str) -> None:
    asked = consulted(pier, "n")

    pier.say(line)

    assert asked == []


def test_G18_a_script_is_not_asked_and_records_what_it_did(pier: Scribe) -> None:
    assert answer(pier, "conflict x Oda vs Stranger") == [
        "Stranger enters as person 8, side",
        "conflict 1 “x”, d20: Oda vs Stranger",
    ]


# --- real dice --------------------------------------------------------------------------------------------


def asked_of(scribe: Scribe, *, reply: bool) -> list[str]:
    """Gives the scribe somebody who answers every yes-or-no question so; returns the questions asked."""
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return reply

    scribe.ask, scribe.attended = ask, True
    return asked


BLOW = "roll Oda attack str vs Warden damage 1d6 = 13 5"


def test_G8_HB_52_dice_that_a_condition_reads_otherwise_are_asked_about(pier: Scribe) -> None:
    play(pier, "prone Oda\n")
    before = pier.writer.head
    asked = asked_of(pier, reply=False)

    assert refusal(pier, BLOW) == (
        "Nothing was recorded. Type every die that the rule reads, or first: prone Oda off."
    )
    assert "".join(asked) == (
        "As the rules read it:\n"
        "Oda is prone: two d20, the lower counts.\n"
        "Oda: attack with str: 8 (2d20kl1+3[str]: 13 5) against 13, missed by 5: a miss\n"
        "Without that rule:\n"
        "Oda: attack with str: 16 (1d20+3[str]: 13) against 13, passed by 3: a hit\n"
        "Warden's hp: 20 to 15\n"
        "Record it as the rules read it?"
    )
    assert pier.writer.head == before


def test_G8_a_yes_records_what_the_rules_read(pier: Scribe) -> None:
    play(pier, "prone Oda\n")
    asked = asked_of(pier, reply=True)

    assert "Oda: attack with str 3 against Warden's ac (prone): a miss" in answer(pier, BLOW)
    assert len(asked) == 1


def test_G8_a_condition_that_leaves_too_few_dice_is_named_before_anything_is_recorded(pier: Scribe) -> None:
    play(pier, "stunned Warden\n")

    assert refusal(pier, BLOW) == (
        "Warden is stunned: two d20, the higher counts. The result is a hit: its damage is 1d6,"
        " and its die was not given. The results in order: = 13 5 DIE."
    )


def test_G8_several_people_on_a_line_are_asked_about_too(pier: Scribe) -> None:
    play(pier, "prone Oda+Thia\n")
    asked = asked_of(pier, reply=False)

    refusal(pier, "roll Oda+Thia attack str vs Warden damage 1d6 = 13 5 18 4")
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("", BLOW),
        ("prone Oda\n", "roll Oda attack str dis vs Warden damage 1d6 = 13 5"),
        ("prone Oda\n", "roll Oda attack str vs Warden damage 1d6 = 18 17 5"),
        ("prone Oda\n", "roll Oda attack str vs Warden"),
        ("frightened Oda\n", "roll Oda check str vs 12 = 13 5"),
    ],
)
def test_G8_dice_with_one_reading_are_not_asked_about(pier: Scribe, before: str, line: str) -> None:
    play(pier, before)
    asked = asked_of(pier, reply=False)

    pier.say(line)

    assert asked == []


def test_G8_a_script_records_what_the_rules_read(pier: Scribe) -> None:
    play(pier, f"prone Oda\n{BLOW}\n")

    assert answer(pier, "hp Warden") == ["Warden's hp: 20 of 20."]


def test_G18_a_game_without_sheets_asks_nothing(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "fair.retold") as campaign:
        scribe = Scribe(campaign, 1)
        asked = consulted(scribe, "n")

        scribe.say("conflict spacetime Reeve vs Fair")

    assert asked == []


def test_G18_a_name_said_to_be_new_is_not_asked_about_again(pier: Scribe) -> None:
    asked = consulted(pier, "n")

    pier.say("conflict x Oda vs Wardn")

    assert asked == ["Did you mean Warden? y is Warden; n: “Wardn” is a new name. [y/n]"]


def test_G15_a_gift_between_secret_and_known_characters_takes_two_lines(pier: Scribe) -> None:
    play(pier, "cast Nix --gm\ngold Nix 9 --gm\n")

    assert refusal(pier, "give gold 2 from Nix to Oda") == (
        "Nix is secret and Oda is not: gold Oda +2 and gold Nix -2 --gm."
    )
    play(pier, "gold Oda +2\ngold Nix -2 --gm\n")
    everybody = pier.seen_by("table").table
    asked = amounts.asked(everybody, [bare_token("gold")])
    assert asked is not None
    assert list(amounts.sentences(everybody, asked)) == ["Oda's gold: 2."]


@pytest.mark.parametrize("line", ["arrow -1", "use an arrow", "arrows Oda -1"])
def test_what_was_never_counted_is_not_spent_and_no_number_is_made_up(pier: Scribe, line: str) -> None:
    assert refusal(pier, line) == "Oda has no arrows yet: arrows Oda N."
