"""What is hidden from a viewer changes no byte of what their assistant is answered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

import retold
from tests.prepared import numbered
from tests.retold.mcp.assistant import Assistant, opened
from tests.twin_evenings import GAMES, differences, played

CALLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("campaigns", {}),
    ("recap", {}),
    ("recap", {"part": "s1..s2", "length": "page"}),
    ("session", {"n": 1}),
    ("session", {"n": "book"}),
    ("happened", {"limit": 7}),
    ("who", {"name": "Zel"}),
    ("who", {"name": "Warden"}),
    ("search", {"words": "ford"}),
    ("search", {"words": "psst"}),
    ("threads", {}),
    ("board", {}),
    ("board", {"at": "wading"}),
    ("compare", {"one": "wading"}),
    ("compare", {"one": "s1", "other": "wading"}),
    ("can", {}),
    ("check", {"text": "# One\n\nZel waded. Imp fled. The Baron paid. Odo was wet. Hob hit Zel for 3."}),
)


def answers(campaign: retold.Campaign, eyes: str) -> dict[str, str]:
    """Every page of every call."""
    assistant = Assistant(opened(campaign, eyes))
    found: dict[str, str] = {}
    for tool, arguments in CALLS:
        after, pages = "", []
        while True:
            more = {} if tool == "campaigns" else {"after": after}
            text = assistant.said(tool, **arguments, **more)
            pages.append(text)
            cursor = re.search(r'"cursor":"([^"]*)","more":true', text)
            if cursor is None:
                break
            after = cursor[1]
        found[f"{tool} {arguments}"] = numbered(
            re.sub(r'("cursor":"\d+)\.[0-9a-f]+', r"\1", "\n".join(pages))
        )
    return found


@pytest.mark.parametrize("game", GAMES)
def test_hidden_events_change_no_byte_of_an_answer(tmp_path: Path, game: str) -> None:
    with played(tmp_path, game, hidden=True) as one, played(tmp_path, game, hidden=False) as other:
        assert differences(one, other, answers) == []
        assert one.position - other.position > 15
        assert answers(one, "gm") != answers(other, "gm")
