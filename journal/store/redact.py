"""Taking words away for good: which ones are meant, how they go, and what every line says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from journal.refused import Refused
from journal.store.acts import Done, Manner, drafted
from journal.store.campaign import MOVED, Campaign, Writer
from journal.store.codec import decode
from journal.store.contract import Swept
from journal.store.copies import Copies, Elsewhere, Spot, Taken, elsewhere
from journal.store.errors import CannotWrite
from journal.store.parsing import from_json
from journal.store.record import Record
from journal.store.rows import Row
from journal.store.snapshots import Snapshots
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.words import REFERENCE

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


class Plan(Struct, frozen=True):
    """What a redaction would take: nothing is changed before it is carried out."""

    command: c.Redact
    taken: tuple[Taken, ...]
    """In order of line and position."""
    names: frozenset[str]
    """The texts among them that somebody is called by."""
    elsewhere: tuple[Elsewhere, ...]
    visible_to: VisibleTo
    """Whose eyes it was for: the redaction is for the same."""

    @property
    def texts(self) -> frozenset[str]:
        """Everything that is taken."""
        return frozenset(text for one in self.taken for _, text in one.words)


class Redaction(NamedTuple):
    """A redaction that has been recorded, and the files in which a copy of the words remains for now."""

    done: Done
    left: tuple[Path, ...]
    failed: str | None = None
    """Why, where it was no other program that kept one of them from letting go."""
    swept: Swept = Swept()
    """What became of the unfinished files beside the record."""


# --- what is meant ----------------------------------------------------------------------------------------


def plan_redaction(writer: Writer, command: c.Redact) -> Plan:
    """What `command` would take; Refused where no words stand, and where they have been taken already.

    With the words go their rewordings, and copies of them: in their act on another line, which a retcon
    recorded again, and in an intent that was sealed.
    """
    writer.catch_up()
    record = writer.campaign.record.as_stored()
    taken, see = _taken(writer, command)
    texts = {Spot(one.line, one.position, word): text for one in taken for word, text in one.words}
    names = frozenset(texts[spot] for spot in _named(record, taken))
    return Plan(command, taken, names, tuple(elsewhere(record, texts, names)), see)


def _taken(writer: Writer, command: c.Redact) -> tuple[tuple[Taken, ...], str | tuple[int, ...]]:
    """What `command` takes, in order, and whose eyes it was for."""
    if (command.at is None) == (command.person is None):
        raise Refused("Say what to redact: redact 412, or redact --person NAME.")
    if command.at is not None:
        spots, see = _at(writer, command.at, command.word)
        gone = f"What stood at {command.at} has been redacted already."
    else:
        spots, see = _of_person(writer, command), TABLE
        gone = f"{writer.table.name(command.person or 0)} has been redacted already."
    copies = Copies(writer.campaign.record.as_stored())
    copies.follow(spots)
    if not copies.found:
        raise Refused(gone)
    return tuple(copies.by_event()), see


def _at(writer: Writer, at: int, word: int | None) -> tuple[list[Spot], str | tuple[int, ...]]:
    """The words of the event at a position, all of them or one, and whose eyes they are for."""
    row = _row(writer, at)
    if row.kind == "table.reworded":
        data = from_json(row.body)["data"]
        row, word = _row(writer, data["about"]), data["word"]
    found = decode(row)
    if not found.texts:
        raise Refused(f"No words stand at {at}, so there is nothing to redact.")
    if word is not None and not 0 <= word < len(found.texts):
        which = "0" if len(found.texts) == 1 else f"0 to {len(found.texts) - 1}"
        raise Refused(f"The words at {at} have the number {which}: --word is one of these.")
    wanted = range(len(found.texts)) if word is None else (word,)
    return [Spot(row.line, row.position, one) for one in wanted], found.envelope.visible_to


def _row(writer: Writer, at: int) -> Row:
    row = writer.campaign.record.as_stored().row(writer.line, at)
    if row is None:
        raise Refused(f"There is no position {at} on this line: it ends at {writer.head.position}.")
    return row


def _of_person(writer: Writer, command: c.Redact) -> list[Spot]:
    """Every name, alias and phrase of somebody, on each line that knows them under the same number."""
    if command.word is not None:
        raise Refused("--word belongs to a moment: redact 412 --word 0.")
    person = command.person or 0
    found = [spot for number in writer.table.numbers(person) for spot in _of_number(writer, number)]
    if not found:
        raise Refused(f"No name of {writer.table.name(person)} was ever recorded.")
    return found


def _of_number(writer: Writer, person: int) -> list[Spot]:
    record, came = writer.campaign.record, _introduction(writer, person)
    found: dict[Spot, None] = {}
    for line in record.store.streams():
        if came is not None and record.home(line, came.position) != came.line:
            continue
        for row in record.rows(line, 0 if came is None else came.position - 1, None, tuple(NAMING)):
            data = from_json(row.body)["data"]
            if data["person"] == person:
                for key in NAMING[row.kind]:
                    found |= {Spot(row.line, row.position, word): None for word in _reference(data, key)}
    return list(found)


def _introduction(writer: Writer, person: int) -> Row | None:
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


def _named(record: Record, taken: Iterable[Taken]) -> Iterator[Spot]:
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
                yield Spot(line, position, word)


# --- taking it --------------------------------------------------------------------------------------------


def redact(writer: Writer, plan: Plan, manner: Manner | None = None) -> Redaction:
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
    swept = Swept((*first.gone, *then.gone), then.left)
    try:
        return Redaction(done, (*beside, *campaign.record.store.settle(PATIENCE)), swept=swept)
    except CannotWrite as failure:  # it is recorded all the same, and the next to close the file tries again
        return Redaction(done, beside, str(failure), swept)


def _saying(record: Record, line: int, plan: Plan) -> list[e.Redacted]:
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


def _say_so(campaign: Campaign, line: int, plan: Plan, manner: Manner) -> None:
    """Records the redaction on another line, so that whoever reads or writes there hears of it."""
    events = _saying(campaign.record, line, plan)
    if events:
        command = c.Redact(at=events[0].about, text=plan.command.text)
        drafts = drafted(campaign.clock, events, command, [], replace(manner, act=None))
        campaign.record.append(line, campaign.record.head(line), drafts)


def _kept_beside(snapshots: Snapshots | None) -> Iterator[Path]:
    """Throws away the caches, which may hold a copy; the file that could not be deleted."""
    if snapshots is not None:
        try:
            snapshots.drop()
        except OSError:
            yield snapshots.path
