"""Composition: the record's own words of a stretch as blocks of a draft, with the events each tells."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.grouping import grouped
from retold.journal.names import normalise
from retold.journal.table import Somebody
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.journal.vocabulary.drafts import Sort
from retold.projections.exports.page_elements import anchor, label, marked_speech
from retold.projections.prose import Voice, beats, primary, speaking
from retold.projections.prose.phrases import LANGUAGE
from retold.projections.prose.pronouns import first_pronoun, has_name, has_one_of, with_name
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.story.attendance import people_in
from retold.projections.story.document import Paragraph, Passage, Scene, Transcript
from retold.projections.story.running_text import Company, about_somebody, behind_article
from retold.projections.story.transcript.build import of_stretch
from retold.projections.story.variations import TellingOptions
from retold.projections.texts import emphasis

BETWEEN_PARAGRAPHS: Final = "\n\n"
"""Separator of the paragraphs within a text."""


class Place(NamedTuple):
    """Stored place of an event: the line that stores it, and its position there."""

    line: int
    position: int

    def __str__(self) -> str:
        """Returns the id that the game master has for the event: `e12`, or `e2-12` on line 2."""
        return f"e{self.position}" if self.line == 1 else f"e{self.line}-{self.position}"


def told_as(sort: Sort) -> Sort:
    """Returns how blocks of a sort tell events: as a `heading`, as an `image`, or in words (`text`)."""
    return sort if sort in ("heading", "image") else "text"


@dataclass(frozen=True, slots=True)
class Composed:
    """Block of the record's words: its text, and the events it tells in order, each with its words."""

    sort: Sort
    text: str
    parts: tuple[tuple[Place, str], ...]
    level: int | None = None
    """Level of a heading, from 1; None for all other sorts."""

    @property
    def events(self) -> tuple[Place, ...]:
        """Events told in the block, each once."""
        return tuple(dict.fromkeys(event for event, _ in self.parts))


