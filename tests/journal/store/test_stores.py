"""The contract of an event store, held to by each: the file of SQLite, a server, and one in memory.

First what `EventStore` promises, then what is built on it: a campaign lives on any store, in the same way.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.caches.index import Index, TextQuery
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.errors import CannotWrite, StoreError
from retold.journal.store.contract.event_store import (
    AMENDING_KINDS,
    EMPTY_HEAD,
    SIGNPOSTS,
    EventStore,
    Head,
    Row,
)
from retold.journal.store.copies.dump import dump, load_into
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.amendments import read_amendments
from retold.journal.store.events.chain import ROOT, link
from retold.journal.store.events.record import Record
from retold.journal.store.events.text_matching import parse_terms
from retold.journal.store.postgres import known, sentences
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.sqlite.file import CampaignFile, create
from retold.journal.store.verify import verify, verify_chance, verify_rules
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.retcon import carry_out, plan_retcon, with_fixed_results
from retold.journal.store.writing.reveal import reveal
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import redo, undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from tests.database_server import Cluster, new_name
from tests.journal.store.memory import InMemory, Memory
from tests.journal.store.played import SEED, StoppedClock, evening, notes, play

T = TypeVar("T")


class Place(Protocol):
    """Where a store can be made, and opened again and again."""

    def new(self, fill: Callable[[EventStore], T]) -> T:
        """What `fill` returns, for a store that is empty and being written to."""

    def open(self, *, read_only: bool = False) -> EventStore:
        """Another handle on what was made here."""


@dataclass
class OnDisk:
    path: Path

    def new(self, fill: Callable[[EventStore], T]) -> T:
        return create(self.path, fill)

    def open(self, *, read_only: bool = False) -> EventStore:
        return CampaignFile.open(self.path, read_only=read_only)


@dataclass
class Remembered:
    memory: Memory = field(default_factory=Memory)

    def new(self, fill: Callable[[EventStore], T]) -> T:
        store = InMemory(self.memory)
        with store.writing():
            return fill(store)

    def open(self, *, read_only: bool = False) -> EventStore:
        return InMemory(self.memory, read_only=read_only)


@dataclass
class OnServer:
    address: str

    def new(self, fill: Callable[[EventStore], T]) -> T:
        return places.made(self.address, fill)

    def open(self, *, read_only: bool = False) -> EventStore:
        return places.opened(self.address, read_only=read_only)


STORES = ("sqlite", "memory", "postgres")


def remains(store: EventStore) -> tuple[str, ...]:
    """Where deleted texts remain, whatever a store does."""
    if store.place.file is not None or isinstance(store, InMemory):
        return ()
    assert isinstance(store, ServerCampaign)
    return (
        sentences.in_tables(store.address),  # the tables of the tests are never rewritten: see conftest.py
        "A copy remains in the server's log, its standbys and its backups, until its keeper lets them go.",
    )


PlaceOf = Callable[[str, Path], Place]


@pytest.fixture
def place_of(request: pytest.FixtureRequest) -> PlaceOf:
    """Makes a place for a campaign, given the store's name and a folder."""

    def made(store: str, folder: Path) -> Place:
        if store == "postgres":
            cluster: Cluster = request.getfixturevalue("cluster")
            return OnServer(str(cluster.address(new_name())))
        return OnDisk(folder / "a.retold") if store == "sqlite" else Remembered()

    return made


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, place_of: PlaceOf, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


# --- what a store promises ---


def event(line: int, position: int, kind: str = "table.noted") -> Row:
    """An event that says where it is, with two texts beside it, after the one made last before it."""
    words = json.dumps([["salt", f"first of {position}"], ["salt", f"second of {position}"]])
    body, parent = f'{{"at":{position}}}', HASHES.get((line, position - 1), ROOT)
    if kind == "table.forked":
        parent = HASHES[1, position - 1]
        body = f'{{"at":{position},"data":{{"parent_hash":"{parent.hex()}"}}}}'
    HASHES[line, position] = link(parent, line, position, kind, body)
    return Row(line, position, kind, body, words, HASHES[line, position])


HASHES: dict[tuple[int, int], bytes] = {}
"""The hash of the event made last, by line and position."""


# As they were recorded: two branches grow while their parent goes on.
ROWS = (
    event(1, 1, "table.campaign-begun"),
    event(1, 2),
    event(2, 3, "table.forked"),
    event(1, 3, "table.undone"),
    event(2, 4),
    event(3, 4, "table.forked"),
    event(1, 4),
    event(3, 5),
)


