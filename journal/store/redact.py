"""Taking words away for good: which ones are meant, how they go, and what every line says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.refused import Refused
from journal.store.acts import Manner, RecordedAct, draft_rows
from journal.store.campaign import MOVED, CampaignStore, LineWriter
from journal.store.codec import Recorded, decode, from_json
from journal.store.errors import CannotWrite
from journal.store.event_store import Row, SweptFiles
from journal.store.kinds import event_of
from journal.store.record import Record
from journal.store.snapshots import Snapshots
from journal.store.text_matching import normalised, parse_terms, words
from journal.store.texts import NAMING_FIELDS, searchable_texts
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import REFERENCE, Event, Words
from journal.vocabulary.sealing import unseal

SHORTEST: Final = 4
"""A text shorter than this stands in too many others to be looked for in them; a name never does."""


class WordPosition(NamedTuple):
    """One of the words of a stored event, by its number there, from 0."""

    line: int
    position: int
    word: int


class RedactedEvent(NamedTuple):
    """What is taken of one stored event: each of the words by its number, with how it reads."""

    line: int
    position: int
    words: tuple[tuple[int, str], ...]
    sealed: bool
    """True where nobody is to know yet how they read."""


class RemainingMention(NamedTuple):
    """A stored event that goes on holding what is taken: in other words, or in `data` that rules read."""

    line: int
    position: int
    data: bool


class Occurrences(Struct):
    """Some words, followed through the whole record until no more of them turn up."""

    record: Record
    found: dict[WordPosition, str] = field(default_factory=dict)
    """Those that still have a text."""
    _spots: set[WordPosition] = field(default_factory=set)
    _acts: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _speakers: set[tuple[int, int]] = field(default_factory=set)
    """By conflict and person, who said any of it in a conflict."""
    _shut: set[tuple[int, int]] = field(default_factory=set)
    """By line and position, the events that said some of it face down."""

    def follow(self, spots: Iterable[WordPosition]) -> None:
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
        return stored is not None and WordPosition(stored, event.about, event.word) in self._spots

    def _opens(self, one: Recorded) -> bool:
        """True for what was said face down, and for what was said openly where some of it was."""
        return bool(self._shut) or _is_sealed(one)

    def _take(self, one: Recorded, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._spots.add(WordPosition(one.line, one.position, number))
            self._acts.add(one.envelope.act)
            text = one.texts[number]
            if text is None:
                continue
            self.found[WordPosition(one.line, one.position, number)] = text
            self._texts.update(_readings(one, text))
            if _is_sealed(one):
                self._shut.add((one.line, one.position))
            if (speaker := _speaker(one)) is not None:
                self._speakers.add(speaker)

    def by_event(self) -> Iterator[RedactedEvent]:
        """What was found, event by event, in order of line and position."""
        events: dict[tuple[int, int], list[tuple[int, str]]] = {}
        for spot in sorted(self.found):
            events.setdefault((spot.line, spot.position), []).append((spot.word, self.found[spot]))
        for (line, position), taken in events.items():
            yield RedactedEvent(line, position, tuple(taken), (line, position) in self._shut)


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


def contains_phrase(text: str, sought: str) -> bool:
    """True if `text` has the words of `sought` one after another, whatever their case, accents and signs."""
    for term in parse_terms((sought,)):
        fold = " ".join(normalised(text).split())
        if term.part:
            return term.text in fold
        wanted, there = ([word.text for word in words(one)] for one in (term.text, fold))
        starts = range(len(there) - len(wanted) + 1)
        return any(there[start : start + len(wanted)] == wanted for start in starts)
    return False


def remaining_mentions(
    record: Record, found: Mapping[WordPosition, str], names: frozenset[str]
) -> Iterator[RemainingMention]:
    """What else in the record holds a text that is taken, and is not taken with it."""
    sought = {text for text in found.values() if text in names or len(text) >= SHORTEST}
    for row in record.everything() if sought else ():
        for word, text in _all_said(row):
            taken = word is not None and WordPosition(row.line, row.position, word) in found
            if not taken and any(contains_phrase(text, one) for one in sought):
                yield RemainingMention(row.line, row.position, word is None)
                break


def _all_said(row: Row) -> Iterator[tuple[int | None, str]]:
    """The words of a stored event with their numbers, and without one what the game calls by a name."""
    kept = () if row.words is None else from_json(row.words)
    yield from ((number, one[1]) for number, one in enumerate(kept) if one is not None)
    if any(f'"{key}":' in row.body for key in NAMING_FIELDS):
        yield from ((None, one.text) for one in searchable_texts(row) if one.word is None)


NAMING: Final[Mapping[str, tuple[str, ...]]] = {
    "table.cast-introduced": ("name", "text"),
    "table.renamed": ("name",),
    "table.alias-given": ("alias",),
    "table.described": ("text",),
    "table.merged": ("text",),
}
"""The kinds that say who somebody is, and the fields of theirs that a redaction of a person takes."""

_NAMES: Final = frozenset({"name", "alias"})

PATIENCE: Final = 1.0
"""Seconds to wait for others to stop reading, so that the write-ahead log can be emptied at once."""


class RedactionPlan(Struct, frozen=True):
    """What a redaction would take: nothing is changed before it is carried out."""

    command: c.Redact
    taken: tuple[RedactedEvent, ...]
    """In order of line and position."""
    names: frozenset[str]
    """The texts among them that somebody is called by."""
    elsewhere: tuple[RemainingMention, ...]
    visible_to: VisibleTo
    """Whose eyes it was for: the redaction is for the same."""

    @property
    def texts(self) -> frozenset[str]:
        """Everything that is taken."""
        return frozenset(text for one in self.taken for _, text in one.words)


class Redaction(NamedTuple):
    """A redaction that has been recorded, and the files in which a copy of the words remains for now."""

    done: RecordedAct
    left: tuple[Path, ...]
    failed: str | None = None
    """Why, where it was no other program that kept one of them from letting go."""
    swept: SweptFiles = SweptFiles()
    """What became of the unfinished files beside the record."""


# --- what is meant ----------------------------------------------------------------------------------------


def plan_redaction(writer: LineWriter, command: c.Redact) -> RedactionPlan:
    """What `command` would take; Refused where no words stand, and where they have been taken already.

    With the words go their rewordings, and copies of them: in their act on another line, which a retcon
    recorded again, and in an intent that was sealed.
    """
    writer.catch_up()
    record = writer.campaign.record.as_stored()
    taken, see = _taken(writer, command)
    texts = {WordPosition(one.line, one.position, word): text for one in taken for word, text in one.words}
    names = frozenset(texts[spot] for spot in _named(record, taken))
    return RedactionPlan(command, taken, names, tuple(remaining_mentions(record, texts, names)), see)


def _taken(writer: LineWriter, command: c.Redact) -> tuple[tuple[RedactedEvent, ...], str | tuple[int, ...]]:
    """What `command` takes, in order, and whose eyes it was for."""
    if (command.at is None) == (command.person is None):
        raise Refused("Say what to redact: redact 412, or redact --person NAME.")
    if command.at is not None:
        spots, see = _at(writer, command.at, command.word)
        gone = f"What stood at {command.at} has been redacted already."
    else:
        spots, see = _of_person(writer, command), TABLE
        gone = f"{writer.table.name(command.person or 0)} has been redacted already."
    copies = Occurrences(writer.campaign.record.as_stored())
    copies.follow(spots)
    if not copies.found:
        raise Refused(gone)
    return tuple(copies.by_event()), see


def _at(writer: LineWriter, at: int, word: int | None) -> tuple[list[WordPosition], str | tuple[int, ...]]:
    """The words of the event at a position, all of them or one, and whose eyes they are for."""
    row = _row(writer, at)
    if row.kind == "table.reworded":
        data = from_json(row.body)["data"]
        row, word = _row(writer, data["about"]), data["word"]
    found = decode(row)
    if not found.texts:
        raise Refused(f"There is no text at {at}, so there is nothing to redact.")
    if word is not None and not 0 <= word < len(found.texts):
        which = "0" if len(found.texts) == 1 else f"0 to {len(found.texts) - 1}"
        raise Refused(f"The words at {at} have the number {which}: --word is one of these.")
    wanted = range(len(found.texts)) if word is None else (word,)
    return [WordPosition(row.line, row.position, one) for one in wanted], found.envelope.visible_to


def _row(writer: LineWriter, at: int) -> Row:
    row = writer.campaign.record.as_stored().row(writer.line, at)
    if row is None:
        raise Refused(f"There is no position {at} on this line: it ends at {writer.head.position}.")
    return row


def _of_person(writer: LineWriter, command: c.Redact) -> list[WordPosition]:
    """Every name, alias and phrase of somebody, on each line that knows them under the same number."""
    if command.word is not None:
        raise Refused("--word belongs to a moment: redact 412 --word 0.")
    person = command.person or 0
    found = [spot for number in writer.table.numbers(person) for spot in _of_number(writer, number)]
    if not found:
        raise Refused(f"No name of {writer.table.name(person)} was ever recorded.")
    return found


def _of_number(writer: LineWriter, person: int) -> list[WordPosition]:
    record, came = writer.campaign.record, _introduction(writer, person)
    found: dict[WordPosition, None] = {}
    for line in record.store.streams():
        if came is not None and record.home(line, came.position) != came.line:
            continue
        for row in record.rows(line, 0 if came is None else came.position - 1, None, tuple(NAMING)):
            data = from_json(row.body)["data"]
            if data["person"] == person:
                for key in NAMING[row.kind]:
                    found |= {
                        WordPosition(row.line, row.position, word): None for word in _reference(data, key)
                    }
    return list(found)


def _introduction(writer: LineWriter, person: int) -> Row | None:
    """Where somebody entered this line; None for the game master, who was there before it."""
    rows = writer.campaign.record.rows(writer.line, 0, None, ("table.cast-introduced",))
    came = [
        row
        for row in rows
        if writer.stands.counts(row.position) and from_json(row.body)["data"]["person"] == person
    ]
    return came[-1] if came else None


def _reference(data: Mapping[str, Any], key: str) -> Iterator[int]:
    value = data.get(key)
    if isinstance(value, dict) and value.keys() == {REFERENCE}:
        yield value[REFERENCE]


def _named(record: Record, taken: Iterable[RedactedEvent]) -> Iterator[WordPosition]:
    """The words among them that are names, also where they stand in a rewording of one."""
    for line, position, numbered, _ in taken:
        row = about = record.row(line, position)
        if row is not None and row.kind == "table.reworded":
            about = record.row(line, from_json(row.body)["data"]["about"])
        if row is None or about is None or about.kind not in NAMING:
            continue
        data = from_json(about.body)["data"]
        named = {word for key in _NAMES for word in _reference(data, key)}
        for word, _ in numbered:
            if (word if about is row else from_json(row.body)["data"]["word"]) in named:
                yield WordPosition(line, position, word)


# --- taking it --------------------------------------------------------------------------------------------


def redact(writer: LineWriter, plan: RedactionPlan, manner: Manner | None = None) -> Redaction:
    """Takes the words of `plan` away, and says so on every line that has them; nothing brings them back.

    Refused, with nothing changed, if somebody has recorded something since that changes what is taken. What
    lies beside the record goes first: wherever this is interrupted, saying it again finishes it.
    """
    campaign = writer.campaign
    manner = replace(manner or Manner(), visible_to=plan.visible_to)
    own = _saying(campaign.record, writer.line, plan)

    def take() -> None:
        if _taken(writer, plan.command) != (plan.taken, plan.visible_to):
            raise Refused(MOVED)
        for one in plan.taken:
            campaign.record.take_words(one.line, one.position, [word for word, _ in one.words])
        for line in campaign.record.store.streams():
            if line != writer.line:
                _say_so(campaign, line, plan, manner)

    # What is folded meanwhile is not kept: should it come to nothing, a kept table would lack its words.
    snapshots, campaign.snapshots = campaign.snapshots, None
    tuple(_kept_beside(snapshots))
    first = campaign.record.store.sweep()
    try:
        done = writer.manage_all(own, plan.command, manner, beside=take)
    finally:
        campaign.snapshots = snapshots
    beside, then = tuple(_kept_beside(snapshots)), campaign.record.store.sweep()
    swept = SweptFiles((*first.gone, *then.gone), then.left)
    try:
        return Redaction(done, (*beside, *campaign.record.store.settle(PATIENCE)), swept=swept)
    except CannotWrite as failure:  # it is recorded all the same, and the next to close the file tries again
        return Redaction(done, beside, str(failure), swept)


def _saying(record: Record, line: int, plan: RedactionPlan) -> list[e.Redacted]:
    """What a line says of a redaction: an event for each of its own that loses words."""
    about = sorted(one for one in plan.taken if record.home(line, one.position) == one.line)
    return [
        e.Redacted(
            about=one.position,
            words=tuple(word for word, _ in one.words),
            text=plan.command.text if number == 0 else None,
        )
        for number, one in enumerate(about)
    ]


def _say_so(campaign: CampaignStore, line: int, plan: RedactionPlan, manner: Manner) -> None:
    """Records the redaction on another line, so that whoever reads or writes there hears of it."""
    events = _saying(campaign.record, line, plan)
    if events:
        command = c.Redact(at=events[0].about, text=plan.command.text)
        drafts = draft_rows(campaign.clock, events, command, [], replace(manner, act=None))
        campaign.record.append(line, campaign.record.head(line), drafts)


def _kept_beside(snapshots: Snapshots | None) -> Iterator[Path]:
    """Throws away the caches, which may hold a copy; the file that could not be deleted."""
    if snapshots is not None:
        try:
            snapshots.drop()
        except OSError:
            yield snapshots.path
