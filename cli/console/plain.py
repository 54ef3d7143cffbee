"""The console without a terminal's help: lines from a pipe, or from a terminal that can only print."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

from cli.console.script import carry_out
from cli.console.seat import Heard, Seat
from cli.invocation import DONE, FAILED
from journal.language.lexing import has_text, lex
from journal.language.lines import Unplayable, meant_below, read_script
from journal.language.tokens import Unreadable
from journal.language.verbs import EXPECT, VERBS
from projections import safe


def read_pipe(seat: Seat, stream: BinaryIO) -> int:
    """Carries out the lines of a stream as they come; as with `run`, one refused is the last."""
    done = 0
    for number, block in _blocks(stream):
        where = f"line {number}: "
        try:
            lines = list(read_script(block, "", (*VERBS, *EXPECT)))
        except Unplayable as unplayable:
            sys.stderr.write(f"line {number + unplayable.number - 1}: {safe.line(unplayable.sentence)}\n")
            return _stopped(done)
        for line in lines:
            heard = seat.hear(line.source, where)
            if heard is Heard.LEFT:
                return DONE
            if heard is not Heard.DONE:
                return _stopped(done)
            done += 1
    return DONE


def _stopped(done: int) -> int:
    before = {0: "No line before it", 1: "The line before it"}.get(done, f"The {done} lines before it")
    was = "was" if done <= 1 else "were"
    sys.stderr.write(f"Stopped there. {before} {was} carried out; nothing after it was read.\n")
    return FAILED


def _blocks(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Each line with the indented lines below it, and its number; only a text waits for what comes below."""
    block, began = b"", 1
    for number, raw in enumerate(stream, 1):
        if block and raw[:1].isspace() and raw.strip():
            block += raw
            continue
        if block and meant_below(_decoded(block), _decoded(raw), (*VERBS, *EXPECT)):
            block += raw  # so that both are refused together
            continue
        if block:
            yield began, block
        block, began = raw, number
        if not _may_go_on(raw):
            yield began, block
            block = b""
    if block:
        yield began, block


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").rstrip("\r\n")


def _may_go_on(raw: bytes) -> bool:
    try:
        return has_text(raw.decode().strip("\r\n"))
    except (UnicodeDecodeError, Unreadable):
        return True


def ask_plainly(seat: Seat) -> int:
    """Asks for line after line with a bare prompt, until the input ends."""
    while True:
        try:
            typed = _typed("> ")
        except EOFError:
            sys.stdout.write("\n")
            return DONE
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            continue
        try:
            heard = carry_out(seat, typed).heard
        except KeyboardInterrupt:
            continue
        if heard is Heard.LEFT:
            return DONE


def _typed(prompt: str) -> str:
    """One line, and below a `narrate Zel:` the lines of its text up to an empty one."""
    lines = [input(prompt)]
    try:
        goes_on = lex(lines[0].strip()).text == ""
    except Unreadable:
        goes_on = False
    if goes_on:
        sys.stdout.write("(an empty line ends it)\n")
    while goes_on and (line := input("… ")).strip():
        lines.append(f"    {line.strip()}")
    return "\n".join(lines)
