"""Mutable builders for paragraphs, passages and scenes of a transcript.

"Mechanics" are the rolls, draws and numbers behind a paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.capabilities import HasMap
from retold.journal.guarding import answer_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.projections.maps.picture import picture
from retold.projections.prose import Voice
from retold.projections.prose.beats import REMEMBERED
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.pronouns import has_name
from retold.projections.prose.sentences import content_words, says_all_of
from retold.projections.prose.telling import Harm, Tag
from retold.projections.story import document
from retold.projections.story.running_text import tense
from retold.projections.story.transcript.attendance import Attendance
from retold.projections.story.typography import typeset_scene, typesetter_of
from retold.projections.texts import emphasis
from retold.projections.views.naming import conflict_title


class Blow(NamedTuple):
    """Harm to the person called `name`."""

    harm: Harm
    name: str


class Won(NamedTuple):
    """Names of the winners of a conflict, and what was at stake in words, which may be empty."""

    winners: tuple[str, ...]
    what: str


class ParagraphBuilder(Struct):
    """Paragraph that may still receive rolls and draws, or be dropped once a player tells the same event."""

    page: document.Paragraph
    dropped: bool = False
    act: str = ""
    turn: int = 0
    """Number of turns that ended before it in its passage."""
    if_used: bool = False
    """True for a wording that is dropped unless a later text of the scene uses a word of it."""
    is_of_several: bool = False
    """True for words of an act of several people."""
    weight: int = 0
    """Weight of its act in the story, from 0 to 3."""
    actor: tuple[int, str] | None = None
    """The person whose act a generated sentence tells, with their name; None if it is not one person's."""
    sides: tuple[tuple[int, ...], ...] = ()
    """People of its conflict, by side."""
    is_outcome: bool = False
    """True for a generated sentence on an untold outcome."""
    is_spare: bool = False
    """True for a sentence of Retold's on an event that is otherwise untold."""
    decides: bool = False
    """True for a spare sentence that is told alone too; others are told only in one for several acts."""
    is_check: bool = False
    """True for a spare sentence on an attempt, which is told alone too."""
    blow: Blow | None = None
    """The blow that a spare sentence is about; it is told alone too, and in short among others."""
    won: Won | None = None
    """The end of a conflict that a generated sentence tells, which a text beside it may have told."""
    otherwise: document.Paragraph | None = None
    """Sentence of Retold's in place of a wording that no later text uses."""

    @property
    def subject(self) -> str:
        """Name of the only subject of a sentence on a blow or on who won; empty if there are more."""
        if self.won is not None and len(self.won.winners) == 1:
            return self.won.winners[0]
        if self.blow is None or self.is_of_several:
            return ""
        return self.blow.name if self.actor is None or self.blow.harm.what else self.actor[1]

    @property
    def takes(self) -> bool:
        """True if mechanics may stand with it."""
        return not self.dropped and self.page.kind not in BESIDE


_BEFORE_ALL: Final = -1
"""Place of mechanics that stand before every paragraph."""

FEWEST_FOLDED: Final = 3
"""Acts without words from which one sentence tells them."""

InTenses = tuple[str, str]
"""A text in the past tense and in the present."""


class Folded(NamedTuple):
    """Functions that tell several acts.

    `told` returns the sentences on them: for the names of their one actor or two opponents, if any, and the
    blows among them. The names are None for blows of an unknown attacker. `both` joins two sentences, the
    second without its subject if that is given.
    """

    told: Callable[[tuple[str, ...] | None, tuple[Blow, ...]], InTenses]
    both: Callable[[str, str, str], str]


BESIDE = frozenset({Tag.NOTE, Tag.ASIDE, Tag.PICTURE, Tag.RIBBON})
"""Kinds that take no waiting mechanics, since they only interrupt the story."""


class _Noted(NamedTuple):
    """Mechanic of a passage in the order of the record: after `place` paragraphs, in `turn`.

    One that `stands` may not be shown with a later paragraph.
    """

    mechanic: document.Mechanic
    act: str
    place: int
    turn: int
    stands: bool


