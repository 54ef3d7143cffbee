"""Drafts: kept in streams of their own, revision by revision, apart from every line."""

from __future__ import annotations

import pytest

from journal.refused import Refused
from journal.store.acts import Manner
from journal.store.address import Address
from journal.store.campaign import CampaignStore, LineWriter
from journal.store.drafts import Draft, Scope
from journal.store.dump import dump, load
from journal.store.event_store import Row, is_draft
from journal.store.record import Record
from journal.store.redact import plan_redaction, redact
from journal.store.sync import bring_together, compare, copy_into
from journal.store.sync_apart import move_acts
from journal.store.verify import receipts, verify
from journal.vocabulary import commands as c
from journal.vocabulary.base import Words
from journal.vocabulary.drafts import Block, Told
from tests.journal.store.memory import InMemory, Memory
from tests.journal.store.played import in_a_file

SECRET = "Her brother is the captain of the watch."


def block(number: int, text: str | None, *tells: int) -> Block:
    told = tuple(Told(line=1, position=at, state=f"state of {at}") for at in tells)
    return Block(id=number, sort="text", text=Words(text), tells=told)


def begun(camp: CampaignStore, *blocks: Block, name: str = "The second draft") -> Draft:
    scope = Scope(1, 1, camp.record.head(1).position, "prose", "table")
    with camp.record.writing():
        return camp.drafts.begin(Words(name), scope, blocks, Manner(by=0))


def revised(camp: CampaignStore, draft: Draft, *blocks: Block) -> Draft:
    with camp.record.writing():
        return camp.drafts.revise(draft, blocks, Manner(by=0))


def rows_of(camp: CampaignStore) -> list[Row]:
    return [row for row in camp.record.everything() if is_draft(row.line)]


def test_a_draft_is_read_as_it_was_begun(camp: CampaignStore) -> None:
    blocks = (block(1, "Zel ran one through.", 9), block(2, "Nobody saw it."))
    draft = begun(camp, *blocks)
    assert draft.name == "The second draft"
    assert draft.latest.blocks == blocks
    assert camp.drafts.read(camp.drafts.called("the SECOND draft")) == draft


def test_a_line_is_not_changed_by_a_draft(camp: CampaignStore) -> None:
    before = camp.record.head(1), camp.lines(), camp.table_at(1)
    begun(camp, block(1, "Zel ran one through.", 9))
    assert (camp.record.head(1), camp.lines(), camp.table_at(1)) == before


def test_a_revision_stores_only_the_blocks_that_changed(camp: CampaignStore) -> None:
    one, two, other = block(1, "One.", 9), block(2, "Two."), block(2, "Zwei.")
    draft = revised(camp, begun(camp, one, two), other, one)
    assert draft.latest.blocks == (other, one)
    assert draft.revision(1).blocks == (one, two)
    assert "Zwei." in str(rows_of(camp)[-1].words)
    assert "One." not in str(rows_of(camp)[-1].words)


