"""Transcript with the words of a draft in place of the record's own, for every export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from retold.drafts.composing import headings_begun
from retold.drafts.manuscript import BREAK
from retold.drafts.naming import DraftMeant
from retold.drafts.places import Here
from retold.drafts.showing import ShownBlock, shown
from retold.journal import marks
from retold.journal.grouping import grouped
from retold.journal.refused import Refused
from retold.projections.exports.page_elements import anchor
from retold.projections.prose import Voice
from retold.projections.prose.sentences import is_certain
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.story.document import (
    Chapter,
    Conflict,
    Paragraph,
    Passage,
    Plate,
    Scene,
    Transcript,
    Variation,
)
from retold.projections.story.running_text import tense
from retold.projections.texts import emphasis


class DraftChosen(NamedTuple):
    """Draft to be told, and its voice.

    `is_wanted` is true if the user named the draft for an export of one part: it must tell some of that part.
    """

    meant: DraftMeant
    voice: Voice
    is_wanted: bool = False


def retold(
    transcript: Transcript, reading: LineView, stretch: Stretch, drafts: Iterable[DraftChosen]
) -> Transcript:
    """Returns a transcript of `stretch` that has the words of drafts where these tell the same events.

    Mechanics stand after the block that tells the last event of their act; those of an act whose words were
    cut are left out. Nothing else of the record is told there again. Of drafts that tell the same part the
    first is taken. Raises Refused for a draft that is wanted and tells nothing of the stretch, and for one
    that would give something away to the reading's viewer.
    """
    numbers = count(1)
    for part, chosen in parts_told(reading, stretch, drafts):
        meant = chosen.meant
        blocks = shown(reading, meant.draft, chosen.voice, meant.number, positions=part)
        transcript = _Retelling(
            transcript, reading, part, blocks, numbers=numbers, voice=chosen.voice
        ).transcript()
    return transcript


def parts_told(
    reading: LineView, stretch: Stretch, drafts: Iterable[DraftChosen]
) -> Iterator[tuple[range, DraftChosen]]:
    """Yields the positions of `stretch` that each draft tells; of drafts that tell the same, only the first.

    Raises Refused for a draft that is wanted and tells nothing of the stretch.
    """
    taken: list[range] = []
    for chosen in drafts:
        here = Here(reading.campaign, chosen.meant.draft.scope)
        part = range(max(here.first, stretch.after + 1), min(here.last, stretch.upto) + 1)
        is_elsewhere = here.line == reading.line and not part
        if is_elsewhere and chosen.is_wanted:
            raise Refused(
                f"The draft {chosen.meant.draft.name} tells nothing of this part: leave out --draft."
            )
        if not is_elsewhere and not any(_overlap(part, other) for other in taken):
            taken.append(part)
            yield part, chosen


def _overlap(part: range, other: range) -> bool:
    return max(part.start, other.start) < min(part.stop, other.stop)


@dataclass
class _Passage:
    """A passage while it is filled."""

    conflict: Conflict | None = None
    paragraphs: list[Paragraph] = field(default_factory=list)
    variations: list[Variation] = field(default_factory=list)
    plate: Plate | None = None


@dataclass
class _Scene:
    """A scene while it is filled."""

    id: str | None
    title: str | None
    chapter: Chapter | None = None
    passages: list[_Passage] = field(default_factory=lambda: [_Passage()])
    present: bool | None = False
    """Tense of the recorded scene, which holds if the texts of this one do not decide it."""

    def made(self) -> Scene:
        """Returns the scene without passages that say nothing."""
        passages = (
            Passage(passage.conflict, tuple(passage.paragraphs), tuple(passage.variations), passage.plate)
            for passage in self.passages
        )
        scene = Scene(self.id, self.title, self.chapter, tuple(filter(None, passages)))
        own = tense(scene.paragraphs())
        return replace(scene, present=own > 0 if is_certain(own) else self.present)


class _Found(NamedTuple):
    """Recorded paragraph with its scene, passage and session."""

    paragraph: Paragraph
    scene: Scene
    passage: Passage
    session: int | None


class _Retelling:
    """Transcript with one draft's blocks in place of paragraphs."""

    def __init__(
        self,
        transcript: Transcript,
        reading: LineView,
        part: range,
        blocks: Sequence[ShownBlock],
        *,
        numbers: Iterator[int],
        voice: Voice,
    ) -> None:
        self.told = transcript
        self.reading = reading
        self.part = part
        self.blocks = blocks
        self.phrases = voice.phrases
        self.is_typographic = voice.typographic
        self.numbers = numbers
        """Numbers of paragraphs that tell nothing; those of blocks would tell of hidden blocks."""
        self.before: list[Scene] = []
        self.behind: list[Scene] = []
        self.found: list[_Found] = []
        """The paragraphs to be replaced, in the order of the record."""
        self.chapters: dict[int, Scene] = {}
        """The scenes with which sessions begin there."""
        self.conflicts: dict[int, tuple[Conflict, _Found | None]] = {}
        self.scenes: list[_Scene] = []
        self.claims: dict[str, str] = {}
        """Ids of the record's paragraphs that a block tells, with the id of the block's paragraph."""
        self.told_last: dict[str, str] = {}
        """The same with the last block that tells it, of several that were one."""
        self.placed: dict[str, _Passage] = {}
        """Passages of the blocks' paragraphs, by the ids of the paragraphs."""
        self.title: str | None = None

    def transcript(self) -> Transcript:
        """Returns the transcript; the same without any paragraph or heading of the draft's part."""
        if not self._divide():
            return self.told
        for block in self.blocks:
            self._take(block)
        self._place_chapters(None)
        self._place_mechanics()
        self._place_beside()
        made = (scene.made() for scene in self.scenes)
        kept = [scene for scene in made if scene.title is not None or scene.chapter or scene.passages]
        head = self.told.head if self.title is None else replace(self.told.head, title=self.title)
        return replace(self.told, head=head, scenes=(*self.before, *kept, *self.behind))

    # --- what is replaced ---

    @cached_property
    def _positions(self) -> Mapping[str, int]:
        """Positions in the part, by the event ids that the viewer has."""
        return {self.reading.ids.at(position): position for position in self.part}

    @cached_property
    def _acts(self) -> Mapping[str, str]:
        """Acts of events, by the ids of the events."""
        ids = self.reading.ids
        found = self.reading.recorded(self.part.start - 1, self.part.stop - 1)
        return {ids.at(recorded.position): recorded.envelope.act for recorded in found}

    @cached_property
    def _headings(self) -> Mapping[str, str]:
        """Ids of the headings that events of the part begin, by the ids of the events."""
        return headings_begun(self.reading, self.part.start - 1, self.part.stop - 1)

    def _is_inside(self, paragraph: Paragraph) -> bool:
        return self.reading.ids.event(paragraph.id) in self._positions

    def _divide(self) -> bool:
        """Sorts the scenes into those before, in and behind the part; returns False if none is in it."""
        scenes, begun = self.told.scenes, set(self._headings.values())
        within = [
            number
            for number, scene in enumerate(scenes)
            if scene.id in begun
            or (scene.chapter is not None and anchor(scene.chapter.session) in begun)
            or any(map(self._is_inside, scene.paragraphs()))
        ]
        if not within:
            return False
        first, last = within[0], within[-1]
        self.before, self.behind = [*scenes[:first]], [*scenes[last + 1 :]]
        session = next((scene.chapter.session for scene in reversed(self.before) if scene.chapter), None)
        for number in range(first, last + 1):
            scene = scenes[number]
            if scene.chapter is not None:
                session = scene.chapter.session
                self.chapters[session] = scene
            self._divide_scene(scene, session, is_first=number == first, is_last=number == last)
        return True

    def _divide_scene(self, scene: Scene, session: int | None, *, is_first: bool, is_last: bool) -> None:
        """Takes the paragraphs of a scene in the part; the text before or after them stays a scene."""
        everything = [
            _Found(paragraph, scene, passage, session)
            for passage in scene.passages
            for paragraph in passage.paragraphs
        ]
        inside = [number for number, found in enumerate(everything) if self._is_inside(found.paragraph)]
        start, end = (inside[0], inside[-1] + 1) if inside else (0, len(everything))
        if not is_first or scene.id in self._headings.values():
            start = 0
        if not is_last:
            end = len(everything)
        end = end if self.part.stop <= self.reading.position else len(everything)
        if front := everything[:start]:
            self.before.append(_rest(scene, front))
            self.chapters = {number: other for number, other in self.chapters.items() if other is not scene}
        if rear := everything[end:]:
            self.behind.insert(0, _rest(Scene(None, None, None, ()), rear))
        self.found += everything[start:end]
        for passage in scene.passages:
            if passage.conflict is not None and not passage.conflict.continued:
                first = next((found for found in everything[start:end] if found.passage is passage), None)
                self.conflicts[passage.conflict.number] = passage.conflict, first

    # --- blocks ---

    @cached_property
    def _by_event(self) -> Mapping[str, list[_Found]]:
        return grouped((self.reading.ids.event(located.paragraph.id), located) for located in self.found)

    @cached_property
    def _scenes_by_id(self) -> Mapping[str, tuple[Scene, int | None]]:
        found: dict[str, tuple[Scene, int | None]] = {}
        session = None
        for scene in self.told.scenes:
            session = scene.chapter.session if scene.chapter else session
            if scene.id is not None:
                found[scene.id] = scene, session
        return found

    def _take(self, block: ShownBlock) -> None:
        match block.sort:
            case "heading":
                self._heading(block)
            case "break":
                if self._scene.passages[-1].paragraphs:
                    self._add(Paragraph(self._new_id(), Tag.NARRATION, BREAK, label=""))
            case "image":
                self._picture(block)
            case "note":  # it is the writer's
                pass
            case _:
                self._text(block)

    @property
    def _scene(self) -> _Scene:
        """The scene that is filled now."""
        if not self.scenes:
            self.scenes.append(_Scene(None, None))
        return self.scenes[-1]

    def _add(self, paragraph: Paragraph) -> None:
        passage = self._scene.passages[-1]
        passage.paragraphs.append(paragraph)
        self.placed[paragraph.id] = passage

    def _heading(self, block: ShownBlock) -> None:
        id_ = next((self._headings[event] for event in block.events if event in self._headings), "")
        text = " ".join(marks.plain(block.text).split())
        if id_.startswith("session-"):
            self._session(int(id_.removeprefix("session-")), text)
        elif id_.startswith("c") and (known := self.conflicts.pop(int(id_[1:]), None)):
            self._scene.passages.append(_Passage(replace(known[0], title=text)))
        else:
            scene, session = self._scenes_by_id.get(id_, (None, None))
            is_taken = scene is None or any(other.id == id_ for other in self.scenes)
            begun = _Scene(self._new_id() if is_taken else id_, text)
            if scene is not None:
                begun.present = scene.present
            self._begin(begun, session)

    def _session(self, number: int, text: str) -> None:
        """Takes the heading of a session; a transcript of one session has it as its title."""
        usual = self.phrases.say("page.session", number=number)
        if number in self.chapters:
            scene = self.chapters[number]
            if scene.chapter is not None and text not in (usual, scene.chapter.title):
                self.chapters[number] = replace(scene, chapter=replace(scene.chapter, title=text))
        elif number == self.told.head.session and text != usual:
            self.title = text

    def _begin(self, scene: _Scene, session: int | None) -> None:
        """Begins a scene; with the chapter of its session if this begins with it."""
        scene.chapter = self._place_chapters(session)
        self.scenes.append(scene)

    def _place_chapters(self, session: int | None) -> Chapter | None:
        """Returns the chapter of a session if it was not placed yet; those before it get empty scenes.

        With None all that are left get empty scenes, so that links to them lead somewhere.
        """
        for number in [number for number in self.chapters if session is None or number < session]:
            scene = self.chapters.pop(number)
            self.scenes.append(_Scene(None, None, scene.chapter, present=scene.present))
        opened = None if session is None else self.chapters.pop(session, None)
        return None if opened is None else opened.chapter

    def _new_id(self) -> str:
        """Returns a fresh id for a paragraph or heading that tells no event."""
        return f"d{next(self.numbers)}"

    def _text(self, block: ShownBlock) -> None:
        every = [
            located
            for event in dict.fromkeys(block.events)
            for located in self._by_event.get(event, ())
            if located.paragraph.text and located.paragraph.image is None
        ]
        told = [located for located in every if located.paragraph.id not in self.claims]
        first = told[0] if told else None
        if first is not None:
            self._go_to(first)
        ids = [located.paragraph.id for located in told] or [self._new_id()]
        self.claims |= dict.fromkeys((located.paragraph.id for located in told), ids[0])
        self.told_last |= dict.fromkeys((located.paragraph.id for located in every), ids[0])
        paragraph = Paragraph(
            ids[0],
            Tag.NARRATION,
            emphasis.marked(block.text) if self.is_typographic else marks.plain(block.text),
            eyes=next((located.paragraph.eyes for located in told if located.paragraph.eyes), None),
            later=bool(told) and all(located.paragraph.later for located in told),
            seconds=None if first is None else first.paragraph.seconds,
            label="",
            others=tuple(ids[1:]),
            recorded="" if block.record == block.text else marks.plain(block.record),
        )
        self._add(paragraph)

    def _picture(self, block: ShownBlock) -> None:
        """Shows the picture of the event that a block tells, with the block's words on what it shows."""
        for event in block.events:
            for located in self._by_event.get(event, ()):
                paragraph = located.paragraph
                if paragraph.image is None or paragraph.id in self.claims:
                    continue
                self._go_to(located)
                self.claims[paragraph.id] = paragraph.id
                words = marks.plain(block.text)
                shown = replace(paragraph.image, alt=words)
                self._add(replace(paragraph, text=words, image=shown))

    def _go_to(self, first: _Found) -> None:
        """Begins the paragraph's session if that has no heading yet, and leaves a conflict that is over."""
        if first.session in self.chapters:
            id_ = first.scene.id if first.scene.title is None else None
            self._begin(_Scene(id_, None, present=first.scene.present), first.session)
        passage = self._scene.passages[-1]
        if first.passage.conflict is None and passage.conflict is not None:
            self._scene.passages.append(_Passage())

    # --- mechanics, maps and other branches ---

    def _place_mechanics(self) -> None:
        """Puts mechanics and status lines behind the paragraphs of their acts."""
        last_of_act: dict[str, str] = {}
        worded: set[str] = set()
        for located in self.found:
            act = self._act(located.paragraph)
            if located.paragraph.id in self.told_last:
                last_of_act[act] = self.told_last[located.paragraph.id]
            elif (
                located.paragraph.text
                and located.paragraph.kind is not Tag.RIBBON
                and not located.paragraph.struck
            ):
                worded.add(act)
        last: str | None = None
        waiting = {first.paragraph.id: known for known, first in self.conflicts.values() if first is not None}
        for located in self.found:
            paragraph = located.paragraph
            last = self.told_last.get(paragraph.id, last)
            if (cut := waiting.get(paragraph.id)) is not None and cut.mechanics:
                self._put(Paragraph(cut.id, Tag.MECHANICS, "", mechanics=cut.mechanics), last)
            act = self._act(paragraph)
            if not paragraph.mechanics and paragraph.kind is not Tag.RIBBON:
                continue
            if act in last_of_act:
                self._put(paragraph, last_of_act[act])
            elif act not in worded:
                self._put(paragraph, last)

    def _act(self, paragraph: Paragraph) -> str:
        event = self.reading.ids.event(paragraph.id)
        return self._acts.get(event, event)

    def _put(self, paragraph: Paragraph, under: str | None) -> None:
        """Puts mechanics or a status line under a paragraph; at the beginning without one."""
        passage, at = self._at(under)
        if paragraph.kind is Tag.RIBBON:
            while at < len(passage.paragraphs) and passage.paragraphs[at].kind is Tag.RIBBON:
                at += 1
            passage.paragraphs.insert(at, paragraph)
        elif at:
            above = passage.paragraphs[at - 1]
            passage.paragraphs[at - 1] = replace(above, mechanics=above.mechanics + paragraph.mechanics)
        else:
            bare = replace(paragraph, kind=Tag.MECHANICS, text="", label="", struck=False)
            passage.paragraphs.insert(0, bare)

    def _at(self, id_: str | None) -> tuple[_Passage, int]:
        """Returns the passage of a paragraph and the place behind it; the very beginning for None."""
        if id_ is None:
            return self._front.passages[0], 0
        passage = self.placed[id_]
        ids = [paragraph.id for paragraph in passage.paragraphs]
        return passage, ids.index(id_) + 1

    @property
    def _front(self) -> _Scene:
        """A scene without a title at the beginning, for the text above all headings."""
        first = self._scene if not self.scenes else self.scenes[0]
        if first.title is None and first.passages[0].conflict is None:
            return first
        self.scenes.insert(0, _Scene(None, None, first.chapter, present=first.present))
        first.chapter = None
        return self.scenes[0]

    def _place_beside(self) -> None:
        """Puts other branches and maps behind what is told of the same passage."""
        last: str | None = None
        for passage in dict.fromkeys(id(located.passage) for located in self.found):
            of_passage = [located for located in self.found if id(located.passage) == passage]
            source = of_passage[0].passage
            forks = grouped((variation.after, variation) for variation in source.variations)
            self._fork(forks.get(None, ()), last)
            for located in of_passage:
                last = self.claims.get(located.paragraph.id, last)
                self._fork(forks.get(located.paragraph.id, ()), last)
            if source.plate is not None:
                self._plate(source.plate, last)

    def _fork(self, variations: Iterable[Variation], under: str | None) -> None:
        passage, _ = self._at(under)
        passage.variations += (replace(variation, after=under) for variation in variations)

    def _plate(self, plate: Plate, under: str | None) -> None:
        """Puts a map at the end of a passage, or into a new passage if there is a map already."""
        passage, _ = self._at(under)
        if passage.plate is None:
            passage.plate = plate
            return
        scene = next(other for other in self.scenes if any(passage is inner for inner in other.passages))
        scene.passages.insert(scene.passages.index(passage) + 1, _Passage(plate=plate))


def _rest(scene: Scene, paragraphs: Sequence[_Found]) -> Scene:
    """Returns a scene with these of its paragraphs alone."""
    return replace(scene, passages=tuple(_passages(paragraphs)))


def _passages(paragraphs: Sequence[_Found]) -> Iterator[Passage]:
    for passage in {id(located.passage): located.passage for located in paragraphs}.values():
        kept = tuple(located.paragraph for located in paragraphs if located.passage is passage)
        ids = {None, *(paragraph.id for paragraph in kept)}
        variations = tuple(variation for variation in passage.variations if variation.after in ids)
        plate = passage.plate if passage.paragraphs[-1:] == kept[-1:] else None
        yield replace(passage, paragraphs=kept, variations=variations, plate=plate)
