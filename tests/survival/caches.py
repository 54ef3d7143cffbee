"""R4 and R30: caches that were left in the middle of being written, and caches that hold something else."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

from retold.journal.store.caches import snapshots
from retold.journal.store.caches.index import Index, TextQuery
from retold.journal.store.caches.projection_cache import ProjectionCache
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.events.text_matching import parse_terms
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import notes, played
from tests.survival.attacks import Found, attacked
from tests.survival.moments import Dying, moments
from tests.survival.nursery import Nursery, say

SOUGHT = "harbour"
ACTS = 3


@contextmanager
def _piece_by_piece(_index: Index) -> Iterator[None]:
    """What is to be together is not: each statement is kept by itself."""
    yield


def record_and_keep(path: str, at: int, protected: bool) -> None:
    """A child's life: acts, each with its table kept and its words indexed, up to a step."""
    if not protected:
        patch.object(Index, "_transaction", _piece_by_piece).start()
    steps = Dying(at)
    with steps, CampaignStore.open(Path(path)) as camp:
        camp.snapshots = Snapshots(Path(f"{path}.cache"))
        index = Index(Path(f"{path}.cache"))
        writer = camp.writer(1)
        for number in range(ACTS):
            notes(writer, f"{SOUGHT} {number}")
            say(number)
            camp.tables.keep(1, writer.head, writer.table)
            index.catch_up(camp.record, camp.id)
    say(steps.taken)


def die_between(folder: Path, rounds: int, protected: bool) -> Found:
    """R4: somebody dies between the record and what is made of it, at so many of the steps there are."""
    base, path = folder / "base.retold", folder / "kept.retold"
    attacked(base)
    with CampaignStore.open(base) as camp:
        _hits(camp, folder / "base.retold.cache")
        notes(camp.writer(1), *(f"{SOUGHT} of old {number}" for number in range(400)))
    found = Found()
    with Nursery(record_and_keep) as nursery:
        _laid_out(base, path)
        steps = int(nursery.child(path, 0, protected).said[-1])
        for at in moments(steps, rounds):
            _laid_out(base, path)
            life = nursery.child(path, at, protected)
            found.tried += 1
            found.acknowledged += len(life.said)
            _compare(path, len(life.said), found)
    return found


def _laid_out(base: Path, path: Path) -> None:
    """The campaign with its cache, from which the last acts are missing."""
    for beside in path.parent.glob(f"{path.name}*"):
        beside.unlink()
    for suffix in ("", ".cache"):
        shutil.copy(f"{base}{suffix}", f"{path}{suffix}")


def _compare(path: Path, said: int, found: Found) -> None:
    """What the caches give has to be what the record gives without them."""
    try:
        with CampaignStore.open(path) as camp:
            found.lost += sum(f"{SOUGHT} {number}" not in _words(camp) for number in range(said))
            plain, bare = camp.table_at(1), _hits(camp, None)
            camp.snapshots = Snapshots(Path(f"{path}.cache"))
            found.untrue += camp.table_at(1) != plain
            found.untrue += _hits(camp, Path(f"{path}.cache")) != bare
            found.damaged += not verify(camp.record).whole
    except StoreError:
        found.damaged += 1


def _words(camp: CampaignStore) -> str:
    return "\n".join(row.words or "" for row in camp.record.everything())


def _hits(camp: CampaignStore, cache: Path | None) -> list[tuple[int, int]]:
    index = Index(cache)
    index.catch_up(camp.record, camp.id)
    hits = index.hits(TextQuery(parse_terms([SOUGHT]), camp.record.lineage(1), camp.record.head(1).position))
    found = [(hit.line, hit.position) for hit in hits]
    index.close()
    return found


# --- what is kept is not what was kept ----------------------------------------------------------------------

Spoil = Callable[[Path, Random], None]


def _flip(path: Path, random: Random) -> None:
    """A bit of a table flips."""
    with closing(sqlite3.connect(path)) as db, db:
        position, state = random.choice(db.execute("SELECT position, state FROM snapshot").fetchall())
        spoilt = bytearray(state)
        bit = random.randrange(len(spoilt) * 8)
        spoilt[bit // 8] ^= 1 << bit % 8
        db.execute("UPDATE snapshot SET state = ? WHERE position = ?", (bytes(spoilt), position))


def _flip_value(path: Path, random: Random) -> None:
    """A bit of a value kept beside them flips."""
    with closing(sqlite3.connect(path)) as db, db:
        position, value = random.choice(db.execute("SELECT position, value FROM value").fetchall())
        spoilt = bytearray(value)
        spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
        db.execute("UPDATE value SET value = ? WHERE position = ?", (bytes(spoilt), position))


def _older(path: Path, random: Random) -> None:
    """An older release, which folded otherwise, had kept another table under the same head."""
    with closing(sqlite3.connect(path)) as db, db:
        (other,) = db.execute("SELECT state FROM snapshot ORDER BY position LIMIT 1").fetchone()
        last = db.execute("SELECT line, position, hash FROM snapshot ORDER BY position DESC").fetchone()
        db.execute("DELETE FROM snapshot")
        db.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)", (*last, b"an older one", other))


def _cut(path: Path, random: Random) -> None:
    """The end of the file is missing."""
    path.write_bytes(path.read_bytes()[: random.randrange(path.stat().st_size)])


def _noise(path: Path, random: Random) -> None:
    """A stretch of the file is something else."""
    data = bytearray(path.read_bytes())
    begin = random.randrange(len(data))
    data[begin : begin + 512] = random.randbytes(len(data[begin : begin + 512]))
    path.write_bytes(bytes(data))


def _letter(path: Path, random: Random) -> None:
    """The file is another one."""
    path.write_text("Dear diary,\n" * random.randrange(300), "utf-8")


SPOILT: tuple[Spoil, ...] = (_flip, _flip_value, _older, _cut, _noise, _letter)


def _numbers(cache: Snapshots) -> ProjectionCache[int]:
    """What is worked out beside the tables, for this attack: how many notes there are."""
    return ProjectionCache(cache, "numbers", int, b"")


def spoil_tables(folder: Path, rounds: int, protected: bool) -> Found:
    """R30: what is kept of a line is flipped, cut, older or something else; tables and values are right."""
    base, cache, random = folder / "base.cache", folder / "other.cache", Random(30)
    found = Found()
    with played(folder / "a.retold") as camp, ExitStack() as off:
        if not protected:  # whoever kept it, and whatever became of it
            off.enter_context(patch.object(snapshots, "code_digest", lambda: b"an older one"))
            off.enter_context(patch.object(snapshots.Seal, "of", lambda _seal, _state: bytes(32)))
        writer = camp.writer(1)
        kept = Snapshots(base)
        for number in range(20):
            notes(writer, f"number {number}")
            kept.keep(1, writer.head.position, writer.head.hash, writer.table)
            _numbers(kept).keep(1, writer.head.position, writer.head.hash, number)
        kept.close()
        plain = camp.table_at(1)
        for number in range(rounds):
            for beside in folder.glob("other.cache*"):
                beside.unlink()
            shutil.copy(base, cache)
            SPOILT[number % len(SPOILT)](cache, random)
            camp.snapshots = Snapshots(cache)
            found.tried += 1
            found.untrue += camp.table_at(1) != plain
            last = _numbers(camp.snapshots).load(1, writer.head.position, writer.head.hash)
            found.untrue += last not in (None, 19)
            camp.snapshots.close()
    return found
