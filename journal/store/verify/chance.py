"""What the committed seed says of everything dealt on a line."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from journal.decks.chance import Provenance, SeededDealer, commit
from journal.refused import Refused
from journal.store import reading, replaying
from journal.store.progress import Progress
from journal.store.reading import Act
from journal.store.record import Record
from journal.store.standing import standing
from journal.store.verify.inspecting import Finding
from journal.store.verify.rules import take_in
from journal.table import Table

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


def verify_chance(
    record: Record, seed: bytes, line: int, on_progress: Progress | None = None
) -> ChanceReport:
    """Whether every result dealt on `line` follows from the committed seed and the order of draws."""
    check = _Chance(record, seed, line)
    total = record.head(line).position
    for act in reading.acts(record, line, as_written=True, undone=True):
        check.look_at(act)
        if on_progress:
            on_progress(act.last, total)
    return ChanceReport(check.dealt, tuple(check.findings), tuple(check.undone), tuple(check.carried))


class _Chance:
    """Deals every act of a line once more from the seed."""

    def __init__(self, record: Record, seed: bytes, line: int) -> None:
        self._record = record
        self._seed = seed
        self._line = line
        self._stands = standing(record, line)
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
            self._prove(
                act, self._table if live else reading.table_at(self._record, self._line, act.first - 1)
            )
            if not live:
                results = " ".join(replaying.results_of(act))
                self.undone.append(self._at(act, f"{results} came up, and was taken back."))
        if live:
            take_in(self._table, act)
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
        results = tuple(one.result for one in taken)
        if results != recorded:
            return f"{' '.join(recorded)} is recorded, and the seed deals {' '.join(results)}."
        return None

    def _origins(self) -> dict[str, tuple[int, int, tuple[str, ...]]]:
        """Acts dealt on the lines before this one, by their ids."""
        if self._elsewhere is None:
            self._elsewhere = {}
            for line in (one for one in reversed(self._record.store.streams()) if one < self._line):
                own = self._record.lineage(line)[-1].after
                for act in reading.acts(self._record, line, own, undone=True):
                    if replaying.provenance_of(act) is Provenance.DEALT:
                        found = (line, act.first, replaying.results_of(act))
                        self._elsewhere[act.events[0].envelope.act] = found
        return self._elsewhere

    def _at(self, act: Act, sentence: str) -> Finding:
        return Finding(self._line, act.first, sentence)
