"""Counts the steps of a task: a number that is the same at every run, unlike a time.

A step is an instruction of Python's bytecode; a call of a function in C counts as twenty. This module loads
only what every Python has loaded, so that a process can count its own start from the first import on.
"""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # `typing` is not loaded yet
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

C_CALL = 20
"""Steps of a call of a function in C: on average it takes as long as some twenty instructions."""


def steps_of(task: Callable[[], object]) -> int:
    """Runs a task without garbage collections, and returns its number of steps in this thread."""
    steps = 0

    def on_call(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any]:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return on_instruction

    def on_instruction(_frame: FrameType, _event: str, _argument: object) -> Callable[..., Any]:
        nonlocal steps
        steps += 1
        return on_instruction

    def on_c_call(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal steps
        if event == "c_call":
            steps += C_CALL

    before = sys.gettrace(), sys.getprofile()
    gc.collect()
    gc.disable()
    sys.setprofile(on_c_call)
    sys.settrace(on_call)
    try:
        task()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
        gc.enable()
    return steps


def count_command() -> None:
    """Runs Retold's command line with this process's arguments, and prints the steps, imports included."""

    def task() -> None:
        from retold.__main__ import main

        assert main() == 0

    print(steps_of(task))
