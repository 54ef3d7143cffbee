"""Redaction: finds the copies of a text in the record, deletes them for good, and records the deletion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.grouping import grouped
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.contract.event_store import Row, SweptFiles, is_draft
from retold.journal.store.events.acts import Manner, RecordedAct, draft_rows
from retold.journal.store.events.codec import Recorded, decode, from_json
from retold.journal.store.events.kinds import event_of
from retold.journal.store.events.line_events import line_names
from retold.journal.store.events.record import Record
from retold.journal.store.events.text_matching import normalised, parse_terms, words
from retold.journal.store.events.texts import NAMING_FIELDS, file_numbers, searchable_texts
from retold.journal.store.writing.campaign import MOVED, CampaignStore, LineWriter
from retold.journal.store.writing.drafts import texts_telling, writers_names
from retold.journal.store.writing.redacted_words import digests_of
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import REFERENCE, Event, Words
from retold.journal.vocabulary.drafts import DraftRevised
from retold.journal.vocabulary.sealing import unseal

SHORTEST: Final = 4
"""Texts shorter than this are not searched for in other texts, unless they are names."""


LONGEST: Final = 20_000
"""Texts longer than this, such as pictures, are only found in other texts as they stand."""


class WordPosition(NamedTuple):
    """Location of a text in the record: stored branch, event position, number in the event (from 0)."""

    line: int
    position: int
    word: int


class RedactedEvent(NamedTuple):
    """A stored event and its texts to be deleted, as pairs: the text's number in the event, and the text."""

    line: int
    position: int
    words: tuple[tuple[int, str], ...]
    sealed: bool
    """True if the texts are still sealed."""


class RemainingMention(NamedTuple):
    """A stored event that still mentions a redacted text.

    It does so in another text, or (`data` is True) in a name that the rules read, such as an aspect's.
    """

    line: int
    position: int
    data: bool


