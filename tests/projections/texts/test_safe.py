"""Nothing that is shown is obeyed."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.projections.texts import safe

HOSTILE = [
    ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
    ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "␛]8;;http://x␇link␛]8;;␇"),
    ("\x9b2J", "⟦U+009B⟧2J"),
    ("real\rfake", "real␍fake"),
    ("a\x7fb\x08c", "a␡b␈c"),
    ("\u202egnp.exe", "⟦U+202E⟧gnp.exe"),
    ("\u2066a\u2069", "⟦U+2066⟧a⟦U+2069⟧"),
    ("\u200e\u200f\u061c", "⟦U+200E⟧⟦U+200F⟧⟦U+061C⟧"),
    ("ad\u200bmin", "ad⟦U+200B⟧min"),
    ("ad\u00admin\ufeff", "ad⟦U+00AD⟧min⟦U+FEFF⟧"),
    ("\U000e0041hidden", "⟦U+E0041⟧hidden"),
    ("half \ud83d", "half ⟦U+D83D⟧"),
    ("no \ufdd0 character \U0010fffe", "no ⟦U+FDD0⟧ character ⟦U+10FFFE⟧"),
    ("a\u2028b", "a⟦U+2028⟧b"),
    ("a\u200db", "a⟦U+200D⟧b"),
]


@pytest.mark.parametrize(("typed", "shown"), HOSTILE)
def test_control_characters_are_made_visible(typed: str, shown: str) -> None:
    assert safe.line(typed) == shown
    assert safe.text(typed) == shown


def test_every_noncharacter_is_made_visible() -> None:
    ends = (plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
    for code in (*range(0xFDD0, 0xFDF0), *ends):
        assert safe.line(chr(code)) == safe.text(chr(code)) == f"⟦U+{code:04X}⟧"


def test_line_ends_and_tabs_are_kept_where_asked() -> None:
    assert safe.text("a\nb\r\nc\td") == "a\nb\nc\td"
    assert safe.line("a\nb\tc") == "a⏎b␉c"


SPELLING = [
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a joiner that keeps letters apart
    "\u0915\u094d\u200d\u0937",  # Devanagari
    "👩\u200d👩\u200d👧",
    "❤️\u200d🔥",
    "e\u0301",
]


@pytest.mark.parametrize("typed", SPELLING)
def test_a_joiner_that_is_spelling_stays(typed: str) -> None:
    assert safe.line(typed) == typed


@given(st.text())
def test_nothing_invisible_is_left_and_safe_text_stays_safe(typed: str) -> None:
    shown = safe.line(typed)

    assert [one for one in shown if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp")] == []
    assert not set(shown) & set("\u202a\u202e\u2066\u200e\u200b\ufeff")
    assert safe.line(shown) == shown
    assert safe.text(shown) == shown


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_json_reads_back_as_it_was(typed: str) -> None:
    written = safe.in_json(json.dumps([typed], ensure_ascii=False))

    assert json.loads(written) == [typed]
    assert "\x9b" not in written
    assert "\u202e" not in written
