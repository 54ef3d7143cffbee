"""Rolls of BCDice: faces that Retold's rules take, totals where there is no sign, and secret commands."""

# ruff: noqa: RUF001 - the tool writes full-width signs

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.sources.dice import Rung, Throw, bcdice
from retold.sources.dice.throw import MOST_WORDS
from tests.retold.sources.test_dice import is_taken


def only(text: str) -> Throw:
    answer = bcdice.answer_in(text)
    assert answer is not None
    (found,) = answer.throws
    return found


FACES = [
    ("CCB<=60 【Stealth】 (1D100<=60) ＞ 43 ＞ 成功", "1d100", (43,), 43),
    ("1D100  (1D100) ＞ 82", "1d100", (82,), 82),
    ("4d6+2D10 (4D6+2D10) ＞ 12[1,4,5,2]+11[3,8] ＞ 23", "4d6+2d10", (1, 4, 5, 2, 3, 8), 23),
    ("２ｄ６＋１ (2D6+1) ＞ 8[3,5]+1 ＞ 9", "2d6+1", (3, 5), 9),
    ("1d6-2 (1D6-2) ＞ 1[1]-2 ＞ -1", "1d6-2", (1,), -1),
    ("2D6>=4 (2D6>=4) ＞ 6[2,4] ＞ 6 ＞ 成功", "2d6", (2, 4), 6),
    ("2D6@10+15 (2D6@10+15>=30) ＞ 9[6,3]+15 ＞ 24 ＞ 失敗", "2d6+15", (6, 3), 24),
    ("5D10KH3 (5D10KH3) ＞ 21[2,3,5,8,8] ＞ 21", "5d10kh3", (2, 3, 5, 8, 8), 21),
    ("2D20DH1+1 (2D20DH1+1) ＞ 1[1,20]+1 ＞ 2", "2d20kl1+1", (1, 20), 2),
    ("4B6>=4 (4B6>=4) ＞ 2,2,6,6 ＞ 成功数2", "4d6>=4", (2, 2, 6, 6), 2),
    ("2BK (2B10>=4) ＞ [1,3] ＞ 4 ＞ 失敗", "2d10", (1, 3), 4),
    ("2B6 (2B6>=9) ＞ 3,4 ＞ 成功数0", "2d6", (3, 4), 7),
    ("3B6 (3B6) ＞ 1,5,4", "3d6", (1, 5, 4), 10),
    ("6AL (6D6<=3) ＞ 2[1,2,6,6,6,6] ＞ 成功数：2", "6d6", (1, 2, 6, 6, 6, 6), 27),
    ("4U6 (4U6[6]) ＞ 5,2,11[6,5],23[6,6,6,5] ＞ 23/41(最大/合計)", "4d6!", (5, 2, 6, 6, 5, 6, 6, 5), 41),
    ("D66 (D66) ＞ 25", "2d6", (2, 5), 7),
    ("K20 KeyNo.20c[10] ＞ 2D:[6,5 2,3]=11,5 ＞ 8,3 ＞ 1回転 ＞ 11", "4d6", (6, 5, 2, 3), 16),
    ("CBR(70,30) (1d100<=70,30) ＞ 31[成功,失敗] ＞ 部分的成功", "1d100", (31,), 31),
    ("CC<=53 (1D100<=53) ボーナス・ペナルティダイス[0] ＞ 52 ＞ 52 ＞ 成功", "1d100", (52,), 52),
    ("CCB<=70 【Swim】 (1D100<=70) → 55 → 成功", "1d100", (55,), 55),
    ("2d6+1 (2D6+1) → 8[3,5]+1 → 9", "2d6+1", (3, 5), 9),
    ("CC(1)<=53 (1D100<=53) ボーナス・ペナルティダイス[1] ＞ 92, 52 ＞ 52 ＞ 成功", "2d100kl1", (92, 52), 52),
    ("CC(-2)<=9 (1D100<=9) 獎勵・懲罰骰[-2] ＞ 2, 32, 12 ＞ 32 ＞ 失敗", "3d100kh1", (2, 32, 12), 32),
    ("EL3 EL3 ＞ (2D6+3) ＞ 6[4,2]+3 ＞ 9 ＞ 失敗", "2d6+3", (4, 2), 9),
]


@pytest.mark.parametrize(("text", "dice", "faces", "total"), FACES)
def test_faces_are_taken(text: str, dice: str, faces: tuple[int, ...], total: int) -> None:
    found = only(text)

    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, dice, faces, total)
    assert is_taken(found)


@pytest.mark.parametrize(
    ("text", "dice", "faces", "formula"),
    [
        ("(2D6+1D4)*2 ((2D6+1D4)*2) ＞ (8[5,3]+4[4])*2 ＞ 24", "(2d6+1d4)*2", (5, 3, 4), ""),
        ("1D10*10 (1D10*10) ＞ 7[7]*10 ＞ 70", "1d10*10", (7,), ""),
        ("1D6+3/2U (1D6+3/2U) ＞ 1[1]+3/2U ＞ 3", "1d6", (1,), "1d6+3/2u = 3"),
        (
            "10DX10 (10DX10) ＞ 10[1,1,4,5,5,8,9,10,10,10]+6[4,5,6] ＞ 16",
            "13d10",
            (1, 1, 4, 5, 5, 8, 9, 10, 10, 10, 4, 5, 6),
            "10dx10 = 16",
        ),
    ],
)
def test_I6_a_total_is_told_of_the_dice_that_made_it(
    text: str, dice: str, faces: tuple[int, ...], formula: str
) -> None:
    found = only(text)

    assert (found.rung, found.dice, found.faces, found.formula) == (Rung.FACES, dice, faces, formula)


