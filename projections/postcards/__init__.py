"""A card of one moment, to post: what was told, what fell, what came of it, and how those in it stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from journal.capabilities import Picture, Row
from journal.decks import dice
from journal.line import LiveEvent
from journal.refused import Refused
from journal.store.codec import Recorded
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event
from projections import document, safe
from projections.exports import page_elements
from projections.plain.lives import notation
from projections.postcards.formats import FORMATS, check_format, rendered
from projections.postcards.value import Die, Fallen, PersonState, Postcard
from projections.prose import Voice, due_of, ends_turn
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag
from projections.reading import Ids, LineView, Moment
from projections.reading.sessions import Stretch
from projections.transcript.build import of_stretch
from projections.transcript.variations import TellingOptions
from projections.views import balance, decks
from projections.views.naming import conflict_title, fallen_by_conflict
from projections.views.rows import rows

__all__ = ["FORMATS", "Postcard", "check_format", "postcard", "rendered"]


MOST_SHOWN: Final = 5
"""Columns on a card."""

ROWS: Final = 2
"""Rows in a column."""

_FIRST: Final = (
    *(Picture.HEALTH, Picture.STRESS, Picture.FALLOUT, Picture.SLOT),
    *(Picture.POINTS, Picture.CLOCK, Picture.BOXES, Picture.COUNTER, Picture.NUMBER),
)
"""What is shown before what."""


def standings(
    reading: LineView, position: int, acting: Sequence[int], phrases: Phrases
) -> Iterator[PersonState]:
    """How those who act stand after a position, and those who are in a conflict with them; not too many."""
    table = reading.table_at(position)
    conflict = _fought(table, acting)
    there = () if conflict is None else conflict.people
    people = dict.fromkeys((*(acting if len(there) >= MOST_SHOWN else ()), *there, *acting))
    shown = [*_balanced(table, conflict), *_people(table, conflict, people, phrases)]
    yield from (*shown, *_nobodys(table, conflict, phrases))[:MOST_SHOWN]


def _fought(table: Table, acting: Sequence[int]) -> OpenConflict | None:
    """The conflict they are in, the one spoken of first."""
    spoken = table.in_play()
    found = [one for one in table.conflicts.values() if set(acting) & set(one.people) or not acting]
    return spoken if spoken in found else next(iter(found), None)


def _people(
    table: Table, conflict: OpenConflict | None, people: Iterable[int], phrases: Phrases
) -> Iterator[PersonState]:
    out = {one for fallen in fallen_by_conflict(table) for one in fallen}
    lie = {
        one.who.id: one.dice
        for one in decks.pools_of(table).pools
        if conflict is not None and one.conflict == conflict.id
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


def _nobodys(table: Table, conflict: OpenConflict | None, phrases: Phrases) -> Iterator[PersonState]:
    """Clocks and the like, and what things have."""
    theirs: dict[str, list[Row]] = {}
    for row in _rows(table, conflict, phrases):
        if not isinstance(row.who, int):
            theirs.setdefault(row.what if row.who is None else safe.line(row.who), []).append(row)
    for name, mine in theirs.items():
        yield PersonState(name, tuple(_worth_most(mine)[:ROWS]))


def _rows(table: Table, conflict: OpenConflict | None, phrases: Phrases) -> Iterator[Row]:
    """Every row of the game that is played, or of any where none is, called as a page calls it."""
    for kept in rows(table):
        there = kept.conflict is None or conflict is None or kept.conflict.id == conflict.id
        if there and (conflict is None or kept.system == conflict.system) and _says_something(kept.row):
            words = tuple(None if one is None else safe.line(one) for one in kept.row.words)
            named = safe.line(phrases.named(kept.system, kept.row.what, kept.row.value))
            yield kept.row._replace(what=named, words=words)


def _says_something(row: Row) -> bool:
    if row.picture is Picture.SLOT:
        return any(row.words)
    return row.value > 0 or row.most is not None


def _worth_most(mine: Iterable[Row]) -> list[Row]:
    """What has changed before what is whole, and health before money."""
    return sorted(mine, key=lambda row: (not _is_touched(row), _FIRST.index(row.picture)))


def _is_touched(row: Row) -> bool:
    whole = row.picture is Picture.HEALTH or (row.picture is Picture.POINTS and row.most is not None)
    return row.value != row.most if whole else row.value > 0


def _balanced(table: Table, conflict: OpenConflict | None) -> Iterator[PersonState]:
    for one in balance.of_table(table).open:
        if conflict is not None and one.conflict == conflict.id:
            favoured = f": {one.advantaged.name}" if one.advantaged else ""
            yield PersonState("Balance", said=safe.line(f"{one.level}{favoured}"))


def falls(event: object) -> bool:
    """True for an event that lays cards or dice on the table, and says no more than that."""
    return isinstance(event, e.CardsDrawn | e.DiceRolled)


def lying(events: Iterable[Event], names: Mapping[int, str]) -> tuple[Fallen, ...]:
    """What lies there after these events, heap by heap; dice that do not count are known by their total."""
    heaps: list[Fallen] = []
    for event in events:
        who = getattr(event, "who", None)
        name = safe.line(names.get(who, "")) if isinstance(who, int) else ""
        if isinstance(event, e.CardsDrawn):
            heaps.append(Fallen(name, cards=tuple(map(safe.line, event.cards))))
        elif isinstance(event, e.DiceRolled):
            heaps.append(Fallen(name, dice=_thrown(event)))
        elif isinstance(event, e.TotalReached):
            _count(heaps, event)
        elif forward := _put_forward(event):
            heaps.append(Fallen(name, dice=forward))
    return tuple(one for one in heaps if one.cards or one.dice)


def _thrown(event: e.DiceRolled) -> tuple[Die, ...]:
    return tuple(map(Die, dice.parse_sizes(event.dice), event.faces))


def _count(heaps: list[Fallen], event: e.TotalReached) -> None:
    if not event.saw or event.kept is None or not heaps:
        return
    last = heaps[-1]
    heaps[-1] = Fallen(
        last.who, dice=tuple(one._replace(counts=nth in event.kept) for nth, one in enumerate(last.dice, 1))
    )


def _put_forward(event: Event) -> tuple[Die, ...]:
    """Dice that somebody picks of those that lie there, where a total is said of them."""
    picked = getattr(event, "dice", None)
    if not isinstance(picked, tuple) or not hasattr(event, "total"):
        return ()
    return tuple(Die(None, face) for face in picked)


_SWEEPING: Final = (e.SessionOpened, e.SceneSet, e.ConflictOpened, e.ConflictEnded)
"""The kinds before which something else was going on."""


def postcard(reading: LineView, position: int, voice: Voice, *, mechanics: bool = True) -> Postcard:
    """The card of the event at a position, as told by a voice; without `mechanics`, of its words alone.

    Refused where nothing counts at that position, or nothing that this viewer may see: which is not said.
    """
    moment = _moment(reading, position)
    stretch = _stretch(reading, position)
    told = of_stretch(reading, stretch, TellingOptions(voice))
    found = _found(told, reading.ids, reading.ids.at(position))
    beside = _Beside.of(reading, stretch, told, moment, found) if mechanics else None
    campaign = told.head.campaign or told.phrases.say("page.campaign")
    headings = [campaign, *_headings(stretch, moment, told)]
    heading = found is None or not found.text
    words = headings.pop() if found is None or heading else page_elements.marked_speech(found)
    return Postcard(
        reading.ids.at(position),
        safe.line("".join(headings[:1])),
        safe.line(" · ".join(headings[1:])),
        safe.text(words),
        "" if found is None or heading else safe.line(page_elements.label(found)),
        heading,
        found is not None and not heading and page_elements.slanted(found),
        () if beside is None else beside.fell(),
        "" if beside is None else safe.line(beside.came()),
        () if beside is None else tuple(standings(reading, beside.last, beside.acting(), voice.phrases)),
        told.lang,
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
    raise Refused("There is nothing at that moment that may be shown to them: choose another.")


def _stretch(reading: LineView, position: int) -> Stretch:
    """The evening in which a position lies, or else what lies between two."""
    evenings = reading.evenings
    begun = [number for number, at in evenings.opened.items() if at <= position]
    coming = [at for at in evenings.opened.values() if at > position]
    upto = min(coming) - 1 if coming else reading.position
    if not begun:
        return Stretch(0, upto)
    evening = evenings.stretch(begun[-1])
    return evening if position <= evening.upto else Stretch(evening.upto, upto)


# --- what is told -----------------------------------------------------------------------------------------


def _found(told: document.Transcript, ids: Ids, id_: str) -> document.Paragraph | None:
    """What tells the event of that id: its own words, else those its numbers stand with."""
    paragraphs = [one for one in _paragraphs(told) if one.kind is not Tag.RIBBON]
    own = [one for one in paragraphs if ids.event(one.id) == id_]
    own += (
        document.Paragraph(
            id_, Tag.QUOTE, f"{quote.quotes[0]}{quote.text}{quote.quotes[1]}", label=quote.who or ""
        )
        for quote in told.end.quotes
        if quote.id == id_
    )
    own += (one for one in paragraphs if any(each.id == id_ for each in one.mechanics))
    return next((one for one in own if one.text), next(iter(own), None))


def _paragraphs(told: document.Transcript) -> Iterator[document.Paragraph]:
    return (one for scene in told.scenes for passage in scene.passages for one in passage.paragraphs)


def _headings(stretch: Stretch, moment: Moment, told: document.Transcript) -> Iterator[str]:
    """Where it stands: under which session, scene and conflict, the widest first."""
    table, opened = moment.table, stretch.session
    if opened is not None:
        title = None if opened.title is None else str(opened.title)
        yield page_elements.Furniture(told.phrases).chapter(document.Chapter(opened.session, title, None))
    if table.scene_title is not None:
        yield str(table.scene_title)
    conflict = table.conflicts.get(getattr(moment.event, "conflict", None) or 0)
    if conflict is not None:
        yield conflict_title(conflict, table, told.phrases.say("names.gm"))


# --- what stands beside it --------------------------------------------------------------------------------


class _Line(NamedTuple):
    """An event, where it stands and in which act, and its line of mechanics."""

    position: int
    act: str
    event: Event
    text: str


class _Beside(Struct, frozen=True):
    """What belongs to a moment beside its words: the numbers that stand with these, and those before."""

    moment: Moment
    of_it: tuple[_Line, ...]
    before: tuple[_Line, ...]
    names: Mapping[int, str]
    notation: str
    """Its own line of the log, where no words tell it."""

    @classmethod
    def of(
        cls,
        reading: LineView,
        stretch: Stretch,
        told: document.Transcript,
        moment: Moment,
        found: document.Paragraph | None,
    ) -> _Beside:
        """What stands beside a moment of a stretch, which that paragraph tells."""
        known = {reading.ids.at(one.position): one for one in reading.recorded(stretch.after, stretch.upto)}
        of_it = () if found is None else tuple(_lines(found.mechanics, known))
        every = (one for page in _paragraphs(told) for one in page.mechanics)
        before = [one for one in _lines(every, known) if one.position <= moment.position]
        noted = "" if found is not None and found.text else _noted(reading, moment)
        names = {number: moment.table.shown(number) for number in moment.table.people}
        return cls(moment, of_it, tuple(_spoken_of(moment, _since_turned(before))), names, noted)

    @property
    def is_told(self) -> bool:
        """True where the moment is somebody's words, and no numbers."""
        return not any(self._is_own(one) for one in self.of_it)

    @property
    def last(self) -> int:
        """The position of the last that is on the card."""
        shown = () if not self.is_told else self.of_it
        return max((self.moment.position, *(one.position for one in shown)))

    def fell(self) -> tuple[Fallen, ...]:
        """What was drawn or thrown at that moment, else what its words are about."""
        if not self.is_told:
            own = [one for one in self.of_it if self._is_own(one)]
            last = [one for one in self.of_it if one.position <= self.moment.position]
            return lying(self._events(own), self.names) or lying(self._events(_last_act(last)), self.names)
        fell = lying(self._events(self.of_it), self.names)
        return fell or lying(self._events(_last_act(self.before)), self.names)

    def came(self) -> str:
        """What came of it, in one line of the notation."""
        own = [one for one in self.of_it if self._is_own(one)]
        if own and not falls(own[0].event):
            return own[0].text
        here = [one for one in self.of_it if not falls(one.event)]
        if own:
            here = [one for one in here if one.position > self.moment.position][:1] or own
        decided = [one for one in (*here, *([] if own else self.before)) if _is_due(one.event)]
        if own or here or decided:
            return (decided or here)[0 if own else -1].text
        return self.notation

    def acting(self) -> tuple[int, ...]:
        """Who does something in it."""
        events = [self.moment.event, *self._events(self.of_it)]
        return tuple(
            dict.fromkeys(who for one in events if isinstance(who := getattr(one, "who", None), int))
        )

    def _is_own(self, one: _Line) -> bool:
        return one.position == self.moment.position

    def _events(self, lines: Iterable[_Line]) -> list[Event]:
        return [one.event for one in lines]


