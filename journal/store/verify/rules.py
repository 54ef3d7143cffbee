"""Verifies acts: by deciding them again under today's rules, and by dealing them again from the seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from retold.journal import RELEASE
from retold.journal.decks.chance import Provenance, SeededDealer, seed_commitment
from retold.journal.games import BUILT_IN
from retold.journal.line import LiveEvent
from retold.journal.refused import Forgotten, NotHere, Refused
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.progress import Progress
from retold.journal.store.events import line_events
from retold.journal.store.events.amendments import read_amendments
from retold.journal.store.events.codec import UnknownEvent, unheard_of
from retold.journal.store.events.line_events import Act
from retold.journal.store.events.record import Record
from retold.journal.store.verify.row_check import Finding
from retold.journal.store.writing import replaying
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.rewording import renames
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event


@dataclass(frozen=True, slots=True)
class Difference:
    """An act for which today's rules give other events than the recorded ones, or refuse its command."""

    position: int
    command: Command
    recorded: tuple[Event, ...]
    now: tuple[Event, ...]
    """The events today's rules would give; empty if refused."""
    refusal: str | None = None
    release: str | None = None
    """The release that decided the act; None if the record does not say."""
    guest: str | None = None
    """The guest game that decided the act, if any: the record does not have its release."""
    removed_options: tuple[str, ...] = ()
    """Options, set by the act or before, that its games no longer have: `GAME.KEY=VALUE`."""

    @property
    def by_these_rules(self) -> bool:
        """True if this very release decided the act: then no corrected rule explains the difference."""
        return self.guest is None and not self.removed_options and self.release == RELEASE

    @property
    def decided_by(self) -> str:
        """A sentence that names the removed options, the release or the guest game that decided the act."""
        mended = "a rule may have been mended since."
        if self.removed_options:
            return f"Options removed since: {', '.join(self.removed_options)}."
        if self.guest is not None:
            return f"The guest {self.guest} decided it, whose release the record does not have."
        if self.release is None:
            return f"An earlier release decided it (0.1, or one before): {mended}"
        if self.release != RELEASE:
            return f"Release {self.release} decided it, and this is {RELEASE}: {mended}"
        if ".dev" in RELEASE:
            return f"The same release decided it ({RELEASE}), which is in the making: {mended}"
        return f"The same release decided it ({RELEASE}), so no mended rule explains it."

    def __str__(self) -> str:
        then = ", ".join(event.kind for event in self.recorded)
        now = self.refusal or ", ".join(event.kind for event in self.now)
        if not self.refusal and [type(event) for event in self.recorded] == [
            type(event) for event in self.now
        ]:
            now = "the same with other values"
        text = f"{self.position} ({self.command.verb}): recorded {then}; today: {now.rstrip('.')}."
        return f"{text} {self.decided_by}"


def verify_rules(
    campaign: CampaignStore, line: int, on_progress: Progress | None = None
) -> Iterator[Difference]:
    """Yields the acts of branch `line` that today's rules would decide differently with the same results.

    Results are the recorded dice and cards. The record remains as it is; corrected rules and changed options
    show here. Undone acts, acts that would have to read redacted texts, and acts whose game is not installed,
    are skipped. Names are as they were at the time, before any rewording.
    """
    table = Table()
    total = campaign.record.head(line).position
    for act in line_events.acts(campaign.record, line, as_written=True):
        difference = _difference(table, act)
        if difference is not None:
            yield difference
        apply_recorded_act(table, act)
        if any(renames(campaign.record, line, recorded.event) for recorded in act.events):
            table = line_events.table_as_called(campaign.record, line, act.last)
        if on_progress:
            on_progress(act.last, total)


def _difference(table: Table, act: Act) -> Difference | None:
    command = replaying.as_typed(table, act)
    if command is None or act.managing or type(command).manages:
        return None
    recorded = act.known
    if len(recorded) < len(act.events):  # an event of a game that is not installed
        return None
    try:
        now, _ = replaying.decide_as_recorded(table, act, command)
    except (Forgotten, NotHere):
        return None
    except Refused as refusal:
        return Difference(act.first, command, recorded, (), refusal.sentence, *_decided_by(table, act))
    if replaying.equal_but_words(list(recorded), now):
        return None
    return Difference(act.first, command, recorded, tuple(now), None, *_decided_by(table, act))


def _decided_by(table: Table, act: Act) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Returns (release, guest game, removed options) that decided an act; None if unknown, or no guest."""
    games = (recorded.event.kind.partition(".")[0] for recorded in act.events)
    guest = next((game for game in games if game != "table" and game not in BUILT_IN), None)
    return act.events[0].envelope.release, guest, _removed_options(table, act)


def _removed_options(table: Table, act: Act) -> tuple[str, ...]:
    """Returns the options, set by the act or before, that the act's games no longer have."""
    set_here = [
        (one.event.system or "", one.event.key, one.event.value)
        for one in act.events
        if isinstance(one.event, e.OptionSet)
    ]
    games = sorted(replaying.games_of(act, table))
    before = [(game, *chosen) for game in games for chosen in table.options.get(game, {}).items()]
    return tuple(
        f"{game}.{key}={value}"
        for game, key, value in (*set_here, *before)
        if game in SYSTEMS and all(option.key != key for option in SYSTEMS[game].options)
    )


