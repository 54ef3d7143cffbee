"""Moves acts between two copies of a campaign that both continued; the rules decide each act again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from retold.journal.names import normalise
from retold.journal.store.contract.event_store import DRAFT_BEGUN, EMPTY_HEAD, Row, is_draft
from retold.journal.store.copies.sync import Comparison, LineComparison, redacted_spots, take_words
from retold.journal.store.copies.sync_drafts import MovedDraft, MovedTo, tells_only
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.amendments import read_amendments
from retold.journal.store.events.clock import StoppedClock
from retold.journal.store.events.codec import Envelope, UnknownEvent, decode, salted_texts
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.branches import Branches
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.gone_texts import record_redactions
from retold.journal.store.writing.repeated_acts import (
    BranchBase,
    RepeatedActs,
    describe_differences,
    record_step,
)
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import REFERENCE, Event, Words

WHICH_LINE_IS_PLAYED = ("table.promoted", "table.retired")
"""Kinds that say which branch is played: they are not moved, since that does not change."""

UNKNOWN = "It is of a kind only a later Retold knows, or a game that is not installed here."


class MovedLine(NamedTuple):
    """Result of moving one branch into the other copy: its place there, and events moved or left behind."""

    line: int
    """Its number where it was recorded."""
    now: int
    """The number of the branch that has its events in the other copy."""
    name: str
    """That branch's name."""
    events: int
    """The number of events that were recorded there."""
    lost: tuple[str, ...] = ()
    """A sentence for each act that the rules refuse there."""
    changes: tuple[str, ...] = ()
    """A sentence for each event that comes out differently there."""
    undone: int = 0
    """The number of undone acts, which were not moved."""


def move_acts(
    source: CampaignStore, target: CampaignStore, comparison: Comparison, name: str | None, mark: str
) -> tuple[MovedLine, ...]:
    """Records events missing in `target` from `source`, in one transaction; returns each branch's outcome.

    `comparison` has the source as here. With `name`, a branch that both copies went on with gets a branch of
    that name where they parted; without, its acts come to its end. Each act keeps its id, time, author,
    audience, provenances and salts. A branch whose number is taken gets the next, and `mark` in brackets
    behind its name if that is taken as well. What `target` has already is not recorded again. Which branch is
    played does not change. Raises Refused if `name` is taken.
    """
    moving = _Moving(source, target, comparison, name, mark)
    with target.record.writing():
        return tuple(moving.run())


class _Outcome(NamedTuple):
    """Result of repeating a source act in the target; no events if refused or left behind."""

    act: Act
    events: tuple[Event, ...]
    first: int
    last: int


class _LineMoved(NamedTuple):
    """A moved branch: the last position both copies share, its number in the target, and its acts after."""

    fork: int
    now: int
    outcomes: Sequence[_Outcome]


