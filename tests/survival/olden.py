"""R28: every sample of the format is read; kinds that somebody later will write are kept."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random
from unittest.mock import patch

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Draft, Row
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events.codec import canonical, decode
from retold.journal.store.events.kinds import EVENTS
from retold.journal.store.events.record import Record
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Event
from tests.journal.store.events.test_codec import samples
from tests.journal.store.played import on_disk
from tests.survival.attacks import Found, attacked, rows
from tests.survival.saying import say

READ = (
    ("log", "-n", "0", "--all"),
    ("show",),
    ("replay",),
    ("export", "-f", "markdown"),
    ("stats",),
    ("branches",),
)


def read_the_old_and_the_new(folder: Path, rounds: int, protected: bool) -> Found:
    """R28: all samples, and so many events of kinds not known here: kept, shown, never written past."""
    found, random = Found(), Random(28)
    stored = samples()
    for sample in stored:
        words = None if sample["words"] is None else canonical(sample["words"])
        row = Row(1, 1, str(sample["kind"]), canonical(sample["body"]), words, b"")
        found.tried += 1
        found.untrue += not isinstance(decode(row).event, Event)
    with ExitStack() as off:
        if not protected:
            off.enter_context(patch.object(Record, "everything", _what_is_known))
        for number in range(rounds):
            path = folder / f"{number}.retold"
            attacked(path)
            sample = random.choice([one for one in stored if '"i":1,"n":1' in canonical(one["body"])])
            words = None if sample["words"] is None else canonical(sample["words"])
            kind = (f"{sample['kind']}@9", f"table.later-{number}", f"guest-{number}.thing@2")[number % 3]
            with CampaignStore.open(path) as camp, camp.record.writing():
                draft = Draft(kind, canonical(sample["body"]), words)
                camp.record.append(1, camp.record.head(1), [draft])
            found.tried += 1
            _ask(path, kind, found)
    return found


def _what_is_known(record: Record, kinds: tuple[str, ...] = ()) -> object:
    """The control: what is not understood is passed over."""
    return (row for _, row in record.store.log(kinds=kinds) if row.kind in EVENTS)


def _ask(path: Path, kind: str, found: Found) -> None:
    for words in READ:
        said = say(path.parent, "-c", path.name, *words)
        found.damaged += not said.is_foreseen
        found.untrue += words[0] == "log" and kind not in said.out.decode()
    said = say(path.parent, "-c", path.name, "note:", "x")
    if kind.startswith("guest"):  # whose events touch nothing but what is its own
        found.untrue += said.code != 0 or "is not installed here" not in said.err
    else:
        found.untrue += said.code != 1 or "does not know" not in said.err
    was = rows(path)
    try:
        with CampaignStore.open(path, read_only=True) as camp:
            load(dump(camp.record), path.with_suffix(".again"))
            on_disk(camp).backup(path.with_suffix(".copy"))
        found.lost += (
            not rows(path) == rows(path.with_suffix(".again")) == rows(path.with_suffix(".copy")) == was
        )
    except StoreError:
        found.lost += 1
