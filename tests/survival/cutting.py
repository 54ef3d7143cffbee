"""R42: the wire to a server is cut at any byte of an act."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import quote

from retold.journal.store import places
from retold.journal.store.contract.unknown_outcome import Look
from retold.journal.store.copies.sync import bring_together, copy_into
from retold.journal.store.events.acts import Manner
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import DATABASE, ORGANISER, Cluster, new_name
from tests.journal.store.played import notes, played
from tests.survival.attacks import Found
from tests.survival.moments import moments
from tests.survival.servers import attacked_server, is_whole, outcome, quick_connections
from tests.wire import Direction, How, Wire

AT_ONCE = 150
"""So many rounds are made with one campaign."""

HIDDEN_EVERY = 40
"""One in so many cuts is hidden from the server: it holds the lock until it has waited long enough."""

_NUMBERS = count()


class Cut(NamedTuple):
    """Where the wire is cut: after so many bytes, up or down, counted from the act's beginning or commit."""

    act: str
    in_commit: bool
    direction: Direction
    after: int


@dataclass
class Table:
    """A campaign on a server, and another way to it, over a wire."""

    direct: CampaignStore
    wired: CampaignStore
    wire: Wire
    beside: CampaignStore
    """A copy in a file, for `sync`."""

    def __post_init__(self) -> None:
        self.writer = self.wired.writer(1)
        self.about = 0
        self.is_ahead = False
        self.cut_at_commit: Callable[[], None] | None = None
        """Called once when the next act over the wire is committed."""
        store = self.wired.record.store
        assert isinstance(store, ServerCampaign)
        commit = store._commit

        def commit_with_cut(act: Any) -> None:  # noqa: ANN401 -- a private class
            cut, self.cut_at_commit = self.cut_at_commit, None
            if cut is not None:
                cut()
            commit(act)

        patch.object(store, "_commit", commit_with_cut).start()

    @property
    def size(self) -> int:
        """Events on the server."""
        return self.direct.record.store.size()

    def tidy(self) -> None:
        """Makes the first branch the mainline again, and brings the file and the server together."""
        if self.direct.mainline() != 1:
            self.direct.promote(1)
            self.writer = self.wired.writer(1)
        if self.is_ahead:
            bring_together(self.beside.record, self.direct.record)
            self.is_ahead = False


def _note(table: Table) -> LineWriter:
    """A writer not over the wire, which has recorded a note."""
    writer = table.direct.writer(1)
    notes(writer, f"prepared {next(_NUMBERS)}")
    return writer


def _nothing(_table: Table) -> None: ...


def _cast(table: Table) -> None:
    name = f"Somebody {next(_NUMBERS):06}"
    table.writer.record(c.Cast(who=Words(name), by=Words("A player"), text=Words("tall")))


def _undo(table: Table) -> None:
    undo(table.writer)


def _branch(table: Table) -> None:
    camp = table.wired
    with camp.record.writing():
        line, _ = camp.branches.begin(1, 10, Words(f"branch {next(_NUMBERS):06}"), None, Manner())
        camp.branches.promote(line, Manner())


def _to_redact(table: Table) -> None:
    table.about = _note(table).head.position


def _redact(table: Table) -> None:
    redact(table.writer, plan_redaction(table.writer, c.Redact(at=table.about)))


def _to_sync(table: Table) -> None:
    bring_together(table.beside.record, table.direct.record)
    notes(table.beside.writer(1), f"beside {next(_NUMBERS):06}", "and another")
    table.is_ahead = True


def _sync(table: Table) -> None:
    bring_together(table.beside.record, table.wired.record)


SYNC: Final = "a chunk of sync"
"""What may stop without knowing how much was copied: the next sync does the rest."""

ACTS: Final[dict[str, tuple[Callable[[Table], object], Callable[[Table], object]]]] = {
    "an act": (_nothing, _cast),
    "an undo": (_note, _undo),
    "a branch that is promoted": (_nothing, _branch),
    "a redaction": (_to_redact, _redact),
    SYNC: (_to_sync, _sync),
}
"""How each act is prepared, and how it is said over the wire."""


