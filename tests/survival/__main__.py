"""Makes every attack in its long form, or those named, and prints what each came to.

python3 run.py survive              all of them, some minutes
python3 run.py survive R1 R8        these
python3 run.py survive server       those on a database server
python3 run.py survive every undo   R42 at every byte of an undo and of its commit; of all acts, some hours
python3 run.py survive --write      all, or those named; writes each row into docs/survival.md when it ends
"""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.survival import every_byte
from tests.survival.attacks import Attack, NotRun
from tests.survival.matrix import ATTACKS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "survival.md"
FEW = 20
"""Rounds of a control that has no short form."""
BEGIN, END = "<!-- counts: written by `python3 run.py survive --write` -->", "<!-- end of counts -->"
HEADING = (
    "| row | attack | rounds | acknowledged | lost | damaged | untrue or unnoticed | control | seconds |",
    "|---|---|---|---|---|---|---|---|---|",
)


def main(arguments: Sequence[str]) -> int:
    """Makes what is named; 1 where something did not hold or a control did, 2 for a row that is none."""
    if arguments[:1] == ["every"]:
        return every(arguments[1:])
    named = [one.upper() for one in arguments if one not in ("--write", "server")]
    if "server" in arguments:
        named += [one.row for one in ATTACKS if one.on_server]
    if unknown := set(named) - {one.row for one in ATTACKS}:
        print(f"There is no attack {', '.join(sorted(unknown))}. There are: server, {_rows()}.")
        return 2
    print(*HEADING, sep="\n")
    code = 0
    with tempfile.TemporaryDirectory() as home:
        os.environ["RETOLD_HOME"] = home
        for attack in ATTACKS:
            if not named or attack.row in named:
                line, held = _made(attack)
                print(line, flush=True)
                if "--write" in arguments:
                    _write(line)
                code |= not held
    return code


def every(arguments: Sequence[str]) -> int:
    """Cuts the wire at every byte of what is named, or of all; 1 if something did not hold, 2 for no act."""
    words, lines, code = [one for one in arguments if one != "--write"], dict[str, str](), 0
    if unknown := every_byte.unknown_parts(words):
        print(f"There is no act {', '.join(unknown)}. There are: {', '.join(every_byte.PARTS)}.")
        return 2
    print(*every_byte.HEADING, sep="\n")
    with tempfile.TemporaryDirectory() as home:
        os.environ["RETOLD_HOME"] = home
        try:
            for part, line, held in every_byte.every_byte(words):
                print(line, flush=True)
                lines[part] = line
                code |= not held
                if "--write" in arguments:
                    every_byte.write(PAGE, lines)
        except NotRun as why:
            print(f"not run: {why}")
            return 2
    return code


def _rows() -> str:
    return ", ".join(one.row for one in ATTACKS)


def _made(attack: Attack) -> tuple[str, bool]:
    """A line of the table, and whether the attack was withstood and its control not."""
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = attack.make(Path(folder), attack.long, True)
        with tempfile.TemporaryDirectory() as folder:
            control = attack.make(Path(folder), attack.short or FEW, False)
    except NotRun as reason:
        return f"| {attack.row} | {attack.what} | not run: {reason} | | | | | | |", True
    seconds = time.monotonic() - began
    fails = f"{attack.control}: {'fails, as expected' if not control.held else 'HELD, and proves nothing'}"
    counts = (found.tried, found.acknowledged or "", found.lost, found.damaged, found.untrue)
    cells = (attack.row, attack.what, *counts, fails, f"{seconds:.0f}")
    return f"| {' | '.join(map(str, cells))} |", found.held and not control.held


def _write(line: str) -> None:
    """Puts a row in its place in the table on the page; those of other attacks stay."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    held, _, after = rest.partition(END)
    by_row = {line.split()[1]: line for line in (*held.splitlines(), line) if line.startswith("| R")}
    lines = [by_row[one.row] for one in ATTACKS if one.row in by_row]
    where = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.system()}."
    table = "\n".join([BEGIN, "", where, "", *HEADING, *lines, "", END])
    PAGE.write_text(f"{before}{table}{after}", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