@dataclass(frozen=True)
class Composition:
    """Recorded words from position `first` to `last` of a line, as known to its viewer."""

    reading: LineView
    first: int
    last: int
    voice: Voice

    @cached_property
    def blocks(self) -> tuple[Composed, ...]:
        """Blocks of the whole composition, in story order."""
        return tuple(self._blocks())

    @cached_property
    def words(self) -> dict[Place, str]:
        """The words of every event told in a paragraph, with their labels; without headings.

        Of a picture without words, what it shows.
        """
        found: dict[Place, str] = {}
        for paragraph in self._paragraphs.values():
            event, text = self.event_of(paragraph.id), _whole_text(paragraph)
            if event is not None and paragraph.kind is not Tag.PICTURE:
                found[event] = f"{found[event]}{BETWEEN_PARAGRAPHS}{text}" if event in found else text
        return {**self.pictures, **found}

    @cached_property
    def pictures(self) -> dict[Place, str]:
        """Description of each event's picture, by event."""
        found = (paragraph for paragraph in self._paragraphs.values() if paragraph.kind is Tag.PICTURE)
        placed = ((self.event_of(paragraph.id), emphasis.typed(paragraph.text)) for paragraph in found)
        return {event: text for event, text in placed if event is not None}

    @cached_property
    def eyes(self) -> dict[Place, str]:
        """Remark on secret words by event, such as `for Zel`; public events are left out."""
        found = ((self.event_of(paragraph.id), paragraph.eyes) for paragraph in self._paragraphs.values())
        return {event: eyes for event, eyes in found if event is not None and eyes}

    @cached_property
    def titles(self) -> dict[Place, str]:
        """The heading of every event that begins a session, scene or conflict."""
        return {
            event: text for block in self.blocks if block.sort == "heading" for event, text in block.parts
        }

    def told_by(self, sort: Sort) -> dict[Place, str]:
        """Returns what blocks of a sort tell, by event: titles, what pictures show, or words."""
        return {"heading": self.titles, "image": self.pictures}.get(sort, self.words)

    def words_of(self, event: Place, sort: Sort) -> str | None:
        """Returns the record's words of an event, for a heading its title; None if nothing tells it."""
        return self.told_by(sort).get(event)

    def of(self, events: Collection[Place], sort: Sort, *, as_told: bool = False) -> str:
        """Returns the record's words of these events alone, in the order of the story; empty if none is told.

        Paragraphs are separated by empty lines; those of a heading are the titles alone, those of an image
        what it shows. With `as_told` no name replaces a pronoun.
        """
        if told_as(sort) != "text":
            told = self.told_by(sort)
            return BETWEEN_PARAGRAPHS.join(told[event] for event in events if event in told)
        ids = sorted(number for event in set(events) for number in self._numbers.get(event, ()))
        wanted = tuple(self._every[number] for number in ids)
        part_of = self._companies[wanted[0].id] if wanted else None
        running = Scene(None, None, None, (Passage(None, wanted),)).running(part_of=part_of)
        paragraphs = running.paragraphs() if as_told else map(self._with_name, running.paragraphs())
        return BETWEEN_PARAGRAPHS.join(map(_whole_text, paragraphs))

    @cached_property
    def by_events(self) -> dict[tuple[Sort, frozenset[Place]], list[str]]:
        """Texts of blocks in order, by how they tell (`told_as`) and by the events they tell."""
        return grouped(
            ((told_as(block.sort), frozenset(block.events)), block.text)
            for block in self.blocks
            if block.parts
        )

    def telling(self, event: Place) -> Sequence[Composed]:
        """Returns the blocks that tell an event in words, in order."""
        return self._telling.get(event, ())

    @cached_property
    def _telling(self) -> dict[Place, list[Composed]]:
        in_words = (block for block in self.blocks if told_as(block.sort) == "text")
        return grouped((event, block) for block in in_words for event in block.events)

    @cached_property
    def _numbers(self) -> dict[Place, list[int]]:
        """By event, the numbers of its paragraphs before any are joined; a picture's if it has no words."""
        found: dict[Place, list[int]] = defaultdict(list)
        shown: dict[Place, list[int]] = {}
        for number, paragraph in enumerate(self._every):
            if (event := self.event_of(paragraph.id)) is None:
                continue
            if paragraph.kind is Tag.PICTURE:
                shown[event] = [number]
            else:
                found[event].append(number)
        return {**shown, **found}

    @cached_property
    def _every(self) -> tuple[Paragraph, ...]:
        return tuple(self._paragraphs.values())

    @cached_property
    def places(self) -> dict[Place, str]:
        """Ids of the line's events, as the viewer has them, by stored place."""
        return {place: id_ for id_, place in self._places.items()}

    # --- names in place of pronouns ---

    @cached_property
    def _people(self) -> dict[str, Somebody]:
        """People by their present, former and further names, as `normalise` writes these.

        Names of several people are left out.
        """
        known: dict[str, dict[int, Somebody]] = defaultdict(dict)
        table = self.reading.table
        for person, names in table.names().items():
            for name in names:
                known[normalise(name)][person] = table.people[person]
        return {name: next(iter(found.values())) for name, found in known.items() if len(found) == 1}

    @cached_property
    def _own(self) -> dict[str, str]:
        """Pronouns of tellers, by the ids of the paragraphs in which only the teller can be meant.

        The pronoun is unclear behind a text that names another person with it, and not the teller, and in the
        words of an act with another person who may have it.
        """
        found: dict[str, str] = {}
        if primary(self._speaks.page_lang) != LANGUAGE:
            return found
        for scene in self._scenes:
            before = ""
            for paragraph in scene.paragraphs():
                teller, speaker = (
                    self._people.get(normalise(paragraph.speaker or "")),
                    paragraph.speaker or "",
                )
                says_i = speaker in self._companies[paragraph.id].saying_i
                guessed = "" if says_i else first_pronoun(paragraph.text)
                pronoun = guessed if teller is None else teller.pronoun or guessed
                if teller is not None and pronoun and not self._is_of_another(teller, pronoun, paragraph):
                    others = [
                        name
                        for name, who in self._people.items()
                        if who.pronoun == pronoun and who is not teller
                    ]
                    is_named = has_name(before, speaker, others)
                    if is_named or not has_one_of(normalise(before), others):
                        found[paragraph.id] = pronoun
                before = emphasis.words(paragraph.text)
        return found

    @cached_property
    def _about(self) -> dict[str, tuple[str, str]]:
        """Subjects of words without a speaker, with the pronoun that begins them, by ids of paragraphs."""
        found: dict[str, tuple[str, str]] = {}
        for scene in self._transcript.scenes:
            for before, paragraph in pairwise((None, *scene.paragraphs())):
                if paragraph is not None and about_somebody(paragraph, before) is not paragraph:
                    found[paragraph.id] = paragraph.about, paragraph.pronoun
        return found

    def _is_of_another(self, teller: Somebody, pronoun: str, paragraph: Paragraph) -> bool:
        """True if the act of a paragraph has another person with the teller's pronoun, or without any."""
        place, table = self.event_of(paragraph.id), self.reading.table
        named = self._people_in_acts.get(place, ())
        others = (table.people[person] for person in named if person in table.people)
        return any(
            other.id not in (teller.id, GM) and other.role == "character" and other.pronoun in ("", pronoun)
            for other in others
        )

    @cached_property
    def _people_in_acts(self) -> dict[Place | None, frozenset[int]]:
        """People in each event's act, by the event's place."""
        acts: dict[str, set[int]] = defaultdict(set)
        places: dict[Place | None, str] = {}
        for recorded in self.reading.recorded(self.first - 1, self.last):
            if isinstance(recorded.event, Event):
                others = beats.people_in(recorded.event, self.reading.table)
                acts[recorded.envelope.act].update((*people_in(recorded.event), *others))
                places[Place(recorded.line, recorded.position)] = recorded.envelope.act
        return {place: frozenset(acts[act]) for place, act in places.items()}

    def _with_name(self, paragraph: Paragraph) -> Paragraph:
        """Returns a paragraph without its label, if a name can stand in place of the pronoun that begins it.

        That is its teller's, or, in words without a speaker, the name of their subject.
        """
        is_plain = paragraph.spare and not (paragraph.eyes or paragraph.cue)
        if (
            not is_plain
            or paragraph.kind is not Tag.NARRATION
            or (paragraph.label or None) != paragraph.speaker
        ):
            return paragraph
        name, pronoun = self._about.get(
            paragraph.id, (paragraph.label or "", self._own.get(paragraph.id, ""))
        )
        text = with_name(paragraph.text, name, pronoun)
        if text is None:
            return paragraph
        told = behind_article(paragraph, text, self._companies[paragraph.id])
        return replace(paragraph, text=told, label="")

    # --- how it is made ---

    @cached_property
    def _speaks(self) -> Voice:
        """The voice, with the language of the table's words."""
        return speaking(self.voice, self.reading.language)

    @cached_property
    def _transcript(self) -> Transcript:
        stretch = Stretch(self.first - 1, min(self.last, self.reading.position))
        return of_stretch(self.reading, stretch, TellingOptions(self._speaks)).without_mechanics()

    @cached_property
    def _scenes(self) -> tuple[Scene, ...]:
        return tuple(map(_without_struck, self._transcript.scenes))

    @cached_property
    def _paragraphs(self) -> dict[str, Paragraph]:
        """The paragraphs before any are joined, by id."""
        return {paragraph.id: paragraph for scene in self._scenes for paragraph in scene.paragraphs()}

    @cached_property
    def _companies(self) -> dict[str, Company]:
        """Company of each scene, by paragraph ids."""
        found: dict[str, Company] = {}
        for scene in self._scenes:
            company = scene.company()
            found.update((paragraph.id, company) for paragraph in scene.paragraphs())
        return found

    @cached_property
    def _places(self) -> dict[str, Place]:
        """Stored places of the line's events, by the ids that the viewer has."""
        ids, segments = self.reading.ids, self.reading.past.segments
        found: dict[str, Place] = {}
        for segment in segments:
            end = self.reading.position if segment.upto is None else segment.upto
            for position in range(segment.after + 1, min(end, self.reading.position) + 1):
                found[ids.at(position)] = Place(segment.line, position)
        return found

    @cached_property
    def _headings(self) -> dict[str, Place]:
        """Stored places of the events that begin sessions, scenes and conflicts, by the ids of headings."""
        found = headings_begun(self.reading, self.first - 1, self.last)
        return {heading: self._places[event] for event, heading in found.items()}

    def event_of(self, paragraph: str) -> Place | None:
        """Returns the event of a paragraph or heading, by its id; None for another id.

        A paragraph that only names the teller of a scene has the event of the scene.
        """
        found = self._places.get(self.reading.ids.event(paragraph))
        return found or self._headings.get(paragraph.partition("-")[0])

    def _blocks(self) -> Iterator[Composed]:
        depth = 1 + any(scene.chapter is not None for scene in self._scenes)
        for number, scene in enumerate(self._scenes):
            if scene.chapter is not None:
                session = scene.chapter.session
                title = scene.chapter.title or self.voice.phrases.say("page.session", number=session)
                yield self._heading(title, anchor(session), 1)
            if scene.title is not None:
                yield self._heading(scene.title, scene.id, depth)
            elif number and scene.chapter is None:
                yield Composed("break", "", ())
            for passage in scene.running().passages:
                conflict = passage.conflict
                if conflict is not None and not conflict.continued:
                    yield self._heading(conflict.title, conflict.id, depth + 1)
                for paragraph in passage.paragraphs:
                    yield from self._told(self._with_name(paragraph))

    def _heading(self, title: str, id_: str | None, level: int) -> Composed:
        place = self._headings.get(id_ or "")
        return Composed("heading", title, () if place is None else ((place, title),), level)

    def _told(self, paragraph: Paragraph) -> Iterator[Composed]:
        """Yields the blocks of one paragraph of running text: one for each paragraph of its text."""
        if paragraph.kind is Tag.PICTURE:
            shown = self.event_of(paragraph.id)
            text = emphasis.typed(paragraph.text)
            yield Composed("image", text, () if shown is None else ((shown, text),))
            return
        texts = _texts(paragraph)
        told = [
            (event, marked(self._paragraphs.get(id_, paragraph)))
            for id_ in (paragraph.id, *paragraph.others)
            if (event := self.event_of(id_)) is not None
        ]
        if len(texts) == 1:
            yield Composed("text", texts[0], tuple(told))
            return
        shares: list[list[tuple[Place, str]]] = [[] for _ in texts]
        alike = _Alike(texts)
        for event, words in told:
            for text in words.split(BETWEEN_PARAGRAPHS):
                shares[alike.most(text)].append((event, text))
        for text, share in zip(texts, shares, strict=True):
            everything = [(event, text) for event, _ in told]
            yield Composed("text", text, tuple(share or everything))


