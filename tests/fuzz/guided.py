"""One door under a coverage-guided fuzzer, which keeps what reaches code that nothing reached before.

    python -m tests.fuzz.guided TARGET FOLDER SECONDS

Run by `tests.fuzz`, in an environment that has Atheris. What is found is kept in FOLDER/found, each kind of
failure once, and it goes on; FOLDER/told.json says how far it came. A hang ends it: FOLDER/trying has it.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["retold"]):
    import retold.cli.service.endpoints
    import retold.games.bruise
    import retold.games.edgerunner
    import retold.games.guenask
    import retold.games.homebrew
    import retold.games.spacetime
    import retold.games.whiskey  # noqa: F401 -- as above
    from tests.fuzz.targets import TARGETS, TRYING, Target

HANGS = 25
"""Seconds after which one try is a finding."""
MEMORY = 2048
"""MB that a try may take."""
OFTEN = 200


class Hunt:
    """One door, what it is given, and what has been found."""

    def __init__(self, target: Target, folder: Path) -> None:
        self._folder = folder
        self._opened = target.door(_made(folder / "door"))
        self._try = self._opened.__enter__()
        self._found: dict[str, int] = {}
        self._tried = 0
        self._began = time.monotonic()
        _made(folder / "found")
        self._trying = os.open(folder / TRYING, os.O_CREAT | os.O_WRONLY)
        """What is tried now, after its length in eight digits: what a crash or a hang leaves."""

    def once(self, data: bytes) -> None:
        """One try."""
        self._tried += 1
        os.pwrite(self._trying, b"%08d" % len(data) + data, 0)
        faulthandler.dump_traceback_later(HANGS, exit=True)
        try:
            self._try(data)
        except Exception as error:  # noqa: BLE001 -- each is a finding
            self._keep(error, data)
        if self._tried % OFTEN == 0:
            self._tell()

    def _keep(self, error: Exception, data: bytes) -> None:
        kind = _kind(error)
        if kind not in self._found:
            number = len(self._found) + 1
            (self._folder / "found" / f"{number}.bytes").write_bytes(data)
            told = "".join(traceback.format_exception(error))
            (self._folder / "found" / f"{number}.txt").write_text(f"{kind}\n\n{told}", "utf-8", "replace")
        self._found[kind] = self._found.get(kind, 0) + 1
        self._tell()

    def _tell(self) -> None:
        seconds = time.monotonic() - self._began
        told = {"tried": self._tried, "seconds": round(seconds), "found": self._found}
        (self._folder / "told.json").write_text(json.dumps(told), "utf-8")


def _kind(error: Exception) -> str:
    """What tells one failure from another: its type, and the line of ours it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "/tests/" not in one.filename and "site-packages" not in one.filename]
    last = (ours or frames)[-1]
    return f"{type(error).__name__} at {'/'.join(Path(last.filename).parts[-3:])}:{last.lineno}"


def _quoted(word: str) -> str:
    """A word as libFuzzer's dictionaries have it."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"'


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main() -> None:
    """Fuzzes until the time is up."""
    name, where, seconds = sys.argv[1:]
    folder = Path(where)
    (target,) = (one for one in TARGETS if one.name == name)
    corpus = _made(folder / "corpus")
    for number, seed in enumerate(target.seeds(_made(folder / "seeds"))):
        (corpus / f"seed-{number}").write_bytes(seed)
    os.environ["RETOLD_HOME"] = str(folder / "home")
    words = folder / "words"
    words.write_text("".join(f"{_quoted(word)}\n" for word in target.words()), "ascii")
    faulthandler.register(signal.SIGQUIT, all_threads=True, chain=True)  # where it hangs, if it does
    hunt = Hunt(target, folder)
    options: dict[str, object] = {
        "max_total_time": seconds,
        "max_len": target.longest,
        "timeout": 4 * HANGS,
        "rss_limit_mb": MEMORY,
        "artifact_prefix": f"{folder / 'found'}/",
        "print_final_stats": 1,
        "verbosity": 0,
    }
    if words.stat().st_size:
        options["dict"] = words
    atheris.Setup(
        [sys.argv[0], str(corpus), *(f"-{key}={value}" for key, value in options.items())], hunt.once
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
