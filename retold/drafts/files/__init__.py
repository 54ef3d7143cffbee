"""Files of a draft: written for an editor, and read when they come back."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePath
from typing import Final

from retold.drafts.files import (
    docx_reading,
    docx_writing,
    html,
    markdown,
    odt_reading,
    odt_writing,
    plain_text,
)
from retold.drafts.files.kept_words import kept
from retold.drafts.files.packages import Package
from retold.drafts.manuscript import Manuscript, Returned
from retold.journal.encodings import REPLACEMENT, marked_encoding, text_of
from retold.journal.refused import Refused
from retold.projections.texts import safe

__all__ = ["FORMATS", "changes", "kept", "read", "write"]

FORMATS: Final = {"markdown": ".md", "docx": ".docx", "odt": ".odt", "html": ".html", "text": ".txt"}
"""Formats that a draft is sent in, and the suffix of each."""

MOST_TEXT: Final = 5_000_000
"""Bytes of a text or page; a long novel has two million."""
MOST_PACKED: Final = 100_000_000
"""Bytes of a DOCX or ODT, which may have pictures."""

_SUFFIXES: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
}
_OTHERS: Final = {
    b"%PDF": "PDF",
    b"{\\rtf": "RTF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "packed with gzip",
    b"\xffWPC": "WordPerfect",
}
_ZIP: Final = b"PK"
_OTHER_XML: Final = re.compile(rb"<office:document[ \s]|<pkg:package[ \s]|<w:wordDocument[ \s]")
"""Root of a flat ODT, and of Word's own XML."""


def write(format_: str, manuscript: Manuscript, *, ids: bool = False) -> bytes:
    """Returns a manuscript as a file in a format of FORMATS, the same bytes for the same manuscript.

    All but text name the draft and its revision. DOCX and ODT mark each paragraph with its id, Markdown and
    HTML only with `ids`. Raises Refused for another format, and for DOCX without its extra.
    """
    match format_:
        case "markdown":
            return markdown.written(manuscript, ids=ids).encode()
        case "html":
            return html.written(manuscript, ids=ids).encode()
        case "text":
            return plain_text.written(manuscript).encode()
        case "docx":
            return docx_writing.written(manuscript)
        case "odt":
            return odt_writing.written(manuscript)
        case _:
            raise Refused(f"A draft is sent as {', '.join(FORMATS)}, not as {format_}.")


def changes(before: Manuscript, after: Manuscript, author: str, at: datetime) -> bytes:
    """Returns a DOCX of `after` with its differences from `before` as tracked changes.

    The author of a change is the writer of its block, `author` where none is known. `at` is when they were
    made, with its time zone. Raises Refused without the extra that DOCX needs.
    """
    return docx_writing.changed(before, after, author, at)


def read(file_name: str, data: bytes) -> Returned:
    """Returns the paragraphs of a file that came back: Markdown, plain text, HTML, DOCX or ODT.

    The format is that of the content where the suffix says another or none. Words in italics or bold become
    plain words. Raises Refused with one sentence for a file that cannot be read whole.
    """
    name = safe.line(PurePath(file_name).name or file_name) or "The file"
    suffix = PurePath(file_name).suffix.lower()
    if not data.strip():
        raise Refused(f"{name} is empty.")
    if data.startswith(_ZIP):
        _check_size(name, data, MOST_PACKED)
        if Package(name, data).media.startswith(odt_reading.MEDIA):
            return odt_reading.read(name, data)
        return docx_reading.read(name, data)
    if data.startswith(docx_reading.OLD_WORD):
        raise Refused(
            f"{name} is a file of an old Word, or has a password; save it as DOCX or ODT without one."
        )
    for start, what in _OTHERS.items():
        if data.startswith(start):
            raise Refused(f"{name} is {what}; save it as DOCX, ODT, Markdown, HTML or plain text.")
    if _OTHER_XML.search(data, 0, 4096):
        raise Refused(f"{name} is a document of a word processor in one XML; save it as DOCX or ODT.")
    _check_size(name, data, MOST_TEXT)
    text = _text(name, data)
    match _format(suffix, text):
        case "html":
            return html.read(name, text)
        case "markdown":
            return markdown.read(name, text)
        case _:
            return plain_text.read(name, text)


def _format(suffix: str, text: str) -> str:
    named = _SUFFIXES.get(suffix, "")
    if html.is_page(text) or (named in ("", "html") and html.looks_so(text)):
        return "html"
    if markdown.is_marked(text):
        return "markdown"
    if named in ("markdown", "text"):
        return named
    return "markdown" if markdown.looks_so(text) else "text"


def _text(name: str, data: bytes) -> str:
    has_mark = bool(marked_encoding(data))
    encoding = "" if has_mark else _known(html.charset(data[:4096])) if b"<" in data[:4096] else ""
    if b"\0" in data and not has_mark:
        raise Refused(f"{name} is no text, or is in UTF-16 without a sign of it; save it as UTF-8.")
    try:
        text = text_of(data, name, encoding)
    except Refused as error:
        at = re.search(r" at byte [\d,]+", str(error))
        where = at[0] if at else ""
    else:
        if not text.endswith(REPLACEMENT) or data.endswith(REPLACEMENT.encode()):
            return text
        where = " at its end"  # half a character, as of a file that was cut off
    raise Refused(f"{name} is not {encoding or 'UTF-8'}{where}; save it as UTF-8 and take it again.")


def _known(encoding: str) -> str:
    """Returns an encoding that a page names, if Python knows it as one of text; else nothing."""
    try:
        "".encode(encoding or "utf-8")
    except (LookupError, UnicodeError):
        return ""
    return encoding


def _check_size(name: str, data: bytes, most: int) -> None:
    if len(data) > most:
        raise Refused(f"{name} is larger than {most // 1_000_000} MB; a draft of that size is no text.")
