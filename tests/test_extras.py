"""A missing optional package, and one that does not load, are each one sentence with a remedy."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from retold.drafts.files import docx_reading, docx_writing, html, odt_reading
from retold.drafts.manuscript import Manuscript
from retold.journal import extras
from retold.journal.extras import LONGEST_REASON, Extra
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.postgres.library import check_psycopg
from retold.mcp.protocol.tools import LIBRARY
from retold.picture_files import written_anew
from retold.projections.exports import EXPORTS, TYPST
from retold.projections.postcards import check_format
from retold.projections.prose.phrases import languages as every
from retold.projections.prose.phrases.languages import language
from retold.sources import leveldb
from retold.sources.discord import html_export
from retold.sources.iron_vault import mechanics
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.roll20 import saved_page

ROOT = Path(__file__).parents[1]


@dataclass
class Planted:
    """A finder by which one module fails to load, as it does if a library of the system is missing."""

    module: str
    error: Exception

    def find_spec(self, name: str, *_: object) -> None:
        if name == self.module:
            raise self.error


def plant(monkeypatch: pytest.MonkeyPatch, module: str, error: Exception) -> None:
    """Until the end of the test, importing `module` raises `error`."""
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Planted(module, error), *sys.meta_path])


DOORS: list[tuple[str, str, Callable[[], object]]] = [
    ("typst", "typst", EXPORTS["pdf"].require),
    ("typst", "typst", lambda: check_format("png")),
    ("python-docx", "docx", EXPORTS["docx"].require),
    ("python-docx", "docx", lambda: docx_writing._Writer(Manuscript("a", 1, "A", ()))),
    ("lxml", "lxml.etree", lambda: docx_reading.read("a.docx", b"")),
    ("lxml", "lxml.etree", lambda: odt_reading.read("a.odt", b"")),
    ("lxml", "lxml.etree", lambda: html.read("a.html", "<p>A</p>")),
    ("Pillow", "PIL.Image", lambda: written_anew(b"", "a.png")),
    ("Babel", "babel", lambda: language("de").category(2)),
    ("psycopg", "psycopg", check_psycopg),
    ("mcp", "mcp.server.lowlevel", lambda: LIBRARY.load("retold mcp")),
    ("ckdl", "ckdl", lambda: mechanics.block("move", Tally())),
    ("cramjam", "cramjam", leveldb._snappy),
    ("selectolax", "selectolax.lexbor", lambda: html_export.read(page(), Tally())),
    ("selectolax", "selectolax.lexbor", lambda: list(saved_page.read(page(), Tally()))),
]
"""Each way to an optional package: its name, the module that loads what is used, and a call that needs it."""

HELD_BACK = "cryptography"
"""A package that mcp brings, named to hold it back where newer versions have no wheel."""

EACH = pytest.mark.parametrize(("package", "module", "use"), DOORS)

BROKEN = [
    ImportError("DLL load failed while importing _native: The specified\nmodule could not be found."),
    OSError(8, "Exec format error"),
    ModuleNotFoundError("No module named '_native'", name="_native"),
    AttributeError("module 'native' has no attribute 'Compiler'"),
]


def page() -> Stream:
    return Stream(
        "a.html", lambda _: b'<html><div class="message general" data-messageid="-a">A</div></html>'
    )


@EACH
def test_F12_an_extra_that_fails_to_load_is_one_sentence(
    package: str, module: str, use: Callable[[], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    every._locale.cache_clear()

    for error in BROKEN:
        with monkeypatch.context() as broken:
            plant(broken, module, error)
            with pytest.raises((Refused, StoreError)) as refused:
                use()

        said = str(refused.value)
        why = " ".join(str(error).split()).rstrip(".")
        assert f" needs {package}, which is installed but cannot be loaded ({why}): pip install" in said
        assert re.search(r"--force-reinstall 'retold\[\w+\]'", said)
        assert "\n" not in said


@EACH
def test_a_missing_extra_is_one_sentence(
    package: str, module: str, use: Callable[[], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    every._locale.cache_clear()
    distribution = module.partition(".")[0]
    plant(
        monkeypatch, distribution, ModuleNotFoundError(f"No module named {distribution!r}", name=distribution)
    )

    with pytest.raises(
        (Refused, StoreError), match=f" needs {package}, which is an extra: pip install 'retold"
    ):
        use()


def test_every_optional_package_has_been_tried_broken() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = {canonical(wanted) for wants in project["optional-dependencies"].values() for wanted in wants}

    assert {canonical(package) for package, _, _ in DOORS} == named - {HELD_BACK}


def canonical(requirement: str) -> str:
    found = re.match(r"[\w-]+", requirement)
    assert found is not None
    return found[0].lower()


@pytest.mark.parametrize(
    ("receipt", "remedy"),
    [
        ("pipx_metadata.json", "in the folder of Retold's sources, pipx install --force '.[all]'."),
        (
            "uv-receipt.toml",
            "in the folder of Retold's sources, uv tool install --force --reinstall '.[all]'.",
        ),
    ],
)
def test_F12_what_repairs_an_extra_is_what_installed_retold(
    receipt: str, remedy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / receipt).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    plant(monkeypatch, "typst", OSError("no"))

    with pytest.raises(Refused, match=f"{re.escape(remedy)}$"):
        EXPORTS["pdf"].require()


def test_F12_in_a_clone_the_environment_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(ROOT / ".venv"))
    plant(monkeypatch, "typst", OSError("no"))

    with pytest.raises(Refused, match=r"\(no\): delete the folder \.venv, then python3 run\.py extras\.$"):
        EXPORTS["pdf"].require()


def test_F12_on_windows_the_runtime_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "sys", SimpleNamespace(platform="win32", prefix=sys.prefix))
    plant(monkeypatch, "typst", ImportError("DLL load failed"))

    with pytest.raises(Refused, match=r"install Microsoft's Visual C\+\+ Redistributable \(x64\)\.$"):
        EXPORTS["pdf"].require()


def test_a_long_reason_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "typst", ImportError("x" * 5_000))

    with pytest.raises(Refused) as refused:
        Extra("typst", "typst", "pdf").load("PDF")

    assert "x" * LONGEST_REASON in str(refused.value)
    assert len(str(refused.value)) < 2 * LONGEST_REASON + 200


def test_F12_nothing_is_drawn_with_a_typst_that_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "typst", ImportError("DLL load failed"))

    assert not TYPST.is_here()
