"""Work given to other processes: it comes back in order, and nobody is left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import wait

import pytest

from retold.journal.store import process_pool as crews
from retold.journal.store.process_pool import PoolUnavailable, open_pool
from tests.patience import PATIENCE

_GIVEN: list[str] = []


@pytest.fixture(autouse=True)
def _two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processors, however many there are."""
    monkeypatch.setattr(crews, "processors", lambda: 2)


def begin(given: str) -> None:
    """What each process is handed once."""
    _GIVEN.append(given)


def told(number: int) -> tuple[int, list[str], int]:
    """The number, what this process was handed, and which it is."""
    return number, _GIVEN, os.getpid()


def ended(_number: int) -> None:
    """What a process does that somebody ends."""
    os._exit(9)


def deaf() -> bool:
    """True where Ctrl-C is nothing to this process, whatever it does with it."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        return False
    return not hasattr(signal, "pthread_sigmask") or signal.SIGINT in signal.pthread_sigmask(
        signal.SIG_BLOCK, ()
    )


def asleep() -> None:
    """Waits for what never comes."""
    wait([multiprocessing.Pipe()[0]])


def test_results_keep_the_order_of_the_tasks() -> None:
    with open_pool(begin, "given") as hands:
        found = list(hands.map(told, ((number,) for number in range(7)), ahead=1))
        heard = hands.run(deaf)

    assert [number for number, *_ in found] == list(range(7))
    assert all(given == ["given"] for _, given, _ in found)
    assert os.getpid() not in {process for *_, process in found}
    assert heard
    assert multiprocessing.active_children() == []


def test_tasks_handed_out_are_limited() -> None:
    asked: list[int] = []

    def work() -> Iterator[tuple[int]]:
        for number in range(9):
            asked.append(number)
            yield (number,)

    with open_pool() as hands:
        found = hands.map(told, work(), ahead=1)
        assert asked == [0, 1]
        next(found)
        assert asked == [0, 1, 2]


def test_a_waiting_process_helps() -> None:
    with open_pool(begin, "given", helped=True) as hands:
        found = list(hands.map(told, ((number,) for number in range(4)), ahead=1))

    here = [number for number, _, process in found if process == os.getpid()]
    assert [number for number, *_ in found] == list(range(4))
    assert here[:1] == [1]  # no other process is there as soon as that
    assert len({process for *_, process in found}) == 2


def test_a_killed_process_ends_the_pool() -> None:
    with pytest.raises(PoolUnavailable), open_pool() as hands:
        list(hands.map(ended, [(1,)]))

    assert multiprocessing.active_children() == []


def test_an_interrupted_pool_leaves_no_children() -> None:
    def interrupted() -> Iterator[tuple[()]]:
        yield ()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_pool() as hands:
        hands.map(asleep, interrupted())

    assert multiprocessing.active_children() == []


def test_an_unpicklable_task_uses_no_pool() -> None:
    with pytest.raises(PoolUnavailable), open_pool(lambda: None):
        pass


def test_one_processor_uses_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crews, "processors", lambda: 1)

    with pytest.raises(PoolUnavailable), open_pool():
        pass


FIRST = """
import os
from retold.journal.store import process_pool as crews
from tests.journal.store.test_crew import asleep, told

crews.processors = lambda: 2
if __name__ == "__main__":
    with crews.open_pool() as hands:
        print(hands.run(told, 1)[2], flush=True)
        hands.map(asleep, [(), ()])
        os._exit(9)
"""
"""Somebody who is ended while others work for them; their standard output is theirs too."""


def test_pool_processes_end_with_their_parent() -> None:
    first = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, timeout=PATIENCE, check=False)

    assert first.returncode == 9, first.stderr
    assert first.stdout.strip().isdigit()  # and the pipe was closed: nobody who writes to it is left
