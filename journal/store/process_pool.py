"""Work given out to other processes, one for each processor, and what comes of it in the order it was given.

They are begun anew (spawn) on every system and every Python: nothing of this process is theirs but what they
are handed, whatever threads run here. Whoever gives out work imports nothing that must not run twice.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
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
"""So many pieces of work for each process are under way, or done and not yet asked for."""


class PoolUnavailable(Exception):  # noqa: N818 -- like Refused, it is called what it says
    """There are no other processes to be had, or one of them was ended: the work is for this one alone."""


class ProcessPool:
    """Other processes at work, until they are let go."""

    def __init__(self, pool: ProcessPoolExecutor, hands: int, *, helped: bool) -> None:
        self._pool = pool
        self._hands = hands
        self._helped = helped

    def one(self, do: Callable[..., T], *given: Any) -> T:  # noqa: ANN401 -- whatever it is that is done
        """What comes of one piece of work; NoCrew where nobody is left to do it."""
        return _done(self._begin(do, *given))

    def each(
        self, do: Callable[..., T], work: Iterable[tuple[Any, ...]], *, ahead: int = AHEAD
    ) -> Iterator[T]:
        """What comes of each piece of work, in order; the first of them are under way when this returns.

        So many pieces for each process may lie done until they are asked for. Where this process helps, it
        does whatever comes next while it would have to wait.
        """
        waiting = iter(work)
        first = islice(waiting, self._hands * ahead)
        return self._in_order(do, waiting, deque(self._begin(do, *given) for given in first))

    def _in_order(
        self, do: Callable[..., T], waiting: Iterator[tuple[Any, ...]], under_way: deque[Future[T]]
    ) -> Iterator[T]:
        while under_way:
            if self._helped and not under_way[0].done():
                mine = [_done_here(do, *given) for given in islice(waiting, 1)]
                under_way.extend(mine)
                if mine:
                    continue
            done = _done(under_way.popleft())
            under_way.extend(self._begin(do, *given) for given in islice(waiting, 1))
            yield done

    def _begin(self, do: Callable[..., T], *given: Any) -> Future[T]:  # noqa: ANN401 -- as above
        try:
            with _deaf_to_interrupts():
                return self._pool.submit(do, *given)
        except (BrokenExecutor, ImportError, OSError) as error:  # not every system has what processes share
            raise PoolUnavailable(str(error)) from None


@contextmanager
def open_pool(
    begin: Callable[..., object] | None = None,
    *given: Any,  # noqa: ANN401 -- as above
    helped: bool = False,
) -> Iterator[ProcessPool]:
    """Other processes until the block ends, in each of which `begin` has been called with what is `given`.

    One for each processor, or one less where this process has `helped`: it has made itself ready before.

    Whatever is raised in the block, a Ctrl-C too, ends them at once. Should this process be ended, they end.
    NoCrew where there are none to be had, or this process has one processor alone, or what is given cannot
    be handed on.
    """
    hands, before = processors() - helped, set(active_children())
    if hands + helped == 1:
        raise PoolUnavailable("there is one processor")
    try:
        handed = pickle.dumps((begin, given))
        pool = ProcessPoolExecutor(hands, get_context("spawn"), _begun, (gc.get_threshold(), handed))
    except (ImportError, OSError, pickle.PicklingError, AttributeError, TypeError) as error:
        raise PoolUnavailable(str(error)) from None
    try:
        yield ProcessPool(pool, hands, helped=helped)
    except BaseException:
        for one in set(active_children()) - before:
            one.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _done_here(do: Callable[..., T], *given: Any) -> Future[T]:  # noqa: ANN401 -- as above
    told: Future[T] = Future()
    told.set_result(do(*given))
    return told


def _done(work: Future[T]) -> T:
    try:
        return work.result()
    except BrokenExecutor as error:
        raise PoolUnavailable(str(error)) from None


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is begun in here never hears a Ctrl-C; one that comes meanwhile is heard right after.

    Ctrl-C reaches every process of a terminal, and is for the one that was asked.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in another process -----------------------------------------------------------------------------------


def _begun(collects: tuple[int, int, int], handed: bytes) -> None:
    """Makes ready. Garbage is collected as often as by the first, from before anything else is imported."""
    gc.set_threshold(*collects)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_first, daemon=True).start()
    begin, given = pickle.loads(handed)  # noqa: S301 -- from whoever began this process
    if begin is not None:
        begin(*given)


def _end_with_the_first() -> None:
    """Ends this process when the one that was asked is no more, however that came."""
    first = parent_process()
    if first is not None:
        wait([first.sentinel])
        os._exit(1)
