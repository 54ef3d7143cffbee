"""Tables of a guest are kept, and opened again only by the code that kept them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guests.evenings import FIRST
from tests.guests.installed import all_said, changed, printed, recorded

KEPT = """
from retold.cli.invocation import Options
from retold.cli.campaigns.opening import opened
with opened(Options(), read_only=True) as (campaign, _):
    (*kept,) = campaign.snapshots.positions(1)
    tables = [campaign.snapshots.load(1, *one) for one in kept]
    campaign.snapshots = None
    print(len(kept), [table == campaign.table_at(1, at) for table, (at, _) in zip(tables, kept)])
"""
LONG = FIRST + "narrate Mara: Again.\n" * 220
EVENTS = "retold_counterpoint/events.py"


@pytest.fixture
def long(counterpoint: Path, tmp_path: Path) -> Path:
    """A campaign so long that its table is kept."""
    recorded(tmp_path, counterpoint, LONG)
    return tmp_path


def test_G5_a_table_of_a_guest_is_kept_and_comes_back_as_it_was(counterpoint: Path, long: Path) -> None:
    verified, checked = all_said(long, counterpoint, [("verify",), ("doctor",)])

    assert printed(long, counterpoint, KEPT) == "1 [True]\n"
    assert "snapshot" not in verified.out + checked.out


@pytest.mark.parametrize(
    "changes",
    [
        [(EVENTS, "much, None", "much, 9")],
        [("retold_counterpoint-1.0.dist-info/METADATA", "Version: 1.0", "Version: 1.1")],
        None,
    ],
    ids=["another file", "another release", "not installed"],
)
def test_G5_what_another_state_of_the_guest_kept_is_not_opened(
    changes: list[tuple[str, str, str]] | None, counterpoint: Path, long: Path
) -> None:
    site = None if changes is None else changed(counterpoint, long / "site", changes)

    assert printed(long, site, KEPT) == "0 []\n"


OPENING = """
import io, pickle
from retold.journal.store.caches.snapshots import _TableUnpickler
import {module}
for guests in ((), ("counterpoint",), ("nobody",)):
    try:
        print(_TableUnpickler(io.BytesIO(pickle.dumps({module}.{name})), guests).load().__name__)
    except pickle.UnpicklingError as error:
        print(error)
"""
NO_PART = "{} is not part of a table\n"


@pytest.mark.parametrize(
    ("module", "name", "is_opened"),
    [
        ("retold_counterpoint.events", "Shelf", True),
        ("retold_counterpoint.commands", "sing", False),
        ("retold_lanterns", "Shelf", False),
    ],
)
def test_G5_of_a_guest_only_classes_are_opened_and_only_of_one_that_plays(
    module: str, name: str, counterpoint: Path, tmp_path: Path, *, is_opened: bool
) -> None:
    site = changed(counterpoint, tmp_path / "site", [])
    (site / "retold_lanterns.py").write_text("class Shelf:\n    pass\n")

    told = printed(tmp_path, site, OPENING.format(module=module, name=name)).splitlines(keepends=True)

    refused = NO_PART.format(f"{module}.{name}")
    assert told == [refused, f"{name}\n" if is_opened else refused, refused]


def test_G5_the_doctor_proposes_to_throw_away_only_what_is_made_anew_then(
    counterpoint: Path, long: Path
) -> None:
    other = changed(
        counterpoint,
        long / "site",
        [
            (
                EVENTS,
                "    applause: dict[int, int] = field(default_factory=dict)",
                "    applause: dict[int, int] = field(default_factory=dict)\n    odd: object = len",
            )
        ],
    )

    (told,) = all_said(long, other, [("doctor",)])

    assert "No snapshot of this table can be used, so it is folded from its beginning each time: " in told.out
    assert "--rebuild" not in told.out
