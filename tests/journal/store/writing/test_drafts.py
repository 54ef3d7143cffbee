"""Drafts: kept in streams of their own, revision by revision, apart from every line."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.event_store import FIRST_DRAFT, Row, is_draft
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.copies.sync import bring_together, compare, copy_into
from retold.journal.store.copies.sync_apart import MovedLine, move_acts
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.record import Record
from retold.journal.store.events.told_states import ToldStates
from retold.journal.store.verify import receipts, verify
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.drafts import Draft, Scope
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.rewording import reword
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from retold.journal.vocabulary.drafts import Block, DraftBegun, DraftRevised, DraftSent, Remark, Told
from tests.journal.store.memory import InMemory, Memory
from tests.journal.store.played import in_a_file
from tests.journal.store.test_dumped_texts import sorts
from tests.journal.store.writing.test_draft_joining import random_revision

SECRET = "Her brother is the captain of the watch."


def block(number: int, text: str | None, *tells: int) -> Block:
    told = tuple(Told(line=1, position=at, state=f"state of {at}") for at in tells)
    return Block(id=number, sort="text", text=Words(text), tells=told)


def begun(camp: CampaignStore, *blocks: Block, name: str = "The second draft") -> Draft:
    scope = Scope(1, 1, camp.record.head(1).position, "prose", "table", "de")
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


@in_a_file
def test_the_same_blocks_again_are_no_revision(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    assert revised(camp, draft, block(1, "One.")) == draft


@in_a_file
def test_a_revision_based_on_an_outdated_one_is_refused(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    revised(camp, draft, block(1, "Un."))
    with pytest.raises(Refused, match="revision 2 by now"):
        revised(camp, draft, block(1, "Eins."))


@in_a_file
def test_a_name_is_taken_once(camp: CampaignStore) -> None:
    begun(camp, name="Zine")
    with pytest.raises(Refused, match="already"):
        begun(camp, name="zine")


@in_a_file
def test_what_is_sent_is_noted(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    with camp.record.writing():
        draft = camp.drafts.note_sent(draft, 1, "docx", Manner(by=0))
    assert [(sending.revision, sending.format) for sending in draft.sent] == [(1, "docx")]


@in_a_file
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
    assert draft.number in {receipt.line for receipt in receipts(camp.record)}


def test_a_draft_comes_back_from_a_dump(
    camp: CampaignStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    draft = begun(camp, block(1, f"One. {sorts()}", 9), name=f"Zine {sorts()}")
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
    assert [(words.line, words.position) for words in came.standing] == [(1, at)]
    redact(there.writer(1), plan_redaction(there.writer(1), c.Redact(at=at)))
    bring_together(camp.record, there.record)
    for copy in (camp, there):
        assert "in the watch" not in "".join(map(str, copy.record.as_stored().everything()))
        assert verify(copy.record).whole


def test_a_draft_goes_along_where_lines_parted(camp: CampaignStore, writer: LineWriter) -> None:
    there = two(camp)
    draft = begun(camp, block(1, "One.", 9))
    writer.record(c.Note(text=Words("here")))
    there.writer(1).record(c.Note(text=Words("there")))
    move_acts(camp, there, compare(camp.record, there.record), None, "here")
    assert there.drafts.read(draft.number) == draft
    assert verify(there.record).whole


def moved(here: CampaignStore, there: CampaignStore, name: str | None = None) -> tuple[MovedLine, ...]:
    """Records in `there` what only `here` has; returns the lines that moved. `there` is then whole."""
    lines = move_acts(here, there, compare(here.record, there.record), name, "here")
    report = verify(there.record)
    assert report.whole, report.findings
    return lines


def told(campaign: CampaignStore, at: int, line: int = 1) -> Told:
    """An event as a writer who looks now would tell it."""
    state = ToldStates(campaign.record, line).of(at)
    assert state is not None
    return Told(line=line, position=at, state=state)


def texts(blocks: Sequence[Block]) -> list[str | None]:
    return [block.text.text for block in blocks]


def test_a_draft_of_events_that_move_tells_them_where_they_are(
    camp: CampaignStore, writer: LineWriter
) -> None:
    there = two(camp)
    at = writer.record(c.Note(text=Words("here"))).first
    both = Block(id=1, sort="text", text=Words("It was here."), tells=(told(camp, at), told(camp, 9)))
    draft = begun(camp, both)
    there.writer(1).record(c.Note(text=Words("there")))
    moved(camp, there)
    (block,) = there.drafts.read(draft.number).latest.blocks
    assert block.tells == (told(there, at + 1), told(there, 9))
    assert there.drafts.read(draft.number).scope == Scope(1, 1, at + 1, "prose", "table", "de")


@in_a_file
def test_a_draft_follows_its_events_to_a_branch(camp: CampaignStore, writer: LineWriter) -> None:
    there = two(camp)
    at = writer.record(c.Note(text=Words("here"))).first
    draft = begun(camp, Block(id=1, sort="text", text=Words("It was here."), tells=(told(camp, at),)))
    there.writer(1).record(c.Note(text=Words("there")))
    (line, _) = moved(camp, there, "ours")
    now = there.drafts.read(draft.number)
    assert now.scope.line == line.now
    assert now.latest.blocks[0].tells == (told(there, now.scope.last, line.now),)


@in_a_file
def test_an_event_that_was_reworded_in_the_other_copy_has_to_be_looked_at(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Note(text=Words("rain"))).first
    there = two(camp)
    before = told(camp, at)
    draft = begun(camp, Block(id=1, sort="text", text=Words("Rain."), tells=(before,)))
    writer.record(c.Note(text=Words("here")))
    revised(camp, draft, Block(id=1, sort="text", text=Words("It rained."), tells=(before,)))
    reword(there.writer(1), at, Words("hail"))
    moved(camp, there)
    (block,) = there.drafts.read(draft.number).latest.blocks
    assert block.tells == (before,)
    assert ToldStates(there.record, 1).now(before) != before.state


def test_two_copies_that_both_revised_a_draft_are_joined(camp: CampaignStore) -> None:
    three = block(1, "One.", 9), block(2, "Two."), block(3, "Three.")
    draft = begun(camp, *three)
    there = two(camp)
    draft = revised(camp, draft, block(1, "Un.", 9), block(2, "Deux."), three[2], block(4, "Quatre."))
    with camp.record.writing():
        camp.drafts.note_sent(draft, 2, "docx", Manner(by=0))
    revised(there, there.drafts.read(draft.number), block(1, "Eins.", 9), *three[1:], block(4, "Vier."))
    comparison = compare(camp.record, there.record)
    assert [line.line for line in comparison.apart] == [draft.number]
    (line,) = moved(camp, there)
    assert line.changes == ("Block 1 of the draft The second draft has the wordings of both.",)

    now = there.drafts.read(draft.number)
    assert texts(now.latest.shown) == ["Eins.", "Deux.", "Three.", "Vier.", "Quatre."]
    assert texts(now.latest.other_wordings[1]) == ["Un."]
    assert [(revision.number, revision.after, revision.joins) for revision in now.revisions] == [
        (1, 0, None),
        (2, 1, None),
        (3, 1, None),
        (4, 2, 3),
    ]
    assert texts(now.revision(3).blocks) == ["Un.", "Deux.", "Three.", "Quatre."]
    (sent,) = now.sent_as(2)
    assert sent.number == 3
    assert now.before_latest == 2
    assert [again.events for again in moved(camp, there)] == [0], "what came once does not come again"


@in_a_file
def test_revisions_that_came_along_another_way_are_not_recorded_twice(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One.", 9), block(2, "Two."))
    second, third = two(camp), two(camp)
    draft = revised(camp, draft, block(1, "Un.", 9), block(2, "Two."), block(3, "Trois."))
    for other, text in ((second, "Zwei."), (third, "Due.")):
        there = other.drafts.read(draft.number)
        revised(other, there, block(1, "One.", 9), block(2, text), block(3, f"New, {text}"))
    moved(camp, second)
    moved(camp, third)
    moved(second, third)
    latest = third.drafts.read(draft.number).latest
    assert texts(latest.shown) == ["Un.", "Due.", "New, Due.", "New, Zwei.", "Trois."]
    assert texts(latest.other_wordings[2]) == ["Zwei."]


@in_a_file
def test_a_draft_that_was_published_or_sent_in_one_copy_alone_is_joined_too(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One.", 9))
    there = two(camp)
    with camp.record.writing():
        camp.drafts.publish(draft, 1, Manner(by=0))
    revised(there, there.drafts.read(draft.number), block(1, "Eins.", 9))
    moved(camp, there)
    now = there.drafts.read(draft.number)
    assert (len(now.revisions), now.published is not None) == (2, True)


def test_a_redacted_text_stays_so_in_a_revision_that_is_moved(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Say(who=1, text=Words(SECRET))).first
    draft = begun(camp, block(1, "A brother.", at), block(2, "Two."))
    there = two(camp)
    draft = revised(camp, draft, block(1, "Her brother the captain.", at), block(2, "Two."))
    revised(there, there.drafts.read(draft.number), block(1, "A brother.", at), block(2, "Zwei."))
    for copy in (camp, there):
        redact(copy.writer(1), plan_redaction(copy.writer(1), c.Redact(at=at)))
    moved(camp, there)
    now = there.drafts.read(draft.number)
    assert texts(now.latest.shown) == [None, "Zwei."]
    assert "brother" not in "".join(map(str, there.record.as_stored().everything()))


def written(camp: CampaignStore, number: int, random: Random, writer: str) -> Draft:
    """A draft after some random steps of a writer, read anew after each."""
    for step in range(random.randrange(5)):
        draft = camp.drafts.read(number)
        latest, some = draft.latest, random.randint(1, len(draft.revisions))
        with camp.record.writing():
            match random.randrange(6):
                case 0:
                    after = camp.drafts.note_sent(draft, some, "docx", Manner(by=0))
                case 1:
                    after = camp.drafts.publish(draft, random.choice([None, some]), Manner(by=0))
                case 2:
                    after = camp.drafts.restore(draft, some, Manner(by=0))
                case 3:
                    back = random_revision(draft.revision(some).blocks, random, f"{writer}{step}")
                    after = camp.drafts.take(draft, some, back, Manner(by=0))
                case _:
                    blocks = random_revision(latest.blocks, random, f"{writer}{step}")
                    after = camp.drafts.revise(draft, blocks, Manner(by=0))
        assert after == camp.drafts.read(number)
    return camp.drafts.read(number)


@in_a_file
def test_no_revision_of_two_random_writers_is_lost_when_their_copies_are_joined(camp: CampaignStore) -> None:
    draft = begun(camp, *(block(at, f"base {at}", 9) for at in range(1, 5)))
    for seed in range(40):
        random = Random(seed)
        here, there = two(camp), two(camp)
        ours, theirs = (
            written(copy, draft.number, random, name) for copy, name in ((here, "a"), (there, "b"))
        )
        moved(here, there)
        now = there.drafts.read(draft.number)
        revisions = [texts(revision.blocks) for revision in now.revisions]
        made = (*ours.revisions, *theirs.revisions)
        assert all(texts(revision.blocks) in revisions for revision in made), seed
        if len(ours.revisions) > 1 < len(theirs.revisions):
            new = {*texts(ours.latest.blocks), *texts(theirs.latest.blocks)} - set(texts(draft.latest.blocks))
            assert new <= set(texts(now.latest.blocks)), seed
            assert now.latest.joins is not None
        assert len(now.sent) == len({*ours.sent, *theirs.sent})


@in_a_file
def test_drafts_of_one_name_are_told_apart(camp: CampaignStore) -> None:
    there = two(camp)
    begun(camp, block(1, "Here."), name="Zine")
    begun(there, block(1, "There."), name="zine")
    bring_together(camp.record, there.record)
    assert sorted(camp.drafts.names().values()) in (["Zine", "zine (2)"], ["Zine (2)", "zine"])
    assert {camp.drafts.called(name) for name in ("zine", "zine (2)")} == set(camp.drafts.names())


@in_a_file
def test_undo_and_redo_are_revisions(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    for text in ("Two.", "Three."):
        draft = revised(camp, draft, block(1, text))
    assert (draft.before_latest, draft.undone_last) == (2, None)

    def step(number: int | None) -> Draft:
        assert number is not None
        with camp.record.writing():
            return camp.drafts.restore(camp.drafts.read(draft.number), number, Manner(by=0))

    draft = step(step(draft.before_latest).before_latest)
    assert (texts(draft.latest.blocks), draft.before_latest, draft.undone_last) == (["One."], None, 2)
    draft = step(draft.undone_last)
    assert (texts(draft.latest.blocks), draft.before_latest, draft.undone_last) == (["Two."], 1, 3)
    draft = step(draft.undone_last)
    assert (texts(draft.latest.blocks), draft.before_latest, draft.undone_last) == (["Three."], 2, None)
    draft = revised(camp, step(draft.before_latest), block(1, "Four."))
    assert (draft.before_latest, draft.undone_last) == (2, None)
    assert len(draft.revisions) == 9


@in_a_file
def test_a_draft_is_published_and_withdrawn(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One."))
    assert draft.published is None
    with camp.record.writing():
        draft = camp.drafts.publish(draft, 1, Manner(by=0))
    assert draft.published is not None
    assert draft.published.revision == 1
    with camp.record.writing():
        draft = camp.drafts.withdraw(camp.drafts.publish(draft, None, Manner(by=0)), Manner(by=0))
    assert draft.published is None


@in_a_file
def test_what_comes_back_is_joined_with_what_was_written_meanwhile(camp: CampaignStore) -> None:
    one, two_, three = block(1, "One.", 9), block(2, "Two."), block(3, "Three.")
    draft = revised(camp, begun(camp, one, two_, three), one, block(2, "Zwei."), three)
    back = (block(1, "Un.", 9), block(2, "Deux."), three, block(4, "New."))

    def take(again: Draft) -> Draft:
        with camp.record.writing():
            return camp.drafts.take(again, 1, back, Manner(by=0))

    draft = take(draft)
    assert texts(draft.latest.shown) == ["Un.", "Zwei.", "Three.", "New."]
    assert texts(draft.latest.other_wordings[2]) == ["Deux."]
    assert texts(draft.revision(3).blocks) == ["Un.", "Deux.", "Three.", "New."]
    chosen = revised(camp, draft, *draft.latest.shown)
    assert take(chosen) == chosen, "taken twice, it changes nothing"
    with camp.record.writing():
        undone = camp.drafts.restore(chosen, 2, Manner(by=0))
    assert texts(take(undone).latest.shown) == ["Un.", "Zwei.", "Three.", "New."]


@in_a_file
def test_what_is_cut_keeps_its_text_and_place(camp: CampaignStore) -> None:
    cut = Block(id=2, sort="text", text=Words("Two."), cut=True)
    draft = revised(camp, begun(camp, block(1, "One."), block(2, "Two.")), block(1, "One."), cut)
    assert texts(draft.latest.shown) == ["One."]
    assert texts(draft.latest.cut) == ["Two."]


@in_a_file
@pytest.mark.parametrize(
    "text", ["a\0b", "a\ud800b", "a" * (16 * 2**20 + 1)], ids=["nul", "surrogate", "long"]
)
def test_a_text_that_no_record_holds_is_refused(camp: CampaignStore, text: str) -> None:
    draft = begun(camp, block(1, "One."))
    with pytest.raises(Refused):
        revised(camp, draft, block(1, text))
    assert camp.drafts.read(draft.number) == draft


@in_a_file
def test_a_draft_under_a_number_of_another_is_found(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One.", 9))
    rows = [
        row._replace(line=draft.number + 1) if is_draft(row.line) else row
        for _, row in camp.record.store.log()
    ]
    false = InMemory(Memory(rows=rows))
    assert "not its own" in str(verify(Record(false)).findings)


@in_a_file
def test_what_is_in_the_wrong_stream_or_does_not_fit_is_found(camp: CampaignStore) -> None:
    draft = begun(camp, block(1, "One.", 9))

    def faults(line: int, event: Event) -> str:
        """Faults that `verify` finds in a copy with this event added to a stream."""
        copy = two(camp).record
        with copy.writing():
            copy.append(line, copy.head(line), draft_rows(Clock(), [event], None, [], Manner()))
        return str(verify(copy).findings)

    assert "does not belong there" in faults(1, DraftSent(revision=1, format="docx"))
    assert "does not belong there" in faults(draft.number, e.Noted(text=Words("A note.")))
    last = camp.record.head(1)
    begun_ = DraftBegun(
        draft=FIRST_DRAFT,
        name=Words("Zine"),
        line=1,
        first=1,
        last=last.position,
        at=last.hash.hex(),
        voice="prose",
        reader="gm",
    )
    assert faults(FIRST_DRAFT, begun_) == "()"
    assert "a draft of line 9, which is not there" in faults(FIRST_DRAFT, replace(begun_, line=9))
    assert "the hash of the last event that it tells" in faults(FIRST_DRAFT, replace(begun_, first=2, last=3))
    assert "does not fit those before it" in faults(draft.number, DraftRevised(revision=5))
    assert "does not fit those before it" in faults(draft.number, DraftRevised(revision=2, order=(7,)))
    assert "does not fit those before it" in faults(draft.number, DraftRevised(revision=2, after=2))


def test_a_redaction_empties_every_block_that_tells_the_event(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Say(who=1, text=Words(SECRET))).first
    other = block(3, "It rained.", 1)
    draft = begun(camp, block(1, "She has a brother in the watch.", at), block(2, SECRET), other)
    draft = revised(camp, draft, block(1, "A brother, and him a captain!", at), block(2, SECRET), other)
    plan = plan_redaction(writer, c.Redact(at=at))
    assert [(mention.line, mention.position) for mention in plan.elsewhere] == [(draft.number, 2)]
    redact(writer, plan)
    assert camp.drafts.read(draft.number).revision(1).blocks[0].text == Words(None)
    assert texts(camp.drafts.read(draft.number).latest.blocks) == [None, SECRET, "It rained."]
    stored = "".join(map(str, camp.record.everything()))
    assert "brother in the watch" not in stored
    assert "him a captain" not in stored
    report = verify(camp.record)
    assert report.whole, report.findings


@in_a_file
def test_a_redacted_word_is_nowhere_in_the_file(camp: CampaignStore, writer: LineWriter) -> None:
    at = writer.record(c.Say(who=1, text=Words("The xyzzyx is mine."))).first
    state = told(camp, at)
    telling = Block(
        id=1,
        sort="text",
        text=Words("A xyzzyx of hers."),
        tells=(Told(line=1, position=at, state=state.state, words=Words("Zel: The xyzzyx is mine.")),),
        remarks=(Remark(author=Words("Mo"), text=Words("What is a xyzzyx?")),),
    )
    cut = Block(id=2, sort="text", text=Words("No xyzzyx."), tells=(state,), cut=True)
    other = Block(id=3, sort="text", text=Words("xyzzyx!"), tells=(state,), instead_of=1)
    draft = begun(camp, telling, block(4, "It rained.", 9))
    draft = revised(camp, draft, telling, cut, other, block(4, "It rained.", 9))
    with camp.record.writing():
        camp.drafts.note_sent(draft, 2, "docx", Manner(by=0))
    redact(writer, plan_redaction(writer, c.Redact(at=at)))
    latest = camp.drafts.read(draft.number).latest
    assert texts(latest.blocks) == [None, None, None, "It rained."]
    assert latest.blocks[0].remarks == (Remark(author=Words("Mo"), text=Words(None)),)
    with camp.record.writing():
        again = camp.drafts.restore(camp.drafts.read(draft.number), 1, Manner(by=0))
    assert texts(again.latest.blocks) == [None, "It rained."]
    assert verify(camp.record).whole
    file = camp.record.store.place.file
    assert file is not None
    camp.close()
    assert b"xyzzyx" not in b"".join(path.read_bytes() for path in file.parent.glob("**/*") if path.is_file())


def test_a_redacted_block_that_is_recorded_again_is_redacted_there_too(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Say(who=1, text=Words(SECRET))).first
    draft = begun(camp, block(1, "She has a brother in the watch.", at), block(2, "Two."))
    edited = replace(block(1, "A brother, and him a captain!", at), edited=True)
    revised(camp, draft, edited, block(2, "Two."))
    redact(writer, plan_redaction(writer, c.Redact(at=at)))
    for number in (1, 2):
        with camp.record.writing():
            camp.drafts.restore(camp.drafts.read(draft.number), number, Manner(by=0))
        assert verify(camp.record).whole
    assert texts(camp.drafts.read(draft.number).latest.blocks) == [None, "Two."]


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
