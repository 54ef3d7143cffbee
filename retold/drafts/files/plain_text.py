"""Plain text of a draft: headings underlined, an empty line between paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from retold.drafts.files.finding import Findings
from retold.drafts.files.kept_words import going, title_of, worded
from retold.drafts.manuscript import BREAK, Coming, Manuscript, Returned
from retold.journal import marks
from retold.journal.vocabulary.drafts import Sort
from retold.projections.texts.wrapping import width

_QUOTED: Final[dict[Sort, str]] = {"epigraph": "> ", "pull-quote": ">> "}
_UNDERLINE: Final = re.compile(r"={3,}|-{3,}")
_MARKUP: Final = re.compile(r"=+|-+|>")
"""Beginning of a line that could be taken for markup; a blank before it says that it is none."""
_LEAST_WRAPPED: Final = 3
"""Number of line ends that must look wrapped before a file is taken to be so."""
_WIDTHS: Final = range(40, 121)


def written(manuscript: Manuscript) -> str:
    """Returns a manuscript as plain text; paragraphs are not wrapped."""
    parts: list[str] = []
    if title := title_of(manuscript):
        parts.append(_underlined(title, "="))
    parts += map(_block, going(manuscript))
    return "\n\n".join(parts) + "\n"


def _block(block: Coming) -> str:
    if block.sort == "break":
        return BREAK
    if block.sort == "heading":
        return _underlined(marks.plain(block.text), "-")
    lead = _QUOTED.get(block.sort, "")
    lines = (marks.plain(block.text) if lead else worded(block)).split("\n")
    return "\n".join(lead + line if lead else _escaped(line) for line in lines)


def _escaped(line: str) -> str:
    return f" {line}" if _MARKUP.match(line) else line


def _underlined(text: str, sign: str) -> str:
    return f"{text}\n{sign * max(width(text), 3)}"


def read(file_name: str, text: str) -> Returned:
    """Returns the paragraphs of a plain text: what empty lines or indents set apart.

    Lines that a program wrapped are joined; a file without any empty line has a paragraph on each line.
    """
    findings = Findings(file_name)
    lines = [line.rstrip() for line in re.split("\r\n|[\r\n]", text.strip("\r\n"))]
    is_wrapped = _is_wrapped(lines)
    has_gaps = is_wrapped or any(not line.strip() for line in lines) or _has_underline(lines)
    for chunk in _chunks(lines):
        for piece in _indented(chunk) if has_gaps else ([line] for line in chunk):
            _take(findings, piece, is_wrapped=is_wrapped)
    return findings.returned()


def _take(findings: Findings, lines: list[str], *, is_wrapped: bool) -> None:
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]):
        if lines[1].startswith("="):
            findings.set_title(lines[0])
        else:
            findings.add("heading", lines[0])
        if lines[2:]:
            _take(findings, lines[2:], is_wrapped=is_wrapped)
        return
    for sort, lead in reversed(_QUOTED.items()):
        if all(line.startswith(lead.strip()) for line in lines):
            findings.add(sort, "\n".join(line[len(lead) :] for line in lines))
            return
    findings.add("text", (" " if is_wrapped else "\n").join(lines))


def _chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yields the lines between empty lines."""
    chunk: list[str] = []
    for line in lines:
        if line.strip():
            chunk.append(line)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _indented(chunk: list[str]) -> Iterator[list[str]]:
    """Yields the paragraphs of a chunk; an indented line behind a line without indent begins one."""
    is_in = [line.startswith(("  ", "\t", "\u3000")) for line in chunk]
    if all(is_in) or not any(is_in):
        yield chunk
        return
    piece: list[str] = []
    for line, begins in zip(chunk, is_in, strict=True):
        if begins and piece:
            yield piece
            piece = []
        piece.append(line)
    yield piece


def _has_underline(lines: list[str]) -> bool:
    return any(_UNDERLINE.fullmatch(line) for line in lines[1:])


def _is_wrapped(lines: list[str]) -> bool:
    """True if a program broke the lines: each as late as the width of the widest allows."""
    widest = max(map(len, lines), default=0)
    if widest not in _WIDTHS:
        return False
    inner = [(line, after) for line, after in pairwise(lines) if line.strip() and after.strip()]
    inner = [(line, after) for line, after in inner if not _UNDERLINE.fullmatch(after)]
    inner = [(line, after) for line, after in inner if not _UNDERLINE.fullmatch(line)]
    if len(inner) < _LEAST_WRAPPED:
        return False
    return all(len(line) + 1 + len(after.split()[0]) > widest for line, after in inner)
