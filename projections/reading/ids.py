"""Event ids such as `e12` or `e0f3a…`: permanent names of events that give no hidden positions away."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from retold.journal.store.contract.event_store import Row, Segment
from retold.journal.store.events.codec import decode
from retold.journal.store.events.line_events import line_names
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.reading.sight import Sight
from retold.projections.reading.viewers import FOR_THE_GAME_MASTER

ID_BYTES = 6
SOURCE_BYTES = 10

_OPEN: Final = re.compile(r"e\d+(-\d+)?")
"""Id that contains a position."""

_OPAQUE: Final = re.compile(rf"e[0-9a-f]{{{2 * ID_BYTES}}}")


def readable(id_: str) -> str:
    """Returns an event's id if it holds a position; empty for a hash, which says nothing to people."""
    return "" if _OPAQUE.match(id_) else id_


POINTING: Mapping[type[Event], tuple[str, ...]] = {
    e.Marked: ("at",),
    e.Narrated: ("about",),
    e.Said: ("about",),
    e.Noted: ("about",),
    e.SaidAside: ("about",),
    e.PictureAdded: ("about",),
    e.PageTextWritten: ("about",),
    e.PassagePulled: ("at",),
    e.MatterNoted: ("about",),
    e.MatterClosed: ("about",),
    e.MatterRenamed: ("about",),
    e.MatterMerged: ("about", "into"),
    e.Revealed: ("about",),
    e.Shown: ("about",),
    e.NarrationOverruled: ("narration",),
}
"""Event kinds that refer to a position and are not for the game master alone, with the fields that do."""


_ABOUT_THE_RECORD: Final = frozenset(kind.kind for kind in FOR_THE_GAME_MASTER)


class _Known:
    """Finds event positions known to a viewer; without `sight`, every position counts as known.

    Hidden positions are looked up at the second call: many views are asked only once.
    """

    def __init__(self, sight: Sight | None = None) -> None:
        self._sight = sight
        self._is_asked_again = False

    def __call__(self, position: int) -> int:
        """Returns the last position known to the viewer, at or before `position`; 1 if there is none."""
        if self._sight is None:
            return position
        if self._is_asked_again:
            return next((known for known in range(position, 0, -1) if known not in self._unknown), 1)
        self._is_asked_again = True
        past = self._sight.past
        rows = past.record.backwards(past.line, position + 1)
        return next((row.position for row in rows if not self._is_hidden(row, self._sight)), 1)

    def count(self, position: int) -> int:
        """Returns the number of events known to the viewer at positions 1..`position`."""
        return position - sum(hidden <= position for hidden in self._unknown)

    @cached_property
    def _unknown(self) -> frozenset[int]:
        sight = self._sight
        if sight is None:
            return frozenset()
        return frozenset(row.position for row in sight.past.rows() if self._is_hidden(row, sight))

    def _is_hidden(self, row: Row, sight: Sight) -> bool:
        if row.kind in _ABOUT_THE_RECORD or not sight.past.amendments.counts(row.position):
            return True
        return sight.may_miss(row) and not sight.sees(decode(row))


class Ids(Struct, frozen=True):
    """Permanent event ids on a branch: positions (`e12`) for the game master, keyed hashes for others."""

    segments: tuple[Segment, ...]
    key: bytes | None
    known: _Known = _Known()
    """Maps a position to the last one, at or before it, known to the viewer."""
    sight: Sight | None = None

    @classmethod
    def of(cls, sight: Sight) -> Ids:
        """Returns event ids for the viewer of `sight`: positions for the game master, else hashes.

        Hashes keep gaps in the numbering, which would betray hidden events, from showing.
        """
        campaign, line = sight.past.campaign, sight.past.line
        key = None if sight.viewer.gm else bytes.fromhex(campaign.id)
        known = _Known(None if sight.viewer.gm else sight)
        return cls(campaign.record.lineage(line), key, known, sight)

    @property
    def open(self) -> bool:
        """True for the game master's ids, which contain the event's position; False for hashes."""
        return self.key is None

    def seen(self, position: int) -> Event | None:
        """Returns the event at `position` as the viewer sees it, reworded as it is now; None if hidden."""
        sight = self.sight
        if sight is None:
            return None
        for recorded in sight.past.standing(position - 1, position):
            event = sight.as_seen(recorded).event if sight.sees(recorded) else None
            return event if isinstance(event, Event) else None
        return None

    def branch(self, line: int) -> str:
        """Returns the name of a branch; `line 2` without a record."""
        names = {} if self.sight is None else line_names(self.sight.past.record)
        return names.get(line, f"line {line}")

    def moment(self, position: int) -> str:
        """Returns a position as people type it: `s2:14`, or `#3` before the first session."""
        opened = {} if self.sight is None else self.sight.past.sessions.opened
        before = [(start, number) for number, start in opened.items() if start <= position]
        start, number = max(before, default=(0, 0))
        return f"s{number}:{position - start + 1}" if before else f"#{position}"

    def shown(self, event: Event, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Returns `payload` of `event` for the viewer; event positions in it become ids, as in `place`.

        The game master's payload keeps its positions.
        """
        keys = () if self.open else POINTING.get(type(event), ())
        return {**payload, **{key: self.place(payload[key]) for key in keys if key in payload}}

    def counted(self, event: Event) -> Event:
        """Returns `event` with event positions in its fields renumbered among events known to the viewer.

        Without hidden events, or for the game master, positions stay the same.
        """
        keys = () if self.open else POINTING.get(type(event), ())
        found = {key: getattr(event, key) for key in keys}
        counts = {
            key: self.known.count(pointed_at) for key, pointed_at in found.items() if pointed_at is not None
        }
        return event.but(counts) if counts else event

    def at(self, position: int) -> str:
        """Returns the event id for `position`: `e12`, `e2-12` on branch 2, or `e` and twelve hex digits."""
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
        """Returns an event's id, given the id of a sentence about it: `e12b` → `e12`."""
        if not self.open:
            return sentence[: 1 + 2 * ID_BYTES]
        found = _OPEN.match(sentence)
        return sentence if found is None else found.group()

    def place(self, position: int) -> str:
        """Returns a reference to `position`: `#12` for the game master, else an event's id.

        The id is that of the last event known to the viewer, at or before `position`.
        """
        return f"#{position}" if self.key is None else self.at(self.known(position))


def source_of(campaign: CampaignStore) -> str:
    """Returns a hash (hex) that identifies a campaign, renamed or not; reveals nothing about its record."""
    digest = hashlib.blake2b(b"campaign", key=bytes.fromhex(campaign.id), digest_size=SOURCE_BYTES)
    return digest.hexdigest()
