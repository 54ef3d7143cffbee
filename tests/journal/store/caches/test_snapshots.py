"""Snapshots on every Python: they are used where they were kept, and a cache that is refused is told of."""

from __future__ import annotations

import pickle
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from enum import Enum
from pathlib import Path

import pytest

from retold.journal.store.caches import snapshots
from retold.journal.store.caches.snapshots import Seal, Snapshots, _sealed, _unsealed
from retold.journal.store.events import line_events
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import notes, played
from tests.journal.test_systems import every_system, tables

SEAL = Seal(b"", 1, 5, b"h")
NO_PART = r"builtins.getattr is not part of a table"


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def camp(tmp_path: Path, heard: list[str]) -> Iterator[CampaignStore]:
    """A long campaign; what goes wrong with its cache is heard."""
    with played(tmp_path / "a.retold") as camp:
        notes(camp.writer(1), *map(str, range(300)))
        camp.snapshots = Snapshots(tmp_path / "a.cache", heard.append)
        yield camp


def enums() -> Iterator[type[Enum]]:
    for name, module in list(sys.modules.items()):
        if name.startswith("retold.journal."):
            yield from (
                one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Enum)
            )


def as_older_pythons_do(member: Enum, _protocol: int) -> tuple[object, ...]:
    """How Python 3.11.0 to 3.11.3 take a member of an Enum apart."""
    return getattr, (type(member), member.name)


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> None:
    """Members of an Enum as Debian's own Python pickles them."""
    list(map(tables, SYSTEMS.values()))
    for one in set(enums()) - {Enum}:
        monkeypatch.setattr(one, "__reduce_ex__", as_older_pythons_do)


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way tables were written before, with whatever an Enum makes of itself."""
    monkeypatch.delattr(snapshots._TablePickler, "reducer_override")


@every_system
def test_F1_a_table_is_kept_alike_on_every_python(system: System, older: None) -> None:
    for table in tables(system):
        assert _unsealed(_sealed(table, SEAL), SEAL) == table


def test_F1_left_to_the_enums_a_table_is_refused_there(older: None, plainly: None) -> None:
    *_, table = tables(SYSTEMS["spacetime"])

    with pytest.raises(pickle.UnpicklingError, match=NO_PART):
        _unsealed(_sealed(table, SEAL), SEAL)


def test_F1_a_cache_that_is_used_has_nothing_to_say(camp: CampaignStore, heard: list[str]) -> None:
    assert camp.snapshots is not None
    table = camp.table_at(1)

    assert list(camp.snapshots.positions(1))
    assert list(camp.snapshots.troubles(table)) == heard == []


def test_F1_a_snapshot_that_is_refused_is_told_of(camp: CampaignStore, heard: list[str]) -> None:
    assert camp.snapshots is not None
    table = camp.table_at(1)
    ((position, _),) = camp.snapshots.positions(1)
    with closing(sqlite3.connect(camp.snapshots.path)) as db, db:
        db.execute("UPDATE snapshot SET state = CAST(state || 'x' AS BLOB)")
    sentence = f"The snapshot of line 1 at position {position} is not used: its seal is broken."

    assert list(camp.snapshots.troubles(table)) == [sentence]
    assert camp.table_at(1) == table
    assert heard == [sentence]


def test_F1_one_that_is_refused_gives_way_to_a_good_one(camp: CampaignStore) -> None:
    assert camp.snapshots is not None
    table = camp.table_at(1)
    with closing(sqlite3.connect(camp.snapshots.path)) as db, db:
        db.execute("UPDATE snapshot SET state = CAST(state || 'x' AS BLOB)")
    camp.table_at(1)

    assert list(camp.snapshots.troubles(table)) == []


def test_F1_if_every_snapshot_is_refused_it_is_told(
    camp: CampaignStore, heard: list[str], older: None, plainly: None
) -> None:
    assert camp.snapshots is not None
    *_, table = tables(SYSTEMS["spacetime"])
    camp.snapshots.keep(1, 5, b"h", table)

    assert camp.snapshots.load(1, 5, b"h") is None
    assert heard == [f"The snapshot of line 1 at position 5 is not used: {NO_PART}."]
    assert list(camp.snapshots.troubles(table)) == [
        f"No snapshot of this table can be used, so it is folded from its beginning each time: {NO_PART}.",
        *heard,
    ]


def test_F1_a_file_that_is_no_cache_is_told_of(tmp_path: Path, camp: CampaignStore, heard: list[str]) -> None:
    path = tmp_path / "a.cache"
    path.write_text("no cache at all")
    assert camp.snapshots is not None
    table = camp.table_at(1)
    reason = "file is not a database"

    assert set(heard) == {
        f"The cache {path} cannot be used ({reason}); it may be deleted, nothing depends on it."
    }
    assert list(camp.snapshots.troubles(table)) == heard[:1]


# --- whose they are ---------------------------------------------------------------------------------------

MINE, THEIRS = b"my own key", b"another key"


def forged(camp: CampaignStore, key: bytes) -> None:
    """The snapshot there is, with other people in it, sealed with a key."""
    assert camp.snapshots is not None
    ((position, hash_),) = camp.snapshots.positions(1)
    table = camp.table_at(1, position)
    table.people[1].name = Words("Nobody")
    Snapshots(camp.snapshots.path, key=key).keep(1, position, hash_, table)


@pytest.fixture
def keyed(camp: CampaignStore, heard: list[str]) -> CampaignStore:
    """The long campaign with a snapshot that is sealed with a key of its own."""
    assert camp.snapshots is not None
    camp.snapshots = Snapshots(camp.snapshots.path, heard.append, key=MINE)
    camp.table_at(1)
    return camp


def test_S7_a_snapshot_forged_without_the_key_is_not_trusted(keyed: CampaignStore, heard: list[str]) -> None:
    forged(keyed, THEIRS)

    assert keyed.table_at(1) == line_events.table_at(keyed.record, 1)
    assert ["its seal is broken" in one for one in heard] == [True]


def test_S7_with_the_key_it_would_be(keyed: CampaignStore) -> None:
    """The control, and what is not promised: who can read the key can write what is believed."""
    forged(keyed, MINE)

    assert keyed.table_at(1).name(1) == "Nobody"


def test_S7_a_table_that_is_another_moments_is_not_believed(keyed: CampaignStore, heard: list[str]) -> None:
    assert keyed.snapshots is not None
    ((position, hash_),) = keyed.snapshots.positions(1)
    keyed.snapshots.keep(1, 5, b"h", keyed.table_at(1, 5))
    with closing(sqlite3.connect(keyed.snapshots.path)) as db, db:
        (early,) = db.execute("SELECT state FROM snapshot WHERE position = 5").fetchone()
        db.execute("UPDATE snapshot SET state = ? WHERE position = ?", (early, position))

    assert keyed.snapshots.load(1, position, hash_) is None
    assert heard == [f"The snapshot of line 1 at position {position} is not used: its seal is broken."]


def test_a_changed_game_makes_other_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "uno").mkdir()
    monkeypatch.setattr(snapshots, "FOLDER", tmp_path)
    found = set()
    for rules in (None, "LIMIT = 7\n", "LIMIT = 700\n"):
        if rules is not None:
            (tmp_path / "uno/rules.py").write_text(rules)
        snapshots.digest_of.cache_clear()
        found.add(snapshots.code_digest())
    snapshots.digest_of.cache_clear()

    assert len(found) == 3
