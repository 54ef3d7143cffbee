"""Postcards: one event as a picture, with its words, cards and dice, outcome, and people's state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.capabilities import Picture, Row
from retold.journal.decks import dice
from retold.journal.grouping import grouped
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.store.events.codec import Recorded
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.projections.exports.blocks import Told
from retold.projections.exports.page_elements import Furniture
from retold.projections.plain.lives import notation
from retold.projections.postcards.formats import FORMATS, check_format, rendered
from retold.projections.postcards.value import Die, Fallen, PersonState, Postcard
from retold.projections.prose import Voice, due_of, ends_turn
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView, Moment
from retold.projections.reading.sessions import Stretch
from retold.projections.story import document
from retold.projections.story.transcript.build import of_stretch
from retold.projections.story.variations import TellingOptions
from retold.projections.texts import safe
from retold.projections.views import balance, decks
from retold.projections.views.naming import conflict_title, fallen_by_conflict
from retold.projections.views.rows import rows

__all__ = ["FORMATS", "Postcard", "check_format", "postcard", "rendered"]


MOST_SHOWN: Final = 5
"""Maximum number of columns on a card."""

ROWS: Final = 2
"""Maximum number of rows in a column."""

_FIRST: Final = (
    *(Picture.HEALTH, Picture.STRESS, Picture.FALLOUT, Picture.SLOT),
    *(Picture.POINTS, Picture.CLOCK, Picture.BOXES, Picture.COUNTER, Picture.NUMBER),
)
"""Row drawings in order of importance."""


def standings(
    reading: LineView, position: int, acting: Sequence[int], phrases: Phrases
) -> Iterator[PersonState]:
    """Yields states (health, points …) of people acting and of others in their conflict.

    At most `MOST_SHOWN`, including the conflict's balance, things and clocks.
    """
    table = reading.table_at(position)
    conflict = _fought(table, acting)
    there = () if conflict is None else conflict.people
    people = dict.fromkeys((*(acting if len(there) >= MOST_SHOWN else ()), *there, *acting))
    shown = [*_balanced(table, conflict), *_people(table, conflict, people, phrases)]
    yield from (*shown, *_ownerless(table, conflict, phrases))[:MOST_SHOWN]


def _fought(table: Table, acting: Sequence[int]) -> OpenConflict | None:
    """Returns the conflict of the people acting, preferably the addressed one; None without a conflict."""
    spoken = table.in_play()
    found = [
        conflict for conflict in table.conflicts.values() if set(acting) & set(conflict.people) or not acting
    ]
    return spoken if spoken in found else next(iter(found), None)


def _people(
    table: Table, conflict: OpenConflict | None, people: Iterable[int], phrases: Phrases
) -> Iterator[PersonState]:
    out = {person for fallen in fallen_by_conflict(table) for person in fallen}
    lie = {
        pool.who.id: pool.dice
        for pool in decks.pools_of(table).pools
        if conflict is not None and pool.conflict == conflict.id
    }
    for number in people:
        whose = table.people.get(number)
        if whose is None:
            continue
        mine = [
            row
            for row in _rows(table, conflict, phrases)
            if row.who is not None and row.who in (whose.id, whose.player)
        ]
        dice = tuple(lie.get(whose.id, ()))
        kept = _worth_most(mine)[: ROWS - bool(dice)]
        if kept or dice:
            fallen = whose.id in out or any(row.out for row in mine)
            yield PersonState(safe.line(table.shown(whose.id)), tuple(kept), dice, out=fallen)


def _ownerless(table: Table, conflict: OpenConflict | None, phrases: Phrases) -> Iterator[PersonState]:
    """Yields states of things, and of clocks and counters without an owner."""
    theirs = grouped(
        (row.what if row.who is None else safe.line(row.who), row)
        for row in _rows(table, conflict, phrases)
        if not isinstance(row.who, int)
    )
    for name, mine in theirs.items():
        yield PersonState(name, tuple(_worth_most(mine)[:ROWS]))


def _rows(table: Table, conflict: OpenConflict | None, phrases: Phrases) -> Iterator[Row]:
    """Yields counters of the conflict's game (of any game if `conflict` is None), in the page's words."""
    for kept in rows(table):
        there = kept.conflict is None or conflict is None or kept.conflict.id == conflict.id
        if there and (conflict is None or kept.system == conflict.system) and _says_something(kept.row):
            words = tuple(None if text is None else safe.line(text) for text in kept.row.words)
            named = safe.line(phrases.named(kept.system, kept.row.what, kept.row.value))
            yield replace(kept.row, what=named, words=words)


def _says_something(row: Row) -> bool:
    if row.picture is Picture.SLOT:
        return any(row.words)
    return row.value > 0 or row.most is not None


def _worth_most(mine: Iterable[Row]) -> list[Row]:
    """Returns counters sorted by importance: changed ones first, and health before points."""
    return sorted(mine, key=lambda row: (not _is_touched(row), _FIRST.index(row.picture)))


def _is_touched(row: Row) -> bool:
    whole = row.picture is Picture.HEALTH or (row.picture is Picture.POINTS and row.most is not None)
    return row.value != row.most if whole else row.value > 0


def _balanced(table: Table, conflict: OpenConflict | None) -> Iterator[PersonState]:
    for stands in balance.of_table(table).open:
        if conflict is not None and stands.conflict == conflict.id:
            favoured = f": {stands.advantaged.name}" if stands.advantaged else ""
            yield PersonState("Balance", said=safe.line(f"{stands.level}{favoured}"))


def falls(event: object) -> bool:
    """True for an event that draws cards or rolls dice."""
    return isinstance(event, e.CardsDrawn | e.DiceRolled)


def lying(events: Iterable[Event], names: Mapping[int, str]) -> tuple[Fallen, ...]:
    """Returns cards and dice on the table after `events`, a heap for each draw or roll.

    Dice that a total does not keep are marked.
    """
    heaps: list[Fallen] = []
    for event in events:
        who = getattr(event, "who", None)
        name = safe.line(names.get(who, "")) if isinstance(who, int) else ""
        if isinstance(event, e.CardsDrawn):
            heaps.append(Fallen(name, cards=tuple(map(safe.line, event.cards))))
        elif isinstance(event, e.DiceRolled):
            heaps.append(Fallen(name, dice=tuple(map(Die, dice.parse_sizes(event.dice), event.faces))))
        elif isinstance(event, e.TotalReached):
            _count(heaps, event)
        elif forward := _put_forward(event):
            heaps.append(Fallen(name, dice=forward))
    return tuple(heap for heap in heaps if heap.cards or heap.dice)


def _count(heaps: list[Fallen], event: e.TotalReached) -> None:
    if not event.saw or event.kept is None or not heaps:
        return
    last = heaps[-1]
    heaps[-1] = Fallen(
        last.who, dice=tuple(die._replace(counts=nth in event.kept) for nth, die in enumerate(last.dice, 1))
    )


def _put_forward(event: Event) -> tuple[Die, ...]:
    """Returns dice that an event with a total picked from a pool; empty for other events."""
    picked = getattr(event, "dice", None)
    if not isinstance(picked, tuple) or not hasattr(event, "total"):
        return ()
    return tuple(Die(None, face) for face in picked)


_SWEEPING: Final = (e.SessionOpened, e.SceneSet, e.ConflictOpened, e.ConflictEnded)
"""Event kinds that begin something new, so that earlier mechanics are irrelevant."""


def postcard(reading: LineView, position: int, voice: Voice, *, mechanics: bool = True) -> Postcard:
    """Returns the postcard of the event at `position`, told by `voice`; without `mechanics`, its text alone.

    Raises Refused if the position has no event, an undone one, or none visible to the viewer; all give the
    same sentence.
    """
    moment = _moment(reading, position)
    stretch = _stretch(reading, position)
    transcript = of_stretch(reading, stretch, TellingOptions(voice))
    found = _found(reading, stretch, transcript, moment)
    beside = _Beside.of(reading, stretch, transcript, moment, found) if mechanics else None
    campaign = transcript.head.campaign or transcript.phrases.say("page.campaign")
    headings = [campaign, *_headings(stretch, moment, transcript)]
    told = Told(found) if found is not None and found.text else None
    words = headings.pop() if told is None else told.text
    return Postcard(
        reading.ids.at(position),
        safe.line("".join(headings[:1])),
        safe.line(" · ".join(headings[1:])),
        safe.text(words),
        "" if told is None else safe.line(told.label),
        told is None,
        told is not None and told.is_slanted,
        () if beside is None else beside.fell(),
        "" if beside is None else safe.line(beside.came()),
        () if beside is None else tuple(standings(reading, beside.last, beside.acting(), voice.phrases)),
        transcript.lang,
    )


def _moment(reading: LineView, position: int) -> Moment:
    if position > reading.position:
        if not reading.viewer.gm:
            raise Refused("That moment has not come yet: choose an earlier one.")
        raise Refused(f"Moment {position} has not come yet: it is known up to {reading.position}.")
    moment = next(reading.moments(position - 1, position), None)
    if moment is not None:
        return moment
    viewer = reading.viewer
    if viewer.gm:
        raise Refused(f"Moment {position} was undone: choose another moment (retold log).")
    raise Refused("Nothing at that moment may be shown to them: choose another.")


def _stretch(reading: LineView, position: int) -> Stretch:
    """Returns positions of the session around `position`, or of the time between two sessions."""
    sessions = reading.sessions
    begun = [number for number, at in sessions.opened.items() if at <= position]
    coming = [at for at in sessions.opened.values() if at > position]
    upto = min(coming) - 1 if coming else reading.position
    if not begun:
        return Stretch(0, upto)
    session = sessions.stretch(begun[-1])
    return session if position <= session.upto else Stretch(session.upto, upto)


# --- what is told -----------------------------------------------------------------------------------------


def _found(
    reading: LineView, stretch: Stretch, transcript: document.Transcript, moment: Moment
) -> document.Paragraph | None:
    """Returns the paragraph with the event's own words, else with its cards or dice; None without either.

    Words of another act are taken only where the purpose of a draw was declared, or is told later.
    """
    ids, id_ = reading.ids, reading.ids.at(moment.position)
    paragraphs = [paragraph for paragraph in transcript.paragraphs() if paragraph.kind is not Tag.RIBBON]
    own = [paragraph for paragraph in paragraphs if ids.event(paragraph.id) == id_]
    own += (
        document.Paragraph(
            id_, Tag.QUOTE, f"{quote.quotes[0]}{quote.text}{quote.quotes[1]}", label=quote.who or ""
        )
        for quote in transcript.end.quotes
        if quote.id == id_
    )
    beside = (page for page in paragraphs if any(mechanic.id == id_ for mechanic in page.mechanics))
    own += (page for page in beside if not page.text or _tells(reading, stretch, ids.event(page.id), moment))
    return next((paragraph for paragraph in own if paragraph.text), next(iter(own), None))


def _tells(reading: LineView, stretch: Stretch, id_: str, moment: Moment) -> bool:
    """True if the words of the event `id_` are those of the moment's act, declared it or tell it later."""
    who = getattr(moment.event, "who", getattr(moment.event, "winner", None))
    for recorded in reading.recorded(stretch.after, stretch.upto):
        if reading.ids.at(recorded.position) == id_:
            is_own = recorded.envelope.act == moment.envelope.act
            is_about = isinstance(recorded.event, e.Declared) or recorded.position > moment.position
            return is_own or (is_about and getattr(recorded.event, "who", None) in (who, GM))
    return False


