"""Dice on a line as people type them: blanks, whole words, words behind them, and results in brackets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retold.journal.language.lexing import lex
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.scribe import Scribe

PLAYED = """\
campaign X
game d20
cast gm by=Eve
cast Ana by=Jon str=2: A fighter.
cast Dorn str=1
cast Dis str=1
session One
"""


@pytest.fixture(scope="module")
def scribe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path_factory.mktemp("dice") / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in PLAYED.splitlines():
            scribe.say(line)
        yield scribe


@pytest.mark.parametrize(
    ("typed", "throw", "total"),
    [
        ("1d20+-5 = 11", "1d20-5", 6),
        ("1d4 + -1 = 3", "1d4-1", 2),
        ("1d20 - 5 = 11", "1d20-5", 6),
        ("1d20 + 5 = 11", "1d20+5", 16),
        ("2D6 = 3 4", "2d6", 7),
        ("2D20KH1 = 4 17", "2d20kh1", 17),
        ("\uff12\uff44\uff16 = \uff13 \uff14", "2d6", 7),
        ("3d6 = [1, 4, 6]", "3d6", 11),
        ("3d6 = (1 4 6)", "3d6", 11),
        ("3d6 = 1+4+6", "3d6", 11),
        ("-1d4+2d6 = 1 2 3", "-1d4+2d6", 4),
        ("8 + 1d6 = 3", "8+1d6", 11),
        ("1d10*10 = 7", "1d10*10", 70),
        ("1d10 * 10 = total 70", "1d10*10", 70),
        ("(2d6+6)*5 = 3 4", "(2d6+6)*5", 65),
        ("( 2d6 + 6 ) * 5 = 3 4", "(2d6+6)*5", 65),
        ("4d20/4 = 17 4 18 16", "4d20/4", 13),
        ("1d6!>4 = 5 2", "1d6!>4", 7),
        ("3d6!5 = 5 1 2 6", "3d6!5", 14),
        ("1d20ro<3 = 2 15", "1d20ro<=2", 15),
        ("5d10>=7f1 = 1 7 8 9 2", "5d10>=7f1", 2),
        ("5d10 t7 f1 = 1 7 8 9 2", "5d10>=7f1", 2),
        ("3d6>3 = 1 4 5", "3d6>=4", 2),
        ("8d10 >= 7 = 1 2 3 4 5 6 7 8", "8d10>=7", 2),
        ("4d6 kh3 = 1 2 3 4", "4d6kh3", 9),
        ("{1d8!,1d6!}kh1 = 8 2 6 3", "{1d8!,1d6!}kh1", 10),
        ("{ 1d8!, 1d6! }kh1 = 8 2 6 3", "{1d8!,1d6!}kh1", 10),
        ("d20 advantage = 3 5", "2d20kh1", 5),
        ("d20 + 5 disadvantage = 3 5", "2d20kl1+5", 8),
        ("d20 + str vs 15 = 14", "1d20+2[str]", 16),
        ("d20 with advantage = 3 5", "2d20kh1", 5),
        ("1d20 plus 5 = 11", "1d20+5", 16),
        ("2d6 minus 2 = 3 4", "2d6-2", 5),
        ("4d6 keep 3 = 1 2 3 4", "4d6kh3", 9),
        ("4d6 drop 1 = 1 2 3 4", "4d6kh3", 9),
        ("4d6 best 2 = 1 2 3 4", "4d6kh2", 7),
        ("2W6 = 3 4", "2d6", 7),
        ("3d6 = 1/4/6", "3d6", 11),
        ("1d20+4 = nat 20", "1d20+4", 24),
        ("1d20 dc 13 = 14", "1d20", 14),
        ("1d20+4 vs dc 13 = 14", "1d20+4", 18),
        ("2d6 against 9 = 3 4", "2d6", 7),
        ("2d6=3 4", "2d6", 7),
        ("2d6= 3, 4", "2d6", 7),
        ("2D6=[3,4]", "2d6", 7),
        ("2d6 [3, 4]", "2d6", 7),
        ("1d20+5=11", "1d20+5", 16),
        ("8d10>=7=1 2 3 4 5 6 7 8", "8d10>=7", 2),
        ("2d6=total 7", "2d6", 7),
    ],
)
def test_B11_B12_dice_are_taken_as_people_type_them(
    scribe: Scribe, typed: str, throw: str, total: int
) -> None:
    *_, reached = scribe.say(f"roll Ana {typed}").events

    assert isinstance(reached, e.TotalReached)
    assert (reached.throw, reached.total) == (throw, total)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("Ana 2d6+3 fire = 3 4", "fire"),
        ("2d6 for the door = 3 4", "for the door"),
        ("Ana 1d20+4 to hit = 11", "to hit"),
        ("Ana d20 adv against the wind = 3 5", "against the wind"),
        ("Ana d20+1 vs 15 sneaking = 3", "sneaking"),
    ],
)
def test_G11_words_behind_dice_say_what_they_are_for(scribe: Scribe, typed: str, text: str) -> None:
    rolled = scribe.say(f"roll {typed}").events[0]

    assert isinstance(rolled, e.DiceRolled)
    assert rolled.text is not None
    assert rolled.text.text == text


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("Ana d20 avd = 3 5", "Did you mean adv?"),
        ("Ana 3d6!p = 1 2 3", "“p” is not known in 3d6!p: write "),
        ("Ana 1d10x10", "“x10” may mean times or explode: write *10 or !10."),
        ("Ana 3x2d6", "“x2d6” is not known in 3x2d6: write "),
        ("Ana 3#d20", "“#d20” is not known in 3#d20: write "),
        ("Ana 3d", "“d” is not known in 3d: write "),
        ("Ana 2d6 x3", "“x3” may be several throws or a product: a line for each, or *3."),
        ("Ana 2d6 three times", "“three times” may be several throws or a product: a line for each, or *3."),
        ("Ana 2d6 = 2d6", "“2d6” is dice, which stand before =: roll 2d6 = 3 4."),
        ("Ana 1d6!>=5 = 5 2", "1 result too many: 2. 1d6!>=5: 6 brings another die, 5 or more counts."),
        ("Ana d66 = 3 4", "d66: one die of 66 sides; two d6 read as tens and ones are 1d6*10+1d6."),
        ("Ana 2d6 = 7", "2 dice are rolled here and 1 was given. Their sum alone is written = total 7."),
    ],
)
def test_B11_dice_that_are_refused_are_answered_with_the_part(
    scribe: Scribe, typed: str, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        scribe.say(f"roll {typed}")

    assert sentence in refused.value.sentence


def test_a_character_called_dis_rolls_with_and_without_advantage(scribe: Scribe) -> None:
    for typed in ("roll Dis d20+1 = 14", "roll Dis d20 advantage = 14 3", "roll Ana d20 vs Dis = 14"):
        assert scribe.say(typed).done is not None


@pytest.mark.parametrize(
    "line",
    [
        "roll Dorn -1d4+2d6",
        "roll Ana+Dorn 1d6",
        "roll Dorn 1d6",
        "cast Bradford",
        "cast d20bot",
        "ruling 2d6.clubs=3",
        "raise 4 + 3",
        "hp Oda - 3",
    ],
)
def test_words_that_are_no_dice_stay_apart(line: str) -> None:
    assert " ".join(token.text for token in (lex(line).verb, *lex(line).tokens)) == line


def test_an_answer_says_which_faces_explode_and_which_count(scribe: Scribe) -> None:
    outcome = scribe.say("roll Ana 3d10!>=8 = 10 8 2 1")

    assert outcome.said == ("3d10!>=8: 10 brings another die, 8 or more counts.",)
    assert scribe.say("roll Ana 1d6!>4 = 5 2").said == ("1d6!>4: 5 or more brings another die.",)
    assert scribe.say("roll Ana 3d6! = 5 2 1").said == ()


def test_B12_a_die_that_others_read_as_two_says_how_it_was_read(scribe: Scribe) -> None:
    assert scribe.say("roll Ana d66 = 35").said == (
        "d66: one die of 66 sides; two d6 read as tens and ones are 1d6*10+1d6.",
    )
    assert scribe.say("roll Ana 1d6*10+1d6 = 3 5").said == ()


def test_G11_a_number_behind_a_word_for_a_goal_is_the_goal(scribe: Scribe) -> None:
    *_, reached = scribe.say("roll Ana 1d20 dc 13 = 14").events

    assert isinstance(reached, e.TotalReached)
    assert (reached.goal, reached.margin) == (13, 1)
