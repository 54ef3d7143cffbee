"""Weighing: what of each event a story tells, in which words, under which label, and how much it weighs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.grammar import PersonName
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.projections.plain.ink import listed, mark
from retold.projections.prose import (
    Voice,
    begins_round,
    ends_turn,
    game,
    harm_of,
    is_check,
    is_concession,
    is_decision,
    is_fragment,
    narrates,
    never_silent,
    orders,
    report,
    wishes,
)
from retold.projections.prose.awaiting import Awaited, Waiting
from retold.projections.prose.beats import GAVE_UP, REMEMBERED, people_in, weigh
from retold.projections.prose.sentences import means_in
from retold.projections.prose.shared import faced, gave_up, undecided, won
from retold.projections.prose.telling import (
    SILENCE,
    Sentence,
    Sentences,
    Tag,
    Telling,
    gives_a_cause,
    tried_with,
)
from retold.projections.reading import Moment
from retold.projections.story import document
from retold.projections.story.blows import Blows, Written, first_named, hurt, together, told_in
from retold.projections.story.labelling import Told, eyes, generated, generated_text, labelled
from retold.projections.story.passages import (
    Blow,
    Fold,
    InTenses,
    ParagraphBuilder,
    SceneBuilder,
    Won,
    joined,
)
from retold.projections.story.placing import Placed, Scope
from retold.projections.story.typography import typesetter_of, typesetter_of_words

_BESIDE_THE_STORY: Final = (e.SaidAside, e.PlayerSeated, e.GameMasterJoined)
"""Kinds whose words belong to the table talk; other sentences about them are always told."""

FEWEST_WORDS: Final = 4
"""Words from which a narration tells who put somebody out."""


class Weighing(Struct):
    """What a story has told so far, and what later events may still change in it."""

    scope: Scope
    scenes: list[SceneBuilder]
    """The current scene, and those before it in which a generated sentence may still be dropped."""
    outcomes: Awaited
    quotes: list[document.Quote] = field(default_factory=list)
    _generated: dict[int, list[ParagraphBuilder]] = field(default_factory=dict)
    """Retold's sentences on outcomes, by position; a narration replaces them."""
    _spots: list[tuple[Waiting, str]] = field(default_factory=list)
    """Outcomes with Retold's sentences, told or not."""
    _sentences_of: Counter[int] = field(default_factory=Counter)
    """Number of paragraphs for the current event, or for one told about before it."""
    _weight: tuple[str, int] = ("", 0)
    """The current act, and its weight in the story so far."""
    _weights: dict[int, int] = field(default_factory=dict)
    """Weights of outcomes that may still be told, by position."""
    _decided: dict[tuple[int, bool], bool] = field(default_factory=dict)
    """Conflicts whose winner was told, or with True that somebody gave up; True if that act has words."""
    _wishes: dict[tuple[int, int], str | None] = field(default_factory=dict)
    """What people wish to come about, by conflict and person, in the order in which they said it."""
    _victories: dict[int, ParagraphBuilder] = field(default_factory=dict)
    """Sentences on who won, by conflict; its end says it again, with what was won."""
    _offers: dict[int, e.ConcessionOffered] = field(default_factory=dict)
    """The last offer to give up, by conflict."""
    _offered: dict[int, ParagraphBuilder] = field(default_factory=dict)
    """Words of that offer, as if it was accepted; if it is refused, Retold says that it was made."""
    _purpose: tuple[str, str] = ("", "")
    """The latest act with a roll's purpose, and the purpose."""
    _blows: Blows = field(default_factory=Blows)
    _together: tuple[Event | None, ParagraphBuilder | None] = (None, None)
    """The latest event that was told in a sentence of Retold's alone, and that sentence."""
    _met: set[int] = field(default_factory=set)
    """People without a player in the conflicts of the scene."""
    _checks: list[tuple[ParagraphBuilder, int]] = field(default_factory=list)
    """Sentences on attempts, and whose they are, that the next words may tell."""

    def untold(self) -> Iterator[tuple[Waiting, str]]:
        """Yields outcomes that nobody told, in order, with Retold's sentences."""
        return ((waiting, said) for waiting, said in self._spots if waiting.untold)

    def waits(self) -> bool:
        """True if an outcome, or an intent outside conflicts, may still be told."""
        waiting, announced = self.outcomes.open, self.outcomes.announced
        return any(one.conflict is not None for one in waiting) or any(at is None for at, _ in announced)

    def begin(self, scene: SceneBuilder) -> Iterator[SceneBuilder]:
        """Begins a scene; yields earlier scenes that no later event can change."""
        self.scenes.append(scene)
        self._blows, self._checks, self._met = Blows(), [], set()
        waits = self.outcomes.waits()
        self._generated = {at: drafts for at, drafts in self._generated.items() if at in waits}
        self._weights = {at: weight for at, weight in self._weights.items() if at in waits}
        self._spots = [(one, said) for one, said in self._spots if one.at in waits or one.untold]
        held = {id(draft) for draft in chain(*self._generated.values(), self._victories.values())}
        while len(self.scenes) > 1 and held.isdisjoint(
            id(draft) for passage in self.scenes[0].passages for draft in passage.drafts
        ):
            yield self.scenes.pop(0)

    # --- an event -----------------------------------------------------------------------------------------

    def tell(self, placed: Placed) -> None:
        """Adds what is told of an event to its passage, and gives it the weight of its act."""
        telling, passage, voice = placed.telling, placed.passage, self.scope.voice
        moment = telling.moment
        event, act = moment.event, moment.envelope.act
        waiting, narrated = self.outcomes.hear(telling)
        placed = self._with_later_words(placed, waiting)
        telling = placed.telling
        # In a story, the narration of the very next act replaces Retold's sentence even where that lasts.
        told = [one for one in narrated if one.gives_way or (voice.story and one.act == self.outcomes.before)]
        first = first_named(telling) if told or self._blows.open or self._checks else frozenset[int]()
        for one in told:
            for draft in self._told_in_parts(one, telling):
                is_by = draft.blow is not None and draft.blow.harm.is_out and draft.blow.by
                is_bare = is_by and len(str(getattr(event, "text", "")).split()) < FEWEST_WORDS  # hound dies
                draft.dropped |= draft.concerns(first) and not (is_bare and first)
        weight = 0 if voice.as_recorded else self._weigh(placed, waiting, told)
        if is_fragment(type(event)) and (purpose := getattr(event, "text", None)) is not None:
            self._purpose = act, str(purpose)
        if voice.folds:
            self._meet(placed)
        said = voice.tell(telling)
        has_words = voice.story and any(sentence.tag is not Tag.MECHANICS for sentence in said)
        if has_words and not self._leaves_out(moment.position):
            self._blows.hear(event, act, self.outcomes.before, first)
            self._hear_of_checks(moment, first)
        sentences = self._kept(said, moment)
        if voice.story:
            self._keep_opponents(placed)
        has_been_told = self._has_been_told(event)
        self._keep(placed, waiting, weight, has_words=has_words)
        if begins_round(type(event)):
            passage.turned = True
        gives_way = waiting is not None and waiting.gives_way and not waiting.in_parts
        for sentence in sentences:
            is_ours = sentence.tag is Tag.GENERATED
            if not ((has_been_told and is_ours) or (gives_way and (sentence.yields or is_ours))):
                self._write(sentence, placed, waiting)
        self._end(placed)

    def _told_in_parts(self, waiting: Waiting, telling: Telling) -> Sequence[ParagraphBuilder]:
        """Returns the sentences that a narration replaces; one in parts keeps what is left of it."""
        if not waiting.in_parts:
            return self._generated.pop(waiting.at, ())
        event = telling.moment.event
        for draft in self._generated.get(waiting.at, ()):
            draft.tellers.add(getattr(event, "who", GM))
            draft.named |= told_in(str(getattr(event, "text", None) or ""), telling)
            if draft.rest is not None:
                draft.page = draft.rest(draft.tellers, draft.named)
                draft.dropped |= not draft.page.text
        return ()

    def _with_later_words(self, placed: Placed, waiting: Waiting | None) -> Placed:
        """Returns an outcome in parts with what words that were recorded later tell of it."""
        if waiting is None or not (waiting.in_parts and waiting.told):
            return placed
        telling = placed.telling
        words = self.scope.additions.words.get(waiting.at, ())
        texts = (str(getattr(recorded.event, "text", None) or "") for recorded in words)
        named = frozenset(chain(*(told_in(text, telling) for text in texts)))
        return replace(placed, telling=replace(telling, tellers=waiting.told, told=named))

    def _end(self, placed: Placed) -> None:
        """Ends what an event ends: a turn, so that rolls wait for the next text; a conflict's paragraph."""
        event, voice = placed.telling.moment.event, self.scope.voice
        says = harm_of(type(event)) if voice.story else None
        if says is not None and (harm := says(event, placed.telling)) is not None and harm.is_out:
            placed.scene.out.add(harm.who)
        if ends_turn(type(event)):
            placed.passage.end_turn()
            self._blows.rolled.clear()
            self._blows.struck.clear()
        if isinstance(event, e.ConflictEnded):
            self._victories.pop(event.conflict, None)
            self._blows.open.clear()  # what is told later is about something else
        if voice.story and (isinstance(event, e.ConflictEnded) or wishes(type(event))):
            placed.passage.turned = True
        if isinstance(event, e.Narrated) and not voice.as_recorded:
            self._add_edits(placed)
        self._sentences_of.pop(placed.telling.moment.position, None)

    def tell_later(self, placed: Placed) -> None:
        """Adds words that were recorded later to the passage of the moment they are about."""
        telling, moment = placed.telling, placed.telling.moment
        is_aside = isinstance(moment.event, e.SaidAside) and not self.scope.voice.asides
        if is_aside or self._leaves_out(moment.position):
            return
        for sentence in self.scope.voice.tell(telling):
            if sentence.tag is Tag.QUOTE:
                self._write(sentence, placed, None)
            elif sentence.tag is not Tag.MECHANICS:
                placed.passage.write(self._page(sentence, placed, moment, later=True), is_later=True)
        self._add_edits(placed)

    def _add_edits(self, placed: Placed) -> None:
        """Adds the edits of a narration directly after it."""
        moment = placed.telling.moment
        for rider in self.scope.additions.overruled.get(moment.position, ()):
            if isinstance(rider.event, e.NarrationOverruled) and rider.event.how == "edit":
                edit = Moment(rider, rider.event, moment.table)
                for sentence in self.scope.voice.tell(replace(placed.telling, moment=edit, follows=None)):
                    if sentence.tag is Tag.EDIT:
                        placed.passage.write(self._page(sentence, placed, edit, later=True))

    def _write(self, sentence: Sentence, placed: Placed, waiting: Waiting | None) -> None:
        telling, passage, scope = placed.telling, placed.passage, self.scope
        moment = telling.moment
        event, envelope = moment.event, moment.envelope
        if sentence.tag is Tag.QUOTE:
            who = None if sentence.speaker is None else str(telling.subject(sentence.speaker))
            text = typesetter_of_words(scope.voice)(sentence.text)
            self.quotes.append(document.Quote(scope.ids.at(moment.position), text, who, scope.voice.quotes))
        elif sentence.tag is Tag.MECHANICS:
            if scope.voice.story and isinstance(event, e.OptionSet):  # which is about the table
                return
            luck = mark(envelope.luck) if envelope.luck else ""
            mechanic = document.Mechanic(scope.ids.at(moment.position), event.kind, sentence.text, luck)
            if placed.opens and passage.conflict is not None:
                passage.heading.append(mechanic)
            else:
                in_order = scope.voice.as_recorded
                stands = orders(type(event)) and not in_order
                passage.note(mechanic, envelope.act, in_order=in_order, stands=stands)
        else:
            page = self._page(sentence, placed, moment)
            tells_results = isinstance(event, e.Narrated) or narrates(type(event))
            if scope.voice.story and tells_results and passage.has_rolls_of_another():
                page = replace(page, result=page.speaker is None)
            draft = passage.write(page, envelope.act)
            draft.if_used, draft.is_of_several = sentence.if_used, bool(sentence.beside)
            if sentence.if_used and generated_text(report, telling):
                draft.otherwise = generated(report, placed, scope)
            if isinstance(event, e.ConcessionOffered) and page.quotes[0] not in page.text:
                offerer = event.who
                draft.otherwise = generated(
                    lambda telling: telling.ours("table.offered", who=telling.who(offerer)), placed, scope
                )
                self._offered[event.conflict] = draft
            self._dress(draft, placed, waiting, report)
            if waiting is not None and (sentence.yields or sentence.tag is Tag.GENERATED):
                draft.is_outcome = True
                self._generated.setdefault(waiting.at, []).append(draft)

    def _page(
        self, sentence: Sentence, placed: Placed, told: Moment, *, later: bool = False
    ) -> document.Paragraph:
        self._sentences_of[told.position] += 1
        count = self._sentences_of[told.position]
        return labelled(sentence, placed, told, self.scope, count=count, later=later)

    def _kept(self, sentences: Sentences, moment: Moment) -> Sentences:
        """Returns the voice's sentences for an event, without those told at another place.

        With `as_recorded` none is removed. A story omits struck narration. Other voices keep it, marked as
        struck, because answers to it are kept too.
        """
        event, voice = moment.event, self.scope.voice
        if isinstance(event, _BESIDE_THE_STORY) and not voice.asides:
            said = isinstance(event, e.SaidAside)
            return () if said else tuple(sentence for sentence in sentences if sentence.tag is not Tag.ASIDE)
        if voice.as_recorded:
            return sentences
        if isinstance(event, e.ToldLater) and event.about is not None:
            return ()
        if isinstance(event, e.Narrated) and self._leaves_out(moment.position):
            return ()
        if not isinstance(event, e.NarrationOverruled) or event.how != "edit":
            return sentences
        is_told_there = event.narration > self.scope.stretch.after
        return tuple(one for one in sentences if not (is_told_there and one.tag is Tag.EDIT))

    def _leaves_out(self, position: int) -> bool:
        return self.scope.voice.story and self.scope.additions.struck(position)

    # --- beats --------------------------------------------------------------------------------------------

    def _weigh(self, placed: Placed, waiting: Waiting | None, told: Iterable[Waiting]) -> int:
        """Weighs the event, and what it tells, for its act; returns the weight of the event alone."""
        act = placed.telling.moment.envelope.act
        before = self._weight[1] if self._weight[0] == act else 0
        earlier = (self._weights.get(outcome.at, 0) for outcome in told)
        own = weigh(placed.telling, self.scope.extremes).weight
        weight = max(before, own, *earlier)
        self._weight = act, weight
        if weight > before and weight > 1:
            placed.passage.weigh(act, weight)
        if waiting is not None and weight:
            self._weights[waiting.at] = weight
        return own

    def _meet(self, placed: Placed) -> None:
        """Notes the people in an act, and their wishes for the outcome."""
        moment, event = placed.telling.moment, placed.telling.moment.event
        people = placed.passage.people.setdefault(moment.envelope.act, set())
        people.update(people_in(event, moment.table))
        if isinstance(event, e.ConcessionOffered):
            self._offers[event.conflict] = event
        offered = self._offered.pop(event.conflict, None) if isinstance(event, e.ConcessionRefused) else None
        if offered is not None and offered.otherwise is not None:  # it did not come about
            offered.page, offered.decides = offered.otherwise, True
        if wishes(type(event)):
            conflict, who, text = (getattr(event, key, None) for key in ("conflict", "who", "text"))
            if conflict is not None and who is not None and not eyes(moment, placed.telling, self.scope):
                self._wishes.pop((conflict, who), None)  # the last one of a party holds
                self._wishes[conflict, who] = None if text is None else str(text)

    def _has_been_told(self, event: Event) -> bool:
        """True for the end of a conflict whose concession or victory an earlier event has already told."""
        concedes = is_concession(type(event))
        if concedes or is_decision(event):
            has_words = getattr(event, "text", None) is not None
            self._decided[getattr(event, "conflict", 0), concedes] = has_words
        if not isinstance(event, e.ConflictEnded):
            return False
        conceded = event.how == "conceded"
        return (conceded or event.winner is not None) and (event.conflict, conceded) in self._decided

    def _keep(self, placed: Placed, waiting: Waiting | None, weight: int, *, has_words: bool) -> None:
        """Keeps Retold's own sentences on an outcome, or an event that decides, for a story that needs them.

        Those on outcomes are kept for the list of untold results too.
        """
        telling, voice = placed.telling, self.scope.voice
        event = telling.moment.event
        if waiting is not None:
            self._spots.append((waiting, generated_text(report, telling)))
        if not voice.story or (waiting is not None and waiting.told and not waiting.in_parts):
            return
        if self._keep_blow(placed, waiting, has_words=has_words):
            return
        decides = is_decision(event) or never_silent(type(event))
        if waiting is not None and weight < REMEMBERED and not decides:
            who: int = getattr(event, "who", GM)
            is_tried = is_check(telling)
            purpose = self._purpose_of(telling)
            said = partial(_attempt, purpose) if is_tried else report
            draft = self._spare(said, placed, waiting)
            if draft is not None and is_tried:
                draft.is_check, draft.subject, draft.tried_by = True, telling.who(who), who
                draft.in_short = (purpose, generated(partial(_attempt, ""), placed, self.scope))
                draft.tells_of = lambda people: generated(said, _by_all(placed, people), self.scope)
                self._checks.append((draft, who))
        elif not has_words:
            self._keep_decision(placed, waiting, weight)

    def _purpose_of(self, telling: Telling) -> str:
        """Returns what the roll of an act is for, in a word or two; empty if unknown."""
        act, purpose = self._purpose
        return "" if act != telling.moment.envelope.act or gives_a_cause(purpose) else purpose

    def _keep_decision(self, placed: Placed, waiting: Waiting | None, weight: int) -> None:
        """Keeps Retold's own sentence on an event without words that decides, and on newcomers to a fight."""
        telling, event = placed.telling, placed.telling.moment.event
        if waiting is None and isinstance(event, e.ConflictEnded):
            draft = self._spare(partial(self._ending, event, placed), placed, None, decides=True)
            if draft is not None:
                draft.won = self._won(event, placed)
                draft.subject = draft.won.winners[0] if draft.won and not draft.won.winners[1:] else ""
        elif isinstance(event, e.Joined):
            draft = self._spare(report, placed, waiting, decides=True)
            if draft is not None:
                draft.newcomers = tuple(map(telling.who, event.people))
                draft.subject = "" if event.people[1:] else draft.newcomers[0]
        elif waiting is not None or weight == REMEMBERED or never_silent(type(event)):
            together = self._together_with_last(placed)
            draft = self._spare(_decision, together, waiting, decides=True)
            self._together = together.telling.moment.event, draft
            if draft is not None and waiting is None and weigh(telling, {}).why == GAVE_UP:
                draft.gives_up = True
                draft.subject = telling.who(getattr(event, "who", GM))

    def _together_with_last(self, placed: Placed) -> Placed:
        """Returns the event with the people of the last one of its kind, if nothing was told in between.

        The sentence on that one is dropped: `Zel rests. Bo rests.` becomes `Zel and Bo rest.`.
        """
        before, draft = self._together
        telling, event = placed.telling, placed.telling.moment.event
        people = (*getattr(before, "people", ()), *getattr(event, "people", ()))
        if draft is None or type(before) is not type(event) or not people:
            return placed
        if placed.passage.drafts[-1:] != [draft]:
            return placed
        draft.dropped = True
        both = replace(event, people=tuple(dict.fromkeys(people)))
        return replace(placed, telling=replace(telling, moment=replace(telling.moment, event=both)))

    def _keep_opponents(self, placed: Placed) -> None:
        """Keeps a sentence on the sides of a new conflict, and on one that a session leaves open."""
        event, telling = placed.telling.moment.event, placed.telling
        if isinstance(event, e.ConflictOpened) and placed.conflict is not None:
            people = (telling.moment.table.people[who] for who in placed.conflict.people)
            new = [each.id for each in people if each.player is None and each.id not in self._met]
            self._met.update(new)
            says = partial(faced, placed.conflict.sides, len(telling.moment.table.ended))  # as they are now
            draft = self._spare(partial(says, new), placed, None, decides=True) if new else None
            if draft is not None:
                draft.opponents = {who: telling.who(who) for who in new}
                draft.tells_of = lambda people: generated(partial(says, people), placed, self.scope)
        if isinstance(event, e.SessionClosed) and telling.moment.table.conflicts:
            self._spare(undecided, placed, None, decides=True)

    def _hear_of_checks(self, moment: Moment, first: frozenset[int]) -> None:
        """Finds attempts that the next words tell: narration that names nobody before their person."""
        act, event = moment.envelope.act, moment.event
        if isinstance(event, e.Narrated) or narrates(type(event)):
            for draft, who in self._checks:
                is_about = who in first and draft.act == self.outcomes.before
                draft.dropped |= draft.act != act and (is_about or not first)
        self._checks = [check for check in self._checks if check[0].act == act]

    def _keep_blow(self, placed: Placed, waiting: Waiting | None, *, has_words: bool) -> bool:
        """Keeps Retold's own sentence on an untold blow; False if there is none."""
        telling = placed.telling
        act = telling.moment.envelope.act
        harm = self._blows.harm(telling, self.outcomes.before, has_words=has_words)
        if harm is None or act in self.outcomes.told_later:
            return False
        own = getattr(telling.moment.event, "text", None) or ""
        typed = self._purpose[1] if self._purpose[0] == act else str(own)
        harm = harm._replace(means=harm.means or means_in(typed, telling))
        draft = self._spare(partial(self._blows.sentence, harm), placed, waiting, decides=harm.is_out)
        if draft is None:
            return False
        by = "" if harm.by is None else telling.who(harm.by)
        kind = "" if harm.by is None else telling.kind(harm.by)
        draft.blow = Blow(harm, telling.who(harm.who), by, kind)
        draft.actor = None if harm.by is None else (harm.by, by)
        draft.subject = draft.blow.name if harm.what or harm.said else by or draft.blow.name
        self._blows.keep(Written(draft.blow, act, draft))
        here = [
            check.act
            for check, _ in self._checks
            if check.turn == placed.passage.turn and check in placed.passage.drafts
        ]
        for check, who in self._checks:  # a roll against harm is told with it
            is_against = here.count(check.act) > 1 if harm.by is None else harm.by == harm.turn
            is_bare = bool(harm.said) and check.act in here and check.act != self._purpose[0]
            check.dropped |= who == harm.who and (is_against or is_bare)
        return True

    def _ending(self, event: e.ConflictEnded, placed: Placed, telling: Telling) -> Sentences:
        """Returns sentences on the end of a conflict: who won what, or the current state."""
        fought = placed.conflict
        ended = telling.moment.table.ended.get(event.conflict)
        if ended is None or fought is None:
            return report(telling)
        sides = [side for side in ended.sides if not set(side).isdisjoint(ended.winners)]
        if len(sides) != 1:
            standing = game(ended.system).standing
            stands = () if standing is None else standing(fought, telling)
            return stands if stands and event.how == "victory" else (*report(telling), *stands)
        outcomes = (waiting for waiting, _ in reversed(self._spots) if waiting.conflict == event.conflict)
        last = next(outcomes, None)
        is_told = (
            last is not None and last.owed and not (last.lasts or {*ended.winners}.isdisjoint(last.told))
        )
        if (is_told or self._decided.get((event.conflict, False))) and event.how != "conceded":
            return SILENCE
        if event.conflict in self._victories:
            self._victories[event.conflict].dropped = True
        theirs = {(event.conflict, person) for person in sides[0]}
        wishes_ = ["", *(text or "" for named, text in self._wishes.items() if named in theirs)]
        others = [side for side in ended.sides if side not in sides]
        if event.how == "conceded" and len(others) == 1:
            offer, is_told = self._offers.get(event.conflict), (event.conflict, True) in self._decided
            return SILENCE if offer is None and is_told else gave_up(telling, others[0], offer)
        before = next((draft for draft in reversed(placed.passage.drafts) if not draft.dropped), None)
        are_out = before is not None and before.blow is not None and before.blow.harm.is_out
        losers = others[0] if len(others) == 1 and not are_out else ()
        return won(telling, sides[0], losers, wishes_[-1])

    def _won(self, event: e.ConflictEnded, placed: Placed) -> Won | None:
        """Returns what the winning side of a conflict won; None without one."""
        telling, fought = placed.telling, placed.conflict
        ended = telling.moment.table.ended.get(event.conflict)
        if ended is None or fought is None or not ended.winners:
            return None
        wishes_ = [text for named, text in self._wishes.items() if named[1] in ended.winners and text]
        what = wishes_[-1] if wishes_ else "" if fought.stakes is None else str(fought.stakes)
        return Won(tuple(map(telling.who, ended.winners)), what or "")

    def _spare(
        self, told: Told, placed: Placed, waiting: Waiting | None, *, decides: bool = False
    ) -> ParagraphBuilder | None:
        """Keeps Retold's own sentence, if not empty, for a story that may tell it alone or with others.

        It is about an outcome that is `waiting` for a narration, or about an event that decides.
        """
        page = generated(told, placed, self.scope)
        if not page.text:
            return None
        event = placed.telling.moment.event
        draft = placed.passage.spare(page, placed.telling.moment.envelope.act)
        self._dress(draft, placed, waiting, told)
        draft.decides = decides
        if waiting is not None:
            self._generated.setdefault(waiting.at, []).append(draft)
        if decides and draft.weight < REMEMBERED and is_decision(event):
            self._victories[getattr(event, "conflict", None) or 0] = draft
        return draft

    def _dress(self, draft: ParagraphBuilder, placed: Placed, waiting: Waiting | None, told: Told) -> None:
        """Gives a paragraph the weight of its act, its actor, the sides, and what a narration may leave."""
        draft.weight, telling = self._weight[1], placed.telling
        people = [] if waiting is None else [person for person in waiting.left if person != GM]
        draft.actor = (people[0], telling.who(people[0])) if len(people) == 1 else None
        there = tuple((person,) for person in people_in(telling.moment.event, telling.moment.table))
        draft.sides = there if placed.conflict is None else placed.conflict.sides
        if waiting is not None and waiting.in_parts and draft.page.generated:
            draft.rest = lambda tellers, people: generated(
                told,
                replace(placed, telling=replace(placed.telling, tellers=tellers, told=people)),
                self.scope,
            )


