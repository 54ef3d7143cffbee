"""How often each aspect was compelled, and what came of it."""

from __future__ import annotations

from pathlib import Path

from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from retold.projections.reading import Moment
from retold.projections.statistics.participation import Compelled, Compelling, Compels
from retold.projections.views.naming import Who
from tests.projections.statistics.played import Evening

ROOT = Path(__file__).parents[3]
LAW, GUN = "Hands where the law can see them", "Only if this gun fired"


def heard(evening: Evening, *events: tuple[int | None, Event]) -> Compels:
    """Compels as they come, each in a session."""
    evening.play("cast Gatto\ncast Hargan")
    (some,) = [one for one in evening.asked().moments() if isinstance(one.event, e.CampaignBegun)]
    compels = Compels()
    for session, event in events:
        compels.hear(Moment(some.recorded, event, some.table), session)
    return compels


def offered(who: int, aspect: str, conflict: int | None = None) -> e.CompelOffered:
    return e.CompelOffered(conflict=conflict, who=who, aspect=aspect, by=0, text=Words("Trouble."))


def accepted(who: int, conflict: int | None = None) -> e.CompelAccepted:
    return e.CompelAccepted(conflict=conflict, who=who)


def refused(who: int, conflict: int | None = None) -> e.CompelRefused:
    return e.CompelRefused(conflict=conflict, who=who)


def test_an_answer_goes_to_the_characters_oldest_open_offer(evening: Evening) -> None:
    compels = heard(
        evening,
        (1, offered(1, LAW)),
        (1, offered(1, GUN)),
        (1, offered(2, LAW)),
        (1, refused(1)),
        (1, accepted(2)),
        (2, accepted(1)),
        (2, offered(1, "hands where the LAW can see them")),
    )

    table = evening.asked().table
    assert compels.compelled(table).aspects == (
        Compelled(Who(1, "Gatto"), LAW, 2, 0, 1, 1),
        Compelled(Who(1, "Gatto"), GUN, 1, 1, 0, 0),
        Compelled(Who(2, "Hargan"), LAW, 1, 1, 0, 0),
    )
    assert compels.compelled(table, 2).aspects == (
        Compelled(Who(1, "Gatto"), "hands where the LAW can see them", 1, 0, 0, 1),
    )


def test_an_answer_in_a_conflict_is_to_an_offer_in_it(evening: Evening) -> None:
    compels = heard(
        evening, (1, offered(1, LAW)), (1, offered(1, GUN, conflict=4)), (1, accepted(1, conflict=4))
    )

    aspects = {one.aspect: one.taken for one in compels.compelled(evening.asked().table).aspects}
    assert aspects == {LAW: 0, GUN: 1}


def test_an_answer_that_answers_nothing_counts_nowhere(evening: Evening) -> None:
    compels = heard(evening, (1, accepted(1)), (1, refused(2)))

    assert compels.compelled(evening.asked().table) == Compelling(())


def test_it_is_shown_as_rows_and_bars(evening: Evening) -> None:
    counted = heard(evening, (1, offered(1, LAW)), (1, accepted(1))).compelled(evening.asked().table)

    (sheet,), (chart,) = counted.sheets(), counted.charts()
    assert sheet.rows[0].cells == ("Gatto", LAW, "1", "1", "0", "0")
    assert [(bar.label, bar.said) for bar in chart.bars] == [(f"{LAW} (Gatto)", "1 (1 taken)")]
    assert counted.to_json()["aspects"][0]["taken"] == 1
    assert (Compelling(()).sheets(), Compelling(()).charts()) == ((), ())


def test_compels_are_counted_as_they_are_played(evening: Evening) -> None:
    evening.play((ROOT / "examples/edgerunner/big-guns.session").read_text("utf-8"))

    (mainline,), (branch,) = (evening.compels(line).aspects for line in (1, 2))
    assert mainline.aspect == branch.aspect == "Never could leave a big gun lying"
    assert (mainline.taken, mainline.refused) == (1, 0)
    assert (branch.taken, branch.refused) == (0, 1)
