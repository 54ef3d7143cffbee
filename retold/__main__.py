"""Entry point of the `retold` command; imports our own packages before others of the same name."""

from __future__ import annotations

import sys

from retold.startup import StrangersError, import_own_packages, report_interrupt


def main() -> int:
    """Runs the command line; returns its exit code."""
    try:
        import_own_packages()
        from cli.__main__ import main as enter  # noqa: PLC0415 -- only now is it known to be ours

        return enter()
    except StrangersError as strangers:
        sys.stderr.write(f"{strangers}\n")
        return 1
    except KeyboardInterrupt:  # before `dispatch` had begun, or while it said how the command ended
        return report_interrupt()


if __name__ == "__main__":
    sys.exit(main())
