"""Every writer keeps receipts, a program too: an end that went with its log is missed on that computer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import retold
from retold.cli.campaigns.settings import Settings
from tests.files import needs_links

ROOT = Path(__file__).resolve().parents[2]
SAYS = re.compile(r"lacks what was recorded last on this computer, up to ([89]) \(receipt 1:\1:")

BOT = """
import os, sys
import retold

campaign = retold.open(sys.argv[1])
for number in range(8):
    campaign.say(f"note: {number}")
os._exit(9)
"""
CONSOLE = """
import os, sys
from retold.__main__ import main

def notes():
    for number in range(8):
        yield f"note: {number}\\n".encode()
    os._exit(9)

class Typed:
    def __iter__(self): return notes()
    def __init__(self): self._lines = notes()
    def readline(self, *_): return next(self._lines)
    def read(self, *_): return next(self._lines)
    def isatty(self): return False
    def fileno(self): raise OSError
    @property
    def buffer(self): return self

sys.stdin = Typed()
sys.argv = ["retold", "-c", sys.argv[1], "play"]
sys.exit(main())
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign of one event, and folders of its user's."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    path = tmp_path / "salt.retold"
    retold.new(path).close()
    return path


def killed(path: Path, program: str) -> Path:
    """The log that is left where a program says eight notes and is killed."""
    command = [sys.executable, "-c", program, str(path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, cwd=path.parent, capture_output=True, check=False)
    assert done.returncode == 9, done.stderr
    log = path.with_name(f"{path.name}-wal")
    assert log.stat().st_size  # the control: all of it is in the log
    return log


def spoil(log: Path, way: str) -> None:
    """Deletes a log, or flips one bit of the first page in it."""
    if way == "deleted":
        log.unlink()
        log.with_name(log.name.replace("-wal", "-shm")).unlink()
        return
    data = bytearray(log.read_bytes())
    data[32 + 24 + 100] ^= 4
    log.write_bytes(data)


@pytest.mark.parametrize("way", ["deleted", "one bit flipped"])
@pytest.mark.parametrize("program", [BOT, CONSOLE], ids=["program", "play"])
def test_X4_what_is_lost_with_a_log_is_missed(program: str, way: str, path: Path) -> None:
    spoil(killed(path, program), way)

    with retold.open(path, read_only=True) as campaign:
        found = campaign.verify()
        assert campaign.position == 1  # the control: it is lost
    assert not found.whole
    assert [bool(SAYS.search(one.sentence)) for one in found.findings] == [True]
    with pytest.warns(UserWarning, match=SAYS):
        again = retold.open(path)
    with again as campaign:
        assert SAYS.search(str(campaign.missed))
        campaign.say("note: It goes on.")
        assert campaign.verify().whole


def test_X4_of_a_whole_record_nothing_is_missed(path: Path) -> None:
    with retold.open(path) as campaign:
        campaign.say("note: Rain.")

    with retold.open(path) as campaign:
        assert campaign.missed is None
        assert campaign.verify().whole


def test_X4_a_new_campaign_keeps_receipts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    with retold.new(tmp_path / "new.retold") as campaign:
        campaign.say("note: Rain.")

    (kept,) = Settings.of_user().cache.glob("*.end")
    assert " 1:2:" in kept.read_text()


@needs_links
def test_X4_a_file_is_known_again_by_a_link_to_it(path: Path) -> None:
    spoil(killed(path, BOT), "deleted")
    link = path.with_name("link.retold")
    link.symlink_to(path)

    with retold.open(link, read_only=True) as campaign:
        assert SAYS.search(str(campaign.missed))
