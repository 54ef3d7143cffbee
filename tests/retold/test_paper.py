"""Two pages are programs: their blocks run one after the other and print what stands below them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```\n(?P<printed>.*?)```)?", re.DOTALL)


@pytest.mark.parametrize(("name", "count"), [("library.md", 14), ("follow-with-eventsourcing.md", 4)])
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


def test_L17_the_page_of_programs_passes_a_strict_type_checker(tmp_path: Path) -> None:
    blocks = [block["code"] for block in BLOCK.finditer((DOCS / "library.md").read_text("utf-8"))]
    program = tmp_path / "program.py"
    program.write_text("\n".join(blocks))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(DOCS.parent / "pyproject.toml")]

    done = subprocess.run(
        [*command, str(program)], cwd=DOCS.parent, capture_output=True, text=True, check=False, timeout=110
    )

    assert (done.stdout, done.returncode) == ("Success: no issues found in 1 source file\n", 0)
