"""A file that comes back: no unrelated text takes a block's place or the draft's, and none stays unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.drafts.alignment import Change
from retold.drafts.choosing import Choice
from retold.drafts.naming import DraftMeant
from retold.drafts.retelling import DraftChosen
from retold.drafts.unopened import not_in_copy, tells_only_open_events
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from retold.projections.reading.viewers import EVERYBODY
from tests.retold.drafts.played import Table, edited, played

ROPE = "Ana: I cut the rope behind him, and the ferry swings out."
FERRYMAN = "The ferryman pushes off without a word."
UNRELATED = "Nobody wrote to the harbour master about any of it."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = played(tmp_path)
    table.begin()
    yield table
    table.campaign.close()


def test_T12_an_unrelated_paragraph_in_the_place_of_a_cut_block_is_new(table: Table) -> None:
    draft = table.take(edited(table.sent(), (ROPE, UNRELATED)))

    (new,) = [block for block in draft.latest.shown if block.text.text == UNRELATED]
    assert (new.tells, new.eyes) == ((), "gm")
    assert [block.text.text for block in draft.latest.cut] == [ROPE]
    assert UNRELATED not in table.read_by("table")


def test_T12_a_rewritten_block_that_shares_a_word_is_asked_about_and_stays_one(table: Table) -> None:
    now = "The rope parted under Mara's knife before anybody had time to shout at her."
    taking = table.back(edited(table.sent(), (ROPE, now)))
    assert [doubt.shares_words for doubt in taking.doubts] in ([], [True])

    (block,) = [block for block in table.take(edited(table.sent(), (ROPE, now))).latest.shown if block.edited]
    assert block.tells


def test_T12_a_confirmed_rewrite_may_share_no_word_with_its_block(table: Table) -> None:
    taking = table.back(edited(table.sent(), (ROPE, UNRELATED)))
    assert [(doubt.now, doubt.shares_words) for doubt in taking.doubts] == [(UNRELATED, False)]

    (block,) = [block for block in taking.without(()).blocks() if block.text.text == UNRELATED]
    assert block.tells


REPORT = """\
We met at the quay, and Zel killed the ferryman with his mother's knife.

Bo was there too, and nine lamps burned on the far bank until the morning.

That is all that anybody remembers of it."""


@pytest.mark.parametrize("text", [REPORT, f"{REPORT}\n\nZel: I go ashore first."])
def test_T13_a_report_without_a_mark_may_be_another_text(table: Table, text: str) -> None:
    table.sent()
    try:
        taking = table.back(text)
    except Refused as refused:
        assert "it is another text" in str(refused)  # noqa: PT017 -- both answers are right
        return
    assert taking.may_be_another_text


def test_T13_a_draft_without_a_mark_and_more_of_something_else_may_be_another_text(table: Table) -> None:
    own = table.sent().rpartition("<!--")[0]
    more = "\n\n".join(
        f"The mill of the {nth}. moon lay quiet, and nobody had heard of it." for nth in range(12)
    )
    taking = table.back(f"{own}\n\n{more}")

    assert (taking.missing, taking.foreign, taking.may_be_another_text) == (0, 12, True)


def test_T13_an_edited_draft_without_a_mark_is_none(table: Table) -> None:
    text = edited(table.sent().rpartition("<!--")[0], (ROPE, "Ana cut the rope, and they swung out."))
    assert not table.back(text).may_be_another_text


def test_T13_an_abridged_copy_that_names_the_draft_is_none(table: Table) -> None:
    head, *paragraphs = table.sent().split("\n\n")
    taking = table.back("\n\n".join([head, *paragraphs[:3], paragraphs[-1]]))
    assert taking.missing > 4
    assert not taking.may_be_another_text


def with_new(table: Table) -> None:
    new = "## The toll\n\nA lamp swung over the water for a long hour.\n\nThe river keeps its own counsel."
    table.take(edited(table.sent(), ("## The far bank", f"{new}\n\n## The far bank")))


def missing(table: Table, revision: int | None = None) -> list[int]:
    reading = LineView(table.campaign, 1).through(EVERYBODY)
    chosen = DraftChosen(DraftMeant(table.draft(), revision), voice_of("prose"))
    found = not_in_copy(reading, reading.sessions.stretch(1), [chosen])
    return [block.id for one in found for block in one.blocks]


def opened(table: Table, *ids: str, to: str = "table") -> list[int]:
    before = {block.id: block for block in table.draft().latest.blocks}
    blocks = Choice(table.standing()).opens(ids, to)  # type: ignore[arg-type]
    with table.campaign.record.writing():
        table.campaign.drafts.revise(table.draft(), blocks, Manner())
    return [block.id for block in blocks if before[block.id] != block]


def test_T2_a_copy_says_which_paragraphs_of_the_writer_are_not_in_it(table: Table) -> None:
    with_new(table)
    assert missing(table) == [12, 13, 14]
    assert missing(table, 1) == []

    assert opened(table, "13..14") == [13, 14]
    assert missing(table) == [12]
    assert opened(table, "new") == [12]
    assert missing(table) == []
    with pytest.raises(Refused, match="there is none left"):
        opened(table, "new")


def test_T2_all_opens_what_was_closed_too_and_new_does_not(table: Table) -> None:
    with_new(table)
    opened(table, "12", to="gm")
    assert opened(table, "new") == [13, 14]
    assert opened(table, "all") == [12]
    with pytest.raises(Refused, match=r"There is no block 90\.\.99"):
        opened(table, "90..99")


def test_T2_new_paragraphs_are_the_tables_where_nothing_is_hidden(table: Table, tmp_path: Path) -> None:
    assert tells_only_open_events(table.campaign, table.draft())
    other = played(tmp_path, "hidden", secrets=True)
    other.begin()
    other.begin("mine", reader="gm")
    assert not tells_only_open_events(other.campaign, other.draft("second"))
    assert not tells_only_open_events(other.campaign, other.draft("mine"))
    other.campaign.close()


def test_T2_a_file_states_the_audience_of_its_new_paragraphs(table: Table) -> None:
    text = edited(table.sent(), (FERRYMAN, f"{FERRYMAN}\n\n{UNRELATED}"))
    taking = table.back(text)
    assert taking.alignment.results[-1].change is not Change.NEW
    (new,) = [block for block in taking.blocks(None, "table") if block.text.text == UNRELATED]
    assert new.see == "table"
