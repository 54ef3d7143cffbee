"""Two copies of a campaign: compared by their chains, brought together, and told apart where both went on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from retold.journal.decks.chance import SystemDealer
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.contract.errors import CannotWrite, StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.copies import sync
from retold.journal.store.copies.dump import dump
from retold.journal.store.copies.sync import (
    Comparison,
    StandingWords,
    Synced,
    bring_together,
    compare,
    copy_into,
    words_standing,
)
from retold.journal.store.copies.sync_apart import MovedLine, move_acts
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.store.postgres import roles
from retold.journal.store.verify import verify, verify_rules
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.store.writing.reveal import reveal
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import redo, undo
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import SERVICE, Cluster, new_name
from tests.exploring import tries
from tests.journal.store.memory import InMemory, Memory
from tests.journal.store.played import notes, play, played
from tests.wire import Wire

ROOT = Path(__file__).resolve().parents[4]


def begun() -> CampaignStore:
    """A campaign in memory with somebody in it."""
    store = InMemory(Memory())
    with store.writing():
        camp = CampaignStore.begin(store, title="The Salt Road")
    play(camp.writer(1), [c.OpenSession(title=Words("One")), c.Cast(who=Words("Zel"))])
    return camp


def copied(camp: CampaignStore) -> CampaignStore:
    """Another copy of a campaign, in a memory of its own."""
    store = InMemory(Memory())
    copy_into(store, camp.record)
    return CampaignStore(Record(store))


def dumped(camp: CampaignStore) -> list[str]:
    """A campaign's dump, in the order of branch and position: between branches, copies may differ."""
    return sorted(dump(camp.record))


def texts_in(camp: CampaignStore) -> str:
    return "\n".join(dump(camp.record))


def acts_of(camp: CampaignStore, line: int) -> dict[str, line_events.Act]:
    """The live acts of a branch that are not acts about the branch itself, by id."""
    acts = line_events.acts(camp.record, line)
    return {act.events[0].envelope.act: act for act in acts if not act.managing}


def on_server(camp: CampaignStore) -> CampaignStore:
    """Another copy of a campaign, on the server."""
    place = f"{SERVICE}:{new_name()}"
    places.restored(place, partial(copy_into, source=camp.record))
    return CampaignStore.open(place)


def opened_again(camp: CampaignStore) -> CampaignStore:
    """The same campaign, as another program has it open."""
    store = camp.record.store
    if isinstance(store, InMemory):
        return CampaignStore(Record(InMemory(store._memory)))
    return CampaignStore.open(camp.place)


@pytest.fixture
def in_memory() -> tuple[CampaignStore, CampaignStore]:
    """Two copies of a campaign in memory."""
    here = begun()
    return here, copied(here)


@pytest.fixture(params=["in memory", "there on a server", "both on a server"])
def two(request: pytest.FixtureRequest) -> Iterator[tuple[CampaignStore, CampaignStore]]:
    """Two copies of a campaign."""
    here = begun()
    if request.param == "in memory":
        yield here, copied(here)
        return
    request.getfixturevalue("cluster")
    copies = (on_server(here) if request.param == "both on a server" else here), on_server(here)
    yield copies
    for copy in copies:
        copy.close()


def sync_all(here: CampaignStore, there: CampaignStore) -> Synced:
    """Brings two copies together, which must not be apart; both are sound and the same then."""
    done = bring_together(here.record, there.record)
    assert not done.comparison.apart
    assert dumped(here) == dumped(there)
    assert verify(here.record).whole
    assert verify(there.record).whole
    return done


def parted(comparison: Comparison) -> list[tuple[int, int, int, int]]:
    return [(one.line, one.common, one.ahead_here, one.ahead_there) for one in comparison.lines]


# --- comparing ---


@pytest.mark.parametrize("common", [0, 1, 2, 7, 30])
@pytest.mark.parametrize("here_has", [0, 1, 5])
@pytest.mark.parametrize("there_has", [0, 1, 4])
def test_the_last_common_position_is_found(common: int, here_has: int, there_has: int) -> None:
    here = begun()
    notes(here.writer(1), *map(str, range(common)))
    there = copied(here)
    at = here.record.head(1).position
    notes(here.writer(1), *map(str, range(here_has)))
    notes(there.writer(1), *map(str, range(there_has)))

    assert parted(compare(here.record, there.record)) == [(1, at, here_has, there_has)]
    assert parted(compare(here.record, there.record).turned()) == [(1, at, there_has, here_has)]


def test_the_last_common_position_is_found_with_few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    here = begun()
    there = copied(here)
    notes(here.writer(1), *map(str, range(300)))
    notes(there.writer(1), *map(str, range(300)))
    asked: list[int] = []
    stored_hash = Record.stored_hash

    def counted(record: Record, line: int, position: int) -> bytes | None:
        asked.append(position)
        return stored_hash(record, line, position)

    monkeypatch.setattr(Record, "stored_hash", counted)
    assert compare(here.record, there.record).apart[0].common == 4
    assert len(asked) <= 2 * (2 + 9)


