"""R42 at every byte: the wire to a server is cut once at each byte of an act, up and down."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from tests.survival.cutting import ACTS, cut_every_byte

BEGIN: Final = "<!-- every byte: written by `python3 run.py survive every --write` -->"
END: Final = "<!-- end of every byte -->"
HEADING: Final = (
    "| act | cuts | acknowledged | lost | damaged | untrue | seconds | day |",
    "|---|---|---|---|---|---|---|---|",
)


class EveryByte(NamedTuple):
    """What the cuts of an act, or of its commit, came to."""

    part: str
    line: str
    held: bool


PARTS: Final = {f"{act}{part}": (act, bool(part)) for act in ACTS for part in ("", ": its commit")}
"""What is cut: each act from its beginning, and from its commit on."""


def unknown_parts(words: Sequence[str]) -> list[str]:
    """Returns the words that name nothing that is cut."""
    return [word for word in words if not any(word in part for part in PARTS)]


def every_byte(words: Sequence[str]) -> Iterator[EveryByte]:
    """Cuts at every byte of what is named, or of all; raises NotRun where there is no server."""
    for part, (act, in_commit) in PARTS.items():
        if words and not any(word in part for word in words):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = cut_every_byte(Path(folder), act, in_commit=in_commit)
        counts = (found.tried, found.acknowledged, found.lost, found.damaged, found.untrue)
        cells = (part, *counts, f"{time.monotonic() - began:.0f}", f"{datetime.now(UTC):%Y-%m-%d}")
        yield EveryByte(part, f"| {' | '.join(map(str, cells))} |", found.held)


def write(page: Path, lines: Mapping[str, str]) -> None:
    """Puts these lines, by what was cut, into the table on the page; the others stay."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    held, _, after = rest.partition(END)
    known = {part: line for line in held.splitlines() for part in PARTS if line.startswith(f"| {part} |")}
    known.update(lines)
    rows = [known[part] for part in PARTS if part in known]
    table = "\n".join((BEGIN, "", *HEADING, *rows, "", END))
    page.write_text(f"{before}{table}{after}", "utf-8")
