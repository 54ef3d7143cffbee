"""The command's own door, whose name is nobody else's: it leads to our packages, whatever stands beside them.

`journal`, `projections` and `cli` are names that others use as well. A folder of such a name on the path is
passed by; where another package has been installed over ours, a sentence says so.
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = {
    "journal": "What happened: the record of a campaign, and the rules it was played by.",
    "projections": "How a record is seen and told: it asks the journal, and decides nothing.",
    "cli": "Words in, words out: the command line of Retold.",
}
"""Our packages, and what each says of itself at its door."""


def main() -> int:
    """Runs the command line; returns its exit code."""
    sys.path.insert(0, HERE)
    try:
        strangers = [name for name in PACKAGES if not _is_ours(name)]
        if not strangers:
            for name in PACKAGES:
                __import__(name)
    finally:
        sys.path.remove(HERE)
    if strangers:
        sys.stderr.write(
            f"In {HERE} this is no longer Retold's: {', '.join(strangers)}. Another package of that name"
            " came, or left. Install Retold again, in an environment of its own (pipx install,"
            " uv tool install).\n"
        )
        return 1
    from cli.__main__ import main as enter  # noqa: PLC0415 -- only now is it known to be ours

    return enter()


def _is_ours(name: str) -> bool:
    """Whether the package beside this file says at its door what ours says."""
    try:
        with open(os.path.join(HERE, name, "__init__.py"), encoding="utf-8") as door:
            return PACKAGES[name] in door.readline()
    except (OSError, UnicodeError):
        return False


if __name__ == "__main__":
    sys.exit(main())
