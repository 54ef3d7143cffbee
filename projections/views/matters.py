"""Threads, places and things: what is kept of each, whether it is closed, and how often it is mentioned."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct, field

from journal.store.codec import Recorded
from journal.vocabulary import events as e
from journal.vocabulary.base import REDACTED, Event, Words
from projections.mentions import MentionsOnLine, Names
from projections.reading import LineView, Projection
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


class Matters(Seen, frozen=True):
    """Those of a sort: `{"matters": [{"id", "name", "former", "notes", "closed", "mentions"}]}`."""

    titles: ClassVar[tuple[str, str]]
    sort: ClassVar[e.Sort]
    matters: tuple[MatterSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each, those that are open first."""
        title, one_of_them = self.titles
        rows = tuple(
            Row((one.id,), _cells(one))
            for one in sorted(self.matters, key=lambda one: one.closed is not None)
        )
        return Sheet(title, (one_of_them, "Now", "Session", "Mentioned", "Last"), rows)


class Threads(Matters, frozen=True):
    """The threads."""

    view: ClassVar[str] = "threads"
    titles: ClassVar[tuple[str, str]] = ("Threads", "Thread")
    sort: ClassVar[e.Sort] = "thread"


class Places(Matters, frozen=True):
    """The places."""

    view: ClassVar[str] = "places"
    titles: ClassVar[tuple[str, str]] = ("Places", "Place")
    sort: ClassVar[e.Sort] = "place"


class Things(Matters, frozen=True):
    """The things."""

    view: ClassVar[str] = "things"
    titles: ClassVar[tuple[str, str]] = ("Things", "Thing")
    sort: ClassVar[e.Sort] = "thing"


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
    return REDACTED if one.name is None else one.name


def threads(reading: LineView) -> Threads:
    """Every thread the viewer knows of, in the order in which they were opened."""
    return Threads(_of(reading, Threads.sort))


def places(reading: LineView) -> Places:
    """Every place the viewer knows of, in the order in which they were opened."""
    return Places(_of(reading, Places.sort))


def things(reading: LineView) -> Things:
    """Every thing the viewer knows of, in the order in which they were opened."""
    return Things(_of(reading, Things.sort))


def beyond(name: str, reading: LineView, position: int) -> Matters:
    """All of the sort of the view of that name; only what was said after a position counts as a mention."""
    view = _VIEWS[name]
    return view(_of(reading, view.sort, position))


_VIEWS: Mapping[str, type[Matters]] = {"threads": Threads, "places": Places, "things": Things}


def _of(reading: LineView, sort: e.Sort, after: int = 0) -> tuple[MatterSeen, ...]:
    return tuple(one for kind, one in known(reading, after).values() if kind == sort)


def known(reading: LineView, after: int = 0) -> Mapping[int, tuple[e.Sort, MatterSeen]]:
    """All that the viewer knows of, with its sort, by where it was opened.

    Mentions are those after a position; where nothing was ever opened, nothing is looked through.
    """
    if not reading.table.matters:
        return {}
    hearing = HEARD.of(reading)
    found = hearing.drafts
    names = Names({at: draft.called for at, draft in found.items()})
    mentions = MentionsOnLine(reading, names, hearing.noted_of, after)
    places = mentions.all_places(found)
    often = {at: sum(place > one.since for place in places[at]) for at, one in found.items()}
    return {at: (one.sort, one.seen(reading, often[at])) for at, one in found.items()}


KINDS: Final = tuple(
    one.kind
    for one in (
        *(e.SessionOpened, e.SessionClosed, e.MatterOpened, e.MatterNoted),
        *(e.MatterClosed, e.MatterRenamed, e.MatterMerged),
    )
)
"""What tells of them, and which evening it is."""


class MatterText(NamedTuple):
    """What was noted of one, where, and in which session; no text once that is redacted."""

    at: int
    session: int | None
    text: str | None