class _Moving(Struct):
    source: CampaignStore
    target: CampaignStore
    comparison: Comparison
    name: str | None
    mark: str
    _same: dict[int, int] = field(default_factory=dict)
    """By branch, the last position up to which both copies have the same events."""
    _moved: dict[int, _LineMoved] = field(default_factory=dict)
    _places: dict[int, dict[int, int]] = field(default_factory=dict)
    """By moved branch of the source, the position that each of its events has in the target."""

    def run(self) -> Iterator[MovedLine]:
        for compared in self.comparison.lines:
            is_in_both = EMPTY_HEAD not in {compared.here, compared.there}
            if is_in_both and _first(self.source, compared.line).position <= compared.common:
                self._same[compared.line] = compared.common
        unchanged = [
            compared for compared in self.comparison.lines if compared.ahead_here and self._stays(compared)
        ]
        yield from self._copy(unchanged)
        for compared in self.comparison.lines:
            if compared.ahead_here and compared not in unchanged:
                yield self._move_draft(compared) if is_draft(compared.line) else self._move(compared)

    def _move_draft(self, compared: LineComparison) -> MovedLine:
        """Records the source's revisions of a draft. Call it after the branches that it tells are moved."""
        stream = compared.line
        line, _ = _fork_of(_first(self.source, stream))
        branch = self._moved[line].now if line in self._moved else line
        only_there = range(0)
        for other in self.comparison.lines if branch == line else ():
            if other.line == line:
                only_there = range(other.common + 1, other.there.position + 1)
        moved = MovedDraft(self.source, self.target, stream, MovedTo(branch, self._place_of, only_there))
        events = moved.run()
        name = self.target.drafts.names()[moved.stream]
        both = (f"Block {block} of the draft {name} has the wordings of both." for block in moved.both)
        return MovedLine(stream, moved.stream, name, events, changes=tuple(both))

    def _place_of(self, line: int, position: int) -> tuple[int, int] | None:
        """Returns stored line and position in the target of an event of the source; None if it has none."""
        if position <= self._same.get(line, 0):
            return line, position
        if line not in self._moved:
            return None
        if line not in self._places:
            self._places[line] = dict(_places(self._moved[line]))
        now = self._places[line].get(position)
        home = None if now is None else self.target.record.home(self._moved[line].now, now)
        return None if home is None or now is None else (home, now)

    # --- as they are --------------------------------------------------------------------------------------

    def _stays(self, compared: LineComparison) -> bool:
        """True if the source's additional events of a branch can be copied unchanged."""
        record, line, common = self.source.record, compared.line, compared.common
        if compared.apart or any(record.store.stretch(line, common, None, WHICH_LINE_IS_PLAYED)):
            return False
        if is_draft(line) and not tells_only(record, line, common, self._same):
            return False
        if compared.there == EMPTY_HEAD:
            parent, at = _fork_of(_first(self.source, line))
            if self._same.get(parent, 0) < at:
                return False
        self._same[line] = compared.here.position
        return True

    def _copy(self, lines: Sequence[LineComparison]) -> Iterator[MovedLine]:
        after = {compared.line: compared.common for compared in lines}
        upto = {compared.line: compared.here.position for compared in lines}
        record = self.target.record
        rows = [
            row
            for _, row in (self.source.record.log() if lines else ())
            if row.line in after and after[row.line] < row.position <= upto[row.line]
        ]
        record.append_copied(rows)
        redactions = (row for row in rows if row.kind == e.Redacted.kind)
        take_words(record, [spot for row in redactions for spot in redacted_spots(record, row)])
        names = self.target.lines() | self.target.drafts.names()
        for compared in lines:
            yield MovedLine(compared.line, compared.line, names[compared.line], compared.ahead_here)

    # --- decided again ------------------------------------------------------------------------------------

    def _move(self, compared: LineComparison) -> MovedLine:
        record, line = self.source.record, compared.line
        shared = line in self._same
        own = compared.common if shared else _first(self.source, line).position
        if shared:
            fork = self._last_alike(self.source, line, compared.common)
            acts = list(line_events.acts(record, line, fork, compared.here.position))
            inherited: Sequence[_Outcome] = ()
            now, same_upto = line, compared.common
            stays = all(act.managing for act in acts) or self._is_on_top(compared, acts)
            if self.name is not None and compared.apart and not stays:
                now, same_upto = self._branch_off(line, fork), fork
            else:
                fork = min(fork, self._last_alike(self.target, line, compared.common))
                acts = list(line_events.acts(record, line, fork, compared.here.position))
        else:
            parent, at = _fork_of(_first(self.source, line))
            fork, place, inherited = self._place(parent, at)
            acts = list(line_events.acts(record, line, fork, compared.here.position))
            inherited = _shared_beginning(inherited, acts, at)
            kept = [outcome for outcome in inherited if outcome.events]
            now, same_upto = self._begin_again(line, place, kept[-1].last if kept else fork), fork
        moved = self._repeat(compared, now, (fork, same_upto), acts, inherited)
        self._moved[line] = _LineMoved(fork, now, moved.outcomes)
        live = {act.first for act in acts}
        every = line_events.acts(record, line, own, compared.here.position, undone=True)
        undone = sum(act.first not in live and not act.managing for act in every)
        name = self.target.lines()[now]
        return MovedLine(line, now, name, moved.events, tuple(moved.lost), tuple(moved.changes), undone)

    def _is_on_top(self, compared: LineComparison, acts: Sequence[Act]) -> bool:
        """True if all acts that only the target's branch has were moved there earlier from `acts`."""
        known = {act.events[0].envelope.act for act in acts}
        there = [
            act
            for act in line_events.acts(self.target.record, compared.line, compared.common)
            if not act.managing
        ]
        return bool(there) and all(act.events[0].envelope.act in known for act in there)

    @staticmethod
    def _last_alike(campaign: CampaignStore, line: int, common: int) -> int:
        """Returns the last position before any act up to `common` that was undone or redone after `common`.

        That is `common` itself if there is none.
        """
        then, now = (read_amendments(campaign.record, line, upto) for upto in (common, None))
        bounds = {
            bound for undone in (then, now) for first, last in undone.gone() for bound in (first, last + 1)
        }
        changed = [at for at in bounds if at <= common and then.counts(at) != now.counts(at)]
        return min(changed) - 1 if changed else common

    def _place(self, parent: int, at: int) -> tuple[int, int, Sequence[_Outcome]]:
        """Returns where a branch of `parent` at `at` begins: last shared position, branch, acts after it."""
        parent = self.source.record.home(parent, at) or parent  # it may begin before the parent's own fork
        if at <= self._same.get(parent, 0):
            return at, parent, ()
        return self._moved[parent]

    def _branch_off(self, line: int, fork: int) -> int:
        """Returns the target's branch for what only the source has of `line` after `fork`; begins it."""
        first = not any(moved.now != number for number, moved in self._moved.items() if number in self._same)
        name = self.name if first and self.name else self._free(self._own_name(line), line, fork)
        found = self._there(name, line, fork)
        if found is not None:
            return found
        begun, _ = self.target.branches.begin(line, fork, Words(name), None, Manner())
        return begun

    def _there(self, name: str, parent: int, at: int) -> int | None:
        """Returns the target's branch called `name` if an interrupted move of the same acts began it."""
        names = self.target.lines().items()
        line = next(
            (line for line, known in names if line != 1 and normalise(known) == normalise(name)), None
        )
        if line is None or _fork_of(_first(self.target, line)) != (parent, at):
            return None
        known = {act.events[0].envelope.act for act in line_events.acts(self.source.record, parent, at)}
        acts = list(line_events.acts(self.target.record, line, at))[1:]
        return (
            line
            if acts and {act.events[0].envelope.act for act in acts if not act.managing} <= known
            else None
        )

    def _begin_again(self, line: int, parent: int, at: int) -> int:
        """Returns the branch of `parent` at `at` that replaces branch `line`; makes it if it is missing."""
        fork = decode(_first(self.source, line))
        begun = self.target.branches.begun_by(fork.envelope.act)
        if begun is not None:
            return begun.line
        event = fork.event
        why = event.why if isinstance(event, e.Forked) else None
        shown = self.source.branches.shown_to(line, played=frozenset())
        people = self.target.table_at(parent, at).people
        seen = (
            TABLE if shown is None else tuple(sorted(person for person in shown if person in people)) or "gm"
        )
        branches = Branches(self.target.record, _clock_of(fork.envelope))
        manner = Manner(by=fork.envelope.by, act=fork.envelope.act, when=fork.envelope.when)
        name = Words(self._free(self._own_name(line)))
        return branches.begin(parent, at, name, why, manner, to=seen)[0]

    def _own_name(self, line: int) -> str:
        event = decode(_first(self.source, line)).event
        text = event.name.text if isinstance(event, e.Forked) else None
        return text or line_events.line_names(self.source.record)[line]

    def _free(self, name: str, line: int = 0, fork: int = 0) -> str:
        """Returns `name`, with the mark or a number behind it as long as a branch has that name."""
        taken = {normalise(known) for known in self.target.lines().values()}
        tried, number = name, 1
        while normalise(tried) in taken and self._there(tried, line, fork) is None:
            tried = f"{name} ({self.mark})" if number == 1 else f"{name} ({self.mark} {number})"
            number += 1
        return tried

    def _repeat(
        self,
        compared: LineComparison,
        now: int,
        shared: tuple[int, int],
        acts: Sequence[Act],
        inherited: Sequence[_Outcome],
    ) -> _Repeated:
        record, line, (fork, same_upto) = self.target.record, compared.line, shared
        base = BranchBase(record, now, record.head(now).position, self.target.table_at(now))
        table = self.source.table_at(line, fork)
        again = RepeatedActs(self.source.record, line, fork, table, base, same_upto=same_upto)
        done = _Repeated([*inherited])
        for act, events, first, _ in inherited:
            if events:
                again.skip(act, events, first)
        after = same_upto if line == now else _first(self.target, now).position
        present = {outcome.act.events[0].envelope.act: outcome for outcome in self._present(now, after)}
        stands = read_amendments(record, now).counts
        salts = _Salts(self.source, line)
        head = record.head(now)
        rows: list[Row] = []
        for act in acts[len(inherited) :]:
            envelope = act.events[0].envelope
            if act.last <= same_upto:  # both copies have it, and it may be undone there
                if stands(act.first):
                    again.skip(act, act.known, act.first)
                done.outcomes.append(_Outcome(act, act.known, act.first, act.last))
                continue
            if (there := present.get(envelope.act)) is not None:
                again.skip(act, there.events, there.first)
                done.outcomes.append(there._replace(act=act))
                continue
            if any(isinstance(recorded.event, UnknownEvent) for recorded in act.events):
                done.lose(act, None, UNKNOWN)
                continue
            step = again.repeat(act)
            if step is None or step.refusal is not None:
                verb = None if step is None or step.command is None else step.command.verb
                done.lose(act, verb, None if step is None else step.refusal)
                continue
            stored = record_step(self.target, now, head, step, clock=_clock_of(envelope), salts=salts.of(act))
            rows += stored
            head = stored[-1].head
            done.outcomes.append(_Outcome(act, step.events, stored[0].position, head.position))
            done.changes += describe_differences(act.first, step.was, step.events, again.table)
        record_redactions(self.target.record, self.target.clock, now, head, rows)
        done.events = len(rows)
        return done

    def _present(self, now: int, after: int) -> Iterator[_Outcome]:
        """Yields the acts that the target's branch `now` has after position `after`, undone ones too."""
        for act in line_events.acts(self.target.record, now, after, undone=True):
            yield _Outcome(act, act.known, act.first, act.last)


