"""A draft: made of the record, edited by hand, taken back, and shown again once the record changed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.drafts.changes import Step, block_changes, with_marks
from retold.drafts.choosing import Choice
from retold.drafts.naming import draft_meant, published_drafts, writer_named
from retold.drafts.overview import game_master
from retold.drafts.returning import Taking
from retold.drafts.showing import shown
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from tests.retold.drafts.played import Table, edited, played

ROPE = "Ana: I cut the rope behind him, and the ferry swings out."
RUN = "Zel: I run for the boat and do not look back at the lanterns."
SHOUT = "Zel: “Push off, before they count us!”"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = played(tmp_path)
    yield table
    table.campaign.close()


def texts(table: Table) -> list[str]:
    return [one.text for one in table.standing().blocks]


def chosen(table: Table, what: str, *ids: str) -> None:
    """Revises the draft as `draft ok`, `take-new` or `cut` do, or `open --to gm` (`hide`)."""
    choice = Choice(table.standing())
    ways = {"ok": choice.stands, "take-new": choice.takes_new, "cut": choice.cuts}
    blocks = choice.opens(ids, "gm") if what == "hide" else ways[what](ids)
    with table.campaign.record.writing():
        table.campaign.drafts.revise(table.draft(), blocks, Manner())


def id_of(table: Table, text: str) -> str:
    return next(str(one.block.id) for one in table.standing().blocks if text in one.text)


def test_a_draft_has_the_words_of_the_record_and_tells_all_of_it(table: Table) -> None:
    table.begin()

    assert texts(table)[:5] == ["The ferry", "The quay, at night", "Rain since noon.", RUN, ROPE]
    assert table.standing().untold == ()
    assert [block.level for block in table.draft().latest.blocks if block.sort == "heading"] == [1, 2, 2]


def test_a_file_that_was_not_touched_changes_nothing(table: Table) -> None:
    table.begin()
    assert table.back(table.sent()).changes_nothing


def test_an_edited_file_comes_back_and_the_same_file_again_is_nothing_new(table: Table) -> None:
    table.begin()
    text = edited(
        table.sent(),
        (f"{RUN}\n\n{ROPE}", f"{RUN} Ana cut the rope behind him, and the ferry swung out."),
        (f"{SHOUT}\n\n", ""),
        ("Nobody lights a lamp.", "Nobody lit a lamp.\n\nThe river kept its own counsel."),
    )
    first = table.take(text)

    assert table.back(text).alignment.summary() == "7 kept, 1 edited, 1 merged, 1 cut, 1 new"
    assert [block.text.text for block in first.latest.cut] == [SHOUT]
    assert "The river kept its own counsel." in texts(table)
    assert table.standing().untold == ()
    assert table.take(text) == first


def test_blocks_cut_at_the_beginning_keep_their_words(table: Table) -> None:
    table.begin()
    text = table.sent()
    draft = table.take(f"{text[: text.index('## The ferry')]}{text[text.index(SHOUT) :]}")

    cut = [block.text.text for block in draft.revision(1).blocks][:5]
    assert [block.text.text for block in draft.latest.cut] == cut
    assert table.standing().untold == ()


def test_a_scene_whose_heading_is_edited_is_not_out_of_date(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), ("The quay, at night", "At the quay")))

    assert "At the quay" in texts(table)
    assert table.standing().stale == ()


def test_a_translated_file_is_asked_about_once_and_tells_the_same(table: Table) -> None:
    table.begin()
    sent = table.sent()
    head, *lines, mark = sent.strip().split("\n\n")
    german = [re.sub(r"\w+", lambda word: f"q{word[0]}", line) for line in lines]
    taking = table.back("\n\n".join((head, *german, mark)))

    assert (len(taking.doubt_runs), taking.alignment.summary()) == (1, "11 edited")
    assert [block.tells for block in taking.blocks()] == [
        block.tells for block in table.draft().latest.blocks
    ]
    assert taking.without(taking.doubts).alignment.summary() == "11 cut, 11 new"
    with pytest.raises(Refused, match="another text"):
        table.back("\n\n".join((head, *german)))


def test_a_cut_paragraph_returned_word_for_word_is_restored(table: Table) -> None:
    table.begin()
    whole = table.sent()
    table.take(edited(whole, (f"{SHOUT}\n\n", "")))
    cut = table.draft().latest.cut
    text = edited(table.sent(), (f"{ROPE}\n\n", f"{ROPE}\n\n{SHOUT}\n\n"))
    draft = table.take(text)

    assert draft.latest.cut == ()
    assert [block.id for block in draft.latest.blocks] == [block.id for block in draft.revision(1).blocks]
    assert SHOUT in table.read_by("table")
    assert len(cut) == 1
    assert table.take(text) == draft


def test_a_split_paragraph_is_told_by_both_halves(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), ("boat and do not", "boat.\n\nI do not")))

    halves = [one for one in table.standing().blocks if "boat" in one.text or "lanterns" in one.text]
    assert len(halves) == 2
    assert halves[0].events == halves[1].events != ()
    assert halves[0].block.id != halves[1].block.id


def test_unedited_blocks_follow_the_record_and_edited_ones_become_stale(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "Ana cut the rope, and they were off.")))
    table.say(f"retcon {table.position('I cut the rope')}: I saw through the rope behind him.")
    table.say(f"retcon {table.position('I run for')}: I walk to the boat.")

    (stale,) = table.standing().stale
    assert "Zel: I walk to the boat." in texts(table)
    assert stale.text == "Ana cut the rope, and they were off."
    assert with_marks(stale.changed[0].was, stale.changed[0].now or "") == (
        "Ana: I [-cut-]{+saw through+} the rope behind [-him, and the ferry swings out.-]{+him.+}"
    )

    chosen(table, "ok", id_of(table, "they were off"))
    assert (table.standing().stale, len(table.draft().revisions)) == ((), 3)

    chosen(table, "take-new", id_of(table, "they were off"))
    assert "Ana: I saw through the rope behind him." in texts(table)


def test_an_undone_event_is_gone_from_the_draft_or_stale_in_it(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), ("Zel: I go ashore first.", "Zel went ashore before anybody.")))
    table.say("undo")

    (stale,) = table.standing().stale
    assert [change.now for change in stale.changed] == [None]
    table.say("undo")
    assert "Nobody lights a lamp." not in texts(table)


def test_another_speaker_makes_an_edited_block_stale_and_a_new_name_does_not(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "She cut the rope, and they were off.")))
    table.say("cast Ana name=Anouk")
    assert table.standing().stale == ()

    table.scribe.ask = lambda _: True
    told = "I cut the rope behind him, and the ferry swings out."
    table.say(f'retcon {table.position("I cut")} --as "narrate Zel: {told}"', "branch promote retcon")
    (stale,) = table.standing().stale
    assert (stale.text, stale.changed[0].now) == ("She cut the rope, and they were off.", f"Zel: {told}")


def test_a_fix_puts_play_on_a_new_line_and_the_draft_goes_with_it(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "Ana cut the rope, and they were off.")))
    before = texts(table)
    table.scribe.ask = lambda _: True
    at = table.position("I run for")
    table.say(f'retcon {at} --as "narrate Zel: I walk to the boat."', "branch promote retcon")

    assert table.campaign.mainline() != 1
    assert texts(table) == [text.replace(RUN, "Zel: I walk to the boat.") for text in before]
    assert (table.standing().stale, table.standing().untold) == ((), ())


def test_two_fixes_one_after_another_are_followed(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "Ana cut the rope, and they were off.")))
    before = texts(table)
    table.scribe.ask = lambda _: True
    at = table.position("I run for")
    table.say(f'retcon {at} --as "narrate Zel: I walk to the boat."', "branch promote retcon")
    table.say(f'retcon mainline@{at + 1} --as "narrate Zel: I stroll to the boat."')
    table.say(f"branch promote {table.campaign.lines()[table.scribe.line]}")

    assert texts(table) == [text.replace(RUN, "Zel: I stroll to the boat.") for text in before]
    assert (table.standing().stale, table.standing().untold) == ((), ())


def test_a_draft_stays_on_its_line_if_another_story_is_promoted(table: Table) -> None:
    table.begin()
    before = texts(table)
    fork = table.position("The quay, at night")
    table.say(f"branch kinder {fork}", "narrate Zel: I stay ashore.", "branch promote kinder")
    assert table.campaign.mainline() != 1
    assert texts(table) == before


def test_what_is_told_later_is_offered_where_it_belongs(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "Ana cut the rope, and they were off.")))
    table.say(f"narrate Zel --at {table.position('I cut the rope')}: My hands are bleeding.")

    (untold,) = table.standing().untold
    event = str(untold.composed.events[0])
    assert untold.composed.text == "Zel: My hands are bleeding."
    assert str(untold.after) == id_of(table, "they were off")

    chosen(table, "take-new", event)
    at = texts(table).index("Zel: My hands are bleeding.")
    assert texts(table)[at - 1] == "Ana cut the rope, and they were off."

    chosen(table, "cut", id_of(table, "bleeding"))
    assert table.standing().untold == ()
    assert [block.text.text for block in table.draft().latest.cut] == ["Zel: My hands are bleeding."]


def test_an_untold_event_may_be_cut_without_being_in_the_text(table: Table) -> None:
    table.begin()
    before = texts(table)
    table.say(f"narrate Zel --at {table.position('I cut the rope')}: My hands are bleeding.")
    chosen(table, "cut", str(table.standing().untold[0].composed.events[0]))
    assert (table.standing().untold, texts(table)) == ((), before)


def test_a_merged_block_that_takes_the_records_words_is_two_again(table: Table) -> None:
    table.begin()
    before = texts(table)
    table.take(edited(table.sent(), (f"{RUN}\n\n{ROPE}", f"{RUN} Ana cut the rope behind him.")))
    chosen(table, "take-new", id_of(table, "Ana cut"))
    assert (texts(table), table.standing().stale, table.standing().untold) == (before, (), ())


def test_what_a_redacted_block_told_is_untold_again(table: Table) -> None:
    table.begin()
    merged = f"{RUN} Ana cut the rope behind him."
    table.take(edited(table.sent(), (f"{RUN}\n\n{ROPE}", merged)))
    table.scribe.ask = lambda _: True
    table.say(f"redact {table.position('I cut')}")

    assert [block.text.text for block in table.standing().redacted] == [None]
    assert RUN in [one.composed.text for one in table.standing().untold]
    chosen(table, "take-new", str(table.standing().redacted[0].id))
    assert (RUN in texts(table), table.standing().untold) == (True, ())


def test_two_writers_of_one_revision_are_joined_and_asked_where_both_wrote(table: Table) -> None:
    table.begin()
    text = table.sent()
    table.take(edited(text, (ROPE, "Ana cut the rope, and they were off."), (RUN, "Zel ran for the boat.")))
    draft = table.take(edited(text, (ROPE, "Ana's knife went through the rope."), ("a lamp", "a candle")))

    assert "Zel ran for the boat." in texts(table)
    assert "Nobody lights a candle." in texts(table)
    ((block, (other,)),) = draft.latest.other_wordings.items()
    assert {str(block)} == {id_of(table, "they were off")}
    chosen(table, "ok", str(other.id))
    assert "Ana's knife went through the rope." in texts(table)
    assert table.draft().latest.other_wordings == {}


def test_a_guess_that_is_denied_is_a_cut_and_a_new_paragraph(table: Table) -> None:
    table.begin()
    taking = table.back(edited(table.sent(), (SHOUT, "Bells, somewhere up in the town.")))
    (doubt,) = taking.doubts
    assert (doubt.was, doubt.now) == (SHOUT, "Bells, somewhere up in the town.")

    apart = taking.without([doubt])
    assert apart.alignment.summary() == "10 kept, 1 cut, 1 new"
    (new,) = [block for block in apart.blocks() if block.text.text == doubt.now]
    assert new.tells == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("second 1 -->", "other 1 -->"), "The file is of a draft other, and this campaign has none"),
        (("second 1 -->", "second 7 -->"), "The file says that it is revision 7 of the draft second"),
    ],
)
def test_a_file_of_something_else_is_refused(table: Table, change: tuple[str, str], sentence: str) -> None:
    table.begin()
    with pytest.raises(Refused, match=sentence):
        table.back(edited(table.sent(), change))


def test_a_text_that_has_nothing_of_the_draft_is_refused(table: Table) -> None:
    table.begin()
    mark = table.sent().splitlines()[-1]
    with pytest.raises(Refused, match="it is another text"):
        table.back(f"Bake the bread at 220 degrees.\n\nLet it rest.\n\n{mark}\n")
    with pytest.raises(Refused, match="has no words"):
        table.back(f"\n{mark}\n")


def test_revisions_are_compared_block_by_block(table: Table) -> None:
    table.begin()
    before = table.draft().latest
    text = table.sent()
    table.take(
        edited(
            text,
            (f"{RUN}\n\n{ROPE}", f"{RUN} Ana cut the rope behind him."),
            (f"{SHOUT}\n\n", ""),
            ("a lamp.", "a lamp.\n\nThe river keeps its own counsel."),
        )
    )
    steps = [one.step for one in block_changes(before, table.draft().latest)]
    assert steps == [Step.EDITED, Step.MERGED, Step.CUT, Step.NEW]


def test_undo_and_redo_go_through_revisions(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "Ana cut the rope, and they were off.")))
    drafts = table.campaign.drafts
    with table.campaign.record.writing():
        undone = drafts.restore(table.draft(), table.draft().before_latest or 0, Manner())
    assert undone.latest.blocks == undone.revision(1).blocks
    with table.campaign.record.writing():
        again = drafts.restore(undone, undone.undone_last or 0, Manner())
    assert again.latest.blocks == again.revision(2).blocks


def test_drafts_are_found_by_what_is_typed(table: Table) -> None:
    with pytest.raises(Refused, match="no draft yet"):
        draft_meant(table.campaign, None)
    table.begin("Winter: the second draft")
    assert draft_meant(table.campaign, None).number == 1
    assert draft_meant(table.campaign, "winter@1").revision == 1
    with pytest.raises(Refused, match="has the revisions 1 to 1, not 2"):
        draft_meant(table.campaign, "winter@2")
    table.begin("summer")
    with pytest.raises(Refused, match="several drafts"):
        draft_meant(table.campaign, None)
    with pytest.raises(Refused, match="is called autumn"):
        draft_meant(table.campaign, "autumn")


def test_a_published_draft_is_found_by_its_line(table: Table) -> None:
    draft = table.begin()
    assert published_drafts(table.campaign, 1) == []
    with table.campaign.record.writing():
        table.campaign.drafts.publish(draft, 1, Manner())
    ((found, revision),) = published_drafts(table.campaign, 1)
    assert (found.name, revision) == ("second", 1)


def test_an_older_revision_and_a_part_of_a_draft_can_be_shown(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (ROPE, "Ana cut the rope, and they were off.")))
    reading, draft = LineView(table.campaign, 1), table.draft()
    older = shown(reading, draft, voice_of("prose"), 1)
    assert ROPE in [block.text for block in older]
    at = table.position("The far bank")
    part = shown(reading, draft, voice_of("prose"), positions=range(at, at + 99))
    assert [block.text for block in part] == [
        "The far bank",
        "Nobody lights a lamp.",
        "Zel: I go ashore first.",
    ]
    assert part[-1].events == (f"e{table.position('I go ashore')}",)


def test_a_person_who_is_said_to_have_written_a_file_wrote_all_of_it(table: Table) -> None:
    table.begin()
    taking = table.back(edited(table.sent(), ("The far bank", "Over there"), ("Rain since", "Snow since")))
    came = tuple(dataclasses.replace(paragraph, author="Mo") for paragraph in taking.came)
    tracked = dataclasses.replace(taking, came=came, author="Mo")

    def writers(taken: Taking, writer: str | None) -> set[str | None]:
        return {each.writer.text if each.writer else None for each in taken.blocks(writer) if each.edited}

    assert writers(tracked, None) == writers(tracked, "Kim") == {"Mo"}
    assert writers(tracked.signed("Kim"), "Kim") == {"Kim"}
    assert writers(tracked.signed(None), None) == {None}


def test_a_block_that_is_hidden_stays_so_with_the_wording_of_another_writer(table: Table) -> None:
    table.begin()
    sent, lamp = table.sent(), "Nobody lights a lamp."
    table.take(edited(sent, (lamp, "No lamp was lit.")))
    table.take(edited(sent, (lamp, "All of it lay in the dark, every lamp.")))
    (other,) = (block for block in table.draft().latest.blocks if block.instead_of is not None)

    chosen(table, "hide", str(other.instead_of))
    chosen(table, "ok", str(other.id))
    assert other.text.text in table.read_by("gm")
    assert other.text.text not in table.read_by("table")


@pytest.mark.parametrize("name", ["M" * 150, "Ma\u202ery"])
def test_the_name_of_any_game_master_can_be_that_of_a_writer(table: Table, name: str) -> None:
    table.say(f'cast gm by="{name}"')
    writer = game_master(LineView(table.campaign, 1).table)
    assert writer_named(writer) == writer != ""


def test_all_paragraphs_of_an_untold_text_are_taken_in_their_order(table: Table) -> None:
    table.begin()
    table.say(f"narrate Ana --at {table.position('ashore')}: I stay.\n  .\n  Somebody has to.")
    event = str(table.standing().untold[0].composed.events[0])
    chosen(table, "take-new", event)

    assert texts(table)[-2:] == ["Ana: I stay.", "Somebody has to."]
    assert table.standing().untold == ()
