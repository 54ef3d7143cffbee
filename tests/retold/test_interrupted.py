"""Ctrl-C before a command has begun: at each line of ours, from the door to where `dispatch` takes over."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import environment
from tests.patience import PATIENCE

LIVES = """
import json, os, sys
from types import FrameType

import retold
from retold.__main__ import main

HOME = os.path.dirname(os.path.dirname(retold.__file__)) + os.sep
taken = -1  # `try:` itself is before it
at = 0

def traced(frame, event, given):
    global taken
    if not frame.f_code.co_filename.startswith(HOME):
        return None
    if frame.f_code.co_name == "_answer":
        os._exit(99)
    if event == "line":
        taken += 1
        if taken == at:
            raise KeyboardInterrupt
    return traced

ends = []
while not ends or ends[-1][0] != 99:
    at += 1
    heard, told = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(told, 2)
        sys.argv[1:] = ["note:", "It rains."]
        sys.settrace(traced)
        code = main()
        sys.settrace(None)
        sys.stderr.flush()
        os._exit(code)
    os.close(told)
    with open(heard, "rb") as said:
        words = said.read().decode()
    ends.append((os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), words))
print(json.dumps(ends))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="children are forked as on a POSIX system")
def test_it_ends_as_any_interruption_does_wherever_it_comes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIVES],
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        check=True,
        timeout=PATIENCE,
    )
    *interrupted, begun = json.loads(done.stdout)

    assert begun == [99, ""]
    assert interrupted
    assert {tuple(end) for end in interrupted} == {
        (130, "\nInterrupted; everything acknowledged is recorded.\n")
    }
