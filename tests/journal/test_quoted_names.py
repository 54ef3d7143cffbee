"""A name in a line that is proposed can be typed as it stands there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.language.forms import Form
from retold.journal.language.lexing import lex
from retold.journal.names import NOT_BARE, quoted
from tests.every import COMMANDS

ODD = (
    "Zel",
    "Captain Thoss",
    "d6",
    "vs",
    "fate",
    "O'Neill",
    'The "Cat"',
    "x=2",
    "A+B",
    "--gm",
    "7",
    "Łucja",
    "#",
)


@pytest.mark.parametrize("name", ODD)
def test_B6_a_name_in_a_proposal_is_one_name(name: str) -> None:
    (token,) = lex(f"narrate {quoted(name)}: so").tokens

    assert token.text == name
    assert token.quoted or token.bare


@given(st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=12))
def test_B6_any_name_in_a_proposal_is_one_name(name: str) -> None:
    (token,) = lex(f"narrate {quoted(name)}: so").tokens

    assert token.text == name


def test_B6_form_words_need_quotes_as_names() -> None:
    words = {word for command in COMMANDS for word in _words(command.form)}

    assert words <= NOT_BARE


def _words(form: str) -> frozenset[str]:
    return Form.parse(form).words
