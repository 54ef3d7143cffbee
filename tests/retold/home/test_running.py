"""Home is started: the browser opens by a link that is printed nowhere; a second start finds the first."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from retold.home.addresses.running import opened_again
from tests.patience import PATIENCE
from tests.retold.home.browser import Browser

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the browser is a script of a shell")

ROOT: Final = Path(__file__).parents[3]
SCRIPT: Final = '#!/bin/sh\necho "$1" >> opened\n'


class Computer:
    """A computer with a browser that notes what it opens."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        browser = folder / "browser"
        browser.write_text(SCRIPT)
        browser.chmod(0o755)
        own = {"BROWSER": f"{browser} %s", "RETOLD_HOME": str(folder / "state"), "PYTHONPATH": str(ROOT)}
        self.environment = {**os.environ, **own}

    @property
    def opened(self) -> list[str]:
        """The addresses that the browser was asked for."""
        noted = self.folder / "opened"
        return noted.read_text().split() if noted.exists() else []

    def start(self, port: int) -> subprocess.Popen[str]:
        """Starts home, and waits until the browser was asked for one more page."""
        before = len(self.opened)
        words = [sys.executable, "-m", "retold", "home", "--port", str(port)]
        started = subprocess.Popen(
            words, cwd=self.folder, env=self.environment, text=True, stdout=-1, stderr=subprocess.STDOUT
        )
        self.stack.callback(started.wait)
        self.stack.callback(started.kill)
        end = time.monotonic() + PATIENCE
        while len(self.opened) == before:
            assert started.poll() in (None, 0), "home has failed"
            assert time.monotonic() < end, "no page was opened"
            time.sleep(0.02)
        return started


@pytest.fixture
def computer(tmp_path: Path) -> Iterator[Computer]:
    with ExitStack() as stack:
        yield Computer(tmp_path, stack)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def ended(started: subprocess.Popen[str]) -> str:
    """What home has printed once Ctrl-C ended it."""
    started.send_signal(signal.SIGINT)
    said, _ = started.communicate()
    assert started.returncode == 0
    return said


def test_the_link_is_opened_once_and_printed_nowhere(computer: Computer) -> None:
    home = computer.start(0)
    (address,) = computer.opened
    page = urlsplit(address)

    assert Browser(page.port or 0).come(page.fragment).status == 200
    assert Browser(page.port or 0).come(page.fragment).status == 403
    said = ended(home)
    assert page.fragment not in said
    assert said.startswith("Retold is open in your browser.\n")
    assert not (computer.folder / "state" / "state" / "home-runs.json").exists()


def test_a_second_start_opens_the_first_and_ends(computer: Computer) -> None:
    home = computer.start(free_port())
    second = computer.start(0)

    assert second.wait() == 0
    first, again = map(urlsplit, computer.opened)
    assert (first.port, first.fragment != again.fragment) == (again.port, True)
    assert Browser(again.port or 0).come(again.fragment).status == 200
    ended(home)


def test_a_port_that_another_program_has_is_left_to_it(computer: Computer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        home = computer.start(port)

    assert urlsplit(computer.opened[0]).port != port
    ended(home)


def test_after_a_kill_home_starts_again(computer: Computer) -> None:
    home = computer.start(0)
    home.kill()
    home.wait()

    again = computer.start(0)

    assert again.poll() is None
    ended(again)


@pytest.mark.parametrize("noted", ["{", "[]", '{"port": "x", "secret": 1}', '{"port": 9, "secret": "x"}'])
def test_what_another_program_answers_is_no_home(noted: str, tmp_path: Path) -> None:
    (tmp_path / "home-runs.json").write_text(noted)

    assert not opened_again(tmp_path / "home-runs.json")


def test_without_a_browser_it_says_so(computer: Computer) -> None:
    computer.environment["BROWSER"] = "no-such-browser-anywhere %s"
    computer.environment["PATH"] = str(computer.folder)
    done = subprocess.run(
        [sys.executable, "-m", "retold", "home", "--port", "0"],
        cwd=computer.folder,
        env=computer.environment,
        text=True,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, "No browser was found" in done.stderr) == (1, True)
