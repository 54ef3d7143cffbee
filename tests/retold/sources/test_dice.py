"""Dice of other tools: each notation on its rung, and faces that Retold's own rules take."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.throws import throw
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.sources.dice import Rung, Throw, avrae, bcdice, d20, dice_maiden, foundry, generic, roll20
from retold.sources.dice.throw import can_come_to, comes_to
from retold.sources.discord import bots
from tests.retold.importing.test_examples import PATHS, source_at
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
    (
        "**Result**: 8d6mi2 (1 -> 2, 4, 5, 6, 3, 2, 2, 4)\n**Total**: 28",
        "8d6mi2",
        (1, 4, 5, 6, 3, 2, 2, 4),
        28,
    ),
    ("**Result**: 2d8mi3 (~~1~~ -> 3, 5) + 4 [fire]\n**Total**: 12", "2d8mi3+4", (1, 5), 12),
    ("**Result**: (1d8 (4) + 4) * 2\n**Total**: 16", "(1d8+4)*2", (4,), 16),
    ("**Result**: 1d10 (7) * 10\n**Total**: 70", "1d10*10", (7,), 70),
    ("**Result**: 8 + 1d6 (3)\n**Total**: 11", "8+1d6", (3,), 11),
    ("**Result**: 4d6ro<3 (**1** -> 4, 5, 3, 6)\n**Total**: 18", "4d6ro<=2", (1, 5, 3, 6, 4), 18),
    ("**Result**: 2d10e>8 (**9!**, **10!**, 3, 4)\n**Total**: 26", "2d10!>8", (9, 4, 10, 3), 26),
    ("**Result**: 3d20ra20 (3, **20!**, 4, 5)\n**Total**: 32", "3d20!o", (3, 20, 5, 4), 32),
    (
        "**Result**: 8d10>=7 (10, 9, 3, 2, 1, 1, 7, 8)\n**Total**: 4 successes",
        "8d10>=7",
        (10, 9, 3, 2, 1, 1, 7, 8),
        4,
    ),
    ("**Save**: 1d20 (**20**) + 3 = `23`; Success!", "1d20+3", (20,), 23),
]


@pytest.mark.parametrize(("words", "dice", "faces", "total"), AVRAE)
def test_avraes_faces_are_taken(words: str, dice: str, faces: tuple[int, ...], total: int) -> None:
    (found,) = avrae.throws(words)

    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, dice, faces, total)
    assert is_taken(found)


@pytest.mark.parametrize(
    ("words", "dice", "total"),
    [
        ("**To Hit**: 1d20... = `18`", "1d20", 18),
        ("**Result**: 40d6 (1, 2, ...\n**Total**: 140", "40d6", 140),
    ],
)
def test_avraes_totals_stand_where_faces_do_not(words: str, dice: str, total: int) -> None:
    (found,) = avrae.throws(words)

    assert (found.rung, found.dice, found.total, found.faces) == (Rung.TOTAL, dice, total, ())


def test_I6_dice_that_come_to_another_total_stand_alone_beside_the_formula() -> None:
    (found,) = avrae.throws("**Result**: 2d6 (3, 4)\n**Total**: 9")

    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, "2d6", (3, 4), 7)
    assert (found.formula, found.difference) == ("2d6 = 9", 2)


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
        ("2d20 d1 + 5", [17, 4], 22, "2d20kh1+5"),
        ("5d10 t7 f1", [10, 8, 3, 1, 1], 0, "5d10>=7f1"),
        ("1d10 * 10", [7], 70, "1d10*10"),
        ("8 + 1d6", [3], 11, "8+1d6"),
        ("s 4d6 k3", [6, 5, 3, 1], 14, "4d6kh3"),
        ("4cod", [9, 8, 3, 1], 2, "4d10!>=8"),
        ("4wod8", [9, 8, 3, 1], 1, "4d10>=8f1"),
        ("attack +10", [7], 17, "1d20+10"),
        ("+d20 + 2", [17, 4], 19, "2d20kh1+2"),
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
    (found,) = dice_maiden.throws("@Jon Request: `[4d6 f1]` Roll: `[6, 1, 1, 1]` Result: `3`")

    assert (found.dice, found.faces, found.formula) == ("4d6", (6, 1, 1, 1), "4d6 f1 = 3")


@pytest.mark.parametrize(
    ("asked", "tally", "result", "dice", "faces"),
    [
        ("4d2 e2 k3", "[2, 2, 2, 1], [2, 1, 1]", 6, "4d2!okh3", (2, 2, 2, 1, 2, 1, 1)),
        ("1d8 * 1d2", "[3], [2]", 6, "1d8*1d2", (3, 2)),
        ("3d6 e6", "[6, 4, 2], [3]", 15, "3d6!o", (6, 4, 2, 3)),
        ("3d6 ie6 + 1d4", "[6, 6, 2], [6, 3], [5], [1]", 29, "3d6!+1d4", (6, 6, 2, 1, 6, 5, 3)),
        ("2d10 ie9", "[9, 4], [10], [2]", 25, "2d10!>8", (9, 4, 10, 2)),
    ],
)
def test_B10_exploded_dice_stand_in_brackets_of_their_own(
    asked: str, tally: str, result: int, dice: str, faces: tuple[int, ...]
) -> None:
    """The same with and without the request in the answer, as until 2022."""
    (new,) = dice_maiden.throws(f"@Jon Request: `[{asked}]` Roll: `{tally}` Result: `{result}`")
    (old,) = dice_maiden.throws(f"@Jon Roll: `{tally}` Result: `{result}`", f"{asked} ! luck")

    assert (new.dice, new.faces) == (old.dice, old.faces) == (dice, faces)
    assert old.text == "luck"
    assert is_taken(new)
    assert new.total == result


@pytest.mark.parametrize(
    ("words", "rung", "dice", "faces", "total"),
    [
        ("3d8+1: [2, 8, 5] + 1 = 16", Rung.FACES, "3d8+1", (2, 8, 5), 16),
        ("2d6 (3 + 5) = 8", Rung.FACES, "2d6", (3, 5), 8),
        ("rolled 2d20kh1 [4, 17] Total: 17", Rung.FACES, "2d20kh1", (4, 17), 17),
        ("d20 = 17", Rung.FACES, "1d20", (17,), 17),
        ("2d6+1 = 8", Rung.TOTAL, "2d6+1", (), 8),
        ("2d6 [3, 5] = 9", Rung.FACES, "2d6", (3, 5), 8),
        ("2d6+1d4: [3, 5]+[2] = 10", Rung.FACES, "2d6+1d4", (3, 5, 2), 10),
        ("4d6d1: [1d, 3, 4, 6] = 13", Rung.FACES, "4d6kh3", (1, 3, 4, 6), 13),
        ("3d6!: [6!, 4, 2, 3] = 15", Rung.FACES, "3d6!", (6, 2, 3, 4), 15),
        ("2d6 = [3, 4] = 7", Rung.FACES, "2d6", (3, 4), 7),
        ("(2d6+6)*5 [3, 4] = 65", Rung.FACES, "(2d6+6)*5", (3, 4), 65),
        ("1d10*10 = 70", Rung.TOTAL, "1d10*10", (), 70),
        ("8+1d6 [3] = 11", Rung.FACES, "8+1d6", (3,), 11),
        ("2d20 [~~3~~, 17] → 17", Rung.FACES, "2d20kh1", (3, 17), 17),
        ("2d20+5 (3, ~~17~~) = **8**", Rung.FACES, "2d20kl1+5", (3, 17), 8),
        ("@Zel, ` 12 ` ⟵ [6, 3]2d6 + 3", Rung.FACES, "2d6+3", (6, 3), 12),
        ("4d6-L: [5, 3, 2, 4] = 12", Rung.FACES, "4d6kh3", (5, 3, 2, 4), 12),
        ("2d6-H+1 = 5", Rung.TOTAL, "2d6kl1+1", (), 5),
        ("max(1d6, 1d8)+2: [3] [5] = 7", Rung.FACES, "{1d6,1d8}kh1+2", (3, 5), 7),
        ("Ilse rolled 1d20+4: 17", Rung.TOTAL, "1d20+4", (), 17),
        ("2d6 => 3 + 4 = 7", Rung.FACES, "2d6", (3, 4), 7),
        ("1d20+5\n15+5\n=\n20", Rung.FACES, "1d20+5", (15,), 20),
        ("1d20+5 = 12 + 5 = 17", Rung.FACES, "1d20+5", (12,), 17),
        ("@Zel rolled 1d20+3: 14 + 3 = *17*", Rung.FACES, "1d20+3", (14,), 17),
        ("5+1d20 = 5 + 14 = 19", Rung.FACES, "5+1d20", (14,), 19),
        ("2d6-1=3+4-1=6 (vs 7)", Rung.FACES, "2d6-1", (3, 4), 6),
        ("2d6+1 => 7 + 1 = 8", Rung.TOTAL, "2d6+1", (), 8),
        ("2d6 = 8 = hit", Rung.TOTAL, "2d6", (), 8),
        ("1d20 + 5\n17", Rung.TOTAL, "1d20+5", (), 17),
    ],
)
def test_dice_in_anybodys_words(
    words: str, rung: Rung, dice: str, faces: tuple[int, ...], total: int
) -> None:
    (found,) = generic.throws(words)

    assert (found.rung, found.dice, found.faces, found.total) == (rung, dice, faces, total)


@pytest.mark.parametrize(
    ("words", "asked", "rung", "dice", "faces", "total", "purpose"),
    [
        ("@Zel rolled **17**", "1d20 stealth", Rung.FACES, "1d20", (17,), 17, "stealth"),
        ("@Zel [3, 4] = 9", "2d6+2", Rung.FACES, "2d6+2", (3, 4), 9, ""),
        ("Individual Rolls: 6, 4, 6\nSum: 16", "3d6 # luck", Rung.FACES, "3d6", (6, 4, 6), 16, "luck"),
        ("@Zel: `[6, 5, 4, 1]` Total: 15", "4d6kh3", Rung.FACES, "4d6kh3", (6, 5, 4, 1), 15, ""),
        ("You rolled 12", "2d6+3", Rung.TOTAL, "2d6+3", (), 12, ""),
        ("Zel -- [18]+5 = 23", "d20+5", Rung.FACES, "1d20+5", (18,), 23, ""),
        ("[6!, 3, 2] = 11", "2d6!", Rung.FACES, "2d6!", (6, 2, 3), 11, ""),
    ],
)
def test_B10_an_answer_without_its_question_is_read_by_the_command(  # noqa: PLR0917 - a row of the table
    words: str, asked: str, rung: Rung, dice: str, faces: tuple[int, ...], total: int, purpose: str
) -> None:
    found = generic.answer(words, asked)

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.total, found.text) == (
        rung,
        dice,
        faces,
        total,
        purpose,
    )


def test_words_that_answer_no_dice_are_no_throw() -> None:
    assert generic.answer("Done, 3 files.", "help me") is None
    assert generic.answer("Pardon?", "2d6") is None


@pytest.mark.parametrize(
    "words",
    [
        *("2d6: 3 goblins come", "roll 2d6\n3 goblins come", "1d20 at level 3: 17 damage"),
        *("2d6", "we need 2d6 for this", "HP: 12", "add 3d to it", "see http://d6.example/=3"),
    ],
)
def test_words_about_dice_are_no_throws(words: str) -> None:
    assert generic.throws(words) == ()


@given(st.integers(0, 50))
def test_every_face_that_a_bot_tells_is_taken(seed: int) -> None:
    for sent in many(seed, 20):
        texts = [sent.words, *(frame.description for frame in sent.frames)]
        for text in texts if sent.who.name in ("Avrae", "Dice Maiden") else ():
            for found in bots.throws(sent.who.name, text):
                assert found.rung is Rung.FACES
                assert is_taken(found)


@given(st.text(alphabet="0123456789d()[]~*+-=`>,. khlroep\n", max_size=120))
def test_I1_throws_in_any_words_are_dice_that_the_table_reads(words: str) -> None:
    for found in (
        *avrae.throws(words),
        *dice_maiden.throws(f"Request: `[{words}]`"),
        *dice_maiden.throws(f"Roll: `[{words}]` Result: `7`", words),
        *generic.throws(words),
        *bcdice_throws(words),
        *filter(None, [generic.answer(words, "4d6kh3+1"), generic.answer("[3, 4] = 7", words)]),
    ):
        is_read_by_the_table(found)


def bcdice_throws(words: str) -> tuple[Throw, ...]:
    found = bcdice.answer_in(f"({words}) \uff1e 7[3,4] \uff1e 7")
    return found.throws if found else ()


def is_read_by_the_table(found: Throw) -> None:
    """Fails unless the throw's line is read again as the same dice with the same results."""
    if found.rung is Rung.WORDS:
        assert found.words.strip()
        return
    assert found.total is not None
    results = f"= {' '.join(map(str, found.faces))}" if found.faces else f"= total {found.total}"
    command = bind(lex(f"roll gm {found.dice} {results}"), Scope(Table(), int)).command

    assert isinstance(command, c.Roll)
    assert command.dice is not None
    assert str(parse_throw(command.dice)) == found.dice
    assert found.rung is Rung.TOTAL or comes_to(found.dice, found.faces) == found.total
    assert found.rung is Rung.FACES or can_come_to(found.dice, found.total)


