"""Views of matters (threads, places, things): players' notes on each, its state, and number of mentions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct, field

from retold.journal.store.events.codec import Recorded
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import REDACTED, Event, Words
from retold.projections.reading import LineView, Projection
from retold.projections.views.mentions import MentionsOnLine, Names
from retold.projections.views.sheet import NOBODY, Row, Seen


class Entry(NamedTuple):
    """A note on a thread, place or thing; `text` is null once redacted, or for a closing without words."""

    id: str
    session: int | None
    text: str | None


class MatterSeen(NamedTuple):
    """A thread, place or thing; `name` is null once redacted, `closed` null while it is open."""

    id: str
    name: str | None
    former: tuple[str, ...]
    notes: tuple[Entry, ...]
    closed: Entry | None
    mentions: int

    @property
    def called(self) -> str:
        """Current name of the thread, place or thing; a placeholder once redacted."""
        return REDACTED if self.name is None else self.name

    def row(self) -> Row:
        """Returns this thread, place or thing as a table row with its last note."""
        last = self.closed or (self.notes[-1] if self.notes else None)
        cells = (
            self.called,
            "open" if self.closed is None else "closed",
            NOBODY if last is None or last.session is None else str(last.session),
            str(self.mentions),
            (last and last.text) or NOBODY,
        )
        return Row((self.id,), cells)


class Matters(Seen, frozen=True):
    """Answer of the threads, places or things view; each entry is a matter (thread, place or thing).

    JSON: `{"matters": [{"id", "name", "former", "notes", "closed", "mentions"}]}`.
    """

    sort: ClassVar[e.Sort]
    matters: tuple[MatterSeen, ...]

    def rows(self) -> Iterator[Row]:
        """Yields table rows: open threads (places, things) first, then closed ones."""
        return (matter.row() for matter in sorted(self.matters, key=lambda matter: matter.closed is not None))


_COLUMNS: Final = ("Now", "Session", "Mentioned", "Last")


class Threads(Matters, frozen=True):
    """Answer of the threads view: plot threads of the campaign."""

    view = "threads"
    title = "Threads"
    columns = ("Thread", *_COLUMNS)
    sort = "thread"


class Places(Matters, frozen=True):
    """Answer of the places view: places that players take notes on."""

    view = "places"
    title = "Places"
    columns = ("Place", *_COLUMNS)
    sort = "place"


class Things(Matters, frozen=True):
    """Answer of the things view: things that players take notes on."""

    view = "things"
    title = "Things"
    columns = ("Thing", *_COLUMNS)
    sort = "thing"


_VIEWS: Mapping[str, type[Matters]] = {view.view: view for view in (Threads, Places, Things)}


def of(name: str, reading: LineView, after: int = 0) -> Matters:
    """Returns the answer of view `name` (`threads`, `places` or `things`), oldest first.

    Mentions are counted past position `after` only.
    """
    view = _VIEWS[name]
    return view(tuple(matter for sort, matter in known(reading, after).values() if sort == view.sort))


def known(reading: LineView, after: int = 0) -> Mapping[int, tuple[e.Sort, MatterSeen]]:
    """Returns the threads, places and things known to the viewer, by the position of their opening event.

    Each value is a pair: its sort, such as `thread`, and the matter. Mentions are counted past `after` only.
    """
    if not reading.table.matters:
        return {}
    hearing = HEARD.of(reading)
    found = hearing.drafts
    names = Names({at: draft.called for at, draft in found.items()})
    places = MentionsOnLine(reading, names, hearing.noted_of, after).all_places(found)
    often = {at: sum(place > draft.since for place in places[at]) for at, draft in found.items()}
    return {at: (draft.sort, draft.seen(reading, often[at])) for at, draft in found.items()}


KINDS: Final = tuple(
    event.kind
    for event in (
        *(e.SessionOpened, e.SessionClosed, e.MatterOpened, e.MatterNoted),
        *(e.MatterClosed, e.MatterRenamed, e.MatterMerged),
    )
)
"""Event kinds about matters and sessions."""


class MatterText(NamedTuple):
    """A note on a thread, place or thing: event position, session and text; `text` is None once redacted."""

    at: int
    session: int | None
    text: str | None


class MatterDraft(Struct):
    """A thread, place or thing under construction, updated event by event."""

    opened: int
    sort: e.Sort
    names: list[str | None]
    since: int
    """Position past which mentions count: its opening, or that of an earlier matter merged into it."""
    notes: dict[int, MatterText] = field(default_factory=dict)
    """Notes by position, in order."""
    closed: MatterText | None = None

    @property
    def called(self) -> tuple[str, ...]:
        """Names it has had, oldest first; redacted names are left out."""
        return tuple(name for name in self.names if name is not None)

    @property
    def last(self) -> MatterText | None:
        """Latest note on it; None without notes."""
        return next(reversed(self.notes.values()), None)

    def take(self, gone: MatterDraft) -> None:
        """Adds names and notes of `gone`, the same thread (place, thing) under another name, to this one."""
        self.names[:0] = gone.names
        self.notes = dict(sorted((gone.notes | self.notes).items()))
        self.since = min(self.since, gone.since)

    def seen(self, reading: LineView, mentions: int) -> MatterSeen:
        """Returns the finished thread, place or thing for the viewer of `reading`.

        It was mentioned `mentions` times.
        """

        def entry(note: MatterText) -> Entry:
            return Entry(reading.ids.at(note.at), note.session, note.text)

        former = tuple(name for name in self.names[:-1] if name is not None)
        closed = None if self.closed is None else entry(self.closed)
        notes = tuple(map(entry, self.notes.values()))
        return MatterSeen(reading.ids.at(self.opened), self.names[-1], former, notes, closed, mentions)


class Hearing(Struct):
    """Threads, places and things so far, and sessions by position, updated event by event."""

    drafts: dict[int, MatterDraft] = field(default_factory=dict)
    """Matters by opening position."""
    into: dict[int, int] = field(default_factory=dict)
    """Opening position of a merged matter, and of the matter it was merged into."""
    session: int | None = None
    sessions: list[tuple[int, int | None]] = field(default_factory=list)
    """Positions at which the open session changes, with its number; None between sessions."""

    def hear(self, recorded: Recorded) -> None:
        """Updates this state by one event about a session, thread, place or thing."""
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
        """Returns the thread (place, thing) opened at position `at`, or the one it was merged into."""
        while at in self.into:
            at = self.into[at]
        return self.drafts[at]

    def _note(self, opened: int, at: int, text: Words | None) -> None:
        if text is not None:
            self.of(opened).notes[at] = self._said(at, text)

    def _said(self, at: int, text: Words | None) -> MatterText:
        return MatterText(at, self.session, None if text is None else text.text)

    def session_at(self, position: int) -> int | None:
        """Returns the number of the session open at `position`; None between sessions."""
        before = bisect_right(self.sessions, position, key=lambda opened: opened[0]) - 1
        return None if before < 0 else self.sessions[before][1]

    def noted_of(self, event: Event) -> int | None:
        """Returns the opening position of the thread (place, thing) that `event` concerns.

        None for other events. For a merged one, the opening position of the one it was merged into.
        """
        return self.of(event.about).opened if isinstance(event, e.OfMatter) else None


def _hear(hearing: Hearing, reading: LineView, after: int) -> None:
    for recorded in reading.recorded(after, None, KINDS):
        hearing.hear(recorded)


HEARD: Final = Projection("matters", Hearing, _hear)


def heard(reading: LineView, upto: int) -> Hearing:
    """Returns the state of threads, places and things at position `upto`."""
    if upto == reading.position or not any(reading.past.rows(upto, None, KINDS)):
        return HEARD.of(reading)
    hearing = Hearing()
    for recorded in reading.recorded(0, upto, KINDS):
        hearing.hear(recorded)
    return hearing
