"""The frame of every benchmark: peers take turns round by round, and a figure is a ratio with its spread."""

from __future__ import annotations

import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROUNDS = 9
LEAST_ROUNDS = 7

FLOOR = "floor"
"""The task that does what has to be done at the least."""

Task = Callable[[], object]


@dataclass(frozen=True)
class Figure:
    """One figure: ours against a peer's, in the same run."""

    id: str
    what: str
    ratio: float | None
    median_ms: float | None
    spread: tuple[float, float]
    """The lower and the upper quartile of the ratio, round by round."""
    peer: str
    peer_ms: float | None
    n: int
    goal: str
    met: bool | None
    floor_ms: float | None = None
    """What has to be done at the least, measured in the same run (floors.py); None where it is not known."""

    def line(self) -> str:
        """The figure as a line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)


def as_installed(folder: Path) -> dict[str, str]:
    """The environment of a process that is measured, with a home in a folder and its modules compiled there.

    Installed, modules are compiled once; a round that is not counted, or a run before it, does that.
    """
    env = os.environ | {"RETOLD_HOME": str(folder), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def interleaved(
    tasks: Mapping[str, Task], rounds: int = ROUNDS, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Seconds for each task by `clock`, one of each in every round, after one round that is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(max(rounds, LEAST_ROUNDS) + 1):
        for name, task in tasks.items():
            gc.collect()
            start = clock()
            task()
            took = clock() - start
            if number:
                seconds[name].append(took)
    return seconds


@dataclass(frozen=True)
class Goal:
    """What a ratio should be: at most, or at least, so much."""

    ratio: float
    at_most: bool = True
    stretch: float | None = None

    def met(self, ratio: float) -> bool:
        """Whether it is."""
        return ratio <= self.ratio if self.at_most else ratio >= self.ratio

    def __str__(self) -> str:
        sign = "≤" if self.at_most else "≥"
        better = f" ({sign} {self.stretch:g})" if self.stretch is not None else ""
        return f"{sign} {self.ratio:g}x{better}"


def compare(
    id_: str,
    what: str,
    seconds: Mapping[str, Sequence[float]],
    ours: str,
    peer: str,
    *,
    n: int,
    goal: Goal | None = None,
    peer_n: int | None = None,
) -> Figure:
    """Ours against the peer's, per thing done; where more is better the ratio is the peer's time to ours.

    Without a goal the ratio is ours to the peer's.
    """
    mine = [one / n for one in seconds[ours]]
    theirs = [one / (peer_n or n) for one in seconds[peer]]
    pairs = list(zip(mine, theirs, strict=True))
    is_ours = goal is None or goal.at_most
    ratios = [own / other if is_ours else other / own for own, other in pairs]
    own, other = statistics.median(mine), statistics.median(theirs)
    ratio = own / other if is_ours else other / own
    low, _, high = statistics.quantiles(ratios, n=4)
    return Figure(
        id_,
        what,
        _short(ratio),
        _short(statistics.median(seconds[ours]) * 1000),
        (_short(low), _short(high)),
        peer,
        _short(statistics.median(seconds[peer]) * 1000),
        n,
        str(goal or "-"),
        None if goal is None else goal.met(ratio),
        _short(statistics.median(seconds[FLOOR]) * 1000) if FLOOR in seconds else None,
    )


def counted(
    id_: str, what: str, number: float | None, *, n: int, goal: str, met: bool | None, how: str
) -> Figure:
    """A figure that is a count and no time; None where it could not be counted here."""
    spread = (number or 0.0, number or 0.0)
    return Figure(id_, what, number, None, spread, how, None, n, goal, met)


def show(figures: Sequence[Figure]) -> None:
    """Prints each figure as a line of JSON."""
    for figure in figures:
        sys.stdout.write(figure.line() + "\n")
    sys.stdout.flush()


def _short(number: float) -> float:
    return float(f"{number:.3g}")
