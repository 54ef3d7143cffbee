"""What a process wrote and waited for, and what a disk may hold of it after a power cut at any moment."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.survival.attacks import NotRun

CALLS = "pwrite64,write,fsync,fdatasync,ftruncate,unlink,link,rename"
SECTOR = 512


def strace() -> str:
    """Where strace is; NotRun where there is none, or where nothing may be traced."""
    found = shutil.which("strace")
    if found is None:
        raise NotRun("there is no strace here")
    if subprocess.run([found, "-o", "/dev/null", "true"], capture_output=True, check=False).returncode:
        raise NotRun("nothing may be traced here")
    return found


@dataclass(frozen=True, slots=True)
class Call:
    """A system call that changed a file, or waited until it was safe."""

    name: str
    path: str
    other: str = ""
    data: bytes = b""
    at: int = 0


_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"|<((?:\\x[0-9a-f]{2})*)>')


def traced(command: Sequence[str], folder: Path, trace: Path) -> Iterator[Call]:
    """Runs a command to its end; what it did to the files in `folder`, in order, with their bare names."""
    watch = [strace(), "-f", "-y", "-xx", "-s", "4000000", "-e", f"trace={CALLS}", "-o", str(trace)]
    subprocess.run([*watch, *command], check=True, capture_output=True)
    for line in trace.read_text("ascii").splitlines():
        if (match := _CALL.match(line)) is not None:
            texts = [_plain(one) for one in _TEXT.finditer(match[2])]
            paths = [one.decode("utf-8", "replace") for one in texts]
            if paths and Path(paths[0]).parent == folder:
                yield _call(match[1], match[2], paths, texts)


def _plain(match: re.Match[str]) -> bytes:
    return bytes.fromhex((match[1] or match[2] or "").replace("\\x", ""))


def _call(name: str, given: str, paths: list[str], texts: list[bytes]) -> Call:
    path = Path(paths[0]).name
    if name in ("pwrite64", "write"):
        at = int(given.rpartition(",")[2]) if name == "pwrite64" else 0
        return Call(name, path, data=texts[1], at=at)
    if name == "ftruncate":
        return Call(name, path, at=int(given.rpartition(",")[2]))
    return Call(name, path, other=Path(paths[1]).name if len(paths) > 1 else "")


@dataclass(slots=True)
class _File:
    """What is surely on the disk, and what was written since without waiting for it."""

    safe: bytearray = field(default_factory=bytearray)
    pending: list[Call] = field(default_factory=list)


@dataclass(slots=True)
class Disk:
    """A folder as a power cut may leave it; names change in the order in which they were changed."""

    names: dict[str, _File] = field(default_factory=dict)

    def follow(self, call: Call) -> None:
        """Takes in the next call."""
        match call.name:
            case "fsync" | "fdatasync":
                if (file := self.names.get(call.path)) is not None:
                    for one in file.pending:
                        _apply(file.safe, one)
                    file.pending.clear()
            case "unlink":
                self.names.pop(call.path, None)
            case "link":
                self.names[call.other] = self.names[call.path]
            case "rename":
                self.names[call.other] = self.names.pop(call.path)
            case _:
                self.names.setdefault(call.path, _File()).pending.append(call)

    def cut(self, random: Random) -> dict[str, bytes]:
        """The files as they may be found when the power is back."""
        return {name: _left(file, random) for name, file in self.names.items()}


def _left(file: _File, random: Random) -> bytes:
    """All that was pending, none of it, or some: in another order, the last of it torn."""
    data, how = bytearray(file.safe), random.randrange(4)
    pending = [] if how == 0 else list(file.pending)
    if how > 1:
        pending = [one for one in pending if random.random() < 0.7]
    if how > 2:
        random.shuffle(pending)
    for number, one in enumerate(pending, 1):
        torn = how > 1 and number == len(pending) and one.data
        _apply(data, one, random.randrange(0, len(one.data) + 1, SECTOR) if torn else None)
    return bytes(data)


def _apply(data: bytearray, call: Call, upto: int | None = None) -> None:
    if call.name == "ftruncate":
        data[call.at :] = bytes(max(0, call.at - len(data)))
        return
    written = call.data[:upto]
    data.extend(bytes(max(0, call.at - len(data))))
    data[call.at : call.at + len(written)] = written
