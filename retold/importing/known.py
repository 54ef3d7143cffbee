"""Acts that a campaign already has from a source, and changes that the table made since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from functools import cached_property
from itertools import dropwhile, islice
from typing import Final, NamedTuple

from retold.importing.imported_acts import ImportedAct, imported_act_id, imported_act_ids, imported_acts
from retold.importing.merging import Identity
from retold.importing.people import Participant
from retold.journal.names import normalise
from retold.journal.store.events.codec import decode
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM

SETUP_KINDS: Final = frozenset(
    {"table.session-opened", "table.session-closed", "table.cast-introduced", "table.player-seated"}
)
"""Kinds of acts that an import adds beside those of units."""
AMENDING_KINDS: Final = frozenset({"table.undone", "table.reworded"})


class Wording(NamedTuple):
    """Last wording of a text."""

    text: str
    is_imported: bool
    """True if an import gave it, not the table."""
    number: int
    """Number of wordings after the first."""


class Known:
    """Imported acts of a branch, with later changes."""

    def __init__(self, writer: LineWriter) -> None:
        """Reads the record once. Raises StoreError if it cannot be read."""
        self._writer = writer
        self._campaign = writer.campaign.id
        self.acts = imported_acts(writer.campaign.record, writer.line)
        self._people: dict[str, int] = {}
        """People found, by name: the table is searched for each but once."""

    def id_of(self, identity: Identity, part: int = 0, about: str = "") -> str:
        """Id of an act: for part `part` of a unit, or, with `about`, another act due to the unit."""
        key = f"{about}\x1f{identity.key}" if about else identity.key
        return imported_act_id(self._campaign, identity.family, identity.channel, key, part)

    def ids_of(self, identity: Identity) -> Callable[[int], str]:
        """Function that returns the id of an act for a part of a unit, as `id_of` does, in less time."""
        return imported_act_ids(self._campaign, identity.family, identity.channel, identity.key)

    def id_of_person(self, name: str, about: str = "cast") -> str:
        """Id of the act that adds a person to the cast."""
        return imported_act_id(self._campaign, "", "", f"{about}\x1f{normalise(name)}")

    def has(self, identity: Identity, parts: Iterable[int] = (0, 1)) -> bool:
        """True if the campaign has an act of a unit: of its words, or of its first throw."""
        return any(self.id_of(identity, part) in self.acts for part in parts)

    def is_live(self, act: ImportedAct) -> bool:
        """True if an act is on the line and is not undone."""
        record, line = self._writer.campaign.record, self._writer.line
        here = act.line == line or record.home(line, act.position) == act.line
        return here and self._writer.amendments.counts(act.position)

    def ends_with(self, acts: Collection[ImportedAct]) -> bool:
        """True if these acts stand at the end of the line, where an import may have closed a session."""
        wanted = {act.position for act in acts}
        closed = {act.position for act in self.acts.values() if act.kind == "table.session-closed"}
        ends = dropwhile(closed.__contains__, (act.first for act in self._writer.last_acts()))
        return set(islice(ends, len(wanted))) == wanted

    def is_redacted(self, identity: Identity, parts: Iterable[int]) -> bool:
        """True if the words of one of a unit's acts were redacted."""
        acts = (self.acts.get(self.id_of(identity, part)) for part in parts)
        return any(act is not None and act.is_redacted for act in acts)

    def is_name_redacted(self, speaker: Participant) -> bool:
        """True if a speaker is in the cast and the table took their name back."""
        found = self.person(speaker) if speaker.is_person else None
        return found is not None and self._writer.table.people[found].name.text is None

    def person(self, speaker: Participant) -> int | None:
        """Id of a speaker in the cast, found by an imported act or by name; None if not found."""
        found = self._people.get(speaker.name)
        if found is None and (found := self._find(speaker)) is not None:
            self._people[speaker.name] = found
        return found

    def has_player(self, person: int) -> bool:
        """True if a person has a player, or is the game master."""
        return person == GM or self._writer.table.people[person].player is not None

    def _find(self, speaker: Participant) -> int | None:
        table = self._writer.table
        act = self.acts.get(self.id_of_person(speaker.name))
        if act is not None and act.who is not None and act.who in table.people and self.is_live(act):
            return act.who
        found = table.called(speaker.name)
        return found if found is not None else table.once_called(speaker.name)

    @cached_property
    def latest(self) -> datetime | None:
        """Latest time of play among the acts of units that stand."""
        times = [time for act in self.acts.values() if (time := instant_of(act)) and self.is_live(act)]
        return max(times, default=None)

    @cached_property
    def places(self) -> list[tuple[datetime, int]]:
        """Times and positions of the acts that stand and were not told later, by time."""
        found = [
            (time, act.position)
            for act in self.acts.values()
            if act.about is None and (time := instant_of(act)) and self.is_live(act)
        ]
        return sorted(found)

    @cached_property
    def wordings(self) -> dict[int, Wording]:
        """Last wording of the texts of acts, by position of the event."""
        found: dict[int, Wording] = {}
        record, line = self._writer.campaign.record, self._writer.line
        for row in record.rows(line, kinds=("table.reworded",)):
            if not self._writer.amendments.counts(row.position):
                continue
            recorded = decode(row)
            if isinstance(recorded.event, e.Reworded):
                number = found[recorded.event.about].number + 1 if recorded.event.about in found else 1
                text, source = recorded.event.text.text or "", recorded.envelope.source
                found[recorded.event.about] = Wording(text, source is not None, number)
        return found


def instant_of(act: ImportedAct) -> datetime | None:
    """Instant in UTC at which an act was played; None if unknown, without a zone, or only a day."""
    if act.when is None or "T" not in act.when:
        return None
    time = datetime.fromisoformat(act.when)
    return None if time.tzinfo is None else time.astimezone(UTC)