class MatterDraft(Struct):
    """One of them as it becomes known."""

    opened: int
    sort: e.Sort
    names: list[str | None]
    since: int
    """From where on it may be mentioned: where it was opened, or whatever turned out to be the same."""
    notes: dict[int, MatterText] = field(default_factory=dict)
    """By where each was noted, in order."""
    closed: MatterText | None = None

    @property
    def called(self) -> tuple[str, ...]:
        """Every name it has had that is not gone, the first of them first."""
        return tuple(one for one in self.names if one is not None)

    @property
    def last(self) -> MatterText | None:
        """What was noted of it last."""
        return next(reversed(self.notes.values()), None)

    def take(self, gone: MatterDraft) -> None:
        """All that is known of another, which turned out to be the same."""
        self.names[:0] = gone.names
        self.notes = dict(sorted((gone.notes | self.notes).items()))
        self.since = min(self.since, gone.since)

    def seen(self, reading: LineView, mentions: int) -> MatterSeen:
        """It as it stands, so often mentioned."""

        def entry(said: MatterText) -> Entry:
            return Entry(reading.ids.at(said.at), said.session, said.text)

        former = tuple(one for one in self.names[:-1] if one is not None)
        closed = None if self.closed is None else entry(self.closed)
        notes = tuple(map(entry, self.notes.values()))
        return MatterSeen(reading.ids.at(self.opened), self.names[-1], former, notes, closed, mentions)


class Hearing(Struct):
    """Hears what was recorded, in order: what was noted of each of them, and which session was open."""

    drafts: dict[int, MatterDraft] = field(default_factory=dict)
    """By where each was opened."""
    into: dict[int, int] = field(default_factory=dict)
    """Of those that turned out to be another one, which."""
    session: int | None = None
    sessions: list[tuple[int, int | None]] = field(default_factory=list)
    """From where on each session is open, or none is."""

    def hear(self, recorded: Recorded) -> None:
        """Takes note of one event."""
        event, at = recorded.event, recorded.position
        match event:
            case e.SessionOpened() | e.SessionClosed():
                self.session = event.session if isinstance(event, e.SessionOpened) else None
                self.sessions.append((at, self.session))
            case e.MatterOpened():
                self.drafts[at] = MatterDraft(at, event.sort, [event.name.text], since=at)
                self._note(at, at, event.text)
            case e.MatterNoted():
                self._note(event.about, at, event.text)
                self.of(event.about).closed = None
            case e.MatterClosed():
                self.of(event.about).closed = self._said(at, event.text)
            case e.MatterRenamed():
                self.of(event.about).names.append(event.name.text)
            case e.MatterMerged():
                gone, stays = self.of(event.about), self.of(event.into)
                stays.take(gone)
                self.into[gone.opened] = stays.opened
                del self.drafts[gone.opened]

    def of(self, at: int) -> MatterDraft:
        """The one that was opened there, or what it turned out to be."""
        while at in self.into:
            at = self.into[at]
        return self.drafts[at]

    def _note(self, of: int, at: int, text: Words | None) -> None:
        if text is not None:
            self.of(of).notes[at] = self._said(at, text)

    def _said(self, at: int, text: Words | None) -> MatterText:
        return MatterText(at, self.session, None if text is None else text.text)

    def session_at(self, position: int) -> int | None:
        """The session that was open at a position that has been heard."""
        before = bisect_right(self.sessions, position, key=lambda one: one[0]) - 1
        return None if before < 0 else self.sessions[before][1]

    def noted_of(self, event: Event) -> int | None:
        """The one something was noted of, as it is known by now; None where it was noted of none."""
        return self.of(event.about).opened if isinstance(event, e.OfMatter) else None


def _hear(hearing: Hearing, reading: LineView, after: int) -> None:
    for recorded in reading.recorded(after, None, KINDS):
        hearing.hear(recorded)


HEARD: Final = Projection("matters", Hearing, _hear)


def heard(reading: LineView, upto: int) -> Hearing:
    """What was heard up to a position of what is read."""
    if upto == reading.position or not any(reading.past.rows(upto, None, KINDS)):
        return HEARD.of(reading)
    hearing = Hearing()
    for recorded in reading.recorded(0, upto, KINDS):
        hearing.hear(recorded)
    return hearing
