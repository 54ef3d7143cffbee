"""R7: a disk, a folder or a file that may only be read, with a log beside it that nobody has folded in."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from retold.journal.store.sqlite import connection
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import notes
from tests.survival import nursery
from tests.survival.attacks import Found, NotRun, attacked
from tests.survival.nursery import Nursery
from tests.survival.saying import say

TAIL = "the last that was said"
READ = (("log", "-n", "0"), ("dump",), ("log", "-n", "0", "--json"))
"""Where the tail has to stand."""
ASKED = (("show",), ("verify",), ("export", "-f", "md"), ("replay",), ("search", "cake"))
WRITE = (("note:", "x"), ("undo",), ("branch", "elsewhere"))

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
MOUNTED = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


def ask(folder: str, elsewhere: str, protected: bool) -> None:
    """A child's life: everything is asked of the campaign in that folder."""
    if not protected:
        patch.object(connection, "connect", _for_ever).start()
    export = ("export", "-f", "md", "--force", "-o", f"{elsewhere}/evening.md")
    for words in (*READ, *ASKED, export, *WRITE):
        said = say(Path(folder), *words)
        nursery.say(json.dumps([words, said.code, TAIL in said.out.decode(), said.err, said.is_foreseen]))


def _for_ever(path: Path, _mode: str) -> sqlite3.Connection:
    """The control: SQLite is told that nothing will ever change, so it looks at no log."""
    return sqlite3.connect(f"file://{path.absolute()}?mode=ro&immutable=1", uri=True, isolation_level=None)


def write_nowhere(folder: Path, rounds: int, protected: bool) -> Found:
    """R7: so many of the ways to be unwritable; all is read to the last act, and nothing is written."""
    elsewhere, found = folder / "elsewhere", Found()
    elsewhere.mkdir()
    for one in (folder, *folder.parents):
        if one.stat().st_uid == os.getuid() and one != Path("/"):
            one.chmod(one.stat().st_mode | 0o055)
    elsewhere.chmod(0o777)
    ways = list(_ways(folder))[:rounds]
    if not ways:
        raise NotRun("nothing can be made unwritable here")
    for work, before in ways:
        _look(work, elsewhere, before, protected, found)
    return found


def _ways(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Folders with a campaign in each, and the command that makes it unwritable for whoever it starts."""
    disk = _laid_out(folder / "disk")
    mounted = ("unshare", "-m", "sh", "-c", MOUNTED, "-", str(disk))
    if _works(mounted):
        yield disk, mounted
    as_nobody = NOBODY if os.getuid() == 0 else ()
    if as_nobody and not _works(
        (*as_nobody, sys.executable, "-c", "import retold.journal.store.writing.campaign")
    ):
        return
    for what in ("folder", "file"):
        work = _laid_out(folder / what)
        (work / "home").mkdir(mode=0o777)
        for path in work.glob("a.retold*"):
            path.chmod(0o444)
        work.chmod(0o555 if what == "folder" else 0o777)
        yield work, as_nobody


def _works(command: tuple[str, ...]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    tried = (*command, "true") if command[0] == "unshare" else command
    return not subprocess.run(tried, cwd=nursery.ROOT, capture_output=True, check=False).returncode


def _laid_out(folder: Path) -> Path:
    """A campaign as a killed process leaves it: its last act is in the log alone."""
    folder.mkdir()
    made = folder.with_suffix(".retold")
    attacked(made)
    with CampaignStore.open(made) as camp:
        notes(camp.writer(1), TAIL)
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{made}{suffix}", folder / f"a.retold{suffix}")
    return folder


def _look(work: Path, elsewhere: Path, before: tuple[str, ...], protected: bool, found: Found) -> None:
    was = {path.name: path.read_bytes() for path in work.glob("a.retold*")}
    with Nursery(ask, *before) as asked:
        life = asked.child(work, elsewhere, protected)
    told: list[tuple[Any, ...]] = [tuple(json.loads(line)) for line in life.said]
    found.damaged += life.code != 0
    for words, code, has_tail, err, is_foreseen in told:
        found.tried += 1
        found.untrue += not is_foreseen
        if tuple(words) in WRITE:
            found.untrue += not (code == 1 and "read-only" in err)
        else:
            found.untrue += code != 0
            found.lost += tuple(words) in READ and not has_tail
    for path in work.glob("a.retold*"):
        found.damaged += not path.name.endswith("-shm") and path.read_bytes() != was.get(path.name, b"")
