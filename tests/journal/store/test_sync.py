"""Two copies of a campaign: compared by their chains, brought together, and told apart where both went on."""

from __future__ import annotations

from pathlib import Path

import pytest

from journal.refused import Refused
from journal.store import sync
from journal.store.campaign import CampaignStore
from journal.store.dump import dump
from journal.store.redact import plan_redaction, redact
from journal.store.sqlite.file import restore
from journal.store.sync import bring_together, compare, copy_into, words_standing
from journal.store.undo import undo
from journal.store.verify import verify
from journal.vocabulary import commands as c
from journal.vocabulary.base import Words
from tests.journal.store.played import StoppedClock, notes, played


@pytest.fixture
def two(tmp_path: Path):
    """A campaign with an evening on it, and a copy of it."""
    here = played(tmp_path / "here.retold")
    restore(tmp_path / "there.retold", lambda file: copy_into(file, here.record))
    there = CampaignStore.open(tmp_path / "there.retold")
    with here, there:
        yield here, there


def dumped(camp: CampaignStore) -> list[str]:
    return list(dump(camp.record))


def test_x(two) -> None:
    here, there = two
    assert dumped(here) == dumped(there)
    line = here.fork(1, 6, Words("kinder"))
    notes(here.writer(line), "a", "b")
    here.promote(line)
    notes(there.writer(1), "x") if 0 else None
    done = bring_together(here.record, there.record)
    print(done)
    assert dumped(here) == dumped(there)
    notes(there.writer(line), "from there")
    notes(here.writer(1), "from here")
    w = there.writer(1)
    redact(w, plan_redaction(w, c.Redact(at=6))) if 0 else None
    done = bring_together(here.record, there.record)
    print(done)
    assert sorted(dumped(here)) == sorted(dumped(there))
    w = there.writer(1)
    n = [r for r in there.record.rows(1) if r.words]
    redact(w, plan_redaction(w, c.Redact(at=n[-1].position)))
    done = bring_together(here.record, there.record)
    print(done)
    assert sorted(dumped(here)) == sorted(dumped(there))
    assert verify(here.record).whole and verify(there.record).whole
    notes(here.writer(1), "1","2")
    notes(there.writer(1), "3")
    print(bring_together(here.record, there.record))
