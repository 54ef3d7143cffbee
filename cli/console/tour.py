"""`play --tour`: a first evening in five minutes, a line at a time, on a campaign that is thrown away."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from cli.console.seat import Heard, Seat
from cli.invocation import DONE, FAILED
from cli.screen.columns import fitted
from journal.games import OURS, guests
from journal.names import Unknown, nearest
from journal.refused import Refused
from journal.systems import SYSTEMS
from projections import safe

TOURS: Final = Path(__file__).with_name("tours")
AROUND: Final = ("opening", "ending")
FIRST: Final = "d20"
"""The game of a tour that names none."""

ITS_END: Final = "That was an evening. Yours: retold new NAME, then retold play, where ? shows the keys."


class Step(NamedTuple):
    """A line to type, and a sentence on what it does."""

    about: str
    line: str


class Tour(Struct):
    """The steps that are left, the next one first."""

    steps: list[Step]
    _told: Step | None = None

    @classmethod
    def of(cls, game: str | None) -> Tour:
        """The tour of a game; Refused where there is no game of that name."""
        named = FIRST if game is None else game
        opening, ending = (_steps(_paper(part)) for part in AROUND)
        return cls([*opening, *_through(named), *ending])

    def offer(self) -> str:
        """The line of the next step, which is told about where it was not yet."""
        step = self.steps[0]
        if step is not self._told:
            self._told = step
            about = ("", f"# {safe.line(step.about)}") if step.about else ("",)
            sys.stdout.writelines(f"{line}\n" for line in fitted(about, sys.stdout))
        return step.line

    def take(self, typed: str) -> None:
        """Goes on where the line of this step was said."""
        if typed.strip() == self.steps[0].line:
            self.steps.pop(0)


def _through(game: str) -> list[Step]:
    """The part of a tour that is a game's: as we or its guest wrote it, else what the game says of itself."""
    ours = sorted({path.stem for path in TOURS.glob("*.session")} - set(AROUND))
    if game in ours:
        return _steps(_paper(game))
    if game not in SYSTEMS or game in OURS:
        if trouble := SYSTEMS.trouble(game):
            raise Refused(trouble)
        known = [*ours, *(name for name in SYSTEMS if name not in OURS)]
        raise Unknown(game, nearest(game, known), f"There is a tour of {', '.join(known)}.")
    guest = guests()[game]
    return _steps(guest.paper("tour.session") or "") or [
        Step(
            f"{SYSTEMS[game].title} comes from {guest.distribution}, which brings no tour of it:"
            " this is every line it has. Type any of them here, for nothing is kept.",
            f"systems {game}",
        ),
        *([Step("And these are its rules.", f"help {game}")] if guest.paper("rules.md") else ()),
    ]


def _paper(part: str) -> str:
    return (TOURS / f"{part}.session").read_text("utf-8")


def _steps(paper: str) -> list[Step]:
    """Its lines, each with the sentence that stands over it; a guest may have forgotten one."""
    steps, about = [], ""
    for line in filter(None, map(str.strip, paper.splitlines())):
        if line.startswith("#"):
            about = line.removeprefix("#").strip()
        else:
            steps.append(Step(about, line))
            about = ""
    return steps


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
