"""The gallery is fresh: each of its files is what the examples give today, and its picture is beside it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.projections.unpacked import unpacked

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

SCRIPT = Path(__file__).parents[2] / "docs" / "gallery.py"
MADE = runpy.run_path(str(SCRIPT))
PAGES = {page.name: page for page in MADE["pages"]()}
GALLERY = SCRIPT.parent / "gallery"
MOST = 350_000
"""Bytes of a picture."""

PNG = b"\x89PNG\r\n"


def contents(path: Path) -> dict[str, bytes]:
    """What is in a file, or in every file of a folder; what is packed, in the open: others pack otherwise."""
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    return {one.relative_to(path).as_posix(): in_the_open(one) for one in files}


def in_the_open(path: Path) -> bytes:
    data = path.read_bytes()
    return unpacked(data.decode()).encode() if path.suffix == ".html" else data


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh_and_has_its_picture(name: str, tmp_path: Path) -> None:
    """Else: `.venv-test/bin/python docs/gallery.py`, and look at what changed."""
    picture = (GALLERY / f"{name}.png").read_bytes()
    written = MADE["write"](PAGES[name], tmp_path)
    MADE["leave_out"](PAGES[name], written)

    assert contents(written) == contents(GALLERY / written.name)
    assert picture.startswith(PNG)
    assert len(picture) < MOST


def test_its_index_is_fresh() -> None:
    assert MADE["index"]() == (GALLERY / "README.md").read_text("utf-8")


def test_it_has_nothing_else() -> None:
    made = {page.file for page in PAGES.values() if page.without != MADE["ALL"]}
    made |= {f"{name}.png" for name in PAGES}

    assert {path.name for path in GALLERY.iterdir()} == {"README.md", *made}
