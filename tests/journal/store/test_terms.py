"""What is looked for is found whatever its case, accents and script, and marked where it was typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.store.events.text_matching import (
    Term,
    find_matches,
    normalised,
    parse_terms,
    source_positions,
    words,
)


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("Zoë", "zoe"),
        ("Zoe\N{COMBINING DIAERESIS}", "zoe"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﬁnal", "final"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER Z}el", "zel"),
        ("Ἀθῆναι", "αθηναι"),
        ("Łódź\N{RIGHT SINGLE QUOTATION MARK}s", "lodz's"),
        ("Bjørn Ægir", "bjorn aegir"),
        ("Đorđe", "dorde"),
        ("Þóra Eiðsdóttir", "thora eidsdottir"),
        ("が", "か\N{COMBINING KATAKANA-HIRAGANA VOICED SOUND MARK}"),
    ],
)
def test_letters_fold_alike_whatever_their_case_accents_and_style(text: str, fold: str) -> None:
    assert normalised(text) == fold


@given(st.text())
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@given(st.text())
def test_every_folded_letter_has_its_place_in_the_text(text: str) -> None:
    back = source_positions(text)

    assert len(back) == len(normalised(text)) + 1
    assert list(back) == sorted(back)
    assert back[-1] == len(text)


@given(st.text())
def test_words_are_what_lies_between_what_is_no_letter(text: str) -> None:
    assert [text[word.start : word.end] for word in words(text)] == [word.text for word in words(text)]


@pytest.mark.parametrize(
    ("said", "typed"),
    [("Łucja waits.", "lucja"), ("Lucja waits.", "Łucja"), ("To Bjørn.", "bjorn"), ("Ægir", "ae")],
)
def test_C5_a_letter_with_a_stroke_is_found_by_the_one_a_dictionary_has_it_under(
    said: str, typed: str
) -> None:
    assert find_matches(said, parse_terms([typed]))


def marked(text: str, *typed: str, parts: bool = False) -> str:
    """The text with its matches in brackets."""
    shown, end = "", 0
    for start, stop in find_matches(text, parse_terms(typed, parts=parts)):
        shown += f"{text[end:start]}[{text[start:stop]}]"
        end = stop
    return shown + text[end:]


@pytest.mark.parametrize(
    ("text", "typed", "shown"),
    [
        ("Zoë, and zoe, and Azoe.", ("zoe",), "[Zoë], and [zoe], and Azoe."),
        ("Zoe\N{COMBINING DIAERESIS}!", ("zoë",), "[Zoe\N{COMBINING DIAERESIS}]!"),
        ("The harbour-master", ("harb",), "The [harb]our-master"),
        ("The harbour-master", ("harbour-mas",), "The [harbour-mas]ter"),
        ("Two words", ("words", "two"), "[Two] [words]"),
        ("Only one of two", ("one", "three"), "Only one of two"),
        ("the last one, last", ("last one",), "the [last one], last"),
        ("the last of ones", ("last one",), "the last of ones"),
        ("Die Straße.", ("strass",), "Die [Straß]e."),
        ("Die Straße.", ("s",), "Die [S]traße."),
        ("龍騎士が来る", ("騎士",), "龍[騎士]が来る"),
        ("龍騎士が来る", ("か",), "龍騎士[が]来る"),
        ("ไปตลาดกัน", ("ตลาด",), "ไป[ตลาด]กัน"),
        ("What?! No.", ("?!",), "What[?!] No."),
        ("नमस्ते दुनिया", ("दुनि",), "नमस्ते [दुनि]या"),
        ("한국말", ("한국",), "[한국]말"),
        ('NOT "this" OR that*', ('"this"', "not", "or"), '[NOT] "[this]" [OR] that*'),
    ],
)
def test_a_match_is_a_word_that_begins_so_or_any_part_where_words_have_no_blanks(
    text: str, typed: tuple[str, ...], shown: str
) -> None:
    assert marked(text, *typed) == shown


def test_parts_are_found_within_words_where_that_is_asked_for() -> None:
    assert marked("The harbour-master", "bour", parts=True) == "The har[bour]-master"
    assert marked("aaaa", "aa", parts=True) == "[aaaa]"


def test_blanks_alone_are_nothing_to_look_for() -> None:
    assert parse_terms(["", "  ", " last   One "]) == (Term("last one", part=False),)
