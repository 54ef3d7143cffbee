"""Redaction: words go for good, wherever they stand again; facts, places and the chain stay."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from retold.games.edgerunner.commands.verbs import PlaceAspect
from retold.games.whiskey.commands.verbs import Declare
from retold.journal import line as line_
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.address import Address
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify, verify_rules
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.drafts import Scope
from retold.journal.store.writing.redact import (
    RedactionPlan,
    RemainingMention,
    contains_phrase,
    plan_redaction,
    redact,
)
from retold.journal.store.writing.replaying import equal_but_words
from retold.journal.store.writing.retcon import carry_out, plan_retcon, with_fixed_results
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import plan_undo, undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Value, Words
from retold.journal.vocabulary.drafts import Block, Remark
from tests.exploring import tries
from tests.files import file_of
from tests.journal.store.played import campaign, evening, in_a_file, notes, play

SECRET = "Her brother is the captain of the watch."
ZEL, JON, GUARDS = 1, 2, 3


@pytest.fixture
def camp(place: Address) -> Iterator[CampaignStore]:
    """Zel, whom Jon plays, against Guards; the evening ends at its last act."""
    with campaign(place) as made:
        play(made.writer(1), evening())
        yield made


def told(writer: LineWriter, text: str = SECRET) -> int:
    """Where Zel has just said something."""
    return writer.record(c.Say(who=ZEL, text=Words(text))).first


def taken(writer: LineWriter, at: int, word: int | None = None) -> tuple[e.Redacted, ...]:
    """What the line says once the words at `at` are gone."""
    done = redact(writer, plan_redaction(writer, c.Redact(at=at, word=word))).done
    return redacted(done.events)


def redacted(events: Sequence[Event]) -> tuple[e.Redacted, ...]:
    """The redactions without their digests, which are made with a random key."""
    assert all(isinstance(one, e.Redacted) for one in events)
    return tuple(replace(one, runs=None) for one in events if isinstance(one, e.Redacted))


def bytes_of(camp: CampaignStore) -> bytes:
    """The file, and what SQLite keeps beside it; on a server, what its table holds."""
    if camp.place.file is None:
        return "".join(f"{row.body}{row.words}" for _, row in camp.record.store.log()).encode()
    path = file_of(camp)
    return b"".join(one.read_bytes() for one in sorted(path.parent.glob(f"{path.name}*")))


def texts(camp: CampaignStore, line: int = 1) -> list[str | None]:
    """Every text a line has, in order, undone ones too."""
    return [text for row in camp.record.rows(line) for text in decode(row).texts]


# --- what goes --------------------------------------------------------------------------------------------


def test_the_words_are_gone_from_the_event_and_from_every_byte_of_the_file(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = told(writer)
    assert SECRET.encode() in bytes_of(camp)

    assert taken(writer, at) == (e.Redacted(about=at, words=(0,)),)
    assert SECRET.encode() not in bytes_of(camp)
    row = camp.record.row(1, at)
    assert row is not None
    assert (row.words, decode(row).texts) == ("[null]", (None,))
    report = verify(camp.record)
    assert (report.findings, report.redacted) == ((), 1)


def test_why_is_said_once(writer: LineWriter) -> None:
    at = told(writer)
    reword(writer, at, Words("Her cousin is."))

    done = redact(writer, plan_redaction(writer, c.Redact(at=at, text=Words("At her wish.")))).done
    assert redacted(done.events) == (
        e.Redacted(about=at, words=(0,), text=Words("At her wish.")),
        e.Redacted(about=at + 1, words=(0,)),
    )


def test_all_the_words_of_an_event_go_or_one_of_several(camp: CampaignStore, writer: LineWriter) -> None:
    at = writer.record(c.SetScene(title=Words("The vault"), text=Words(SECRET))).first

    assert taken(writer, at, word=1) == (e.Redacted(about=at, words=(1,)),)
    assert str(writer.table.scene_title) == "The vault"
    assert taken(writer, at) == (e.Redacted(about=at, words=(0,)),)
    assert (writer.table.scene, writer.table.scene_title) == (2, Words(None))
    assert verify(camp.record).redacted == 2


def test_what_was_undone_can_be_taken_as_well(camp: CampaignStore, writer: LineWriter) -> None:
    at = told(writer)
    undo(writer)

    taken(writer, at)
    assert SECRET.encode() not in bytes_of(camp)


def test_redacting_any_wording_removes_all_of_them(camp: CampaignStore, writer: LineWriter) -> None:
    for named in range(4):
        at = told(writer, "First wording.")
        reword(writer, at, Words("Second wording."))
        reword(writer, at, Words("Third wording."))
        undo(writer)

        assert [one.about for one in taken(writer, at + min(named, 2))] == [at, at + 1, at + 2]
    assert b" wording." not in bytes_of(camp)


def test_what_a_pull_quote_repeats_goes_too(camp: CampaignStore, writer: LineWriter) -> None:
    scene = writer.record(c.SetScene(title=Words("The vault"), text=Words(SECRET))).first
    pulled = writer.record(c.Pull(at=scene, text=Words(SECRET[4:]))).first
    writer.record(c.Pull(at=told(writer, "Rain."), text=Words("Rain")))

    assert [event.about for event in taken(writer, scene, 0)] == [scene], "the title is not what is pulled"
    assert [event.about for event in taken(writer, scene, 1)] == [scene, pulled]
    assert SECRET[4:].encode() not in bytes_of(camp)
    writer.record(c.Pull(at=scene, text=Words(SECRET[4:])))
    assert [event.about for event in taken(writer, scene)] == [writer.head.position - 1]
    assert texts(camp)[-3:-1] == ["Rain.", "Rain"]


def test_a_wording_that_came_after_a_redaction_is_taken_by_the_next(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = told(writer)
    taken(writer, at)
    reword(writer, at, Words("Nobody knows him."))
    said = [one.event for one in line_events.live_events(camp.record, 1) if one.position == at]
    assert said == [e.Said(who=ZEL, text=Words("Nobody knows him."), conflict=1)]

    assert taken(writer, at) == (e.Redacted(about=writer.head.position - 1, words=(0,)),)
    assert b"Nobody knows him." not in bytes_of(camp)


def test_the_same_words_in_another_event_of_the_act_go_too(camp: CampaignStore, writer: LineWriter) -> None:
    both = [e.Noted(text=Words(SECRET)), e.Noted(text=Words("Else.")), e.Noted(text=Words(SECRET))]
    done = writer.manage_all(both, c.Note(text=Words(SECRET)))
    notes(writer, SECRET)

    assert [one.about for one in taken(writer, done.last)] == [done.first, done.last]
    assert texts(camp)[-4:] == [None, "Else.", None, SECRET]


def test_a_reason_can_be_taken_too(writer: LineWriter) -> None:
    redact(writer, plan_redaction(writer, c.Redact(at=told(writer), text=Words(SECRET))))

    at = writer.head.position
    assert taken(writer, at) == (e.Redacted(about=at, words=(0,)),)


def test_many_redactions_leave_nothing_on_any_page(tmp_path: Path) -> None:
    """Pages are merged as rows shrink: nothing may stay behind on one that had been copied from."""
    chance = random.Random(12)
    with campaign(tmp_path / "b.retold") as camp:
        writer = camp.writer(1)
        notes(writer, *(f"QUAGGA {'andsoonand' * chance.choice([1, 5, 50, 120, 900])}" for _ in range(60)))
        places = list(range(writer.head.position - 59, writer.head.position + 1))
        chance.shuffle(places)
        for count, at in enumerate(places, 1):
            taken(writer, at)
            assert bytes_of(camp).count(b"QUAGGA") == 60 - count


# --- sealed -----------------------------------------------------------------------------------------------

SHEET: dict[str, Value | None] = {"combat": "10", "base": "4", "die": "1", "hp": "12"}
THOUGHT = "She is mine."


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[LineWriter]:
    """Ana against Bea, face down, and both intents revealed."""
    with campaign(tmp_path / "c.retold") as made:
        writer = made.writer(1)
        for name in ("Ana", "Bea"):
            writer.record(c.Cast(who=Words(name), system="whiskey", values=SHEET))
        writer.record(c.OpenConflict(system="whiskey", sides=((1,), (2,))))
        said = {"who": 1, "act": "engage", "target": 2, "text": Words(THOUGHT), "sealed": True}
        writer.record(Declare.of(said))
        writer.record(Declare.of({"who": 2, "act": "stand", "sealed": True}))
        writer.record(c.Reveal())
        yield writer


def test_what_was_sealed_goes_with_what_it_turned_out_to_be_and_the_other_way_round(
    fight: LineWriter,
) -> None:
    file = fight.campaign.record
    (sealed, _) = file.rows(1, 0, None, ("whiskey.intent-sealed",))
    (opened, _) = file.rows(1, 0, None, ("whiskey.intent-declared",))
    for at in (sealed.position, opened.position):
        plan_ = plan_redaction(fight, c.Redact(at=at))

        assert [one.position for one in plan_.taken] == [sealed.position, opened.position]
        assert [one.sealed for one in plan_.taken] == [True, False]
    taken(fight, opened.position)
    assert THOUGHT.encode() not in bytes_of(fight.campaign)


def test_an_act_that_would_have_to_read_them_is_taken_as_recorded_and_no_retcon_repeats_it(
    fight: LineWriter,
) -> None:
    (sealed, _) = fight.campaign.record.rows(1, 0, None, ("whiskey.intent-sealed",))
    taken(fight, sealed.position)

    assert list(verify_rules(fight.campaign, 1)) == []
    made = plan_retcon(fight, 3, c.Cast(who=Words("Ana"), system="whiskey", values=SHEET | {"hp": "13"}))
    assert [one.partition(": ")[2] for one in made.lost] == [
        (
            "What Ana sealed was redacted, so say it again: "
            "declare Ana engage NAME, guard NAME, advance, stand, or other with a text."
        )
    ]


# --- people -----------------------------------------------------------------------------------------------


def of(writer: LineWriter, person: int) -> RedactionPlan:
    return plan_redaction(writer, c.Redact(person=person))


def test_redacting_a_person_removes_all_names_and_phrases_at_once(
    camp: CampaignStore, writer: LineWriter
) -> None:
    writer.record(c.Cast(who=ZEL, name=Words("Zelda Quick"), alias=Words("Quickfoot")))
    writer.record(c.Cast(who=ZEL, text=Words("A thief, lately free")))
    at = told(writer)

    done = redact(writer, of(writer, ZEL)).done
    assert [len(one.words) for one in redacted(done.events)] == [2, 1, 1, 1]
    for name in (b"Zelda Quick", b"Quickfoot", b"A smuggler", b"A thief"):
        assert name not in bytes_of(camp)
    assert SECRET in texts(camp)
    assert writer.table.name(ZEL) == "somebody (1)"
    assert writer.table.called("Somebody (1)") == ZEL
    assert writer.table.name(JON) == "Jon"
    assert (at, verify(camp.record).findings) == (done.first - 1, ())


def test_a_redacted_person_plays_on_and_gets_a_new_name(writer: LineWriter) -> None:
    redact(writer, of(writer, ZEL))

    writer.record(c.Say(who=ZEL, text=Words("Not today.")))
    writer.record(c.Cast(who=ZEL, name=Words("The Stranger")))
    assert writer.table.called("The Stranger") == ZEL
    assert [one.position for one in of(writer, ZEL).taken] == [writer.head.position]


def test_an_undone_earlier_bearer_of_the_number_keeps_its_name(
    camp: CampaignStore, writer: LineWriter
) -> None:
    writer.record(c.Cast(who=Words("Odile")))
    undo(writer)
    writer.record(c.Cast(who=Words("Evangeline")))
    assert writer.table.called("Evangeline") == 4

    redact(writer, of(writer, 4))
    assert (b"Odile" in bytes_of(camp), b"Evangeline" in bytes_of(camp)) == (True, False)


def test_names_go_on_every_line_that_knows_them_by_the_same_number(
    camp: CampaignStore, writer: LineWriter
) -> None:
    before = camp.fork(1, 2, Words("before"))
    camp.writer(before).record(c.Cast(who=Words("Somebody else")))
    after = camp.fork(1, writer.head.position, Words("after"))
    there = camp.writer(after)
    there.record(c.Cast(who=ZEL, name=Words("Zelda Quick")))

    redact(writer, of(writer, ZEL))
    assert b"Zelda Quick" not in bytes_of(camp)
    assert camp.table_at(after).name(ZEL) == "somebody (1)"
    assert camp.table_at(before).name(ZEL) == "Somebody else"
    kinds = [row.kind for row in camp.record.rows(before)]
    assert "table.redacted" not in kinds
    assert verify(camp.record).whole


def test_a_redacted_name_goes_from_the_drafts_its_owner_wrote_in(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = writer.record(c.Cast(who=Words("Philippa"))).first
    begun = Block(id=1, sort="text", text=Words("It rained."))
    signed = replace(
        begun,
        text=Words("It poured."),
        edited=True,
        writer=Words("philippa"),
        remarks=(Remark(author=Words("Philippa"), text=Words("Too short?")),),
    )
    with camp.record.writing():
        draft = camp.drafts.begin(Words("Zine"), Scope(1, 1, at, "prose", "table", None), [begun], Manner())
        draft = camp.drafts.revise(draft, [signed], Manner(), writer="Philippa")

    plan_ = plan_redaction(writer, c.Redact(at=at))
    redact(writer, plan_)

    assert b"hilippa" not in bytes_of(camp)
    now = camp.drafts.read(draft.number).latest
    assert now.writer is None
    assert now.blocks == (
        replace(
            signed,
            writer=Words(None),
            remarks=(Remark(author=Words(None), text=Words("Too short?")),),
        ),
    )
    assert verify(camp.record).whole


def test_names_that_stand_alone_are_told_apart_from_other_words(writer: LineWriter) -> None:
    reword(writer, writer.record(c.Cast(who=Words("Zoe"), text=Words("A cook"))).first, Words("A baker"))
    there = writer.table.called("Zoe") or 0

    plan_ = of(writer, there)
    assert set(plan_.names) == {"Zoe"}
    assert set(plan_.texts) == {"Zoe", "A cook", "A baker"}


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (c.Redact(), "Say what to redact: redact 412, or redact --person NAME."),
        (c.Redact(at=3, person=ZEL), "Say what to redact: redact 412, or redact --person NAME."),
        (c.Redact(at=1), "There is no text at 1, so there is nothing to redact."),
        (c.Redact(at=99), "There is no position 99 on this line: it ends at 29."),
        (c.Redact(at=2, word=1), "The words at 2 have the number 0: --word is one of these."),
        (c.Redact(at=4, word=-1), "The words at 4 have the number 0 to 1: --word is one of these."),
        (c.Redact(person=0), "No name of gm was ever recorded."),
        (c.Redact(person=ZEL, word=0), "--word belongs to a moment: redact 412 --word 0."),
    ],
)
def test_what_cannot_be_taken_is_refused(writer: LineWriter, command: c.Redact, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        plan_redaction(writer, command)

    assert refused.value.sentence == sentence


def test_what_is_gone_cannot_be_taken_again(writer: LineWriter) -> None:
    at = told(writer)
    taken(writer, at)
    redact(writer, of(writer, JON))

    with pytest.raises(Refused, match=rf"What stood at {at} has been redacted already\."):
        taken(writer, at)
    with pytest.raises(Refused, match=r"somebody \(2\) has been redacted already\."):
        of(writer, JON)


def test_no_undo_takes_it_back_or_passes_it(writer: LineWriter) -> None:
    taken(writer, told(writer))
    sentence = "A redaction cannot be taken back: the words are gone"

    with pytest.raises(Refused, match=sentence):
        plan_undo(writer)
    notes(writer, "later")
    with pytest.raises(Refused, match=sentence):
        plan_undo(writer, 2)


def test_a_concurrent_rewording_is_reviewed_before_redaction(camp: CampaignStore, writer: LineWriter) -> None:
    at = told(writer)
    branch = camp.fork(1, writer.head.position, Words("kinder"))
    seen = plan_redaction(writer, c.Redact(at=at))
    with CampaignStore.open(camp.place) as other:
        reword(other.writer(branch), at, Words("On the branch."))

    with pytest.raises(Refused, match="Another writer has just recorded something"):
        redact(writer, seen)
    assert SECRET in texts(camp)
    assert redact(writer, plan_redaction(writer, c.Redact(at=at))).done.first == at + 1
    assert b"On the branch." not in bytes_of(camp)


# --- other lines ------------------------------------------------------------------------------------------


def test_every_line_that_has_the_words_says_that_they_are_gone(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = told(writer)
    lines = [camp.fork(1, place, Words(f"line-{place}")) for place in (at, at - 1)]

    taken(writer, at)
    for line, says in ((1, True), (lines[0], True), (lines[1], False)):
        rows = list(camp.record.rows(line, 0, None, ("table.redacted",)))
        assert [row.line for row in rows] == [line] * says
    assert verify(camp.record).whole


def test_on_a_branch_the_words_of_its_parent_are_taken_there_too(
    camp: CampaignStore, writer: LineWriter
) -> None:
    at = told(writer)
    branch = camp.writer(camp.fork(1, at, Words("kinder")))

    assert taken(branch, at) == (e.Redacted(about=at, words=(0,)),)
    assert SECRET not in texts(camp)
    assert camp.writer(1).catch_up() == []
    with pytest.raises(Refused, match="A redaction cannot be taken back"):
        plan_undo(camp.writer(1))


def test_a_writer_to_another_line_learns_of_a_redaction(camp: CampaignStore, writer: LineWriter) -> None:
    writer.record(c.Cast(who=Words("Odile")))
    there = camp.writer(camp.fork(1, writer.head.position, Words("kinder")))
    with CampaignStore.open(camp.place) as other:
        theirs = other.writer(there.line)
        assert theirs.table.name(4) == "Odile"
        redact(writer, of(writer, 4))

        assert [row.kind for row in theirs.catch_up()] == ["table.redacted"]
        assert theirs.table.name(4) == "somebody (4)"


def test_what_a_retcon_recorded_again_goes_with_the_first(camp: CampaignStore, writer: LineWriter) -> None:
    at = told(writer)
    reword(writer, at, Words("Her cousin is."))
    place = next(row.position for row in camp.record.rows(1, 0, None, ("table.cards-drawn",)))
    results = ("JH", "JD", "9S", "7C", "4C", "3D")
    line = carry_out(plan_retcon(writer, place, with_fixed_results(writer, place, results)), "mended")
    assert "Her cousin is." in texts(camp, line)

    taken(writer, at)
    assert b"Her cousin is." not in bytes_of(camp)
    assert verify(camp.record).whole


def test_and_the_first_with_what_a_retcon_recorded_again(camp: CampaignStore, writer: LineWriter) -> None:
    at = told(writer)
    place = next(row.position for row in camp.record.rows(1, 0, None, ("table.scene-set",)))
    line = carry_out(plan_retcon(writer, place, c.SetScene(title=Words("Elsewhere"))), "mended")
    assert SECRET in texts(camp, line)

    taken(camp.writer(line), at + 1)
    assert SECRET.encode() not in bytes_of(camp)


def test_acts_with_redacted_words_are_decided_again_and_the_branch_says_what_is_gone(
    camp: CampaignStore, writer: LineWriter
) -> None:
    taken(writer, told(writer))
    for person in (ZEL, GUARDS):
        redact(writer, of(writer, person))
    place = next(row.position for row in camp.record.rows(1, 0, None, ("table.scene-set",)))

    made = plan_retcon(writer, place, c.SetScene(title=Words("Elsewhere"), text=Words("Sun.")))
    line = carry_out(made, "mended")
    assert (made.lost, made.changes) == ((), ())
    assert verify(camp.record).findings == ()
    assert None in texts(camp, line)
    table = camp.table_at(line)
    assert [table.name(person) for person in (ZEL, JON, GUARDS)] == ["somebody (1)", "Jon", "somebody (3)"]


def test_two_newcomers_without_a_name_are_still_two(camp: CampaignStore, writer: LineWriter) -> None:
    writer.record(c.End(what="conflict"))
    sides = ((Words("Ada"),), (Words("Bea"),))
    at = writer.record(c.OpenConflict(system="bruise", sides=sides)).first
    for person in (4, 5):
        redact(writer, of(writer, person))

    made = plan_retcon(writer, at - 1, c.Note(text=Words("Instead of the end.")))
    assert made.lost == ()
    assert made.table.conflicts[2].sides == ((4,), (5,))
    assert list(verify_rules(camp, 1)) == []


def test_a_name_that_is_gone_stays_gone_where_the_act_is_recorded_again(
    camp: CampaignStore, writer: LineWriter
) -> None:
    writer.record(c.End(what="conflict"))
    at = writer.record(c.Note(text=Words("Before they came."))).first
    writer.record(c.OpenConflict(system="bruise", sides=((Words("Ada"),), (Words("Bea"),))))
    writer.record(c.Cast(who=Words("Cid"), text=Words("A guard")))
    writer.record(c.Note(text=Words("He counts the coins."), about=6))
    for person in (4, 5, 6):
        redact(writer, of(writer, person))

    for command, first in ((c.Note(text=Words("Else.")), 4), (c.Cast(who=Words("Dot")), 5)):
        line = carry_out(plan_retcon(writer, at, command), f"from {first}")
        table = camp.table_at(line)
        assert table.conflicts[2].sides == ((first,), (first + 1,))
        assert [table.name(person) for person in range(first, first + 3)] == [
            f"somebody ({person})" for person in range(first, first + 3)
        ]
        said = [event for event, counts in line_events.recorded(camp.record, line) if counts]
        assert [one.event.person for one in said if isinstance(one.event, e.Noted)][-1] == first + 2
        rows = [row for row in camp.record.everything() if row.line == line]
        assert "somebody" not in "".join(str(row.words) for row in rows)
        assert rows[-1].kind == "table.redacted"
        assert verify(camp.record).findings == ()
        assert list(verify_rules(camp, line)) == []


# --- caches, and copies that remain -----------------------------------------------------------------------


def test_the_cache_goes_with_the_words(camp: CampaignStore, tmp_path: Path) -> None:
    cache = tmp_path / "a.cache"
    camp.snapshots = Snapshots(cache)
    camp.tables.keep(1, camp.record.head(1), camp.table_at(1))
    assert b"A smuggler" in b"".join(one.read_bytes() for one in tmp_path.glob("a.cache*"))
    writer = camp.writer(1)

    redact(writer, of(writer, ZEL))
    assert list(tmp_path.glob("a.cache*")) == []
    assert camp.table_at(1).name(ZEL) == "somebody (1)"


def test_a_table_kept_on_another_computer_is_not_believed(camp: CampaignStore, tmp_path: Path) -> None:
    theirs = Snapshots(tmp_path / "theirs.cache")
    head = camp.record.head(1)
    theirs.keep(1, head.position, head.hash, camp.table_at(1))
    writer = camp.writer(1)
    redact(writer, of(writer, ZEL))

    camp.snapshots = theirs
    assert camp.table_at(1).name(ZEL) == "somebody (1)"


@in_a_file
def test_a_copy_remains_during_a_read_and_is_named(
    camp: CampaignStore, writer: LineWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.journal.store.writing.redact.PATIENCE", 0.01)
    at = told(writer)
    camp.record.store.settle()
    with CampaignFile.open(file_of(camp), read_only=True) as reader:
        rows = reader.log()
        next(rows)

        remains = redact(writer, plan_redaction(writer, c.Redact(at=at))).remains
        path = file_of(camp)
        assert [sentence.split(", because")[0] for sentence in remains] == [
            f"A copy remains in {path} and {path}-wal"
        ]
        assert camp.record.store.settle() == remains
        del rows
    assert camp.record.store.settle() == ()
    assert SECRET.encode() not in bytes_of(camp)


def test_a_cache_that_cannot_be_deleted_is_named(
    camp: CampaignStore, writer: LineWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camp.snapshots = Snapshots(tmp_path / "a.cache")

    def held(_: Snapshots) -> None:
        raise PermissionError

    monkeypatch.setattr(Snapshots, "drop", held)
    assert redact(writer, of(writer, ZEL)).left == (tmp_path / "a.cache",)


def test_if_it_comes_to_nothing_nothing_is_gone(
    camp: CampaignStore, writer: LineWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camp.snapshots = Snapshots(tmp_path / "a.cache")
    at = told(writer)
    asked = plan_redaction(writer, c.Redact(at=at))

    def full(*_: object) -> None:
        raise Refused("No.")

    monkeypatch.setattr(LineWriter, "_act", full)
    with pytest.raises(Refused, match="No"):
        redact(writer, asked)
    assert SECRET in texts(camp)
    assert camp.snapshots is not None
    assert verify(camp.record).redacted == 0


# --- whose eyes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("see", ["gm", (JON,), "table"])
def test_a_redaction_and_a_rewording_are_for_the_eyes_of_what_they_change(
    camp: CampaignStore, writer: LineWriter, see: str | tuple[int, ...]
) -> None:
    at = writer.record(c.Note(text=Words(SECRET)), Manner(visible_to=see)).first
    reword(writer, at, Words("Or her cousin."))

    taken(writer, at)
    rows = list(camp.record.rows(1, at))
    assert [row.kind for row in rows] == ["table.reworded", "table.redacted", "table.redacted"]
    assert {decode(row).envelope.visible_to for row in rows} == {see}


# --- what goes on saying it -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sought", "found"),
    [
        ("Zél, the smuggler", "zel", True),
        ("Zelda runs.", "Zel", False),
        ("captain\n  thoss", "Captain-Thoss", True),
        ("Thoss, captain", "Captain Thoss", False),
        ("the Captain", "Captain Thoss", False),
        ("龍騎士が来る", "騎士", True),
        ("!!", "!", True),
        ("anything", " ", False),
    ],
)
def test_a_text_holds_words_that_follow_one_another(text: str, sought: str, found: bool) -> None:
    assert contains_phrase(text, sought) is found


def test_other_places_with_the_words_are_named(camp: CampaignStore, writer: LineWriter) -> None:
    branch = camp.fork(1, writer.head.position, Words("kinder"))
    notes(camp.writer(branch), "Jon brought cake.")
    notes(writer, "JON again.", "Jonathan is somebody else.")

    assert of(writer, JON).elsewhere == (
        RemainingMention(branch, 31, data=False),
        RemainingMention(1, 30, data=False),
    )


def test_words_that_a_rule_reads_are_named_for_they_stay(writer: LineWriter) -> None:
    writer.record(c.End(what="conflict"))
    writer.record(c.OpenConflict(system="edgerunner", sides=((ZEL,), (GUARDS,))))
    at = writer.record(aspect("Jon was here")).first

    assert of(writer, JON).elsewhere == (RemainingMention(1, at, data=True),)


def aspect(wording: str) -> Command:
    return PlaceAspect(thing=ZEL, aspect=wording)


def test_a_short_text_is_not_looked_for(writer: LineWriter) -> None:
    at = told(writer, "No.")
    notes(writer, "No. Never.")

    assert plan_redaction(writer, c.Redact(at=at)).elsewhere == ()


# --- laws -------------------------------------------------------------------------------------------------


def numbers(camp: CampaignStore) -> list[object]:
    """A line's events, live ones, without their words and without redactions."""
    return [
        (live.position, type(live.event), live.event)
        for live in line_events.live_events(camp.record, 1)
        if not isinstance(live.event, e.Redacted)
    ]


