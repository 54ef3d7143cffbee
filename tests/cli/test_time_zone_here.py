"""The time zone that an import proposes is this computer's, on each system."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from zoneinfo import ZoneInfoNotFoundError

import pytest
import tzlocal

from retold.importing.verb.questions import _zone_here


@pytest.fixture(autouse=True)
def _no_zone_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)


class Key(NamedTuple):
    """A key of Windows' registry, with what is in it."""

    values: dict[str, str]

    def Close(self) -> None:
        pass


def test_F9_windows_keeps_the_zone_in_its_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = ModuleType("winreg")
    values = {"TimeZoneKeyName": "W. Europe Standard Time\0\0", "Bias": "-60"}
    for name, answer in {
        "HKEY_LOCAL_MACHINE": 0,
        "ConnectRegistry": lambda *_: None,
        "OpenKey": lambda *_: Key(values),
        "QueryInfoKey": lambda key: (0, len(key.values), 0),
        "EnumValue": lambda key, at: (*list(key.values.items())[at], 1),
    }.items():
        setattr(registry, name, answer)
    monkeypatch.setitem(sys.modules, "winreg", registry)
    windows = import_module("tzlocal.win32")
    monkeypatch.setattr(windows, "winreg", registry)
    monkeypatch.setattr(windows, "_cache_tz_name", None)
    monkeypatch.setattr(tzlocal, "get_localzone_name", windows.get_localzone_name)

    assert _zone_here() == "Europe/Berlin"


@pytest.mark.skipif(sys.platform == "win32", reason="a symbolic link takes a right there")
@pytest.mark.parametrize("database", ["usr/share/zoneinfo", "var/db/timezone/zoneinfo"])
def test_F9_linux_and_macos_link_to_a_file_of_the_zone(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone = tmp_path / database / "Europe/Lisbon"
    zone.parent.mkdir(parents=True)
    zone.touch()
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/localtime").symlink_to(zone)
    monkeypatch.setattr(
        tzlocal,
        "get_localzone_name",
        partial(import_module("tzlocal.unix")._get_localzone_name, str(tmp_path)),
    )

    assert _zone_here() == "Europe/Lisbon"


def test_a_zone_in_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tzlocal, "get_localzone_name", lambda: "Europe/Lisbon")
    monkeypatch.setenv("TZ", ":Asia/Tokyo")

    assert _zone_here() == "Asia/Tokyo"


@pytest.mark.parametrize("found", [None, "", "Nowhere/Else"])
def test_a_computer_that_names_no_zone_has_utc(found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tzlocal, "get_localzone_name", lambda: found)

    assert _zone_here() == "UTC"


def test_a_computer_that_names_several_zones_has_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    def conflicting() -> str:
        raise ZoneInfoNotFoundError("Multiple conflicting time zone configurations found")

    monkeypatch.setattr(tzlocal, "get_localzone_name", conflicting)

    assert _zone_here() == "UTC"
