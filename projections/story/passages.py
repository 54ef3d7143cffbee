"""Scenes, passages and paragraphs of a story under construction, as its three rooms hand them on.

`placing` begins scenes and passages. `weighing` adds paragraphs and mechanics (rolls, draws, numbers), and
drops what is told elsewhere. `writing` makes finished scenes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Final, NamedTuple, Self

from msgspec import Struct, field
from msgspec.structs import replace

from retold.projections.prose.beats import REMEMBERED
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.pronouns import has_name, has_one_of
from retold.projections.prose.sentences import content_words, says_all_of, tells_of_surrender
from retold.projections.prose.telling import Harm, Tag
from retold.projections.story import document
from retold.projections.texts import emphasis


class Blow(NamedTuple):
    """Harm to the person called `name`, by the one called `by`, who may be unknown."""

    harm: Harm
    name: str
    by: str = ""
    kind: str = ""
    """What the attacker is one of, such as Goblin; empty for one without a number."""

    @property
    def is_plain(self) -> bool:
        """True for harm in Retold's usual words that put nobody out."""
        return not (self.harm.is_out or self.harm.is_missed or self.harm.said)

    def answers(self, before: Self) -> bool:
        """True for a hit by the one who was hit or missed before, at the one who did that."""
        is_pair = self.by != "" and (self.by, self.name) == (before.name, before.by)
        return is_pair and self.is_plain and self.harm.is_of_body and not self.harm.what


class Won(NamedTuple):
    """Names of the winners of a conflict, and what was at stake in words, which may be empty."""

    winners: tuple[str, ...]
    what: str


class ParagraphBuilder(Struct, eq=False):
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
    gives_up: bool = False
    """True for a spare sentence on a person who gives up, which a text beside it may tell."""
    won: Won | None = None
    """The end of a conflict that a generated sentence tells, which a text beside it may have told."""
    otherwise: document.Paragraph | None = None
    """Sentence of Retold's in place of a wording that no later text uses."""
    newcomers: tuple[str, ...] = ()
    """Names of people who join a conflict in a spare sentence, which is told if no text introduces them."""
    opponents: Mapping[int, str] = {}
    """Names of people in a conflict that begins, in a spare sentence on those whom no text names first."""
    tried_by: int | None = None
    """The person whose attempt it tells."""
    tells_of: Callable[[Sequence[int]], document.Paragraph] | None = None
    """Returns the same sentence on an attempt of several people, or on some of the opponents."""
    in_short: tuple[str, document.Paragraph] | None = None
    """Purpose of an attempt, and its sentence right behind another one for the same: `Nim fails.`."""
    rest: Callable[[Collection[int], Collection[int]], document.Paragraph] | None = None
    """Returns what is left of a sentence in parts, for those who narrated some, and the people they named."""
    tellers: set[int] = field(default_factory=set)
    """Who narrated a part of it."""
    named: set[int] = field(default_factory=set)
    """People whom they named."""
    subject: str = ""
    """Name of the only subject of a sentence on a blow, a newcomer or who won; empty if there are more."""

    @property
    def is_act(self) -> bool:
        """True for a sentence on a blow or an attempt."""
        return self.blow is not None or self.is_check

    def concerns(self, people: frozenset[int]) -> bool:
        """False for a blow or an attempt in which none of these people had a part; True without people."""
        harm, actor = self.blow and self.blow.harm, self.actor if self.is_check else None
        known = {harm.who, harm.by} if harm else {actor[0]} if actor else people
        return not people or not people.isdisjoint(known)


FEWEST_FOLDED: Final = 3
"""Acts without words from which one sentence tells them."""
_MOST_BLOWS: Final = 8
"""Acts up to which blows are told one by one."""
_IN_A_SENTENCE: Final = 3
"""Blows that one sentence tells."""
_REPEATED: Final = 3
"""Words of an attempt from which the next one for the same only says whether it succeeded."""

InTenses = tuple[str, str]
"""A text in the past tense and in the present."""

Fold = Callable[[tuple[str, ...] | None, tuple[Blow, ...]], InTenses]
"""Returns the sentences that tell several acts: for the names of their one actor or two opponents, if any,
and the blows among them. The names are None for blows of an unknown attacker.
"""

