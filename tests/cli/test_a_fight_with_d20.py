"""A fight in d20: who goes when, as it is answered and shown, and the numbers of a roll."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.games.homebrew.commands.verbs import Roll, Turn
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import decode_command
from retold.journal.store.verify.rules import verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Command, Words
from retold.journal.vocabulary.commands import Cast
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.cli.shell import Shell

FIGHT = """campaign The Mill
game d20
cast Ana dex=3 health=9
cast Wolf-1+Wolf-2+Wolf-3 dex=2 health=7
conflict "The mill" Ana vs Wolf-1+Wolf-2+Wolf-3
"""


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[Scribe]:
    """A poacher against three wolves."""
    with CampaignStore.create(tmp_path / "mill.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, FIGHT)
        yield scribe


def play(scribe: Scribe, script: str) -> None:
    """Plays a script to its end."""
    for _ in play_script(scribe, Script("mill.session", script.encode())):
        pass


def answer(scribe: Scribe, line: str) -> list[str]:
    """The answer to a line."""
    return list(scribe.say(line).sentences(scribe.table))


def test_N14_initiative_is_answered_with_the_order(mill: Scribe) -> None:
    assert answer(mill, "initiative Ana = 14") == [
        "Order: Ana 17 (1d20: 14, next) · Wolf-1 · Wolf-2 · Wolf-3"
    ]
    assert answer(mill, "initiative Wolf-1+Wolf-2 19 3") == [
        "Order: Wolf-1 19 (next) · Ana 17 · Wolf-2 3 · Wolf-3"
    ]


def test_N14_a_tie_is_said_with_the_line_that_turns_it_round(mill: Scribe) -> None:
    mill.say("initiative Ana 17")

    assert answer(mill, "initiative Wolf-1+Wolf-2 17 3")[1:] == [
        "At 17, Ana before Wolf-1. For another order: initiative Wolf-1 18."
    ]
    assert answer(mill, "initiative Wolf-3 18")[1:] == []
    assert answer(mill, "initiative Wolf-1 17")[1:] == ["At 17, Ana before Wolf-1."]


def test_Q37_a_tie_within_a_group_is_not_worth_a_sentence(mill: Scribe) -> None:
    assert answer(mill, "initiative Wolf-1+Wolf-2+Wolf-3 11") == [
        "Order: Wolf-1 11 (next) · Wolf-2 11 · Wolf-3 11 · Ana"
    ]


def test_Q37_an_attack_out_of_turn_is_answered_with_the_line_that_begins_the_turn(mill: Scribe) -> None:
    play(mill, "initiative Wolf-1+Wolf-2+Ana 14 12 9\nturn")

    told = answer(mill, "roll Wolf-2 attack str vs Ana 10 = 3")

    assert told[-1] == "It is Wolf-1's turn. If it is Wolf-2's: turn Wolf-2."
    play(mill, "turn Wolf-2\nturn")
    assert answer(mill, "roll Wolf-2 attack str vs Ana 10 = 3")[-1] == "It is Ana's turn."


def test_N14_a_turn_is_answered_with_who_is_next_and_who_is_out(mill: Scribe) -> None:
    play(mill, "initiative Ana+Wolf-1+Wolf-2+Wolf-3 17 12 9 3\nhp Wolf-1 0")

    assert answer(mill, "turn") == ["round 1: Ana's turn", "Next: Wolf-2. Out: Wolf-1."]


def test_N14_an_answer_says_who_is_out(mill: Scribe) -> None:
    assert answer(mill, "hp Ana+Wolf-1+Wolf-2 -7") == [
        "Ana's hp 9 → 2 of 9",
        "Wolf-1's hp 7 → 0 of 7",
        "Wolf-2's hp 7 → 0 of 7",
        "Out now: Wolf-1, Wolf-2.",
    ]


def test_A1_a_person_who_is_hit_twice_in_one_line_goes_out_once(mill: Scribe) -> None:
    play(mill, "cast Ana+Wolf-2 str=3\ncast Wolf-1 ac=11")

    assert answer(mill, "roll Ana+Wolf-2 attack str vs Wolf-1 damage 7 = 15 16")[-1] == "Out now: Wolf-1."


TOTALS = (
    "roll Ana+Wolf-2 attack str vs Wolf-1 damage 1d8 = total 14 5 total 13 4",
    "roll Ana+Wolf-2 attack str vs Wolf-1 damage 1d8 = 15 total 3 16 4",
    "roll Ana+Wolf-2 d20+3 = 14 total 9",
    "roll Ana attack str vs Wolf-1 damage 1d8 =dealt total 14 5",
    "roll Ana attack str vs Wolf-1 damage 1d8 --gm = total 14 5",
    "rest Ana+Wolf-2 short = total 5 3",
)


@pytest.mark.parametrize("line", TOTALS)
def test_A2_a_total_beside_faces_stays_in_the_line_that_is_recorded(mill: Scribe, line: str) -> None:
    play(mill, "cast Ana+Wolf-2 str=3\ncast Wolf-1 ac=11\nhp Ana+Wolf-2 1")
    mill.say(line)

    assert list(script_of(mill.campaign, 1))[-1] == line
    assert not list(verify_rules(mill.campaign, 1))


def test_A2_a_total_is_mended_by_another_as_a_face_is(mill: Scribe) -> None:
    play(mill, "cast Ana str=3\ncast Wolf-1 ac=11\nroll Ana attack str vs Wolf-1 damage 1d8 = total 9")
    mill.say("fix = total 14 5")

    assert list(script_of(mill.campaign, mill.line))[-1].endswith("damage 1d8 = total 14 5")
    mill.say("fix = 2")
    assert list(script_of(mill.campaign, mill.line))[-1].endswith("damage 1d8 = 2")


def test_A3_an_act_told_anew_without_dice_needs_none_of_those_called_out(mill: Scribe) -> None:
    play(mill, "hp Ana 1\nrest Ana short = 4")
    mill.say('retcon @ --as "rest Ana long"')

    assert list(script_of(mill.campaign, 2))[-1] == "rest Ana long"
    play(mill, "switch retcon\nroll Ana+Wolf-1 check dex vs 12 = 14 9")
    with pytest.raises(Refused, match="1 result too many: 9"):
        mill.say('retcon @ --as "roll Ana check dex vs 12"')


def test_A4_too_few_results_say_who_took_which(mill: Scribe) -> None:
    play(mill, "poisoned Ana")

    with pytest.raises(Refused, match=r"for Wolf-1: each person named needs theirs \(Ana took 14 9\)\."):
        mill.say("roll Ana+Wolf-1 check dex vs 12 = 14 9")


def test_A5_a_condition_has_the_audience_of_its_line(mill: Scribe) -> None:
    mill.say("cast Ana+Wolf-1 by=Jo")

    assert answer(mill, "poisoned Ana+Wolf-2 --to Jo") == [
        "Ana is poisoned (for Jo only)",
        "Wolf-2 is poisoned (for Jo only)",
    ]
    assert answer(mill, "status Ana poisoned off --to Jo") == ["Ana is no longer poisoned (for Jo only)"]
    assert list(script_of(mill.campaign, 1))[-2:] == [
        "status Ana+Wolf-2 poisoned --to Jo",
        "status Ana poisoned off --to Jo",
    ]


def test_A6_a_hidden_condition_that_is_over_is_put_on_openly_again(mill: Scribe) -> None:
    mill.say("prone Ana --gm")

    with pytest.raises(Refused, match=r"^Ana is prone already, and not everyone knows: reveal 13 --only\.$"):
        mill.say("prone Ana")
    assert answer(mill, "prone Ana off") == ["Ana is no longer prone (for the game master only)"]
    assert answer(mill, "prone Ana") == ["Ana is prone"]
    assert answer(mill, "roll Ana attack str vs 10 = 15 3")[1] == (
        "Ana: 2d20kl1 is 3 (counting 2) against 10, missed by 7"
    )


def test_A6_a_hidden_condition_is_revealed_with_its_bearer(mill: Scribe) -> None:
    play(mill, "cast Spy --gm health=3\nprone Spy")

    with pytest.raises(Refused, match=r"^Spy is prone already\.$"):
        mill.say("prone Spy")


def test_A8_new_words_are_those_of_all_who_were_described_by_the_old(mill: Scribe) -> None:
    """Said of any of them, said again, undone, and taken along by a fix of what came before."""
    play(mill, "cast Bo+Cy health=4: Folk\ncast Dee: Folk\nroll Ana check dex vs 12 = 14")
    bo, cy = 13, 15

    assert answer(mill, f"retcon {cy}: Wolves")[-2:] == [
        f"#{cy} reads “Wolves” from now on (its text 1)",
        f"#{bo} reads “Wolves” from now on (its text 1)",
    ]
    mill.say("retcon @: Sheep")
    assert texts(mill) == ["Sheep", "Sheep", "Folk"]
    mill.say("undo")
    mill.say("fix 18 = 13")
    assert texts(mill) == ["Wolves", "Wolves", "Folk"]
    again = list(script_of(mill.campaign, mill.line))
    assert "cast Bo+Cy health=4: Wolves" in again
    assert again[-1] == "retcon 15: Wolves"


def texts(scribe: Scribe) -> list[str]:
    """How the last three of the cast are described on the scribe's line."""
    scribe.writer.catch_up()
    people = list(scribe.campaign.table_at(scribe.line, None).everybody())
    return [str(one.text) for one in people[-3:]]


