"""Typed quotation marks become those of print only where it is certain which is which."""

from __future__ import annotations

import pytest

from retold.projections.story.typography import typeset


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ('"Hand her back."', "“Hand her back.”"),
        ('He laughs. "That was nearly a threat."', "He laughs. “That was nearly a threat.”"),
        ('"Here," he says, "and now."', "“Here,” he says, “and now.”"),
        ('("so")', "(“so”)"),
        ("Ada's and the pilots' boats", "Ada\u2019s and the pilots\u2019 boats"),
        ("She said 'come' and went.", "She said \u2018come\u2019 and went."),
        ("\"He said 'come'.\"", "“He said \u2018come\u2019.”"),
        ("'Twas in '93, get 'em", "\u2019Twas in \u201993, get \u2019em"),
        ("don't", "don\u2019t"),
        ('"One.\n\n"Two."', '"One.\n\n“Two.”'),
    ],
)
def test_what_is_certain_is_set_as_in_print(typed: str, printed: str) -> None:
    assert typeset(typed) == printed


@pytest.mark.parametrize(
    "typed",
    [
        'a 6" pipe',
        '<b class="x">',
        "6' tall",
        '"',
        "'",
        'left open: "so',
        "“already”",
        "x = '",
        '=HYPERLINK("x","y")',
        "alert('x');",
    ],
)
def test_what_is_not_certain_stays_as_it_was_typed(typed: str) -> None:
    assert typeset(typed) == typed


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("wait -- no", "wait \u2013 no"),
        ("wait--no", "wait\u2014no"),
        ("wait --- no", "wait \u2014 no"),
        ("pages 10--12", "pages 10\u201312"),
        ('"I was--"', "“I was\u2014”"),
        ('"--and then"', "“\u2014and then”"),
        ("So...", "So\u2026"),
        ("...and so on", "\u2026and so on"),
        ("Come 'ere, dogs' dinner.", "Come \u2019ere, dogs\u2019 dinner."),
        ("'Is name was Bo.", "\u2019Is name was Bo."),
        ("the 'ole thing", "the \u2019ole thing"),
        ("'Ere we go,' he said", "\u2018Ere we go,\u2019 he said"),
    ],
)
def test_C4_dashes_dots_and_dropped_letters_are_typeset(typed: str, printed: str) -> None:
    assert typeset(typed) == printed
    assert typeset(printed) == printed


@pytest.mark.parametrize(
    "typed",
    [
        "retold --gm --to Ana",
        "http://a--b/c...d",
        "<!-- x -->",
        "../...",
        "no....",
        "1...5",
        "--",
        "a ---- b",
        "snake--case_name",
    ],
)
def test_C4_what_may_be_no_prose_stays_as_it_was_typed(typed: str) -> None:
    assert typeset(typed) == typed


def test_the_marks_are_those_of_the_voice() -> None:
    assert typeset('Er sagt: "Komm."', ("„", "“")) == "Er sagt: „Komm.“"


@pytest.mark.parametrize("typed", ['"Hand her back."', "Ada's 'own'", "\"He said 'come'.\"", "<i x='y'>"])
def test_nothing_but_the_marks_changes(typed: str) -> None:
    straight = typeset(typed).translate(str.maketrans("“”\u2018\u2019", "\"\"''"))

    assert straight == typed
    assert typeset(typeset(typed)) == typeset(typed)
