"""What an attack is, what it comes to, and the campaign that is attacked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import notes, played


@dataclass(slots=True)
class Found:
    """What an attack came to."""

    tried: int = 0
    acknowledged: int = 0
    """Acts that were said to be recorded."""
    lost: int = 0
    """Of those, how many are not there."""
    damaged: int = 0
    """Files that are neither whole nor refused with a sentence."""
    untrue: int = 0
    """Sentences that were not true, and harm that was not found."""

    @property
    def held(self) -> bool:
        """Whether nothing was lost, damaged or said that is not so."""
        return not (self.lost or self.damaged or self.untrue)


class NotRun(Exception):  # noqa: N818 -- it says why an attack cannot be made here
    """This attack cannot be made on this machine; `str()` is the reason."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A row of the matrix: what is done, how often, and the same with the protection off."""

    row: str
    what: str
    control: str
    """What is off in the control, which must not hold."""
    make: Callable[[Path, int, bool], Found]
    """Makes so many rounds of it in a folder, protected or not; raises NotRun."""
    short: int
    """Rounds among the tests; 0 where only the long form is made."""
    long: int
    few: int | None = None
    """Rounds of the control among the tests, where fewer than `short` find what is off."""
    on_server: bool = False
    """Whether it is made on a database server, which `survive server` names."""


def attacked(path: Path) -> None:
    """A closed campaign at `path`: an evening, a branch with two notes, an act undone and one redacted."""
    from retold.journal.store.writing.redact import plan_redaction, redact  # noqa: PLC0415 -- as few rooms as an attack needs
    from retold.journal.store.writing.undo import undo  # noqa: PLC0415 -- as above

    with played(path) as camp:
        writer = camp.writer(1)
        notes(writer, "a note that goes", "a note that stays", "a note that is undone")
        undo(writer)
        redact(writer, plan_redaction(writer, c.Redact(at=writer.head.position - 3)))
        notes(camp.writer(camp.fork(1, 10, Words("kinder"))), "a", "b")


def rows(path: Path) -> list[Row]:
    """Every event in the file as it is stored, in order."""
    with CampaignFile.open(path, read_only=True) as file:
        return list(Record(file).everything())


def whole(path: Path) -> bool:
    """Whether the file opens and `verify` finds nothing."""
    try:
        with CampaignStore.open(path) as camp:
            return verify(camp.record).whole
    except StoreError:
        return False
