"""From a played evening to something people read."""

from __future__ import annotations

import pytest

from retold.games.bruise import commands as b
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.projections.exports import EXPORTS, export
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer, viewer_called
from retold.projections.story import transcript
from retold.projections.story.document import Paragraph, Transcript
from tests.projections.evening import ASIDE, SECRET, Table, w
from tests.projections.reading import read, squeezed


def evening(
    table: Table, session: int = 1, *, voice: str = "report", viewer: Viewer = GAME_MASTER
) -> Transcript:
    return transcript.of_session(LineView(table.campaign, 1, viewer=viewer), session, voice=voice)


def paragraphs(told: Transcript) -> list[Paragraph]:
    return [one for scene in told.scenes for passage in scene.passages for one in passage.paragraphs]


def texts(told: Transcript) -> list[str]:
    return [one.text for one in paragraphs(told) if one.text]


def test_an_evening_has_a_head_a_cast_and_scenes(table: Table) -> None:
    told = evening(table)
    head = told.head

    assert (told.title, head.campaign, head.date, head.gm) == (
        "Session 1: High Water",
        "The Long Ebb",
        "2026-03-14",
        "Rana",
    )
    assert head.systems == ("Bruise",)
    assert [(one.player, one.characters) for one in head.players] == [("Jon", ("Zel",))]
    assert [(one.name, one.phrase) for one in told.cast] == [
        ("Zel", "A smuggler, lately caught"),
        ("Guards", None),
    ]
    assert [scene.title for scene in told.scenes] == [None, "The harbour-master\u2019s stair"]
    conflict = told.scenes[1].passages[1].conflict
    assert conflict is not None
    assert (conflict.title, conflict.stakes, conflict.sides) == (
        "Out by the stair",
        "freedom",
        (("Zel",), ("Guards",)),
    )


def test_the_story_is_told_in_order(table: Table) -> None:
    assert texts(evening(table)) == [
        "Rain, and the tide still out.",
        "Lamps below, and boots.",
        SECRET,
        ASIDE,
        "I run one of them through and keep going.",
        "One last cry, and the line breaks.",
        "for the cry",
        "Not today.",
        "Guards took the hand against Zel.",
        "Zel is out, and wet.",
    ]


def test_mechanics_stand_with_the_paragraph_they_follow(table: Table) -> None:
    declared = next(one for one in paragraphs(evening(table)) if one.kind == "declaration")

    assert [one.text for one in declared.mechanics] == [
        "Zel draws for clubs + melee: 6 cards",
        "Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 3♦",
        "Guards: Quality 9",
        "Zel: Quality J",
        "Zel wins over Guards: Quality J against 9, Quantity 3, hearts or diamonds",
        "Zel colours it hearts",
    ]
    assert [one.luck for one in declared.mechanics] == ["", "called", "", "", "", ""]


def test_every_number_of_the_record_is_in_some_mechanic_or_notation(table: Table) -> None:
    told = transcript.of_range(LineView(table.campaign, 1), voice="plain")
    shown = {one.id for one in paragraphs(told)} | {
        mechanic.id for one in paragraphs(told) for mechanic in one.mechanics
    }
    headings = {
        mechanic.id
        for scene in told.scenes
        for passage in scene.passages
        if passage.conflict
        for mechanic in passage.conflict.mechanics
    }

    assert {f"e{at}" for at in range(1, table.writer.head.position + 1)} <= shown | headings


def test_the_next_evening_says_what_went_before_and_who_was_absent(table: Table) -> None:
    head = evening(table, 2).head

    assert (head.previously, head.absent) == ("Zel is out, and wet.", ("Kit",))


def test_a_struck_narration_is_marked_and_its_strike_follows(
    table: Table,
) -> None:
    """What was answered to it is told, so it is told too; it counts no longer, so the hand is untold."""
    told = evening(table, 2)
    struck, last = paragraphs(told)[-2:]

    assert [one.text for one in paragraphs(told) if one.struck] == ["She takes wing."]
    assert (struck.text, struck.label) == ("She takes wing.", "Zel (overruled)")
    assert "Zel took the hand against Guards." in texts(told)
    assert (last.speaker, last.manner, last.text) == (
        "The game master",
        "strikes what Zel told",
        "Nobody here has wings.",
    )


