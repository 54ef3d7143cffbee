"""Entry point of the `retold` command; imports Retold's packages before foreign ones of the same names."""

from __future__ import annotations

import sys

from retold.startup import StrangersError, import_own_packages, report_interrupt


def main() -> int:
    """Runs the command line; returns its exit code."""
    try:
        import_own_packages()
        from cli.__main__ import main as enter  # noqa: PLC0415 -- now known to be our package

        return enter()
    except StrangersError as strangers:
        sys.stderr.write(f"{strangers}\n")
        return 1
    except KeyboardInterrupt:  # before `dispatch` starts, or while it reports the end
        return report_interrupt()


if __name__ == "__main__":
    sys.exit(main())
