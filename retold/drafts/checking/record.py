"""The record as one viewer may know it, for checks: moments with their lines, deeds, numbers and people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from retold.drafts.alignment.aligning import Index
from retold.drafts.alignment.words import Weights, Words
from retold.drafts.checking.deeds import NOBODY, Deed, People, deeds_in, deeds_noted, people_in, tokens_of
from retold.drafts.checking.english import WORDS, concepts_in, concepts_of, folded_words, meaning
from retold.drafts.checking.numbers import Number, numbers_in
from retold.journal import marks
from retold.journal.names import normalise
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM
from retold.projections.prose.telling import Tag, unquoted
from retold.projections.reading import LineView
from retold.projections.story.document import Paragraph, Passage
from retold.projections.story.transcript.build import of_line
from retold.projections.views.mentions import Names

_CLOSE: Final = 0.1
"""Share of words by which a line may have fewer than the best one."""


class Line(NamedTuple):
    """One line about an event: words of the table, a sentence of Retold's, or its notation in the log."""

    id: str
    text: str
    bare: str
    """Its words, folded, between blanks."""
    who: People
    words: Words
    numbers: tuple[Number, ...]
    deeds: tuple[Deed, ...]
    people: People


@dataclass
class Moment:
    """Words of the story with the mechanics behind them, and what Retold says of these."""

    place: int
    scene: int
    lines: list[Line] = field(default_factory=list)
    is_heading: bool = False

    @cached_property
    def words(self) -> Words:
        """Words of all lines."""
        return sum((line.words for line in self.lines), Counter())

    @cached_property
    def people(self) -> People:
        """People who act or are named in it."""
        return NOBODY.union(*(line.people for line in self.lines))

    def with_whom(self, line: Line) -> Line:
        """Returns a line of the moment with who put somebody out, where the blow before it is recorded."""
        if not any(deed.sort == "out" and not deed.agents for deed in line.deeds):
            return line
        blows = [deed for one in self.lines for deed in one.deeds if deed.sort == "hit"]

        def by(deed: Deed) -> People:
            return NOBODY.union(*(blow.agents for blow in blows if blow.patients & deed.patients))

        out = (one._replace(agents=one.agents or by(one)) if one.sort == "out" else one for one in line.deeds)
        return line._replace(deeds=tuple(out))


class Scene(NamedTuple):
    """Scene of the story: the words of its title, and who acts in it."""

    title: str
    people: set[int]


class Fight(NamedTuple):
    """Conflict of the record: its moment, the words of its title and of its stakes, and its sides."""

    moment: Moment
    title: Words
    stakes: Words
    sides: tuple[People, ...]


class Found(NamedTuple):
    """Deed of the record, its line and its moment."""

    deed: Deed
    line: Line
    moment: Moment


class Sought:
    """Words and people of a sentence that lines are searched for, also by other words of their meaning.

    A word weighs more the rarer it is in the record.
    """

    def __init__(self, text: str, names: frozenset[str], people: People, weights: Weights) -> None:
        self.people = people
        self.words = [
            (stems.keys(), concepts_of(word), sum(weights[stem] for stem in stems))
            for word in {*folded_words(text)} - names
            if (stems := meaning(word))
        ]

    def in_line(self, line: Line) -> tuple[int, float]:
        """Returns how many words and people a line shares with the sentence, and their weight."""
        concepts = concepts_in(line.bare)
        found = [
            weight * (1 if stems & line.words.keys() else max(_alike(mine, one) for one in concepts))
            for stems, mine, weight in self.words
            if stems & line.words.keys() or any(mine & one for one in concepts)
        ]
        people = len(self.people & line.people) if found else 0
        return len(found) + people, sum(found) + people


def _alike(some: frozenset[int], others: frozenset[int]) -> float:
    """Returns how alike two words are, from 0 to 1, by the concepts that they share."""
    return len(some & others) / len(some | others)


