"""Two pages are programs: their blocks run one after the other and print what stands below them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```\n(?P<printed>.*?)```)?", re.DOTALL)


@pytest.mark.parametrize(("name", "count"), [("library.md", 12), ("follow-with-eventsourcing.md", 4)])
def test_every_block_runs_and_prints_what_it_says(
    name: str,
    count: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paper = DOCS / name
    monkeypatch.chdir(tmp_path)
    blocks = list(BLOCK.finditer(paper.read_text("utf-8")))
    names: dict[str, object] = {"__name__": "paper"}

    for block in blocks:
        exec(compile(block["code"], str(paper), "exec"), names)
        printed = capsys.readouterr().out
        if block["printed"] is not None:
            assert printed == block["printed"]

    assert len(blocks) == count
