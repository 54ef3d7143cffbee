"""How long things took: by the clock of recording, which stands still between evenings."""

from __future__ import annotations

from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.projections.statistics.played import Evening

BRUISE = """
session "One"
cast Zel bruise by=Jon clubs=4 melee=2
cast Ash bruise by=Kim clubs=3 melee=1
conflict "Out" bruise Zel vs Ash
"""
TURN = "draw Zel 1 = KC\ndraw Ash 1 = 2C\ncolour clubs\nnarrate Zel: So."
MINUTE = 60


def test_a_conflict_takes_from_its_opening_to_its_end(evening: Evening) -> None:
    evening.play(BRUISE)
    evening.wait(10)
    evening.play("note --to table: Hm.\nend conflict")

    (took,) = evening.pace().conflicts
    assert (took.title, took.system, took.session, took.over) == ("Out", "bruise", 1, True)
    assert took.seconds == 12 * MINUTE


def test_rounds_are_told_apart_as_each_game_has_them(evening: Evening) -> None:
    evening.play(f"{BRUISE}{TURN}")
    evening.wait(5)
    evening.play(f"{TURN}\nend conflict")

    (took,) = evening.pace().conflicts
    # The first turn is over when the second begins with a draw; the second when the conflict ends.
    assert (took.round, took.rounds) == ("turn", (10 * MINUTE, 4 * MINUTE))
    assert sum(took.rounds) == took.seconds


def test_a_round_that_begins_with_something_is_counted_from_there(evening: Evening) -> None:
    evening.play(
        """
        session One
        cast Tove edgerunner by=Dana stealth=4
        cast Patrol edgerunner kind=goon perception=2
        conflict "Past the yard" edgerunner Tove vs Patrol
        map Wall 1 Yard 2 Slip
        place Tove+Patrol Wall
        """
    )
    evening.wait(30)
    evening.play(
        "exchange\nmove Tove to Yard with stealth = ++00\napply\nsimple Patrol\nexchange\nend conflict"
    )

    (took,) = evening.pace().conflicts
    assert (took.round, took.rounds) == ("exchange", (4 * MINUTE, MINUTE))
    assert took.seconds == (2 + 31 + 5) * MINUTE


WHISKEY = """
session One
cast Corin whiskey by=Tove combat=10 base=4 die=1 hp=14
cast Vesper whiskey combat=10 base=4 die=1 hp=14
conflict "First touch" whiskey Corin vs Vesper
"""
PHASE = "declare Corin engage Vesper\ndeclare Vesper stand\nclash\ncheck Corin Vesper = {} 3"


def test_what_is_told_after_the_last_phase_is_no_phase(evening: Evening) -> None:
    evening.play(f"{WHISKEY}{PHASE.format('6H')}\n{PHASE.format('KS')}\nnarrate Vesper: It worked once.")
    evening.play("end conflict retreat: They bow.")

    (took,) = evening.pace().conflicts
    assert (took.round, took.rounds) == ("phase", (4 * MINUTE, 4 * MINUTE))


def test_a_phase_that_was_begun_is_over_with_the_conflict(evening: Evening) -> None:
    evening.play(
        f"{WHISKEY}{PHASE.format('6H')}\ndeclare Corin engage Vesper\nend conflict retreat: They bow."
    )

    (took,) = evening.pace().conflicts
    assert took.rounds == (4 * MINUTE, 2 * MINUTE)


def test_the_clock_stops_between_sessions(evening: Evening) -> None:
    evening.play(f"{BRUISE}end session")
    evening.wait(7 * 24 * 60)
    evening.play("session Two\nnote: On we go.\nend conflict")

    (took,) = evening.pace().conflicts
    assert took.seconds == 3 * MINUTE  # to the end of the session, and from the beginning of the next
    assert took.session == 1


def test_a_note_between_two_sessions_does_not_start_the_clock(evening: Evening) -> None:
    evening.play(f"{BRUISE}end session")
    evening.wait(24 * 60)
    evening.play("note: Who brings the map?\nnote: Kim does.")
    evening.wait(6 * 24 * 60)
    evening.play("session Two\nnote: On we go.\nend conflict")

    (took,) = evening.pace().conflicts
    assert took.seconds == 3 * MINUTE  # to the end of the session, and from the beginning of the next


def test_the_days_before_the_first_session_are_no_part_of_a_conflict(evening: Evening) -> None:
    evening.play("cast Zel bruise by=Jon clubs=4 melee=2\ncast Ash bruise by=Kim clubs=3 melee=1")
    evening.play("conflict Out bruise Zel vs Ash\nnote --to table: Hm.")
    evening.wait(7 * 24 * 60)
    evening.play("session One\nend conflict")

    (took,) = evening.pace().conflicts
    assert took.seconds == 2 * MINUTE  # from the opening to the note, and from the session to the end


def test_what_is_still_open_took_so_long_so_far(evening: Evening) -> None:
    evening.play(f"{BRUISE}note --to table: Hm.")

    (took,) = evening.pace().conflicts
    assert (took.seconds, took.over) == (MINUTE, False)
    assert evening.pace().sheets()[0].rows[0].cells[3] == "0:01:00 so far"


def test_imported_events_have_no_duration(evening: Evening) -> None:
    evening.play(BRUISE)
    manner = Manner(source=("ab" * 32, 7))
    evening.scribe.writer.record(c.Note(text=Words("From a chat log.")), manner)
    evening.scribe.writer.record(c.Declare(who=1, text=Words("I fall."), conflict=1), manner)

    pace = evening.pace()
    assert (pace.imported, pace.conflicts[0].seconds, pace.conflicts[0].rounds) == (2, None, ())
    assert pace.sheets()[0].rows[0].cells[3:] == ("- so far", "-", "-", "-")
    assert pace.sheets()[0].notes[-1] == "2 events were imported, and when they happened is not known."
    assert pace.charts() == ()


def test_a_session_has_the_conflicts_that_were_opened_in_it(evening: Evening) -> None:
    evening.play(
        f"{BRUISE}end conflict\nend session\nsession Two\nconflict Again bruise Zel vs Ash\nend conflict"
    )

    assert [one.title for one in evening.pace(1).conflicts] == ["Out"]
    assert [one.title for one in evening.pace(2).conflicts] == ["Again"]
    assert len(evening.pace().conflicts) == 2


def test_it_is_shown_as_rows_and_bars(evening: Evening) -> None:
    evening.play(f"{BRUISE}{TURN}\n{TURN}\nend conflict")

    (sheet,), (chart,) = evening.pace().sheets(), evening.pace().charts()
    assert sheet.rows[0].cells == ("Out", "Bruise", "1", "0:09:00", "2 turns", "0:04:30", "0:05:00")
    assert [(bar.label, bar.value, bar.said) for bar in chart.bars] == [("Out", 9, "0:09:00")]
    assert evening.pace().to_json()["conflicts"][0]["rounds"] == [5 * MINUTE, 4 * MINUTE]


def test_if_there_was_no_conflict_there_is_nothing_to_count(evening: Evening) -> None:
    assert evening.play("session One").pace().sheets() == ()
