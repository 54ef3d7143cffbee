"""Makes the locks anew, and beside them the table that says which file each of their hashes is of.

    python -m tests.data.make_locks [--upgrade]

`uv` has to be on the path. It is asked for one index only: a second one (a folder of wheels, say) would hide
the files that the first has of the same package, and the lock would then fit this Python alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("locked-files.txt")
SHORT = 12
"""How many digits of a hash tell it from all others here."""

LOCKS: Mapping[str, Sequence[str]] = {
    "requirements.txt": ("--group", "build"),
    "requirements-web.txt": ("--extra", "web", "--group", "build"),
    "requirements-all.txt": ("--extra", "all", "--group", "build"),
    "requirements-test.txt": ("--extra", "all", "--group", "build", "--group", "test", "--group", "lint"),
    "requirements-browser.txt": (
        "--extra",
        "all",
        "--group",
        "build",
        "--group",
        "test",
        "--group",
        "browser",
    ),
}
"""Each lock, and what of pyproject.toml it holds beside the dependencies."""

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


def main() -> None:
    """Makes every lock, then the table of all of them."""
    with tempfile.TemporaryDirectory() as folder:
        constraints: list[str] = []
        for name, parts in LOCKS.items():
            made, known = Path(folder, name), Path(folder, f"{name}.pins")
            known.write_text("" if "--upgrade" in sys.argv else pins((ROOT / name).read_text()))
            compiled(made, *_LOCK, *parts, "-c", str(known), *constraints)
            constraints += ["-c", str(made)]
        every = Path(folder, "pylock.toml")
        groups = [word for parts in LOCKS.values() for word in parts]
        compiled(every, "--format", "pylock.toml", "--no-header", "--no-annotate", *groups, *constraints)
        table = "".join(files(tomllib.loads(every.read_text())["packages"]))
        for name in LOCKS:
            (ROOT / name).write_text(Path(folder, name).read_text())
        TABLE.write_text(_HEAD + table)


if __name__ == "__main__":
    main()
