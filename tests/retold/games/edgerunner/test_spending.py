"""What the shifts of a roll outside conflicts buy: `docs/rules/edgerunner.md` §2."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given as holds_for
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.retold.games.edgerunner.at_rest import TABLE, dice, roll, stands, tried
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    TEXT,
    begun,
)
from tests.scenario import Story

WEEKS = rules.TIME.index("a few weeks")
DAY = rules.TIME.index("a day")


def spend(who: int, **on: int) -> v.Spend:
    """`spend Tess time 2`; `_` in a name is a blank."""
    names = tuple(name.replace("_", " ") for name in on)
    return v.Spend(who=who, on=names, shifts=tuple(on.values()), text=TEXT)


def spent(who: int, left: int, takes: int | None = None, **on: int) -> g.ShiftsSpent:
    bought = tuple(g.Spent(on=name.replace("_", " "), shifts=shifts) for name, shifts in on.items())
    return g.ShiftsSpent(who=who, spent=bought, left=left, takes=takes, text=TEXT)


def test_shifts_make_things_sooner() -> None:
    """ED-04: 2 shifts take a task from a few weeks to a few days."""
    story = TABLE.when(roll(GATTO, "athletics", vs=1, takes="a few weeks", faces="0000")).then(
        tried(GATTO, "athletics", 3, against=1, takes=WEEKS),
        dice(GATTO, "0000"),
        stands(GATTO, 2, level=3, opposed=-1),
    )

    story.when(spend(GATTO, time=2)).then(spent(GATTO, 0, takes=rules.TIME.index("a few days"), time=2))


def test_a_consequence_adds_to_what_has_been_spent() -> None:
    """ED-15: a day; 2 shifts, a few hours; a moderate consequence, 2 more, half an hour."""
    story = TABLE.given(roll(GATTO, "athletics", vs=1, takes="a day", faces="0000"))
    story = story.when(spend(GATTO, time=2)).then(
        spent(GATTO, 0, takes=rules.TIME.index("a few hours"), time=2)
    )
    story = story.given(v.Boost(who=GATTO, moderate="Up all night"))

    story.when(spend(GATTO, Time=2)).then(spent(GATTO, 0, takes=rules.TIME.index("half an hour"), Time=2))


def test_shifts_are_split_over_what_is_made() -> None:
    """ED-05: 4 shifts are a capability of 1 and 3 boxes."""
    story = TABLE.given(roll(JADE, "deception", faces="0000"))

    story.when(spend(JADE, integrity=3, anti_intrusion=1)).then(spent(JADE, 0, integrity=3, anti_intrusion=1))


def test_shifts_may_be_spent_bit_by_bit() -> None:
    story = TABLE.given(roll(JADE, "deception", faces="0000"))
    story = story.when(spend(JADE, quality=1)).then(spent(JADE, 3, quality=1))

    story.when(spend(JADE, quality=4)).then_refused("Jade has 3 shifts left, not 4.")
    story = story.when(spend(JADE, quality=3)).then(spent(JADE, 0, quality=3))
    story.when(spend(JADE, quality=1)).then_refused("Jade has no shifts to spend.")


def test_what_is_below_0_is_made_good() -> None:
    story = TABLE.given(roll(GATTO, "athletics", vs=5, takes="a day", faces="0000"))

    story.when(spend(GATTO, time=1)).then_refused(
        "Gatto has -2 shifts; on each thing goes -1 or less, for they are to be made good:"
        " spend Gatto time -2."
    )
    story.when(spend(GATTO, time=-3)).then_refused("Gatto has -2 shifts left, not -3.")
    story = story.when(spend(GATTO, time=-1, result=-1)).then(
        spent(GATTO, 0, takes=DAY + 1, time=-1, result=-1)
    )
    story.when(spend(GATTO, result=-1)).then_refused("Gatto has no shifts to spend.")


def test_there_is_nothing_before_an_instant() -> None:
    story = TABLE.given(roll(JADE, "deception", takes="a few moments", faces="0000"))

    story.when(spend(JADE, time=2)).then_refused(
        "From a few moments to instant it takes 1, and there is nothing beyond."
    )
    assert story.given(spend(JADE, time=1)).events[-1] == spent(JADE, 3, takes=0, time=1)


@pytest.mark.parametrize(
    ("story", "typed", "sentence"),
    [
        (
            TABLE,
            spend(JADE, time=1),
            "No roll is open to spend shifts of: roll Jade SKILL comes first.",
        ),
        (
            TABLE.given(roll(JADE, "deception", faces="0000")),
            spend(GATTO, time=1),
            "The last roll is Jade's, and its shifts are not Gatto's to spend.",
        ),
        (
            TABLE.given(roll(JADE, "deception", faces="0000")),
            spend(JADE, quality=0),
            "Jade has 4 shifts; on each thing goes 1 or more: spend Jade quality 4.",
        ),
        (begun(), spend(JADE, time=1), "In a conflict shifts do what the act does (apply)."),
    ],
)
def test_spending_is_refused(story: Story, typed: v.Spend, sentence: str) -> None:
    story.when(typed).then_refused(sentence)


def test_shifts_are_spent_on_time_though_the_roll_names_no_duration() -> None:
    story = TABLE.given(roll(JADE, "deception", faces="0000"))

    story.when(spend(JADE, time=1)).then(spent(JADE, 3, time=1))


def test_a_conflict_closes_the_last_roll() -> None:
    story = TABLE.given(roll(JADE, "deception", faces="0000"))
    story = story.given(
        c.OpenConflict(system="edgerunner", sides=((GATTO,), (HARGAN,))),
        e.ConflictEnded(conflict=1, how="agreed"),
    )

    story.when(spend(JADE, quality=1)).then_refused(
        "No roll is open to spend shifts of: roll Jade SKILL comes first."
    )


AMOUNTS = st.integers(-6, 6)


@holds_for(
    faces=st.text("+0-", min_size=4, max_size=4),
    against=st.integers(0, 9),
    wishes=st.lists(st.dictionaries(st.sampled_from(["time", "quality", "boxes"]), AMOUNTS, min_size=1)),
)
def test_never_more_is_spent_than_there_was(
    faces: str, against: int, wishes: list[Mapping[str, int]]
) -> None:
    story = TABLE.given(roll(JADE, "deception", vs=against, takes="a day", faces=faces))
    had = 4 + sum({"+": 1, "0": 0, "-": -1}[face] for face in faces) - against

    for wish in wishes:
        try:
            story = story.given(spend(JADE, **wish))
        except Refused:
            continue
    bought = [event for event in story.events if isinstance(event, g.ShiftsSpent)]
    total = sum(one.shifts for event in bought for one in event.spent)
    sooner = sum(one.shifts for event in bought for one in event.spent if one.on == "time")

    assert min(0, had) <= total <= max(0, had)
    assert not bought or (bought[-1].left, bought[-1].takes) == (had - total, DAY - sooner)


@pytest.mark.parametrize(
    ("total", "faces"),
    [("4", "++++"), ("2", "++00"), ("+3", "+++0"), ("0", "0000"), ("-3", "---0")],
)
def test_a_total_of_fudge_dice_is_answered_with_faces_that_have_it(total: str, faces: str) -> None:
    with pytest.raises(Refused) as refused:
        TABLE.given(roll(JADE, "deception", faces=total)).events  # noqa: B018

    assert refused.value.sentence.endswith(f"in all: = {faces}.")