def test_the_plain_voice_keeps_what_was_struck_and_marks_it(table: Table) -> None:
    told = evening(table, 2, voice="plain")
    struck = [one.text for one in paragraphs(told) if one.struck]

    assert struck == ["Zel narrates: “She takes wing.”"]


def test_an_edit_is_told_after_what_it_changes(table: Table) -> None:
    told = texts(evening(table, 2))

    assert told[told.index("Mud to the knee, and nobody follows.") + 1] == "One of them does follow."


def test_words_told_later_stand_at_their_moment(table: Table) -> None:
    (spot,) = evening(table).end.untold
    position = int(spot.id[1:])
    table.do(c.Narrate(who=0, at=position, text=w("They close the gate on her.")))
    told = evening(table)

    assert "Guards took the hand against Zel." not in texts(told)
    assert texts(told)[-2:] == ["They close the gate on her.", "Zel is out, and wet."]
    assert told.end.untold == ()
    assert "They close the gate on her." not in texts(evening(table, 2))
    later = next(one for one in paragraphs(told) if one.later)
    assert "Guards wins over Zel" in " ".join(one.text for one in later.mechanics)


def test_a_transcript_may_be_asked_for_as_of_a_moment(table: Table) -> None:
    head = table.writer.head.position
    (spot,) = evening(table).end.untold
    table.do(c.Narrate(who=0, at=int(spot.id[1:]), text=w("They close the gate on her.")))

    assert "They close the gate on her." not in texts(
        transcript.of_session(LineView(table.campaign, 1, head), 1)
    )


def test_a_reworded_text_reads_as_it_does_today(table: Table) -> None:
    narrated = next(one.id for one in paragraphs(evening(table)) if one.text.startswith("One last cry"))
    table.writer.manage_all(
        (e.Reworded(about=int(narrated[1:]), word=0, text=w("One last cry.")),), c.Note(text=w("-"))
    )

    assert "One last cry." in texts(evening(table))


def test_what_was_undone_is_not_told(table: Table) -> None:
    done = table.do(c.Say(who=table.who("Zel"), text=w("I take that back.")))
    assert "I take that back." in texts(evening(table, 2))
    table.writer.manage_all((e.Undone(first=done.first, last=done.last),), c.Note(text=w("-")))

    assert "I take that back." not in texts(evening(table, 2))


def test_a_generated_sentence_gives_way_to_a_person_s_words(table: Table) -> None:
    zel = table.who("Zel")
    table.do(c.Narrate(who=zel, text=w("She walks.")))
    told = evening(table, 2)
    struck = next(one for one in paragraphs(told) if one.struck)

    assert not any(one.generated for one in paragraphs(told))
    assert "Zel wins over Guards" in " ".join(one.text for one in struck.mechanics)
    assert told.end.untold == ()


def test_hidden_words_are_gone_before_anything_is_counted(table: Table) -> None:
    mine, theirs = evening(table), evening(table, viewer=EVERYBODY)

    assert set(texts(mine)) - set(texts(theirs)) == {SECRET, ASIDE}
    jon = viewer_called(table.writer.table, "Jon")
    assert ASIDE in texts(evening(table, viewer=jon))
    assert {one.eyes for one in paragraphs(mine) if one.eyes} == {"for the game master", "for Jon"}
    assert not {one.id for one in paragraphs(mine)} & {one.id for one in paragraphs(theirs)}


def test_what_changed_is_said_in_words(table: Table) -> None:
    table.do(b.Tilt(who=table.who("Zel"), potential="destiny"))
    end = evening(table, 2).end

    assert "Zel can have up to 6 Destiny Karma (5 before)." in end.changed
    assert evening(table).end.changed == ()


def test_what_is_open_and_what_was_quoted_stand_at_the_end(table: Table) -> None:
    assert evening(table, 2).end.open == ("Zel vs Guards (Bruise, Zel vs Guards) is not over.",)
    assert [(one.text, one.who) for one in evening(table).end.quotes] == [("I roll for dignity.", "Jon")]


def test_the_whole_line_has_a_chapter_for_each_session(table: Table) -> None:
    told = transcript.of_range(LineView(table.campaign, 1))

    assert [scene.chapter.session for scene in told.scenes if scene.chapter] == [1, 2]
    assert told.title == "The Long Ebb"


