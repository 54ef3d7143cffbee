"""Writing of every verb's form comes to an end, whatever values there are for its slots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from retold.journal.language import rendering
from retold.journal.language.form_parts import Part, slots_of, words_of
from retold.journal.language.verbs import form_of
from retold.journal.vocabulary.base import Command
from tests.every import COMMANDS

MOST_LOOKS = 10_000
"""Looks for a value; a loop without end takes more."""


def values_for(part: Part) -> Iterator[Mapping[str, deque[str]]]:
    """One value, then two, for each subset of the slots: a word of the form where it has one, or another."""
    slots = slots_of(part)
    for given in product((False, True), repeat=len(slots)):
        for number, known in product((1, 2), (True, False)):
            yield {
                slot: deque([next(words_of(part, slot), slot) if known else slot] * (number * is_given))
                for slot, is_given in zip(slots, given, strict=True)
            }


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__qualname__)
def test_writing_a_form_ends_with_any_of_its_slots(
    command: type[Command], monkeypatch: pytest.MonkeyPatch
) -> None:
    part, has_value, looks = form_of(command).part, rendering._has_value, 0

    def counted(part: Part, values: Mapping[str, deque[str]]) -> bool:
        nonlocal looks
        looks += 1
        assert looks < MOST_LOOKS
        return has_value(part, values)

    monkeypatch.setattr(rendering, "_has_value", counted)
    for values in values_for(part):
        looks = 0
        rendering._emit(part, values)