class Occurrences(Struct):
    """Finds the copies of some texts in the record.

    A text is copied when it is reworded, when a retcon records its act again on a branch, and when a sealed
    (face-down) declaration is opened, and a pull quote repeats a part of it. A block of a draft that tells
    its event may repeat it in any words, and so may remarks on that block. A person's name may be that of a
    writer of drafts, or of a remark's author.
    """

    record: Record
    found: dict[WordPosition, str] = field(default_factory=dict)
    """The copies that still have their text."""
    _positions: set[WordPosition] = field(default_factory=set)
    _acts: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _speakers: set[tuple[int, int]] = field(default_factory=set)
    """Conflict and person of everyone who said one of the texts in a conflict."""
    _sealed_events: set[tuple[int, int]] = field(default_factory=set)
    """Line and position of the sealed events with one of the texts."""

    def follow(self, spots: Iterable[WordPosition]) -> None:
        """Adds the texts at `spots` to `found`, then their copies and rewordings, until no more are found."""
        wanted: dict[tuple[int, int], set[int]] = {}
        for spot in spots:
            self._positions.add(spot)
            wanted.setdefault((spot.line, spot.position), set()).add(spot.word)
        for (line, position), numbers in wanted.items():
            row = self.record.row(line, position)
            if row is not None:
                self._add(decode(row), numbers)
        known = -1
        while known != len(self._positions):
            known = len(self._positions)
            for row in self.record.everything():
                if row.words is not None and self._may_hold(row):
                    recorded = decode(row)
                    self._add(recorded, self._numbers(recorded))
        self._follow_into_drafts()

    def _follow_into_drafts(self) -> None:
        """Adds what revisions of drafts repeat: texts of blocks that tell an event found, and names found."""
        places = frozenset((spot.line, spot.position) for spot in self._positions)
        names = {normalise(self.found[spot]) for spot in words_in_names(self.record, self.by_event())}
        for row in self.record.everything((DraftRevised.kind,)):
            if row.words is not None:
                recorded, data = decode(row), from_json(row.body)["data"]
                same = (
                    number
                    for number in (writers_names(data) if names else ())
                    if normalise(recorded.texts[number] or "") in names
                )
                self._add(recorded, {*texts_telling(data["blocks"], places), *same})

    def _may_hold(self, row: Row) -> bool:
        return (
            bool(self._sealed_events) or _is_followed(row.kind) or any(act in row.body for act in self._acts)
        )

    def _numbers(self, one: Recorded) -> Iterator[int]:
        """Yields the numbers of the texts in an event that are copies of a text found so far."""
        event = one.event
        if (isinstance(event, e.Reworded) and self._is_reworded(one.line, event)) or (
            isinstance(event, e.PassagePulled) and self._is_pulled(one.line, event)
        ):
            yield from range(len(one.texts))
            return
        unseals = bool(self._sealed_events) or _is_sealed(one)  # or may repeat a sealed text found before
        again = one.envelope.act in self._acts or (unseals and _speaker(one) in self._speakers)
        for number, text in enumerate(one.texts):
            if again and text is not None and not self._texts.isdisjoint(_readings(one, text)):
                yield number

    def _is_reworded(self, line: int, event: e.Reworded) -> bool:
        stored = self.record.home(line, event.about)
        return stored is not None and WordPosition(stored, event.about, event.word) in self._positions

    def _is_pulled(self, line: int, event: e.PassagePulled) -> bool:
        row = self.record.row(line, event.at)
        text = None if row is None else from_json(row.body)["data"].get("text")
        if row is None or not isinstance(text, dict):
            return False
        return WordPosition(row.line, row.position, text[REFERENCE]) in self._positions

    def _add(self, one: Recorded, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._positions.add(WordPosition(one.line, one.position, number))
            self._acts.add(one.envelope.act)
            text = one.texts[number]
            if text is None:
                continue
            self.found[WordPosition(one.line, one.position, number)] = text
            self._texts.update(_readings(one, text))
            if _is_sealed(one):
                self._sealed_events.add((one.line, one.position))
            if (speaker := _speaker(one)) is not None:
                self._speakers.add(speaker)

    def by_event(self) -> Iterator[RedactedEvent]:
        """Yields the texts found, grouped by event, in order of branch and position."""
        events = grouped(
            ((spot.line, spot.position), (spot.word, text)) for spot, text in sorted(self.found.items())
        )
        for (line, position), taken in events.items():
            yield RedactedEvent(line, position, tuple(taken), (line, position) in self._sealed_events)


def _is_followed(stored: str) -> bool:
    """True for rewordings, pull quotes and sealed declarations (by stored name): they may hold copies."""
    kind = event_of(stored)
    return stored in {"table.reworded", "table.passage-pulled"} or (kind is not None and bool(kind.public))


def _is_sealed(one: Recorded) -> bool:
    return isinstance(one.event, Event) and bool(one.event.public)


def _readings(one: Recorded, text: str) -> tuple[str, ...]:
    """Returns `text` in a tuple; if the event is sealed, also the text inside the seal."""
    meant = unseal(Words(text)) if _is_sealed(one) else None
    inner = None if meant is None or meant.text is None else meant.text.text
    return (text, inner) if inner else (text,)


def _speaker(one: Recorded) -> tuple[int, int] | None:
    conflict, who = getattr(one.event, "conflict", None), getattr(one.event, "who", None)
    return (conflict, who) if isinstance(conflict, int) and isinstance(who, int) else None


# --- where the same is said -------------------------------------------------------------------------------


def contains_phrase(text: str, sought: str) -> bool:
    """True if `text` contains the words of `sought` in sequence, ignoring case, accents and punctuation."""
    if len(sought) > LONGEST and sought not in text:
        return False
    for term in parse_terms((sought,)):
        fold = " ".join(normalised(text).split())
        if term.part:
            return term.text in fold
        wanted = [word.text for word in words(term.text)]
        if not all(word in fold for word in wanted):
            return False  # as of most texts, which so need not be divided
        there = " ".join(word.text for word in words(fold))
        return f" {' '.join(wanted)} " in f" {there} "
    return False


def remaining_mentions(
    record: Record, found: Mapping[WordPosition, str], names: frozenset[str]
) -> Iterator[RemainingMention]:
    """Yields the events that mention a text in `found` elsewhere than at its position there.

    Texts shorter than SHORTEST are searched for only if they are in `names`. A picture is found where its
    very bytes are recorded again.
    """
    sought = {text for text in found.values() if text in names or len(text) >= SHORTEST}
    for row in record.everything() if sought else ():
        files = file_numbers(row)
        for word, text in _texts_of(row):
            taken = word is not None and WordPosition(row.line, row.position, word) in found
            if taken:
                continue
            if text in sought if word in files else any(contains_phrase(text, phrase) for phrase in sought):
                yield RemainingMention(row.line, row.position, word is None)
                break


def _texts_of(row: Row) -> Iterator[tuple[int | None, str]]:
    """Yields (number in the event, text) for the event's texts in `row`, then (None, name) for its names."""
    kept = () if row.words is None else from_json(row.words)
    yield from ((number, pair[1]) for number, pair in enumerate(kept) if pair is not None)
    if any(f'"{key}":' in row.body for key in NAMING_FIELDS):
        yield from ((None, found.text) for found in searchable_texts(row) if found.word is None)


NAMING: Final[Mapping[str, tuple[str, ...]]] = {
    "table.cast-introduced": ("name", "text"),
    "table.renamed": ("name",),
    "table.alias-given": ("alias",),
    "table.described": ("text", "pronouns"),
    "table.merged": ("text",),
}
"""Kinds that name or describe a person, with the fields that a person's redaction deletes."""

_NAMES: Final = frozenset({"name", "alias"})

PATIENCE: Final = 1.0
"""Seconds to wait for readers, so that the write-ahead log can be emptied at once."""


class RedactionPlan(Struct, frozen=True):
    """The texts a redaction would delete, found by `plan_redaction`; `redact` deletes them."""

    command: c.Redact
    taken: tuple[RedactedEvent, ...]
    """In order of line and position."""
    names: frozenset[str]
    """The texts among them that are names."""
    elsewhere: tuple[RemainingMention, ...]
    visible_to: VisibleTo
    """The audience of the redacted texts, which the redaction has too."""

    @property
    def texts(self) -> frozenset[str]:
        """The distinct texts that the redaction deletes, wherever they occur."""
        return frozenset(text for event in self.taken for _, text in event.words)


class Redaction(NamedTuple):
    """Result of a redaction: the recorded act, and caches (`left`) that may still hold a copy."""

    done: RecordedAct
    left: tuple[Path, ...]
    remains: tuple[str, ...] = ()
    """Sentences on copies that the store could not delete yet."""
    failed: str | None = None
    """The error if emptying the log failed for another reason than a reader."""
    swept: SweptFiles = SweptFiles()
    """Deleted and remaining unfinished files beside the record."""


# --- what is meant ----------------------------------------------------------------------------------------


def plan_redaction(writer: LineWriter, command: c.Redact) -> RedactionPlan:
    """Returns the texts that `command` would delete; deletes nothing.

    Rewordings of the texts are included, and their copies: in acts that a retcon recorded again on another
    branch, and in sealed declarations. Raises Refused if there are no texts, or if they are redacted already.
    """
    writer.catch_up()
    record = writer.campaign.record.as_stored()
    taken, see = _redacted_events(writer, command)
    on_lines = [event for event in taken if not is_draft(event.line)]
    if on_lines and not any(record.home(writer.line, event.position) == event.line for event in on_lines):
        line, position = on_lines[0][:2]
        name = line_names(record)[line]
        raise Refused(
            f"The words are gone here already, and stand at {name}@{position} still: redact {position} takes"
            f" them on that line (retold --branch {name} redact {position})."
        )
    texts = {
        WordPosition(event.line, event.position, word): text for event in taken for word, text in event.words
    }
    names = frozenset(texts[spot] for spot in words_in_names(record, taken))
    return RedactionPlan(command, taken, names, tuple(remaining_mentions(record, texts, names)), see)


def _redacted_events(
    writer: LineWriter, command: c.Redact
) -> tuple[tuple[RedactedEvent, ...], str | tuple[int, ...]]:
    """Returns the texts that `command` deletes, grouped by event, and the audience of the redaction."""
    spots, see = _meant(writer, command)
    if command.at is not None:
        gone = f"What stood at {command.at} has been redacted already."
    else:
        gone = f"{writer.table.name(command.person or 0)} has been redacted already."
    copies = Occurrences(writer.campaign.record.as_stored())
    copies.follow(spots)
    if not copies.found:
        raise Refused(gone)
    return tuple(copies.by_event()), see


def _meant(writer: LineWriter, command: c.Redact) -> tuple[list[WordPosition], VisibleTo]:
    """Returns the locations of the texts that `command` names, and their audience."""
    if (command.at is None) == (command.person is None):
        raise Refused("Say what to redact: redact 412, or redact --person NAME.")
    if command.at is not None:
        return _texts_at(writer, command.at, command.word)
    return _of_person(writer, command), TABLE


def _texts_at(
    writer: LineWriter, at: int, word: int | None
) -> tuple[list[WordPosition], str | tuple[int, ...]]:
    """Returns the locations of the texts of the event at `at`, and the event's audience.

    Of an imported act, the source's own id of it is added. With `word`, only text number `word`; at a
    rewording, the text that was reworded. Raises Refused if there is no such text.
    """
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
    spots = [WordPosition(row.line, row.position, number) for number in wanted]
    return [*spots, *_unit_of(writer, found, spots)] if word is None else spots, found.envelope.visible_to


def _unit_of(writer: LineWriter, found: Recorded, spots: Sequence[WordPosition]) -> Iterator[WordPosition]:
    """Yields the location of the source's own id of an imported act, unless it is among `spots`."""
    first = _row(writer, found.position - found.envelope.i + 1)
    unit = from_json(first.body).get("unit")
    if unit is not None:
        spot = WordPosition(first.line, first.position, unit[REFERENCE])
        yield from () if spot in spots else (spot,)


def _row(writer: LineWriter, at: int) -> Row:
    row = writer.campaign.record.as_stored().row(writer.line, at)
    if row is None:
        raise Refused(f"There is no position {at} on this line: it ends at {writer.head.position}.")
    return row


def _of_person(writer: LineWriter, command: c.Redact) -> list[WordPosition]:
    """Returns the locations of a person's names, aliases and descriptions.

    Each branch that shares the person's introduction is searched. Raises Refused if there are none.
    """
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
    """Returns the row of the event that introduced the person with that id; None for the game master."""
    rows = writer.campaign.record.rows(writer.line, 0, None, ("table.cast-introduced",))
    came = [
        row
        for row in rows
        if writer.amendments.counts(row.position) and from_json(row.body)["data"]["person"] == person
    ]
    return came[-1] if came else None


def _reference(data: Mapping[str, Any], key: str) -> Iterator[int]:
    value = data.get(key)
    if isinstance(value, dict) and value.keys() == {REFERENCE}:
        yield value[REFERENCE]


def words_in_names(record: Record, taken: Iterable[RedactedEvent]) -> Iterator[WordPosition]:
    """Yields the locations of the texts in `taken` that are names, or rewordings of names."""
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
    """Deletes the texts of `plan` for good, and appends a redaction event to each branch holding them.

    Raises Refused, changing nothing, if events recorded since the plan change what it covers. Caches and
    unfinished copies are deleted first: after an interruption the same command finishes the work.
    """
    campaign = writer.campaign
    manner = replace(manner or Manner(), visible_to=plan.visible_to)
    runs = digests_of(campaign.record, plan.texts, plan.names)
    own = _redaction_events(campaign.record, writer.line, plan, runs) or _again(writer, plan, runs)

    def take() -> None:
        if _redacted_events(writer, plan.command) != (plan.taken, plan.visible_to):
            raise Refused(MOVED)
        for event in plan.taken:
            campaign.record.delete_texts(event.line, event.position, [word for word, _ in event.words])
        for line in campaign.record.store.streams():
            if line != writer.line:
                _record_on_line(campaign, line, plan, manner, runs)

    # No snapshot is stored meanwhile: if the redaction fails, it would lack the texts.
    snapshots, campaign.snapshots = campaign.snapshots, None
    tuple(_drop_snapshots(snapshots))
    first = campaign.record.store.sweep()
    try:
        done = writer.manage_all(own, plan.command, manner, beside=take)
    finally:
        campaign.snapshots = snapshots
    beside = tuple(_drop_snapshots(snapshots))
    then = campaign.record.store.sweep()
    swept = SweptFiles((*first.gone, *then.gone), then.left)
    try:
        return Redaction(done, beside, campaign.record.store.settle(PATIENCE), swept=swept)
    except CannotWrite as failure:  # the redaction is recorded, and the next close of the file tries again
        return Redaction(done, beside, failed=str(failure), swept=swept)


def _redaction_events(record: Record, line: int, plan: RedactionPlan, runs: str | None) -> list[e.Redacted]:
    """Returns an event for each event in `plan` that branch `line` has, naming the texts it loses.

    The first has the digests `runs` of all texts in the plan.
    """
    about = sorted(event for event in plan.taken if record.home(line, event.position) == event.line)
    return [
        e.Redacted(
            about=event.position,
            words=tuple(word for word, _ in event.words),
            text=plan.command.text if number == 0 else None,
            runs=runs if number == 0 else "",
        )
        for number, event in enumerate(about)
    ]


def _again(writer: LineWriter, plan: RedactionPlan, runs: str | None) -> list[e.Redacted]:
    """Returns redactions of texts that are gone from the line already: only drafts have copies of them."""
    words = grouped(
        (position, word)
        for line, position, word in sorted(_meant(writer, plan.command)[0])
        if writer.campaign.record.home(writer.line, position) == line
    )
    return [
        e.Redacted(
            about=at,
            words=tuple(some),
            text=plan.command.text if number == 0 else None,
            runs=runs if number == 0 else "",
        )
        for number, (at, some) in enumerate(words.items())
    ]


def _record_on_line(
    campaign: CampaignStore, line: int, plan: RedactionPlan, manner: Manner, runs: str | None
) -> None:
    """Appends the redaction events to branch `line`, if it holds any of the texts."""
    events = _redaction_events(campaign.record, line, plan, runs)
    if events:
        command = c.Redact(at=events[0].about, text=plan.command.text)
        drafts = draft_rows(campaign.clock, events, command, [], replace(manner, act=None))
        campaign.record.append(line, campaign.record.head(line), drafts)


def _drop_snapshots(snapshots: Snapshots | None) -> Iterator[Path]:
    """Deletes the snapshot cache, which may hold copies of the texts; yields its path if that fails."""
    if snapshots is not None:
        try:
            snapshots.drop()
        except OSError:
            yield snapshots.path