def weighed(placed: Iterable[Placed], story: Weighing) -> Iterator[SceneBuilder]:
    """Yields the scenes of a story, each once no later event can change it, with what is told in them."""
    voice = story.scope.voice
    fold: Fold | None = partial(_fold, voice) if voice.folds else None

    def scenes() -> Iterator[SceneBuilder]:
        for one in placed:
            if one.scene is not story.scenes[-1]:
                yield from story.begin(one.scene)
            (story.tell_later if one.is_later else story.tell)(one)
        yield from story.scenes

    for scene in scenes():
        scene.settle(voice.phrases, fold)
        yield scene


def _attempt(purpose: str, telling: Telling) -> Sentences:
    """Returns a sentence on an attempt, with the purpose of its roll: `Zel tries the lock and fails`."""
    said, tried = generated_text(report, replace(telling, purpose=purpose)), tried_with(purpose, telling)
    who: int = getattr(telling.moment.event, "who", GM)
    tries = telling.say("label.trying", who=telling.subject(who), purpose=tried) if tried else ""
    text = joined(telling.phrases, tries, said, telling.who(who)) if tries and said else said
    return (Sentence(Tag.GENERATED, text),)


def _by_all(placed: Placed, people: Sequence[int]) -> Placed:
    """Returns an attempt as that of several people: its person has the names of all."""
    telling = placed.telling
    names = listed([telling.who(who) for who in people], telling.say("names.and"))
    several = PersonName(names, "mixed")
    return replace(placed, telling=replace(telling, names={**telling.names, people[0]: several}))