BESIDE = frozenset({Tag.NOTE, Tag.ASIDE, Tag.PICTURE, Tag.RIBBON})
"""Kinds that take no waiting mechanics, since they only interrupt the story."""


class Noted(NamedTuple):
    """Mechanic of a passage in the order of the record: after `place` paragraphs, in `turn`.

    One that `stands` may not be shown with a later paragraph.
    """

    mechanic: document.Mechanic
    act: str
    place: int
    turn: int
    stands: bool


class PassageBuilder(Struct, eq=False):
    """Passage under construction: paragraphs and mechanics of one conflict, or between conflicts.

    Both are kept in the order of the record. `writing` decides which paragraph shows a mechanic, once it is
    known which paragraphs are dropped.
    """

    conflict: document.Conflict | None
    heading: list[document.Mechanic] = field(default_factory=list)
    drafts: list[ParagraphBuilder] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)
    _last: ParagraphBuilder | None = None
    turn: int = 0
    left: list[tuple[ParagraphBuilder | None, document.Variation]] = field(default_factory=list)
    plate: document.Plate | None = None
    turned: bool = False
    """True after the end of a round or of a conflict, until something is told."""
    people: dict[str, set[int]] = field(default_factory=dict)
    """People in each act."""

    @property
    def last(self) -> ParagraphBuilder | None:
        """The paragraph that a mechanic noted now would stand with; None at the beginning of a turn."""
        return None if self._last is None or self._last.dropped else self._last

    def write(self, page: document.Paragraph, act: str = "", *, is_later: bool = False) -> ParagraphBuilder:
        """Appends a paragraph and returns its builder. `act` is the id of the act that recorded it.

        One told later (`is_later`) takes no mechanics if another does.
        """
        begins = self.turned or (page.begins and not self._is_opening())
        draft = ParagraphBuilder(replace(page, begins=begins), act=act, turn=self.turn)
        self.drafts.append(draft)
        self.turned = self.turned and page.kind in BESIDE
        has_last = self.last is not None
        if page.kind not in BESIDE and not (has_last and (page.generated or is_later)):
            self._last = draft
        return draft

    def end_turn(self) -> None:
        """Ends a turn: later notes go to the next paragraph."""
        self.turn += 1
        self._last = None

    def has_rolls_of_another(self) -> bool:
        """True if the last text is a person's, in the same turn, and has rolls or draws behind it."""
        last = self.last
        if last is None or last.page.speaker is None or last.is_of_several:
            return False
        return bool(self.noted) and self.noted[-1].turn == self.turn

    def _is_opening(self) -> bool:
        """True if only the narrator has told something so far, in one text: the scene's opening."""
        own = (draft for draft in self.drafts if not (draft.dropped or draft.is_spare))
        told = [draft.page for draft in own if draft.page.text]
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

    def fold(self, told: Fold, phrases: Phrases) -> None:
        """Tells each run of small generated sentences, of `FEWEST_FOLDED` acts or more, in one sentence.

        `told` returns the sentence for the people in a run. What decides, and what is heavy at the end of the
        run, keeps its own words. Blows of a shorter run, or of a run of nothing else, are told one by one,
        a few in a sentence.
        """
        self._join_attempts()
        for run in self._runs():
            small = [draft for draft in run if not draft.decides]
            heavy: list[ParagraphBuilder] = []
            while (
                small and small[-1].weight > 1 and len({draft.act for draft in small[:-1]}) >= FEWEST_FOLDED
            ):
                heavy.append(small.pop())
            acts = {draft.act for draft in small}
            by_whom = [draft for draft in small if draft.blow is None or draft.actor is not None]
            in_it = self._in_it(by_whom)
            are_blows = len(acts) <= _MOST_BLOWS and all(draft.is_act for draft in small)
            is_duel = len(in_it) == 2 and sum(draft.blow is not None for draft in by_whom) >= FEWEST_FOLDED  # noqa: PLR2004
            if len(acts) < FEWEST_FOLDED or (are_blows and not is_duel):
                _drop_small_blows(run, {*self._worded_acts()})
                self._join_blows([draft for draft in run if not draft.dropped], told)
                _in_sentences([draft for draft in run if not draft.dropped], phrases)
                continue
            worded = [draft for draft in run if draft.decides or draft in heavy]
            blows = tuple(draft.blow for draft in (*small, *worded) if draft.blow is not None)
            summary = told(in_it if by_whom else None, blows)
            first, *others = run
            texts = zip(
                *(_in_tenses(draft.page) for draft in worded if draft.newcomers or draft.opponents),
                summary,
                *(_in_tenses(draft.page) for draft in worded if not (draft.newcomers or draft.opponents)),
                strict=True,
            )
            page = _reworded(first.page, *(" ".join(filter(None, each)) for each in texts))
            first.page = replace(page, folded=len(acts))
            first.is_spare = False
            for draft in others:
                draft.dropped = True

    def _worded_acts(self) -> Iterator[str]:
        """Yields acts with words of their own, or right behind speech of whoever strikes in them: `Mine!`."""
        for before, draft in pairwise([None, *[draft for draft in self.drafts if not draft.dropped]]):
            if draft is not None and not draft.page.generated:
                yield draft.act
            elif draft is not None and draft.blow and before is not None and before.turn == draft.turn:
                by, speech = draft.blow.by, before.page
                if speech.kind is Tag.SPEECH and (speech.speaker or "").casefold() == by.casefold():
                    yield draft.act

    def _join_attempts(self) -> None:
        """Tells attempts of one act that came to the same in one sentence: `Zel and Bo miss nothing.`."""
        there = [draft for draft in self.drafts if draft.is_check and not draft.dropped]
        same: dict[tuple[object, ...], list[ParagraphBuilder]] = {}
        for draft in there:
            came_to = draft.page.text.casefold().removeprefix(draft.subject.casefold())
            same.setdefault((draft.act, draft.turn, draft.page.eyes, came_to), []).append(draft)
        for first, *others in same.values():
            people = [draft.tried_by for draft in (first, *others) if draft.tried_by is not None]
            if others and first.tells_of is not None:
                first.page, first.subject, first.actor = first.tells_of(people), "", None
                for draft in others:
                    draft.dropped = True
        for before, draft in pairwise([draft for draft in self.drafts if not draft.dropped]):
            if before.in_short and draft.in_short and before.in_short[0] == draft.in_short[0] != "":
                again = {*draft.page.text.split()} & {*before.page.text.split()}
                draft.page = draft.in_short[1] if len(again) >= _REPEATED else draft.page

    def put_off(self, draft: ParagraphBuilder) -> None:
        """Moves a paragraph behind what the next act of its turn tells; mechanics stay where they are."""
        at = self.drafts.index(draft)
        later = [each for each in self.drafts[at + 1 :] if not each.dropped and each.act != draft.act]
        following = [each for each in later if (each.act, each.turn) == (later[0].act, draft.turn)]
        self._move(at, self.drafts.index(following[-1]) if following else at)

    def put_last(self, draft: ParagraphBuilder) -> None:
        """Moves a paragraph behind all others, so that it interrupts nothing; mechanics stay."""
        self._move(self.drafts.index(draft), len(self.drafts) - 1)

    def _move(self, at: int, to: int) -> None:
        """Moves a paragraph behind a later one; mechanics stay where they are."""
        self.drafts.insert(to, self.drafts.pop(at))
        self.noted = [
            noted._replace(place=noted.place - 1) if at < noted.place <= to else noted for noted in self.noted
        ]

    def put_off_stakes(self) -> None:
        """Moves stakes behind a narrator's text right after them, which introduces the people concerned."""
        for draft, after in [pair for pair in pairwise(self.drafts) if pair[0].page.stakes]:
            page, at = after.page, self.drafts.index(draft) + 1
            has_rolled = any(noted.place == at and noted.act != draft.act for noted in self.noted)
            is_narrators = page.kind is Tag.NARRATION and not (page.speaker or page.eyes or page.generated)
            if is_narrators and not (draft.dropped or after.dropped or has_rolled):
                self.put_off(draft)
                draft.page = replace(draft.page, begins=False)

    def join_opponents(self) -> None:
        """Moves the sentence that names both sides into the paragraph of the stakes."""
        told = [draft for draft in self.drafts if not draft.dropped]
        for opponents, draft in pairwise(told):
            if opponents.opponents and draft.page.stakes and opponents.act == draft.act:
                opponents.dropped = True
                own = draft.page.label or "", draft.page.text
                begins, page = _in_tenses(opponents.page), draft.page
                past, present = page.in_running or own, page.in_present or page.in_running or own
                draft.page = replace(
                    page,
                    in_running=(past[0], f"{begins[0]} {past[1]}"),
                    in_present=(present[0], f"{begins[1]} {present[1]}"),
                )

    def _runs(self) -> Iterator[list[ParagraphBuilder]]:
        """Yields the runs of small generated sentences, each with what decides right behind it."""
        run: list[ParagraphBuilder] = []
        for draft in [draft for draft in self.drafts if not draft.dropped]:
            goes_on = draft.is_outcome or bool(run and run[-1].act == draft.act and draft.page.generated)
            is_heavy = draft.weight > 1 and not draft.is_spare
            has_ended = bool(run) and run[-1].decides and run[-1].weight == REMEMBERED
            if run and not (goes_on and not is_heavy and (draft.decides or not has_ended)):
                yield run
                run = []
            if goes_on and not (is_heavy or draft.page.eyes):
                run.append(draft)
        if run:
            yield run

    def _join_blows(self, run: Iterable[ParagraphBuilder], told: Fold) -> None:
        """Tells plain blows in a row in one sentence: of nobody known to several, of several to one."""
        for _, same in groupby(run, _of_or_to_one):
            first, *others = same
            blows = tuple(draft.blow for draft in (first, *others) if draft.blow is not None)
            names = [blow.by or blow.name for blow in blows]
            if others and len(set(names)) == len(names):
                first.page = _reworded(first.page, *told(None, blows))
                first.subject, first.blow = ", ".join(names), blows[0]._replace(by="")
                for draft in others:
                    draft.dropped = True

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
        self.noted.append(Noted(mechanic, act, len(self.drafts), self.turn, stands))

    def leave(self, variation: document.Variation) -> None:
        """Adds a variation (another branch's story) under the last paragraph written so far."""
        self.left.append((self.drafts[-1] if self.drafts else None, variation))


