"""R35: whoever is told leaves early, takes nothing, or presses Ctrl-C while lines are recorded."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from retold.__main__ import main
from retold.cli import dispatch
from retold.cli.verbs import dump, export, log, replay, run, show
from tests.survival.attacks import Found, attacked, rows, whole
from tests.survival.moments import Steps, moments
from tests.survival.nursery import Nursery, say

LOADED = (dump, export, log, replay, run, show)
"""What children find loaded, so that no step of theirs is a module's."""

LINES = 5
SCRIPT = "".join(f"note: number {number:03}\n" for number in range(LINES))
READ = (
    ("log", "-n", "0"),
    ("dump",),
    ("replay",),
    ("export", "-f", "markdown"),
    ("show",),
    ("dump", "--script"),
)


def _bare(words: list[str]) -> int:
    """The control: nothing is caught on its way out."""
    return dispatch._answer(words)


def hear_a_little(path: str, words: list[str], after: int, protected: bool) -> None:
    """A child's life: a command whose reader leaves after so many bytes."""
    if not protected:
        patch.object(dispatch, "dispatch", _bare).start()
    kept, told = os.dup(1), Path(f"{path}.err")
    read, write = os.pipe()
    os.dup2(write, 1)
    os.close(write)
    os.dup2(os.open(told, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), 2)
    reader = Thread(target=_read, args=(read, after), daemon=True)
    reader.start()
    code = main(["-c", path, *words])
    os.dup2(kept, 1)
    say(json.dumps([code, told.read_text("utf-8")]))


def _read(pipe: int, after: int) -> None:
    left = after
    while left > 0 and (some := os.read(pipe, left)):
        left -= len(some)
    os.close(pipe)


def press_ctrl_c(path: str, at: int, protected: bool) -> None:
    """A child's life: a script is played until somebody interrupts it at a step."""
    if not protected:
        patch.object(dispatch, "dispatch", _bare).start()
    answer = dispatch._answer

    def fate() -> None:
        raise KeyboardInterrupt

    def answered(words: list[str]) -> int:
        with steps:
            return answer(words)

    steps = Steps(at, fate)
    patch.object(dispatch, "_answer", answered).start()
    code = main(["-c", path, "run", f"{path}.session"])
    say(f"code {code} after {steps.taken}")


def leave_early(folder: Path, rounds: int, protected: bool) -> Found:
    """R35: so many readers who leave, and as many interruptions; no traceback, and what is said is so."""
    base, path, found = folder / "base.retold", folder / "a.retold", Found()
    attacked(base)
    Path(f"{path}.session").write_text(SCRIPT, "utf-8")
    with Nursery(hear_a_little) as nursery:
        for number in range(rounds):
            shutil.copy(base, path)
            words = [*READ[number % len(READ)]] if number % 2 else ["run", f"{path}.session"]
            life = nursery.child(path, words, number * 37 % 1500, protected)
            found.tried += 1
            _judge_left(path, base, words, life.said, found)
    with Nursery(press_ctrl_c) as nursery:
        shutil.copy(base, path)
        steps = int(nursery.child(path, 0, protected).said[-1].split()[-1])
        for at in moments(steps, rounds):
            shutil.copy(base, path)
            life = nursery.child(path, at, protected)
            found.tried += 1
            _judge_interrupted(path, base, life.said, found)
    return found


def _judge_left(path: Path, base: Path, words: list[str], said: tuple[str, ...], found: Found) -> None:
    code, err = None, ""
    with suppress(ValueError, IndexError):
        code, err = json.loads(said[-1])
    found.untrue += code != 0 or "Traceback" in err
    found.lost += words[0] == "run" and len(rows(path)) - len(rows(base)) != LINES


def _judge_interrupted(path: Path, base: Path, said: tuple[str, ...], found: Found) -> None:
    """It says that it was interrupted, and what it told of before is there; at most one more than that."""
    acknowledged = sum("number " in line for line in said)
    there = len(rows(path)) - len(rows(base))
    found.acknowledged += acknowledged
    found.lost += there < acknowledged
    ended = said[-1].startswith("code 130") or said[-1].startswith("code 0")
    found.untrue += not ended or any("Traceback" in line for line in said)
    found.untrue += said[-1].startswith("code 0") and there != LINES
    found.damaged += not whole(path)
