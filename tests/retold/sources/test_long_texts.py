"""Texts on which a careless pattern takes hours: each is read to its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from retold.journal.markup import Words, words_of
from retold.sources.characters import Characters
from retold.sources.chat_marks import Marked, of_whatsapp
from retold.sources.dice import avrae, d20, foundry, generic
from retold.sources.dice.throw import MOST_WORDS, told
from retold.sources.game_masters import says_game_master
from retold.sources.roll20.chat_archive import counted
from retold.sources.unit import Place, Sort, Unit

MANY = 200_000
TAG, COMMENT = f"<{'a' * MANY}", f"<!{'a' * MANY}"
ESCAPED = "\\*" * (MANY // 2)
DICE = "1d6" * (MANY // 3)


def rolled(expression: str) -> object:
    return d20.rolled("x", expression, 3)


def answered(text: str) -> object:
    return generic.answer(text, "1d6")


def heard(text: str) -> object:
    return Characters().of(Unit(Place(1, 1), "1", Sort.SAID, text, speaker="Zel")).text


@pytest.mark.parametrize(
    ("read", "text", "found"),
    [
        (words_of, TAG, Words(TAG, has_blocks=False, buttons=0, pictures=0, marked=TAG)),
        (words_of, COMMENT, Words(COMMENT, has_blocks=False, buttons=0, pictures=0, marked=COMMENT)),
        (generic.throws, "d6+" * (MANY // 3), ()),
        (generic.throws, "d6+" * MANY, ()),
        (generic.throws, "d6 " * MANY, ()),
        (generic.throws, f"{'d6 ' * MANY}= x", ()),
        (generic.throws, f"d6 (1{',1' * (MANY // 2)}", ()),
        (generic.throws, f"d6{' ' * MANY}", ()),
        (foundry.throw_in, f"{'1' * (MANY // 2)}d{'1' * (MANY // 2)}", None),
        (foundry.throw_in, "1d" * (MANY // 2), None),
        (of_whatsapp, ESCAPED, Marked(ESCAPED)),
        (rolled, DICE, told("x")),
        (rolled, f"1{'d61' * 600}", told("x")),
        (avrae.throws, f"{DICE} = `3`", (told(f"{DICE} = `3`"),)),
        (avrae.throws, "*" * MANY, ()),
        (avrae.throws, DICE, ()),
        (avrae.throws, "1*" * (MANY // 2), ()),
        (answered, "\t" * MOST_WORDS, None),
        (answered, "@\t" * (MOST_WORDS // 2), None),
        *(
            (heard, sign * MANY, sign * MANY)
            for sign in ("[[", ":a", "<b ", "(A", "**A", "&#", "A: ", "*a* ")
        ),
        (heard, f"{'x' * MANY}\n" * 2, f"{'x' * MANY}\n" * 2),
        (says_game_master, f"{'-' * MANY}a", False),
        (counted, "[" * MANY, 0),
        (counted, '"' + '\\"' * (MANY // 2), 0),
    ],
    ids=lambda value: repr(value[:8]) if isinstance(value, str) else "",
)
def test_it_is_read_to_its_end(read: Callable[[str], object], text: str, found: object) -> None:
    assert read(text) == found
