"""Optional packages: loads one, or says in a sentence how it is installed or repaired."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from retold.journal.packages import tool_of_environment
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_word
from retold.startup import HOME

LONGEST_REASON: Final = 200
"""The most characters that are shown of why a package cannot be loaded."""


class Extra(NamedTuple):
    """An optional package: its name, the module that loads what is used, and Retold's extra (`pdf`)."""

    package: str
    module: str
    name: str

    def is_here(self) -> bool:
        """True if the package can be used; loads it."""
        try:
            self.load("")
        except Refused:
            return False
        return True

    def load(self, what: str, otherwise: str = "") -> ModuleType:
        """Returns the module; `what` needs it (`PDF`), `otherwise` is a sentence on what works without it.

        Raises Refused if the package is missing, or if it is installed and cannot be loaded: its own library
        is damaged, built for another system, or lacks a library of the system.
        """
        try:
            return import_module(self.module)
        except Exception as error:  # noqa: BLE001 -- a package that is half installed raises anything
            needs = f"{what} needs {self.package}, which"
            if isinstance(error, ModuleNotFoundError) and error.name == self.module.partition(".")[0]:
                sentence = f"{needs} is an extra: {_remedy(self.name)}."
            else:
                sentence = (
                    f"{needs} is installed but cannot be loaded ({_reason(error)}): {_repair(self.name)}."
                )
            raise Refused(f"{sentence} {otherwise}".rstrip()) from None


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"


def _remedy(extra: str) -> str:
    """Returns the shell command that installs `extra`, depending on how this Retold was installed."""
    if _is_made_by_run_py():
        return "python3 run.py extras"
    return _again() or f"pip install {shell_word(f'retold[{extra}]')}"


def _repair(extra: str) -> str:
    """Returns a clause with the shell command that installs `extra` once more."""
    if _is_made_by_run_py():
        again = f"delete the folder {Path(sys.prefix).name}, then python3 run.py extras"
    else:
        again = _again(" --reinstall") or f"pip install --force-reinstall {shell_word(f'retold[{extra}]')}"
    if sys.platform == "win32":
        again += "; if that does not help, install Microsoft's Visual C++ Redistributable (x64)"
    return again


def _is_made_by_run_py() -> bool:
    return Path(sys.prefix).parent == Path(HOME).parent


def _again(anew: str = "") -> str | None:
    """Returns the command by which pipx or uv installs Retold with its extras; None for another installer.

    pipx makes its environment again with --force, uv with `anew`.
    """
    tool = tool_of_environment()
    if tool is None:
        return None
    command = "pipx install --force" if tool == "pipx" else f"uv tool install --force{anew}"
    return f"in the folder of Retold's sources, {command} {shell_word('.[all]')}"
