"""Mutable builders for paragraphs, passages and scenes of a transcript.

"Mechanics" are the rolls, draws and numbers behind a paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.capabilities import HasMap
from journal.guarding import answer_of
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections import document
from projections.maps.picture import picture
from projections.prose import Voice
from projections.prose.beats import REMEMBERED
from projections.prose.phrases import Phrases
from projections.prose.sentences import content_words, says_all_of
from projections.prose.telling import Tag
from projections.transcript.attendance import Attendance
from projections.typography import typeset_scene, typesetter_of
from projections.views.naming import conflict_title


class ParagraphBuilder(Struct):
    """Paragraph that may still receive rolls and draws, or be dropped once a player tells the same event."""

    page: document.Paragraph
    mechanics: list[document.Mechanic] = field(default_factory=list)
    dropped: bool = False
    act: str = ""
    if_used: bool = False
    """True for a wording that is dropped unless a later text of the scene uses a word of it."""
    is_of_several: bool = False
    """True for words of an act of several people."""
    weight: int = 0
    """Weight of its act in the story, from 0 to 3."""
    people: tuple[str, ...] = ()
    """Names of the people in the event of a generated sentence."""
    is_outcome: bool = False
    """True for a generated sentence on an outcome that nobody has told."""
    is_spare: bool = False
    """True for a sentence that a story tells only in one with others."""

    def done(self) -> document.Paragraph:
        """Returns the finished paragraph with the rolls and draws behind it."""
        return replace(self.page, mechanics=tuple(self.mechanics))


FEWEST_FOLDED: Final = 3
"""Acts without words from which one sentence tells them."""

Folded = Callable[[tuple[str, ...]], str]
"""Returns the sentence that tells several acts, for the names of the people in them."""

BESIDE = frozenset({Tag.NOTE, Tag.ASIDE, Tag.PICTURE, Tag.RIBBON})
"""Kinds that take no waiting mechanics, since they only interrupt the story."""


class PassageBuilder(Struct):
    """Passage (the paragraphs of one conflict, or between conflicts) under construction.

    Mechanics (rolls, draws, numbers) stand with the paragraph they follow (`last`), up to the end of a turn;
    mechanics without a preceding paragraph wait for the next one. A generated sentence takes only waiting
    mechanics, for it may be dropped.
    """

    conflict: document.Conflict | None
    heading: list[document.Mechanic] = field(default_factory=list)
    drafts: list[ParagraphBuilder] = field(default_factory=list)
    last: ParagraphBuilder | None = None
    waiting: list[document.Mechanic] = field(default_factory=list)
    left: list[tuple[ParagraphBuilder | None, document.Variation]] = field(default_factory=list)
    plate: document.Plate | None = None
    turned: bool = False
    """True after the end of a round or of a conflict, until something is told."""

    def write(self, page: document.Paragraph, act: str = "") -> ParagraphBuilder:
        """Appends a paragraph and returns its builder; rolls and draws that wait for a paragraph go to it.

        Asides and notes take none. `act` is the id of the act that recorded the paragraph.
        """
        begins = self.turned or (page.begins and not self._is_opening())
        draft = ParagraphBuilder(replace(page, begins=begins), act=act)
        self.drafts.append(draft)
        self.turned = self.turned and page.kind in BESIDE
        beside = page.kind in BESIDE or (page.generated and self.last is not None)
        if not beside:
            draft.mechanics, self.waiting = self.waiting, []
            self.last = draft
        return draft

    def has_rolls_of_another(self) -> bool:
        """True if the last text is a person's, in the same turn, and has rolls or draws behind it."""
        last = self.last
        if last is None or last.page.speaker is None or last.is_of_several:
            return False
        return bool(last.mechanics)

    def _is_opening(self) -> bool:
        """True if only the narrator has told something so far, in one text: the scene's opening."""
        told = [draft.page for draft in self.drafts if draft.page.text and not draft.dropped]
        return len(told) == 1 and told[0].speaker is None

    def spare(self, page: document.Paragraph, act: str) -> ParagraphBuilder:
        """Appends a generated sentence that is dropped unless it is folded with others; it takes no rolls."""
        draft = ParagraphBuilder(page, act=act, is_outcome=True, is_spare=True)
        self.drafts.append(draft)
        return draft

    def weigh(self, act: str, weight: int) -> None:
        """Gives the paragraphs of the act at the end of the passage at least this weight.

        An act without a paragraph gets one that is dropped, so that nothing folds across it.
        """
        found = False
        for draft in reversed(self.drafts):
            if draft.act != act:
                break
            draft.weight, found = max(draft.weight, weight), True
        if not found:
            page = document.Paragraph("", Tag.GENERATED, "", generated=True)
            self.drafts.append(ParagraphBuilder(page, act=act, weight=weight, is_spare=True))

    def fold(self, told: Folded | None) -> None:
        """Tells each run of small generated sentences, of `FEWEST_FOLDED` acts or more, in one sentence.

        Heavy ones right behind them are told with them. Spare sentences that remain are dropped. `told`
        returns the sentence for the people in a run; None to keep all sentences.
        """
        run: list[ParagraphBuilder] = []
        kept = [draft for draft in self.drafts if not draft.dropped]
        for place, draft in enumerate(kept):
            goes_on = draft.is_outcome or bool(run and run[-1].act == draft.act and draft.page.generated)
            if goes_on and not (draft.weight > 1 or draft.page.eyes):
                run.append(draft)
                continue
            self._fold(run, told, islice(kept, place, None))
            run = []
        self._fold(run, told, ())
        for draft in self.drafts:
            draft.dropped = draft.dropped or draft.is_spare

    def _fold(
        self, run: list[ParagraphBuilder], told: Folded | None, behind: Iterable[ParagraphBuilder]
    ) -> None:
        """Tells a run in one sentence, with the heavy spare sentences that stand directly `behind` it."""
        acts = {draft.act for draft in run}
        if told is None or len(acts) < FEWEST_FOLDED:
            return
        first, *others = run
        people = tuple(dict.fromkeys(name for draft in run for name in draft.people))
        heavy = takewhile(lambda draft: draft.is_spare and draft.weight > 1 and not draft.page.eyes, behind)
        text = " ".join((told(people), *(draft.page.text for draft in heavy if draft.page.text)))
        first.page = replace(first.page, text=text, folded=len(acts))
        first.is_spare = False
        for draft in others:
            first.mechanics += self.drop(draft)

    def note(self, mechanic: document.Mechanic, *, in_order: bool) -> None:
        """Appends a roll or draw to the last paragraph; without a paragraph, it waits for the next.

        With `in_order` it never waits, but gets a paragraph without text.
        """
        if self.last is None and in_order:
            self.write(only_mechanics(mechanic))
        (self.waiting if self.last is None else self.last.mechanics).append(mechanic)

    def stand(self, mechanic: document.Mechanic) -> None:
        """Appends a mechanic, after the waiting rolls and draws, to the paragraph before it.

        Without such a paragraph, it goes under the conflict's heading. Used for a turn order: it names the
        next speaker, so it may not wait for the speaker's paragraph.
        """
        self.waiting.append(mechanic)
        told = [
            draft
            for draft in self.drafts
            if not (draft.dropped or draft.is_spare) and draft.page.kind not in BESIDE
        ]
        before = told[-1].mechanics if told else None if self.conflict is None else self.heading
        if before is not None:
            before.extend(self.waiting)
            self.waiting = []

    def drop(self, draft: ParagraphBuilder) -> list[document.Mechanic]:
        """Marks a paragraph as dropped and returns its rolls and draws, for the caller to place."""
        draft.dropped = True
        if self.last is draft:
            self.last = None
        return draft.mechanics

    def leave(self, variation: document.Variation) -> None:
        """Adds a variation (another branch's story) under the last paragraph written so far."""
        self.left.append((self.drafts[-1] if self.drafts else None, variation))

    def done(self) -> document.Passage:
        """Returns the finished passage; rolls and draws still waiting go to its last paragraph."""
        kept = [draft for draft in self.drafts if not draft.dropped]
        for draft in _firsts_of_acts(kept):
            if draft.weight == REMEMBERED:
                draft.page = replace(draft.page, begins=True)
        for before, draft in pairwise(kept):
            if draft.page.generated and draft.act != before.act and draft.page.text != before.page.text:
                draft.page = replace(draft.page, begins=True)
        conflict = self.conflict
        told = [draft for draft in kept if draft.page.kind is not Tag.RIBBON]
        if self.waiting and told:
            told[-1].mechanics.extend(self.waiting)
        elif self.waiting and conflict is not None:
            self.heading.extend(self.waiting)
        elif self.waiting:
            kept.append(ParagraphBuilder(only_mechanics(self.waiting[0]), self.waiting))
        self.waiting = []
        if conflict is not None:
            conflict = replace(conflict, mechanics=tuple(self.heading))
        return document.Passage(
            conflict, tuple(draft.done() for draft in kept), tuple(self._variations()), self.plate
        )

    def _variations(self) -> Iterator[document.Variation]:
        """Yields each variation, placed after the last paragraph before it that was not dropped."""
        for draft, variation in self.left:
            before = self.drafts[: self.drafts.index(draft) + 1] if draft else []
            after = next((draft.page.id for draft in reversed(before) if not draft.dropped), None)
            yield replace(variation, after=after)


