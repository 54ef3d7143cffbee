"""Finding results of a homebrew game's moves that no throw can reach.

A band is one possible result of a move, such as `a hit` for 10 or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from retold.games.homebrew.rules import (
    Band,
    DiceOutcome,
    Game,
    Mistake,
    Move,
    band_of,
    outcome_odds,
    stats_of,
)
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.throws import Dice, Throw

FURTHER: Final = 20
"""Largest bonus tried beyond a stat's range."""

WIDEST: Final = 60
"""Maximum number of stat values tried."""

MOST_DICE: Final = 12
"""The most dice that are tried, where a stat says how many there are."""

MOST_TRIED: Final = 100_000
"""Maximum number of throws tried; beyond it nothing is reported."""


def impossible_results(game: Game) -> Iterator[Mistake]:
    """Yields a mistake for each result that no throw can reach, with the reason and an alternative."""
    for name, move in game.moves.items():
        reached = _reached(game, move)
        if reached is None:
            continue
        for place, band in enumerate(move.bands):
            if place not in reached:
                why = _why(game, move, band)
                yield Mistake(("moves", name, "bands", place), f"{band.name} can never come: {why}")


def _reached(game: Game, move: Move) -> set[int] | None:
    """Returns the indices of the move's bands that some throw reaches.

    None if there are too many possible throws to try all, or none whose odds are known.
    """
    left = set(range(len(move.bands)))
    tried = 0
    for came in _throws(game, move):
        found = band_of(move, came)
        left -= {place for place in left if move.bands[place] is found}
        tried += 1
        if not left:
            break
        if tried > MOST_TRIED:
            return None
    return set(range(len(move.bands))) - left if tried else None


def _throws(game: Game, move: Move) -> Iterator[DiceOutcome]:
    """Yields possible outcomes of a move, with stats and bonuses around their range and any target."""
    margins = sorted(
        {by for band in move.bands if band.margin is not None for by in (band.margin, band.margin - 1)}
    )
    for these, shifts in _dice(game, move):
        for came in _from_both_ends([came for came, _ in outcome_odds(move, these)]):
            for shift in shifts:
                if move.use == "under":
                    yield came._replace(margin=shift - came.total, target=shift)
                    continue
                total = came.total + (shift if move.use == "add" else 0)
                for margin in margins or (None,):
                    yield came._replace(total=total, margin=margin)


def _from_both_ends(came: Sequence[DiceOutcome]) -> Iterator[DiceOutcome]:
    """Yields outcomes from both ends of the sequence in turn, so that extreme totals are tried first."""
    for place in range((len(came) + 1) // 2):
        yield came[place]
        if place != len(came) - 1 - place:
            yield came[len(came) - 1 - place]


def _dice(game: Game, move: Move) -> Iterator[tuple[Throw, Sequence[int]]]:
    """Yields pairs of dice that a move may throw, and the sums of stat and bonus to try with these dice."""
    these, numbers = parse_throw(move.dice), _numbers(game, move)
    if move.use != "dice":
        yield these, numbers
        return
    if move.zero is not None:
        yield parse_throw(move.zero), (0,)
    first, *others = these.terms
    top = max(1, min(MOST_DICE, max(numbers)))
    for count in sorted({1, 2, 3, top} & set(range(1, top + 1))):
        if isinstance(first, Dice):
            yield Throw((replace(first, count=count), *others)), (0,)


def _numbers(game: Game, move: Move) -> Sequence[int]:
    """Returns possible sums of a stat and a bonus, sorted outwards from the stat value nearest to 0."""
    stats = [game.stats[name] for name in stats_of(game, move) if name in game.stats]
    least = min((stat.least for stat in stats), default=0)
    most = max((stat.most for stat in stats), default=0)
    start = max(least, min(most, 0))
    low, high = max(least, start - WIDEST) - FURTHER, min(most, start + 2 * WIDEST) + FURTHER
    return sorted(range(low, high + 1), key=lambda number: abs(number - start))


def _why(game: Game, move: Move, band: Band) -> str:
    """Returns the reason why no throw reaches a band, with an alternative where there is one."""
    alone = replace(move, bands=(band,))
    if _reached(game, alone):
        return "a result above it takes every throw that it would; write it above that one"
    alone_too = ((key, Band.of({"name": band.name, key: asked})) for key, asked in _faces_asked(band))
    wrong = next((key for key, one in alone_too if not _reached(game, replace(move, bands=(one,)))), None)
    if wrong == "doubles":
        lone = next((face for face in (band.natural,) if face is not None), 6)
        return (
            f"one die of {move.dice} counts, so no two are alike; for two dice of it that show {lone},"
            f" write pair = {lone}"
        )
    if wrong == "pair":
        return f"two dice of {move.dice} never show {band.pair}"
    if wrong == "natural":
        return f"no die that counts in {move.dice} shows {band.natural}"
    return "no throw is all of that at once"


def _faces_asked(band: Band) -> Iterator[tuple[str, int | bool]]:
    """Yields the band's conditions on faces (`doubles`, `pair`, `natural`) with their values."""
    for key in ("doubles", "pair", "natural"):
        asked = getattr(band, key)
        if asked is not None:
            yield key, asked
