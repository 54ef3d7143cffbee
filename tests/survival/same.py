"""R26: the same record gives the same, whatever computer, place and tongue it is read in."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

from tests.survival.attacks import Found, attacked

ROOT = Path(__file__).resolve().parents[2]

ASKED = """
import sys
from retold.__main__ import main
for words in (["log", "-n", "0"], ["show"], ["show", "cast"], ["stats"], ["export", "-f", "md"], ["dump"],
              ["dump", "--script"], ["export", "-f", "json"], ["can"]):
    main(["-c", sys.argv[1], *words])
"""
BY_CHANCE = "import sys; print(list({'harbour', 'ebb', 'stair', 'rain', 'guards', 'Zel', 'quay', 'rope'}))"
"""What depends on the seed of Python's hashes, as a view must not."""


def read_everywhere(folder: Path, rounds: int, protected: bool) -> Found:
    """All that is read of a campaign, under so many surroundings: hash seeds, time zones and locales."""
    path = folder / "same.retold"
    attacked(path)
    seeds, zones, tongues = ("0", "1", "4711"), ("UTC", "Pacific/Chatham"), ("C", "C.UTF-8", "tr_TR.UTF-8")
    surroundings = list(product(seeds, zones, tongues))[:: max(1, 18 // rounds)][:rounds]
    digests = {
        _digest(ASKED if protected else BY_CHANCE, path, folder, PYTHONHASHSEED=seed, TZ=zone, LC_ALL=tongue)
        for seed, zone, tongue in surroundings
    }
    return Found(tried=len(surroundings), untrue=len(digests) - 1)


def _digest(code: str, path: Path, folder: Path, **more: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
    home = {"RETOLD_HOME": str(folder / "home"), "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        cwd=ROOT,
        env={**kept, **home, **more},
        check=True,
    )
    assert done.stdout
    return hashlib.sha256(done.stdout + done.stderr).hexdigest()
