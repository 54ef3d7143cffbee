from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks import french, spacetime
from retold.journal.decks.notation import read_results
from retold.journal.refused import Refused

CANONICAL = (
    *french.deck(1),
    *spacetime.both_ways(spacetime.deck("suits")),
    *(str(number) for number in range(-12, 101)),
    *("+", "-", "0", "_"),
)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("JH JD 10S 7C 4C 3D", "JH JD 10S 7C 4C 3D"),
        ("jh,jd, 10♠,joker", "JH JD 10S joker"),
        ("10 of spades Queen of hearts KS", "10S QH KS"),
        ("Soldier of Serpent T14r excuse", "serpent:soldier T14:r Excuse"),
        ("Triumph XIV reversed u:ruler r s:so", "T14:r unknown:ruler:r serpent:soldier"),
        ("Builder of Paper reversed Triumph V", "paper:builder:r T5"),
        ("so of s", "serpent:soldier"),
        ("7S 2", "7S 2"),
        ("3 07 12", "3 7 12"),
        ("-12 +3 \u22127", "-12 3 -7"),
        ("+++-", "+ + + -"),
        ("+ 0 - -", "+ 0 - -"),
        ("0++- --0+", "0 + + - - - 0 +"),
        ("\u2212\u229e\u22a1\u229f", "- + 0 -"),
        ("0000 00", "0 0 0 0 0 0"),
        ("0", "0"),
        ("-0", "- 0"),
        ("KS _ _ , _", "KS _ _ _"),
        ("plus minus zero blank", "+ - 0 0"),
        ("♥Q ♠10", "QH 10S"),
        ("king of hearts and a 3", "KH 3"),
        ("five of clubs four", "5C 4"),
        ("the Excuse", "Excuse"),
        ("reversed ruler of rock", "rock:ruler:r"),
        ("scissors ruler upright", "blades:ruler"),
        ("XIV serpent home reversed iv", "T14 serpent:home:r T4"),
        ("", ""),
    ],
)
def test_a_line_of_results(line: str, read: str) -> None:
    assert read_results(line.split(" ")) == tuple(read.split())


def test_a_word_of_the_shell_may_hold_several_results() -> None:
    assert read_results(["Soldier of Serpent", "JH JD"]) == ("serpent:soldier", "JH", "JD")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("JH 11S", "There is no 11 of spades."),
        ("XXX", "There is no Triumph XXX: they go from I to XXI."),
        ("T22", "There is no Triumph 22: they go from I to XXI."),
        ("s:se", "In “s:se” the figure may be seeker or servant."),
        ("t of s", "“t of s” may be 10S or serpent:treasure: write the one you mean."),
        ("+++++", "“+++++” is 5 fudge dice: write at most 4 in one word."),
        ("JH excuze", "“excuze” is neither a card nor a face: did you mean Excuse?"),
        ("jak of hearts", "There is no jak of hearts."),
        ("jack of harts", "“jack of harts” is neither a card nor a face: did you mean jack of hearts?"),
        ("!!", "“!!” is neither a card nor a face: write JH, T14, unknown:ruler, 7 or ++0-."),
        ("JH r", "“r” is neither a card nor a face: write JH, T14, unknown:ruler, 7 or ++0-."),
    ],
)
def test_nothing_is_guessed(line: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_results(line.split())

    assert str(refused.value) == sentence


@given(st.lists(st.sampled_from(CANONICAL)))
def test_canonical_results_read_as_themselves(written: list[str]) -> None:
    assert read_results(written) == tuple(written)
    assert read_results([",".join(written)]) == tuple(written)


@given(
    st.lists(
        st.sampled_from(["t", "of", "s", "10", "ruler", "triumph", "xiv", "r", "JH", "reversed", ",", "+-"])
        | st.text(max_size=6),
        max_size=8,
    )
)
def test_whatever_is_typed_is_read_or_refused(words: list[str]) -> None:
    read: tuple[str, ...] = ()
    with suppress(Refused):
        read = read_results(words)

    assert read_results(read) == read


def test_B11_brackets_and_plus_signs_part_numbers_and_not_fudge_faces() -> None:
    assert read_results(["[1,", "4,", "6]"]) == ("1", "4", "6")
    assert read_results(["(3;4)", "{5}"]) == ("3", "4", "5")
    assert read_results(["1+4+6"]) == ("1", "4", "6")
    assert read_results(["0+0+"]) == ("0", "+", "0", "+")
