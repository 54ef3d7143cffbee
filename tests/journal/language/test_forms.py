from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.language.forms import Fit, Form
from retold.journal.language.lexing import lex
from retold.journal.language.tokens import Unreadable
from tests.journal.language.table import EXAMPLES, FORMS

SYSTEMS = {"bruise", "spacetime", "whiskey", "guenask", "edgerunner"}


def read(line: str) -> Fit:
    lexed = lex(line)
    return Form.parse(FORMS[lexed.verb.text]).match(lexed, {"system": SYSTEMS.__contains__})


def shown(fit: Fit) -> dict[str, str]:
    return {slot: " | ".join(" ".join(group) for group in fit.groups(slot)) for slot in fit.slots}


def refused(line: str) -> str:
    with pytest.raises(Unreadable) as caught:
        read(line)
    return caught.value.sentence


@pytest.mark.parametrize("verb", FORMS)
def test_every_form_of_the_specification_can_be_written_and_said(verb: str) -> None:
    form = Form.parse(FORMS[verb])

    assert form is Form.parse(FORMS[verb])
    assert ":" not in str(form).removesuffix("[: text]").removesuffix(": text")


@pytest.mark.parametrize("verb", FORMS)
def test_every_form_has_an_example(verb: str) -> None:
    assert any(lex(line).verb.text == verb for line in EXAMPLES)


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_has_exactly_one_reading(line: str) -> None:
    assert shown(read(line)) == EXAMPLES[line]


def test_captures_keep_the_order_of_the_line() -> None:
    captures = read("next Gatto Hargan 1 Jade 0").captures

    assert [(slot, tokens[0].text) for slot, tokens in captures] == [
        ("who", "Gatto"),
        ("rivals", "Hargan"),
        ("bids", "1"),
        ("rivals", "Jade"),
        ("bids", "0"),
    ]


def test_assignments_are_taken_out_anywhere_on_a_line() -> None:
    fit = read('cast "leg brace"=1d8 Vera hp-=2 guenask by="Jo Ann"')

    assert (fit.one("who"), fit.one("system")) == ("Vera", "guenask")
    assert [(key.text, op, value.text) for key, op, value in fit.assigns] == [
        ("leg brace", "=", "1d8"),
        ("hp", "-=", "2"),
        ("by", "=", "Jo Ann"),
    ]


def test_a_verb_without_data_keeps_an_equals_sign_in_its_title() -> None:
    assert read("scene E=mc2 and other letters").phrase("title") == "E=mc2 and other letters"


# --- Of two words before the first side ---


def test_one_word_before_the_side_is_the_system_if_it_is_one() -> None:
    assert shown(read("conflict bruise Zel vs Guards")) == {"system": "bruise", "sides": "Zel | Guards"}


def test_one_word_before_the_side_is_the_title_if_it_is_no_system() -> None:
    assert shown(read("conflict Stair Zel vs Guards")) == {"title": "Stair", "sides": "Zel | Guards"}


def test_a_system_beside_the_side_leaves_the_word_before_it_the_title() -> None:
    expected = {"title": "whiskey", "system": "bruise", "sides": "Zel | Guards"}

    assert shown(read("conflict whiskey bruise Zel vs Guards")) == expected


def test_without_knowing_the_systems_both_readings_are_named() -> None:
    lexed = lex("conflict bruise Zel vs Guards")

    with pytest.raises(Unreadable, match=r"2 ways: title bruise, .*; or system bruise"):
        Form.parse(FORMS["conflict"]).match(lexed)


# --- Refused, and what the sentence says ---


def test_a_colon_without_a_space() -> None:
    for line in ("say Zel:The end", "declare Zel:The", "scene The stair:Rain since noon", "narrate Zel:The"):
        assert refused(line).startswith("Put a space after the colon in ")


def test_colons_that_begin_nothing() -> None:
    assert read("scene The porch, 3:15 in the morning").phrase("title") == "The porch, 3:15 in the morning"
    assert read("scene About u:ruler: Rain").phrase("title") == "About u:ruler"
    assert read('scene "The stair:Rain"').phrase("title") == "The stair:Rain"


def test_a_quoted_word_is_never_a_keyword_a_number_or_data() -> None:
    assert "take the quotes off" in refused('conflict "X" bruise Zel "vs" Guards')
    assert "does not fit" in refused('undo "2"')
    assert read('ruling "tie=Zel"').one("answer") == "tie=Zel"


def test_a_quoted_word_is_a_name_whatever_it_says() -> None:
    assert read('whiskey.declare "engage" engage "vs"').groups("target") == (("vs",),)
    assert read('edgerunner.place "Salt + Sons"+Zel Dock').all("who") == ("Salt + Sons", "Zel")


def test_a_literal_word_of_the_form_is_no_bare_name() -> None:
    assert "“stand” does not fit here" in refused("whiskey.declare stand")
    assert "“mild” does not fit here" in refused("edgerunner.resist mild 2")