class PassageBuilder(Struct):
    """Passage (the paragraphs of one conflict, or between conflicts) under construction.

    Paragraphs and mechanics (rolls, draws, numbers) are kept in the order of the record. Which paragraph
    shows a mechanic is decided in `done`, when it is known which paragraphs are dropped.
    """

    conflict: document.Conflict | None
    heading: list[document.Mechanic] = field(default_factory=list)
    drafts: list[ParagraphBuilder] = field(default_factory=list)
    noted: list[_Noted] = field(default_factory=list)
    last: ParagraphBuilder | None = None
    """The paragraph that a mechanic noted now would stand with; None at the beginning of a turn."""
    turn: int = 0
    left: list[tuple[ParagraphBuilder | None, document.Variation]] = field(default_factory=list)
    plate: document.Plate | None = None
    turned: bool = False
    """True after the end of a round or of a conflict, until something is told."""
    people: dict[str, set[int]] = field(default_factory=dict)
    """People in each act."""

    def write(self, page: document.Paragraph, act: str = "") -> ParagraphBuilder:
        """Appends a paragraph and returns its builder. `act` is the id of the act that recorded it."""
        begins = self.turned or (page.begins and not self._is_opening())
        draft = ParagraphBuilder(replace(page, begins=begins), act=act, turn=self.turn)
        self.drafts.append(draft)
        self.turned = self.turned and page.kind in BESIDE
        if page.kind not in BESIDE and not (page.generated and self.last is not None):
            self.last = draft
        return draft

    def end_turn(self) -> None:
        """Ends a turn: later notes go to the next paragraph."""
        self.turn += 1
        self.last = None

    def has_rolls_of_another(self) -> bool:
        """True if the last text is a person's, in the same turn, and has rolls or draws behind it."""
        last = self.last
        if last is None or last.page.speaker is None or last.is_of_several:
            return False
        return bool(self.noted) and self.noted[-1].turn == self.turn

    def _is_opening(self) -> bool:
        """True if only the narrator has told something so far, in one text: the scene's opening."""
        told = [draft.page for draft in self.drafts if draft.page.text and not draft.dropped]
        return len(told) == 1 and told[0].speaker is None

    def spare(self, page: document.Paragraph, act: str) -> ParagraphBuilder:
        """Appends a generated sentence that is dropped unless it decides, or is folded with others."""
        draft = ParagraphBuilder(page, act=act, turn=self.turn, is_outcome=True, is_spare=True)
        self.drafts.append(draft)
        return draft

    def weigh(self, act: str, weight: int) -> None:
        """Gives the paragraphs of the act at the end of the passage at least this weight."""
        for draft in reversed(self.drafts):
            if draft.act != act:
                break
            draft.weight = max(draft.weight, weight)

    def fold(self, told: Folded | None) -> None:
        """Tells each run of small generated sentences, of `FEWEST_FOLDED` acts or more, in one sentence.

        What decides right behind them is told with them. Spare sentences that remain are dropped, unless they
        decide. `told` returns the sentence for the people in a run; None to keep all sentences.
        """
        run: list[ParagraphBuilder] = []
        for draft in [draft for draft in self.drafts if not draft.dropped]:
            goes_on = draft.is_outcome or bool(run and run[-1].act == draft.act and draft.page.generated)
            is_heavy = draft.weight > 1 and not draft.is_spare
            has_ended = bool(run) and run[-1].decides and run[-1].weight == REMEMBERED
            if run and not (goes_on and not is_heavy and (draft.decides or not has_ended)):
                self._fold(run, told)
                run = []
            if goes_on and not (is_heavy or draft.page.eyes):
                run.append(draft)
        self._fold(run, told)
        for draft in self.drafts:
            is_told = draft.decides or draft.is_check or draft.blow is not None
            draft.dropped = draft.dropped or (draft.is_spare and not is_told)

    def _fold(self, run: list[ParagraphBuilder], told: Folded | None) -> None:
        """Tells a run in one sentence; what decides, and what is heavy at its end, keeps its own words."""
        small = [draft for draft in run if not draft.decides]
        heavy: list[ParagraphBuilder] = []
        while small and small[-1].weight > 1 and len({draft.act for draft in small[:-1]}) >= FEWEST_FOLDED:
            heavy.insert(0, small.pop())
        acts = dict.fromkeys(draft.act for draft in small)
        if told is None:
            return
        if len(acts) < FEWEST_FOLDED:
            self._join_blows(run, told)
            self._pair([draft for draft in run if not draft.dropped], told)
            return
        worded = [draft for draft in run if draft.decides or draft in heavy]
        blows = tuple(draft.blow for draft in (*small, *worded) if draft.blow is not None)
        by_whom = [draft for draft in small if draft.blow is None or draft.actor is not None]
        summary = told.told(self._in_it(by_whom) if by_whom else None, blows)
        first, *others = run
        texts = (summary, *(_in_tenses(draft.page) for draft in worded))
        first.page = replace(_reworded(first.page, texts), folded=len(acts))
        first.is_spare = False
        for draft in others:
            self.drop(draft)

    def _join_blows(self, run: Iterable[ParagraphBuilder], told: Folded) -> None:
        """Tells the blows of each act that hurt several people in one sentence."""
        acts: dict[str, list[tuple[ParagraphBuilder, Blow]]] = {}
        for draft in run:
            if draft.blow is not None and not draft.decides:
                acts.setdefault(draft.act, []).append((draft, draft.blow))
        for (first, blow), *others in acts.values():
            if others:
                blows = (blow, *(other for _, other in others))
                first.page = _reworded(first.page, [told.told(None, blows)])
                first.is_of_several = True
            for draft, _ in others:
                self.drop(draft)

    def _pair(self, run: Sequence[ParagraphBuilder], told: Folded) -> None:
        """Tells two blows in a row in one sentence."""
        before: ParagraphBuilder | None = None
        for draft in run:
            subject = draft.subject if before is not None and draft.subject == before.subject else ""
            is_end = draft.won is not None and bool(subject)
            if draft.page.eyes or before is None or not (draft.blow or is_end):
                before = None if draft.blow is None or draft.page.eyes else draft
                continue
            pairs = zip(_in_tenses(before.page), _in_tenses(draft.page), strict=True)
            past, present = (told.both(first, second, subject) for first, second in pairs)
            before.page = _reworded(before.page, [(past, present)])
            before.weight = max(before.weight, draft.weight)
            self.drop(draft)
            before = None

    def _in_it(self, run: Iterable[ParagraphBuilder]) -> tuple[str, ...]:
        """Returns the one actor of a run, or its two if they oppose each other and no third is in it."""
        drafts = tuple(run)
        actors = tuple(dict.fromkeys(draft.actor for draft in drafts))
        known = dict(filter(None, actors))
        if len(actors) == 1 or len(known) < len(actors):
            return tuple(known.values()) if len(actors) == 1 else ()
        there = {person for draft in drafts for person in self.people.get(draft.act, ())}
        are_two = len(known) == 2 and there <= known.keys()  # noqa: PLR2004 -- a pair
        is_between = are_two and any(_oppose(draft.sides, known) for draft in drafts)
        return tuple(known.values()) if is_between else ()

    def note(
        self, mechanic: document.Mechanic, act: str = "", *, in_order: bool = False, stands: bool = False
    ) -> None:
        """Appends a roll, a draw or a number.

        One that `stands`, such as a turn order, which names the next speaker, is shown with a paragraph
        before it. With `in_order` it gets a paragraph of its own if its turn has none yet.
        """
        if self.last is None and in_order:
            self.write(only_mechanics(mechanic))
        self.noted.append(_Noted(mechanic, act, len(self.drafts), self.turn, stands))

    def drop(self, draft: ParagraphBuilder) -> None:
        """Marks a paragraph as dropped; its rolls and draws stand with another."""
        draft.dropped = True
        if self.last is draft:
            self.last = None

    def leave(self, variation: document.Variation) -> None:
        """Adds a variation (another branch's story) under the last paragraph written so far."""
        self.left.append((self.drafts[-1] if self.drafts else None, variation))

    def done(self) -> document.Passage:
        """Returns the finished passage."""
        kept = [draft for draft in self.drafts if not draft.dropped]
        for draft in _firsts_of_acts(kept):
            if draft.weight == REMEMBERED:
                draft.page = replace(draft.page, begins=True)
        for before, draft in pairwise(kept):
            if draft.page.generated and draft.act != before.act and draft.page.text != before.page.text:
                draft.page = replace(draft.page, begins=True)
        conflict = self.conflict
        paragraphs = tuple(self._with_mechanics())
        if conflict is not None:
            conflict = replace(conflict, mechanics=tuple(self.heading))
        return document.Passage(conflict, paragraphs, tuple(self._variations()), self.plate)

    def _with_mechanics(self) -> Iterator[document.Paragraph]:
        """Yields the paragraphs that are not dropped, each with the mechanics that it shows.

        Those that stand before every paragraph go to the conflict's heading, or are a paragraph of their own.
        """
        shown: dict[int, list[document.Mechanic]] = {}
        for noted, place in zip(self.noted, self._places(), strict=True):
            shown.setdefault(place, []).append(noted.mechanic)
        first = shown.get(_BEFORE_ALL, [])
        if self.conflict is not None:
            self.heading.extend(first)
        elif first:
            yield replace(only_mechanics(first[0]), mechanics=tuple(first))
        for place, draft in enumerate(self.drafts):
            if not draft.dropped:
                yield replace(draft.page, mechanics=tuple(shown.get(place, ())))

    def _places(self) -> list[int]:
        """Returns the index of the paragraph that shows each mechanic, `_BEFORE_ALL` for none.

        That is the paragraph before it in the same turn, or the next one in that turn; in a turn without
        paragraphs, the one before. So both are in the order of the record, except that a text comes before
        the rolls of its own turn. If no paragraph takes any, the last one that is kept shows them all.
        """
        takers = [place for place, draft in enumerate(self.drafts) if draft.takes]
        if not takers:
            beside = (
                place
                for place, draft in enumerate(self.drafts)
                if not draft.dropped and draft.page.kind is not Tag.RIBBON
            )
            return [max(beside, default=_BEFORE_ALL)] * len(self.noted)
        found: list[int] = []
        told = 0
        for noted in self.noted:
            while told < len(takers) and takers[told] < noted.place:
                told += 1
            found.append(self._place(noted, takers, told))
        for number in range(len(found) - 1, 0, -1):
            found[number - 1] = min(found[number - 1], found[number])
        return found

    def _place(self, noted: _Noted, takers: Sequence[int], told: int) -> int:
        """Returns the index of the paragraph that shows a mechanic; `told` of the `takers` are before it."""
        goes_on = told < len(takers) and self.drafts[takers[told]].turn == noted.turn
        if told and self.drafts[takers[told - 1]].turn == noted.turn:
            before, following = takers[told - 1], takers[told] if goes_on else takers[told - 1]
            if self._is_of_next(noted, self.drafts[before], self.drafts[following]):
                return following
            return self._before(noted, takers, told)
        if goes_on and not noted.stands:
            return takers[told]
        if told:
            return takers[told - 1]
        return takers[0] if self.conflict is None else _BEFORE_ALL

    def _is_of_next(self, noted: _Noted, before: ParagraphBuilder, following: ParagraphBuilder) -> bool:
        """True if a mechanic behind a generated sentence belongs to the act of the next text."""
        is_text = before.page.generated and not following.page.generated
        return is_text and before.act != noted.act == following.act and not noted.stands

    def _before(self, noted: _Noted, takers: Sequence[int], told: int) -> int:
        """Returns the place before a mechanic in its turn.

        A generated sentence leaves the mechanics of its own act to the text before it.
        """
        place = told - 1
        while place and self.drafts[takers[place]].page.generated:
            is_own = self.drafts[takers[place]].act == noted.act
            if not is_own or self.drafts[takers[place - 1]].turn != noted.turn:
                break
            place -= 1
        return takers[place]

    def _variations(self) -> Iterator[document.Variation]:
        """Yields each variation, placed after the last paragraph before it that was not dropped."""
        for draft, variation in self.left:
            before = self.drafts[: self.drafts.index(draft) + 1] if draft else []
            after = next((draft.page.id for draft in reversed(before) if not draft.dropped), None)
            yield replace(variation, after=after)