def test_a_branch_of_one_copy_is_ahead_there(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    here.fork(1, 3, Words("kinder"))

    assert parted(compare(here.record, there.record)) == [(1, 4, 0, 0), (2, 3, 1, 0)]


def test_each_copy_began_a_branch_of_its_own(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    here.fork(1, 3, Words("kinder"))
    there.fork(1, 4, Words("harder"))

    (one,) = compare(here.record, there.record).apart
    assert (one.line, one.common) == (2, 3)


def test_two_campaigns_have_nothing_in_common() -> None:
    with pytest.raises(Refused, match=r"^They are two campaigns: nothing in common\.$"):
        compare(begun().record, begun().record)


# --- bringing together ---


def test_sync_copies_missing_events_both_ways(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    line = here.fork(1, 4, Words("kinder"))
    sync_all(here, there)
    notes(here.writer(1), "one", "two")
    notes(there.writer(line), "three")
    done = sync_all(here, there)

    assert (done.came.events, done.went.events) == (1, 2)
    assert sync_all(here, there).came.events == 0


def test_sessions_that_begin_are_counted(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    play(there.writer(1), [c.End(what="session"), c.OpenSession(), c.End(what="session"), c.OpenSession()])

    assert sync_all(here, there).came.sessions == (2, 3)


def test_a_promotion_arrives_whole(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    line = here.fork(1, 3, Words("kinder"))
    here.promote(line)
    sync_all(here, there)

    assert there.mainline() == line


def test_nothing_moves_where_both_went_on(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    here.fork(1, 3, Words("kinder"))
    notes(here.writer(1), "here")
    notes(there.writer(1), "there")
    before = dumped(here), dumped(there)
    done = bring_together(here.record, there.record)

    assert [one.line for one in done.comparison.apart] == [1]
    assert (dumped(here), dumped(there)) == before


def test_files_and_memories_are_brought_together(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as here:
        there = copied(here)
        notes(there.writer(1), "From memory.")
        sync_all(here, there)
        line = there.fork(1, 4, Words("kinder"))
        redacted = there.writer(line)
        notes(redacted, "Ottokar")
        sync_all(here, there)
        redact(redacted, plan_redaction(redacted, c.Redact(at=redacted.head.position)))
        assert sync_all(here, there).came.texts == {"Ottokar"}
    assert b"Ottokar" not in (tmp_path / "a.retold").read_bytes()


def test_redacted_words_are_taken_and_caches_go_before_and_after(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    notes(here.writer(1), "Ottokar")
    sync_all(here, there)
    writer = there.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=5)))
    stood: list[bool] = []

    def forget() -> Iterator[Path]:
        stood.append("Ottokar" in texts_in(here))
        yield Path("cache")

    done = bring_together(here.record, there.record, forget=forget)
    assert done.came.texts == {"Ottokar"}
    assert stood == [True, False]
    assert done.came.remains == (
        "A copy may remain in cache, which could not be deleted: delete that file.",
        *here.record.store.settle(),
    )
    assert dumped(here) == dumped(there)


def test_names_among_redacted_words_are_told(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    writer = there.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(person=1)))

    assert sync_all(here, there).came.names == {"Zel"}


def test_copies_of_redacted_words_are_told(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "First.", "Ottokar")
    sync_all(here, there)
    carry_out(plan_retcon(here.writer(1), 5, c.Note(text=Words("Else."))), "other")
    writer = there.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=6)))
    done = sync_all(here, there)

    (one,) = done.came.standing
    assert (one.line, one.words, one.all) == (2, (0,), True)
    writer = here.writer(one.line)
    redact(writer, plan_redaction(writer, c.Redact(at=one.position)))
    sync_all(here, there)
    assert "Ottokar" not in texts_in(there)


def test_a_rewording_on_a_branch_that_the_redaction_did_not_know(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    notes(here.writer(1), "Ottokar")
    sync_all(here, there)
    line = there.fork(1, 5, Words("kinder"))
    reword(there.writer(line), 5, Words("Ottokar the Bald"))
    writer = here.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=5)))
    (one,) = sync_all(here, there).went.standing

    assert one[:] == (line, 7, (0,), True)
    with pytest.raises(
        Refused, match="The words are gone here already, and stand at kinder@7 still: redact 7"
    ):
        plan_redaction(there.writer(1), c.Redact(at=5))
    writer = there.writer(line)
    redact(writer, plan_redaction(writer, c.Redact(at=7)))
    sync_all(here, there)
    assert "Ottokar" not in texts_in(here)


def test_words_that_cannot_arrive_are_found(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "Ottokar")
    sync_all(here, there)
    writer = there.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=5)))
    notes(here.writer(1), "On.")
    comparison = compare(here.record, there.record)

    assert [one[:] for one in words_standing(here.record, there.record, comparison)] == [(1, 5, (0,), True)]
    assert words_standing(there.record, here.record, comparison.turned()) == ()


