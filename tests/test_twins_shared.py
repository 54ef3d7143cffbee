"""What is hidden on lines that several share moves no byte of anybody else's, in any game or copy."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

import retold
from retold.drafts.making import begin
from retold.drafts.naming import draft_meant
from retold.drafts.showing import shown as shown_blocks
from retold.journal.store.copies.sync import bring_together
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Scope
from retold.projections.exports import EXPORTS
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from retold.projections.story.document import Transcript
from tests.guests.installed import COUNTERPOINT, LANTERNS, ROOT, laid_out
from tests.prepared import TableClock, numbered, shown
from tests.retold.importing.given import ANSWERS, source, unit
from tests.test_twins import legible
from tests.twin_evenings import GAMES, GUESTS, VIEWERS, differences, played, said, unlike


@pytest.mark.parametrize("game", GAMES)
def test_one_of_several_is_revealed_and_the_others_leave_no_trace(tmp_path: Path, game: str) -> None:
    with played(tmp_path, game, hidden=True) as one, played(tmp_path, game, hidden=False) as other:
        assert differences(one, other) == []
        assert one.position - other.position > 15


Told = list[dict[str, Transcript]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """The book of both evenings for each viewer."""
    folder, books = tmp_path_factory.mktemp("told"), []
    for hidden in (True, False):
        with played(folder, "d20", hidden=hidden) as one:
            books.append(
                {eyes: one.seen_by(eyes).transcript("book", "report", variations=True) for eyes in VIEWERS}
            )
    return books


@pytest.mark.parametrize("name", [name for name, made in EXPORTS.items() if made.is_text])
def test_nor_in_any_export(told: Told, name: str) -> None:
    for eyes in VIEWERS:
        mine, theirs = (numbered(legible(name, book[eyes], MechanicsPlace.FOLDED)) for book in told)

        assert mine == theirs, eyes


@pytest.mark.parametrize("game", GUESTS)
def test_nor_in_a_game_of_another_distribution(tmp_path: Path, game: str) -> None:
    source = {"lanterns": LANTERNS, "counterpoint": COUNTERPOINT}[game]
    laid_out(source, tmp_path / "site")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
    path = os.pathsep.join([str(ROOT), str(tmp_path / "site")])
    made = subprocess.run(
        [sys.executable, "-m", "tests.twin_evenings", game],
        env={**kept, "RETOLD_HOME": str(tmp_path / "home"), "PYTHONPATH": path},
        capture_output=True,
        cwd=ROOT,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found: dict[str, Any] = json.loads(made.stdout)
    assert found["differences"] == []
    assert found["more"] > 10


# --- copies, drafts, imports ------------------------------------------------------------------------------


def test_nor_in_a_copy_that_was_synced(tmp_path: Path) -> None:
    """Half of the evening is said on another computer, and brought home."""
    with played(tmp_path, "d20", hidden=True) as one, played(tmp_path, "d20", hidden=False) as other:
        mine, theirs = (
            synced(campaign, tmp_path / f"{campaign.position}.retold") for campaign in (one, other)
        )
        mines, elsewhere, here = (
            {eyes: shown(campaign, eyes) for eyes in VIEWERS} for campaign in (mine, theirs, one)
        )
        assert unlike(mines, elsewhere) == []
        assert unlike(mines, here) == []
        mine.close()
        theirs.close()


def synced(campaign: retold.Campaign, path: Path) -> retold.Campaign:
    """A copy of the campaign that went on on another computer, and was brought together with it."""
    store = campaign.scribe.campaign
    with closing(sqlite3.connect(str(store.place))) as here, closing(sqlite3.connect(path)) as there:
        here.backup(there)
    copy = CampaignStore.open(path, clock=TableClock())
    elsewhere = retold.Campaign.of(copy)
    said(elsewhere, TableClock(), ("? note: On the way.", "note --to table: On the way home.", "mark home"))
    bring_together(store.record, copy.record)
    campaign.catch_up()
    return elsewhere


@pytest.mark.parametrize("reader", ["gm", "table"])
def test_nor_in_a_draft(tmp_path: Path, reader: Literal["gm", "table"]) -> None:
    def drafted(campaign: retold.Campaign, eyes: str) -> dict[str, str]:
        store = campaign.scribe.campaign
        if not store.drafts.names():
            begin(
                store,
                "second",
                Scope(1, 1, store.record.head(1).position, "prose", reader),
                voice_of("prose"),
            )
        draft = draft_meant(store, "second").draft
        blocks = shown_blocks(LineView(store, 1).called(eyes), draft, voice_of("prose"))
        return {"draft": "\n".join(repr(replace(block, events=())) for block in blocks)}

    with played(tmp_path, "d20", hidden=True) as one, played(tmp_path, "d20", hidden=False) as other:
        assert differences(one, other, drafted) == []
        assert "wade" in drafted(one, "table")["draft"]


def test_nor_where_a_log_came_in(tmp_path: Path) -> None:
    """Whispers and hidden throws among the words of an evening."""
    open_ = [
        unit(f"u{nth}", who, text, minutes=nth)
        for nth, who, text in ((1, "Zel", "I wade."), (4, "Pell", "Come back."), (9, "Zel", "No."))
    ]
    hidden = [
        unit("u2", "Mary", "Psst.", minutes=2, hidden=True),
        unit("u5", "Warder", "Who is there?", minutes=5, hidden=True),
        unit("u7", "Pell", "Only you.", minutes=7, hidden=True),
    ]
    found = []
    for nth, units in enumerate((sorted([*open_, *hidden], key=lambda one: int(one.key[1:])), open_)):
        campaign = retold.Campaign.of(CampaignStore.create(tmp_path / f"{nth}.retold", clock=TableClock()))
        campaign.play("campaign Reef\ncast gm by=Mary\noption table.screen=silent\n")
        campaign.take_in([source(*units)], ANSWERS)
        campaign.play("mark come-in\nsession After --date 2026-04-01\nnarrate gm: On.\n")
        found.append(campaign)
    one, other = found

    assert differences(one, other) == []
    assert one.position - other.position >= 3
    for campaign in found:
        campaign.close()
