"""Writes folders of files: only what has changed, and only over what Retold wrote and nobody has touched."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from cli.writing_files import replaced
from journal.refused import Refused
from projections import safe


class Mark(NamedTuple):
    """How a file of ours says, behind its first bytes, what the rest of it was when we wrote it."""

    begins: bytes
    opens: bytes
    closes: bytes


_HTML: Final = Mark(b"<!DOCTYPE html>\n", b"<!-- retold: ", b" -->\n")
_MARKS: Final[Mapping[str, Mark]] = {
    ".md": Mark(b"---\n", b'retold: "', b'"\n'),
    ".html": _HTML,
    ".xml": _HTML._replace(begins=b'<?xml version="1.0" encoding="UTF-8"?>\n'),
    ".css": Mark(b"", b"/* retold: ", b" */\n"),
}
"""By the ending of a file; every file of ours begins as it says here."""


class Written(NamedTuple):
    """What came of a folder; files by their path in it."""

    written: tuple[str, ...]
    unchanged: int
    yours: tuple[str, ...]
    """Files of ours that somebody has changed since, and those that were never ours: left as they are."""
    left_over: tuple[str, ...]
    """Files of ours, as we wrote them, that nothing is told in any more."""

    def to_json(self, what: str) -> dict[str, Any]:
        """The same, of a vault or a site, as JSON has it."""
        return {"retold": what, "version": 1, **self._asdict()}


def folder_meant(named: str, what: str) -> Path:
    """The folder that is named for a vault or a site; Refused where a file is there."""
    path = Path(named)
    if path.exists() and not path.is_dir():
        raise Refused(f"{named} is a file, and a {what} is a folder: name another with --{what} FOLDER.")
    return path


def write_folder(
    folder: Path, files: Iterable[tuple[str, bytes]], where: Iterable[str], *, removes: bool = False
) -> Written:
    """Writes the files that are new or have changed.

    What is left over is looked for `where` (patterns of paths in the folder), and `removes` takes it away.
    """
    written: list[str] = []
    yours: list[str] = []
    told: set[str] = set()
    for name, content in files:
        told.add(name)
        path, data = folder / name, marked(name, content)
        if not _is_free(path, folder):
            yours.append(name)
        elif not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            replaced(path, [data], 0o644)
            written.append(name)
    left_over = tuple(_left_over(folder, where, told))
    if removes:
        for name in left_over:
            (folder / name).unlink()
    return Written(tuple(written), len(told) - len(written) - len(yours), tuple(yours), left_over)


def say_written(folder: str, came: Written, what: str, left: str) -> None:
    """Says on standard error what was written, and what was left; `left` is why something is over."""
    told = what if len(came.written) == 1 else f"{what}s"
    sys.stderr.write(
        f"{len(came.written)} {told} written, {came.unchanged} as before: {safe.line(folder)}.\n"
    )
    for names, why in (
        (came.yours, "left as it is, for it is not as Retold wrote it"),
        (came.left_over, left),
    ):
        sys.stderr.writelines(f"{safe.line(name)}: {why}.\n" for name in names)


def marked(name: str, content: bytes) -> bytes:
    """A file's bytes with what they were when they were written; they begin as every such file of ours."""
    mark = _MARKS[Path(name).suffix]
    if not content.startswith(mark.begins):
        raise ValueError(f"{name} does not begin with {mark.begins!r}")
    rest = content.removeprefix(mark.begins)
    return b"".join((mark.begins, mark.opens, _digest(rest), mark.closes, rest))


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _is_free(path: Path, folder: Path) -> bool:
    """True where there is nothing, or a file of ours as we wrote it; a link is somebody's own."""
    above = [one for one in path.parents if folder in one.parents]
    if path.is_symlink() or any(one.is_symlink() or one.is_file() for one in above):
        return False
    return not path.exists() or _is_ours(path)


def _is_ours(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    data, mark = path.read_bytes(), _MARKS[path.suffix]
    shape = re.escape(mark.begins + mark.opens) + rb"([0-9a-f]{64})" + re.escape(mark.closes)
    found = re.match(shape, data)
    return found is not None and _digest(data[found.end() :]) == found[1]


def _left_over(folder: Path, where: Iterable[str], told: set[str]) -> Iterator[str]:
    for pattern in where:
        for path in sorted(folder.glob(pattern)):
            name = path.relative_to(folder).as_posix()
            if name not in told and not path.parent.is_symlink() and _is_ours(path):
                yield name