def test_a_redaction_of_an_act_of_one_copy_alone_leaves_the_others_act_there(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    notes(here.writer(1), "mine")
    notes(there.writer(1), "theirs")
    writer = there.writer(1)
    at = writer.head.position
    assert at == here.writer(1).head.position
    redact(writer, plan_redaction(writer, c.Redact(at=at)))

    assert words_standing(here.record, there.record, compare(here.record, there.record)) == ()


def test_one_text_among_several_is_named_by_its_number(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    play(here.writer(1), [c.Cast(who=Words("Hob"), text=Words("A ferryman"))])
    sync_all(here, there)
    writer = there.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=5, word=1)))
    notes(here.writer(1), "On.")
    (one,) = words_standing(here.record, there.record, compare(here.record, there.record))

    assert list(one.lines()) == ["redact 5 --word 1"]


# --- in parts, and interrupted ---


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "AT_ONCE", 1)


class Stopping(InMemory):
    """A memory whose writing stops with an error after some transactions."""

    def __init__(self, memory: Memory, transactions: int) -> None:
        super().__init__(memory)
        self.left = transactions

    @contextmanager
    def writing(self) -> Iterator[None]:
        if not self.left:
            raise CannotWrite("Nothing was recorded: the disk is full.")
        self.left -= 1
        with super().writing():
            yield


def eventful() -> tuple[CampaignStore, CampaignStore]:
    """A copy with a branch, a promotion and redactions on several lines, and one from before all that."""
    here = begun()
    notes(here.writer(1), "Ottokar", "Ottilie")
    there = copied(here)
    line = here.fork(1, 6, Words("kinder"))
    play(here.writer(line), [c.Cast(who=Words("Bo"), system="bruise", by=Words("Ana"), values={"clubs": 3})])
    writer = here.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=5)))
    here.promote(line)
    writer = here.writer(line)
    redact(writer, plan_redaction(writer, c.Redact(at=6)))
    notes(here.writer(line), "On.")
    return here, there


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize("transactions", range(12))
def test_an_interrupted_sync_is_sound_and_the_next_completes_it(transactions: int) -> None:
    here, there = eventful()
    store = there.record.store
    assert isinstance(store, InMemory)
    memory = store._memory
    with suppress(CannotWrite):
        bring_together(here.record, Record(Stopping(memory, transactions)))
    there = CampaignStore(Record(InMemory(memory)))

    rows = [row for _, row in there.record.log()]
    kinds = [row.kind for row in rows]
    ends = [json.loads(row.body) for row in rows]
    assert ends[-1]["i"] == ends[-1]["n"]
    assert kinds.count("table.retired") == kinds.count("table.promoted")
    assert there.mainline() in {1, 2}
    for text, at in (("Ottokar", 5), ("Ottilie", 6)):
        said = {row.line for row in rows if row.kind == "table.redacted" and f'"about":{at}' in row.body}
        assert (said, text in texts_in(there)) in ((set(), True), ({1, 2}, False))
    sync_all(here, there)
    assert there.mainline() == 2


KILLED = """
import os, sys
from retold.journal.store import places
from retold.journal.store.copies import sync
from retold.journal.store.postgres import roles
from retold.journal.store.events.record import Record

sync.AT_ONCE = 1
left = int(sys.argv[3])
append = Record.append_copied

def append_or_die(record, rows):
    global left
    append(record, rows)
    left -= 1
    if left == 0:
        os._exit(9)  # in the middle of a transaction

Record.append_copied = append_or_die
here, there = (Record(places.opened(path)) for path in sys.argv[1:3])
sync.bring_together(here, there)
"""


@pytest.mark.parametrize("transactions", [1, 3, 5])
def test_a_killed_sync_is_sound_and_the_next_completes_it(tmp_path: Path, transactions: int) -> None:
    here, there = tmp_path / "here.retold", tmp_path / "there.retold"
    for path, camp in zip((here, there), eventful(), strict=True):
        places.restored(path, partial(copy_into, source=camp.record))
    words = [sys.executable, "-c", KILLED, str(here), str(there), str(transactions)]
    died = subprocess.run(words, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})

    assert died.returncode == 9
    with CampaignStore.open(here) as one, CampaignStore.open(there) as other:
        assert other.record.store.size() < one.record.store.size()
        last = json.loads(list(other.record.everything())[-1].body)
        assert last["i"] == last["n"]
        sync_all(one, other)


@pytest.mark.usefixtures("in_small_parts")
def test_the_order_of_recording_is_the_sources() -> None:
    here, there = eventful()
    known = there.record.store.size()
    sync_all(here, there)
    assert [row.hash for _, row in there.record.log()][known:] == [row.hash for _, row in here.record.log()][
        known:
    ]


