"""Twenty edits by hand are aligned right: 95 % of paragraphs, and 99 % of the links made."""

from __future__ import annotations

from retold.drafts.alignment import align
from tests.retold.drafts.alignment.edits import edits, score


def test_twenty_edits_are_aligned_right() -> None:
    scores = [score(edit, align(edit.sent, edit.came)) for edit in edits()]
    assert len(scores) == 20
    assert sum(each.exact for each in scores) >= 0.95 * sum(each.units for each in scores)
    assert sum(each.right_links for each in scores) >= 0.99 * sum(each.links for each in scores)


def test_no_edit_loses_a_third_of_its_paragraphs() -> None:
    for edit in edits():
        each = score(edit, align(edit.sent, edit.came))
        assert each.exact >= 0.9 * each.units, edit.name
