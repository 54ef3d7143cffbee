"""P10: `verify` against git's own check of as many commits."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from benchmarks import floors
from benchmarks.campaigns import grown
from benchmarks.measuring import FLOOR, Figure, Goal, Task, compare, counted, interleaved, show
from benchmarks.peers import SELECT
from retold.journal.store.events.chain import ROOT, links
from retold.journal.store.verify import verify
from tests.files import file_of

EVENTS = 100_000
COMMITS = 20_000


def repository(path: Path, texts: list[str]) -> None:
    """A commit for each text, the text as its message."""
    stream = [b"blob\nmark :1\ndata 0\n\n"]
    for number, text in enumerate(texts, 1):
        message = text.encode()
        stream.append(
            b"commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata %d\n%s\nM 644 :1 a\n\n"
            % (number, len(message), message)
        )
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    importing = ["git", "-C", str(path), "fast-import", "--quiet"]
    subprocess.run(importing, input=b"".join(stream), check=True)


def chained(path: Path) -> Task:
    """Each row out of the file, its hash worked out from the one before and compared."""

    def task() -> None:
        with closing(sqlite3.connect(path)) as db:
            rows = db.execute(SELECT).fetchall()
        _, _, kinds, bodies, _, hashes = zip(*rows, strict=True)
        assert hashes == (*links(ROOT, 1, 0, kinds, map(str.encode, bodies)),)

    return task


def run() -> list[Figure]:
    """Measures it."""
    what, goal = (
        "full check of every row, against git fsck (per record)",
        Goal(0.5, at_most=False),
    )
    alone, sooner = "the chain alone, against git fsck (per record)", Goal(1, at_most=False)
    if shutil.which("git") is None:
        how = "not run: there is no git here"
        return [counted("P10", what, None, n=0, goal=str(goal), met=None, how=how)]
    with tempfile.TemporaryDirectory() as folder, grown(Path(folder) / "a.retold", EVENTS) as campaign:
        path = Path(folder) / "repository"
        repository(path, [row.body for row in campaign.record.rows(1, 0, COMMITS)])
        fsck = ["git", "-C", str(path), "fsck", "--full", "--no-progress"]
        seconds = interleaved(
            {
                "ours": lambda: verify(campaign.record),
                "the chain": chained(file_of(campaign)),
                FLOOR: floors.hashed(file_of(campaign)),
                "git fsck": lambda: subprocess.run(fsck, check=True, capture_output=True),
            },
            7,
        )
        n = campaign.record.head(1).position
    return [
        compare("P10", what, seconds, "ours", "git fsck", n=n, peer_n=COMMITS, goal=goal),
        compare("P10", alone, seconds, "the chain", "git fsck", n=n, peer_n=COMMITS, goal=sooner),
    ]


if __name__ == "__main__":
    show(run())
