"""Laws of lines: a branch folds like the same events in a row; words and caches change no number."""

from __future__ import annotations

import dataclasses
import pickle
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import asdict

from retold.journal import line as line_
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.caches.snapshots import Seal, Snapshots, _TableUnpickler
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.copies.sync import copy_into
from retold.journal.store.events import line_events
from retold.journal.store.events.amendments import UndoneStretch, undone_stretches
from retold.journal.store.events.codec import decode_event
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.undo import redo, undo
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Words
from tests.exploring import tries
from tests.journal.store.played import SEED, StoppedClock, campaign, evening, notes, play, played

COMMANDS: list[Command] = [
    c.Note(text=Words("a note")),
    c.Roll(dice="2d6+1d20"),
    c.Cast(who=Words("Ana"), system="bruise", values={"clubs": 3}),
    c.Cast(who=Words("Bea"), by=Words("Jon"), text=Words("tall")),
    c.Cast(who=1, name=Words("Captain")),
    c.OpenSession(),
    c.SetScene(title=Words("The stair")),
    c.OpenConflict(system="bruise", sides=((Words("Ana"),), (Words("Guards"),))),
    c.Draw(who=1, count=3),
    c.Draw(who=2, count=2),
    c.Draw(who=3, count=2),
    c.SetOption(values={"bruise.ace": "low"}),
    c.Narrate(who=0, text=Words("told")),
    c.End(),
]

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["record"] * 6 + ["undo", "redo", "fork"]), st.integers(0, 99), st.integers(0, 99)
    ),
    min_size=5,
    max_size=30,
)

Flat = dict[int, list[LiveEvent]]
"""Every line as one plain row of events."""


def grow(camp: CampaignStore, actions: list[tuple[str, int, int]]) -> Flat:
    """A tree of lines from a list of actions; each action that is refused is passed over."""
    for name, which, number in actions:
        lines = camp.record.store.streams()
        writer = camp.writer(lines[which % len(lines)])
        try:
            match name:
                case "record":
                    writer.record(COMMANDS[number % len(COMMANDS)])
                case "undo":
                    undo(writer, 1 + number % 2)
                case "redo":
                    redo(writer)
                case "fork":
                    at = 1 + number % writer.head.position
                    camp.fork(writer.line, at, Words(f"branch {len(lines)}"))
        except (Refused, CannotWrite):
            continue
    return {line: flat(camp, line) for line in camp.record.store.streams()}


def flat(camp: CampaignStore, line: int) -> list[LiveEvent]:
    """All events of a line, copied together in a way of its own: from each row's own line number."""
    own = [row for row in camp.record.everything() if row.line == line]
    first = decode_event(own[0])[0]
    before = [] if not isinstance(first, e.Forked) else flat(camp, first.parent)[: first.at]
    return [*before, *(LiveEvent(row.position, *decode_event(row)) for row in own)]


def folded(lives: list[LiveEvent]) -> Table:
    """What a plain row of events comes to."""
    changes = [one.event for one in lives if isinstance(one.event, e.Undone | e.Redone)]
    gone = undone_stretches((change.kind, UndoneStretch(change.first, change.last)) for change in changes)
    return line_.fold(
        live for live in lives if not any(first <= live.position <= last for first, last in gone)
    )


slow = settings(max_examples=tries(20), deadline=None, suppress_health_check=list(HealthCheck))


