"""R40: threads of one process say lines to the same campaign, and whoever waits for some of them gives up."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Literal
from unittest.mock import patch

import retold
from retold import campaign as front
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.codec import decode
from tests.survival.attacks import Found, rows, whole
from tests.survival.nursery import Nursery, say

LINES = ("narrate gm: number {:06}", "cast Guard-{0:06} by=Player-{0:06}: number {0:06}")
"""An act of one event, and one of several."""

AT_ONCE = 8
"""So many lines are on their way at a time, half of them by either of two that have the file open."""
GIVEN_UP = 0.3
"""Of so many of them nobody waits for the end."""
LATEST = 0.02
"""Seconds in which they give up."""

End = Literal["said", "refused", "given up", "failed"]


class _NoLock:
    """The control's: nobody waits for anybody."""

    def __enter__(self) -> None: ...

    def __exit__(self, *reason: object) -> None: ...


def say_together(folder: Path, rounds: int, protected: bool) -> Found:
    """So many lines; each is whole or not there, there once where it was said, and what is known is there."""
    path, found = folder / "a.retold", Found()
    with Nursery(live) as nursery:
        life = nursery.child(path, rounds, protected)
    if life.code:  # of a process that fell over nothing more is asked
        found.untrue += 1
        return found
    ends, known = json.loads(life.said[-1])
    _judge(ends, rows(path), found)
    found.untrue += not known
    found.damaged += not whole(path)
    return found


def live(path: str, rounds: int, protected: bool) -> None:
    """A child's life: it says how each line ended, and whether both know what is there."""
    if not protected:
        patch.object(front, "RLock", _NoLock).start()
    with retold.new(path) as one, retold.open(path) as other:
        one.say("cast gm by=Mary")
        ends = asyncio.run(_said((one, other), rounds))
        for campaign in (one, other):
            campaign.catch_up()
        known = all(each.scribe.table == each.shared.store.table_at(1) for each in (one, other))
    say(json.dumps([ends, known]))


async def _said(campaigns: tuple[retold.Campaign, ...], rounds: int) -> list[End]:
    random, ends = Random(40), list[End]()
    for first in range(0, rounds, AT_ONCE):
        some = range(first, min(first + AT_ONCE, rounds))
        ends += await asyncio.gather(*(_say(campaigns[number % 2], number, random) for number in some))
    return ends


async def _say(campaign: retold.Campaign, number: int, random: Random) -> End:
    line = LINES[number // 2 % 2].format(number)
    saying = asyncio.create_task(asyncio.to_thread(campaign.say, line))
    if random.random() < GIVEN_UP:
        asyncio.get_running_loop().call_later(random.random() * LATEST, saying.cancel)
    try:
        await saying
    except asyncio.CancelledError:
        return "given up"
    except retold.Refused:  # somebody came in first, and it would come to something else
        return "refused"
    except Exception:  # noqa: BLE001 -- whatever it is, a library's user is not to meet it
        return "failed"
    return "said"


def _judge(ends: list[End], there: Iterable[Row], found: Found) -> None:
    acts: dict[str, list[Row]] = {}
    for row in there:
        acts.setdefault(decode(row).envelope.act, []).append(row)
    found.damaged += sum(len(act) != decode(act[0]).envelope.n for act in acts.values())
    told = "\n".join(row.words or "" for act in acts.values() for row in act)
    numbers = list(map(int, re.findall(r"number (\d{6})", told)))
    for number, end in enumerate(ends):
        count = numbers.count(number)
        found.tried += 1
        found.acknowledged += end == "said"
        found.lost += end == "said" and not count
        found.untrue += end == "failed" or count > 1 or (end == "refused" and count > 0)