def _in_tenses(page: document.Paragraph) -> InTenses:
    return page.text, page.text if page.in_present is None else page.in_present[1]


def _reworded(page: document.Paragraph, told: Iterable[InTenses]) -> document.Paragraph:
    """Returns a generated paragraph with these sentences."""
    past, present = (" ".join(filter(None, texts)) for texts in zip(*told, strict=True))
    return replace(page, text=past, in_present=(page.label or "", present))


def _oppose(sides: Iterable[Container[int]], people: Iterable[int]) -> bool:
    """True if each of the people is on a side of their own."""
    there = [next((number for number, side in enumerate(sides) if who in side), None) for who in people]
    return None not in there and len({*there}) == len(there)


def _firsts_of_acts(drafts: Iterable[ParagraphBuilder]) -> Iterator[ParagraphBuilder]:
    """Yields the first paragraph of each act."""
    act = ""
    for draft in drafts:
        if draft.act != act:
            yield draft
        act = draft.act


def only_mechanics(first: document.Mechanic) -> document.Paragraph:
    """Returns a paragraph without text, for a single roll or draw; `first` gives its id."""
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
        drafts = [
            (passage, draft) for passage in self.passages for draft in passage.drafts if not draft.dropped
        ]
        for number, (passage, draft) in enumerate(drafts):
            if not draft.if_used or _is_used(draft.page, (later.page for _, later in drafts[number + 1 :])):
                continue
            if draft.otherwise is None:
                passage.drop(draft)
            else:
                draft.page = draft.otherwise
                draft.is_spare = draft.decides = draft.is_outcome = True
        words = [
            each for each in drafts if not each[1].dropped and (each[1].won or not each[1].page.generated)
        ]
        pages = [draft.page for _, draft in words]
        for number, (passage, draft) in enumerate(words):
            if draft.won is not None and _tells_who_won(draft.won, number, pages):
                passage.drop(draft)
        for passage in self.passages:
            passage.fold(told)
        drafts = [(passage, draft) for passage, draft in drafts if not draft.dropped]
        pages, stakes = [draft.page for _, draft in drafts], set[str]()
        for number, (passage, draft) in enumerate(drafts):
            is_again = draft.page.stakes and draft.page.text in stakes
            if draft.page.stakes and (is_again or self._stand_beside(number, pages)):
                passage.drop(draft)
            stakes |= {draft.page.text} if draft.page.stakes else set()
        finished = (passage.done() for passage in self.passages)
        return document.Scene(self.id, self.title, self.chapter, tuple(filter(None, finished)))

    def _stand_beside(self, number: int, pages: Sequence[document.Paragraph]) -> bool:
        """True if a text beside the stakes, or the opening of their scene, has all their words."""
        stakes = pages[number].text
        beside = (*pages[max(number - 1, 0) : number], *pages[number + 1 : number + 2])
        texts = (page.text for page in beside if not (page.eyes or page.generated or page.struck))
        return any(says_all_of(text, stakes) for text in (self.introduced, self.opening(), *texts))