def _noted(reading: LineView, moment: Moment) -> str:
    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    return next(notation(moment.table, (live,), named=False, place=reading.ids.place))


def _lines(mechanics: Iterable[document.Mechanic], known: Mapping[str, Recorded]) -> Iterator[_Line]:
    for one in mechanics:
        recorded = known.get(one.id)
        if recorded is not None and isinstance(recorded.event, Event):
            yield _Line(recorded.position, recorded.envelope.act, recorded.event, one.text)


def _since_turned(lines: Iterable[_Line]) -> list[_Line]:
    """The last of these lines, since a turn was over or something else began."""
    kept: list[_Line] = []
    for one in lines:
        event = one.event
        if isinstance(event, _SWEEPING) or ends_turn(type(event)):
            kept = []
        else:
            kept.append(one)
    return kept


def _spoken_of(moment: Moment, before: Sequence[_Line]) -> Sequence[_Line]:
    """Of the lines before somebody's words, those that the words can be about.

    In a conflict all but what others threw, or all if the speaker threw nothing. Elsewhere the last throw,
    if it is the speaker's, or if the game master's words follow it at once.
    """
    who = getattr(moment.event, "who", None)
    thrown = [place for place, one in enumerate(before) if falls(one.event)]
    own = [place for place in thrown if getattr(before[place].event, "who", None) == who]
    if getattr(moment.event, "conflict", None) is not None:
        theirs = {*thrown} - {*own} if own else set()
        return [one for place, one in enumerate(before) if place not in theirs]
    if not thrown or (who != GM and own[-1:] != thrown[-1:]):
        return ()
    return [
        one
        for one in before
        if one.act == before[thrown[-1]].act and (who != GM or before[-1].act == one.act)
    ]


def _last_act(lines: Iterable[_Line]) -> list[_Line]:
    """Those of the last act in which something fell."""
    every = list(lines)
    acts = [one.act for one in every if falls(one.event)]
    return [one for one in every if acts and one.act == acts[-1]]


def _is_due(event: Event) -> bool:
    return due_of(type(event)) is not None
