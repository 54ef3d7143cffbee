"""The paper on licences names each locked package, where it is installed, and its licence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tasks import with_parents

ROOT = Path(__file__).parent.parent
PAPER = ROOT / "docs/licences.md"
USED = "requirements-all.txt"
"""The lock of all that is installed with Retold and its extras."""

FAMILIES: Final = {
    r"LGPL|Lesser General": "LGPL-3.0-only",
    r"\bA?GPL|General Public": "GPL",
    r"MPL|Mozilla": "MPL-2.0",
    r"Apache.* OR BSD": "Apache-2.0 or BSD",
    r"BSD.* Unlicense .*MIT": "BSD, Unlicense and MIT",
    r"MIT-CMU": "MIT-CMU",
    r"MIT AND PSF": "MIT and PSF-2.0",
    r"PSF": "PSF-2.0",
    r"Apache": "Apache-2.0",
    r"ISC": "ISC",
    r"BSD": "BSD",
    r"MIT": "MIT",
}
"""A pattern in what a package says of its licence, and the name on the paper; the first that fits counts."""


class Licensed(NamedTuple):
    """A package as the paper has it."""

    licence: str
    is_used: bool


def on_paper() -> Mapping[str, Licensed]:
    found: dict[str, Licensed] = {}
    for row in re.findall(r"^\| (\S.*?) \|(.*)\|(.*)\|$", PAPER.read_text("utf-8"), re.MULTILINE):
        licence, used, tested = row
        found |= {name: Licensed(licence, is_used=True) for name in re.findall(r"`([^`]+)`", used)}
        found |= {name: Licensed(licence, is_used=False) for name in re.findall(r"`([^`]+)`", tested)}
    return found


def locked(lock: Path) -> set[str]:
    lines = [line for each in with_parents(lock) for line in each.read_text("utf-8").splitlines()]
    return {name[0].lower() for line in lines if (name := re.match(r"[A-Za-z0-9][\w.-]*", line))}


def stated(package: str) -> str | None:
    """What an installed package says of its licence, as the paper calls it; None if it says nothing."""
    try:
        said = metadata(package)
    except PackageNotFoundError:
        return None
    classified = [one for one in said.get_all("Classifier") or () if one.startswith("License")]
    texts = [*(said.get_all("License-Expression") or ()), *classified, *(said.get_all("License") or ())]
    text = next((one for one in texts if one and re.search("|".join(FAMILIES), one)), None)
    if text is None and not any(texts):
        return None
    return next(
        (name for pattern, name in FAMILIES.items() if re.search(pattern, text or "")), f"unknown: {texts}"
    )


def test_S11_every_locked_package_is_on_the_paper() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["build"]
    used = locked(ROOT / USED) - {one.partition("==")[0] for one in build}
    every = set[str]().union(*(locked(lock) for lock in ROOT.glob("requirements*.txt")))

    assert {name for name, one in on_paper().items() if one.is_used} == used
    assert set(on_paper()) == every


@pytest.mark.parametrize("package", sorted(on_paper()))
def test_S11_a_package_has_the_licence_that_the_paper_names(package: str) -> None:
    found = stated(package)
    if found is None:
        pytest.skip("not installed on this system, or it names none")

    assert found == on_paper()[package].licence


def test_S11_what_is_not_permissive_is_named_where_it_is_chosen() -> None:
    copyleft = {name for name, one in on_paper().items() if one.is_used and "GPL" in one.licence}
    extras = next(
        line
        for line in (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
        if line.startswith("server =")
    )

    assert copyleft == {"psycopg", "psycopg-binary"}
    assert "LGPL-3.0-only" in extras
    assert "psycopg" in (ROOT / "README.md").read_text("utf-8").rpartition("MIT licence")[2]
