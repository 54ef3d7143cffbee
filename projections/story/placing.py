"""Placing: in which scene and passage of a story each event is told, with headings, maps and status lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Self

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.capabilities import HasMap
from retold.journal.guarding import answer_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.maps.picture import picture
from retold.projections.prose import Voice, ends_turn
from retold.projections.prose.articles import no_name
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag, Telling
from retold.projections.reading import Ids, LateAdditions, Moment, Viewer, timing
from retold.projections.reading.sessions import Stretch
from retold.projections.story import document
from retold.projections.story.attendance import Attendance
from retold.projections.story.passages import PassageBuilder, SceneBuilder
from retold.projections.story.status_line import StatusLines
from retold.projections.views.naming import conflict_name, conflict_title


class Scope(Struct, frozen=True):
    """Positions that a story tells, the voice that tells them, and the viewer it is for."""

    voice: Voice
    viewer: Viewer
    ids: Ids
    stretch: Stretch
    begins: Table
    """Table state before the first position."""
    additions: LateAdditions
    """Words about these positions that were recorded later."""
    opened: timing.EventTime | None = None
    prefix: str = ""
    """Prefix of heading ids, so that several lines can share a page."""
    ribbon: bool = False
    """True if status lines of conflicts are told."""
    kept_back: frozenset[int] = frozenset()
    """Positions of words told at their revelation."""
    known_to_some: frozenset[int] = frozenset()
    """Revealed words that other viewers knew before."""
    extremes: Mapping[int, str] = {}
    """Positions of the highest and lowest rolls of the sessions, with the words for them."""
    is_proper: Callable[[str], bool] = no_name
    """Returns True for a role that is a name in the table's words: `says Miller`."""
    pronouns: Callable[[], Mapping[int, str]] = dict
    """Returns the last pronouns of people in the record, also if they were said after the story."""


class Placed(Struct, frozen=True):
    """An event, with the scene and the passage in which it is told."""

    telling: Telling
    scene: SceneBuilder
    passage: PassageBuilder
    conflict: OpenConflict | None
    """The conflict of the event, as it was last."""
    is_later: bool
    """True for words recorded later, which are told at the moment they are about."""
    opens: bool
    """True for an event of the act that opened the last conflict."""


class Placing(Struct):
    """State of placing: the current scene, conflicts so far, attendance, and what is still to be placed."""

    scope: Scope
    attendance: Attendance
    ribbons: StatusLines | None
    """Status lines of conflicts, if they are told."""
    variations: list[tuple[int, document.Variation]]
    """Variations with their last shared positions, in order."""
    later: list[int]
    """Positions of events about which words were recorded later."""
    fought: dict[int, OpenConflict]
    headings: dict[int, document.Conflict]
    scene: SceneBuilder = field(default_factory=SceneBuilder)
    systems: dict[str, None] = field(default_factory=dict)
    """Games with a conflict, in order of their first."""
    carries: bool = False
    """True if conflicts, or words told later, go on behind the last event."""
    _returns: Counter[str] = field(default_factory=Counter)
    """Number of returns to a conflict, by heading id."""
    _opening_act: str | None = None
    _last: tuple[str, type[Event]] = "", Event
    """Act and kind of the last event."""

    @classmethod
    def beginning(cls, scope: Scope, there: Table, variations: list[tuple[int, document.Variation]]) -> Self:
        """Returns the state before the first event; `there` is the table state just before it."""
        stretch, open_ = scope.stretch, scope.begins.conflicts
        words = () if scope.voice.as_recorded else scope.additions.words
        return cls(
            scope,
            Attendance.beginning(there),
            StatusLines.beginning(there) if scope.ribbon else None,
            variations,
            sorted(at for at in words if stretch.after < at <= stretch.upto),
            dict(open_),
            {number: _heading(conflict, scope.begins, scope) for number, conflict in open_.items()},
        )

    def turn_to(self, moment: Moment) -> None:
        """Begins a session's chapter, a scene or a passage if the moment's event begins one."""
        event, table = moment.event, moment.table
        if isinstance(event, e.SessionOpened) and self.scope.stretch.session is None:
            title = None if event.title is None else str(event.title)
            self._begin(SceneBuilder(chapter=document.Chapter(event.session, title, event.date)), table)
        elif isinstance(event, e.SceneSet):
            self._begin(SceneBuilder(f"{self.scope.prefix}s{event.scene}", str(event.title)), table)
        elif isinstance(event, e.SessionClosed) and self.scope.voice.story:
            self.scene.passages.append(PassageBuilder(None))  # for words after the session
        if isinstance(event, e.ConflictOpened):
            self._opening_act = moment.envelope.act
        number: int | None = getattr(event, "conflict", None)
        here = self.scene.passage.conflict
        if number is not None:
            self._turn_to_conflict(number, table)
        elif here is not None and here.number not in table.conflicts:
            self.scene.passages.append(PassageBuilder(None))

    def _begin(self, scene: SceneBuilder, table: Table) -> None:
        self.draw_open(table)
        if scene.id is not None and self.scene.id is None:
            scene.introduced = self.scene.opening()
        self.scene = scene

    def _turn_to_conflict(self, number: int, table: Table) -> None:
        conflict = table.conflicts.get(number)
        if conflict is not None:
            self.systems[conflict.system] = None
            self.fought[number] = conflict
        fought, here = self.fought.get(number), self.scene.passage.conflict
        if self.scope.voice.story or (here is not None and here.number == number):
            return
        heading = self.headings.get(number)
        if heading is not None:
            self._returns[heading.id] += 1
            again = f"{heading.id}-{self._returns[heading.id] + 1}"
            sides = heading.sides if fought is None else _heading(fought, table, self.scope).sides
            heading = replace(heading, id=again, continued=True, sides=sides)
        elif conflict is not None:
            heading = self.headings[number] = _heading(conflict, table, self.scope)
        else:
            return
        self.scene.passages.append(PassageBuilder(heading))

    def sum_up(self, moment: Moment) -> None:
        """Writes a conflict's status line at the end of a turn, if status lines are switched on."""
        if self.ribbons is None:
            return
        number: int | None = getattr(moment.event, "conflict", None)
        if not ends_turn(type(moment.event)):
            number = moment.table.addressed if number is None else number
            self.ribbons.see(moment.table, moment.position, number)
        elif number is not None and (ribbon := self.ribbons.due(number)):
            id_ = f"{self.scope.ids.at(ribbon.at)}r"
            self.scene.passage.write(document.Paragraph(id_, Tag.RIBBON, ribbon.text))

    def place(self, moment: Moment, *, is_later: bool = False) -> Placed:
        """Returns the event of a moment with the current scene and passage."""
        scope, (act, kind) = self.scope, self._last
        follows = kind if act == moment.envelope.act else None
        present, out = scope.voice.tense == "present", self.scene.out
        telling = Telling(
            *(moment, self.attendance.names, scope.ids, scope.voice.phrases, follows, present, out),
            is_proper=scope.is_proper,
        )
        conflict = self.fought.get(getattr(moment.event, "conflict", None) or 0)
        opens = self._opening_act == moment.envelope.act
        return Placed(telling, self.scene, self.scene.passage, conflict, is_later, opens)

    def leave(self, moment: Moment) -> None:
        """Notes who was there, once the event of a moment is told, and draws the map of an ended conflict."""
        if isinstance(moment.event, e.ConflictEnded):
            self._draw(self.scene.passage, moment.table)
        self.attendance.hear(moment)
        self._last = moment.envelope.act, type(moment.event)

    def told_later(self, upto: int) -> Iterator[Placed]:
        """Yields words recorded later about positions up to `upto`."""
        while self.later and self.later[0] <= upto:
            for recorded in self.scope.additions.words[self.later.pop(0)]:
                if isinstance(recorded.event, Event):
                    yield self.place(Moment(recorded, recorded.event, self.scope.begins), is_later=True)

    def branch_off(self, upto: int) -> None:
        """Places the variations that leave the story up to a position."""
        while self.variations and self.variations[0][0] <= upto:
            self.scene.passage.leave(self.variations.pop(0)[1])

    def draw_open(self, table: Table) -> None:
        """Adds a map under the last passage of each open conflict of this scene."""
        last = {passage.conflict.number: passage for passage in self.scene.passages if passage.conflict}
        for number, passage in last.items():
            if number in table.conflicts:
                self._draw(passage, table)

    def _draw(self, passage: PassageBuilder, table: Table) -> None:
        """Sets the passage's map to the latest map of its conflict."""
        heading = passage.conflict
        if heading is not None and heading.number in self.fought:
            passage.plate = _plate(self.fought[heading.number], table, heading, self.scope.voice.phrases)


