"""A later release of a guest whose upcasts are missing or fail: it is named, and its campaigns stay open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guests.evenings import FIRST
from tests.guests.installed import all_said, changed, recorded

INIT = "retold_counterpoint/__init__.py"
SUNG = """        "counterpoint.sung": ("counterpoint.sung@2", lambda old: _moved(old, "successes", "hits")),
"""
READING = ("show", "log -n 0", "export -o -", "recap", "stats", "verify", "dump --script", "note: We go on.")
MISSING = (
    "retold-counterpoint 1.0 has version 2 of counterpoint.sung, and no upcast leads there from version 1:"
    " the upcast from counterpoint.sung is missing (upcasts): its game counterpoint is not played."
)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", MISSING),
        (
            SUNG.replace('"counterpoint.sung":', '"counterpoint.sung@1":'),
            "retold-counterpoint 1.0 has an upcast from counterpoint.sung@1 (upcasts), under which nothing",
        ),
        (
            SUNG.replace("counterpoint.sung@2", "counterpoint.sung@3"),
            "no upcast leads there from version 1: the upcast from counterpoint.sung@3 is missing",
        ),
        (
            '        "counterpoint.sung": "counterpoint.sung@2",\n',
            (
                "has an upcast from counterpoint.sung (upcasts) that is not a pair of a stored name"
                " and a function"
            ),
        ),
    ],
    ids=["none", "a name that nothing is stored under", "a chain that ends too early", "no function"],
)
def test_L3_a_second_version_without_its_upcast_is_not_played_and_its_campaign_opens(
    written: str, why: str, counterpoint: Path, second: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST)
    site = changed(second, tmp_path / "site", [(INIT, SUNG, written)])

    listed, *ended = all_said(tmp_path, site, [("systems",), *(line.split() for line in READING)], first=1000)

    assert why in " ".join(listed.err.split())
    assert [one.err for one in ended if one.code] == []
    assert why in " ".join(ended[0].err.split())
    assert "“My voice breaks on the pier.”" in ended[1].out
    assert [one for one in ended if "not installed" in one.out + one.err] == []


FAILED = "counterpoint (retold-counterpoint 1.0) could not read its own counterpoint.sung: {}"
MADE = "(retold-counterpoint 1.0) makes of counterpoint.sung (upcasts) what counterpoint.sung@2 is not: "


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('old["song"]', FAILED.format("KeyError: 'song' (__init__.py, line ")),
        ("old.values()", FAILED.format("TypeError: dict_values(")),
        (
            "{**old}",
            MADE,
        ),
    ],
    ids=["it raises", "another type", "another shape"],
)
def test_L3_an_upcast_that_fails_is_named_and_the_event_is_not_understood(
    written: str, why: str, counterpoint: Path, second: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST)
    site = changed(second, tmp_path / "site", [(INIT, '_moved(old, "successes", "hits")', written)])

    ended = all_said(tmp_path, site, [line.split() for line in READING], first=1000)

    assert [one.err for one in ended if one.code] == []
    assert why in " ".join(ended[0].err.split())
    assert "“My voice breaks on the pier.”" in ended[1].out
    assert [one for one in ended if "later one" in one.out + one.err or "broken" in one.out + one.err] == []


def test_L3_an_event_of_a_later_release_of_the_guest_is_said_to_be_of_another_release(
    counterpoint: Path, second: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, second, FIRST)

    ended = all_said(tmp_path, counterpoint, [line.split() for line in READING], first=1000)

    assert [one.err for one in ended if one.code] == []
    told = " ".join(ended[0].err.split())
    assert (
        "counterpoint (retold-counterpoint 1.0) does not know counterpoint.choice-sealed@2 (position " in told
    )
    assert "another release of it wrote that. Nothing is wrong with the record." in told
