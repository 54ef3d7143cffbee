"""R27, R29 and R34: whoever rolls, makes a file or takes words away dies in the middle of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

from retold.cli.campaigns.asking import forget_redacted
from retold.cli.campaigns.opening import attach_caches, index_of
from retold.cli.campaigns.settings import Settings
from retold.cli.output.writing_files import write_lines
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import decode_event
from retold.journal.store.sqlite import file, schema
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Event
from retold.journal.vocabulary.events import DiceRolled
from retold.scribe import Scribe
from tests.journal.store.played import SEED, notes, on_disk, played
from tests.survival.attacks import Found, attacked, rows, whole
from tests.survival.moments import Dying, moments
from tests.survival.nursery import Nursery, say

# --- dice ---------------------------------------------------------------------------------------------------

THROW = Manner(act="the-throw-of-a-child")
DICE = c.Roll(dice="6d20")


def throw(path: str, at: int, seeded: bool, protected: bool) -> None:
    """A child's life: dice are rolled, shown and recorded, up to a step."""
    steps = Dying(at)
    with steps, CampaignStore.open(Path(path)) as camp:
        camp.seed = SEED if seeded else None
        writer = camp.writer(1)
        if not protected:  # shown before they are kept
            say(json.dumps(_faces(writer.would(DICE))))
        done = writer.record(DICE, THROW)
        if protected:
            say(json.dumps(_faces(done.events)))
        notes(writer, "and on", "and on")
    say(steps.taken)


def _faces(events: Iterable[Event]) -> list[int]:
    return [face for one in events if isinstance(one, DiceRolled) for face in one.faces]


def throw_and_die(folder: Path, rounds: int, protected: bool) -> Found:
    """R27: somebody dies at a step of a roll, and says it again; in turns by chance and by a seed."""
    found, path = Found(), folder / "thrown.retold"
    bases = [folder / "chance.retold", folder / "seed.retold"]
    for base, seed in zip(bases, (None, SEED), strict=True):
        CampaignStore.create(base, seed=seed).close()
    with CampaignStore.open(bases[1]) as camp:
        camp.seed = SEED
        foreseen = _faces(camp.writer(1).would(DICE))
    with Nursery(throw) as nursery:
        shutil.copy(bases[0], path)
        steps = int(nursery.child(path, 0, False, protected).said[-1])
        for number, at in enumerate(moments(steps, rounds)):
            seeded = protected and number % 2 == 1
            for beside in folder.glob("thrown*"):
                beside.unlink()
            shutil.copy(bases[seeded], path)
            life = nursery.child(path, at, seeded, protected)
            shown = json.loads(life.said[0]) if life.said else []
            found.tried += 1
            found.acknowledged += bool(shown)
            _thrown_again(path, shown, foreseen if seeded else None, found)
    return found


def _thrown_again(path: Path, shown: list[int], foreseen: list[int] | None, found: Found) -> None:
    """What was shown is what was rolled, and saying it again rolls nothing again."""
    with CampaignStore.open(path) as camp:
        camp.seed = None if foreseen is None else SEED
        kept = _kept(camp)
        found.lost += bool(shown) and kept != shown
        again = _faces(camp.writer(1).record(DICE, THROW).events)
        found.untrue += again != (foreseen or shown or kept or again)
        found.untrue += _kept(camp) != again
        found.damaged += not verify(camp.record).whole


def _kept(camp: CampaignStore) -> list[int]:
    """Every face that stands in the record."""
    return _faces(decode_event(row)[0] for row in camp.record.everything())


# --- files --------------------------------------------------------------------------------------------------

WAYS = ("new", "load", "backup", "dump")


def make(what: str, path: str, source: str, at: int, protected: bool) -> None:
    """A child's life: a file is made in one of the ways there are, up to a step."""
    if not protected:
        _in_its_place()
    steps = Dying(at)
    with steps:
        make_whole(what, Path(path), Path(source))
    say(steps.taken)


def _in_its_place() -> None:
    """The control: a file has its name from the beginning."""

    @contextmanager
    def part_of(path: Path) -> Iterator[Path]:
        path.touch()
        yield path

    for module in (file, file):
        patch.object(module, "part_of", part_of).start()
        patch.object(module, "publish", lambda _part, _path: None).start()


def make_whole(what: str, path: Path, source: Path) -> None:
    """A campaign made anew, from a dump, or from another; or a dump of one."""
    if what == "new":
        CampaignStore.create(path, title="The Salt Road").close()
    elif what == "load":
        load((source / "a.jsonl").read_bytes().splitlines(), path)
    else:
        with CampaignStore.open(source / "a.retold", read_only=True) as camp:
            if what == "backup":
                on_disk(camp).backup(path)
            else:
                write_lines(dump(camp.record), path)