@slow
@given(ACTIONS)
def test_a_branch_folds_like_the_same_events_in_a_row(actions: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder, campaign(Path(folder) / "a.retold") as camp:
        for line, lives in grow(camp, actions).items():
            assert line_events.table_at(camp.record, line) == folded(lives)
            assert [row.position for row in camp.record.rows(line)] == list(range(1, len(lives) + 1))
            assert [row.position for row in camp.record.backwards(line, len(lives) + 1)] == list(
                range(len(lives), 0, -1)
            )
            for at in range(1, len(lives) + 1, 3):
                assert line_events.table_at(camp.record, line, at) == folded(lives[:at])
        assert verify(camp.record).findings == ()


@settings(slow, max_examples=tries(8))
@given(ACTIONS, ACTIONS)
def test_with_snapshots_and_without_the_table_is_the_same(
    actions: list[tuple[str, int, int]], more: list[tuple[str, int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for module in ("writing.campaign", "caches.snapshots"):
            patch.setattr(f"retold.journal.store.{module}.EVERY", 2)
        patch.setattr("retold.journal.store.caches.snapshots.KEPT_AT_THE_HEAD", 1)
        with campaign(Path(folder) / "a.retold") as camp:
            camp.snapshots = Snapshots(Path(folder) / "a.cache")
            for each in (actions, more):
                for line, lives in grow(camp, each).items():
                    for at in range(1, len(lives) + 1):
                        assert camp.table_at(line, at) == folded(lives[:at])
                    assert camp.table_at(line) == folded(lives)
                    assert camp.writer(line).table == folded(lives)


# --- words ---


def bare(value: Any) -> Any:  # noqa: ANN401
    """A table without what depends on a name: the words themselves, and what is looked up by them."""
    if isinstance(value, Words):
        return None
    if dataclasses.is_dataclass(value):
        value = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    if isinstance(value, Struct):
        value = {name: one for name, one in asdict(value).items() if name != "marks"}
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [bare(one) for one in value]
    return value


def test_folded_without_its_words_a_line_gives_the_same_numbers(place: Address) -> None:
    with played(place) as camp:
        play(camp.writer(1), [c.Mark(name=Words("here")), c.End(), c.End(what="session"), c.OpenSession()])
        before = camp.table_at(1)
        rows = [row for row in camp.record.rows(1) if row.words is not None]
        with camp.record.writing():
            for row in rows:
                camp.record.delete_texts(1, row.position, range(row.words.count("[") - 1))  # type: ignore[union-attr]
        after = camp.table_at(1)

        assert bare(after) == bare(before)
        assert after.people[1].name.text is None


# --- snapshots ---


@pytest.fixture(scope="module")
def long_evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampaignStore]:
    """An evening with many notes; copied, never written to."""
    with played(tmp_path_factory.mktemp("long") / "a.retold") as camp:
        notes(camp.writer(1), *map(str, range(300)))
        yield camp


@pytest.fixture
def long_camp(long_evening: CampaignStore, place: Address) -> Iterator[CampaignStore]:
    """A copy of that evening to write to."""
    places.restored(place, partial(copy_into, source=long_evening.record))
    with CampaignStore.open(place, clock=StoppedClock(count(10_000))) as camp:
        yield camp


@pytest.fixture
def cached(long_camp: CampaignStore, tmp_path: Path) -> CampaignStore:
    """A campaign whose head is kept in a cache."""
    long_camp.snapshots = Snapshots(tmp_path / "a.cache")
    long_camp.table_at(1)
    return long_camp


def kept(camp: CampaignStore) -> list[tuple[int, bytes]]:
    assert camp.snapshots is not None
    return list(camp.snapshots.positions(1))


def in_cache(camp: CampaignStore, sql: str, *given_: object) -> None:
    assert camp.snapshots is not None
    with closing(sqlite3.connect(camp.snapshots.path)) as db:
        db.execute(sql, given_)
        db.commit()


def count_folded(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many events are folded to open the line; the table is checked against one without a cache."""
    folded_: list[LiveEvent] = []
    evolve = line_.evolve

    def counted(table: Table, live: LiveEvent) -> None:
        folded_.append(live)
        evolve(table, live)

    monkeypatch.setattr(line_, "evolve", counted)
    table = camp.table_at(1)
    monkeypatch.undo()
    assert table == line_events.table_at(camp.record, 1)
    return len(folded_)


def test_a_line_opens_from_its_snapshot(cached: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept(cached)
    assert count_folded(cached, monkeypatch) == 0


def test_a_line_opens_from_a_snapshot_after_an_undo_long_ago(
    cached: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = cached.writer(1)
    undo(writer, 2)
    notes(writer, *map(str, range(300)))
    cached.table_at(1)

    assert count_folded(cached, monkeypatch) == 0


def test_a_snapshot_is_not_used_where_an_undo_reaches_behind_it(
    cached: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with CampaignStore.open(cached.place) as other:
        undo(other.writer(1), 2)

    assert count_folded(cached, monkeypatch) > 300


@pytest.mark.parametrize("at", [0, 5, 40, 200, -1])
def test_a_snapshot_with_a_flipped_bit_is_ignored(
    at: int, cached: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    (position, _), *_ = kept(cached)
    assert cached.snapshots is not None
    with closing(sqlite3.connect(cached.snapshots.path)) as db:
        (state,) = db.execute("SELECT state FROM snapshot WHERE position = ?", (position,)).fetchone()
    spoilt = bytearray(state)
    spoilt[at] ^= 1
    in_cache(cached, "UPDATE snapshot SET state = ?", bytes(spoilt))

    assert count_folded(cached, monkeypatch) > 0


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE snapshot SET code = zeroblob(32)",
        "UPDATE snapshot SET hash = zeroblob(32)",
        "UPDATE snapshot SET position = 7",
        "UPDATE snapshot SET state = x''",
        "DROP TABLE snapshot",
        "DELETE FROM snapshot",
    ],
)
def test_a_foreign_or_stale_snapshot_is_ignored(
    change: str, cached: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_cache(cached, change)

    assert count_folded(cached, monkeypatch) > 0


def test_a_cache_that_is_no_cache_is_no_matter(long_camp: CampaignStore, tmp_path: Path) -> None:
    (tmp_path / "a.cache").write_text("hello")
    long_camp.snapshots = Snapshots(tmp_path / "a.cache")

    assert long_camp.table_at(1) == line_events.table_at(long_camp.record, 1)
    notes(long_camp.writer(1), "and on")
    assert long_camp.table_at(1) == line_events.table_at(long_camp.record, 1)


class Evil:
    """Would run something when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("run",)


class EvilWithin:
    """Reaches for something that a module of ours has imported."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.home, ()


@pytest.mark.parametrize(
    "state",
    [
        pickle.dumps(Evil()),
        pickle.dumps(EvilWithin()),
        b"cjournal.decks.chance\nsecrets.token_hex\n)R.",
        b"\x80\x04\x8c\x14journal.decks.chance\x8c\x11secrets.token_hex\x93)R.",
        b"cjournal.decks.chance\nsecrets\n.",
        b"cjournal.store.sqlite.unfinished_files\nos\n.",
    ],
)
def test_a_strange_cache_runs_nothing(
    state: bytes, cached: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io  # noqa: PLC0415

    (position, hash_), *_ = kept(cached)
    in_cache(cached, "UPDATE snapshot SET state = ?", Seal(b"", 1, position, hash_).of(state) + state)

    assert count_folded(cached, monkeypatch) > 0
    with pytest.raises(pickle.UnpicklingError):
        _TableUnpickler(io.BytesIO(state)).load()


def test_a_kept_table_is_loaded_unchanged(cached: CampaignStore) -> None:
    assert cached.snapshots is not None
    table = line_events.table_at(cached.record, 1)
    cached.snapshots.keep(1, 5, b"h", table)

    assert cached.snapshots.load(1, 5, b"h") == table
    assert cached.snapshots.load(1, 5, b"another") is None


def test_another_release_trusts_no_snapshot_of_this_one(
    cached: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("retold.journal.store.caches.snapshots.code_digest", lambda: b"another")
        assert count_folded(cached, monkeypatch) > 0


def test_the_seed_is_asked_for_where_it_is_not_at_hand(place: Address) -> None:
    played(place).close()
    with CampaignStore.open(place) as camp:
        writer = camp.writer(1)
        with pytest.raises(Refused, match="does not hold"):
            writer.record(c.Roll(dice="1d6"))
        writer.record(c.Roll(dice="1d6", results=("3",)))
        camp.seed = SEED
        writer.record(c.Roll(dice="1d6"))


def test_an_evening_is_played_again_to_the_same_events(place: Address, tmp_path: Path) -> None:
    with played(place) as one, campaign(tmp_path / "b.retold") as other:
        play(other.writer(1), evening())

        assert [live.event for live in line_events.live_events(one.record, 1)] == [
            live.event for live in line_events.live_events(other.record, 1)
        ]
        assert one.record.head(1) == other.record.head(1)