def _places(moved: _LineMoved) -> Iterator[tuple[int, int]]:
    """Yields the position of each moved event in the source and in the target."""
    for outcome in moved.outcomes:
        events = zip(outcome.act.events, outcome.events, strict=False)
        for number, (recorded, event) in enumerate(events):
            if recorded.event.kind == event.kind:
                yield recorded.position, outcome.first + number


class _Repeated(Struct):
    """Result of repeating one branch's acts in the target."""

    outcomes: list[_Outcome]
    lost: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    events: int = 0

    def lose(self, act: Act, verb: str | None, why: str | None) -> None:
        """Notes an act that is not recorded; `why` says why the rules refuse it, None if it stays behind."""
        self.outcomes.append(_Outcome(act, (), 0, 0))
        if why is not None:
            self.lost.append(f"{act.span} ({verb or 'an act'}): {why}")


def _shared_beginning(outcomes: Sequence[_Outcome], acts: Sequence[Act], at: int) -> Sequence[_Outcome]:
    """Returns the outcomes of the parent's acts up to `at`, as long as they match the beginning of `acts`."""
    shared = 0
    for outcome, act in zip(outcomes, acts, strict=False):
        if outcome.act.first != act.first or act.last > at:
            break
        shared += 1
    return outcomes[:shared]