def _firsts_of_acts(drafts: Iterable[ParagraphBuilder]) -> Iterator[ParagraphBuilder]:
    """Yields the first paragraph of each act."""
    act = ""
    for draft in drafts:
        if draft.act != act:
            yield draft
        act = draft.act


def only_mechanics(first: document.Mechanic) -> document.Paragraph:
    """Returns a paragraph without text, for a roll or draw that stands alone; `first` gives its id."""
    return document.Paragraph(f"{first.id}m", Tag.MECHANICS, "")


def nth_id(known: str, count: int) -> str:
    """Returns the id of an event's n-th paragraph, with a letter from the second on: e12, e12b, e12c."""
    if count == 1:
        return known
    return known + chr(ord("a") + min(count, 26) - 1) + ("" if count <= 26 else str(count))  # noqa: PLR2004 -- letters


class SceneBuilder(Struct):
    """Scene under construction: heading, session heading if it begins a session, and passages."""

    id: str | None = None
    title: str | None = None
    chapter: document.Chapter | None = None
    passages: list[PassageBuilder] = field(default_factory=list)
    introduced: str = ""
    """Words with the session that begins right before the scene, if all may read them."""

    def opening(self) -> str:
        """Returns the first text of the scene, if it is the game master's and all may read it."""
        drafts = (draft for passage in self.passages for draft in passage.drafts if not draft.dropped)
        first = next(drafts, None)
        if first is None or first.page.stakes or first.page.speaker or first.page.eyes:
            return ""
        return first.page.text

    def done(self, told: Folded | None = None) -> document.Scene:
        """Returns the finished scene, without empty passages and without wordings that no later text uses.

        Small acts without words are folded if `told` is given (`PassageBuilder.fold`).
        """
        for passage in self.passages:
            passage.fold(told)
        drafts = [
            (passage, draft) for passage in self.passages for draft in passage.drafts if not draft.dropped
        ]
        for number, (passage, draft) in enumerate(drafts):
            if draft.if_used and not _is_used(draft.page, (later.page for _, later in drafts[number + 1 :])):
                passage.waiting[:0] = passage.drop(draft)
        for number, (passage, draft) in enumerate(drafts):
            if draft.page.stakes and self._stand_beside(number, [other.page for _, other in drafts]):
                passage.waiting[:0] = passage.drop(draft)
        finished = (passage.done() for passage in self.passages)
        return document.Scene(self.id, self.title, self.chapter, tuple(filter(None, finished)))

    def _stand_beside(self, number: int, pages: Sequence[document.Paragraph]) -> bool:
        """True if a text beside the stakes, or the opening of their scene, has all their words."""
        stakes = pages[number].text
        beside = (*pages[max(number - 1, 0) : number], *pages[number + 1 : number + 2])
        texts = (page.text for page in beside if not (page.eyes or page.generated or page.struck))
        return any(says_all_of(text, stakes) for text in (self.introduced, self.opening(), *texts))