def test_the_same_blocks_again_are_no_revision(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    assert revised(camp, draft, block(1, "One.")) == draft


def test_a_revision_of_what_somebody_else_revised_is_refused(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    revised(camp, draft, block(1, "Un."))
    with pytest.raises(Refused, match="revision 2 by now"):
        revised(camp, draft, block(1, "Eins."))


def test_a_name_is_taken_once(camp: CampaignStore) -> None:
    begun(camp, name="Zine")
    with pytest.raises(Refused, match="already"):
        begun(camp, name="zine")


def test_what_is_sent_is_noted(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    with camp.record.writing():
        draft = camp.drafts.note_sent(draft, 1, "docx", Manner(by=0))
    assert [(one.revision, one.format) for one in draft.sent] == [(1, "docx")]


def test_an_unknown_draft_and_revision_are_refused(camp: CampaignStore) -> None:
    with pytest.raises(Refused, match="no draft zine"):
        camp.drafts.called("zine")
    with pytest.raises(Refused, match="no draft with the number 1"):
        camp.drafts.read(1)
    with pytest.raises(Refused, match="revisions 1 to 1, not 2"):
        begun(camp, block(1, "One.")).revision(2)


def test_a_record_with_drafts_is_whole(camp: CampaignStore) -> None:
    draft = revised(camp, begun(camp, block(1, "One.", 9)), block(1, "Un.", 9))
    report = verify(camp.record)
    assert report.whole, report.findings
    assert report.unknown == ()
    assert draft.number in {one.line for one in receipts(camp.record)}


def test_a_draft_comes_back_from_a_dump(
    camp: CampaignStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    draft = begun(camp, block(1, "One.", 9))
    place = Address.of_file(tmp_path_factory.mktemp("loaded") / "b.retold")
    load(list(dump(camp.record)), place)
    with CampaignStore.open(place) as loaded:
        assert loaded.drafts.read(draft.number) == draft


def test_a_draft_goes_to_another_copy(camp: CampaignStore) -> None:
    there = Record(InMemory(Memory()))
    copy_into(there.store, camp.record)
    draft = begun(camp, block(1, "One.", 9))
    bring_together(camp.record, there)
    revised(camp, draft, block(1, "Un.", 9))
    bring_together(camp.record, there)
    assert CampaignStore(there).drafts.read(draft.number) == camp.drafts.read(draft.number)


def two(camp: CampaignStore) -> CampaignStore:
    """Another copy of the campaign."""
    there = Record(InMemory(Memory()))
    copy_into(there.store, camp.record)
    return CampaignStore(there)


def test_a_redaction_that_comes_here_names_the_event_whose_drafts_stand(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Say(who=1, text=Words(SECRET))).first
    there = two(camp)
    begun(there, block(1, "She has a brother in the watch.", at))
    redact(writer, plan_redaction(writer, c.Redact(at=at)))
    came = bring_together(camp.record, there.record).went
    assert [(one.line, one.position) for one in came.standing] == [(1, at)]


def test_a_draft_goes_along_where_lines_parted(camp: CampaignStore, writer: LineWriter) -> None:
    there = two(camp)
    draft = begun(camp, block(1, "One.", 9))
    writer.record(c.Note(text=Words("here")))
    there.writer(1).record(c.Note(text=Words("there")))
    move_acts(camp, there, compare(camp.record, there.record), None, "here")
    assert there.drafts.read(draft.number) == draft
    assert verify(there.record).whole


def test_a_draft_of_events_that_would_move_is_not_moved(camp: CampaignStore, writer: LineWriter) -> None:
    there = two(camp)
    writer.record(c.Note(text=Words("here")))
    begun(camp, block(1, "One.", 9))
    there.writer(1).record(c.Note(text=Words("there")))
    before = there.record.head(1)
    with pytest.raises(Refused, match="The second draft tells events that only one copy has"):
        move_acts(camp, there, compare(camp.record, there.record), None, "here")
    assert there.record.head(1) == before


def test_two_copies_that_both_revised_a_draft_are_apart(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One.", 9))
    there = two(camp)
    revised(camp, draft, block(1, "Un.", 9))
    revised(there, draft, block(1, "Eins.", 9))
    comparison = compare(camp.record, there.record)
    assert [one.line for one in comparison.apart] == [draft.number]
    with pytest.raises(Refused, match="Both copies went on with the draft The second draft"):
        move_acts(camp, there, comparison, None, "here")


@in_a_file
def test_a_draft_under_a_number_of_another_is_found(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One.", 9))
    rows = [
        row._replace(line=draft.number + 1) if is_draft(row.line) else row
        for _, row in camp.record.store.log()
    ]
    false = InMemory(Memory(rows=rows))
    assert "not its own" in str(verify(Record(false)).findings)


def test_a_redaction_empties_every_block_that_tells_the_event(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Say(who=1, text=Words(SECRET))).first
    other = block(3, "It rained.", 1)
    draft = begun(camp, block(1, "She has a brother in the watch.", at), block(2, SECRET), other)
    draft = revised(camp, draft, block(1, "A brother, and him a captain!", at), block(2, SECRET), other)
    plan = plan_redaction(writer, c.Redact(at=at))
    assert [(one.line, one.position) for one in plan.elsewhere] == [(draft.number, 2)]
    redact(writer, plan)
    assert camp.drafts.read(draft.number).revision(1).blocks[0].text == Words(None)
    assert [one.text.text for one in camp.drafts.read(draft.number).latest.blocks] == [
        None,
        SECRET,
        "It rained.",
    ]
    stored = "".join(map(str, camp.record.everything()))
    assert "brother in the watch" not in stored
    assert "him a captain" not in stored
    report = verify(camp.record)
    assert report.whole, report.findings


def test_words_told_after_the_redaction_are_redacted_once_more(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Say(who=1, text=Words(SECRET))).first
    redact(writer, plan_redaction(writer, c.Redact(at=at)))
    draft = begun(camp, block(1, "She has a brother in the watch.", at))
    redact(writer, plan_redaction(writer, c.Redact(at=at)))
    assert camp.drafts.read(draft.number).latest.blocks[0].text == Words(None)
    assert verify(camp.record).whole
    with pytest.raises(Refused, match="redacted already"):
        plan_redaction(writer, c.Redact(at=at))
