"""Texts that go on below their line, indented."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from journal.language.tokens import Unreadable, refuse_control

UNKEEPABLE: Final = re.compile("[\x00\ud800-\udfff]")


def continued(text: str | None, below: Sequence[str]) -> str:
    """The text of a line and of the indented lines below it; Unreadable for one that cannot go on with it."""
    lines = [text] if text else []
    for row, line in enumerate(below, 2):
        if text is None or not line[:1].isspace() or not line.strip():
            raise Unreadable(
                "Only an indented line under a text goes on with it; an empty one is a dot.", 1, row
            )
        lines.append(_line_of_text(line.removesuffix("\r"), row))
    return "\n".join(lines)


def _line_of_text(line: str, row: int) -> str:
    """What a continuation line says: `.` an empty line, `..` a dot, `."…"` what the JSON string says."""
    try:
        refuse_control(line)
    except Unreadable as unreadable:
        raise Unreadable(unreadable.sentence, unreadable.column, row) from None
    said = line.strip()
    if said in {".", ".."}:
        return said[1:]
    return _unpacked(line, row) if said.startswith('."') else said


def _unpacked(line: str, row: int) -> str:
    column = line.index(".") + 1
    try:
        text = json.loads(line.strip()[1:], strict=False)
    except ValueError:
        raise Unreadable(
            'After ." at the beginning stands a string as JSON writes it.', column, row
        ) from None
    if not isinstance(text, str) or UNKEEPABLE.search(text):
        raise Unreadable("This string holds what no text can keep.", column, row)
    return text
