"""R41: random campaigns of every game and a guest, with planted words, and all that leaves them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from retold.projections.reading.sight import Sight
from tests.survival.attacks import Found
from tests.wandering import guest
from tests.wandering.lines import CAST
from tests.wandering.planting import night
from tests.wandering.searching import Hit, searched

WHOLE = 50
"""In one campaign of so many every command is asked and a service listened to; in others, a few by luck."""
FIRST = 10_000
"""The first seed: the tests play those from 0 on."""


def search_everything(folder: Path, rounds: int, protected: bool) -> Found:
    """R41: so many campaigns; what leaves for whoever may not know it is untrue. A tenth is a guest's."""
    found = Found(tried=rounds)
    theirs = rounds // 10
    with ExitStack() as then:
        then.enter_context(patch.dict(os.environ, {"RETOLD_HOME": str(folder / "home")}))
        if not protected:
            then.enter_context(patch.object(Sight, "sees", lambda _sight, _recorded: True))
        found.untrue = sum(1 for _ in _hits(rounds - theirs))
    if protected:
        found.untrue += len(guest.played(folder / "guests", theirs)["hits"])
    return found


def _hits(rounds: int) -> Iterator[Hit]:
    games = list(CAST)
    for number in range(rounds):
        with night(games[number % len(games)], FIRST + number // len(games)) as made:
            whole = rounds >= WHOLE and number % WHOLE == 0
            yield from searched(made, number, whole=whole, few=3, service=whole).hits
