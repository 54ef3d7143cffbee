"""Optional packages, and the command that installs them."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from journal.refused import Refused


class Extra(NamedTuple):
    """An optional package: package name, module to look for, and Retold's install extra (`pdf`, `docx`)."""

    package: str
    module: str
    name: str

    def is_here(self) -> bool:
        """True if the package is installed; does not import it."""
        return find_spec(self.module) is not None

    def require(self, what: str) -> None:
        """Raises Refused, with the install command, if the package is missing; `what` needs it: `PDF`."""
        if not self.is_here():
            raise Refused(f"{what} needs {self.package}, which is an extra: {_remedy(self.name)}.")


def _remedy(extra: str) -> str:
    """Returns the shell command that installs `extra`, depending on how this Retold was installed."""
    if Path(sys.prefix).parent == Path(__file__).parents[1]:
        return "python3 run.py extras"
    for receipt, again in _INSTALLERS.items():
        if Path(sys.prefix, receipt).exists():
            return f"in the folder of Retold's sources, {again}"
    return f"pip install 'retold[{extra}]'"


_INSTALLERS: Final = {
    "pipx_metadata.json": "pipx install --force '.[all]'",
    "uv-receipt.toml": "uv tool install --force '.[all]'",
}
"""Receipt files by which command installers are recognised, and how each installs the extras."""
