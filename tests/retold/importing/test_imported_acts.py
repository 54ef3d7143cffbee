"""An imported act has the same id at every import, and is known again whatever came of it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.importing.imported_acts import ImportedAct, imported_act_id, imported_acts
from retold.journal.decks.chance import Provenance
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.codec import decode
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import RETRY_WINDOW, CampaignStore, LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import campaign, evening, play

SOURCE = "ab" * 32
UNIT = "1477752830549819392"
ZEL, JON = 1, 2


@pytest.fixture
def camp(tmp_path: Path) -> Iterator[CampaignStore]:
    with campaign(tmp_path / "a.retold") as made:
        play(made.writer(1), evening())
        yield made


@pytest.fixture
def writer(camp: CampaignStore) -> LineWriter:
    """Who writes on the first line of `camp`."""
    return camp.writer(1)


def act_of(camp: CampaignStore, key: str, part: int = 0) -> str:
    return imported_act_id(camp.id, "discord", "", key, part)


def manner(camp: CampaignStore, key: str, place: int = 1) -> Manner:
    """How an import records a unit."""
    return Manner(
        act=act_of(camp, key),
        source=(SOURCE, place),
        unit=Words(key),
        when="2026-03-01T19:42:10.123Z",
        provenance=Provenance.IMPORTED,
    )


def take_in(camp: CampaignStore, writer: LineWriter, key: str = UNIT, text: str = "Not today.") -> int:
    """Records a unit in which Zel says something; returns its position."""
    return writer.record(c.Say(who=ZEL, text=Words(text)), manner(camp, key)).first


def known(camp: CampaignStore, line: int = 1) -> set[str]:
    return set(imported_acts(camp.record, line))


# --- the id -----------------------------------------------------------------------------------------------


def test_the_id_is_that_of_the_paper() -> None:
    pieces = ("5cdf7266f64ab199e70926dc10c4b957", "discord", "", UNIT, "0")
    digest = hashlib.sha256(b"retold/import/1")
    for piece in pieces:
        digest.update(len(piece.encode()).to_bytes(8) + piece.encode())

    act = imported_act_id(*pieces[:4])
    assert act == base64.urlsafe_b64encode(digest.digest()[:16]).decode().rstrip("=")
    assert act == "AoEVraOUPlfIzPhCXhWSFg"  # it has to stay so: a source is imported again by it


PIECES = st.tuples(st.text("ab"), st.text("ab"), st.text("ab"), st.text("ab"), st.integers(0, 20))


@given(PIECES, PIECES)
def test_units_that_differ_in_anything_differ_in_id(
    one: tuple[str, str, str, str, int], other: tuple[str, str, str, str, int]
) -> None:
    assert (imported_act_id(*one) == imported_act_id(*other)) == (one == other)


# --- what an import records -------------------------------------------------------------------------------


def test_the_units_own_id_is_in_words_and_never_in_a_body(camp: CampaignStore, writer: LineWriter) -> None:
    at = take_in(camp, writer)

    row = camp.record.row(1, at)
    assert row is not None
    assert UNIT not in row.body
    assert UNIT in (row.words or "")
    read = decode(row).envelope
    assert (read.unit, read.source, read.act) == (Words(UNIT), (SOURCE, 1), act_of(camp, UNIT))
    assert read.when == "2026-03-01T19:42:10.123Z"
    assert verify(camp.record).whole


def test_dice_are_imported_as_such(camp: CampaignStore, writer: LineWriter) -> None:
    done = writer.record(
        c.Roll(who=ZEL, dice="2d6", results=("3", "4"), text=Words("Run!")), manner(camp, UNIT)
    )

    assert [live.luck for live in done.lives if live.luck] == [(Provenance.IMPORTED,) * 2]


def test_the_same_unit_again_records_nothing(camp: CampaignStore, writer: LineWriter) -> None:
    at, head = take_in(camp, writer), writer.head

    assert take_in(camp, writer) == at
    assert writer.head == head


def test_a_redaction_of_the_words_takes_the_units_own_id_as_well(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = take_in(camp, writer)
    redact(writer, plan_redaction(writer, c.Redact(at=at)))

    row = camp.record.row(1, at)
    assert row is not None
    assert row.words == "[null,null]"
    assert decode(row).envelope.unit == Words(None)
    assert UNIT not in "".join(dump(camp.record))
    assert verify(camp.record).whole
    assert act_of(camp, UNIT) in known(camp)


def test_a_redaction_of_a_later_event_of_the_act_takes_it_too(
    camp: CampaignStore, writer: LineWriter
) -> None:
    done = writer.record(
        c.Cast(who=Words("Hob"), by=Words("Kit"), text=Words("A ferryman.")), manner(camp, UNIT)
    )
    assert len(done.events) > 1
    redact(writer, plan_redaction(writer, c.Redact(at=done.first + 1)))

    row = camp.record.row(1, done.first)
    assert row is not None
    assert decode(row).envelope.unit == Words(None)
    assert "Hob" in (row.words or "")


def test_one_of_several_texts_is_redacted_alone(camp: CampaignStore, writer: LineWriter) -> None:
    at = take_in(camp, writer)
    redact(writer, plan_redaction(writer, c.Redact(at=at, word=0)))

    row = camp.record.row(1, at)
    assert row is not None
    assert decode(row).envelope.unit == Words(UNIT)


def test_new_words_leave_the_units_own_id(camp: CampaignStore, writer: LineWriter) -> None:
    at = take_in(camp, writer)
    reword(writer, at, Words("Not tomorrow."))

    row = camp.record.row(1, at)
    assert row is not None
    assert decode(row, writer.amendments.rewordings.get(at)).envelope.unit == Words(UNIT)


# --- what is known again ----------------------------------------------------------------------------------


def test_every_imported_act_is_known_with_its_place(camp: CampaignStore, writer: LineWriter) -> None:
    first = take_in(camp, writer, "1")
    writer.record(c.Say(who=ZEL, text=Words("Here.")), Manner(act="mine"))
    second = writer.record(c.Note(text=Words("x")), manner(camp, "2", 7)).first

    when = "2026-03-01T19:42:10.123Z"
    said = ImportedAct(1, first, (SOURCE, 1), "table.said", "Not today.", text_at=first, when=when, who=ZEL)
    noted = ImportedAct(1, second, (SOURCE, 7), "table.noted", "x", text_at=second, when=when)
    assert imported_acts(camp.record, 1) == {act_of(camp, "1"): said, act_of(camp, "2"): noted}


def test_an_act_is_known_beyond_the_writers_own_look(camp: CampaignStore, writer: LineWriter) -> None:
    first = take_in(camp, writer)
    many = [e.Noted(text=Words("-"))] * (RETRY_WINDOW + 1)
    with camp.record.writing():
        camp.record.append(1, writer.head, draft_rows(camp.clock, many, None, [], Manner()))
    later = camp.writer(1)

    assert later.already(act_of(camp, UNIT)) is None
    assert imported_acts(camp.record, 1)[act_of(camp, UNIT)].position == first


def test_undone_acts_are_known(camp: CampaignStore, writer: LineWriter) -> None:
    take_in(camp, writer)
    undo(writer, 1)

    assert known(camp) == {act_of(camp, UNIT)}


def test_what_a_text_says_is_no_source(camp: CampaignStore, writer: LineWriter) -> None:
    writer.record(c.Say(who=ZEL, text=Words(f'"src":["{SOURCE}",1]')))

    assert known(camp) == set()


def test_a_changed_line_knows_what_it_left_out_and_what_was_undone_before(
    camp: CampaignStore, writer: LineWriter
) -> None:
    changed = writer.record(c.Say(who=ZEL, text=Words("Before."))).first
    kept = take_in(camp, writer, "kept")
    take_in(camp, writer, "undone")
    undo(writer, 1)
    plan = plan_retcon(writer, changed, c.Say(who=ZEL, text=Words("Otherwise.")))
    line = carry_out(plan, "mended", promoted=True)

    assert line != 1
    assert known(camp, line) == {act_of(camp, "kept"), act_of(camp, "undone")}
    again = next(
        decode(row).envelope
        for row in camp.record.rows(line, changed - 1)
        if row.line == line and act_of(camp, "kept") in row.body
    )
    assert (again.unit, again.source, again.when) == (
        Words("kept"),
        (SOURCE, 1),
        "2026-03-01T19:42:10.123Z",
    )
    assert kept > changed
    assert verify(camp.record).whole


def test_a_redacted_id_stays_redacted_on_a_changed_line(camp: CampaignStore, writer: LineWriter) -> None:
    changed = writer.record(c.Say(who=ZEL, text=Words("Before."))).first
    redact(writer, plan_redaction(writer, c.Redact(at=take_in(camp, writer))))
    line = carry_out(plan_retcon(writer, changed, c.Say(who=ZEL, text=Words("Otherwise."))), "mended")

    units = [decode(row).envelope.unit for row in camp.record.rows(line) if row.line == line]
    assert [unit for unit in units if unit is not None] == [Words(None)]
    assert verify(camp.record).whole


def test_a_branch_knows_what_it_shares_and_no_more(camp: CampaignStore, writer: LineWriter) -> None:
    take_in(camp, writer, "shared")
    line = camp.fork(1, writer.head.position, Words("what-if"))
    take_in(camp, writer, "on the mainline")
    take_in(camp, camp.writer(line), "on the branch")

    assert known(camp, 1) == {act_of(camp, "shared"), act_of(camp, "on the mainline")}
    assert known(camp, line) == {act_of(camp, "shared"), act_of(camp, "on the branch")}
    camp.promote(line)
    assert known(camp, line) == known(camp, 1) | {act_of(camp, "on the branch")}


def test_a_campaign_without_imports_knows_none(tmp_path: Path) -> None:
    with campaign(tmp_path / "b.retold") as made:
        play(made.writer(1), evening())
        assert known(made) == set()


def test_a_loaded_dump_knows_them(camp: CampaignStore, writer: LineWriter, tmp_path: Path) -> None:
    take_in(camp, writer)
    load(dump(camp.record), tmp_path / "again.retold")

    with CampaignStore.open(tmp_path / "again.retold") as again:
        assert imported_acts(again.record, 1) == imported_acts(camp.record, 1)
