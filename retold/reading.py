"""Public read API: what one viewer knows of a branch, up to a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, ClassVar, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from msgspec.structs import replace

from retold.journal.language.naming import find_by_whole_name, find_person
from retold.journal.names import Unknown, normalise
from retold.journal.options import PROPOSALS, of_the_table
from retold.journal.pictures import Picture, recorded_picture
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import Closed
from retold.journal.store.contract.progress import Progress
from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM, Command, Event, values_of
from retold.journal.vocabulary.events import PictureAdded
from retold.projections.prose import Voice, speaking, voice_of
from retold.projections.reading import (
    Arrival,
    Moment,
    arrival_of,
    find_event,
    find_place,
    find_range,
    lines,
    person_meant,
    timing,
)
from retold.projections.reading import LineView as Read
from retold.projections.reading.sessions import Stretch
from retold.reading_cache import ReadingCache

if TYPE_CHECKING:
    from retold.journal.store.caches.index import Index
    from retold.projections.dossiers import MatterKnown, PersonKnown
    from retold.projections.replay import Board, Replay, ReplayStep
    from retold.projections.replay.steps import Following
    from retold.projections.story.document import Transcript
    from retold.projections.story.live import LiveEvent
    from retold.projections.story.recap import Recap
    from retold.projections.story.transcript.build import InParallel
    from retold.projections.story.writing import KeepScene
    from retold.projections.views.search import Match
    from retold.projections.views.sheet import Seen

P = ParamSpec("P")
R = TypeVar("R")


class ToldDrafts(Protocol):
    """Drafts that an export tells in place of the record's words; None means no drafts."""

    def voices(self, reading: Read, stretch: Stretch, voice: Voice) -> Iterator[tuple[Stretch, Voice]]:
        """Yields a stretch in pieces, each with the voice that tells it: that of a draft, or else `voice`."""

    def told(self, transcript: Transcript, reading: Read, stretch: Stretch) -> Transcript:
        """Returns a transcript of `stretch` with the words of these drafts."""

    def not_told(self, reading: Read, stretch: Stretch, whose: str) -> Iterable[str]:
        """Returns sentences about paragraphs of writers that are not in the copy of `whose`."""


class Happened(NamedTuple):
    """Recorded event, as far as the viewer of the reading may know its contents."""

    id: str
    """Permanent id; opaque about the position, except for the game master."""
    position: int | None
    """Position on the line, from 1; None for viewers who may not know of gaps."""
    at: str
    """Time of recording: ISO 8601, UTC."""
    kind: str
    event: Event
    """The event without people unknown to the viewer and without sealed words.

    References to other events (`at`, `about`) are positions for the game master; for other viewers they
    count the events known to that viewer.
    """
    told: str
    """The event in the notation of the log."""
    visible_to: str | tuple[str, ...]
    """Current audience: `table`, `gm`, or people by name."""
    line: str
    """`told` as one line among others: with the throw for it alone; empty if a later line tells the event."""


class Proposal(NamedTuple):
    """Line that the rules would accept now: who acts, the line to type, and its expected result in words."""

    who: str
    line: str
    """The line to type; ends in `: …` if words are yet to be added."""
    comes_to: str


class Roll(NamedTuple):
    """Roll that a person may make now, regardless of turn.

    `bonus` is true if a signed number may be added.
    """

    who: str
    line: str
    """The line to type; fields below list optional parts."""
    move: str
    """Name of the move; empty in a game of skills alone."""
    about: str
    stat: str | None
    """Stat or skill used, if any."""
    number: int | None
    """Its value on the sheet."""
    comes_to: str
    """Dice and modifiers, in words."""
    bonus: bool
    twice: bool
    """True if `adv` or `dis` may be added."""
    against: bool
    """True if `vs` and a number may be added."""
    hurts: bool = False
    """True if `damage` and dice may be added."""


class Count(NamedTuple):
    """Number on the board, such as hit points, that a line may change."""

    who: str
    what: str
    value: int
    most: int | None
    """Its maximum, if it has one."""
    line: str
    """Line that changes it, with an amount behind it: `track Zel hp -3`, `ruling Zel.karma-fate+=-1`."""


