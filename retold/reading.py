"""A line as one viewer may know it, up to a moment: looked at, asked, told, exported, searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

from msgspec.structs import replace

from journal.language.naming import find_by_whole_name, find_person
from journal.line import LiveEvent
from journal.names import Unknown
from journal.options import PROPOSALS, of_the_table
from journal.refused import Refused
from journal.store.campaign import CampaignStore as Store
from journal.store.progress import Progress
from journal.table import Table
from journal.vocabulary.base import GM, Command, Event
from projections.prose import Voice, voice_of
from projections.reading import (
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
from projections.reading import LineView as Read
from projections.reading.sessions import Stretch
from retold.reading_cache import ReadingCache

if TYPE_CHECKING:
    from journal.store.index import Index
    from projections.document import Transcript
    from projections.dossiers import MatterKnown, PersonKnown
    from projections.recap import Recap
    from projections.replay import Board, Replay, ReplayStep
    from projections.replay.steps import Following
    from projections.search import Match
    from projections.transcript.build import InParallel
    from projections.transcript.builders import KeepScene
    from projections.views.sheet import Seen

P = ParamSpec("P")
R = TypeVar("R")


class Happened(NamedTuple):
    """One event, as its reader may know it."""

    id: str
    """What points at it for ever; for anybody but the game master it does not say where it stands."""
    position: int | None
    """Its position on the line, from 1; None for whoever may not know of gaps."""
    at: str
    """When it was recorded: ISO 8601, UTC."""
    kind: str
    event: Event
    """What happened, as its reader may know it: without people they do not know, and without sealed words.

    Where it points at another event (`at`, `about`), for anybody but the game master that is counted among
    the events they know of, and is no position.
    """
    told: str
    """The event in the notation of the log."""
    visible_to: str | tuple[str, ...]
    """Who may see it by now: `table`, `gm`, or the names of the people whom it is for."""


class Proposal(NamedTuple):
    """A line that would be taken now."""

    who: str
    line: str
    """A line ends in `: …` where words are still to be found for it."""
    comes_to: str


class Roll(NamedTuple):
    """A roll that somebody may make now, whoever's turn it is."""

    who: str
    line: str
    """The line that makes it; what may stand behind it is said below."""
    move: str
    """The move it makes; empty where the game has skills alone."""
    about: str
    stat: str | None
    """The stat or skill that counts; None where none does."""
    number: int | None
    """What stands on their sheet for it."""
    comes_to: str
    """The dice, and what they add up to."""
    bonus: bool
    twice: bool
    """Whether `adv` or `dis` may stand behind it."""
    against: bool
    """Whether `vs` and a number may."""


@dataclass(frozen=True, slots=True)
class SharedCampaign:
    """The file behind a campaign's readings, and who may ask it: one thread at a time."""

    store: Store
    searched: Index
    lock: RLock
    lately: ReadingCache = field(default_factory=ReadingCache)


ReadingT = TypeVar("ReadingT", bound="Reading")


