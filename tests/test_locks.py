"""The locks fit every Python and every computer that Retold is for; read from papers, without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms, parse_tag

from tasks import with_parents
from tests.data.make_locks import LOCKS, SHORT, TABLE

ROOT = Path(__file__).parent.parent
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
GLIBC = 31
"""Of 2.31, that of Debian 11; whoever has a later one has these too."""


class Computer(NamedTuple):
    """What a wheel and a marker ask about a computer."""

    system: str
    sys_platform: str
    os_name: str
    machine: str
    platforms: Sequence[str]


def glibc(machine: str) -> list[str]:
    older = [f"manylinux{old}_{machine}" for old in ("2014", "2010", "1")]
    return [*(f"manylinux_2_{minor}_{machine}" for minor in range(GLIBC, 4, -1)), *older, f"linux_{machine}"]


def mac(machine: str) -> list[str]:
    return list(mac_platforms((13, 0), machine))


COMPUTERS = {
    "linux-x86_64": Computer("Linux", "linux", "posix", "x86_64", glibc("x86_64")),
    "linux-aarch64": Computer("Linux", "linux", "posix", "aarch64", glibc("aarch64")),
    "mac-arm64": Computer("Darwin", "darwin", "posix", "arm64", mac("arm64")),
    "mac-x86_64": Computer("Darwin", "darwin", "posix", "x86_64", mac("x86_64")),
    "windows-x86_64": Computer("Windows", "win32", "nt", "AMD64", ["win_amd64"]),
}


class Locked(NamedTuple):
    """One package of a lock."""

    requirement: Requirement
    hashes: frozenset[str]

    @property
    def name(self) -> str:
        return f"{self.requirement.name} {str(self.requirement.specifier).removeprefix('==')}"


def locked(lock: str) -> Iterator[Locked]:
    text = "".join(each.read_text("utf-8") for each in with_parents(ROOT / lock)).replace("\\\n", " ")
    for line in text.splitlines():
        if line.startswith("-r "):
            continue
        requirement, *hashes = re.split(r"\s+--hash=sha256:", line)
        yield Locked(Requirement(requirement), frozenset(one.strip() for one in hashes))


def table() -> Mapping[str, Mapping[str, str]]:
    """Package and version, then the beginning of a hash, then what its file is."""
    found: dict[str, dict[str, str]] = {}
    package = ""
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("  "):
            short, tags = line.split()
            found[package][short] = tags
        elif not line.startswith("#"):
            package = line
            found[package] = {}
    return found


FILES = table()
every_lock = pytest.mark.parametrize("lock", LOCKS)


def wanted(one: Locked, python: tuple[int, int], computer: Computer) -> bool:
    version = ".".join(map(str, python))
    environment = {
        "implementation_name": "cpython",
        "implementation_version": f"{version}.0",
        "os_name": computer.os_name,
        "platform_machine": computer.machine,
        "platform_python_implementation": "CPython",
        "platform_system": computer.system,
        "python_full_version": f"{version}.2",
        "python_version": version,
        "sys_platform": computer.sys_platform,
        "extra": "",
    }
    return one.requirement.marker is None or one.requirement.marker.evaluate(environment)


def taken(python: tuple[int, int], computer: Computer) -> frozenset[Tag]:
    """The tags of every wheel that Python takes there."""
    interpreter = f"cp{python[0]}{python[1]}"
    return frozenset(
        chain(
            cpython_tags(python, [interpreter], computer.platforms),
            compatible_tags(python, interpreter, computer.platforms),
        )
    )


def installable(lock: Sequence[Locked], python: tuple[int, int], computer: Computer) -> list[str]:
    """The packages that pip could not install there from this lock."""
    tags = taken(python, computer)
    return [one.name for one in lock if wanted(one, python, computer) and not any(fitting(one, tags))]


def fitting(one: Locked, tags: frozenset[Tag]) -> Iterator[str]:
    """The wheels of a lock's package that can be installed where these tags are taken.

    Its sources do not count: a computer without a compiler could make nothing of most of them.
    """
    known = {hash_[:SHORT] for hash_ in one.hashes}
    for short, tag in FILES.get(one.name, {}).items():
        if short in known and tag != "sdist" and parse_tag(tag) & tags:
            yield tag


@every_lock
@pytest.mark.parametrize("computer", COMPUTERS)
@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: ".".join(map(str, python)))
def test_F2_a_lock_can_be_installed(lock: str, computer: str, python: tuple[int, int]) -> None:
    assert installable(list(locked(lock)), python, COMPUTERS[computer]) == []


@every_lock
def test_F2_a_lock_has_every_file_there_is(lock: str) -> None:
    missing = {
        one.name: sorted(
            FILES.get(one.name, {"no line": ""}).keys() - {hash_[:SHORT] for hash_ in one.hashes}
        )
        for one in locked(lock)
    }

    assert {name: files for name, files in missing.items() if files} == {}


def test_F2_a_lock_with_the_wheels_of_one_python_is_found_out() -> None:
    """What once happened: beside the index there was a folder, and it had one wheel of this package."""
    (whole,) = (one for one in locked("requirements-all.txt") if one.requirement.name == "lxml")
    mine = [short for short, tags in FILES[whole.name].items() if re.match("cp311-.*_x86_64", tags)]
    poor = whole._replace(hashes=frozenset(one for one in whole.hashes if one[:SHORT] in mine))
    linux = COMPUTERS["linux-x86_64"]

    assert mine
    assert installable([poor], (3, 11), linux) == []
    assert installable([poor], (3, 12), linux) == [whole.name]
    assert installable([poor], (3, 11), COMPUTERS["mac-arm64"]) == [whole.name]


def test_F2_the_table_speaks_of_what_is_locked_and_of_nothing_else() -> None:
    assert set(FILES) == {one.name for lock in LOCKS for one in locked(lock)}


def test_the_lock_names_every_dependency() -> None:
    """pip installs a lock without asking what its packages need: this environment is whole by it alone."""
    found = subprocess.run(
        [sys.executable, "-m", "pip", "check"], text=True, check=False, capture_output=True
    )

    assert (found.returncode, found.stdout) == (0, "No broken requirements found.\n")
