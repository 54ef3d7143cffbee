"""Two lines from where they part."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import permutations

from retold.games.bruise import commands as b
from retold.journal.vocabulary import commands as c
from retold.projections.comparison import diff as line_diff
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.views import VIEWS
from retold.projections.views.sheet import Change, changes
from retold.scribe import Scribe
from tests.projections.evening import Table, w


def branched(table: Table) -> int:
    """The second evening ends otherwise on a branch than on the mainline."""
    zel = table.who("Zel")
    at = table.writer.head.position
    line = table.campaign.fork(1, at, w("kinder"))
    table.do(c.Narrate(who=zel, text=w("She walks away.")))
    kinder = table.campaign.writer(line)
    kinder.record(c.Narrate(who=zel, text=w("She goes back for him.")))
    kinder.record(b.Tilt(who=zel, potential="destiny"))
    return line


def test_a_branch_differs_in_state_and_in_story(table: Table) -> None:
    at = table.writer.head.position
    found = line_diff.compare(LineView(table.campaign, 1), LineView(table.campaign, branched(table)))
    state = {change.about: (change.was, change.now) for change in found.state}

    assert (found.one, found.other, found.parted) == ("mainline", "kinder", f"#{at}")
    assert state["Zel, destiny (Bruise)"] == ("5/5", "5/6")
    assert [one.text for one in found.told[0]] == ["She walks away."]
    assert [one.text for one in found.told[1]] == ["She goes back for him."]
    assert found.story().rows[0].cells == ("Zel: She walks away.", "Zel: She goes back for him.")
    assert json.loads(json.dumps(found.to_json())) == found.to_json()
    assert all(len(row.cells) == 4 for row in found.sheet().rows)


def test_two_moments_of_one_line_part_at_the_earlier(table: Table) -> None:
    found = line_diff.compare(LineView(table.campaign, 1, 20), LineView(table.campaign, 1))

    assert (found.one, found.other, found.parted) == ("mainline@20", "mainline", "#20")
    assert found.told[0] == ()
    assert "Mud to the knee, and nobody follows." in [one.text for one in found.told[1]]


def test_a_line_does_not_differ_from_itself(table: Table) -> None:
    found = line_diff.compare(LineView(table.campaign, 1), LineView(table.campaign, 1))

    assert (found.state, found.told) == ((), ((), ()))


def test_branches_of_branches_part_where_the_first_left(table: Table) -> None:
    line = branched(table)
    table.campaign.fork(line, 10, w("early"))
    deep = table.campaign.fork(line, table.campaign.record.head(line).position, w("deep"))
    campaign = table.campaign

    assert (
        line_diff.compare(LineView(campaign, line), LineView(campaign, campaign.line_called("early"))).parted
        == "#10"
    )
    assert (
        line_diff.compare(LineView(campaign, deep), LineView(campaign, 1)).parted
        == line_diff.compare(LineView(campaign, line), LineView(campaign, 1)).parted
    )


def test_a_player_is_told_which_moments_are_compared_by_ids_that_count_nothing(table: Table) -> None:
    at = table.do(c.Note(text=w("Here."))).first
    ids = LineView(table.campaign, 1, viewer=EVERYBODY).ids
    table.do(c.Note(text=w("He sold her out")), see="gm")
    found = line_diff.compare(
        LineView(table.campaign, 1, 20, EVERYBODY), LineView(table.campaign, 1, at, EVERYBODY)
    )

    assert (found.one, found.other) == (f"mainline@{ids.place(20)}", "mainline")
    assert (
        line_diff.compare(LineView(table.campaign, 1, 20), LineView(table.campaign, 1, at)).other
        == f"mainline@{at}"
    )


def test_a_player_s_difference_points_at_no_position(table: Table) -> None:
    found = line_diff.compare(
        LineView(table.campaign, 1, viewer=EVERYBODY),
        LineView(table.campaign, branched(table), viewer=EVERYBODY),
    )

    assert found.parted is not None
    assert not found.parted.startswith("#")


def played_on(table: Table) -> list[LineView]:
    """Lines and moments of them: matters and sessions before the branch and after it, and an undo over it."""
    scribe = Scribe(table.campaign, 1)
    for said in ("thread Debt: To Ash.", "note: Debt is not forgotten."):
        scribe.say(said)
    table.writer = table.campaign.writer(1)
    line = branched(table)
    aside = Scribe(table.campaign, line)
    for said in (
        "thread Debt: Paid.",
        "place Stair: Wet.",
        "note: Debt, debt.",
        "end session",
    ):
        aside.say(said)
    told = table.writer.head.position
    for _ in range(3):
        scribe.say("undo")
    return [
        LineView(table.campaign, *where)
        for where in ((1, 20), (1, told), (1, None), (line, 20), (line, None))
    ]


def told(found: Iterable[Change]) -> list[Change]:
    """What differs, without mentions and spellings: fewer count where those before the lines part do not."""
    return [
        one._replace(was=_uncounted(one.was), now=_uncounted(one.now))
        for one in found
        if not one.about.endswith(("mentioned", "written", "misspelt?"))
    ]


def _uncounted(cell: str | None) -> str | None:
    if cell is None:
        return None
    parts = [
        part for part in cell.split(" · ") if not part.startswith(("mentioned ", "written ", "misspelt? "))
    ]
    return " · ".join(parts).removeprefix("about ")


def test_what_lines_share_is_left_out_and_nothing_that_differs(table: Table) -> None:
    views = [view for view in VIEWS.values() if view.name not in line_diff.LEFT_OUT]
    seen = [(reading, [view.see(reading) for view in views]) for reading in played_on(table)]
    for (one, in_one), (other, in_other) in permutations(seen, 2):
        whole = (change for was, now in zip(in_one, in_other, strict=True) for change in changes(was, now))

        assert told(line_diff.compare(one, other).state) == told(whole)


def test_mentions_count_from_where_two_lines_part(table: Table) -> None:
    lines = played_on(table)

    assert Change("threads", "Debt, mentioned", "0", "1") in line_diff.compare(lines[1], lines[4]).state


def test_spellings_count_from_where_two_lines_part(table: Table) -> None:
    line = branched(table)
    aside = Scribe(table.campaign, line)
    Scribe(table.campaign, 1).say("note: Zel. Zel.")
    for _ in range(3):
        aside.say("note: Zel.")
    found = line_diff.compare(LineView(table.campaign, 1), LineView(table.campaign, line))

    assert Change("names", "Zel, written", "Zel 2", "Zel 3") in found.state
