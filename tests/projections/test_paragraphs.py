"""A text of several paragraphs is one text: they stand closer than two texts do, and no reader asks whose."""

from __future__ import annotations

import html5lib
import pytest

from retold.projections.exports import export
from retold.projections.prose.telling import Tag
from retold.projections.story import document
from retold.projections.texts import safe

XHTML = "{http://www.w3.org/1999/xhtml}"
TYPED = "The tide is out.\n\nNobody stirs."
ALONE = document.Paragraph("e1", Tag.NARRATION, TYPED)
LABELLED = document.Paragraph("e2", Tag.NARRATION, TYPED, label="Zel")
SLANTED = document.Paragraph("e3", Tag.NARRATION, TYPED, direction=True)


def told(*paragraphs: document.Paragraph) -> document.Transcript:
    """These paragraphs and nothing else."""
    passage = document.Passage(None, paragraphs)
    return document.Transcript(
        "report",
        "gm",
        document.Head("Tide"),
        (),
        (document.Scene(None, None, None, (passage,)),),
        document.End(),
    )


def test_html_has_real_paragraphs_in_one_block_and_the_label_at_the_first() -> None:
    tree = html5lib.HTMLParser(strict=True).parse(export("html", told(LABELLED), "none").decode())
    (block,) = (one for one in tree.iter() if one.get("id") == "e2")

    assert ["".join(one.itertext()) for one in block.iter(f"{XHTML}p")] == [
        "Zel: The tide is out.",
        "Nobody stirs.",
    ]


@pytest.mark.parametrize(
    ("paragraph", "lines"),
    [
        (ALONE, "The tide is out.\n\nNobody stirs."),
        (LABELLED, "**Zel:** The tide is out.\n\nNobody stirs."),
        (SLANTED, "*(The tide is out.*\n\n*Nobody stirs.)*"),
    ],
)
def test_markdown_separates_paragraphs_and_puts_the_block_id_last(
    paragraph: document.Paragraph, lines: str
) -> None:
    plain, noted = (export(name, told(paragraph), "none").decode() for name in ("markdown", "obsidian"))
    assert f"\n{lines}\n" in plain
    assert f"\n{lines} ^{paragraph.id}\n" in noted


@pytest.mark.parametrize(
    ("paragraph", "lines"),
    [
        (ALONE, "\nThe tide is out.\n  Nobody stirs.\n"),
        (LABELLED, "\nZel: The tide is out.\n  Nobody stirs.\n"),
    ],
)
def test_text_begins_a_second_paragraph_further_in(paragraph: document.Paragraph, lines: str) -> None:
    assert lines in export("text", told(paragraph), "none").decode()


def test_under_a_label_every_line_of_the_second_paragraph_hangs() -> None:
    long = document.Paragraph("e1", Tag.NARRATION, f"Zel.\n\n{'tide ' * 30}", label="Zel")
    shown = (
        export("text", told(long), "none").decode().partition("Zel: Zel.\n")[2].split("\n\n")[0].rstrip("\n")
    )

    assert shown.count("\n") == 1
    assert all(line.startswith("  tide") for line in shown.split("\n"))


@pytest.mark.parametrize(
    ("typed", "paragraphs"),
    [
        ("", [""]),
        ("one\ntwo", ["one\ntwo"]),
        ("one\n \t\n\n two\r\n\r\nthree\n", ["one", "two", "three"]),
        ("\x1b\n\n\u202e", ["␛", "⟦U+202E⟧"]),
    ],
)
def test_paragraphs_are_safe_and_have_an_empty_line_between_them(typed: str, paragraphs: list[str]) -> None:
    assert safe.paragraphs(typed) == paragraphs