def test_a_keyword_is_no_bare_name() -> None:
    assert "“not” does not fit here; wanted: a name (SUBJECT)" in refused("expect not not turn")


def test_what_was_wanted_where_the_line_got_furthest() -> None:
    assert refused("attack Hargan Gatto cool with") == (
        "After “attack Hargan Gatto cool with” is missing: a name (SKILL). "
        "The form is: attack WHO THING [TRACK] [with SKILL]"
        " [--against] [--extra] [--interrupt] [--upgrade] [= results] [: text]."
    )
    assert refused("raise Vera Hob") == (
        "“Hob” does not fit here; wanted: dice such as 6 or 4+3 (FORWARD) or none. "
        "The form is: raise [WHO] (FORWARD [AFFECTED] | none) [: text]."
    )


@pytest.mark.parametrize("line", ["raise Vera 6 3 Hob", "raise Vera 6+3 Hob"])
def test_dice_with_blanks_between_them_are_put_forward_together(line: str) -> None:
    """Nobody's name is all digits, so that nothing else can be meant."""
    fit = read(line)

    assert (fit.one("who"), fit.all("forward"), fit.all("affected")) == ("Vera", ("6+3",), ("Hob",))


@pytest.mark.parametrize(
    ("line", "forward"), [("see 4 3 1", "4+3+1"), ("see 4+3 1 physical", "4+3+1"), ("see 6", "6")]
)
def test_a_see_takes_as_many_dice_as_there_are(line: str, forward: str) -> None:
    assert read(line).all("forward") == (forward,)


def test_the_first_other_token_ends_the_dice() -> None:
    assert "“3d6” does not fit here" in refused("raise 6 3d6")
    assert refused("raise 6 4+").startswith("“4+” does not fit here")


def test_names_joined_with_blanks() -> None:
    assert "A+B" in refused("edgerunner.place Gatto, Jade Dock")
    assert "A+B" in refused("edgerunner.place Gatto + Jade Dock")


def test_an_unknown_system_is_not_taken_for_one() -> None:
    assert "“brusie” does not fit here" in refused("cast Zel brusie")


def test_text_results_flags_and_data_where_the_verb_has_none() -> None:
    assert refused("switch mainline: so there") == "switch takes no text: end the line before the colon."
    assert "scene takes no results" in refused("scene a = b")
    assert refused("narrate Zel --veto: No.") == "narrate has no --veto."
    assert "no KEY=VALUE" in refused("award Zel n=2")


def test_a_text_that_must_be_there() -> None:
    assert "say wants a text after a colon" in refused("say Zel")
    assert "say wants a text after a colon" in refused("say Zel:")


def test_a_value_without_its_key_beside_it() -> None:
    assert 'right after by=, without a blank (by="" for none)' in refused("cast Zel by= Jon")
    assert read('cast Zel by=""').assigns[0].value.text == ""


@pytest.mark.parametrize("notation", ["NAME:", "[NAME:x", "NAME:x)", "WHO:x", "(NAME:a|b):c", "%"])
def test_a_notation_that_is_wrong(notation: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Form.parse(notation)


# --- Whatever is typed ---


@given(st.sampled_from(sorted(EXAMPLES)), st.randoms(use_true_random=False), st.integers(1, 3))
def test_a_mangled_line_has_one_reading_or_is_refused(line: str, luck: Random, times: int) -> None:
    words = line.split()
    others = " ".join(EXAMPLES).split()
    for _ in range(times):
        place = luck.randrange(1, len(words) + 1)
        words[place : place + luck.randrange(2)] = luck.sample(others, luck.randrange(3))
    with suppress(Unreadable):
        read(" ".join(words))


def test_a_very_long_line() -> None:
    assert len(read("expect pool You " + "2 " * 3000).groups("value")) == 3001
    assert "does not fit" in refused("next Gatto" + " Hargan 1" * 1000 + " 1")


# --- What was awkward (docs/language.md) ---


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("declare Stand", {"who": "Stand"}),
        ("draw hearts", {"who": "hearts"}),
        ("roll athletics", {"who": "athletics"}),
        ("see Thoss 6 physical", {"who": "Thoss", "forward": "6", "track": "physical"}),
        ("end conflict", {"what": "conflict"}),
        ("end conflict session", {"what": "conflict", "how": "session"}),
        ("expect not pool", {"opposite": "not", "subject": "pool"}),
        ("aspect Dock to the sea, with vs for 2", {"thing": "Dock", "aspect": "to the sea, with vs for 2"}),
        ('edgerunner.place "Salt + Sons" Dock', {"who": "Salt + Sons", "zone": "Dock"}),
        ('declare "a: b = c"', {"who": "a: b = c"}),
        ("quality Guards 9", {"who": "Guards", "rank": "9"}),
        ("draw = 10S 9H", {}),
    ],
)
def test_lines_that_were_awkward(line: str, expected: dict[str, str]) -> None:
    assert shown(read(line)) == expected
