"""A guest whose module has a syntax error, ends the program, or needs what is not there: a sentence each."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.__main__ import main
from retold.journal import games, packages
from retold.journal.games import Guest
from retold.journal.systems import SYSTEMS
from retold.projections import games as rooms
from retold.projections import plain, prose
from tests.guests import wreckers
from tests.guests.test_planted_faults import NAMED, Table, _one_line, installed, played, table

__all__ = ["installed", "played", "table"]  # fixtures

BROKEN = {
    "def broken(:\n": "SyntaxError: invalid syntax",
    "import sys\nsys.exit(3)\n": "SystemExit: 3",
    "import no_such_module\n": "ModuleNotFoundError: No module named 'no_such_module'",
}
ROOMS = ("notation", "voice", "statistics")
TIDES = Guest("tides", "retold-tides 1.0", "retold_tides")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the package of an installed guest."""
    monkeypatch.setattr(games, "_installed", lambda: (TIDES,))
    monkeypatch.syspath_prepend(tmp_path / "site")
    folder = tmp_path / "site" / TIDES.package
    folder.mkdir(parents=True)
    yield folder
    sys.modules.pop(TIDES.package, None)
    games.TROUBLES.pop("tides", None)


@pytest.mark.parametrize(("module", "error"), BROKEN.items())
def test_L18_a_guest_that_cannot_be_imported_is_a_sentence_and_the_other_games_are_listed(
    module: str, error: str, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "__init__.py").write_text(module)

    code = main(["systems"])

    shown = capsys.readouterr()
    assert code == 0
    assert "bruise" in shown.out
    told = _one_line(shown.err)
    assert f"The game tides of retold-tides 1.0 cannot be loaded: {error} (__init__.py, line " in told
    assert "tides" not in SYSTEMS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package of Wreckers, from which its modules are loaded anew."""
    copy = tmp_path / "wreckers"
    shutil.copytree(wreckers.__path__[0], copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(wreckers, "__path__", [str(copy)])
    for room in ROOMS:
        monkeypatch.delitem(sys.modules, f"{wreckers.__name__}.{room}", raising=False)
    caches = (rooms.load_room, plain.noted, prose.game)
    for cached in caches:
        cached.cache_clear()
    yield copy
    for room in ROOMS:
        sys.modules.pop(f"{wreckers.__name__}.{room}", None)
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize(("module", "error"), BROKEN.items())
@pytest.mark.parametrize("room", ROOMS)
def test_L18_a_guest_with_a_broken_module_is_named_and_every_page_is_there(
    room: str, module: str, error: str, table: Table, folder: Path
) -> None:
    (folder / f"{room}.py").write_text(module)

    ended = [table.say(line) for line in ("log -n 0", "export --for gm -o -", "stats", "verify")]

    assert [one.code for one in ended] == [0, 0, 0, 0], ended
    assert "The bell rings twice." in ended[1].out
    told = _one_line(" ".join(one.err for one in ended))
    assert f"{NAMED}answer for {room}.py: {error} ({room}.py, line " in told
    assert packages.guest_errors() == ()
