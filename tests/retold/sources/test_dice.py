"""Dice of other tools: each notation on its rung, and faces that Retold's own rules take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.decks.chance import Luck, SeededDealer
from journal.decks.expressions import parse_throw
from journal.decks.throws import throw
from retold.sources.dice import Rung, Throw, avrae, dice_maiden, generic
from tests.retold.sources.made_up import many


def is_taken(found: Throw) -> bool:
    """True if Retold's rules take the faces and come to the same total."""
    luck = Luck(SeededDealer(b"", 1, {}), [str(face) for face in found.faces])
    thrown = throw(parse_throw(found.dice), luck)
    luck.finish()
    return thrown.total == found.total


AVRAE = [
    ("**Result**: 2d20kh1 (~~4~~, 17) + 5\n**Total**: 22", "2d20kh1+5", (4, 17), 22),
    ("**Result**: 2d20kl1 (~~**20**~~, 17) - 1\n**Total**: 16", "2d20kl1-1", (20, 17), 16),
    ("**Result**: 4d6pl1 (~~**1**~~, 3, 4, 5)\n**Total**: 12", "4d6kh3", (1, 3, 4, 5), 12),
    ("4d6rr<4 (~~2~~, 5, 5, 5, ~~2~~, ~~3~~, 4) = `19`", "4d6r<=3", (2, 5, 5, 2, 5, 3, 4), 19),
    ("4d4ro1 (**~~1~~**, 3, **~~1~~**, 2, 2, **4**) = `11`", "4d4ro1", (1, 1, 2, 4, 3, 2), 11),
    ("4d6e6kh3 (4, **6!**, 4, ~~**1**~~, ~~3~~) = `14`", "4d6!kh3", (4, 6, 1, 3, 4), 14),
    ("**Result**: 2d6ro<3 (~~**1**~~, 3, 5)\n**Total**: 8", "2d6ro<=2", (1, 5, 3), 8),
    ("**Result**: 2d6e6 (3, **6!**, 2)\n**Total**: 11", "2d6!", (3, 6, 2), 11),
    ("**Fire**: 2d6 (3, 4) [fire] + 1d8 (**8**) [cold] + 2\n**Total**: 17", "2d6+1d8+2", (3, 4, 8), 17),
    ("d% (42) = `42`", "1d100", (42,), 42),
    ("**Save**: 1d20 (**20**) + 3 = `23`; Success!", "1d20+3", (20,), 23),
]


@pytest.mark.parametrize(("words", "dice", "faces", "total"), AVRAE)
def test_avraes_faces_are_taken(words: str, dice: str, faces: tuple[int, ...], total: int) -> None:
    (found,) = avrae.throws(words)

    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, dice, faces, total)
    assert is_taken(found)


@pytest.mark.parametrize(
    ("words", "dice", "total", "difference"),
    [
        ("**To Hit**: 1d20... = `18`", "1d20", 18, 0),
        ("**Result**: 8d6mi2 (1 -> 2, 4, 5, 6, 3, 2, 2, 4)\n**Total**: 28", "8d6", 28, 0),
        ("**Result**: (1d8 (4) + 4) * 2\n**Total**: 16", "1d8", 16, 0),
        ("**Result**: 2d6 (3, 4)\n**Total**: 9", "2d6", 9, 2),
        ("**Result**: 40d6 (1, 2, 3, ...\n**Total**: 140", "40d6", 140, 0),
    ],
)
def test_avraes_totals_stand_where_faces_do_not(words: str, dice: str, total: int, difference: int) -> None:
    (found,) = avrae.throws(words)

    assert (found.rung, found.dice, found.total) == (Rung.TOTAL, dice, total)
    assert (found.faces, found.difference) == ((), difference)


@pytest.mark.parametrize(
    "words", ["1d100000 (7) = `7`", "200d6 (3) = `700`", "1d1 (1) = `1`", "0d6 () = `0`"]
)
def test_dice_out_of_bounds_stay_words(words: str) -> None:
    assert [found.rung for found in avrae.throws(words)] == [Rung.WORDS]


