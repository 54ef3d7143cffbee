"""What a format needs that not everybody has installed, and the sentence for those who have not."""

from __future__ import annotations

from importlib.util import find_spec
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
            raise Refused(
                f"{format_} needs {self.package}, which is an extra: python3 run.py extras, or"
                f" pip install 'retold[{self.name}]'."
            )


TYPST: Final = Extra("typst", "typst", "pdf")
"""What sets PDF, maps for it, and cards as PNG."""
