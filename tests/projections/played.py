"""The examples, played."""

from __future__ import annotations

import contextlib
import io
import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from retold.__main__ import main
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView
from retold.projections.views import ask

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
    """The campaign of an example, as a file in `folder`, to be read; each is played once."""
    path = folder / f"{example.stem}.retold"
    path.write_bytes(_file(example))
    return CampaignStore.open(path, read_only=True)


@cache
def _file(example: Path) -> bytes:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        path = folder / "played.retold"
        patch.setenv("RETOLD_HOME", str(folder / "home"))
        patch.delenv("RETOLD_CAMPAIGN", raising=False)
        with contextlib.redirect_stderr(io.StringIO()):
            assert main(["run", "--new", "-q", "-c", str(path), str(example)]) == 0
        return path.read_bytes()


def sessions(campaign: CampaignStore) -> list[int]:
    """The numbers of the sessions of its mainline."""
    seen = ask("sessions", LineView(campaign, 1, campaign.record.head(1).position))
    return [one["session"] for one in seen.to_json()["sessions"]]