_BEFORE_THE_END: Final = 3
"""Texts before the end of a conflict among which one may tell who won it."""


def _tells_who_won(won: Won, number: int, pages: Sequence[document.Paragraph]) -> bool:
    """True if a text beside the end of a conflict tells it: it has a winner, and most of what was won."""
    told = [page for page in pages[:number] if page.kind is Tag.NARRATION and not page.generated]
    beside = (*told[-_BEFORE_THE_END:], *pages[number + 1 : number + 2])
    what = content_words(won.what) - content_words(" ".join(won.winners))
    for page in beside:
        if page.eyes or page.struck or page.generated or page.stakes or page.plan:
            continue
        text = f"{page.speaker}: {emphasis.words(page.text)}"
        shared = len(what & content_words(text))
        has_most = 2 * shared >= len(what) and shared >= min(len(what), 2) > 0
        if has_most and any(has_name(text, winner) for winner in won.winners):
            return True
    return False


def _is_used(wording: document.Paragraph, later: Iterable[document.Paragraph]) -> bool:
    """True if a later text for the same readers has a word of the wording."""
    content = content_words(wording.text)
    return any(
        not content.isdisjoint(content_words(page.text))
        for page in later
        if page.eyes == wording.eyes and not page.generated
    )


def heading_of(conflict: OpenConflict, table: Table, phrases: Phrases, prefix: str = "") -> document.Conflict:
    """Returns the heading of an open conflict, with sides and stakes; `prefix` precedes its id."""
    gm = phrases.say("names.gm")
    return document.Conflict(
        f"{prefix}c{conflict.id}",
        conflict.id,
        conflict_title(conflict, table, gm),
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
    _tense: int = 0
    """Tense of the scenes so far of this session."""
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
        self._tense = 0 if told.chapter is not None else self._tense
        fixed = self.voice.tense or ("" if self.voice.story else "past")
        told = replace(told, diary=self.voice.diary, before=self._tense, tense=fixed)
        self._tense += tense(told.paragraphs()) if self.voice.story else 0
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
    """Result without a narration: its position, Retold's own sentence, and the people who may tell it."""

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
