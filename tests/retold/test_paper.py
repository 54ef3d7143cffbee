"""docs/library.md is a program: its blocks run one after the other and print what stands below them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAPER = Path(__file__).resolve().parents[2] / "docs" / "library.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```\n(?P<printed>.*?)```)?", re.DOTALL)


def test_every_block_runs_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = list(BLOCK.finditer(PAPER.read_text("utf-8")))
    names: dict[str, object] = {"__name__": "paper"}

    for block in blocks:
        exec(compile(block["code"], str(PAPER), "exec"), names)
        printed = capsys.readouterr().out
        if block["printed"] is not None:
            assert printed == block["printed"]

    assert len(blocks) == 11
