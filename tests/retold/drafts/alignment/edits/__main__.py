"""Prints how many paragraphs of each edit are aligned right, and how long a long text takes."""

from __future__ import annotations

import sys
import time

from retold.drafts.alignment import align
from tests.retold.drafts.alignment.edits import Score, edits, long_text, score


def main() -> None:
    """Prints a line for each edit (with -v, its mistakes), one for all, and one for a long text."""
    scores = []
    for edit in edits():
        alignment = align(edit.sent, edit.came)
        scores.append(score(edit, alignment))
        _print(edit.name, scores[-1])
        if "-v" in sys.argv:
            for place, blocks in enumerate(edit.sources):
                found = {b for r in alignment.results if place in r.came for b in r.sent}
                if found != set(blocks):
                    print("   ", place, "is", [b + 1 for b in blocks], "found", [b + 1 for b in found])
    _print("all", Score(*(sum(column) for column in zip(*map(_row, scores), strict=True))))
    _print_long_text()


def _print_long_text(paragraphs: int = 3000) -> None:
    """Prints the time for a long text."""
    sent, came = long_text(paragraphs)
    start = time.perf_counter()
    alignment = align(sent, came)
    print(f"{paragraphs} blocks: {time.perf_counter() - start:.1f} s, {alignment.summary()}")


def _row(each: Score) -> tuple[int, int, int, int]:
    return each.units, each.exact, each.links, each.right_links


def _print(name: str, each: Score) -> None:
    print(f"{name:36} exact {each.exact:4} of {each.units:4}  {each.exact / each.units:7.1%}", end="  ")
    print(f"precision {each.right_links / each.links:7.1%} of {each.links} links")


main()
