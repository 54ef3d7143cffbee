"""A mark is as hidden as what it is put on, for its name may say what that is (C15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.store.writing.reveal import reveal
from retold.journal.vocabulary import commands as c
from retold.projections.exports.page_elements import label
from retold.projections.prose.telling import Tag
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story import transcript
from tests.projections.evening import Table, w

TEXT = "The knife is his."


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A session with something in it that only the game master knows, and a mark on that."""
    made = Table(tmp_path / "quay.retold")
    made.do(c.OpenSession(title=w("Low Water")))
    made.do(c.Note(text=w("Her brother did it.")), see="gm")
    made.do(c.Mark(name=w("the-brother"), text=w(TEXT)))
    return made


def told(table: Table, viewer: Viewer) -> list[str]:
    """How the mark's text is headed, in somebody's copy."""
    shown = transcript.of_session(LineView(table.campaign, 1, viewer=viewer), 1)
    pages = (one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs)
    return [label(one) for one in pages if TEXT in one.text and one.kind is Tag.NOTE]


def test_C15_a_mark_on_what_is_hidden_is_in_nobodys_copy(table: Table) -> None:
    assert told(table, EVERYBODY) == []
    assert told(table, GAME_MASTER) == ["Note (for the game master)"]


def test_C15_nor_is_a_mark_on_that_mark(table: Table) -> None:
    table.do(c.Mark(name=w("and-the-knife"), text=w(TEXT)))

    assert told(table, EVERYBODY) == []


def test_C15_it_is_known_with_what_it_is_on(table: Table) -> None:
    head = table.campaign.record.head(1).position
    reveal(table.writer, head - 1)

    assert told(table, EVERYBODY) == ["Note"]


def test_C15_a_mark_on_what_all_know_is_for_all(table: Table) -> None:
    table.do(c.Say(who=0, text=w("Good evening.")))
    table.do(c.Mark(name=w("the-greeting"), text=w(TEXT)))

    assert told(table, EVERYBODY) == ["Note"]
    assert told(table, GAME_MASTER) == ["Note (for the game master)", "Note"]
