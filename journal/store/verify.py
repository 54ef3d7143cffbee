"""Whether a record is what was written: file, chain, words; and what today's rules, or a seed, say of it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic_core import from_json

from journal import line as line_
from journal.decks.chance import Provenance, SeededDealer, commit
from journal.line import Live
from journal.refused import Forgotten, Refused
from journal.store import reading, replaying
from journal.store.campaign import Campaign
from journal.store.chain import ROOT, link
from journal.store.codec import Unknown, canonical, check_whole, commitment, decode_event
from journal.store.errors import Damaged
from journal.store.file import File, Head
from journal.store.kinds import EVENTS, UPCASTS
from journal.store.reading import Act
from journal.store.rows import Row
from journal.table import Table
from journal.vocabulary.base import Command, Event

Progress = Callable[[int, int | None], None]
"""Told now and then how many events are done, and of how many, where that is known."""

STEP = 1000
"""After how many events progress is told."""


# --- one row after another --------------------------------------------------------------------------------


class Finding(NamedTuple):
    """Something that is not as it was written, and where; on no line if it is about the whole file."""

    line: int | None
    position: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence if self.line is None else f"Line {self.line}, {self.position}: {self.sentence}"


class Fork(NamedTuple):
    """Where a line left its parent."""

    parent: int
    at: int


@dataclass(slots=True)
class _Trail:
    """How far one line has been followed."""

    position: int
    hash: bytes
    act: str = ""
    i: int = 1
    n: int = 1


@dataclass(slots=True)
class Inspector:
    """Looks at rows in the order they were recorded, and says of each what is wrong with it."""

    stored_hash: Callable[[int, int], bytes | None]
    """The hash stored at a line's own position, for the beginnings of branches."""
    unknown: set[str] = field(default_factory=set)
    """Kinds this Retold does not know."""
    _trails: dict[int, _Trail] = field(default_factory=dict)
    _forks: dict[int, Fork] = field(default_factory=dict)
    _gone: set[tuple[int, int, int]] = field(default_factory=set)
    _redacted: set[tuple[int, int, int]] = field(default_factory=set)

    @property
    def heads(self) -> dict[int, Head]:
        """Where each line ends."""
        return {line: Head(trail.position, trail.hash) for line, trail in self._trails.items()}

    def inspect(self, row: Row, parsed: object = None) -> list[str]:
        """What is wrong with the next row; nothing, if it is as it was written.

        `parsed` is its body, where it has been parsed already.
        """
        faults: list[str] = []
        head = self._body(row, parsed, faults)
        trail = self._trails.get(row.line) or self._begin(row, head, faults)
        if row.position != trail.position + 1:
            faults.append(f"It follows position {trail.position}: what stood between is missing.")
        if link(trail.hash, row.line, row.position, row.kind, row.body) != row.hash:
            faults.append("Its hash does not follow from what it says and what came before it.")
        trail.position, trail.hash = row.position, row.hash
        if head is not None:
            self._act(trail, head, faults)
            self._words(row, head, faults)
            self._event(row, head, faults)
        return faults

    @property
    def redacted(self) -> int:
        """How many words are gone by a redaction that says so."""
        return len(self._gone & self._redacted)

    def end(self) -> Iterator[Finding]:
        """What can be said only when every row has been seen."""
        for line, trail in self._trails.items():
            if trail.i != trail.n:
                sentence = f"The act is not whole: {trail.i} of its {trail.n} events are here."
                yield Finding(line, trail.position, sentence)
        for line, position, word in sorted(self._gone - self._redacted):
            yield Finding(line, position, f"Words number {word} are gone, and no redaction says so.")

    def _begin(self, row: Row, head: Mapping[str, Any] | None, faults: list[str]) -> _Trail:
        """The trail of a line met for the first time: from nothing, or from its parent's hash."""
        trail = _Trail(0, ROOT)
        data: Any = (head or {}).get("data")
        if row.kind == "table.forked" and isinstance(data, dict):
            trail = self._forked(row, data, faults)
        elif self._trails:
            faults.append("A line begins here without leaving another.")
        elif row.kind != "table.campaign-begun" or row.line != 1:
            faults.append("The record does not begin as a campaign does.")
        self._trails[row.line] = trail
        return trail

    def _forked(self, row: Row, data: Mapping[str, Any], faults: list[str]) -> _Trail:
        parent, at = data.get("parent"), data.get("at")
        if not isinstance(parent, int) or not isinstance(at, int) or parent not in self._trails:
            faults.append(f"It leaves line {parent}, which is not there.")
            return _Trail(row.position - 1, ROOT)
        hash_ = self.stored_hash(*self._home(parent, at))
        if hash_ is None:
            faults.append(f"It leaves line {parent} at {at}, and there is no such position.")
        elif data.get("parent_hash") != hash_.hex() or data.get("line") != row.line:
            faults.append(f"It does not say what it leaves: line {parent} at {at}.")
        self._forks[row.line] = Fork(parent, at)
        return _Trail(at, hash_ or ROOT)

    def _home(self, line: int, position: int) -> tuple[int, int]:
        """The line on which a line's position is stored."""
        while line in self._forks and position <= self._forks[line].at:
            line = self._forks[line].parent
        return line, position

    def _body(self, row: Row, parsed: object, faults: list[str]) -> Mapping[str, Any] | None:
        """The parsed body; None if it is none."""
        try:
            head = from_json(row.body, allow_inf_nan=False) if parsed is None else parsed
            if _MAY_HOLD_AN_ODD_NUMBER(row.body):
                check_whole(head)
            if canonical(head) != row.body:
                faults.append("Its body is not in canonical form.")
        except (ValueError, TypeError) as error:
            faults.append(f"Its body is not one that Retold writes: {_first_line(error)}.")
            return None
        if not isinstance(head, dict) or not ENVELOPE <= head.keys() <= KNOWN_KEYS or not _is_envelope(head):
            faults.append("Its body has not the parts of an event.")
            return None
        return head

    def _act(self, trail: _Trail, head: Mapping[str, Any], faults: list[str]) -> None:
        """An act's events stand together, 1 of n to n of n."""
        act, i, n = head["act"], head["i"], head["n"]
        begins = i == 1 and trail.i == trail.n
        goes_on = (act, i, n) == (trail.act, trail.i + 1, trail.n)
        if not (begins or goes_on):
            faults.append(f"It is event {i} of {n} of its act, and {trail.i} of {trail.n} stood before it.")
        trail.act, trail.i, trail.n = act, i, n

    def _words(self, row: Row, head: Mapping[str, Any], faults: list[str]) -> None:
        """Each text is the one its event committed to, or was redacted."""
        commitments = head.get("words", [])
        try:
            kept = [None] * len(commitments) if row.words is None else from_json(row.words)
            if len(kept) != len(commitments):
                faults.append(f"It has {len(commitments)} words and {len(kept)} stand beside it.")
                return
            for index, (committed, one) in enumerate(zip(commitments, kept, strict=True)):
                if one is None:
                    self._gone.add((row.line, row.position, index))
                elif commitment(_bytes(one[0]), one[1]) != committed:
                    faults.append(f"Its words number {index} are not the ones it was recorded with.")
        except (ValueError, TypeError, AttributeError, IndexError):
            faults.append("The words beside it cannot be read.")

    def _event(self, row: Row, head: Mapping[str, Any], faults: list[str]) -> None:
        """The event can be read back."""
        if row.kind not in EVENTS and row.kind not in UPCASTS:
            self.unknown.add(row.kind)
            return
        try:
            decode_event(row)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            faults.append(f"It is no {row.kind} as Retold knows it: {_first_line(error)}.")
            return
        if row.kind == "table.redacted":
            data = head["data"]
            home = self._home(row.line, data["about"])
            self._redacted |= {(*home, word) for word in data["words"]}


