"""A sealed declaration: one text that says what is meant, and comes apart again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.sealing import DeclareSealed, Meant, seal, unseal, with_person_ids
from tests.journal.store.anything import WORDS

meanings = st.builds(
    Meant,
    st.sampled_from(["", "engage", "guard", "stand", "other"]),
    st.none() | st.integers(0, 2**53),
    st.none() | WORDS,
)


@given(meanings)
def test_what_is_sealed_comes_out_as_it_was(meant: Meant) -> None:
    assert unseal(seal(meant)) == meant


@pytest.mark.parametrize(
    ("meant", "text"),
    [
        (Meant("engage", 3, Words("He is mine.")), "engage 3: He is mine."),
        (Meant("guard", None, Words("the stairs: both")), "guard: the stairs: both"),
        (Meant("guard", 12), "guard 12"),
        (Meant("stand"), "stand"),
        (Meant("", None, Words("Words alone.")), ": Words alone."),
    ],
)
def test_it_reads_as_the_line_with_people_by_number(meant: Meant, text: str) -> None:
    assert seal(meant) == Words(text)


@pytest.mark.parametrize("text", [None, "engage Pike", "engage 3 4", "two words"])
def test_text_that_was_not_sealed_here_has_no_meaning(text: str | None) -> None:
    assert unseal(Words(text)) is None


def test_only_the_target_of_a_sealed_text_is_renumbered() -> None:
    def later(person: int) -> int:
        return person + 10

    assert with_person_ids(Words("engage 3: at 3"), later) == Words("engage 13: at 3")
    for text in ("stand: 3", "guard", None):
        assert with_person_ids(Words(text), later) == Words(text)


def test_a_sealed_declaration_holds_nothing_open() -> None:
    fields = {"who": 1, "act": "engage", "target": 3, "text": Words("Mine."), "sealed": True}

    assert DeclareSealed.of(fields) == DeclareSealed(who=1, sealed=Words("engage 3: Mine."))
    assert DeclareSealed.of({"who": 1, "sealed": True}) == DeclareSealed(who=1, sealed=Words(""))