@dataclass(slots=True, eq=False)
class SharedCampaign:
    """Store, search index, lock and cache that all readings of one open campaign share."""

    store: Store
    index: Index
    lock: RLock
    cache: ReadingCache = field(default_factory=ReadingCache)
    is_closed: bool = False

    def close(self) -> None:
        """Closes store and index; does nothing if they are closed."""
        if self.is_closed:
            return
        self.is_closed = True
        self.index.close()
        self.store.close()


ReadingT = TypeVar("ReadingT", bound="Reading")


def under_lock(method: Callable[Concatenate[ReadingT, P], R]) -> Callable[Concatenate[ReadingT, P], R]:
    """Decorator: runs a method while holding the campaign's lock, so that threads take turns.

    Raises Closed once the campaign is closed.
    """

    @wraps(method)
    def asked(self: ReadingT, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self.shared.lock:
            if self.shared.is_closed:
                raise Closed(self.place)
            return method(self, *args, **kwargs)

    return asked


@dataclass(frozen=True)
class Reading:
    """One branch as one viewer knows it, up to a moment; acts recorded after that moment do not change it.

    Obtained from a campaign by `at`, `branch` and `seen_by`. Every method may be called from any thread.
    """

    INTERNAL: ClassVar = frozenset(
        {"line", "not_in_copy", "replay_page", "secrets_told", "shared", "transcript", "upto"}
    )
    """Names for Retold's own command line and service alone: not promised, and left out of `dir`."""

    shared: SharedCampaign = field(repr=False)
    line: int
    upto: int | None
    """Last position read; None means the line's current head."""
    viewer: str | Arrival = "gm"
    """`gm`, `table`, a person's name, or their `Arrival`."""

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in {"INTERNAL", *self.INTERNAL}]

    # --- another reading of the same campaign ---

    @under_lock
    def at(self, moment: str | int) -> Reading:
        """Returns a reading up to a moment: 412, `s3`, `s3:42`, `@-3`, a mark, `branch@412`, an event's id.

        For viewers other than the game master a moment is looked up among the events they know, and positions
        (412, `s3:42`) are refused. Raises Refused for an unknown moment, or one hidden from the viewer.
        """
        place = find_place(self._to_head(), str(moment), self.viewer)
        return Reading(self.shared, place.line, place.position, self.viewer)

    @under_lock
    def branch(self, name: str) -> Reading:
        """Returns a reading of the branch of this name up to its last event, for the same viewer.

        Raises Refused for a name of no branch that the viewer may know.
        """
        line = lines.line_meant(self.shared.store, self._line_read(), name, self.viewer)
        return Reading(self.shared, line, None, self.viewer)

    @under_lock
    def seen_by(self, viewer: str | Arrival) -> Reading:
        """Returns a reading for another viewer: `table`, a person or `gm`.

        A name means the person who bears it when asked; a value from `lasting` means the same person for
        ever. Raises Refused for an unknown name, or a branch hidden from that viewer.
        """
        line = self._line_for(viewer)
        self._unfiltered(line).called(viewer)
        return Reading(self.shared, line, self.upto, viewer)

    # --- what is so ---

    @property
    def place(self) -> Address:
        """The campaign's address; `retold.open` takes it as a text, `str(place)`."""
        return self.shared.store.place

    @property
    def path(self) -> Path:
        """The campaign's file; raises Refused on a server, where `place` is the address."""
        if self.place.file is None:
            raise Refused(f"{self.place} lies on a server and has no file: place is its address.")
        return self.place.file

    @property
    @under_lock
    def position(self) -> int:
        """Position of the last event read, from 1."""
        return self.shared.store.record.head(self._line_read()).position if self.upto is None else self.upto

    @property
    @under_lock
    def branches(self) -> tuple[str, ...]:
        """Names of the branches that the viewer may know, mainline included, oldest first."""
        return tuple(lines.known_lines(self._filtered()).values())

    @property
    @under_lock
    def id(self) -> str:
        """Unique id of the campaign in hexadecimal.

        Meant for the campaign's owner, not to be shown to readers.
        """
        return self.shared.store.id

    @property
    @under_lock
    def title(self) -> str:
        """Campaign's title; without one, its file's name read as a title: `Drowned bell`."""
        return self._filtered().title

    @property
    @under_lock
    def line_name(self) -> str:
        """Name of the branch that is read."""
        return lines.line_name(self._filtered())

    @property
    @under_lock
    def takes_proposals(self) -> bool:
        """True if lines that players hand in are recorded without asking the game master (a table option)."""
        return of_the_table(self._filtered().table, PROPOSALS) == "taken"

    @under_lock
    def who_is(self, name: str) -> str:
        """Returns the current name of the person meant by this name or alias.

        Raises Refused for an unknown name.
        """
        table = self._filtered().table
        return table.name(find_person(table, name))

    @under_lock
    def lasting(self, name: str) -> str | Arrival:
        """Returns an `Arrival`, a viewer that means the same person after renames and on any branch.

        `gm`, `table` and names of the game master are returned as such. Raises Unknown, a Refused, for
        anything but a person's full name, present or former.
        """
        if name in ("gm", "table"):
            return name
        reading = self._filtered()
        who = find_by_whole_name(reading.table, name)
        if who is None:
            raise Unknown(name, ())
        return "gm" if who == GM else arrival_of(reading.past, who)

    @property
    @under_lock
    def called(self) -> str:
        """Name of the viewer: `gm`, `table`, or a person's current name."""
        viewer = self.viewer
        if isinstance(viewer, str):
            return viewer
        reading = self._unfiltered()
        return reading.table.name(person_meant(reading.past, reading.table, viewer))

    @property
    @under_lock
    def plays(self) -> tuple[str, ...]:
        """Names of the characters that the viewer plays; empty for the table and the game master."""
        reading = self._filtered()
        if reading.viewer.gm:
            return ()
        people = reading.table.everybody()
        return tuple(person.called for person in people if reading.viewer.among((person.id,)))

    @under_lock
    def view(self, name: str) -> Seen:
        """Returns a computed view by name: a value with fields, `to_json()`, and `sheet()` for drawing.

        Views are those of `retold show`: cast, points, decks, balance, stress, map … Raises Refused for
        others.
        """
        from retold.projections.views import ask

        return ask(name, self._filtered())

    @under_lock
    def compare(self, other: Reading) -> Seen:
        """Returns what differs in another reading of this campaign, in state and in story, as `retold diff`.

        Take the other one with `branch` or `at`. Raises Refused for a reading of another campaign.
        """
        from retold.projections.comparison.diff import compare

        if other.shared is not self.shared:
            raise Refused(f"{other.place} is another campaign than {self.place}: compare two lines of one.")
        return compare(self._filtered(), other._filtered())

    @under_lock
    def happened(self, after: int | str = 0) -> list[Happened]:
        """Returns the events that the viewer may see after a position or an event's id, in order.

        Undone events are left out. Raises Refused for an id that the viewer does not know.
        """
        if isinstance(after, int):
            return list(self._happened(after))
        every = list(self._happened(0))
        places = [place for place, happened in enumerate(every) if happened.id == after]
        if not places:
            raise Refused(f"There is no event {after} on this line that {self.called} may see.")
        return every[places[0] + 1 :]

    @under_lock
    def told_live(self, after: int, voice: str | Voice = "report") -> dict[str, LiveEvent]:
        """Returns how a page tells each event after a position while they are recorded, by the event's id."""
        from retold.projections.story.live import told_live

        reading = self._filtered()
        return dict(told_live(reading, after, self._speaking(reading, voice)))

    @under_lock
    def picture(self, id: str) -> Picture | None:  # noqa: A002 -- as `Happened` has it
        """Returns the picture that the event with this id added; None if the viewer sees none there.

        The id `cover` means the campaign's cover.
        """
        reading = self._filtered()
        found = [
            recorded.event.picture.text
            for recorded in reading.recorded(kinds=(PictureAdded.kind,))
            if isinstance(recorded.event, PictureAdded)
            and (reading.ids.at(recorded.position) == id or recorded.event.use == id == "cover")
        ]
        return recorded_picture(found[-1]) if found else None

    @under_lock
    def can(self, who: str | None = None) -> list[Proposal]:
        """Returns the lines that the rules would accept now, for all or one person, each checked.

        Viewers other than the game master get lines for their own characters alone.
        """
        from retold.journal.language.rendering import render

        reading = self._filtered()
        table, viewer = reading.table, reading.viewer
        whose = None if who is None else find_person(reading.table, who)
        return [
            Proposal(table.name(speaker), render(command, table), comes_to)
            for speaker, command, comes_to in choices_at(table)
            if whose in (None, speaker) and (viewer.gm or viewer.among((speaker,)))
        ]

    @under_lock
    def rolls(self, who: str | None = None) -> list[Roll]:
        """Returns the rolls that a person may make now, regardless of turn: moves, stats and skills.

        Without a name, rolls of every character the viewer plays (none for the game master). Viewers other
        than the game master get no rolls of others.
        """
        from retold.journal.language.proposed import rolls_at
        from retold.journal.language.rendering import render

        reading = self._filtered()
        table, viewer = reading.table, reading.viewer
        named = [] if who is None else [find_person(table, who)]
        everybody = [person.id for person in table.everybody() if who is None and not viewer.gm]
        whose = [person for person in (*named, *everybody) if viewer.gm or viewer.among((person,))]
        return [
            Roll(
                table.name(roll.who),
                render(roll.command, table),
                *(roll.move, roll.about, roll.stat, roll.number),
                *(roll.comes_to, roll.bonus, roll.twice, roll.against),
                hurts=roll.hurts,
            )
            for person in whose
            for roll in rolls_at(table, person)
        ]

    @under_lock
    def counts(self) -> list[Count]:
        """Returns the numbers on the board that a line may change by an amount: hit points, coins."""
        from retold.journal.language.writing import quote_name, write_line
        from retold.journal.systems import SYSTEMS
        from retold.journal.vocabulary.commands import Rule

        def line(who: str, row: Mapping[str, str]) -> str:
            system, what = SYSTEMS[row["system"]], row["what"]
            if system.keeps is not None:
                return write_line(system.keeps.verb, [quote_name(who), quote_name(what)])
            if ruled := system.ruled.get(what) or system.ruled.get(row["picture"]):
                return f"{Rule.verb} {quote_name(who)}.{ruled.format(what=what)}+="
            return write_line(what, [quote_name(who)]) if normalise(what) in system.counts else ""

        names = self._filtered().table.name
        known = [
            (names(row["who"]), row)
            for key, row in self.board().items()
            if key.startswith("row:") and "who" in row and isinstance(row.get("value"), int)
        ]
        lines = [(who, row, line(who, row)) for who, row in known]
        return [Count(who, row["what"], row["value"], row.get("most"), one) for who, row, one in lines if one]

    @under_lock
    def search(
        self, *words: str, who: str | None = None, kind: str | None = None, last: int | None = None
    ) -> tuple[Match, ...]:
        """Returns recorded texts that contain all `words`, the latest last, as `retold search` finds them.

        `who` restricts them to a speaker, `kind` to a kind of event, `last` to so many. Raises Refused for an
        unknown name or kind.
        """
        from retold.projections.views.search import Wanted, search

        store, index = self.shared.store, self.shared.index
        index.catch_up(store.record, store.id)
        wanted = Wanted(words, who, kind, viewer=self.viewer)
        return search(index, [self._unfiltered()], wanted, last).matches

    @under_lock
    def who(
        self, name: str, progress: Progress | None = None, *, last: int | None = None
    ) -> PersonKnown | MatterKnown:
        """Returns the dossier of a person, thread, place or thing, as printed by `retold who`.

        Of the places that mention it the `last` so many are included, all for None, and the number of earlier
        ones. `progress` is called while the branch is read. Raises Refused for an unknown or ambiguous name.
        """
        from retold.projections.dossiers import Dossiers, find_one

        reading = self._filtered()
        return find_one(reading, Dossiers(reading, progress, last=last), name)

    # --- the telling ---

    def tell(
        self, part: str | int | None = None, *, voice: str | Voice = "report", mechanics: str | None = None
    ) -> str:
        """Returns the story of a session, range or book as Markdown text; parameters as in `export`."""
        return self.export("markdown", part, voice=voice, mechanics=mechanics).decode()

    @under_lock
    def export(
        self,
        format: str,  # noqa: A002 -- the name of the option on the command line
        part: str | int | None = None,
        *,
        voice: str | Voice = "report",
        mechanics: str | None = None,
        variations: bool = False,
        ribbon: bool = False,
    ) -> bytes:
        """Returns the story of a session, range or book as bytes, in a format of `retold export`.

        `part` is a session's number, a range `A..B`, or `book` for all sessions; None is the last session.
        `mechanics` says where numbers stand (footnotes, folded, none …), None is the voice's default. Raises
        Refused for an unknown format, voice or part, and for a format whose extra is not installed.
        """
        from retold.projections.exports import FORMATS, export
        from retold.projections.exports.parallel import SessionTelling

        reading, chosen = self._filtered(), FORMATS.get(format)
        speaks = self._speaking(reading, voice)
        if chosen is not None and chosen.is_of_campaign:
            return chosen.whole(
                reading, part, SessionTelling(speaks, variations, ribbon), mechanics or speaks.mechanics
            )
        is_replay = chosen is not None and chosen.is_replay
        told = self.transcript(part, speaks, variations=variations, ribbon=ribbon, replay=is_replay)
        return export(format, told, mechanics or speaks.mechanics)

    def secrets(
        self,
        part: str | int | None = None,
        voice: str | Voice = "report",
        *,
        variations: bool = False,
        replay: bool = False,
    ) -> int:
        """Returns how many events in this viewer's export of a part are hidden from the table.

        0 for viewer `table`. `part` is as in `export`, or `all` for every session. With `variations` and
        `replay`, those of an export that has the other branches, or of a replay.
        """
        return self.secrets_told(part, voice, variations=variations, replay=replay)

    @under_lock
    def secrets_told(
        self,
        part: str | int | None,
        voice: str | Voice,
        *,
        variations: bool = False,
        replay: bool = False,
        drafts: ToldDrafts | None = None,
    ) -> int:
        """Returns what `secrets` does, of an export in which `drafts` tell their parts."""
        from retold.projections.story.hidden_events import CopyScope, HiddenEvent, find_hidden_events

        reading = self._filtered()
        if part == "all":
            stretches = [reading.sessions.stretch(number) for number in reading.sessions.opened]
        else:
            stretches = [self._stretch(part, reading)]
        found: set[HiddenEvent] = set()
        for stretch in stretches:
            whole = (stretch, voice_of(voice))
            for own, speaks in (whole,) if drafts is None else drafts.voices(reading, *whole):
                told = CopyScope(variations or replay, speaks.as_recorded or replay)
                found |= find_hidden_events(reading, own, told)
        return len(found)

    @under_lock
    def not_in_copy(
        self, part: str | int | None, whose: str, *, drafts: ToldDrafts | None
    ) -> tuple[str, ...]:
        """Returns sentences about what writers of drafts added and is not in this viewer's export.

        It is for others until it is opened. `part` is as in `secrets`, `whose` the viewer in a sentence.
        """
        if drafts is None:
            return ()
        reading = self._filtered()
        stretch = self._stretch("book" if part == "all" else part, reading)
        return tuple(drafts.not_told(reading, stretch, whose))

    @under_lock
    def postcard(
        self,
        moment: str | int,
        format: str = "svg",  # noqa: A002 -- as in export
        *,
        voice: str | Voice = "report",
        mechanics: str | None = None,
    ) -> bytes:
        """Returns a picture of one moment, 1200 by 630 pixels, as SVG, PNG or HTML.

        Parameters as in `export`.

        Raises Refused for an unknown or hidden moment, for an unknown format or voice, and for PNG without
        its extra.
        """
        from retold.projections.exports import place_called
        from retold.projections.postcards import postcard, rendered

        speaks = self._speaking(self._filtered(), voice)
        place = find_event(self._to_head(), str(moment), self.viewer)
        here = place.line == self._line_read()
        reading = (self._unfiltered() if here else Read(self.shared.store, place.line)).called(self.viewer)
        told = place_called(mechanics or speaks.mechanics)
        return rendered(postcard(reading, place.position, speaks, mechanics=told != "none"), format)

    @under_lock
    def transcript(
        self,
        part: str | int | None = None,
        voice: str | Voice = "report",
        *,
        variations: bool = False,
        ribbon: bool = False,
        replay: bool = False,
        told: Progress | None = None,
        keep: KeepScene | None = None,
        by_many: InParallel | None = None,
        drafts: ToldDrafts | None = None,
    ) -> Transcript:
        """Returns the story as a value, which `export` formats: scenes, paragraphs, mechanics, cast.

        `drafts` replace the record's words in the parts that they tell; with drafts, `keep` is not called.
        With `replay` it includes the replay. `told` is called with progress. `keep` receives each finished
        scene and returns the part to keep in memory; `by_many` may build a book, or a range from the
        beginning, in several processes.
        """
        from retold.projections.story.transcript import build

        reading = self._filtered()
        speaks = self._speaking(reading, voice)
        stretch = self._stretch(part, reading)
        if part == "book":
            tell: Callable[..., Transcript] = partial(build.of_line, by_many=by_many)
        else:
            tell = partial(_transcript_of, stretch=stretch, by_many=by_many)
        kept = keep if drafts is None else None
        made = tell(reading, voice=speaks, variations=variations, ribbon=ribbon, told=told, keep=kept)
        if drafts is not None:
            made = drafts.told(made, reading, stretch)
        if not replay:
            return made
        from retold.projections.exports.replay_builder import replay_of

        return replace(made, replay=replay_of(reading, stretch, made, speaks))

    @under_lock
    def replay(
        self, part: str | int | None = None, *, voice: str | Voice = "report", branches: bool = True
    ) -> Replay:
        """Returns a session or range step by step: events, board, and paragraphs of the story that tell them.

        With `branches` it includes branches that leave from the part, if the viewer may know them. Its JSON
        (`to_json()`) is described in docs/replay.md.
        """
        from retold.projections.exports.replay_builder import replay_of

        reading = self._filtered()
        speaks = self._speaking(reading, voice)
        stretch = self._stretch(part, reading)
        return replay_of(
            reading,
            stretch,
            _transcript_of(reading, stretch=stretch, voice=speaks),
            speaks,
            branches=branches,
        )

    @staticmethod
    def replay_page(voice: str | Voice = "report") -> bytes:
        """Returns an empty replay page, HTML that loads scripts and data as separate files from a service.

        Its buttons are in the words of `voice`.
        """
        from retold.projections.exports.replay import served

        return served(voice_of(voice).phrases)

    @under_lock
    def board(self) -> Board:
        """Returns the board as a replay shows it: people by number, items by key (docs/replay.md)."""
        return self.following().board

    @under_lock
    def following(self) -> Following:
        """Returns a `Following`: the current board and its `position`, which `steps` brings up to date."""
        from retold.projections.replay.steps import Following

        reading = self._filtered()
        opening = timing.session_opening(reading, reading.position, reading.position)
        return Following.beginning(reading, reading.position, opening)

    @under_lock
    def steps(self, following: Following) -> list[ReplayStep] | None:
        """Returns replay steps of events since `following` was last up to date, and brings it up to date.

        Steps have no paragraphs of the story. None if the caller must start over with `following()`: an
        earlier event reads differently now, or branch or viewer changed.
        """
        reading = self._filtered()
        return [step for _, step in following.steps(reading)] if following.holds(reading) else None

    @under_lock
    def recap(
        self, part: str | int | None = None, voice: str | Voice = "report", length: str | None = None
    ) -> Recap:
        """Returns a recap of sessions, at most 200 words in `lines()`: ending, changes, open matters, cast.

        `part` is a session (`3`, `"s3"`) or a range (`"s3..s7"`); None is the last one, up to now. Every word
        is recorded, or a phrase of the voice; the game master's recap holds nothing hidden and can be read
        out. `length` is `sentence`, `paragraph` or `page` (500 words). Raises Refused for an unknown session,
        voice or length, and if nothing has been told yet.
        """
        from retold.projections.story import recap

        reading = self._unfiltered()
        return recap.of_line(
            reading, part, viewer=self.viewer, voice=self._speaking(reading, voice), length=length
        )

    @staticmethod
    def _speaking(reading: Read, voice: str | Voice) -> Voice:
        """Returns the voice as it tells this table's words; Refused for an unknown name."""
        return speaking(voice_of(voice), reading.language)

    @property
    @under_lock
    def sessions(self) -> tuple[int, ...]:
        """Numbers of the sessions opened so far, such as `(1, 2, 3)`."""
        return (*self._unfiltered().sessions.opened,)

    # --- behind it ---

    def _line_read(self) -> int:
        """Returns the number of the branch that is read."""
        return self.line

    def _to_head(self) -> Read:
        """Returns the branch with every event up to its last, hidden ones included, even past `upto`."""
        return self._unfiltered() if self.upto is None else Read(self.shared.store, self._line_read())

    def _line_for(self, viewer: str | Arrival) -> int:
        """Returns the number of this branch.

        Raises Refused, as for an unknown name, if `viewer` may not see it.
        """
        store, line = self.shared.store, self.line
        if lines.line_played(store, line, viewer) != line:
            lines.line_meant(store, store.mainline(), store.lines()[line], viewer)
        return line

    def _unfiltered(self, line: int | None = None) -> Read:
        """Returns the branch with hidden events, up to the position read.

        Another `line` is read up to its end.
        """
        store, here = self.shared.store, self._line_read()
        if line is None or line == here:
            return self.shared.cache.read(store, here, self.position)
        return self.shared.cache.read(store, line, store.record.head(line).position)

    def _filtered(self) -> Read:
        """Returns the branch with only the events that the viewer knows."""
        return self._unfiltered().called(self.viewer)

    def _stretch(self, part: str | int | None, reading: Read) -> Stretch:
        """Returns the range of positions that `part` means: a session, range of moments, or whole branch."""
        session = None if part == "book" else _session_meant(part, (*reading.sessions.opened,))
        if session is not None:
            return reading.sessions.stretch(session)
        if part in (None, "book"):
            return Stretch(0, reading.position)
        start, end = find_range(self._to_head(), str(part), self.viewer)
        return Stretch(start.position - 1, min(end.position, reading.position))

    def _happened(self, after: int) -> Iterator[Happened]:
        reading = self._filtered()
        return (event for _, event in happened_in(reading.moments(after), reading))