def test_N14_a_roll_behind_the_screen_is_answered_as_a_secret(mill: Scribe) -> None:
    mill.say("cast Spy --gm dex=1 health=3")
    mill.say("join Spy with Wolf-1 --gm")

    assert answer(mill, "initiative Spy 4") == ["Spy goes at 4 (for the game master only)"]


def test_N14_show_has_the_order_and_those_who_are_up_first(shell: Shell, tmp_path: Path) -> None:
    script = tmp_path / "mill.session"
    wolves = "+".join(f"Wolf-{number}" for number in range(1, 8))
    script.write_text(
        "campaign The Mill\ngame d20\ncast Ana dex=3 health=9\n"
        f"cast {wolves} health=7\nconflict The-mill Ana vs {wolves}\n"
        f"initiative Ana+Wolf-7 17 12\nturn\nhp {wolves.removesuffix('+Wolf-7')} 0\nhp Wolf-7 -2\n"
    )
    shell.done("run", "--new", "-c", "mill.retold", str(script))

    shown = shell.done("-c", "mill.retold", "show").splitlines()
    assert shown[-2].startswith("  Order: Ana 17 (now) · Wolf-7 12 (next) · Wolf-1 (out) ·")
    assert shown[-1].startswith("  Wolf-7 HP 5/7 · Wolf-1 HP 0/7 (out) ·")
    assert shown[-1].endswith("Wolf-6 HP 0/7 (out) · round 1")
    first, second = json.loads(shell.done("-c", "mill.retold", "show", "--json"))["conflicts"][0]["order"][:2]
    assert first == {
        "who": {"id": 1, "name": "Ana"},
        "number": 17,
        "now": True,
        "next": False,
        "acted": True,
        "out": False,
    }
    assert (second["who"]["name"], second["next"]) == ("Wolf-7", True)


