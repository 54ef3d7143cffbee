"""Verdicts on the sentences of a text, by what one reader may know; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from retold.drafts.checking.deeds import NOBODY, tokens_of
from retold.drafts.checking.english import WORDS, folded_words, meaning
from retold.drafts.checking.numbers import numbers_in
from retold.drafts.checking.record import KnownRecord, Line, bare
from retold.drafts.checking.sentence import ALIKE, FEW, Checked, Sentence, Verdict
from retold.drafts.checking.unknown_names import UnknownNames
from retold.drafts.leaks import KnownOnlyToOthers
from retold.journal import marks
from retold.journal.vocabulary.drafts import Block
from retold.projections.prose.sentences import first_end
from retold.projections.reading import GAME_MASTER, LineView

LONG: Final = 4
"""Letters of a word that may be a secret."""
ENOUGH: Final = 2
"""Words and people of a hidden line that a sentence about it has."""
LEARNING: Final = frozenset(meaning("know learn tell hear secret whisper alone"))
"""Stems of words for what somebody comes to know."""
THROWN: Final = frozenset(meaning("roll threw dice check came"))
SECRETLY: Final = frozenset(meaning("hidden secret screen unseen behind"))


def sentences_of(text: str) -> Iterator[str]:
    """Yields the sentences of a paragraph, without marks."""
    rest = marks.plain(text).strip()
    while rest:
        sentence, rest = map(str.strip, first_end(rest))
        yield sentence


def vouched(block: Block, found: Iterable[Checked]) -> Iterator[Checked]:
    """Yields the sentences of a block; those that a writer vouched for have the verdict `HERS`.

    A sentence that the reader may not know stays so.
    """
    hers = {bare(words.text or "") for words in block.hers or ()}
    for one in found:
        is_hers = bare(one.text) in hers and one.verdict is not Verdict.NOT_FOR_READER
        yield one._replace(verdict=Verdict.HERS) if is_hers else one


class Checker:
    """Holds texts against the record as the viewer of a reading may know it."""

    def __init__(self, reading: LineView, *, secrets: bool = True) -> None:
        """Reads the whole branch once, as the viewer of `reading` may know it.

        With `secrets` the game master asks: what is not for this viewer is called so, and events have the
        game master's ids.
        """
        self.secrets = secrets
        self.record = KnownRecord(reading)
        self.secret = KnownOnlyToOthers(reading)
        self.unknown = UnknownNames(self.record, self.secret)

    @cached_property
    def _whole(self) -> KnownRecord | None:
        """The record with its secrets; None for a reader from whom nothing is secret."""
        reading = self.record.reading
        return (
            None
            if reading.viewer.gm or not self.secrets or not self.secret.are_any
            else KnownRecord(reading.through(GAME_MASTER))
        )

    @cached_property
    def _places(self) -> Mapping[str, str]:
        """Ids of events for whoever asks, by those of the reader."""
        reading = self.record.reading
        ids = reading.through(GAME_MASTER).ids if self.secrets else reading.ids
        return {reading.ids.at(place): ids.at(place) for place in range(1, reading.position + 1)}

    def paragraph(self, text: str) -> Iterator[Checked]:
        """Yields the sentences of a paragraph, each with its verdict."""
        for sentence in sentences_of(text):
            found = Sentence(self.record, sentence).verdict(self.unknown)
            few = FEW - (found.verdict in (Verdict.NOT_IN_RECORD, Verdict.CANNOT_TELL))
            found = self._secret(sentence, is_told=found.verdict is Verdict.TOLD, few=few) or found
            yield found._replace(events=tuple(self._places.get(event, event) for event in found.events))

    @cached_property
    def _hidden(self) -> list[Line]:
        """Lines that the reader does not know."""
        if self._whole is None:
            return []
        known = {line.bare for line in self.record.lines()}
        return [line for line in self._whole.lines() if line.bare not in known]

    def heading(self, text: str) -> Checked:
        """Returns the verdict on a heading, which tells nothing unless it is one of the record's."""
        words = marks.plain(text)
        if (secret := self._secret(words, is_told=True)) is not None:
            return secret
        if bare(words) in self.record.titles:
            return Checked(words, Verdict.TOLD, (), "a heading of the record")
        name = self.unknown.found_in(tokens_of(words, self.record.names))
        if name is not None:
            return Checked(words, Verdict.NOT_IN_RECORD, (), name)
        return Checked(words, Verdict.CANNOT_TELL, (), "a heading")

    def _secret(self, text: str, *, is_told: bool, few: int = FEW) -> Checked | None:
        """Returns the verdict on words that the reader may not know; None for others.

        Of what is told openly, fewer words are taken for secret.
        """
        whole = self._whole
        if whole is None:
            return None
        if (found := self.secret.found_in(text)) is not None:
            return Checked(text, Verdict.NOT_FOR_READER, (), f"\u201c{found}\u201d is known to others alone")
        sentence = Sentence(whole, text)
        line = max(
            self._hidden, key=lambda one: whole.weights.contained(sentence.words, one.words), default=None
        )
        thrown = self._thrown_in_secret(sentence)
        if thrown is not None:
            return Checked(text, Verdict.NOT_FOR_READER, (thrown.id,), "only others may know these numbers")
        if line is None:
            return None
        stems = sentence.words.keys() & line.words.keys()
        hidden = stems - self.record.stems
        share = whole.weights.contained(sentence.words, line.words)
        known = max(
            (whole.weights.contained(sentence.words, one.words) for one in self.record.lines()), default=0.0
        )
        is_better = (len(stems) > 1 and share > known) or (len(stems) >= few and share == known)
        is_alike = share >= ALIKE or (len(stems) >= few and not is_told)
        is_secret = len(hidden) > 1 or (is_alike and (hidden or is_better))
        secret = line if is_secret else None if is_told else self._known_to_others(sentence)
        return secret and Checked(text, Verdict.NOT_FOR_READER, (secret.id,), "only others may know that")

    def _known_to_others(self, sentence: Sentence) -> Line | None:
        """Returns a line with a word of a sentence that is nowhere open, or that somebody alone was told.

        Then the sentence has to say that they learn it.
        """
        long = " ".join(word for word in folded_words(sentence.text) if len(word) >= LONG)
        mine = meaning(long).keys() & sentence.words.keys()
        learnt = sentence.people if not LEARNING.isdisjoint(sentence.words) else NOBODY
        hidden = (line for line in self._hidden if mine & line.words.keys() - self.record.stems)
        theirs = (line for line in self._told_to_few if not learnt.isdisjoint(self._audiences[line.id]))
        is_first = not WORDS["sooner"].isdisjoint(folded_words(sentence.text))
        told = next(hidden, None)
        told = told or next((line for line in theirs if is_first or mine & line.words.keys()), None)
        return told or self._nearest_hidden(sentence)

    def _nearest_hidden(self, sentence: Sentence) -> Line | None:
        """Returns a hidden line with more of the meaning and people of a sentence than any open one.

        What the reader rarely reads weighs more; None without one that has two words of it.
        """
        sought = sentence.sought(self.record.weights)
        most = max((weight for _, weight in map(sought.in_line, self.record.lines())), default=0.0)
        near = max(self._hidden, key=lambda line: sought.in_line(line)[1], default=None)
        if near is None:
            return None
        number, weight = sought.in_line(near)
        return near if number >= ENOUGH and weight > most else None

    @cached_property
    def _told_to_few(self) -> list[Line]:
        """Lines for people that the reader is not among, also those that others heard of later."""
        return [line for line in self._whole.lines() if line.id in self._audiences] if self._whole else []

    @cached_property
    def _audiences(self) -> Mapping[str, frozenset[int]]:
        """People who alone may see an event, and whom they play, by the event's id."""
        whole, found = self.record.reading.through(GAME_MASTER), {}
        for recorded in whole.recorded():
            people = recorded.envelope.visible_to
            if isinstance(people, tuple) and not self.record.reading.viewer.among(people):
                played = (one.id for one in whole.table.everybody() if one.player in people)
                found[whole.ids.at(recorded.position)] = frozenset((*people, *played))
        return found

    def _thrown_in_secret(self, sentence: Sentence) -> Line | None:
        """Returns the hidden line with the numbers of a sentence and one of its words; None without one."""
        numbers = {number.value for number in numbers_in(sentence.text) if not number.is_ordinal}
        is_throw = not any(map(sentence.words.keys().isdisjoint, (THROWN, SECRETLY)))

        def has_all(line: Line) -> bool:
            is_about = is_throw or not sentence.words.keys().isdisjoint(line.words)
            return is_about and numbers <= {number.value for number in line.numbers}

        if not numbers or (not is_throw and any(map(has_all, self.record.lines()))):
            return None
        return next(filter(has_all, self._hidden), None)
