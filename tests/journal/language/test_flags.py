"""The one list of flags: what the paper says of it, and that every flag of a verb is on it."""

from __future__ import annotations

import re
from pathlib import Path

from retold.journal.language.forms import COMMON_FLAGS
from retold.journal.language.lexing import FLAGS
from retold.journal.language.verbs import form_of
from retold.journal.vocabulary.base import fields_of
from tests.every import COMMANDS

PAPER = Path(__file__).resolve().parents[3] / "docs/language.md"


def test_the_paper_lists_every_flag() -> None:
    found = re.search(r"\* with a value: `(.*?)`\n\* alone: `(.*?)`", PAPER.read_text("utf-8"), re.DOTALL)
    assert found is not None
    with_value, alone = (set(re.findall(r"--(\w+)", part)) for part in found.groups())

    assert with_value == {flag.name for flag in FLAGS.values() if flag.takes_value}
    assert alone == {flag.name for flag in FLAGS.values() if not flag.takes_value}


def test_every_flag_belongs_to_a_verb_and_says_what_it_is_about() -> None:
    used = COMMON_FLAGS.union(*(form_of(command).flags for command in COMMANDS))

    assert used == FLAGS.keys()
    assert all(flag.about for flag in FLAGS.values())


def test_a_flag_of_one_verb_fills_a_field_of_its_own() -> None:
    for command in COMMANDS:
        fields = {FLAGS[flag].field for flag in form_of(command).flags} - {"as"}  # a whole line, not a field

        assert fields <= fields_of(command).keys(), command.verb