def _fold(voice: Voice, people: tuple[str, ...] | None, blows: tuple[Blow, ...]) -> InTenses:
    """Returns the sentences on several acts of one person, two opponents or others, with those hurt."""
    phrases, set_ = voice.phrases, typesetter_of(voice)

    def told(*, present: bool) -> str:
        if people is None and blows[0].by:
            return set_(together(blows, phrases, present=present))
        by_subject = groupby(hurt(blows, phrases, present=present), itemgetter(0))
        texts = [
            reduce(partial(joined, phrases, subject=subject), (text for _, text in same))
            for subject, same in by_subject
        ]
        if people or (people is not None and not texts):
            who = list(people) if len(people) > 1 else next(iter(people), None)
            key = "table.back-and-forth" if len(people) > 1 else "table.went-on"
            lead = phrases.say(key, who=who, present=present)
            texts[:1] = [joined(phrases, lead, texts[0]) if texts else lead]
        return set_(" ".join(map(phrases.language.capitalised, texts)))

    return told(present=voice.tense == "present"), told(present=True)


def _decision(telling: Telling) -> Sentences:
    """Returns the last of Retold's own sentences, which is the one that decides, if there is one."""
    return tuple(sentence for sentence in report(telling) if sentence.tag is Tag.GENERATED)[-1:]
