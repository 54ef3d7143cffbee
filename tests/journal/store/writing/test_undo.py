"""Undo and redo: additions on the line, and where they stop."""

from __future__ import annotations

import pytest

from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.events import line_events
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.undo import former_mainline, plan_undo, redo, undo, undone_promotion
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import campaign, notes, play, played
from tests.journal.store.played import evening as evening_commands


@pytest.fixture
def writer(place: Address) -> LineWriter:
    made = campaign(place).writer(1)
    made.record(c.OpenSession(title=Words("One")))
    return made


def live(writer: LineWriter) -> list[str]:
    """The notes that count, by their texts."""
    lives = line_events.live_events(writer.campaign.record, writer.line)
    return [str(one.event.text) for one in lives if isinstance(one.event, e.Noted)]


def test_undo_takes_back_the_last_act_and_erases_nothing(writer: LineWriter) -> None:
    notes(writer, "a", "b")
    before = writer.head.position

    undo(writer)

    assert live(writer) == ["a"]
    assert writer.head.position == before + 1


def test_the_plan_names_the_acts_the_earliest_first(writer: LineWriter) -> None:
    notes(writer, "a", "b")

    assert [act.first for act in plan_undo(writer, 2)] == [4, 5]


def test_undo_of_two_acts_is_one_event(writer: LineWriter) -> None:
    notes(writer, "a", "b")

    done = undo(writer, 2)

    assert done.events == (e.Undone(first=4, last=5),)
    assert live(writer) == []


def test_what_was_planned_is_taken_back_and_nothing_that_came_in_between(writer: LineWriter) -> None:
    notes(writer, "a")
    planned = plan_undo(writer)
    notes(writer.campaign.writer(1), "b")

    with pytest.raises(Refused, match="Another writer has just recorded something"):
        undo(writer, planned=planned)
    assert live(writer) == ["a", "b"]

    undo(writer, planned=plan_undo(writer))
    assert live(writer) == ["a"]


def test_undo_again_goes_further_back(writer: LineWriter) -> None:
    notes(writer, "a", "b", "c")
    undo(writer)
    undo(writer)

    assert live(writer) == ["a"]


def test_redo_brings_back_what_was_undone_last(writer: LineWriter) -> None:
    notes(writer, "a", "b")
    undo(writer)
    undo(writer)
    redo(writer)

    assert live(writer) == ["a"]

    redo(writer)

    assert live(writer) == ["a", "b"]


def test_redo_of_two_is_one_act(writer: LineWriter) -> None:
    notes(writer, "a", "b")
    undo(writer)
    undo(writer)
    done = redo(writer, 2)

    assert live(writer) == ["a", "b"]
    assert len(done.events) == 2


def test_what_was_brought_back_can_be_taken_back(writer: LineWriter) -> None:
    notes(writer, "a", "b")
    undo(writer, 2)
    redo(writer)
    undo(writer)

    assert live(writer) == ["a"]


def test_redo_is_refused_once_an_act_came_since(writer: LineWriter) -> None:
    notes(writer, "a")
    undo(writer)
    notes(writer, "b")

    with pytest.raises(Refused, match="nothing to bring back"):
        redo(writer)


def test_redo_is_refused_when_nothing_is_undone(writer: LineWriter) -> None:
    with pytest.raises(Refused, match="nothing to bring back"):
        redo(writer)


def test_more_redos_than_undos_are_refused(writer: LineWriter) -> None:
    notes(writer, "a")
    undo(writer)

    with pytest.raises(Refused, match="Only one undo"):
        redo(writer, 2)


def test_the_campaigns_beginning_stays(writer: LineWriter) -> None:
    undo(writer, 2)

    with pytest.raises(Refused, match="campaign begins here"):
        undo(writer)


def test_a_branch_ends_undo_with_the_way_out(writer: LineWriter) -> None:
    line = writer.campaign.fork(1, writer.head.position, Words("other"))

    with pytest.raises(Refused, match="switch mainline"):
        undo(writer.campaign.writer(line))


def test_no_acts_at_all_are_refused(writer: LineWriter) -> None:
    with pytest.raises(Refused, match="1 or more"):
        undo(writer, 0)