@pytest.fixture
def store(place: Place) -> EventStore:
    """A store with `ROWS`, appended in two acts."""
    made = place.new(lambda store: store)
    with made.writing():
        made.append(ROWS[:3])
    with made.writing():
        made.append(ROWS[3:])
    return made


def test_an_empty_store_has_nothing(place: Place) -> None:
    with closing(place.new(lambda store: store)) as store:
        assert (store.streams(), store.size(), store.head(1)) == ((), 0, EMPTY_HEAD)
        assert (list(store.log()), list(store.stretch(1)), list(store.storage_faults())) == ([], [], [])


BOUNDS = [(0, None), (2, None), (0, 3), (1, 3), (3, 3), (4, 2), (9, None), (0, 99)]


@pytest.mark.parametrize("kinds", [(), ("table.noted",), ("table.forked", "table.undone")])
@pytest.mark.parametrize(("after", "upto"), BOUNDS)
def test_a_stretch_is_one_streams_in_its_order(
    store: EventStore, after: int, upto: int | None, kinds: tuple[str, ...]
) -> None:
    last = 99 if upto is None else upto
    for line in (1, 2, 3, 4):
        own = [row for row in ROWS if row.line == line and after < row.position <= last]
        asked = [row for row in own if not kinds or row.kind in kinds]
        assert list(store.stretch(line, after, upto, kinds)) == asked
        assert list(store.stretch(line, after, upto, kinds, backwards=True)) == asked[::-1]


@pytest.mark.parametrize("kinds", [(), ("table.noted",), SIGNPOSTS])
@pytest.mark.parametrize(("after", "upto"), BOUNDS)
def test_the_log_is_everything_numbered_in_the_order_of_recording(
    store: EventStore, after: int, upto: int | None, kinds: tuple[str, ...]
) -> None:
    last = 99 if upto is None else upto
    numbered = [(number, row) for number, row in enumerate(ROWS, 1) if after < number <= last]

    assert list(store.log(after, upto, kinds)) == [
        (number, row) for number, row in numbered if not kinds or row.kind in kinds
    ]


def test_each_stream_has_a_head_and_the_record_a_size(store: EventStore) -> None:
    assert store.streams() == (1, 2, 3)
    assert [store.head(line) for line in (1, 2, 3, 4)] == [
        *(ROWS[index].head for index in (6, 4, 7)),
        EMPTY_HEAD,
    ]
    assert store.size() == len(ROWS)


@pytest.mark.parametrize("kinds", [(), ("table.marked",), SIGNPOSTS])
def test_each_event_has_its_hash_whatever_was_read_before(store: EventStore, kinds: Sequence[str]) -> None:
    for line in (1, 2, 3):
        list(store.stretch(line, kinds=kinds))
    list(store.log(kinds=kinds))

    assert all(store.stored_hash(row.line, row.position) == row.hash for row in ROWS)
    assert (store.stored_hash(1, 5), store.stored_hash(4, 1)) == (None, None)


def test_what_is_written_is_seen_within_and_by_others_when_it_is_done(
    place: Place, store: EventStore
) -> None:
    with closing(place.open(read_only=True)) as other:
        with store.writing():
            store.append([event(1, 5)])
            assert (store.size(), store.head(1).position) == (9, 5)
            assert (other.size(), other.head(1).position) == (8, 4)

        assert (other.size(), other.head(1).position) == (9, 5)


def test_a_failed_transaction_stores_nothing(place: Place, store: EventStore) -> None:
    def changed_my_mind() -> None:
        with store.writing():
            store.append([event(1, 5)])
            store.delete_texts(1, 2, (0,))
            raise Refused("Never mind.")

    with pytest.raises(Refused):
        changed_my_mind()

    with closing(place.open()) as other:
        assert [row for _, row in store.log()] == [row for _, row in other.log()] == list(ROWS)
        with other.writing():
            other.append([event(1, 5)])
        assert list(other.log(8)) == [(9, event(1, 5))]


def test_no_position_is_given_twice(store: EventStore) -> None:
    with pytest.raises(CannotWrite), store.writing():
        store.append([event(3, 6), event(1, 4)])

    assert [row for _, row in store.log()] == list(ROWS)


def test_a_store_opened_for_reading_does_not_write(place: Place, store: EventStore) -> None:
    assert store.size() == len(ROWS)
    with (
        closing(place.open(read_only=True)) as other,
        pytest.raises(CannotWrite, match="reading only"),
        other.writing(),
    ):
        other.append([event(1, 5)])


def test_changes_are_those_of_others(place: Place, store: EventStore) -> None:
    before = store.changes()
    with store.writing():
        store.append([event(1, 5)])
    own = store.changes()
    with closing(place.open()) as other, other.writing():
        other.append([event(1, 6)])

    assert own == before
    assert store.changes() != before


