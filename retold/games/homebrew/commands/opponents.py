"""Events about opponents without their numbers, as players see them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.options import NAME
from retold.games.homebrew.state import HIDDEN_SHEET, PARTS, shelf
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event

WORDS: Final = ("out", "badly hurt", "hurt", "unhurt")
"""Words for a track, from none left to all; half of it or less is badly hurt."""
_PARTS_OF_WORD: Final = PARTS // (len(WORDS) - 1)
"""More than one, so that a blow within one word is still a loss."""


def hides_numbers(table: Table) -> bool:
    """True if the game has a move against a number of the opponent that takes from a track of theirs."""
    return any(move.against and move.hurts for move in shelf(table).game.moves.values())


def without_numbers(
    table: Table, event: Event, opponents: Collection[int], after: Callable[[], object]
) -> Event:
    """Returns `event` without numbers of `opponents`; `after` returns the event recorded next."""
    match event:
        case e.SheetChanged() if event.system == NAME and event.person in opponents:
            return event.but({"values": HIDDEN_SHEET})
        case h.TrackChanged() if event.who in opponents:
            return _in_a_word(table, event)
        case e.TotalReached() if event.goal is not None:
            move = getattr(after(), "event", None)
            is_theirs = isinstance(move, h.MoveMade) and move.against and move.target in opponents
            if is_theirs or (event.under and event.who in opponents):
                return event.but({"goal": None, "margin": None})
    return event


def _in_a_word(table: Table, event: h.TrackChanged) -> h.TrackChanged:
    """Returns the change of a track that puts its owner out, in parts of a bar; any other as it is."""
    track = shelf(table).game.tracks.get(event.track)
    if track is None or track.out is None or not event.most:
        return event
    fills, most, was = track.out == "full", event.most, event.now if event.was is None else event.was
    left_was, left = (most - was, most - event.now) if fills else (was, event.now)
    before, now = _level(left_was, most), _level(left, most)
    within = (left_was > left) - (left_was < left) if before == now else 0
    parts = (before * _PARTS_OF_WORD + within, now * _PARTS_OF_WORD)
    was, now_part = (PARTS - part for part in parts) if fills else parts
    seen = {"was": None if event.was is None else was, "now": now_part, "most": PARTS}
    return event.but({**seen, "seen": WORDS[now]})


def _level(left: int, most: int) -> int:
    """Returns the place, among the words, of a track with so much of `most` left."""
    if left <= 0:
        return 0
    return len(WORDS) - 1 if left >= most else 2 if left * 2 > most else 1