def _transcript_of(
    reading: Read,
    *,
    stretch: Stretch,
    voice: Voice,
    variations: bool = False,
    ribbon: bool = False,
    told: Progress | None = None,
    keep: KeepScene | None = None,
    by_many: InParallel | None = None,
) -> Transcript:
    """Returns the transcript (story as a value) of a session or range of positions."""
    from retold.projections.story import transcript

    if stretch.session is not None:
        session = stretch.session.session
        return transcript.of_session(
            reading, session, voice=voice, variations=variations, ribbon=ribbon, keep=keep
        )
    return transcript.of_range(
        reading,
        stretch.after,
        stretch.upto,
        voice=voice,
        variations=variations,
        ribbon=ribbon,
        told=told,
        keep=keep,
        by_many=by_many,
    )


def _session_meant(part: str | int | None, known: tuple[int, ...]) -> int | None:
    """Returns the session number that `part` means; None for a range, or if there is no session yet.

    Raises Refused for a session that was never opened.
    """
    if part is None:
        return known[-1] if known else None
    typed = str(part).removeprefix("s")
    if not typed.isdecimal():
        return None
    if int(typed[:9]) not in known:
        there = f"There are {known[0]} to {known[-1]}." if known else "There is none yet."
        raise Refused(f"There is no session {part}. {there}")
    return int(typed)


