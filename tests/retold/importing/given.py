"""Sources made of given units, answers about them, and what a campaign has afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from retold.campaign import Campaign
from retold.journal.language.scripting import script_of
from retold.journal.store.events.clock import Clock
from retold.journal.store.writing.campaign import CampaignStore
from retold.sources import Source, Unit
from retold.sources.answers import Answers, Person
from retold.sources.opening import Stream
from retold.sources.sniffing import Likeness, Reader
from retold.sources.unit import Place, Precision, Sort, When

EVENING = datetime(2026, 3, 1, 19, 42, 10, tzinfo=UTC)


def at(minutes: float, precision: Precision = Precision.SECOND) -> When:
    """Time of a unit, in minutes of the evening."""
    return When(EVENING + timedelta(minutes=minutes), precision)


def unit(key: str, speaker: str = "", text: str = "", minutes: float | None = None, **more: object) -> Unit:
    """A unit that is said; its place is the number that its key ends in, or 1."""
    number = int("".join(filter(str.isdigit, key)) or 1)
    when = None if minutes is None else at(minutes)
    fields: dict[str, Any] = {"sort": Sort.SAID, "text": text, "when": when, "speaker": speaker, **more}
    return Unit(Place(number, number), key, **fields)


def source(
    *units: Unit, name: str = "log.txt", family: str = "made-up", reader: str = "made-up", **marks: bool
) -> Source:
    """A source of one file with these units; `has_ids` and `can_mark` as the reader would have them."""
    data = repr(units).encode()
    stream = Stream(name, lambda most: data[:most])
    made = Reader(
        reader,
        family,
        "Made up",
        lambda _head: Likeness.SURELY,
        lambda _stream, _tally: iter(units),
        lambda _stream: sum(one.pieces for one in units),
        has_ids=marks.get("has_ids", True),
        can_mark=marks.get("can_mark", True),
    )
    return Source(family, ((stream, made),))


ANSWERS = Answers(
    zone="Europe/Lisbon",
    game_master=("Mary",),
    people={
        "Zel": Person(plays="Jon", labels=("Zel the Quick",)),
        "Pell": Person(plays="Ana"),
        "Warder": Person(role="npc"),
        "Dice": Person(role="bot"),
        "Radio": Person(role="nobody"),
    },
)


class FixedClock(Clock):
    """A clock at which an evening is long over."""

    def now(self) -> tuple[str, int]:
        """The same instant always."""
        return "2026-11-26T12:00:00.000000Z", 0


def begun(path: Path, *lines: str) -> Campaign:
    """A new campaign in which these lines were said."""
    campaign = Campaign.of(CampaignStore.create(path, clock=FixedClock()))
    for line in lines:
        campaign.say(line)
    return campaign


def told(campaign: Campaign, after: int = 1) -> list[str]:
    """The events of a campaign in the notation of the log, with the audience of hidden ones."""
    return [
        event.told if event.visible_to == "table" else f"{event.told} → {_to(event.visible_to)}"
        for event in campaign.happened(after)
    ]


def _to(audience: str | Sequence[str]) -> str:
    return audience if isinstance(audience, str) else " ".join(audience)


def script(campaign: Campaign) -> list[str]:
    """The live acts of a campaign as typed lines."""
    store = campaign.shared.store
    return list(script_of(store, campaign.scribe.line, 0, campaign.scribe.writer.head.position))


def numbered(units: Sequence[Unit]) -> list[Unit]:
    """The units with places from 1."""
    return [replace(one, place=Place(place, place)) for place, one in enumerate(units, start=1)]