def headings_begun(reading: LineView, after: int, upto: int) -> dict[str, str]:
    """Returns the ids of headings (`session-1`, `s3`, `c2`) by the ids of the events that begin them."""
    found: dict[str, str] = {}
    kinds = (e.SessionOpened.kind, e.SceneSet.kind, e.ConflictOpened.kind)
    for recorded in reading.recorded(after, upto, kinds):
        event, id_ = recorded.event, reading.ids.at(recorded.position)
        if isinstance(event, e.SessionOpened):
            found[id_] = anchor(event.session)
        elif isinstance(event, e.SceneSet):
            found[id_] = f"s{event.scene}"
        elif isinstance(event, e.ConflictOpened):
            found[id_] = f"c{event.conflict}"
    return found


def _without_struck(scene: Scene) -> Scene:
    passages = (
        Passage(
            passage.conflict,
            tuple(
                replace(_without_eyes(paragraph), rivals=None)  # a draft names people by today's pronouns
                for paragraph in passage.paragraphs
                if paragraph.text and not paragraph.struck
            ),
        )
        for passage in scene.passages
    )
    return Scene(scene.id, scene.title, scene.chapter, tuple(passages))


def _without_eyes(paragraph: Paragraph) -> Paragraph:
    """Returns the paragraph without the remark in its label on who may read it: a draft keeps that apart."""
    if not paragraph.eyes or not paragraph.label:
        return paragraph
    return replace(paragraph, label=paragraph.label.replace(f"({paragraph.eyes})", "").strip())


