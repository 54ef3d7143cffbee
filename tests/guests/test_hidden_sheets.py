"""What a table is told where a sheet is hidden: a number that a handler made without the sheet is false."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.store.events.line_events import live_events
from retold.journal.systems import SYSTEMS
from retold.projections.guest_checks import false_numbers
from tests.guests.installed import LANTERNS, changed, laid_out, printed
from tests.projections.played import EXAMPLES, named, played

EVENTS = "retold_lanterns/events.py"
OF_ALL_WHO_ARE_HURT = ("for who in self.stats:", "for who in self.stats | self.harm:")
BY_BOLD = (
    "left = MOST_HARM - self.harm.get(who, 0)",
    'left = min(MOST_HARM, MOST_HARM + self.stats.get(who, {}).get("bold", 0) - self.harm.get(who, 0))',
)
WITHOUT_DEFAULT = (
    BY_BOLD[0],
    'left = min(MOST_HARM, MOST_HARM + self.stats[who]["bold"] - self.harm.get(who, 0))',
)
CHECKED = "from retold.game import check\nprint(*check('lanterns', {}), sep='\\n')"


@pytest.fixture(scope="module")
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Lanterns installed in it."""
    return laid_out(LANTERNS, tmp_path_factory.mktemp("lanterns") / "site")


def mistakes(site: Path, tmp_path: Path, *changes: tuple[str, str], evening: str | None = None) -> str:
    other = changed(site, tmp_path / "site", [(EVENTS, *change) for change in changes])
    return printed(tmp_path, other, CHECKED.format(repr(evening)))


def test_L9_a_guest_that_shows_no_row_without_a_sheet_has_no_false_number(
    lanterns: Path, tmp_path: Path
) -> None:
    assert mistakes(lanterns, tmp_path).strip() == ""


def test_L9_a_number_made_by_default_where_a_sheet_is_hidden_is_named(lanterns: Path, tmp_path: Path) -> None:
    said = mistakes(lanterns, tmp_path, OF_ALL_WHO_ARE_HURT, BY_BOLD)

    assert said.strip() == (
        "In retold-lanterns 0.1.0, where a sheet is hidden, the table is told light 3/4 of Wick, and the game"
        " master has 4/4: give the row only if the state has that sheet, or name the sheet's owner in the"
        " event (sheet_of)."
    )


def test_L9_rows_that_fail_without_a_sheet_are_named(lanterns: Path, tmp_path: Path) -> None:
    said = mistakes(lanterns, tmp_path, OF_ALL_WHO_ARE_HURT, WITHOUT_DEFAULT)

    assert "rows fails where a sheet is hidden (KeyError: 2)" in said


def test_L9_an_evening_of_ones_own_is_played_and_one_that_fails_is_named(
    lanterns: Path, tmp_path: Path
) -> None:
    said = mistakes(lanterns, tmp_path, evening="cast Wick lanterns bold=1\nhurt Nobody 1\n")

    assert said.strip() == "In retold-lanterns 0.1.0, the evening stops at line 2: There is no “Nobody” here."


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.parent.name in SYSTEMS], ids=named)
def test_L9_our_own_games_give_no_false_number(example: Path, tmp_path: Path) -> None:
    with played(example, tmp_path) as campaign:
        evening = list(live_events(campaign.record, 1))

    assert list(false_numbers(example.parent.name, evening)) == []