def _of_or_to_one(draft: ParagraphBuilder) -> object:
    """Returns what plain blows in one sentence share: whom they hurt, or that nobody known gave them.

    Returns the paragraph itself for anything else.
    """
    blow = draft.blow
    if blow is None or not blow.is_plain or (blow.by and blow.harm.what):
        return draft
    return (blow.name, blow.harm.is_of_body) if blow.by else ""


def _drop_small_blows(run: Sequence[ParagraphBuilder], worded: Container[str]) -> None:
    """Drops misses but those of `worded` acts, and blows to whoever the same person puts out right after."""
    out = {(draft.blow.by, draft.blow.name) for draft in run if draft.blow and draft.blow.harm.is_out}
    for draft, blow in [(draft, draft.blow) for draft in run if draft.blow]:
        draft.dropped = (
            draft.act not in worded if blow.harm.is_missed else blow.is_plain and (blow.by, blow.name) in out
        )


def _in_sentences(run: Iterable[ParagraphBuilder], phrases: Phrases) -> None:
    """Tells blows in a row, a few in a sentence, and a blow or a victory with what its person did before."""
    sentence: list[ParagraphBuilder] = []
    for draft in run:
        before = sentence[-1] if sentence else None
        is_same = before is not None and draft.subject == before.subject != ""
        goes_on = is_same or (before is not None and draft.blow and before.blow)
        if not goes_on or len(sentence) == _IN_A_SENTENCE:
            _tell_together(sentence, phrases)
            sentence.clear()
        if sentence or draft.blow or draft.newcomers or draft.is_check:
            sentence.append(draft)
    _tell_together(sentence, phrases)