@pytest.mark.parametrize(
    ("text", "dice", "total"),
    [
        ("1R10 (1R10[1]) ＞ 9", "1d10", 9),
        ("(2D6+1D4)*2 ((2D6+1D4)*2) ＞ 24", "(2d6+1d4)*2", 24),
    ],
)
def test_totals_stand_where_faces_do_not(text: str, dice: str, total: int) -> None:
    found = only(text)

    assert (found.rung, found.dice, found.total, found.faces) == (Rung.TOTAL, dice, total, ())


@pytest.mark.parametrize(
    "text",
    [
        "choice[rope,lamp] (choice[rope,lamp]) ＞ rope",
        "ST シーン表(6) ＞ A library.",
        "RES(11-30) (1d100<=-45) ＞ 自動失敗",
        "k20tf3 KeyNo.20c[3]tf[3] ＞ 2D:[2,3 6,5]=5,11 ＞ 3,9 ＞ 12",
    ],
)
def test_answers_without_numbers_of_dice_keep_their_words(text: str) -> None:
    assert (only(text).rung, only(text).words) == (Rung.WORDS, text)


@pytest.mark.parametrize(
    "text",
    [
        "The lamp ＞ it swings.",
        "＜目星＞で見る ＞ 次へ",
        "a ＞ b",
        "1D100を振る",
        "(first) → 2",
        "choice (a) → b",
        "灯り (A) ＞ 進む",
    ],
)
def test_sentences_with_an_arrow_are_no_throws(text: str) -> None:
    assert bcdice.answer_in(text) is None


def test_what_a_roll_was_for_its_target_and_its_verdict_are_told() -> None:
    found = only("CCB<=43-20 【Talk】 (1D100<=23) ＞ 78 ＞ 失敗")

    assert (found.text, found.against, found.verdict) == ("Talk", "<=23", "失敗")


@pytest.mark.parametrize("first", ["#1\n(1D100<=70)", "#1(1D100<=70)"])
def test_a_repetition_is_several_throws_for_one_thing(first: str) -> None:
    answer = bcdice.answer_in(
        f"x3 CCB<=70 【Swim】 {first} ＞ 4 ＞ 成功\n\n"
        "#2\n(1D100<=70) ＞ 63 ＞ 成功\n#3\n(1D100<=70) ＞ 88 ＞ 失敗"
    )

    assert answer is not None
    assert [(found.faces, found.text) for found in answer.throws] == [
        ((4,), "Swim"),
        ((63,), "Swim"),
        ((88,), "Swim"),
    ]
    assert (answer.words, answer.command) == ("", "CCB<=70")


def test_words_around_a_roll_are_kept() -> None:
    answer = bcdice.answer_in("The rope,\nonce more.\n2D6 (2D6) ＞ 8[3,5] ＞ 8")

    assert answer is not None
    assert answer.words == "The rope,\nonce more."


@pytest.mark.parametrize(
    "command",
    [
        "S1D100",
        "ｓ２Ｄ６",
        "sCCB<=60",
        "SCC<=50",
        "schoice[a,b]",
        "x3 s1d100",
        "SRESB(3-4)",
        "SD66",
        "SNC+1",
    ],
)
def test_a_command_with_an_s_in_front_is_secret(command: str) -> None:
    assert bcdice.is_secret(bcdice.command_of(command))


@pytest.mark.parametrize("command", ["ST", "SG", "SR8", "S", "1D100", "CCB<=60", ""])
def test_a_command_that_begins_with_s_is_not(command: str) -> None:
    assert not bcdice.is_secret(bcdice.command_of(command))


def test_commands_of_the_same_log_tell_what_an_s_means() -> None:
    known = bcdice.commands_in(iter(["ST シーン表(6) ＞ A library.", "[ Zel ] HP : 1 → 2"]))

    assert known == {"ST"}
    assert bcdice.is_secret("SST", known)
    assert not bcdice.is_secret("SST")


@given(st.text(alphabet="0123456789dDBUKHsx()[],+-*<=＞ #\n成功", max_size=80))
def test_any_words_give_throws_within_bounds(words: str) -> None:
    answer = bcdice.answer_in(words)
    for found in answer.throws if answer else ():
        assert found.rung is not Rung.FACES or is_taken(found)


@pytest.mark.parametrize("sign", ["[", "1,", "(", "9", "＞ ", " ＞ (", "#1", "x3 ", "\n"])
def test_hostile_text_is_read_in_its_length(sign: str) -> None:
    size = MOST_WORDS // len(sign) - 20

    bcdice.answer_in(f"1D6 ＞ {sign * size}")
    bcdice.answer_in(f"{sign * size} ＞ 1")
