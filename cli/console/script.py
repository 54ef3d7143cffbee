"""Several lines at once, typed or pasted: carried out one after another, until one is refused."""

from __future__ import annotations

import sys
import textwrap
from typing import NamedTuple

from cli.console.seat import Heard, Seat
from cli.screen.columns import fitted
from journal.language.lines import ScriptLine, Unplayable, read_script
from journal.language.verbs import EXPECT, VERBS
from projections import safe


class Left(NamedTuple):
    """What came of the last line carried out, and the lines that are left, a refused one first."""

    heard: Heard
    rest: str = ""


def carry_out(seat: Seat, typed: str) -> Left:
    """Carries out every line of `typed`; says by number which one was refused where there are several.

    What was refused is left over, and what comes after it; what was broken off after it was recorded is not.
    """
    lines, trouble = _lines(typed)
    several = len(lines) + (trouble is not None) > 1
    done = 0
    for line in lines:
        heard = seat.hear(line.source, f"line {line.number}: " if several else "")
        if heard is not Heard.REFUSED:
            done = line.number + len(line.text_lines)
        if heard is not Heard.DONE:
            return Left(heard, "" if heard is Heard.LEFT else _rest(typed, done))
    if trouble is None:
        return Left(Heard.DONE)
    sentence = f"{f'line {trouble.number}: ' if several else ''}{safe.line(trouble.sentence)}"
    sys.stderr.writelines(f"{line}\n" for line in fitted([sentence], sys.stderr))
    return Left(Heard.REFUSED, _rest(typed, done))


def _lines(typed: str) -> tuple[list[ScriptLine], Unplayable | None]:
    """The lines that can be told apart, and what is wrong with the next, if anything."""
    data = _at_margin(typed).encode("utf-8", "surrogatepass")
    lines: list[ScriptLine] = []
    try:
        lines.extend(read_script(data, "", (*VERBS, *EXPECT)))
    except Unplayable as trouble:
        return lines, trouble
    return lines, None


def _at_margin(typed: str) -> str:
    """The same lines without the margin they share: at the console a blank in front means nothing."""
    first, *below = textwrap.dedent(typed).split("\n")
    return "\n".join([first.lstrip(), *below])


def _rest(typed: str, done: int) -> str:
    """All but the first `done` lines."""
    return "\n".join(_at_margin(typed).split("\n")[done:]).strip("\n").rstrip()
