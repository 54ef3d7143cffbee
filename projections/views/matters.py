"""Threads, places and things: what is kept of each, whether it is closed, and how often it is mentioned."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from journal.store.codec import Recorded
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words
from projections.mentions import Names, Spot, texts_of
from projections.reading import Reading
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class Entry(NamedTuple):
    """Something noted of it; `text` is null once redacted, and where it was only closed."""

    id: str
    session: int | None
    text: str | None


class MatterSeen(NamedTuple):
    """One of them; `name` is null once redacted, `closed` null while it is open."""

    id: str
    name: str | None
    former: tuple[str, ...]
    notes: tuple[Entry, ...]
    closed: Entry | None
    mentions: int


@dataclass(frozen=True, slots=True)
class Matters(Seen):
    """Those of a sort: `{"matters": [{"id", "name", "former", "notes", "closed", "mentions"}]}`."""

    titles: ClassVar[tuple[str, str]]
    matters: tuple[MatterSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each, those that are open first."""
        title, one_of_them = self.titles
        rows = tuple(
            Row((one.id,), _cells(one))
            for one in sorted(self.matters, key=lambda one: one.closed is not None)
        )
        return Sheet(title, (one_of_them, "Now", "Session", "Mentioned", "Last"), rows)


@dataclass(frozen=True, slots=True)
class Threads(Matters):
    """The threads."""

    view: ClassVar[str] = "threads"
    titles: ClassVar[tuple[str, str]] = ("Threads", "Thread")


@dataclass(frozen=True, slots=True)
class Places(Matters):
    """The places."""

    view: ClassVar[str] = "places"
    titles: ClassVar[tuple[str, str]] = ("Places", "Place")


@dataclass(frozen=True, slots=True)
class Things(Matters):
    """The things."""

    view: ClassVar[str] = "things"
    titles: ClassVar[tuple[str, str]] = ("Things", "Thing")


def _cells(one: MatterSeen) -> tuple[str, ...]:
    last = one.closed or (one.notes[-1] if one.notes else None)
    return (
        called(one),
        "open" if one.closed is None else "closed",
        NOBODY if last is None or last.session is None else str(last.session),
        str(one.mentions),
        (last and last.text) or NOBODY,
    )


def called(one: MatterSeen) -> str:
    """Its name, or what stands for one that is gone."""
    return "[redacted]" if one.name is None else one.name


def threads(reading: Reading) -> Threads:
    """Every thread the viewer knows of, in the order in which they were opened."""
    return Threads(_of(reading, "thread"))


def places(reading: Reading) -> Places:
    """Every place the viewer knows of, in the order in which they were opened."""
    return Places(_of(reading, "place"))


def things(reading: Reading) -> Things:
    """Every thing the viewer knows of, in the order in which they were opened."""
    return Things(_of(reading, "thing"))


def _of(reading: Reading, sort: e.Sort) -> tuple[MatterSeen, ...]:
    return tuple(one for kind, one in known(reading).values() if kind == sort)


def known(reading: Reading) -> Mapping[int, tuple[e.Sort, MatterSeen]]:
    """All that the viewer knows of, with its sort, by where it was opened."""
    hearing = Hearing(reading)
    for recorded in reading.recorded():
        hearing.hear(recorded)
    names = Names({at: draft.called for at, draft in hearing.drafts.items()})
    mentions = hearing.mentions(names)
    return {at: (one.sort, one.seen(reading.ids.at(at), mentions[at])) for at, one in hearing.drafts.items()}


class Heard(NamedTuple):
    """Something said, at a position; `of` is the one it was noted of, if it was noted of one."""

    at: int
    of: int | None
    spot: Spot


@dataclass(slots=True)
class Draft:
    """One of them as it becomes known."""

    sort: e.Sort
    names: list[Words]
    notes: list[Entry] = field(default_factory=list)
    closed: Entry | None = None

    @property
    def called(self) -> tuple[str, ...]:
        """Every name it has had that is not gone, the first of them first."""
        return tuple(one.text for one in self.names if one.text is not None)

    def seen(self, id_: str, mentions: Collection[object]) -> MatterSeen:
        """It as it stands."""
        former = tuple(one.text for one in self.names[:-1] if one.text is not None)
        notes = tuple(self.notes)
        return MatterSeen(id_, self.names[-1].text, former, notes, self.closed, len(mentions))


@dataclass(slots=True)
class Hearing:
    """Hears what was recorded, in order: what was noted of each of them, and what else was said."""

    reading: Reading
    drafts: dict[int, Draft] = field(default_factory=dict)
    session: int | None = None
    said: list[Heard] = field(default_factory=list)
    """All that was said, in whatever event."""

    def hear(self, recorded: Recorded) -> None:
        """Takes note of one event."""
        event, at = recorded.event, recorded.position
        match event:
            case e.SessionOpened() | e.SessionClosed():
                self.session = event.session if isinstance(event, e.SessionOpened) else None
            case e.MatterOpened():
                self.drafts[at] = Draft(event.sort, [event.name])
                self.drafts[at].notes += self._entries(at, event.text)
            case e.MatterNoted():
                draft = self.drafts[event.about]
                draft.notes += self._entries(at, event.text)
                draft.closed = None
            case e.MatterClosed():
                self.drafts[event.about].closed = self._entry(at, event.text)
            case e.MatterRenamed():
                self.drafts[event.about].names.append(event.name)
        if isinstance(event, Event):
            of = event.about if isinstance(event, e.OfMatter) else None
            self.said += (Heard(at, of, self.spot(recorded, event, text)) for text in texts_of(event))

    def _entries(self, at: int, text: Words | None) -> Iterator[Entry]:
        if text is not None:
            yield self._entry(at, text)

    def _entry(self, at: int, text: Words | None) -> Entry:
        return Entry(self.reading.ids.at(at), self.session, None if text is None else text.text)

    def spot(self, recorded: Recorded, event: Event, text: str) -> Spot:
        """A text of an event, and whose it is."""
        who: int | None = getattr(event, "who", None)
        name = self.reading.table.shown(who) if isinstance(who, int) else None
        return Spot(self.reading.ids.at(recorded.position), self.session, name, text)

    def mentions(self, names: Names[int]) -> Mapping[int, list[Spot]]:
        """Where each of them is named after it was opened, in other words than its own."""
        found: dict[int, list[Spot]] = {at: [] for at in self.drafts}
        for heard in self.said:
            for of in names.named(heard.spot.text) - {heard.of}:
                if of < heard.at:
                    found[of].append(heard.spot)
        return found
