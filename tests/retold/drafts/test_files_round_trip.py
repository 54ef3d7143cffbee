"""Whatever words a draft has, each format gives back what the house says that files keep."""

from __future__ import annotations

import importlib.util

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retold.drafts.files import FORMATS, kept, read, write
from retold.drafts.manuscript import Coming, Going, Manuscript
from retold.journal.vocabulary.drafts import Sort

CAN_WRITE_DOCX = importlib.util.find_spec("docx") is not None
CAN_READ_HTML = importlib.util.find_spec("lxml") is not None

SIGNS = st.sampled_from(
    [
        *("\n", "\n\n", "  ", "\t", " ", "\\", "*", "**", "_", "`", "#", "# ", ">", "> ", "-", "- ", "---"),
        *(
            "===",
            "+",
            "1.",
            "1) ",
            "|",
            "~~",
            "[x](y)",
            "![",
            "<!--",
            "-->",
            "<b>",
            "</p>",
            "&amp;",
            "&",
            "<",
        ),
        *(
            "“",
            "”",
            "\u2019",
            "…",
            "—",
            "\u00a0",
            "\u200b",
            "\u202e",
            "\x1b",
            "\x00",
            "\u2028",
            "\ufeff",
            "\u00ad",
        ),
        *("]]>", "{{", "%", "rt_3", "[Note: ", "]", "retold draft x 1", "é", "東", "🎲", "\ud800", "e\u0301"),
    ]
)
WORDS = st.lists(SIGNS | st.sampled_from(["I run", "Zel", "x", "and"]) | st.text(max_size=4), max_size=9).map(
    "".join
)
SORTS: tuple[Sort, ...] = ("text", "text", "heading", "break", "epigraph", "pull-quote", "note", "image")
BLOCKS = st.lists(st.tuples(st.sampled_from(SORTS), WORDS, st.integers(1, 4)), max_size=7).map(
    lambda found: tuple(Going(number, *one) for number, one in enumerate(found, 1))
)


def expected(manuscript: Manuscript, *, ids: bool) -> list[Coming]:
    found = ((block, kept(block)) for block in manuscript.blocks)
    return [Coming(one.sort, one.text, block.id if ids else None) for block, one in found if one is not None]


def check(format_: str, manuscript: Manuscript, *, ids: bool) -> None:
    data = write(format_, manuscript, ids=ids)
    back = read(f"draft{FORMATS[format_]}", data)
    named = (None, None) if format_ == "text" else (manuscript.name, manuscript.revision)

    assert (back.name, back.revision) == named
    assert back.title == "The night shift"
    assert back.left_out == ()
    marked = format_ in ("docx", "odt") or (ids and format_ == "html")
    assert [*back.paragraphs] == expected(manuscript, ids=marked) or not marked
    assert [(one.sort, one.text, one.remarks) for one in back.paragraphs] == [
        (one.sort, one.text, ()) for one in expected(manuscript, ids=False)
    ]
    if format_ == "markdown" and ids:
        wanted = [one.id for one in expected(manuscript, ids=True) if one.sort != "break"]
        assert [one.id for one in back.paragraphs if one.sort != "break"] == wanted


@settings(max_examples=60, deadline=None)
@given(BLOCKS, st.text(min_size=1, max_size=20).filter(lambda name: name.isprintable()), st.booleans())
@example((Going(1, "text", "* * *"), Going(2, "text", "a\n==="), Going(3, "heading", "---")), "--->", True)
@example((Going(1, "text", "[Note: a]"), Going(2, "note", "a]\n[Note: b")), "a b%20", True)
@example(
    (Going(1, "epigraph", "> a"), Going(2, "pull-quote", "> b\n>"), Going(3, "text", ">> c")), "q", False
)
def test_a_text_comes_back_as_it_was_sent(blocks: tuple[Going, ...], name: str, ids: bool) -> None:
    manuscript = Manuscript(name, 12, "The night shift", blocks)

    for format_ in ("markdown", "text", *(("html", "odt") if CAN_READ_HTML else ())):
        check(format_, manuscript, ids=ids)


@pytest.mark.skipif(not CAN_WRITE_DOCX, reason="needs retold[docx]")
@settings(max_examples=7, deadline=None)
@given(BLOCKS)
def test_a_docx_comes_back_as_it_was_sent(blocks: tuple[Going, ...]) -> None:
    check("docx", Manuscript("erste Fassung", 3, "The night shift", blocks), ids=False)