class KnownRecord:
    """The record as one viewer may know it, for checks of texts."""

    def __init__(self, reading: LineView) -> None:
        """Tells the whole branch once, as the viewer of `reading` may know it."""
        self.reading = reading
        named = _named_by(reading.table)
        self.names = Names(named)
        self.known = _lines_read(frozenset(named.items()))
        self.fights: list[Fight] = []
        self.winners: dict[int, People] = {}
        """Winners of the last conflict of a scene."""
        self.may_have_won = NOBODY
        """People in conflicts that were won, of which the record does not say by whom."""
        self.moments: list[Moment] = []
        self.sizes = {len(reading.table.party())}
        """How many people are together: the party, and the sides of conflicts."""
        self.scenes: list[Scene] = []
        told = of_line(reading, voice="report")
        for member in told.cast:
            self._begin(self._line("", f"{member.name}: {member.phrase or ''}"))
        for scene in told.scenes:
            self.scenes.append(Scene(scene.title or "", set()))
            if scene.title is not None:
                self._begin(self._line(scene.id or "", scene.title), is_heading=True)
            for passage in scene.passages:
                self._read(passage)
        self._add_winners()
        self.titles = {
            bare(title)
            for title in (
                told.head.title,
                told.head.campaign,
                *(chapter.title for chapter in told.chapters),
                *(scene.title for scene in told.scenes),
                *(
                    passage.conflict.title
                    for scene in told.scenes
                    for passage in scene.passages
                    if passage.conflict
                ),
            )
            if title
        }

    def _read(self, passage: Passage) -> None:
        conflict = passage.conflict
        if conflict is not None:
            self.sizes.update(map(len, conflict.sides))
            sides = " vs ".join(" + ".join(side) for side in conflict.sides)
            first = self._line(conflict.id, f"{conflict.title}: {sides}. {conflict.stakes or ''}")
            self._begin(first, *(self._line(one.id, one.text, is_noted=True) for one in conflict.mechanics))
            self.scenes[-1].people.update(first.people)
            people = tuple(NOBODY.union(*map(self._person, side)) for side in conflict.sides)
            words = meaning(conflict.title), meaning(conflict.stakes or "")
            self.fights.append(Fight(self.moments[-1], *words, people))
        for paragraph in passage.paragraphs:
            lines = [*self._lines(paragraph)]
            if paragraph.generated and self.moments:
                self._begin_with(self.moments[-1], lines)
            else:
                self._begin(*lines)

    def _add_winners(self) -> None:
        """Adds who won each conflict, and against whom, which a line of the log need not say."""
        reading, by_id = self.reading, {line.id: one for one in self.moments for line in one.lines}
        ends = [reading.sessions.end(session, at) for session, at in reading.sessions.opened.items()]
        for position in ends or (reading.position,):
            for ended in reading.table_at(position).ended.values():
                moment = by_id.get(reading.ids.at(ended.at))
                fought = frozenset(person for side in ended.sides for person in side)
                if ended.how == "victory" and not ended.winners:
                    self.may_have_won |= fought
                if moment is not None and ended.winners:
                    self.winners[moment.scene] = frozenset(ended.winners)
                    deed = Deed("win", frozenset(ended.winners), fought.difference(ended.winners))
                    line = self._line(reading.ids.at(ended.at), f"won: {self._named(ended.winners)}")
                    self._begin_with(moment, [line._replace(deeds=(deed,))])

    def _named(self, people: Iterable[int]) -> str:
        return ", ".join(map(self.reading.table.name, people))

    def _lines(self, paragraph: Paragraph) -> Iterator[Line]:
        who = self._person(paragraph.speaker)
        self.scenes[-1].people.update(who)
        if paragraph.manner and paragraph.speaker:
            yield self._line(paragraph.id, f"{paragraph.speaker} {paragraph.manner}", is_noted=True)
        if paragraph.text:
            line = self._line(paragraph.id, marks.plain(paragraph.text), who)
            is_speech = paragraph.kind is Tag.SPEECH or not unquoted(line.text).strip()
            yield line._replace(deeds=(Deed("say", who, NOBODY),)) if is_speech else line
        for mechanic in paragraph.mechanics:
            line = self._line(mechanic.id, mechanic.text, is_noted=True)
            self.scenes[-1].people.update(line.people)
            yield line

    def _person(self, name: str | None) -> People:
        return NOBODY if name is None else NOBODY.union(*self.names.named(name))

    def _line(self, id_: str, text: str, who: People = NOBODY, *, is_noted: bool = False) -> Line:
        if (known := self.known.get((text, who, is_noted))) is not None:
            return known._replace(id=id_)
        tokens = tokens_of(text, self.names)
        told = unquoted(text)
        outside = tokens if told == text else tokens_of(told, self.names)
        if who and outside and outside[0].text in WORDS["he_or_she"]:  # a player tells: He fills both mugs
            outside[0] = outside[0]._replace(people=who)
        deeds = deeds_noted(outside) if is_noted else deeds_in(outside, who)
        people = who | people_in(tokens)
        line = Line(id_, text, bare(text), who, meaning(text), tuple(numbers_in(text)), tuple(deeds), people)
        self.known[text, who, is_noted] = line
        return line

    def _begin(self, *lines: Line, is_heading: bool = False) -> None:
        moment = Moment(len(self.moments), len(self.scenes) - 1, is_heading=is_heading)
        self._begin_with(moment, lines)
        self.moments.append(moment)

    @staticmethod
    def _begin_with(moment: Moment, lines: Iterable[Line]) -> None:
        moment.lines += lines
        moment.lines[:] = map(moment.with_whom, moment.lines)
        moment.__dict__.pop("words", None)
        moment.__dict__.pop("people", None)

    @cached_property
    def weights(self) -> Weights:
        """Weights of the words of moments."""
        return Weights(moment.words for moment in self.moments)

    @cached_property
    def index(self) -> Index[int]:
        """Finds moments by rare words."""
        return Index(
            {moment.place: moment.words for moment in self.moments if not moment.is_heading}, self.weights
        )

    def lines_with(self, words: Words, *, at_least: float) -> list[tuple[float, Line, Moment]]:
        """Returns the lines with most of `words`: the share of each, by weight, and its moment."""
        moments = [self.moments[place] for place in self.index.sharing(words)]
        shares = [
            (self.weights.contained(words, line.words), line, one) for one in moments for line in one.lines
        ]
        least = max(at_least, max((share for share, _, _ in shares), default=0) - _CLOSE)
        return [one for one in shares if one[0] >= least]

    def beside(self, moment: Moment) -> list[Moment]:
        """Returns a moment and its neighbours in the scene."""
        around = self.moments[max(moment.place - 1, 0) : moment.place + 2]
        return [one for one in around if one.scene == moment.scene]

    def lines(self) -> Iterator[Line]:
        """Yields every line."""
        return (line for moment in self.moments for line in moment.lines)

    @cached_property
    def named(self) -> Sequence[frozenset[int]]:
        """People who act in each scene or are named there."""
        found = [set(scene.people) for scene in self.scenes]
        for moment in self.moments:
            if moment.scene >= 0:
                found[moment.scene] |= moment.people
        return tuple(map(frozenset, found))

    @cached_property
    def deeds(self) -> Mapping[str, list[Found]]:
        """Deeds by their sort."""
        found: dict[str, list[Found]] = defaultdict(list)
        for moment in self.moments:
            for line in moment.lines:
                for deed in line.deeds:
                    found[deed.sort].append(Found(deed, line, moment))
        return found

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words."""
        return frozenset(stem for moment in self.moments for stem in moment.words)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, folded."""
        return frozenset(word for line in self.lines() for word in line.bare.split())

    @cached_property
    def concepts(self) -> frozenset[int]:
        """Concepts of all words."""
        return frozenset[int]().union(*map(concepts_of, self.words))


