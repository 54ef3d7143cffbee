"""What `verify` finds: every edit made behind Retold's back, with its line and its position."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from retold.games.guenask.commands import Enter
from retold.journal import RELEASE
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.contract.errors import Damaged, NotACampaign, StoreError
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events import acts, codec
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.chain import link
from retold.journal.store.events.line_events import recorded
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import Difference, Receipt, Report, verify, verify_chance, verify_rules
from retold.journal.store.verify import rules as verified
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Words
from tests.journal.store.played import SEED, campaign, evening, notes, play, played


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed campaign with an evening, an undone act and a branch with two notes."""
    (tmp_path / "a.retold").write_bytes(_file())
    return tmp_path / "a.retold"


@cache
def _file() -> bytes:
    """The bytes of that campaign, played once for all tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.retold"
        with played(path) as camp:
            _grow(camp)
        return path.read_bytes()


def _grow(camp: CampaignStore) -> None:
    undo(camp.writer(1))
    line = camp.fork(1, 10, Words("kinder"))
    notes(camp.writer(line), "a", "b")


@pytest.fixture
def whole(place: Address) -> Address:
    """The same campaign, in a file and on a server."""
    with played(place) as camp:
        _grow(camp)
    return place


def report(place: Place) -> Report:
    with closing(places.opened(place, read_only=True)) as store:
        return verify(Record(store))


def behind(path: Path, *statements: str, keep_triggers: bool = True) -> None:
    """Runs SQL on the file with the triggers out of the way, as somebody would who edits it."""
    with closing(sqlite3.connect(path)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
        if keep_triggers:
            for _, sql in triggers:
                db.execute(sql)
        db.commit()


def test_a_record_as_it_was_written_is_whole(whole: Address) -> None:
    found = report(whole)

    assert found.findings == ()
    assert found.whole
    assert found.good == found.events
    assert set(found.heads) == {1, 2}


EDITS: dict[str, tuple[str, ...]] = {
    "a body": ("UPDATE event SET body = replace(body, '\"clubs\":4', '\"clubs\":5') WHERE position = 8",),
    "a time": ("UPDATE event SET body = replace(body, '2026-03', '2026-04') WHERE position = 4",),
    "a hash, into letters": (f"UPDATE event SET hash = '{'x' * 32}' WHERE line = 1 AND position = 10",),
    "a kind": ("UPDATE event SET kind = 'table.said' WHERE kind = 'table.narrated'",),
    "words": ("UPDATE event SET words = replace(words, 'Zel', 'Zol') WHERE position = 5",),
    "words taken": ("UPDATE event SET words = NULL WHERE position = 5",),
    "one of the words taken": ("UPDATE event SET words = json_set(words, '$[1]', NULL) WHERE position = 5",),
    "the first of the words left out": (
        "UPDATE event SET words = json_remove(words, '$[0]') WHERE position = 5",
    ),
    "words added": ('UPDATE event SET words = \'[["AA","more"]]\' WHERE position = 7',),
    "words that are none": ("UPDATE event SET words = '[7]' WHERE position = 5",),
    "a hash": ("UPDATE event SET hash = zeroblob(32) WHERE position = 8 AND line = 1",),
    "an event deleted": ("DELETE FROM event WHERE line = 1 AND position = 6",),
    "the last event deleted": ("DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)",),
    "the first event deleted": ("DELETE FROM event WHERE seq = 1",),
    "a branch deleted": ("DELETE FROM event WHERE line = 2",),
    "two changed about": (
        "UPDATE event SET position = 100 WHERE line = 1 AND position = 6",
        "UPDATE event SET position = 6 WHERE line = 1 AND position = 7",
        "UPDATE event SET position = 7 WHERE line = 1 AND position = 100",
    ),
    "an event put on another line": (
        "UPDATE event SET line = 2, position = 14 WHERE line = 1 AND position = 20",
    ),
    "an event put in": (
        """INSERT INTO event (line, position, kind, body, words, hash)
        SELECT 2, 14, kind, body, words, hash FROM event WHERE line = 2 AND position = 13""",
    ),
    "a branch put elsewhere": (
        "UPDATE event SET body = replace(body, '\"at\":10', '\"at\":8') WHERE kind = 'table.forked'",
    ),
    "a branch moved": ("UPDATE event SET position = position - 1 WHERE line = 2",),
    "a branch of nothing": (
        "UPDATE event SET body = replace(body, '\"parent\":1', '\"parent\":7') WHERE kind = 'table.forked'",
    ),
    "a body that is no JSON": ("UPDATE event SET body = 'hello' WHERE position = 8",),
    "a body that is not an event": ("UPDATE event SET body = '{}' WHERE position = 8",),
}


@pytest.mark.parametrize("what", EDITS)
def test_every_edit_is_found(what: str, path: Path) -> None:
    behind(path, *EDITS[what])

    found = report(path)

    assert not found.whole
    assert all(str(finding).endswith(".") for finding in found.findings)


def test_a_reader_takes_no_text_for_the_one_before_it(path: Path) -> None:
    behind(path, *EDITS["the first of the words left out"])

    with closing(places.opened(path, read_only=True)) as store, pytest.raises(Damaged, match="Position 5 "):
        list(Record(store).rows(1))


def test_the_place_and_the_good_part_before_it_are_named(path: Path) -> None:
    behind(path, EDITS["a body"][0])

    found = report(path)

    assert [(one.line, one.position) for one in found.findings] == [(1, 8)]
    assert found.good == 7


def rechained(path: Path, body: Callable[[str], str]) -> None:
    """Edits a body and chains everything anew, as somebody would who knows how."""
    behind(path)
    with closing(sqlite3.connect(path)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        parent = b""
        rows = db.execute("SELECT seq, position, kind, body FROM event WHERE line = 1 ORDER BY position")
        for seq, position, kind, text in rows.fetchall():
            edited = body(text)
            parent = link(parent, 1, position, kind, edited)
            db.execute("UPDATE event SET body = ?, hash = ? WHERE seq = ?", (edited, parent, seq))
        db.commit()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"clubs":4', '"clubs":4.5', "not whole"),
        ('"clubs":4', '"clubs":99999999999999999', "too large"),
        ('"clubs":4', '"clubs": 4', "canonical"),
        ('"clubs":4,"melee":2', '"melee":2,"clubs":4', "canonical"),
        ('"clubs":4', '"clubs":3,"clubs":4', "canonical"),
        ('"i":2', '"i":3', "stood before it"),
        ('"who":1', '"wer":1', "as Retold knows it"),
    ],
)
def test_what_retold_would_not_write_is_found_though_chained(
    old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    played(tmp_path / "a.retold").close()
    rechained(tmp_path / "a.retold", lambda body: body.replace(old, new, 1))

    found = report(tmp_path / "a.retold")

    assert any(sentence in str(finding) for finding in found.findings)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"i":1,', '"i":1,"luck":"foo",', "parts of an event"),
        ('"i":1,', '"i":1,"luck":["dealt","foo"],', "parts of an event"),
        ('"tz":60', '"see":"all","tz":60', "parts of an event"),
        ('"tz":60', '"see":[-1],"tz":60', "parts of an event"),
        ('"tz":60', '"tz":1440', "parts of an event"),
        ('"i":1,"n":1', '"i":0,"n":1', "parts of an event"),
        ('"n":1,', '"by":-1,"n":1,', "parts of an event"),
        ('{"~":0}', '{"~":-1}', "counts from the end"),
        ('{"~":[0,0]}', '{"~":[0,-1]}', "counts from the end"),
        ('{"~":0}', '{"~":9}', "as Retold knows it"),
        ('"v":1', '"see":"all","v":1', "parts of an event"),
        ('"v":1', '"v":"1"', "parts of an event"),
    ],
)
def test_X8_what_no_reader_takes_is_found_by_verify_and_refused_by_load(
    old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    """In the last event of all, chained anew: nothing but its own parts is wrong."""
    path = tmp_path / "a.retold"
    with played(path) as camp:
        notes(camp.writer(1), "The last of all.")
        last = camp.record.row(1, camp.record.head(1).position)
    assert last is not None
    assert old in last.body
    spoilt = sorted_again(last.body.replace(old, new, 1))
    rechained(path, lambda body: spoilt if body == last.body else body)

    found = [one.sentence for one in report(path).findings if one.line is not None]
    assert len(found) == 1
    assert sentence in found[0]
    with CampaignFile.open(path) as file:
        lines = list(dump(Record(file)))
    with pytest.raises(StoreError, match=sentence):
        load(lines, tmp_path / "b.retold")


def sorted_again(body: str) -> str:
    """The body in canonical form, but for what makes it wrong."""
    return codec.canonical(json.loads(body))


def test_a_record_chained_anew_is_found_against_a_receipt(tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    played(path).close()
    kept = report(path).receipts
    rechained(path, lambda body: body.replace('"clubs":4', '"clubs":5'))

    with CampaignFile.open(path) as file:
        found = verify(Record(file), receipts=kept)

    assert any("receipt" in str(finding) for finding in found.findings)


def test_a_receipt_is_of_another_event_though_one_of_its_last_digits_alone_is_another(
    whole: Address,
) -> None:
    line, position, digits = report(whole).receipts[0].short
    other = Receipt(line, position, digits[:-1] + ("0" if digits[-1] != "0" else "1"))

    with closing(places.opened(whole, read_only=True)) as store:
        assert verify(Record(store), receipts=[Receipt(line, position, digits)]).whole
        assert not verify(Record(store), receipts=[other]).whole


def test_a_receipt_of_a_record_that_went_on_still_holds(whole: Address) -> None:
    kept = report(whole).receipts
    with CampaignStore.open(whole) as camp:
        camp.seed = SEED
        notes(camp.writer(1), "more")
        assert verify(camp.record, receipts=kept).whole
        assert not verify(camp.record, receipts=[Receipt(1, 99, "00")]).whole


def test_a_dropped_trigger_is_found(path: Path) -> None:
    behind(path, keep_triggers=False)

    assert any("lacks" in str(finding) for finding in report(path).findings)


def test_a_trigger_that_is_not_ours_is_found(path: Path) -> None:
    behind(path, "CREATE TRIGGER mine AFTER INSERT ON event BEGIN SELECT 1; END")

    assert any("not ours" in str(finding) for finding in report(path).findings)


def test_a_redaction_accounts_for_the_words_that_are_gone(whole: Address) -> None:
    with CampaignStore.open(whole) as camp:
        camp.seed = SEED
        branch = camp.writer(2)
        branch.manage_all((e.Redacted(about=5, words=(1,)),), c.Note(text=Words("-")))
        with camp.record.writing():
            camp.record.delete_texts(1, 5, (1,))

    assert report(whole).findings == ()


def test_a_kind_of_a_later_retold_is_kept_and_named(whole: Address) -> None:
    with CampaignStore.open(whole) as camp, camp.record.writing():
        camp.seed = SEED
        writer = camp.writer(1)
        drafts = draft_rows(camp.clock, [e.Noted(text=Words("x"))], None, [], Manner())
        later = [draft._replace(kind="table.dreamt") for draft in drafts]
        camp.record.append(1, writer.head, later)

    found = report(whole)

    assert found.whole
    assert found.unknown == ("table.dreamt",)
    with CampaignStore.open(whole) as camp, pytest.raises(Damaged, match="later one"):
        camp.writer(1)


def test_a_flipped_bit_is_found_and_the_good_part_read(tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    with played(path) as camp:
        notes(camp.writer(1), *("a long note " * 20 for _ in range(100)))
    image = path.read_bytes()
    missed = []
    for place in range(4096, len(image), len(image) // 60):
        spoilt = bytearray(image)
        spoilt[place] ^= 0x10
        path.write_bytes(spoilt)
        try:
            found = report(path)
        except (Damaged, NotACampaign):
            continue
        if found.whole:
            missed.append(place)
    path.write_bytes(image)

    assert all(harmless(path, image, place) for place in missed)


def harmless(path: Path, image: bytes, place: int) -> bool:
    """True if the flip at `place` changed no row: it lies where nothing is stored."""
    spoilt = bytearray(image)
    spoilt[place] ^= 0x10
    path.write_bytes(spoilt)
    with closing(sqlite3.connect(path)) as db:
        now = db.execute("SELECT * FROM event ORDER BY seq").fetchall()
    path.write_bytes(image)
    with closing(sqlite3.connect(path)) as db:
        return bool(now == db.execute("SELECT * FROM event ORDER BY seq").fetchall())


def test_progress_is_told(whole: Address) -> None:
    told: list[tuple[int, int | None]] = []
    with closing(places.opened(whole)) as file:
        found = verify(Record(file), lambda done, total: told.append((done, total)))

    assert told == [(found.events, found.events)]


# --- rules ---


def test_the_rules_of_today_decide_as_they_did(whole: Address) -> None:
    with CampaignStore.open(whole) as camp:
        assert list(verify_rules(camp, 1)) == []
        assert list(verify_rules(camp, 2)) == []


SEVERAL_KEYS: list[Command] = [
    c.SetOption(values={"bruise.tie": "redraw", "bruise.ace": "low"}),
    c.OpenConflict(
        system="spacetime",
        sides=((Words("Ann"),), (Words("The sea"),)),
        setup={"risk": "2", "rank": "3", "mode": "challenge"},
        people={"obstacle": Words("The sea")},
    ),
    c.Cast(who=Words("Ned"), system="guenask", values={"soft": "2", "mind": "2", "hard": "2", "body": "2"}),
    c.OpenConflict(system="guenask", sides=((Words("Ned"),), (Words("Thoss"),)), text=Words("the egg")),
    Enter(
        who=3,
        stance="opposed",
        means="neutral",
        setup={"pike": "1d8", "knife": "1d8"},
        results=("1", "2", "1", "2", "8", "3"),
    ),
]
"""Lines with several keys, none of them by letter; what is brought in is rolled in the order it is named."""


def test_A25_a_line_of_several_keys_is_decided_as_it_was_typed(place: Address) -> None:
    with campaign(place) as camp:
        play(camp.writer(1), SEVERAL_KEYS)
        assert list(verify_rules(camp, 1)) == []


def test_A25_a_record_that_does_not_say_the_order_of_keys_is_taken_in_the_one_that_fits(
    place: Address,
) -> None:
    with campaign(place) as camp:
        with patch.object(codec, "_order_typed", return_value={}):
            play(camp.writer(1), SEVERAL_KEYS)
        assert list(verify_rules(camp, 1)) == []


def test_another_rule_shows_where_it_would_decide_otherwise(whole: Address) -> None:
    from retold.games.bruise import rules  # noqa: PLC0415

    with CampaignStore.open(whole) as camp, patch.object(rules, "quantity_range", return_value=(7, 7)):
        differences = list(verify_rules(camp, 1))

    assert [one.command.verb for one in differences] == ["quality", "draw"]
    assert "the same with other values" in str(differences[0])


def test_an_act_that_would_be_refused_today_is_told_with_the_sentence(whole: Address) -> None:
    from retold.games.bruise import rules  # noqa: PLC0415

    def refuse(*_: object, **__: object) -> None:
        raise Refused("No colour is ever chosen.")

    with CampaignStore.open(whole) as camp, patch.object(rules, "quantity_range", side_effect=refuse):
        differences = list(verify_rules(camp, 1))

    assert "today: No colour is ever chosen. " in str(differences[0])


@pytest.mark.parametrize(
    ("decided", "today", "said", "by_these"),
    [
        (None, "0.2.0", "An earlier release decided it (0.1, or one before): a rule may have", False),
        ("0.2.0", "0.3.0", "Release 0.2.0 decided it, and this is 0.3.0: a rule may have", False),
        ("0.3.0", "0.3.0", "The same release decided it (0.3.0), so no mended rule explains it.", True),
        ("0.3.0.dev0", "0.3.0.dev0", "(0.3.0.dev0), which is in the making: a rule may have", True),
    ],
)
def test_X11_a_difference_says_which_release_decided(
    decided: str | None, today: str, said: str, by_these: bool, place: Address
) -> None:
    from retold.games.bruise import rules  # noqa: PLC0415

    with patch.object(acts, "RELEASE", decided), played(place):
        pass
    with (
        CampaignStore.open(place) as camp,
        patch.object(rules, "quantity_range", return_value=(7, 7)),
        patch.object(verified, "RELEASE", today),
    ):
        assert verify(camp.record).whole
        differences = list(verify_rules(camp, 1))
        assert differences
        assert all(said in str(one) for one in differences)
        assert [one.by_these_rules for one in differences] == [by_these] * len(differences)


def test_X11_of_a_guest_the_record_does_not_say_which_release_decided() -> None:
    told = Difference(7, c.Note(text=Words("x")), (), (), "No.", RELEASE, "lanterns")

    assert str(told).endswith("The guest lanterns decided it, whose release the record does not have.")
    assert not told.by_these_rules


def test_X11_the_first_event_of_each_act_names_the_release(place: Address, tmp_path: Path) -> None:
    with played(place) as camp:
        heads = [(one.envelope.i, one.envelope.release) for one, _ in recorded(camp.record, 1)]

        assert {release for i, release in heads if i == 1} == {RELEASE}
        assert {release for i, release in heads if i > 1} == {None}
        lines = list(dump(camp.record))
    load(lines, tmp_path / "b.retold")
    with CampaignStore.open(tmp_path / "b.retold") as again:
        assert list(dump(again.record)) == lines


@pytest.mark.parametrize("odd", ["", "0.2 or so", "x" * 41, 2, None])
def test_X11_an_invalid_release_is_found(odd: object, path: Path) -> None:
    behind(path, f"UPDATE event SET body = json_set(body, '$.rel', json('{json.dumps(odd)}')) WHERE seq = 4")

    assert "Its body has not the parts of an event." in str(report(path).findings)


# --- chance ---


def test_everything_dealt_follows_from_the_seed(whole: Address) -> None:
    with CampaignStore.open(whole) as camp:
        found = verify_chance(camp.record, SEED, 1)

    assert found.proved
    assert found.dealt == 10
    assert "did not look ahead" in found.says


def test_another_seed_is_told_apart(whole: Address) -> None:
    with CampaignStore.open(whole) as camp:
        found = verify_chance(camp.record, b"another", 1)

    assert "not the one this campaign committed to" in str(found.findings[0])
    assert len(found.findings) == 3


def test_a_campaign_without_a_seed_has_nothing_to_prove(place: Address) -> None:
    with campaign(place, seed=None) as camp:
        assert "no seed" in str(verify_chance(camp.record, SEED, 1).findings[0])


def test_undone_draws_are_listed_and_proved_as_well(place: Address) -> None:
    with campaign(place) as camp:
        writer = play(camp.writer(1), evening()[:4])
        writer.record(c.Draw(who=1, count=3))
        undo(writer)
        writer.record(c.Draw(who=1, count=2))

        found = verify_chance(camp.record, SEED, 1)

        assert found.proved
        assert found.dealt == 5
        assert len(found.undone) == 1
        assert "was taken back" in str(found.undone[0])


def test_a_result_that_was_made_up_is_found(tmp_path: Path) -> None:
    with campaign(tmp_path / "a.retold") as camp:
        camp.writer(1).record(c.Roll(dice="1d1000"))
        face = json.loads(camp.record.row(1, 3).body)["data"]["faces"][0]  # type: ignore[union-attr]
    path = tmp_path / "a.retold"
    other = face % 1000 + 1
    rechained(path, lambda body: body.replace(f"[{face}]", f"[{other}]").replace(f'"{face}"', f'"{other}"'))

    with CampaignStore.open(path) as camp:
        assert verify(camp.record).findings[0].line is None  # only the triggers are missing
        found = verify_chance(camp.record, SEED, 1)

    assert f"{other} is recorded, and the seed deals {face}" in str(found.findings[0])


def test_each_branch_deals_on_a_chance_line_of_its_own(place: Address) -> None:
    with campaign(place) as camp:
        writer = play(camp.writer(1), [*evening()[:4], c.Draw(who=1, count=2)])
        branch = camp.writer(camp.fork(1, writer.head.position, Words("other")))
        mine, theirs = writer.record(c.Draw(who=3, count=5)), branch.record(c.Draw(who=3, count=5))

        assert mine.events != theirs.events
        assert verify_chance(camp.record, SEED, 2).dealt == 7
        assert verify_chance(camp.record, SEED, 2).proved


def test_the_bytes_of_chance_are_the_ones_the_specification_names(place: Address) -> None:
    import hmac  # noqa: PLC0415

    with campaign(place) as camp:
        done = camp.writer(1).record(c.Roll(dice="2d6"))

    def face(n: int) -> int:
        fields = [b"1", b"d6", str(n).encode()]
        message = b"".join(len(one).to_bytes(4) + one for one in fields) + b"\x00"
        return int.from_bytes(hmac.digest(SEED, message, "sha256")) % 6 + 1

    rolled = done.events[0]
    assert isinstance(rolled, e.DiceRolled)
    assert rolled.faces == (face(0), face(1))


@pytest.mark.parametrize("position", [13, 256, 300, 65_536])
def test_a_hash_is_made_of_the_bytes_the_specification_names(position: int) -> None:
    def measured(data: bytes) -> bytes:
        return len(data).to_bytes(8) + data

    parts = [b"p" * 32, b"2", str(position).encode(), b"table.noted", '{"a":"é"}'.encode()]
    expected = hashlib.sha256(b"retold/1" + b"".join(map(measured, parts))).digest()

    assert link(b"p" * 32, 2, position, "table.noted", '{"a":"é"}') == expected


def test_S4_what_is_recorded_meanwhile_is_no_finding(path: Path) -> None:
    """Somebody records between what SQLite says it has counted, and the count of what is there."""
    with CampaignStore.open(path) as writing, CampaignFile.open(path, read_only=True) as file:
        writer, record = writing.writer(2), Record(file)
        file._db.set_trace_callback(
            lambda sql: notes(writer, "meanwhile") if sql.startswith("SELECT count") else None
        )

        assert verify(record).whole
        with patch.object(CampaignFile, "read_transaction", nullcontext):  # the control
            assert "were recorded and" in str(verify(record).findings)


def test_S6_words_that_were_redacted_and_brought_back_are_found(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        ((words,),) = db.execute("SELECT hex(words) FROM event WHERE line = 1 AND position = 4")
    with CampaignStore.open(path) as camp:
        writer = camp.writer(1)
        redact(writer, plan_redaction(writer, c.Redact(at=4)))
    assert report(path).whole

    again = f"CAST(x'{words}' AS TEXT)"
    behind(path, f"UPDATE event SET words = {again} WHERE line = 1 AND position = 4")

    assert [(one.position, one.sentence) for one in report(path).findings] == [
        (4, f"Words number {number} were redacted, and stand here again: redact them once more.")
        for number in range(len(json.loads(bytes.fromhex(words))))
    ]


@pytest.mark.parametrize("at", ["2026-03-14T23:59:60.000000Z", "2026-13-14T00:00:00.000000Z", "once"])
def test_S13_a_time_that_is_none_is_found(at: str, path: Path) -> None:
    behind(path, f"UPDATE event SET body = json_set(body, '$.at', '{at}') WHERE line = 1 AND position = 4")

    assert "Its body has not the parts of an event." in str(report(path).findings)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("body", "CAST(body AS BLOB)"),
        ("kind", "CAST(kind AS BLOB)"),
        ("words", "CAST(words AS BLOB)"),
        ("words", "'{}'"),
        ("words", "'[{}]'"),
        ("hash", "substr(hex(hash), 1, 32)"),
    ],
)
@pytest.mark.parametrize("position", [1, 4])
def test_S5_whatever_a_column_holds_is_named_with_its_place(
    position: int, column: str, value: str, path: Path
) -> None:
    behind(path, f"UPDATE event SET {column} = {value} WHERE line = 1 AND position = {position}")

    found = report(path)
    if (column, position) != ("words", 1) or value != "CAST(words AS BLOB)":  # the first has none
        assert (found.findings[0].line, found.findings[0].position) == (1, position)
        assert found.good == position - 1


def test_what_cannot_be_read_on_is_placed_behind_the_last_that_could(path: Path) -> None:
    behind(path, "UPDATE event SET body = CAST(x'ff' AS TEXT) WHERE line = 1 AND position = 4")

    found = report(path)

    assert str(found.findings[-1]) == ("Nothing can be read of what was recorded after line 1, position 3.")
    assert found.good == 3