def die_while_making(folder: Path, rounds: int, protected: bool) -> Found:
    """R29: somebody who makes a file dies at a step; it is whole or not there, in nobody's way."""
    source, found = folder / "from", Found()
    source.mkdir()
    attacked(source / "a.retold")
    make_whole("dump", source / "a.jsonl", source)
    with Nursery(make) as nursery:
        for what in WAYS:
            to = folder / what
            to.mkdir()
            path = to / "b.retold"
            steps = int(nursery.child(what, path, source, 0, protected).said[-1])
            for at in moments(steps, rounds):
                for one in to.iterdir():
                    one.unlink()
                nursery.child(what, path, source, at, protected)
                found.tried += 1
                _made_again(what, path, source, found)
    return found


def _made_again(what: str, path: Path, source: Path, found: Found) -> None:
    """It is there whole, or is made now; and what was left of the first try is gone."""
    if path.exists():
        found.damaged += not _good(what, path, source)
        return
    try:
        make_whole(what, path, source)
    except StoreError:
        found.untrue += 1
        return
    found.damaged += not _good(what, path, source)
    found.untrue += what != "dump" and any(one.suffix == ".part" for one in path.parent.iterdir())


def _good(what: str, path: Path, source: Path) -> bool:
    if what == "dump":
        return path.read_bytes() == (source / "a.jsonl").read_bytes()
    return whole(path) and (what == "new" or len(rows(path)) == len(rows(source / "a.retold")))


# --- words taken away ---------------------------------------------------------------------------------------

TAKEN, KEPT = "the wallaroo wept", "the wombat slept"
LONG = f"{'It rained. ' * 20}{TAKEN}{' It rained.' * 80}"
"""What is taken away, longer than what stands there afterwards; digests lie over the end of it."""


def take(folder: str, at: int, protected: bool) -> None:
    """A child's life: words are taken away, wherever they stand, up to a step."""
    steps = Dying(at)
    with _left_lying(protected), steps:
        take_whole(Path(folder))
    say(steps.taken)


@contextmanager
def _left_lying(protected: bool) -> Iterator[None]:
    """In the control, what is deleted is only said to be free."""
    left = tuple(one.replace("secure_delete = ON", "secure_delete = OFF") for one in schema.CONNECTION)
    with patch.object(schema, "CONNECTION", schema.CONNECTION if protected else left):
        yield


def take_whole(folder: Path) -> None:
    """Takes the words away, as `redact` does."""
    settings = Settings(folder / "home", {})
    with CampaignStore.open(folder / "a.retold") as camp:
        attach_caches(camp, settings)
        at = next((row.position for row in camp.record.everything() if LONG in (row.words or "")), 1)
        Scribe(camp, 1, forget=partial(forget_redacted, settings)).say(f"redact {at}")


def die_while_taking(folder: Path, rounds: int, protected: bool) -> Found:
    """R34: somebody dies at so many of the steps of a redaction; said again, no byte of the words is left."""
    base, work, found = folder / "base", folder / "work", Found()
    _remembered(base)
    with Nursery(take) as nursery, _left_lying(protected):
        shutil.copytree(base, work)
        steps = int(nursery.child(work, 0, protected).said[-1])
        for at in moments(steps, rounds):
            shutil.rmtree(work)
            shutil.copytree(base, work)
            nursery.child(work, at, protected)
            found.tried += 1
            with suppress(Refused):  # it had come so far that there is nothing more to take
                take_whole(work)
            _gone(work, found)
    return found


def _remembered(folder: Path) -> None:
    """A campaign whose words stand in its caches, and in what the console remembers, as well."""
    folder.mkdir()
    settings = Settings(folder / "home", {})
    history = settings.history()
    history.parent.mkdir(parents=True)
    history.write_text(f"\n# then\n+note: {LONG}\n\n# then\n+note: {KEPT}\n", "utf-8")
    with played(folder / "a.retold") as camp:
        attach_caches(camp, settings)
        writer = camp.writer(1)
        notes(writer, LONG, KEPT)
        index = index_of(camp, settings)
        index.catch_up(camp.record, camp.id)
        index.close()
        camp.tables.keep(1, writer.head, writer.table)


def _gone(folder: Path, found: Found) -> None:
    left = b"\n".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())
    found.untrue += TAKEN.encode() in left
    found.lost += KEPT.encode() not in left
    found.damaged += not whole(folder / "a.retold")
