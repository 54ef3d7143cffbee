"""A folder of its own, with settings of its own, so that nothing of the user's is touched."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from journal.refused import Refused


@contextmanager
def staged(name: str, keep: str | None = None) -> Iterator[Path]:
    """Works in a new folder, and takes it away again; `keep` names one that stays.

    Refused where that is there already.
    """
    folder = Path(keep) if keep else Path(tempfile.mkdtemp(prefix=f"retold-{name}-"))
    if keep:
        if folder.exists():
            raise Refused(f"{keep} is there already: name a new folder.")
        folder.mkdir(parents=True)
    back, home = Path.cwd(), os.environ.get("RETOLD_HOME")
    campaign = os.environ.pop("RETOLD_CAMPAIGN", None)
    folder = folder.absolute()
    os.chdir(folder)
    os.environ["RETOLD_HOME"] = str(folder / "home")
    try:
        yield folder
    finally:
        os.chdir(back)
        _restore("RETOLD_HOME", home)
        _restore("RETOLD_CAMPAIGN", campaign)
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _restore(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
