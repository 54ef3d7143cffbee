"""Work given out to other processes, one for each processor, and what comes of it in the order it was given.

They are begun anew (spawn) on every system and every Python: nothing of this process is theirs but what they
are handed, whatever threads run here. Whoever gives out work imports nothing that must not run twice.
"""

from __future__ import annotations

import os
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


class NoCrew(Exception):  # noqa: N818 -- like Refused, it is called what it says
    """There are no other processes to be had, or one of them was ended: the work is for this one alone."""


class Crew:
    """Other processes at work, until they are let go."""

    def __init__(self, pool: ProcessPoolExecutor, hands: int) -> None:
        self._pool = pool
        self._hands = hands

    def one(self, do: Callable[..., T], *given: Any) -> T:  # noqa: ANN401 -- whatever it is that is done
        """What comes of one piece of work; NoCrew where nobody is left to do it."""
        return _done(self._begin(do, *given))

    def each(
        self, do: Callable[..., T], work: Iterable[tuple[Any, ...]], *, ahead: int = AHEAD
    ) -> Iterator[T]:
        """What comes of each piece of work, in order; the first of them are under way when this returns.

        So many pieces for each process may lie done until they are asked for.
        """
        waiting = iter(work)
        first = islice(waiting, self._hands * ahead)
        return self._in_order(do, waiting, deque(self._begin(do, *given) for given in first))

    def _in_order(
        self, do: Callable[..., T], waiting: Iterator[tuple[Any, ...]], under_way: deque[Future[T]]
    ) -> Iterator[T]:
        while under_way:
            done = _done(under_way.popleft())
            under_way.extend(self._begin(do, *given) for given in islice(waiting, 1))
            yield done

    def _begin(self, do: Callable[..., T], *given: Any) -> Future[T]:  # noqa: ANN401 -- as above
        try:
            with _deaf_to_interrupts():
                return self._pool.submit(do, *given)
        except (BrokenExecutor, ImportError, OSError) as error:  # not every system has what processes share
            raise NoCrew(str(error)) from None


@contextmanager
def crew(begin: Callable[..., object] | None = None, *given: Any) -> Iterator[Crew]:  # noqa: ANN401 -- as above
    """Other processes until the block ends, in each of which `begin` has been called with what is `given`.

    Whatever is raised in the block, a Ctrl-C too, ends them at once. Should this process be ended, they end.
    NoCrew where there are none to be had, or this system gives this process one processor alone.
    """
    hands, before = processors(), set(active_children())
    if hands == 1:
        raise NoCrew("there is one processor")
    try:
        pool = ProcessPoolExecutor(hands, get_context("spawn"), _begun, (begin, *given))
    except (ImportError, OSError) as error:
        raise NoCrew(str(error)) from None
    try:
        yield Crew(pool, hands)
    except BaseException:
        for one in set(active_children()) - before:
            one.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _done(work: Future[T]) -> T:
    try:
        return work.result()
    except BrokenExecutor as error:
        raise NoCrew(str(error)) from None


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


def _begun(begin: Callable[..., object] | None, *given: Any) -> None:  # noqa: ANN401 -- as above
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_first, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_the_first() -> None:
    """Ends this process when the one that was asked is no more, however that came."""
    first = parent_process()
    if first is not None:
        wait([first.sentinel])
        os._exit(1)
