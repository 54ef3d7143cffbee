"""Where the same words stand again: reworded, on other lines, sealed; and what else mentions them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field

from journal.store.codec import Recorded, decode
from journal.store.folding import folded, words
from journal.store.kinds import event_of
from journal.store.parsing import from_json
from journal.store.record import Record
from journal.store.rows import Row
from journal.store.terms import terms
from journal.store.texts import NAMED, said
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.vocabulary.sealing import unseal
from journal.words import Words

SHORTEST: Final = 4
"""A text shorter than this stands in too many others to be looked for in them; a name never does."""


class Spot(NamedTuple):
    """One of the words of a stored event, by its number there, from 0."""

    line: int
    position: int
    word: int


class Taken(NamedTuple):
    """What is taken of one stored event: each of the words by its number, with how it reads."""

    line: int
    position: int
    words: tuple[tuple[int, str], ...]
    sealed: bool
    """True where nobody is to know yet how they read."""


class Elsewhere(NamedTuple):
    """A stored event that goes on holding what is taken: in other words, or in `data` that rules read."""

    line: int
    position: int
    data: bool


class Copies(Struct):
    """Some words, followed through the whole record until no more of them turn up."""

    record: Record
    found: dict[Spot, str] = field(default_factory=dict)
    """Those that still have a text."""
    _spots: set[Spot] = field(default_factory=set)
    _acts: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _speakers: set[tuple[int, int]] = field(default_factory=set)
    """By conflict and person, who said any of it in a conflict."""
    _shut: set[tuple[int, int]] = field(default_factory=set)
    """By line and position, the events that said some of it face down."""

    def follow(self, spots: Iterable[Spot]) -> None:
        """Takes in these words, then every copy and rewording of them, of those in turn, and so on."""
        wanted: dict[tuple[int, int], set[int]] = {}
        for spot in spots:
            self._spots.add(spot)
            wanted.setdefault((spot.line, spot.position), set()).add(spot.word)
        for (line, position), numbers in wanted.items():
            row = self.record.row(line, position)
            if row is not None:
                self._take(decode(row), numbers)
        known = -1
        while known != len(self._spots):
            known = len(self._spots)
            for row in self.record.everything():
                if row.words is not None and self._may_hold(row):
                    recorded = decode(row)
                    self._take(recorded, self._numbers(recorded))

    def _may_hold(self, row: Row) -> bool:
        return bool(self._shut) or _is_followed(row.kind) or any(act in row.body for act in self._acts)

    def _numbers(self, one: Recorded) -> Iterator[int]:
        """Which words of an event are the same words again."""
        event = one.event
        if isinstance(event, e.Reworded) and self._is_reworded(one.line, event):
            yield from range(len(one.texts))
            return
        again = one.envelope.act in self._acts or (_speaker(one) in self._speakers and self._opens(one))
        for number, text in enumerate(one.texts):
            if again and text is not None and not self._texts.isdisjoint(_readings(one, text)):
                yield number

    def _is_reworded(self, line: int, event: e.Reworded) -> bool:
        stored = self.record.home(line, event.about)
        return stored is not None and Spot(stored, event.about, event.word) in self._spots

    def _opens(self, one: Recorded) -> bool:
        """True for what was said face down, and for what was said openly where some of it was."""
        return bool(self._shut) or _is_sealed(one)

    def _take(self, one: Recorded, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._spots.add(Spot(one.line, one.position, number))
            self._acts.add(one.envelope.act)
            text = one.texts[number]
            if text is None:
                continue
            self.found[Spot(one.line, one.position, number)] = text
            self._texts.update(_readings(one, text))
            if _is_sealed(one):
                self._shut.add((one.line, one.position))
            if (speaker := _speaker(one)) is not None:
                self._speakers.add(speaker)

    def by_event(self) -> Iterator[Taken]:
        """What was found, event by event, in order of line and position."""
        events: dict[tuple[int, int], list[tuple[int, str]]] = {}
        for spot in sorted(self.found):
            events.setdefault((spot.line, spot.position), []).append((spot.word, self.found[spot]))
        for (line, position), taken in events.items():
            yield Taken(line, position, tuple(taken), (line, position) in self._shut)


def _is_followed(stored: str) -> bool:
    """True for a rewording, and for words that are shut: what these say is said once more where they open."""
    kind = event_of(stored)
    return stored == "table.reworded" or (kind is not None and bool(kind.public))


def _is_sealed(one: Recorded) -> bool:
    return isinstance(one.event, Event) and bool(one.event.public)


def _readings(one: Recorded, text: str) -> tuple[str, ...]:
    """A text, and where it is sealed, the words that were shut into it."""
    meant = unseal(Words(text)) if _is_sealed(one) else None
    inner = None if meant is None or meant.text is None else meant.text.text
    return (text, inner) if inner else (text,)


def _speaker(one: Recorded) -> tuple[int, int] | None:
    conflict, who = getattr(one.event, "conflict", None), getattr(one.event, "who", None)
    return (conflict, who) if isinstance(conflict, int) and isinstance(who, int) else None


# --- where the same is said -------------------------------------------------------------------------------


def holds(text: str, sought: str) -> bool:
    """True if `text` has the words of `sought` one after another, whatever their case, accents and signs."""
    for term in terms((sought,)):
        fold = " ".join(folded(text).split())
        if term.part:
            return term.text in fold
        wanted, there = ([word.text for word in words(one)] for one in (term.text, fold))
        starts = range(len(there) - len(wanted) + 1)
        return any(there[start : start + len(wanted)] == wanted for start in starts)
    return False


def elsewhere(record: Record, found: Mapping[Spot, str], names: frozenset[str]) -> Iterator[Elsewhere]:
    """What else in the record holds a text that is taken, and is not taken with it."""
    sought = {text for text in found.values() if text in names or len(text) >= SHORTEST}
    for row in record.everything() if sought else ():
        for word, text in _all_said(row):
            taken = word is not None and Spot(row.line, row.position, word) in found
            if not taken and any(holds(text, one) for one in sought):
                yield Elsewhere(row.line, row.position, word is None)
                break


def _all_said(row: Row) -> Iterator[tuple[int | None, str]]:
    """The words of a stored event with their numbers, and without one what the game calls by a name."""
    kept = () if row.words is None else from_json(row.words)
    yield from ((number, one[1]) for number, one in enumerate(kept) if one is not None)
    if any(f'"{key}":' in row.body for key in NAMED):
        yield from ((None, one.text) for one in said(row) if one.word is None)
