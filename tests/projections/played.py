"""The examples, played."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

import pytest

from cli.__main__ import main
from journal.store.campaign import CampaignStore
from projections.reading import LineView
from projections.views import ask

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*/*.session"))
FEW = (
    EXAMPLES
    if os.environ.get("RETOLD_EVERY_EXAMPLE")
    else [
        one
        for one in EXAMPLES
        if one.stem in ("three-hands", "big-guns", "three-endings", "coal-door", "glass-cliff", "causeway")
    ]
)
"""An example of each game, short and with most kinds of events: for tests that are slow with all of them."""


def named(path: Path) -> str:
    """An example as tests call it: `bruise/three-hands`."""
    return f"{path.parent.name}/{path.stem}"


def played(example: Path, folder: Path) -> CampaignStore:
    """The campaign of an example, played in `folder`."""
    path = folder / f"{example.stem}.retold"
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(io.StringIO()):
        patch.setenv("RETOLD_HOME", str(folder / "home"))
        patch.delenv("RETOLD_CAMPAIGN", raising=False)
        assert main(["run", "--new", "-q", "-c", str(path), str(example)]) == 0
    return CampaignStore.open(path, read_only=True)


def sessions(campaign: CampaignStore) -> list[int]:
    """The numbers of the sessions of its mainline."""
    seen = ask("sessions", LineView(campaign, 1, campaign.record.head(1).position))
    return [one["session"] for one in seen.to_json()["sessions"]]
