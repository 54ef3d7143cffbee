"""Makes sure that what is called `journal`, `projections` and `cli` here is ours.

They are names that others use as well. A folder of such a name on the path is passed by; where another
package has been installed over ours, a sentence says so.
"""

from __future__ import annotations

import os
import sys

SITE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = {
    "journal": "What happened: the record of a campaign, and the rules it was played by.",
    "projections": "How a record is seen and told: it asks the journal, and decides nothing.",
    "cli": "Words in, words out: the command line of Retold.",
}
"""The packages behind this one, and what each says of itself at its door."""


class StrangersError(ImportError):
    """What bears the name of a package of ours is not ours; its sentence says where, and what to do."""


def import_own_packages() -> None:
    """Imports our packages, whatever stands before them on the path; StrangersError where they are gone."""
    strangers = [name for name in PACKAGES if not (_is_loaded(name) or _is_own_package(name))]
    if strangers:
        raise StrangersError(
            f"Another package called {' or '.join(strangers)} has overwritten or removed a part of Retold in"
            f" {SITE}. Install Retold again, in an environment of its own (pipx install, uv tool install)."
        )
    sys.path.insert(0, SITE)
    try:
        for name in PACKAGES:
            __import__(name)
    finally:
        sys.path.remove(SITE)
    elsewhere = [name for name in PACKAGES if not _is_loaded(name)]
    if elsewhere:
        raise StrangersError(
            f"This program uses another package called {elsewhere[0]} already, so it cannot use Retold's:"
            " import retold before it, or each in an environment of its own."
        )


def _is_loaded(name: str) -> bool:
    """Whether the package of that name that this program uses already lies beside this one."""
    found = getattr(sys.modules.get(name), "__file__", None)
    return found is not None and os.path.dirname(os.path.dirname(os.path.abspath(found))) == SITE


def _is_own_package(name: str) -> bool:
    """Whether the package beside this one says at its door what ours says."""
    try:
        with open(os.path.join(SITE, name, "__init__.py"), encoding="utf-8") as door:
            return PACKAGES[name] in door.readline()
    except (OSError, UnicodeError):
        return False


INTERRUPTED = 130


def report_interrupt() -> int:
    """Says so on standard error; returns the exit code."""
    sys.stderr.write("\nInterrupted; everything acknowledged is recorded.\n")
    return INTERRUPTED
