"""The guard against slowing down: its numbers do not vary, and a slower Retold changes them."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from itertools import count
from pathlib import Path

import pytest

from benchmarks import guard
from benchmarks.counting import steps_of
from benchmarks.guard import Kept, Prepared
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events import codec


@pytest.fixture
def given(tmp_path: Path) -> Prepared:
    return Prepared(tmp_path, tmp_path / "0.retold", count())


def test_every_kept_number_is_of_a_task_and_every_task_has_one() -> None:
    for numbers in guard.kept().values():
        assert list(numbers) == list(guard.WORKLOADS)
        assert [name for name, one in numbers.items() if one.steps < guard.LEAST] == []


def test_a_task_that_does_nothing_is_refused(given: Prepared) -> None:
    with pytest.raises(AssertionError, match="These do nothing: nothing"):
        guard.counted({"nothing": lambda _: guard.warm(lambda: None)}, given)


def _sort() -> None:
    sorted(range(100), key=str)


def test_steps_are_the_same_at_every_run_and_tracing_is_as_it_was() -> None:
    before = sys.gettrace(), sys.getprofile()

    for _ in range(3):  # until an interpreter that adapts its instructions has done so
        steps_of(_sort)
    assert len({steps_of(_sort) for _ in range(3)}) == 1
    assert (sys.gettrace(), sys.getprofile()) == before


def test_decoding_a_fifth_slower_is_too_slow(given: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    given.evening("bruise/three-hands").close()
    reads = {"events decoded": guard.WORKLOADS["events decoded"]}
    before = {name: Kept(steps) for name, steps in guard.counted(reads, given).items()}
    decode = codec.decode_event

    def slower(row: Row) -> object:
        if row.position % 5 == 0:
            decode(row)
        return decode(row)

    monkeypatch.setattr(codec, "decode_event", slower)
    found = guard.counted(reads, given)
    assert 0.15 < guard.changes(found, before)["events decoded"] < 0.3
    assert "\n".join(guard.report(found, before)).count(guard.TOO_SLOW) == 1


def test_only_changed_numbers_are_written_and_a_rise_needs_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {"same": Kept(100, "old"), "slower": Kept(100), "quicker": Kept(100, "old")}
    found = {"same": 104, "slower": 116, "quicker": 80, "new": 7}
    after = {"same": Kept(100, "old"), "slower": Kept(116, 'a "why"'), "quicker": Kept(80), "new": Kept(7)}
    monkeypatch.setattr(guard, "KEPT", tmp_path / "guard.toml")
    monkeypatch.setattr(guard, "prepared", nullcontext)
    monkeypatch.setattr(guard, "counted", lambda *_: found)
    guard.KEPT.write_text("# A comment.\n", "utf-8")
    guard.write(before)

    assert (guard.main([]), guard.main(["--write"])) == (1, 1)
    assert guard.kept() == {guard.PYTHON: before}
    assert f"slower: +16.0%{guard.TOO_SLOW}\n" in capsys.readouterr().out
    assert guard.main(["--write", "a", '"why"']) == 0
    assert guard.kept() == {guard.PYTHON: after}
    assert guard.KEPT.read_text("utf-8").startswith("# A comment.\n")
    assert guard.main([]) == 0
