"""LevelDB: the newest change of a key counts, whatever file it is in, and no damage goes unsaid."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import leveldb
from retold.sources.leveldb import Damaged, Files
from tests.retold.sources.made_up_foundry import Change, batch, block, database, edit, log, table

pytest.importorskip("cramjam")

EARLY = [
    Change(b"!messages!a", 1, b"one"),
    Change(b"!messages!b", 2, b"two"),
    Change(b"!messages!c", 3, b"three"),
]
MANIFEST = "MANIFEST-000089"


def readable(files: Mapping[str, bytes]) -> Files:
    return {name: partial(bytes, data) for name, data in files.items() if leveldb.is_part(name)}


def state(files: Mapping[str, bytes]) -> dict[bytes, bytes | None]:
    """Newest value of every key."""
    found, damaged = leveldb.newest(readable(files), leveldb.live_files(readable(files)))
    assert damaged == []
    return {key: value.data for key, value in found.items()}


def damage(files: Mapping[str, bytes]) -> list[str]:
    _, damaged = leveldb.newest(readable(files), leveldb.live_files(readable(files)))
    return [one.where for one in damaged]


def snappy(data: bytes) -> bytes:
    from cramjam import snappy as codec  # noqa: PLC0415 - the module is skipped without it

    return bytes(codec.compress_raw(data))


def raw_zlib(data: bytes) -> bytes:
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packing.compress(data) + packing.flush()


KEYS = st.binary(min_size=1, max_size=12) | st.sampled_from(
    [b"!messages!aaaa", b"!messages!aaab", b"!messages!aaaabbbb", b"!messages!"]
)
HOW: Sequence[tuple[int, Callable[[bytes], bytes]]] = (
    (0, bytes),
    (1, snappy),
    (2, zlib.compress),
    (4, raw_zlib),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(KEYS, st.none() | st.binary(max_size=300)), min_size=1, max_size=60),
    st.integers(1, 20),
    st.sampled_from([1, 100, 4_096]),
    st.sampled_from(HOW),
    st.data(),
)
def test_the_newest_change_of_a_key_counts_in_whatever_file_it_is(
    told: list[tuple[bytes, bytes | None]],
    restart: int,
    size: int,
    how: tuple[int, Callable[[bytes], bytes]],
    data: st.DataObject,
) -> None:
    changes = [Change(key, place, value) for place, (key, value) in enumerate(told, start=1)]
    places: dict[int, list[Change]] = {}
    for change in changes:
        places.setdefault(data.draw(st.integers(5, 8)), []).append(change)
    logged = places.pop(8, [])
    files = database({}, [[change] for change in logged])
    tables = {number: (number - 5, inside) for number, inside in places.items()}
    files[MANIFEST] = log([edit(tables=tables, logs_from=90)])
    files |= {
        f"{number:06}.ldb": table(inside, size=size, how=how[0], packed=how[1], restart=restart)
        for number, inside in places.items()
    }

    assert state(files) == {change.key: change.value for change in changes}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0, 1, 6, 7, 8, 500, 32_754, 32_761, 32_762, 70_000]), max_size=6))
def test_records_go_on_over_the_ends_of_blocks(sizes: list[int]) -> None:
    told = [bytes((65 + place,)) * size for place, size in enumerate(sizes)]

    assert list(leveldb.records("1.log", log(told))) == told


def test_room_that_was_reserved_and_never_written_is_the_end_of_a_block() -> None:
    data = log([b"one"]) + bytes(32_768 - 10) + log([b"two"])

    assert list(leveldb.records("1.log", data)) == [b"one", b"two"]


def test_a_deletion_in_the_log_takes_away_what_a_table_has() -> None:
    files = database({5: (1, EARLY)}, [[Change(b"!messages!b", 9)]])

    assert state(files) == {b"!messages!a": b"one", b"!messages!b": None, b"!messages!c": b"three"}


def test_a_lower_sequence_number_loses_even_in_a_later_file() -> None:
    files = database({5: (0, EARLY), 7: (0, [Change(b"!messages!a", 0, b"older")])}, [])

    assert state(files)[b"!messages!a"] == b"one"


def test_tables_and_logs_that_the_manifest_gave_up_are_dead() -> None:
    files = database({5: (1, EARLY)}, [], {4: [Change(b"!messages!d", 99, b"dead")]})

    assert "000003.log" in files
    assert set(state(files)) == {b"!messages!a", b"!messages!b", b"!messages!c"}


def test_the_former_log_counts_while_its_table_is_written() -> None:
    files = database({})
    files[MANIFEST] = log([edit(logs_from=90, former_log=3)])

    assert leveldb.live_files(readable(files)).logs == ("000003.log", "000090.log")


def test_each_change_of_a_batch_has_its_own_sequence_number() -> None:
    changes = [Change(b"b", 5, b"two"), Change(b"c", 6, b"three"), Change(b"a", 7, b"newest")]

    assert state(database({5: (0, [Change(b"a", 6, b"older")])}, [changes]))[b"a"] == b"newest"


def test_entries_are_counted_with_those_that_count_no_more() -> None:
    files = readable(
        database({5: (1, EARLY)}, [[Change(b"!messages!a", 8, b"new"), Change(b"!messages!a", 9)]])
    )
    found, _ = leveldb.newest(files, leveldb.live_files(files))

    assert {key[-1:]: value.told for key, value in found.items()} == {b"a": 3, b"b": 1, b"c": 1}


# --- CURRENT and the manifest ---


def test_a_current_file_that_names_no_manifest_gives_way_to_the_newest_one() -> None:
    files = {**database({5: (1, EARLY)}), "CURRENT": b"MANIFEST-000012\n"}
    files["MANIFEST-000004"] = log([edit(logs_from=3)])
    live = leveldb.live_files(readable(files))

    assert live.tables == ("000005.ldb",)
    assert live.warning == "The file CURRENT names no manifest that is there; the newest one is taken."


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"no manifest at all, and longer than a head",
        log([b"\x63"]),
        log([b"\x07\x01"]),
        log([edit(logs_from=3), edit()])[:-400],
    ],
)
def test_without_a_whole_manifest_every_table_and_log_is_read(manifest: bytes) -> None:
    files = {**database({5: (1, EARLY)}, [[Change(b"!messages!d", 9, b"four")]]), MANIFEST: manifest}
    live = leveldb.live_files(readable(files))

    assert (live.tables, live.logs) == (("000005.ldb",), ("000003.log", "000090.log"))
    assert live.warning.startswith("The manifest of the database is damaged: every table and log is read")
    assert state(files)[b"!messages!d"] == b"four"


def test_without_any_manifest_every_table_and_log_is_read() -> None:
    files = database({5: (1, EARLY)})
    del files[MANIFEST], files["CURRENT"]

    assert leveldb.live_files(readable(files)).tables == ("000005.ldb",)


def test_a_table_that_is_missing_is_told() -> None:
    files = database({5: (1, EARLY), 7: (1, [Change(b"!messages!d", 7, b"four")])})
    del files["000007.ldb"]
    live = leveldb.live_files(readable(files))

    assert live.tables == ("000005.ldb",)
    assert live.warning.startswith("A table is missing: every table and log is read")


def test_the_end_of_a_manifest_may_be_half_written() -> None:
    files = database({5: (1, EARLY)})
    files[MANIFEST] += log([edit(logs_from=95)])[:-3]

    assert leveldb.live_files(readable(files)).warning == ""
    assert len(state(files)) == 3


# --- Damage ---


def test_a_record_at_the_end_of_a_log_may_be_half_written() -> None:
    whole = log([batch([Change(b"!messages!a", 1, b"one")])])
    half = log([batch([Change(b"!messages!b", 2, b"two")])])[:-2]
    first, last = leveldb.records("7.log", whole + half)

    assert first == batch([Change(b"!messages!a", 1, b"one")])
    assert last == Damaged(
        "The last record of 7.log is cut off", batch([Change(b"!messages!b", 2, b"two")])[:-2]
    )


def test_a_changed_byte_of_a_log_is_told_and_the_next_block_is_read() -> None:
    data = bytearray(log([b"one", b"x" * 32_768, b"two"]))
    data[8] ^= 1

    assert list(leveldb.records("7.log", bytes(data)))[1:] == [b"two"]


def test_a_record_that_is_damaged_in_its_middle_is_told_once() -> None:
    data = bytearray(log([b"x" * 90_000, b"one"]))
    data[40_000] ^= 1
    first, last = leveldb.records("7.log", bytes(data))

    assert isinstance(first, Damaged)
    assert last == b"one"


def test_a_record_whose_end_is_missing_is_told() -> None:
    data = log([b"x" * 40_000])[:32_768] + log([b"one"])

    assert list(leveldb.records("7.log", data)) == [
        Damaged("A record of 7.log has no end", b"x" * (32_768 - 7)),
        b"one",
    ]


@pytest.mark.parametrize(("how", "packed"), HOW)
def test_a_changed_byte_of_a_table_is_told_and_its_other_blocks_are_read(
    how: int, packed: Callable[[bytes], bytes]
) -> None:
    changes = [Change(b"!messages!%d" % place, place, b"v" * 90) for place in range(10, 90)]
    files = database({5: (1, changes)})
    data = bytearray(table(changes, size=1_000, how=how, packed=packed))
    data[30] ^= 1
    files["000005.ldb"] = bytes(data)
    found, damaged = leveldb.newest(readable(files), leveldb.live_files(readable(files)))

    assert [one.where for one in damaged] == ["Block at byte 0 of 000005.ldb is damaged"]
    assert sorted(found) == [change.key for change in changes][-len(found) :]
    assert 60 < len(found) < 80


def test_a_table_without_its_end_is_damaged_as_one() -> None:
    files = database({5: (1, EARLY), 7: (1, [Change(b"!messages!d", 7, b"four")])})
    files["000005.ldb"] = files["000005.ldb"][:-1]

    assert damage(files) == ["000005.ldb is cut off"]


def test_an_index_that_leaves_out_a_block_is_damaged() -> None:
    changes = [Change(b"!messages!%d" % place, place, b"v" * 90) for place in range(10, 90)]
    data = table(changes, size=1_000, forgotten=2)
    damaged = [one for one in leveldb.blocks("5.ldb", data) if isinstance(one, Damaged)]

    assert [one.where for one in damaged] == ["The index of 5.ldb is damaged at byte 2,128"]


def test_a_block_that_would_unpack_to_too_much_is_not_unpacked() -> None:
    bomb = zlib.compress(bytes(leveldb.MOST_IN_BLOCK + 1))
    claims = b"\xff\xff\xff\x7f" + b"\x00a"

    assert damage(
        {**database({5: (1, EARLY)}), "000005.ldb": table(EARLY, how=2, packed=lambda _: bomb)}
    ) == ["The index of 000005.ldb is damaged"]
    assert damage({**database({5: (1, EARLY)}), "000005.ldb": table(EARLY, packed=lambda _: claims)}) == [
        "The index of 000005.ldb is damaged"
    ]


@pytest.mark.parametrize(("how", "packed"), HOW[1:])
def test_the_limit_of_a_block_is_for_what_it_unpacks_to(
    monkeypatch: pytest.MonkeyPatch, how: int, packed: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(leveldb, "MOST_IN_BLOCK", 200)
    changes = [Change(b"!messages!%d" % place, place, b"v" * 90) for place in range(3)]
    files = {**database({5: (1, changes)}), "000005.ldb": table(changes, how=how, packed=packed)}

    assert damage(files) == ["Block at byte 0 of 000005.ldb is damaged"]


def test_values_that_are_too_much_in_all_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leveldb, "MOST_IN_ALL", 10)

    with pytest.raises(Refused, match="larger than 2 GB"):
        state(database({5: (1, EARLY)}))


def test_a_key_that_is_too_long_is_refused() -> None:
    files = {**database({}), "000090.log": log([batch([Change(b"k" * 2_000, 1, b"v")])])}
    with_table = database({5: (1, [Change(b"k" * 2_000, 1, b"v")])})

    assert state(files) == {b"k" * 2_000: b"v"}
    assert damage(with_table) == ["The index of 000005.ldb is damaged"]


def test_a_compression_that_is_not_known_is_refused() -> None:
    files = {**database({5: (1, EARLY)}), "000005.ldb": table(EARLY, how=7, packed=bytes)}

    with pytest.raises(Refused, match=r"^000005\.ldb is compressed in a way that is not known \(7\)"):
        state(files)


@pytest.mark.parametrize(
    "record",
    [b"short", batch(EARLY)[:-1], batch(EARLY) + b"x", b"\0" * 8 + b"\xff\xff\xff\xff", b"\0" * 12 + b"x"],
)
def test_a_whole_record_that_is_no_batch_is_refused(record: bytes) -> None:
    with pytest.raises(Refused, match=r"^000090\.log is no file of a LevelDB"):
        state({**database({}), "000090.log": log([record])})


@pytest.mark.parametrize(
    "nonsense", [b"", b"\xff\xff\xff\xff", block([])[:-1], b"\x09\x01\x01ab" + b"\0" * 4 + b"\1\0\0\0"]
)
def test_a_whole_block_that_is_no_block_is_refused_or_damaged(nonsense: bytes) -> None:
    files = {**database({5: (1, EARLY)}), "000005.ldb": table(EARLY, how=0)}
    calls = iter([nonsense, block([])])
    files["000005.ldb"] = table(EARLY, how=1, packed=lambda data: snappy(next(calls, data)))

    try:
        told = damage(files)
    except Refused as refusal:
        told = [str(refusal)]
    assert len(told) == 1
    assert "000005.ldb" in told[0]


def test_numbers_have_64_bits_at_the_most() -> None:
    assert list(leveldb.blocks("5.ldb", b"\xff" * 40 + bytes.fromhex("57fb808b247547db"))) == [
        Damaged("The index of 5.ldb is damaged")
    ]


# --- Judges ---


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_what_leveldb_itself_wrote_is_read_as_it_reads_it(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    plyvel = pytest.importorskip("plyvel")
    from random import Random  # noqa: PLC0415

    luck, folder = Random(seed), tmp_path_factory.mktemp("peer")
    peer = plyvel.DB(str(folder), create_if_missing=True, write_buffer_size=40_000, max_file_size=60_000)
    for _ in range(luck.choice((3, 300, 2_000))):
        key = b"!messages!%06d" % luck.randrange(400)
        if luck.random() < 0.2:
            peer.delete(key)
        else:
            peer.put(key, luck.randbytes(luck.choice((5, 90, 90, 2_000, 40_000))))
    expected = dict(peer)
    peer.close()
    files = {path.name: path.read_bytes() for path in Path(folder).iterdir() if leveldb.is_part(path.name)}

    assert {key: value for key, value in state(files).items() if value is not None} == expected