def _headings(stretch: Stretch, moment: Moment, transcript: document.Transcript) -> Iterator[str]:
    """Yields titles of the session, scene and conflict in which the event happened."""
    table, opened = moment.table, stretch.session
    if opened is not None:
        title = None if opened.title is None else str(opened.title)
        yield Furniture(transcript.phrases).chapter(document.Chapter(opened.session, title, None))
    if table.scene_title is not None:
        yield str(table.scene_title)
    conflict = table.conflicts.get(getattr(moment.event, "conflict", None) or 0)
    if conflict is not None:
        yield conflict_title(conflict, table, transcript.phrases.say("names.gm"))


# --- cards, dice and numbers ----------------------------------------------------------------------------


class _Line(NamedTuple):
    """Text line on an event's cards, dice or numbers, with the event, its position and its act (command)."""

    position: int
    act: str
    event: Event
    text: str


class _Beside(Struct, frozen=True):
    """Cards, dice and numbers of an event: those of its paragraph, and earlier ones of the turn."""

    moment: Moment
    of_it: tuple[_Line, ...]
    before: tuple[_Line, ...]
    names: Mapping[int, str]
    notation: str
    """Notation of the moment's event, if no words tell it."""

    @classmethod
    def of(
        cls,
        reading: LineView,
        stretch: Stretch,
        transcript: document.Transcript,
        moment: Moment,
        found: document.Paragraph | None,
    ) -> _Beside:
        """Collects cards, dice and numbers that belong to an event.

        `found` is its paragraph in `transcript`.
        """
        known = {
            reading.ids.at(recorded.position): recorded
            for recorded in reading.recorded(stretch.after, stretch.upto)
        }
        act, at = moment.envelope.act, moment.position
        beside = () if found is None else _lines(found.mechanics, known)
        is_announced = isinstance(moment.event, e.Declared)  # and drawn for in the acts that follow
        of_it = tuple(line for line in beside if is_announced or line.act == act or line.position < at)
        every = (mechanic for page in transcript.paragraphs() for mechanic in page.mechanics)
        lines = list(_lines(every, known))
        before = [line for line in lines if line.position <= at]
        if found is None:
            of_it, before = tuple(line for line in lines if line.act == act), []
        noted = "" if found is not None and found.text else _noted(reading, moment)
        names = {number: moment.table.shown(number) for number in moment.table.people}
        return cls(moment, of_it, tuple(_spoken_of(moment, _since_turned(before))), names, noted)

    @property
    def is_told(self) -> bool:
        """True if the event is a person's words, without cards, dice or numbers of its own."""
        return not any(self._is_own(line) for line in self.of_it)

    @property
    def last(self) -> int:
        """Position of the last event that the postcard shows."""
        shown = () if not self.is_told else self.of_it
        return max((self.moment.position, *(line.position for line in shown)))

    def fell(self) -> tuple[Fallen, ...]:
        """Returns cards and dice of the event, or of earlier events its words refer to."""
        if not self.is_told:
            own = [line for line in self.of_it if self._is_own(line)]
            act = [line for line in self.of_it if line.act == self.moment.envelope.act]
            return lying(self._events(own), self.names) or lying(self._events(_last_act(act)), self.names)
        who = getattr(self.moment.event, "who", None)
        own = [line for line in self.of_it if getattr(line.event, "who", None) == who]
        act = _last_act(own) or _last_act(self.of_it)
        fell = lying(self._events(act), self.names)
        return fell or lying(self._events(_last_act(self.before)), self.names)

    def came(self) -> str:
        """Returns the outcome of the event, in notation."""
        own = [line for line in self.of_it if self._is_own(line)]
        if own and not falls(own[0].event):
            return own[0].text
        here = [line for line in self.of_it if not falls(line.event)]
        if own:
            here = [line for line in here if line.position > self.moment.position][:1] or own
        decided = [
            line for line in (*here, *([] if own else self.before)) if due_of(type(line.event)) is not None
        ]
        if own or here or decided:
            return (decided or here)[0 if own else -1].text
        return self.notation

    def acting(self) -> tuple[int, ...]:
        """Returns numbers of people who act in the event."""
        events = [self.moment.event, *self._events(self.of_it)]
        return tuple(
            dict.fromkeys(who for event in events if isinstance(who := getattr(event, "who", None), int))
        )

    def _is_own(self, line: _Line) -> bool:
        return line.position == self.moment.position

    def _events(self, lines: Iterable[_Line]) -> list[Event]:
        return [line.event for line in lines]


