"""The command's own door: past whatever else is called as a package of ours, and in to the command line."""

from __future__ import annotations

import sys

from retold.door import StrangersError, lead_to_ours
from retold.interrupted import interrupted


def main() -> int:
    """Runs the command line; returns its exit code."""
    try:
        lead_to_ours()
        from cli.__main__ import main as enter  # noqa: PLC0415 -- only now is it known to be ours

        return enter()
    except StrangersError as strangers:
        sys.stderr.write(f"{strangers}\n")
        return 1
    except KeyboardInterrupt:  # before `dispatch` had begun, or while it said how the command ended
        return interrupted()


if __name__ == "__main__":
    sys.exit(main())
