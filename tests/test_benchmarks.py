"""The benchmarks: each is listed by its name, and the one of drafts runs on a small scale."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks import keystrokes, measuring
from tests.test_architecture import ROOT

pytest.importorskip("typst", reason="a book is set by Typst")

from benchmarks import drafts


def test_every_benchmark_is_listed_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    scripts = {
        path.stem
        for path in Path(bench.__file__).parent.glob("*.py")
        if 'if __name__ == "__main__":' in path.read_text("utf-8")
    }
    processes = {"server_nodes", "server_writers"}  # which `server` starts
    listed = (*bench.NAMES, *bench.TABLES)

    assert scripts - processes - {"__main__"} == {bench.MODULES.get(name, name) for name in listed}
    for asked, code in (("--help", 0), ("no-such", 2)):
        assert bench.main([asked]) == code
        assert f"There are: {', '.join(listed)}.\n" in capsys.readouterr().out


def test_drafts_are_measured_on_a_small_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("EVENINGS", 1), ("PAIRS", 20), ("PARAGRAPHS", 20), ("REVISIONS", 3), ("PAGES", 3)):
        monkeypatch.setattr(drafts, name, few)
    monkeypatch.setattr(drafts, "ROUNDS", 2)
    monkeypatch.setattr(measuring, "LEAST_ROUNDS", 2)
    figures = drafts.run()
    counts = [one for one in figures if one.goal == "= 0" or one.goal[:1] == "≥"]

    assert len(figures) == len({one.what for one in figures}) == 11
    assert len(counts) == 5
    assert [one.what for one in counts if not one.met] == []


@pytest.mark.parametrize("name", ["d20", "edgerunner", "whiskey"])
def test_an_evening_as_it_is_typed_is_taken_in_the_end_and_has_no_wrong_number(name: str) -> None:
    acts = list(keystrokes.typed_acts(keystrokes.EVENINGS / f"{name}.evening"))

    assert len(acts) == 100
    assert [act.tries for act in acts if not act.taken] == []
    assert [act.tries for act in acts if act.wrong] == []


def test_each_row_of_the_page_names_the_commit_it_was_measured_at() -> None:
    asked: list[tuple[str, Sequence[str]]] = []
    bench.older(lambda commit, paths: asked.append((commit, paths)))

    assert asked
    assert [commit for commit, _ in asked if not re.fullmatch("[0-9a-f]{9}", commit)] == []
    assert [path for _, paths in asked for path in paths if not (ROOT / path).exists()] == []


def test_rows_older_than_the_code_they_measure_are_listed() -> None:
    rows = bench.older(lambda _commit, paths: "journal/store/postgres" in paths)
    assert {row.partition(":")[0] for row in rows} == {"server"}

    if old := bench.older(bench.changed_since):  # a release measures them again
        told = "\n".join((f"{len(old)} rows of docs/benchmarks.md are older than their code:", *old))
        warnings.warn(told, stacklevel=1)
