"""Chronicler: writes moments (events with the table state after them) as scenes and paragraphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.store.events.codec import Recorded
from retold.journal.table import OpenConflict, Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.projections.plain.ink import mark
from retold.projections.prose import (
    Voice,
    begins_round,
    ends_turn,
    game,
    is_concession,
    is_decision,
    is_plan,
    narrates,
    never_silent,
    orders,
    report,
    wishes,
)
from retold.projections.prose.awaiting import Awaited, Waiting
from retold.projections.prose.beats import REMEMBERED, people_in, weigh
from retold.projections.prose.pronouns import begins_with_own, begins_with_pronoun, first_pronoun
from retold.projections.prose.shared import gave_up, won
from retold.projections.prose.telling import SILENCE, Sentence, Sentences, Tag, Telling, as_sentence
from retold.projections.reading import GAME_MASTER, Ids, Moment, Viewer, others_among, timing
from retold.projections.reading.pictures import image_of
from retold.projections.reading.sessions import Stretch
from retold.projections.story import document
from retold.projections.story.transcript.attendance import Attendance
from retold.projections.story.transcript.attendance import people_in as everybody_in
from retold.projections.story.transcript.blows import Blows, Written, hurt
from retold.projections.story.transcript.builders import (
    Blow,
    FinishedScenes,
    Folded,
    ParagraphBuilder,
    PassageBuilder,
    SceneBuilder,
    StretchResult,
    UntoldResult,
    Won,
    heading_of,
    nth_id,
    plate_of,
)
from retold.projections.story.transcript.status_line import StatusLines
from retold.projections.story.typography import label, typesetter_of, typesetter_of_words, with_label

_BESIDE_THE_STORY: Final = (e.SaidAside, e.PlayerSeated, e.GameMasterJoined)
"""Kinds whose words belong to the table talk; other sentences about them are always told."""


class Chronicler(Struct):
    """Writer of a transcript's scenes.

    Call `hear` with each moment in order, then `finish`, which closes the last scene, then `heard`, which
    returns the scenes, attendance and quotes.
    """

    voice: Voice
    ids: Ids
    outcomes: Awaited
    stretch: Stretch
    begins: Table
    attendance: Attendance
    finished: FinishedScenes
    """Collector of finished scenes."""
    opened: timing.EventTime | None = None
    prefix: str = ""
    """Prefix of heading ids, so that several lines can share a page."""
    ribbons: StatusLines | None = None
    variations: list[tuple[int, document.Variation]] = field(default_factory=list)
    """Variations with their last shared positions, in order."""
    kept_back: frozenset[int] = frozenset()
    """Positions of words told at their revelation."""
    known_to_some: frozenset[int] = frozenset()
    """Revealed words that other viewers knew before."""
    pronouns: Callable[[], Mapping[int, str]] = dict
    """Returns the last pronouns of people in the record, also if they were said after the story."""
    viewer: Viewer = GAME_MASTER
    quotes: list[document.Quote] = field(default_factory=list)
    systems: dict[str, None] = field(default_factory=dict)
    _scenes: list[SceneBuilder] = field(default_factory=lambda: [SceneBuilder()])
    _heads: dict[int, document.Conflict] = field(default_factory=dict)
    _opening_act: str | None = None
    _generated: dict[int, list[tuple[PassageBuilder, ParagraphBuilder]]] = field(default_factory=dict)
    _spots: list[tuple[Waiting, str]] = field(default_factory=list)
    """Mechanics that may still be told, with Retold's sentences."""
    _untold: list[tuple[Waiting, str]] = field(default_factory=list)
    """Mechanics that stay untold."""
    _later: list[int] = field(default_factory=list)
    _again: Counter[str] = field(default_factory=Counter)
    """Number of returns to a conflict, by heading id."""
    _sentences_of: Counter[int] = field(default_factory=Counter)
    """Number of paragraphs for the current event, or for one told about before it."""
    _fought: dict[int, OpenConflict] = field(default_factory=dict)
    _decided: set[tuple[int, bool]] = field(default_factory=set)
    extremes: Mapping[int, str] = field(default_factory=dict)
    """Positions of the highest and lowest rolls of the sessions, with the words for them."""
    _weight: tuple[str, int] = ("", 0)
    """The current act, and its weight in the story so far."""
    _weights: dict[int, int] = field(default_factory=dict)
    """Weights of outcomes that may still be told, by position."""
    _wishes: dict[tuple[int, int], str | None] = field(default_factory=dict)
    """What people wish to come about, by conflict and person, in the order in which they said it."""
    _victories: dict[int, tuple[PassageBuilder, ParagraphBuilder]] = field(default_factory=dict)
    """Sentences on who won, by conflict; its end says it again, with what was won."""
    _offers: dict[int, e.ConcessionOffered] = field(default_factory=dict)
    """The last offer to give up, by conflict."""
    _act: tuple[str, type[Event]] | None = None
    _blows: Blows = field(default_factory=Blows)

    def __post_init__(self) -> None:
        self._heads = {
            conflict.id: heading_of(conflict, self.begins, self.voice.phrases, self.prefix)
            for conflict in self.begins.conflicts.values()
        }
        self._fought = dict(self.begins.conflicts)
        within = range(self.stretch.after + 1, self.stretch.upto + 1)
        if not self.voice.as_recorded:
            self._later = sorted(at for at in self.outcomes.additions.words if at in within)

    @property
    def _passage(self) -> PassageBuilder:
        passages = self._scenes[-1].passages
        if not passages:
            passages.append(PassageBuilder(None))
        return passages[-1]

    # --- hearing ------------------------------------------------------------------------------------------

    def hear(self, moment: Moment) -> None:
        """Writes one moment: begins a scene or passage if its event does, then adds the voice's sentences."""
        event, position = moment.event, moment.position
        if self._later:
            self._place_later(position - 1)
        if self.variations:
            self._place_variations(position - 1)
        if position in self.kept_back:
            return
        self._turn_to(moment)
        self._sum_up(moment)
        self._write(self._telling(moment))
        if isinstance(event, e.ConflictEnded):
            self._draw(self._passage, moment.table)
        self.attendance.hear(moment)
        self._act = moment.envelope.act, type(event)
        self._sentences_of.pop(position, None)
        if self._later:
            self._place_later(position)

    def finish(self, table: Table) -> None:
        """Writes the later additions, variations and maps that are left; `table` is the state at the end."""
        self._place_later(self.stretch.upto)
        self._place_variations(self.stretch.upto)
        self._draw_open(table)
        for scene in self._scenes:
            self.finished.add(scene.done(self._folded))

    def heard(self) -> StretchResult:
        """Returns scenes, attendance, quotes, games and untold results; call it after `finish`."""
        came = sorted((*self._untold, *self._spots), key=lambda spot: spot[0].at)
        untold = [
            UntoldResult(waiting.at, said, tuple(waiting.left)) for waiting, said in came if waiting.untold
        ]
        return StretchResult(self.finished.scenes(), self.attendance, self.quotes, self.systems, untold)

    def carries(self, table: Table) -> bool:
        """True if later events may still change what is written: conflicts or tellings are not finished.

        Then the range told so far cannot be joined to a next part that was told on its own.
        """
        about = self.outcomes
        waits = any(waiting.conflict is not None for waiting in about.open)
        announced = any(conflict is None for conflict, _ in about.announced)
        return bool(self._later or table.conflicts) or waits or announced

    def _telling(self, moment: Moment) -> Telling:
        same_act = self._act is not None and self._act[0] == moment.envelope.act
        follows = self._act[1] if self._act is not None and same_act else None
        return Telling(moment, self.attendance.names, self.ids, self.voice.phrases, follows)

    def _turn_to(self, moment: Moment) -> None:
        """Begins a session's chapter, a scene or a passage if the moment's event begins one."""
        event, table = moment.event, moment.table
        if isinstance(event, e.SessionOpened) and self.stretch.session is None:
            title = None if event.title is None else str(event.title)
            self._draw_open(table)
            self._begin(SceneBuilder(chapter=document.Chapter(event.session, title, event.date)))
        elif isinstance(event, e.SceneSet):
            self._draw_open(table)
            self._begin(SceneBuilder(f"{self.prefix}s{event.scene}", str(event.title)))
        elif isinstance(event, e.SessionClosed) and self.voice.story:
            self._scenes[-1].passages.append(PassageBuilder(None))  # for words after the session
        if isinstance(event, e.ConflictOpened):
            self._opening_act = moment.envelope.act
        number: int | None = getattr(event, "conflict", None)
        if number is not None:
            self._turn_to_conflict(number, table)
        elif self._is_over(table):
            self._scenes[-1].passages.append(PassageBuilder(None))

    def _begin(self, scene: SceneBuilder) -> None:
        """Begins a scene and hands earlier scenes to the collector as finished.

        A scene with a generated sentence that may still be dropped stays unfinished, with every scene after
        it.
        """
        if scene.id is not None and self._scenes[-1].id is None:
            scene.introduced = self._scenes[-1].opening()
        self._scenes.append(scene)
        self._blows = Blows()
        waits = self.outcomes.waits()
        self._generated = {at: drafted for at, drafted in self._generated.items() if at in waits}
        self._untold += (spot for spot in self._spots if spot[0].at not in waits and spot[0].untold)
        self._spots = [spot for spot in self._spots if spot[0].at in waits]
        held = {id(passage) for passage, _ in chain(*self._generated.values(), self._victories.values())}
        while len(self._scenes) > 1 and held.isdisjoint(map(id, self._scenes[0].passages)):
            self.finished.add(self._scenes.pop(0).done(self._folded))
        self._weights = {at: weight for at, weight in self._weights.items() if at in waits}

    def _turn_to_conflict(self, number: int, table: Table) -> None:
        conflict = table.conflicts.get(number)
        if conflict is not None:
            self.systems[conflict.system] = None
            self._fought[number] = conflict
        here = self._passage.conflict
        if self.voice.story or (here is not None and here.number == number):
            return
        known = self._heads.get(number)
        if known is None:
            if conflict is None:
                return
            known = self._heads[number] = heading_of(conflict, table, self.voice.phrases, self.prefix)
            heading = known
        else:
            self._again[known.id] += 1
            heading = replace(known, id=f"{known.id}-{self._again[known.id] + 1}", continued=True)
            if number in self._fought:
                now = heading_of(self._fought[number], table, self.voice.phrases)
                heading = replace(heading, sides=now.sides)
        self._scenes[-1].passages.append(PassageBuilder(heading))

    def _is_over(self, table: Table) -> bool:
        here = self._passage.conflict
        return here is not None and here.number not in table.conflicts

    # --- writing ------------------------------------------------------------------------------------------

    def _write(self, telling: Telling) -> None:
        moment = telling.moment
        waiting, narrated = self.outcomes.hear(telling)
        told = tuple(waiting for waiting in narrated if self._is_replaced(waiting))
        self._give_way(told)
        weight = self._weigh(telling, waiting, told)
        if self.voice.folds:
            self._meet(telling)
        said = self.voice.tell(telling)
        if self.voice.story and _has_words(said) and not self._leaves_out(moment.position):
            self._blows.hear(moment.event, moment.envelope.act, self.outcomes.before)
        sentences = self._kept(said, telling)
        has_been_told = self._has_been_told(moment.event)
        if waiting is not None:
            self._keep_outcome(said, telling, waiting, weight)
            if waiting.gives_way:
                sentences = tuple(sentence for sentence in sentences if not _gives_way(sentence))
        elif self.voice.story:
            self._keep_decision(said, telling, weight)
        if has_been_told:
            sentences = tuple(sentence for sentence in sentences if sentence.tag is not Tag.GENERATED)
        if begins_round(type(moment.event)):
            self._passage.turned = True
        for sentence in sentences:
            self._write_sentence(sentence, telling, waiting)
        self._end(moment)
        if isinstance(moment.event, e.Narrated) and not self.voice.as_recorded:
            self._add_edits(moment.position, telling)

    def _meet(self, telling: Telling) -> None:
        """Notes the people in an act, and their wishes for the outcome."""
        moment, event = telling.moment, telling.moment.event
        self._passage.people.setdefault(moment.envelope.act, set()).update(people_in(event, moment.table))
        if isinstance(event, e.ConcessionOffered):
            self._offers[event.conflict] = event
        if wishes(type(event)):
            conflict, who, text = (getattr(event, key, None) for key in ("conflict", "who", "text"))
            if conflict is not None and who is not None and not self._eyes(moment.recorded, telling):
                self._wishes.pop((conflict, who), None)  # the last one of a party holds
                self._wishes[conflict, who] = None if text is None else str(text)

    def _end(self, moment: Moment) -> None:
        """Ends what the event ends: a turn, so that rolls wait for the next text; a conflict's paragraph."""
        if ends_turn(type(moment.event)):
            self._passage.end_turn()
        if isinstance(moment.event, e.ConflictEnded):
            self._victories.pop(moment.event.conflict, None)
        if self.voice.story and (isinstance(moment.event, e.ConflictEnded) or wishes(type(moment.event))):
            self._passage.turned = True

    def _weigh(self, telling: Telling, waiting: Waiting | None, told: Iterable[Waiting]) -> int:
        """Weighs the event, and what it tells, for its act; returns the weight of the event alone."""
        if self.voice.as_recorded:
            return 0
        act = telling.moment.envelope.act
        before = self._weight[1] if self._weight[0] == act else 0
        earlier = (self._weights.get(outcome.at, 0) for outcome in told)
        own = weigh(telling, self.extremes).weight
        weight = max(before, own, *earlier)
        self._weight = act, weight
        if weight > before and weight > 1:
            self._passage.weigh(act, weight)
        if waiting is not None and weight:
            self._weights[waiting.at] = weight
        return own

    def _keep_outcome(self, said: Sentences, telling: Telling, waiting: Waiting, weight: int) -> None:
        """Keeps Retold's own sentence on an outcome, for the list of untold results and for a story."""
        generated = _generated_text(said if self.voice.tell is report else report(telling))
        self._spots.append((waiting, generated))
        if not self.voice.story or waiting.told or self._keep_blow(said, telling, waiting):
            return
        event = telling.moment.event
        if weight < REMEMBERED and not (is_decision(event) or never_silent(type(event))):
            self._spare(generated, telling, waiting)
        elif not _has_words(said):
            self._spare(_decision(report(telling)), telling, waiting, decides=True)

    def _keep_decision(self, said: Sentences, telling: Telling, weight: int) -> None:
        """Keeps Retold's own sentence on an event that decides, for a story without words about it."""
        event = telling.moment.event
        if self._keep_blow(said, telling, None) or _has_words(said):
            return
        if isinstance(event, e.ConflictEnded):
            draft = self._spare(_generated_text(self._ending(event, telling)), telling, None, decides=True)
            if draft is not None:
                draft.won = self._won(event, telling)
        elif weight == REMEMBERED or never_silent(type(event)):
            self._spare(_decision(report(telling)), telling, None, decides=True)

    def _keep_blow(self, said: Sentences, telling: Telling, waiting: Waiting | None) -> bool:
        """Keeps Retold's own sentence on an untold blow; False if there is none."""
        act = telling.moment.envelope.act
        harm = self._blows.harm(telling, self.outcomes.before, has_words=_has_words(said))
        if harm is None or act in self.outcomes.told_later:
            return False
        draft = self._spare(
            _generated_text(self._blows.sentence(harm, telling)), telling, waiting, decides=harm.is_out
        )
        if draft is None:
            return False
        draft.blow = Blow(harm, telling.who(harm.who))
        draft.actor = None if harm.by is None else (harm.by, telling.who(harm.by))
        if not harm.is_out:
            self._blows.keep(Written(draft.blow, act, self._passage, draft))
        return True

    def _ending(self, event: e.ConflictEnded, telling: Telling) -> Sentences:
        """Returns sentences on the end of a conflict: who won what, or the current state."""
        ended, fought = telling.moment.table.ended.get(event.conflict), self._fought.get(event.conflict)
        if ended is None or fought is None:
            return report(telling)
        sides = [side for side in ended.sides if not set(side).isdisjoint(ended.winners)]
        if len(sides) != 1:
            standing = game(ended.system).standing
            stands = () if standing is None else standing(fought, telling)
            return stands if stands and event.how == "victory" else (*report(telling), *stands)
        victory = self._victories.get(event.conflict)
        if victory is not None:
            passage, draft = victory
            passage.drop(draft)
        theirs = {(event.conflict, person) for person in sides[0]}
        wishes_ = [text for named, text in self._wishes.items() if named in theirs]
        told = won(telling, sides[0])
        if event.how == "conceded" and len(ended.sides) == 2:  # noqa: PLR2004 -- a pair
            losers = [person for side in ended.sides if side not in sides for person in side]
            offer, is_told = self._offers.get(event.conflict), (event.conflict, True) in self._decided
            told = SILENCE if offer is None and is_told else gave_up(telling, losers, offer)
        return (*told, *(Sentence(Tag.GENERATED, as_sentence(wish)) for wish in wishes_[-1:] if wish))

    def _won(self, event: e.ConflictEnded, telling: Telling) -> Won | None:
        """Returns what the winning side of a conflict won; None without one."""
        ended, fought = telling.moment.table.ended.get(event.conflict), self._fought.get(event.conflict)
        if ended is None or fought is None or not ended.winners:
            return None
        wishes_ = [text for named, text in self._wishes.items() if named[1] in ended.winners and text]
        what = wishes_[-1] if wishes_ else "" if fought.stakes is None else str(fought.stakes)
        return Won(tuple(map(telling.who, ended.winners)), what or "")

    def _spare(
        self, generated: str, telling: Telling, waiting: Waiting | None, *, decides: bool = False
    ) -> ParagraphBuilder | None:
        """Keeps Retold's own sentence, if not empty, for a story that may tell it alone or with others.

        It is about an outcome that is `waiting` for a narration, or about an event that decides.
        """
        if not generated:
            return None
        draft = self._passage.spare(self._ours(generated, telling), telling.moment.envelope.act)
        self._dress(draft, telling, waiting)
        draft.decides = decides
        if waiting is not None:
            self._generated.setdefault(waiting.at, []).append((self._passage, draft))
        if decides and draft.weight < REMEMBERED and is_decision(telling.moment.event):
            self._victories[getattr(telling.moment.event, "conflict", None) or 0] = self._passage, draft
        return draft

    def _ours(self, generated: str, telling: Telling) -> document.Paragraph:
        """Returns a paragraph with Retold's own sentence on an event."""
        moment = telling.moment
        page = document.Paragraph(
            f"{self.ids.at(moment.position)}-beat",
            Tag.GENERATED,
            typesetter_of(self.voice)(generated),
            generated=True,
            eyes=self._eyes(moment.recorded, telling),
            seconds=timing.seconds_from(self.opened, moment.envelope),
            quotes=self.voice.quotes,
        )
        return replace(page, label=label(self.voice.phrases, page, None))

    def _dress(self, draft: ParagraphBuilder, telling: Telling, waiting: Waiting | None) -> None:
        """Gives a paragraph the weight of its act; gives a generated one its actor and the sides too."""
        draft.weight = self._weight[1]
        if not draft.page.generated:
            return
        event, table = telling.moment.event, telling.moment.table
        people = [] if waiting is None else [person for person in waiting.left if person != GM]
        draft.actor = (people[0], telling.who(people[0])) if len(people) == 1 else None
        conflict = self._fought.get(getattr(event, "conflict", None) or 0)
        there = tuple((person,) for person in people_in(event, table))
        draft.sides = there if conflict is None else conflict.sides

    @property
    def _folded(self) -> Folded | None:
        """Returns the function that tells several acts in one sentence; None if the voice tells each act."""
        return self._fold if self.voice.folds else None

    def _fold(self, people: tuple[str, ...] | None, blows: tuple[Blow, ...]) -> str:
        """Returns the sentences on several acts of one person, two opponents or others, with those hurt."""
        say, text = self.voice.phrases.say, ""
        if people is not None and len(people) > 1:
            text = say("table.back-and-forth", who=list(people))
        elif people is not None:
            text = say("table.went-on", who=people[0] if people else None)
        return typesetter_of(self.voice)(f"{text} {hurt(blows, self.voice.phrases)}".strip())

    def _kept(self, sentences: Sentences, telling: Telling) -> Sentences:
        """Returns the voice's sentences for an event, without those told at another place.

        With `as_recorded` none is removed. A story omits struck narration. Other voices keep it, marked as
        struck, because answers to it are kept too.
        """
        event, position = telling.moment.event, telling.moment.position
        if isinstance(event, _BESIDE_THE_STORY) and not self.voice.asides:
            said = isinstance(event, e.SaidAside)
            return () if said else tuple(sentence for sentence in sentences if sentence.tag is not Tag.ASIDE)
        if self.voice.as_recorded:
            return sentences
        if isinstance(event, e.ToldLater) and event.about is not None:
            return ()
        if isinstance(event, e.Narrated) and self._leaves_out(position):
            return ()
        if isinstance(event, e.NarrationOverruled) and self._is_edit_of_ours(event):
            return tuple(sentence for sentence in sentences if sentence.tag is not Tag.EDIT)
        return sentences

    def _leaves_out(self, position: int) -> bool:
        return self.voice.story and self.outcomes.additions.struck(position)

    def _has_been_told(self, event: Event) -> bool:
        """True for the end of a conflict whose concession or victory an earlier event has already told."""
        kind = type(event)
        if is_concession(kind) or is_decision(event):
            self._decided.add((getattr(event, "conflict", 0), is_concession(kind)))
        if not isinstance(event, e.ConflictEnded):
            return False
        conceded = event.how == "conceded"
        return (conceded or event.winner is not None) and (event.conflict, conceded) in self._decided

    def _is_edit_of_ours(self, event: e.NarrationOverruled) -> bool:
        return event.how == "edit" and event.narration > self.stretch.after

    def _write_sentence(self, sentence: Sentence, telling: Telling, waiting: Waiting | None) -> None:
        moment = telling.moment
        if sentence.tag is Tag.QUOTE:
            who = None if sentence.speaker is None else str(telling.subject(sentence.speaker))
            text = typesetter_of_words(self.voice)(sentence.text)
            quote = document.Quote(self.ids.at(moment.position), text, who, self.voice.quotes)
            self.quotes.append(quote)
        elif sentence.tag is Tag.MECHANICS:
            self._note(sentence, moment)
        else:
            page = self._page(sentence, telling, moment.recorded)
            if (
                self.voice.story
                and (isinstance(moment.event, e.Narrated) or narrates(type(moment.event)))
                and self._passage.has_rolls_of_another()
            ):
                page = replace(page, result=page.speaker is None)
            draft = self._passage.write(page, moment.envelope.act)
            draft.if_used, draft.is_of_several = sentence.if_used, bool(sentence.beside)
            if sentence.if_used and (ours := _generated_text(report(telling))):
                draft.otherwise = self._ours(ours, telling)
            self._dress(draft, telling, waiting)
            if waiting is not None and _gives_way(sentence):
                draft.is_outcome = True
                self._generated.setdefault(waiting.at, []).append((self._passage, draft))

    def _note(self, sentence: Sentence, moment: Moment) -> None:
        envelope, kind, passage = moment.envelope, type(moment.event), self._passage
        luck = mark(envelope.luck) if envelope.luck else ""
        mechanic = document.Mechanic(self.ids.at(moment.position), kind.kind, sentence.text, luck)
        if self._opening_act == envelope.act and passage.conflict is not None:
            passage.heading.append(mechanic)
        else:
            recorded = self.voice.as_recorded
            passage.note(mechanic, envelope.act, in_order=recorded, stands=orders(kind) and not recorded)

    def _page(
        self, sentence: Sentence, telling: Telling, told: Recorded, *, later: bool = False
    ) -> document.Paragraph:
        known = self.ids.at(told.position)
        self._sentences_of[told.position] += 1
        count = self._sentences_of[told.position]
        page = document.Paragraph(
            nth_id(known, count),
            sentence.tag,
            sentence.text,
            generated=sentence.tag is Tag.GENERATED,
            eyes=self._eyes(told, telling),
            later=later,
            struck=self.outcomes.additions.struck(told.position),
            seconds=timing.heard_at(told) if later else timing.seconds_from(self.opened, told.envelope),
            image=image_of(told.event)
            if sentence.tag is Tag.PICTURE and isinstance(told.event, e.PictureAdded)
            else None,
        )
        page = with_label(page, sentence, telling, self.voice)
        return self._with_pronoun(page, sentence, telling)

    def _with_pronoun(
        self, page: document.Paragraph, sentence: Sentence, telling: Telling
    ) -> document.Paragraph:
        """Returns a story's paragraph with what tells whose the pronoun is that begins it.

        That is unclear in an act with another person who may have the pronoun. The subject of words may have
        any, if the cast has none for them.
        """
        if not self.voice.story:
            return page
        conflict = self._fought.get(getattr(telling.moment.event, "conflict", None) or 0)
        if conflict is not None and is_plan(type(telling.moment.event), conflict.system):
            page = replace(page, plan=True)
        if self.voice.is_foreign:
            return page
        who, table = sentence.speaker if sentence.about is None else sentence.about, telling.moment.table
        somebody = table.people.get(GM if who is None else who)
        if somebody is None or somebody.id == GM or sentence.beside or not begins_with_pronoun(page.text):
            return page
        is_about = sentence.about is not None
        known = self.pronouns().get(somebody.id) or somebody.pronoun
        pronoun = known or first_pronoun(page.text)
        if not pronoun or not begins_with_own(page.text, pronoun):
            return page
        may_have_it = (pronoun,) if page.third else (pronoun, "")
        named = {
            *self._passage.people.get(telling.moment.envelope.act, ()),
            *everybody_in(telling.moment.event),
            telling.moment.command.get("opponent"),
        }
        there = (table.people[one] for one in named if one in table.people and one not in (GM, who))
        if any(one.role == "character" and one.pronoun in may_have_it for one in there):
            return page
        others = (one for one in table.everybody() if one.id not in (GM, who))
        names = table.names()
        shared = may_have_it if is_about else (pronoun,)
        rivals = tuple(name for one in others if one.pronoun in shared for name in names[one.id])
        about = str(telling.subject(somebody.id)) if is_about else ""
        is_sure = known or is_about or page.third
        return replace(page, rivals=rivals, pronoun=pronoun if is_sure else "", about=about)

    def _eyes(self, told: Recorded, telling: Telling) -> str | None:
        """Returns a label such as "for the GM" for restricted words, or the label for revealed ones.

        None if the words are public or for this viewer alone.
        """
        see = told.envelope.visible_to
        if see == TABLE:
            return telling.say("label.revealed") if told.position in self.known_to_some else None
        if isinstance(see, str):
            return telling.say("label.for-gm")
        if not others_among(see, self.viewer):
            return None
        known = [person for person in see if person in telling.moment.table.people]
        return telling.say("label.for-some", whom=[telling.who(person) for person in known])

    def _is_replaced(self, waiting: Waiting) -> bool:
        """True if the current narration replaces Retold's sentence on an outcome that it tells.

        In a story, that of the very next act does so even where the sentence lasts.
        """
        return waiting.gives_way or (self.voice.story and waiting.act == self.outcomes.before)

    def _give_way(self, told: Iterable[Waiting]) -> None:
        """Drops generated sentences about results that a player has now narrated."""
        for waiting in told:
            for passage, draft in self._generated.pop(waiting.at, ()):
                passage.drop(draft)

    # --- beside the story ---------------------------------------------------------------------------------

    def _sum_up(self, moment: Moment) -> None:
        """Writes a conflict's status line at the end of a turn, if status lines are switched on."""
        if self.ribbons is None:
            return
        number: int | None = getattr(moment.event, "conflict", None)
        if not ends_turn(type(moment.event)):
            number = moment.table.addressed if number is None else number
            self.ribbons.see(moment.table, moment.position, number)
        elif number is not None and (ribbon := self.ribbons.due(number)):
            self._passage.write(document.Paragraph(f"{self.ids.at(ribbon.at)}r", Tag.RIBBON, ribbon.text))

    def _draw_open(self, table: Table) -> None:
        """Adds a map under the last passage of each open conflict of this scene."""
        last = {
            passage.conflict.number: passage
            for passage in self._scenes[-1].passages
            if passage.conflict is not None
        }
        for number, passage in last.items():
            if number in table.conflicts:
                self._draw(passage, table)

    def _draw(self, passage: PassageBuilder, table: Table) -> None:
        """Sets the passage's map to the latest map of its conflict."""
        heading = passage.conflict
        if heading is not None and heading.number in self._fought:
            fought = self._fought[heading.number]
            passage.plate = plate_of(fought, table, heading, self.voice.phrases)

    def _place_variations(self, upto: int) -> None:
        while self.variations and self.variations[0][0] <= upto:
            self._passage.leave(self.variations.pop(0)[1])

    # --- what was told later ------------------------------------------------------------------------------

    def _place_later(self, upto: int) -> None:
        while self._later and self._later[0] <= upto:
            for recorded in self.outcomes.additions.words[self._later.pop(0)]:
                self._write_later(recorded)

    def _write_later(self, recorded: Recorded) -> None:
        """Writes words recorded later, at the moment they are about."""
        event = recorded.event
        if self._leaves_out(recorded.position) or not isinstance(event, Event):
            return
        if isinstance(event, e.SaidAside) and not self.voice.asides:
            return
        telling = self._telling(Moment(recorded, event, self.begins))
        for sentence in self.voice.tell(telling):
            if sentence.tag is Tag.QUOTE:
                self._write_sentence(sentence, telling, None)
            elif sentence.tag is not Tag.MECHANICS:
                last = self._passage.last
                self._passage.write(self._page(sentence, telling, recorded, later=True))
                self._passage.last = last or self._passage.last
        self._add_edits(recorded.position, telling)

    def _add_edits(self, position: int, telling: Telling) -> None:
        """Writes the edits of the narration at `position` directly after it."""
        for rider in self.outcomes.additions.overruled.get(position, ()):
            event = rider.event
            if isinstance(event, e.NarrationOverruled) and event.how == "edit":
                own = self._telling(Moment(rider, event, telling.moment.table))
                for sentence in self.voice.tell(own):
                    if sentence.tag is Tag.EDIT:
                        self._passage.write(self._page(sentence, telling, rider, later=True))


def _has_words(sentences: Sentences) -> bool:
    """True if anything is told beside mechanics."""
    return any(sentence.tag is not Tag.MECHANICS for sentence in sentences)


def _generated_text(sentences: Sentences) -> str:
    """Returns Retold's own sentences as one text."""
    return " ".join(sentence.text for sentence in sentences if sentence.tag is Tag.GENERATED)


def _decision(sentences: Sentences) -> str:
    """Returns the last of Retold's own sentences, which is the one that decides; empty if there is none."""
    ours = [sentence.text for sentence in sentences if sentence.tag is Tag.GENERATED]
    return ours[-1] if ours else ""


def _gives_way(sentence: Sentence) -> bool:
    """True if a sentence is dropped once a player tells the same in own words."""
    return sentence.yields or sentence.tag is Tag.GENERATED
