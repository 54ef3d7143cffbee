"""Event ids: stable names of events that give no hidden positions away."""

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
"""Id that contains a position."""

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
"""Event kinds that refer to a position and are not for the game master alone, with the fields that do."""


class _Known:
    """Positions known to a viewer (all without `sight`); hidden ones are looked up at the first call."""

    def __init__(self, sight: Sight | None = None) -> None:
        self._sight = sight

    def __call__(self, position: int) -> int:
        """Last position known to the viewer, at or before `position`; 1 if there is none."""
        if self._sight is None:
            return position
        return next((known for known in range(position, 0, -1) if known not in self._unknown), 1)

    def count(self, position: int) -> int:
        """Number of events known to the viewer, up to and including `position`."""
        return position - sum(hidden <= position for hidden in self._unknown)

    @cached_property
    def _unknown(self) -> frozenset[int]:
        sight = self._sight
        if sight is None:
            return frozenset()
        past = sight.past
        about_the_record = {kind.kind for kind in FOR_THE_GAME_MASTER}

        def is_hidden(row: Row) -> bool:
            return sight.may_miss(row) and not sight.sees(decode(row))

        return frozenset(
            row.position
            for row in past.rows()
            if row.kind in about_the_record or not past.amendments.counts(row.position) or is_hidden(row)
        )


class Ids(Struct, frozen=True):
    """Permanent ids of a line's events: positions for the game master, keyed hashes for other viewers."""

    segments: tuple[Segment, ...]
    key: bytes | None
    known: _Known = _Known()
    """Maps a position to the last one, at or before it, known to the viewer."""

    @classmethod
    def of(cls, sight: Sight) -> Ids:
        """Ids for a viewer: positions for the game master, hashes for others, so that gaps do not show."""
        campaign, line = sight.past.campaign, sight.past.line
        key = None if sight.viewer.gm else bytes.fromhex(campaign.id)
        known = _Known(None if sight.viewer.gm else sight)
        return cls(campaign.record.lineage(line), key, known)

    @property
    def open(self) -> bool:
        """True if ids contain the event's position."""
        return self.key is None

    def shown(self, event: Event, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Payload of an event, with positions replaced by ids unless ids contain positions anyway."""
        keys = () if self.open else POINTING.get(type(event), ())
        return {**payload, **{key: self.place(payload[key]) for key in keys if key in payload}}

    def counted(self, event: Event) -> Event:
        """Event with the positions it points at recounted among events known to the viewer."""
        keys = () if self.open else POINTING.get(type(event), ())
        found = {key: getattr(event, key) for key in keys}
        counts = {
            key: self.known.count(pointed_at) for key, pointed_at in found.items() if pointed_at is not None
        }
        return event.but(counts) if counts else event

    def at(self, position: int) -> str:
        """Event id for `position` of this line: `e12`, `e2-12` on a branch, or `e` and twelve hex digits."""
        stored = self.segments[0].line
        if len(self.segments) > 1:
            stored = next(
                (
                    segment.line
                    for segment in self.segments
                    if segment.upto is None or position <= segment.upto
                ),
                1,
            )
        if self.key is not None:
            digest = hashlib.blake2b(f"{stored}:{position}".encode(), key=self.key, digest_size=ID_BYTES)
            return f"e{digest.hexdigest()}"
        return f"e{position}" if stored == 1 else f"e{stored}-{position}"

    def event(self, sentence: str) -> str:
        """Id of the event from which a sentence was told: the sentence's id without its trailing letters."""
        if not self.open:
            return sentence[: 1 + 2 * ID_BYTES]
        found = _OPEN.match(sentence)
        return sentence if found is None else found.group()

    def place(self, position: int) -> str:
        """Reference to `position` of this line: `#12`, or the id of the last event known at or before it."""
        return f"#{position}" if self.key is None else self.at(self.known(position))


def source_of(campaign: CampaignStore) -> str:
    """Hash that identifies a campaign, independent of its name; reveals nothing about its record."""
    digest = hashlib.blake2b(b"campaign", key=bytes.fromhex(campaign.id), digest_size=SOURCE_BYTES)
    return digest.hexdigest()