def test_N14_show_tracks_has_hit_points(shell: Shell, tmp_path: Path) -> None:
    script = tmp_path / "mill.session"
    script.write_text(f"{FIGHT}hp Ana -2\n")
    shell.done("run", "--new", "-c", "mill.retold", str(script))

    assert "Ana\thp\t7/9" in shell.done("-c", "mill.retold", "show", "tracks").splitlines()


def test_N14_a_record_whose_turn_was_taken_again_without_the_word_is_dumped_so_that_it_runs(
    mill: Scribe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    play(mill, "turn Ana\nturn Wolf-1")
    with monkeypatch.context() as earlier:
        earlier.setattr(Turn, "version", 1)
        mill.record(Turn(who=2, again="unasked"), Manner())
        mill.record(Turn(who=1, again="unasked"), Manner())

    script = list(script_of(mill.campaign, 1))

    assert script[-4:] == ["turn Ana", "turn Wolf-1", "turn Wolf-1 again", "turn Ana"]


def test_Q37_ten_and_more_beside_what_came_up_is_to_be_reached(mill: Scribe) -> None:
    mill.say("roll Ana dex 10 = 12")

    assert list(script_of(mill.campaign, 1))[-1] == "roll Ana dex vs 10 = 12"


@pytest.mark.parametrize("number", ["9", "2"])
def test_N8_a_number_alone_after_a_stat_is_asked_about(mill: Scribe, number: str) -> None:
    with pytest.raises(Refused) as refused:
        mill.say(f"roll Ana dex {number} = 12")

    assert refused.value.sentence == (
        f"Which number that is: roll Ana check dex vs {number} = 12; or roll Ana check dex +{number} = 12."
    )


def test_N8_a_bonus_has_its_sign_in_a_dumped_script(mill: Scribe) -> None:
    """That of a record in which the line had none, too."""
    mill.record(Roll(who=1, move="check", stat="dex", bonus=15, results=("12",)), Manner())
    mill.say("roll Ana dex -2 vs 15 = 12")

    assert list(script_of(mill.campaign, 1))[-2:] == [
        "roll Ana check dex +15 = 12",
        "roll Ana dex -2 vs 15 = 12",
    ]


def test_N9_a_level_is_told_in_place_and_keeps_the_description(shell: Shell, tmp_path: Path) -> None:
    script = tmp_path / "mill.session"
    script.write_text(
        f"{FIGHT}end conflict\nsession One\ncast Brannoc str=3: A half-orc who owes a debt\n"
        "cast Brannoc str=4: Second level\n"
    )
    shell.done("run", "--new", "-c", "mill.retold", str(script))

    page = shell.done("-c", "mill.retold", "export", "-f", "md", "-o", "-")
    assert "- **Brannoc**: A half-orc who owes a debt" in page
    assert "Second level" in page


def test_N9_a_record_whose_words_described_without_the_flag_is_dumped_so_that_it_runs(
    mill: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    mill.say("cast Ana: A poacher")
    with monkeypatch.context() as earlier:
        earlier.setattr(Cast, "version", 1)
        level = Words("Second level")
        mill.record(Cast(who=1, values={"dex": 4}, describe="unasked", text=level), Manner())
        mill.record(Cast(who=Words("Bo"), values={"dex": 4}, describe="unasked", text=level), Manner())

    assert list(script_of(mill.campaign, 1))[-2:] == [
        "cast Ana dex=4 --describe: Second level",
        "cast Bo dex=4: Second level",
    ]


def test_an_expected_number_is_not_matched_to_a_numbered_name(mill: Scribe) -> None:
    play(mill, "turn Wolf-1\nturn Wolf-2\nturn Wolf-1 again")

    assert mill.say("expect round 2").checked


def test_lines_of_version_1_are_read_as_they_were_meant() -> None:
    def read(**fields: object) -> Command:
        return decode_command({"v": 1, **fields}, lambda *_: "Second level", ("homebrew",))

    level = Words("Second level")
    assert read(kind="turn", who=3) == Turn(who=3, again="unasked")
    assert read(kind="turn") == Turn()
    assert read(kind="cast", who=1, values={"str": 4}) == Cast(who=1, values={"str": 4})
    assert read(kind="cast", who=1, text={"~": [0, 0]}) == Cast(who=1, describe="unasked", text=level)


def test_A9_new_words_for_new_words_are_those_of_the_line_that_was_changed(mill: Scribe) -> None:
    play(mill, "narrate Ana: Rain.\nretcon @: Snow.")

    assert answer(mill, "retcon @: Hail.")[-1] == "#13 reads “Hail.” from now on"
    assert list(script_of(mill.campaign, 1))[-3] == "narrate Ana: Hail."
    assert mill.say("undo").said[-1] == "13 reads again: “Snow.”"


def test_A10_a_retold_act_has_the_audience_of_its_new_line(mill: Scribe) -> None:
    play(mill, "cast Ana by=Jo\nprone Ana")

    said = mill.say('retcon @ --as "prone Ana --to Jo"').said
    assert said[1:3] == ("It can be seen by Jo now.", "Nothing else changes.")
    assert list(script_of(mill.campaign, mill.line))[-1] == "status Ana prone --to Jo"
    said = mill.say('retcon @ --as "poisoned Ana"').said
    assert "seen by" not in " ".join(said)
    assert list(script_of(mill.campaign, mill.line))[-1] == "status Ana poisoned --to Jo"
    assert "It can be seen by everybody now." in mill.say('retcon @ --as "prone Ana --to table"').said
    assert list(script_of(mill.campaign, mill.line))[-1] == "status Ana prone"
    assert not list(verify_rules(mill.campaign, mill.line))


def test_A11_what_no_longer_holds_is_told_by_the_names_of_the_line_that_is_left(mill: Scribe) -> None:
    play(mill, "cast Bo+Cy health=4\nhp Bo+Cy -1")

    said = mill.say('retcon @-1 --as "cast Bo health=4" --drop').said
    assert any(
        line.endswith(", track Bo+Cy hp -1 (It names a person who has not been introduced here.)")
        for line in said
    )


AMBUSH = """campaign The Mill
game d20
cast Thia dex=3 ac=12 health=9 damage=1d6
cast Ogre --gm health=22 ac=17 str=2 damage=1d6
conflict "The mill" Thia vs Ogre
roll Ogre attack str vs Thia = 2
"""


def test_1_the_refusal_proposes_a_line_that_hits_a_revealed_fighter(tmp_path: Path) -> None:
    """Everyone knows of the ogre, and nobody of its sheet; the refusal tells no number of it."""
    with CampaignStore.create(tmp_path / "mill.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, AMBUSH)
        with pytest.raises(Refused) as refused:
            scribe.say("roll Thia attack dex vs Ogre = 14")
        assert "17" not in refused.value.sentence
        assert "vs Ogre NUMBER" in refused.value.sentence
        assert "reveal Ogre --sheet" in refused.value.sentence

        line = "roll Thia attack dex vs Ogre 16 = 14 3"
        assert answer(scribe, line)[-1] == (
            "Thia's attack: Ogre's hp 22 → 19 of 22 (for the game master only)"
        )
        assert list(script_of(campaign, 1))[-1] == line
        answer(scribe, "reveal Ogre --sheet")
        assert "against Ogre's ac: a hit" in answer(scribe, "roll Thia attack dex vs Ogre = 14 3")[2]


def test_2_the_answer_names_the_condition_that_made_two_dice_of_a_d20_and_its_damage(mill: Scribe) -> None:
    play(mill, "cast Wolf-1 ac=10\nprone Ana\n")

    said = answer(mill, "roll Ana attack dex vs Wolf-1 damage 1d8 = 18 2")

    assert said[-1] == "Ana is prone: two d20, the lower counts."
    assert answer(mill, "roll Ana dex vs 12 = 18") == [
        "Ana: check with dex: 21 (1d20+3[dex]: 18) against 12, passed by 9: a success"
    ]


def test_3_acting_while_out_or_out_of_turn_is_noticed(mill: Scribe) -> None:
    play(mill, "cast Ana ac=12\nturn Wolf-2\nhp Wolf-1 0")

    assert answer(mill, "roll Wolf-1 attack dex vs Ana damage 1d4 = 18 4")[-2:] == [
        "Wolf-1 is out (hp 0/7).",
        "It is Wolf-2's turn. If it is Wolf-1's: turn Wolf-1.",
    ]
    assert "turn" not in " ".join(answer(mill, "roll Wolf-2 attack dex vs Ana damage 1d4 = 3"))
    assert "turn" not in " ".join(answer(mill, "roll Ana wis vs 12 = 3"))


def test_3_a_new_maximum_reports_the_current_track(mill: Scribe) -> None:
    assert "hp" not in " ".join(answer(mill, "cast Ana health=10"))
    answer(mill, "hp Ana -1")

    assert answer(mill, "cast Ana health=15: Second level")[-1] == "Ana's hp: 9/15."


def test_3_a_session_that_ends_in_a_conflict_says_so(mill: Scribe) -> None:
    play(mill, "session One")
    assert answer(mill, "end session")[-1] == "Still open: the conflict “The mill”."

    play(mill, "end conflict\nsession Two")
    assert len(answer(mill, "end session")) == 1


def test_6_a_contested_roll_prompts_for_the_opponents_line(mill: Scribe) -> None:
    now = "Ana has 5. Now Wolf-1: roll Wolf-1 check STAT vs Ana."

    assert answer(mill, "roll Ana check dex vs Wolf-1 = 2")[-1] == now
    assert answer(mill, "roll Wolf-1 check wis = 9")[-1] == now
    assert "Now" not in " ".join(answer(mill, "roll Wolf-1 check wis vs Ana = 9"))
