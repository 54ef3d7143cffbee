"""Makes the locks anew, and beside them the table that says which file each of their hashes is of.

    python -m tests.data.make_locks [--upgrade]

`uv` has to be on the path. It is asked for one index only: a second one (a folder of wheels, say) would hide
the files that the first has of the same package, and the lock would then fit this Python alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("locked-files.txt")
SHORT = 12
"""How many digits of a hash tell it from all others here."""


class Lock(NamedTuple):
    """What of pyproject.toml a lock holds beside the dependencies, and the lock that it adds to."""

    parts: Sequence[str]
    parent: str = ""


_EVERYTHING = ("--extra", "all", "--group", "build")
LOCKS: Mapping[str, Lock] = {
    "requirements.txt": Lock(("--group", "build")),
    "requirements-all.txt": Lock(_EVERYTHING, "requirements.txt"),
    "requirements-test.txt": Lock(
        (*_EVERYTHING, "--group", "test", "--group", "lint"), "requirements-all.txt"
    ),
    "requirements-browser.txt": Lock(
        (*_EVERYTHING, "--group", "test", "--group", "lint", "--group", "browser"), "requirements-test.txt"
    ),
}

_COMPILE = (
    "uv",
    "pip",
    "compile",
    "pyproject.toml",
    "--no-config",
    "--universal",
    "--python-version",
    "3.11",
)
_LOCK = ("--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
_MORE_PLACES = ("UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX", "UV_NO_INDEX")

_HEAD = """\
# Which file each hash of the locks is of: the first digits of the hash, and the wheel's tags or "sdist".
# Files for older Pythons are left out. Made by tests/data/make_locks.py, read by tests/test_locks.py.
"""


def compiled(output: Path, *arguments: str) -> None:
    """Runs uv, which says itself what is wrong; the output is written from nothing, lest old hashes stay."""
    environment = {name: value for name, value in os.environ.items() if name not in _MORE_PLACES}
    command = [*_COMPILE, *arguments, "--quiet", "--output-file", str(output)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def pins(lock: str) -> str:
    """What a lock pins, without hashes: constraints that keep every version where it is."""
    lines = lock.splitlines()
    return "".join(line.removesuffix("\\").rstrip() + "\n" for line in lines if line[:1].isalnum())


def files(packages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The table, package by package."""
    for package in packages:
        yield f"{package['name']} {package['version']}\n"
        wheels = [(one["url"].rpartition("/")[2], one) for one in package.get("wheels", ())]
        named = [("-".join(name.removesuffix(".whl").rsplit("-", 3)[1:]), one) for name, one in wheels]
        if "sdist" in package:
            named.append(("sdist", package["sdist"]))
        for tags, one in named:
            yield f"  {one['hashes']['sha256'][:SHORT]} {tags}\n"


def blocks(lock: str) -> Mapping[str, str]:
    """The lines of each package of a lock, by its name; one may have two versions, for different Pythons."""
    found: dict[str, str] = defaultdict(str)
    for block in re.split(r"^(?=\w)", lock, flags=re.MULTILINE):
        found[block.partition("=")[0]] += block
    return found


def added(lock: str, parent: str) -> str:
    """The lines of a lock that its parent has not; raises ValueError where they differ about a package."""
    ours, theirs = blocks(lock), blocks(parent)
    if differ := [name for name in theirs if ours[name] != theirs[name]]:
        raise ValueError(f"pip would not install both of: {', '.join(differ)}")
    return "".join(block for name, block in ours.items() if name not in theirs)


def main() -> None:
    """Makes every lock, then the table of all of them."""
    whole: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        constraints: list[str] = []
        old = "" if "--upgrade" in sys.argv else "".join((ROOT / name).read_text() for name in LOCKS)
        known = Path(folder, "known.pins")
        known.write_text(pins(old))
        for name, lock in LOCKS.items():
            made = Path(folder, name)
            compiled(made, *_LOCK, *lock.parts, "-c", str(known), *constraints)
            constraints += ["-c", str(made)]
            whole[name] = made.read_text()
        every = Path(folder, "pylock.toml")
        groups = [word for lock in LOCKS.values() for word in lock.parts]
        compiled(every, "--format", "pylock.toml", "--no-header", "--no-annotate", *groups, *constraints)
        table = "".join(files(tomllib.loads(every.read_text())["packages"]))
    for name, lock in LOCKS.items():
        text = f"-r {lock.parent}\n{added(whole[name], whole[lock.parent])}" if lock.parent else whole[name]
        (ROOT / name).write_text(text)
    TABLE.write_text(_HEAD + table)


if __name__ == "__main__":
    main()
