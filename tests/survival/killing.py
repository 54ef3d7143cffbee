"""R1 and R12: processes that are killed while they record, and many that record at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.survival.attacks import Found, NotRun, attacked, rows, whole

ROOT = Path(__file__).resolve().parents[2]

NURSERY = textwrap.dedent("""
    import os, sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    path, protected = Path(sys.argv[1]), sys.argv[2] == "True"

    def record(writer, number):
        writer.record(c.Note(text=Words(f"n{number}")))
        os.write(1, b"%d\\n" % number)

    def live(first):
        with CampaignStore.open(path) as camp:
            if protected:
                writer = camp.writer(1)
                for number in range(first, 10**9):
                    record(writer, number)
            with camp.record.writing():  # acknowledged before it is kept
                for number in range(first, 10**9):
                    os.write(1, b"%d\\n" % number)

    for line in sys.stdin:
        child = os.fork()
        if not child:
            live(int(line))
        os.write(1, b"child %d\\n" % child)
        os.waitpid(child, 0)
        os.write(1, b"gone\\n")
""")


def kill_while_recording(folder: Path, rounds: int, protected: bool) -> Found:
    """R1: so many processes, each killed after some acts; the next begins where the last ended."""
    if sys.platform == "win32":
        raise NotRun("processes are killed and forked as on a POSIX system")
    path = folder / "killed.retold"
    attacked(path)
    before = len(rows(path))
    found = Found()
    command = [sys.executable, "-c", NURSERY, str(path), str(protected)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, cwd=ROOT, text=True, bufsize=1) as nursery:
        there = 0
        for number in range(rounds):
            acknowledged = max(there - 1, _killed(nursery, there, after=1 + number % 7))
            kept = len(rows(path)) - before
            found.tried += 1
            found.acknowledged += acknowledged + 1 - there
            found.lost += max(0, acknowledged + 1 - kept)
            found.untrue += kept > acknowledged + 2  # at most one is there that nobody was told of
            there = kept
        assert nursery.stdin is not None
        nursery.stdin.close()
    found.damaged += not whole(path)
    return found


def _killed(nursery: subprocess.Popen[str], first: int, after: int) -> int:
    """Lets a child record from `first` on and kills it after so many acts; the last it acknowledged."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{first}\n")
    nursery.stdin.flush()
    last, child, seen = -1, 0, 0
    for line in nursery.stdout:
        if line.startswith("child"):
            child = int(line.split()[1])
        elif line == "gone\n":
            break
        else:
            last, seen = int(line), seen + 1
        if child and seen >= after:
            os.kill(child, signal.SIGKILL)
            seen = -(10**9)
    return last


WRITER = textwrap.dedent("""
    import sqlite3, sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.store.contract.errors import StoreError
    from retold.journal.store.sqlite import connection
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    path, name, acts, protected = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4] == "True"
    if not protected:  # somebody else's lock is not waited for
        connection.BUSY_SECONDS = 0
        connection.schema.CONNECTION = (*connection.schema.CONNECTION, "PRAGMA busy_timeout = 0")
    said = 0
    sys.stdin.readline()
    try:
        with CampaignStore.open(path) as camp:
            writer = camp.writer(1)
            for number in range(acts):
                writer.record(c.Note(text=Words(f"{name} {number}")))
                said += 1
    except StoreError:
        print("refused")
    print(said)
""")

WRITERS = 8


def write_at_once(folder: Path, rounds: int, protected: bool) -> Found:
    """R12: eight processes write so many acts each to one line, all at once."""
    path = folder / "shared.retold"
    attacked(path)
    before = len(rows(path))
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen(
            [*command, f"w{number}", str(rounds), str(protected)], stdin=-1, stdout=-1, cwd=ROOT, text=True
        )
        for number in range(WRITERS)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    found = Found(tried=WRITERS * rounds)
    for writer in writers:
        out, _ = writer.communicate(timeout=600)
        found.untrue += "refused" in out
        found.acknowledged += int(out.split()[-1])
    kept = len(rows(path)) - before
    found.lost += max(0, found.acknowledged - kept)
    found.untrue += max(0, kept - found.acknowledged)
    found.damaged += not whole(path)
    return found