@pytest.mark.usefixtures("in_small_parts")
def test_a_concurrent_record_is_not_overwritten(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    line = here.fork(1, 4, Words("kinder"))
    sync_all(here, there)
    notes(here.writer(1), "one", "two", "three")
    other = opened_again(there)

    def record_once(done: int, _total: int | None) -> None:
        if done == 1 and not other.record.row(line, 6):
            notes(other.writer(line), "Meanwhile.")

    done = bring_together(here.record, there.record, record_once)
    other.close()
    assert (done.went.events, done.came.events) == (3, 1)
    assert dumped(here) == dumped(there)


@pytest.mark.usefixtures("in_small_parts")
def test_a_concurrent_record_on_the_same_line_is_reported(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    notes(here.writer(1), "one", "two", "three")
    other = opened_again(there)

    def record_once(done: int, _total: int | None) -> None:
        if done == 1:
            notes(other.writer(1), "Meanwhile.")

    done = bring_together(here.record, there.record, record_once)
    other.close()
    assert parted(done.comparison) == [(1, 5, 2, 1)]
    assert verify(there.record).whole


def spoilt(camp: CampaignStore, position: int, change: Callable[[Row], Row]) -> None:
    """Changes an event in a memory, past its chain."""
    memory: Memory = camp.record.store._memory  # type: ignore[attr-defined]
    at = next(at for at, row in enumerate(memory.rows) if row.position == position)
    memory.rows[at] = change(memory.rows[at])


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize(
    "change",
    [
        lambda row: row._replace(words='[["AAAAAAAAAAAAAAAAAAAAAA","other"]]'),
        lambda row: row._replace(words="[null]"),
        lambda row: row._replace(kind="table.said"),
        lambda row: row._replace(hash=bytes(32)),
    ],
)
def test_a_damaged_event_is_not_copied_and_nothing_is(
    in_memory: tuple[CampaignStore, CampaignStore], change: Callable[[Row], Row]
) -> None:
    here, there = in_memory
    notes(there.writer(1), "one", "two", "three")
    spoilt(there, 6, change)
    before = dumped(here)
    with pytest.raises(
        StoreError,
        match=r"^a memory, line 1, 6: .* Nothing was copied: retold doctor says what is still good\.$",
    ):
        bring_together(here.record, there.record)
    assert dumped(here) == before


def test_a_damaged_record_is_not_copied_into_a_new_one(
    in_memory: tuple[CampaignStore, CampaignStore],
) -> None:
    here, _ = in_memory
    notes(here.writer(1), "one", "two")
    spoilt(here, 5, lambda row: row._replace(words="[null]"))
    store = InMemory(Memory())
    with pytest.raises(StoreError, match="Nothing was copied"):
        copy_into(store, here.record)
    assert store.size() == 0


def test_redacted_words_that_are_back_in_a_record_are_not_copied(
    in_memory: tuple[CampaignStore, CampaignStore],
) -> None:
    here, _ = in_memory
    notes(here.writer(1), "Ottokar")
    kept = here.record.row(1, 5)
    assert kept is not None
    writer = here.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(at=5)))
    spoilt(here, 5, lambda row: row._replace(words=kept.words))
    assert not verify(here.record).whole
    made = copied(here)
    assert verify(made.record).whole
    assert "Ottokar" not in str(list(made.record.store.log()))


# --- on a server ---


def test_a_campaign_on_its_way_over_a_server_is_the_same_to_the_last_hash(
    cluster: Cluster, tmp_path: Path
) -> None:
    copies = [eventful()[0]]
    for place in (tmp_path / "here.retold", str(cluster.address(new_name())), tmp_path / "back.retold"):
        places.restored(place, partial(copy_into, source=copies[-1].record))
        copies.append(CampaignStore.open(place))

    dumps = {tuple(dump(camp.record)) for camp in copies}
    heads = {tuple(camp.record.head(line) for line in (1, 2)) for camp in copies}
    assert (len(dumps), len(heads)) == (1, 1)
    assert all(verify(camp.record).whole for camp in copies)
    for camp in copies:
        camp.close()


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize("kilobytes", range(1, 16, 2))
def test_a_sync_whose_connection_breaks_is_sound_and_the_next_completes_it(
    cluster: Cluster, tmp_path: Path, kilobytes: int
) -> None:
    here, there = eventful()
    place = cluster.address(new_name())
    places.restored(str(place), partial(copy_into, source=there.record))
    with (
        tempfile.TemporaryDirectory(prefix="retold-wire-") as folder,
        Wire(Path(folder), cluster.folder) as wire,
        CampaignStore.open(str(place)) as far,
    ):
        by_wire = str(place).replace(quote(str(cluster.folder), safe=""), quote(folder, safe=""))
        with CampaignStore.open(by_wire) as cut:
            wire.cut_after("up", kilobytes * 1024)
            said = broken_off(here, cut)
            wire.mend()
        began = (
            "Nothing was recorded: ",
            copied_so_far(far, there),
            f"{by_wire} cannot be read",
            DOUBTFUL,
            "None",
        )
        assert said.startswith(began)
        assert verify(far.record).whole
        sync_all(here, far)


DOUBTFUL = "The connection broke at the very last: nobody can say yet how much was copied. "


def broken_off(here: CampaignStore, there: CampaignStore) -> str:
    """What a sync says that breaks off; None in words if it does not."""
    try:
        bring_together(here.record, there.record)
    except StoreError as error:
        return str(error)
    return "None"


def copied_so_far(now: CampaignStore, before: CampaignStore) -> str:
    """The beginning of the sentence about a sync that stopped."""
    copied = now.record.store.size() - before.record.store.size()
    events = "1 event was" if copied == 1 else f"{copied} events were"
    return f"{events} copied, and then it stopped: the next sync does the rest. No more was recorded: "