def test_avrae_names_what_a_throw_was_for() -> None:
    words = "**To Hit (AC 13)**: 1d20 (14) + 6 = `20`\n**Damage**: 2d6 (3, **6**) + 3 = `12`"
    found = avrae.throws(words, "Zel attacks!")

    assert [throw.text for throw in found] == ["Zel attacks! To Hit", "Zel attacks! Damage"]
    assert [throw.against for throw in found] == ["AC 13", ""]


@pytest.mark.parametrize(
    ("request_", "tally", "result", "dice"),
    [
        ("4d6 k3", [6, 5, 3, 1], 14, "4d6kh3"),
        ("4d6 d1", [6, 5, 3, 1], 14, "4d6kh3"),
        ("2d20 kl1 + 5", [17, 4], 9, "2d20kl1+5"),
        ("5d10 t7", [9, 8, 7, 2, 1], 3, "5d10>=7"),
        ("3d6 r2 - 1", [6, 5, 3], 13, "3d6-1"),
        ("d20", [11], 11, "1d20"),
    ],
)
def test_dice_maidens_faces_are_taken(request_: str, tally: list[int], result: int, dice: str) -> None:
    (found,) = dice_maiden.throws(
        f"@Jon Request: `[{request_}]` Roll: `{tally}` Result: `{result}` Reason: `luck`"
    )

    assert (found.rung, found.dice, found.faces, found.text) == (Rung.FACES, dice, tuple(tally), "luck")
    assert is_taken(found)


def test_dice_maidens_other_rolls_keep_their_words() -> None:
    assert [one.rung for one in dice_maiden.throws("@Jon Request: `[sil5]` Rolled")] == [Rung.WORDS]
    assert [
        one.rung for one in dice_maiden.throws("@Jon Request: `[4d6 f1]` Roll: `[6, 1, 1, 1]` Result: `3`")
    ] == [Rung.TOTAL]


@pytest.mark.parametrize(
    ("words", "rung", "dice", "faces", "total"),
    [
        ("3d8+1: [2, 8, 5] + 1 = 16", Rung.FACES, "3d8+1", (2, 8, 5), 16),
        ("2d6 (3 + 5) = 8", Rung.FACES, "2d6", (3, 5), 8),
        ("rolled 2d20kh1 [4, 17] Total: 17", Rung.FACES, "2d20kh1", (4, 17), 17),
        ("d20 = 17", Rung.FACES, "1d20", (17,), 17),
        ("2d6+1 = 8", Rung.TOTAL, "2d6+1", (), 8),
        ("2d6 [3, 5] = 9", Rung.TOTAL, "2d6", (), 9),
    ],
)
def test_dice_in_anybodys_words(
    words: str, rung: Rung, dice: str, faces: tuple[int, ...], total: int
) -> None:
    (found,) = generic.throws(words)

    assert (found.rung, found.dice, found.faces, found.total) == (rung, dice, faces, total)


@pytest.mark.parametrize(
    "words", ["2d6", "we need 2d6 for this", "HP: 12", "add 3d to it", "see http://d6.example/=3"]
)
def test_words_about_dice_are_no_throws(words: str) -> None:
    assert generic.throws(words) == ()


@given(st.integers(0, 50))
def test_every_face_that_a_bot_tells_is_taken(seed: int) -> None:
    for sent in many(seed, 20):
        texts = [sent.words, *(frame.description for frame in sent.frames)]
        read = {"Avrae": avrae.throws, "Dice Maiden": dice_maiden.throws}.get(sent.who.name)
        for text in texts if read else ():
            assert read is not None
            for found in read(text):
                assert found.rung is Rung.FACES
                assert is_taken(found)


@given(st.text(alphabet="0123456789d()[]~*+-=`>,. khlroep\n", max_size=120))
def test_any_words_give_throws_within_bounds(words: str) -> None:
    for found in (*avrae.throws(words), *dice_maiden.throws(f"Request: `[{words}]`"), *generic.throws(words)):
        assert found.rung is not Rung.FACES or (found.faces and found.total is not None)
