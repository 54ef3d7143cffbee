"""What a format needs that not everybody has installed, and the sentence for those who have not."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from journal.refused import Refused


class Extra(NamedTuple):
    """A package from outside: what it is called, the module it brings, and the extra that installs it."""

    package: str
    module: str
    name: str

    def is_here(self) -> bool:
        """True if it is installed; nothing is imported to know that."""
        return find_spec(self.module) is not None

    def require(self, format_: str) -> None:
        """Refused if it is not here."""
        if not self.is_here():
            raise Refused(f"{format_} needs {self.package}, which is an extra: {_remedy(self.name)}.")


def _remedy(extra: str) -> str:
    """The line that installs an extra, for whatever installed Retold here."""
    if Path(sys.prefix).parent == Path(__file__).parents[2]:
        return "python3 run.py extras"
    for receipt, again in _INSTALLERS.items():
        if Path(sys.prefix, receipt).exists():
            return f"in the folder of Retold's sources, {again}"
    return f"pip install 'retold[{extra}]'"


_INSTALLERS: Final = {
    "pipx_metadata.json": "pipx install --force '.[all]'",
    "uv-receipt.toml": "uv tool install --force '.[all]'",
}
"""What each installer of commands leaves in the environment it makes, and how it installs the extras."""


TYPST: Final = Extra("typst", "typst", "pdf")
"""What sets PDF, maps for it, and cards as PNG."""
