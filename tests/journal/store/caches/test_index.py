"""The index holds what the record says, catches up with it, and forgets with it."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.games.whiskey.commands.verbs import Declare
from retold.journal.store.caches.index import Hit, Index, TextQuery
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.events.text_matching import find_matches, parse_terms
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.rewording import reword
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import campaign, notes


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "a.cache"


@pytest.fixture
def index(cache: Path) -> Iterator[Index]:
    made = Index(cache)
    yield made
    made.close()


def hits(index: Index, camp: CampaignStore, *typed: str, line: int = 1, parts: bool = False) -> list[Hit]:
    """What is found on a line, once the index has caught up."""
    index.catch_up(camp.record, camp.id)
    sought = TextQuery(
        parse_terms(typed, parts=parts), camp.record.lineage(line), camp.record.head(line).position
    )
    return list(index.hits(sought))


def kinds(found: list[Hit]) -> list[str]:
    return [one.kind for one in found]


def test_every_text_is_found_the_last_first(index: Index, camp: CampaignStore) -> None:
    assert kinds(hits(index, camp, "stair")) == ["table.noted", "table.scene-set"]
    assert kinds(hits(index, camp, "salt")) == ["table.campaign-named"]


def test_what_was_recorded_since_is_found_and_the_rest_is_left_alone(
    index: Index, camp: CampaignStore, writer: LineWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = index.catch_up(camp.record, camp.id)
    notes(writer, "A lantern in the marsh.")
    monkeypatch.setattr(index, "_clear", lambda _campaign: pytest.fail("it was made anew"))

    assert kinds(hits(index, camp, "lantern")) == ["table.noted"]
    assert index.catch_up(camp.record, camp.id) == known + 1


def test_an_index_made_before_is_good_for_another_process(cache: Path, camp: CampaignStore) -> None:
    first, second = Index(cache), Index(cache)
    first.catch_up(camp.record, camp.id)
    first.close()
    second._clear = lambda _campaign: pytest.fail("it was made anew")  # type: ignore[method-assign, assignment]

    assert kinds(hits(second, camp, "cake")) == ["table.noted"]
    second.close()


def test_two_processes_that_index_at_once_come_to_one_index(
    cache: Path, camp: CampaignStore, writer: LineWriter
) -> None:
    one, other = Index(cache), Index(cache)
    one.catch_up(camp.record, camp.id)
    notes(writer, "A lantern in the marsh.")

    assert len(hits(one, camp, "lantern")) == len(hits(other, camp, "lantern")) == 1
    one.close()
    other.close()


@pytest.mark.parametrize("how", ["another campaign", "another version", "another end", "noise", "half of it"])
def test_an_index_that_is_not_this_records_is_made_anew(
    how: str, cache: Path, camp: CampaignStore, tmp_path: Path
) -> None:
    index = Index(cache)
    if how == "another campaign":
        with campaign(tmp_path / "other.retold") as other:
            notes(other.writer(1), *(f"The lantern {number}" for number in range(40)))
            index.catch_up(other.record, other.id)
    else:
        index.catch_up(camp.record, camp.id)
    index.close()
    if how in ("another version", "another end"):
        with sqlite3.connect(cache) as db:
            db.execute(f"UPDATE indexed SET {'key' if how == 'another version' else 'hash'} = x'00'")
            db.execute("DELETE FROM text")
        db.close()
    if how == "noise":
        cache.write_bytes(b"\x00\x01 no database \xff" * 500)
    if how == "half of it":
        cache.write_bytes(cache.read_bytes()[: cache.stat().st_size // 2])
    index = Index(cache)

    assert kinds(hits(index, camp, "cake")) == ["table.noted"]
    assert hits(index, camp, "lantern") == []
    index.close()


def test_if_no_cache_can_be_kept_it_is_made_in_memory(camp: CampaignStore, tmp_path: Path) -> None:
    (tmp_path / "a-file").write_text("in the way")
    index = Index(tmp_path / "a-file" / "a.cache")

    assert kinds(hits(index, camp, "cake")) == ["table.noted"]
    index.close()


def test_an_index_that_breaks_while_it_is_asked_says_what_to_do(index: Index, camp: CampaignStore) -> None:
    index.catch_up(camp.record, camp.id)
    index._open().execute("DROP TABLE text")

    with pytest.raises(StoreError, match="make it anew with search --rebuild"):
        list(index.hits(TextQuery(parse_terms(["cake"]), camp.record.lineage(1), 99)))


def test_a_rewording_is_indexed_in_place_of_the_original(
    index: Index, camp: CampaignStore, writer: LineWriter
) -> None:
    (note,) = hits(index, camp, "cake")
    reword(writer, note.position, Words("Somebody brought bread."))

    (found,) = hits(index, camp, "bread")
    assert (found.position, found.place, found.kind) == (note.position, note.place, "table.noted")
    assert found.since == writer.head.position


def test_a_branch_has_its_own_texts_and_those_it_shares(
    index: Index, camp: CampaignStore, writer: LineWriter
) -> None:
    there = camp.fork(1, writer.head.position, Words("kinder"))
    notes(camp.writer(there), "A lantern on the branch.")
    notes(writer, "A lantern on the line.")

    for line, said in ((1, 1), (there, there)):
        assert [one.line for one in hits(index, camp, "lantern", line=line)] == [said]
        assert [one.line for one in hits(index, camp, "cake", line=line)] == [1]


# --- forgetting ---

SECRET = "Quetzalcoatlus"


def redact(writer: LineWriter, position: int, word: int) -> None:
    with writer.campaign.record.writing():
        writer.campaign.record.delete_texts(1, position, (word,))
    writer.manage_all((e.Redacted(about=position, words=(word,)),), c.Note(text=Words("-")))


def bytes_beside(path: Path) -> bytes:
    return b"".join(one.read_bytes() for one in sorted(path.parent.glob(f"{path.name}*")))


def test_redacted_words_are_gone_from_the_index_and_from_every_page_of_its_file(
    cache: Path, camp: CampaignStore, writer: LineWriter
) -> None:
    notes(writer, *(f"{SECRET} number {number}, and much else besides." for number in range(300)))
    first, last = writer.head.position - 299, writer.head.position
    index = Index(cache)
    assert len(hits(index, camp, SECRET)) == 300
    index.close()
    assert SECRET.lower().encode() in bytes_beside(cache)
    with camp.record.writing():
        for position in range(first, last + 1):
            camp.record.delete_texts(1, position, (0,))
    gone = tuple(e.Redacted(about=position, words=(0,)) for position in range(first, last + 1))
    writer.manage_all(gone, c.Note(text=Words("-")))

    index = Index(cache)
    assert hits(index, camp, SECRET) == hits(index, camp, SECRET[3:], parts=True) == []
    assert SECRET.lower()[:6].encode() not in bytes_beside(cache)
    index.close()
    assert SECRET.lower()[:6].encode() not in bytes_beside(cache)


def test_what_is_sealed_is_not_indexed(index: Index, tmp_path: Path) -> None:
    with campaign(tmp_path / "b.retold") as camp:
        writer = camp.writer(1)
        writer.record(c.Cast(who=Words("Ada"), system="whiskey", values={"strength": 3, "die": 2, "hp": 20}))
        writer.record(c.Cast(who=Words("Bolt"), system="whiskey", values={"strength": 3, "die": 2, "hp": 20}))
        writer.record(c.OpenConflict(system="whiskey", sides=((1,), (2,))))
        writer.record(
            Declare.of(
                {
                    "who": 1,
                    "act": "engage",
                    "target": 2,
                    "sealed": True,
                    "text": Words("Through the lantern room."),
                }
            )
        )

        assert hits(index, camp, "lantern") == []


# --- the index and the marks agree ---

SCRAPS = st.sampled_from(
    [
        *"aeozAEOZ",
        "ë",
        "É",
        "ß",
        "ﬁ",
        "e\N{COMBINING DIAERESIS}",
        *" .,-'\"*?[]()^:_%\\",
        "龍",
        "騎",
        "が",
        "か",
        "ต",
        "ลา",
        "क",
        "का",
        "한",
        "OR",
        "NOT",
        "NEAR",
        "\N{PILE OF POO}",
        "7",
        "²",
    ]
)
TEXTS = st.lists(SCRAPS, min_size=1, max_size=12).map("".join).filter(str.strip)


@settings(max_examples=60)
@given(
    st.lists(TEXTS, min_size=1, max_size=6),
    st.lists(st.lists(TEXTS, min_size=1, max_size=2), min_size=1, max_size=6),
    st.booleans(),
)
def test_a_text_is_found_exactly_where_something_in_it_is_marked(
    said: list[str], asked: list[list[str]], parts: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder, campaign(Path(folder) / "a.retold") as camp:
        notes(camp.writer(1), *said)
        index = Index()
        for typed in [*asked, *([one] for one in said)]:
            sought = parse_terms(typed, parts=parts)
            found = {
                one.position for one in hits(index, camp, *typed, parts=parts) if one.kind == "table.noted"
            }
            assert found == {place for place, text in enumerate(said, 3) if find_matches(text, sought)}, typed
        index.close()