def test_a_campaign_that_a_second_game_master_goes_on_with_meanwhile(cluster: Cluster) -> None:
    here = begun()
    line = here.fork(1, 4, Words("kinder"))
    with on_server(here) as there:

        def play_on() -> None:
            with CampaignStore.open(there.place) as theirs:
                notes(theirs.writer(line), *map(str, range(40)))

        playing = threading.Thread(target=play_on)
        playing.start()
        while playing.is_alive():
            notes(here.writer(1), "From here.")
            assert not bring_together(here.record, there.record).comparison.apart
        playing.join()
        sync_all(here, there)
        assert here.record.head(line).position == 5 + 40


def test_an_account_that_may_only_read_gives_and_takes_nothing(cluster: Cluster) -> None:
    here = begun()
    with on_server(here) as there:
        campaign = str(there.place).partition(":")[2]
        cluster.account("rose")
        roles.let(cluster.address(campaign), "rose", writes=False)
        notes(there.writer(1), "From there.")
        with CampaignStore.open(str(cluster.address(campaign, "rose")), read_only=True) as read:
            assert bring_together(here.record, read.record).came.events == 1
        notes(here.writer(1), "From here.")
        before = dumped(there)
        with (
            CampaignStore.open(str(cluster.address(campaign, "rose"))) as read,
            pytest.raises(CannotWrite, match=r"^Nothing was recorded: rose may only read "),
        ):
            bring_together(here.record, read.record)
        assert dumped(there) == before


# --- both went on ---


def moved(
    here: CampaignStore, there: CampaignStore, name: str | None = None
) -> tuple[CampaignStore, tuple[MovedLine, ...]]:
    """A copy of `there` with what only `here` has, and what became of that."""
    made = copied(there)
    lines = move_acts(here, made, compare(here.record, there.record), name, "laptop")
    assert verify(made.record).whole
    assert not compare(made.record, there.record).apart
    assert not compare(made.record, there.record).ahead_there
    return made, lines