def _is_used(wording: document.Paragraph, later: Iterable[document.Paragraph]) -> bool:
    """True if a later text for the same readers has a word of the wording."""
    content = content_words(wording.text)
    return any(
        not content.isdisjoint(content_words(page.text)) for page in later if page.eyes == wording.eyes
    )


def heading_of(conflict: OpenConflict, table: Table, phrases: Phrases, prefix: str = "") -> document.Conflict:
    """Returns the heading of an open conflict, with sides and stakes; `prefix` stands before its id."""
    gm = phrases.say("names.gm")
    return document.Conflict(
        f"{prefix}c{conflict.id}",
        conflict.id,
        conflict_title(conflict, table, gm),
        SYSTEMS[conflict.system].called(table),
        tuple(tuple(table.shown(person, gm) for person in side) for side in conflict.sides),
        None if conflict.stakes is None else str(conflict.stakes),
    )


def plate_of(
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


KeepScene = Callable[[document.Scene], document.Scene]
"""Receives a finished scene and returns the part to keep in the transcript."""


class OpeningHeading(NamedTuple):
    """Heading of the scene that is already in progress where a transcript begins."""

    id: str
    title: str
    """Typeset title."""


class FinishedScenes(Struct):
    """Collector of finished scenes: marks paragraphs that join, typesets each scene and passes it to `keep`.

    `keep` gets the scenes in order, and the scenes it returns are kept. `begun` is the heading for the first
    scene if that has none.
    """

    voice: Voice
    keep: KeepScene | None = None
    begun: OpeningHeading | None = None
    _first: document.Scene | None = None
    """First scene; it may be joined to the first session's."""
    _scenes: list[document.Scene] = field(default_factory=list)

    def add(self, scene: document.Scene) -> None:
        """Adds the next finished scene; a scene without passages and headings is skipped."""
        if not (scene.passages or scene.title or scene.chapter):
            return
        join = document.joined_by_teller if self.voice.story else document.together
        (told,) = join((scene,))
        if self._first is not None:
            first, self._first = self._first, None
            for finished in _from_the_first_session(first, told):
                self._hand_on(finished)
        elif self._scenes:
            self._hand_on(told)
        else:
            self._first = told

    def scenes(self) -> tuple[document.Scene, ...]:
        """Passes the scene still held back to `keep`, then returns every kept scene; call it last."""
        if self._first is not None:
            self._hand_on(self._first)
        return tuple(self._scenes)

    def _hand_on(self, scene: document.Scene) -> None:
        told = typeset_scene(scene, typesetter_of(self.voice))
        if not self._scenes and self.begun is not None and told.title is None:
            told = replace(told, id=self.begun.id, title=self.begun.title)
        told = replace(told, diary=True) if self.voice.diary else told
        self._scenes.append(told if self.keep is None else self.keep(told))


def _from_the_first_session(before: document.Scene, first: document.Scene) -> tuple[document.Scene, ...]:
    """Returns both scenes, or one scene of both if `before` has no words and `first` begins a session."""
    is_told = any(
        passage.conflict or passage.variations or any(paragraph.text for paragraph in passage.paragraphs)
        for passage in before.passages
    )
    if before.chapter or before.title or first.chapter is None or is_told:
        return before, first
    return (replace(first, passages=before.passages + first.passages),)


class UntoldResult(NamedTuple):
    """Result that nobody narrated: its position, Retold's own sentence, and the people who may tell it."""

    at: int
    said: str
    left: tuple[int, ...]


class StretchResult(Struct):
    """Result of telling a range of positions: scenes, attendance, quotes, games, untold results."""

    scenes: tuple[document.Scene, ...]
    attendance: Attendance
    quotes: list[document.Quote]
    systems: dict[str, None]
    """Games with a conflict, in order of their first."""
    untold: list[UntoldResult]

    def go_on(self, later: StretchResult) -> None:
        """Appends the result of the part that follows; no persons may be merged in that part."""
        self.scenes += later.scenes
        self.attendance.go_on(later.attendance)
        self.quotes += later.quotes
        self.systems.update(later.systems)
        self.untold += later.untold

    def led(self) -> tuple[document.Scene, ...]:
        """Returns the scenes, with the game masters in each session's heading unless the same led all."""
        there = self.attendance
        if len(set(there.led.values())) == 1:
            return self.scenes
        return tuple(_led(scene, there) for scene in self.scenes)


def _led(scene: document.Scene, there: Attendance) -> document.Scene:
    chapter = scene.chapter
    if chapter is None or chapter.session not in there.led:
        return scene
    led = ", ".join(there.names[person] for person in there.led[chapter.session] if person in there.names)
    return replace(scene, chapter=replace(chapter, gm=led or None))
