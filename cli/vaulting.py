"""Writes a vault: only what is Retold's own and has changed, and never over what somebody wrote."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cli.writing_files import replaced
from journal.refused import Refused
from projections.vault import Page

_BEGINS: Final = "---\n"
_MARK: Final = re.compile(rb'---\nretold: "([0-9a-f]{64})"\n')
"""How a page of ours begins: the property says what the rest of the file was when we wrote it."""


class Written(NamedTuple):
    """What came of a vault; pages by their path in it."""

    written: tuple[str, ...]
    unchanged: int
    yours: tuple[str, ...]
    """Pages of ours that somebody has changed since, and files that were never ours: left as they are."""
    left_over: tuple[str, ...]
    """Pages of ours that nothing is told on any more: left as they are."""


def write_vault(folder: Path, pages: Iterable[Page]) -> Written:
    """Writes the pages that are new or have changed; Refused where no folder can be there."""
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder} is a file, and a vault is a folder: name another with --vault FOLDER.")
    written: list[str] = []
    yours: list[str] = []
    told: set[str] = set()
    for page in pages:
        name = f"{page.path}.md"
        told.add(name)
        path, data = folder / name, marked(page.text)
        if not _is_free(path):
            yours.append(name)
        elif not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            replaced(path, [data], 0o644)
            written.append(name)
    unchanged = len(told) - len(written) - len(yours)
    return Written(tuple(written), unchanged, tuple(yours), tuple(_left_over(folder, told)))


def marked(text: str) -> bytes:
    """A page with the property that says what it was when it was written; it begins with properties."""
    rest = text.removeprefix(_BEGINS).encode()
    return f'{_BEGINS}retold: "{hashlib.sha256(rest).hexdigest()}"\n'.encode() + rest


def _is_free(path: Path) -> bool:
    """True where there is nothing, or a page of ours as we wrote it; a link is somebody's own."""
    if path.is_symlink():
        return False
    if not path.exists():
        return True
    return path.is_file() and _is_ours(path.read_bytes())


def _is_ours(data: bytes) -> bool:
    found = _MARK.match(data)
    return found is not None and hashlib.sha256(data[found.end() :]).hexdigest() == found[1].decode()


def _left_over(folder: Path, told: set[str]) -> Iterator[str]:
    for path in sorted(folder.glob("*/*.md")):
        name = path.relative_to(folder).as_posix()
        if name not in told and not path.is_symlink() and path.is_file() and _is_ours(path.read_bytes()):
            yield name