def test_on_top_each_act_keeps_what_it_had(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    manner = Manner(
        by=1,
        visible_to="gm",
        act="said-7",
        source=("0" * 64, 3),
        unit=Words("1477752830549819392"),
        when="2026-03-01T19:42",
    )
    here.writer(1).record(c.Note(text=Words("From here."), about=1), manner)
    notes(there.writer(1), "From there.")
    made, (line,) = moved(here, there)

    was, now = here.record.row(1, 5), made.record.row(1, 6)
    assert was is not None
    assert now is not None
    old, new = json.loads(was.body), json.loads(now.body)
    assert {key: new[key] for key in old} == old
    assert now.words == was.words
    assert (line.now, line.events, line.lost, line.changes, line.undone) == (1, 1, (), (), 0)


def test_on_a_branch_the_line_stays_as_it_is_there(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "From here.")
    notes(there.writer(1), "From there.")
    made, (line,) = moved(here, there, "desktop")

    assert (line.line, line.now, line.name, line.events) == (1, 2, "desktop", 1)
    assert made.record.head(1) == there.record.head(1)
    assert made.record.lineage(2)[0].upto == 4
    assert made.mainline() == 1


def test_undone_acts_stay_behind_and_are_counted(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "One.", "Two.", "Three.")
    undo(here.writer(1), 2)
    notes(there.writer(1), "From there.")
    made, (line,) = moved(here, there)

    assert (line.events, line.undone) == (1, 2)
    assert "Two." not in texts_in(made)


def test_acts_the_rules_refuse_stay_behind_with_the_reason(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    play(here.writer(1), [c.End(what="session")])
    play(there.writer(1), [c.End(what="session")])
    _, (line,) = moved(here, there)

    assert line.events == 0
    (lost,) = line.lost
    assert lost.startswith("5 (end): ")


def test_people_who_came_in_on_both_sides_are_not_confused(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    play(here.writer(1), [c.Cast(who=Words("Hob")), c.Narrate(who=2, text=Words("I am Hob."))])
    play(there.writer(1), [c.Cast(who=Words("Ana")), c.Cast(who=Words("Bea"))])
    made, _ = moved(here, there)

    last = next(made.writer(1).last_acts()).events[0].event
    assert made.table_at(1).name(getattr(last, "who", 0)) == "Hob"


def test_a_name_that_is_gone_stays_gone_in_acts_that_are_moved(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    play(here.writer(1), [c.Cast(who=Words("Hob")), c.Note(text=Words("I am Hob."), about=2)])
    writer = here.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(person=2)))
    play(there.writer(1), [c.Cast(who=Words("Ana"))])
    writer = there.writer(1)
    redact(writer, plan_redaction(writer, c.Redact(person=2)))
    made, (line,) = moved(here, there)

    assert line.lost == ()
    assert made.table_at(1).name(3) == "somebody (3)"
    told = [event.event for event, _ in line_events.recorded(made.record, 1)]
    assert getattr(told[-2], "person", None) == 3
    assert "somebody" not in texts_in(made)
    assert list(verify_rules(made, 1)) == []


def test_a_moved_act_about_an_undone_person_is_lost(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    play(here.writer(1), [c.Cast(who=Words("Hob"))])
    sync_all(here, there)
    play(here.writer(1), [c.Narrate(who=2, text=Words("I am Hob."))])
    undo(there.writer(1))
    play(there.writer(1), [c.Cast(who=Words("Ana"))])
    _, (line,) = moved(here, there)

    assert line.lost == ("6 (narrate): It names a person who has not been introduced here.",)


def test_what_was_taken_back_here_is_not_on_the_branch(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "One.", "Two.")
    sync_all(here, there)
    undo(here.writer(1))
    notes(here.writer(1), "From here.")
    notes(there.writer(1), "From there.")
    made, (line,) = moved(here, there, "desktop")

    told = [act.events[0].texts for act in line_events.acts(made.record, line.now, 4)]
    assert [texts[0] for texts in told if texts] == ["desktop", "One.", "From here."][1 - len(told) :] or told
    assert "Two." not in str(told)
    assert "From here." in str(told)


def test_a_rewording_of_what_both_have_is_moved(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "One.")
    sync_all(here, there)
    reword(here.writer(1), 5, Words("Uno."))
    notes(there.writer(1), "From there.")
    for name in (None, "desktop"):
        made, (line,) = moved(here, there, name)
        assert line.events == 1
        assert any("Uno." in event.texts for event, _ in line_events.recorded(made.record, line.now))


def test_a_branch_whose_number_is_taken_gets_the_next(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    line = here.fork(1, 4, Words("kinder"), to=TABLE)
    notes(here.writer(line), "From here.")
    there.fork(1, 3, Words("Kinder"))
    made, (one,) = moved(here, there)

    assert (one.line, one.now, one.name, one.events) == (2, 3, "kinder (laptop)", 1)
    assert made.branches.shown_to(3) is None
    assert made.lines()[2] == "Kinder"


def test_branches_of_what_was_moved_follow_it(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    notes(here.writer(1), "One.", "Two.")
    line = here.fork(1, 5, Words("kinder"), manner=Manner(when="2026-03-01"))
    notes(here.writer(line), "On the branch.")
    notes(there.writer(1), "From there.")
    for name in (None, "desktop"):
        made, lines = moved(here, there, name)
        (branch,) = (one for one in lines if one.line == line)
        texts = [event.texts for event, counts in line_events.recorded(made.record, branch.now) if counts]
        said = [one[0] for one in texts if one]
        assert said[-1] == "On the branch."
        first = next(row for row in made.record.rows(branch.now) if row.line == branch.now)
        assert decode(first).envelope.when == "2026-03-01"
        assert "One." in said
        assert "Two." not in said
        assert ("From there." in said) == (name is None)


def test_which_line_is_played_does_not_change(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    line = here.fork(1, 4, Words("kinder"))
    here.promote(line)
    notes(here.writer(line), "From here.")
    notes(there.writer(1), "From there.")
    made, lines = moved(here, there)

    assert made.mainline() == 1
    assert [(one.line, one.events) for one in lines] == [(1, 0), (2, 1)]


def test_what_was_moved_already_is_not_moved_again(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    line = here.fork(1, 3, Words("kinder"))
    notes(here.writer(line), "On the branch.")
    notes(here.writer(1), "One.", "Two.")
    there.fork(1, 4, Words("harder"))
    notes(there.writer(1), "From there.")
    for name in (None, "desktop"):
        made, first = moved(here, there, name)
        again, lines = moved(here, made, name)
        assert [one._replace(events=0) for one in first] == list(lines)
        assert dumped(again) == dumped(made)


def test_a_line_moved_to_its_end_stays_there_when_a_branch_is_asked_for_again(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    line = here.fork(1, 4, Words("kinder"))
    sync_all(here, there)
    here.promote(line)
    notes(here.writer(line), "On the branch.")
    notes(there.writer(1), "From there.")
    made, first = moved(here, there, "desktop")
    again, lines = moved(here, made, "desktop")

    assert [(one.line, one.now) for one in first] == [(1, 1), (2, 2)]
    assert [one._replace(events=0) for one in first] == list(lines)
    assert dumped(again) == dumped(made)


def test_a_branch_of_a_moved_branch_that_begins_before_that_branch(
    two: tuple[CampaignStore, CampaignStore],
) -> None:
    here, there = two
    here.fork(1, 4, Words("kinder"))
    line = here.fork(2, 2, Words("earlier"))
    play(here.writer(line), [c.OpenSession(title=Words("Another"))])
    there.fork(1, 3, Words("harder"))
    made, lines = moved(here, there)

    assert [(one.line, one.now, one.events) for one in lines] == [(2, 3, 0), (3, 4, 1)]
    assert made.table_at(4).session == 1
    assert [segment.upto for segment in made.record.lineage(4)] == [2, None]


def test_a_name_that_is_taken_is_refused(two: tuple[CampaignStore, CampaignStore]) -> None:
    here, there = two
    there.fork(1, 3, Words("desktop"))
    notes(here.writer(1), "From here.")
    notes(there.writer(1), "From there.")
    with pytest.raises(Refused, match="There is a branch Desktop already"):
        moved(here, there, "Desktop")


def test_an_evening_of_a_game_is_decided_again(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as dealt:
        here = copied(dealt)
        there = copied(dealt)
    here.dealer = there.dealer = SystemDealer()
    play(
        here.writer(1),
        [
            c.Narrate(who=3, text=Words("Down the stair.")),
            c.Declare(who=1, text=Words("After them.")),
            c.Draw(who=1, traits=("clubs", "melee")),
        ],
    )
    notes(there.writer(1), "From there.")
    for name in (None, "desktop"):
        _, (line,) = moved(here, there, name)
        assert (line.changes, line.lost) == ((), ())
        assert line.events > 2


# --- any two copies ---


WHO = st.integers(0, 1)
NUMBER = st.integers(0, 10**6)


class TwoCopies(RuleBasedStateMachine):
    """Two copies that play, undo, branch, redact, reveal, change and sync in any order."""

    on_a_server = (False, False)

    @initialize()
    def begin(self) -> None:
        first = begun()
        self.copies = [self.kept(copied(first), who) for who in (0, 1)]
        self.numbers = count(1)
        self.gone: set[str] = set()
        """Texts that are redacted in one of the copies."""

    def kept(self, made: CampaignStore, who: int) -> CampaignStore:
        """A new copy, in the place where copy `who` is kept."""
        return on_server(made) if self.on_a_server[who] else made

    def teardown(self) -> None:
        self.each_is_sound()
        for copy in getattr(self, "copies", ()):
            copy.close()

    def line(self, who: int, pick: int) -> int:
        lines = self.copies[who].record.store.streams()
        return lines[pick % len(lines)]

    def said(self) -> Words:
        return Words(f"word{next(self.numbers)}x")

    def ends(self, who: int, line: int) -> list[int]:
        """The positions of a branch at which an act ends."""
        rows = self.copies[who].record.rows(line)
        bodies = [(row.position, json.loads(row.body)) for row in rows]
        return [position for position, body in bodies if body["i"] == body["n"]]

    @rule(who=WHO, pick=NUMBER, secret=st.booleans())
    def note(self, who: int, pick: int, *, secret: bool) -> None:
        manner = Manner(visible_to="gm" if secret else TABLE)
        self.copies[who].writer(self.line(who, pick)).record(c.Note(text=self.said()), manner)

    @rule(who=WHO, pick=NUMBER)
    def cast(self, who: int, pick: int) -> None:
        name = Words(f"Somebody {next(self.numbers)}")
        self.copies[who].writer(self.line(who, pick)).record(c.Cast(who=name, text=self.said()))

    @rule(who=WHO, pick=NUMBER, person=NUMBER)
    def narrate(self, who: int, pick: int, person: int) -> None:
        writer = self.copies[who].writer(self.line(who, pick))
        people = sorted(writer.table.people)
        self.tried(lambda: writer.record(c.Narrate(who=people[person % len(people)], text=self.said())))

    @rule(who=WHO, pick=NUMBER)
    def next_session(self, who: int, pick: int) -> None:
        writer = self.copies[who].writer(self.line(who, pick))
        self.tried(lambda: play(writer, [c.End(what="session"), c.OpenSession()]))

    @rule(who=WHO, pick=NUMBER, acts=st.integers(1, 2))
    def undo(self, who: int, pick: int, acts: int) -> None:
        self.tried(lambda: undo(self.copies[who].writer(self.line(who, pick)), acts))

    @rule(who=WHO, pick=NUMBER)
    def redo(self, who: int, pick: int) -> None:
        self.tried(lambda: redo(self.copies[who].writer(self.line(who, pick))))

    @rule(who=WHO, pick=NUMBER, at=NUMBER, open_to_all=st.booleans())
    def fork(self, who: int, pick: int, at: int, *, open_to_all: bool) -> None:
        line = self.line(who, pick)
        ends = self.ends(who, line)
        name = Words(f"branch {next(self.numbers) % 3}")
        to = TABLE if open_to_all else "gm"
        self.tried(lambda: self.copies[who].fork(line, ends[at % len(ends)], name, to=to))

    @rule(who=WHO, pick=NUMBER)
    def promote(self, who: int, pick: int) -> None:
        self.tried(lambda: self.copies[who].promote(self.line(who, pick)))

    @rule(who=WHO, pick=NUMBER, at=NUMBER)
    def redact(self, who: int, pick: int, at: int) -> None:
        self.redact_at(who, self.line(who, pick), at)

    def redact_at(self, who: int, line: int, at: int) -> None:
        rows = [row for row in self.copies[who].record.rows(line) if row.words is not None]
        row = rows[at % len(rows)]
        writer = self.copies[who].writer(line)
        before = texts_in(self.copies[who])
        self.tried(lambda: redact(writer, plan_redaction(writer, c.Redact(at=row.position))))
        after = texts_in(self.copies[who])
        self.gone |= {text for text in _words(before) if text not in after}

    def redact_standing(self, writer: LineWriter, standing: StandingWords) -> None:
        """Redacts with the lines that are told; one may take another's words along, as its copy."""
        for line in standing.lines():
            _, _, word = line.partition(" --word ")
            command = c.Redact(at=standing.position, word=int(word) if word else None)
            self.tried(partial(self.redact_by, writer, command))

    def redact_by(self, writer: LineWriter, command: c.Redact) -> None:
        redact(writer, plan_redaction(writer, command))

    @rule(who=WHO, pick=NUMBER, at=NUMBER)
    def reveal(self, who: int, pick: int, at: int) -> None:
        self.tried(lambda: reveal(self.copies[who].writer(self.line(who, pick)), at % 30 + 1))

    @rule(who=WHO, pick=NUMBER, at=NUMBER)
    def reword(self, who: int, pick: int, at: int) -> None:
        self.tried(lambda: reword(self.copies[who].writer(self.line(who, pick)), at % 30 + 1, self.said()))

    @rule(who=WHO, pick=NUMBER, at=NUMBER, promoted=st.booleans())
    def retcon(self, who: int, pick: int, at: int, *, promoted: bool) -> None:
        writer = self.copies[who].writer(self.line(who, pick))
        name = f"retcon {next(self.numbers)}"
        self.tried(
            lambda: carry_out(
                plan_retcon(writer, at % 30 + 1, c.Note(text=self.said())), name, promoted=promoted
            )
        )

    @rule()
    def sync(self) -> None:
        here, there = self.copies
        self.each_is_sound()
        before = [dumped(copy) for copy in self.copies]
        events = {one.hash for copy in self.copies for one in copy.record.everything()}
        done = bring_together(here.record, there.record)
        if done.comparison.apart:
            assert [dumped(copy) for copy in self.copies] == before
            return
        assert dumped(here) == dumped(there)
        assert {one.hash for one in here.record.everything()} == events
        assert here.record.store.size() == len(events)
        assert here.mainline() == there.mainline()
        standing = (*done.came.standing, *done.went.standing)
        for one in standing:
            writer = here.writer(one.line)
            self.redact_standing(writer, one)
        if standing:
            bring_together(here.record, there.record)
        assert not self.gone & _words(texts_in(here))

    @rule(name=st.sampled_from([None, "from here"]))
    def move(self, name: str | None) -> None:
        here, there = self.copies
        comparison = compare(here.record, there.record)
        if not comparison.apart:
            return
        self.each_is_sound()
        for who, seen in ((0, comparison), (1, comparison.turned())):
            for standing in words_standing(self.copies[who].record, self.copies[1 - who].record, seen):
                writer = self.copies[who].writer(standing.line)
                self.redact_standing(writer, standing)
        comparison = compare(here.record, there.record)
        assert not words_standing(here.record, there.record, comparison)
        if name is not None and name in there.lines().values():
            name = f"from here {next(self.numbers)}"
        made, main, known = copied(there), there.mainline(), set(dumped(there)[1:-1])
        moved = move_acts(here, made, comparison, name, "laptop")
        assert verify(made.record).whole
        if not self.gone:
            assert not [one for line in made.lines() for one in verify_rules(made, line)]
        assert made.mainline() == main
        for one in moved:
            kept, now = acts_of(here, one.line), acts_of(made, one.now)
            lost = {int(sentence.partition(" ")[0].partition("\N{EN DASH}")[0]) for sentence in one.lost}
            rest = [act for id_, act in kept.items() if id_ not in now and act.first not in lost]
            rest = [act for act in rest if act.first > comparison.common(one.line)]
            tables = here.table_at(one.line), made.table_at(one.now)
            renamed = any(made.record.everything(("table.reworded",)))
            for id_ in kept.keys() & now.keys():
                names = [
                    [table.name(teller) for event in act.events if (teller := getattr(event.event, "who", 0))]
                    for table, act in zip(tables, (kept[id_], now[id_]), strict=True)
                ]
                assert names[0] == names[1] or self.gone or renamed
            assert [act for act in rest if type(act.events[0].event).kind != "table.reworded"] == []
        assert move_acts(here, copied(made), compare(here.record, made.record), name, "laptop") is not None
        done = bring_together(made.record, there.record)
        assert not done.comparison.apart
        assert done.came.events == 0
        assert dumped(made) == dumped(there)
        assert known - set(dumped(there)) == set()
        self.copies[0] = self.kept(made, 0)

    def each_is_sound(self) -> None:
        """Holds before each sync, each move, and at the end: after each step it would be half of the time."""
        for copy in getattr(self, "copies", ()):
            assert verify(copy.record).whole
            assert "somebody (" not in texts_in(copy)  # a name that is gone is never recorded again

    def tried(self, do: Callable[[], object]) -> None:
        """Does it, unless it is refused."""
        try:
            do()
        except Refused:
            return


def _words(text: str) -> set[str]:
    return {
        word.strip('"')
        for word in text.replace("[", " ").replace(",", " ").replace("]", " ").split()
        if "word" in word
    }


TestTwoCopies = TwoCopies.TestCase
TestTwoCopies.settings = settings(max_examples=tries(20))


class OneOnAServer(TwoCopies):
    """Two copies, the second of which is on a server."""

    on_a_server = (False, True)


class BothOnAServer(TwoCopies):
    """Two copies on a server."""

    on_a_server = (True, True)


TestOneOnAServer, TestBothOnAServer = OneOnAServer.TestCase, BothOnAServer.TestCase
for case in (TestOneOnAServer, TestBothOnAServer):
    case.settings = settings(max_examples=tries(3))
    pytest.mark.usefixtures("cluster")(case)
del case  # or pytest runs it as a third
