"""The files of campaigns, for tests that look into one."""

from __future__ import annotations

from pathlib import Path

from journal.store.address import Address
from journal.store.campaign import CampaignStore
from retold import Campaign


def file_of(campaign: CampaignStore | Campaign) -> Path:
    """Returns the path of the campaign's file."""
    place: Address = campaign.place
    assert place.file is not None
    return place.file