def _tell_together(sentence: Sequence[ParagraphBuilder], phrases: Phrases) -> None:
    """Tells several generated sentences in the first one's place: `Zel hit Rusk and was hit in return`."""
    if len(sentence) < 2:  # noqa: PLR2004 -- one stands as it is
        return
    clauses: list[InTenses] = []
    subject, is_long, before = "", False, sentence[0]
    for draft in sentence:
        told, who = _in_tenses(draft.page), draft.subject
        if draft.blow and before.blow and draft.blow.answers(before.blow):
            who, how = draft.blow.name, draft.blow.harm.how
            said = partial(phrases.say, "table.in-return", who=who, how=how)
            told = said(), said(present=True)
        if again := bool(clauses) and who == subject:
            pairs = zip(clauses.pop(), told, strict=True)
            past, present = (joined(phrases, was, is_, who, again=is_long) for was, is_ in pairs)
            told = past, present
        elif clauses and who[:1].islower():  # the second goblin
            past, present = (f"{text[:1].lower()}{text[1:]}" for text in told)
            told = past, present
        clauses.append(told)
        subject, is_long, before = who, again or draft.is_check, draft
    *before_, last = clauses
    if before_:  # Zel hit Rusk, Rusk missed Bo, and Bo hit Rusk
        listed = (", ".join(text.rstrip(".") for text in each) for each in zip(*before_, strict=True))
        past, present = (joined(phrases, *pair) for pair in zip(listed, last, strict=True))
        last = past, present
    first, *others = sentence
    first.page = _reworded(first.page, *last)
    first.weight = max(draft.weight for draft in sentence)
    for draft in others:
        draft.dropped = True


