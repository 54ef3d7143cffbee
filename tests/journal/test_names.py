from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.names import CLOSE, Ambiguous, Unknown, clean, find, find_phrase, nearest, normalise
from retold.journal.possessives import possessive
from retold.journal.refused import Refused

CAST = {
    1: ("Captain Thoss", "cap"),
    2: ("Axe goblin 1", "ax1"),
    3: ("Axe goblin 2", "ax2"),
    4: ("Axe goblin 12",),
    5: ("Guard 1",),
    6: ("Guard 2",),
    7: ("Zoë",),
    8: ("Zoë the Elder",),
}
ASPECTS = {1: "Fired twice today", 2: "Fired once", 3: "Badly lit", 4: "Lit from below"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Captain-Thoss", "captain thoss"),
        ("CAPTAIN_THOSS ", " Captain \t Thoss"),
        ("Zoë", "zoe"),
        ("Zoe\u0308", "Zoë"),
        ("Straße", "STRASSE"),
        ("ﬁnn", "Finn"),
        ("\uff3a\uff45\uff4c", "Zel"),
        ("The Widow\u2019s Ledger", "the widow's ledger"),
        ("Hall\u2013Cell", "hall-cell"),
        ("a\u00a0b", "a b"),
        ("\u1fb3", "\u03b1"),
        ("İda", "ida"),
    ],
)
def test_names_that_are_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), [("か", "が"), ("कि", "कु"), ("Zel", "Zeb"), ("ab", "a b")])
def test_names_that_are_not_the_same(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text())
def test_folding_what_is_folded_changes_nothing(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)


@given(st.text())
def test_folding_is_blind_to_how_letters_are_composed(name: str) -> None:
    assert normalise(unicodedata.normalize("NFD", name)) == normalise(unicodedata.normalize("NFC", name))


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_a_text_is_kept_exactly(text: str) -> None:
    assert clean(text) is text


def test_what_no_file_can_keep() -> None:
    with pytest.raises(Refused, match=r"Character 2 of this text \(U\+0000\)"):
        clean("a\0")
    with pytest.raises(Refused, match=r"U\+D83D"):
        clean("\ud83d")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("captain-thoss", 1),
        ("CAP", 1),
        ("Thoss", 1),
        ("tho", 1),
        ("c-t", 1),
        ("ax2", 3),
        ("axe-2", 3),
        ("axe-1", 2),
        ("gob-12", 4),
        ("gu-2", 6),
        ("zoe", 7),
        ("zoe-e", 8),
        ("elder", 8),
    ],
)
def test_a_name_is_found_as_it_is_said(typed: str, key: int) -> None:
    assert find(typed, CAST) == key


def test_an_exact_name_goes_before_an_alias_and_an_alias_before_a_beginning() -> None:
    assert find("ann", {1: ("Anna",), 2: ("Bea", "ann"), 3: ("Ann",)}) == 3
    assert find("ann", {1: ("Anna",), 2: ("Bea", "ann")}) == 2
    assert find("ann", {1: ("Joanna", "Bo"), 2: ("Anna",), 3: ("Jo Ann",)}) == 2


def test_a_word_that_may_be_several() -> None:
    with pytest.raises(Ambiguous, match="Axe goblin 2 or Guard 2"):
        find("g-2", CAST)
    with pytest.raises(Ambiguous) as caught:
        find("Guard", CAST)

    assert caught.value.candidates == ("Guard 1", "Guard 2")
    assert caught.value.sentence == "Guard may be Guard 1 or Guard 2."


def test_many_that_may_be_meant_are_not_all_said() -> None:
    with pytest.raises(Ambiguous, match=r"Rat 8 or one of 2 more\.$"):
        find("rat", {n: (f"Rat {n}",) for n in range(1, 11)})


def test_an_unknown_word_suggests_the_nearest_name() -> None:
    with pytest.raises(Unknown) as caught:
        find("Thos-Captin", CAST)

    assert caught.value.nearest[0] == "Captain Thoss"
    assert caught.value.sentence.startswith("There is no “Thos-Captin” here. Did you mean Captain Thoss")


def test_a_number_is_never_cut() -> None:
    with pytest.raises(Unknown):
        find("guard-1", {1: ("Guard 12",)})


@pytest.mark.parametrize("typed", ["", "-", "xqj"])
def test_meaningless_input_matches_no_name(typed: str) -> None:
    with pytest.raises(Unknown):
        find(typed, CAST)


@pytest.mark.parametrize(
    ("typed", "key"), [("fired twice", 1), ("once", 2), ("badly", 3), ("fir tw", 1), ("fired-once", 2)]
)
def test_an_aspect_is_found_by_words_that_follow_each_other(typed: str, key: int) -> None:
    assert find_phrase(typed, ASPECTS) == key


def test_an_aspect_that_may_be_several_or_none() -> None:
    with pytest.raises(Ambiguous, match="Badly lit or Lit from below"):
        find_phrase("lit", ASPECTS)
    with pytest.raises(Unknown):
        find_phrase("fired today", ASPECTS)


def test_the_nearest_names() -> None:
    assert nearest("Zle", ["Zel", "Legionnaires", "Zel"], 1) == ("Zel",)
    assert nearest("Zle", ["Xanthippe"]) == nearest("Zle", []) == ()


def test_looking_for_a_name_that_is_there_loads_no_rapidfuzz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)

    assert find("thoss", CAST) == 1


def test_how_alike_the_nearest_must_be_can_be_asked_for() -> None:
    assert nearest("nothing", ["pending", "pool"]) == ("pending",)
    assert nearest("nothing", ["pending", "pool"], at_least=CLOSE) == ()
    assert nearest("pnding", ["pending", "pool"], at_least=CLOSE) == ("pending",)


@pytest.mark.parametrize(
    ("name", "theirs"), [("Zel", "Zel's"), ("Odalys", "Odalys'"), ("Guards", "Guards'"), ("Max", "Max's")]
)
def test_N17_what_is_somebodys_is_written_in_one_way(name: str, theirs: str) -> None:
    assert possessive(name) == theirs
