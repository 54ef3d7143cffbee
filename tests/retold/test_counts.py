"""Numbers on the board that a line changes: each line, with an amount behind it, is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.cli.console.offers import Known, offers

NAME = "Thia of the Reeds"


def begun(folder: Path, game: str, sheet: str, *lines: str) -> retold.Campaign:
    campaign = retold.new(folder / "counted.retold", game=game)
    campaign.play("\n".join((f'cast "{NAME}" by=Jon {sheet}', "session", *lines)))
    return campaign


def said(line: str, amount: str) -> str:
    return f"{line}{'' if line.endswith('=') else ' '}{amount}"


@pytest.mark.parametrize(
    ("game", "sheet", "amounts"),
    [
        ("d20", "hp=9/12", {"hp": "-2", "coin": "+3", "inspiration": "+1"}),
        ("bruise", "clubs=4", {"destiny": "-1", "fate": "-1", "legacy": "+1"}),
        ("edgerunner", "cool=3", {"fate points": "-1", "cool": "+1", "humanity": "+1", "reputation": "+1"}),
        ("guenask", "stages=3", {"stages": "+1"}),
        ("whiskey", "hp=12", {"hp": "-2"}),
    ],
)
def test_every_number_that_is_offered_is_changed_by_its_line(
    tmp_path: Path, game: str, sheet: str, amounts: dict[str, str]
) -> None:
    with begun(tmp_path, game, sheet) as campaign:
        before = {one.what: (one.value, one.line) for one in campaign.counts()}
        assert before.keys() == amounts.keys()
        for what, amount in amounts.items():
            campaign.say(said(before[what][1], amount))
        after = {one.what: one.value for one in campaign.counts()}

    assert after == {what: before[what][0] + int(amount) for what, amount in amounts.items()}


@pytest.mark.parametrize(
    ("game", "key", "about"),
    [
        ("bruise", "spades=", "an attribute: 0 to 52"),
        ("edgerunner", "role=", "a character's role, with its exception: solo"),
        ("guenask", "body=", "dice of d6: 2 to 100"),
        ("d20", "str=", ""),
    ],
)
def test_the_keys_of_a_sheet_are_offered_with_what_they_take(
    tmp_path: Path, game: str, key: str, about: str
) -> None:
    with begun(tmp_path, game, "") as campaign:
        _, found = offers(Known(campaign.scribe.table), f'cast "{NAME}" ')
        kept = {offer.text: offer.about for offer in found}

    assert kept[key].startswith(about)