ENVELOPE = frozenset({"act", "at", "data", "i", "n", "tz"})
PLAIN_KEYS = ENVELOPE | {"luck"}
KNOWN_KEYS = PLAIN_KEYS | {"by", "cmd", "see", "src", "words"}

_MAY_HOLD_AN_ODD_NUMBER = re.compile(r"[:,\[]-?\d+(?:[.eE](?!\d{6}Z)|\d{15})").search
"""Finds what may be a number that is not whole, or is too large; the seconds of a time are none."""


def _is_envelope(head: Mapping[str, Any]) -> bool:
    """True if what surrounds an event is of the right types."""
    texts = isinstance(head["at"], str) and isinstance(head["act"], str)
    numbers = type(head["i"]) is type(head["n"]) is type(head["tz"]) is int
    return texts and numbers and (head.keys() <= PLAIN_KEYS or _is_rare(head))


def _is_rare(head: Mapping[str, Any]) -> bool:
    see, source, words = head.get("see", ""), head.get("src", ["", 0]), head.get("words", [])
    return (
        isinstance(head.get("by", 0), int)
        and isinstance(head.get("cmd", {}), dict)
        and (isinstance(see, str) or _all_of(see, int))
        and isinstance(source, list)
        and [type(one) for one in source] == [str, int]
        and _all_of(words, str)
    )