_AUXILIARIES: Final = frozenset({"is", "are", "was", "were", "wird", "wurde"})
"""Verbs that stand once for two participles: `was hurt and poisoned`."""


def joined(phrases: Phrases, first: str, second: str, subject: str = "", *, again: bool = False) -> str:
    """Returns two sentences as one; of the same subject, words that both begin with stand once.

    With `again` the first one is joined already, or an attempt.
    """
    words, others, count = first.rstrip(".").split(" "), second.split(" "), len(subject.split(" "))
    begins = " ".join(words[:count]).lower() == " ".join(others[:count]).lower() == subject.lower()
    count = count if begins else 0
    if count and not again and words[count] == others[count] and words[count] in _AUXILIARIES:
        count += 1
    same = "table.and-also" if again else "table.and-does"
    return phrases.say(
        same if count else "table.and-then",
        first=" ".join(words),
        then=" ".join(others[count:]),
    )


def _in_tenses(page: document.Paragraph) -> InTenses:
    return page.text, page.text if page.in_present is None else page.in_present[1]


def _reworded(page: document.Paragraph, past: str, present: str) -> document.Paragraph:
    """Returns a generated paragraph with these sentences."""
    return replace(page, text=past, in_present=(page.label or "", present))


def _oppose(sides: Iterable[Container[int]], people: Iterable[int]) -> bool:
    """True if each of the people is on a side of their own."""
    there = [next((number for number, side in enumerate(sides) if who in side), None) for who in people]
    return None not in there and len({*there}) == len(there)


def only_mechanics(first: document.Mechanic) -> document.Paragraph:
    """Returns a paragraph without text, for a single roll or draw; `first` gives its id."""
    return document.Paragraph(f"{first.id}m", Tag.MECHANICS, "")


