"""P16: how much memory a long campaign of many evenings takes to tell, against a short one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.campaigns import lived
from benchmarks.measuring import Figure, Goal, as_installed, counted, show

SHORT = 10_000
LONG = int(os.environ.get("RETOLD_BENCH_P16", "200000"))
ROOT = Path(__file__).parent.parent
GOALS = {"replay": Goal(1.25), "export to text": Goal(1.5)}
TOLD = {
    "replay": ["replay", "1..@"],
    "export to text": ["export", "1..@", "--voice", "plain", "-f", "text"],
}


def run() -> list[Figure]:
    """Measures it; what it takes is a count and hardly varies, so each is run once, its modules compiled."""
    if not hasattr(os, "wait4"):
        how = "not run: this system does not say what a process took"
        return [
            counted("P16", _what(name), None, n=0, goal=str(GOALS[name]), met=None, how=how) for name in TOLD
        ]
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for events in (SHORT, LONG):
            lived(here / f"{events}.retold", events, branches=0).close()
        _peak(["log"], here / f"{SHORT}.retold")
        return [_figure(name, here) for name in TOLD]


def _what(name: str) -> str:
    return f"peak memory of {name}, of {LONG:,} events"


def _figure(name: str, folder: Path) -> Figure:
    short, long = (_peak(TOLD[name], folder / f"{events}.retold") for events in (SHORT, LONG))
    ratio = float(f"{long / short:.3g}")
    how = f"{SHORT:,} events: {short / 2**20:.0f} MB; ours {long / 2**20:.0f}"
    return counted(
        "P16", _what(name), ratio, n=LONG, goal=str(GOALS[name]), met=GOALS[name].met(ratio), how=how
    )


def _peak(words: list[str], path: Path) -> float:
    """The most memory that the process held at once, in bytes."""
    command = [sys.executable, "-m", "retold", "-c", str(path), *words]
    env = as_installed(path.parent)
    quiet = subprocess.DEVNULL
    started = subprocess.Popen(command, cwd=ROOT, env=env, stdin=quiet, stdout=quiet, stderr=quiet)
    _, status, took = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise subprocess.CalledProcessError(started.returncode, command)
    return took.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    show(run())
