"""A record looked at by several processes: what is said of it is what one says alone."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from retold.journal.store import process_pool
from retold.journal.store import verify as verifying
from retold.journal.store.contract.event_store import EventStore
from retold.journal.store.contract.progress import Progress
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import Report, parallel, verify
from retold.journal.store.verify.parallel import CheckedStretch, verify_in_parallel
from retold.journal.store.verify.row_check import Inspector
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.vocabulary import commands as c
from tests.journal.store.played import notes
from tests.journal.store.test_verify import EDITS, behind, path

__all__ = ["path"]


@pytest.fixture(autouse=True)
def _many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of a few events is a long one, for two processors."""
    monkeypatch.setattr(verifying, "PARALLEL_FROM", 1)
    monkeypatch.setattr(parallel, "STRETCH", 5)
    monkeypatch.setattr(process_pool, "processors", lambda: 2)


class InThisProcess:
    """Does at once what it is given, as if in other processes."""

    def __init__(self, *_hands: object) -> None:
        self.done = 0

    def submit(self, do: Callable[..., object], *given: object) -> Future[object]:
        told: Future[object] = Future()
        told.set_result(do(*given))
        return told

    def shutdown(self, **_how: bool) -> None:
        """There is nobody to wait for."""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process is begun."""
    monkeypatch.setattr(process_pool, "ProcessPoolExecutor", InThisProcess)


def told(path: Path, *, alone: bool) -> Report:
    with CampaignFile.open(path, read_only=True) as file:
        return verify(Record(file), alone=alone)


def long(path: Path) -> None:
    """The evening and its branch go on by turns, and words are taken away on both."""
    with CampaignStore.open(path) as camp:
        for line in (1, 2, 1, 2, 2):
            notes(camp.writer(line), "one", "another", "a third")
            writer = camp.writer(line)
            redact(writer, plan_redaction(writer, c.Redact(at=writer.head.position)))
        writer = camp.writer(2)
        redact(writer, plan_redaction(writer, c.Redact(at=5)))


def seen(path: Path) -> Inspector | None:
    with CampaignFile.open(path, read_only=True) as file:
        return verify_in_parallel(Record(file), None)


def test_of_a_whole_record_the_same_is_said(path: Path, here: None) -> None:
    long(path)

    found = seen(path)

    assert found is not None
    assert told(path, alone=False) == told(path, alone=True)
    assert list(found.heads.items()) == list(told(path, alone=True).heads.items())
    assert told(path, alone=False).redacted > 0


@pytest.mark.parametrize("what", EDITS)
def test_of_an_edited_record_the_same_is_said(what: str, path: Path, here: None) -> None:
    behind(path, *EDITS[what])

    assert told(path, alone=False) == told(path, alone=True)
    assert not told(path, alone=False).whole


@pytest.mark.parametrize("stretch", [1, 2, 3, 7])
def test_wherever_it_is_divided(
    stretch: int, path: Path, here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    long(path)
    monkeypatch.setattr(parallel, "STRETCH", stretch)

    assert seen(path) is not None
    assert told(path, alone=False) == told(path, alone=True)


def test_other_processes_see_it(path: Path) -> None:
    long(path)
    heard: list[int] = []

    with CampaignFile.open(path, read_only=True) as file:
        found = verify_in_parallel(Record(file), lambda done, _total: heard.append(done))

    assert found is not None
    assert heard[0] == 5
    assert heard == sorted(heard)
    assert multiprocessing.active_children() == []


def dying(_opening: Callable[[], EventStore], _after: int, _upto: int) -> CheckedStretch | None:
    """What a process does that somebody ends."""
    os._exit(9)


def test_if_one_of_them_is_ended_it_is_looked_at_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "check_stretch", dying)
    found: list[Inspector | None] = []

    def kept(record: Record, on_progress: Progress | None) -> Inspector | None:
        found.append(verify_in_parallel(record, on_progress))
        return found[-1]

    monkeypatch.setattr(verifying, "_verify_in_parallel", kept)

    assert told(path, alone=False) == told(path, alone=True)
    assert found == [None]


def test_a_person_who_has_enough_of_it_leaves_no_process_behind(path: Path) -> None:
    def enough(_done: int, _total: int | None) -> None:
        raise KeyboardInterrupt

    with CampaignFile.open(path, read_only=True) as file, pytest.raises(KeyboardInterrupt):
        verify_in_parallel(Record(file), enough)

    assert multiprocessing.active_children() == []