def under_lock(method: Callable[Concatenate[ReadingT, P], R]) -> Callable[Concatenate[ReadingT, P], R]:
    """A method that no other thread comes between."""

    @wraps(method)
    def asked(self: ReadingT, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self.behind.lock:
            return method(self, *args, **kwargs)

    return asked


@dataclass(frozen=True)
class Reading:
    """A line as one viewer may know it, up to a moment; whatever is recorded later changes nothing in it.

    Got from a campaign, by `at`, `branch` and `seen_by`. Every method may be called from any thread.
    """

    behind: SharedCampaign = field(repr=False)
    line: int
    upto: int | None
    """The position up to which it reads; None is wherever the line ends when it is asked."""
    viewer: str | Arrival = "gm"
    """Who looks: `gm`, `table`, somebody's name, or where they came in."""

    # --- another reading of the same campaign ---

    @under_lock
    def at(self, moment: str | int) -> Reading:
        """The same as it was at a moment: 412, `s3`, `s3:42`, `@-3`, a mark, `branch@412`, an event's id.

        For anybody but the game master a moment is looked up among what they know, and positions (412,
        `s3:42`) are refused. Raises Refused for a moment there is not, or that they may not know.
        """
        place = find_place(self._whole(), str(moment), self.viewer)
        return Reading(self.behind, place.line, place.position, self.viewer)

    @under_lock
    def branch(self, name: str) -> Reading:
        """Another line up to its head, for the same viewer.

        Refused where there is none of that name that this viewer may know of.
        """
        line = lines.line_meant(self.behind.store, self._line_read(), name, self.viewer)
        return Reading(self.behind, line, None, self.viewer)

    @under_lock
    def seen_by(self, viewer: str | Arrival) -> Reading:
        """The same as `table` may know it, or somebody, or `gm`.

        By a name it is read as known to whoever has that name when it is asked; by what `lasting`
        gives, of the same person for ever. Refused for a name nobody has, or a line they may not know of.
        """
        line = self._line_for(viewer)
        self._unseen(line).called(viewer)
        return Reading(self.behind, line, self.upto, viewer)

    # --- what is so ---

    @property
    def path(self) -> Path:
        """The file the campaign lies in."""
        return self.behind.store.path

    @property
    @under_lock
    def position(self) -> int:
        """The position it reads up to, from 1."""
        return self.behind.store.record.head(self._line_read()).position if self.upto is None else self.upto

    @property
    @under_lock
    def branches(self) -> tuple[str, ...]:
        """The name of every line of the campaign that its viewer may know of, the oldest first."""
        return tuple(self._lines().values())

    @property
    @under_lock
    def id(self) -> str:
        """What tells the campaign from every other, in hexadecimal; for its keeper, not for readers."""
        return self.behind.store.id

    @property
    @under_lock
    def title(self) -> str:
        """What the campaign is called; its file's name where nobody has said."""
        title = self._read().table.title
        return self.path.stem if title is None else str(title)

    @property
    @under_lock
    def line_name(self) -> str:
        """The name of the line it reads."""
        return lines.line_name(self._read())

    @property
    @under_lock
    def takes_proposals(self) -> bool:
        """True where the table has chosen to record what players hand in without being asked."""
        return of_the_table(self._read().table, PROPOSALS) == "taken"

    @under_lock
    def who_is(self, name: str) -> str:
        """The name that somebody goes by, who answers to this one too; Refused where nobody does."""
        table = self._read().table
        return table.name(find_person(table, name))

    @under_lock
    def lasting(self, name: str) -> str | Arrival:
        """The viewer of that name, who stays the same person whatever anybody is called later, on any line.

        `gm` and `table` are themselves, and so is the game master by any name. Refused for what is nobody's
        whole name, now or before.
        """
        if name in ("gm", "table"):
            return name
        reading = self._read()
        who = find_by_whole_name(reading.table, name)
        if who is None:
            raise Unknown(name, ())
        return "gm" if who == GM else arrival_of(reading.past, who)

    @property
    @under_lock
    def called(self) -> str:
        """What its viewer goes by: `gm`, `table`, or the name of somebody."""
        viewer = self.viewer
        if isinstance(viewer, str):
            return viewer
        reading = self._unseen()
        return reading.table.name(person_meant(reading.past, reading.table, viewer))

    @property
    @under_lock
    def plays(self) -> tuple[str, ...]:
        """The names of those this reader speaks for; nobody's for the table, and for the game master."""
        reading = self._read()
        if reading.viewer.gm:
            return ()
        people = reading.table.everybody()
        return tuple(one.called for one in people if reading.viewer.among((one.id,)))

    @under_lock
    def view(self, name: str) -> Seen:
        """What a view sees, as a typed value: its fields, `to_json()`, and `sheet()` as rows to be drawn.

        The views are those of `retold show`: cast, points, decks, balance, stress, map … Refused for another.
        """
        from projections.views import ask

        return ask(name, self._read())

    @under_lock
    def happened(self, after: int | str = 0) -> list[Happened]:
        """What counts and this viewer may see, in order, after a position or the event of an id."""
        if isinstance(after, int):
            return list(self._happened(after))
        every = list(self._happened(0))
        places = [place for place, one in enumerate(every) if one.id == after]
        if not places:
            raise Refused(f"There is no event {after} on this line that {self.called} may see.")
        return every[places[0] + 1 :]

    @under_lock
    def can(self, who: str | None = None) -> list[Proposal]:
        """The lines that may be said now, by everybody or by one, each put to the rules first.

        A reader who is not the game master is told only of what is for them to say.
        """
        from journal.language.rendering import render

        reading = self._read()
        table, viewer = reading.table, reading.viewer
        whose = None if who is None else find_person(reading.table, who)
        return [
            Proposal(table.name(speaker), render(command, table), comes_to)
            for speaker, command, comes_to in choices_at(table)
            if whose in (None, speaker) and (viewer.gm or viewer.among((speaker,)))
        ]

    @under_lock
    def rolls(self, who: str | None = None) -> list[Roll]:
        """What somebody may roll for now, whoever's turn it is: the moves, stats and skills of their game.

        Without a name everybody's whom this reader plays, which is nobody for the game master. A reader who
        is not the game master is told of nobody else.
        """
        from journal.language.proposed import rolls_at
        from journal.language.rendering import render

        reading = self._read()
        table, viewer = reading.table, reading.viewer
        named = [] if who is None else [find_person(table, who)]
        everybody = [one.id for one in table.everybody() if who is None and not viewer.gm]
        whose = [one for one in (*named, *everybody) if viewer.gm or viewer.among((one,))]
        return [
            Roll(
                table.name(roll.who),
                render(roll.command, table),
                *(roll.move, roll.about, roll.stat, roll.number),
                *(roll.comes_to, roll.bonus, roll.twice, roll.against),
            )
            for one in whose
            for roll in rolls_at(table, one)
        ]

    @under_lock
    def search(self, *words: str, who: str | None = None, kind: str | None = None) -> tuple[Match, ...]:
        """The texts in which all the words are found, the last recorded last; as `retold search` finds them.

        Raises Refused for a name or a kind there is not.
        """
        from projections.search import Wanted, search

        store, index = self.behind.store, self.behind.searched
        index.catch_up(store.record, store.id)
        wanted = Wanted(words, who, kind, viewer=self.viewer)
        return search(index, [self._unseen()], wanted, None).matches

    @under_lock
    def who(
        self, name: str, progress: Progress | None = None, *, last: int | None = None
    ) -> PersonKnown | MatterKnown:
        """Everything known of somebody, or of a thread, a place or a thing, as `retold who` says it.

        Of the places in which they are named the `last` so many are told, all of them if None, and how many
        come before. `progress` is told how far a reading of the line has come, where there has to be one.
        Raises Refused where nobody and nothing this reader knows is called so, or several may be.
        """
        from projections.dossiers import Dossiers, find_one

        reading = self._read()
        return find_one(reading, Dossiers(reading, progress, last=last), name)

    # --- the telling ---

    def tell(
        self, part: str | int | None = None, *, voice: str | Voice = "report", mechanics: str | None = None
    ) -> str:
        """The story as Markdown; `part`, `voice` and `mechanics` as in `export`."""
        return self.export("markdown", part, voice=voice, mechanics=mechanics).decode()

    @under_lock
    def export(
        self,
        format: str,  # noqa: A002 -- what it is called on the command line too
        part: str | int | None = None,
        *,
        voice: str | Voice = "report",
        mechanics: str | None = None,
        variations: bool = False,
        ribbon: bool = False,
    ) -> bytes:
        """The story in one of the formats of `retold export`.

        `part` is a session's number, a stretch `A..B`, or `book` for all sessions; None is the last session.
        `mechanics` says where numbers stand (footnotes, folded, none …), None where the voice has them.
        Raises Refused for a format, a voice or a part there is not, and for a format whose extra is missing.
        """
        from projections.exports import FORMATS, export

        speaks = voice_of(voice)
        is_replay = format in FORMATS and FORMATS[format].is_replay
        told = self.transcript(part, speaks, variations=variations, ribbon=ribbon, replay=is_replay)
        return export(format, told, mechanics or speaks.mechanics)

    @under_lock
    def secrets(
        self,
        part: str | int | None = None,
        voice: str | Voice = "report",
        *,
        variations: bool = False,
        replay: bool = False,
    ) -> int:
        """How many events in this viewer's copy of a part the whole table may not see: 0 in the table's.

        `part` is as in `export`, or `all` for every session. What else the copy holds is as in `transcript`.
        """
        from projections.hidden_events import CopyScope, find_hidden_events

        reading = self._read()
        if part == "all":
            stretches = [reading.evenings.stretch(one) for one in reading.evenings.opened]
        else:
            stretches = [self._stretch(part, reading)]
        told = CopyScope(variations or replay, voice_of(voice).as_recorded or replay)
        return len(frozenset().union(*(find_hidden_events(reading, one, told) for one in stretches)))

    @under_lock
    def postcard(
        self,
        moment: str | int,
        format: str = "svg",  # noqa: A002 -- as in export
        *,
        voice: str | Voice = "report",
        mechanics: str | None = None,
    ) -> bytes:
        """A card of one moment, to post: 1200 by 630 as `svg`, `png` or `html`; `mechanics` as in `export`.

        Raises Refused for a moment there is not, or that this reader may not see, for a format or a voice
        there is not, and for PNG where its extra is missing.
        """
        from projections.exports import place_called
        from projections.postcards import postcard, rendered

        speaks = voice_of(voice)
        place = find_event(self._whole(), str(moment), self.viewer)
        here = place.line == self._line_read()
        reading = (self._unseen() if here else Read(self.behind.store, place.line)).called(self.viewer)
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
    ) -> Transcript:
        """What `export` sets, as a value: scenes, paragraphs and who says them, mechanics, cast.

        With its `replay`, where the format is one; `told` hears now and then how far a book or a stretch has
        come. `keep` takes each scene once it is finished, and gives what of it is to be kept here; `by_many`
        may have a book, or a stretch from the beginning, told in parts.
        """
        from projections.transcript import build

        reading, speaks = self._read(), voice_of(voice)
        stretch = self._stretch(part, reading)
        if part == "book":
            tell: Callable[..., Transcript] = partial(build.of_line, by_many=by_many)
        else:
            tell = partial(_told, stretch=stretch, by_many=by_many)
        made = tell(reading, voice=speaks, variations=variations, ribbon=ribbon, told=told, keep=keep)
        if not replay:
            return made
        from projections.exports.replay_builder import replay_of

        return replace(made, replay=replay_of(reading, stretch, made, speaks))

    @under_lock
    def replay(
        self, part: str | int | None = None, *, voice: str | Voice = "report", branches: bool = True
    ) -> Replay:
        """The same part step by step: what happened, what lay on the table, and where the story tells it.

        With the lines that leave it there as `branches`, as far as this reader may know of them. The JSON of
        it (`to_json()`) is described in docs/replay.md.
        """
        from projections.exports.replay_builder import replay_of

        reading, speaks = self._read(), voice_of(voice)
        stretch = self._stretch(part, reading)
        return replay_of(
            reading, stretch, _told(reading, stretch=stretch, voice=speaks), speaks, branches=branches
        )

    @staticmethod
    def replay_page() -> bytes:
        """The page of a replay, with none in it yet, for a service that has its modules as files."""
        from projections.exports.replay import served

        return served()

    @under_lock
    def board(self) -> Board:
        """What lies on the table: each thing under a key, as docs/replay.md says; people by number."""
        return self.following().board

    @under_lock
    def following(self) -> Following:
        """The board as it is now, with its `position`, to be brought along by `steps`."""
        from projections.replay.steps import Following

        reading = self._read()
        opening = timing.session_opening(reading, reading.position, reading.position)
        opened = None if opening is None else timing.time_of(opening.at)
        return Following.beginning(reading, reading.position, opened)

    @under_lock
    def steps(self, following: Following) -> list[ReplayStep] | None:
        """What came since it was followed last, with what that changed on its board; of their blocks nothing.

        None where it has to begin again, for something that came before reads otherwise by now, or it is
        another line that is read, or for another viewer.
        """
        reading = self._read()
        return [step for _, step in following.steps(reading)] if following.holds(reading) else None

    @under_lock
    def recap(self, part: str | int | None = None, voice: str | Voice = "report") -> Recap:
        """How a session ended, what changed, what is open, who is who, in at most 200 words of `lines()`.

        `part` is a session (`3`, `"s3"`) or several (`"s3..s7"`); None is the last one, up to now. Every word
        is recorded, or a phrase of the voice; the game master's can be read out, for it has nothing hidden.
        Refused for a session or a voice there is not, and where nothing has been told yet.
        """
        from projections import recap

        return recap.of_line(self._unseen(), part, viewer=self.viewer, voice=voice)

    @property
    @under_lock
    def sessions(self) -> tuple[int, ...]:
        """The numbers of the sessions so far."""
        return (*self._unseen().evenings.opened,)

    # --- behind it ---

    def _line_read(self) -> int:
        """The line it reads."""
        return self.line

    def _whole(self) -> Read:
        """The line as far as it goes by now, whatever it reads, before anybody looks at it."""
        return self._unseen() if self.upto is None else Read(self.behind.store, self._line_read())

    def _lines(self) -> Mapping[int, str]:
        """The lines that its viewer may know of, with their names."""
        return lines.known_lines(self._read())

    def _line_for(self, viewer: str | Arrival) -> int:
        """This line, for another viewer; Refused, as for no line's name, where they may not know of it."""
        store, line = self.behind.store, self.line
        if lines.line_played(store, line, viewer) != line:
            lines.line_meant(store, store.mainline(), store.lines()[line], viewer)
        return line

    def _unseen(self, line: int | None = None) -> Read:
        """The line up to there, or as far as another one, before anybody looks at it."""
        store, here = self.behind.store, self._line_read()
        if line is None or line == here:
            return self.behind.lately.read(store, here, self.position)
        return self.behind.lately.read(store, line, store.record.head(line).position)

    def _read(self) -> Read:
        """The same as its viewer may know it."""
        return self._unseen().called(self.viewer)

    def _stretch(self, part: str | int | None, reading: Read) -> Stretch:
        """The stretch of what is read that is meant: a session, from one moment to another, or all of it."""
        session = None if part == "book" else _session(part, (*reading.evenings.opened,))
        if session is not None:
            return reading.evenings.stretch(session)
        if part in (None, "book"):
            return Stretch(0, reading.position)
        start, end = find_range(self._whole(), str(part), self.viewer)
        return Stretch(start.position - 1, min(end.position, reading.position))

    def _happened(self, after: int) -> Iterator[Happened]:
        reading = self._read()
        for moment in reading.moments(after):
            yield happened_from(moment, reading)


