"""A receipt says that acts are missing only if they are, also if it was cut off while it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.store.disk.last_seen import files_seen
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import notes, on_disk


@pytest.fixture
def camp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CampaignStore]:
    """A campaign of eight events, of which this computer keeps a receipt."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    with CampaignStore.create(tmp_path / "salt.retold") as camp:
        notes(camp.writer(1), *map(str, range(7)))
        yield camp


def receipt_after(camp: CampaignStore, *texts: str) -> bytes:
    notes(camp.writer(1), *texts)
    return camp.last_seen.path.read_bytes()


def of_an_older_release(receipt: bytes) -> bytes:
    """The same receipt as releases up to 0.2 wrote it: without a checksum."""
    return receipt.partition(b" ")[2]


def torn(before: bytes, after: bytes) -> Iterator[bytes]:
    """What may be in the file if the system stops while `after` is written over `before`."""
    for written in range(len(after) + 1):
        yield after[:written] + before[written:]
        yield after[:written]
        yield after[:written] + bytes(max(0, len(before) - written))


@pytest.mark.parametrize("older", [False, True], ids=["over a receipt", "over one of an older release"])
def test_S5_a_torn_receipt_is_no_missing_act(older: bool, camp: CampaignStore) -> None:
    before = receipt_after(camp, "the ninth")
    after = receipt_after(camp, "the tenth, with another digit")
    if older:
        before = of_an_older_release(before)

    for content in torn(before, after):
        camp.last_seen.path.write_bytes(content)
        assert camp.last_seen.missed() is None


@pytest.mark.parametrize("older", [False, True], ids=["a receipt", "one of an older release"])
def test_a_whole_receipt_tells_of_a_missing_act(older: bool, camp: CampaignStore, tmp_path: Path) -> None:
    """The control for both forms."""
    path, backup = tmp_path / "salt.retold", tmp_path / "backup.retold"
    on_disk(camp).backup(backup)
    receipt = receipt_after(camp, "the last")
    camp.close()
    backup.replace(path)

    with CampaignStore.open(path) as behind:
        behind.last_seen.path.write_bytes(of_an_older_release(receipt) if older else receipt)

        assert re.search(
            r"lacks what was recorded last .* up to 9 \(receipt 1:9:", behind.last_seen.missed() or ""
        )
        assert list(files_seen()) == [path]


def test_another_act_in_the_place_of_the_last_one_is_a_missing_act(
    camp: CampaignStore, tmp_path: Path
) -> None:
    path, backup = tmp_path / "salt.retold", tmp_path / "backup.retold"
    on_disk(camp).backup(backup)
    receipt = receipt_after(camp, "the last")
    camp.close()
    backup.replace(path)

    with CampaignStore.open(path) as behind:
        receipt_after(behind, "another last")
        behind.last_seen.path.write_bytes(receipt)

        assert "up to 9 (receipt 1:9:" in (behind.last_seen.missed() or "")


def test_a_torn_receipt_names_no_file(camp: CampaignStore) -> None:
    receipt = receipt_after(camp, "one")
    camp.last_seen.path.write_bytes(receipt[:-5])

    assert list(files_seen()) == []
