"""Times of play date and time an evening that was typed in later; times of recording stay apart from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.subtitles import srt
from retold.projections.plain.lives import moment_notation
from retold.projections.reading import LineView
from retold.projections.story.transcript import of_range, of_session
from retold.projections.views import sessions
from tests.projections.statistics.played import Evening

CAST = "cast gm by=Mary\ncast Zel bruise by=Jon clubs=4 melee=2\ncast Ash bruise by=Kim clubs=3 melee=1\n"
TYPED_IN = f"""\
{CAST}
session Rain --when 2026-03-01T19:40
say Zel --when 2026-03-01T19:42: Not today.
conflict Out bruise Zel vs Ash --when 2026-03-01T19:50
note --to table --when 2026-03-01T20:00:30.5: Hm.
note --to table: Nobody knows when.
end conflict stalemate --when 2026-03-01T20:40
say Zel --when 2026-03-01T20:41:30: Tomorrow.
end session --when 2026-03-01T22:40
"""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "x.retold")
    with evening.campaign:
        yield evening


def timed(evening: Evening) -> dict[str, float | None]:
    """The seconds of everything that is told of the last session."""
    told = of_range(LineView(evening.campaign, 1))
    return {one.text: one.seconds for one in told.paragraphs() if one.text in WORDS}


WORDS = ("Not today.", "Tomorrow.", "Soon.", "Now.")


def test_conflicts_took_as_long_as_they_were_played(evening: Evening) -> None:
    pace = evening.play(TYPED_IN).pace()

    assert (pace.conflicts[0].seconds, pace.imported, pace.played) == (50 * 60, 0, True)
    assert pace.sheets()[0].notes == ("Times are those of play if given (--when), otherwise of recording.",)
    assert pace.to_json()["played"] is True


def test_a_session_took_as_long_as_it_was_played(evening: Evening) -> None:
    (rain,) = sessions.of(evening.play(TYPED_IN).asked()).sessions

    assert (rain.date, rain.seconds) == ("2026-03-01", 3 * 3600)


def test_subtitles_begin_with_the_session_that_was_played(evening: Evening) -> None:
    told = of_session(evening.play(TYPED_IN).asked(), 1)

    assert told.opened == "2026-03-01T19:40:00.000000Z"
    assert srt(told, MechanicsPlace.FOLDED).decode().startswith("1\n00:02:00,000 --> ")
    assert timed(evening) == {"Not today.": 120.0, "Tomorrow.": 3690.0}


def test_without_a_time_of_play_nothing_changes(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain\nsay Zel: Now.\nconflict Out bruise Zel vs Ash\nend conflict stalemate")
    pace = evening.pace()

    assert (pace.conflicts[0].seconds, pace.played, "played" in pace.to_json()) == (60, False, False)
    assert pace.sheets()[0].notes[0].startswith("Times are those of recording")
    assert timed(evening) == {"Now.": 60.0}


def test_offsets_are_applied_and_local_times_are_the_tables(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain --when 2026-03-01T19:40:00+01:00")
    evening.play("say Zel --when 2026-03-01T18:41Z: Soon.\nsay Zel --when 2026-03-01T18:42: Now.")

    assert timed(evening) == {"Soon.": 60.0, "Now.": 120.0}  # the table's clock is that of UTC


def test_untimed_events_of_a_dated_session_have_no_time(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain --when 2026-03-01T19:40\nsay Zel: Now.")

    assert timed(evening) == {"Now.": None}


def test_a_backdated_line_moves_no_recording_clock(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain\nconflict Out bruise Zel vs Ash\nnote --to table: Hm.")
    evening.play("say Zel --when 2026-03-07T19:42: Not today.\nsay Zel --when 2026-03-05: Soon.")
    evening.play("end conflict stalemate")

    (took,) = evening.pace().conflicts
    assert took.seconds == 4 * 60
    (rain,) = sessions.of(evening.asked()).sessions
    assert rain.seconds == 5 * 60


def test_lines_with_a_time_of_play_lengthen_no_conflict_that_has_none(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain\nnote --gm --when 2026-03-01T19:00: He lies.")
    evening.play("conflict Out bruise Zel vs Ash\nnote --gm --when 2026-03-01T21:00: Still.")
    evening.play("end conflict stalemate")

    assert [took.seconds for took in evening.pace().conflicts] == [2 * 60]


def test_a_conflict_that_began_by_one_clock_and_ended_by_the_other_has_no_length(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain\nconflict Out bruise Zel vs Ash --when 2026-03-01T19:00")
    evening.play("end conflict stalemate")

    assert [took.seconds for took in evening.pace().conflicts] == [None]


def test_a_forgotten_line_of_an_evening_of_play_takes_no_time_back(evening: Evening) -> None:
    evening.play(TYPED_IN.replace("end session --when 2026-03-01T22:40", ""))
    evening.play("say Zel --when 2026-03-01T19:45: Soon.\nsay Zel --when 2026-03-01T20:42: Now.")

    (rain,) = sessions.of(evening.asked()).sessions
    assert rain.seconds == 62 * 60
    assert timed(evening)["Soon."] == 300.0


def test_a_day_alone_dates_the_session_and_times_nothing(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain --when 2026-03-01\nsay Zel --when 2026-03-01: Now.\nend session")

    assert of_session(evening.asked(), 1).opened is None
    assert timed(evening) == {"Now.": None}
    (rain,) = sessions.of(evening.asked()).sessions
    assert (rain.date, rain.seconds) == ("2026-03-01", 0)


def test_imported_events_keep_their_time_of_play(evening: Evening) -> None:
    evening.play(
        f"{CAST}session Rain --when 2026-03-01T19:40\nconflict Out bruise Zel vs Ash --when 2026-03-01T19:41"
    )
    manner = Manner(source=("ab" * 32, 7), when="2026-03-01T19:45")
    evening.scribe.writer.record(c.Say(who=1, text=Words("Now.")), manner)

    pace = evening.pace()
    assert (pace.imported, pace.conflicts[0].seconds) == (0, 240)
    assert timed(evening) == {"Now.": 300.0}


def test_viewers_of_the_last_event_see_the_time_of_its_act(evening: Evening) -> None:
    evening.play(f"{CAST}session Rain --when 2026-03-01T19:40\nroll gm d20 --gm --when 2026-03-01T19:45 = 17")

    known = LineView(evening.campaign, 1).called("table")
    *_, seen = known.moments(0)
    assert "behind the screen" in moment_notation(seen, known.ids)
    assert seen.envelope.when == "2026-03-01T19:45"