class SceneBuilder(Struct, eq=False):
    """Scene under construction: heading, session heading if it begins a session, and passages."""

    id: str | None = None
    title: str | None = None
    chapter: document.Chapter | None = None
    passages: list[PassageBuilder] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    """People who were put out of a fight."""
    introduced: str = ""
    """Words with the session that begins right before the scene, if all may read them."""

    @property
    def passage(self) -> PassageBuilder:
        """The current passage."""
        if not self.passages:
            self.passages.append(PassageBuilder(None))
        return self.passages[-1]

    def told(self) -> list[ParagraphBuilder]:
        """Returns the paragraphs that are not dropped."""
        return [draft for passage in self.passages for draft in passage.drafts if not draft.dropped]

    def opening(self) -> str:
        """Returns the first text of the scene, if it is the game master's and all may read it."""
        first = next((draft.page for draft in self.told()), None)
        is_theirs = first is not None and not (first.stakes or first.speaker or first.eyes)
        return first.text if first is not None and is_theirs else ""

    def settle(self, phrases: Phrases, told: Fold | None = None) -> None:
        """Drops wordings that no later text uses, and sentences that a text beside them tells.

        Small acts without words are folded if `told` is given (`PassageBuilder.fold`). Other spare sentences
        are dropped, unless they decide, or tell an attempt or a blow.
        """
        drafts = self.told()
        self._drop_unused(drafts)
        self._drop_what_texts_tell()
        if told is not None:
            for passage in self.passages:
                passage.fold(told, phrases)
        for draft in drafts:
            draft.dropped |= draft.is_spare and not (draft.decides or draft.is_act)
        for passage in self.passages:
            passage.join_opponents()
        pages, stakes = [draft.page for draft in self.told()], set[str]()
        for number, draft in enumerate(self.told()):
            if draft.page.stakes:
                draft.dropped = draft.page.text in stakes or self._stand_beside(number, pages)
                stakes.add(draft.page.text)
        for passage in self.passages:
            passage.put_off_stakes()

    def _drop_unused(self, drafts: Sequence[ParagraphBuilder]) -> None:
        """Drops wordings that no later text uses; Retold's sentence in place of one ends its conflict."""
        for passage in self.passages:
            for draft in [each for each in passage.drafts if each.if_used and not each.dropped]:
                if _is_used(draft.page, (later.page for later in drafts[drafts.index(draft) + 1 :])):
                    continue
                draft.dropped = draft.otherwise is None
                if draft.otherwise is not None:
                    draft.page = draft.otherwise
                    draft.is_spare = draft.decides = draft.is_outcome = True
                    passage.put_last(draft)

    def _drop_what_texts_tell(self) -> None:
        """Drops sentences on who won, and on people in a conflict whom texts of the scene name first."""
        words = [draft for draft in self.told() if draft.won or draft.gives_up or not draft.page.generated]
        pages = [draft.page for draft in words]
        for number, draft in enumerate(words):
            if draft.gives_up:
                beside = (*pages[max(number - 1, 0) : number], *pages[number + 1 : number + 2])
                draft.dropped = any(_tells_who_gives_up(draft.subject, page) for page in beside)
            else:
                draft.dropped = draft.won is not None and _tells_who_won(draft.won, number, pages)
        for draft in [draft for draft in self.told() if draft.newcomers or draft.opponents]:
            pages = [each.page for each in self.told() if each is not draft]
            if draft.newcomers:
                draft.dropped = not any(_is_first_ours(one, pages) for one in draft.newcomers)
                continue
            new = [
                who
                for who, name in draft.opponents.items()
                if not _has(self.introduced, name) and _is_first_ours(name, pages) is not False
            ]
            draft.dropped = not new
            if new != [*draft.opponents] and new and draft.tells_of is not None:
                draft.page = draft.tells_of(new)

    def _stand_beside(self, number: int, pages: Sequence[document.Paragraph]) -> bool:
        """True if a text beside the stakes, or the opening of their scene, has all their words."""
        stakes = pages[number].text
        beside = (*pages[max(number - 1, 0) : number], *pages[number + 1 : number + 2])
        texts = (page.text for page in beside if not (page.eyes or page.generated or page.struck))
        return any(says_all_of(text, stakes) for text in (self.introduced, self.opening(), *texts))


def _is_first_ours(name: str, pages: Iterable[document.Paragraph]) -> bool | None:
    """True if the first text with a name is a sentence of Retold's; None if no text has it."""
    return next((page.generated for page in pages if _has(f"{page.speaker}: {page.text}", name)), None)


def _has(text: str, name: str) -> bool:
    """True for a text with a name, or with its last word if that is a noun: `the old pilots' hand`."""
    noun = name.rpartition(" ")[2]
    return has_name(text, name) or has_one_of(text.lower(), [name.lower(), *[noun] * noun.islower()])


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


def _tells_who_gives_up(who: str, page: document.Paragraph) -> bool:
    """True if a text tells that a person gives up, by name or with the pronoun that begins it."""
    is_told = page.kind is Tag.NARRATION and not (page.generated or page.eyes or page.struck)
    return is_told and tells_of_surrender(emphasis.words(page.text), who)


def _is_used(wording: document.Paragraph, later: Iterable[document.Paragraph]) -> bool:
    """True if a later text for the same readers has a word of the wording."""
    content = content_words(wording.text)
    return any(
        not content.isdisjoint(content_words(page.text))
        for page in later
        if page.eyes == wording.eyes and not page.generated
    )
