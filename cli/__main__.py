"""The door of the command line: what is asked most is answered without loading the rest."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code: 0 done, 1 refused or failed, 2 usage, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--complete"]:
        from cli.completing import complete

        return complete(words[1:])
    from cli.dispatch import dispatch

    return dispatch(words)


if __name__ == "__main__":
    sys.exit(main())
