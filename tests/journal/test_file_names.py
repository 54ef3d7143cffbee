"""File names that every system takes, and campaigns that are called so."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.cli.campaigns.settings import copy_place, new_place
from retold.journal.file_names import fitting, unfit
from retold.journal.refused import Refused


@pytest.mark.parametrize(
    "name", ["salt-road.retold", "Łukasz.retold", "console.retold", "com.retold", "com10", "a.b", ".retold"]
)
def test_a_name_that_every_system_takes_is_fit(name: str) -> None:
    assert unfit(name) is None


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("Book: one", "Book one"),
        ("what?", "what"),
        ('the "Crow"', "the Crow"),
        (r"a\b|c<d>e*", "a b c d e"),
        ("con", "con 1"),
        ("COM¹.md", "COM¹ 1.md"),
        ("nul .txt", "nul 1 .txt"),
        ("end.", "end"),
        ("end ", "end"),
        ("tab\there", "tab here"),
        ("???", ""),
    ],
)
def test_B28_a_name_that_windows_cannot_have_has_one_to_take_instead(name: str, instead: str) -> None:
    assert unfit(name) is not None
    assert fitting(name) == instead
    assert not instead or unfit(instead) is None


@pytest.mark.parametrize("typed", ["Book: one", "games/Why?", "./club:x", "con", '"q"'])
def test_B28_a_new_campaign_is_called_as_every_system_can_call_it(typed: str) -> None:
    with pytest.raises(
        Refused, match=r"No campaign's file is called .*: call it “.*”\. Its title may be anything"
    ):
        new_place(typed)


def test_B28_the_copy_of_a_campaign_may_be_called_by_the_time() -> None:
    assert copy_place("./backups/salt-road 12:30").file == Path("backups/salt-road 12:30.retold")


def test_a_campaign_on_a_server_has_a_colon() -> None:
    assert new_place("club:salt-road").file is None
