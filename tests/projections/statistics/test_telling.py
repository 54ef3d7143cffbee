"""Who told how much: what stands, whoever said it, in the evening it belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.store.events.text_matching import count_words
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.statistics import count
from retold.projections.statistics.participation import Lines, Shares, TellerCount
from tests.projections.evening import both
from tests.projections.statistics.played import Evening

CAST = "cast Zel by=Jon\ncast Ash by=Kim\n"


def teller(evening: Evening, name: str, session: int | None = None) -> TellerCount:
    (found,) = (one for one in evening.told(session).tellers if one.who.name == name)
    return found


def test_narration_speech_and_declarations_are_counted_apart(evening: Evening) -> None:
    evening.play(
        f"{CAST}narrate Zel: One last cry.\nnarrate Zel: Silence.\nsay Zel: Not today!\nnarrate gm: Rain."
    )
    evening.play('conflict "Out" bruise Zel vs Ash\ndeclare Zel: I run.')

    zel = teller(evening, "Zel")
    assert (zel.narrated, zel.spoken, zel.declared, zel.moves) == (
        Lines(2, 4),
        Lines(1, 2),
        Lines(1, 2),
        Lines(0, 0),
    )
    assert (zel.words, zel.share) == (8, round(8 / 9, 4))
    assert zel.player is not None
    assert zel.player.name == "Jon"
    assert teller(evening, "the game master").player is None
    assert [one.who.name for one in evening.told().tellers] == ["Zel", "the game master"]


def test_events_about_a_person_do_not_count_as_their_telling(evening: Evening) -> None:
    """An arrow is not a line of whom it hits, nor is a clock; who told it counts if it was said."""
    evening.play(f"{CAST}track Zel hp 12/12\ntrack Ash hp 9/9\nhp Zel -9: An arrow out of the dark.")
    evening.play('clock "The guard wakes" 4\nclock "The guard wakes" +1: A cough below.')
    evening.play("hp Ash -1 --by Zel: My arrow.\nnarrate Ash: Rain.")

    assert [(one.who.name, one.words) for one in evening.told().tellers] == [("Zel", 2), ("Ash", 1)]
    assert teller(evening, "Zel").narrated == Lines(1, 2)


def test_texts_that_go_with_a_games_moves_count_and_notes_do_not(evening: Evening) -> None:
    evening.play(f"{CAST}note --to table: Cake was had\nruling: No wings.\n")
    evening.play(
        "cast Ada whiskey combat=10 base=4 die=1 hp=90\ncast Bolt whiskey combat=10 base=4 die=1 hp=90"
    )
    evening.play("conflict First whiskey Ada vs Bolt\ndeclare Ada engage Bolt: Through the door.")
    evening.play("concede Bolt: I yield the stair")

    assert {one.who.name: (one.declared, one.moves) for one in evening.told().tellers} == {
        "Bolt": (Lines(), Lines(1, 4)),
        "Ada": (Lines(1, 3), Lines()),
    }


def test_it_is_counted_as_it_reads_now_and_what_was_undone_is_not(evening: Evening) -> None:
    evening.play(f"{CAST}narrate Zel: One two three four.\nnarrate Zel: Five.\nundo")
    place = evening.campaign.record.head(1).position - 2
    evening.play(f"retcon {place}: One two.")

    assert teller(evening, "Zel").narrated == Lines(1, 2)


def test_what_was_struck_is_left_out_and_an_edit_is_its_authors(tmp_path: Path) -> None:
    played = both(tmp_path / "ebb.retold")
    told = count(LineView(played.campaign, 1), ("telling",), session=2)["telling"]
    played.campaign.close()

    assert isinstance(told, Shares)
    # “She takes wing.” was vetoed, and the veto tells nothing; the edit stands beside what it edits.
    assert {one.who.name: one.narrated for one in told.tellers} == {
        "Zel": Lines(1, 7),
        "the game master": Lines(1, 5),
    }


def test_what_is_told_later_belongs_to_the_evening_it_is_about(evening: Evening) -> None:
    evening.play(f"{CAST}session One\nscene Yard\nmark yard\nend session\nsession Two\nnarrate Zel: Here.")
    evening.play("narrate Zel --at yard: Two words.")

    assert teller(evening, "Zel").sessions == ((2, 1), (1, 2))
    assert teller(evening, "Zel", session=1).words == 2
    assert teller(evening, "Zel", session=2).words == 1


def test_a_viewer_counts_what_they_may_know(evening: Evening) -> None:
    evening.play(f"{CAST}narrate Zel: One.\nnarrate Ash --gm: Two three.")

    assert [one.who.name for one in evening.told().tellers] == ["Ash", "Zel"]
    assert [one.who.name for one in evening.told(viewer=EVERYBODY).tellers] == ["Zel"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("One last cry, and the line breaks.", 7),
        ("harbour-master's", 3),
        ("— … !", 0),
        ("龍騎士が来る", 6),
        ("Zel は 龍", 3),
        ("नमस्ते दुनिया", 2),
    ],
)
def test_a_word_is_a_run_of_letters_or_a_letter_where_no_blanks_are_written(text: str, count: int) -> None:
    assert count_words(text) == count


def test_a_redacted_line_is_a_line_without_words(evening: Evening) -> None:
    evening.play(f"{CAST}narrate Zel: One two three.")
    head = evening.campaign.record.head(1).position
    with evening.campaign.record.writing():
        evening.campaign.record.delete_texts(1, head, (0,))

    assert teller(evening, "Zel").narrated == Lines(1, 0)
    assert teller(evening, "Zel").share == 0.0


def test_it_is_shown_as_rows_bars_and_json(evening: Evening) -> None:
    evening.play(f"session One\n{CAST}narrate Zel: One two three.\nnarrate Ash: Four.")

    told = evening.told()
    (sheet,), (chart,) = told.sheets(), told.charts()
    assert sheet.rows[0].cells == ("Zel", "Jon", "1/3", "-", "-", "-", "3", "75%", "1: 3")
    assert [(bar.label, bar.value, bar.said) for bar in chart.bars] == [
        ("Zel", 3, "3 (75%)"),
        ("Ash", 1, "1 (25%)"),
    ]
    assert told.to_json()["tellers"][1]["sessions"] == [{"session": 1, "words": 1}]
    assert told.to_json()["tellers"][1]["narrated"] == {"lines": 1, "words": 1}
