"""Fuzzes all targets, or those named, and prints the number of tries and the findings.

python3 run.py fuzz                          ten minutes, shared by all targets
python3 run.py fuzz language load --minutes 30
python3 run.py fuzz --again TARGET FILE      repeats one finding

`--folder` names a folder of an earlier run to go on from.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fuzz.targets import ROOT, TARGETS, TRYING, Target

BEGINS = 900
"""Seconds a fuzzer may take to its first try: instrumenting the code takes long."""
GRACE = 60
"""Seconds without a try after which a fuzzer counts as hanging."""


def main(arguments: Sequence[str]) -> int:
    """Fuzzes; 1 where something was found."""
    asked = argparse.ArgumentParser(prog="run.py fuzz", description=__doc__.partition("\n")[0])
    asked.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(one.name for one in TARGETS))
    asked.add_argument("--minutes", type=float, default=10, help="how long in all (10)")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once (every core)")
    asked.add_argument("--folder", type=Path, help="folder for the corpus and the findings")
    asked.add_argument(
        "--again", nargs=2, metavar=("TARGET", "FILE"), help="repeat one try, with its traceback"
    )
    known = asked.parse_args(arguments)
    if known.again:
        return _again(*known.again)
    chosen = [one for one in TARGETS if not known.targets or one.name in known.targets]
    if unknown := set(known.targets) - {one.name for one in chosen}:
        asked.error(f"there is no target {', '.join(sorted(unknown))}")
    folder = (known.folder or Path(tempfile.mkdtemp(prefix="retold-fuzz-"))).resolve()
    seconds = max(1, int(60 * known.minutes * min(known.jobs, len(chosen)) / len(chosen)))
    print("| target | what | tried | seconds | found |\n|---|---|---|---|---|", flush=True)
    found = 0
    waiting, running = list(chosen), list[tuple[Target, subprocess.Popen[bytes]]]()
    while waiting or running:
        while waiting and len(running) < known.jobs:
            target = waiting.pop(0)
            running.append((target, _begun(target, folder / target.name, seconds)))
        target, process = running.pop(0)
        found += _told(target, folder / target.name, process)
    print(f"Kept in {folder}." if found else "Nothing was found.")
    return 1 if found else 0


def _begun(target: Target, folder: Path, seconds: int) -> subprocess.Popen[bytes]:
    folder.mkdir(parents=True, exist_ok=True)
    for left in ("told.json", TRYING):
        (folder / left).unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.guided", target.name, str(folder), str(seconds)]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def _told(target: Target, folder: Path, process: subprocess.Popen[bytes]) -> int:
    """Waits for a fuzzer and prints its line; how many kinds of failure it has found."""
    began = time.time()
    while (code := _ended(process)) is None:
        if not is_alive(folder, began, time.time()):
            process.send_signal(signal.SIGQUIT)  # which leaves in the log where it hangs
            code = process.wait()
            break
    told: dict[str, Any] = {"tried": 0, "seconds": 0, "found": {}}
    if (folder / "told.json").exists():
        told = json.loads((folder / "told.json").read_text("utf-8"))
    kinds = [f"{kind} ({count})" for kind, count in told["found"].items()]
    if code:
        kinds.append(f"it ended with {code}: {folder / 'log'}")
    cells = (target.name, target.what, told["tried"], told["seconds"], "; ".join(kinds) or "nothing")
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    return len(kinds)


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(GRACE)
    except subprocess.TimeoutExpired:
        return None


def is_alive(folder: Path, began: float, now: float) -> bool:
    """True if the fuzzer of this folder, begun at `began`, is starting or was recently active."""
    try:
        return now - (folder / TRYING).stat().st_mtime < GRACE
    except FileNotFoundError:
        return now - began < BEGINS


def _again(name: str, file: str) -> int:
    (target,) = (one for one in TARGETS if one.name == name)
    with tempfile.TemporaryDirectory() as folder, target.door(Path(folder)) as try_:
        try_(Path(file).read_bytes())
    print("Nothing is wrong with it.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