def _all_of(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _bytes(salt: str) -> bytes:
    try:
        return base64.b64decode(salt + "=" * (-len(salt) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")


# --- the file ---------------------------------------------------------------------------------------------


class Receipt(NamedTuple):
    """Where a line once ended, noted down elsewhere: what `verify` printed then."""

    line: int
    position: int
    hash: str


@dataclass(frozen=True, slots=True)
class Report:
    """What `verify` found."""

    events: int
    good: int
    """How many events, in the order they were recorded, came before the first that is not good."""
    heads: Mapping[int, Head]
    findings: tuple[Finding, ...]
    unknown: tuple[str, ...]
    """Kinds a later Retold wrote: chained and kept, but not folded here."""
    redacted: int = 0
    """How many texts are gone, each by a redaction that the record holds."""

    @property
    def whole(self) -> bool:
        """True if nothing was found."""
        return not self.findings

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """What to note down elsewhere, so that even a cut-off end would be found."""
        return tuple(Receipt(line, head.position, head.hash.hex()) for line, head in self.heads.items())


def verify(file: File, on_progress: Progress | None = None, receipts: Iterable[Receipt] = ()) -> Report:
    """Everything about the file, its chain and its words, row by row.

    A chain cannot show that its end was cut off by somebody who knew how: for that, keep `receipts`.
    """
    findings = [Finding(None, None, f"SQLite finds: {one}.") for one in file.integrity()]
    inspector = Inspector(file.stored_hash)
    events, good, total = 0, None, None
    try:
        findings += [Finding(None, None, one) for one in file.oddities()]
        total = file.size()
        for row in file.everything():
            faults = inspector.inspect(row)
            if faults:
                findings += [Finding(row.line, row.position, fault) for fault in faults]
                good = events if good is None else good
            events += 1
            if on_progress and events % STEP == 0:
                on_progress(events, total)
        findings += inspector.end()
        findings += _not_kept(file, receipts)
    except Damaged as damage:
        findings.append(Finding(None, None, str(damage)))
    if on_progress:
        on_progress(events, total)
    unknown = tuple(sorted(inspector.unknown))
    good = events if good is None else good
    return Report(events, good, inspector.heads, tuple(findings), unknown, inspector.redacted)


def _not_kept(file: File, receipts: Iterable[Receipt]) -> Iterator[Finding]:
    for line, position, hash_ in receipts:
        stored = file.stored_hash(line, position)
        if stored is None:
            yield Finding(line, position, "The receipt has an event here, and there is none.")
        elif stored.hex() != hash_:
            yield Finding(line, position, "It is not the event the receipt was given for.")


# --- the rules --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """An act that today's rules would decide otherwise."""

    position: int
    command: Command
    recorded: tuple[Event, ...]
    now: tuple[Event, ...]
    """What would come now; nothing where it would be refused."""
    refusal: str | None = None

    def __str__(self) -> str:
        then = ", ".join(event.kind for event in self.recorded)
        now = self.refusal or ", ".join(event.kind for event in self.now)
        if not self.refusal and [type(one) for one in self.recorded] == [type(one) for one in self.now]:
            now = "the same with other values"
        return f"{self.position} ({self.command.verb}): recorded {then}; today: {now.rstrip('.')}."


def verify_rules(campaign: Campaign, line: int, on_progress: Progress | None = None) -> Iterator[Difference]:
    """The live acts of `line` that today's rules would decide otherwise, with the luck they had.

    What was recorded stays what happened; a mended rule or another option shows here. An act that would have
    to read what was redacted since is taken as it was recorded.
    """
    table = Table()
    total = campaign.file.head(line).position
    for act in reading.acts(campaign.file, line, as_written=True):
        difference = _decided_otherwise(table, act)
        if difference is not None:
            yield difference
        _take_in(table, act)
        if on_progress:
            on_progress(act.last, total)


def _decided_otherwise(table: Table, act: Act) -> Difference | None:
    command = replaying.stored_command(act)
    if command is None or act.managing or type(command).manages:
        return None
    recorded = tuple(one.event for one in act.events if isinstance(one.event, Event))
    try:
        now, _ = replaying.decide_as_recorded(table, act, command)
    except Forgotten:
        return None
    except Refused as refusal:
        return Difference(act.first, command, recorded, (), refusal.sentence)
    if replaying.alike(list(recorded), now):
        return None
    return Difference(act.first, command, recorded, tuple(now))


def _take_in(table: Table, act: Act) -> None:
    for one in act.events:
        if isinstance(one.event, Unknown):
            raise Damaged(f"Position {one.position} holds {one.event.kind}, which this Retold does not know.")
        line_.evolve(table, Live(one.position, one.event, one.envelope.luck))


# --- chance -----------------------------------------------------------------------------------------------

NOT_PROVED = (
    "This proves that the results follow from the seed and the order of draws. It does not prove that whoever"
    " keeps the seed did not look ahead."
)


@dataclass(frozen=True, slots=True)
class ChanceReport:
    """What the seed says of everything dealt on a line."""

    dealt: int
    """How many results follow from the seed."""
    findings: tuple[Finding, ...]
    undone: tuple[Finding, ...]
    """What was dealt and taken back."""
    carried: tuple[Finding, ...]
    """What was dealt on another line, and taken along by a retcon."""
    says: str = NOT_PROVED

    @property
    def proved(self) -> bool:
        """True if every dealt result follows from the seed."""
        return not self.findings


def verify_chance(file: File, seed: bytes, line: int, on_progress: Progress | None = None) -> ChanceReport:
    """Whether every result dealt on `line` follows from the committed seed and the order of draws."""
    check = _Chance(file, seed, line)
    total = file.head(line).position
    for act in reading.acts(file, line, as_written=True, undone=True):
        check.look_at(act)
        if on_progress:
            on_progress(act.last, total)
    return ChanceReport(check.dealt, tuple(check.findings), tuple(check.undone), tuple(check.carried))


class _Chance:
    """Deals every act of a line once more from the seed."""

    def __init__(self, file: File, seed: bytes, line: int) -> None:
        self._file = file
        self._seed = seed
        self._line = line
        self._stands = reading.standing(file, line)
        self._table = Table()
        self._elsewhere: dict[str, tuple[int, int, tuple[str, ...]]] | None = None
        self.dealt = 0
        self.findings: list[Finding] = []
        self.undone: list[Finding] = []
        self.carried: list[Finding] = []

    def look_at(self, act: Act) -> None:
        """One act: proved, found wanting, or not dealt here at all."""
        live = self._stands.counts(act.first)
        if replaying.provenance_of(act) is Provenance.DEALT:
            self._prove(act, self._table if live else reading.table_at(self._file, self._line, act.first - 1))
            if not live:
                results = " ".join(replaying.results_of(act))
                self.undone.append(self._at(act, f"{results} came up, and was taken back."))
        if live:
            _take_in(self._table, act)
        if act.first == 1:
            self._check_seed(act)

    def _check_seed(self, act: Act) -> None:
        if self._table.seed is None:
            self.findings.append(self._at(act, "This campaign committed to no seed: chance alone deals."))
        elif self._table.seed != commit(self._seed):
            self.findings.append(self._at(act, "The seed is not the one this campaign committed to."))

    def _prove(self, act: Act, table: Table) -> None:
        recorded = replaying.results_of(act)
        fault = self._fault(act, table, recorded)
        if fault is None:
            self.dealt += len(recorded)
            return
        origin = self._origins().get(act.events[0].envelope.act)
        if origin is not None and origin[2] == recorded:
            self.carried.append(self._at(act, f"It was dealt on line {origin[0]}, at {origin[1]}."))
        else:
            self.findings.append(self._at(act, fault))

    def _fault(self, act: Act, table: Table, recorded: tuple[str, ...]) -> str | None:
        command = replaying.stored_command(act)
        if command is None:
            return "It was dealt without a command, so it cannot be dealt again."
        dealer = SeededDealer(self._seed, table.chance_line, table.dealt)
        try:
            command = replaying.without_results(command)
            _, taken = replaying.decide_with(table, command, dealer, Provenance.DEALT)
        except Refused as refusal:
            return f"It cannot be dealt again; today it is refused: {refusal.sentence}"
        results = tuple(one.result for one in taken)
        if results != recorded:
            return f"{' '.join(recorded)} is recorded, and the seed deals {' '.join(results)}."
        return None

    def _origins(self) -> dict[str, tuple[int, int, tuple[str, ...]]]:
        """Acts dealt on the lines before this one, by their ids."""
        if self._elsewhere is None:
            self._elsewhere = {}
            for line in (one for one in reversed(self._file.streams()) if one < self._line):
                own = self._file.lineage(line)[-1].after
                for act in reading.acts(self._file, line, own, undone=True):
                    if replaying.provenance_of(act) is Provenance.DEALT:
                        found = (line, act.first, replaying.results_of(act))
                        self._elsewhere[act.events[0].envelope.act] = found
        return self._elsewhere

    def _at(self, act: Act, sentence: str) -> Finding:
        return Finding(self._line, act.first, sentence)
