"""Planted secrets: what a reader may not know stands in no draft that they get, and moves no byte of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retold.drafts.choosing import Choice
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from tests.retold.drafts.played import Table, edited, played

PAID = "The ferryman is paid by the captain of the watch."
ROPE = "Ana: I cut the rope behind him, and the ferry swings out."
COMPASS = "Ana: The compass in my coat points south."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = played(tmp_path, secrets=True)
    table.begin(reader="gm")
    yield table
    table.campaign.close()


def opened(table: Table, id_: int, to: object) -> None:
    blocks = Choice(table.standing()).opens([str(id_)], to)  # type: ignore[arg-type]
    with table.campaign.record.writing():
        table.campaign.drafts.revise(table.draft(), blocks, Manner())


def test_each_reads_what_they_may_know(table: Table) -> None:
    assert PAID in table.read_by("gm")
    assert PAID not in table.read_by("Ana")
    assert "compass" in str(table.read_by("Ana"))
    assert "compass" not in str(table.read_by("table") + table.read_by("Zel"))


def test_secrets_move_no_byte_of_the_tables_copy(table: Table, tmp_path: Path) -> None:
    bare = played(tmp_path, "bare")
    bare.begin(reader="gm")
    for one in (table, bare):
        text = one.sent()
        one.take(edited(text, ("Nobody lights a lamp.", "Nobody lit a lamp, then or later.")))

    def copies(one: Table) -> list[object]:
        return [replace(block, events=()) for block in one.shown_to("table")]

    assert copies(table) == copies(bare)
    bare.campaign.close()


def test_an_edited_block_with_a_secret_in_it_gives_others_the_records_open_words(table: Table) -> None:
    merged = f"{PAID} Ana cut the rope behind him, and the ferry swung out."
    table.take(edited(table.sent(), (f"{PAID}\n\n{ROPE}", merged)))

    assert merged in table.read_by("gm")
    assert ROPE in table.read_by("table")
    assert not [text for text in table.read_by("table") if "paid" in text]


def test_an_edited_whisper_is_for_those_who_heard_it(table: Table) -> None:
    table.take(edited(table.sent(), (COMPASS, "Ana felt the compass in her coat, and it pointed south.")))
    assert "Ana felt the compass in her coat, and it pointed south." in table.read_by("Ana")
    assert not [text for text in table.read_by("table") if "compass" in text]


@pytest.mark.parametrize(
    "words",
    [
        "Captain Morvane counted them.",
        "Captain Morvane's lamp went out.",
        "The lamps were Captain Morvane\u2019s.",
        "They feared l'Captain Morvane.",
        "Captain Morvanes Lampe.",
        "Captain Morva\u0301ne counted them.",
        "They spoke of the Drowned Ledger.",
        "It lies under the third plank, they say.",
        "He waits on the far bank, thought Zel.",
        "Somebody is paid by the captain.",
    ],
)
def test_words_that_only_others_know_are_refused_wherever_they_stand(table: Table, words: str) -> None:
    table.take(edited(table.sent(), ("Nobody lights a lamp.", f"Nobody lights a lamp. {words}")))

    with pytest.raises(Refused, match=r"gives something away in block \d+.*show --for table ") as refused:
        table.shown_to("table")
    assert not [word for word in words.split() if len(word) > 5 and word in str(refused.value)]
    assert [text for text in table.read_by("gm") if words in text]


def test_a_secrets_words_taken_into_an_open_paragraph_hide_it(table: Table) -> None:
    text = edited(table.sent(), (PAID, ""), ("a lamp.", f"a lamp. {PAID}"))
    table.take(text)
    assert f"Nobody lights a lamp. {PAID}" in table.read_by("gm")
    assert "Nobody lights a lamp." in table.read_by("table")
    assert "paid" not in str(table.read_by("table"))


def test_open_words_are_no_secret_though_a_secret_has_them_too(table: Table) -> None:
    table.take(
        edited(
            table.sent(), ("Nobody lights a lamp.", "Nobody lit a lamp on the far bank. The ferryman left.")
        )
    )
    assert "Nobody lit a lamp on the far bank. The ferryman left." in table.read_by("table")


def test_a_new_block_is_the_game_masters_until_it_is_opened(table: Table) -> None:
    new = "The river keeps its own counsel."
    table.take(edited(table.sent(), ("Rain since noon.", f"Rain since noon.\n\n{new}")))
    (block,) = [one.block for one in table.standing().blocks if one.text == new]
    assert new in table.read_by("gm")
    assert new not in table.read_by("table") + table.read_by("Ana")

    opened(table, block.id, "table")
    assert new in table.read_by("table")


def test_words_of_a_closed_block_stay_closed_in_another(table: Table) -> None:
    new = "The river keeps its own cold counsel tonight."
    table.take(edited(table.sent(), ("Rain since noon.", f"Rain since noon.\n\n{new}")))
    table.take(edited(table.sent(), (f"Rain since noon.\n\n{new}", f"Rain since noon. {new}")))

    assert f"Rain since noon. {new}" in table.read_by("gm")
    assert "Rain since noon." in table.read_by("table")
    assert not [text for text in table.read_by("table") if "counsel" in text]


def test_a_block_with_a_secret_cannot_be_opened(table: Table) -> None:
    (block,) = [one.block for one in table.standing().blocks if one.text == PAID]
    with pytest.raises(Refused, match="reveal it first"):
        opened(table, block.id, "table")


def test_a_revealed_event_opens_the_block_that_tells_it(table: Table) -> None:
    table.take(edited(table.sent(), (PAID, "Somebody had paid the ferryman already.")))
    assert "Somebody had paid the ferryman already." not in table.read_by("table")
    table.say(f"reveal {table.position('The ferryman is paid')}")

    (stale,) = table.standing().stale
    assert stale.text == "Somebody had paid the ferryman already."
    assert "Somebody had paid the ferryman already." in table.read_by("table")


def test_a_draft_made_for_the_table_has_no_secret_to_begin_with(table: Table) -> None:
    table.begin("open", reader="table")
    text = table.sent("open")
    assert not [word for word in ("paid", "Morvane", "Ledger", "compass") if word in text]
