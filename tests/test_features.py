"""Features are found: what each declares is there, and without its folder the rest works on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from retold import errors, types
from retold.journal import features
from retold.journal.features import Feature, load, named
from retold.journal.games import BUILT_IN
from retold.journal.store.contract.address import Address
from retold.journal.store.places import PlaceOnServer
from retold.journal.store.postgres.server_place import ServerPlace
from tests.test_architecture import FEATURES, PACKAGES, ROOT

MISSING: Final = {
    "home": ("home",),
    "mcp": ("mcp",),
    "sources": ("import",),
    "drafts": ("draft", "drafted"),
    "server": ("server", "on a server"),
    "worlds": (),
    "margin": (),
}
"""What of `without_a_feature` cannot work without each feature: its verb first, if it has one."""

WIDEST: Final = "drafts"
"""Feature without which every module of the rest is imported: it adds to each package but the store."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages with their compiled files, which are as good there."""
    copy = tmp_path_factory.mktemp("house")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, symlinks=True)
    return copy


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """The first evening of the README, as a file of lines."""
    block = (ROOT / "README.md").read_text("utf-8").partition("## The table's first evening")[2]
    lines = tmp_path / "lines"
    lines.write_text(block.split("```")[3], "utf-8")
    return lines


def tried(tree: Path, *words: str, here: Path) -> dict[str, tuple[int, str]]:
    """What comes of each command line in that tree."""
    script = Path(__file__).with_name("without_a_feature.py")
    done = subprocess.run(
        [sys.executable, "-P", str(script), *words],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(tree), "RETOLD_HOME": str(here), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, tuple[int, str]] = json.loads(done.stdout)
    return found


@contextmanager
def taken_away(tree: Path, rooms: Sequence[str], away: Path) -> Iterator[None]:
    """The tree without the folders of these packages, which come back at the end."""
    away.mkdir()
    taken = [tree / room.replace(".", "/") for room in rooms]
    for number, folder in enumerate(taken):
        folder.rename(away / str(number))
    try:
        yield
    finally:
        for number, folder in enumerate(taken):
            (away / str(number)).rename(folder)


@pytest.mark.parametrize("feature", FEATURES)
def test_without_a_feature_the_rest_works(feature: str, tree: Path, evening: Path, tmp_path: Path) -> None:
    every_module = ["all"] if feature == WIDEST else []
    with taken_away(tree, FEATURES[feature], tmp_path / "away"):
        found = tried(tree, str(evening), *every_module, here=tmp_path)

    worked = {name for name, (code, _) in found.items() if not code}
    assert worked >= {"new", "play", "alone", "help", "all", "export", "complete"}
    assert "Zel" in found["export"][1]
    assert {name for name, (_, said) in found.items() if "This Retold" in said} == {*MISSING[feature]}
    for name in MISSING[feature]:
        code, sentence = found[name]
        assert code
        assert sentence.count("\n") == 1
    for verb in MISSING[feature][:1]:
        assert f"  {verb} " not in found["help"][1] + found["all"][1]
        assert f"  retold {verb} " not in found["alone"][1]
        assert verb not in found["complete"][1].split()


def test_without_other_games_the_first_evening_is_played(tree: Path, evening: Path, tmp_path: Path) -> None:
    others = [f"retold.games.{game}" for game in BUILT_IN if game not in ("bruise", "homebrew")]
    with taken_away(tree, others, tmp_path / "away"):
        found = tried(tree, str(evening), here=tmp_path)

    assert {found[name][0] for name in ("new", "play", "alone", "help", "all", "export", "complete")} == {0}
    assert "Zel" in found["export"][1]
    offered = found["complete"][1].split()
    assert "draw" in offered
    assert "maneuver" not in offered


def declared(feature: Feature) -> Iterator[str]:
    yield from filter(None, (feature.campaign, feature.places, feature.addresses, feature.draft_options))
    for names in (feature.verbs, feature.promised, feature.completions):
        yield from names.values()
    yield from (made for _, _, made in feature.exports.values())


def test_what_a_feature_declares_is_there() -> None:
    found = features.features()

    assert [feature.name for feature in found] == [
        "campaigns on a server",
        "drafts",
        "home",
        "imports",
        "readers' notes",
        "assistants",
        "other programs",
    ]
    for said in (said for feature in found for said in declared(feature)):
        assert load(said) is not None


def test_names_that_features_define_are_promised() -> None:
    promised = {name: said for feature in features.features() for name, said in feature.promised.items()}

    assert promised.keys() <= {*types.__all__, *errors.__all__}
    for name, said in promised.items():
        assert getattr(types if name in types.__all__ else errors, name) is load(said)
    with pytest.raises(AttributeError, match="has no attribute 'Nobody'"):
        _ = types.Nobody  # type: ignore[attr-defined]


def test_a_place_on_a_server_is_what_the_store_asks_for() -> None:
    place: PlaceOnServer = ServerPlace.of("club:salt-road")

    assert (place.server, place.campaign) == ("club:", "salt-road")


def test_without_features_there_is_nothing_to_load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(features, "HOMES", (tmp_path,))
    monkeypatch.setattr(features, "features", features.features.__wrapped__)

    assert named("verbs", "draft") is None
    assert Address.read("club:x").file is None
