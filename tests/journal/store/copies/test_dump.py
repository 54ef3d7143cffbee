"""The record as text and back: the same heads, or a sentence and nothing left behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from retold.journal.store.contract.errors import Damaged, StoreError
from retold.journal.store.copies.dump import _line, dump, load
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import notes, played

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """The dump of a campaign with undone acts, a branch and a promotion."""
    with played(tmp_path / "a.retold") as camp:
        writer = camp.writer(1)
        undo(writer, 2)
        line = camp.fork(1, 10, Words("kinder"), Words("what if"))
        notes(camp.writer(line), 'she said "no"', "\u2028\u202ea b\n\tc", "")
        camp.promote(line)
        return list(dump(camp.record))


def restored(lines: list[str] | list[bytes], path: Path) -> None:
    load(lines, path)


def test_a_dump_comes_back_with_the_same_heads(lines: list[str], tmp_path: Path) -> None:
    with CampaignStore.open(tmp_path / "a.retold") as camp:
        heads = {line: camp.record.head(line) for line in camp.record.store.streams()}

    loaded = load(lines, tmp_path / "b.retold")

    assert loaded.heads == heads
    assert loaded.events == len(lines) - 2
    with CampaignStore.open(tmp_path / "b.retold") as again:
        assert list(dump(again.record)) == lines
        assert verify(again.record).whole
        assert again.table_at(again.mainline()).campaign == json.loads(lines[0])["campaign"]


def test_a_kept_dump_of_three_hundred_events_has_the_hashes_it_was_written_with(tmp_path: Path) -> None:
    """Written by 0.2.0: the evening of `played`, notes up to 270, a branch at 262 with notes and an undo."""
    kept = (DATA / "three-hundred-events.jsonl").read_text("utf-8").splitlines()
    ends = json.loads(kept[-1])

    loaded = load(kept, tmp_path / "again.retold")

    assert loaded.events == ends["count"] == 300
    with CampaignStore.open(tmp_path / "again.retold") as again:
        assert verify(again.record).whole
        assert [row.hash.hex() for row in again.record.everything()] == [
            json.loads(line)["hash"] for line in kept[1:-1]
        ]
        heads = {line: again.record.head(line) for line in again.record.store.streams()}
        assert {str(line): [head.position, head.hash.hex()] for line, head in heads.items()} == ends["heads"]
        assert list(dump(again.record)) == kept


def test_every_line_is_json_and_the_ends_are_marked(lines: list[str]) -> None:
    parsed = [json.loads(line) for line in lines]

    assert parsed[0].keys() == {"application", "campaign", "format"}
    assert parsed[-1]["count"] == len(lines) - 2
    assert all(one.keys() == {"body", "hash", "kind", "line", "position", "words"} for one in parsed[1:-1])


def test_lines_written_otherwise_come_back_to_the_same_bytes(lines: list[str], tmp_path: Path) -> None:
    spaced = [json.dumps(json.loads(line), ensure_ascii=True, indent=None) + "\r\n" for line in lines]

    restored(spaced, tmp_path / "b.retold")

    with CampaignFile.open(tmp_path / "b.retold") as file:
        assert list(dump(Record(file))) == lines


def test_bytes_and_a_mark_at_the_beginning_are_read(lines: list[str], tmp_path: Path) -> None:
    restored([("\ufeff" + lines[0]).encode(), *(line.encode() for line in lines[1:])], tmp_path / "b.retold")

    assert (tmp_path / "b.retold").exists()


def test_redacted_words_stay_away(lines: list[str], tmp_path: Path) -> None:
    taken = next(line for line in lines if '"kind":"table.noted"' in line)
    gone = json.loads(taken)
    gone["words"] = None
    lines[lines.index(taken)] = json.dumps(gone, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    with pytest.raises(StoreError, match="no redaction says so"):
        restored(lines, tmp_path / "b.retold")


def test_progress_is_told(lines: list[str], tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    with CampaignFile.open(tmp_path / "a.retold") as file:
        list(dump(Record(file), lambda done, total: told.append((done, total))))

    assert told[-1] == (len(lines) - 2, len(lines) - 2)


def test_nothing_is_written_over(lines: list[str], tmp_path: Path) -> None:
    there = tmp_path / "a.retold"
    before = there.read_bytes()

    with pytest.raises(StoreError, match="is there already"):
        restored(lines, there)
    assert there.read_bytes() == before


DEEP = "[" * 100_000


def changed(lines: list[str], number: int, old: str, new: str) -> list[str]:
    assert old in lines[number]
    spoilt = list(lines)
    spoilt[number] = lines[number].replace(old, new, 1)
    return spoilt


Spoil = Callable[[list[str]], Sequence[str | bytes]]

BROKEN: dict[str, tuple[Spoil, str]] = {
    "cut off": (lambda lines: lines[:-1], "breaks off"),
    "cut off in a line": (lambda lines: [*lines[:-2], lines[-2][:40]], "no JSON"),
    "a line missing": (lambda lines: [*lines[:5], *lines[6:]], "Line 6"),
    "the last event missing": (lambda lines: [*lines[:-2], lines[-1]], "ends otherwise"),
    "two lines changed about": (lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]], "Line 5"),
    "something after the end": (lambda lines: [*lines, lines[-2]], "follows the end"),
    "a number changed": (lambda lines: changed(lines, 8, '"clubs":4', '"clubs":5'), "hash does not follow"),
    "words changed": (lambda lines: changed(lines, 3, "The Long Ebb", "The Long Web"), "not the ones"),
    "a hash changed": (lambda lines: changed(lines, 2, '"hash":"', '"hash":"00'), "Line 3"),
    "a hash that is none": (lambda lines: changed(lines, 2, '"hash":"', '"hash":"zz'), "parts of an event"),
    "a key twice": (lambda lines: changed(lines, 2, '"line":1', '"line":1,"line":1'), "has a key twice"),
    "a key twice at the beginning": (lambda lines: changed(lines, 0, "{", '{"format":1,'), "has a key twice"),
    "a key twice at the end": (lambda lines: changed(lines, -1, "{", '{"count":1,'), "has a key twice"),
    "a key twice inside": (lambda lines: changed(lines, 8, '"i":4', '"i":4,"i":4'), "Line 9"),
    "NaN": (lambda lines: changed(lines, 8, '"clubs":4', '"clubs":NaN'), "no JSON"),
    "Infinity": (lambda lines: changed(lines, 8, '"clubs":4', '"clubs":-Infinity'), "no JSON"),
    "half a number": (lambda lines: changed(lines, 8, '"clubs":4', '"clubs":4.5'), "not whole"),
    "2**64": (lambda lines: changed(lines, 8, '"clubs":4', f'"clubs":{2**64}'), "too large"),
    "5,000 digits": (lambda lines: changed(lines, 8, '"clubs":4', f'"clubs":{"9" * 5000}'), "Line 9"),
    "a huge position": (lambda lines: changed(lines, 7, '"position":7', f'"position":{10**30}'), "Line 8"),
    "depth": (lambda lines: changed(lines, 8, '"clubs":4', f'"clubs":{DEEP}'), "no JSON"),
    "a deep line": (lambda lines: [*lines[:3], DEEP, *lines[3:]], "Line 4"),
    "half a surrogate pair": (lambda lines: changed(lines, 3, "Long", "L\\ud800ng"), "no JSON"),
    "half a pair as it is": (lambda lines: changed(lines, 3, "Long", "L\ud800ng"), "not UTF-8"),
    "bad UTF-8": (lambda lines: [lines[0], b"\xff\xfe{}", *lines[1:]], "Line 2 of the dump: it is not UTF-8"),
    "no dump": (lambda _: ["hello"], "no JSON"),
    "another dump": (lambda _: ['{"a":1}'], "not a Retold dump"),
    "a later format": (lambda lines: changed(lines, 0, '"format":1', '"format":9'), "format 9"),
    "another campaign": (
        lambda lines: changed(lines, 0, '"campaign":"0', '"campaign":"f'),
        "another campaign",
    ),
    "nothing": (lambda _: [], "not a Retold dump"),
    "no events": (lambda lines: [lines[0], '{"count":0,"heads":{}}'], "no event in it"),
    "a list": (lambda lines: [lines[0], "[]"], "Line 2"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_dump_is_refused_and_leaves_nothing(what: str, lines: list[str], tmp_path: Path) -> None:
    spoil, sentence = BROKEN[what]
    folder = tmp_path / "new"
    folder.mkdir()

    with pytest.raises(StoreError, match=sentence):
        load(spoil(lines), folder / "b.retold")
    assert list(folder.iterdir()) == []


def test_a_dump_with_many_events_comes_back_in_one_piece(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as camp:
        notes(camp.writer(1), *map(str, range(1200)))
        lines = list(dump(camp.record))
        told: list[int] = []

        loaded = load(lines, tmp_path / "b.retold", lambda done, _: told.append(done))

        assert loaded.heads[1] == camp.record.head(1)
        assert told == [1000]


def test_R9_what_is_missing_of_a_damaged_row_is_not_dumped_as_nothing(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as camp:
        row = camp.record.row(1, 3)
    assert row is not None
    spoilt = row._replace(hash=None)  # type: ignore[arg-type]  # as SQLite reads a page that is not there

    with pytest.raises(Damaged, match="position 3 of line 1 is broken"):
        _line(spoilt)