def marked(paragraph: Paragraph) -> str:
    """Returns a paragraph's text as it may be typed, speech in quotation marks.

    Retold's own sentences are without brackets.
    """
    text = emphasis.typed(marked_speech(paragraph))
    return text[1:-1] if paragraph.generated and text.startswith("[") and text.endswith("]") else text


def _whole_text(paragraph: Paragraph) -> str:
    """Returns label and text of a paragraph."""
    lead = label(paragraph)
    return f"{lead}: {marked(paragraph)}" if lead else marked(paragraph)


def _texts(paragraph: Paragraph) -> list[str]:
    return [text for text in _whole_text(paragraph).split(BETWEEN_PARAGRAPHS) if text.strip()]


_WORD = re.compile(r"\w+")


class _Alike:
    """Index of texts by their words; it finds the text that is most like another one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._by_word = grouped(
            (word, (index, times)) for index, text in enumerate(texts) for word, times in _words(text).items()
        )
        """The texts that have a word, by their index, and how often each has it."""

    def most(self, text: str) -> int:
        """Returns the index of the text that shares most words with `text`; the first of several."""
        shared: Counter[int] = Counter()
        for word, times in _words(text).items():
            for index, there in self._by_word.get(word, ()):
                shared[index] += min(times, there)
        return min(shared, key=lambda index: (-shared[index], index), default=0)


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))
