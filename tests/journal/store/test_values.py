"""Values kept beside the tables: what is not what was kept is not used, and told of."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retold.journal.store.caches.projection_cache import ProjectionCache, cache_troubles
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import played


@pytest.fixture
def camp(tmp_path: Path) -> Iterator[CampaignStore]:
    """A campaign with two values in its cache, one of them worked out by other code."""
    with played(tmp_path / "a.retold") as camp:
        camp.snapshots = Snapshots(tmp_path / "a.cache", key=b"k" * 32)
        ProjectionCache(camp.snapshots, "numbers", int, b"").keep(1, 5, b"h", 7)
        ProjectionCache(camp.snapshots, "names", str, b"older").keep(1, 5, b"h", "Zel")
        yield camp


def numbers(camp: CampaignStore) -> int | None:
    assert camp.snapshots is not None
    return ProjectionCache(camp.snapshots, "numbers", int, b"").load(1, 5, b"h")


def told(camp: CampaignStore, *spoiling: str) -> tuple[str, ...]:
    """What is said of the cache once these were done to it."""
    assert camp.snapshots is not None
    with closing(sqlite3.connect(camp.snapshots.path)) as db, db:
        for one in spoiling:
            db.execute(one)
    return cache_troubles(camp.snapshots, camp.table_at(1))


def test_of_what_is_as_it_was_kept_nothing_is_said(camp: CampaignStore) -> None:
    assert (numbers(camp), told(camp)) == (7, ())


@pytest.mark.parametrize(
    "spoiling",
    [
        "UPDATE value SET value = CAST(value || 'x' AS BLOB) WHERE name = 'numbers'",
        "UPDATE value SET hash = CAST('other' AS BLOB) WHERE name = 'numbers'",
        "UPDATE value SET value = (SELECT value FROM value WHERE name = 'names') WHERE name = 'numbers'",
    ],
)
def test_what_is_not_what_was_kept_is_named(camp: CampaignStore, spoiling: str) -> None:
    said = told(camp, spoiling)

    assert said == ("The cached projection numbers of line 1 at position 5 is not used: its seal is broken.",)


def test_what_other_code_had_worked_out_is_no_trouble(camp: CampaignStore) -> None:
    assert told(camp, "UPDATE value SET code = CAST('of another release' AS BLOB), value = 0") == ()
    assert numbers(camp) is None


def test_if_it_holds_what_no_value_is_that_is_said_once(camp: CampaignStore) -> None:
    (said,) = told(camp, "UPDATE value SET value = 7 WHERE name = 'numbers'")

    assert "cannot be used" in said
    assert numbers(camp) is None