DICE = st.builds(
    lambda count, sides, modifier: f"{count}d{sides}{modifier}",
    st.integers(1, 4),
    st.sampled_from([2, 6, 20]),
    st.sampled_from(["", "kh1", "kl1", "ro<2", "e2", "mi2", "ra1"]),
)
EXPRESSIONS = st.recursive(
    DICE | st.integers(0, 20).map(str),
    lambda inner: (
        st.builds(lambda one, sign, other: f"{one} {sign} {other}", inner, st.sampled_from("+-*/"), inner)
        | inner.map(lambda one: f"({one})")
        | st.builds(
            lambda name, one, other: f"{name}({one}, {other})", st.sampled_from(["max", "min"]), inner, inner
        )
    ),
    max_leaves=5,
)


@given(EXPRESSIONS, st.integers(-5, 60), st.randoms(use_true_random=False))
def test_I1_I6_any_formula_of_a_tool_becomes_dice_that_the_table_reads(
    expression: str, total: int, random: Random
) -> None:
    """With faces as they may lie, and any total."""

    def lying(die: re.Match[str]) -> str:
        count, sides = int(die[1]), int(die[2])
        return f"{die[0]} ({', '.join(str(random.randint(1, sides)) for _ in range(count))})"

    shown = re.sub(r"(\d+)d(\d+)[a-z<\d]*", lying, expression)
    is_read_by_the_table(d20.rolled("words", shown, total))
    is_read_by_the_table(d20.rolled("words", re.sub(r"\([\d, ]+\)", "...", shown), total))
    for found in (
        roll20.of_title(f"Rolling {expression} = 7", str(total)),
        foundry.throw_in(f"{expression} = 7 = {total}"),
    ):
        if found is not None:
            is_read_by_the_table(found)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_I1_every_throw_of_an_example_is_read_by_the_table(path: Path) -> None:
    for one in source_at(path):
        for found in one.throws:
            is_read_by_the_table(found)
