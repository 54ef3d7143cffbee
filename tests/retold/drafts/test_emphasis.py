"""Emphasis in drafts: sent in every format, taken back, and told in what is made of the draft."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.drafts import making
from retold.drafts.files import FORMATS, changes, kept, read, write
from retold.drafts.manuscript import Going, Manuscript, Remark
from retold.journal.marks import Run, as_words, plain, written
from tests.retold.drafts.played import EVENING, Table, edited, played

HERE = [
    name
    for name in FORMATS
    if (name != "docx" or importlib.util.find_spec("docx"))
    and (name not in ("html", "odt") or importlib.util.find_spec("lxml"))
]
"""Formats that can be written and read on this machine."""
MARKED = (
    "Take it, and *run*.",
    "**Now**, she said, *and not later*.",
    "***All of it***, from the *Mary Rose*'s deck: **bold with *this* in it**.",
    "The tide is *out*,\nthe *lamp is\nlit*,\nand nobody is home.",
    r"2\*3, 5 * 4, snake_case and \*no mark\*; “*quoted*”—*behind a dash*.",
)


def manuscript(*texts: str) -> Manuscript:
    return Manuscript(
        "first", 3, "The night shift", tuple(Going(n, "text", text) for n, text in enumerate(texts, 1))
    )


@pytest.mark.parametrize("format_", HERE)
def test_T6_emphasis_comes_back_in_every_format(format_: str) -> None:
    back = read(f"draft{FORMATS[format_]}", write(format_, manuscript(*MARKED)))

    assert [one.text for one in back.paragraphs] == list(MARKED)
    assert back.left_out == ()


WORDS = st.text(alphabet="ab *_\\\"'.-“”é", max_size=9)
TEXTS = st.lists(st.builds(Run, WORDS, st.booleans(), st.booleans()), max_size=5).map(written)


@pytest.mark.parametrize("format_", [name for name in HERE if name != "docx"])
@settings(deadline=None)
@given(text=TEXTS)
def test_any_text_with_marks_comes_back(format_: str, text: str) -> None:
    sent = manuscript("Before.", text, "Behind.")
    back = read(f"draft{FORMATS[format_]}", write(format_, sent))

    known = (kept(block) for block in sent.blocks)
    assert [(one.sort, one.text) for one in back.paragraphs] == [
        (one.sort, one.text) for one in known if one is not None
    ]


def test_T6_markdown_of_an_editor_keeps_its_emphasis() -> None:
    back = read("a.md", b"Take it, and *run*.\n\n__Go__ <em>now</em>, ***both***.\n")

    assert [one.text for one in back.paragraphs] == ["Take it, and *run*.", "**Go** *now*, ***both***."]
    assert back.left_out == ()


def test_T6_what_markdown_has_and_a_draft_has_not_is_said() -> None:
    text = (
        b"A word[^1], ~~struck~~ and un*believ*able.\n\n- one\n- two\n\n"
        b"| a | b |\n|---|---|\n| 1 | 2 |\n\nAnother[^x].\n\n[^1]: See the *map*,\n    at the end.\n"
    )
    found = read("a.md", text)

    assert found.paragraphs[0].remarks == (Remark("", "See the *map*, at the end."),)
    assert found.left_out == (
        "Emphasis within a word in 1 paragraph is not kept: a mark begins and ends with a word.",
        "1 sign of a footnote is in the text as typed: no line has its words.",
        "1 place is struck out with ~~, and in the text as typed.",
        "1 table is in the text as typed.",
        "2 items of lists are here behind a dash or a number.",
        "1 footnote is here as a remark on the paragraph.",
    )


def test_marks_in_headings_and_quotations_are_left_out_of_files() -> None:
    sent = Manuscript(
        "first", 3, "", (Going(1, "heading", "The *Mary Rose*"), Going(2, "epigraph", "All *is* well."))
    )
    for format_ in HERE:
        back = read(f"draft{FORMATS[format_]}", write(format_, sent))
        assert [one.text for one in back.paragraphs] == ["The Mary Rose", "All is well."]


@pytest.mark.parametrize("format_", HERE)
@pytest.mark.parametrize("title", ["The *Big* Gate", "The \\*Big\\* Gate", "2*3"])
def test_a_title_with_signs_comes_back_as_the_title(tmp_path: Path, title: str, format_: str) -> None:
    table = played(tmp_path, told=EVENING.replace("The Salt Road", title))
    draft = table.begin()
    sent = making.manuscript(table.campaign, draft, draft.latest)
    table.campaign.close()

    back = read(f"draft{FORMATS[format_]}", write(format_, sent))

    assert back.under(sent.title) == back.paragraphs
    assert back.under("Another")[0].text == as_words(sent.title)
    assert sent.title == plain(title)


@pytest.mark.skipif("docx" not in HERE, reason="needs python-docx")
def test_changes_of_emphasis_are_tracked_changes() -> None:
    at = datetime(2026, 6, 13, tzinfo=UTC)
    data = changes(manuscript("I run now."), manuscript("I *run* now."), "Mara", at)

    assert [one.text for one in read("a.docx", data).paragraphs] == ["I *run* now."]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        body = archive.read("word/document.xml").decode()
    assert body.count("<w:del ") == body.count("<w:ins ") == 1


# --- in what is made of a draft ---------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = played(tmp_path)
    table.begin()
    yield table
    table.campaign.close()


def test_T6_emphasis_that_a_writer_sets_is_in_the_draft(table: Table) -> None:
    before = "The ferryman pushes off without a word."
    draft = table.take(edited(table.sent(), (before, "The ferryman pushes off *without* a word.")))

    (block,) = [block for block in draft.latest.shown if block.edited]
    assert block.text.text == "The ferryman pushes off *without* a word."
    assert block.tells
