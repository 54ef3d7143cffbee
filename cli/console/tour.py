"""`play --tour`: a first evening in five minutes, a line at a time, on a campaign that is thrown away."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from cli.console.seat import Heard, Seat
from cli.invocation import DONE, FAILED
from cli.screen.columns import fitted
from journal.names import Unknown, nearest

TOURS: Final = Path(__file__).with_name("tours")
AROUND: Final = ("opening", "ending")
FIRST: Final = "d20"
"""The game of a tour that names none."""

ITS_END: Final = "That was an evening. Yours: retold new NAME, then retold play, where ? shows the keys."


class Step(NamedTuple):
    """A line to type, and a sentence on what it does."""

    about: str
    line: str


@dataclass(slots=True)
class Tour:
    """The steps that are left, the next one first."""

    steps: list[Step]
    _told: Step | None = None

    @classmethod
    def of(cls, game: str | None) -> Tour:
        """The tour of a game; Refused where it has none."""
        opening, ending = AROUND
        known = sorted({path.stem for path in TOURS.glob("*.session")} - set(AROUND))
        if (game or FIRST) not in known:
            hint = f"There is a tour of {', '.join(known)}."
            raise Unknown(game or FIRST, nearest(game or FIRST, known), hint)
        return cls([step for part in (opening, game or FIRST, ending) for step in _steps(part)])

    def offer(self) -> str:
        """The line of the next step, which is told about where it was not yet."""
        step = self.steps[0]
        if step is not self._told:
            self._told = step
            sys.stdout.writelines(f"{line}\n" for line in fitted(("", f"# {step.about}"), sys.stdout))
        return step.line

    def take(self, typed: str) -> None:
        """Goes on where the line of this step was said."""
        if typed.strip() == self.steps[0].line:
            self.steps.pop(0)


def _steps(part: str) -> list[Step]:
    lines = (TOURS / f"{part}.session").read_text("utf-8").splitlines()
    return [Step(about.removeprefix("# "), line) for about, line in zip(lines[::2], lines[1::2], strict=True)]


def read_out(seat: Seat, tour: Tour) -> int:
    """Says every line by itself, where nobody can press a key."""
    while tour.steps:
        line = tour.offer()
        sys.stdout.write(f"> {line}\n")
        if seat.hear(line) is not Heard.DONE:
            return FAILED
        tour.take(line)
    sys.stdout.write(f"\n# {ITS_END}\n")
    return DONE
