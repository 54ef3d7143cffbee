"""Pool of worker processes, one for each processor; results come in the order of the tasks.

Workers are spawned on every system, so they share nothing with this process but the arguments they are given.
The main module of a program that uses the pool must be safe to import twice.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, Final, TypeVar

T = TypeVar("T")

AHEAD: Final = 2
"""Tasks per worker that may be running, or finished and not yet consumed."""


class PoolUnavailable(Exception):  # noqa: N818 -- like Refused, it is called what it says
    """Raised if worker processes cannot be started, or if one died: this process must do the work alone."""


class ProcessPool:
    """Running worker processes that take tasks; `open_pool` starts them."""

    def __init__(self, pool: ProcessPoolExecutor, workers: int, *, helped: bool) -> None:
        self._pool = pool
        self._workers = workers
        self._helped = helped

    def run(self, do: Callable[..., T], *given: Any) -> T:  # noqa: ANN401 -- whatever it is that is done
        """Returns `do(*given)`, computed in a worker; PoolUnavailable if no worker is left."""
        return _result_of(self._submit(do, *given))

    def map(
        self, do: Callable[..., T], work: Iterable[tuple[Any, ...]], *, ahead: int = AHEAD
    ) -> Iterator[T]:
        """Yields `do(*arguments)` for each tuple in `work`, in order, computed in the workers.

        The first tasks start at once. Up to `ahead` tasks per worker may be running, or finished and not yet
        asked for. If this process helps, it runs the next task itself instead of waiting.
        """
        waiting = iter(work)
        first = islice(waiting, self._workers * ahead)
        return self._in_order(do, waiting, deque(self._submit(do, *given) for given in first))

    def _in_order(
        self, do: Callable[..., T], waiting: Iterator[tuple[Any, ...]], under_way: deque[Future[T]]
    ) -> Iterator[T]:
        while under_way:
            if self._helped and not under_way[0].done():
                mine = [_run_here(do, *given) for given in islice(waiting, 1)]
                under_way.extend(mine)
                if mine:
                    continue
            done = _result_of(under_way.popleft())
            under_way.extend(self._submit(do, *given) for given in islice(waiting, 1))
            yield done

    def _submit(self, do: Callable[..., T], *given: Any) -> Future[T]:  # noqa: ANN401 -- as above
        try:
            with _interrupts_blocked():
                return self._pool.submit(do, *given)
        except (BrokenExecutor, ImportError, OSError) as error:  # some systems lack the shared semaphores
            raise PoolUnavailable(str(error)) from None


@contextmanager
def open_pool(
    begin: Callable[..., object] | None = None,
    *given: Any,  # noqa: ANN401 -- as above
    helped: bool = False,
) -> Iterator[ProcessPool]:
    """Context manager: starts worker processes, each of which first calls `begin(*given)`; gives the pool.

    There is one worker per processor; one less with `helped`, when this process runs tasks too: it must then
    be prepared itself. An exception in the block (Ctrl-C too) terminates the workers; they also end if this
    process dies. Raises PoolUnavailable if processes cannot be started, if there is only one processor, or if
    `given` cannot be pickled.
    """
    workers, before = processors() - helped, set(active_children())
    if workers + helped == 1:
        raise PoolUnavailable("there is one processor")
    try:
        handed = pickle.dumps((begin, given))
        pool = ProcessPoolExecutor(
            workers, get_context("spawn"), _initialise_worker, (gc.get_threshold(), handed)
        )
    except (ImportError, OSError, pickle.PicklingError, AttributeError, TypeError) as error:
        raise PoolUnavailable(str(error)) from None
    try:
        yield ProcessPool(pool, workers, helped=helped)
    except BaseException:
        for worker in set(active_children()) - before:
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def processors() -> int:
    """Returns the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _run_here(do: Callable[..., T], *given: Any) -> Future[T]:  # noqa: ANN401 -- as above
    finished: Future[T] = Future()
    finished.set_result(do(*given))
    return finished


def _result_of(work: Future[T]) -> T:
    try:
        return work.result()
    except BrokenExecutor as error:
        raise PoolUnavailable(str(error)) from None


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Context manager: processes started inside ignore Ctrl-C; this process gets it after the block.

    Ctrl-C reaches every process of a terminal, but only the main process must react.
    """
    if sys.platform == "win32":  # which has no signal masks
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in another process -----------------------------------------------------------------------------------


def _initialise_worker(collects: tuple[int, int, int], handed: bytes) -> None:
    """Prepares a new worker: garbage collection as in the main process, Ctrl-C ignored, then calls `begin`.

    `handed` is the pickled `begin` with its arguments. The worker ends when the main process does.
    """
    gc.set_threshold(*collects)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_main_process, daemon=True).start()
    begin, given = pickle.loads(handed)  # noqa: S301 -- from the parent process
    if begin is not None:
        begin(*given)


def _end_with_main_process() -> None:
    """Ends this worker as soon as the main process is gone, for whatever reason."""
    first = parent_process()
    if first is not None:
        wait([first.sentinel])
        os._exit(1)