def placed(
    moments: Iterable[Moment], table: Table, here: Placing, also: Callable[[Moment], None] | None = None
) -> Iterator[Placed]:
    """Yields each event of a story where it is told, and words recorded later at the moment they are about.

    `table` is the table state, which the moments change. Callers tell an event before they ask for the next
    one: maps, status lines and variations are put behind it. `also` is called with each moment that is told.
    """
    scope = here.scope
    for moment in moments:
        position = moment.position
        yield from here.told_later(position - 1)
        here.branch_off(position - 1)
        if position not in scope.kept_back:
            here.turn_to(moment)
            here.sum_up(moment)
            yield here.place(moment)
            here.leave(moment)
            yield from here.told_later(position)
        if also is not None:
            also(moment)
    here.carries = bool(here.later or table.conflicts)
    yield from here.told_later(scope.stretch.upto)
    here.branch_off(scope.stretch.upto)
    here.draw_open(table)


def _heading(conflict: OpenConflict, table: Table, scope: Scope) -> document.Conflict:
    """Returns the heading of an open conflict, with sides and stakes."""
    phrases = scope.voice.phrases
    gm = phrases.say("names.gm")
    of_scene = conflict.title is not None and str(conflict.title) == str(table.scene_title)
    return document.Conflict(
        f"{scope.prefix}c{conflict.id}",
        conflict.id,
        conflict_name(None, conflict.sides, table, gm)
        if of_scene  # whose heading stands above it
        else conflict_title(conflict, table, gm),
        called_in(phrases, conflict.system, table),
        tuple(tuple(table.shown(person, gm) for person in side) for side in conflict.sides),
        None if conflict.stakes is None else str(conflict.stakes),
    )


def called_in(phrases: Phrases, system: str, table: Table) -> str:
    """Returns the title of a game in a voice's words."""
    return phrases.named(system, SYSTEMS[system].called(table))


def short_name(phrases: Phrases, system: str, table: Table) -> str:
    """Returns the name of a game in a file as it was chosen, such as d20; the title of any other game."""
    game = SYSTEMS[system]
    return (game.name_at(table) if game.unnamed else "") or called_in(phrases, system, table)


def _plate(
    conflict: OpenConflict, table: Table, heading: document.Conflict, phrases: Phrases
) -> document.Plate | None:
    """Returns the current map of a conflict, under the given heading; None if the conflict has no map."""
    if not isinstance(conflict.state, HasMap):
        return None
    plan = answer_of(conflict.system, conflict.state.plan, None)
    if plan is None or not plan.zones:
        return None
    gm = phrases.say("names.gm")
    drawn = picture(heading.title, plan, lambda who: table.shown(who, gm), phrases=phrases)
    return document.Plate(f"{heading.id}-map", heading.title, drawn)