@contextmanager
def table_at(cluster: Cluster, folder: Path) -> Iterator[Table]:
    """Context manager: a new campaign on the server, and a wire to it."""
    with ExitStack() as open_:
        there = Path(open_.enter_context(tempfile.TemporaryDirectory(prefix="retold-wire-")))
        address = cluster.address(new_name())
        direct = open_.enter_context(played(str(address)))
        wire = open_.enter_context(Wire(there, cluster.folder))
        host = quote(str(there), safe="")
        wired = open_.enter_context(
            CampaignStore.open(f"postgresql://{ORGANISER}@{host}/{DATABASE}/{address.campaign}")
        )
        beside = folder / f"{address.campaign}.retold"
        places.restored(beside, lambda store: copy_into(store, direct.record))
        yield Table(direct, wired, wire, open_.enter_context(CampaignStore.open(beside)))


def cut_the_wire(folder: Path, rounds: int, protected: bool) -> Found:
    """R42: so many cuts, evenly over all bytes of each act, up and down."""
    found = Found()
    with attacked_server() as server, ExitStack() as off:
        off.enter_context(quick_connections())
        if not protected:  # what is not acknowledged counts as not recorded
            off.enter_context(
                patch.object(ServerCampaign, "_look_for", lambda *_, **__: Look(None, is_final=True))
            )
        chosen = _chosen(list(_cuts(server.cluster, folder)), rounds)
        _cut_all(server.cluster, folder, chosen, found)
    return found


def cut_every_byte(folder: Path, act: str, *, in_commit: bool) -> Found:
    """R42 for one act: a cut at every byte of it, or of its commit, up and down."""
    found = Found()
    with attacked_server() as server, quick_connections():
        cuts = [cut for cut in _cuts(server.cluster, folder, (act,)) if cut.in_commit == in_commit]
        _cut_all(server.cluster, folder, cuts, found)
    return found


def _cut_all(cluster: Cluster, folder: Path, cuts: Sequence[Cut], found: Found) -> None:
    for first in range(0, len(cuts), AT_ONCE):
        with table_at(cluster, folder) as table:
            for number, cut in enumerate(cuts[first : first + AT_ONCE], first):
                is_hidden = cut.direction == "up" and number % HIDDEN_EVERY == 0
                _cut(table, cut, "hidden" if is_hidden else "cut", found)
            table.writer.catch_up()
            found.untrue += table.writer.table != table.direct.table_at(1)
            found.damaged += not is_whole(table.direct.place)


def _chosen(cuts: list[Cut], rounds: int) -> list[Cut]:
    """So many cuts: the lost answer to each commit; of the rest half within commits, half anywhere."""
    lost = [cut for cut in cuts if cut.in_commit and cut.direction == "down" and not cut.after]
    within = [cut for cut in cuts if cut.in_commit and cut not in lost]
    before = [cut for cut in cuts if not cut.in_commit]
    half = max(rounds - len(lost), 0) // 2
    return [
        *lost,
        *(within[at - 1] for at in moments(len(within), half)),
        *(before[at - 1] for at in moments(len(before), half)),
    ]


def _cuts(cluster: Cluster, folder: Path, acts: Iterable[str] = ()) -> Iterator[Cut]:
    """Every byte of each act, or of those named, and of its commit, in each direction."""
    with table_at(cluster, folder) as table:
        for name in acts or ACTS:
            prepare, say = ACTS[name]
            for in_commit in (False, True):
                passed: dict[Direction, int] = {}
                for _ in range(2):  # the first of its kind reads more
                    prepare(table)
                    table.wire.mend()
                    table.cut_at_commit = table.wire.mend if in_commit else None
                    say(table)
                    passed = dict(table.wire.passed)
                    table.tidy()
                for direction, many in passed.items():
                    yield from (Cut(name, in_commit, direction, after) for after in range(many + 1))


def _cut(table: Table, cut: Cut, how: How, found: Found) -> None:
    prepare, say = ACTS[cut.act]
    prepare(table)
    before, error = table.size, None
    arm = partial(table.wire.cut_after, cut.direction, cut.after, how)
    if cut.in_commit:
        table.cut_at_commit = arm
    else:
        arm()
    try:
        say(table)
    except Exception as raised:  # noqa: BLE001 -- whatever it is, it is judged
        error = raised
    table.wire.mend()
    with table.direct.record.store.writing():  # whoever is still committing has ended
        came = table.size - before
    table.tidy()
    said = outcome(error)
    found.tried += 1
    found.acknowledged += said == "recorded"
    found.lost += said == "recorded" and not came
    is_true = (
        said == ("recorded" if came else "not recorded")
        or (said == "unread" and not came)
        or (said == "unknown" and (how == "hidden" or cut.act == SYNC))
        or (said == "partly" and came > 0)
    )
    if not is_true:
        found.untrue += 1