def happened_from(moment: Moment, reading: Read) -> Happened:
    """Returns a moment's event as a `Happened`, with only what the reading's viewer knows."""
    from retold.projections.plain.lives import told_notation

    ids = reading.ids
    told = told_notation(moment, ids)
    return Happened(
        ids.at(moment.position),
        moment.position if ids.open else None,
        moment.envelope.at,
        moment.event.kind,
        ids.counted(moment.event.shown()),
        told,
        reading.visible_to(moment.envelope),
        told,
    )


def happened_in(moments: Iterable[Moment], reading: Read) -> Iterator[tuple[int, Happened]]:
    """Yields the position and the event of each moment, with only what the reading's viewer knows.

    A throw for nothing but a later line of its act, such as initiative, is told by that line.
    """
    from retold.projections.plain.joining import joined

    seen = ((moment.position, happened_from(moment, reading), moment.envelope.luck) for moment in moments)
    for (position, event, _), more in joined(
        seen, lambda one: (one[1].kind, values_of(one[1].event), one[2])
    ):
        line = "" if more == "" else event.told + (more or "")
        yield position, event if line == event.line else event._replace(line=line)


def choices_at(table: Table) -> Iterator[tuple[int, Command, str]]:
    """Yields (id of the person, command, expected result in words) for each action the rules accept now."""
    from retold.journal.language.proposed import actions_at

    for seen in actions_at(table):
        for moves in seen.moves:
            for way in moves.ways:
                if way.command is not None:
                    yield moves.person, way.command, way.said
        for choice in (*seen.choices, *seen.beside):
            yield choice.who, choice.command, choice.comes_to