def test_words_are_taken_one_by_one_and_nothing_else(store: EventStore) -> None:
    with store.writing():
        store.delete_texts(1, 2, (1,))

    (taken,) = store.stretch(1, 1, 2)
    assert json.loads(taken.words or "") == [["salt", "first of 2"], None]
    assert [taken._replace(words=ROWS[1].words) if row == taken else row for _, row in store.log()] == list(
        ROWS
    )
    assert store.settle() == remains(store)


def is_all_there(store: EventStore, rows: Sequence[Row]) -> None:
    """Asserts that a store gives these rows, whichever way it is asked."""
    numbered = list(enumerate(rows, 1))
    assert store.size() == len(rows)
    for line in (1, 2, 3, 4):
        own = [row for row in rows if row.line == line]
        assert store.head(line) == max((row.head for row in own), default=EMPTY_HEAD)
        for kinds in ((), ("table.noted",), ("table.forked",), ("table.forked", "table.undone"), SIGNPOSTS):
            for after, upto in BOUNDS:
                within = [
                    row
                    for row in own
                    if after < row.position <= (99 if upto is None else upto)
                    and (not kinds or row.kind in kinds)
                ]
                assert list(store.stretch(line, after, upto, kinds)) == within
                assert list(store.stretch(line, after, upto, kinds, backwards=True)) == within[::-1]
                assert list(store.log(after, upto, kinds)) == [
                    (number, row)
                    for number, row in numbered
                    if after < number <= (99 if upto is None else upto) and (not kinds or row.kind in kinds)
                ]
    assert all(store.stored_hash(row.line, row.position) == row.hash for row in rows)
    assert list(store.streams()) == sorted({row.line for row in rows})