@settings(max_examples=tries(15))
@given(st.lists(st.integers(1, 29), max_size=12), st.booleans())
def test_whatever_is_taken_the_record_is_whole_and_comes_to_the_same(
    tmp_path_factory: pytest.TempPathFactory, places: list[int], everybody: bool
) -> None:
    folder = tmp_path_factory.mktemp("taken")
    with campaign(folder / "a.retold") as camp:
        writer = play(camp.writer(1), evening())
        before = numbers(camp)
        for command in (
            *(c.Redact(at=place) for place in places),
            *(c.Redact(person=person) for person in (ZEL, JON, GUARDS) if everybody),
        ):
            try:
                asked = plan_redaction(writer, command)
            except Refused:
                continue
            redact(writer, asked)
            held = bytes_of(camp)
            kept = {text for text in texts(camp) if text is not None}
            for text in asked.texts - kept:
                assert text.encode() not in held or any(text in one for one in kept)

        assert equal_but_words(before, numbers(camp))
        report = verify(camp.record)
        assert report.findings == ()
        assert report.redacted == sum(text is None for text in texts(camp))
        assert list(verify_rules(camp, 1)) == []
        folded = line_.fold(LiveEvent(*live) for live in line_events.live_events(camp.record, 1))
        assert folded == writer.table
        lines = list(dump(camp.record))
        load(lines, folder / "b.retold")
        with CampaignFile.open(folder / "b.retold") as again:
            assert list(dump(Record(again))) == lines