def test_N4_a_promotion_is_taken_back_alone(writer: LineWriter) -> None:
    camp = writer.campaign
    line = camp.fork(1, writer.head.position, Words("other"))
    notes(camp.writer(line), "there")
    camp.promote(line)

    assert former_mainline(camp.writer(line)) == 1
    assert former_mainline(camp.writer(1)) is None, "it is not the mainline"
    for acts in (1, 2):
        with pytest.raises(Refused, match="That is taken back alone"):
            plan_undo(camp.writer(line), acts)
    with pytest.raises(Refused, match="Play went on elsewhere"):
        undo(camp.writer(1))


def test_N4_undo_goes_on_behind_a_promotion_that_was_taken_back(writer: LineWriter) -> None:
    camp = writer.campaign
    notes(writer, "before")
    before = writer.head.position
    line = camp.fork(1, before, Words("other"))
    camp.promote(line)
    camp.promote(1, command=c.Undo())

    main = camp.writer(1)
    assert former_mainline(main) is None
    assert undone_promotion(main) == line
    assert [act.first for act in plan_undo(main)] == [before]
    undo(main)
    assert undone_promotion(main) is None, "first the note is brought back"
    redo(main)
    assert undone_promotion(main) == line
    notes(main, "after")
    assert undone_promotion(main) is None
    with pytest.raises(Refused, match="nothing to bring back"):
        redo(main)
    with pytest.raises(Refused, match="Play went on elsewhere"):
        undo(camp.writer(line))


def test_what_was_undone_before_a_fork_comes_back_on_the_branch_alone(writer: LineWriter) -> None:
    notes(writer, "a", "b")
    undo(writer)
    branch = writer.campaign.writer(writer.campaign.fork(1, writer.head.position, Words("other")))

    redo(branch)

    assert live(branch) == ["a", "b"]
    assert live(writer) == ["a"]


def test_what_came_back_on_a_branch_is_taken_back_there_and_nothing_before_it(writer: LineWriter) -> None:
    notes(writer, "a", "b")
    undo(writer)
    branch = writer.campaign.writer(writer.campaign.fork(1, writer.head.position, Words("other")))
    redo(branch)

    undo(branch)

    assert live(branch) == ["a"]
    with pytest.raises(Refused, match="branch begins here"):
        undo(branch)


def test_undo_takes_an_act_of_the_branch_and_what_came_back_before_it_only_one_by_one(
    writer: LineWriter,
) -> None:
    notes(writer, "a", "b")
    undo(writer)
    branch = writer.campaign.writer(writer.campaign.fork(1, writer.head.position, Words("other")))
    redo(branch)
    notes(branch, "c")

    with pytest.raises(Refused, match="branch begins here"):
        undo(branch, 2)
    assert live(branch) == ["a", "b", "c"]

    undo(branch)
    assert live(branch) == ["a", "b"]

    undo(branch)
    assert live(branch) == ["a"]


def test_an_act_on_the_parent_after_the_fork_is_no_matter_to_the_branch(writer: LineWriter) -> None:
    notes(writer, "a")
    branch = writer.campaign.writer(writer.campaign.fork(1, writer.head.position, Words("other")))
    undo(writer)

    assert live(branch) == ["a"]


def test_undo_then_redo_leaves_the_same_table(place: Address) -> None:
    with played(place) as camp:
        writer = camp.writer(1)
        for acts in range(1, 12):
            before = camp.table_at(1)
            undo(writer, acts)
            redo(writer)
            after = camp.table_at(1)
            after.position = before.position

            assert after == before


def test_undo_deals_the_same_again(place: Address) -> None:
    with campaign(place) as camp:
        writer = play(camp.writer(1), evening_commands()[:4])
        first = writer.record(c.Draw(who=1, count=5))
        undo(writer)
        second = writer.record(c.Draw(who=1, count=5))

        assert first.events == second.events


def test_two_writers_undo_only_what_they_have_seen(place: Address) -> None:
    with campaign(place) as camp, CampaignStore.open(place) as other:
        mine, theirs = camp.writer(1), other.writer(1)
        notes(mine, "a")
        notes(theirs, "b")

        undo(mine)  # it looks first, and takes back what came last

        assert live(mine) == ["a"]