def _noted(reading: LineView, moment: Moment) -> str:
    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    return next(notation(moment.table, (live,), named=False, place=reading.ids.place))


def _lines(mechanics: Iterable[document.Mechanic], known: Mapping[str, Recorded]) -> Iterator[_Line]:
    for mechanic in mechanics:
        recorded = known.get(mechanic.id)
        if recorded is not None and isinstance(recorded.event, Event):
            yield _Line(recorded.position, recorded.envelope.act, recorded.event, mechanic.text)


def _since_turned(lines: Iterable[_Line]) -> list[_Line]:
    """Returns text lines since the last end of a turn, or change of scene, session or conflict."""
    kept: list[_Line] = []
    for line in lines:
        event = line.event
        if isinstance(event, _SWEEPING) or ends_turn(type(event)):
            kept = []
        else:
            kept.append(line)
    return kept


def _spoken_of(moment: Moment, before: Sequence[_Line]) -> Sequence[_Line]:
    """Returns lines of `before` to which the event's words may refer.

    In a conflict: without other people's throws, or all lines if the speaker threw nothing. Elsewhere: the
    last throw, if it is the speaker's, or if the game master speaks directly after it.
    """
    who = getattr(moment.event, "who", None)
    thrown = [place for place, line in enumerate(before) if falls(line.event)]
    own = [place for place in thrown if getattr(before[place].event, "who", None) == who]
    if getattr(moment.event, "conflict", None) is not None:
        theirs = {*thrown} - {*own} if own else set()
        return [line for place, line in enumerate(before) if place not in theirs]
    if not thrown or (who != GM and own[-1:] != thrown[-1:]):
        return ()
    return [
        line
        for line in before
        if line.act == before[thrown[-1]].act and (who != GM or before[-1].act == line.act)
    ]


def _last_act(lines: Iterable[_Line]) -> list[_Line]:
    """Returns lines of the last act (one command's events) with cards or dice; empty without any."""
    every = list(lines)
    acts = [line.act for line in every if falls(line.event)]
    return [line for line in every if acts and line.act == acts[-1]]
