"""Entry point of the command line; loads no other module for `--version`, only completion for Tab."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from retold.startup import report_interrupt

RARELY = 200_000
"""Allocations before the first garbage collection (Python's default is 700 to 2,000)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line, such as `show map`; returns its exit code.

    0 is done, 1 refused or failed, 2 wrong usage, 130 interrupted. `arguments` replace the process's own.
    """
    try:
        return _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:  # before `dispatch` starts, or while it reports the end
        return report_interrupt()


def _run(words: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            newline = None if stream.isatty() else "\n"  # the same bytes on Windows
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline=newline)
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.encoding != "utf-8" and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8-sig")  # PowerShell may begin a pipe with a mark
    # Most commands end before there is anything to collect; early collections cost a tenth of the time.
    gc.set_threshold(RARELY)
    if words in (["--version"], ["-V"]) and not sys.stdout.closed:
        return _version()
    if words[:1] == ["--complete"]:
        from retold.cli.completing import complete

        return complete(words[1:])
    from retold.cli.dispatch import dispatch

    return dispatch(words)


def _version() -> int:
    """Prints `retold` and the release number without loading other modules; returns the exit code.

    If the output cannot be written (closed pipe, full disk), `dispatch` handles the error.
    """
    from retold.cli import VERSION

    try:
        sys.stdout.write(f"retold {VERSION}\n")
        sys.stdout.flush()
    except OSError:
        from retold.cli.dispatch import dispatch

        return dispatch(["--version"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