def bare(text: str) -> str:
    """Returns the words of a text, folded, between blanks."""
    return f" {' '.join(folded_words(text))} "


@lru_cache(maxsize=2)
def _lines_read(named: frozenset[tuple[People, tuple[str, ...]]]) -> dict[tuple[str, People, bool], Line]:
    """Returns the lines that were read with these names, by text, teller and sort, to add more to.

    The same words need not be read twice: for another reader, or after something was recorded.
    """
    return {}


def _named_by(table: Table) -> dict[People, tuple[str, ...]]:
    """Returns the names of people, and parts of them that mean one or several: `Rusk`, `the eels`.

    A player's name means their characters too.
    """
    whole: dict[str, set[int]] = defaultdict(set)
    parts: dict[str, set[int]] = defaultdict(set)
    for person, names in table.names().items():
        played = {one.id for one in table.everybody() if one.player == person != GM}
        for name in names:
            whole[name] |= {table.whose(person), *played}
            for part in _parts_of(name):
                parts[part] |= whole[name]
    by_people: dict[People, list[str]] = defaultdict(list)
    for name, people in {**parts, **whole}.items():
        by_people[frozenset(people)].append(name)
    return {people: tuple(names) for people, names in by_people.items()}


def _parts_of(name: str) -> Iterator[str]:
    """Yields what a name may be shortened to: `Captain` and `Rusk`; `Eel` and `Eels` of Eel-1."""
    base, _, number = normalise(name).rpartition(" ")
    if base and number.isdecimal():
        yield from (base, f"{base}s")
    words = name.split()
    if len(words) > 1:
        yield from (word for word in words if word[:1].isupper() and normalise(word) not in WORDS["small"])
