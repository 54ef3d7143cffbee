"""A book as DOCX has the defaults of one as PDF."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.cli.shell import Shell

LINES = (
    "cast gm by=Mary\ncast Zel by=Jon\nsession One\nnarrate Zel: “Run!”\nroll Zel 2d6 = 3 4\nend session\n"
)


def text_of(file: str) -> str:
    return zipfile.ZipFile(file).read("word/document.xml").decode()


def test_T11_a_book_as_docx_is_prose_with_its_numbers_at_the_end(shell: Shell) -> None:
    Path("a.session").write_text(LINES, "utf-8")
    shell.done("run", "--new", "-c", "a", "a.session")
    shell.done("-c", "a", "export", "--for", "gm", "--book", "-o", "book.docx")
    shell.done("-c", "a", "export", "--for", "gm", "-o", "one.docx")

    assert "said Zel" in text_of("book.docx")
    assert "<w:tbl>" in text_of("book.docx")
    assert "said Zel" not in text_of("one.docx")
    assert "<w:tbl>" not in text_of("one.docx")
