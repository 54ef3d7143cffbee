"""Options that a game no longer has: records that set them are read, and setting them is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.store.copies.dump import dump, load
from retold.journal.store.verify import verify, verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from tests import data
from tests.retold.games.whiskey.spoken import refusal, table

KEPT = (Path(data.__file__).parent / "removed-options.jsonl").read_text("utf-8").splitlines()
"""Fights of four games, recorded under values of options that were removed later."""
BOTH = ("whiskey.leaving=free", "whiskey.broken_off=nothing")


def test_a_record_with_removed_options_is_read_and_says_what_was_decided_by_them(tmp_path: Path) -> None:
    load(KEPT, tmp_path / "old.retold")

    with CampaignStore.open(tmp_path / "old.retold") as old:
        assert list(dump(old.record)) == KEPT
        assert verify(old.record).whole
        assert old.table_at(1).options["whiskey"] == {"leaving": "after_checks", "broken_off": "nothing"}
        found = list(verify_rules(old, 1))
    assert [(one.position, one.command.verb, one.removed_options) for one in found] == [
        (10, "option", BOTH[:1]),
        (11, "option", BOTH[1:]),
        (18, "leave", BOTH),
        (19, "end", BOTH),
        (22, "option", ("whiskey.leaving=after_checks",)),
        (29, "option", ("edgerunner.leaving=free",)),
        (36, "leave", ("edgerunner.leaving=free",)),
        (46, "ruling", ("bruise.joker_suit=any",)),
        (50, "quality", ("bruise.joker_suit=any",)),
        (64, "option", ("guenask.joining=end",)),
        (81, "approach", ("guenask.joining=end",)),
    ]


@pytest.mark.parametrize(
    "option",
    ["whiskey.leaving", "whiskey.broken_off", "edgerunner.leaving", "bruise.joker_suit", "guenask.joining"],
)
def test_a_removed_option_cannot_be_set(option: str) -> None:
    game, key = option.split(".")
    known = ", ".join(f"{game}.{one.key}" for one in SYSTEMS[game].options)

    assert refusal(table(), f"option {option}=free") == f"There is no option {key}. Known here: {known}."
