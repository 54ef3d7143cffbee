"""Plays random evenings, asks everything after each line, and says in how few lines something goes wrong."""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.files import file_of
from tests.proposed import unreadable
from tests.wandering.asked import (
    a_second_reading_agrees,
    every_board_is_the_one_that_lay_there,
    numbers_are_in_range,
    proposals_are_taken,
    record_is_whole,
    sentences_propose_what_is_taken,
    table_answers,
    toolbar_stands,
    verbs_answer,
)
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, CASTS, OPENINGS, SETUPS, Typing

LONGEST = 40
"""So many lines at most are typed once the cast is there and a conflict is open."""

SIDES = ('Zel vs "Two Guards"', "Zel+Ned vs Rats", 'Zel vs Ned vs "Two Guards"+Rats', "Zel vs Ned")


@dataclass(frozen=True)
class Trouble:
    """What went wrong, where in the house, and the lines that lead there."""

    error: Exception
    lines: tuple[str, ...]

    @property
    def where(self) -> str:
        """The kind of error and the innermost line of ours, by which the same trouble is known again."""
        frames = traceback.extract_tb(self.error.__traceback__)
        ours = [frame for frame in frames if "/lib/" not in frame.filename] or list(frames)
        return f"{type(self.error).__name__} in {ours[-1].filename.rpartition('/')[2]}:{ours[-1].name}"

    def __str__(self) -> str:
        told = "".join(traceback.format_exception(self.error)[-6:])
        return "\n".join((*self.lines, "", told))


def wandered(game: str, seed: int) -> Trouble | None:
    """What goes wrong in one evening of a game, if anything does; the same seed is the same evening.

    Of the games that come in files each has its turn, seed by seed.
    """
    luck = random.Random(f"{game} {seed}")
    cast = CASTS[seed % len(CASTS)] if game == "homebrew" else CAST[game]
    with evening() as night:
        try:
            for line in begun(game, cast, luck):
                night.type(line)
            for _ in range(luck.randint(1, LONGEST)):
                step(night, Typing(night.table, luck.choice).line())
            over(night)
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is what is looked for
            return Trouble(error, tuple(night.typed))
    return None


def begun(game: str, cast: Sequence[str], luck: random.Random) -> Iterator[str]:
    """The cast of a game, now and then of a second one, and a conflict between some of them."""
    other = luck.choice([None, None, None, *CAST])
    yield from cast
    if other is not None and other != game:
        yield from CAST[other]
    yield from (
        "session A night",
        "scene A room",
        f'conflict "One" {game} {luck.choice(SIDES)} {luck.choice(SETUPS[game])}: the keys',
    )
    yield from OPENINGS[game]


def step(night: Evening, line: str) -> None:
    """One line, and after it all that can be asked."""
    if not night.type(line):
        wrong = "\n".join(unreadable(list(night.refused.values())[-1], night.table))
        assert not wrong, f"proposed, and not read: {wrong}"
    else:
        table_answers(night.table)
        numbers_are_in_range(night.table)
        proposals_are_taken(night.table)
        sentences_propose_what_is_taken(night.table)


def over(night: Evening) -> None:
    """What is asked once an evening is over."""
    toolbar_stands(night.scribe)
    record_is_whole(night.scribe)
    a_second_reading_agrees(night.scribe)
    every_board_is_the_one_that_lay_there(night.scribe)
    verbs_answer(file_of(night.scribe.campaign))


def played(lines: Sequence[str]) -> Trouble | None:
    """What goes wrong when these lines are typed, if anything does."""
    with evening() as night:
        try:
            for line in lines:
                step(night, line)
            over(night)
        except Exception as error:  # noqa: BLE001 -- as above
            return Trouble(error, tuple(night.typed))
    return None


def shortened(trouble: Trouble) -> Trouble:
    """The same trouble in as few lines as leaving one out at a time can show it."""
    place = len(trouble.lines) - 1
    while place >= 0:
        fewer = (*trouble.lines[:place], *trouble.lines[place + 1 :])
        again = played(fewer)
        if again is not None and again.where == trouble.where:
            trouble = again
        place = min(place, len(trouble.lines)) - 1
    return trouble
