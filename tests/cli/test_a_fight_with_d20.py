"""A fight in d20: who goes when, as it is answered and shown, and the numbers of a roll."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from journal.language.scripting import script_of
from journal.refused import Refused
from journal.store.acts import Manner
from journal.store.campaign import Campaign
from journal.store.codec import decode_command
from journal.systems.homebrew.commands.verbs import Roll, Turn
from journal.vocabulary.base import Command
from journal.vocabulary.commands import Cast
from journal.words import Words
from retold.playing import Script, play_script
from retold.scribe import Scribe
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
    with Campaign.create(tmp_path / "mill.retold") as campaign:
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


def test_N14_a_turn_is_answered_with_who_is_next_and_who_is_out(mill: Scribe) -> None:
    play(mill, "initiative Ana+Wolf-1+Wolf-2+Wolf-3 17 12 9 3\nhp Wolf-1 0")

    assert answer(mill, "turn") == ["round 1: Ana's turn", "Next: Wolf-2. Out: Wolf-1."]


def test_N14_who_goes_out_is_said(mill: Scribe) -> None:
    assert answer(mill, "hp Ana+Wolf-1+Wolf-2 -7") == [
        "Ana's hp: 9 to 2/9",
        "Wolf-1's hp: 7 to 0/7",
        "Wolf-2's hp: 7 to 0/7",
        "Out now: Wolf-1, Wolf-2.",
    ]


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


@pytest.mark.parametrize("number", ["15", "2"])
def test_N8_a_number_alone_after_a_stat_is_asked_about(mill: Scribe, number: str) -> None:
    with pytest.raises(Refused) as refused:
        mill.say(f"roll Ana dex {number} = 12")

    assert refused.value.sentence == (
        f"{number} may be what to reach or a bonus: vs {number} is to be reached, under {number} to stay"
        f" under, +{number} is added."
    )


def test_N8_a_bonus_has_its_sign_in_a_dumped_script(mill: Scribe) -> None:
    """That of a record in which the line had none, too."""
    mill.record(Roll(who=1, move="check", stat="dex", bonus=15, results=("12",)), Manner())
    mill.say("roll Ana dex -2 vs 15 = 12")

    assert list(script_of(mill.campaign, 1))[-2:] == [
        "roll Ana check dex +15 = 12",
        "roll Ana dex -2 vs 15 = 12",
    ]


def test_N9_a_level_is_told_in_its_place_and_leaves_who_somebody_is(shell: Shell, tmp_path: Path) -> None:
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


def test_a_number_that_is_expected_is_nobody_whose_name_ends_in_it(mill: Scribe) -> None:
    play(mill, "turn Wolf-1\nturn Wolf-2\nturn Wolf-1")

    assert mill.say("expect round 2").checked


def test_lines_of_version_1_are_read_as_they_were_meant() -> None:
    def read(**fields: object) -> Command:
        return decode_command({"v": 1, **fields}, lambda *_: "Second level", ("homebrew",))

    level = Words("Second level")
    assert read(kind="turn", who=3) == Turn(who=3, again="unasked")
    assert read(kind="turn") == Turn()
    assert read(kind="cast", who=1, values={"str": 4}) == Cast(who=1, values={"str": 4})
    assert read(kind="cast", who=1, text={"~": [0, 0]}) == Cast(who=1, describe="unasked", text=level)


AMBUSH = """campaign The Mill
game d20
cast Thia dex=3 ac=12 health=9 damage=1d6
cast Ogre --gm health=22 ac=17 str=2 damage=1d6
conflict "The mill" Thia vs Ogre
roll Ogre attack str vs Thia = 2
"""


def test_1_somebody_who_came_out_of_hiding_is_struck_by_what_the_refusal_proposes(tmp_path: Path) -> None:
    """Everybody knows of the ogre, and nobody of its sheet; the refusal tells no number of it."""
    with Campaign.create(tmp_path / "mill.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, AMBUSH)
        with pytest.raises(Refused) as refused:
            scribe.say("roll Thia attack dex vs Ogre = 14")
        assert "17" not in refused.value.sentence
        assert "vs Ogre NUMBER" in refused.value.sentence
        assert "reveal Ogre --sheet" in refused.value.sentence

        line = "roll Thia attack dex vs Ogre 16 = 14 3"
        assert answer(scribe, line)[-1] == (
            "Ogre's hp: 22 to 19/22 by attack of Thia (for the game master only)"
        )
        assert list(script_of(campaign, 1))[-1] == line
        answer(scribe, "reveal Ogre --sheet")
        assert "against Ogre's ac: a hit" in answer(scribe, "roll Thia attack dex vs Ogre = 14 3")[2]


def test_2_the_answer_names_the_condition_that_made_two_dice_of_a_d20_and_its_damage(mill: Scribe) -> None:
    play(mill, "cast Wolf-1 ac=10\nprone Ana\n")

    said = answer(mill, "roll Ana attack dex vs Wolf-1 damage 1d8 = 18 2")

    assert said[-1] == "Ana is prone: two d20, the lower counts."
    assert answer(mill, "roll Ana dex vs 12 = 18")[-1] == "Ana: check with dex 3: a success"


def test_3_somebody_who_is_out_and_somebody_on_anothers_turn_are_noticed(mill: Scribe) -> None:
    play(mill, "cast Ana ac=12\nturn Wolf-2\nhp Wolf-1 0")

    assert answer(mill, "roll Wolf-1 attack dex vs Ana damage 1d4 = 18 4")[-2:] == [
        "Wolf-1 is out (hp 0/7).",
        "It is Wolf-2's turn.",
    ]
    assert "turn" not in " ".join(answer(mill, "roll Wolf-2 attack dex vs Ana damage 1d4 = 3"))
    assert "turn" not in " ".join(answer(mill, "roll Ana wis vs 12 = 3"))


def test_3_a_new_most_says_where_the_track_stands(mill: Scribe) -> None:
    assert "hp" not in " ".join(answer(mill, "cast Ana health=10"))
    answer(mill, "hp Ana -1")

    assert answer(mill, "cast Ana health=15: Second level")[-1] == "Ana's hp: 9/15."


def test_3_a_session_that_ends_in_a_conflict_says_so(mill: Scribe) -> None:
    play(mill, "session One")
    assert answer(mill, "end session")[-1] == "Still open: the conflict “The mill”."

    play(mill, "end conflict\nsession Two")
    assert len(answer(mill, "end session")) == 1


def test_6_a_throw_against_somebody_is_answered_with_the_line_that_answers_it(mill: Scribe) -> None:
    now = "Ana has 5. Now Wolf-1: roll Wolf-1 check STAT vs Ana."

    assert answer(mill, "roll Ana check dex vs Wolf-1 = 2")[-1] == now
    assert answer(mill, "roll Wolf-1 check wis = 9")[-1] == now
    assert "Now" not in " ".join(answer(mill, "roll Wolf-1 check wis vs Ana = 9"))
