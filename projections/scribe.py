"""Hears moments in order and writes them down: in which scene and conflict, and what gives way to what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from journal.store.codec import TABLE, Envelope, Recorded
from journal.store.kinds import topic
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections import pages
from projections.drafts import Draft, Passage, Scene, heading_of
from projections.outcomes import Outcomes, Waiting
from projections.plain.ink import PEOPLE, listed, mark
from projections.prose import TURN_ENDS, Voice, report
from projections.prose.telling import Sentence, Tag, Telling
from projections.replay import Ids, Moment, Viewer

FOR_THE_KEEPER = (e.CampaignBegun, e.Forked)
"""Kinds that hold bits and hashes, which leave only in a game master's transcript."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Positions after+1..upto, and the session they are, if they are one."""

    after: int
    upto: int
    session: e.SessionOpened | None
    previously: str | None


@dataclass(slots=True)
class Scribe:
    """Hears moments in order and writes scenes."""

    voice: Voice
    viewer: Viewer
    ids: Ids
    outcomes: Outcomes
    stretch: Stretch
    begins: Table
    quotes: list[pages.Quote] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    systems: dict[str, None] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    _scenes: list[Scene] = field(default_factory=lambda: [Scene()])
    _heads: dict[int, pages.Conflict] = field(default_factory=dict)
    _opening_act: str | None = None
    _generated: dict[int, tuple[Passage, Draft]] = field(default_factory=dict)
    _spots: list[tuple[Waiting, str]] = field(default_factory=list)
    _later: list[int] = field(default_factory=list)
    _numbers: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._names = {one.id: one.called for one in self.begins.everybody()}
        self._heads = {one.id: heading_of(one, self.begins) for one in self.begins.conflicts.values()}
        within = range(self.stretch.after + 1, self.stretch.upto + 1)
        if not self.voice.as_recorded:
            self._later = sorted(at for at in self.outcomes.afterwards.words if at in within)

    @property
    def _passage(self) -> Passage:
        passages = self._scenes[-1].passages
        if not passages:
            passages.append(Passage(None))
        return passages[-1]

    # --- hearing ------------------------------------------------------------------------------------------

    def hear(self, moment: Moment) -> None:
        """Writes down one moment."""
        self._place_later(moment.position - 1)
        event = moment.event
        if self.viewer.gm or not isinstance(event, FOR_THE_KEEPER):
            self._turn_to(moment)
            telling = Telling(moment, self._names, self.ids)
            self._write(telling)
            self.seen.update(people_in(event))
        if isinstance(event, e.CastIntroduced | e.Renamed):
            self._names[event.person] = moment.table.name(event.person)
        self._place_later(moment.position)

    def finish(self) -> None:
        """Places what is left of words told later."""
        self._place_later(self.stretch.upto)

    def scenes(self) -> tuple[pages.Scene, ...]:
        """What was written."""
        told = (scene.done() for scene in self._scenes)
        return tuple(scene for scene in told if scene.passages or scene.title or scene.chapter)

    def spots(self) -> Iterator[tuple[Waiting, str]]:
        """What came out and was not told, with the neutral sentence for it."""
        return ((waiting, said) for waiting, said in self._spots if waiting.untold)

    def _turn_to(self, moment: Moment) -> None:
        """Begins a chapter, a scene or a passage where this moment does."""
        event, table = moment.event, moment.table
        if isinstance(event, e.SessionOpened) and self.stretch.session is None:
            title = None if event.title is None else str(event.title)
            self._scenes.append(Scene(chapter=pages.Chapter(event.session, title, event.date)))
        elif isinstance(event, e.SceneSet):
            self._scenes.append(Scene(f"s{event.scene}", str(event.title)))
        if isinstance(event, e.ConflictOpened):
            self._opening_act = moment.envelope.act
        number: int | None = getattr(event, "conflict", None)
        if number is not None:
            self._turn_to_conflict(number, table)
        elif self._is_over(table):
            self._scenes[-1].passages.append(Passage(None))

    def _turn_to_conflict(self, number: int, table: Table) -> None:
        conflict = table.conflicts.get(number)
        if conflict is not None:
            self.systems[conflict.system] = None
        here = self._passage.conflict
        if here is not None and here.number == number:
            return
        known = self._heads.get(number)
        if known is None:
            if conflict is None:
                return
            known = self._heads[number] = heading_of(conflict, table)
            heading = known
        else:
            self._numbers[known.id] += 1
            heading = replace(known, id=f"{known.id}-{self._numbers[known.id] + 1}", continued=True)
        self._scenes[-1].passages.append(Passage(heading))

    def _is_over(self, table: Table) -> bool:
        here = self._passage.conflict
        return here is not None and here.number not in table.conflicts

    # --- writing ------------------------------------------------------------------------------------------

    def _write(self, telling: Telling) -> None:
        moment = telling.moment
        waiting, told = self.outcomes.hear(telling)
        gives_way = self._give_way(told)
        sentences = self._sentences(telling)
        if waiting is not None:
            self._spots.append((waiting, _generated(telling)))
            if waiting.told:
                sentences = tuple(one for one in sentences if one.tag is not Tag.GENERATED)
        self._passage.waiting[:0] = gives_way
        for sentence in sentences:
            self._write_sentence(sentence, telling, waiting)
        if type(moment.event) in TURN_ENDS:
            self._passage.last = None
        if isinstance(moment.event, e.Narrated) and not self.voice.as_recorded:
            self._add_edits(moment.position, telling)

    def _sentences(self, telling: Telling) -> tuple[Sentence, ...]:
        """What the voice says here; what is struck or belongs elsewhere is left out, unless all is wanted."""
        sentences = self.voice.tell(telling)
        if self.voice.as_recorded:
            return sentences
        event, position = telling.moment.event, telling.moment.position
        if isinstance(event, e.Narrated | e.Said | e.Noted) and event.about is not None:
            return ()
        if isinstance(event, e.Narrated) and self.outcomes.afterwards.struck(position):
            return ()
        if isinstance(event, e.NarrationOverruled) and self._is_edit_of_ours(event):
            return tuple(one for one in sentences if one.tag is not Tag.EDIT)
        return sentences

    def _is_edit_of_ours(self, event: e.NarrationOverruled) -> bool:
        return event.how == "edit" and event.narration > self.stretch.after

    def _write_sentence(self, sentence: Sentence, telling: Telling, waiting: Waiting | None) -> None:
        moment = telling.moment
        if sentence.tag is Tag.QUOTE:
            who = None if sentence.speaker is None else telling.subject(sentence.speaker)
            self.quotes.append(pages.Quote(self.ids.at(moment.position), sentence.text, who))
        elif sentence.tag is Tag.MECHANICS:
            self._note(sentence, moment)
        else:
            draft = self._passage.write(self._page(sentence, telling, moment.recorded))
            if waiting is not None and sentence.tag is Tag.GENERATED:
                self._generated[waiting.at] = self._passage, draft

    def _note(self, sentence: Sentence, moment: Moment) -> None:
        envelope = moment.envelope
        mechanic = pages.Mechanic(
            self.ids.at(moment.position), topic(type(moment.event)), sentence.text, mark(envelope.luck)
        )
        if self._opening_act == envelope.act and self._passage.conflict is not None:
            self._passage.heading.append(mechanic)
        else:
            self._passage.note(mechanic, in_order=self.voice.as_recorded)

    def _page(
        self, sentence: Sentence, telling: Telling, told: Recorded, *, later: bool = False
    ) -> pages.Paragraph:
        known = self.ids.at(told.position)
        self._numbers[known] += 1
        count = self._numbers[known]
        return pages.Paragraph(
            known if count == 1 else f"{known}{_letter(count)}",
            sentence.tag,
            sentence.text,
            None if sentence.speaker is None else telling.subject(sentence.speaker),
            sentence.manner,
            generated=sentence.tag is Tag.GENERATED,
            eyes=_eyes(told.envelope, telling),
            later=later,
            struck=self.outcomes.afterwards.struck(told.position),
        )

    def _give_way(self, told: Iterable[Waiting]) -> list[pages.Mechanic]:
        """Takes out the neutral sentences of what is told now; returns the mechanics that stood with them."""
        freed: list[pages.Mechanic] = []
        for waiting in told:
            if waiting.at in self._generated:
                passage, draft = self._generated.pop(waiting.at)
                freed += passage.drop(draft)
        return freed

    # --- what was told later ------------------------------------------------------------------------------

    def _place_later(self, upto: int) -> None:
        while self._later and self._later[0] <= upto:
            for recorded in self.outcomes.afterwards.words[self._later.pop(0)]:
                self._write_later(recorded)

    def _write_later(self, recorded: Recorded) -> None:
        """Words about a moment just heard, though they were said after it."""
        if self.outcomes.afterwards.struck(recorded.position) or not isinstance(recorded.event, Event):
            return
        telling = Telling(Moment(recorded, recorded.event, self.begins), self._names, self.ids)
        for sentence in self.voice.tell(telling):
            if sentence.tag is Tag.QUOTE:
                self._write_sentence(sentence, telling, None)
            elif sentence.tag is not Tag.MECHANICS:
                last = self._passage.last
                self._passage.write(self._page(sentence, telling, recorded, later=True))
                self._passage.last = last or self._passage.last
        self._add_edits(recorded.position, telling)

    def _add_edits(self, position: int, telling: Telling) -> None:
        """The changes somebody made to a narration, told right after it."""
        for rider in self.outcomes.afterwards.overruled.get(position, ()):
            event = rider.event
            if isinstance(event, e.NarrationOverruled) and event.how == "edit":
                own = Telling(Moment(rider, event, telling.moment.table), self._names, self.ids)
                for sentence in self.voice.tell(own):
                    if sentence.tag is Tag.EDIT:
                        self._passage.write(self._page(sentence, telling, rider, later=True))


def _letter(count: int) -> str:
    return chr(ord("a") + min(count, 26) - 1) + ("" if count <= 26 else str(count))  # noqa: PLR2004 -- letters


def _generated(telling: Telling) -> str:
    return " ".join(one.text for one in report(telling) if one.tag is Tag.GENERATED)


def _eyes(envelope: Envelope, telling: Telling) -> str | None:
    if envelope.see == TABLE:
        return None
    if isinstance(envelope.see, str):
        return "for the game master"
    return f"for {listed([telling.who(one) for one in envelope.see])}"


def people_in(event: Event) -> Iterator[int]:
    """Everybody an event speaks of."""
    for key in _people_fields(type(event)):
        yield from _ids(getattr(event, key))


@cache
def _people_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(key for key in kind.model_fields if key in PEOPLE and key != "absent")


def _ids(value: object) -> Iterator[int]:
    if isinstance(value, tuple):
        for one in value:
            yield from _ids(one)
    elif isinstance(value, int):
        yield value