def test_a_range_may_begin_in_the_middle_of_a_conflict(table: Table) -> None:
    whole = evening(table)
    declared = next(one for one in paragraphs(whole) if one.kind == "declaration")
    told = transcript.of_range(
        LineView(table.campaign, 1), int(declared.id[1:]) - 1, int(declared.id[1:]) + 8
    )
    conflict = told.scenes[0].passages[0].conflict

    assert texts(told)[0] == declared.text
    assert conflict is not None
    assert conflict.continued


def test_ids_are_given_once(table: Table) -> None:
    for voice in ("report", "plain"):
        ids = [one.id for one in paragraphs(transcript.of_range(LineView(table.campaign, 1), voice=voice))]

        assert len(set(ids)) == len(ids)


def test_an_unknown_session_or_voice_is_refused(table: Table) -> None:
    with pytest.raises(Refused, match=r"There is no session 7 on this line\. There are: 1, 2"):
        evening(table, 7)
    with pytest.raises(Refused, match="There are: report, plain"):
        evening(table, voice="operatic")


def test_a_campaign_with_nothing_in_it_is_told(table: Table) -> None:
    told = transcript.of_range(LineView(table.campaign, 1), 0, 1)

    assert (told.scenes, told.cast, told.head.systems) == ((), (), ())


def test_a_note_on_a_whole_session_is_its_summary(table: Table) -> None:
    """A note told later about the opening of a session; it stands nowhere else."""
    opened = next(at for at in range(1, 99) if table.campaign.table_at(1, at).session == 1)
    table.do(c.Note(at=opened, text=w("Zel got away, and knows nothing yet.")))
    table.do(c.Note(at=opened, text=w("It rained.")))
    table.do(c.Note(at=opened, text=w("They let her go")), see="gm")
    told = evening(table)

    assert told.head.summary == "Zel got away, and knows nothing yet.\n\nIt rained."
    assert evening(table, viewer=EVERYBODY).head.summary == told.head.summary
    assert next(one.text for one in paragraphs(told) if one.kind == "note") == "They let her go"
    assert "It rained." not in texts(told)
    assert evening(table, 2).head.summary is None
    assert "It rained." in texts(transcript.of_range(LineView(table.campaign, 1)))


def test_words_told_later_stand_at_the_beginning_of_a_stretch_that_begins_with_their_moment(
    table: Table,
) -> None:
    told_first = table.do(c.Narrate(text=w("The tide turns."))).first
    table.do(c.Narrate(at=told_first, text=w("Nobody saw it turn.")))
    opened = next(at for at in range(1, 99) if table.campaign.table_at(1, at).session == 2)
    table.do(c.Note(at=opened, text=w("The second evening, in short.")))

    from_there = transcript.of_range(LineView(table.campaign, 1), told_first - 1)
    assert texts(from_there) == ["The tide turns.", "Nobody saw it turn."]
    assert (
        texts(transcript.of_range(LineView(table.campaign, 1), opened - 1))[0]
        == "The second evening, in short."
    )


def test_every_format_with_a_head_shows_the_summary(table: Table) -> None:
    opened = next(at for at in range(1, 99) if table.campaign.table_at(1, at).session == 1)
    table.do(c.Note(at=opened, text=w("Zel got away.")))
    for name, form in EXPORTS.items():
        if not form.is_timed:
            shown = squeezed(read(name, export(name, evening(table))))
            assert squeezed("Zel got away.") in shown, name


def test_an_end_by_concession_is_generated_only_when_untold(table: Table) -> None:
    """The same end, once entered alone, and once after somebody has accepted what was offered."""
    table.do(c.End(what="conflict", how="conceded"))
    said = "One side gave up."

    assert said in [one.text for one in paragraphs(evening(table, 2)) if one.generated]
    zel, guards = table.who("Zel"), table.who("Guards")
    table.do(c.End(what="session"))
    table.do(c.OpenSession())
    table.do(c.OpenConflict(system="bruise", sides=((zel,), (guards,))))
    table.do(c.Concede(who=guards, text=w("They let her go.")))
    table.do(c.Accept(who=zel))
    ours = [one.text for one in paragraphs(evening(table, 3)) if one.generated]
    assert ours == ["Guards gave up, and Zel accepted."]
