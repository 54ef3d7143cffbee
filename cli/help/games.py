"""The games played in a campaign, read from its record; Tab asks too, so it imports almost nothing."""

from __future__ import annotations

from collections.abc import Iterator
from json import loads
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retold.journal.store.events.record import Record


def games_played(record: Record) -> Iterator[str]:
    """Yields the games with a sheet, a conflict or a game file on any branch, some more than once."""
    from retold.journal.games import BUILT_IN

    chosen = {f"{game}.game-chosen": game for game in BUILT_IN}
    for row in record.everything(("table.conflict-opened", "table.sheet-changed", *chosen)):
        yield chosen.get(row.kind) or loads(row.body)["data"]["system"]


def games_here(record: Record) -> dict[str, str]:
    """Returns the games played in a campaign: name, and the word for its help (homebrew: its file's name)."""
    from retold.journal.systems import SYSTEMS

    found = dict.fromkeys(name for name in games_played(record) if name in SYSTEMS)
    chosen = {f"{name}.game-chosen": name for name in found}
    words = {name: name for name in found}
    for row in record.everything(tuple(chosen)) if chosen else ():
        words[chosen[row.kind]] = loads(row.body)["data"]["name"]
    return words
