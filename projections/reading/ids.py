"""How a viewer points at the events of a line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from journal.store.campaign import CampaignStore
from journal.store.codec import decode
from journal.store.event_store import Row, Segment
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading.sight import Sight
from projections.reading.viewers import FOR_THE_GAME_MASTER

ID_BYTES = 6
SOURCE_BYTES = 10

_OPEN: Final = re.compile(r"e\d+(-\d+)?")
"""An id that says where an event stands."""

POINTING: Mapping[type[Event], tuple[str, ...]] = {
    e.Marked: ("at",),
    e.Narrated: ("about",),
    e.Said: ("about",),
    e.Noted: ("about",),
    e.SaidAside: ("about",),
    e.MatterNoted: ("about",),
    e.MatterClosed: ("about",),
    e.MatterRenamed: ("about",),
    e.MatterMerged: ("about", "into"),
    e.Revealed: ("about",),
    e.Shown: ("about",),
    e.NarrationOverruled: ("narration",),
}
"""The kinds anybody may see that point at a position, and the fields in which they do."""


class _Known:
    """What a viewer knows of a line's positions; asked of the record only when somebody wants to know."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    def __call__(self, position: int) -> int:
        """The last position up to there of an event that the viewer knows of."""
        return next((one for one in range(position, 0, -1) if one not in self._unknown), 1)

    def count(self, position: int) -> int:
        """How many events up to there the viewer knows of."""
        return position - sum(one <= position for one in self._unknown)

    @cached_property
    def _unknown(self) -> frozenset[int]:
        past = self._sight.past
        about_the_record = {kind.kind for kind in FOR_THE_GAME_MASTER}

        def is_hidden(row: Row) -> bool:
            return self._sight.may_miss(row) and not self._sight.sees(decode(row))

        return frozenset(
            row.position
            for row in past.rows()
            if row.kind in about_the_record or not past.stands.counts(row.position) or is_hidden(row)
        )


class _Everything:
    """The same of a viewer who knows everything."""

    def __call__(self, position: int) -> int:
        """That position."""
        return position

    def count(self, position: int) -> int:
        """All of them."""
        return position


class Ids(Struct, frozen=True):
    """How the events of a line are pointed at, for ever: line and position, or what hides both."""

    segments: tuple[Segment, ...]
    key: bytes | None
    known: _Known | _Everything = _Everything()
    """For a position, the last one up to there of an event that the viewer knows of."""

    @classmethod
    def of(cls, sight: Sight) -> Ids:
        """The ids for a viewer: the game master's say where, anybody else's show no gap."""
        campaign, line = sight.past.campaign, sight.past.line
        key = None if sight.viewer.gm else bytes.fromhex(campaign.id)
        known = _Everything() if sight.viewer.gm else _Known(sight)
        return cls(campaign.record.lineage(line), key, known)

    @property
    def open(self) -> bool:
        """True if they say where an event stands."""
        return self.key is None

    def shown(self, event: Event, payload: Mapping[str, Any]) -> dict[str, Any]:
        """An event's payload with an id where it points at a position, unless they say where anyway."""
        keys = () if self.open else POINTING.get(type(event), ())
        return {**payload, **{key: self.place(payload[key]) for key in keys if key in payload}}

    def counted(self, event: Event) -> Event:
        """An event that points at positions as its reader may count them: among the events they know of."""
        keys = () if self.open else POINTING.get(type(event), ())
        found = {key: getattr(event, key) for key in keys}
        counts = {key: self.known.count(one) for key, one in found.items() if one is not None}
        return event.but(counts) if counts else event

    def at(self, position: int) -> str:
        """The id of the event at a position of this line."""
        stored = self.segments[0].line
        if len(self.segments) > 1:
            stored = next((one.line for one in self.segments if one.upto is None or position <= one.upto), 1)
        if self.key is not None:
            told = hashlib.blake2b(f"{stored}:{position}".encode(), key=self.key, digest_size=ID_BYTES)
            return f"e{told.hexdigest()}"
        return f"e{position}" if stored == 1 else f"e{stored}-{position}"

    def event(self, sentence: str) -> str:
        """The id of the event that a sentence is told of: several sentences of one have letters behind it."""
        if not self.open:
            return sentence[: 1 + 2 * ID_BYTES]
        found = _OPEN.match(sentence)
        return sentence if found is None else found.group()

    def place(self, position: int) -> str:
        """How something points at a position of this line: past what its reader does not know of."""
        return f"#{position}" if self.key is None else self.at(self.known(position))


def source_of(campaign: CampaignStore) -> str:
    """What tells a campaign from every other, whatever either is called, and says nothing of its record."""
    told = hashlib.blake2b(b"campaign", key=bytes.fromhex(campaign.id), digest_size=SOURCE_BYTES)
    return told.hexdigest()