def apply_recorded_act(table: Table, act: Act) -> None:
    """Changes the table state by the recorded events of an act.

    Raises Damaged for an unknown kind, unless its game is not installed.
    """
    for recorded in act.events:
        event = recorded.event
        if isinstance(event, UnknownEvent):
            unheard = unheard_of(event.kind, recorded.position)
            if unheard is None:
                raise Damaged(
                    f"Position {recorded.position} holds {event.kind}, which this Retold does not know."
                )
            event = unheard
        luck = recorded.envelope.luck if event is recorded.event else ()
        line_events.apply_event(
            table, LiveEvent(recorded.position, event, luck, recorded.envelope.visible_to)
        )


NOT_PROVED = (
    "This proves that the results follow from the seed and the order of draws. It does not prove that whoever"
    " keeps the seed did not look ahead."
)


@dataclass(frozen=True, slots=True)
class ChanceReport:
    """Result of dealing a branch's dice and cards again from its seed: number proved, contradictions."""

    dealt: int
    """The number of results that follow from the seed."""
    findings: tuple[Finding, ...]
    undone: tuple[Finding, ...]
    """Dealt results that were undone."""
    carried: tuple[Finding, ...]
    """Results dealt on another line and copied by a retcon."""
    says: str = NOT_PROVED

    @property
    def proved(self) -> bool:
        """True if all dice and cards dealt on the branch follow from the seed: no difference was found."""
        return not self.findings


def verify_chance(
    record: Record, seed: bytes, line: int, on_progress: Progress | None = None
) -> ChanceReport:
    """Deals the dice and cards of branch `line` again from `seed`; returns a report of the differences."""
    check = _Chance(record, seed, line)
    total = record.head(line).position
    for act in line_events.acts(record, line, as_written=True, undone=True):
        check.check(act)
        if on_progress:
            on_progress(act.last, total)
    return ChanceReport(check.dealt, tuple(check.findings), tuple(check.undone), tuple(check.carried))


class _Chance:
    """Deals a branch again from the seed, act by act, and collects the findings."""

    def __init__(self, record: Record, seed: bytes, line: int) -> None:
        self._record = record
        self._seed = seed
        self._line = line
        self._stands = read_amendments(record, line)
        self._table = Table()
        self._elsewhere: dict[str, tuple[int, int, tuple[str, ...]]] | None = None
        self.dealt = 0
        self.findings: list[Finding] = []
        self.undone: list[Finding] = []
        self.carried: list[Finding] = []

    def check(self, act: Act) -> None:
        """Deals the dice and cards of one act again, if they were dealt, and notes whether they agree.

        Then applies the act to the table state, unless it is undone.
        """
        live = self._stands.counts(act.first)
        if replaying.provenance_of(act) is Provenance.DEALT:
            self._deal_again(
                act, self._table if live else line_events.table_at(self._record, self._line, act.first - 1)
            )
            if not live:
                results = " ".join(replaying.results_of(act))
                self.undone.append(self._at(act, f"{results} came up, and was taken back."))
        if live:
            apply_recorded_act(self._table, act)
        if act.first == 1:
            self._check_seed(act)

    def _check_seed(self, act: Act) -> None:
        if self._table.seed is None:
            self.findings.append(self._at(act, "This campaign committed to no seed: chance alone deals."))
        elif self._table.seed != seed_commitment(self._seed):
            self.findings.append(self._at(act, "The seed is not the one this campaign committed to."))

    def _deal_again(self, act: Act, table: Table) -> None:
        recorded = replaying.results_of(act)
        fault = self._find_fault(act, table, recorded)
        if fault is None:
            self.dealt += len(recorded)
            return
        origin = self._origins().get(act.events[0].envelope.act)
        if origin is not None and origin[2] == recorded:
            self.carried.append(self._at(act, f"It was dealt on line {origin[0]}, at {origin[1]}."))
        else:
            self.findings.append(self._at(act, fault))

    def _find_fault(self, act: Act, table: Table, recorded: tuple[str, ...]) -> str | None:
        command = replaying.stored_command(act, table)
        if command is None:
            return "It was dealt without a command, so it cannot be dealt again."
        dealer = SeededDealer(self._seed, table.chance_line, table.dealt)
        try:
            command = replaying.without_results(command)
            manner = replace(replaying.manner_of(act), provenance=Provenance.DEALT)
            _, taken = replaying.decide_with(table, command, dealer, manner)
        except Refused as refusal:
            return f"It cannot be dealt again; today it is refused: {refusal.sentence}"
        results = tuple(used.result for used in taken)
        if results != recorded:
            return f"{' '.join(recorded)} is recorded, and the seed deals {' '.join(results)}."
        return None

    def _origins(self) -> dict[str, tuple[int, int, tuple[str, ...]]]:
        """Returns the acts dealt on older branches by act id, each as (branch, position, results)."""
        if self._elsewhere is None:
            self._elsewhere = {}
            for line in reversed([line for line in self._record.store.streams() if line < self._line]):
                own = self._record.lineage(line)[-1].after
                for act in line_events.acts(self._record, line, own, undone=True):
                    if replaying.provenance_of(act) is Provenance.DEALT:
                        found = (line, act.first, replaying.results_of(act))
                        self._elsewhere[act.events[0].envelope.act] = found
        return self._elsewhere

    def _at(self, act: Act, sentence: str) -> Finding:
        return Finding(self._line, act.first, sentence)
