"""R5 and R6: a disk that is full, or fails, at each of the calls of a line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from retold.journal.store.contract.errors import StoreError
from tests.survival.attacks import Found, attacked, rows, whole
from tests.survival.tracing import strace

ROOT = Path(__file__).resolve().parents[2]

LINES = (
    ("note:", "Once."),
    ("undo",),
    ("branch", "elsewhere"),
    ("branch", "promote", "kinder"),
    ("--yes", "redact", "4"),
)

PROTECTED = "import sys; from retold.__main__ import main; sys.exit(main(sys.argv[1:]))"
AT_ITS_WORD = textwrap.dedent("""
    from retold.journal.store.contract.errors import CannotWrite
    from retold.journal.store.sqlite.connection import unwritten
    from retold.journal.store.sqlite.file import CampaignFile
    CampaignFile._read_back = lambda file, error: CannotWrite(unwritten(file.path, error))
""")
"""The failure of the last step is believed, and nothing is read back."""
NEVER_MIND = textwrap.dedent("""
    import sqlite3
    from contextlib import contextmanager
    from retold.journal.store.sqlite import file

    @contextmanager
    def transaction(connection):
        connection.execute("BEGIN IMMEDIATE")
        yield
        try:
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    file.transaction = transaction
""")
"""The failure of the last step is not heard."""


def run_full(folder: Path, rounds: int, protected: bool) -> Found:
    """R5: there is no room from the k-th write on, for each k."""
    ways = (("pwrite64:error=ENOSPC:when={k}+",),)
    return _fail(folder, rounds, ways, "" if protected else NEVER_MIND)


def run_failing(folder: Path, rounds: int, protected: bool) -> Found:
    """R6: waiting for the disk fails the k-th time, or from then on, or together with all else."""
    dying = ("fdatasync:error=EIO:when={k}+", "ftruncate:error=EIO:when=2+", "unlink:error=EIO:when=1+")
    ways = (dying, ("fdatasync:error=EIO:when={k}",), ("fdatasync:error=EIO:when={k}+",))
    return _fail(folder, rounds, ways, "" if protected else AT_ITS_WORD)


def _fail(folder: Path, rounds: int, ways: Sequence[Sequence[str]], before: str) -> Found:
    """Says each line once for each call that fails in each way, until none does; so many at most."""
    base, found = folder / "base", Found()
    base.mkdir()
    attacked(base / "a.retold")
    for line, injected in _plans(ways):
        for k in range(1, 100):
            if found.tried == rounds:
                return found
            work = folder / "work"
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work)
            if not _said(work, line, [one.format(k=k) for one in injected], before, found):
                break
    return found


def _plans(ways: Sequence[Sequence[str]]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    return ((line, injected) for injected in ways for line in LINES)


def _said(work: Path, line: Sequence[str], injected: Sequence[str], before: str, found: Found) -> bool:
    """Says a line while calls fail, and holds what is answered against the file; False if none did."""
    path = work / "a.retold"
    there = len(rows(path))
    for beside in ("-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)
    watch = [strace(), "-f", "-o", str(work / "trace"), "-e", "trace=pwrite64,fdatasync,ftruncate,unlink"]
    inject = [word for one in injected for word in ("-e", f"inject={one}")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
    done = subprocess.run(
        [*watch, *inject, sys.executable, "-c", f"{before}\n{PROTECTED}", *line],
        capture_output=True,
        cwd=work,
        env={**kept, "RETOLD_HOME": str(work / "home"), "PYTHONPATH": str(ROOT)},
        text=True,
        check=False,
    )
    calls = (work / "trace").read_text("ascii").splitlines()
    failing = injected[0].partition(":")[0]
    if not any("INJECTED" in call and f"{failing}(" in call for call in calls):
        return False
    found.tried += 1
    judge(path, there, done.returncode, done.stderr, found)
    return True


def judge(path: Path, there: int, code: int, said: str, found: Found) -> None:
    """Counts whether what was said of a line is so, and whether the campaign is whole.

    `there` events were in it before; `code` and `said` are how the command ended, and its sentence.
    """
    try:
        recorded = len(rows(path)) > there
    except StoreError:
        found.damaged += 1
        return
    said = " ".join(said.split())
    if code == 0:
        found.acknowledged += 1
        found.lost += not recorded
    elif "should not have" in said:
        found.damaged += 1
    elif "but it is recorded" in said:
        found.untrue += not recorded
    elif "nobody can say yet" not in said:
        found.untrue += recorded
    found.damaged += not whole(path)