def _first(campaign: CampaignStore, line: int) -> Row:
    """Returns the first row stored with a branch: its fork."""
    return next(campaign.record.store.stretch(line))


def _fork_of(first: Row) -> tuple[int, int]:
    """Returns the parent of a branch and the position of its fork, from the branch's first row.

    For a draft, returns the branch that it tells and the last position that it tells.
    """
    data = json.loads(first.body)["data"]
    if first.kind == DRAFT_BEGUN:
        return data["line"], data["last"]
    return (data["parent"], data["at"]) if first.kind == e.Forked.kind else (0, 0)


def _clock_of(envelope: Envelope) -> StoppedClock:
    """Returns a clock that gives the time at which an act was recorded."""
    return StoppedClock(envelope.at, envelope.offset)


class _Salts:
    """Salts of the texts of a branch's acts, so that repeated events keep them."""

    def __init__(self, campaign: CampaignStore, line: int) -> None:
        self._record = campaign.record
        self._line = line
        self._reworded: dict[tuple[int, int], tuple[str, bytes]] = {}
        for row in self._record.amendments(line):
            data = json.loads(row.body)["data"]
            if row.kind == e.Reworded.kind and row.words is not None:
                kept = salted_texts(row)[data["text"][REFERENCE]]
                if kept is not None:
                    self._reworded[data["about"], data["word"]] = kept

    def of(self, act: Act) -> Mapping[tuple[int, str], bytes]:
        """Returns the salts of an act's texts, as `encode_act` takes them."""
        found: dict[tuple[int, str], bytes] = {}
        for number, row in enumerate(self._record.rows(self._line, act.first - 1, act.last)):
            for word, kept in enumerate(salted_texts(row)):
                for pair in (kept, self._reworded.get((row.position, word))):
                    if pair is not None:
                        text, salt = pair
                        found[number, text] = salt
        return found