@pytest.fixture(params=["all of it", "little"])
def _keeps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store on a server keeps what it may of what it has learnt, or little of it."""
    if request.param == "little":
        monkeypatch.setattr(known, "MOST_ROWS", 1)
        monkeypatch.setattr(known, "MOST_LINES", 1)
        monkeypatch.setattr(known, "MOST_HASHES", 1)


MORE = (event(1, 5, "table.undone"), event(4, 5, "table.forked"), event(2, 5, "table.undone"), event(4, 6))


@pytest.mark.usefixtures("_keeps")
def test_a_writer_reads_stored_rows_and_its_own_appends(store: EventStore) -> None:
    with store.writing():
        is_all_there(store, ROWS)
        for count, row in enumerate(MORE, 1):
            store.append([row])
            assert [found for _, found in store.log(kinds=("table.undone", "table.forked"))] == [
                row for row in (*ROWS, *MORE[:count]) if row.kind in ("table.undone", "table.forked")
            ]
        is_all_there(store, (*ROWS, *MORE))
    is_all_there(store, (*ROWS, *MORE))


@pytest.mark.usefixtures("_keeps")
def test_a_read_transaction_is_of_one_moment(place: Place, store: EventStore) -> None:
    with closing(place.open(read_only=True)) as other:
        with other.read_transaction():
            is_all_there(other, ROWS)
            with store.writing():
                store.append(MORE)
            is_all_there(other, ROWS)
            with other.read_transaction():
                is_all_there(other, ROWS)
            is_all_there(other, ROWS)

        is_all_there(other, (*ROWS, *MORE))
        with other.read_transaction():
            is_all_there(other, (*ROWS, *MORE))
    with store.writing(), store.read_transaction():
        store.append([event(2, 6)])
    is_all_there(store, (*ROWS, *MORE, event(2, 6)))


def test_a_deleted_text_is_gone_for_earlier_readers(place: Place, store: EventStore) -> None:
    def texts(of: EventStore) -> list[str | None]:
        with of.read_transaction():
            return [row.words for row in of.stretch(1, kinds=("table.undone",))]

    with closing(place.open(read_only=True)) as other:
        before = texts(other)
        assert texts(store) == before
        with store.writing():
            store.delete_texts(1, 3, (0, 1))
            gone = [row.words for row in store.stretch(1, kinds=("table.undone",))]
        assert texts(store) == texts(other) == gone == ["[null,null]"]


def test_a_person_who_stops_reading_half_way_is_in_nobodys_way(store: EventStore) -> None:
    next(store.stretch(1))
    next(store.log())

    with store.writing():
        store.append([event(1, 5)])
    assert store.settle() == remains(store)


def test_the_lock_is_waited_for_and_nobodys_event_is_lost(place: Place, store: EventStore) -> None:
    def append_ten() -> None:
        with closing(place.open()) as own:
            for _ in range(10):
                with own.writing():
                    own.append([event(1, own.head(1).position + 1)])

    threads = [threading.Thread(target=append_ten) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [row.position for row in store.stretch(1)] == list(range(1, 35))
    assert store.size() == len(ROWS) + 30


def test_what_was_recorded_is_there_when_it_is_opened_again(place: Place, store: EventStore) -> None:
    store.close()

    with closing(place.open()) as again:
        assert [row for _, row in again.log()] == list(ROWS)


# --- what is built on it ---


def test_a_writer_begins_with_the_end_and_the_state_of_one_moment(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    camp = begun(place)
    with closing(place.open()) as store:
        record = Record(store)
        head = record.head

        def head_and_then(line: int) -> Head:
            found = head(line)
            notes(camp.writer(1), "meanwhile")
            return found

        with monkeypatch.context() as patch:
            patch.setattr(record, "head", head_and_then)
            writer = CampaignStore(record, StoppedClock(), SEED).writer(1)
        assert writer.table.position == writer.head.position
        notes(writer, "afterwards")
    assert writer.table == camp.table_at(1)


def begun(place: Place) -> CampaignStore:
    made = place.new(
        lambda store: CampaignStore.begin(store, title="The Salt Road", seed=SEED, clock=StoppedClock())
    )
    made.seed = SEED
    return made


def at(camp: CampaignStore, kind: type[Event], line: int = 1) -> int:
    """The position of the first live event of that kind."""
    return next(
        one.position for one in line_events.live_events(camp.record, line) if isinstance(one.event, kind)
    )


def lived(camp: CampaignStore) -> LineWriter:
    """Everything that can be done to a line, done once; the writer is on the branch the table plays."""
    writer = play(camp.writer(1), evening())
    writer.record(c.Note(text=Words("He lies.")), Manner(visible_to="gm"))
    reveal(writer, writer.head.position)
    notes(writer, "It stays.", "It goes.")
    undo(writer, 2)
    redo(writer)
    undo(writer)
    reword(writer, at(camp, e.Narrated), Words("The line holds."))
    camp.fork(1, at(camp, e.Noted), Words("what if"))
    drawn = at(camp, e.CardsDrawn)
    line = carry_out(
        plan_retcon(writer, drawn, with_fixed_results(writer, drawn, ["QH", "JD", "10S", "7C", "4C", "3D"])),
        "the queen",
        promoted=True,
    )
    redact(camp.writer(1), plan_redaction(camp.writer(1), c.Redact(at=at(camp, e.SceneSet))))
    return camp.writer(line)


def test_a_campaign_lives_on_any_store(place: Place) -> None:
    writer = lived(begun(place))

    camp = writer.campaign
    assert camp.lines() == {1: "first-line", 2: "what if", 3: "mainline"}
    for line in camp.lines():
        rows = list(camp.record.rows(line))
        assert [row.position for row in rows] == list(range(1, camp.record.head(line).position + 1))
        assert list(camp.record.backwards(line, len(rows) + 1)) == rows[::-1]
        assert camp.table_at(line) == camp.writer(line).table == line_events.table_at(camp.record, line)
        assert not list(verify_rules(camp, line))
        assert verify_chance(camp.record, SEED, line).findings == ()
    found = verify(camp.record)
    assert (found.findings, found.events, found.redacted) == (
        (),
        camp.record.store.size(),
        2,
    )  # title and text of the scene
    texts = [
        str(one.event.text)
        for one in line_events.live_events(camp.record, 1)
        if isinstance(one.event, e.Noted)
    ]
    assert texts == ["Somebody brought cake.", "for the stair", "He lies.", "It stays."]


def test_every_store_records_the_same(place_of: PlaceOf, tmp_path: Path) -> None:
    dumps = [list(dump(lived(begun(place_of(store, tmp_path))).campaign.record)) for store in STORES]

    assert dumps[0] == dumps[1] == dumps[2]


@pytest.mark.parametrize("source", STORES)
def test_a_dump_goes_from_any_store_into_any(
    source: str, place: Place, place_of: PlaceOf, tmp_path: Path
) -> None:
    (tmp_path / "source").mkdir()
    original = lived(begun(place_of(source, tmp_path / "source"))).campaign
    lines = list(dump(original.record))
    restored = place.new(lambda store: store)

    loaded = load_into(restored, lines)

    record = Record(restored)
    assert list(dump(record)) == lines
    assert loaded.heads == {line: original.record.head(line) for line in record.store.streams()}
    assert verify(record).whole
    assert CampaignStore(record).table_at(3) == original.table_at(3)


def test_a_dump_that_breaks_off_leaves_a_store_empty(place: Place) -> None:
    lines = list(dump(lived(begun(Remembered())).campaign.record))
    store = place.new(lambda store: store)

    with pytest.raises(StoreError, match="breaks off"):
        load_into(store, lines[:-1])
    assert store.size() == 0


def test_two_writers_meet_on_one_line(place: Place) -> None:
    one = play(begun(place).writer(1), evening())
    with closing(place.open()) as store:
        other = CampaignStore(Record(store), StoppedClock()).writer(1)
        notes(one, "first")
        before = one.campaign.record.store.changes()

        done = other.record(c.Note(text=Words("second")))

        assert (done.others, other.table) == (1, other.campaign.table_at(1))
        one.catch_up()
        assert (one.head, one.table) == (other.head, other.table)
        assert one.campaign.record.store.changes() != before
        assert verify(one.campaign.record).whole


@pytest.mark.parametrize("undoes", [False, True])
def test_a_writer_follows_another_that_records_meanwhile(
    place: Place, monkeypatch: pytest.MonkeyPatch, *, undoes: bool
) -> None:
    one = play(begun(place).writer(1), evening())
    with closing(place.open()) as store:
        other = CampaignStore(Record(store), StoppedClock()).writer(1)
        follow = LineWriter._follow

        def meanwhile_and_follow(writer: LineWriter, tail: Sequence[Row]) -> None:
            notes(other, "meanwhile")
            follow(writer, tail)

        notes(other, "first")
        if undoes:
            undo(other)
        with monkeypatch.context() as patch:
            patch.setattr(LineWriter, "_follow", meanwhile_and_follow)
            one.catch_up()
        assert one.table.position == one.head.position
        one.catch_up()
        assert (one.head, one.table) == (other.head, other.table)


def test_what_comes_to_nothing_is_forgotten(place: Place) -> None:
    camp = play(begun(place).writer(1), evening()).campaign
    before = camp.record.store.size()

    def branch_and_promote_another() -> None:
        with camp.record.writing():
            line, _ = camp.branches.begin(1, 3, Words("never"), None, Manner())
            assert camp.lines()[line] == "never"
            camp.branches.promote(1, Manner())

    with pytest.raises(Refused, match="mainline already"):
        branch_and_promote_another()

    assert (camp.lines(), camp.record.store.size()) == ({1: "mainline"}, before)
    assert camp.fork(1, 3, Words("after all")) == 2


def test_snapshots_and_the_index_stand_beside_any_store(place: Place, tmp_path: Path) -> None:
    camp = begun(place)
    camp.snapshots = Snapshots(tmp_path / "a.cache")
    writer = lived(camp)
    camp.tables.keep(3, writer.head, writer.table)
    index = Index()

    index.catch_up(camp.record, camp.id)

    assert [position for position, _ in camp.snapshots.positions(3)] == [writer.head.position]
    assert camp.table_at(3) == line_events.table_at(camp.record, 3)
    sought = TextQuery(parse_terms(("cake",)), camp.record.lineage(3), writer.head.position)
    assert [(hit.line, hit.kind) for hit in index.hits(sought)] == [(3, "table.noted")]
    camp.close()


def test_amendments_are_read_from_the_store_once(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = play(begun(Remembered()).writer(1), evening())
    undo(writer)
    record = Record(writer.campaign.record.store)
    asked: list[tuple[str, ...]] = []
    stretch = InMemory.stretch

    def counting(
        store: InMemory, line: int, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Row]:
        if kinds:
            asked.append(tuple(kinds))
        return stretch(store, line, after, upto, kinds)

    with monkeypatch.context() as patch:
        patch.setattr(InMemory, "stretch", counting)
        gone = [read_amendments(record, 1, upto).gone() for upto in (3, None, writer.head.position)]
    undo(writer)

    assert asked == [AMENDING_KINDS]
    assert gone[0] == []
    assert gone[1] == gone[2] != []
    assert read_amendments(record, 1).gone() != gone[2]


@pytest.mark.parametrize("read", ["stretch", "log"])
def test_what_others_record_while_a_stretch_is_read_is_not_in_it(
    place: Place, store: EventStore, read: str
) -> None:
    reading = store.stretch(1) if read == "stretch" else store.log()
    found = [next(reading)]
    with closing(place.open()) as other, other.writing():
        other.append([event(1, 5), event(1, 6)])
    found += reading

    assert len(found) == (4 if read == "stretch" else len(ROWS))
    assert store.head(1).position == 6