def _told(
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
    """The transcript of a stretch, of a session if it is one."""
    from projections import transcript

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


def _session(part: str | int | None, known: tuple[int, ...]) -> int | None:
    """The session meant of those there are; None for a stretch, and for all of a line that has none yet."""
    if part is None:
        return known[-1] if known else None
    typed = str(part).removeprefix("s")
    if not typed.isdecimal():
        return None
    if int(typed) not in known:
        there = f"There are {known[0]} to {known[-1]}." if known else "There is none yet."
        raise Refused(f"There is no session {part}. {there}")
    return int(typed)


def happened_from(moment: Moment, reading: Read) -> Happened:
    """What the viewer of a reading may know of a moment."""
    from projections.plain.lives import notation

    ids = reading.ids
    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    (told,) = notation(moment.table, (live,), place=ids.place)
    return Happened(
        ids.at(moment.position),
        moment.position if ids.open else None,
        moment.envelope.at,
        moment.event.kind,
        ids.counted(moment.event.shown()),
        told,
        reading.visible_to(moment.envelope),
    )


def choices_at(table: Table) -> Iterator[tuple[int, Command, str]]:
    """Who may say what at this table, and what it would come to."""
    from journal.language.proposed import actions_at

    for seen in actions_at(table):
        for moves in seen.moves:
            for way in moves.ways:
                if way.command is not None:
                    yield moves.person, way.command, way.said
        for choice in (*seen.choices, *seen.beside):
            yield choice.who, choice.command, choice.comes_to
