"""Imports Retold's packages `journal`, `projections` and `cli`, even if others have the same names.

A folder of such a name on the path is ignored; if another package was installed over ours, an error says so.
"""

from __future__ import annotations

import os
import sys

SITE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = {
    "journal": "The record of a campaign and the rules of its games: state, decisions, storage, language.",
    "projections": "Read side: views, prose and exports computed from a record, which they never change.",
    "cli": "The command line of Retold: verbs, console and web service.",
}
"""Our packages, each with the docstring that identifies its `__init__.py`."""


class StrangersError(ImportError):
    """Import failed because a foreign package bears the name of one of Retold's.

    The message gives a remedy.
    """


def import_own_packages() -> None:
    """Imports Retold's packages from the folder beside `retold`, whatever else is on the path.

    Raises StrangersError if one is missing there, or a foreign one was imported before.
    """
    strangers = [name for name in PACKAGES if not (_is_loaded(name) or _is_own_package(name))]
    if strangers:
        raise StrangersError(
            f"Another package has overwritten or removed a part of Retold in {SITE}: {', '.join(strangers)}."
            " Install Retold again, in an environment of its own (pipx install, uv tool install)."
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
    """True if a package of this name is imported already, from the folder beside `retold`."""
    found = getattr(sys.modules.get(name), "__file__", None)
    return found is not None and os.path.dirname(os.path.dirname(os.path.abspath(found))) == SITE


def _is_own_package(name: str) -> bool:
    """True if the package's first line beside `retold` has the docstring expected in `PACKAGES`."""
    try:
        with open(os.path.join(SITE, name, "__init__.py"), encoding="utf-8") as door:
            return PACKAGES[name] in door.readline()
    except (OSError, UnicodeError):
        return False


INTERRUPTED = 130


def report_interrupt() -> int:
    """Prints on standard error that the program was interrupted; returns the exit code, 130."""
    sys.stderr.write("\nInterrupted; everything acknowledged is recorded.\n")
    return INTERRUPTED
