"""Results of a move that can never come, whatever the dice, the sheet and the line say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from journal.decks.expressions import parse
from journal.decks.throws import Dice, Throw
from journal.systems.homebrew.rules import Band, Came, Game, Move, Trouble, band_of, likely, stats_of

FURTHER: Final = 20
"""How far a bonus in a line may take a stat out of its range."""

WIDEST: Final = 60
"""The numbers of a stat that are tried, where its range is wider than that."""

MOST_DICE: Final = 12
"""The most dice that are tried, where a stat says how many there are."""

MOST_TRIED: Final = 100_000
"""After so many throws without an answer nothing is said."""


def never(game: Game) -> Iterator[Trouble]:
    """Each result that can never come, with the reason and what to write instead."""
    for name, move in game.moves.items():
        reached = _reached(game, move)
        if reached is None:
            continue
        for place, band in enumerate(move.bands):
            if place not in reached:
                why = _why(game, move, band)
                yield Trouble(("moves", name, "bands", place), f"{band.name} can never come: {why}")


def _reached(game: Game, move: Move) -> set[int] | None:
    """The bands, by their places, that some throw comes to; None where that is not known."""
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


def _throws(game: Game, move: Move) -> Iterator[Came]:
    """What throws of the move may come to: with numbers about the range of its stats, against any target."""
    margins = sorted(
        {by for band in move.bands if band.margin is not None for by in (band.margin, band.margin - 1)}
    )
    for these, shifts in _dice(game, move):
        for came in _from_both_ends([came for came, _ in likely(move, these)]):
            for shift in shifts:
                if move.use == "under":
                    yield came._replace(margin=shift - came.total, target=shift)
                    continue
                total = came.total + (shift if move.use == "add" else 0)
                for margin in margins or (None,):
                    yield came._replace(total=total, margin=margin)


def _from_both_ends(came: Sequence[Came]) -> Iterator[Came]:
    """These in an order in which results of either end are found soon."""
    for place in range((len(came) + 1) // 2):
        yield came[place]
        if place != len(came) - 1 - place:
            yield came[len(came) - 1 - place]


def _dice(game: Game, move: Move) -> Iterator[tuple[Throw, Sequence[int]]]:
    """The dice of a move, as many as there may be, and the numbers that go with them."""
    these, numbers = parse(move.dice), _numbers(game, move)
    if move.use != "dice":
        yield these, numbers
        return
    if move.zero is not None:
        yield parse(move.zero), (0,)
    first, *others = these.terms
    top = max(1, min(MOST_DICE, max(numbers)))
    for count in sorted({1, 2, 3, top} & set(range(1, top + 1))):
        if isinstance(first, Dice):
            yield Throw((replace(first, count=count), *others)), (0,)


def _numbers(game: Game, move: Move) -> Sequence[int]:
    """The numbers that a stat and a bonus may come to, from the middle outwards."""
    stats = [game.stats[name] for name in stats_of(game, move) if name in game.stats]
    least = min((stat.least for stat in stats), default=0)
    most = max((stat.most for stat in stats), default=0)
    start = max(least, min(most, 0))
    low, high = max(least, start - WIDEST) - FURTHER, min(most, start + 2 * WIDEST) + FURTHER
    return sorted(range(low, high + 1), key=lambda number: abs(number - start))


def _why(game: Game, move: Move, band: Band) -> str:
    """Why a result never comes, and what to write instead."""
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
    """What a band asks of faces, key by key."""
    for key in ("doubles", "pair", "natural"):
        asked = getattr(band, key)
        if asked is not None:
            yield key, asked
