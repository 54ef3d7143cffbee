"""The files of campaigns, for tests that look into one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from retold import Campaign
from retold.journal.store.contract.address import Address
from retold.journal.store.writing.campaign import CampaignStore


def file_of(campaign: CampaignStore | Campaign) -> Path:
    """Returns the path of the campaign's file."""
    place: Address = campaign.place
    assert place.file is not None
    return place.file


def _makes_links() -> bool:
    with TemporaryDirectory() as folder, suppress(OSError):
        link = Path(folder, "link")
        link.symlink_to("nowhere")
        return link.is_symlink()
    return False


needs_links = pytest.mark.skipif(not _makes_links(), reason="symbolic links: a right of its own on Windows")
